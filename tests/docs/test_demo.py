"""`make demo` shows the product in a minute, and says by its exit code whether each part of it worked."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it shows a box and a terminal")


def test_the_demo_shows_rules_verdicts_a_question_a_box_and_undo(tmp_path):
    words = [sys.executable, ROOT / "examples" / "demo.py"]
    environ = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "COLUMNS": "100"}
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=environ, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    for said in ("config init --preset developer", "ask   rm -rf", "deny (n)", "4  a box", "taken back  1 path"):
        assert said in done.stdout
    assert [*tmp_path.iterdir()] == []
