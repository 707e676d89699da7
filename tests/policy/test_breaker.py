"""The same thing refused three times is denied without another question."""

from __future__ import annotations

import asyncio

import pytest

from asimi.core.call import PROMPT, Approval, Request, Result, ToolCall, Verdict
from asimi.core.judging.breaker import lifted_by
from asimi.core.judging.fingerprints import fingerprints_of
from asimi.core.judging.offers import once
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL, rule_of
from asimi.core.settings import SessionSettings, Settings
from asimi.testing import ListApprovals, RecordingAudit, ScriptedApprover, make_gate
from asimi.tools import ToolRegistry

NO = Approval(yes=False, by="terminal")
NOBODY = Approval(yes=False, by="nobody", note="there is no terminal")
LATE = Approval(yes=False, by="clock", note="no answer within 9 s")
YES = Approval(yes=True, by="terminal")


class Asked:
    """A gate, and what becomes of calls there."""

    def __init__(self, *answers, breaker=3, rules=(), **parts):
        settings = Settings(Policy(rules), session=SessionSettings(breaker=breaker))
        self.approver, self.audit, self.approvals = ScriptedApprover(*answers), RecordingAudit(), ListApprovals()
        given = {"approver": self.approver, "audit": self.audit, "approvals": self.approvals} | parts
        self.gate = make_gate(settings=lambda: settings, **given)

    def run(self, *commands):
        """The codes of refusals, and `ran`."""
        return [asyncio.run(self.outcome(each)) for each in commands]

    async def outcome(self, command):
        call = ToolCall(SHELL, {"command": command})
        outcome = await self.gate.run(call, ToolRegistry().get_tool(SHELL))
        return "ran" if isinstance(outcome, Result) else outcome.code

    def verdict(self, command):
        return self.gate.judge(
            ToolRegistry()
            .get_tool(SHELL)
            .read(ToolCall(SHELL, {"command": command}), self.gate.workspace, self.gate.shell)
        )


SPELLINGS = ("rm -rf x", "rm -r -f ./x", "sh -c 'rm -fr x'", "cd . && rm x -rf")


@pytest.mark.parametrize(("answer", "code"), [(NO, "person"), (NOBODY, "no_terminal"), (LATE, "no_answer")])
def test_the_fourth_is_not_asked(answer, code):
    asked = Asked(*[answer] * 4)
    assert asked.run(*SPELLINGS) == [code, code, code, "breaker"]
    assert len(asked.approver.questions) == 3
    assert asked.run("git push") == [code]


def test_what_a_rule_denies_counts_and_its_code_gives_way():
    asked = Asked(YES, rules=[rule_of("run_shell_command(rm)", Verdict.DENY)])
    assert asked.run(*["rm -rf x"] * 4) == ["denied_by_rule"] * 3 + ["breaker"]
    assert [each.code for each in asked.audit.records[-1].decision.reasons] == ["breaker", "denied_by_rule"]
    assert asked.run("rm -rf y") == ["denied_by_rule"]


def test_what_a_rule_denies_is_denied_in_a_spelling_that_would_be_asked_about():
    asked = Asked(YES, YES, rules=[rule_of("run_shell_command(rm)", Verdict.DENY)])
    assert asked.run(*["rm -rf x"] * 3, "find x -delete", "find y -delete") == ["denied_by_rule"] * 3 + [
        "breaker",
        "ran",
    ]


def test_a_text_that_is_wrong_may_be_written_otherwise():
    asked = Asked(YES, YES)
    assert asked.run(*["git push $(x)"] * 4) == ["substitution"] * 4
    assert asked.run(*["git push '"] * 4) == ["unparsable"] * 4
    assert asked.run("git push") == ["ran"]
    assert Asked(*[NO] * 3).run(*["rm x"] * 3, "rm x $(y)") == ["person"] * 3 + ["substitution"]


def test_a_question_left_to_the_agent_counts_for_nothing():
    asked = Asked(*[Approval(yes=False, by=PROMPT)] * 5)
    assert asked.run(*["rm x"] * 5) == ["passed"] * 5


def test_a_yes_of_a_person_begins_the_count_anew():
    asked = Asked(NO, NO, YES, NO, NO, NO)
    assert asked.run(*["rm x"] * 7) == ["person", "person", "ran", "person", "person", "person", "breaker"]


def test_a_late_yes_begins_the_count_anew_when_its_call_is_made_again():
    asked = Asked(*[NOBODY] * 6)
    assert asked.run(*["rm x"] * 4) == ["no_terminal"] * 3 + ["breaker"]
    question = asked.approver.questions[0]
    asked.approvals.remember(Approval(yes=True, by="queue", scope="session", rules=(once(question),)), question.request)
    assert asked.run(*["rm x"] * 5) == ["ran", *["no_terminal"] * 3, "breaker"]


def test_a_yes_given_beforehand_neither_lifts_it_nor_begins_the_count_anew():
    flag = Approval(yes=True, by="flag")
    asked = Asked(NO, NO, flag, NO, flag)
    assert asked.run(*["rm x"] * 5) == ["person", "person", "ran", "person", "breaker"]


def test_what_is_allowed_is_neither_counted_nor_stopped():
    class Untouched(ListApprovals):
        def past_refusals(self):
            raise AssertionError

    asked = Asked(rules=[rule_of("run_shell_command(rm)", Verdict.ALLOW)], approvals=Untouched())
    assert asked.run("rm x") == ["ran"]


@pytest.mark.parametrize(("breaker", "asked_about"), [(1, 1), (2, 2), (None, 6)])
def test_how_often_is_configured(breaker, asked_about):
    asked = Asked(*[NO] * 6, breaker=breaker)
    asked.run(*["rm x"] * 6)
    assert len(asked.approver.questions) == asked_about


def test_calls_side_by_side_are_asked_about_no_more_often():
    asked = Asked()

    class OneByOne(ScriptedApprover):
        lock = asyncio.Lock()

        def turn(self):
            return self.lock

        async def ask(self, question):
            await asyncio.sleep(0)
            self.questions.append(question)
            return NO

    approver = OneByOne()
    asked = Asked(approver=approver)

    async def all_of_them():
        return await asyncio.gather(*(asked.outcome(each) for each in SPELLINGS * 4))

    assert sorted(asyncio.run(all_of_them())) == ["breaker"] * 13 + ["person"] * 3
    assert len(approver.questions) == 3


def test_a_yes_while_others_are_refused_counts():
    asked = Asked()

    class Refusing(ScriptedApprover):
        async def ask(self, question):
            for _ in range(3):
                asked.approvals.refuse(fingerprints, question.request)
            return YES

    asked = Asked(approver=Refusing())
    fingerprints = ["rm x"]
    request = Request(SHELL, "rm x", None, asked.gate.workspace.inside("", ""))
    fingerprints = fingerprints_of(Policy(()), request, asked.gate.judge(request))
    assert asked.run("rm x") == ["ran"]
    assert not asked.approvals.refused


def test_a_person_who_edits_may_write_what_was_refused():
    asked = Asked(*[NO] * 3, Approval(yes=False, by="terminal", edited="rm x"), YES)
    assert asked.run(*["rm x"] * 3, "rm y") == ["person"] * 3 + ["ran"]


def test_the_verdict_says_it_before_anything_is_run():
    asked = Asked(*[NO] * 3)
    asked.run(*["rm x"] * 3)
    decision = asked.verdict("rm -f x")
    assert (decision.verdict, decision.reasons[0].code, decision.offers) == (Verdict.DENY, "breaker", ())
    assert "delete /project/x" in decision.reasons[0].message


def test_the_model_is_told_to_stop_and_no_way_round_but_whom_to_ask():
    asked = Asked(*[NO] * 3)
    asked.run(*["rm x"] * 3)

    async def said():
        return str(await asked.gate.run(ToolCall(SHELL, {"command": "rm x"}), ToolRegistry().get_tool(SHELL)))

    text = asyncio.run(said())
    assert "refused 3 times" in text
    assert "ask the person" in text
    assert "asimi session forget --refused 'this process'" in text
    assert [way for way in ("--yes", "policy", "coreTools", "entry") if way in text] == []


@pytest.mark.parametrize(
    ("session", "named"), [("codex a1", "'codex a1'"), ("it's", '"it\'s"'), ("codex \x1b[1m", "--all"), ("é", "--all")]
)
def test_the_command_that_lifts_it_can_be_pasted(session, named):
    assert lifted_by(session) in {
        f"asimi session forget --refused {named}",
        "asimi session forget --refused 'it'\\''s'",
    }
