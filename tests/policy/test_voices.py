"""Who may answer a question: some take a person who is asked, some one at a terminal, and none of these is kept."""

from __future__ import annotations

import asyncio

import pytest
from helpers.questions import saying

from asimi.core.call import Approval, Assurance, Place, Question, Request, ToolCall, Verdict
from asimi.core.errors import Refusal
from asimi.core.judging.offers import once
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import SHELL, rule_of
from asimi.core.reading import Finding
from asimi.core.settings import Settings
from asimi.core.wording.dialog import Dialog, choices
from asimi.testing import RecordingAudit, ScriptedApprover, make_gate
from asimi.tools import ToolRegistry
from asimi.world.approvals.sessions import agent_session
from asimi.world.approvals.tickets import TicketApprovals
from asimi.world.approvers import FlagApprover

BARE = rule_of(SHELL, Verdict.ALLOW)
CALL = ToolCall(SHELL, {"command": "make it"})
REQUEST = Request(SHELL, "make it", None, Place("/project", "/project", inside=True))


def policy_of(code, message="what is said of it", rules=(BARE,)):
    """A policy that finds one thing to be said of each call, or whose rule wants a person at a terminal."""
    if code == "terminal":
        return Policy([rule_of("run_shell_command(make it)", Verdict.ASK)._replace(terminal=True)])
    found = (Finding(code, message, (0, 4)),) if code else ()
    return Policy(rules, Terms(protected=saying(*found), unlisted=Verdict.ASK))


def outcome(policy, **parts):
    gate = make_gate(settings=lambda: Settings(policy), **parts)
    return asyncio.run(gate.run(CALL, ToolRegistry().get_tool(SHELL)))


NOBODY, AGENT, FORM, HOST = "flag", "agent's prompt", "mcp:client", "host:n8n"
ALL = {NOBODY, AGENT, FORM, HOST, "terminal", "queue", "watch"}
PERSONS = {"terminal", "queue", "watch"}


class Counting(Policy):
    """Counts what it decides."""

    times = 0

    def decide(self, *given, **more):
        self.times += 1
        return super().decide(*given, **more)


@pytest.mark.parametrize(
    ("approver", "times"), [(FlagApprover(), 1), (ScriptedApprover([Approval(yes=True, by="terminal")]), 3)]
)
def test_a_call_is_judged_again_only_where_somebody_took_time(approver, times):
    policy = Counting(())
    assert outcome(policy, approver=approver).exit_code == 0
    assert policy.times == times


@pytest.mark.parametrize(
    ("code", "may"),
    [
        ("protected", ALL),
        ("secret", ALL - {NOBODY}),
        ("outside", ALL - {NOBODY}),
        ("floor", PERSONS),
        ("terminal", PERSONS),
    ],
)
@pytest.mark.parametrize("by", sorted(ALL))
def test_who_may_answer(code, may, by):
    audit = RecordingAudit()
    said = outcome(policy_of(code), answers=[Approval(yes=by != AGENT, by=by)], audit=audit)
    if by == AGENT:  # it says neither yes nor no: the question is left to it
        assert (said.code == "passed") is (by in may)
        assert [record.event for record in audit.records] == ["passed" if by in may else "refusal"]
    else:
        assert isinstance(said, Refusal) is (by not in may)


@pytest.mark.parametrize("code", ["secret", "outside", "floor", "terminal"])
def test_a_yes_given_beforehand_is_refused_with_what_to_do(code):
    said = outcome(policy_of(code), approver=FlagApprover())
    assert isinstance(said, Refusal)
    assert "without it, a person at the terminal is asked" in str(said)
    assert "--yes" not in str(said)


@pytest.mark.parametrize("code", ["secret", "outside", "floor"])
def test_nothing_is_offered_but_once(code):
    decision = policy_of(code).decide(REQUEST)
    question = Question(REQUEST, decision, session=True, patience=9)
    dialog = Dialog(question, complete=True, ready=True)
    assert [choice.word for choice in choices(dialog)] == ["run", "edit", "deny", "note", "never", "why", "help"]


def test_the_strictest_voice_counts_for_a_call_with_several_reasons():
    found = (Finding("floor", "removes /", (0, 4)), Finding("secret", "a key", (0, 4)), Finding("code", "x", (0, 4)))
    assert Policy([], Terms(protected=saying(*found))).decide(REQUEST).voice is Assurance.TERMINAL
    assert Policy([], Terms(protected=saying(*found[1:]))).decide(REQUEST).voice is Assurance.ASKED
    assert Policy([], Terms(protected=saying(*found[2:]))).decide(REQUEST).voice is Assurance.BEFOREHAND


EACH_TIME = ["secret", "outside", "floor", "protected", "terminal"]


@pytest.mark.parametrize("code", EACH_TIME)
def test_a_late_yes_answers_the_same_call_once(code, tmp_path):
    """As `asimi approve` gives it to a call of an agent that was refused."""
    policy = policy_of(code)
    kept = TicketApprovals(str(tmp_path / "run"), agent_session("codex", "s"), "/project", lambda _: None)
    question = Question(REQUEST, policy.decide(REQUEST), session=True, patience=9)
    kept.remember(Approval(yes=True, by="queue", scope="session", rules=(once(question),)), REQUEST)
    said = [outcome(policy, approvals=kept, approver=ScriptedApprover()) for _ in range(2)]
    assert [isinstance(each, Refusal) for each in said] == [False, True]


@pytest.mark.parametrize("code", EACH_TIME)
def test_a_late_yes_is_for_no_other_call_and_for_nothing_that_was_not_said(code):
    policy = policy_of(code)
    rule = once(Question(REQUEST, policy.decide(REQUEST), session=True, patience=9))
    assert policy.decide(REQUEST, [rule]).verdict is Verdict.ALLOW
    for other in ({"command": "make it now"}, {"place": Place("/project/a", "/project", inside=True)}):
        assert policy.decide(REQUEST._replace(**other), [rule]).verdict is Verdict.ASK
    if code != "terminal":
        now = policy_of(code, "something else by now")  # a link leads elsewhere since
        assert now.decide(REQUEST, [rule]).verdict is Verdict.ASK
    assert policy_of("floor", "this removes /").decide(REQUEST, [rule]).verdict is Verdict.ASK


def test_a_late_yes_to_something_else_answers_nothing_that_is_asked_each_time():
    asked = policy_of("", rules=()).decide(REQUEST)
    rule = once(Question(REQUEST, asked, session=True, patience=9))
    assert policy_of("", rules=()).decide(REQUEST, [rule]).verdict is Verdict.ALLOW
    assert policy_of("floor").decide(REQUEST, [rule]).verdict is Verdict.ASK


def test_a_late_yes_never_beats_a_deny():
    rule = once(Question(REQUEST, policy_of("floor").decide(REQUEST), session=True, patience=9))
    denied = policy_of("floor", rules=(BARE, rule_of("run_shell_command(make)", Verdict.DENY)))
    assert denied.decide(REQUEST, [rule]).verdict is Verdict.DENY


def test_what_becomes_more_while_a_person_thinks_is_asked_again():
    policies = [policy_of("protected"), policy_of("protected"), policy_of("floor")]

    def settings():
        return Settings(policies.pop(0) if len(policies) > 1 else policies[0])

    answers = [Approval(yes=True, by=FORM), Approval(yes=True, by=FORM)]
    gate = make_gate(settings=settings, approver=ScriptedApprover(*answers))
    said = asyncio.run(gate.run(CALL, ToolRegistry().get_tool(SHELL)))
    assert isinstance(said, Refusal)
    assert "only a person at a terminal" in str(said)
