"""Patterns over texts: what allows becomes no wider by our rules, what forbids no narrower."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL
from asimi.extras.permissions.wildcards import allowing, forbidding, matches, samples

HERE = Place("/project", "/project", inside=True)
PROGRAMS = ("git", "rm", "rmdir", "make", "npm")
WORDS = (*PROGRAMS, "push", "main", "x", "-f", "--force", "-rf", "a.b", "/etc/x", "origin", "-", "--")
TEXTS = st.builds(
    lambda program, rest: " ".join((program, *rest)),
    st.sampled_from(PROGRAMS),
    st.lists(st.sampled_from(WORDS), max_size=4),
)


def decided(rules, text):
    return Policy(rules).decide(Request(SHELL, text, None, HERE)).verdict


@st.composite
def patterns(draw):
    """A text with stars in the place of some of its parts, and at its end."""
    text = draw(TEXTS)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        text = text[:start] + "*" + text[draw(st.integers(start, len(text))) :]
    return text + draw(st.sampled_from(("", " *", "*")))


@given(patterns(), TEXTS)
def test_what_a_pattern_forbids_is_forbidden(pattern, text):
    if matches(pattern, text):
        assert decided(forbidding(pattern, Verdict.DENY, "").rules, text) is Verdict.DENY


@given(patterns())
def test_what_a_pattern_shows_of_itself_is_forbidden(pattern):
    rules = forbidding(pattern, Verdict.DENY, "").rules
    for command, verdict in samples(pattern, Verdict.DENY):
        assert verdict is None or decided(rules, command) is Verdict.DENY


@given(patterns(), TEXTS)
def test_what_a_pattern_does_not_match_is_not_allowed(pattern, text):
    rules = allowing(pattern, "").rules
    if not matches(pattern, text):
        assert decided(rules, text) is not Verdict.ALLOW


@pytest.mark.parametrize(
    ("pattern", "text", "is_match"),
    [
        ("git *", "git", True), ("git *", "git x", True), ("git *", "gitx", False), ("git*", "gitx", True),
        ("git * main", "git push origin main", True), ("git * main", "git main", False), ("*", "", True),
        ("a*b*c", "abc", True), ("a*b*c", "acb", False), ("aa*a", "aa", False), ("a", "a ", False),
    ],
)  # fmt: skip
def test_a_star_is_any_text(pattern, text, is_match):
    assert matches(pattern, text) is is_match


@pytest.mark.parametrize("text", ["*a " * 300_000, "a" * 900_000, "a " * 400_000, "|" * 500_000, "'*" * 400_000])
def test_a_long_pattern_takes_no_time(text):
    assert forbidding(text, Verdict.DENY, "").rules
    assert not allowing(text, "").rules
    assert samples(text, Verdict.DENY) == ()
