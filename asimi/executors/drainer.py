"""Who reads the pipes that background processes still hold when their call has returned.

A writer must never be killed by a closed pipe, nor wait for a full one, even after asimi has ended. So each open pipe
is handed to a small process of its own, which appends to a log up to a limit and then reads on into nothing. It ends
when the last writer does.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from asimi.executors.spawning import start_drainer

if TYPE_CHECKING:
    import asyncio

SCRIPT = "(ulimit -f {blocks} || :; exec cat); exec cat >/dev/null"
"""POSIX counts `ulimit -f` in blocks of 512 bytes. A limit, a full disk: then the second `cat`."""
READ = 1 << 16


def hand_over(pipe: int, log: int, limit: int, loop: asyncio.AbstractEventLoop) -> None:
    """Let a drainer append what comes out of a pipe to a log of at most so many bytes; the caller closes both.

    If there is no room for another process, the event loop reads on in its place, as long as there is one.
    """
    os.set_blocking(pipe, True)  # `cat` would take "nothing there yet" for an error
    try:
        start_drainer(("/bin/sh", "-c", SCRIPT.format(blocks=max(1, limit // 512))), pipe, log)
    except OSError:
        own = os.dup(pipe)
        loop.add_reader(own, _read_on, loop, own, os.dup(log))


def _read_on(loop: asyncio.AbstractEventLoop, pipe: int, log: int) -> None:
    data = os.read(pipe, READ)
    if data:
        with contextlib.suppress(OSError):
            os.write(log, data)
    else:
        loop.remove_reader(pipe)
        os.close(pipe)
        os.close(log)
