"""Rules that say nothing of their own beside other rules, and allows that other things always question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict, is_below
from asimi.core.judging.zones import ASKED
from asimi.core.programs import find
from asimi.core.programs.effects import covers
from asimi.core.reading.commands import base
from asimi.core.wording.breadth import in_any_spelling
from asimi.extras.advice.linting.ground import entry, firsts_of, holds_wherever, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.call import Request
    from asimi.core.judging.rules import Rule
    from asimi.extras.advice.linting.ground import Flaw, Ground, Written

BY = "says nothing that is not said by"
"""What is said of a rule that a wider one covers."""

BEYOND = frozenset({"protected", *ASKED})
"""Reasons to ask that no entry answers, and that follow from the words that it names."""


def overruled(ground: Ground) -> Iterator[Flaw]:
    """Allows and asks that a deny, or an ask, always beats."""
    strict = [each for each in ground.lasting if each.rule.verdict is not Verdict.ALLOW and not each.rule.effects]
    bare = [each for each in strict if each.rule.bare]
    written = {(each.rule.entry, each.rule.source): each for each in strict}
    for this in ground.watched(ground.lasting):
        rule, examples = this.rule, []
        others = bare
        if not rule.checks and (rule.words or rule.line):
            examples = ground.examples(rule)
            reasons = ground.against.decide(examples[0]).reasons if examples else ()
            others = [*bare, *filter(None, (written.get((each.rule or "", each.source)) for each in reasons))]
        for other in others:
            if other.rule.verdict <= rule.verdict or not holds_wherever(other, this):
                continue
            if _beats_all(ground, other.rule, rule, examples):
                verb = "denies" if other.rule.verdict is Verdict.DENY else "asks about"
                message = f"has no effect: {other.rule.entry} ({other.rule.source}) {verb} all of it"
                yield this.flaw("overruled", message, f"{this.removal}, or narrow the other", other.rule)
                break


def _beats_all(ground: Ground, other: Rule, rule: Rule, examples: Sequence[Request]) -> bool:
    """Whether a strict rule is about all that another is about."""
    if other.bare:
        return other.tool in {None, rule.tool} and not rule.checks
    if other.exact and not (rule.exact or rule.line):
        return False
    alone = ground.alone(other)
    return bool(examples) and all(said(alone.decide(each), other) for each in examples)


def covered(ground: Ground) -> Iterator[Flaw]:
    """Rules whose every command another rule decides alike."""
    lasting = [each for each in ground.lasting if each.level != "imported"]  # which the next import replaces
    dropped = set[int]()
    beginning: dict[tuple[str, ...], list[int]] = {}
    for at, each in enumerate(lasting):
        for words in _beginnings(each.rule):
            beginning.setdefault(words, []).append(at)
    for at, this in enumerate(lasting):
        first = next(iter(_beginnings(this.rule)), ())
        lengths = (len(first),) if this.rule.line is not None else range(len(first) + 1)
        for place in sorted({place for length in lengths for place in beginning.get(first[:length], ())}):
            other = lasting[place]
            if place == at or place in dropped or other.rule.verdict is not this.rule.verdict:
                continue
            if not (holds_wherever(other, this) and _covers(other.rule, this.rule) and _alike(ground, other, this)):
                continue
            if place > at and holds_wherever(this, other) and _covers(this.rule, other.rule):
                continue  # they say the same, and the later one is told
            dropped.add(at)
            same = _meaning(other.rule) == _meaning(this.rule)
            message = f"{'says the same as' if same else BY} {other.rule.entry} ({other.rule.source})"
            yield this.flaw("covered", message, this.removal, other.rule)
            break


def _beginnings(rule: Rule) -> list[tuple[str, ...]]:
    """The words by which rules that may cover each other are found; of a text, the text."""
    if rule.line is not None:
        return [(rule.line,)]
    found = firsts_of(rule._replace(options_any=(), args_any=())) if rule.words else ()
    return [(base(words[0]), *words[1:]) for words in found] or [()]


def _meaning(rule: Rule) -> Rule:
    """A rule without its tool, where that does not count, and without what says who wrote it."""
    tool = rule.tool if rule.verdict is Verdict.ALLOW or rule.bare else None
    return rule._replace(tool=tool, entry="", source=None, reason="", kind="list")


def _covers(other: Rule, rule: Rule) -> bool:
    """Whether one rule is about every command that another is about, with all that this says, as far as keys tell."""
    if other.options_any and not rule.options_any:
        rule = in_any_spelling(rule) or rule
    words, wanted = rule.words or (), other.words or ()
    if len(wanted) > len(words) or not all(set(few) <= set(many) for few, many in zip(words, wanted, strict=False)):
        return False
    allow = rule.verdict is Verdict.ALLOW
    if (allow or other.bare) and other.tool not in {None, rule.tool}:
        return False
    if (rule.line is None) != (other.line is None) or rule.line != other.line:
        return False
    if rule.reason not in {"", other.reason} or rule.enforced > other.enforced or rule.terminal > other.terminal:
        return False
    if rule.outside > other.outside:
        return False
    if (
        other.checks != rule.checks
        or rule.sandbox not in {"off", other.sandbox}
        or bool(other.effects) != bool(rule.effects)
    ):
        return False
    if not all(covers(other.effects, each) for each in rule.effects) or not set(other.excepted) <= set(rule.excepted):
        return False
    if not set(other.args_none) <= set(rule.args_none):
        return False
    for narrow, wide in (
        (rule.options_any, other.options_any),
        (rule.args_any, other.args_any),
        (rule.hosts, other.hosts),
        (rule.at, other.at),
    ):
        if wide and not (narrow and set(narrow) <= set(wide)):
            return False
    return not other.exact or (rule.exact and len(words) == len(wanted))


def _alike(ground: Ground, other: Written, this: Written) -> bool:
    """Whether an allow adds nothing beside another: an entry also answers for the options that it names."""
    rule = this.rule
    if rule.verdict is not Verdict.ALLOW or rule.line is not None or _meaning(rule) == _meaning(other.rule):
        return True
    if rule.effects or rule.checks:
        return rule.words == other.rule.words or not other.rule.words
    examples, without = ground.examples(rule), ground.with_strict(other.rule)
    return bool(examples) and all(without.decide(each).verdict is Verdict.ALLOW for each in examples)


def asked(ground: Ground) -> Iterator[Flaw]:
    """Allows of what is a question, or denied, each time."""
    for each in ground.watched(ground.lasting):
        rule = each.rule
        if rule.verdict is not Verdict.ALLOW or not (rule.words or rule.line) or not _is_here(rule, ground.root):
            continue
        if rule.words is not None and len(rule.words) == 1 and find(base(rule.words[0][0])) is None:
            continue  # nothing is known that it could touch
        alone, reason = ground.policy((rule._replace(expires=None),)), None
        for request in ground.examples(rule):
            decision = alone.decide(request)
            found = (each for each in decision.reasons if each.code in BEYOND or each.code == "denied_by_rule")
            if decision.verdict is Verdict.ALLOW or (reason := next(found, None)) is None:
                reason = None
                break
        if reason is not None:
            verb = "denied" if reason.code == "denied_by_rule" else "a question each time"
            message = f"allows nothing: what it names is {verb} ({reason.message})"
            yield each.flaw("asked", message, each.removal)


def started(ground: Ground) -> Iterator[Flaw]:
    """Allows of a wrapper with a command, where nothing allows that command."""
    for each in ground.lasting:
        rule = each.rule
        if rule.verdict is not Verdict.ALLOW or rule.effects or not rule.words or not _is_here(rule, ground.root):
            continue
        row = find(base(rule.words[0][0]))
        if row is None or not row.wide or len(rule.words) < 2:
            continue
        for request in ground.examples(rule._replace(exact=True)):
            decision = ground.whole.decide(request)
            codes = {reason.code for reason in decision.reasons}
            parts = [
                part for part in decision.parts if part.via and part.verdict is Verdict.ASK and None not in part.words
            ]
            parts = [part for part in parts if not _may_be_allowed(ground, part.words)]
            if codes == {"unlisted"} and parts:
                inner = " ".join(map(str, parts[0].words))
                message = f"does not answer for `{inner}`, which {parts[0].via} starts and no rule allows"
                wanted = entry(rule, [str(word) for word in parts[0].words])
                yield each.flaw("started", message, f"{wanted} beside it")
                break


def _may_be_allowed(ground: Ground, words: Iterable[str | None]) -> bool:
    """Whether a rule allows a longer command that begins so, or the check of a project that it may be."""
    given = list(words)
    if ground.whole.checked or not given:
        return True
    rules = [rule for rule in ground.whole.allow_rules(given[0]) if rule.words]
    return any(all(word in some for word, some in zip(given, rule.words or (), strict=False)) for rule in rules)


def _is_here(rule: Rule, root: str) -> bool:
    """Whether a rule holds in this project, so that this machine's files say what it comes to."""
    return rule.directory is None or is_below(rule.directory, root) or (rule.below and is_below(root, rule.directory))
