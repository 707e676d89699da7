"""Asks the person at the terminal for a plain yes, where a flag or a pipe must not do."""

from __future__ import annotations

import os

from asimi.core.errors import AsimiError

UNATTENDED = "; for an image or CI, write to a file that --config names"
"""What can be done without a person where a configuration file is written."""


def confirmed(question: str, *, otherwise: str = "") -> bool:
    """Whether the person at the terminal says yes; Enter alone is no answer, and keys typed before are dropped.

    Args:
        question: what is asked.
        otherwise: what can be done without a person, for the message where there is none.

    Raises:
        AsimiError: there is no terminal, or asimi is not in its foreground.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        raise AsimiError(
            f"This needs a person's yes, and there is no terminal to ask on; run it on one{otherwise}"
        ) from None
    import termios

    try:
        if os.tcgetpgrp(terminal) != os.getpgrp():
            raise AsimiError("This needs a person's yes, and asimi is not in the foreground of its terminal")
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
