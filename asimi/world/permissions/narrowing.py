"""What asimi asks about although an allow names the first words of it, as no other agent does."""

from __future__ import annotations

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL
from asimi.core.lean import TYPE_CHECKING
from asimi.core.programs import find
from asimi.core.reading.commands import base
from asimi.core.syntax import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program

_ANYWHERE = Place("/", "/", inside=True)


def narrower(rule: Rule) -> str:
    """A command that begins with the words of an allow, which asimi would ask about; empty where none is known."""
    words = tuple(each[0] for each in rule.words or ())
    if rule.exact or not words:
        return ""
    row, level = _rows(words)
    options = tuple(word for word in words if word.startswith("-"))
    known = _KNOWN.get((words[0], id(level), options))
    if known is None or (known and not _asks(rule, words, known)):
        known = next((more for more in _reached(row, level) if _asks(rule, words, more)), ()) if row is not None else ()
        _KNOWN[words[0], id(level), options] = known
    return " ".join(map(quote, (*words, *known))) if known else ""


_KNOWN: dict[tuple[str, int, tuple[str, ...]], tuple[str, ...]] = {}
"""What was found of a program, a subcommand of it and options; operands do not matter to that."""


def _rows(words: tuple[str, ...]) -> tuple[Program | None, Program | None]:
    """The row of a program, and that of the subcommand that some words lead to."""
    row = level = find(base(words[0]))
    for word in words[1:]:
        level = None if level is None else level.subcommands.get(word, level)
    return row, level


def _asks(rule: Rule, words: tuple[str, ...], more: tuple[str, ...]) -> bool:
    """Whether a command is asked about where the rule is the only one."""
    command = " ".join(map(quote, (*words, *more)))
    policy = Policy((rule._replace(expires=None),))
    return policy.decide(Request(SHELL, command, None, _ANYWHERE)).verdict is not Verdict.ALLOW


def _reached(row: Program, level: Program | None) -> Iterator[tuple[str, ...]]:
    """Arguments by which commands with these words start something, or write, as the catalogue knows them."""
    if row.starts is not None or row.shell:
        yield ("sh", "-c", "x")
    for each in dict.fromkeys((row, level or row)):
        yield from ((option.names[-1], "x") for option in each.syntax.options.values() if option.does)
