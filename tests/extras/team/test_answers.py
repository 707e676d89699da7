"""An answer counts if an approver signed exactly it, for exactly this question, in time and elsewhere; else not."""

from __future__ import annotations

import json
import time

import pytest
from helpers.questions import question_of
from helpers.team import HERE, MACHINE, asked_by, signed_by

from asimi.core.call import Verdict
from asimi.core.judging.rules import SHELL, Rule
from asimi.core.settings import Team
from asimi.extras.team.approver import NotCounted, approval_of
from asimi.extras.team.signing import check_needs_person, signed
from asimi.extras.team.statements import Signed, stated, statement_in

UNTIL = 2_000_000_000.0


@pytest.fixture(scope="session")
def team(keys):
    return Team("tls://x:4222", MACHINE, "/x", approvers=(keys.signer("alice"), keys.signer("bob")))


ASKED = asked_by(question_of("echo one"), until=UNTIL)


def counted(team, answer, asked=ASKED, now=UNTIL - 1):
    return approval_of(answer, asked, team, now)


def refused(team, answer, asked=ASKED, now=UNTIL - 1):
    with pytest.raises(NotCounted) as fault:
        counted(team, answer, asked, now)
    return str(fault.value)


@pytest.mark.parametrize("yes", [True, False])
def test_an_approvers_answer_counts_and_says_who_gave_it(keys, team, yes):
    approval = counted(team, signed_by(keys, "alice", stated(ASKED, yes=yes, by="alice", at="alice@desk", note="ok")))
    assert (approval.yes, approval.by, approval.scope, approval.rules, approval.note) == (
        yes,
        "team:alice",
        "once",
        (),
        "ok",
    )


def test_an_answer_for_the_session_keeps_what_was_offered(keys, team):
    rules = ASKED.question.decision.offers[0].rules
    answer = signed_by(keys, "bob", stated(ASKED, yes=True, by="bob", at="bob@desk", scope="session", rules=rules))
    assert counted(team, answer).rules == rules


WIDER = Rule(Verdict.ALLOW, SHELL, (), "run_shell_command", kind="session")

# what is wrong with a statement that its approver really signed
AMISS = [
    ({"id": "0" * 32}, "another question"),
    ({"gate": "1-0"}, "another gate"),
    ({"user": "carol"}, "another user"),
    ({"host": "build8"}, "another machine"),
    ({"root": "/else"}, "another project"),
    ({"digest": "0" * 64}, "something else than what was asked"),
    ({"until": UNTIL + 60}, "late"),
    ({"at": HERE}, "as the user and on the machine that asked"),
    ({"by": "bob"}, "not one of bob's key"),
    ({"by": "mallory"}, "not one of the team's approvers"),
    ({"note": "x" * 5000}, "too long"),
    ({"scope": "session", "rules": (WIDER,)}, "does not offer"),
    ({"scope": "session"}, "does not offer"),
    ({"scope": "once", "rules": ASKED.question.decision.offers[0].rules}, "does not offer"),
    ({"yes": False, "scope": "session", "rules": ASKED.question.decision.offers[0].rules}, "does not offer"),
]


@pytest.mark.parametrize(("change", "why"), AMISS)
def test_a_signed_answer_to_anything_else_does_not_count(keys, team, change, why):
    statement = stated(ASKED, yes=True, by="alice", at="alice@desk")._replace(**change)
    assert why in refused(team, signed_by(keys, "alice", statement))


def test_an_answer_to_one_question_does_not_count_for_the_same_question_asked_again(keys, team):
    answer = signed_by(keys, "alice", stated(ASKED, yes=True, by="alice", at="alice@desk"))
    again = asked_by(question_of("echo one"), until=UNTIL)
    assert counted(team, answer).yes
    assert "another question" in refused(team, answer, again)


def test_a_late_answer_does_not_count(keys, team):
    answer = signed_by(keys, "alice", stated(ASKED, yes=True, by="alice", at="alice@desk"))
    assert "late" in refused(team, answer, now=UNTIL)


def test_a_key_that_was_revoked_does_not_count(keys, team):
    answer = signed_by(keys, "alice", stated(ASKED, yes=True, by="alice", at="alice@desk"))
    assert "revoked" in refused(team._replace(revoked=(keys.signer("alice").key,)), answer)
    assert counted(team._replace(revoked=(keys.signer("bob").key,)), answer).yes


def test_a_key_that_the_administrator_does_not_name_does_not_count(keys, team):
    answer = signed_by(keys, "mallory", stated(ASKED, yes=True, by="alice", at="alice@desk"))
    assert "not one of alice's key" in refused(team, answer)


@pytest.mark.parametrize("signature", ["", "x", "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n"])
def test_an_answer_without_a_signature_does_not_count(team, signature):
    statement = stated(ASKED, yes=True, by="alice", at="alice@desk")
    assert "not one of alice's key" in refused(team, Signed(statement.content.decode(), signature))


def test_a_signature_of_any_length_does_no_harm(team):
    statement = stated(ASKED, yes=True, by="alice", at="alice@desk")
    assert "too long" in refused(team, Signed(statement.content.decode(), "x" * (1 << 20)))


def test_a_signature_for_something_else_than_an_answer_does_not_count(keys, team):
    statement = stated(ASKED, yes=True, by="alice", at="alice@desk")
    other = signed(statement.content, keys.path("alice"), "git")
    assert "not one of alice's key" in refused(team, Signed(statement.content.decode(), other))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"yes": True}, "not one of alice's key"),
        ({"yes": 1}, "not true or false"),
        ({"scope": "always"}, "not one of once, session"),
        ({"scope": "project"}, "not one of once, session"),
        ({"note": "else"}, "not one of alice's key"),
        ({"version": 2}, "version 2"),
        ({"more": 1}, "does not write"),
    ],
)
def test_a_no_that_was_made_something_else_does_not_count(keys, team, change, why):
    answer = signed_by(keys, "alice", stated(ASKED, yes=False, by="alice", at="alice@desk"))
    changed = json.dumps(json.loads(answer.statement) | change, sort_keys=True, separators=(",", ":"))
    assert why in refused(team, answer._replace(statement=changed))


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "{}", '{"version":1}', "\ud800"],
)
def test_what_is_no_statement_does_not_count(keys, team, text):
    answer = signed_by(keys, "alice", stated(ASKED, yes=True, by="alice", at="alice@desk"))
    assert "not an answer" in refused(team, answer._replace(statement=text))


def test_a_statement_has_one_text(keys, team):
    answer = signed_by(keys, "alice", stated(ASKED, yes=True, by="alice", at="alice@desk"))
    spaced = json.dumps(json.loads(answer.statement), sort_keys=True)
    assert statement_in(answer.statement).yes
    assert "as asimi writes it" in refused(team, answer._replace(statement=spaced))
    twice = answer.statement.replace('"yes":true', '"yes":false,"yes":true')
    assert "not an answer" in refused(team, answer._replace(statement=twice))


def test_a_key_without_a_passphrase_is_no_approvers(keys, tmp_path):
    with pytest.raises(Exception, match="no passphrase"):
        check_needs_person(keys.path("alice"))
    check_needs_person(keys.path("locked", passphrase="secret of bob"))
    with pytest.raises(Exception, match=r"missing\.pub"):
        check_needs_person(str(tmp_path / "missing"))


def test_the_time_that_counts_is_the_gates_own(keys, team):
    asked = asked_by(question_of("echo one"), until=time.time() - 1)
    answer = signed_by(keys, "alice", stated(asked, yes=True, by="alice", at="alice@desk"))
    assert "late" in refused(team, answer, asked, now=time.time())
