"""What takes a person: a start that no call of asimi made, and a plain yes where a flag or a pipe is not enough."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.wording.effects import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.world.config import Configuration

UNATTENDED = "; for an image or CI, write to a file that --config names"
"""How a configuration file can be written without a person, for the end of a message."""


LONGEST = 8 * 3600.0
"""The most seconds that a person's yes for a while may hold for."""


def require_person(action: str, *, agents: bool = False) -> None:
    """Go on only if a person can have started asimi.

    Args:
        action: what a command that asimi runs cannot do, in words.
        agents: whether an agent behind a hook may do it, too.

    Raises:
        AsimiError: a command that asimi runs, or an agent behind a hook, started this asimi.
    """
    from asimi.compose.asking import is_person
    from asimi.world.host.nested import inside_call

    if inside_call(os.environ):
        raise AsimiError(f"A command run by asimi cannot {action}; do that yourself at a terminal")
    if not agents and sys.platform != "win32" and not is_person(os.getpid()):
        raise AsimiError(f"An agent started this, and it cannot {action}; do that yourself in a terminal of your own")


def confirm_at_terminal(question: str, *, otherwise: str = "") -> bool:
    """True if the person at the terminal says yes; Enter alone is not an answer, and keys typed before are dropped.

    Args:
        question: the question.
        otherwise: how to do it without a person, for the message if there is nobody.

    Raises:
        AsimiError: there is no terminal, or asimi is not in its foreground.
    """
    return choose_word(question, ("yes", "no"), otherwise=otherwise) == "yes"


def choose_word(question: str, answers: Sequence[str], *, otherwise: str = "", whole: bool = False) -> str:
    """Return the answer of the person at the terminal, by its word or first letter; the last one if they are gone.

    Args:
        question: the question.
        answers: words with different first letters; the last one changes nothing.
        otherwise: as for `confirmed`.
        whole: whether the first letter of a word is not enough.

    Raises:
        AsimiError: as `confirmed`.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        raise AsimiError(
            f"A person must confirm this, and there is no terminal to ask on: run it in one{otherwise}"
        ) from None
    import termios

    known = {form.encode(): word for word in answers for form in (word, word if whole else word[0])}
    letters = [word if whole else word[0] for word in answers]
    try:
        if os.tcgetpgrp(terminal) != os.getpgrp():
            raise AsimiError("A person must confirm this, and asimi is not in the foreground of its terminal")
        os.write(terminal, f"{question} [{'/'.join(letters)}] ".encode("utf-8", "backslashreplace"))
        termios.tcflush(terminal, termios.TCIFLUSH)
        while answer := os.read(terminal, 1024):
            if answer.strip().lower() in known:
                return known[answer.strip().lower()]
            os.write(terminal, f"Type {join_words(letters, 'or')}, then Enter: ".encode())
        return answers[-1]
    finally:
        os.close(terminal)


def seconds_of(time: str) -> float:
    """Return how long a person's yes for a while may hold, in seconds.

    Raises:
        UsageError: that is too long, or no time.
    """
    from asimi.doors.cli.base import UsageError
    from asimi.world.config.keys import duration

    if not 0 < (seconds := duration(time)) <= LONGEST:
        raise UsageError(f"{time}: give a time above 0 and up to 8h.")
    return seconds


def forbidden(configuration: Configuration, key: str, what: str) -> AsimiError:
    """Return the error where a key of [session] forbids a command, with the place that says so."""
    where = next(row.origin for row in configuration.show() if row.name == f"session.{key}")
    return AsimiError(f"{where}: {key} = false forbids {what} here")
