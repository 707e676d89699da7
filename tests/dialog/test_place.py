"""Where asimi asks, and where it does not."""

from __future__ import annotations

import pytest

NOBODY = {"yes": False, "by": "nobody", "note": "nobody is here"}


@pytest.mark.parametrize("streams", ["0", "2", "02", "12"])
def test_asimi_asks_where_one_standard_stream_is_the_terminal(sit, streams):
    person = sit(seat={"streams": streams})
    person.asked()
    person.presses("y")
    if "1" in streams:
        person.sees('"yes": true')
    else:
        assert person.answer()["yes"] is True


NOT_HERE = [
    # why, the question, the seat
    ("no standard stream is the terminal", {}, {"streams": ""}),
    ("the streams are a terminal that is not the controlling one", {}, {"terminal": False}),
    ("there is no terminal at all", {}, {"terminal": False, "streams": ""}),
    ("another process group is in the foreground", {"background": True}, {}),
    ("whoever leads the session is no person", {"person": False}, {}),
]


@pytest.mark.parametrize(("asked", "seat"), [row[1:] for row in NOT_HERE], ids=[row[0] for row in NOT_HERE])
def test_elsewhere_the_question_is_handed_on(sit, asked, seat):
    person = sit(seat=seat, **asked)
    answer = person.answer()
    assert {name: answer[name] for name in NOBODY} == NOBODY
    assert person.written == b""


def test_standard_input_that_carries_calls_is_left_alone(sit):
    person = sit(seat={"streams": "2"})
    person.process.stdin.write(b"y\ny\ny\n")
    person.process.stdin.flush()
    person.asked()
    person.still_asks()
    person.presses("n")
    assert person.answer()["yes"] is False


def test_nothing_is_written_to_standard_output_but_the_answer(sit):
    person = sit()
    person.asked()
    person.presses("y")
    out, _ = person.process.communicate(timeout=30)
    assert out.startswith(b"{")
    assert out.count(b"\n") == 1


def test_the_dialog_begins_on_a_line_of_its_own(sit):
    person = sit(delay=1, seat={"early": b"half a line"})
    shown = person.asked().splitlines()
    assert shown[0] == "half a line"
    assert shown[1].startswith("╭─ asimi")
