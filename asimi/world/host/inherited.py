"""The environment that commands inherit: asimi's own as it is now, without what Python put into it.

Python writes `LC_CTYPE` into its environment where it was started in the C locale (PEP 538). Whoever started it set no
such variable, so commands must not get it.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""The locales that Python chooses then, whichever of them is there."""


_caller, _utf8 = "self", bool(sys.flags.utf8_mode)
"""The process whose environment commands inherit, and whether its Python has the UTF-8 mode."""


def take_over(pid: int, *, utf8: bool) -> None:
    """Take the environment of this process for that of another, which was started with one of its own.

    Args:
        pid: its number.
        utf8: whether its Python has the UTF-8 mode.
    """
    global _caller, _utf8
    _caller, _utf8 = str(pid), utf8


_last: tuple[dict[bytes, bytes], Mapping[str, str]] = {}, {}


def inherited_environment() -> Mapping[str, str]:
    """Return what a command that is started now inherits; the same value as before where nothing has changed."""
    global _last  # noqa: PLW0603 - one memory for the whole process; a tuple, so threads see all of it or nothing
    given = getattr(os.environ, "_data", None)  # to read all variables one by one takes as long as a log line
    now = dict(os.environb) if given is None else given.copy()  # at one stroke: other threads may change it
    if _last[0] != now:
        _last = now, MappingProxyType(_decode(now))
    return _last[1]


def _decode(given: Mapping[bytes, bytes]) -> dict[str, str]:
    """Return an environment as text, without what Python put into it."""
    now = {os.fsdecode(name): os.fsdecode(value) for name, value in given.items()}
    if now.get("LC_CTYPE") in COERCED and (started := _start_environment()) is not None and _in_c_locale(started):
        del now["LC_CTYPE"]
        if "LC_CTYPE" in started:
            now["LC_CTYPE"] = started["LC_CTYPE"]
    return now


@cache
def _start_environment() -> dict[str, str] | None:
    """Return the environment that the process was started with, as the kernel keeps it.

    None where there is no /proc, or where a program has written over that memory to show a title in `ps`.
    """
    try:
        with open(f"/proc/{_caller}/environ", "rb") as file:
            entries = [os.fsdecode(entry).partition("=") for entry in file.read().split(b"\0")]
    except OSError:
        return None
    if entries.pop() != ("", "", "") or not all(equals for _, equals, _ in entries):
        return None
    return {name: value for name, _, value in reversed(entries)}  # Python takes the first of two


def _in_c_locale(started: dict[str, str]) -> bool:
    """Whether Python found itself in the C locale: then it also turns its UTF-8 mode on, if nobody chose that."""
    return bool(_utf8 or "PYTHONUTF8" in started) and not started.get("LC_ALL")
