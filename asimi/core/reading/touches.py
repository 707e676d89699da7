"""Which words of a command name files, and what becomes of these, as far as the catalogue tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.lean import NamedTuple
from asimi.core.programs.program import UNKNOWN
from asimi.core.reading.arguments import COMPUTED, Argument, chosen, cut, role_of, roles_beside, turned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.programs.program import Program
    from asimi.core.reading.commands import Command

FILES = {"ARCHIVE": "", "NOWHERE": "write", "DUCKDBFILE": "", "BUILT": "write", "CODE": "read"}
"""Readers of values that are files, and what becomes of these; empty where the other words decide."""

OF_FILES = frozenset({"look", "read", "write", "delete", "move"})
"""Roles that an option may replace by another one."""

NONE = frozenset({"data", "new", "set"})
"""Roles of what is no file."""


class Touch(NamedTuple):
    """A word that names a file, or may.

    Attributes:
        word: its index.
        start: how many characters of it are before the path: an option and its `=`.
        how: its role (`asimi.core.programs.program.ROLES`); empty where it is not known whether it is read or written,
            or a file at all.
    """

    word: int
    start: int
    how: str


def touches(command: Command) -> Iterator[Touch]:
    """The words of a command that name files, in no order; what it starts is a command of its own."""
    if command.program is None:
        yield from (Touch(index, 0, "") for index in range(1, len(command.words)))
        return
    rows = list(chosen(command.words, command.program))
    for (row, start, _), behind in zip(rows, [*(start - 1 for _, start, _ in rows[1:]), None], strict=True):
        arguments = list(cut(command.words[:behind], row.syntax, start))
        for argument in arguments:
            yield from _of_option(command, argument)
    yield from _of_operands(command, rows[-1][0], arguments)


def _of_option(command: Command, argument: Argument) -> Iterator[Touch]:
    """The file that the value of an option is, if it is one."""
    option = argument.option
    if option is None or not option.names:  # what is computed is looked at as an operand
        return
    if option is UNKNOWN:
        text = command.written(command.words[argument.at])
        yield Touch(argument.at, text.find("=") + 1, "")
        return
    role = FILES.get(option.reader, option.reader)
    if argument.value is None or role in NONE or (role.isupper() or not option.reader):
        return
    attached = argument.value_at == argument.at
    text = command.written(command.words[argument.at])
    start = len(text) - len(argument.value.head) if attached and argument.value.literal is not None else 0
    if attached and argument.value.literal is None:
        start = len(argument.text) + text[len(argument.text) :].startswith("=")
    yield Touch(argument.value_at, start, role)


def _of_operands(command: Command, row: Program, arguments: Sequence[Argument]) -> Iterator[Touch]:
    """The files that operands are; behind a wrapper they are another command."""
    if row.starts is not None:
        return
    roles = roles_beside(arguments, row.syntax)
    operands = [each for each in arguments if each.option is None or each.option is COMPUTED]
    instead = turned(arguments)
    several = any(map(command.may_split, (command.words[each.at] for each in operands)))
    for number, each in enumerate(operands):
        for role in dict.fromkeys(roles if several else [role_of(roles, number, len(operands))]):
            how = "" if role is None else FILES.get(role.role, role.role)
            if how in OF_FILES or (how == "data" and instead == "write"):  # `perl -i`: what it is given are files
                how = instead or how
            if how not in NONE and not how.isupper():
                yield Touch(each.at, 0, how)
