"""The mini languages of `sed` and `awk`: whether a program text only reads, selects and prints.

Each function answers with what the text does beyond that, in words, or with an empty string where it was read to its
end and does nothing else. What is not understood counts as doing something.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable


def _bracket(delimiter: str) -> str:
    """What matches a bracket expression in a regular expression that a delimiter ends.

    Versions differ in whether a delimiter inside brackets ends it, and in what a backslash before the bracket's end
    means; where it matters, nothing matches.
    """
    return rf"\[\^?+\]?+(?:\[:\w+:\]|\[(?![:.=])|\\[^]\n]|[^][\\\n{delimiter}])*\]"


_SED_BLANKS = pattern(r"\s*")
_SED_PLACE = pattern(r"(?:[+~]?\d+(?:~\d+)?|\$)?")
_SED_CASE = pattern(r"[IM]*")
_SED_COMMA = pattern(r"\s*,")
_SED_NOT = pattern(r"\s*!?\s*")
_SED_PLAIN = pattern(r"[=dDgGhHnNpPxzF][ \t]*")
_SED_JUMP = pattern(r"[btT][ \t]*\w*[ \t]*|:[ \t]*[\w.-]+[ \t]*")
_SED_NUMBER = pattern(r"[qQlL][ \t]*\d*[ \t]*")
_SED_TEXT = pattern(r"[aic](?:\\?\n|[ \t]*)(?:[^\\\n]|\\.|\\\n)*", re.DOTALL)
_SED_READ = pattern(r"[rR][ \t]*([^\n]+)")
_SED_FLAGS = pattern(r"[gpiImM0-9]*[ \t]*")


def sed(text: str, reads: list[str] | None = None) -> str:
    """Read a sed script (GNU sed manual, sed scripts); the files that it reads are added to `reads`."""
    pos, end = 0, len(text)
    while pos < end:
        if text[pos] in "{};\n \t":
            pos += 1
            continue
        if text[pos] == "#":
            pos = (text.find("\n", pos) + 1) or end
            continue
        pos = _sed_address(text, pos)
        if pos >= 0 and (comma := _SED_COMMA.match(text, pos)):
            pos = _sed_address(text, comma.end())
        if pos < 0:
            return "is not understood"
        pos = _SED_NOT.match(text, pos).end()  # type: ignore[union-attr]  # it matches the empty text
        if pos >= end:
            return "ends where a command is wanted"
        command = text[pos]
        if command in "eEwW":
            return "executes a command" if command in "eE" else "writes a file"
        if command in "sy":
            pos = _sed_parts(text, pos)
            flags = _SED_FLAGS.match(text, pos)
            pos = flags.end() if flags and pos else 0
            if not pos or (pos < end and text[pos] not in "};\n#"):
                return "has a flag that executes, writes, or is not understood"
            continue
        for known in (_SED_PLAIN, _SED_JUMP, _SED_NUMBER, _SED_TEXT, _SED_READ):
            if match := known.match(text, pos):
                pos = match.end()
                if known is _SED_READ and reads is not None:
                    reads.append(match[1])
                break
        else:
            if command not in "{}":
                return "is not understood"
    return ""


def _sed_address(text: str, pos: int) -> int:
    """The position behind an address, or where it would begin; -1 where it is not understood."""
    pos = _SED_BLANKS.match(text, pos).end()  # type: ignore[union-attr]  # these match the empty text
    if text[pos : pos + 1] not in {"/", "\\"}:
        return _SED_PLACE.match(text, pos).end()  # type: ignore[union-attr]
    end = _sed_end(text, pos + (1 if text[pos] == "/" else 2), 0)
    return _SED_CASE.match(text, end).end() if end else -1  # type: ignore[union-attr]


def _sed_parts(text: str, pos: int) -> int:
    """The end of `s/…/…/` or `y/…/…/`, 0 where it has none."""
    middle = _sed_end(text, pos + 2, 0)
    return middle and _sed_end(text, middle, 1)


def _sed_end(text: str, begin: int, part: int) -> int:
    """The end of a part: 0 a regular expression, 1 a replacement; 0 where it has none. A delimiter is before it."""
    if begin > len(text) or text[begin - 1] in "[]\\\n":
        return 0
    match = _sed_delimited(text[begin - 1])[part].match(text, begin)
    return match.end() if match else 0


@lru_cache(maxsize=64)
def _sed_delimited(delimiter: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What matches a regular expression and a replacement, each with the delimiter behind it."""
    end = re.escape(delimiter)
    expression = rf"(?:[^\\\n[{end}]|\\.|{_bracket(end)})*{end}"
    return re.compile(expression, re.DOTALL), re.compile(rf"(?:[^\\\n{end}]|\\.)*{end}", re.DOTALL)


_AWK_TOKEN = pattern(
    r"""(?P<string>"(?:[^"\\]|\\.)*")|(?P<comment>\#[^\n]*)|(?P<word>[A-Za-z_]\w*)|(?P<number>[\d.]+)
    |(?P<operator>\|\||\|&|\||>>|>=|<=|==|!=|&&|!~|[-+*%^]=|\+\+|--
    |[>@<{}()\[\];,\n?:=+*%^!~$&'.\\-])|(?P<slash>/)|(?P<blank>[ \t\r]+)""",
    re.VERBOSE,
)
_AWK_TARGET = pattern(r'\s*("[^"\\]*")\s*(?=[;}\n]|\Z)')
_AWK_REGEX = pattern(rf"/(?:[^/\\\n\[]|\\.|{_bracket('/')})*/")
_AWK_RUNS = {
    "system": "executes a command",
    "getline": "reads a command or a file",
    "close": "",
    "ARGV": "reads files that it names itself",
    "SYMTAB": "reads variables by their names",
}
_AWK_DOUBTS = 4
_AWK_DIVIDES = ("word", "number", "string")
_AWK_KEYWORDS = frozenset("print printf return case do else if while in getline delete exit next function".split())
_AWK_CONTINUES = frozenset({",", "\\", "&&", "||", "{", "do", "else", "?", ":"})
_AWK_NOWHERE = frozenset({'"/dev/stderr"', '"/dev/stdout"', '"/dev/null"'})


def awk(text: str) -> str:
    """Read an awk program (POSIX.1-2024, awk, Grammar)."""
    return _awk(text, set())


def _awk(text: str, tried: set[int]) -> str:
    """The same; `tried` holds the lengths of the rests that were read as what follows a regular expression."""
    pos, previous, previous_kind = 0, "", ""
    printing, depth = False, 0
    while pos < len(text):
        match = _AWK_TOKEN.match(text, pos)
        if not match:
            return "is not understood"
        kind, piece = str(match.lastgroup), match.group()
        divides = previous_kind in _AWK_DIVIDES and previous not in _AWK_KEYWORDS
        if kind == "slash" and (previous_kind == "regex" or previous in {"++", "--", "length"}):
            return "is not understood"  # versions differ in whether this divides or begins a regular expression
        if kind == "slash" and not (divides or previous in {")", "]"}):
            match = _AWK_REGEX.match(text, pos)
            if not match:
                return "is not understood"
            kind = "regex"
        elif kind == "slash" and previous == ")" and (other := _AWK_REGEX.match(text, pos)):
            # Behind `if (…)` this is a regular expression, behind `(a + b)` a division: both must be harmless.
            if text.count(")/") + text.count(") /") > _AWK_DOUBTS:
                return "is not understood"
            rest = text[other.end() :]
            if len(rest) not in tried:
                tried.add(len(rest))
                if trouble := _awk("print x " + rest, tried):
                    return trouble
        pos = match.end()
        if kind in {"blank", "comment"}:
            continue
        if kind == "word" and piece in _AWK_RUNS and _AWK_RUNS[piece]:
            return _AWK_RUNS[piece]
        if kind == "operator" and piece == "@":
            return "loads another program or calls a function by its name"
        if piece in {"|", "|&"}:
            return "opens a pipe to a command"
        if piece in {"print", "printf"} and kind == "word":
            printing, depth = True, 0
        elif piece in {";", "}"} or (kind == "operator" and piece == "\n" and previous not in _AWK_CONTINUES):
            printing = False
        elif piece in {"(", "["}:
            depth += 1
        elif piece in {")", "]"}:
            depth -= 1
        elif piece in {">", ">>"} and printing and depth <= 0:
            target = _AWK_TARGET.match(text, pos)
            if target is None or target[1] not in _AWK_NOWHERE:
                return "writes a file"
        previous, previous_kind = piece, kind
    return ""


READERS: dict[str, Callable[[str], str]] = {
    "AWK": awk,
    "SED": sed,
}
