"""Entries of which the first that matches a command decides, as rules of which a deny wins, then an ask.

Where an agent's order and ours lead to the same, nothing changes. An ask below an allow is left to the default, which
asks; a refusal of everything below an allow becomes `unlisted = "reject"`. Where something that wins in the agent's
order can be held only in part, what it would stop is not allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.programs import NAMES
from asimi.core.values import NamedTuple
from asimi.extras.permissions.entries import Example, Permission
from asimi.extras.permissions.wildcards import Meaning, allowing, forbidding, matches, rule_about, samples

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from asimi.core.judging.rules import Rule
    from asimi.extras.permissions.regexes import Shape

LONGEST = 1_000
"""Characters of a pattern; one command of a person's list is a tenth of it."""


_KNOWN = frozenset(name for names in NAMES.values() for name in names.split())
_KNOWN_ONLY = "those that asimi knows count, any other is unlisted"
_EDGES = tuple("-./:=,+@%~^#")
"""What may follow a word in the same argument."""


_UNSEEN = Meaning((), "skipped", "it holds characters that nobody can see, or more than one line")


MOST = 2_000
"""Entries, with the alternatives of each, that are compared with each other."""


class Entry(NamedTuple):
    """An entry about commands, in its place among the others.

    Attributes:
        permission: the entry; what it says is set.
        pattern: `*` is any text: what texts of one command it is about, or more where it cannot be said.
        meaning: the rules that it becomes, or why it becomes none.
        held: whether the rules are about all that `pattern` matches; of what denies or asks.
        rejects: whether it can be held only by refusing all that nothing allows.
    """

    permission: Permission
    pattern: str
    meaning: Meaning
    held: bool = True
    rejects: bool = False


def entry_of(permission: Permission, pattern: str, names: Collection[str] = (), *, word: bool = False) -> Entry:
    """The entry that a pattern makes.

    Args:
        permission: the entry; what it says is set.
        pattern: over the text of a command, `*` is any text.
        names: programs that other entries allow.
        word: whether a `*` in the first word is a part of that word alone.
    """
    reason = f"{permission.text}, {permission.place}"
    if len(pattern) > LONGEST:
        return unread(permission._replace(text=f"{permission.text[:60]}…"), f"it is longer than {LONGEST} characters")
    if permission.says is Verdict.ALLOW:
        return Entry(permission, pattern, allowing(pattern, reason) if pattern.isprintable() else _UNSEEN)
    pattern = "".join(each if each.isprintable() else "*" for each in pattern)
    verdict = said_by(permission)
    if pattern == "*":
        return Entry(permission, pattern, Meaning((rule_about(verdict, (), reason),), "exact"))
    meaning = forbidding(pattern, verdict, reason, names)
    first = pattern.partition(" ")[0]
    if "*" in first[:-1]:
        about = rule_about(verdict, (_called(first, names, word=word),), reason)
        rules = (about, *meaning.rules) if first[0] == "*" and not word else (about,)
        why = f"of programs, {_KNOWN_ONLY}; all their arguments count"
        meaning = Meaning(rules, "stricter", why)
        permission = permission._replace(examples=())  # which would be of programs that nobody knows
    return Entry(permission, pattern, meaning)


def _called(first: str, names: Collection[str], *, word: bool) -> tuple[str, ...]:
    """The programs that a pattern may mean whose first word has a `*` before its end."""
    begin = first.partition("*")[0]
    known = {*_KNOWN, *names, begin}
    wide = f"{begin}*" if begin and not word else first
    return tuple(sorted({first.replace("*", ""), *(name for name in known if name and matches(wide, name))}))


def unread(permission: Permission, why: str) -> Entry:
    """An entry about nobody knows which commands: what it may stop is not allowed.

    Args:
        permission: the entry; what it says is set.
        why: why that is not known.
    """
    if permission.says is Verdict.ALLOW:
        return Entry(permission, "*", Meaning((), "skipped", why))
    refuses = permission.says is Verdict.DENY
    then = "so what nothing allows is refused" if refuses else "so nothing that it may be about is allowed"
    return Entry(permission, "*", Meaning((), "stricter", f"{why}, {then}"), held=False, rejects=refuses)


def entry_at_edge(permission: Permission, text: str, names: Collection[str] = ()) -> Entry:
    """The entry of what begins with a text that a word boundary follows: `git push` and `git push-x`, not `git pushx`.

    Args:
        permission: the entry; what it says is set.
        text: what a command begins with; it ends in a letter, a digit or `_`.
        names: programs that other entries allow.
    """
    entry = entry_of(permission, f"{text} *", names)
    if permission.says is Verdict.ALLOW or not entry.meaning.rules or permission.says is None:
        return entry
    *first, last = text.split()
    if not first:
        return _named_on(entry, last, names)._replace(pattern=f"{text}*")
    reason = f"{permission.text}, {permission.place}"
    more = rule_about(permission.says, first, reason, args_any=tuple(f"{last}{edge}*" for edge in _EDGES))
    rules = (*entry.meaning.rules, more)
    return entry._replace(pattern=f"{text}*", meaning=entry.meaning._replace(rules=rules))


def _named_on(entry: Entry, name: str, names: Collection[str]) -> Entry:
    """An entry about a program that is also about those whose names go on behind its name: `find-x`."""
    more = sorted(each for each in {*_KNOWN, *names} if each.startswith(name) and each[len(name) :][:1] in _EDGES)
    rules = tuple(
        rule_about(rule.verdict, ((name, *more), *rule.words[1:]), rule.reason, exact=rule.exact, **_narrowing(rule))
        if rule.words
        else rule
        for rule in entry.meaning.rules
    )
    meaning = entry.meaning._replace(rules=rules)
    if rules and rules[0].verdict is Verdict.DENY and not meaning.why:
        meaning = meaning._replace(outcome="stricter", why=f"of other names that begin with `{name}`, {_KNOWN_ONLY}")
    return entry._replace(meaning=meaning)


def _narrowing(rule: Rule) -> dict[str, tuple[str, ...]]:
    return {key: value for key in ("options_any", "args_any") if (value := getattr(rule, key))}


def entry_shaped(permission: Permission, shape: Shape, names: Collection[str] = ()) -> Entry:
    """The entry of one alternative of a regular expression, with examples at its edges.

    Args:
        permission: the entry; what it says is set.
        shape: the alternative.
        names: programs that other entries allow.
    """
    verdict = said_by(permission)
    text, tail = shape
    if tail == "edge":
        known = {text: verdict, f"{text} x": verdict, f"{text}-x": verdict, f"{text}x": None}
        if " " not in text and permission.says is not Verdict.ALLOW:
            del known[f"{text}-x"]  # a program that nobody knows
        examples = tuple(Example(command, said) for command, said in known.items())
        return entry_at_edge(permission._replace(examples=examples), text, names)
    pattern = {"end": text, "words": f"{text} *", "open": f"{text}*"}.get(tail, text)
    entry = entry_of(permission._replace(examples=samples(pattern, verdict)), pattern, names)
    if tail != "named":
        return entry
    name = text.partition(" ")[0]
    return _named_on(entry, name, names)._replace(pattern=text.replace(" ", "*", 1).replace("**", "*"))


def allowed_names(patterns: Iterable[str]) -> frozenset[str]:
    """The first words of some patterns, as far as they are whole."""
    return frozenset(word for word in (pattern.split(" ")[0] for pattern in patterns) if word and "*" not in word)


def said_by(permission: Permission) -> Verdict:
    """What an entry says of what it is about; a question where it says nothing."""
    return Verdict.ASK if permission.says is None else permission.says


def settled(entries: Sequence[Entry]) -> list[Permission]:
    """What becomes of entries of which the first that matches decides, in their order.

    Raises:
        AsimiError: they are too many.
    """
    if len(entries) > MOST:
        file = entries[0].permission.source.path
        raise AsimiError(f"{file}: says {len(entries)} things, and {MOST} are the most that are read; leave some out")
    found = [_settled(entries, place) for place in range(len(entries))]
    refused = next((each for each in found if each.rejects), None)
    if refused is None:
        return found
    why = f"it is refused here, because {named(refused)} refuses what nothing allows"
    return [
        each._replace(outcome="stricter", why=why, rules=(), examples=()) if _is_refused(each) else each
        for each in found
    ]


def named(permission: Permission) -> str:
    """How a reason calls another entry."""
    text = permission.text if len(permission.text) <= 40 else f"{permission.text[:39]}…"
    return f"`{text}` (line {permission.line})"


def _is_refused(permission: Permission) -> bool:
    """Whether what an entry asks about is refused where all is that nothing allows: it is left to that.

    So is one whose rules ask about more than it says, because the rest is refused there.
    """
    if permission.says is not Verdict.ASK or permission.outcome == "skipped":
        return False
    wider = permission.outcome == "stricter"
    return wider if permission.rules else not wider and bool(permission.examples)


def _settled(entries: Sequence[Entry], place: int) -> Permission:
    """What becomes of one entry, beside those that win over it and those that it wins over."""
    entry = entries[place]
    before, after = entries[:place], entries[place + 1 :]
    if entry.permission.says is Verdict.ALLOW:
        return _allow(entry, before, after)
    if any(each.pattern == "*" and each.held and not _allows(each) for each in before):
        return entry.permission._replace(outcome="exact", why="", examples=())  # it is never reached
    above = next((each for each in before if _allows(each) and _meet(each, entry)), None)
    below = any(_allows(each) and _meet(each, entry) and not matches(entry.pattern, each.pattern) for each in after)
    if above is None or not entry.meaning.rules:
        return _as_meant(entry)
    if entry.permission.says is Verdict.DENY and entry.pattern == "*":
        return entry.permission._replace(outcome="exact", why="", rejects=True)
    if entry.permission.says is Verdict.ASK and not below:  # only the default is left, which asks
        return entry.permission._replace(outcome="exact", why="")
    why = f"it counts also for what {named(above.permission)} allows there"
    return _as_meant(entry)._replace(outcome="stricter", why=why)


def _allow(entry: Entry, before: Sequence[Entry], after: Sequence[Entry]) -> Permission:
    """What becomes of an entry that allows."""
    permission = _as_meant(entry)
    if permission.outcome == "skipped":
        return permission
    over = [each for each in before if not _allows(each) and _meet(each, entry)]
    loose = next((each for each in over if not _holds(each, entry)), None)
    if loose is not None:
        return permission.skipped(f"{named(loose.permission)} wins over it there, and no rule holds all of that")
    beaten = next((each for each in over if matches(each.pattern, entry.pattern)), None)
    if beaten is not None:
        return permission.skipped(f"{named(beaten.permission)} wins over it there, so it allows nothing")
    under = [each for each in after if each.permission.says is Verdict.DENY and each.meaning.rules]
    under = [each for each in under if each.pattern != "*" and _meet(each, entry)]
    if any(matches(each.pattern, entry.pattern) for each in under):
        wins = next(each for each in under if matches(each.pattern, entry.pattern))
        return permission.skipped(f"{named(wins.permission)} forbids it, and in asimi what forbids wins")
    if under and permission.outcome == "exact":
        why = f"{named(under[0].permission)} forbids some of it, and in asimi what forbids wins"
        return permission._replace(outcome="stricter", why=why)
    return permission


def _as_meant(entry: Entry) -> Permission:
    return entry.permission._replace(**entry.meaning._asdict(), rejects=entry.rejects)


def _allows(entry: Entry) -> bool:
    return entry.permission.says is Verdict.ALLOW


def _holds(strict: Entry, allow: Entry) -> bool:
    """Whether the rules of what denies or asks are about all that an allow would let pass of it."""
    if not strict.meaning.rules or not strict.held:
        return False
    first = strict.pattern.split(" ")[0]
    if "*" not in first or first == "*":
        return True
    if any(rule.bare or not rule.words for rule in allow.meaning.rules):
        return False
    names = [word for rule in allow.meaning.rules for word in (rule.words or ((),))[0]]
    return first.index("*") > 0 or not any(matches(first, name) for name in names)


def _meet(one: Entry, other: Entry) -> bool:
    """Whether two entries may be about the same command; also where that is not sure."""
    first, second = one.pattern, other.pattern
    if "*" not in first:
        return matches(second, first)
    if "*" not in second:
        return matches(first, second)
    begin, start = first.partition("*")[0], second.partition("*")[0]
    return begin.startswith(start) or start.startswith(begin)
