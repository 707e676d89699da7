"""The mini languages of `sed` and `awk`: whether a program text only reads, selects and prints.

Each function answers with what the text does beyond that, in words, or with an empty string where it was read to its
end and does nothing else. What is not understood counts as doing something.
"""

from __future__ import annotations

import re

_SED_ADDRESS = re.compile(
    r"""\s*(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1[IM]*)
    (?:\s*,\s*(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/[IM]*))?)?\s*!?\s*""",
    re.VERBOSE,
)
_SED_PLAIN = re.compile(r"[=dDgGhHnNpPxzF]\s*")
_SED_JUMP = re.compile(r"[btT]\s*\w*\s*|:\s*[\w.-]+\s*")
_SED_NUMBER = re.compile(r"[qQlL]\s*\d*\s*")
_SED_TEXT = re.compile(r"[aic](?:\\?\n|[ \t]*)(?:[^\\\n]|\\.|\\\n)*", re.DOTALL)
_SED_READ = re.compile(r"[rR]\s*[^\n;}]+")
_SED_FLAGS = re.compile(r"[gpiIm0-9]*\s*")


def sed(text: str) -> str:
    """Read a sed script (GNU sed manual, sed scripts)."""
    place, end = 0, len(text)
    while place < end:
        if text[place] in "{};\n \t":
            place += 1
            continue
        if text[place] == "#":
            place = (text.find("\n", place) + 1) or end
            continue
        place = _SED_ADDRESS.match(text, place).end()  # type: ignore[union-attr]  # it matches the empty text
        if place >= end:
            return "ends where a command is wanted"
        command = text[place]
        if command in "eEwW":
            return "executes a command" if command in "eE" else "writes a file"
        if command in "sy":
            place = _sed_parts(text, place)
            flags = _SED_FLAGS.match(text, place)
            place = flags.end() if flags and place else 0
            if not place or (place < end and text[place] not in "};\n#"):
                return "has a flag that executes, writes, or is not understood"
            continue
        for known in (_SED_PLAIN, _SED_JUMP, _SED_NUMBER, _SED_TEXT, _SED_READ):
            if match := known.match(text, place):
                place = match.end()
                break
        else:
            if command not in "{}":
                return "is not understood"
    return ""


def _sed_parts(text: str, place: int) -> int:
    """The end of `s/…/…/` or `y/…/…/`, 0 where it has none."""
    if place + 1 >= len(text) or text[place + 1] in "\\\n":
        return 0
    delimiter, place, parts = text[place + 1], place + 2, 0
    bracket = False
    while place < len(text):
        character = text[place]
        if character == "\\":
            place += 1
        elif bracket:
            bracket = character != "]"
        elif character == "[" and not parts and "]" in text[place + 2 :]:
            # a delimiter inside a bracket expression ends the part all the same in GNU sed: both readings must agree
            bracket = delimiter not in text[place + 2 : text.index("]", place + 2)]
            if bracket:
                place += 1
        elif character == delimiter:
            parts += 1
            if parts == 2:
                return place + 1
        place += 1
    return 0


_AWK_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*")|(?P<comment>\#[^\n]*)|(?P<word>[A-Za-z_]\w*)|(?P<number>[\d.]+)
    |(?P<operator>\|\||\|&|\||>>|>=|<=|==|!=|&&|!~|[-+*/%^]=|\+\+|--
    |[>@<{}()\[\];,\n?:=+*%^!~$&'.\\-])|(?P<slash>/)|(?P<blank>[ \t\r]+)""",
    re.VERBOSE,
)
_AWK_REGEX = re.compile(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?[^\]\n]*\])*/")
_AWK_RUNS = {"system": "executes a command", "getline": "reads a command or a file", "close": ""}
_AWK_DIVIDES = ("word", "number", "string")


def awk(text: str) -> str:
    """Read an awk program (POSIX.1-2024, awk, Grammar)."""
    place, previous, previous_kind = 0, "", ""
    printing, depth = False, 0
    while place < len(text):
        match = _AWK_TOKEN.match(text, place)
        if not match:
            return "is not understood"
        kind, token = str(match.lastgroup), match.group()
        if kind == "slash" and not (previous_kind in _AWK_DIVIDES or previous in {")", "]", "$", "++", "--"}):
            match = _AWK_REGEX.match(text, place)
            if not match:
                return "is not understood"
            kind = "regex"
        place = match.end()
        if kind in {"blank", "comment"}:
            continue
        if kind == "word" and token in _AWK_RUNS and _AWK_RUNS[token]:
            return _AWK_RUNS[token]
        if match.group() == "@":
            return "loads another program or calls a function by its name"
        if token in {"|", "|&"}:
            return "opens a pipe to a command"
        if token in {"print", "printf"} and kind == "word":
            printing, depth = True, 0
        elif token in {";", "\n", "}"}:
            printing = False
        elif token in {"(", "["}:
            depth += 1
        elif token in {")", "]"}:
            depth -= 1
        elif token in {">", ">>"} and printing and depth <= 0:
            return "writes a file"
        previous, previous_kind = token, kind
    return ""


LANGUAGES = {"sed": sed, "awk": awk}
