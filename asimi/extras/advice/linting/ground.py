"""What a look at the rules is made of: the rules with their places, and what they decide when they are tried."""

from __future__ import annotations

from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING

from asimi.core.call import Place, Request, Verdict, is_below
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import EXEC, SHELL, EntryError, entry_of, literal_words
from asimi.core.reading.commands import base
from asimi.core.syntax import quote
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from asimi.core.call import Decision
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.rules import Rule

MOST = 16
"""Commands that the alternatives of one rule are tried as."""

DEEPEST = 16
"""Levels of directories that are looked through for what a pattern misses."""

CONTINUED: tuple[tuple[str, ...], ...] = ((), ("x",), ("-x",), ("--", "x"), ("x", "y"))
"""What a command may have behind the words of a rule."""

LEVELS = ("managed", "user", "approved", "imported", "project")
"""Where a rule is written: by the administrator, by a person, by asimi for them, by asimi from what another agent's
settings say, in the project's own file, which others use who have other rules besides."""


class Flaw(NamedTuple):
    """What is wrong with a rule or a pattern.

    Attributes:
        kind: the name of the check that found it.
        source: where it is written, `FILE:LINE`.
        entry: the rule or the pattern.
        message: what is wrong, one sentence that begins with a verb or says what something does.
        instead: what to write, or to do.
        other: where the rule is that makes it so, `FILE:LINE`; empty without one.
    """

    kind: str
    source: str
    entry: str
    message: str
    instead: str
    other: str = ""


class Written(NamedTuple):
    """A rule, and where it is written.

    Attributes:
        rule: the rule.
        level: one of `LEVELS`.
        here: whether asimi wrote it for this project alone.
        removal: how to take it out, in words.
    """

    rule: Rule
    level: str
    here: bool
    removal: str

    def flaw(self, kind: str, message: str, instead: str, other: Rule | None = None) -> Flaw:
        """A flaw of this rule."""
        there = "" if other is None else other.source or ""
        return Flaw(kind, self.rule.source or "", self.rule.entry, message, instead, there)


class Pattern(NamedTuple):
    """A pattern of `[files]`, and where it is written.

    Attributes:
        key: `files.write`, `files.secret` or `files.deny`.
        text: as a person wrote it.
        source: `FILE:LINE`.
        earlier: those before it, if it takes back what they say.
        every: all patterns with this key, those that asimi knows included.
    """

    key: str
    text: str
    source: str
    earlier: tuple[str, ...] = ()
    every: tuple[str, ...] = ()


class Ground:
    """All that is looked at.

    Args:
        rules: every rule, the strongest layer first, also those that have ended or would need trust.
        patterns: every pattern of `[files]`.
        policy: what is in force.
        machine: this machine.
        root: the project root, a real path.
        now: the time, in seconds since the epoch.
        watched: gives the rules on, one by one, where each takes long enough for a person to wait.

    Attributes:
        placed: whether `files.write` says where commands may write.
        held: whether a sandbox holds every command.
    """

    def __init__(
        self,
        rules: Sequence[Written],
        patterns: Sequence[Pattern],
        policy: Policy,
        machine: Machine,
        root: str,
        now: float,
        watched: Callable[[Sequence[Written]], Iterable[Written]] = lambda rules: rules,
    ) -> None:
        self.watched = watched
        self.rules, self.patterns, self.machine, self.root, self.now = rules, patterns, machine, root, now
        self._policy = policy
        self.placed, self.held = policy.terms.placed, policy.terms.sandbox.mode != "off"

    @cached_property
    def tree(self) -> dict[str, list[str]]:
        """The paths in the project, by their last component; none where there are too many to look through."""
        found: dict[str, list[str]] = {}
        for path in self.machine.below(self.root, DEEPEST) or ():
            found.setdefault(base(path), []).append(path)
        return found

    @cached_property
    def whole(self) -> Policy:
        """All rules that have not ended, those that need trust included."""
        return self.policy(each.rule for each in self.lasting)

    @cached_property
    def lasting(self) -> list[Written]:
        """The rules that have not ended."""
        return [each for each in self.rules if each.rule.expires is None or each.rule.expires > self.now]

    @cached_property
    def against(self) -> Policy:
        """All that deny or ask, wherever their commands may lead."""
        return self.alone(*(each.rule for each in self.lasting if each.rule.verdict is not Verdict.ALLOW))

    def with_strict(self, rule: Rule) -> Policy:
        """A rule with all that deny or ask, wherever its commands may lead."""
        return self.alone(rule, *self.against.rules)

    def alone(self, *rules: Rule) -> Policy:
        """These rules, wherever their commands may lead."""
        return Policy(rules, Terms(wrappers=self._policy.terms.wrappers))

    def policy(self, rules: Iterable[Rule]) -> Policy:
        """These rules on this ground; what none of them allows is a question, in no sandbox."""
        known = self._policy.terms
        kept = Terms(
            substitution=known.substitution,
            wrappers=known.wrappers,
            exported=known.exported,
            free=known.free,
            protected=known.protected,
            checks=known.checks,
            placed=known.placed,
        )
        return Policy(rules, kept)

    def request(self, rule: Rule, words: Sequence[str]) -> Request:
        """The request for a command, where a rule holds."""
        at = rule.directory or self.root
        place = Place.at(at, self.root)
        if rule.tool == EXEC:
            return Request(EXEC, words[0], tuple(words[1:]), place)
        return Request(SHELL, " ".join(map(quote, words)), None, place)

    def line(self, rule: Rule) -> Request | None:
        """The request that a rule for one text is about; None where that is no program with arguments."""
        text = rule.line or ""
        if rule.tool != EXEC:
            return self.request(rule, ("x",))._replace(command=text)
        try:
            return self.request(rule, literal_words(text, text))
        except EntryError:
            return None

    def examples(self, rule: Rule) -> list[Request]:
        """Commands that a rule with words is about, or its text; none where there are too many to try."""
        if rule.line is not None:
            found = self.line(rule)
            return [] if found is None else [found]
        behind = ((),) if rule.exact else CONTINUED
        firsts = list(firsts_of(rule))
        return [self.request(rule, (*first, *more)) for first in firsts for more in behind]


def firsts_of(rule: Rule) -> Iterator[tuple[str, ...]]:
    """The words that a command of a rule begins with, by its alternatives; nothing where these are too many."""
    found = list(islice(product(*(rule.words or ((),))), MOST + 1))
    option = rule.options_any[:1]
    argument = tuple(each.replace("*", "x") for each in rule.args_any[:1])
    if len(found) <= MOST:
        yield from ((*words, *option, *argument) for words in found if words)


def said(decision: Decision, rule: Rule) -> bool:
    """Whether a decision rests on a rule that denies or asks."""
    codes = {Verdict.DENY: "denied_by_rule", Verdict.ASK: "ask_by_rule", Verdict.ALLOW: rule.code}
    return any(
        reason.code == codes[rule.verdict] and (reason.rule, reason.source) == (rule.entry, rule.source)
        for reason in decision.reasons
    )


def holds_wherever(other: Written, this: Written) -> bool:
    """Whether a rule holds wherever and whenever another does, for whoever has that."""
    if this.level in {"managed", "project"}:
        reaches = other.level == this.level
    else:
        reaches = other.level != "project" and (this.here or not other.here)
    a, b = this.rule, other.rule
    if b.directory is not None and not (
        a.directory is not None
        and (b.directory == a.directory or (b.below and is_below(a.directory, b.directory)))
        and (b.below or not a.below)
    ):
        return False
    return reaches and (b.expires is None or (a.expires is not None and b.expires >= a.expires))


def entry(rule: Rule, words: Sequence[str]) -> str:
    """An entry for some words, for the tool of a rule."""
    return entry_of(rule.tool or SHELL, tuple(words))
