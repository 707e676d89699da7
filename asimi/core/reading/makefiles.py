"""What the recipes of a makefile start, where make is given it on its standard input."""

from __future__ import annotations

from itertools import chain, islice

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.reading.arguments import cut
from asimi.core.reading.fed import STDIN, fed_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.budget import Budget
    from asimi.core.programs.program import Program
    from asimi.core.reading.commands import Command
    from asimi.core.syntax.nodes import Script

MOST = 64
"""Recipes that are looked at."""

_SPLICE = pattern(r"\\\n\t?")
_RECIPE = pattern(r"\t[-@+ \t]*+(.+)|[^\t#:;\n]*+:[^#;\n]*+;[-@+ \t]*+(.+)|[^#=!\n]*+!=[ \t]*+(.+)")
"""A line of a recipe, one behind its rule, and an assignment of what a shell prints (GNU make manual, Rule Syntax)."""

_SHELL = pattern(r"\$\(shell[ \t]+([^()]*)\)")


def started_by_make(command: Command, program: Program, script: Script | None, budget: Budget) -> Iterator[str]:
    """The texts for a shell in a makefile that is literal on the command's standard input."""
    values = [
        each.value.literal
        for each in cut(command.words, program.syntax)
        if each.option is not None and "-f" in each.option.names and each.value is not None
    ]
    if STDIN.union("-").isdisjoint(values):
        return
    text = _SPLICE.sub(" ", fed_text(command.simple, script, budget) or "")
    budget.spend(len(text) // 8)
    recipes = (match[match.lastindex or 1] for match in map(_RECIPE.match, text.split("\n")) if match is not None)
    for each in islice(chain(recipes, _SHELL.findall(text)), MOST):
        yield each.replace("$$", "$")
