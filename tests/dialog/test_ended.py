"""A question that ends by itself says so, and takes the keys that were meant for it."""

from __future__ import annotations

import json
import os
import shlex

import pytest
from helpers import MODULES, PYTHON
from helpers.ended import PLAYS, TOLD, played
from helpers.terminal import Person


def below(sit, tmp_path, **asked):
    """A question above a program that reads the terminal after it; `heard` is what that program got."""
    ends = tmp_path / "ends"
    reads = shlex.join([PYTHON, "-c", TOLD, str(tmp_path / "heard")])
    person = sit(script=f"ASKS > {tmp_path / 'said'}; exec {reads}", ends=str(ends), **asked)
    return person, lambda: ends.write_text("curl gave up"), tmp_path / "heard"


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_no_key_that_was_meant_for_it_reaches_what_is_below(sit, tmp_path, play):
    person, end, heard = below(sit, tmp_path, patience=play.patience)
    played(play, person.types, end, person.sees)
    if not play.chosen:
        person.sees("The question has ended", "[Esc] close")
        assert not heard.exists()  # a second has passed since the last key
        person.types("\x1b")
    person.sees("ready")
    person.types("z")
    person.types("q")
    assert person.ended() == 0
    assert heard.read_bytes() == b"z"
    said = json.loads((tmp_path / "said").read_text())
    assert said["yes"] is False
    assert bool(said.get("kept")) is play.chosen


FLUSHED = """
from asyncio import run, sleep
from select import select
from asimi.world.approvers.terminal.device import Device

async def main():
    with Device("/dev/tty", {}) as device:
        device.write("ready")
        select([device.descriptor], [], [])
        await sleep(0)  # from now on the loop has seen the key, and reads it after this
        await device.quiet(5.0)
        device.write(" heard")

run(main())
"""


def test_a_key_that_comes_as_the_question_ends_stops_nothing():
    with Person([PYTHON, "-c", FLUSHED], os.environ | MODULES | {"TERM": "xterm"}) as person:
        person.sees("ready")
        person.types("x")
        person.sees("ready heard")
