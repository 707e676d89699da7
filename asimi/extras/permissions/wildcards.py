"""Patterns over the text of a command, in which `*` is any text, as rules about its words.

Several agents write their permissions so: `git log *`, `npm run test:*`, `git * main`. What allows must become rules
that allow no more, so a `*` counts only at the end, behind whole words. What forbids may become rules that forbid more:
the words before the first `*`, with an argument that the pattern names further on. `asked_outside` adds the question
that some agents ask about paths outside the project, whatever is allowed.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.judging.rules import SHELL, EntryError, Rule, entry_for, literal_words
from asimi.core.programs import NAMES
from asimi.core.values import NamedTuple
from asimi.core.wording.breadth import in_any_spelling
from asimi.extras.permissions.entries import Example

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Any

    from asimi.extras.permissions.entries import Outcome, Permission

GRAMMAR = frozenset(
    "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while".split()
)
"""Words that are no command at the beginning of one."""

LONGEST = 4096
"""Characters of a pattern that are read."""

_OPERATORS = re.compile(r"(?<![<>])(?:\|\||&&|\|&|[;|&\n])(?!>)")
_STRANGE = frozenset("'\"<>$`\\")
_PLAIN = re.compile(r"[\w./:@%+=,-]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")


class Meaning(NamedTuple):
    """What a pattern becomes.

    Attributes:
        rules: the rules; none where it is skipped.
        outcome: how they compare with it.
        why: what is stricter, or why it is skipped.
    """

    rules: tuple[Rule, ...]
    outcome: Outcome
    why: str = ""


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern matches a text as a whole; a blank and `*` at its end match nothing as well."""
    first, *chunks = pattern.split("*")
    if not chunks:
        return text == pattern
    if text + " " == first and chunks == [""]:
        return True
    last = chunks.pop()
    if not text.startswith(first) or len(text) < len(first) + len(last) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for chunk in chunks:
        at = text.find(chunk, at, end)
        if at < 0:
            return False
        at += len(chunk)
    return True


def samples(pattern: str, verdict: Verdict) -> tuple[Example, ...]:
    """Commands at the edges of a pattern, with what an entry that says this of its matches says of each."""
    if len(pattern) > LONGEST:
        return ()
    bare = pattern.removesuffix(" *")
    texts = [pattern.replace("*", each) for each in ("", "x", "x -y")]
    texts += [bare, f"{bare}x", f"{bare} x", f"x{bare}", bare.rpartition(" ")[0]]
    known = dict.fromkeys(" ".join(text.split()) for text in texts if text.strip() and "*" not in text)
    if verdict is not Verdict.ALLOW and by_beginning(pattern):  # of their names, only the known ones are examples
        part = _PLAIN.search(pattern)
        known = {text: None for text in known if part is not None and text.split()[0] == part[0]}
    return tuple(Example(text, verdict if matches(pattern, text) else None) for text in known)


def rule_about(verdict: Verdict, words: Iterable[str | tuple[str, ...]], reason: str, **more: Any) -> Rule:
    """A rule about commands that begin with some words, each of which may be a tuple of alternatives."""
    all_words = tuple((each,) if isinstance(each, str) else each for each in words)
    rule = Rule(verdict, SHELL, all_words, "", reason=reason, **more)
    return rule._replace(entry=entry_for(rule))


def allowing(pattern: str, reason: str) -> Meaning:
    """The rule that allows what a pattern matches, or less."""
    if pattern in ("", "*"):
        return Meaning((rule_about(Verdict.ALLOW, (), reason),), "exact")
    if len(pattern) > LONGEST:
        return _skipped(f"it is longer than {LONGEST} characters")
    fixed, star, rest = pattern.partition("*")
    if rest:
        return _skipped("a * that more text follows has no rule that allows no more; add what you need by its words")
    try:
        words = literal_words(fixed, fixed)
    except EntryError as error:
        return _skipped(str(error))
    if words[0] in GRAMMAR or _ASSIGNMENT.match(words[0]):
        return _skipped(f"{words[0]} is a part of the shell's grammar, not a command, and asimi judges commands")
    rule = rule_about(Verdict.ALLOW, words, reason, exact=not star)
    if not star or fixed[-1].isspace():
        return Meaning((rule,), "exact")
    if not fixed[-1].isalnum():
        return _skipped("it ends within a word, and asimi allows by whole words; add what you need by its words")
    why = f"asimi allows by whole words: `{fixed}` and any arguments, not what only begins so"
    return Meaning((rule,), "stricter", why)


def forbidding(pattern: str, verdict: Verdict, reason: str, known: Iterable[str] = ()) -> Meaning:
    """The rules that forbid (deny, ask about) what a pattern matches, or more.

    Args:
        pattern: it.
        verdict: DENY or ASK.
        reason: what the model is told.
        known: names of programs that count as known, besides those of the catalogue.
    """
    if len(pattern) > LONGEST:
        short = forbidding(f"{pattern[: LONGEST - 2].rpartition(' ')[0]} *", verdict, reason, known)
        return short._replace(
            outcome="stricter", why=f"it is longer than {LONGEST} characters, and its beginning counts"
        )
    parts = [pattern] if "'" in pattern or '"' in pattern else _OPERATORS.split(pattern)
    return min((_about(each.split(), verdict, reason, known) for each in parts), key=_width)


def by_beginning(pattern: str) -> bool:
    """Whether a pattern names programs by a part of their name, of which no rule can have all."""
    first = pattern.partition(" ")[0]
    return "*" in first and first != "*"


def _skipped(why: str) -> Meaning:
    return Meaning((), "skipped", why)


def _width(meaning: Meaning) -> tuple[bool, bool, bool, int]:
    """How wide the rules are: those for all commands last, exact ones first."""
    rule = meaning.rules[0]
    words = rule.words or ()
    return (rule.bare, not words, not rule.exact, -len(words) - bool(rule.args_any or rule.options_any))


def _about(tokens: list[str], verdict: Verdict, reason: str, known: Iterable[str]) -> Meaning:
    """The rules for the pattern of one command, cut at its blanks."""
    while tokens and (tokens[0] in GRAMMAR or _ASSIGNMENT.match(tokens[0])):  # none of them is a word of the command
        tokens = tokens[1:]
    text = " ".join(tokens)
    if text and "*" not in text:
        with suppress(EntryError):
            return Meaning((rule_about(verdict, literal_words(text, text), reason, exact=True),), "exact")
    fixed = next((at for at, token in enumerate(tokens) if not _PLAIN.fullmatch(token)), len(tokens))
    words, rest = tokens[:fixed], tokens[fixed:]
    if rest in ([], ["*"]):
        return _spelt(words, verdict, reason)
    if not words and rest[0] != "*":
        return _named(rest[0], verdict, reason, known)
    rules = tuple(rule_about(verdict, words, reason, **each) for each in _narrowed(rest))
    if not rules:
        wide = f"every `{' '.join(words)}`" if words else "every command"
        return _spelt(words, verdict, reason)._replace(outcome="stricter", why=f"{wide} counts, whatever follows")
    told = (rules[0].options_any or rules[0].args_any)[0]
    return Meaning(rules, "stricter", f"{told[:60]} counts wherever it stands among the arguments")


def _spelt(words: list[str], verdict: Verdict, reason: str) -> Meaning:
    """The rule for first words, with their options in any spelling."""
    rule = rule_about(verdict, words, reason)
    better = in_any_spelling(rule)
    if better is None:
        return Meaning((rule,), "exact")
    option = better.options_any[0]
    return Meaning(
        (better._replace(entry=entry_for(better)),), "stricter", f"{option} counts in any spelling and place"
    )


def _named(token: str, verdict: Verdict, reason: str, known: Iterable[str]) -> Meaning:
    """The rules for programs that a part of their name stands for; a `*` before it may stand for a program as well."""
    run = _PLAIN.search(token)
    if run is None or not _STRANGE.isdisjoint(token):
        return Meaning((rule_about(verdict, (), reason),), "stricter", "every command counts")
    part, begins = run[0], run.start() == 0
    names = (*(name for family in NAMES.values() for name in family.split()), *known)
    alike = sorted({name for name in names if (name.startswith(part) if begins else part in name)} - {part})
    rules = [rule_about(verdict, ((part, *alike),), reason)]
    rules += [] if begins else [rule_about(verdict, (), reason, args_any=(f"*{part}*",))]
    programs = f"{1 + len(alike)} programs" if alike else "one program"
    why = f"it counts for {programs} that asimi knows by such a name; any other is unlisted"
    return Meaning(tuple(rules), "stricter", why)


def _narrowed(tokens: list[str]) -> Iterator[dict[str, tuple[str, ...]]]:
    """What else must be among the arguments of a command that a pattern with these tokens matches."""
    known = next((at for at, token in enumerate(tokens) if not _STRANGE.isdisjoint(token)), len(tokens))
    found = [(run[0], token, at) for at, token in enumerate(tokens[:known]) for run in _PLAIN.finditer(token)]
    if not found:
        return
    run, token, at = max(found, key=lambda each: (each[0] == each[1] and each[0][0] == "-", len(each[0])))
    before, after = token[: token.index(run)], token[token.index(run) + len(run) :]
    if before or after:
        yield {"args_any": ((f"*{run}" if before else run) + ("*" if after else ""),)}
        return
    if len(run) > 1 and run[0] == "-" and run != "--":
        yield {"options_any": (run,)}
    last = at == len(tokens) - 1
    yield {"args_any": (run,) if last else (run, f"* {run}", f"{run} *", f"* {run} *")}


_PATHS = ("/*", "~*", "..", "../*", "*/..", "*/../*")
_URLS = ("*://*",)


def asked_outside(
    permission: Permission, agent: str, programs: Collection[str] = (), *, addresses: bool = False
) -> Permission:
    """An allow with a question about every path among the arguments that may lead out of the project.

    Args:
        permission: the entry; what is no allow stays as it is.
        agent: the agent's name, as people write it.
        programs: the programs that it asks so for; empty for all.
        addresses: whether it asks about addresses (`https://…`), too.
    """
    rules = [rule for rule in permission.rules if rule.verdict is Verdict.ALLOW and rule.words is not None]
    asked = _PATHS + (_URLS if addresses else ())
    reason = f"{permission.text}, {permission.place}: {agent} asks about paths outside the project"
    found = []
    for rule in rules:
        first = rule.words[0] if rule.words else tuple(programs)
        names = tuple(name for name in first if not programs or name in programs)
        if names or not first:
            words = (names, *(rule.words or ())[1:]) if names else ()
            if rule.exact and not any(_leads_out(word) for word in (rule.words or ())[1:]):
                continue
            question = rule_about(Verdict.ASK, words, reason, args_any=asked)
            found.append(question._replace(directory=rule.directory, below=rule.below))
    if not found:
        return permission
    what = "paths and addresses" if addresses else "paths"
    why = f"asimi asks about all {what} that may lead out of the project: with / or ~ first, or .."
    return permission._replace(outcome="stricter", why=why, rules=(*permission.rules, *found))


def _leads_out(words: tuple[str, ...]) -> bool:
    """Whether one of some words may be such a path or address."""
    return any("/" in word or word.startswith("~") or ".." in word for word in words)
