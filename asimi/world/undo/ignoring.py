"""Which files git ignores, without asking git: it would start what a repository's configuration names.

Sources: gitignore(5); `dir.c` and `wildmatch.c` of git, which say what the manual leaves open. A fuzzer holds this
module against the real git.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from re import escape
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CLASSES = {
    "alnum": "A-Za-z0-9", "alpha": "A-Za-z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "\\x21-\\x7e", "lower": "a-z", "print": "\\x20-\\x7e", "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\v\\f\\r",
    "upper": "A-Z", "xdigit": "A-Fa-f0-9",
}  # fmt: skip
"""Character classes of a pattern (wildmatch.c), in the C locale."""

_NEVER = "(?!)"
"""What matches nothing: git gives up a pattern that it cannot read."""

_WILD = frozenset("*?[\\")


class Line(NamedTuple):
    """One pattern of a file.

    Attributes:
        back: whether it takes something back (`!`).
        directories: whether it is for directories alone.
        whole: whether it is for the path from its file's directory, not for the name alone.
        regex: matches it.
    """

    back: bool
    directories: bool
    whole: bool
    regex: re.Pattern[str]


def lines_in(content: bytes, *, fold: bool = False) -> tuple[Line, ...]:
    """The patterns that a file holds, the first one first.

    Args:
        content: of the file.
        fold: whether small and capital letters are the same (`core.ignorecase`).
    """
    flags = re.DOTALL | re.ASCII | (re.IGNORECASE if fold else 0)
    found = []
    for raw in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = raw.removesuffix(b"\r").partition(b"\0")[0].decode("latin-1")  # git compares bytes
        if not text or text[0] == "#":
            continue
        text = _trim_blanks(text)
        back = text[:1] == "!"
        text = text[back:]
        directories = text[-1:] == "/"
        text = text[:-1] if directories else text
        if text:
            whole = "/" in text
            found.append(Line(back, directories, whole, re.compile(_regex(text, whole=whole), flags)))
    return tuple(found)


def _trim_blanks(text: str) -> str:
    """A line without the blanks at its end that no backslash stands before (`trim_trailing_spaces`)."""
    end, at = None, 0
    while at < len(text):
        if text[at] == " ":
            end = at if end is None else end
        else:
            if text[at] == "\\":
                at += 1
                if at >= len(text):
                    return text
            end = None
        at += 1
    return text if end is None else text[:end]


def _regex(text: str, *, whole: bool) -> str:
    """The regular expression of a pattern that is not empty.

    What is before the first wildcard of a path is compared as it is, and a `**` behind that is at the beginning of what
    `wildmatch` gets (`match_pathname`): `b**/c` is for `b/x/c`.
    """
    if not whole:
        return f"{_wild(text, slashes=True)}\\Z"
    text = text.removeprefix("/")
    at = next((n for n, char in enumerate(text) if char in _WILD), len(text))
    return f"{escape(text[:at])}{_wild(text[at:], slashes=False)}\\Z"


def _wild(text: str, *, slashes: bool) -> str:
    """What `wildmatch` matches; `slashes` says whether a `*` stands for them, too."""
    parts, at, own = [], 0, ("." if slashes else "[^/]")
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
            if at >= len(text):
                return _NEVER
            parts.append(escape(text[at]))
        elif char == "?":
            parts.append(own)
        elif char == "*":
            begin = at
            while text[at + 1 : at + 2] == "*":
                at += 1
            rest = text[at + 1 :]
            many = at > begin and (begin == 0 or text[begin - 1] == "/")
            many = many and (rest[:1] in {"", "/"} or rest[:2] == "\\/")
            if slashes or (many and rest[:1] != "/"):
                parts.append(".*")
            elif many:
                parts.append("(?:.*/)?")
                at += 1
            else:
                parts.append("[^/]*")
        elif char == "[":
            found = _bracket(text, at)
            if found is None:
                return _NEVER
            inside, at = found
            parts.append(inside if slashes else f"(?!/){inside}")
        else:
            parts.append(escape(char))
        at += 1
    return _without_backtracking(parts)


_STARS = frozenset({".*", "[^/]*"})


def _without_backtracking(parts: Sequence[str]) -> str:
    """The parts of an expression, so put together that it never tries all ways (`*a*a*a*b`).

    Behind a star the first place where the text up to the next star fits is as good as any later one, as long as both
    are in the same name.
    """
    out, at = [], 0
    while at < len(parts):
        if parts[at] not in _STARS:
            out.append(parts[at])
            at += 1
            continue
        star, end = parts[at], at + 1
        while end < len(parts) and parts[end] not in _STARS and parts[end] not in {"/", "(?:.*/)?"}:
            end += 1
        between = "".join(parts[at + 1 : end])
        if end < len(parts) and parts[end] == star:
            out.append(f"(?>{star}?{between})")
        else:
            out.append(f"{star}{between}")
        at = end
    return "".join(out)


def _bracket(text: str, at: int) -> tuple[str, int] | None:
    """A set of characters, and where it ends; None where it has no end, or says what git does not know."""
    at += 1
    negative = text[at : at + 1] in {"!", "^"}
    at += negative
    inside, begin, before = list[str](), at, ""
    while True:
        if at >= len(text):
            return None
        char = text[at]
        if char == "]" and at > begin:
            break
        if char == "[" and text[at + 1 : at + 2] == ":":
            end = text.find("]", at + 2)
            if end < 0:
                return None
            name = text[at + 2 : end - 1]
            if text[end - 1] == ":" and end - 1 >= at + 2:
                if name not in _CLASSES:
                    return None
                inside.append(_CLASSES[name])
                at, before = end + 1, ""
                continue
        if char == "-" and before and text[at + 1 : at + 2] not in {"", "]"}:
            at += 1
            last = text[at]
            if last == "\\":
                at += 1
                if at >= len(text):
                    return None
                last = text[at]
            if before <= last:
                inside.append(f"{escape(before)}-{escape(last)}")
            before = ""
        else:
            if char == "\\":
                at += 1
                if at >= len(text):
                    return None
                char = text[at]
            inside.append(escape(char))
            before = char
        at += 1
    body = "".join(inside)
    if not body:
        return None
    return f"[{'^' if negative else ''}{body}]", at


class Patterns:
    """The patterns of the files that count in one directory, those of the repository's top first.

    Args:
        above: those of the directory above; None for none.
        base: the directory that the own ones are relative to, from the repository's top, with `/` at its end.
        content: of the own file.
        fold: whether small and capital letters are the same.
        general: whether the file is in no directory of the work tree.
    """

    __slots__ = ("_above", "_content", "_fold", "_lines", "_skip", "file", "ident", "own")

    def __init__(
        self, above: Patterns | None, base: str, content: bytes, *, fold: bool = False, general: bool = False
    ) -> None:
        self._above, self._content, self._fold = above, content, fold
        self.file = "" if general else f"{base}.gitignore"
        self._lines: tuple[Line, ...] | None = None
        self._skip = len(os.fsencode(base))
        self.own = sha256(content).digest()
        before = b"" if above is None else above.ident
        self.ident: bytes = sha256(before + os.fsencode(self.file) + b"\0" + self.own).digest()

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Each file that counts with a digest of what it holds, the own one first; general ones have no name."""
        at: Patterns | None = self
        while at is not None:
            yield at.file, at.own
            at = at._above  # noqa: SLF001

    def ignores(self, path: str, name: str, *, directory: bool) -> bool:
        """Whether the last pattern that fits a path ignores it; that of a directory above is asked about before.

        Args:
            path: from the repository's top.
            name: its last part.
            directory: whether it is a directory.
        """
        if not path.isascii():
            path, name = (os.fsencode(each).decode("latin-1") for each in (path, name))
        at: Patterns | None = self
        while at is not None:
            lines = at._lines  # noqa: SLF001
            if lines is None:
                lines = at._lines = lines_in(at._content, fold=at._fold)[::-1]  # noqa: SLF001
            below = path[at._skip :]  # noqa: SLF001
            for line in lines:
                if (directory or not line.directories) and line.regex.match(below if line.whole else name):
                    return not line.back
            at = at._above  # noqa: SLF001
        return False


class Globs:
    """Patterns of paths as `[undo] include` and `except` have them: relative to the root, `*` a part of a name, `**`.

    Args:
        texts: the patterns.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._regexes: list[re.Pattern[str]] = []
        if texts:
            texts = [each.removeprefix("./").strip("/") for each in texts]
            self._regexes = [re.compile(f"{_wild(each, slashes=False)}(?:/.*)?\\Z", re.DOTALL) for each in texts]
        self._heads = [_head(each) for each in texts]

    def __bool__(self) -> bool:
        return bool(self._regexes)

    def has(self, path: str) -> bool:
        """Whether one of them is for a path, or for a directory above it."""
        return any(each.match(path) for each in self._regexes)

    def may_be_below(self, path: str) -> bool:
        """Whether one of them may be for something below a directory."""
        return any(f"{path}/".startswith(head) or head.startswith(f"{path}/") for head in self._heads)


def _head(pattern: str) -> str:
    """The directories that a pattern begins with, up to its first wildcard, with `/` at the end."""
    at = next((n for n, char in enumerate(pattern) if char in _WILD), len(pattern))
    return pattern[: pattern.rfind("/", 0, at) + 1]
