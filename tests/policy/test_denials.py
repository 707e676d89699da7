"""What "never" could be kept as: which rules, that each denies the call, and what a typed entry becomes."""

from __future__ import annotations

import asyncio

import pytest

from asimi.core.call import Approval, Place, Request, ToolCall, Verdict
from asimi.core.errors import AsimiError, Refusal
from asimi.core.judging.denials import check_denial, denials
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of
from asimi.testing import ListApprovals, make_gate
from asimi.tools import ToolRegistry

PLACE = Place("/srv/app", "/srv/app", inside=True)
SHELL = "run_shell_command"
GIT_FETCH = rule_of(f"{SHELL}(git fetch)", Verdict.ALLOW)

OFFERED = [
    # what is asked about; the entries, narrowest first, without the text itself
    ("rm -rf build", ["rm) with -rf", "rm)"]),
    ("rm -r -f build", ["rm) with -rf", "rm)"]),
    ("/bin/rm x", ["rm x)", "rm)"]),
    ("git -C sub push --force origin main", ["git push) with --force", "git push)"]),
    ("git push --force --no-verify", ["git push) with --force", "git push)"]),
    ("npm install left-pad", ["npm install left-pad)", "npm install)"]),
    ("gh pr create --title=x", ["gh pr create) with --title", "gh pr create)", "gh pr)"]),
    ("tar -- -x", ["tar -- -x)", "tar)"]),
    ("git fetch && rm x && make", ["rm x)", "make)", "rm)"]),
    ("sudo reboot", ["sudo reboot)", "reboot)", "sudo)"]),
    ('rm "$X"', ["rm)"]),
    ("$X y", []),
    ("echo a > out", ["echo a)", "echo)"]),
    ("> out", []),
]


def decided(command):
    request = Request(SHELL, command, None, PLACE)
    return request, Policy([GIT_FETCH], Terms(unlisted=Verdict.ASK)).decide(request)


@pytest.mark.parametrize(("command", "entries"), OFFERED, ids=[command for command, _ in OFFERED])
def test_each_command_that_is_asked_about_has_rules_of_its_own_and_each_denies(command, entries):
    request, decision = decided(command)
    assert decision.verdict is Verdict.ASK
    offered = [offer.rules[0] for offer in denials(request, decision)]
    assert [rule.entry for rule in offered[:-1]] == [f"{SHELL}({entry}" for entry in entries]
    assert offered[-1].line == command
    for rule in offered:
        verdict = Policy([rule], Terms(unlisted=Verdict.ASK)).decide(request)
        assert {reason.code for reason in verdict.reasons} == {"denied_by_rule"}, rule.entry


def test_a_program_with_arguments_is_denied_as_such():
    request = Request("execute_command", "rm", ("-rf", "a b"), PLACE)
    decision = Policy([], Terms(unlisted=Verdict.ASK)).decide(request)
    rules = [offer.rules[0] for offer in denials(request, decision)]
    assert [rule.entry for rule in rules[:2]] == ["execute_command(rm) with -rf", "execute_command(rm)"]
    assert {Policy([rule]).decide(request).verdict for rule in rules} == {Verdict.DENY}


def test_of_a_text_without_end_a_few_are_offered():
    request, decision = decided("; ".join(f"p{number} -x y" for number in range(500)))
    assert len(denials(request, decision)) == 9
    request, decision = decided("touch " + "x" * 100_000)
    assert [offer.rules[0].entry for offer in denials(request, decision)][:-1] == [f"{SHELL}(touch)"]
    request, decision = decided("x" * 100_000 + " y")
    assert [offer.rules[0].line for offer in denials(request, decision)] == [request.command]


def test_what_is_typed_denies_in_any_spelling_and_is_no_whole_tool():
    request, _ = decided("rm -rf x")
    (rule,) = check_denial(f"{SHELL}(rm -rf)", request).rules
    assert (rule.verdict, rule.options_any) == (Verdict.DENY, ("-rf",))
    assert "deny every command" in check_denial(SHELL, request)
    assert "is about" in check_denial("execute_command(rm)", request)
    assert "does not name a tool" in check_denial("rm", request)
    assert "is empty" in check_denial(f"{SHELL}()", request)


NEVER = Approval(yes=False, by="terminal", scope="project", rules=(rule_of(f"{SHELL}(ls)", Verdict.DENY),))


def outcome(gate):
    call = ToolCall(SHELL, {"command": "ls"})
    return asyncio.run(gate.run(call, ToolRegistry().get_tool(SHELL)))


def test_a_never_is_kept_the_call_refused_and_the_model_told():
    gate = make_gate(answers=[NEVER])
    refused = outcome(gate)
    assert (refused.code, "who says: never" in refused.message, "final" in refused.message) == ("person", True, True)
    assert gate.approvals.kept == [NEVER]
    assert gate.executor.ran == []


def test_a_no_keeps_nothing_that_allows():
    gate = make_gate(answers=[NEVER._replace(rules=(GIT_FETCH, *NEVER.rules))])
    assert isinstance(outcome(gate), Refusal)
    assert gate.approvals.kept == []


def test_a_never_is_kept_where_the_call_is_denied_by_then():
    gate = make_gate(answers=[NEVER, NEVER])
    asked = gate.approver.ask

    async def ask(question):
        gate.approvals.kept.append(NEVER)  # somebody else said so meanwhile
        return await asked(question)

    gate.approver.ask = ask
    assert isinstance(outcome(gate), Refusal)
    assert gate.approvals.kept == [NEVER, NEVER]


def test_a_never_that_cannot_be_kept_says_so_and_refuses():
    class Full(ListApprovals):
        def remember(self, approval, request):
            raise AsimiError("the disk is full")

    gate = make_gate(answers=[NEVER], approvals=Full())
    assert "the disk is full" in outcome(gate).message
    assert gate.executor.ran == []
