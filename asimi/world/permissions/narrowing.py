"""What asimi asks about although an allow names the first words of it, as no other agent does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL
from asimi.core.programs import find
from asimi.core.reading.commands import base
from asimi.core.syntax import quote
from asimi.core.wording.abilities import abilities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.judging.rules import Rule

_ANYWHERE = Place("/", "/", inside=True)


def narrower(rule: Rule) -> str:
    """A command that begins with the words of an allow, which asimi would ask about; empty where none is known."""
    words = tuple(each[0] for each in rule.words or ())
    if rule.exact or not words:
        return ""
    policy = Policy((rule._replace(expires=None),))
    for more in dict.fromkeys(_reached(words)):
        command = " ".join(map(quote, (*words, *more)))
        if policy.decide(Request(SHELL, command, None, _ANYWHERE)).verdict is not Verdict.ALLOW:
            return command
    return ""


def _reached(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Arguments by which commands with these words start something, or write, as the catalogue knows them."""
    row = find(base(words[0]))
    if row is None:
        return
    if row.starts is not None or row.shell:
        yield ("sh", "-c", "x")
    level = row
    for word in words[1:]:
        level = level.subcommands.get(word, level)
    for each in dict.fromkeys((row, level)):
        yield from ((option.names[-1], "x") for option in each.syntax.options.values() if option.does)
    yield from (wanted for _, entries in abilities(row) for wanted in entries if wanted and "*" not in "".join(wanted))
