"""What a host may allow: by the text whoever it is, by what it says of itself only if it is trusted."""

from __future__ import annotations

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.matching import applies
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import SHELL, Rule, entry_for, rule_of

ALLOW, ASK, DENY = Verdict
HERE = Place("/project", "/project", inside=True)
THERE = HERE._replace(host="gpu1")


def allow(words="", **more):
    return rule_of(f"{SHELL}({words})" if words else SHELL, ALLOW, "c.toml:1")._replace(**more)


def decided(text, *rules, place=THERE, approvals=(), **more):
    return Policy(rules, Terms(**more)).decide(Request(SHELL, text, None, place), approvals)


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        (allow("ls"), "allow"),
        (allow("ls", host="gpu1"), "allow"),
        (allow("ls", exact=True), "allow"),
        (allow("ls")._replace(words=None, line="ls"), "allow"),
        (allow("ls")._replace(words=None, line="ls", directory="/project"), "allow"),
        (allow(), "allow"),
        (allow("ls", directory="/project"), "ask"),
        (allow("ls", effects=("read",)), "ask"),
        (allow("", effects=("read",)), "ask"),
        (allow("ls", sandbox="project"), "ask"),
        (allow("ls")._replace(words=None, line="ls", sandbox="project"), "ask"),
    ],
)
def test_a_host_that_is_not_trusted_allows_by_the_text_alone(rule, verdict):
    decision = decided("ls", rule, untrusted_host="gpu1")
    assert decision.verdict.word == verdict
    assert decided("ls", rule).verdict.word == "allow"
    if verdict == "ask":
        assert any("gpu1 alone says, which is not trusted" in each.message for each in decision.reasons)


def test_what_else_allows_it_takes_no_sandbox_away():
    rules = allow("make"), allow("make doc", sandbox="read-only")
    decision = decided("make doc", *rules, untrusted_host="gpu1")
    assert (decision.verdict, decision.sandbox.mode) == (ASK, "read-only")
    assert decided("make all", *rules, untrusted_host="gpu1").verdict is ALLOW


def test_what_a_person_approved_for_its_effects_allows_nothing_there_and_is_not_offered():
    approved = allow("", effects=("read",), kind="session", host="gpu1")
    assert decided("ls", approvals=[approved]).verdict is ALLOW
    decision = decided("ls", approvals=[approved], untrusted_host="gpu1")
    assert decision.verdict is ASK
    assert decision.offers
    assert not any(rule.effects for offer in decision.offers for rule in offer.rules)
    assert any(rule.effects for offer in decided("ls").offers for rule in offer.rules)


def test_denies_and_asks_by_what_a_host_says_hold_though_it_may_lie():
    for verdict in (ASK, DENY):
        rule = allow("", effects=("read",))._replace(verdict=verdict)
        assert decided("ls", allow(), rule, untrusted_host="gpu1").verdict is verdict


@pytest.mark.parametrize(
    ("host", "here", "there", "elsewhere"),
    [(None, True, True, True), ("", True, False, False), ("gpu1", False, True, False)],
)
def test_a_rule_holds_on_its_machine(host, here, there, elsewhere):
    rule = allow("ls", host=host)
    assert [applies(rule, place) for place in (HERE, THERE, HERE._replace(host="gpu2"))] == [here, there, elsewhere]


@pytest.mark.parametrize("place", [HERE, THERE])
def test_what_is_offered_is_for_the_machine_that_was_asked_about(place):
    offers = decided("ls", place=place).offers
    assert offers
    assert {rule.host for offer in offers for rule in offer.rules} == {place.host}


def test_a_message_names_the_host_of_a_rule():
    assert entry_for(allow("git push", host="gpu1")) == "run_shell_command(git push) on gpu1"
    assert entry_for(allow("git push", host="")) == "run_shell_command(git push)"
    assert entry_for(Rule(ALLOW, SHELL, None, "", line="make", host="gpu1")) == f"{SHELL}: exactly 'make' on gpu1"


def test_a_project_of_a_host_is_another_one():
    assert (HERE.project, THERE.project) == ("/project", "gpu1:/project")
