"""Starting a process through the C library, and waiting for it.

`posix_spawn` of glibc 2.34 and later can do all that a start of ours needs: enter a directory, close what is not the
child's, begin a session, reset signals; and it says of each failure what it was.
"""

from __future__ import annotations

import asyncio
import ctypes
import errno
import os
import signal
import sys
from _thread import start_new_thread
from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

DEFAULT_SIGNALS, EMPTY_MASK, NEW_SESSION = 0x04, 0x08, 0x80  # <spawn.h>: POSIX_SPAWN_SETSIGDEF, _SETSIGMASK, _SETSID
ENCODING, ERRORS = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
ROOM = 1024
"""Bytes that are more than any C library needs for what it is told of a start."""


class Child:
    """A process that we wait for, in the event loop that runs now: by a pidfd, where there is none in a thread.

    Args:
        pid: its id.

    Attributes:
        pid: its id.
        returncode: its exit status, -n for a signal; None while it runs.

    Raises:
        OSError: it cannot be waited for, and is ended; it has no `filename`.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Future[None] | None = None
        try:
            self._begin()
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise

    async def wait(self) -> None:
        """Wait until it has ended; may be cancelled and called again, but not twice at once."""
        while self.returncode is None:
            self._waiting = self._loop.create_future()
            await self._waiting

    def _begin(self) -> None:
        try:
            self._descriptor = os.pidfd_open(self.pid)
        except (AttributeError, OSError) as error:  # another system, an old kernel, or a sandbox forbids it
            if getattr(error, "errno", 0) in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                raise
            try:
                start_new_thread(self._wait_beside, ())
            except RuntimeError:
                raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from None
        else:
            self._loop.add_reader(self._descriptor, self._end)

    def _end(self) -> None:
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)
        self._tell(_waited_for(self.pid))

    def _wait_beside(self) -> None:
        code = _waited_for(self.pid)
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._tell, code)

    def _tell(self, code: int) -> None:
        self.returncode = code
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


def _waited_for(pid: int) -> int:
    """Wait for a process; its exit code, -n for a signal."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:
        return 255  # somebody else in this process waited for it; as asyncio says it


@cache
def c_library() -> ctypes.PyDLL:
    """The C library; calls of it hold up all other threads of ours, so none of them starts a process meanwhile."""
    return ctypes.PyDLL(None)


@cache
def able() -> bool:
    """Whether it can do all that is needed."""
    return sys.platform == "linux" and hasattr(c_library(), "posix_spawn_file_actions_addclosefrom_np")


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
        self._argv = _strings([word.encode(ENCODING, ERRORS) for word in argv])
        self._environment = _block(environment)
        self._directory, self._streams = os.fsencode(directory), tuple(streams)

    def __call__(self, library: ctypes.CDLL | None = None) -> int:
        """Start it from this very thread; its id.

        Args:
            library: the C library by which no other thread is held up, if one of them is needed until the exec.

        Raises:
            ConfinementError: the C library is too old.
            OSError: it cannot be started; the `filename` is its name, or the directory that cannot be entered.
        """
        if not able():
            from asimi.world.executors.confining.system import ConfinementError  # what is not confined has another way

            raise ConfinementError("it needs glibc 2.34", "What is to hold the command")
        spawn, code, pid = (library or c_library()).posix_spawn, errno.ENOENT, ctypes.c_int()
        streams = _above(self._streams)
        try:
            actions = _actions(streams, self._directory)  # held here: others may be kept in its place meanwhile
            for path in self._paths:
                failed = spawn(ctypes.byref(pid), path, actions.laid, _attributes(), self._argv, self._environment)
                if not failed:
                    return int(pid.value)
                if failed not in (errno.ENOENT, errno.ENOTDIR):
                    code = failed
        finally:
            for descriptor in {*streams} - {*self._streams}:
                os.close(descriptor)
        entered = code != errno.EACCES or os.access(self._directory, os.X_OK, effective_ids=True)
        raise OSError(code, os.strerror(code), self._name if entered else os.fsdecode(self._directory))


def candidates(name: str, environment: Mapping[bytes, bytes]) -> list[bytes]:
    """The paths by which a program may be found, as `subprocess` looks for it in the child's own PATH."""
    if os.sep in name:
        return [os.fsencode(name)]
    return [os.path.join(os.fsencode(each), os.fsencode(name)) for each in os.get_exec_path(environment)]  # type: ignore[arg-type]


def _above(streams: tuple[int, ...]) -> tuple[int, ...]:
    """The same descriptors, none of which another of them will be put in the place of; the caller closes the copies.

    Raises:
        OSError: no descriptor is left; then none is held.
    """
    least = len(streams)
    if min(streams) >= least:
        return streams
    import fcntl

    found: list[int] = []
    try:
        for each in streams:
            copy = each if each >= least else fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, least)
            found.append(copy)  # one by one, so that what came before a fault is known
    except OSError:
        for copy in {*found} - {*streams}:
            os.close(copy)
        raise
    return tuple(found)


class _Actions:
    """What a child does before its exec: takes its streams, enters its directory, closes all else."""

    def __init__(self, streams: tuple[int, ...], directory: bytes) -> None:
        library = c_library()
        self.laid, self._destroy = ctypes.create_string_buffer(ROOM), library.posix_spawn_file_actions_destroy
        _done(library.posix_spawn_file_actions_init(self.laid))
        for number, descriptor in enumerate(streams):
            _done(library.posix_spawn_file_actions_adddup2(self.laid, descriptor, number))
        _done(library.posix_spawn_file_actions_addchdir_np(self.laid, directory))
        _done(library.posix_spawn_file_actions_addclosefrom_np(self.laid, len(streams)))

    def __del__(self) -> None:
        self._destroy(self.laid)


_actions = lru_cache(256)(_Actions)
"""One call after the other has the same descriptors, for each of which glibc asks how many there may be."""


@cache
def _attributes() -> Any:
    """A session of its own, every signal at its default and none blocked: the same for all, so never given back."""
    attributes, none = ctypes.create_string_buffer(ROOM), ctypes.create_string_buffer(128)
    every = ctypes.create_string_buffer(b"\xff" * 128, 128)  # sigfillset leaves two out, and glibc has those ignored
    _done(c_library().posix_spawnattr_init(attributes))
    _done(c_library().posix_spawnattr_setsigdefault(attributes, every))
    _done(c_library().posix_spawnattr_setsigmask(attributes, none))
    _done(c_library().posix_spawnattr_setflags(attributes, ctypes.c_short(DEFAULT_SIGNALS | EMPTY_MASK | NEW_SESSION)))
    return attributes


def _done(code: int) -> None:
    """These calls return what is wrong, and leave `errno` alone."""
    if code:
        raise OSError(code, os.strerror(code), "posix_spawn")


_last: tuple[Mapping[bytes, bytes], Any] | None = None


def _block(environment: Mapping[bytes, bytes]) -> Any:
    """An environment as the C library takes it; mostly it is the same one call after call."""
    global _last  # noqa: PLW0603 - one memory for the whole process; a tuple, so threads see all of it or nothing
    known = _last
    if known is None or known[0] != environment:
        known = _last = dict(environment), _strings([name + b"=" + value for name, value in environment.items()])
    return known[1]


def _strings(words: Sequence[bytes]) -> Any:
    """A null-terminated array of strings.

    Raises:
        ValueError: one holds a NUL, where the C library would end it.
    """
    if b"\0" in b"".join(words):
        raise ValueError("embedded null byte")
    return (ctypes.c_char_p * (len(words) + 1))(*words, None)
