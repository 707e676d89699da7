"""A file of lines, each of which carries the hash of the one before; written by many processes, killed at any moment.

The rules of the file:

- a line is JSON without a newline in it; its last two fields are `n`, its number, and `prev`, the SHA-256 of the line
  before (of 64 zeros for the first). A line's own hash is in the line after it, and the last one's in the head;
- the head, a file of its own, says how many lines there are, how many bytes, and the last line's hash. It is the
  lock as well: the writer holds it;
- a line is one write; the head follows in another. Killed in between, the log is ahead of the head, which the next
  writer puts right;
- a line that was cut off by a crash is ended and followed by a line `torn`; what is missing although the head knew
  it is followed by a line `cut`. Nothing is ever taken out;
- a file that is long enough is renamed after its last line's number, and the next begins with a line `rotated`.

Anyone who can write the files can forge all of it: the chain reveals accidents and careless tampering. The hash of the
head, kept elsewhere, reveals the rest.
"""

from __future__ import annotations

import os
import time
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid, Newer, check_version
from asimi.core.values import NamedTuple
from asimi.core.wire import encoder, loads
from asimi.world.host.places import lock, private_directory, private_file, unlock

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from asimi.core.settings import State

LOG, HEAD = "log.jsonl", "log.head"
NOTHING = "0" * 64
VERSION = 1

_TIME = '{"time":"'
_HEAD_SIZE = 192  # always the same, so one write replaces it


class Head(NamedTuple):
    """Where the log ends.

    Attributes:
        number: the last line's, so how many lines there ever were.
        size: how many bytes the newest file has.
        hash: the last line's.
    """

    number: int = 0
    size: int = 0
    hash: str = NOTHING


class Keep(NamedTuple):
    """How long a log is kept.

    Attributes:
        file_bytes: bytes after which a new file is begun.
        file_age: seconds after which a new file is begun.
        total: bytes that the older files may take together.
        age: seconds after its last line that an older file is deleted.
        copied: the number of the last line that may be deleted, as it is kept elsewhere as well; None if any may be.
    """

    file_bytes: int = 64 << 20
    file_age: float = 7 * 86400.0
    total: int = 2 << 30
    age: float = 30 * 86400.0
    copied: int | None = None


def keep_within(state: State, *, copied: int | None = None) -> Keep:
    """Return how long a log is kept that may take half of what asimi keeps.

    Args:
        state: how much that is.
        copied: as in `Keep`.
    """
    usual = Keep()
    return Keep(
        min(usual.file_bytes, max(state.bytes // 8, 1 << 16)),
        min(usual.file_age, state.age / 4),
        state.bytes // 2,
        state.age,
        copied,
    )


class Chain:
    """Appends lines to the log of a directory.

    Args:
        directory: where the log is; made if it is missing.
        keep: says how long it is kept; asked when a file is opened.
    """

    def __init__(self, directory: str, keep: Callable[[], Keep] = Keep) -> None:
        self.directory, self._keep_now = directory, keep
        self._keep = Keep()
        self.path, self._head_path = os.path.join(directory, LOG), os.path.join(directory, HEAD)
        self._log = self._head = -1
        self._log_inode = self._head_inode = 0
        self._old = False
        self._known = b"", Head()  # the head as it was written last, and what it says

    def append(self, fields: str) -> None:
        """Append one line.

        Args:
            fields: a JSON object without its closing brace.

        Raises:
            AsimiError: it cannot be written; nothing of it was.
        """
        try:
            self._lock()
            try:
                self._append(fields)
            finally:
                unlock(self._head)
        except OSError as error:
            raise AsimiError(f"{self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Give the descriptors back."""
        for descriptor in (self._log, self._head):
            if descriptor >= 0:
                os.close(descriptor)
        self._log = self._head = -1
        self._log_inode = 0

    def _append(self, fields: str) -> None:
        size = self._open_log()
        os.lseek(self._head, 0, os.SEEK_SET)
        content = os.read(self._head, _HEAD_SIZE + 1)
        head = self._known[1] if content == self._known[0] else head_of(content, self._head_path)
        lines: list[str] = []
        start = b""
        if size != head.size or not content:
            head, start, lines = self._put_right(head, size, known=bool(content))
            size = self._open_log()
        if size and not lines and (size >= self._keep.file_bytes or self._old):
            name = f"log-{head.number:012}.jsonl"
            os.rename(self.path, os.path.join(self.directory, name))
            self._open_log()
            size = 0
            lines.append(_event("rotated", file=name, deleted=self._delete_old()))
        data = start
        count, last = head.number, head.hash
        for each in (*lines, fields):
            count += 1
            line = f'{each},"n":{count},"prev":"{last}"}}'.encode("ascii")
            last = sha256(line).hexdigest()
            data += line + b"\n"
        self._write(data, size)
        os.lseek(self._head, 0, os.SEEK_SET)
        head = Head(count, size + len(data), last)
        self._known = head_text(head), head
        os.write(self._head, self._known[0])

    def _write(self, data: bytes, size: int) -> None:
        """All of it, or nothing."""
        done = 0
        try:
            while done < len(data):
                done += os.write(self._log, data[done:])
        except OSError:
            os.ftruncate(self._log, size)
            raise

    def _lock(self) -> None:
        """Hold the head; one that was deleted or replaced meanwhile is opened anew."""
        while True:
            if self._head < 0:
                private_directory(self.directory)
                self._head = private_file(self._head_path, os.O_RDWR | os.O_CREAT)
                self._head_inode = os.fstat(self._head).st_ino
            lock(self._head)
            try:
                if os.stat(self._head_path).st_ino == self._head_inode:
                    return
            except FileNotFoundError:
                pass
            self.close()

    def _open_log(self) -> int:
        """Open the newest file if it is not the one that is open; how many bytes it has."""
        try:
            there = os.stat(self.path)
            if there.st_ino == self._log_inode:
                return there.st_size
        except FileNotFoundError:
            pass
        if self._log >= 0:
            os.close(self._log)
            self._log, self._log_inode = -1, 0
        self._log = private_file(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        there = os.fstat(self._log)
        self._log_inode = there.st_ino
        if not there.st_size:  # so a clock that is wrong when old lines are first deleted is known for one
            from asimi.world.host.clock import steady

            steady(self.directory)
        self._keep = self._keep_now()
        first = os.read(self._log, len(_TIME) + 24).decode(errors="replace")
        self._old = first.startswith(_TIME) and first[len(_TIME) :] < moment(time.time() - self._keep.file_age)
        return there.st_size

    def _delete_old(self) -> list[str]:
        """Return the names of the older files that were too many or too old, and are gone now."""
        from asimi.world.host.clock import steady

        gone, room, oldest = [], self._keep.total, steady(self.directory) - self._keep.age
        for name in reversed(older_files(self.directory)):
            path = os.path.join(self.directory, name)
            there = os.stat(path)
            room -= there.st_size
            mine = self._keep.copied is not None and number_of(name) > self._keep.copied
            if (room < 0 or there.st_mtime < oldest) and not mine:
                os.unlink(path)
                gone.append(name)
        return gone

    def _put_right(self, head: Head, size: int, *, known: bool) -> tuple[Head, bytes, list[str]]:
        """Return the head, the bytes and the lines that must come first where log and head disagree."""
        older = older_files(self.directory)
        renamed = known and bool(older) and head.number == number_of(older[-1])
        if renamed:  # killed after renaming: the head speaks of the file that has another name now
            head = head._replace(size=0)
            if size == 0:
                return head, b"", [_event("rotated", file=older[-1], deleted=[])]
        start, count, last, torn = head.size, head.number, head.hash, b""
        if size < head.size or not known:
            start, count, last = 0, number_of(older[-1]) if older else 0, NOTHING
        with open(self.path, "rb") as file:
            file.seek(start)
            for line in file:
                count, last = count + 1, sha256(line.rstrip(b"\n")).hexdigest()
                torn = b"" if line.endswith(b"\n") else line
        lines = []
        if torn:
            lines.append(_event("torn", bytes=len(torn)))
        if size < head.size:
            lines.append(_event("cut", count=head.number, hash=head.hash))
            count = max(count, head.number)
        elif not known and size:
            lines.append(_event("headless", count=count))
        return Head(count, size, last), b"\n" if torn else b"", lines


def head_of(content: bytes, path: str) -> Head:
    """Return what a head says; an empty one says that nothing was written.

    Raises:
        AsimiError: it is not a head, or a newer asimi's.
    """
    if not content:
        return Head()
    try:
        fields = loads(content.decode())
        check_version(fields["version"], VERSION)
        head = Head(int(fields["count"]), int(fields["size"]), str(fields["hash"]))
    except Newer as fault:
        raise AsimiError(f"{path}: is not a file that asimi can use: {fault}") from None
    except (ValueError, KeyError, TypeError, Invalid):
        raise AsimiError(f"{path}: cannot be read; move it away, and the log says that it is missing") from None
    return head


def head_text(head: Head) -> bytes:
    """Return a head as its file has it."""
    text = f'{{"version":{VERSION},"count":{head.number},"size":{head.size},"hash":"{head.hash}"}}'
    return text.ljust(_HEAD_SIZE - 1).encode() + b"\n"


def older_files(directory: str) -> list[str]:
    """Return the names of the older files, the oldest first."""
    try:
        names = os.listdir(directory)
    except FileNotFoundError:
        return []
    return sorted(name for name in names if number_of(name) >= 0)


_second = 0, "1970-01-01T00:00:00"


def moment(seconds: float) -> str:
    """Return a time as the log has it: UTC, with milliseconds; times sort as strings."""
    global _second  # noqa: PLW0603 - most lines come within one second; a tuple, so threads see all of it
    known = _second
    if known[0] != int(seconds):
        known = _second = int(seconds), time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{known[1]}.{int(seconds % 1 * 1000):03}Z"


def number_of(name: str) -> int:
    """Return the last line's number in an older file's name, or -1."""
    digits = name.removeprefix("log-").removesuffix(".jsonl")
    return int(digits) if name == f"log-{digits}.jsonl" and digits.isascii() and digits.isdecimal() else -1


_encode = encoder(compact=True)


def _event(event: str, **fields: Any) -> str:
    return _encode({"time": moment(time.time()), "event": event, **fields})[:-1]
