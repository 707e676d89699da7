"""Who reads the pipes that background processes still hold when their call has returned.

A writer must never be killed by a closed pipe, nor wait for a full one, even after asimi has ended. So each open pipe is
handed to a small process of its own, which appends to a log up to a limit and then reads on into nothing. It ends when
the last writer does.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.executors.spawning import start_drainer

if TYPE_CHECKING:
    from collections.abc import Iterable

SCRIPT = "(ulimit -f {blocks} || :; exec cat); exec cat >/dev/null"
"""POSIX counts `ulimit -f` in blocks of 512 bytes. A limit, a full disk: then the second `cat`."""


def hand_over(pipes: Iterable[int], log: int, limit: int) -> None:
    """Let drainers append what comes out of pipes to a log of at most so many bytes; the caller closes all of them.

    Raises:
        OSError: a drainer cannot be started.
    """
    script = SCRIPT.format(blocks=max(1, limit // 512))
    for pipe in pipes:
        os.set_blocking(pipe, True)  # `cat` would take "nothing there yet" for an error
        start_drainer(("/bin/sh", "-c", script), pipe, log)
