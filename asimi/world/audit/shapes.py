"""What secrets look like in a command: where programs take them, and how their tokens begin.

The facts are lines of `secrets.txt`; here they become patterns, each when a text first needs it. Every pattern takes
linear time, because an agent chooses the text: values are matched possessively, and what is searched for has a bound.
"""

from __future__ import annotations

import os
from functools import cache

from asimi.core.startup import TYPE_CHECKING, NamedTuple, escape, pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Pattern

VALUE = (
    r"""(?:\$\([^()]*+\)?|\$'(?:[^'\\]++|\\.)*'?|\\["'][^"'\\]*+(?:\\["'])?|"(?:[^"\\]++|\\.)*"?|'[^']+'?|`[^`]*+`?|\\."""
    r"""|[^\s'"`;&|\\$]++|\$)+"""
)
"""A word as bash reads it, with its quotes."""

_CODE = (  # code that takes the value from elsewhere
    r"(?:process\.env\b|os\.environ\b|os\.getenv\(|getenv\(|ENV\[|\$\{\{|[A-Za-z_][\w.]{0,64}\(\s*+[\w.]{0,64}\))"
)
_PLACEHOLDER = (
    r"""["']?(?:<[\w. -]{1,40}>|%[sdqv]|\*{3,}|[xX]{4,}|\.{3}|\.\*|(?i:your[-_]\w{1,40})|[A-Z_]{2,40}_HERE)["']?"""
    r"(?=[\s;&|)}\],/]|\Z)"
)
NAMED = (
    r"""(?:\\?"?\$(?:\w++|\{\w++(?::?\?[^{}]*+|:?[-=+])?\}|\((?!\s*+(?:echo|printf)\b)[^()]*+\))\\?"?(?=[\s;&|)}\],@"'\\]|\Z)"""
    rf"|(?:true|false|null|none|yes|no)(?![\w-])|{_CODE}|{_PLACEHOLDER})"
)
"""What only says where a value comes from, or stands for one."""

PLAIN = rf"(?!{NAMED}){VALUE}"
"""A value that is written there."""

_OPTIONS = r"(?:-\S++\s++){0,4}"
_APART = r"(?<=\s)"
_BETWEEN = r"[^\n]{0,300}?"
_FIRST = rf"\s++{_OPTIONS}"
_END = r"(?:\s++|\Z)"
_ONE_LETTER = pattern(r"-[A-Za-z]")
_PLAIN_WORD = pattern(r"[\w-]+")
_SECRET = pattern(r"(.*?)(\*\*?)(@_)?")


class Place(NamedTuple):
    """Where a program takes a secret.

    Attributes:
        pattern: the place among the words behind the program; what has to stay is group 1.
        first: whether it has to begin right behind the program.
    """

    pattern: Pattern[str]
    first: bool


@cache
def places() -> dict[str, tuple[str, ...]]:
    """Return the forms of the places by program, as `secrets.txt` has them; those of `*` are every program's."""
    forms: dict[str, tuple[str, ...]] = {}
    for line in _lines("places"):
        programs, _, said = line.partition(": ")
        taken = tuple(each.strip() for each in said.split("; "))
        for program in programs.split():
            forms[program] = forms.get(program, ()) + taken
    return forms


@cache
def tokens() -> tuple[tuple[str, str], ...]:
    """Return the prefixes of tokens, each with the pattern of what follows it."""
    return tuple((prefix, body) for body, *prefixes in map(str.split, _lines("tokens")) for prefix in prefixes)


@cache
def needed(form: str) -> tuple[str, ...]:
    """Return what stands in every text that a form is about; looking for it costs less than the pattern."""
    *words, last = form.split()
    plain = [each for each in words if len(each) > 2 and _PLAIN_WORD.fullmatch(each)]  # `-p` may be bundled
    return *plain, *last[1:2].strip("*_"), *("-" for each in words if each[0] == "-")


@cache
def place(form: str) -> Place:
    """Return what a form says, as a pattern."""
    *words, last = form.split()
    head = "".join(_word(word, begins=not number) for number, word in enumerate(words))
    first = form.split(maxsplit=1)[0] in {"_", "*", "**"}
    return Place(pattern(head or _END if last == "<" else _taken(head, last)), first)


def _word(word: str, *, begins: bool) -> str:
    """Return a word of a form before its last."""
    if word[0] == "-":
        return ("" if begins else _BETWEEN) + _APART + _option(word)
    if word == "_":
        return (_FIRST if begins else "") + r"\S++\s++"
    return (r"(?<![^\s'\"])" if begins else "") + word + _END + _OPTIONS


def _taken(head: str, last: str) -> str:
    """Return the last word of a form, which holds the secret, behind the others."""
    found = _SECRET.fullmatch(last)
    assert found is not None, last  # the file is ours
    lead, stars, behind = found.groups()
    if stars == "**":
        return rf"({head})(?:{VALUE}[ \t]*+){{1,40}}+"
    if not lead:
        return rf"({head or _FIRST})(?![-<>|]){PLAIN}"
    if lead[0] == "-":
        return rf"({_APART}{lead}){PLAIN}"
    if lead[0] not in "_[":
        return rf"({head}(?<![^\s'\"]){lead}){PLAIN}"
    mark = escape(lead.strip("_[]"))
    start = rf"[^\s{mark}'\"]++{mark}"
    start = rf"(?>(?:{start})?)" if lead[0] == "[" else start
    lone = rf"(?!{mark}|\+%|\d++:\d++(?!\S))"  # an empty name, a format of a date, numbers of users
    value = r"[^\s'\"@]++(?=@)" if behind else rf"(?(2)[^'\"]++|{VALUE})"
    return rf"({head or _APART}([\"'])?{lone}{start})(?!{NAMED}){value}"


def _option(word: str) -> str:
    """Return an option, up to its value."""
    if _ONE_LETTER.fullmatch(word):
        return rf"-(?:[A-Za-z0-9]{{0,9}}?{word[1]}(?:\s*+=\s*+|{_END})|{word[1]})"
    return rf"{word}(?:\s*+=\s*+|{_END})"


def _lines(part: str) -> Iterator[str]:
    """Yield the lines of a part of `secrets.txt`."""
    path = os.path.join(os.path.dirname(__file__), "secrets.txt")
    within = False
    for line in __spec__.loader.get_data(path).decode().splitlines():  # type: ignore[union-attr]  # also out of an archive
        if line[:1] == "[" and line.rstrip()[-1] == "]" and " " not in line:
            within = line == f"[{part}]"
        elif within and line and line[0] != "#":
            yield line
