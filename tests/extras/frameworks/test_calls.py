"""What the adapters share, without a framework; `make frameworks` runs them with theirs."""

from __future__ import annotations

import asyncio
from itertools import product

import pytest

from asimi.core.call import Approval, Verdict
from asimi.core.errors import AsimiError, Refusal
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL, rule_of
from asimi.core.settings import Settings
from asimi.extras.frameworks.calls import Calls, arguments_of, key_of
from asimi.testing import RecordingAudit, make_gate
from asimi.tools import command_tool

MAKE, OTHER = {"command": "make"}, {"command": "make other"}


class Host:
    """A framework with a gate of doubles."""

    def __init__(self, answers=(), **parts):
        self.audit = RecordingAudit()
        lists = {"allow": ["run_shell_command(git)"], "deny": ["run_shell_command(rm)"]}
        self.gate = make_gate(tools=command_tool, audit=self.audit, answers=answers, **(parts or lists))
        self.calls = Calls("a framework", self.gate, SHELL)

    def outcome(self, arguments, key="1", **said):
        return asyncio.run(self.calls.outcome(arguments, key, **said))

    @property
    def ran(self):
        return [each.request.command for each in self.gate.executor.ran]


def terminal_only():
    return Settings(Policy([rule_of("run_shell_command(make)", Verdict.ASK)._replace(terminal=True)]))


@pytest.mark.parametrize("command", ["git status", "rm x", "echo 'open"])
def test_what_is_allowed_denied_or_wrong_is_no_question(command):
    host = Host()
    assert host.calls.asks({"command": command}, "1") is None
    assert host.calls.asks({}, "1") is None
    assert isinstance(host.outcome({}), Refusal)


def test_a_yes_runs_it_once():
    host = Host()
    assert host.calls.asks(MAKE, "1").id == host.calls.asks(MAKE, "1").id
    assert "make" in host.calls.preview(MAKE, "1")
    host.outcome(MAKE, yes=True)
    assert host.ran == ["make"]
    assert host.audit.records[0].approval.by == "host:a framework"
    assert host.audit.records[0].call.id == "1"
    assert "does not count" in host.outcome(MAKE, yes=True).message
    assert host.calls.preview(MAKE, "1") == ""
    assert host.ran == ["make"]


@pytest.mark.parametrize(("arguments", "key"), [(OTHER, "1"), (MAKE, "2"), (MAKE | {"directory": "sub"}, "1")])
def test_a_yes_is_for_one_call(arguments, key):
    host = Host()
    host.calls.asks(MAKE, "1")
    said = host.outcome(arguments, key, yes=True)
    assert "does not count" in said.message
    assert host.audit.records[-1].refusal == said
    assert host.ran == []


@pytest.mark.parametrize("command", ["make", "git status"])
def test_a_no_runs_nothing(command):
    host = Host()
    host.calls.asks({"command": command}, "1")
    assert "not now" in host.outcome({"command": command}, yes=False, note="not now").message
    assert isinstance(host.outcome({"command": command}, yes=False), Refusal)
    assert host.ran == []


def test_a_yes_to_what_is_allowed_or_denied_changes_nothing():
    host = Host()
    host.outcome({"command": "git status"}, yes=True)
    assert isinstance(host.outcome({"command": "rm x"}, yes=True), Refusal)
    assert host.ran == ["git status"]


def test_where_the_framework_asks_nobody_asimi_asks():
    host = Host(answers=[True])
    host.outcome(MAKE)
    assert host.ran == ["make"]
    assert len(host.gate.approver.questions) == 1


@pytest.mark.parametrize("said", [None, True])
def test_what_takes_a_person_at_a_terminal_is_asked_there(said):
    host = Host(answers=[Approval(yes=True, by="terminal")], settings=terminal_only)
    assert host.calls.asks(MAKE, "1") is None
    host.outcome(MAKE, yes=said)
    assert host.ran == ["make"]
    assert host.audit.records[0].approval.by == "terminal"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"command": "git status", "command": "make"}'])
def test_parameters_that_are_none_are_refused(text):
    host = Host()
    assert host.calls.asks(arguments_of(text), "1") is None
    assert "command" in host.outcome(arguments_of(text), yes=True).message


def test_a_key_is_of_these_texts_only():
    texts = ["", "a", "/", "a/b", "%2F", "%", "\0", "\n", "a b", "\ud800", "\u2028", "é"]
    keys = {key_of(*parts) for parts in [*product(texts, texts), *product(texts, texts, ["", "0"])]}
    assert len(keys) == 3 * len(texts) ** 2
    assert all(key.isascii() and key.isprintable() for key in keys)
    assert key_of("talk", "call_1") == "talk/call_1"


def test_two_calls_of_one_key_have_no_answer():
    host = Host()
    assert host.calls.asks(MAKE, "1")
    assert host.calls.asks(OTHER, "1") is None
    for arguments in (MAKE, OTHER):
        assert host.calls.preview(arguments, "1") == ""
        assert "does not count" in host.outcome(arguments, yes=True).message
    assert host.ran == []


def test_a_yes_without_a_key_is_none():
    host = Host()
    host.calls.asks(MAKE, "")
    assert "does not count" in host.outcome(MAKE, "", yes=True).message
    assert host.ran == []


@pytest.mark.parametrize("command", ["git status", "rm x"])
def test_what_a_framework_is_told(command):
    host = Host()
    outcome = host.outcome({"command": command})
    if isinstance(outcome, Refusal):
        with pytest.raises(ValueError, match="forbids"):
            host.calls.told(outcome, ValueError)
    else:
        assert host.calls.told(outcome, ValueError)["error"] is None


def test_a_tool_that_is_none_is_an_error():
    with pytest.raises(AsimiError, match="no tool"):
        Calls("a framework", make_gate(), "nonsense")
