"""Whether what hides and protects files in a sandbox still does: the kernel lets go of a mount in silence.

A mount lies on a file, not on its name (mount_namespaces(7), "Restrictions on mount namespaces"). Whoever replaces,
moves or removes that file outside takes the mount away, and the sandbox gets what is there now: `git config` and most
editors replace what they write. So the table of mounts is watched as long as anything of the call runs, and what runs
there is ended as soon as one is missing.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from asimi.world.executors.spawning import start_drainer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


ENDING = 0.2
"""Seconds that a sandbox takes at most to go once its command has ended."""

WATCHER = (
    "import sys; sys.path.append({path!r}); "
    "from asimi.world.executors.confining.mounts import watch; watch({first}, frozenset({paths}))"
)
"""What the process runs that watches on after a call."""


class Mounts:
    """The mounts of one sandbox.

    Args:
        first: the first process of its namespace; it may still be making them.
        paths: where something must be mounted.
    """

    def __init__(self, first: int, paths: frozenset[bytes]) -> None:
        self._first, self._paths, self._made = first, paths, False

    def missing_mount(self) -> str:
        """A path on which nothing is mounted any more; empty where there is none, or the sandbox is not made yet.

        Raises:
            OSError: it has ended, or there is no descriptor left.
        """
        made = self._made or _is_made(self._first)  # before the look, which is then at what was made
        missing = self._paths - self._there()
        if missing and made:
            missing &= self._paths - self._there()  # a table that changes while it is read tells less than there is
        self._made = made or not missing
        return os.fsdecode(min(missing)) if missing and made else ""

    def _there(self) -> set[bytes]:
        with open(f"/proc/{self._first}/mountinfo", "rb") as table:
            return points(table.readlines())


def is_inhabited(directory: str) -> bool:
    """Whether a sandbox of bubblewrap runs that can write in a directory; what just ends may take a moment to go."""
    end = time.monotonic() + ENDING
    while found := _is_inhabited(os.fsencode(directory)):
        if time.monotonic() > end:
            break
        time.sleep(ENDING / 20)
    return found


def _is_inhabited(directory: bytes) -> bool:
    known = {os.readlink("/proc/self/ns/mnt")}
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            namespace = os.readlink(f"/proc/{process}/ns/mnt")
            if namespace in known:
                continue
            known.add(namespace)
            with open(f"/proc/{process}/mountinfo", "rb") as table:
                lines = [line.split(b" ", 6)[4:6] for line in table]
            held = any(point == b"/" and options.startswith(b"ro") for point, options in lines)
            open_ = (point for point, options in lines if options.startswith(b"rw"))
            if held and any(each == directory or each.startswith(directory + b"/") for each in open_):
                return True
    return False


def points(table: list[bytes]) -> set[bytes]:
    """The paths on which something is mounted, as a table says it (proc(5), `/proc/pid/mountinfo`)."""
    found = {line.split(b" ", 5)[4] for line in table}
    return {re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), path) for path in found}


def _is_made(first: int) -> bool:
    """Whether a sandbox has started its command, so that nothing is mounted any more (bwrap, `do_init`)."""
    with open(f"/proc/{first}/task/{first}/children", "rb") as file:
        return bool(file.read(1))


def watch_left(first: int, paths: frozenset[bytes]) -> None:
    """Let a process of its own watch what a call has left running: it may outlive us, and ends with what it watches."""
    code = WATCHER.format(path=str(Path(__file__).absolute().parents[4]), first=first, paths=sorted(paths))
    with contextlib.suppress(OSError):  # no room for a process: then nobody watches, as the manual says of a killed one
        start_drainer((sys.executable, "-I", "-S", "-c", code), subprocess.DEVNULL, subprocess.DEVNULL)


def watch(first: int, paths: frozenset[bytes]) -> None:
    """Wait until a mount is gone, and end the sandbox; or until it has ended by itself."""
    process, mounts, ended = os.pidfd_open(first), Mounts(first, paths), select.poll()
    ended.register(process, select.POLLIN)
    while not mounts.missing_mount():
        if ended.poll(LOOK * 1000):
            return
    signal.pidfd_send_signal(process, signal.SIGKILL)


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
def limit_resources(marked: contextlib.AbstractContextManager[None], running: int) -> Iterator[None]:
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

    It bounds the size of each file and, for an ordinary user, the number of processes; the filter of system calls keeps
    a command from raising these. For root the kernel does not count processes, and it never bounds what many files take
    together: that is looked at while the call runs.

    Args:
        directories: where it can write.
        count: gives how many processes it has.
    """

    def __init__(self, directories: Sequence[str], count: Callable[[], int]) -> None:
        self._count, self._most = count, tasks() + PROCESSES
        self._least = {each: _room(each) - DISK for each in directories}

    def excess(self) -> str:
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
