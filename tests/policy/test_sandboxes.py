"""What may run only in a sandbox: the strictest that is asked for counts, and where none could hold it asimi asks."""

from __future__ import annotations

import asyncio

import pytest

from asimi.core.call import Place, Request, Sandbox, ToolCall, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import SHELL, rule_of
from asimi.core.settings import Settings
from asimi.testing import FunctionExecutor, ScriptedApprover, make_gate
from asimi.tools import ToolRegistry

PLACE = Place("/project", "/project", inside=True)


def allow(words, mode="off"):
    return rule_of(f"{SHELL}({words})", Verdict.ALLOW, f"c.toml:{len(words)}")._replace(sandbox=mode)


RULES = (allow("make", "project"), allow("make doc", "read-only"), allow("make free"), allow("ls"))


def decided(text, rules=RULES, **more):
    return Policy(rules, Terms(**more)).decide(Request(SHELL, text, None, PLACE))


@pytest.mark.parametrize(
    ("text", "verdict", "mode"),
    [
        ("ls", "allow", "off"),
        ("make", "allow", "project"),
        ("make free", "allow", "project"),  # another rule that allows it as well changes nothing
        ("make doc", "allow", "read-only"),
        ("ls; make", "allow", "project"),
        ("make; make doc", "allow", "read-only"),
        ("{ time make doc; } && ls", "allow", "read-only"),
        ("other && make", "ask", "project"),
        ("other", "ask", "off"),
    ],
)
def test_the_strictest_counts(text, verdict, mode):
    decision = decided(text)
    assert (decision.verdict.word, decision.sandbox.mode) == (verdict, mode)


@pytest.mark.parametrize(("own", "mode"), [("off", "project"), ("project", "project"), ("read-only", "read-only")])
def test_a_rule_only_tightens_what_holds_for_every_command(own, mode):
    sandbox = Sandbox(own, ("build",), "none")
    assert decided("make", sandbox=sandbox).sandbox == sandbox._replace(mode=mode)
    assert decided("ls", sandbox=sandbox).sandbox == sandbox


def test_an_exact_line_has_its_sandbox_too():
    line = allow("make")._replace(words=None, line="make all", sandbox="project")
    assert decided("make all", (line,)).sandbox.mode == "project"
    assert decided("make all", (line, allow("ls"), allow("make"))).sandbox.mode == "project"


@pytest.mark.parametrize("text", ["ls", "> /etc/x", "a=1 >> /etc/x", "a | b", "[[ a = b ]]", ""])
def test_a_whole_tool_is_held_whatever_the_text_is(text):
    bare = rule_of(SHELL, Verdict.ALLOW)._replace(sandbox="project")
    decision = decided(text, (bare,))
    assert (decision.verdict, decision.sandbox.mode) == (Verdict.ALLOW, "project")
    assert decided(text, (bare,), behind=True).verdict is Verdict.ASK


def test_a_yes_of_the_person_changes_no_sandbox():
    line = allow("x")._replace(words=None, line="other; make", kind="session", source="a person")
    decision = Policy(RULES).decide(Request(SHELL, "other; make", None, PLACE), (line,))
    assert (decision.verdict, decision.sandbox.mode) == (Verdict.ALLOW, "project")


@pytest.mark.parametrize("text", ["make", "make free", "ls && make doc", "(make)", "make lines"])
def test_behind_an_agent_a_person_is_asked(text):
    rules = (*RULES, allow("x")._replace(words=None, line="make lines", sandbox="project"))
    decision = decided(text, rules, behind=True)
    assert decision.verdict is Verdict.ASK
    assert {reason.code for reason in decision.reasons} == {"sandbox"}
    assert "the agent runs it itself" in decision.reasons[0].message
    assert [offer.label for offer in decision.offers] == ["exactly this call, in this directory"]


def test_a_yes_to_exactly_this_call_holds_there():
    line = allow("x")._replace(words=None, line="make", kind="session", source="a person")
    assert (
        Policy(RULES, Terms(behind=True)).decide(Request(SHELL, "make", None, PLACE), (line,)).verdict is Verdict.ALLOW
    )


def test_what_is_made_stricter_while_a_question_waits_holds_for_the_answer():
    now = [Settings(Policy([]))]
    deny = rule_of(f"{SHELL}(rm)", Verdict.DENY, "c.toml:9")
    stricter = Settings(Policy([], Terms(sandbox=Sandbox(mode="project"))), enforced=(deny,))
    ran = []

    class Approver(ScriptedApprover):
        async def ask(self, question):
            now[0] = stricter
            return await super().ask(question)

    approver, tool = Approver(True, True), ToolRegistry().get_tool(SHELL)
    executor = FunctionExecutor(lambda execution: ran.append(execution) or "")
    gate = make_gate(settings=lambda: now[0], approver=approver, executor=executor)
    asyncio.run(gate.run(ToolCall(SHELL, {"command": "make"}), tool))
    assert [question.decision.sandbox.mode for question in approver.questions] == ["off", "project"]
    assert [(each.sandbox.mode, each.enforced) for each in ran] == [("project", (deny,))]
