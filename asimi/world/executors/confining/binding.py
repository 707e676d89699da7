"""What bubblewrap mounts, word by word, and the names that it holds in directories that can be written.

What cannot be moved away: a mount holds its own name, not those of the directories above it. So each of them up to the
writable directory gets a mount of itself, too. Where a protected name is missing, it is held by an empty directory as
long as a sandbox needs it; git does not see such directories. A box around an agent has such directories, and files,
in the agent's own state and in git's.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import struct
import time
import zlib
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.world.executors.confining.mounts import points
from asimi.world.executors.confining.system import ConfinementError
from asimi.world.host.places import private_file
from asimi.world.host.trees import HOLDING, HOLDING_FILE, holds_name, is_held

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PATIENCE = 1.0
"""Seconds in which whoever removes such a directory is done; it takes microseconds."""


class Words:
    """The words for bwrap, and the descriptors that it gets."""

    def __init__(self) -> None:
        self._opened = contextlib.ExitStack()
        self._words: list[bytes] = []
        self._passed: list[int] = []

    def _say(self, *words: object) -> None:
        self._words += [word if isinstance(word, bytes) else os.fsencode(str(word)) for word in words]

    def _pass(self, descriptor: int) -> int:
        """The number under which bwrap gets a descriptor."""
        self._passed.append(descriptor)
        return 2 + len(self._passed)

    def _open(self, path: str, flags: int = 0, above: int | None = None) -> int:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC | flags, dir_fd=above)
        self._opened.callback(os.close, descriptor)
        return descriptor

    def _memory(self, content: bytes) -> int:
        """A descriptor of some bytes, to be read from their begin."""
        try:
            descriptor = os.memfd_create("asimi", os.MFD_CLOEXEC)
        except OSError as error:
            raise ConfinementError(f"memfd_create: {error.strerror}") from None
        self._opened.callback(os.close, descriptor)
        with open(descriptor, "wb", closefd=False) as file:
            file.write(content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def _bind(self, path: str, descriptor: int, *, writable: bool) -> None:
        """Put what is open there on its own path; bwrap makes sure that the path still leads to it."""
        self._say("--bind-fd" if writable else "--ro-bind-fd", self._pass(descriptor), path)


class Bindings(Words):
    """What holds names in the sandbox of a command.

    Args:
        writable: the directories where files can be written, by their real paths, each with a descriptor.
        lock: the path of the file whose locks say which names are needed.
    """

    def __init__(self, writable: Mapping[str, int], lock: str) -> None:
        super().__init__()
        self._tops, self._lock_path = writable, lock
        self._mounted: dict[str, bool] = {}  # what lies on itself below a writable directory, and whether writable
        self._held: list[str] = []  # what holds names
        self._covers: set[bytes] = set()  # where a mount hides or protects something
        self._lock = -1

    def _top(self, path: str) -> str:
        """The uppermost writable directory that holds a path; empty where none does."""
        return min((each for each in self._tops if is_below(path, each)), default="")

    def _hold(self, path: str, *, protect: bool) -> None:
        """Let nothing on the way from a writable directory to a path be moved; if `protect`, let it be read only."""
        at = self._top(path)
        if not at:  # nobody can write there
            return
        there: int | None = self._tops[at]
        names = [name for name in path[len(at) :].split("/") if name]
        while there is not None and self._mounted.get(at) is not False:
            whole = at == path or not stat.S_ISDIR(os.fstat(there).st_mode) or at in self._held
            if protect and whole:
                self._mounted[at] = False
                self._bind(at, there, writable=False)
                self._covers.add(os.fsencode(at))
            if whole:
                return
            if at not in self._mounted:
                self._mounted[at] = True
                self._bind(at, there, writable=True)
                self._covers.add(os.fsencode(at))
            name = names.pop(0)
            at = os.path.join(at, name)
            there = self._below(there, name, at) if protect else self._open_existing(there, name, at)

    def _open_existing(self, above: int, name: str, path: str) -> int:
        """A descriptor of what has a name in a directory.

        Raises:
            FileNotFoundError: nothing has it.
            ConfinementError: it cannot be entered, or is a link, which a command could lead elsewhere for the next one.
        """
        try:
            descriptor = self._open(name, os.O_NOFOLLOW, above)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise ConfinementError(f"{path}: {error.strerror}") from None
        if stat.S_ISLNK(os.fstat(descriptor).st_mode):
            raise ConfinementError(f"{path}: it is a symbolic link, which could be replaced; name what it leads to")
        return descriptor

    def _below(self, above: int, name: str, path: str) -> int | None:
        """The same; where nothing is there, of an empty directory that holds the name, or None where that cannot be."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                descriptor = self._open_existing(above, name, path)
            except FileNotFoundError:
                if not self._make_placeholder(above, name, path):
                    return None
                continue
            if path in self._held or not is_held(os.fstat(descriptor)):
                return descriptor
            if self._lock < 0:
                self._lock = self._opened_lock()
                self._opened.callback(os.close, self._lock)
            if try_lock_path(self._lock, path, fcntl.F_RDLCK) and _is_same(descriptor, path):
                self._held.append(path)
                return descriptor
        raise ConfinementError(f"protected {path}: its name cannot be held")

    def _make_placeholder(self, above: int, name: str, path: str) -> bool:
        """Make what holds a name, unless nobody may: the disk is read-only, or another user's."""
        try:
            make(above, name, None)
        except OSError as error:
            owner = os.fstat(above).st_uid
            if error.errno == errno.EROFS or (error.errno == errno.EACCES and owner != os.geteuid()):
                return False
            raise ConfinementError(f"protected {path}: {error.strerror}") from None
        return True

    def _opened_lock(self) -> int:
        return private_file(self._lock_path, os.O_RDWR | os.O_CREAT)

    def let_go(self) -> None:
        """Remove what holds names that no sandbox needs any more; a later call removes what one does."""
        if not self._held:
            return
        with contextlib.suppress(OSError, AsimiError):  # no room for a descriptor: a later call does it
            remove(self._lock_path, ((path, None) for path in self._held))
        self._held.clear()


def remove(lock_path: str, held: Iterable[tuple[str, bytes | None]]) -> list[tuple[str, bytes | None]]:
    """Remove what holds names, unless a sandbox needs it.

    Args:
        lock_path: of the file whose locks say so.
        held: the paths, each with what a file there holds, or None for a directory.

    Returns:
        What nobody needs and is still mounted on, as that of a sandbox that is just ending.

    Raises:
        OSError, AsimiError: the file with the locks cannot be opened.
    """
    lock, left = private_file(lock_path, os.O_RDWR | os.O_CREAT), []
    try:
        ours = [(path, form) for path, form in held if holds(path, form) and try_lock_path(lock, path, fcntl.F_WRLCK)]
        needed = _mounted_on() if ours else set()  # a command can let go of the lock that its own bwrap holds
        for path, form in ours:
            if os.fsencode(path) in needed:
                left.append((path, form))
                continue
            with contextlib.suppress(OSError):  # gone, or somebody has put something into it
                (os.rmdir if form is None else os.unlink)(path)
    finally:
        os.close(lock)
    return left


def holds(path: str, form: bytes | None) -> bool:
    """Whether all that is at a path was made to hold its name.

    Args:
        path: the path.
        form: what a file there holds; None for a directory.
    """
    if form is None:
        return holds_name(path)
    with contextlib.suppress(OSError):
        there = os.lstat(path)
        mode = there.st_mode
        whole = stat.S_ISREG(mode) and mode & 0o1022 == 0o1000 and there.st_uid == os.geteuid()
        return whole and there.st_size == len(form) and _read(path) == form
    return False


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        return file.read(1 << 16)


def make(above: int, name: str, form: bytes | None) -> None:
    """Make what holds a name; a file is not there before it is whole, and what is there already stays.

    Args:
        above: a descriptor of the directory.
        name: the name in there.
        form: what a file there holds; None for an empty directory.

    Raises:
        OSError: it cannot be made.
    """
    with contextlib.suppress(FileExistsError):
        if form is None:
            os.mkdir(name, HOLDING, dir_fd=above)
            return
        passing = f".{name}.{os.getpid()}.{os.urandom(4).hex()}"
        descriptor = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=above)
        try:
            with open(descriptor, "wb") as file:
                file.write(form)
                os.fchmod(descriptor, HOLDING_FILE)
            os.link(passing, name, src_dir_fd=above, dst_dir_fd=above, follow_symlinks=False)
        finally:
            os.unlink(passing, dir_fd=above)


def try_lock_path(descriptor: int, path: str, kind: int) -> bool:
    """Lock an open file where a path has its place in it, for all who have this very one open (F_OFD_SETLK)."""
    place = zlib.crc32(os.fsencode(path))
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", kind, os.SEEK_SET, place, 1, 0))
    except BlockingIOError:
        return False
    return True


def _mounted_on() -> set[bytes]:
    """The paths on which something is mounted in any namespace of processes that we see (proc_pid_mountinfo(5))."""
    found, seen = set[bytes](), set[str]()
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it may have ended
            if (namespace := os.readlink(f"/proc/{process}/ns/mnt")) not in seen:
                with open(f"/proc/{process}/mountinfo", "rb") as file:
                    found |= points(file.readlines())
                seen.add(namespace)
    return found


def _is_same(descriptor: int, path: str) -> bool:
    """Whether a path still leads to what is open."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    return False
