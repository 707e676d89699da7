"""Writing to the standard streams, whose reader may be slow or gone."""

from __future__ import annotations

import os
import select
import time

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
            view = view[put(descriptor, view) :]
    except OSError as error:
        return error
    return None


def writable(descriptor: int, milliseconds: int | None = 0) -> bool:
    """Whether a descriptor takes a piece without blocking, or would fail at once; waits that long for it."""
    if not hasattr(select, "poll"):  # Windows
        return True
    ready = select.poll()
    ready.register(descriptor, select.POLLOUT)
    return bool(ready.poll(milliseconds))


def put(descriptor: int, data: memoryview) -> int:
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
