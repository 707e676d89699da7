"""What a program text starts and names by literal calls, in JavaScript, Perl, Ruby, PHP and Python.

These are patterns, not grammars: they find `system("rm", "x")` in a comment too, and nothing behind a variable. That
does for a search, which allows nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of
from asimi.core.pattern import pattern
from asimi.core.reading.commands import File, Inline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.reading.commands import Words

LONGEST = 16_384
"""Characters of a text that is searched."""

PER_CHARACTER = 6
"""What searching a character costs."""

MOST = 64
"""Arguments of one call that are looked at."""

_NAMES = {name: " ".join(lines).split() for name, lines in facts_of(__package__, "calls").items()}

STARTERS = frozenset(_NAMES.pop("starters"))
"""Functions that get a shell's text or a command (Node.js child_process, perlfunc, Ruby Kernel and Open3, PHP exec)."""

ROLES = {name: roles.split("-") for roles, names in _NAMES.items() for name in names}
"""What becomes of the files that are the first arguments of functions; all of them where something is removed."""

_STRING = r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`"""
_LIST = r"""(?:qw|%w)\s*(?:\([^)]{0,128}\)|\[[^]]{0,128}\]|\{[^}]{0,128}\}|/[^/]{0,128}/)"""
_CALL = pattern(
    rf"(?:\b(open)\s*+\(?\s*+(?:my\s++)?\$?\w++\s*+,\s*+|((?:\b\w+\.)?\b\w+)[!?]?\s*+(?:\(\s*+)*)"
    rf"(?=\[?\s*+(?:{_STRING}|{_LIST}))"
)
"""A function in front of a literal; Perl's `open` has a name for the file before that."""

_OTHER = r"""[^\s,;)}\]'"`{][^,;)}\]\n'"`{]*"""
_ITEM = pattern(rf"[\[\s]*(?:({_STRING})|({_LIST})|({_OTHER}))[\]\s]*(,|=>)?", re.DOTALL)
_SHELL = pattern(
    r"(?:qx|%x)\s*(?:\(([^)]{0,128})\)|\{([^}]{0,128})\}|\[([^]]{0,128})\]|/([^/]{0,128})/|!([^!]{0,128})!"
    r"|\|([^|]{0,128})\|)|(?<!\w)`((?:\\.|[^`\\])*)`"
)
_TAGGED = pattern(r"(?<!\w)\$`((?:\\.|[^`\\])*)`")
"""A text for a shell between quotes of its own; of JavaScript, of zx and Bun."""

_ESCAPE = pattern(r"\\(.)", re.DOTALL)
_CHARACTERS = {"n": "\n", "t": "\t", "0": ""}
_COMPUTED = pattern(r"[$@][\w{(]|#\{")
_WRITES = pattern(r"\s*\+?[<>]|[rwax]b?\+|[wax]")


def read(text: str, language: str, budget: Budget) -> Inline:
    """What a text may start and names, in a language of `asimi.core.reading.inline.LANGUAGES`."""
    if len(text) > LONGEST:
        return Inline()
    budget.spend(8 + PER_CHARACTER * len(text))
    quoted = () if language == "PYTHON" else (_TAGGED if language == "JAVASCRIPT" else _SHELL).finditer(text)
    starts: list[str | Words] = [_unescape("".join(filter(None, match.groups()))) for match in quoted]
    files: list[File] = []
    for match in _CALL.finditer(text):
        name = match[1] or match[2]
        last = name.rpartition(".")[2]
        roles = ROLES.get(name) or ROLES.get(last) or []
        if last not in STARTERS and not roles:
            continue
        given = list(_arguments(text, match.end(), budget))
        files += _files(roles, given)
        starts += _commands_of_open(given) if "mode" in roles else ()
        if last in STARTERS and given and given[0] is not None:
            starts.append(given[0] if len(given) == 1 or " " in given[0] else tuple(given))
    return Inline(tuple(starts), tuple(dict.fromkeys(files)))


def _arguments(text: str, start: int, budget: Budget) -> Iterator[str | None]:
    """The arguments of a call; None for one that is not literal."""
    for _ in range(MOST):
        match = _ITEM.match(text, start)
        if match is None:
            return
        budget.spend(4 + (match.end() - start) // 8)
        if match[2]:
            yield from match[2][3:-1].split()
        else:
            yield _unescape(match[1][1:-1]) if match[1] else None
        start = match.end()
        if not match[4]:
            return


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: _CHARACTERS.get(match[1], match[1]), text)


def _files(roles: Sequence[str], given: Sequence[str | None]) -> Iterator[File]:
    """The files among the arguments of a function."""
    if "delete" in roles:
        roles = ["delete"] * len(given)
    for role, argument in zip(roles, given, strict=False):
        if argument and not _COMPUTED.search(argument):
            yield _file_of_open(given) if role == "mode" else File(argument, role)


def _file_of_open(given: Sequence[str | None]) -> File:
    """The file that is opened: `open("x", "w")`, `open(F, "<", "x")`, `open(F, ">x")`."""
    words = [each for each in given if each is not None]
    if words[0][:1] in {"<", ">", "+"} and len(words) > 1:
        return File(words[1], "write" if _WRITES.match(words[0].lstrip("<")) else "read")
    path = words[0].lstrip("<>+ ")
    writes = words[0][:1] in {">", "+"} or any(map(_WRITES.match, words[1:2]))
    return File(path, "write" if writes else "read")


def _commands_of_open(given: Sequence[str | None]) -> Iterator[str | Words]:
    """The command that Perl's `open` starts (perlfunc, open)."""
    words = [each for each in given if each is not None]
    if words and words[0] in {"-|", "|-"}:
        yield words[1] if len(words) == 2 else tuple(words[1:])
    elif words and (words[0].startswith("|") or words[0].endswith("|")):
        yield words[0].strip("| ")
