"""The standard streams: written though a reader is slow or gone; what a terminal on them can show, and what fits it."""

from __future__ import annotations

import os
import select
import time
from typing import TYPE_CHECKING

from asimi.core.syntax import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from asimi.core.wording.visible import Display

OFF = frozenset({"", "0"})
"""Values of `ASIMI_PLAIN` and `ACCESSIBLE` that ask for nothing."""

DUMB = frozenset({"", "dumb", "unknown"})
"""Values of `TERM` for a terminal that only prints lines."""


ROOMY = 60
"""Columns from which on there is room for two things side by side, and for whole sentences below a dialog."""


def look_of(environ: Mapping[str, str], descriptor: int) -> Display:
    """What a terminal can show now, as far as the environment tells; 80 columns and 24 rows where it has no size."""
    from asimi.core.wording.visible import Display  # of Unicode, which a start that answers no terminal does without

    try:
        width, height = os.get_terminal_size(descriptor)
    except OSError:
        width, height = 0, 0
    dumb = environ.get("TERM", "") in DUMB
    plain = dumb or any(environ.get(name, "") not in OFF for name in ("ASIMI_PLAIN", "ACCESSIBLE"))
    return Display(width or 80, height or 24, not dumb and not environ.get("NO_COLOR"), _utf8(environ), plain)


def columns(text: str) -> int:
    """Return how many columns of a terminal a printable text takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth

    return sum(max(0, wcwidth(each)) for each in text)


def shorten(text: str, width: int, dots: str = "...") -> str:
    """Return as much of a text as fits in some columns, with dots where something is left out."""
    if columns(text) <= width:
        return text
    room = width - columns(dots)
    cut = text
    while cut and columns(cut) > room:
        cut = cut[:-1]
    words = cut.rpartition(" ")[0]
    return (f"{words} " if 2 * len(words) > len(cut) else cut) + dots  # a part of a word may be another word


def fit_text(text: str, width: int, indent: int = 2) -> str:
    """Return a message for a terminal: `~` for the home directory, and lines broken between words, never inside one.

    Args:
        text: the message; lines that begin with a space are kept as they are, because carets point into them.
        width: the columns of the terminal.
        indent: the columns that the broken lines are indented by.
    """
    home = os.path.expanduser("~")
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith(" ") and lines:
            lines.append(line)
            continue
        row = ""
        for number, word in enumerate(line.split(" ")):
            bare = word.lstrip("([")
            shown = word[: len(word) - len(bare)] + (short_path(bare) if bare.startswith(home) else bare)
            if shown and row.strip() and columns(f"{row} {shown}") > width:
                lines.append(row.rstrip())
                row = " " * indent + shown
            else:
                row = f"{row} {shown}" if number else shown
        lines.append(row)
    return "\n".join(lines)


def short_path(path: str) -> str:
    """Return a path with the home directory as `~`."""
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if len(home) > 1 and (path + "/").startswith(home + "/") else path


def plain_names(directory: str) -> list[str]:
    """Return the names in a directory that can be offered as they are: they need no quotes and hide nothing."""
    from asimi.core.wording.visible import visible

    try:
        names = sorted(os.listdir(directory))
    except OSError:
        return []
    return [name for name in names if quote(name) == name and visible(name) == name]


def completions(word: str, directory: str) -> tuple[str, list[str]]:
    """Return what a word could become as a path.

    Returns:
        The part of the word after its last slash, and the names that begin with it, directories with a slash.
    """
    folder, slash, beginning = word.rpartition("/")
    base = os.path.join(directory, os.path.expanduser(folder + slash))
    names = [name for name in plain_names(base) if name.startswith(beginning) and (beginning or name[0] != ".")]
    return beginning, [name + "/" * os.path.isdir(os.path.join(base, name)) for name in names]


def _utf8(environ: Mapping[str, str]) -> bool:
    """Whether the terminal's encoding is UTF-8, by the locale (POSIX.1-2024, 8.2).

    Python sets `LC_CTYPE` to a UTF-8 locale where it would have got the C locale (PEP 538), so in such a value only
    `LANG` says something about the terminal.
    """
    character_type = environ.get("LC_CTYPE", "")
    if character_type in {"C.UTF-8", "C.utf8", "UTF-8"}:
        character_type = ""
    locale = environ.get("LC_ALL") or character_type or environ.get("LANG") or ""
    return locale.lower().replace("-", "").partition("@")[0].endswith("utf8")


PIECE = 4096
"""Bytes that a pipe takes without blocking once it polls as writable (PIPE_BUF)."""


def write(descriptor: int, data: bytes) -> OSError | None:
    """Write all of it, waiting for a slow reader; never raises.

    Args:
        descriptor: a standard stream.
        data: what to write.

    Returns:
        Why it was not all written: `BrokenPipeError` where the reader is gone; None where it was.
    """
    view = memoryview(data)
    try:
        while view:
            writable(descriptor, None)
            view = view[write_piece(descriptor, view) :]
    except OSError as error:
        return error
    return None


ASKED: list[object] = []
"""What asks a person at the terminal now, in this process; what a command says must not be written over it."""


def is_asked(descriptor: int) -> bool:
    """Whether a descriptor is a terminal, and a person is being asked."""
    return bool(ASKED) and os.isatty(descriptor)


def writable(descriptor: int, milliseconds: int | None = 0) -> bool:
    """Whether a descriptor takes a piece without blocking, or would fail at once; waits that long for it."""
    if not hasattr(select, "poll"):  # Windows
        return True
    ready = select.poll()
    ready.register(descriptor, select.POLLOUT)
    return bool(ready.poll(milliseconds))


def write_piece(descriptor: int, data: memoryview) -> int:
    """Write a piece, without blocking where the descriptor is writable; how many bytes were taken.

    Raises:
        OSError: it cannot be written.
    """
    try:
        return os.write(descriptor, data[:PIECE])
    except BlockingIOError:  # somebody else made it non-blocking, and was faster
        time.sleep(0.001)
        return 0


def say(text: str) -> None:
    """A line for the person on standard error, if somebody hears it; control characters become visible."""
    write(2, printable(text, keep="\n\t").encode("utf-8", "backslashreplace") + b"\n")


def printable(text: str, keep: str = "") -> str:
    """Return a text in which what a terminal would obey or hide is written as an escape.

    Args:
        text: anything, also lone surrogates.
        keep: characters that stay although they are none that is printed.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else ascii(c)[1:-1] for c in text)
