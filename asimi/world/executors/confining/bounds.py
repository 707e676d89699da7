"""What a command may take of this machine: the size of a file, processes, room on the disk.

The kernel bounds the size of each file and, for an ordinary user, the number of processes; the filter of system calls
keeps a command from raising these. For root the kernel does not count processes, and it never bounds what many files
take together: that is looked at while the call runs.
"""

from __future__ import annotations

import contextlib
import os
import resource
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FILE = 4 << 30
"""Bytes of one file."""
DISK = 8 << 30
"""Bytes by which the room on a disk may shrink while a call runs, whoever takes it."""
MEMORY = 1 << 30
"""Bytes of a file system in memory that the sandbox has of its own, such as `/tmp`."""
PROCESSES = 1024
"""Processes and threads of a call, beside all that ran on this machine when it began."""
LOOK = 0.1
"""Seconds between two looks at a call that runs."""


def tasks() -> int:
    """How many processes and threads there are on this machine (proc(5), `/proc/loadavg`)."""
    with open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].partition("/")[2])


@contextlib.contextmanager
def bounded(marked: contextlib.AbstractContextManager[None], running: int) -> Iterator[None]:
    """For the moment of a start, what the kernel bounds; the caller holds `SPAWN`.

    Only the limit that counts is lowered, for an ordinary user cannot raise the other one again.

    Args:
        marked: what else is there only for that moment.
        running: how many processes and threads there are now.
    """
    wanted = {resource.RLIMIT_FSIZE: FILE, resource.RLIMIT_NPROC: running + PROCESSES}
    before = {which: resource.getrlimit(which) for which in wanted}
    with marked:
        for which, most in wanted.items():
            soft, hard = before[which]
            lowered = most if soft == resource.RLIM_INFINITY else min(soft, most)
            resource.setrlimit(which, (lowered, hard))
        try:
            yield
        finally:
            for which, limits in before.items():
                resource.setrlimit(which, limits)


class Watch:
    """What the kernel does not bound of one call.

    Args:
        directories: where it can write.
        count: gives how many processes it has.
    """

    def __init__(self, directories: Sequence[str], count: Callable[[], int]) -> None:
        self._count, self._most = count, tasks() + PROCESSES
        self._least = {each: _room(each) - DISK for each in directories}

    def exceeded(self) -> str:
        """What it takes too much of, in words; empty where it does not."""
        if any(_room(each) < least for each, least in self._least.items()):
            return f"the disk has {DISK >> 30} GiB less room than when it began"
        if tasks() > self._most and self._count() > PROCESSES:
            return f"it has more than {PROCESSES} processes"
        return ""


def _room(directory: str) -> int:
    """Bytes that an ordinary user may still write there."""
    there = os.statvfs(directory)
    return there.f_bavail * there.f_frsize
