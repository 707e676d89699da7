"""The resident gate: one process of a user that answers hooks, so that not each of them starts Python's library anew.

It forks a child for each call. The child takes what the caller has (environment, directory, limits, umask), judges as
a hook by itself does, and ends. So no call meets another, and what a child learns ends with it. What says who may
answer is read of the caller, which lives as long as it waits.

A caller is greeted with its own number, and only where gate and caller are alike in all that decides what they may do
and see. Its request is a line with three lengths, beside its directory as a descriptor, and then: the words of its
line, its environment, its input. The answer is a line with the exit code and two lengths, then what belongs on standard
output and standard error.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import os
import pkgutil
import resource
import signal
import socket
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from asimi.compose.hook import wants_resident
from asimi.doors.hooks.client import key_of, path_of
from asimi.doors.hooks.driver import BLOCKED, main
from asimi.world.host.inherited import take_over
from asimi.world.host.nested import inside_call, is_limited, stand_for, started_at
from asimi.world.host.places import Lock, bases_written, places_at, private_directory
from asimi.world.host.sockets import Peer, address_of, listen_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DIRECTORY = "gates"
"""The name of the directory of their sockets, below that of runtime files."""

IDLE = 600.0
"""Seconds after which a gate ends that has answered no call; one that it could not answer is none."""

GLANCE = 30.0
"""Seconds after which a gate that nobody calls looks whether its socket is there."""

MOST = 16
"""Children at once; who comes then judges by itself."""

LIMITS = 16
"""How many limits a process has (`RLIM_NLIMITS`, <asm-generic/resource.h>)."""

SLOWEST = 5.0
"""Seconds within which a caller that was greeted must send its request."""

PRELOADED = (
    "core compose doors.hooks world.approvals world.approvers world.audit world.config world.host world.undo".split()
)
"""The packages whose modules the gate imports, so that its children need not."""

ALIKE = "Uid Gid Groups CapInh CapPrm CapEff CapBnd CapAmb NoNewPrivs Seccomp".split()
"""Lines of proc_pid_status(5) in which a caller must be as the gate is."""

SPACES = ("mnt", "net", "pid", "user")
"""Namespaces in which both must be (namespaces(7))."""

UNWANTED = 3
"""The exit code of a child that found a configuration that wants no gate."""


def leave_gate(bases: Sequence[str]) -> None:
    """Leave a gate behind for the next calls, unless something of this process would stay with it."""
    if "CI" in os.environ or inside_call(os.environ) or is_limited() or not wants_resident():
        return
    with suppress(OSError, ValueError):
        status = _status("self")
        if status["NoNewPrivs"] != "0" or status["Seccomp"] != "0" or os.stat(bases[0]).st_uid != os.geteuid():
            return
        if (child := os.fork()) == 0:
            try:
                os.setsid()
                if os.fork() == 0:
                    _become_gate(bases)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


def _become_gate(bases: Sequence[str]) -> None:
    """Start the gate in place of this process, with nothing of its caller's: no agent waits for a descriptor of it."""
    os.chdir("/")
    os.umask(0o022)
    os.closerange(0, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    for stream in range(3):
        os.open(os.devnull, os.O_RDWR)
        os.set_inheritable(stream, True)
    door = os.path.join(os.path.dirname(sys.modules["asimi"].__file__ or ""), "hooks", "door.py")
    os.execve(sys.executable, [sys.executable, "-I", "-S", door, "--resident", *bases], {})  # noqa: S606 - Python itself


def gates(runtime: str) -> Iterator[int]:
    """Yield the processes of this user that hear where resident gates do.

    Args:
        runtime: the directory of runtime files.
    """
    directory = os.path.join(runtime, DIRECTORY)
    for name in os.listdir(directory) if os.path.isdir(directory) else ():
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            if not name.endswith(".lock"):
                connection.settimeout(SLOWEST)
                for address in address_of(directory, name):
                    connection.connect(address)
                with Peer(connection) as peer:
                    if peer.user == os.geteuid() and peer.pid:
                        yield peer.pid


def stop_gates(runtime: str) -> list[int]:
    """End the resident gates; calls that one judges meanwhile are judged to their end.

    Args:
        runtime: the directory of runtime files.
    """
    found = [*gates(runtime)]
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    return found


def serve(bases: list[str], asimi: str) -> None:
    """Answer calls until none has come for a while, or asimi's files are others.

    Args:
        bases: the directories that the hooks keep to, as their line writes them.
        asimi: the directory that holds asimi's package.
    """
    runtime = private_directory(places_at(bases_written(bases)).runtime)
    directory = private_directory(os.path.join(runtime, DIRECTORY))
    path = path_of(bases, key_of(bases, asimi))
    lock = Lock(f"{path}.lock", wait=False)
    with lock as ours:
        if not ours or os.path.dirname(path) != directory:
            return
        with suppress(FileNotFoundError):
            os.unlink(path)
        files = [*_files(asimi)]
        for package in PRELOADED:
            found = import_module(f"asimi.{package}")
            for each in pkgutil.walk_packages(found.__path__, f"{found.__name__}."):
                with suppress(ImportError):  # it needs what only another door has
                    import_module(each.name)
        gc.collect()
        gc.freeze()
        with listen_at(path) as listener:
            number = _number(path)
            _Gate(listener, lock, asimi, files).answer(lambda: _number(path) == number)
        if _number(path) == number:
            os.unlink(path)


class _Gate:
    """A gate at its socket.

    Args:
        listener: the socket.
        lock: what says that this is the gate; no child keeps it.
        asimi: the directory that holds asimi's package.
        files: what is known of its files, as they were when they were loaded.
    """

    def __init__(self, listener: socket.socket, lock: Lock, asimi: str, files: list[tuple[str, int, int]]) -> None:
        self._listener, self._lock, self._asimi, self._files = listener, lock, asimi, files
        self._children: set[int] = set()
        self._wanted, self._last = True, time.monotonic()
        signal.signal(signal.SIGCHLD, self._reap)

    def answer(self, is_there: Callable[[], bool]) -> None:
        """Fork a child for each call, until there is a reason to end.

        Args:
            is_there: tells whether the socket is still this one.
        """
        while self._wanted and is_there() and (left := self._last + IDLE - time.monotonic()) > 0:
            self._listener.settimeout(min(left, GLANCE))
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            with connection:
                if [*_files(self._asimi)] != self._files:
                    return
                with suppress(OSError, ValueError, KeyError):
                    if len(self._children) < MOST:
                        self._fork(connection)

    def _fork(self, connection: socket.socket) -> None:
        """Answer one caller in a child, if it is one that a child can stand for.

        Raises:
            OSError, ValueError, KeyError: it is gone, or cannot be seen.
        """
        with Peer(connection) as peer:
            started = started_at(peer.pid)
            if peer.user != os.geteuid() or _confinement(str(peer.pid)) != _confinement("self"):
                return
            limits = [*_limits(peer.pid)]
            if any(_less(own, hard) for (_, _, hard), (_, _, own) in zip(limits, _limits(0), strict=True)):
                return
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
            try:
                child = os.fork()
                self._children.add(child)
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            if child:
                self._last = time.monotonic()
                return
            code = BLOCKED
            try:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                self._listener.close()
                self._lock.__exit__()
                stand_for(peer.pid)
                for which, soft, hard in limits:
                    resource.setrlimit(which, (soft, hard))
                if started and started_at(peer.pid) == started:
                    code = _serve_call(connection, peer.pid)
            finally:
                os._exit(code)

    def _reap(self, *_: object) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self._children.discard(ended[0])
                self._wanted = self._wanted and os.waitstatus_to_exitcode(ended[1]) != UNWANTED


def _serve_call(connection: socket.socket, caller: int) -> int:
    """Judge one call as its caller would; the exit code of this child."""
    connection.settimeout(SLOWEST)
    connection.sendall(b"%d\n" % caller)
    head, descriptors, _, _ = socket.recv_fds(connection, 64, 1)
    while not head.endswith(b"\n"):
        head += connection.recv(1)
    sizes = [*map(int, head.split())]
    data = b""
    while len(data) < sum(sizes):
        piece = connection.recv(1 << 20)
        if not piece:
            return BLOCKED
        data += piece
    words, environ, given = data[: sizes[0]], data[sizes[0] : -sizes[2] or None], data[len(data) - sizes[2] :]
    agent, code, seconds, *bases, utf8 = os.fsdecode(words).split("\0")
    os.fchdir(descriptors[0])
    os.close(descriptors[0])
    os.umask(int(_status(str(caller))["Umask"], 8))
    os.environb.clear()
    os.environb.update(entry.partition(b"=")[::2] for entry in environ.split(b"\0") if entry)
    time.tzset()  # a rule may end with a day
    take_over(caller, utf8=utf8 == "1")
    _end_with(connection)
    connection.settimeout(0)
    with suppress(BlockingIOError):
        if not connection.recv(1):
            return BLOCKED  # it was gone before
    out, err = (os.memfd_create(name) for name in ("out", "err"))
    stdin = os.memfd_create("in")
    os.write(stdin, given)
    os.lseek(stdin, 0, os.SEEK_SET)
    for stream, file in enumerate((stdin, out, err)):
        os.dup2(file, stream)
    status = main(None, agent, bases, int(code), int(seconds))
    atexit._run_exitfuncs()  # noqa: SLF001 - what waits for an answer takes its question away then
    said = [os.pread(each, os.fstat(each).st_size, 0) for each in (out, err)]
    fcntl.fcntl(connection, fcntl.F_SETFL, fcntl.fcntl(connection, fcntl.F_GETFL) & ~os.O_ASYNC)
    connection.settimeout(SLOWEST)
    connection.sendall(b"%d %d %d\n" % (status, *map(len, said)) + b"".join(said))
    return 0 if wants_resident() else UNWANTED


def _end_with(connection: socket.socket) -> None:
    """Let the kernel end this process as soon as its caller is gone (SIGIO, fcntl(2)): nobody hears the answer then."""
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(connection, fcntl.F_SETFL, fcntl.fcntl(connection, fcntl.F_GETFL) | os.O_ASYNC)


def _confinement(pid: str) -> list[object]:
    """Return what the kernel lets a process do and see.

    Raises:
        OSError, KeyError: it does not tell.
    """
    status, root = _status(pid), os.stat(f"/proc/{pid}/root")
    spaces = [os.readlink(f"/proc/{pid}/ns/{name}") for name in SPACES]
    label = b""
    with suppress(OSError), open(f"/proc/{pid}/attr/current", "rb") as file:
        label = file.read()
    return [*(status[name] for name in ALIKE), *spaces, root.st_dev, root.st_ino, label]


def _status(pid: str) -> dict[str, str]:
    """Return what proc_pid_status(5) says of a process."""
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="surrogateescape") as file:
        return {name: value.strip() for name, _, value in (line.partition(":") for line in file)}


def _limits(pid: int) -> Iterator[tuple[int, int, int]]:
    """Yield each limit of a process; 0 for ourselves."""
    for which in range(LIMITS):
        yield (which, *resource.prlimit(pid, which))


def _less(one: int, other: int) -> bool:
    """Whether a limit is below another; -1 is none."""
    return one != resource.RLIM_INFINITY and (other == resource.RLIM_INFINITY or one < other)


def _number(path: str) -> int:
    """Return the number of what is at a path; 0 for nothing."""
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def _files(asimi: str) -> Iterator[tuple[str, int, int]]:
    """Yield each file of asimi's and its Python, with its number and its last change."""
    for directory, below, names in os.walk(os.path.join(asimi, "asimi")):
        below[:] = sorted(each for each in below if each != "__pycache__")
        for name in sorted(names):
            there = os.stat(os.path.join(directory, name))
            yield os.path.join(directory, name), there.st_ino, there.st_mtime_ns
    there = os.stat(sys.executable)
    yield sys.executable, there.st_ino, there.st_mtime_ns
