"""The log as a stream of lines from any place in it on, and how far of it somebody else keeps a copy."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.audit.chain import HEAD, LOG, head_of, number_of, older_files
from asimi.world.audit.reading import fields_of, open_file
from asimi.world.host.documents import Document
from asimi.world.host.places import read_private

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

POSITION = "relay.json"
"""The file that says how far a copy goes, beside the log."""

VERSION = 1


class Line(NamedTuple):
    """A line of the log.

    Attributes:
        number: its own, counted from the first there ever was.
        content: its bytes, without the end of the line; whatever a killed writer left of it.
    """

    number: int
    content: bytes

    @property
    def hash(self) -> str:
        """What the next line says of it."""
        return sha256(self.content).hexdigest()


class CopyMark(NamedTuple):
    """How far a copy goes.

    Attributes:
        number: that of the last line that is kept elsewhere.
    """

    number: int


class Tail:
    """Reads the log of a directory on from a place, also while it is written and its files are renamed.

    Args:
        directory: where the log is; it need not be there yet.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory

    def after(self, number: int, line_hash: str) -> Generator[Line | None]:
        """Yield the lines behind one, without end; None where there is no more now.

        Args:
            number: the line's number; 0 for the beginning.
            line_hash: its hash. If that line is not there, the log is another one, and all of it comes.

        Raises:
            AsimiError: a file is not one that asimi would write.
            OSError: a file cannot be read.
        """
        at = number if number and self._has(number, line_hash) else 0
        known = True  # whether lines up to `at` in the file that is opened next were read before
        while True:
            name = self._file_with_line(at + 1)
            if name is None:
                yield None
                continue
            try:
                opened = open_file(os.path.join(self._directory, name))
            except FileNotFoundError:
                continue  # it was renamed just now
            with opened as file:
                first = self._first(name)
                if self._file_with_line(at + 1) != name or (name == LOG and self._is_replaced(file)):
                    continue
                while True:
                    last_look = name != LOG or self._is_replaced(file)
                    for line in _lines(file, first):
                        first = line.number + 1
                        if line.number > at or not known:
                            at = line.number
                            yield line
                    if last_look:
                        break
                    yield None
            known = False

    def last(self) -> tuple[int, str]:
        """Return the number and the hash of the last line now; zero and nothing where there is none.

        Raises:
            AsimiError: that cannot be read.
        """
        path = os.path.join(self._directory, HEAD)
        head = head_of(read_private(path) or b"", path)
        return (head.number, head.hash) if head.number else (0, "")

    def acknowledge(self, number: int) -> None:
        """Write down that a copy is kept of everything up to a line, so that older files may be deleted.

        Raises:
            AsimiError: it cannot be written.
        """
        _document(self._directory).write(CopyMark(number))

    def _has(self, number: int, line_hash: str) -> bool:
        """Whether a line is in the log."""
        while (name := self._file_with_line(number)) is not None:
            with suppress(FileNotFoundError), open_file(os.path.join(self._directory, name)) as file:
                lines = _lines(file, self._first(name))
                if any(line.number == number and line.hash == line_hash for line in lines):
                    return True
                if self._file_with_line(number) == name and not (name == LOG and self._is_replaced(file)):
                    return False  # else it was renamed just now
        return False

    def _file_with_line(self, number: int) -> str | None:
        """Return the name of the file that holds a line, or will; None where there is no log."""
        while True:
            older = older_files(self._directory)
            newest = LOG if os.path.lexists(os.path.join(self._directory, LOG)) else None
            name = next((name for name in older if number_of(name) >= number), newest)
            if name is not None or older_files(self._directory) == older:
                return name  # else the newest was renamed just now

    def _first(self, name: str) -> int:
        """Return the number of the first line of a file: behind the last of the file before it."""
        older = [number_of(each) for each in older_files(self._directory)]
        return max((each for each in older if name == LOG or each < number_of(name)), default=0) + 1

    def _is_replaced(self, file: BinaryIO) -> bool:
        """Whether a file is the newest no more, or shorter than what was read of it."""
        here = os.fstat(file.fileno())
        try:
            there = os.stat(os.path.join(self._directory, LOG))
        except FileNotFoundError:
            return True
        return there.st_ino != here.st_ino or here.st_size < file.tell()


def last_copied_line(directory: str) -> int:
    """Return the number of the last line of a directory's log that is kept elsewhere; 0 where that is not known."""
    try:
        found = _document(directory).read()
    except AsimiError:
        return 0
    return 0 if found is None else found.number


def _document(directory: str) -> Document[CopyMark]:
    return Document(os.path.join(directory, POSITION), CopyMark, VERSION)


def _lines(file: BinaryIO, number: int) -> Iterator[Line]:
    """Yield the whole lines from where a file is read now; then it is at the end of the last."""
    while content := file.readline():
        if not content.endswith(b"\n"):  # it is just being written, or the next writer will end it
            file.seek(-len(content), os.SEEK_CUR)
            return
        fields = fields_of(content)
        said = None if fields is None else fields.get("n")
        number = said if isinstance(said, int) else number
        yield Line(number, content[:-1])
        number += 1
