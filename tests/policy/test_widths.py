"""Widths between this text and anything: a push without force holds for no push with force, however that is spelt."""

from __future__ import annotations

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.wording.adding import add_command, remedy_line

PLACE = Place("/srv", "/srv", inside=True)
LABEL = "these commands without force"

ALLOWED = [
    "git push",
    "git push origin main",
    "git push -u origin x",
    "git -C sub push origin main",
    "git push -q origin a b",
]

ASKED = """
git push origin +main
git push origin :main
git push origin a:b
git push --force
git push -f
git push -fu origin x
git push -uf origin x
git push --forc
git push --force-with-lease
git push --force-with-lease=main
git push --all
git push --al
git push --branches
git push --tags
git push --ta
git push --follow-tags
git push --mirror
git push --mir origin
git push --delete origin x
git push -d origin x
git push --de origin x
git push --prune
git push --receive-pack=x
git push --exec=x
git push $REMOTE
git push origin $(x)
git push origin {+main,x}
git push git@h:x main
git -c remote.origin.mirror=true push
./git push
git pull
git push origin main && git push -f
"""


def decide(text, *rules, strict=()):
    return Policy(strict).decide(Request("run_shell_command", text, None, PLACE), rules)


def width_of(text):
    return next((offer.rules for offer in decide(text).offers if offer.label == LABEL), ())


@pytest.mark.parametrize("text", [text for text in ALLOWED if "-C" not in text])
def test_a_push_without_force_is_offered_and_holds_for_others(text):
    rules = width_of(text)
    assert {decide(each, *rules).verdict for each in ALLOWED} == {Verdict.ALLOW}


@pytest.mark.parametrize("text", ASKED.strip().splitlines())
def test_it_never_holds_for_what_forces_deletes_or_is_more_than_named_branches(text):
    assert decide(text, *width_of("git push origin main")).verdict is not Verdict.ALLOW


@pytest.mark.parametrize(
    "text", ["git push -f", "git push origin +x", "git push --all", "git push $X", "git pull", "ls", "sh -c x"]
)
def test_it_is_not_offered_where_it_would_not_answer(text):
    assert width_of(text) == ()


def test_it_is_narrower_than_the_first_words_and_comes_before_them():
    labels = [offer.label for offer in decide("git push").offers]
    assert labels.index(LABEL) < labels.index("these commands with these first words")


def test_the_line_that_settles_it_is_the_narrow_one():
    assert remedy_line(decide("git push")) == "asimi policy add 'git push' --without-force"
    assert add_command(width_of("git push")) == ("asimi", "policy", "add", "git push", "--without-force")


def test_it_never_beats_a_deny_or_a_written_ask():
    from asimi.core.judging.rules import rule_of

    for verdict in (Verdict.DENY, Verdict.ASK):
        strict = (rule_of("run_shell_command(git push)", verdict),)
        assert decide("git push", *width_of("git push"), strict=strict).verdict is verdict
