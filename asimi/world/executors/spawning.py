"""Starting one process: marked, in a session of its own, with three descriptors and every signal at its default.

The C library starts it where it can (`starting`), else `subprocess` does. Not asyncio: its processes wait until every
background child has closed their pipes (`Process.wait` on Python 3.11 and 3.12), and it takes five turns of the event
loop for what takes none.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations
import errno
import os
import sys
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from asimi.core.call import Failure
from asimi.core.errors import SCARCE, AsimiError
from asimi.world.executors.processes import DIRECT, DRAINERS, SPAWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from types import FrameType

    from asimi.core.call import Execution
    from asimi.core.kinds import Fault
    from asimi.world.executors.starting import Child, Start

    LayOut = Callable[[Sequence[str], str, Mapping[bytes, bytes], Sequence[int]], Start]
    """What is started for an argv, a directory, an environment and streams."""
    Confining = tuple[LayOut | None, Sequence[Callable[[], object]]]
    """That, and what a thread does before it starts it; None where the command itself is started."""

OTHERS = {getattr(signal, name, 0) for name in ("SIGKILL", "SIGSTOP", "SIGPIPE", "SIGXFSZ")}
"""What nobody can ignore, and what Python ignores for itself and `subprocess` puts back (`restore_signals`)."""
CATCHABLE = [number for number in range(1, min(32, signal.NSIG)) if number not in OTHERS]


def start(
    execution: Execution,
    marked: AbstractContextManager[None],
    files: OpenFiles,
    environment: Mapping[bytes, bytes],
    writers: Sequence[int],
    confining: AbstractContextManager[Confining],
) -> Child:
    """Start what an execution says.

    Raises:
        OSError, ValueError, AsimiError: it cannot be started; `failure_of` says why in words. An error without a
            `filename` says that it was started and cannot be waited for, so its main process is ended.
    """
    from asimi.world.executors.starting import Child, Start, able  # which Windows lacks

    with confining as (lay_out, steps), _entrance(execution.directory) as directory:
        laid_out = execution.argv, directory, environment, (_null(), *writers)
        begin: Callable[[], int]
        if lay_out is not None or steps:
            from asimi.world.executors.confining.system import start_confined

            begin = partial(start_confined, steps, (lay_out or Start)(*laid_out))
        else:
            begin = Start(*laid_out) if able() else partial(_by_python, *laid_out)
        with _starting(marked, files) as lowered:
            pid = begin()
    process = Child(pid)
    DIRECT.add(pid)
    if not lowered:
        files.give(pid)
    return process


def _by_python(argv: Sequence[str], directory: str, environment: Mapping[bytes, bytes], streams: Sequence[int]) -> int:
    """Start a process where the C library cannot do all of it; its id."""
    import subprocess

    stdin, stdout, stderr = streams
    with default_signals():
        process = subprocess.Popen(
            argv, stdin=stdin, stdout=stdout, stderr=stderr, cwd=directory, env=environment, start_new_session=True
        )
    process.returncode = 0  # so nobody else waits for it, and the object may go
    return process.pid


@contextmanager
def _entrance(directory: str) -> Iterator[str]:
    """A path by which a child enters the directory that was judged and no other, whatever becomes of its names.

    Args:
        directory: its real path.

    Raises:
        OSError: when it is entered: it is gone, may not be entered, or its path leads to another one by now (`ESTALE`).
            The `filename` is the directory.
    """
    if sys.platform != "linux":  # there is no such path: a moment remains between this look and the start
        _check_same(directory, os.path.realpath(directory))
        yield directory
        return
    opened, entrance = [os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)], ""
    try:
        if opened[0] < 3:  # the child's own three take its place
            import fcntl

            opened.append(fcntl.fcntl(opened[0], fcntl.F_DUPFD_CLOEXEC, 3))
        entrance = f"/proc/self/fd/{opened[-1]}"
        _check_same(directory, leads_to(entrance))
        yield entrance
    except OSError as error:
        if error.filename == entrance:
            error.filename = directory
        raise
    finally:
        for descriptor in opened:
            os.close(descriptor)


def is_other_name(path: str, directory: str) -> bool:
    """Whether a path leads to a directory through a link.

    A shell takes PWD for where it is if that is so (bash manual, Bash Variables), and from there `..` is another place.

    Args:
        path: what PWD says, or nothing.
        directory: its real path.
    """
    if not path or path == directory:
        return False
    try:
        return os.path.samefile(path, directory)
    except (OSError, ValueError):
        return False


def _check_same(directory: str, real: str) -> None:
    if real != directory:
        raise OSError(errno.ESTALE, real, directory)


def leads_to(entrance: str) -> str:
    """The real path of what a descriptor is open on.

    Args:
        entrance: its name below `/proc/self/fd`.

    Raises:
        OSError: it cannot be told.
    """
    try:
        return os.readlink(entrance)
    except FileNotFoundError:
        return "an unknown place, because /proc is not mounted"


def start_drainer(argv: Sequence[str], stdin: int, stdout: int, kept: Sequence[int] = ()) -> None:
    """Start a process that may outlive us and belongs to no call; whoever reaps waits for it.

    Args:
        argv: the program and its arguments.
        stdin: what it reads.
        stdout: what it writes to, or -1 for nowhere.
        kept: descriptors that it keeps besides.
    """
    import subprocess

    with SPAWN, default_signals():
        process = subprocess.Popen(
            argv,
            stdin=stdin,
            stdout=stdout if stdout >= 0 else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C"},
            start_new_session=True,
            pass_fds=kept,
        )
        DIRECT.add(process.pid)
        DRAINERS.add(process.pid)
    process.returncode = 0  # so nobody else waits for it, and the object may go


@contextmanager
def _starting(marked: AbstractContextManager[None], files: OpenFiles) -> Iterator[bool]:
    """Held while a process of a call is started; whether it gets the limit of open files that we started with."""
    with SPAWN:
        lowered = files.lower()
        try:
            with marked:
                yield lowered
        finally:
            if lowered:
                files.restore()


@contextmanager
def default_signals() -> Iterator[None]:
    """While it is held, no signal is ignored, because a child would ignore it too.

    `nohup asimi`, or `asimi &` in a script, start us with signals ignored. For the moment of a start they get a handler
    that does nothing: to us the same, and exec puts a handler back to the default.
    """
    before = [number for number in CATCHABLE if signal.getsignal(number) == signal.SIG_IGN]
    if before:
        _handle(before, ignore=False)
    try:
        yield
    finally:
        if before:
            _handle(before, ignore=True)


def _handle(numbers: list[int], *, ignore: bool) -> None:
    """Ignore signals, or handle them by doing nothing."""
    if _in_main_thread():
        for number in numbers:
            signal.signal(number, signal.SIG_IGN if ignore else _ignore_signal)
        return
    import ctypes  # Python lets only its main thread do this; rare

    libc = ctypes.CDLL(None)
    libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    libc.signal.restype = ctypes.c_void_p
    harmless = ctypes.cast(libc.getpid, ctypes.c_void_p)  # a C function that may run at any time
    for number in numbers:
        libc.signal(number, ctypes.c_void_p(1) if ignore else harmless)  # 1 is SIG_IGN


def _in_main_thread() -> bool:
    """Whether this is Python's main thread; where nobody has loaded `threading`, there is no other."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def _ignore_signal(_number: int, _frame: FrameType | None) -> None:
    """Handle a signal by doing nothing."""


PER_CALL = 6
"""Descriptors that a call holds at most: two pipes, its process, two long outputs, one to spare."""
SPARE = 48
"""Descriptors for all else: starting a process (six), the log, the terminal, what the host program opens."""


class OpenFiles:
    """How many files this process may have open, once it has raised that, and how many its commands may.

    A command starts with the limit that we were started with: it is ours again for the moment of a fork, so there
    is no race with what the command does first. Only where we may have more files open than that, it gets it later.
    """

    def __init__(self) -> None:
        self._before, self._own, self._hard = 0, 0, 0

    def raise_own(self) -> None:
        """Raise our limit as far as we may."""
        try:
            import resource
        except ImportError:  # Windows
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = min(hard, 65536) if hard != resource.RLIM_INFINITY else 65536
        if soft == resource.RLIM_INFINITY or soft >= most:
            return
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            self._before, self._own, self._hard = soft, most, hard

    def lower(self) -> bool:
        """For the moment of a start, make it the old one; whether that was done. The caller holds `SPAWN`."""
        return (len(DIRECT) + 1) * PER_CALL + SPARE <= self._before and self._set(self._before)

    def restore(self) -> None:
        """Make it our own again."""
        self._set(self._own)

    def give(self, pid: int) -> None:
        """Give a process that has just started the old one, if it did not get it by its start."""
        if self._before and sys.platform == "linux":
            import resource

            with suppress(OSError, ValueError):
                hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]
                resource.prlimit(pid, resource.RLIMIT_NOFILE, (self._before, hard))

    def _set(self, soft: int) -> bool:
        import resource

        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, self._hard))
            return True
        return False


def own_signals() -> None:
    """Make this process fit to run commands, once, as the command line and the server do.

    No signal is blocked, because a child would inherit that. SIGCHLD is not ignored, as a careless parent may have left
    it, because then we would not hear that a child has ended.
    """
    if not _in_main_thread() or not hasattr(signal, "pthread_sigmask"):
        return
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


_last: tuple[Mapping[str, str], dict[bytes, bytes]] = ({}, {})


def encode_environment(environment: Mapping[str, str]) -> dict[bytes, bytes]:
    """An environment as bytes, in a dictionary of the caller's own; mostly it is the same one call after call.

    Raises:
        UnicodeEncodeError: it holds a lone surrogate.
    """
    global _last  # noqa: PLW0603 - one memory for the whole process; a tuple, so threads see all of it or nothing
    before, done = _last
    if before != environment:
        done = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
        _last = dict(environment), done
    return dict(done)


_null_descriptor = -1


def _null() -> int:
    """The empty standard input of all commands."""
    global _null_descriptor  # noqa: PLW0603 - one open file for the whole process
    if _null_descriptor < 0:
        _null_descriptor = os.open(os.devnull, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    return _null_descriptor


def failure_of(error: Exception, execution: Execution) -> Failure:
    """Why a process was not started, in words for whoever called."""
    name = execution.argv[0]
    if isinstance(error, AsimiError):
        return Failure("setup", str(error))
    if isinstance(error, UnicodeError):
        return Failure("other", f"The command cannot be handed to a program: {name!r} or its arguments are not text")
    if not isinstance(error, OSError):
        return Failure("other", f"The command cannot be handed to a program: {error}")
    if error.filename == execution.directory and error.errno in DIRECTORY:
        kind, words = DIRECTORY[error.errno]
        return Failure(kind, words.format(directory=execution.directory, real=error.strerror))
    if error.errno in (errno.EACCES, errno.EPERM):
        return _permission_failure(name, execution)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        interpreter = os.sep in name and os.path.exists(os.path.join(execution.directory, name))
        hint = " (it is there; the interpreter its first line names is not)" if interpreter else ""
        return Failure("not_found", f"Command not found: {name}{hint}")
    words = REASONS.get(error.errno or 0, f"{{name}} cannot be started: {error.strerror or 'unknown reason'}")
    return Failure("scarce" if error.errno in (*SCARCE, errno.EAGAIN) else "other", words.format(name=name))


def _permission_failure(name: str, execution: Execution) -> Failure:
    """Permission denied, unless that was only about a directory of PATH: it hides what was wrong with the others."""
    if os.sep in name:
        return Failure("permission", f"Permission denied: {name}")
    for directory in os.get_exec_path(dict(execution.environment)):
        path = os.path.join(execution.directory, directory, name)
        if os.access(path, os.X_OK) and any(len(os.fsencode(word)) >= LONGEST for word in execution.argv):
            return Failure("other", REASONS[errno.E2BIG].format(name=name))
        if os.path.exists(path):
            return Failure("permission", f"Permission denied: {name}")
    return Failure("not_found", f"Command not found: {name}")


LONGEST = 131_072
"""Bytes that one argument may not have on Linux (MAX_ARG_STRLEN, its NUL counted)."""
REASONS = {
    errno.ENOEXEC: "{name} is not a program this system can execute: it has no #! line; name its interpreter",
    errno.E2BIG: "The arguments of {name} are longer than this system can hand to a program; put them into a file",
    **{code: f"{{name}} was not started: {why}" for code, why in SCARCE.items()},
    errno.EAGAIN: "{name} was not started: no more processes are allowed (`ulimit -u`); end some, or raise the limit",
    errno.ETXTBSY: "{name} is being written to just now, so it cannot be executed; try again",
    errno.ELOOP: "{name}: too many symbolic links",
    errno.ENAMETOOLONG: "The name of the program is too long: {name}",
}  # fmt: skip
"""What else the system says, and what to do."""
DIRECTORY: dict[int, tuple[Fault, str]] = {
    errno.ENOENT: ("other", "The directory is not there any more: {directory}"),
    errno.ENOTDIR: ("other", "The directory is not there any more: {directory}"),
    errno.EACCES: ("permission", "The directory may not be entered: {directory}"),
    errno.ESTALE: ("other", "The directory was replaced, so nothing was started: {directory} now leads to {real}"),
}  # fmt: skip
"""What the system says of the directory."""
