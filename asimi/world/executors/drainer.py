"""Who reads the pipes that background processes still hold when their call has returned.

A writer must never be killed by a closed pipe, nor wait for a full one, even after asimi has ended. So each open pipe
is handed to a small process of its own, which appends to a log up to a limit and then reads on into nothing. It ends
when the last writer does.
"""

from __future__ import annotations

import contextlib
import os
import subprocess

from asimi.core.lean import TYPE_CHECKING
from asimi.world.executors.spawning import start_drainer

if TYPE_CHECKING:
    import asyncio

SCRIPT = "(ulimit -c 0; ulimit -f {blocks} || :; exec cat) || printf '\n[asimi: {why}]\n'; exec cat >/dev/null"
"""POSIX counts `ulimit -f` in blocks of 512 bytes. A limit, a full disk: then the second `cat`."""
WHY = "no more is kept of this output: that is the limit of a log ({limit} bytes), or there is no room for more"
READ = 1 << 16


def hand_over(pipe: int, log: int, limit: int, loop: asyncio.AbstractEventLoop) -> None:
    """Let a drainer append what comes out of a pipe to a log of at most so many bytes; the caller closes the log.

    If there is no room for another process, the event loop reads on in its place, as long as there is one.

    Args:
        pipe: what is read; it is ours from here on.
        log: what is written to, or -1 for nowhere.
        limit: bytes.
        loop: reads on if need be.
    """
    os.set_blocking(pipe, True)  # `cat` would take "nothing there yet" for an error
    script = SCRIPT.format(blocks=max(1, limit // 512), why=WHY.format(limit=limit))
    try:
        start_drainer(("/bin/sh", "-c", script), pipe, log if log >= 0 else subprocess.DEVNULL)
    except OSError:
        loop.add_reader(pipe, _read_on, loop, pipe, _copy(log), limit)
    else:
        os.close(pipe)


def _copy(log: int) -> int:
    """The log once more, for whoever reads on; -1 where there is none, or no descriptor for it."""
    try:
        return os.dup(log)
    except OSError:
        return -1


def _read_on(loop: asyncio.AbstractEventLoop, pipe: int, log: int, limit: int) -> None:
    data = os.read(pipe, READ)
    if data:
        with contextlib.suppress(OSError):
            os.write(log, data[: max(0, limit - os.fstat(log).st_size)])
        return
    loop.remove_reader(pipe)
    os.close(pipe)
    if log >= 0:
        os.close(log)
