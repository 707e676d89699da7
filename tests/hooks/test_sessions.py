"""Sessions of real work under the preset `developer`: what an agent sends while it works is seldom a question.

A file in `sessions/` is a project (`--- file PATH`) and what an agent sends there, each text behind the answer that is
right: `--- allow`, or `--- ask` for what others see, what is lost, secrets, and code that nobody has confirmed.
"""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from helpers import PATIENCE, PYTHON, TESTS
from helpers.home import Home
from helpers.hooks import envelope
from helpers.sessions import SESSIONS, read, repository

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the player forks")

MOST_QUESTIONS = 7  # with `cargo --version`, which obeys a toolchain file of the project

MANY = TESTS / "helpers" / "many_hooks.py"


def project(home, files):
    """A repository with these files, in a home whose owner took the preset `developer`."""
    repository(home, files)
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0


def played(home, texts):
    """The decision on each text, and what the agent reads of it."""
    envelopes = [envelope("claude-code", text, home.root, permission_mode="default") for text in texts]
    done = subprocess.run(
        [PYTHON, MANY, "claude-code"],
        input=json.dumps(envelopes),
        capture_output=True,
        text=True,
        env={name: value for name, value in home.environ.items() if name != "PYTHONPATH"},
        cwd=home.root,
        timeout=PATIENCE * 3,
        check=True,
    )
    answers = [json.loads(said)["hookSpecificOutput"] for _, said in json.loads(done.stdout)]
    return [(answer["permissionDecision"], answer["permissionDecisionReason"]) for answer in answers]


@pytest.mark.long
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_session_asks_what_is_right_and_little_else(tmp_path, path):
    home = Home(tmp_path, None)
    files, texts = read(path)
    project(home, files)
    wanted = [(text.replace("PROJECT", str(home.root)), verdict) for text, verdict in texts]
    answers = played(home, [text for text, _ in wanted])
    wrong = [(text, *answer) for (text, verdict), answer in zip(wanted, answers, strict=True) if answer[0] != verdict]
    assert not wrong
    assert sum(verdict != "allow" for verdict, _ in answers) <= MOST_QUESTIONS


SUBSTITUTIONS = [
    'echo "on $(git branch --show-current)"',
    'wc -l "src/$(basename app.py)"',
    'V=$(cat version.txt); echo "$V"',
    "git log $(cat version.txt)",
    "$(cat version.txt)",
    "cat > notes.md <<X\n$(date)\nX",
    'bash -c "$(cat version.txt)"',
    'echo "$(git push)"',
    "git commit -m \"$(cat <<'X'\nIt's `here`\nX\n)\"",
    'mkdir "$(pwd)/build"',
]


def test_check_with_judge_says_what_the_hook_says_without_the_key(tmp_path):
    home = Home(tmp_path, None)
    project(home, {"src/app.py": "", "version.txt": "1.0\n"})
    hooked = [verdict for verdict, _ in played(home, SUBSTITUTIONS)]
    home.config.write_text(home.config.read_text() + '\n[shell]\nsubstitution = "judge"\n')
    checked = [json.loads(home.asimi("check", "--json", text).stdout)["verdict"] for text in SUBSTITUTIONS]
    assert dict(zip(SUBSTITUTIONS, checked, strict=True)) == dict(zip(SUBSTITUTIONS, hooked, strict=True))
    assert {"allow", "ask"} <= set(hooked)
