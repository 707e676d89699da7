"""The line of each key and each element of a TOML file, which `tomllib` does not tell.

One walk over a text that `tomllib` has read already, so it does not check anything. It follows the TOML 1.0 grammar for
statements, keys, strings, arrays and inline tables and skips other values. Where it is unsure (a key with an escape) it
stops, and messages name only the file.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

Path = tuple[str | int, ...]
"""The way to a value: keys and indices from the top."""

_END_OF_SCALAR = frozenset(",]}\n#")
_END_OF_KEY = frozenset("=. \t]")


@lru_cache(maxsize=4)
def lines_of(text: str) -> dict[Path, int]:
    """The lines, counted from 1, of the values in a valid TOML text, as far as it was understood."""
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
        """The path of a table that a header names: a key of an array of tables means its last table."""
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
        """A dotted key."""
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
        """A string; `known` if its content matters (an escape makes that unsure)."""
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
    """How many backslashes are right before a position."""
    at = end
    while at > start and text[at - 1] == "\\":
        at -= 1
    return end - at
