"""A command that does not fit: what stays in sight, how to move, and what keys say that are not offered."""

from __future__ import annotations

import re

import pytest

LONG = "\n".join(f"echo line {number} of a long text" for number in range(1, 201))
SIZES = pytest.mark.parametrize("size", [(80, 24), (40, 24), (40, 12)], ids=str)


@SIZES
def test_the_reason_stays_above_a_long_command(sit, size):
    person = sit(LONG, seat={"columns": size[0], "rows": size[1]})
    person.asked()
    for key in ("", "v", "\x1b[F", "v"):
        if key:
            person.presses(key)
        assert re.search(r"Why +(rm|echo) is ", person.display), person.display
        assert size[1] < 24 or "Does" in person.display
        assert re.search(r"rows \d+ to \d+ of \d+", person.display)


def test_what_does_not_fit_above_is_seen_before_a_yes(sit):
    """With more reasons than half a screen has room for, each is shown in full before anything can be allowed."""
    reasons = [["redirection", f"this writes file{number} of many others in this project", None] for number in range(8)]
    person = sit(LONG, reasons=reasons, seat={"columns": 40, "rows": 20})
    person.asked()
    pages = [person.display]
    while "[y]" not in person.display and len(pages) < 120:
        person.presses("v")
        pages.append(person.display)
    assert all(any(f"file{number}" in page for page in pages) for number in range(8))


@pytest.mark.parametrize(("last", "first"), [("\x1b[F", "\x1b[H"), ("G", "g")], ids=["End, Home", "G, g"])
def test_the_ends_are_one_key_away_and_do_not_count_as_seen(sit, last, first):
    person = sit(LONG)
    person.asked()
    person.presses(last)
    assert "[y]" not in person.sees("echo line 200 of")
    person.presses(first)
    person.sees("echo line 1 of")
    person.presses(last, "v")  # goes on where it was left
    assert "echo line 200 of" not in person.display
    assert "[y]" not in person.display


NOT_OFFERED = [
    (
        {"storable": False, "reasons": [["ask_by_rule", "`rm` is asked each time", None]]},
        "a",
        "This is asked each time",
    ),
    ({"session": False}, "s", "There is no session"),
    ({}, "v", "All of it is shown."),
    ({}, "j", "j does nothing here."),
    ({}, "\x1b", "Deny it? Press n."),
]


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize(("asked", "key", "said"), NOT_OFFERED, ids=[repr(key) for _, key, _ in NOT_OFFERED])
def test_a_key_that_is_not_offered_says_why(sit, asked, key, said, columns):
    person = sit(**asked, seat={"columns": columns})
    person.asked()
    person.presses(key)
    person.sees(said)
    person.still_asks()
    assert "rm -rf build" in person.display
    person.presses("n")
    assert person.answer()["yes"] is False


def test_esc_and_another_key_is_that_key(sit):
    person = sit()
    person.asked()
    person.presses("\x1b", "y")
    assert person.answer()["yes"] is True


def test_entries_that_cannot_be_stored_are_not_lost(sit):
    person = sit()
    person.asked()
    person.presses("s", "e", "2", "\x15", "run_shell_command(rm)", "\r")
    person.sees("it would allow every rm", "[e] edit the rules")
    person.presses("e", "2")
    person.sees("> run_shell_command(rm)")
    person.presses("\x1b")
    person.asked()
    person.presses("e", "2")
    person.sees("> run_shell_command(rm)")


def test_a_word_that_is_not_offered_says_why_and_an_unknown_one_what_can_be_said(sit):
    person = sit(session=False, seat={"environ": {"ASIMI_PLAIN": "1"}, "rows": 50})
    person.sees("Answer:")
    person.enters("s")
    person.sees("There is no session")
    person.enters("maybe")
    shown = person.sees("maybe is not one of the words.")
    assert "run (y), always (a), edit (e), deny (n), note (f), never (d), why, help (?)." in " ".join(
        shown.split("maybe is not")[1].split()
    )
    assert shown.count("asimi asks:") == 1


def test_a_long_command_in_words_is_behind_the_reason_and_says_how_much_is_shown(sit):
    person = sit(LONG, seat={"environ": {"TERM": "dumb"}})
    shown = person.sees("Answer:")
    assert "Reason: rm is not on coreTools" in shown
    assert "Does: deletes build" in shown
    assert "rows 1 to" in shown
