"""What a process is about to execute, and what it executes: its memory, and its files under /proc (proc(5))."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
from typing import TYPE_CHECKING

from asimi.core.errors import SCARCE
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.extras.exec_rules.notify import Question

HERE = -100  # AT_FDCWD
READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""How a file is opened: never waiting, as for a pipe that nobody writes to."""
PAGE = 4096
LONGEST_WORD, MOST = 131_072, 4 << 20
"""Bytes of one argument as the kernel takes it (MAX_ARG_STRLEN), and of all that are read."""
READ_AT_ONCE = 1 << 17
"""Bytes of an argument list; it is mostly shorter."""
NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO, errno.ENODEV, errno.ESRCH)
"""What the kernel says of a path itself; a search through PATH meets it all the time."""
OWN = {b"/proc/self/": "/proc/{pid}/", b"/proc/thread-self/": "/proc/{pid}/", b"/dev/fd/": "/proc/{pid}/fd/"}
OWN |= {b"/dev/stdin": "/proc/{pid}/fd/0", b"/dev/stdout": "/proc/{pid}/fd/1", b"/dev/stderr": "/proc/{pid}/fd/2"}
"""Paths that mean another thing to each process."""


class Image(NamedTuple):
    """A program with its arguments.

    Attributes:
        path: its file, as the caller wrote it, or as the kernel knows it once it runs.
        argv: its arguments, its own name first.
        descriptor: its file, open; -1 where there is none. Whoever made it closes it.
    """

    path: str
    argv: tuple[str, ...]
    descriptor: int


@contextlib.contextmanager
def coming(question: Question) -> Iterator[Image | None]:
    """What a process asks to execute; None where the kernel will refuse it itself, or where only it can look.

    Raises:
        OSError: the file may not be read though it may be executed (mode 0111), or we have no room to look.
    """
    path, descriptor = b"", -1
    argv: tuple[str, ...] = ()
    with contextlib.suppress(_Unseen):
        path, argv, seen = _asked(question)
        try:
            descriptor = os.open(seen, READ)
        except OSError as error:
            if error.errno not in NOT_THERE and _reached(seen, error):
                error.filename = path
                raise
    if descriptor < 0:
        yield None
        return
    try:
        yield Image(os.fsdecode(path), argv, descriptor)
    finally:
        os.close(descriptor)


class _Unseen(Exception):
    """A process's memory cannot be read: it is gone, forbids it, or points to nothing."""


def _asked(question: Question) -> tuple[bytes, tuple[str, ...], bytes]:
    """The path and the arguments that a call points to, and the path by which we open the file.

    Raises:
        _Unseen: they cannot be read.
        OSError: there is no room to look.
    """
    at = question.number == question.machine.execveat
    base = ctypes.c_int(question.arguments[0] & 0xFFFFFFFF).value if at else HERE
    where, words = question.arguments[1:3] if at else question.arguments[:2]
    try:
        with opened(f"/proc/{question.pid}/mem") as memory:
            path = _text(memory, where)
            argv = tuple(map(os.fsdecode, _vector(memory, words, question.machine.width)))
        return path, argv, _seen(question.pid, base, path)
    except OSError as error:
        if error.errno in SCARCE:
            raise
        raise _Unseen from error


@contextlib.contextmanager
def present(pid: int) -> Iterator[Image]:
    """What a process executes.

    Raises:
        OSError: it may not be looked at, or is gone.
    """
    with opened(f"/proc/{pid}/exe") as descriptor, opened(f"/proc/{pid}/cmdline") as file:
        words = data = os.read(file, READ_AT_ONCE)
        while len(data) == READ_AT_ONCE:
            data = os.read(file, READ_AT_ONCE)
            words += data
        path = os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")
        yield Image(path, tuple(map(os.fsdecode, words.split(b"\0")[:-1])), descriptor)


@contextlib.contextmanager
def opened(path: str | bytes) -> Iterator[int]:
    """A file, open for reading for a moment; opening it never waits."""
    descriptor = os.open(path, READ)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _reached(path: bytes, error: OSError) -> bool:
    """Whether a file is what an error is about, not a directory on the way, which the kernel will not pass either."""
    if not isinstance(error, PermissionError):
        return True
    try:
        os.stat(path)
    except PermissionError:
        return False
    return True


def in_its_eyes(pid: int, path: str) -> bytes:
    """The path by which we open what a path means to a process."""
    return _seen(pid, HERE, os.fsencode(path))


def name_of(pid: int) -> str:
    """The name of the program that a process runs (its `comm`); empty where it is gone."""
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:
            return os.fsdecode(file.read().rstrip(b"\n"))
    except OSError:
        return ""


def parent_of(pid: int) -> int:
    """The process id of its parent; 0 where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def directory_of(pid: int) -> str:
    """Where a process is; the root where that may not be known."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return "/"


def _seen(pid: int, base: int, path: bytes) -> bytes:
    for own, other in OWN.items():
        if path.startswith(own):
            return os.fsencode(other.format(pid=pid)) + path[len(own) :]
    if path.startswith(b"/"):
        return b"/proc/%d/root" % pid + path  # its root may not be ours
    if base == HERE:
        return b"/proc/%d/cwd/" % pid + path
    return b"/proc/%d/fd/%d" % (pid, base) + (b"/" + path if path else b"")


def _text(memory: int, place: int, most: int = PAGE) -> bytes:
    """A string in a process's memory; it is read page by page, since the next one may not be there."""
    text = b""
    while len(text) < most:
        data = os.pread(memory, PAGE - place % PAGE, place)
        end = data.find(b"\0")
        if end >= 0 or not data:
            return text + data[: max(end, 0)]
        text, place = text + data, place + len(data)
    raise OSError(errno.ENAMETOOLONG, "a string without an end")


def _vector(memory: int, place: int, width: int) -> Iterator[bytes]:
    """The strings of an argument list in a process's memory."""
    size = 0
    while place and size < MOST:
        data = os.pread(memory, PAGE - place % PAGE, place)
        place += len(data) - len(data) % width
        for start in range(0, len(data) - width + 1, width):
            pointer = int.from_bytes(data[start : start + width], "little")
            if not pointer:
                return
            word = _text(memory, pointer, LONGEST_WORD)
            size += len(word) + width
            yield word
        if len(data) < width:
            return
