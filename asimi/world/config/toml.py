"""Reads a TOML text: first that it is little work, then what it says, then the line of each value.

For `tomllib`, a key costs the square of its parts, and each key all the parts of the header above it: 40 KB of dots
take 15 seconds and 1.9 GiB. So the work is counted first. That walk needs no grammar: it tells strings and comments
from the rest as TOML 1.0 does, up to the first error, where `tomllib` stops too; counting too much is harmless, because
asimi's keys have two parts.

`tomllib` does not tell lines. The walk for them goes over a text that it has read already, so it checks nothing. It
follows the TOML 1.0 grammar for statements, keys, strings, arrays and inline tables and skips other values. Where it is
unsure (a key with an escape) it stops, and messages name only the file.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from asimi.core.errors import ConfigError
from asimi.core.values import NamedTuple
from asimi.world.config.sources import LONGEST, LONGEST_OF_PROJECT

if TYPE_CHECKING:
    from typing import Any

Path = tuple[str | int, ...]
"""The way to a value: keys and indices from the top."""

PARTS = 8
"""The most parts of one dotted key or header."""

DEPTH = 16
"""The most arrays and inline tables in each other."""

LONGEST_RUN = 1024
"""The most characters of a number or of a key without quotation marks; Python reads 4,300 digits."""

_END_OF_SCALAR = frozenset(",]}\n#")
_END_OF_KEY = frozenset("=. \t]")


class Bounds(NamedTuple):
    """The bounds of a file.

    Attributes:
        bytes: the most that it may have.
        values: the most parts of keys, elements, arrays and tables.
        work: units of work for what the rules say of themselves.
        whose: whose file it is, for messages.
    """

    bytes: int
    values: int
    work: int
    whose: str


OWN = Bounds(LONGEST, 1 << 16, 4_000_000, "a configuration file")
PROJECT = Bounds(LONGEST_OF_PROJECT, 1 << 12, 50_000, "a project's file")


def check_bounds(text: str, bounds: Bounds, path: str) -> None:
    """Make sure that a TOML text is little work, whether it is valid or not.

    Raises:
        ConfigError: it is too much; with the line.
    """
    values, depth, dots, at = 0, 0, 0, 0

    def check(number: int, most: int, what: str) -> None:
        if number > most:
            message = f"{what}; {bounds.whose} can have {most:,}, so make it simpler"
            raise ConfigError(message, path, text.count("\n", 0, at) + 1)

    # A string that does not end takes the rest, so no character is looked at twice.
    for found in re.finditer(
        r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{0,5}'
        r"|'''(?:[^']|'(?!''))*'{0,5}"
        r'|"(?:[^"\\\n]|\\.)*"?'
        r"|'[^'\n]*+'?"
        r"|#[^\n]*+"
        r"|[][{}.,=]|\n\s*+|[\w+-]++",
        text,
    ):
        at, kind = found.start(), found[0][0]
        values += kind in ".,=[{"
        check(values, bounds.values, "there are too many keys and values")
        if kind == ".":
            dots += 1
            check(dots + 1, PARTS, "a key has too many parts")
        elif kind in ",=[{\n":
            dots = 0
            depth += kind in "[{"
            check(depth, DEPTH, "arrays and tables are nested too deeply")
        elif kind in "]}":
            depth -= 1
        elif kind not in "\"'#":
            check(found.end() - at, LONGEST_RUN, "a number or key has too many characters")


def tables_in(path: str, content: bytes, bounds: Bounds = OWN) -> tuple[str, dict[str, Any]]:
    """Return the text of a file and what TOML reads in it.

    Raises:
        ConfigError: it is not TOML, or too much work to read; with the line, if it is known.
    """
    import tomllib

    if len(content) > bounds.bytes:
        raise ConfigError(f"is longer than {bounds.bytes >> 10} KiB, so asimi does not read it; make it shorter", path)
    try:
        text = content.decode()
        check_bounds(text, bounds, path)
        return text, tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigError("is not UTF-8", path, content.count(b"\n", 0, error.start) + 1) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not valid TOML: {error}", path, _line_in(str(error), text)) from None


def source_of(path: str, lines: dict[Path, int], way: Path) -> str:
    """`FILE:LINE`, or only the file if the line is not known."""
    line = lines.get(way)
    return path if line is None else f"{path}:{line}"


def _line_in(message: str, text: str) -> int | None:
    """Return the line that a message of tomllib names."""
    _, found, where = message.partition("(at line ")
    if found:
        digits = where.partition(",")[0]
        return int(digits) if digits.isdecimal() else None
    return text.count("\n") + (not text.endswith("\n")) if "at end of document" in message else None


@lru_cache(maxsize=4)
def lines_of(text: str) -> dict[Path, int]:
    """Return the lines, counted from 1, of the values in a valid TOML text, as far as it was understood."""
    walk = _Walk(text)
    with suppress(_UnsureError, IndexError, ValueError):  # the lines found so far are right
        walk.document()
    return walk.lines


class _UnsureError(Exception):
    """The walk cannot know how the text goes on."""


class _Walk:
    def __init__(self, text: str) -> None:
        self.text, self.at = text.replace("\r\n", "\n"), 0
        self.lines: dict[Path, int] = {}
        self.arrays: dict[Path, int] = {}  # how many tables each array of tables has so far
        self._counted, self._line = 0, 1

    def document(self) -> None:
        """`expression *( newline expression )`, ABNF of TOML 1.0."""
        base: Path = ()
        while self.to_next(newlines=True):
            if self.text[self.at] != "[":
                self.key_value(base)
            elif self.text.startswith("[[", self.at):
                self.at += 2
                start, keys = self.at, self.key()
                base = self.table(keys[:-1], start) + keys[-1:]
                number = self.arrays[base] = self.arrays.get(base, 0) + 1
                self.mark(base, start)
                base = (*base, number - 1)
                self.mark(base, start)
                self.at = self.text.index("]]", self.at) + 2
            else:
                self.at += 1
                start, keys = self.at, self.key()
                base = self.table(keys, start)
                self.at = self.text.index("]", self.at) + 1

    def table(self, keys: Path, at: int) -> Path:
        """Return the path of a table that a header names: a key of an array of tables means its last table."""
        base: Path = ()
        for key in keys:
            base = (*base, key)
            self.mark(base, at)
            if base in self.arrays:
                base = (*base, self.arrays[base] - 1)
        return base

    def key_value(self, base: Path) -> None:
        """`key = value`."""
        start, path = self.at, base
        for key in self.key():
            path = (*path, key)
            self.mark(path, start)
        self.at = self.text.index("=", self.at) + 1
        self.to_next()
        self.value(path)

    def key(self) -> Path:
        """Return a dotted key."""
        keys: list[str] = []
        while True:
            self.to_next()
            if self.text[self.at] in "\"'":
                keys.append(self.string())
            else:
                start = self.at
                while self.text[self.at] not in _END_OF_KEY:
                    self.at += 1
                keys.append(self.text[start : self.at])
            self.to_next()
            if self.text[self.at] != ".":
                return tuple(keys)
            self.at += 1

    def value(self, path: Path) -> None:
        """Any value; the elements of arrays and inline tables are marked too."""
        character = self.text[self.at]
        if character in "\"'":
            self.string(known=False)
        elif character == "[":
            self.at += 1
            index = 0
            while self.to_next(newlines=True) and self.text[self.at] != "]":
                self.mark((*path, index), self.at)
                self.value((*path, index))
                index += 1
                self.to_next(newlines=True)
                self.at += self.text[self.at] == ","
            self.at += 1
        elif character == "{":
            self.at += 1
            while self.to_next(newlines=True) and self.text[self.at] != "}":
                self.key_value(path)
                self.to_next(newlines=True)
                self.at += self.text[self.at] == ","
            self.at += 1
        else:
            while self.at < len(self.text) and self.text[self.at] not in _END_OF_SCALAR:
                self.at += 1

    def string(self, *, known: bool = True) -> str:
        """Return a string; `known` if its content matters (an escape makes that unsure)."""
        text, quote = self.text, self.text[self.at]
        long = text.startswith(quote * 3, self.at)
        mark = quote * 3 if long else quote
        start = self.at + len(mark)
        end = text.index(mark, start)
        while quote == '"' and _escapes(text, start, end) % 2:
            end = text.index(mark, end + 1)
        if long:
            while text.startswith(quote, end + 3):  # there may be up to two quotation marks before the closing ones
                end += 1
        self.at = end + len(mark)
        if known and "\\" in text[start:end] and quote == '"':
            raise _UnsureError
        return text[start:end]

    def to_next(self, *, newlines: bool = False) -> bool:
        """Skip blanks and comments; whether anything follows."""
        text = self.text
        while self.at < len(text):
            character = text[self.at]
            if character == "#":
                self.at = text.find("\n", self.at)
                if self.at < 0:
                    self.at = len(text)
            elif character in " \t" or (newlines and character == "\n"):
                self.at += 1
            else:
                return True
        return False

    def mark(self, path: Path, at: int) -> None:
        if path not in self.lines:
            self._line += self.text.count("\n", self._counted, at)
            self._counted = at
            self.lines[path] = self._line


def _escapes(text: str, start: int, end: int) -> int:
    """Return how many backslashes are right before a position."""
    at = end
    while at > start and text[at - 1] == "\\":
        at -= 1
    return end - at
