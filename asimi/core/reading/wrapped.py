"""Where the arguments of a wrapper hold the command that it starts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.programs.program import ALL, UNKNOWN
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, cut
from asimi.core.syntax import parse
from asimi.core.syntax.nodes import Word
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.budget import Budget
    from asimi.core.programs.program import Program
    from asimi.core.reading.arguments import Argument

MOST = 64
"""The most candidates where it is not sure which word begins the command."""

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


def inner(name: str, row: Program, words: Sequence[Word], budget: Budget, *, search: bool = True) -> Inner:
    """What a wrapper starts.

    Args:
        name: its name.
        row: what the catalogue knows of it, or of its subcommand that starts the command.
        words: its arguments.
        budget: what reading them is paid from.
        search: whether candidates are wanted where it is not sure.
    """
    return _Scan(name, row, words, budget, search=search).inner()


class _Scan:
    """One pass over the arguments of a wrapper, up to its command."""

    def __init__(self, name: str, row: Program, words: Sequence[Word], budget: Budget, *, search: bool) -> None:
        assert row.starts is not None
        self.name, self.row, self.starts, self.words, self.search = name, row, row.starts, words, search
        self.budget = budget
        self.operands, self.begin = row.starts.operands, len(words)
        self.assignments: list[Word] = []
        self.texts: list[Word] = []
        self.program: Word | None = None
        self.shell, self.joined = False, row.starts.joined

    def inner(self) -> Inner:
        """What the wrapper starts."""
        for argument in cut(self.words, self.row.syntax, 0):
            read = self._operand if argument.option is None or argument.option is COMPUTED else self._option
            found = read(argument)
            if found is not None:
                return found
            if self.begin == argument.at:
                break
        if self.texts:
            return self._bare()._replace(texts=tuple(self.texts))
        rest = tuple(self.words[self.begin :])
        if self.program is not None:
            rest = (self.program, *rest)
        starts = self.starts
        if rest and rest[0].literal is None and not rest[0].single:
            return self._unsure(f"{self.name} starts a command that only bash can know")._replace(words=rest)
        if not rest and not starts.optional and not starts.shell and self.words:
            return self._unsure(f"{self.name} is given no command")
        joined = self.joined or (starts.lone and len(rest) == 1)
        shell = self.shell or (not rest and (starts.shell or starts.input != ""))
        return self._bare()._replace(words=rest, joined=joined, shell=shell)

    def _operand(self, argument: Argument) -> Inner | None:
        """Take an operand; an answer only where no more can be known."""
        word = self.words[argument.at]
        if self.starts.assignments and ASSIGNMENT.match(argument.text):
            self.assignments.append(word)
        elif self.starts.loose and word.literal == "--":
            self.operands = 0 if self.starts.operands == ALL else self.operands
        elif self.starts.each:
            self.texts.append(word)
        elif self.starts.script:
            return self._bare()
        elif not self.operands:
            self.begin = argument.at
        elif word.literal is None and not word.single:
            return self._unsure(f"{self.name} has an argument that may be several or none")
        else:
            self.operands -= 1
        return None

    def _option(self, argument: Argument) -> Inner | None:
        """Take an option; an answer where it says all, or where no more can be known."""
        option, value = argument.option, argument.value
        assert option is not None
        if value is not None and value.literal is None and not value.single:
            return self._unsure(f"`{argument.text}` of {self.name} has a value that may be several words or none")
        if option is SEPARATOR and self.starts.operands == ALL:
            self.operands = 0
        if option is UNKNOWN:
            text = argument.text or self.words[argument.at].head
            return self._unsure(f"`{text}` is an option of {self.name} that asimi does not know")
        if option.does == "inert":
            return self._bare()
        if option.reader in {"SPLIT", "TEXT"} and value is None:
            return self._unsure(f"`{argument.text}` has no value")
        if option.reader == "SPLIT":
            found = _split(self.name, self.row, value, self.words[argument.value_at + 1 :], self.budget)
            if found is None:
                return self._unsure(f"`{argument.text}` cannot be split")
            return found._replace(assignments=(*self.assignments, *found.assignments))
        if option.reader == "TEXT" and value is not None:
            self.texts.append(value)
        elif option.reader == "PROGRAM":
            if self.program is not None:
                return self._unsure(f"{self.name} is given two programs")
            self.program = value
        else:
            self.shell = self.shell or option.does == "shells"
            self.joined = self.joined != (self.starts.unless in option.names)
            self.operands = 0 if self.starts.direct in option.names else self.operands
        return None

    def _bare(self) -> Inner:
        """An answer that names no command."""
        return Inner(assignments=tuple(self.assignments))

    def _unsure(self, why: str) -> Inner:
        """An answer that names every command it could be."""
        indices = (index for index, word in enumerate(self.words) if word.literal is not None)
        rests = tuple(tuple(self.words[index:]) for index in islice(indices, MOST)) if self.search else ()
        message = f"{why}, so it is unclear which command {self.name} starts"
        return self._bare()._replace(unsure=message, candidates=rests)


def _split(name: str, row: Program, value: Word | None, rest: Sequence[Word], budget: Budget) -> Inner | None:
    """What `env -S 'prog args' more` starts: the text is split as env does, the rest follows."""
    if value is None or value.literal is None or "\\" in value.literal:  # its backslashes mean more than a shell's
        return None
    try:
        script = parse(f": {value.literal}", budget)
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
    budget.spend(len(parts) + len(rest))
    options = [each.option for each in cut([*parts, *rest], row.syntax, 0) if each.option is not None]
    if any(each.reader == "enter" for each in options):
        return None  # what its words name is then in another directory, and no word of the command says which
    return inner(name, row, [*parts, *rest], budget)
