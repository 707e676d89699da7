"""What an asimi that a call started leaves running belongs to that call as well."""

import json
import os
import signal
import sys

import pytest
from helpers import PATIENCE, PYTHON
from helpers.home import Home

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere less is found; see `asimi help platforms`")


@pytest.fixture
def home(tmp_path):
    """A home with a script that runs a command by an asimi of its own."""
    home = Home(tmp_path, 'coreTools = ["run_shell_command"]\n')
    (home.root / "inner").write_text(f"'{PYTHON}' -m asimi run 'setsid sleep 600 >/dev/null 2>&1 & echo $!'\n")
    return home


def test_what_it_left_is_listed(home):
    result = json.loads(home.asimi("run", "--json", "sh inner; true").stdout)
    for pid in result["backgroundPids"]:
        os.kill(pid, signal.SIGKILL)
    assert result["backgroundPids"] == [int(result["stdout"])]


def test_what_it_left_ends_with_the_call(home):
    asimi = home.start("run", "sh inner > left; touch begun; exec sleep 600")
    home.has_begun()
    left = int((home.root / "left").read_text())
    asimi.terminate()
    asimi.communicate(timeout=PATIENCE)
    assert not os.path.exists(f"/proc/{left}")
