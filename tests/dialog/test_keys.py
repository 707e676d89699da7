"""What each key does, in a real terminal."""

from __future__ import annotations

import os
import re
import time

import pytest

ANSWERS = [
    # keys, the answer: each way that a key can take; what all the keys mean is in test_steps.py
    (["y"], {"yes": True, "scope": "once", "by": "terminal"}),
    (["n"], {"yes": False, "scope": "once", "by": "terminal", "note": ""}),
    (["s", "\x1b", "y"], {"yes": True, "scope": "once", "rules": []}),
    (["f", "not now", "\r"], {"yes": False, "note": "not now"}),
    (["f", "\x03", "y"], {"yes": True}),
    (["e", "\x15", "rm build", "\r"], {"yes": False, "edited": "rm build"}),
    (["e", " -v", "\x1b\r", "ls", "\r"], {"yes": False, "edited": "rm -rf build -v\nls"}),
    (["s", "\x03"], {"interrupted": 2}),
    (["\x04"], {"yes": False, "note": "the terminal was closed"}),
]


@pytest.mark.parametrize(("keys", "expected"), ANSWERS, ids=[repr(" ".join(keys)) for keys, _ in ANSWERS])
def test_a_key_gives_its_answer(sit, keys, expected):
    person = sit()
    person.asked()
    person.presses(*keys)
    answer = person.answer()
    assert {name: answer.get(name) for name in expected} == expected


LEFT = [
    # what is typed before each Esc, then after the last, and the answer
    (["f"], ["y"], {"yes": True}),
    (["f", "not now"], ["f", ", later", "\r"], {"yes": False, "note": "not now, later"}),
    (["e", " -v"], ["e", "\r"], {"yes": False, "edited": "rm -rf build -v"}),
    (["e", "\x15"], ["e", " -i", "\r"], {"yes": False, "edited": "rm -rf build -i"}),
]


@pytest.mark.parametrize("back", ["\x1b", "\x03"], ids=["Esc", "Ctrl-C"])
@pytest.mark.parametrize(("before", "after", "expected"), LEFT, ids=[repr(" ".join(keys)) for keys, _, _ in LEFT])
def test_the_editor_is_left_and_keeps_what_was_typed(sit, back, before, after, expected):
    person = sit()
    person.asked()
    person.presses(*before)
    person.sees("Esc back")
    person.presses(back)
    person.asked()
    person.presses(*after)
    answer = person.answer()
    assert {name: answer.get(name) for name in expected} == expected


NO_ANSWERS = ["\r", "\n", " ", "\x1b", "1", "Y", "j", "o", "\t", "\x1a", "\x1c", "\x1b[A", "\x1b[I", "\x1b[O",
              "\x1b[6~", "\x1b[M !!",
              "\x1b[<0;3;4M", "\x1b[1;1R", "\x1b[200~y\x1b[201~", "yy", "y\r", "yes\r", "ny", "\x1by", "é",
              "git status\ny\n", b"\xff", b"\x00"]  # fmt: skip


def test_what_is_no_answer_does_nothing(sit):
    """Enter, unknown keys, bursts, pastes, reports of mouse and focus: after all of them the question still stands."""
    person = sit()
    person.asked()
    for keys in NO_ANSWERS:
        person.presses(keys)
        assert person.process.poll() is None, f"{keys!r} was an answer"
    person.still_asks()


def test_what_was_typed_before_the_dialog_is_dropped(sit):
    person = sit(seat={"early": b"y"})
    person.asked()
    person.still_asks()


def test_whoever_types_while_it_appears_answers_nothing(sit):
    person = sit(quiet=2)
    person.sees("One moment")
    for letter in "yes yes yes yes":
        os.write(person.master, letter.encode())
        time.sleep(0.1)
    person.asked()
    person.still_asks()


def test_no_answer_in_time_is_a_no(sit):
    person = sit(patience=2, goes=0.5)
    person.sees("No answer in 0:0")
    answer = person.answer()
    assert (answer["yes"], answer["by"]) == (False, "clock")


def test_the_time_that_is_left_is_counted_down(sit):
    person = sit(patience=119)
    person.sees("No answer in 1:5")
    left = person.found(r"No answer in (\S+):")
    while person.found(r"No answer in (\S+):") >= left:
        person.still_asks()


def test_a_terminal_that_hangs_up_is_a_no_or_an_end(sit):
    person = sit()
    person.asked()
    person.hangs_up()
    out, _ = person.process.communicate(timeout=30)
    assert person.process.returncode or b'"yes": false' in out


def test_the_modes_are_put_back_when_something_breaks(sit):
    person = sit()
    person.asked()
    person.presses("s", "e", "2", "\x15", "broken()", "\r")
    assert "failed" in person.answer()


def test_session_is_not_offered_where_there_is_none(sit):
    person = sit(session=False)
    assert "[s]" not in person.asked()
    person.presses("s")
    person.still_asks()


def test_nothing_can_be_kept_where_nothing_is_offered(sit):
    person = sit(storable=False)
    shown = person.asked()
    assert "[y]" in shown
    assert "[s]" not in shown
    assert "[a]" not in shown
    person.presses("a", "1")
    person.still_asks()


def test_a_program_with_arguments_is_edited_as_one_line(sit):
    person = sit("rm", arguments=["-rf", "my build"])
    assert "rm -rf 'my build'" in person.asked()
    person.presses("e", " -v", "\r")
    assert person.answer()["edited"] == "rm -rf 'my build' -v"


def test_what_is_stored_is_what_was_shown(sit):
    person = sit()
    person.asked()
    person.presses("a")
    shown = person.sees("[2] any rm -rf build")
    assert "run_shell_command(rm -rf build)" in shown
    assert "only in ~/app/server" in shown
    person.presses("2")
    rules = person.answer()["rules"]
    assert [rule["entry"] for rule in rules] == ["run_shell_command(rm -rf build)"]


def test_a_rule_can_be_edited_and_is_shown_again_before_it_is_kept(sit):
    person = sit()
    person.asked()
    person.presses("s", "e", "2")
    person.sees("One entry a line", "Esc back")
    person.presses("\x15", "run_shell_command(rm build)", "\r")
    person.sees("[3] as you wrote it", "run_shell_command(rm build)", "[1-3]")
    person.presses("3")
    assert [rule["entry"] for rule in person.answer()["rules"]] == ["run_shell_command(rm build)"]


def test_a_rule_that_is_too_wide_is_not_offered(sit):
    person = sit()
    person.asked()
    person.presses("s", "e", "2", "\x15", "run_shell_command(rm)", "\r")
    assert "[3]" not in person.sees("it would allow every rm")


def test_a_lifetime_is_shown_and_kept(sit):
    person = sit()
    person.asked()
    person.presses("s", "t")
    person.sees("Allow for 10 minutes")
    before = time.time()
    person.presses("1")
    (rule,) = person.answer()["rules"]
    assert before + 590 < rule["expires"] < time.time() + 600


def test_a_number_of_calls_is_shown_and_counted_from_this_one(sit):
    person = sit()
    person.asked()
    person.presses("s", "t")
    person.sees("Allow for 10 minutes")
    person.presses("t")
    person.sees("Allow for 1 hour")
    person.presses("t")
    person.sees("Allow for 5 calls, this one included")
    person.presses("1")
    assert [rule["uses"] for rule in person.answer()["rules"]] == [4]


def test_many_questions_are_asked_one_after_the_other(sit):
    person = sit(others=[{"id": number} for number in range(3)])
    answers = {}
    while len(answers) < 3:  # they take turns in no certain order
        display = person.asked()
        (number,) = re.findall(r"call (\d)", display)
        if number not in answers:
            answers[number] = len(answers) != 1
            person.presses("y" if answers[number] else "n")
    assert [answer["yes"] for answer in person.answer()] == [answers[number] for number in "012"]


def test_the_help_names_the_key_apart_from_its_meaning(sit):
    person = sit()
    person.asked()
    person.presses("?")
    shown = person.sees("Answers nothing; the question stays")
    assert "Esc  " in shown
    assert "escapeAnswers" not in shown
