"""The mini languages of `sed` and `awk`: whether a program text only reads, selects and prints.

Each function answers with what the text does beyond that, in words, or with an empty string where it was read to its
end and does nothing else. What is not understood counts as doing something.
"""

from __future__ import annotations

import re

from asimi.core.lean import pattern

_SED_ADDRESS = pattern(
    r"""\s*(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1[IM]*)
    (?:\s*,\s*(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/[IM]*))?)?\s*!?\s*""",
    re.VERBOSE,
)
_SED_PLAIN = pattern(r"[=dDgGhHnNpPxzF][ \t]*")
_SED_JUMP = pattern(r"[btT][ \t]*\w*[ \t]*|:[ \t]*[\w.-]+[ \t]*")
_SED_NUMBER = pattern(r"[qQlL][ \t]*\d*[ \t]*")
_SED_TEXT = pattern(r"[aic](?:\\?\n|[ \t]*)(?:[^\\\n]|\\.|\\\n)*", re.DOTALL)
_SED_READ = pattern(r"[rR][ \t]*[^\n]+")
_SED_FLAGS = pattern(r"[gpiImM0-9]*[ \t]*")


def sed(text: str) -> str:
    """Read a sed script (GNU sed manual, sed scripts)."""
    pos, end = 0, len(text)
    while pos < end:
        if text[pos] in "{};\n \t":
            pos += 1
            continue
        if text[pos] == "#":
            pos = (text.find("\n", pos) + 1) or end
            continue
        pos = _SED_ADDRESS.match(text, pos).end()  # type: ignore[union-attr]  # it matches the empty text
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
                break
        else:
            if command not in "{}":
                return "is not understood"
    return ""


def _sed_parts(text: str, pos: int) -> int:
    """The end of `s/…/…/` or `y/…/…/`, 0 where it has none."""
    if pos + 1 >= len(text) or text[pos + 1] in "\\\n":
        return 0
    delimiter, pos, parts = text[pos + 1], pos + 2, 0
    while pos < len(text):
        character = text[pos]
        if character == "\\":
            pos += 1
        elif character == "[" and not parts:
            # Versions differ in what ends a part inside a bracket expression; where it matters, nothing is understood.
            close = text.find("]", pos + 2 + (text[pos + 1 : pos + 2] == "^"))
            if close < 0 or delimiter in text[pos:close] or text[close - 1] == "\\":
                return 0
            pos = close
        elif character == delimiter:
            parts += 1
            if parts == 2:
                return pos + 1
        pos += 1
    return 0


_AWK_TOKEN = pattern(
    r"""(?P<string>"(?:[^"\\]|\\.)*")|(?P<comment>\#[^\n]*)|(?P<word>[A-Za-z_]\w*)|(?P<number>[\d.]+)
    |(?P<operator>\|\||\|&|\||>>|>=|<=|==|!=|&&|!~|[-+*/%^]=|\+\+|--
    |[>@<{}()\[\];,\n?:=+*%^!~$&'.\\-])|(?P<slash>/)|(?P<blank>[ \t\r]+)""",
    re.VERBOSE,
)
_AWK_TARGET = pattern(r'\s*("[^"\\]*")\s*(?=[;}\n]|\Z)')
_AWK_REGEX = pattern(r"/(?:[^/\\\n\[]|\\.|\[\^?\][^\]\n\\/]*\]|\[\^?[^\]\n\\/^][^\]\n\\/]*\])*/")
_AWK_RUNS = {"system": "executes a command", "getline": "reads a command or a file", "close": ""}
_AWK_DOUBTS = 4
_AWK_DIVIDES = ("word", "number", "string")
_AWK_KEYWORDS = frozenset("print printf return case do else if while in getline delete exit next function".split())
_AWK_CONTINUES = frozenset({",", "\\", "&&", "||", "{", "do", "else", "?", ":"})
_AWK_NOWHERE = frozenset({'"/dev/stderr"', '"/dev/stdout"', '"/dev/null"'})


def awk(text: str) -> str:
    """Read an awk program (POSIX.1-2024, awk, Grammar)."""
    pos, previous, previous_kind = 0, "", ""
    printing, depth = False, 0
    while pos < len(text):
        match = _AWK_TOKEN.match(text, pos)
        if not match:
            return "is not understood"
        kind, piece = str(match.lastgroup), match.group()
        divides = previous_kind in _AWK_DIVIDES and previous not in _AWK_KEYWORDS
        if kind == "slash" and not (divides or previous in {")", "]", "++", "--"}):
            match = _AWK_REGEX.match(text, pos)
            if not match:
                return "is not understood"
            kind = "regex"
        elif kind == "slash" and previous == ")" and (other := _AWK_REGEX.match(text, pos)):
            # Behind `if (…)` this is a regular expression, behind `(a + b)` a division: both must be harmless.
            if text.count(")/") + text.count(") /") > _AWK_DOUBTS:
                return "is not understood"
            if trouble := awk("print x " + text[other.end() :]):
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
