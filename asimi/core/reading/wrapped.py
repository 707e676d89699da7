"""Where the arguments of a wrapper hold the command that it starts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.lean import NamedTuple, pattern
from asimi.core.programs.program import UNKNOWN
from asimi.core.reading.arguments import COMPUTED, cut
from asimi.core.syntax import parse
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.programs.program import Program

MOST = 64
"""Candidates, where it is not sure which word begins the command."""

ASSIGNMENT = pattern(r"([A-Za-z_][^=]*)=")


class Inner(NamedTuple):
    """What a wrapper starts.

    Attributes:
        words: the command's words; empty where there are none.
        texts: the words that hold shell text.
        joined: whether `words` are joined with blanks and read by a shell.
        assignments: the words `NAME=VALUE` before the command.
        shell: whether it starts a shell that reads its standard input.
        unsure: why it is not sure which command it is, or empty.
        candidates: where it is not sure, every rest of the words that could be the command.
    """

    words: tuple[Word, ...] = ()
    texts: tuple[Word, ...] = ()
    joined: bool = False
    assignments: tuple[Word, ...] = ()
    shell: bool = False
    unsure: str = ""
    candidates: tuple[tuple[Word, ...], ...] = ()


def inner(name: str, row: Program, words: Sequence[Word], *, search: bool = True) -> Inner:
    """What a wrapper starts.

    Args:
        name: its name.
        row: what the catalogue knows of it, or of its subcommand that starts the command.
        words: its arguments.
        search: whether candidates are wanted where it is not sure.
    """
    starts = row.starts
    assert starts is not None
    assignments: list[Word] = []
    operands, begin = starts.operands, len(words)
    texts: list[Word] = []
    program: Word | None = None
    shell, joined = False, starts.joined

    def unsure(why: str) -> Inner:
        indices = (index for index in range(len(words)) if words[index].literal is not None)
        rests = tuple(tuple(words[index:]) for index in islice(indices, MOST)) if search else ()
        return Inner(
            assignments=tuple(assignments),
            unsure=f"{why}, so it is unclear which command {name} starts",
            candidates=rests,
        )

    for argument in cut(words, row.syntax, 0):
        option, word = argument.option, words[argument.at]
        if option is None or option is COMPUTED:
            if starts.assignments and ASSIGNMENT.match(argument.text):
                assignments.append(word)
            elif starts.loose and word.literal == "--":
                continue
            elif starts.each:
                texts.append(word)
            elif operands:
                if word.literal is None and not word.single:
                    return unsure(f"{name} has an argument that may be several or none")
                operands -= 1
            else:
                begin = argument.at
                break
        elif option is UNKNOWN:
            return unsure(f"`{argument.text or word.head}` is an option of {name} that asimi does not know")
        elif option.does == "inert":
            return Inner(assignments=tuple(assignments))
        elif option.reader in {"SPLIT", "TEXT"} and argument.value is None:
            return unsure(f"`{argument.text}` has no value")
        elif option.reader == "SPLIT":
            found = _split(name, row, argument.value, words[argument.value_at + 1 :])
            if found is None:
                return unsure(f"`{argument.text}` cannot be split")
            return found._replace(assignments=(*assignments, *found.assignments))
        elif option.reader == "TEXT" and argument.value is not None:
            texts.append(argument.value)
        elif option.reader == "PROGRAM":
            if program is not None:
                return unsure(f"{name} is given two programs")
            program = argument.value
        else:
            shell = shell or option.does == "shells"
            joined = joined != (starts.unless in option.names)
            operands = 0 if starts.direct in option.names else operands
    rest = tuple(words[begin:])
    if program is not None:
        rest = (program, *rest)
    if texts:
        return Inner(texts=tuple(texts), assignments=tuple(assignments))
    if rest and rest[0].literal is None and not rest[0].single:
        found = unsure(f"{name} starts a command that only bash can know")
        return found._replace(words=rest)
    if not rest and not starts.optional and not starts.shell and len(words):
        return unsure(f"{name} is given no command")
    shell = shell or (starts.shell and not rest)
    joined = joined or (starts.lone and len(rest) == 1)
    return Inner(words=rest, joined=joined, assignments=tuple(assignments), shell=shell)


def _split(name: str, row: Program, value: Word | None, rest: Sequence[Word]) -> Inner | None:
    """What `env -S 'prog args' more` starts: the text is split as env does, the rest follows."""
    if value is None or value.literal is None or "\\" in value.literal:  # its backslashes mean more than a shell's
        return None
    try:
        script = parse(f": {value.literal}")
    except ShellSyntaxError:
        return None
    if (
        len(script.commands) != 1
        or script.redirections
        or any(part.literal is None for part in script.commands[0].words)
    ):
        return None
    parts = [
        Word(value.start, value.end, part.literal, part.head, single=True) for part in script.commands[0].words[1:]
    ]
    return inner(name, row, [*parts, *rest])
