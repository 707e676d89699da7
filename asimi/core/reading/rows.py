"""Programs that somebody describes, in the notation of the catalogue: what is read of a text, and what is wrong in it.

The catalogue is written by people who run its tests; this text is not, so nothing in it is passed over in silence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.facts import lists
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.program import GROUPS, UnreadableRowError, blocks, notation, program_of
from asimi.core.reading.account import tree_words_in
from asimi.core.reading.disclosures import SHOWS
from asimi.core.reading.escapes import STARTED
from asimi.core.reading.values import HOMES, value_readers
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.programs.program import Program

LONGEST = 64
"""Characters of a name."""

KNOWN = "asimi knows `{0}` already (asimi explain {0}), and what it knows is not described anew"
"""What is said of a name of the catalogue."""

_NAME = pattern(r"[A-Za-z0-9_][\w.+@-]*")
_LIST = pattern(r"\$(\w+) = \S")
ROLES, TRAITS, SYNTAX = map(notation, ("roles", "traits", "syntax"))
_READERS = frozenset({*ROLES, *STARTED, *" ".join(HOMES.values()).split(), *filter(str.isupper, value_readers())})


class Fault(NamedTuple):
    """Something wrong in a text.

    Attributes:
        line: its line, counted from 1.
        message: what is wrong, and what to do.
    """

    line: int
    message: str


class ParsedPrograms(NamedTuple):
    """What is read of a text.

    Attributes:
        programs: the programs, by each of their names.
        faults: what is wrong; where there is anything, no program counts.
        known: the names that the catalogue knows, which is what counts of them.
    """

    programs: dict[str, Program]
    faults: tuple[Fault, ...]
    known: tuple[Fault, ...] = ()


def parse_programs(text: str) -> ParsedPrograms:
    """The programs that a text describes."""
    faults = [*_of_lines(text.split("\n"))]
    if faults:
        return ParsedPrograms({}, tuple(faults))
    (_, _, begun), *found = blocks(text)
    shared = lists(text[:begun])
    programs: dict[str, Program] = {}
    known: list[Fault] = []
    for _, start, end in found:
        first = text.count("\n", 0, start) + 1
        lines = text[start:end].split("\n")
        places = [first + number for number, line in enumerate(lines) if _says(line)]
        try:
            program = program_of("\n".join(lines), shared, names_by=1)
            faults += (Fault(places[at], message) for at, message in _of_row(program, 0))
        except UnreadableRowError as error:
            faults.append(Fault(places[error.line], str(error)))
            continue
        for name in (program.name, *program.aliases):
            if find(name) is not None or find(name.lower()) is not None:
                known.append(Fault(first, KNOWN.format(name)))
                continue
            if message := _of_name(name, programs):
                faults.append(Fault(first, message))
            programs[name] = program
    return ParsedPrograms({} if faults else programs, tuple(sorted(faults)), tuple(known))


def _says(line: str) -> bool:
    """Whether a line is neither empty nor a comment."""
    return bool(line.strip()) and line.lstrip()[0] != "#"


def _of_lines(lines: list[str]) -> Iterator[Fault]:
    """What is wrong with the way lines are written: their characters, how deep they are, the lists at the beginning."""
    head, goes_on, known = -1, False, set[str]()  # the depth of the last head; whether its fields may go on
    in_list = False
    named: dict[int, dict[str, int]] = {}  # for each depth, the rows so far below the same row, and their lines
    for number, line in enumerate(lines, 1):
        if not line.isprintable():
            yield Fault(number, "this holds a tab, or another character that is not printed; write blanks")
            continue
        if not _says(line):
            continue
        depth = len(line) - len(line.lstrip(" "))
        if line[0] == "$":
            match = _LIST.match(line)
            if head >= 0 or match is None:
                yield Fault(number, "a list is `$NAME = OPTIONS`, before the first program")
                continue
            in_list = True
        if in_list and (line[0] == "$" or depth):
            words = line.split()
            begins = line[0] == "$"
            for word in words[2:] if begins else words:
                if word[0] == "$" and word[1:] not in known:
                    yield Fault(number, f"there is no list {word} above this line")
            if begins:
                known.add(words[0][1:])
            continue
        in_list = False
        if depth == head + 4 and head >= 0:
            goes_on = True
        elif depth == head + 8 and goes_on:
            pass
        elif depth <= head + 2 and depth % 2 == 0 and (head >= 0 or depth == 0):
            if line.lstrip()[0] == "-":
                yield Fault(number, f"an option is four blanks deeper than its row, at {head + 4 if head >= 0 else 4}")
            head, goes_on = depth, False
            named = {at: rows for at, rows in named.items() if at <= depth}
            rows = named.setdefault(depth, {})
            for name in line.split()[0].split(","):
                if depth and rows.setdefault(name, number) != number:
                    yield Fault(number, f"`{name}` is described twice, first in line {rows[name]}")
        else:
            yield Fault(number, _depth(head, depth))


def _depth(head: int, depth: int) -> str:
    """What is said of a line that is as deep as none can be there."""
    if head < 0:
        return "the first program begins at the beginning of its line"
    return (
        f"this is {depth} blanks deep; below a row at {head}, its options are at {head + 4}, the lines that continue "
        f"these at {head + 8}, and its subcommands at {head + 2}"
    )


def _of_name(name: str, others: dict[str, Program]) -> str:
    """Why a program cannot be described by a name; empty where it can."""
    if len(name) > LONGEST or _NAME.fullmatch(name) is None:
        return f"`{name[:LONGEST]}` is not a name of a program: letters, digits and `_ . + @ -`"
    return f"`{name}` is described twice" if name in others else ""


def _of_row(row: Program, line: int) -> Iterator[tuple[int, str]]:
    """What is wrong in a row and in those below it, each with its line among those that say something.

    Raises:
        UnreadableRowError: one of these cannot be read.
    """
    yield from ((line, message) for message in _row_faults(row))
    below = row.subcommands
    for at in sorted(below.lines):
        try:
            each = below.at(at)
        except RecursionError:
            raise UnreadableRowError("this is too deep", at) from None
        yield from _of_row(each, at)


def _row_faults(row: Program) -> Iterator[str]:
    """What a row says that means nothing."""
    for word in sorted(row.how - SYNTAX.keys()):
        yield f"`[{word}]` is no word of the syntax; there are {', '.join(SYNTAX)}"
    for word in sorted(row.traits - TRAITS.keys()):
        yield f"`{{{word}}}` is no trait; there are {', '.join(TRAITS)}"
    try:
        tree_words_in(row.trees)
    except ValueError as error:
        yield str(error)
    if row.shows and row.shows not in SHOWS:
        yield f"`{row.shows}` says nothing of what it shows; there are {', '.join(SHOWS)}"
    if "builtin" in row.traits or row.shell:
        yield "only asimi's own catalogue says what a builtin of bash or a shell is"
    try:
        syntax = row.syntax
    except ValueError as error:
        yield f"{error}; asimi help programs"
        return
    known = [*syntax.options.values(), *(option for _, option in syntax.beginnings)]
    named = [option.reader for option in known if option.reader] + [each.role for each in syntax.operands]
    for role in sorted({*named} - _READERS):
        yield f"`{role}` is no role of a file or a value; there are {', '.join(ROLES)}"
    if sum(each.many for each in syntax.operands) > 1:
        yield "only one operand may be there any number of times (`*`)"
    seen: dict[str, str] = {}
    for group in GROUPS:
        for word in getattr(row, group).split():
            for name in word.split("=")[0].split(","):
                if name in seen:
                    yield f"`{name}` is described twice" + (
                        f", in `{seen[name]}` and in `{group}`" if seen[name] != group else ""
                    )
                seen[name] = group
