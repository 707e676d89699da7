"""A question that an agent cannot ask is answered on a terminal elsewhere: beforehand, or while the agent waits."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pexpect
import pytest
from hooking import DOOR, MODULES, envelope

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")


def terminal(person, *arguments):
    """One of asimi's commands on a terminal of its own."""
    environ = person.environ | {"PYTHONPATH": MODULES, "TERM": "xterm"}
    where = {"env": environ, "cwd": str(person.project), "dimensions": (40, 100), "timeout": 60}
    return pexpect.spawn(sys.executable, ["-m", "asimi", *arguments], **where)


def answer(there, key, until):
    """Press a key until it is taken: keys typed ahead are dropped."""
    for _ in range(60):
        there.send(key)
        if there.expect([until, pexpect.TIMEOUT], timeout=1) == 0:
            return
    raise AssertionError(f"{key} was never taken")


def asked(person, agent="codex", command="curl example.org", **changes):
    """The answer to a call that must be asked about, and the name of its question."""
    said = person.hook(agent, envelope(agent, command, person.project, **changes))
    found = re.search(r"asimi approve ([a-z2-7]{8})", said.out)
    return said, None if found is None else found[1]


def approve(person, name, key="y"):
    there = terminal(person, "approve", name)
    there.expect("curl")
    answer(there, key, pexpect.EOF)


def test_what_is_approved_is_allowed_when_the_same_call_is_made_again(person):
    _, name = asked(person)
    approve(person, name)
    assert asked(person) == (("", "", 0), None)


@pytest.mark.parametrize(
    "other", [{"command": "curl example.com"}, {"session_id": "another"}, {"agent": "claude-code"}, {"cwd": "/"}]
)
def test_an_approval_holds_for_no_other_call_session_agent_or_project(person, other):
    _, name = asked(person)
    approve(person, name)
    assert asked(person, **other)[1] is not None


def test_the_same_call_made_again_asks_no_second_question(person):
    names = {asked(person)[1] for _ in range(3)}
    assert len(names) == 1
    assert asked(person, command="curl example.com")[1] not in names
    assert asked(person, session_id="another")[1] not in names


def test_what_is_declined_stays_refused(person):
    _, name = asked(person)
    approve(person, name, "n")
    assert asked(person)[1] is not None


def test_a_deny_beats_what_was_approved(person):
    _, name = asked(person)
    approve(person, name)
    person.config.write_text('excludeTools = ["run_shell_command(curl)"]\n')
    said, name = asked(person)
    assert name is None
    assert "forbids" in said.out


@pytest.mark.parametrize(("key", "decision"), [("y", "allow"), ("n", "deny")])
def test_while_somebody_watches_the_agent_waits_for_the_answer(person, key, decision):
    there = terminal(person, "watch")
    there.expect(r"\S")
    raw = json.dumps(envelope("gemini-cli", "curl example.org", person.project)).encode()
    for _ in range(60):  # until the watch has begun
        hook = subprocess.Popen(
            [sys.executable, "-I", "-S", str(DOOR), "gemini-cli"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=person.environ,
            cwd=person.project,
        )
        hook.stdin.write(raw)
        hook.stdin.close()
        try:
            hook.wait(5)
        except subprocess.TimeoutExpired:
            break
        hook.stdout.close()
        hook.stderr.close()
    there.expect("curl")
    answer(there, key, "curl example.org")
    assert hook.wait(60) == 0
    with hook.stdout, hook.stderr:
        assert json.loads(hook.stdout.read())["decision"] == decision
    there.close(force=True)
