"""The command line that adds rules, as a person would type it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.judging.rules import SHELL, TOOLS, entry_of, is_without_force
from asimi.core.syntax import quote
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.call import Decision
    from asimi.core.judging.rules import Rule

ADD = ("asimi", "policy", "add")

TRUST = "asimi trust"
"""What confirms the checks of a project as they are now."""

LONGEST = 120
"""Characters of a line that is told behind a reason; nobody reads more there."""


def add_command(rules: Sequence[Rule]) -> tuple[str, ...]:
    """The words of the command line that adds some rules, which say the same but for their first words."""
    rule = rules[0]
    entries = tuple(as_typed(each.tool or SHELL, tuple(word[0] for word in each.words or ())) for each in rules)
    if all(map(is_without_force, rules)):
        return (*ADD, *entries, "--without-force")
    effects = ("--effects", ",".join(rule.effects)) if rule.effects else ()
    return (*ADD, *entries, *effects, *("--exact",) * rule.exact, *("--checks",) * rule.checks)


def as_typed(tool: str, words: tuple[str, ...]) -> str:
    """An entry as a person would type it: plain words where these mean the same."""
    plain = bool(words) and tool == SHELL and not words[0].startswith("-") and words[0].partition("(")[0] not in TOOLS
    return " ".join(map(quote, words)) if plain else entry_of(tool, words)


def remedy_line(decision: Decision) -> str:
    """The one line by which a question like this is asked no more; empty where there is none, or none to be read.

    It says no more than the narrowest choice of first words that the dialog offers for "always".
    """
    if decision.changed:
        return TRUST
    named = (each.rules for each in decision.offers if all(map(_is_named, each.rules)))
    rules = next(named, ())
    line = " ".join(map(quote, add_command(rules))) if rules else ""
    return line if len(line) <= LONGEST and visible(line) == line else ""


def _is_named(rule: Rule) -> bool:
    """Whether a rule goes by first words, or is narrower than these."""
    return bool(rule.words) and (not rule.effects or is_without_force(rule))
