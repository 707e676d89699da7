"""A stream of bytes cut into JSON values, none of which is ever silently lost.

Theory of operation: a value is complete on its line, or begins with `{` or `[` and goes on over lines until its
brackets close. Brackets are counted, so a long value is parsed once and not again with every line. A line that
is a complete tool call ends an unfinished value before it: its writer broke off, and the calls after it must not be
lost. The one exception is a line where an unfinished array expects its next item.
"""

from __future__ import annotations

from asimi.core import wire
from asimi.core.startup import TYPE_CHECKING, pattern
from asimi.doors.serving.dialects import dialect_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LONGEST = 16 << 20
"""Bytes after which asimi gives up a value that has not ended."""

_TOKEN = pattern(r'"(?:[^"\\]|\\.)*"?|[][{}]')


class Values:
    """Cuts what is fed to it into JSON values and faults."""

    def __init__(self) -> None:
        self._line = bytearray()  # what has come of the line that has not ended
        self._skip = False  # whether the rest of the line belongs to a value that was given up
        self._lines: list[str] = []  # the lines of a value that has not ended
        self._size = 0  # of these, in bytes
        self._depth = 0  # of its brackets
        self._first = True

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the values that end in some bytes; a `Malformed` for each that could not be read."""
        *ended, rest = data.split(b"\n")
        for line in ended:
            self._line += line
            yield from self._ended_line()
        self._line += rest
        if not self._skip and self._size + len(self._line) > LONGEST:
            self._skip = True
            self._line.clear()
            self._forget()
            yield _TOO_LONG
        elif self._skip:
            self._line.clear()

    def end(self) -> Iterator[Any]:
        """Yield the values that end with the stream."""
        yield from self._ended_line()
        if self._lines:
            self._forget()
            yield wire.Malformed("not valid JSON: the input ended in the middle of a value")

    def _ended_line(self) -> Iterator[Any]:
        """Yield the values that end with a line."""
        line, skip = bytes(self._line), self._skip
        self._line.clear()
        self._skip = False
        if skip or not line.strip():
            return
        if self._size + len(line) > LONGEST:
            self._forget()
            yield _TOO_LONG
            return
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            broken = bool(self._lines)
            self._forget()
            yield wire.Malformed(
                f"not valid JSON: byte {error.start + 1} of the line is not UTF-8"
                + ("; the value that was not finished is given up" if broken else "")
            )
            return
        if self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        yield from self._continued(text) if self._lines else self._begun(text)

    def _begun(self, text: str) -> Iterator[Any]:
        """Yield the value of a line, unless the line is the beginning of a longer value."""
        try:
            value = wire.loads(text)
        except wire.Malformed as error:
            stripped = text.strip()
            depth = _depth(stripped) if stripped.startswith(("{", "[")) else 0
            if depth <= 0 or not wire.breaks_off(stripped):
                yield error
                return
            self._lines, self._size, self._depth = [text], len(text), depth
            return
        yield value

    def _continued(self, text: str) -> Iterator[Any]:
        """Yield the value that ends with a line of several; or the call that interrupts it."""
        if not self._wants_item() and (call := _call(text)) is not None:
            self._forget()
            yield wire.Malformed("not valid JSON: a value was not finished when the next call began")
            yield call
            return
        self._lines.append(text)
        self._size += len(text)
        self._depth += _depth(text)
        if self._depth > 0:
            return
        whole = "\n".join(self._lines)
        self._forget()
        try:
            value = wire.loads(whole)
        except wire.Malformed as error:
            yield error
            return
        yield value

    def _wants_item(self) -> bool:
        """Whether an item of the unfinished array may be on the next line."""
        return self._depth == 1 and self._lines[0].lstrip()[0] == "[" and self._lines[-1].rstrip().endswith(("[", ","))

    def _forget(self) -> None:
        self._lines, self._size, self._depth = [], 0, 0


_TOO_LONG = wire.Malformed(f"JSON that cannot be read: it has not ended after {LONGEST >> 20} MiB")


def _depth(text: str) -> int:
    """Return how many more brackets a text opens than it closes, those in strings aside."""
    return sum(1 if found in "{[" else -1 for found in _TOKEN.findall(text) if found in "{[]}")


def _call(text: str) -> Any:
    """Return the tool call, or the array of them, that a line is by itself; None if it is not one."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")) or not stripped.endswith(("}", "]")):
        return None
    try:
        value = wire.loads(stripped)
    except wire.Malformed:
        return None
    calls = value if isinstance(value, list) else [value]
    return value if calls and all(dialect_of(call) for call in calls) else None
