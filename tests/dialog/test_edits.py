"""What becomes of a command that a person changed: the caller is told, and an edit that never runs comes back."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path

import pytest

from asimi.core.call import Approval, ToolCall, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import EXEC, SHELL, rule_of
from asimi.core.settings import Settings
from asimi.testing import FunctionExecutor, ScriptedApprover, make_gate
from asimi.tools import ToolRegistry

POLICY = Policy(
    [
        rule_of("run_shell_command(true)", Verdict.ALLOW),
        rule_of("run_shell_command(rm)", Verdict.DENY),
        rule_of("execute_command(true)", Verdict.ALLOW),
    ]
)


def edit(line: str) -> Approval:
    return Approval(yes=False, by="terminal", edited=line)


def outcome(name: str, arguments: dict, *answers: Approval | bool):
    """What the tool answers, what was asked on the way, and what ran."""
    ran = []
    approver = ScriptedApprover(*answers)
    executor = FunctionExecutor(lambda execution: ran.append(execution.request) or "")
    gate = make_gate(settings=lambda: Settings(POLICY), approver=approver, executor=executor)
    tool = ToolRegistry().get_tool(name)
    return tool.pack(asyncio.run(gate.run(ToolCall(name, arguments), tool))), approver.questions, ran


def test_the_result_of_an_edited_call_says_what_ran():
    packed, _, ran = outcome(SHELL, {"command": "echo one"}, edit("echo two"), True)
    assert (packed["edited"], [request.command for request in ran]) == ("echo two", ["echo two"])
    assert outcome(SHELL, {"command": "echo one"}, edit("true"))[0]["edited"] == "true"  # allowed without a question
    assert "edited" not in outcome(SHELL, {"command": "echo one"}, True)[0]


def test_the_result_of_an_edited_program_says_what_ran():
    packed, _, ran = outcome(EXEC, {"command": "ls", "args": ["-r", "a"]}, edit("echo 'a b' ''"), True)
    assert packed["edited"] == ["echo", "a b", ""]
    assert [(request.command, request.arguments) for request in ran] == [("echo", ("a b", ""))]
    assert "edited" not in outcome(EXEC, {"command": "ls", "args": ["-r", "a"]}, True)[0]


REFUSED = [
    (SHELL, "rm x", "rm"),
    (SHELL, "echo 'open", "quote"),
    (SHELL, "echo $(date)", "substitution"),
    (EXEC, "echo $x", "only bash could expand"),
    (EXEC, "echo a; echo b", "more than one plain command"),
]


@pytest.mark.parametrize(("tool", "line", "why"), REFUSED, ids=[line for _, line, _ in REFUSED])
def test_an_edit_that_never_runs_brings_the_question_back_with_the_reason(tool, line, why):
    packed, (_, again), ran = outcome(tool, {"command": "echo"}, edit(line), True)
    assert (again.request.command, again.edit.line) == ("echo", line)
    assert why in again.edit.why.lower()
    assert [request.command for request in ran] == ["echo"]
    assert "edited" not in packed


@pytest.fixture
def shell(sit, tmp_path):
    """A terminal in which bash runs a script, with `asimi` in a project and a home of its own."""
    project, home = tmp_path / "project", tmp_path / "home"
    for directory in (project, home / "run", home / "config" / "asimi"):
        directory.mkdir(parents=True, mode=0o700)
    (home / "config" / "asimi" / "config.toml").write_text('excludeTools = ["run_shell_command(rm)"]\n')
    environ = {
        "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state"),
        "XDG_RUNTIME_DIR": str(home / "run"),
    }  # fmt: skip

    def runs(script: str, **seat: object):
        script = f'asimi() {{ {shlex.quote(sys.executable)} -m asimi "$@"; }}; cd {shlex.quote(str(project))}; {script}'
        return sit(script=script, seat={"environ": environ, "streams": "012"} | seat), home

    return runs


def test_in_the_session_a_person_is_not_told_what_agents_are(shell):
    person, _ = shell("asimi shell")
    person.sees("type a command")
    person.enters("echo one")
    person.asked()
    person.presses("n")
    assert "final" not in person.sees("Refused by the person.", "type a command")
    person.presses("\x04")


@pytest.mark.parametrize("columns", [80, 40])
def test_at_the_terminal_nothing_typed_is_lost(shell, columns):
    person, _ = shell("asimi run 'echo one'; echo code $?", columns=columns)
    person.asked()
    person.presses("e", "; rm -r build", "\r")
    person.sees("Your edit does not run", "rm")
    person.asked()
    person.presses("e")
    person.sees("> echo one; rm -r build")
    person.presses("\x15", "echo two", "\r")
    person.sees("│ > echo two", "[y]")
    person.presses("y")
    person.sees("code 0")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("asimi run --json 'echo one'", '"edited": "echo two"'),
        ("asimi exec --json -- echo one", '"edited": ["echo", "two"]'),
    ],
)
def test_the_answer_and_the_record_have_both(shell, command, said):
    person, home = shell(f"{command} > answer; cat answer; asimi log --why", columns=160, rows=40)
    person.asked()
    person.presses("e", "\x15", "echo two", "\r")
    person.sees("│ > echo two", "[y]")
    person.presses("y")
    person.sees(said, "the agent proposed: echo one")
    start = json.loads(Path(home, "state", "asimi", "log.jsonl").read_text().splitlines()[0])
    proposed = [start["sent"], *start.get("sent_arguments", [])]
    assert " ".join(proposed) == "echo one"
    assert " ".join([start["command"], *start.get("arguments", [])]) == "echo two"
