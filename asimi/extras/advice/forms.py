"""The ways to call programs that the catalogue knows, each with what it says of them."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from asimi.core.programs import find
from asimi.core.syntax import quote
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Option, Program

NAMELESS = "x"
"""Stands for a file, a branch or another name of which nothing is known."""

URL = "https://example.org/x"
"""Stands for what a program that uses the network is given."""

FILES = frozenset({"delete", "look", "move", "new", "read", "write"})
"""Roles of words that name files."""


class Form(NamedTuple):
    """One way to call a program.

    Attributes:
        words: its words.
        kinds: what the catalogue says that it does, or may do.
    """

    words: tuple[str, ...]
    kinds: frozenset[str]

    @property
    def text(self) -> str:
        """It as a command of a shell, with `~` as the home."""
        return " ".join(word if word.startswith("~/") else quote(word) for word in self.words)


def forms(words: Sequence[str], row: Program, aims: Mapping[str, Sequence[str]]) -> Iterator[Form]:
    """Yield the ways to call a program that its row knows: with operands, and with each option that decides.

    Args:
        words: how it is called, with its subcommands.
        row: its row.
        aims: paths that are tried in place of a name, by the role of a word.
    """
    of_row = (row.kinds or frozenset()) | row.may
    options = {id(each): each for each in row.syntax.options.values()}.values()
    deciding = [
        each for each in options if each.kinds or each.does in {"writes", "runs", "shells"} or each.reader in FILES
    ]
    for option in (None, *deciding):
        instead = option is not None and option.instead
        kinds = frozenset() if instead else of_row
        kinds |= frozenset() if option is None else option.kinds
        if option is not None and kinds == of_row and option.reader not in aims:
            continue
        for spelled in ((),) if option is None else _spelled(option, aims):
            for operands in _operands(row, aims if option is None else {}):
                yield Form((*words, *spelled, *operands), kinds)


def _spelled(option: Option, aims: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the words of an option, with a value where it takes one."""
    name = option.names[0]
    if not option.value:
        yield (name,)
        return
    values = (NAMELESS, *aims.get(option.reader, ()))
    if option.reader in {"COMMAND", "TEXT"}:
        values = (f"sh {NAMELESS}",)
    for value in values:
        if option.value == "==":
            yield (name, value, value)
        elif name.startswith("--") or option.value == "[=":
            yield (f"{name}{'=' * name.startswith('--')}{os.path.expanduser(value)}",)  # bash expands no `~` there
        else:
            yield (name, value)


def _operands(row: Program, aims: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield operands: a name for each, and each path in the place of each that has its role, with and without more."""
    roles = [each.role for each in row.syntax.operands]
    reaches = any(each.startswith("network") for each in (row.kinds or row.may))
    place = roles.index("data") if reaches and "data" in roles else -1
    plain = tuple(URL if at == place else NAMELESS for at in range(len(roles)))
    yield plain
    for at, role in enumerate(roles):
        for path in aims.get(role, ()):
            yield from dict.fromkeys(((*plain[:at], path), (*plain[:at], path, *plain[at + 1 :])))


def row_of(words: Sequence[str], described: Mapping[str, Program]) -> Program | None:
    """Return the row that first words come to; None where nothing is known of the program."""
    name = words[0].rpartition("/")[2]
    row = described.get(name) or find(name)
    for word in words[1:]:
        below = None if row is None else row.subcommand(word)
        if below is None:
            break
        row = below
    return row


def rows_below(words: tuple[str, ...], row: Program) -> Iterator[tuple[tuple[str, ...], Program]]:
    """Yield a row and those of its subcommands, each with the words that lead there."""
    yield words, row
    for name in row.subcommands:
        yield from rows_below((*words, name.replace("*", NAMELESS)), row.subcommands[name])


def forms_of(rule: Rule, described: Mapping[str, Program], aims: Mapping[str, Sequence[str]]) -> Iterator[Form]:
    """Yield the ways to call what a rule's words begin; nothing where it is about no words."""
    first = tuple(each[0] for each in rule.words or ())
    row = row_of(first, described) if first else None
    if first and (rule.exact or row is None):
        yield Form(first, frozenset())
    for words, below in rows_below(first, row) if row is not None else ():
        yield from forms(words, below, aims)
