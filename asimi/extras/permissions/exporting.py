"""What is in force, as far as other agents have words for it: an allow only where it can allow no more there.

Many agents compare texts: `heads`, `narrowed` and `notes_on` are a rule in such texts.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.judging.rules import SHELL, EntryError, literal_words
from asimi.core.syntax import quote
from asimi.extras.permissions.entries import InForce, Plain
from asimi.extras.permissions.proving import narrower

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.judging.rules import Rule


def in_force(
    rules: Iterable[Rule], deny: Sequence[str] = (), secret: Sequence[str] = (), *, rejects: bool = False
) -> tuple[InForce, tuple[str, ...]]:
    """What can be told of some rules, and what must be left out.

    Args:
        rules: the rules in force.
        deny: what `[files] deny` says.
        secret: what `[files] secret` says.
        rejects: whether what nothing allows is refused.
    """
    told: list[Plain] = []
    notes: list[str] = []
    for rule in rules:
        why = _untold(rule)
        if why:
            notes.append(f"left out: {rule.verdict.word} {rule.entry}: {why}")
        else:
            told.append(_plain(rule))
            notes += [f"weaker there: {rule.verdict.word} {rule.entry}: {each}" for each in _weaker(rule)]
    return InForce(tuple(dict.fromkeys(told)), tuple(deny), tuple(secret), rejects), tuple(notes)


def _plain(rule: Rule) -> Plain:
    words = rule.words
    if words is None:
        words = tuple((word,) for word in literal_words(rule.line or "", rule.line or ""))
    exact = rule.exact or rule.line is not None
    return Plain(rule.verdict, words, exact, rule.options_any, rule.args_any, rule.reason)


def _weaker(rule: Rule) -> Iterator[str]:
    """What an agent does not see of a rule that forbids."""
    if rule.directory is not None:
        yield f"it holds everywhere, not only in {rule.directory}"
    if rule.expires is not None:
        yield "it does not end by itself"
    if rule.terminal:
        yield "whoever answers the agent's prompt may say yes"
    if rule.enforced:
        yield "what a command starts is not held to it"


def _untold(rule: Rule) -> str:
    """Why a rule cannot be told; empty if it can."""
    if rule.effects or rule.checks:
        return "no agent goes by what a command does" if rule.effects else "no agent knows the project's checks"
    if rule.tool not in (None, SHELL) and rule.verdict is Verdict.ALLOW:
        return f"it is for {rule.tool} alone"
    if rule.line is not None:
        try:
            literal_words(rule.line, rule.line)
        except EntryError:
            return "it is about a whole text"
    if rule.verdict is not Verdict.ALLOW:
        return ""
    if (
        rule.directory is not None
        or rule.expires is not None
        or rule.sandbox != "off"
        or rule.options_any
        or rule.hosts
    ):
        return "it would hold everywhere, for good, without a sandbox and with any options"
    if rule.bare:
        return "asimi still asks about secrets and what is hidden, and the agent would not"
    command = "" if rule.line is not None else narrower(rule)
    return f"asimi would ask about `{command}`, and the agent would not" if command else ""


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
