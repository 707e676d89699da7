"""The environment that commands inherit: asimi's own as it is now, without what Python put into it.

Python writes `LC_CTYPE` into its environment where it was started in the C locale (PEP 538). Whoever started it set no
such variable, so commands must not get it.
"""

from __future__ import annotations

import os
import sys
from functools import cache

COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""The locales that Python chooses then, whichever of them is there."""


def inherited() -> dict[str, str]:
    """What a command that is started now inherits; a copy, and safe while other threads change the environment."""
    now = {name: value for name in os.environ if (value := os.environ.get(name)) is not None}
    if now.get("LC_CTYPE") in COERCED and (started := _started()) is not None and _in_c_locale(started):
        del now["LC_CTYPE"]
        if "LC_CTYPE" in started:
            now["LC_CTYPE"] = started["LC_CTYPE"]
    return now


@cache
def _started() -> dict[str, str] | None:
    """The environment that this process was started with, as the kernel keeps it.

    None where there is no /proc, or where a program has written over that memory to show a title in `ps`.
    """
    try:
        with open("/proc/self/environ", "rb") as file:
            entries = [os.fsdecode(entry).partition("=") for entry in file.read().split(b"\0")]
    except OSError:
        return None
    if entries.pop() != ("", "", "") or not all(equals for _, equals, _ in entries):
        return None
    return {name: value for name, _, value in reversed(entries)}  # Python takes the first of two


def _in_c_locale(started: dict[str, str]) -> bool:
    """Whether Python found itself in the C locale: then it also turns its UTF-8 mode on, if nobody chose that."""
    return bool(sys.flags.utf8_mode or "PYTHONUTF8" in started) and not started.get("LC_ALL")
