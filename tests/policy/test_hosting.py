"""What a host program may answer, by both ways; whoever it says it is, it is written down as a host."""

from __future__ import annotations

import asyncio

import pytest
from helpers.questions import saying

from asimi.core.call import Approval, Loss, Question, Sandbox, ToolCall, Verdict
from asimi.core.errors import AsimiError, Refusal
from asimi.core.hosting import Answer, Proposal
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import SHELL, rule_of
from asimi.core.reading import Finding
from asimi.core.settings import Settings
from asimi.testing import RecordingAudit, ScriptedApprover, make_gate
from asimi.tools.base import command_tool
from asimi.world.approvers import HostApprover

MAKE = ToolCall(SHELL, {"command": "make it", "description": "builds"}, id="call_1", agent="a model")
DENIED = [rule_of("run_shell_command(make)", Verdict.DENY)]


class Changing:
    """Settings that a test changes."""

    def __init__(self, code="", message="what is said", rules=()):
        self.policy, self.sandbox = None, Sandbox()
        self.now(code, message, rules)

    def now(self, code="", message="what is said", rules=()):
        found = (Finding(code, message, (0, 4)),) if code else ()
        self.policy = Policy(rules, Terms(protected=saying(*found), unlisted=Verdict.ASK))

    def __call__(self):
        return Settings(self.policy)


def gate_of(settings=None, **parts):
    audit = RecordingAudit()
    return make_gate(settings=settings or Changing(), tools=command_tool, audit=audit, **parts), audit


def redeemed(gate, name, yes=True, by="n8n", note=""):
    return asyncio.run(gate.redeem(name, yes, by, note))


def test_a_yes_runs_exactly_the_call_once():
    gate, audit = gate_of(runs=lambda execution: execution.request.command)
    proposal = gate.propose(MAKE)
    assert (proposal.person_needed, proposal.answerable) == (True, True)
    assert "make it" in proposal.preview
    assert "builds" in proposal.preview
    assert "is not on coreTools" in proposal.preview
    assert "make it: runs code" in proposal.preview
    assert "Held by nothing" in proposal.preview
    assert audit.records == []
    assert redeemed(gate, proposal.id, note="go on").stdout.text == "make it"
    start, end = audit.records
    assert (start.event, end.event, start.call) == ("start", "end", MAKE)
    assert start.approval._replace(seconds=0) == Approval(yes=True, by="host:n8n", note="go on")
    again = redeemed(gate, proposal.id)
    assert isinstance(again, Refusal)
    assert audit.records[-1].refusal == again
    assert len(gate.executor.ran) == 1


def test_a_no_is_told_to_the_model_with_its_note():
    gate, audit = gate_of()
    said = redeemed(gate, gate.propose(MAKE).id, yes=False, note="not\x1b now")
    assert said.code == "person"
    assert "who says: not" in said.message
    assert "\x1b" not in said.message
    assert audit.records[-1].approval.by == "host:n8n"
    assert gate.executor.ran == []


def test_a_no_holds_even_where_the_call_is_allowed_meanwhile():
    settings = Changing()
    gate, _ = gate_of(settings)
    proposal = gate.propose(MAKE)
    settings.now(rules=[rule_of("run_shell_command(make)", Verdict.ALLOW)])
    assert isinstance(redeemed(gate, proposal.id, yes=False), Refusal)


@pytest.mark.parametrize("yes", [1, "yes", object(), None, "true"])
def test_only_true_is_a_yes(yes):
    gate, _ = gate_of()
    assert isinstance(redeemed(gate, gate.propose(MAKE).id, yes=yes), Refusal)
    assert gate.executor.ran == []


@pytest.mark.parametrize("by", ["terminal", "queue", "flag", "policy", "agent's prompt", "x" * 9999, "\n\x1b", ""])
def test_whatever_a_host_calls_itself_it_is_a_host(by):
    gate, audit = gate_of()
    redeemed(gate, gate.propose(MAKE).id, by=by)
    name = audit.records[0].approval.by
    assert name.startswith("host:")
    assert name.isprintable()
    assert len(name) < 100


@pytest.mark.parametrize(
    ("before", "after", "runs"),
    [
        ({}, {}, True),
        ({}, {"code": "secret"}, False),
        ({}, {"code": "floor"}, False),
        ({}, {"rules": DENIED}, False),
        ({}, {"rules": [rule_of("run_shell_command(make)", Verdict.ALLOW)]}, True),
        ({}, {"rules": [rule_of("run_shell_command(make)", Verdict.ASK)]}, False),
        ({}, {"rules": [rule_of("run_shell_command(make)", Verdict.ASK)._replace(terminal=True)]}, False),
        ({"code": "secret"}, {"code": "secret"}, True),
        ({"code": "secret"}, {"code": "secret", "message": "another"}, False),
        ({"code": "secret"}, {"rules": [rule_of("run_shell_command(make)", Verdict.ALLOW)]}, True),
    ],
)
def test_a_yes_is_for_what_was_shown(before, after, runs):
    settings = Changing(**before)
    gate, _ = gate_of(settings)
    proposal = gate.propose(MAKE)
    settings.now(**after)
    redeemed(gate, proposal.id)
    assert bool(gate.executor.ran) is runs


@pytest.mark.parametrize(
    "settings",
    [
        Changing("floor"),
        Changing(rules=[rule_of("run_shell_command(make)", Verdict.ASK)._replace(terminal=True)]),
        Changing(rules=DENIED),
        Changing(rules=[rule_of("run_shell_command(make)", Verdict.ALLOW)]),
    ],
    ids=["floor", "terminal", "denied", "allowed"],
)
def test_what_no_host_can_answer_has_no_id(settings):
    gate, _ = gate_of(settings)
    proposal = gate.propose(MAKE)
    assert (proposal.id, proposal.answerable) == ("", False)
    assert isinstance(redeemed(gate, ""), Refusal)


def test_a_key_is_of_one_call_at_a_time():
    gate, _ = gate_of()
    other = MAKE._replace(arguments={"command": "make other"})
    first = gate.propose(MAKE, "talk/1")
    with pytest.raises(AsimiError, match="same key"):
        gate.propose(other, "talk/1")
    assert isinstance(redeemed(gate, first.id), Refusal)
    second = gate.propose(other, "talk/1")
    assert second.id != first.id
    assert isinstance(redeemed(gate, first.id), Refusal)
    redeemed(gate, second.id)
    assert gate.propose(MAKE, "talk/1").id == first.id
    assert [each.request.command for each in gate.executor.ran] == ["make other"]


@pytest.mark.parametrize("name", [5, None, b"x", ["x"], "x" * 1_000_000, "../x", "\udcff\n", float("nan")])
def test_an_id_that_is_none_is_refused(name):
    gate, audit = gate_of()
    said = redeemed(gate, name)
    assert isinstance(said, Refusal)
    assert audit.records[-1].refusal == said
    assert len(audit.records[-1].call.arguments["id"]) <= 80


def test_another_project_redeems_nothing_of_this_one():
    gate, _ = gate_of()
    proposal = gate.propose(MAKE)
    other, _ = gate_of(root="/other")
    other._parts.hosting._proposals.kept[proposal.id] = proposal  # they share a store
    assert "changed" in redeemed(other, proposal.id).message
    assert other.executor.ran == []


@pytest.mark.parametrize(
    "call", [ToolCall("other", {"command": "x"}), ToolCall(SHELL, {}), ToolCall(SHELL, {"command": "x", "more": 1})]
)
def test_a_call_that_is_none_is_refused_when_it_is_proposed(call):
    with pytest.raises(Refusal):
        gate_of()[0].propose(call)


def test_a_gate_without_tools_takes_no_proposals():
    gate = make_gate()
    with pytest.raises(AsimiError, match="takes no proposals"):
        gate.propose(MAKE)
    with pytest.raises(AsimiError, match="takes no proposals"):
        redeemed(gate, "x")


class Asked:
    """A host that is asked."""

    name = "terminal"

    def __init__(self, answer):
        self.answer, self.questions = answer, []

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer is None:
            await asyncio.sleep(60)
        return self.answer


def outcome(host, settings=None):
    elsewhere = ScriptedApprover(Approval(yes=True, by="terminal"))
    gate, audit = gate_of(settings, approver=HostApprover(host, elsewhere))
    return asyncio.run(gate.run(MAKE, command_tool(SHELL))), audit.records[0].approval, gate.executor.ran


def test_a_host_is_asked_while_the_call_waits():
    host = Asked(Answer(yes=True, note="fine"))
    _, approval, ran = outcome(host)
    assert ran
    assert (approval.by, approval.scope, approval.rules, approval.note) == ("host:terminal", "once", (), "fine")
    assert host.questions[0].request.command == "make it"


def test_what_takes_a_person_at_a_terminal_is_asked_there():
    host = Asked(Answer(yes=True))
    _, approval, _ = outcome(host, Changing("floor"))
    assert host.questions == []
    assert approval.by == "terminal"


@pytest.mark.parametrize("answer", [Answer(yes=False), ValueError("boom"), True, "yes", Answer(yes="yes"), 1])
def test_whatever_is_no_clear_yes_is_a_no(answer):
    said, approval, ran = outcome(Asked(answer))
    assert isinstance(said, Refusal)
    assert approval.yes is False
    assert ran == []


def test_a_host_that_is_slow_has_said_no():
    settings = Changing()
    quick = lambda: (now := settings())._replace(session=now.session._replace(ask_timeout=0.05))  # noqa: E731
    said, approval, ran = outcome(Asked(None), quick)
    assert (said.code, approval.by, ran) == ("no_answer", "clock", [])


def test_a_proposal_is_a_value_that_can_be_written_down():
    from asimi.core.json_values import dumps, loads, parse_as

    gate, _ = gate_of(Changing("secret"))
    proposal = gate.propose(MAKE)
    decision = proposal.decision._replace(kept=(Loss("/a"), Loss("/b", "untracked", "HEAD")))
    for each in (proposal, proposal._replace(question=proposal.question._replace(decision=decision))):
        assert parse_as(Proposal, loads(dumps(each, 1), 1)) == each


def test_a_no_counts_for_the_breaker():
    gate, audit = gate_of()
    for _ in range(3):
        redeemed(gate, gate.propose(MAKE).id, yes=False)
    fourth = gate.propose(MAKE)
    assert (fourth.person_needed, fourth.decision.reasons[0].code) == (False, "breaker")
    assert {record.refusal.code for record in audit.records} == {"person"}


def test_a_key_finds_the_proposal_of_exactly_one_call():
    gate, _ = gate_of()
    kept = gate.propose(MAKE, "talk 1")
    assert gate.propose(MAKE, "talk 1") == gate.find_proposal(MAKE, "talk 1") == kept
    assert gate.find_proposal(MAKE, "talk 2") is None
    assert gate.find_proposal(MAKE, "") is None
    assert gate.find_proposal(MAKE._replace(arguments={"command": "make other"}), "talk 1") is None
    assert gate.find_proposal(MAKE._replace(agent="another"), "talk 1") is None
    assert gate.propose(MAKE).id != gate.propose(MAKE).id
    redeemed(gate, kept.id)
    assert gate.find_proposal(MAKE, "talk 1") is None
    assert isinstance(redeemed(gate, kept.id), Refusal)
