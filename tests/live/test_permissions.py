"""The real agents, asked for their verdicts on the commands of our tables."""

from __future__ import annotations

import json
import shlex
import subprocess

import pytest
from helpers.permissions import commands, groups
from helpers.programs import PROGRAMS

CODEX = groups("codex", "")
WORDS = {"allow": "allow", "prompt": "ask", "forbidden": "deny", None: "ask"}
"""Its decisions as verdicts; it has none on what no rule is about."""


@pytest.mark.parametrize("group", CODEX, ids=map(str, range(len(CODEX))))
def test_codex_decides_as_the_table_says(installed, group, tmp_path):
    (codex,) = installed(PROGRAMS["codex"].packages).glob("@openai/codex-linux-x64/vendor/*/bin/codex")
    rules = tmp_path / "default.rules"
    rules.write_text(group["text"], encoding="utf-8")
    for _, command, verdict in commands([group], whole=False):
        call = [codex, "execpolicy", "check", "--rules", rules, "--", *shlex.split(command)]
        done = subprocess.run(call, capture_output=True, text=True, env={"HOME": str(tmp_path)}, check=True)
        assert WORDS[json.loads(done.stdout).get("decision")] == verdict.word, command
