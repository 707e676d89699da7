"""What is in force, as far as other agents have words for it: an allow only where it can allow no more there."""

from __future__ import annotations

from asimi.core.call import Verdict
from asimi.core.judging.rules import SHELL, EntryError, literal_words
from asimi.core.lean import TYPE_CHECKING
from asimi.world.permissions.entries import InForce, Plain
from asimi.world.permissions.narrowing import narrower

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
    if rule.directory is not None or rule.expires is not None or rule.sandbox != "off" or rule.options_any:
        return "it would hold everywhere, for good, without a sandbox and with any options"
    if rule.bare:
        return "asimi still asks about secrets and what is hidden, and the agent would not"
    command = "" if rule.line is not None else narrower(rule)
    return f"asimi would ask about `{command}`, and the agent would not" if command else ""
