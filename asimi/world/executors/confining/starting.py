"""A process started by a thread that confines itself and ends, so that asimi itself is never confined.

Not by `subprocess` nor `os.posix_spawn`: they keep all other threads of ours waiting until the exec, which hangs for
ever once one of these has to judge that exec. The C library's `posix_spawn` lets them run, and tells each failure.
"""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import threading
import time

from asimi.core.lean import TYPE_CHECKING
from asimi.world.executors.confining.system import Unconfined, libc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

DEFAULT_SIGNALS, EMPTY_MASK, NEW_SESSION = 0x04, 0x08, 0x80  # <spawn.h>: POSIX_SPAWN_SETSIGDEF, _SETSIGMASK, _SETSID
BOTH = "What is to hold the command"  # a sandbox, exec rules, or both
ENDING = 5.0
"""Seconds that a thread which has done its work may take to go."""


class Confined:
    """A process that was started in a sandbox, as `asyncio.subprocess.Process` has it.

    Attributes:
        pid: its id.
        returncode: its exit status, -n for a signal; None while it runs.

    Raises:
        OSError: it cannot be waited for, and is ended.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        try:
            self._descriptor = os.pidfd_open(pid)
            self._loop.add_reader(self._descriptor, self._end)
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise

    async def wait(self) -> None:
        """Wait until it has ended; may be cancelled and called again."""
        await asyncio.shield(self._ended)

    def _end(self) -> None:
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)
        try:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        except ChildProcessError:
            self.returncode = 255  # somebody else in this process waited for it; as asyncio says it
        self._ended.set_result(None)


class Start:
    """What is started, laid out for the C library.

    Args:
        argv: the program and its arguments.
        directory: the path to enter.
        environment: its whole environment.
        streams: descriptors of its standard input, output and error, and of what it gets as 3, 4 and so on.
    """

    def __init__(
        self,
        argv: Sequence[str],
        directory: str,
        environment: Mapping[bytes, bytes],
        streams: Sequence[int],
    ) -> None:
        self._name, self._paths = argv[0], candidates(argv[0], environment)
        self._argv = _strings([os.fsencode(word) for word in argv])
        self._environment = _strings([name + b"=" + value for name, value in environment.items()])
        self._directory, self._streams = os.fsencode(directory), streams

    def __call__(self) -> int:
        """Start it from this very thread; its id.

        Raises:
            Unconfined: the C library is too old.
            OSError: it cannot be started; the `filename` is its name.
        """
        if not hasattr(libc(), "posix_spawn_file_actions_addclosefrom_np"):
            raise Unconfined("it needs glibc 2.34", BOTH)
        code = errno.ENOENT
        with _above(self._streams) as streams, self._actions(streams) as actions, _attributes() as attributes:
            for path in self._paths:
                pid = ctypes.c_int()
                failed = libc().posix_spawn(ctypes.byref(pid), path, actions, attributes, self._argv, self._environment)
                if not failed:
                    return pid.value
                if failed not in (errno.ENOENT, errno.ENOTDIR):
                    code = failed
        raise OSError(code, os.strerror(code), self._name)

    @contextlib.contextmanager
    def _actions(self, streams: Sequence[int]) -> Iterator[ctypes.Array[ctypes.c_char]]:
        """What the child does before its exec: takes its streams, enters its directory, closes all else."""
        actions = ctypes.create_string_buffer(1024)  # more than any libc needs
        _done(libc().posix_spawn_file_actions_init(actions))
        try:
            for number, descriptor in enumerate(streams):
                _done(libc().posix_spawn_file_actions_adddup2(actions, descriptor, number))
            _done(libc().posix_spawn_file_actions_addchdir_np(actions, self._directory))
            _done(libc().posix_spawn_file_actions_addclosefrom_np(actions, len(streams)))
            yield actions
        finally:
            libc().posix_spawn_file_actions_destroy(actions)


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
            done.append(start())
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


def candidates(name: str, environment: Mapping[bytes, bytes]) -> list[bytes]:
    """The paths by which a program may be found, as `subprocess` looks for it in the child's own PATH."""
    if os.path.dirname(name):
        return [os.fsencode(name)]
    return [os.path.join(os.fsencode(each), os.fsencode(name)) for each in os.get_exec_path(environment)]  # type: ignore[arg-type]


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


@contextlib.contextmanager
def _above(streams: Sequence[int]) -> Iterator[list[int]]:
    """The same descriptors, none of which another of them will be put in the place of."""
    with contextlib.ExitStack() as moved:

        def above(descriptor: int) -> int:
            if descriptor >= len(streams):
                return descriptor
            copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, len(streams))
            moved.callback(os.close, copy)
            return copy

        yield [above(each) for each in streams]


@contextlib.contextmanager
def _attributes() -> Iterator[ctypes.Array[ctypes.c_char]]:
    """A session of its own, every signal at its default and none blocked."""
    attributes, none = ctypes.create_string_buffer(1024), ctypes.create_string_buffer(128)
    every = ctypes.create_string_buffer(b"\xff" * 128)  # sigfillset leaves two out, and glibc has those ignored
    _done(libc().posix_spawnattr_init(attributes))
    try:
        _done(libc().posix_spawnattr_setsigdefault(attributes, every))
        _done(libc().posix_spawnattr_setsigmask(attributes, none))
        flags = ctypes.c_short(DEFAULT_SIGNALS | EMPTY_MASK | NEW_SESSION)
        _done(libc().posix_spawnattr_setflags(attributes, flags))
        yield attributes
    finally:
        libc().posix_spawnattr_destroy(attributes)


def _done(code: int) -> None:
    """These calls return what is wrong, and leave `errno` alone."""
    if code:
        raise Unconfined(f"posix_spawn: {os.strerror(code)}", BOTH)


def _strings(words: Sequence[bytes]) -> ctypes.Array[ctypes.c_char_p]:
    """A null-terminated array of strings.

    Raises:
        ValueError: one holds a NUL, where the C library would end it.
    """
    if any(b"\0" in word for word in words):
        raise ValueError("embedded null byte")
    return (ctypes.c_char_p * (len(words) + 1))(*words, None)
