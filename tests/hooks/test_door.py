"""The door: whatever is doubtful blocks, whatever is not there blocks, and it costs little."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess

import pytest
from helpers import PYTHON, ROOT
from helpers.hooks import DOOR, envelope
from helpers.samples import crossed

from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line
from asimi.world.host.places import bases_of

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
    """Who sent it is not known, so a word in one agent's dialect may be none to the one that listens."""
    said = home.hook(agent, raw)
    assert (said.code, said.out) == (2, "")
    assert said.err


@pytest.mark.parametrize(
    "change",
    [
        {"tool_input": "ls"},
        {"hook_event_name": "PreCompact"},
        {"session_id": None},
        {"cwd": 1},
    ],
)
def test_an_envelope_that_may_be_another_agents_blocks(home, change):
    said = home.hook("codex", envelope("codex", "git status", home.root, **change))
    assert (said.code, said.out) == (2, "")
    assert said.err


@pytest.mark.parametrize(
    "change",
    [
        {"tool_name": "Write"},
        {"tool_name": 5},
        {"tool_input": {}},
        {"tool_input": {"command": ["ls"]}},
        {"cwd": "/nowhere/at/all"},
        {"cwd": "/tmp/\0"},
    ],
)
def test_an_envelope_that_is_not_as_known_is_denied(home, change):
    assert denied(home.hook("codex", envelope("codex", "git status", home.root, **change)))


def denied(said):
    """The reason that the model reads."""
    assert (said.code, said.err) == (0, "")
    text = json.dumps(said.json)
    assert '"deny"' in text
    return text


FAULTS = {
    "the policy is broken": (lambda home: home.config.write_text("coreTools = 5\n"), "config.toml:1"),
    "the policy is not UTF-8": (lambda home: home.config.write_bytes(b"\xff"), "config.toml"),
    "the log cannot be written": (
        lambda home: (home.state.parent.mkdir(), home.state.write_text("in the way")),
        "log cannot be written",
    ),
}


@pytest.mark.parametrize(("broken", "words"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("agent", AGENTS)
def test_the_reason_of_a_fault_reaches_the_model(home, agent, broken, words):
    """Several agents show nothing of what a hook says that ends with 2."""
    broken(home)
    assert words in denied(home.hook(agent, envelope(agent, "git status", home.root)))


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
        "main(None, 'codex'); print(*sys.modules, file=sys.stderr)"
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
        "sys.exit(driver.main(None, 'codex'))"
    )
    with subprocess.Popen(
        [PYTHON, "-I", "-c", code, str(ROOT)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=home.environ,
    ) as hook:
        assert hook.wait(60) == 2  # its standard input is still open
        assert b"took too long" in hook.stderr.read()


OLD_GUARD = (
    'if [ -r "$4" ]; then "$@"; s=$?; else s="none: asimi was removed"; fi; case $s in 0|2) exit $s;; esac; '
    'echo "asimi blocks this command" >&2; exit 2'
)


WRITTEN = ("hooks/door.py", "doors/hooks/driver.py")
"""The files of asimi that tests write into; others they remove."""


@pytest.fixture
def line(tmp_path, home):
    """The command line that an agent starts, with an interpreter and a door of our own that can be broken."""
    place = tmp_path / "a place with 'quotes'"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "asimi", place / "asimi", ignore=ignored, copy_function=os.symlink)
    for name in WRITTEN:  # a link would lead what a test writes to the real one
        (place / "asimi" / name).unlink()
        shutil.copy(ROOT / "asimi" / name, place / "asimi" / name)
    python = place / "python"
    python.symlink_to(os.path.realpath(PYTHON))

    class Line:
        def __init__(self):
            self.python, self.door = python, place / "asimi" / "hooks" / "door.py"

            bases = bases_of(home.environ)
            self.text = command_line(agent_of("codex"), str(python), bases=bases)
            self.text = self.text.replace(str(DOOR), str(self.door).replace("'", "'\"'\"'").join(("'", "'")))

        def start(self, home, agent="codex", command="git status", shell="/bin/sh"):
            raw = json.dumps(envelope(agent, command, home.root)).encode()
            return home.started([*shell.split(), "-c", self.text.replace(" codex", f" {agent}")], raw)

    return Line()


SHELLS = [name for name in ("sh", "bash", "dash", "zsh", "fish", "busybox sh") if shutil.which(name.split()[0])]
"""Those that an agent may give the command line to; Codex takes the person's own."""


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_line_lets_pass_and_denies(home, line, shell):
    assert line.start(home, shell=shell) == ("", "", 0)
    assert denied(line.start(home, command="rm x", shell=shell))
    assert line.start(home, "gemini-cli", shell=shell).json == {"decision": "allow"}


def test_the_command_line_works_without_a_shell_around_it(home, line):
    raw = json.dumps(envelope("codex", "git status", home.root)).encode()
    assert home.started(shlex.split(line.text), raw) == ("", "", 0)
    line.door.write_text("")
    said = home.started(shlex.split(line.text), raw)
    assert (said.code, "no answer" in said.err) == (2, True)


def test_a_command_line_of_an_older_asimi_still_works(home, line):
    """It takes 0 for an answer, so that is what it gets until `asimi hook install` replaces it."""
    started = [str(line.python), "-I", "-S", str(line.door), "codex"]
    line.text = shlex.join(["/bin/sh", "-c", OLD_GUARD, "asimi-hook", *started])
    assert line.start(home) == ("", "", 0)
    assert denied(line.start(home, command="rm x"))
    line.door.unlink()
    assert line.start(home).code == 2


def test_a_part_of_asimi_that_is_gone_is_denied_with_a_reason(home, line):
    (line.door.parent.parent / "core" / "judging" / "policy.py").unlink()
    assert "asimi.core.judging.policy" in denied(line.start(home))


BREAKS = {
    "the door is empty": lambda line: line.door.write_text(""),
    "the door is torn": lambda line: line.door.write_text(line.door.read_text().partition("    code =")[0]),
    "the door is torn before its end": lambda line: line.door.write_text(
        line.door.read_text().partition('    if "asimi.world')[0]
    ),
    "the driver is empty": lambda line: (line.door.parent.parent / "doors" / "hooks" / "driver.py").write_text(""),
    "the driver is torn": lambda line: _torn(line.door.parent.parent / "doors" / "hooks" / "driver.py"),
    "the interpreter ends with 0 in silence": lambda line: _replaced(line, "exit 0"),
    "the interpreter ends with 2 in silence": lambda line: _replaced(line, "exit 2"),
    "the interpreter allows and ends with 0": lambda line: _replaced(line, 'echo \'{"decision": "allow"}\''),
    "the interpreter allows and is killed": lambda line: _replaced(line, 'echo \'{"decision": "allow"}\'; kill $$'),
    "the guard is killed": lambda line: _replaced(line, "kill -9 $PPID"),
    "there is no /bin/sh": lambda line: setattr(line, "text", line.text.replace("/bin/sh", "/nowhere/sh", 1)),
    "the interpreter is gone": lambda line: line.python.unlink(),
    "the interpreter is no program": lambda line: (line.python.unlink(), line.python.write_text("x")),
    "asimi is gone": lambda line: shutil.rmtree(line.door.parent.parent),
    "asimi is half gone": lambda line: (line.door.parent.parent / "core" / "call.py").unlink(),
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


def _torn(path):
    """Behind the answer, before its exit code is given back."""
    path.write_text(path.read_text().replace("    return answer.code or code\n", "", 1))


@pytest.mark.parametrize(("agent", "broken"), crossed(AGENTS, BREAKS, 4))
def test_a_hook_that_cannot_run_blocks(home, line, broken, agent):
    BREAKS[broken](line)
    said = line.start(home, agent)
    assert (said.code, said.out) == (2, "")
    assert "asimi blocks this command" in said.err


@pytest.mark.parametrize(("shell", "broken"), crossed(SHELLS[1:], BREAKS, 3))
def test_a_hook_that_cannot_run_blocks_in_every_shell(home, line, broken, shell):
    BREAKS[broken](line)
    said = line.start(home, shell=shell)
    assert (said.code, said.out) == (2, "")
    assert "asimi blocks this command" in said.err


def test_a_hook_is_written_down_like_every_call(home):
    home.hook("codex", envelope("codex", "git status", home.root))
    home.hook("codex", envelope("codex", "rm x", home.root))
    first, *_, last = home.log()
    assert (first["event"], first["agent"], first["command"]) == ("start", "codex", "git status")
    assert (last["event"], last["verdict"]) == ("refusal", "deny")
    assert "0199a213" in last["session"]
