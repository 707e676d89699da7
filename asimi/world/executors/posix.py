"""The processes of a call where there is neither /proc nor a subreaper: macOS, the BSDs.

What is known there comes from ps(1): the session and the process group of each process, its parent, and on macOS the
environment of one's own processes. A process that left all of these behind (`env -i setsid` with its parent gone) is
not found; `asimi help platforms` says so. `ps` takes milliseconds, so it is asked only when something hints that there
is anything to find: the group still has members, or a pipe is still held.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.executors.processes import SPAWN, Mark, Token, reap_drainers
from asimi.world.host.nested import TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

LIST = ("-A", "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=")
"""POSIX names all of these but `stat`, which every ps has."""
ENVIRONMENTS = ("-A", "-E", "-ww", "-o", "pid=", "-o", "command=")
"""macOS: with -E the environment follows the command."""
STARTED = ("-o", "lstart=", "-p")


class _Process(NamedTuple):
    pid: int
    parent: int
    group: int
    state: str


def ask_ps(*arguments: str) -> str:
    """What ps(1) prints; empty where it fails."""
    with SPAWN, contextlib.suppress(OSError):
        done = subprocess.run(("ps", *arguments), capture_output=True, check=False, stdin=subprocess.DEVNULL)
        return done.stdout.decode(errors="replace")
    return ""


class PosixFinder(Token):
    """The evidence that every Unix has.

    Args:
        ps: asks ps(1).
        session: the session of a process; raises OSError where it is gone.
    """

    kind = "posix"

    def __init__(self, ps: Callable[..., str] = ask_ps, session: Callable[[int], int] = os.getsid) -> None:
        self._ps, self._session = ps, session

    def main(self, mark: Mark, pid: int) -> Mark:
        """With its id; the start time to the second, as ps tells it."""
        return mark._replace(main=pid, started=int(time.time()))

    def start_time(self, pid: int) -> int:
        """Seconds since the epoch."""
        said = self._ps(*STARTED, str(pid)).strip()
        for form in ("%a %b %d %H:%M:%S %Y", "%a %d %b %H:%M:%S %Y"):
            with contextlib.suppress(ValueError):
                return int(time.mktime(time.strptime(said, form)))
        return 0

    def same(self, pid: int, started: int) -> bool:
        """Whether it started then, give or take two seconds."""
        return started > 0 and abs(self.start_time(pid) - started) <= 2

    def may_have_left(self, mark: Mark, held: Callable[[], bool]) -> bool:
        """The group still has members, or a pipe is held."""
        try:
            os.killpg(mark.main, 0)
        except OSError:
            return held()
        return True

    def alive(self, mark: Mark, certain: Collection[int] = (), *, thorough: bool = False) -> set[int]:
        """Those of its session and its group, those with its token, and whoever these started."""
        processes = self._processes()
        found = set(certain) & processes.keys()
        for process in processes.values():
            if mark.main and (process.group == mark.main or self._session_of(process.pid) == mark.main):
                found.add(process.pid)
        if thorough or found:
            found |= self._with_token(mark.id) & processes.keys()
        while more := {one.pid for one in processes.values() if one.parent in found} - found:
            found |= more
        return {pid for pid in found if not processes[pid].state.startswith("Z")} - {os.getpid()}

    def reap(self) -> bool:
        """Our drainers; the rest are not our children."""
        with SPAWN:
            return reap_drainers()

    def _processes(self) -> dict[int, _Process]:
        processes = {}
        for line in self._ps(*LIST).splitlines():
            fields = line.split()
            if len(fields) >= 4 and all(field.lstrip("-").isdigit() for field in fields[:3]):
                pid, parent, group = map(int, fields[:3])
                processes[pid] = _Process(pid, parent, group, fields[3])
        return processes

    def _with_token(self, id: str) -> set[int]:  # noqa: A002 - the id of a call, as everywhere
        found = set()
        for line in self._ps(*ENVIRONMENTS).splitlines():
            pid, _, rest = line.strip().partition(" ")
            for word in rest.split(" "):
                name, equals, value = word.partition("=")
                if equals and name == TOKEN and id in value.split(":") and pid.isdigit():
                    found.add(int(pid))
        return found

    def _session_of(self, pid: int) -> int:
        try:
            return self._session(pid)
        except OSError:
            return 0
