"""The door: whatever is doubtful blocks, whatever is not there blocks, and it costs little."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from helpers import PYTHON, ROOT
from helpers.hooks import DOOR, envelope

from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line

DOUBTFUL = {
    "nothing": b"",
    "no JSON": b"hello",
    "a list": b"[]",
    "a key twice": b'{"session_id": "a", "session_id": "b"}',
    "no UTF-8": b"\xff\xfe",
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("raw", DOUBTFUL.values(), ids=DOUBTFUL)
@pytest.mark.parametrize("agent", AGENTS)
def test_what_cannot_be_read_blocks(home, agent, raw):
    said = home.hook(agent, raw)
    assert said.code == 2
    assert said.err


@pytest.mark.parametrize(
    "change",
    [
        {"tool_name": "Write"},
        {"tool_name": 5},
        {"tool_input": {}},
        {"tool_input": {"command": ["ls"]}},
        {"tool_input": "ls"},
        {"hook_event_name": "PostToolUse"},
        {"session_id": None},
        {"cwd": 1},
        {"cwd": "/nowhere/at/all"},
        {"cwd": "/tmp/\0"},
    ],
)
def test_an_envelope_that_is_not_as_known_blocks(home, change):
    said = home.hook("codex", envelope("codex", "git status", home.root, **change))
    assert said.code == 2
    assert said.err


def test_a_broken_policy_blocks_and_names_the_place(home):
    home.config.write_text("coreTools = 5\n")
    said = home.hook("codex", envelope("codex", "git status", home.root))
    assert said.code == 2 or said.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert f"{home.config}:1" in said.out + said.err


def test_a_log_that_cannot_be_written_blocks(home):
    home.state.parent.mkdir()
    home.state.write_text("in the way")
    said = home.hook("codex", envelope("codex", "git status", home.root))
    assert said.code == 2 or said.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_an_unknown_agent_blocks(home):
    assert home.hook("hal", b"{}").code == 2


def test_a_closed_standard_output_is_no_allow(home):
    raw = json.dumps(envelope("claude-code", "git status", home.root)).encode()
    line = f"{PYTHON} -I -S {DOOR} claude-code >&-"
    assert home.started(line, raw, shell=True).code == 2


def test_modules_in_the_project_are_not_imported(home):
    """An agent writes files there, and one named like a module of the standard library must mean nothing."""
    for name in ("json", "typing", "asimi", "sitecustomize"):
        (home.root / f"{name}.py").write_text("import os; os._exit(0)")
    said = home.hook("codex", envelope("codex", "rm x", home.root), PYTHONPATH=str(home.root))
    assert said.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_the_door_imports_nothing_that_is_slow(home):
    code = (
        f"import sys; sys.path.append({str(ROOT)!r})\n"
        "from asimi.doors.hooks.driver import main\n"
        "main('codex'); print(*sys.modules, file=sys.stderr)"
    )
    raw = json.dumps(envelope("codex", "git status", home.root)).encode()
    modules = home.started([PYTHON, "-I", "-S", "-c", code], raw).err.split()
    assert "asimi.core.judging.policy" in modules
    assert not {"asyncio", "typer", "rich", "prompt_toolkit", "tomli_w", "subprocess", "dataclasses"} & set(modules)


def test_a_hook_that_takes_too_long_blocks_before_the_agent_stops_waiting(home):
    """Most agents run the command once their patience ends."""
    code = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from asimi.doors.hooks import codex, driver\n"
        "codex.AGENT = codex.AGENT._replace(seconds=driver.MARGIN + 1)\n"
        "sys.exit(driver.main('codex'))"
    )
    with subprocess.Popen(
        [PYTHON, "-I", "-c", code, str(ROOT)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=home.environ,
    ) as hook:
        assert hook.wait(60) == 2  # its standard input is still open
        assert b"took too long" in hook.stderr.read()


@pytest.fixture
def line(tmp_path):
    """The command line that an agent starts, with an interpreter and a door of our own that can be broken."""
    place = tmp_path / "a place with 'quotes'"
    shutil.copytree(ROOT / "asimi", place / "asimi", ignore=shutil.ignore_patterns("__pycache__"))
    python = place / "python"
    python.symlink_to(os.path.realpath(PYTHON))

    class Line:
        def __init__(self):
            self.python, self.door = python, place / "asimi" / "hooks" / "door.py"

        def start(self, home, agent="codex", command="git status"):
            text = command_line(agent_of(agent), str(self.python))
            text = text.replace(str(DOOR), str(self.door).replace("'", "'\"'\"'").join(("'", "'")))
            raw = json.dumps(envelope(agent, command, home.root)).encode()
            return home.started(text, raw, shell=True)

    return Line()


def test_the_command_line_lets_pass_and_denies(home, line):
    assert line.start(home) == ("", "", 0)
    assert line.start(home, command="rm x").json["hookSpecificOutput"]["permissionDecision"] == "deny"


BREAKS = {
    "the interpreter is gone": lambda line: line.python.unlink(),
    "the interpreter is no program": lambda line: (line.python.unlink(), line.python.write_text("x")),
    "asimi is gone": lambda line: shutil.rmtree(line.door.parent.parent),
    "asimi is half gone": lambda line: (line.door.parent.parent / "core" / "judging" / "policy.py").unlink(),
    "a module of asimi does not compile": lambda line: (
        line.door.parent.parent / "doors" / "hooks" / "driver.py"
    ).write_text("def"),
    "the interpreter ends with 1": lambda line: _replaced(line, "exit 1"),
    "the interpreter ends with 77": lambda line: _replaced(line, "exit 77"),
    "the interpreter is killed": lambda line: _replaced(line, "kill -9 $$"),
}


def _replaced(line, script):
    line.python.unlink()
    line.python.write_text(f"#!/bin/sh\n{script}\n")
    line.python.chmod(0o755)


@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS)
@pytest.mark.parametrize("agent", AGENTS)
def test_a_hook_that_cannot_run_blocks(home, line, broken, agent):
    broken(line)
    said = line.start(home, agent)
    assert said.code == 2
    assert said.err


def test_a_hook_is_written_down_like_every_call(home):
    home.hook("codex", envelope("codex", "git status", home.root))
    home.hook("codex", envelope("codex", "rm x", home.root))
    first, *_, last = home.log()
    assert (first["event"], first["agent"], first["command"]) == ("start", "codex", "git status")
    assert (last["event"], last["verdict"]) == ("refusal", "deny")
    assert "0199a213" in last["session"]
