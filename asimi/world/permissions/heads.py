"""A rule in force as texts, for agents that compare texts."""

from __future__ import annotations

from itertools import islice, product

from asimi.core.call import Verdict
from asimi.core.lean import TYPE_CHECKING
from asimi.core.syntax import quote

if TYPE_CHECKING:
    from asimi.world.permissions.entries import InForce, Plain

MOST = 256
"""Texts of one rule; more alternatives are nothing that a person wrote."""


def heads(rule: Plain) -> list[str]:
    """The first words of the commands of a rule, each alternative as one text; one empty text for every command.

    Returns:
        None of them where one could be read as a pattern, or has more than one line.
    """
    texts = [" ".join(map(quote, words)) for words in islice(product(*rule.words), MOST + 1)]
    usable = all(text.isprintable() and set("*?[]{}\\").isdisjoint(text) for text in texts)
    return texts if usable and len(texts) <= MOST else []


def shown(rule: Plain) -> str:
    """A rule in a note."""
    words = " ".join("|".join(each) for each in rule.words) or "every command"
    return f"{rule.verdict.word} {words}"


def notes_on(in_force: InForce, title: str, *, asks: bool = True) -> list[str]:
    """What is weaker behind an agent that compares texts.

    Args:
        in_force: what is written.
        title: the agent's name, as people write it.
        asks: whether it has words for a question.
    """
    notes = []
    for rule in in_force.rules:
        if not heads(rule):
            notes.append(f"left out: {shown(rule)}: it has a wildcard or several lines")
        elif rule.options or rule.arguments:
            notes.append(f"weaker there: {shown(rule)}: another spelling of the options is missed")
    if any(rule.verdict is not Verdict.ALLOW for rule in in_force.rules):
        notes.append(f"weaker there: {title} compares texts, so quotes and options before a subcommand go past it")
    if not asks and any(rule.verdict is Verdict.ASK for rule in in_force.rules):
        notes.append(f"stricter there: {title} has no word for a question, so what asimi asks about is denied")
    return notes


def narrowed(rule: Plain) -> list[str]:
    """What else must be in the text of a command of a rule; one empty text where nothing must."""
    return [*rule.options, *(each.strip("*") for each in rule.arguments)] or [""]
