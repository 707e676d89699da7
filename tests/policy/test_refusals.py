"""What a model reads when a question was not answered with yes."""

from __future__ import annotations

import asyncio
from posixpath import normpath

import pytest

from asimi.core.call import Approval, Place, Request, ToolCall, Verdict
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import EXEC, SHELL, Rule, rule_of
from asimi.core.judging.zones import FileRules, Files
from asimi.core.settings import Settings
from asimi.core.wording.explain import reasons_text
from asimi.testing import make_gate
from asimi.tools import ToolRegistry
from asimi.world.console.words import reasons_of

HOME, ROOT = "/home/ada", "/home/ada/src/app"
MACHINE = Machine(HOME, normpath, {})

CALLS = [
    (SHELL, {"command": "touch x && npm test > out"}),
    (SHELL, {"command": "git push"}),
    (EXEC, {"command": "touch", "args": ["x"]}),
]
WAYS_ROUND = ["--yes", "asimi", "policy", "listed", "coreTools", "config.toml", "entry", "rule", "because"]


def refused(call, *answers):
    gate = make_gate(answers=answers, ask=["run_shell_command(git push)"])
    return str(asyncio.run(gate.run(ToolCall(*call), ToolRegistry().get_tool(call[0]))))


WORST = [
    # a text, and how what a model and a person read of it begins: the worst first, and the target as it is written
    ("rm -rf ~", ["this removes /home/ada", "`rm -rf /home/ada` deletes files"]),
    ("rm -rf $x/y", ["this removes …", "`rm -rf $x/y` deletes files or data"]),
    ("touch a; touch b; touch /opt/c; mkfs.ext4 /dev/sda", ["this overwrites /dev/sda", "/dev/sda may hold a secret"]),
    ("curl x; curl y; curl z; git push", ["run_shell_command(git push) asks about `git push`", "`curl x` uses the"]),
]


@pytest.mark.parametrize(("text", "begins"), WORST, ids=[row[0] for row in WORST])
def test_the_worst_reason_is_named_first_with_what_it_is_about(text, begins):
    protected = Guard(MACHINE, Protection((), MACHINE, ()), FileRules(Files(("**",)), ROOT, MACHINE))
    rules = (Rule(Verdict.ALLOW, None, (), "", effects=("read",)), rule_of("run_shell_command(git push)", Verdict.ASK))
    policy = Policy(rules, Terms(protected=protected))
    found = policy.decide(Request(SHELL, text, None, Place(ROOT, ROOT, inside=True)))
    phrases = reasons_text(found.reasons).split("; ")
    assert [phrase[: len(begin)] for phrase, begin in zip(phrases, begins, strict=False)] == begins
    shown = reasons_of(found, ascii_only=False)
    assert shown[0].startswith(begins[0])


@pytest.mark.parametrize("call", CALLS, ids=[str(arguments) for _, arguments in CALLS])
@pytest.mark.parametrize("by", ["terminal", "queue", "an MCP client"])
def test_after_a_no_nothing_is_named_that_gets_round_it(call, by):
    for note in ("", "use make"):
        said = refused(call, Approval(yes=False, by=by, note=note))
        assert [way for way in WAYS_ROUND if way in said] == []
        assert said.startswith("Refused by the person")
        assert note in said


def test_a_no_to_an_edited_command_is_as_final():
    said = refused(CALLS[0], Approval(yes=False, by="terminal", edited="touch y"), False)
    assert [way for way in WAYS_ROUND if way in said] == []


def test_what_nobody_answered_names_no_entry_but_says_why():
    said = refused(CALLS[0], Approval(yes=False, by="clock", note="no answer within 9 s"))
    assert "nobody answered (no answer within 9 s)" in said
    assert "coreTools" in said
    assert "asimi policy add" not in said


@pytest.mark.parametrize("by", ["clock", "nobody"])
def test_a_refusal_that_a_person_can_still_lift_is_three_sentences_and_names_no_other_way(by):
    said = refused(CALLS[0], Approval(yes=False, by=by, note="no terminal", later="abcdefgh"))
    why, person, wait = said.removesuffix(".").split(". ")
    assert ("approval" in why, "because" in why) == (True, True)
    assert person == "A person can allow it with `asimi approve abcdefgh`"
    assert wait == "Wait for that, then make the same call again; do not look for another way"


def test_where_nobody_can_be_asked_the_entry_is_named():
    said = refused((SHELL, {"command": "touch x"}), Approval(yes=False, by="nobody", note="no terminal"))
    assert "asimi policy add 'run_shell_command(touch)'" in said


def test_a_yes_given_beforehand_is_not_enough_for_a_terminal_rule_and_its_option_is_not_named():
    rule = rule_of("run_shell_command(npm publish)", Verdict.ASK)._replace(terminal=True)
    gate = make_gate(settings=lambda: Settings(Policy([rule])), answers=[Approval(yes=True, by="flag")])
    said = str(asyncio.run(gate.run(ToolCall(SHELL, {"command": "npm publish"}), ToolRegistry().get_tool(SHELL))))
    assert "a person at a terminal" in said
    assert "--yes" not in said


def test_the_prompt_names_no_other_way():
    text = ToolRegistry().get_tool(SHELL).get_ai_prompt_instructions()
    assert "another way" not in text


def test_a_deny_names_no_reason_to_ask():
    policy = Policy([rule_of("run_shell_command(rm)", Verdict.DENY)])
    decision = policy.decide(Request("run_shell_command", "ls; rm x > y", None, Place("/", "/", inside=True)))
    assert {reason.code for reason in decision.reasons} == {"denied_by_rule"}
