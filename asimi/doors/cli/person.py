"""Asks the person at the terminal for a plain yes, where a flag or a pipe is not enough."""

from __future__ import annotations

import os

from asimi.core.errors import AsimiError

UNATTENDED = "; for an image or CI, write to a file that --config names"
"""How a configuration file can be written without a person, for the end of a message."""


def confirmed(question: str, *, otherwise: str = "") -> bool:
    """Whether the person at the terminal says yes; Enter alone is not an answer, and keys typed before are dropped.

    Args:
        question: the question.
        otherwise: how to do it without a person, for the message if there is nobody.

    Raises:
        AsimiError: there is no terminal, or asimi is not in its foreground.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        raise AsimiError(
            f"A person must confirm this, and there is no terminal to ask on; run it at one{otherwise}"
        ) from None
    import termios

    try:
        if os.tcgetpgrp(terminal) != os.getpgrp():
            raise AsimiError("A person must confirm this, and asimi is not in the foreground of its terminal")
        os.write(terminal, f"{question} [y/n] ".encode("utf-8", "backslashreplace"))
        termios.tcflush(terminal, termios.TCIFLUSH)
        while True:
            answer = os.read(terminal, 1024)
            if not answer or answer.strip().lower() in (b"n", b"no"):
                return False
            if answer.strip().lower() in (b"y", b"yes"):
                return True
            os.write(terminal, b"Type y or n, then Enter: ")
    finally:
        os.close(terminal)
