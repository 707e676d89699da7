"""Reading the log: what happened, and whether the log says all of it."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from asimi.core.values import NamedTuple
from asimi.world.audit.chain import HEAD, LOG, NOTHING, Head, head_of, moment, number_of, older_files
from asimi.world.host.places import lock, private_directory, private_file, unlock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Fields = dict[str, Any]

_TIME = slice(len('{"time":"'), len('{"time":"2026-01-01T00:00:00.000Z'))
_PREVIOUS = b'"prev":"'
_RECENT = 4 << 20  # bytes at the end of the log in which the begin of a call is looked for that has just ended
_BEFORE_HEAD = 3  # lines that a first writer may have written before it was killed

PROOF = (
    "An unbroken chain proves that no line was changed, removed or added by accident, or by someone who does not know "
    "how the log works. A program that runs as you can rewrite both log and head: keep the last hash somewhere else "
    "to notice even that. What became of a command that an agent ran itself, or asked about by its own prompt "
    "(`passed`), the log knows only from the agent."
)
"""What a verified log proves, and what it does not."""


def files(directory: str) -> list[str]:
    """Return the paths of the log's files, the oldest first."""
    paths = [os.path.join(directory, name) for name in older_files(directory)]
    newest = os.path.join(directory, LOG)
    return [*paths, newest] if os.path.lexists(newest) else paths


BEGINS = ("start", "refusal", "passed", "observed", "file")
"""The events with which a call begins in the log."""

_BEGINNINGS = tuple(f'","event":"{event}"'.encode() for event in BEGINS)


def records(directory: str, *, since: float | None = None, begins: bool = False) -> Iterator[Fields]:
    """Yield the records of the log, the oldest first; lines that are not JSON are passed over.

    Args:
        directory: where the log is.
        since: only what was written at this time or later, in seconds since the epoch.
        begins: only those with which a call begins.

    Raises:
        AsimiError: a file is not one that asimi would write.
        OSError: a file cannot be read.
    """
    earliest = b"" if since is None else moment(since).encode()
    for path in files(directory):
        if since is not None and os.stat(path).st_mtime < since - 1:
            continue
        with open_file(path) as file:
            for line in file:
                wanted = line[_TIME] >= earliest and (not begins or line.startswith(_BEGINNINGS, _TIME.stop))
                if wanted and (fields := fields_of(line)) is not None:
                    yield fields


def unfinished_call(directory: str, agent: str, session: str, call: str, command: str) -> Fields | None:
    """Return the record of a call that an agent has begun and not ended; the newest, and None where there is none.

    Where the agent has no ids and no open call of the session has this command, it is the only one that is open there:
    another hook has put this command in the place of its own.

    Args:
        directory: where the log is.
        agent: the agent.
        session: the session's label in the log.
        call: the agent's own id of the call; empty where it has none.
        command: the command as the log shows it, which counts where there is no such id.

    Raises:
        OSError: the log cannot be read.
    """
    lines = recent(directory)
    mark, ended, open_ = json.dumps(call or command).encode(), set[str](), list[Fields]()
    whose, theirs = (agent, session), json.dumps(session).encode()
    for line in reversed(lines):
        if b'"event":"end"' in line and (fields := fields_of(line)) is not None:
            ended.add(str(fields.get("id")))
        elif (mark if call else theirs) in line and (fields := fields_of(line)) is not None:
            mine = (
                fields.get("event") in ("start", "passed", "observed")
                and (fields.get("agent"), fields.get("session")) == whose
            )
            if not mine or fields["id"] in ended:
                continue
            if fields.get("call") == call if call else fields.get("command") == command:
                return fields
            open_.append(fields)
    return open_[0] if len(open_) == 1 and not call else None


def recent(directory: str) -> list[bytes]:
    """Return the last lines of the log."""
    with open(os.path.join(directory, LOG), "rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _RECENT))
        return file.read().splitlines()


def follow(directory: str, pause: Callable[[], object]) -> Iterator[Fields]:
    """Yield the records as they are written from now on, without end.

    Args:
        directory: where the log is; it need not be there yet.
        pause: called when there is nothing new.

    Raises:
        AsimiError: a file is not one that asimi would write.
        OSError: a file cannot be read.
    """
    path = os.path.join(directory, LOG)
    file = open_file(path) if os.path.lexists(path) else None
    try:
        if file is not None:
            file.seek(0, os.SEEK_END)
        rest = b""
        while True:
            for line in file or ():
                rest += line
                if rest.endswith(b"\n"):
                    if (fields := fields_of(rest)) is not None:
                        yield fields
                    rest = b""
            there = _inode_of(path)
            if there and (file is None or there != os.fstat(file.fileno()).st_ino):
                if file is not None:
                    file.close()
                file, rest = open_file(path), b""
            else:
                pause()
    finally:
        if file is not None:
            file.close()


class Fault(NamedTuple):
    """A line where the log is not what was written.

    Attributes:
        path: the file.
        line: the line in it, counted from 1, or None for the whole file.
        message: what is wrong.
    """

    path: str
    line: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.line is None else f"{self.path}:{self.line}: {self.message}"


class Verification(NamedTuple):
    """What was found.

    Attributes:
        lines: how many lines were read.
        files: how many files.
        hash: the last line's hash, worth keeping elsewhere.
        faults: where the chain is broken; empty if it holds.
        notes: what is unusual and yet explained.
    """

    lines: int
    files: int
    hash: str
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]


def verify(directory: str) -> Verification:
    """Read the whole log and say where it is not what was written.

    Raises:
        AsimiError: the head cannot be read, or a file or the directory is not one that asimi would write.
        OSError: a file cannot be read.
    """
    with ExitStack() as stack:
        head, opened = _open_log(directory, stack)
        walk = _Walk(directory, head)
        for path, file, size in opened:
            walk.file(path, file, size)
        walk.end(newest=any(path.endswith(LOG) for path, _, _ in opened))
    return Verification(walk.lines, len(opened), walk.hash, tuple(walk.faults), tuple(walk.notes))


class Copy:
    """The check of one log whose lines came from elsewhere, one after the other.

    Args:
        name: what its faults call it.
    """

    def __init__(self, name: str) -> None:
        self._name, self._walk = name, _Walk(name, None)

    def line(self, number: int, content: bytes, line_hash: str = "") -> None:
        """Look at the next line.

        Args:
            number: the number that it was sent with.
            content: its bytes.
            line_hash: its hash, where it was too long and something else stands in its place; else empty.
        """
        walk = self._walk
        if line_hash:
            walk.lines, walk.hash = walk.lines + 1, line_hash
            walk.notes.append(f"{self._name}:{number}: this line was too long to be sent; only its hash is here")
            return
        fields = fields_of(content)
        if fields is not None and fields.get("n") != number:
            walk.faults.append(Fault(self._name, number, "this line says that it is another one"))
        walk.read_copied_line(self._name, number, content)

    def result(self) -> Verification:
        """Return what was found."""
        walk = self._walk
        return Verification(walk.lines, 1, walk.hash, tuple(walk.faults), tuple(walk.notes))


def broken_since(directory: str, since: float) -> Fault | None:
    """The first place since a time where the log is not what was written, or whose time is not known; None without one.

    Args:
        directory: where the log is.
        since: the time, in seconds since the epoch.

    Raises:
        AsimiError: as `verify`.
        OSError: a file cannot be read.
    """
    return next((fault for fault in verify(directory).faults if _time_of(fault) >= moment(since)), None)


def _time_of(fault: Fault) -> str:
    """The time of the line that a fault is at, as the log has it; later than all others where it is not known."""
    if fault.line is not None:
        with open_file(fault.path) as file:
            fields = fields_of(next(islice(file, fault.line - 1, None), b""))
        if fields is not None and isinstance(fields.get("time"), str):
            return str(fields["time"])
    return "later"


def _open_log(directory: str, stack: ExitStack) -> tuple[bytes | None, list[tuple[str, BinaryIO, int]]]:
    """Return the head's content, or None, and the files with their sizes, all of one moment between two writers."""
    if os.path.lexists(directory):
        private_directory(directory)
    head_path = os.path.join(directory, HEAD)
    head = stack.enter_context(open_file(head_path)) if os.path.lexists(head_path) else None
    if head is not None:
        lock(head.fileno())
    try:
        content = None if head is None else head.read()
        opened = [(path, stack.enter_context(open_file(path))) for path in files(directory)]
        return content, [(path, file, os.fstat(file.fileno()).st_size) for path, file in opened]
    finally:
        if head is not None:
            unlock(head.fileno())


class _Walk:
    """The state of one verification."""

    def __init__(self, directory: str, head: bytes | None) -> None:
        self.directory = directory
        self.lines, self.hash = 0, ""
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self._deleted: set[str] = set()
        self._first = 0  # the number of the first line there is
        self._torn: Fault | None = None  # a broken line, until the next one explains it
        self._content = head
        self._head = head_of(head or b"", os.path.join(directory, HEAD))
        self._head_met = self._renamed = False
        self._size = 0

    def file(self, path: str, file: BinaryIO, size: int) -> None:
        """Read a file as far as it went when it was opened."""
        newest = os.path.basename(path) == LOG
        self._size = number = 0
        while self._size < size and (line := file.readline()):
            self._size, number = self._size + len(line), number + 1
            self._line(path, number, line)
            if newest and self._size == self._head.size:
                self._meet(path, number)
        if not newest and number_of(os.path.basename(path)) == self._head.number:
            self._meet(path, None, renamed=True)

    def read_copied_line(self, path: str, number: int, line: bytes) -> None:
        """Read a line that was sent."""
        if not self.lines and number > 1:
            self.notes.append(f"{path}: begins with line {number}")
        self._line(path, number, line + b"\n")

    def _meet(self, path: str, line: int | None, *, renamed: bool = False) -> None:
        """The line at which the head was written last; `renamed` where a writer was killed after renaming the file."""
        self._head_met, self._renamed = True, renamed
        if self.hash != self._head.hash:
            self.faults.append(Fault(path, line, "this is not the line that the head records: it was changed"))

    def _line(self, path: str, number: int, line: bytes) -> None:
        ended, line = line.endswith(b"\n"), line.removesuffix(b"\n")
        fields = fields_of(line)
        previous = line[-66:-2].decode("ascii", "replace") if line[-74:-66] == _PREVIOUS else None
        here = Fault(path, number, "")
        if fields is None or previous is None or not isinstance(fields.get("n"), int):
            self._explain(None)
            self._torn = here._replace(message="this is not a line of the log, and no writer was killed here")
            if not ended and path.endswith(LOG) and self._size - len(line) >= self._head.size:
                self._torn = None
                self.notes.append(f"{path}:{number}: a writer was killed in this line; the next one will mark it")
                return
        else:
            self._explain(fields)
            if not self.hash:
                self._begin(here, fields, previous)
            elif previous != self.hash:
                message = "this line does not follow the one before: lines were changed, removed or added here"
                self.faults.append(here._replace(message=message))
            self._event(here, fields)
        self.lines += 1
        self.hash = sha256(line).hexdigest()

    def _explain(self, fields: Fields | None) -> None:
        """A line that is not one must be followed by one that says so."""
        if self._torn is not None:
            if fields is not None and fields.get("event") == "torn":
                self.notes.append(f"{self._torn.path}:{self._torn.line}: a writer was killed in this line")
            else:
                self.faults.append(self._torn)
        self._torn = None

    def _begin(self, here: Fault, fields: Fields, previous: str) -> None:
        self._first = int(fields["n"])
        if self._first == 1 and previous != NOTHING:
            self.faults.append(here._replace(message="the first line does not say that it is the first"))

    def _event(self, here: Fault, fields: Fields) -> None:
        event = fields.get("event")
        if event == "rotated":
            self._deleted.update(map(str, fields.get("deleted", ())))
        elif event == "cut":
            message = f"before this line the end of the log was missing; it had {fields.get('count')} lines"
            self.faults.append(here._replace(message=message))
        elif event == "headless":
            self.faults.append(here._replace(message="before this line the head was missing, so lines may be as well"))

    def end(self, *, newest: bool) -> None:
        """Say what is missing at either end; `newest` where the newest file is there."""
        self._explain(None)
        path, head = os.path.join(self.directory, LOG), self._head
        head_path = os.path.join(self.directory, HEAD)
        if self.lines and self._content is None:
            self.faults.append(Fault(head_path, None, "the head is missing, so nothing shows whether the end is there"))
        elif self.lines > _BEFORE_HEAD and not self._content:
            self.faults.append(Fault(head_path, None, "the head is empty, so nothing shows whether the end is there"))
        elif head != Head() and not self._head_met:
            message = f"the end is missing: the head knows {head.number} lines and {head.size} bytes of this file"
            self.faults.append(Fault(path, None, message))
        elif self._content and newest and self._size != (0 if self._renamed else head.size):
            self.notes.append(f"{path}: a writer was killed before it updated the head; the next one repairs it")
        if self._first > 1:
            name = f"log-{self._first - 1:012}.jsonl"
            if name in self._deleted:
                self.notes.append(
                    f"The log begins with line {self._first}: asimi deleted older lines, as the limits say"
                )
            else:
                missing = os.path.join(self.directory, name)
                self.faults.append(Fault(missing, None, "is missing, and asimi did not delete it"))


def open_file(path: str) -> BinaryIO:
    """Return a file of the log, if a writer would take it: a regular one that only we may read or write.

    Raises:
        AsimiError: it would not, so what it says could be forged.
    """
    return open(private_file(path, os.O_RDONLY), "rb")


def _inode_of(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except FileNotFoundError:
        return 0


def fields_of(line: bytes) -> Fields | None:
    """Return what a line says; None where it is not a line of the log."""
    try:
        fields = json.loads(line)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None
