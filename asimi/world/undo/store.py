"""Stores contents by their digests: two files for each project, one of bytes and one that says where each content is.

A content is found by its SHA-256 and checked against it at each read. Both files only grow: what a kill leaves behind
their last whole record is cut off the next time, and unneeded contents go when both are written anew. All contents are
in one file, because the first look at a project of 100,000 files would otherwise make as many.

Whoever uses a store holds its project's lock.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.world.host.places import private_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

RECORD = 52
"""Bytes of one record: the digest (32), where it begins (8), how many bytes it takes there (6), how many it has (6)."""

FEW = 48
"""Contents that are looked for one by one; for more, all that is there is read into a table."""

LEVEL = 1
"""How much work zlib does (zlib.h)."""

PIECE = 4 << 20
"""Bytes that are written at a time."""

DATA, INDEX = "data", "contents"


class LostError(AsimiError):
    """A content that should be there is not, or is another one."""


class Store:
    """The contents of one project.

    A context manager, whose end closes the files; nothing is kept that was not flushed.

    Args:
        directory: where its files are; it exists, and only we may enter it.
        number: which of its pairs of files; each time all is written anew it is the next one.
        room: how many bytes it may take; `fits` says so, nothing else does.

    Raises:
        AsimiError: they cannot be opened, or are not ours.
    """

    def __init__(self, directory: str, number: int | None = None, room: int = 1 << 62) -> None:
        self.directory, self._room = directory, room
        self.number = _number(directory) if number is None else number
        flags = os.O_RDWR | os.O_CREAT
        self._data = private_file(f"{directory}/{DATA}.{self.number}", flags)
        try:
            self._index = private_file(f"{directory}/{INDEX}.{self.number}", flags)
        except BaseException:
            os.close(self._data)
            raise
        self._known = _all(self._index)
        end = len(self._known) - len(self._known) % RECORD
        self._known = self._known[:end]
        self.size = os.fstat(self._data).st_size
        self._table: dict[bytes, bytes] | None = None
        self._new: dict[bytes, bytes] = {}
        self._waiting: list[bytes] = []
        self._waits = self._asked = 0
        self._end = self.size

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._new:
                with suppress(OSError):
                    os.ftruncate(self._index, len(self._known))
                    os.ftruncate(self._data, self.size)
        finally:
            os.close(self._data)
            os.close(self._index)

    def __contains__(self, digest: bytes) -> bool:
        return self._record(digest) is not None

    def put(self, content: bytes) -> bytes:
        """Keep a content, and return its digest; it is there for good after `flush`.

        Raises:
            OSError: there is no room.
        """
        digest = sha256(content).digest()
        if self._record(digest) is not None:
            return digest
        packed = zlib.compress(content, LEVEL)
        packed = packed if len(packed) < len(content) else content
        where = b"".join(
            (digest, self._end.to_bytes(8, "big"), len(packed).to_bytes(6, "big"), len(content).to_bytes(6, "big"))
        )
        self._new[digest] = where
        self._waiting.append(packed)
        self._end += len(packed)
        self._waits += len(packed)
        if self._waits >= PIECE:
            self._write()
        return digest

    def fits(self, size: int) -> bool:
        """Whether so many bytes more are within its room, and leave some of it to what directories hold."""
        return self._end + size <= self._room - self._room // 8

    def flush(self) -> None:
        """Make all that was put last, also when the machine stops now.

        Raises:
            OSError: there is no room; what was put since the last time is not kept.
        """
        if not self._new:
            return
        self._write()
        os.fdatasync(self._data) if hasattr(os, "fdatasync") else os.fsync(self._data)
        added = b"".join(self._new.values())
        end = len(self._known)
        os.ftruncate(self._index, end)
        _write_at(self._index, added, end)
        self._known += added
        if self._table is not None:
            self._table |= self._new
        self._new.clear()
        self.size = self._end

    def get(self, digest: bytes) -> bytes:
        """A content.

        Raises:
            LostError: it is not there, or not whole.
        """
        record = self._record(digest)
        if record is None:
            raise LostError(f"{self.directory}: what was kept is not there any more")
        if digest in self._new:
            self._write()
        at, taken, size = (int.from_bytes(record[a:b], "big") for a, b in ((32, 40), (40, 46), (46, 52)))
        packed = os.pread(self._data, taken, at)
        with suppress(zlib.error):
            content = packed if taken == size else zlib.decompress(packed)
            if sha256(content).digest() == digest:
                return content
        raise LostError(f"{self.directory}: what was kept is damaged")

    def length(self, digest: bytes) -> int:
        """How many bytes a content takes in the store."""
        record = self._record(digest)
        return 0 if record is None else int.from_bytes(record[40:46], "big")

    def rewrite(self, wanted: Iterable[bytes]) -> None:
        """Write what is wanted to new files, and remove the old ones; this store is of no use afterwards.

        If it is ended before, the old files count.

        Raises:
            OSError: there is no room; the old files stay.
        """
        after = self.number + 1
        for name in (INDEX, DATA):
            _remove(self.directory, name, after)
        with Store(self.directory, after) as new:
            for digest in wanted:
                with suppress(LostError):
                    new.put(self.get(digest))
            new.flush()
        for name, number in sorted(_files(self.directory)):  # first what says where each content is
            if number != after:
                _remove(self.directory, name, number)

    def _record(self, digest: bytes) -> bytes | None:
        if digest in self._new:
            return self._new[digest]
        self._asked += 1
        if self._table is None and self._asked > FEW:
            known = self._known
            self._table = {known[at : at + 32]: known[at : at + RECORD] for at in range(0, len(known), RECORD)}
        if self._table is not None:
            return self._table.get(digest)
        at = self._known.find(digest)
        while at >= 0 and at % RECORD:
            at = self._known.find(digest, at + 1)
        return None if at < 0 else self._known[at : at + RECORD]

    def _write(self) -> None:
        if self._waiting:
            _write_at(self._data, b"".join(self._waiting), self._end - self._waits)
            self._waiting.clear()
            self._waits = 0


def _number(directory: str) -> int:
    """The number of the pair that counts: of two, the newer one was not finished."""
    return min((number for name, number in _files(directory) if name == INDEX), default=0)


def _files(directory: str) -> list[tuple[str, int]]:
    """The files of pairs that are there: which of the two, and the pair's number."""
    named = (name.partition(".") for name in os.listdir(directory))
    return [(head, int(number)) for head, _, number in named if head in {DATA, INDEX} and number.isdigit()]


def _remove(directory: str, name: str, number: int) -> None:
    with suppress(FileNotFoundError):
        os.unlink(f"{directory}/{name}.{number}")


def _all(descriptor: int) -> bytes:
    size, pieces, at = os.fstat(descriptor).st_size, [], 0
    while at < size:
        piece = os.pread(descriptor, size - at, at)
        if not piece:
            break
        pieces.append(piece)
        at += len(piece)
    return b"".join(pieces)


def _write_at(descriptor: int, content: bytes, at: int) -> None:
    view = memoryview(content)
    while view:
        written = os.pwrite(descriptor, view, at)
        at, view = at + written, view[written:]
