"""What the kernel tells of directories: which names appear in them, and when modes and contents change.

fanotify(7) does it without privileges since Linux 5.13, and takes nothing from the person's limit of inotify watches,
which editors need. Where a file system has no handles for it, inotify(7) does it.
"""

from __future__ import annotations

import ctypes
import os
import struct
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = "."
"""The name in a notice that is about the directory itself: its mode has changed."""

READ = 1 << 18
"""Bytes of notices that are read at a time."""

_C = ctypes.CDLL(None, use_errno=True)

# <sys/fanotify.h>: a group that only listens, names directories by their handles, and never waits
_GROUP = 0x0 | 0x1 | 0x2 | 0xC00  # FAN_CLASS_NOTIF, _CLOEXEC, _NONBLOCK, _REPORT_DFID_NAME
_ADD = 0x1 | 0x4 | 0x8  # FAN_MARK_ADD, _DONT_FOLLOW, _ONLYDIR
_MODIFY, _ATTRIB, _MOVED_TO, _CREATE, _OVERFLOW = 0x2, 0x4, 0x80, 0x100, 0x4000  # as in <sys/inotify.h>
_APPEARS = _CREATE | _MOVED_TO | _ATTRIB
_ISDIR, _CHILD = 0x40000000, 0x08000000  # FAN_ONDIR and IN_ISDIR, FAN_EVENT_ON_CHILD
_BY_NAME = 2  # FAN_EVENT_INFO_TYPE_DFID_NAME
_ONLYDIR, _DONT_FOLLOW = 0x01000000, 0x02000000  # IN_ONLYDIR, IN_DONT_FOLLOW
_HERE = -100  # AT_FDCWD
_LONGEST_HANDLE = 128  # MAX_HANDLE_SZ


class Notice(NamedTuple):
    """Something has happened to a name.

    Attributes:
        directory: the directory, as it was called when it was added last.
        name: the name in there, or `HERE`.
    """

    directory: str
    name: str


class Notices:
    """Notices of directories, one by one.

    Args:
        trial: directories; where one of them cannot be told of by fanotify, inotify does it for all.

    Attributes:
        descriptor: can be read when there are some.

    Raises:
        OSError: the kernel gives none.
    """

    def __init__(self, trial: Sequence[str]) -> None:
        self._paths: dict[bytes | int, str] = {}
        self._left = 1 << 30
        self.descriptor = _C.fanotify_init(_GROUP, os.O_RDONLY)
        self._by_handle = self.descriptor >= 0
        try:
            for each in trial if self._by_handle else ():
                self.add(each)
        except OSError:
            os.close(self.descriptor)
            self._by_handle = False
        if not self._by_handle:
            self.descriptor = _done(_C.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC), "inotify")
            self._left = _watches_left() // 2

    def close(self) -> None:
        """Give it back."""
        os.close(self.descriptor)

    def add(self, directory: str, *, inside: bool = False) -> None:
        """Tell of a directory from now on, under this path.

        Args:
            directory: its path; a link is none.
            inside: whether modes and contents of what is in it matter, too.

        Raises:
            OSError: it cannot be told of.
        """
        path = os.fsencode(directory)
        if self._by_handle:
            mask = _APPEARS | _ISDIR | inside * (_MODIFY | _CHILD)
            key: bytes | int = _handle(path)
            _done(_C.fanotify_mark(self.descriptor, _ADD, ctypes.c_uint64(mask), _HERE, path), directory)
        else:
            mask = _APPEARS | _ONLYDIR | _DONT_FOLLOW | inside * _MODIFY
            key = _done(_C.inotify_add_watch(self.descriptor, path, mask), directory)
            if key not in self._paths:
                self._left -= 1
                if self._left < 0:
                    raise OSError(28, "half of the inotify watches that the limit leaves are taken", directory)
        self._paths[key] = directory

    def know(self, directory: str) -> None:
        """Know a directory that cannot be told of, so that a change of its mode can be: the one above tells of that.

        Raises:
            OSError: it is gone.
        """
        if self._by_handle:
            self._paths[_handle(os.fsencode(directory))] = directory
        self.add(os.path.dirname(directory), inside=True)

    def read(self) -> tuple[list[Notice], bool]:
        """All that was told since the last call, and whether something was lost."""
        found, lost = dict[Notice, None](), False
        with suppress(BlockingIOError):
            while data := os.read(self.descriptor, READ):
                for key, mask, name in _by_handle(data) if self._by_handle else _by_number(data):
                    lost = lost or bool(mask & _OVERFLOW)
                    if (directory := self._paths.get(key)) is None:
                        continue
                    notice = Notice(directory, os.fsdecode(name) or HERE)
                    if mask & _ATTRIB and mask & _ISDIR and notice.name != HERE and not mask & (_CREATE | _MOVED_TO):
                        notice = Notice(os.path.join(*notice), HERE)  # as inotify tells of a mode
                    found[notice] = None
        return [*found], lost


def _by_handle(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """The events of fanotify: the handle of the directory, what happened, the name."""
    at = 0
    while at < len(data):
        length, _, _, head, mask, _, _ = struct.unpack_from("=IBBHQii", data, at)
        key, name = b"", b""
        if length > head and data[at + head] == _BY_NAME:
            end = at + head + struct.unpack_from("=H", data, at + head + 2)[0]
            size = struct.unpack_from("=I", data, at + head + 12)[0]
            key = data[at + head + 16 : at + head + 20 + size]
            name = data[at + head + 20 + size : end].partition(b"\0")[0]
        yield key, mask, name
        at += length


def _by_number(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The events of inotify."""
    at = 0
    while at < len(data):
        number, mask, _, size = struct.unpack_from("=iIII", data, at)
        yield number, mask, data[at + 16 : at + 16 + size].rstrip(b"\0")
        at += 16 + size


def _handle(path: bytes) -> bytes:
    """The type and the bytes of a directory's handle (name_to_handle_at(2)), as events have them.

    Raises:
        OSError: it has none.
    """
    there = ctypes.create_string_buffer(struct.pack("=Ii", _LONGEST_HANDLE, 0), 8 + _LONGEST_HANDLE)
    mount = ctypes.c_int()
    _done(_C.name_to_handle_at(_HERE, path, there, ctypes.byref(mount), 0), os.fsdecode(path))
    size = struct.unpack_from("=I", there.raw)[0]
    return there.raw[4 : 8 + size]


def _done(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), what)
    return result


def _watches_left() -> int:
    """How many inotify watches this user may still have (inotify(7), `max_user_watches`)."""
    with open("/proc/sys/fs/inotify/max_user_watches", encoding="ascii") as file:
        left = int(file.read())
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            if os.stat(f"/proc/{process}").st_uid != os.geteuid():
                continue
            for name in os.listdir(f"/proc/{process}/fd"):
                if os.readlink(f"/proc/{process}/fd/{name}") == "anon_inode:inotify":
                    with open(f"/proc/{process}/fdinfo/{name}", encoding="ascii") as file:
                        left -= sum(line.startswith("inotify") for line in file)
    return left
