"""Checks that all mounts of a box are still there, and puts them back.

The kernel drops a mount in silence when somebody outside replaces or removes what it lies on (see `mounts`). asimi can
wait on the table of mounts (proc_pid_mountinfo(5): it polls as exceptional), so it sees that at once, and a rename,
which takes the mount along, a moment later. Then it stops everything inside, a separate process enters the box's mount
namespace and mounts again what is there now, and all goes on. If something cannot be mounted again, the box ends.

A mount is put back with what lies at the path inside: what asimi mounts below a writable directory lies on itself, and
hidden paths have an empty directory or /dev/null over them.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time

from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING
from asimi.world.executors.confining.bounds import LOOK, tasks
from asimi.world.executors.confining.mounts import points
from asimi.world.executors.confining.system import Unconfined

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from asimi.world.box.appearing import Watch

AGAIN = 60.0
"""Seconds between two looks for new paths to hide."""

PROCESSES = 4096
"""Processes and threads inside, beside all that ran on this machine at the start."""

PATIENCE = 20.0
"""Seconds in which all that is inside stands still, on a busy machine."""

REMOUNTING = 20.0
"""Seconds in which what was lost is mounted again, on a busy machine; the inside stands still meanwhile."""

TRIES = 20
"""How often it is mounted again: whoever replaces it outside may do so many times in a row, as `git config` does."""

ENTERING = """\
import ctypes, fcntl, json, os, stat, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
first, jobs = int(sys.argv[1]), json.loads(sys.argv[2])
def call(number, *arguments):
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    done = libc.syscall(ctypes.c_long(number), *words)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), number)
    return done
def opened(path):
    how = struct.pack("=QQQ", os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, 0, 4)
    descriptor = call(437, -100, os.fsencode(path), how, len(how))
    if stat.S_ISLNK(os.fstat(descriptor).st_mode):
        raise OSError(40, "it is a symbolic link now", path)
    return descriptor
mounts = os.open(f"/proc/{first}/ns/mnt", os.O_RDONLY)
user = fcntl.ioctl(mounts, 0xB701)
if os.stat(user).st_ino != os.stat("/proc/self/ns/user").st_ino and libc.setns(user, 0x10000000):
    raise OSError(ctypes.get_errno(), "setns of the user namespace")
if libc.setns(mounts, 0x00020000):
    raise OSError(ctypes.get_errno(), "setns of the mount namespace")
for path, kind in jobs:
    there = opened(path)
    source = {"directory": "/run/asimi/empty", "file": "/dev/null"}.get(kind)
    tree = call(428, there if source is None else opened(source), b"", 0x1000 | 0x8000 | 1 | os.O_CLOEXEC)
    if kind != "rw":
        wanted = struct.pack("=QQQQ", 1, 0, 0, 0)
        call(442, tree, b"", 0x1000, wanted, len(wanted))
    call(429, tree, b"", there, b"", 0x04 | 0x40)
"""
"""What the process runs: `openat2` with `RESOLVE_NO_SYMLINKS`, `open_tree` with `OPEN_TREE_CLONE`, `mount_setattr` with
`MOUNT_ATTR_RDONLY`, `move_mount`; the owner of the mount namespace is joined first (ioctl_ns(2), `NS_GET_USERNS`)."""


class Holding:
    """The mounts of one box that must be there as long as it lives.

    Args:
        first: the first process of the box.
        covers: paths on which something is mounted, with what: `rw` or `ro` for what is there itself, `directory` and
            `file` for what hides one.
        renew: has something hold a name again that nothing has any more.
        watch: the names that are watched.
        again: gives what is to be hidden now; asked every minute.
    """

    def __init__(
        self,
        first: int,
        covers: Mapping[str, str],
        renew: Callable[[str], None],
        watch: Watch,
        again: Callable[[], Collection[str]],
    ) -> None:
        self._first, self._covers, self._renew, self._names = first, dict(covers), renew, watch
        self._again, self._next = again, time.monotonic() + AGAIN
        self._most = tasks() + PROCESSES
        self._lock, self._why = threading.RLock(), ""
        self._process = os.pidfd_open(first)
        self._closing, self._closed = os.pipe()
        self._thread = threading.Thread(target=self._watch, name="asimi box", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no longer."""
        os.close(self._closed)
        self._thread.join()
        for descriptor in (self._closing, self._process):
            os.close(descriptor)

    def held(self) -> str:
        """Put back what was lost; in words what cannot be, empty if all is there."""
        with self._lock:
            try:
                appeared = self._names.appeared()
                self._why = self._why or self._exceeded()
                if not self._why and (appeared or self._lost()):
                    with self.still():
                        self._names.move(appeared)
                        self._why = self._put_back()
            except Exception as error:  # noqa: BLE001 - whatever it is, nothing is known to be held any more
                self._why = "the box has ended" if self._has_ended() else str(error) or type(error).__name__
            return self._why

    def hide(self, paths: Collection[str]) -> None:
        """Hide what was not there at the start; what cannot be seen inside needs nothing."""
        with self._lock:
            for path in paths:
                if path not in self._covers and os.path.lexists(f"/proc/{self._first}/root{path}"):
                    self._covers[path] = "directory" if os.path.isdir(path) and not os.path.islink(path) else "file"

    def _exceeded(self) -> str:
        """Of what the inside takes too much, in words: the kernel counts no processes for root."""
        if tasks() > self._most and len(self._inside()) > PROCESSES:
            return f"it has more than {PROCESSES} processes"
        return ""

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """Let nothing inside run meanwhile.

        Raises:
            Unconfined: something does not stop.
        """
        with self._lock:
            stopped: list[int] = []
            try:
                self._stop(stopped)
                yield
            finally:
                for pid in reversed(stopped):  # the children first, so no shell takes its job for a stopped one
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGCONT)

    def _stop(self, stopped: list[int]) -> None:
        """Stop everything, those above before those below them; what is stopped already stays so afterwards."""
        end, quiet = time.monotonic() + PATIENCE, 0
        before = {pid for pid in self._inside() if _state(pid) in "Tt"}
        while quiet < 2:  # one that runs could wake another behind our back, until none runs
            running = [pid for pid in self._inside() if not _stands(pid)]
            for pid in running:
                if pid not in stopped and pid not in before:
                    stopped.append(pid)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            quiet = 0 if running else quiet + 1
            if time.monotonic() > end:
                raise Unconfined("something inside does not stop", "The box")
            if running:
                time.sleep(0.001)

    def _inside(self) -> list[int]:
        """All processes of the box, the first one first: whoever loses its parent gets that one (pid_namespaces(7))."""
        children: dict[int, list[int]] = {}
        for name in filter(str.isdecimal, os.listdir("/proc")):
            with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                children.setdefault(int(file.read().rpartition(b") ")[2].split()[1]), []).append(int(name))
        found = [self._first]
        for pid in found:
            found += children.get(pid, ())
        return found

    def _lost(self) -> list[str]:
        """Where nothing is mounted any more, the shorter paths first."""
        there = self._mounted()
        missing = [path for path in self._covers if path not in there]
        if missing:
            there |= self._mounted()  # a table that changes while it is read tells less than there is
        kinds = ("directory", "file")
        return sorted(
            path for path in missing if path not in there and (self._covers[path] not in kinds or os.path.lexists(path))
        )

    def _mounted(self) -> set[str]:
        with open(f"/proc/{self._first}/mountinfo", "rb") as table:
            found = points(table.readlines())
        if not found:
            raise OSError("the box has ended")
        return {os.fsdecode(path) for path in found}

    def _put_back(self) -> str:
        """Mount what is missing, until nothing is; in words what cannot be, empty if all is there."""
        why = ""
        for number in range(TRIES):
            if not (lost := self._lost()):
                return ""
            time.sleep(0.01 * number)
            try:
                why = self._mount_again(lost)
            except OSError as error:  # what is there changed under it
                why = str(error)
        return f"what was replaced outside cannot be held again: {why}" if self._lost() else ""

    def _mount_again(self, lost: Sequence[str]) -> str:
        """Mount what is missing, and have names held that nothing has any more; say what failed.

        Args:
            lost: where nothing is mounted any more, the shorter paths first.

        Raises:
            OSError: a name cannot be held.
            subprocess.TimeoutExpired: mounting takes too long.
        """
        jobs: list[tuple[str, str]] = []
        for path in lost:
            if not os.path.lexists(path):
                above = os.path.dirname(path)
                if not os.path.isdir(above) or any(above.startswith(f"{each}/") or above == each for each, _ in jobs):
                    if self._covers[path] == "ro" and os.path.isdir(above):
                        self._renew(path)
                    else:  # what is above holds its name, and nothing can be made in there
                        del self._covers[path]
                        continue
                else:
                    self._renew(path)
                    self._covers[path] = "ro"
            elif self._covers[path] in {"directory", "file"}:
                self._covers[path] = "directory" if os.path.isdir(path) else "file"
            jobs.append((path, self._covers[path]))
        words = (sys.executable, "-I", "-S", "-c", ENTERING, str(self._first), json.dumps(jobs))
        done = subprocess.run(words, env={}, cwd="/", capture_output=True, timeout=REMOUNTING, check=False)
        return done.stderr.decode(errors="replace").strip().rpartition("\n")[2] if done.returncode else ""

    def _watch(self) -> None:
        """Look each time that the table of mounts changes, and end the box where it cannot be kept."""
        with contextlib.suppress(OSError), open(f"/proc/{self._first}/mountinfo", "rb") as table:
            events = select.poll()
            events.register(table, select.POLLPRI | select.POLLERR)
            events.register(self._process, select.POLLIN)
            events.register(self._closing, select.POLLIN)
            while True:
                ready = {descriptor for descriptor, _ in events.poll(LOOK * 1000)}  # a rename changes no table
                if ready & {self._process, self._closing}:
                    return
                if time.monotonic() >= self._next:
                    with contextlib.suppress(AsimiError):  # a broken configuration, which refuses each call
                        self.hide(self._again())
                    self._next = time.monotonic() + AGAIN
                if self.held():
                    with contextlib.suppress(ProcessLookupError):
                        signal.pidfd_send_signal(self._process, signal.SIGKILL)
                    return

    def _has_ended(self) -> bool:
        return _state(self._first) in "ZX"


def _stands(pid: int) -> bool:
    """Whether no thread of a process runs: it is stopped, has ended, or is gone."""
    try:
        return all(_state(pid, thread) in "TtZX" for thread in os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return True


def _state(pid: int, thread: str = "") -> str:
    """The state of a process or thread (proc_pid_stat(5)); `X` where it is gone."""
    path = f"/proc/{pid}/task/{thread}/stat" if thread else f"/proc/{pid}/stat"
    try:
        with open(path, "rb") as file:
            return file.read().rpartition(b") ")[2][:1].decode() or "X"
    except OSError:
        return "X"
