"""Questions that are put to people at terminals."""

from __future__ import annotations

import json
import os
import shlex

import pytest
from helpers import MODULES, PYTHON
from helpers.asks import deed
from helpers.terminal import Person

CLEAN = {"LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": "/home/somebody", "PATH": os.environ["PATH"]} | MODULES


def question(command: str = "rm -rf build", **other: object) -> dict:
    """A question; one part, which asks, unless `parts` says otherwise: rows of words, span and verdict.

    With `goes`, a dialog stays for so many seconds once its time is up.
    With `others`, each of them is asked after the other, with these changes to the question.
    """
    asked = {
        "command": command, "arguments": None, "description": "Clean up", "directory": "/home/somebody/app/server",
        "root": "/home/somebody/app", "agent": "claude-code", "id": 12, "session": True, "storable": True,
        "patience": 60, "offers": [["any rm -rf build", ["run_shell_command(rm -rf build)"]]],
        "reasons": [["unlisted", "rm is not on coreTools", "/home/somebody/.config/asimi/config.toml:12"]],
        "parts": [[command, [0, len(command)], "ASK"]], "background": False, "delay": 0, "person": True,
        "deeds": [deed(command, "build")], "others": [], "quiet": 0.05, "alone": 0.02,
    }  # fmt: skip
    return asked | other


@pytest.fixture
def sit():
    """Sits people down in front of questions, or of what bash runs (`ASKS` asks one); at the end they leave."""
    people: list[Person] = []

    def sit(command: str = "rm -rf build", *, seat: dict | None = None, script: str = "", **other: object) -> Person:
        asked, seat = question(command, **other), {"streams": "02", "environ": {}} | (seat or {})
        environ = {name: value for name, value in (CLEAN | seat.pop("environ")).items() if value is not None}
        asks = [PYTHON, "-m", "helpers.asks", json.dumps(asked)]
        program = ["bash", "-c", script.replace("ASKS", shlex.join(asks))] if script else asks
        people.append(Person(program, environ, **({} if script else {"alone": asked["alone"]}) | seat))
        return people[-1]

    yield sit
    for person in people:
        person.leaves()
