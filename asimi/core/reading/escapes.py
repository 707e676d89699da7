"""The arguments by which an ordinary program starts another, runs a program text, or writes.

The rows of the catalogue say which these are; an option that a row with such options does not name could be one of
them. Text that only bash can know could be any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs.program import OF_ROLES, UNKNOWN
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, Argument, cut, role_of, roles_beside
from asimi.core.reading.commands import CODE, AddedWord, Escape
from asimi.core.reading.shapes import AT, MANY
from asimi.core.reading.values import KINDS, LANGUAGES, PROGRAMS, SHOWING, fault_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.programs.program import Operand, Program
    from asimi.core.reading.commands import Command
    from asimi.core.reading.shapes import Shapes
    from asimi.core.syntax.nodes import Word

DANGERS = {"writes": "write, change or remove something", "runs": "start a program, or read what can name one"}
"""What the options of a group make a program do."""

STARTED = LANGUAGES | {"COMMAND", "PROGRAM", "RCHECK", "SPLIT", "TEXT"}
"""Values that are commands or program texts, or hold some: `starts`, `inline` and `checks` read them."""

_AROUND = pattern(r"""[][(){}|!`"'=:,\n]+""")
"""What is around a command in the languages of programs: `execute(ls)`, `EXEC:ls`, `system("ls")`, `!ls`."""

MOST_PIECES = 64
"""Parts of one argument that are looked at."""


def escapes(command: Command, shapes: Shapes, budget: Budget) -> Iterator[Escape]:
    """What the arguments of a command do beyond its ordinary purpose.

    Args:
        command: the command; its name is literal.
        shapes: what is sure of its words.
        budget: what reading them is paid from.
    """
    if command.program is None:
        return
    budget.spend(8 + 7 * len(command.words))
    words, name = command.words, command.name or ""
    for level in command.levels:
        row, index = level.row, level.operand
        scan = _Scan(name, row, command, shapes, budget)
        if not (row.subcommands or row.others):
            yield from scan.escapes_in(words, level.start, level.arguments)
            return
        if level.firm and level is command.levels[-1]:
            yield from scan.escapes_in(words, level.start, level.arguments, index)
            return
        yield from scan.escapes_in(words[:index], level.start, [each for each in level.arguments if each.at < index])
        if not level.firm:
            if any(each.syntax.guarded or "opaque" in each.traits for each in row.subcommands.values()):
                yield Escape(index, f"only bash can know which subcommand of {name} this is")
            return
        name = f"{name} {words[index].literal}"


def texts_in(argument: str) -> set[str]:
    """The texts in an argument that may be commands: all of it, its pieces, and these without their first words."""
    pieces = _AROUND.split(argument, MOST_PIECES)
    key, _, value = argument.partition("=")
    texts = {argument, value, *pieces}
    for count in (1, 2):
        texts.update(*(piece.split(None, count)[count:] for piece in pieces))
    alias = f"git {value}" if key.startswith("alias.") else ""
    return texts | {alias, argument[2:] if argument.startswith("-") else ""}


class _Scan:
    """One pass over the arguments of one row."""

    def __init__(self, name: str, row: Program, command: Command, shapes: Shapes, budget: Budget) -> None:
        self.name, self.row, self.command, self.shapes, self.budget = name, row, command, shapes, budget
        self.here = shapes.known["PWD"] == AT  # whether it runs in the directory of the call

    def escapes_in(
        self, words: Sequence[Word], start: int, own: Sequence[Argument], behind: int | None = None
    ) -> Iterator[Escape]:
        """The escapes among `words[start:]`.

        Args:
            words: the command.
            start: the index of its first argument.
            own: the arguments.
            behind: the index of a subcommand without a row, so not all is known of the words behind it.
        """
        simple, syntax = self.command.simple, self.row.syntax
        if "opaque" in self.row.traits:
            said = f"{self.name} runs what its arguments or its input say"
            yield Escape(start, said, whole=True, kinds=self.row.kinds)
            return
        arguments = list(own)
        given = self.command.where.given or (simple is not None and simple.input is not None)
        if (
            "input" in self.row.traits
            and given
            and all(not each.option or each.option.does != "inert" for each in arguments)
        ):
            yield Escape(len(words), f"{self.name} runs what its standard input says", kinds=CODE)
        if behind is not None and "shared" in syntax.how:
            arguments = [each for each in arguments if each.at < behind]
            if behind < len(words):
                arguments += cut(words, syntax, behind + 1, ends=False)
        if syntax.guarded and "open" not in syntax.how:
            arguments += self._split(words, start, arguments)
        roles = roles_beside(arguments, syntax)
        count = sum(each.option is None for each in arguments)
        number = doubtful = 0
        for argument in arguments:
            if argument.option is None or argument.option is COMPUTED:
                word = words[argument.at] if argument.at < len(words) else None
                last = number + doubtful if word is None or word.single else max(number + doubtful, len(roles) - 1)
                ends = len(roles) + 1  # what is between the first and the last of many has the same role
                places = range(number, last + 1)
                for place in places if len(places) <= 2 * ends else (*places[:ends], *places[-ends:]):
                    yield from self._operand(words, argument, role_of(roles, place, max(count + doubtful, place + 1)))
                number += argument.option is None
                doubtful += argument.option is COMPUTED  # it may be an operand
            if argument.option is None:
                continue
            if argument.option is not SEPARATOR and (behind is None or argument.at < behind or argument.option.does):
                yield from self._option(words, argument)

    def _split(self, words: Sequence[Word], start: int, arguments: Sequence[Argument]) -> Iterator[Argument]:
        """The options that could come out of words which may become several, even if they are values."""
        done = {each.at for each in arguments if each.option is COMPUTED}
        taken = {each.value_at for each in arguments} if "nullglob" in self.shapes.variables.globbing else set()
        ended = next((each.at for each in arguments if each.option is SEPARATOR), len(words))
        operands = [each.at for each in arguments if each.option is None and "=" not in each.text]
        if 0 < self.row.syntax.ends <= len(operands):
            ended = min(ended, operands[self.row.syntax.ends - 1])
        for index, word in enumerate(words[start:ended], start):
            if word.literal is not None or word.single or index in done or (isinstance(word, AddedWord) and word.sure):
                continue
            ways = self.shapes.fields(self.command.text_of(word), self.command.place(word))
            instead = index in taken and index + 1 < len(words)  # the next word would be the option's value
            if instead or any(MANY in shape for fields in ways for shape in fields):
                yield Argument(index, "", COMPUTED)

    def _option(self, words: Sequence[Word], argument: Argument) -> Iterator[Escape]:
        """What an option does."""
        option, syntax, index = argument.option, self.row.syntax, argument.at
        assert option is not None
        if option is COMPUTED:
            if syntax.guarded and (self.row.parent is None or "open" not in self.row.how):
                message = f"this computed word could be an option of {self.name} that runs or writes something"
                yield Escape(index, message)
            elif syntax.operands and syntax.operands[0].role.isupper():
                yield Escape(index, f"{self.name} runs this computed text as its program")
        elif option is UNKNOWN:
            if syntax.guarded and "open" not in syntax.how and (self.row.starts is None or self.row.starts.loose):
                message = f"`{argument.text}` is an option of {self.name} that asimi does not know"
                yield Escape(index, message)
        else:
            has_reader = option.reader.isupper() and option.reader not in STARTED | SHOWING
            said = self._trouble(option.reader, argument.value) if has_reader else ""
            if option.does not in DANGERS:
                if said:
                    yield self._beyond(min(argument.value_at, len(words) - 1), said)
            elif said or not has_reader or argument.value is None:
                message = f"`{argument.text}` makes {self.name} {DANGERS[option.does]}"
                whole = option.does == "runs" and not option.value
                yield Escape(index, message, whole=whole, kinds=option.kinds)

    def _operand(self, words: Sequence[Word], argument: Argument, role: Operand | None) -> Iterator[Escape]:
        """What an operand does."""
        if role is None:
            return
        if role.role in {"write", "delete", "move", "set"} and not self.row.traits & {"writes", "moves"}:
            kinds = frozenset({OF_ROLES[role.role]})
            yield Escape(argument.at, f"{self.name} writes this operand", kinds=kinds)
        elif role.role.isupper() and argument.option is None and (said := self._trouble(role.role, words[argument.at])):
            yield self._beyond(argument.at, said)

    def _beyond(self, index: int, said: str) -> Escape:
        """What a value does beyond the program's purpose."""
        return Escape(index, f"{self.name} {said}", kinds=KINDS.get(said))

    def _trouble(self, reader: str, word: Word | None) -> str:
        """What a value does beyond its program's purpose; a program text costs by its tokens, other values less."""
        if word is not None:
            self.budget.spend(4 + len(word.head) * (2 if reader in PROGRAMS else 1))
        return fault_of(reader, word, here=self.here)
