"""Processes of calls that keep a lock of asimi's own, which nothing would take but to stop asimi.

flock(2) asks only for an open file, and whoever may read it has one. So a command in a sandbox, which can write nothing
of asimi's, could lock its log and leave a process behind: nothing that has to be logged would run while that lives. No
asimi takes a lock by a descriptor that it cannot write to, so such a lock of a call's process is known for what it is,
and no asimi holds it meanwhile. The process is ended: a call may not outlive asimi's other calls by its lock.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.world.host.nested import is_call
from asimi.world.host.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterator


def end_holders(descriptor: int) -> None:
    """End the processes of calls that keep a lock on an open file by a descriptor that is only for reading.

    Only where the kernel shows what processes have open (proc_pid_fdinfo(5)); one that hides that keeps its lock.
    """
    if not hasattr(signal, "pidfd_send_signal"):
        return
    there = os.fstat(descriptor)
    for pid in _calls():
        with suppress(OSError):  # it has ended, or is another user's
            process = os.pidfd_open(pid)
            try:
                if is_call(pid) and _keeps(pid, (there.st_dev, there.st_ino)):
                    signal.pidfd_send_signal(process, signal.SIGKILL)
                    path = os.readlink(f"/proc/self/fd/{descriptor}")
                    say(f"asimi: process {pid} of a command that asimi runs kept a lock on {path}, so it was ended")
            finally:
                os.close(process)


def _calls() -> Iterator[int]:
    """Yield the processes of calls, but for ourselves."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return
    yield from (pid for pid in map(int, filter(str.isdecimal, names)) if pid != os.getpid() and is_call(pid))


def _keeps(pid: int, file: tuple[int, int]) -> bool:
    """Whether a process keeps a lock on a file, of this device and inode, by a descriptor that is only for reading."""
    for name in os.listdir(f"/proc/{pid}/fd"):
        with suppress(OSError):  # it was closed
            there = os.stat(f"/proc/{pid}/fd/{name}")
            if (there.st_dev, there.st_ino) != file:
                continue
            with open(f"/proc/{pid}/fdinfo/{name}", encoding="ascii", errors="replace") as lines:
                facts = [line.split() for line in lines]
            flags = next((int(fact[1], 8) for fact in facts if fact[:1] == ["flags:"]), os.O_RDWR)
            if flags & os.O_ACCMODE == os.O_RDONLY and any(fact[:1] == ["lock:"] for fact in facts):
                return True
    return False
