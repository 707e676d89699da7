"""The processes of a call on Linux: a mark that survives everything, the session, the descendants.

With `adopt` (the command line and the server) this process is the *child subreaper* (prctl(2)) of all it starts: what
loses its parent becomes our child, so one short file under /proc holds everything that a command left behind, and
nothing stays a zombie. A library must not change its host like that; there every process of the machine is asked for
its mark, which takes a microsecond or two each.

The mark is the soft limit of RLIMIT_LOCKS, which the kernel has ignored since 2.4.25, is 64 bits wide, and is copied at
fork. Where a sandbox refuses to set it, session and descendants remain. With `adopt` the hard limit is lowered, too: no
program of an ordinary user gets rid of that again, not in a namespace of its own either (capabilities(7),
CAP_SYS_RESOURCE), so `nested.py` knows it for a command's.
"""

from __future__ import annotations

import errno
import os
import resource
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from asimi.world.executors.processes import DIRECT, DRAINERS, SPAWN, Mark, reap_drainers
from asimi.world.host.nested import CEILING, COUNTED, MAGIC, RLIMIT_LOCKS, has_ended, limits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
"""Clock ticks a second, in which /proc/PID/stat counts."""


_PAGE = 2048
"""Bytes of a list of children that surely came in one read; the kernel gives at most a page at once."""


class LinuxFinder:
    """The evidence that Linux has."""

    kind = "linux"

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.adopting = False
        self._count = int.from_bytes(os.urandom(4), "big")
        self._live: dict[int, Mark] = {}
        self._known: set[int] = set()
        self._children = -1
        self._numbered = True
        # Ours while we adopt: who descends from us is known to even if it left every mark of its call behind.
        self._own_number = MAGIC << 48 | (self.pid & 0x3FFFFF) << 26
        self._limit: tuple[int, int] | None = None
        self._orphaned: set[int] = set()  # calls that began before we adopted, so others may have what they left

    def adopt(self) -> None:
        """Become the child subreaper; also of what is already running."""
        if self.adopting:
            return
        from asimi.world.executors.starting import c_library

        done = c_library().prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
        with suppress(OSError):  # a kernel without CONFIG_PROC_CHILDREN, or none at all below
            self._children = os.open(f"/proc/self/task/{self.pid}/children", os.O_RDONLY | os.O_CLOEXEC)
        self.adopting = done and self._children >= 0
        with suppress(OSError, ValueError):
            before = resource.getrlimit(RLIMIT_LOCKS)
            if before[0] >> 48 != MAGIC:  # else we are in a call ourselves, whose mark must stay
                hard = CEILING if before[1] == resource.RLIM_INFINITY else before[1]
                resource.setrlimit(RLIMIT_LOCKS, (self._own_number, hard))
                self._limit = before
        self._orphaned = set(self._live)

    def close(self) -> None:
        """Give back what is held open."""
        if self._children >= 0:
            os.close(self._children)
            self._children, self.adopting = -1, False
        if self._limit is not None:
            with suppress(OSError, ValueError):
                resource.setrlimit(RLIMIT_LOCKS, self._limit)
            self._limit = None

    def begin(self, id: str) -> Mark:  # noqa: A002 - the id of a call, as everywhere
        """A mark with a number that no other call on this machine has.

        Below `MAGIC` it has 22 bits of our process id (the kernel's largest), then 26 that count; never zero, which
        is our own.
        """
        self._count += 1 if (self._count + 1) & COUNTED else 2
        mark = Mark(id, MAGIC << 48 | (self.pid & 0x3FFFFF) << 26 | self._count & COUNTED)
        self._live[mark.number] = mark
        return mark

    def main(self, mark: Mark, pid: int) -> Mark:
        """With its id and its start time, by our own clock: /proc makes us wait until its exec is through."""
        now = int(time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS)
        mark = self._live[mark.number] = Mark(mark.id, mark.number, pid, now)
        return mark

    def end(self, mark: Mark) -> None:
        """Forget it; its processes keep the number."""
        self._live.pop(mark.number, None)
        self._orphaned.discard(mark.number)

    def variables(self, _mark: Mark, _environment: Mapping[str, str]) -> dict[str, str]:
        """None: the environment of a command is the person's."""
        return {}

    @contextmanager
    def mark_children(self, mark: Mark) -> Iterator[None]:
        """Our own limit for a moment; a child copies it at fork, so there is no race."""
        before = resource.getrlimit(RLIMIT_LOCKS)
        try:
            resource.setrlimit(RLIMIT_LOCKS, (mark.number, before[1]))
        except (OSError, ValueError):
            self._numbered = False
        try:
            yield
        finally:
            if self._numbered:
                resource.setrlimit(RLIMIT_LOCKS, before)

    def start_time(self, pid: int) -> int:
        """Clock ticks since boot."""
        with suppress(OSError):
            if fields := _stat(pid):
                return int(fields[19])
        return 0

    def same(self, pid: int, started: int) -> bool:
        """Whether it started then, give or take what our clock may be off."""
        return started > 0 and abs(self.start_time(pid) - started) <= TICKS // 10

    def alive(self, mark: Mark, certain: Collection[int] = (), *, thorough: bool = False) -> set[int]:  # noqa: ARG002
        """Walk down from what we adopted, or ask every process; and whoever these started."""
        found: set[int] = set()
        for pid in certain:
            self._descend(pid, found)
        if self.adopting:
            for pid in self._adopted_children(mark):
                self._descend(pid, found)
        if not self.adopting or mark.number in self._orphaned:
            for pid in _all():
                if pid not in found and self._belongs(pid, mark):
                    self._descend(pid, found)
        return {pid for pid in found if _runs(pid)}

    def may_have_left(self, mark: Mark, _held: Callable[[], bool]) -> bool:
        """Whether we have any child that we did not start ourselves; true where that cannot be told."""
        if not self.adopting or mark.number in self._orphaned or DRAINERS:
            return True
        return not DIRECT.issuperset(self._own())

    def reap(self) -> bool:
        """Wait for what was left to us: only what bears a mark of ours or is known, never what others started."""
        with SPAWN:
            more = reap_drainers()
            if not self.adopting:
                return more
            for pid in self._own():
                if pid in DIRECT:
                    continue
                number = _number(pid)
                marked = number is not None and number >> 48 == MAGIC and number != self._own_number
                ours = pid in self._known or marked
                if not ours or (number in self._live and not self._live[number].main):
                    continue  # one of ours that is just being started: its own Popen waits for it
                if has_ended(pid):
                    self._known.discard(pid)
                else:
                    more = True
            return more

    def remember(self, pids: Collection[int]) -> None:
        """Remember them."""
        if self.adopting:  # else we reap none; those that others have waited for are forgotten
            self._known = {pid for pid in self._known if os.path.exists(f"/proc/{pid}")} | set(pids)

    def _adopted_children(self, mark: Mark) -> Iterator[int]:
        """Our children that belong to a call, its main process among them."""
        with SPAWN:  # nobody is between fork and exec
            own = self._own()
        alone = list(self._live) == [mark.number]
        for pid in own:
            if pid != mark.main and pid in DIRECT:
                continue
            if self._belongs(pid, mark) or (alone and self._stray(pid, mark)):
                yield pid

    def _belongs(self, pid: int, mark: Mark) -> bool:
        """Whether a process is one of a call's."""
        number = _number(pid)
        if number is None:
            return False
        if mark.number and number == mark.number:
            return True
        if number in self._live:
            return False  # another call's
        return mark.main > 0 and _session(pid) == mark.main

    def _stray(self, pid: int, mark: Mark) -> bool:
        """Whether a process that we adopted can only come from the one call there is.

        It bears no mark, or that of an asimi which the call started and which is gone. What a program around us started
        itself is in our own session. As process 1 we adopt what others left, too.
        """
        number = _number(pid)
        if self.pid == 1 or number is None or pid in self._known:
            return False
        if number >> 26 == self._own_number >> 26 or (number >> 48 == MAGIC and number == _number(0)):
            return False  # it is of another call of ours, or of the call that we are in ourselves
        return _session(pid) != _session(0) and self.start_time(pid) >= mark.started - TICKS > 0

    def _own(self) -> list[int]:
        """The children of our main thread, to which the kernel also gives what we adopt."""
        data = self._read_children()
        found = dict.fromkeys(map(int, data.split()))
        while len(data) > _PAGE:  # while one ends, the kernel may skip another on the next page (proc(5), children)
            data = self._read_children()
            before = len(found)
            found |= dict.fromkeys(map(int, data.split()))
            if len(found) == before:
                break
        return list(found)

    def _read_children(self) -> bytes:
        """The whole list of children; one read gives a page of it at most."""
        pieces, at = list[bytes](), 0
        while piece := os.pread(self._children, 65536, at):
            pieces.append(piece)
            at += len(piece)
        return b"".join(pieces)

    def _descend(self, pid: int, found: set[int]) -> None:
        """Add a process and all below it."""
        waiting = [pid]
        while waiting:
            pid = waiting.pop()
            if pid in found:
                continue
            found.add(pid)
            try:
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                        waiting += map(int, file.read().split())
            except OSError:  # it is gone, or the kernel has no such file
                continue


def _number(pid: int) -> int | None:
    """A process's mark; None where it is gone."""
    limits = limits_of(pid)
    return None if limits is None else limits[0]


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def _stat(pid: int) -> list[bytes] | None:
    """The fields of /proc/PID/stat from the third on (proc(5)), or None where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            return file.read(4096).rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return None


def _runs(pid: int) -> bool:
    try:
        fields = _stat(pid)
    except OSError as error:  # no descriptor left to look with: whoever is there counts
        return error.errno in (errno.EMFILE, errno.ENFILE)
    return fields is not None and fields[0] not in (b"Z", b"X")


def _all() -> Iterator[int]:
    own = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdigit() and (pid := int(name)) != own:
            yield pid
