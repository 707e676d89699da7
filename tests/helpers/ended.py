"""Plays of a question that ends by itself while a person answers it, over a program in a box or above another one."""

from __future__ import annotations

import time
from typing import NamedTuple

LONG = 60
"""Seconds of a question that somebody else ends."""

BETWEEN = 0.12
"""Seconds between two keys of a person who answers."""

AFTER = BETWEEN
"""The same once the question has ended."""

LATEST = 0.8
"""Seconds after the end, or a key, in which the next one must come; a machine that is slower sees no more keys."""

TOLD = """
import os, sys, termios, tty
tty.setraw(0, termios.TCSANOW)
with open(sys.argv[1], "wb", 0) as file:
    os.write(0, b"ready")
    while (data := os.read(0, 4096)) != b"q":
        file.write(data)
"""
"""A program that keeps all that it hears in a file, until `q` comes alone."""


class Play(NamedTuple):
    """What a person does.

    Attributes:
        name: in words.
        sees: what is on the screen before the first key.
        before: keys before the question ends.
        then: what is on the screen after them.
        after: keys after that, each as soon as the one before was taken.
        patience: seconds until its time is up.
        chosen: whether the last key chooses what is kept.
    """

    name: str
    sees: str
    before: str = ""
    then: str = ""
    after: str = ""
    patience: float = LONG
    chosen: bool = False


PLAYS = (
    Play("before it is drawn", "", after="yd"),
    Play("before keys count", "One moment", after="dy"),
    Play("as it is shown", "[n] deny", after="yna"),
    Play("in the menu of d", "[n] deny", "d", "[1", "1", chosen=True),
    Play("in the menu of a", "[n] deny", "a", "[1", "1", chosen=True),
    Play("as d is pressed", "[n] deny", "d", "", "x"),
    Play("while the keys are explained", "[n] deny", "?", "what the keys do", "y"),
    Play("after a stray key", "[n] deny", "x", "x does nothing", "y"),
    Play("while the person writes to the agent", "[n] deny", "f", "Tell the agent", "do"),
    Play("while the person edits the command", "[n] deny", "e", "Change the command", "yx"),
    Play("while the person edits a rule", "[n] deny", "ae1", "One entry a line", "y1"),
    Play("as its time is up", "[n] deny", after="yd", patience=2),
    Play("as its time is up in a menu", "[n] deny", "d", "[1", "1", patience=2, chosen=True),
)


def played(play, press, end, shown):
    """Play it up to the last key.

    Args:
        play: what is played.
        press: presses a key.
        end: ends the question.
        shown: waits until a text is on the screen.
    """
    if not play.sees:
        end()
        shown("has ended")  # until then, keys are the program's
    else:
        shown(play.sees)
    for key in play.before:
        press(key)
        time.sleep(BETWEEN)
    if play.then:
        shown(play.then)
    last = time.monotonic()
    if play.sees and play.patience == LONG:
        end()
    if play.patience != LONG or play.chosen:  # a choice that comes first is an answer in time
        shown("has ended")
        last = time.monotonic()
    for key in play.after:
        if time.monotonic() > last + LATEST and not play.chosen:
            return
        last = time.monotonic()
        press(key)
        time.sleep(AFTER)
