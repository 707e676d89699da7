"""A process started by a thread that confines itself and ends, so that asimi itself is never confined.

Not by `subprocess` nor `os.posix_spawn`: they keep all other threads of ours waiting until the exec, which hangs for
ever once one of these has to judge that exec. The C library's `posix_spawn` lets them run, and tells each failure.
"""

from __future__ import annotations

import _thread
import errno
import os
import threading
import time
from typing import TYPE_CHECKING

from asimi.world.executors.confining.system import libc

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.world.executors.starting import Start

ENDING = 5.0
"""Seconds that a thread which has done its work may take to go."""


def start_confined(steps: Sequence[Callable[[], object]], start: Start) -> int:
    """Start a process from a thread that takes some steps first, which hold what it starts; its id.

    The caller holds `SPAWN`. Without a step there is no thread. Else it is gone when this returns, so that the process
    is a child of our main thread, as those are that others start.

    Raises:
        Unconfined: a step failed, and nothing was started.
        OSError: it cannot be started.
    """
    if not steps:
        return start()
    done: list[int | BaseException] = []
    number = 0

    def work() -> None:
        nonlocal number
        number = threading.get_native_id()
        try:
            for step in steps:
                step()
            done.append(start(libc()))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is heard
            done.append(error)
        finally:
            working.release()

    working = threading.Lock()
    working.acquire()
    begin_thread(work)
    working.acquire()
    _until_gone(number)
    if isinstance(done[0], BaseException):
        raise done[0]
    return done[0]


def begin_thread(work: Callable[[], object]) -> None:
    """Begin a thread, without the two waits that `threading` adds to it.

    Raises:
        OSError: there is no room for one.
    """
    try:
        _thread.start_new_thread(work, ())
    except RuntimeError:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN), "a thread") from None


def _until_gone(number: int) -> None:
    """Wait until a thread of ours that has ended is gone for the kernel, too: its children are listed under it."""
    end = time.monotonic() + ENDING
    while os.path.exists(f"/proc/self/task/{number}") and time.monotonic() < end:
        time.sleep(0)
