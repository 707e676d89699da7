"""A home that an asimi of the first weeks left behind, recorded from it, works with this one.

`data/upgraded.txt` holds its files: a configuration and a project's, what `policy add` and `policy import` wrote,
trust, confirmed checks, a session with an approval and a refusal, a question, the log, and Claude Code's settings.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time

import pytest
from helpers import PYTHON, TESTS
from helpers.hooks import DOOR, HookedHome, envelope

RECORDED = (TESTS / "data" / "upgraded.txt").read_text(encoding="utf-8")


@pytest.fixture
def home(tmp_path):
    others = os.umask(0o077)
    try:
        return left_behind(HookedHome(tmp_path))
    finally:
        os.umask(others)


def left_behind(home):
    """A home as the older one left it."""
    now = time.time()
    root = os.path.realpath(home.root)
    known = {
        "PYTHON": PYTHON,
        "DOOR": DOOR,
        "ROOT": root,
        "HOME": home.home,
        "NOW": now,
        "LATER": now + 3600,
        "PROJECT": hashlib.sha256(root.encode()).hexdigest()[:32],
    }

    def filled(text):
        return re.sub(rf"\b({'|'.join(known)})\b", lambda match: str(known[match[1]]), text)

    for name, text in re.findall(r"(?ms)^== (.*?)\n(.*?)(?=^== |\Z)", RECORDED):
        path = filled(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text.rstrip("\n") if name.endswith("log.head") else text if "log." in name else filled(text))
    return home


VERDICTS = {
    "git status": "allow",  # the person's file
    "npm publish": "allow",  # `policy add`
    "cargo publish": "allow",  # `policy add --project`
    "jq . a.json": "allow",  # `policy import`
    "date": "allow",  # the project's file, which is trusted
    "make test": "allow",  # its checks, which were confirmed
    "rm x": "deny",
    "shred x": "deny",
    "whoami": "deny",
    "git push": "ask",
}


def test_rules_trust_and_confirmed_checks_of_the_older_one_hold(home):
    found = {text: json.loads(home.asimi("check", "--json", text).stdout)["verdict"] for text in VERDICTS}
    assert found == VERDICTS


def test_a_session_of_the_older_one_keeps_its_approval_and_what_was_refused(home):
    shown = home.asimi("session", "show", "S1").stdout
    assert "touch made" in shown
    assert "git push origin main  (refused once" in shown
    call = {"name": "run_shell_command", "arguments": {"command": "touch made"}}
    (answer,) = home.answers(call, words=("--session", "S1", "serve"))
    assert answer["result"]["exitCode"] == 0
    (answer,) = home.answers(call, words=("--session", "S2", "serve"))
    assert answer["result"]["exitCode"] is None


def test_a_question_of_the_older_one_is_listed(home):
    assert "zoumm7x3  refused" in home.asimi("approve", "--list").stdout


def test_the_log_of_the_older_one_is_whole_and_goes_on(home):
    assert "14 lines, unbroken" in home.asimi("log", "verify").stdout
    assert home.asimi("run", "git status").returncode == 128  # there is no repository
    assert "16 lines, unbroken" in home.asimi("log", "verify").stdout
    shown = home.asimi("log").stdout
    assert "policy import" in shown
    assert "exit 0        touch made" in shown
    assert "6 calls" in home.asimi("log", "report").stdout


def test_the_hook_line_of_the_older_one_judges_and_is_renewed(home):
    def answers():
        settings = json.loads((home.home / ".claude" / "settings.json").read_text())
        line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        for text in "git status", "shred x":
            said = home.started(line, json.dumps(envelope("claude-code", text, home.root)).encode(), shell=True)
            yield said.json["hookSpecificOutput"]["permissionDecision"]

    assert [*answers()] == ["allow", "deny"]
    assert "its line is of an older asimi" in home.asimi("hook", "doctor", "claude-code").stdout
    assert home.asimi("hook", "install", "claude-code").returncode == 0
    assert "its line is of an older asimi" not in home.asimi("hook", "doctor", "claude-code").stdout
    assert [*answers()] == ["allow", "deny"]
    assert home.asimi("hook", "uninstall", "claude-code").returncode == 0
    left = json.loads((home.home / ".claude" / "settings.json").read_text())
    assert left == {"permissions": {"allow": ["Bash(jq:*)"], "deny": ["Bash(shred:*)"]}}
