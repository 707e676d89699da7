"""Whether a rule is about a command.

What allows matches the words in place and the program only as written. What forbids or asks searches: through paths
(`/bin/rm` is `rm`) and options before a subcommand (`git -C x push` is `git push`); wrappers were seen through before.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.programs.program import UNKNOWN, Program
from asimi.core.reading.arguments import chosen, cut
from asimi.core.reading.commands import base

if TYPE_CHECKING:
    from collections.abc import Collection

    from asimi.core.call import Place
    from asimi.core.judging.rules import Rule
    from asimi.core.reading import Command

NONE = Program("")


class Match(IntEnum):
    """Whether a rule is about a command."""

    NO = 0
    MAYBE = 1
    YES = 2


def begins(rule: Rule, command: Command) -> bool:
    """Whether a command begins with the words of a rule, in place and as written."""
    if rule.words is None or len(rule.words) > len(command.words):
        return False
    if not all(word.literal in alternatives for word, alternatives in zip(command.words, rule.words, strict=False)):
        return False
    return not rule.options_any or has_options(rule.options_any, command)


def is_about(rule: Rule, command: Command) -> Match:
    """Whether a command is, or could be once it runs, what a rule names."""
    if rule.words is None:
        return Match.NO
    found = Match.YES
    if rule.words:
        found = min(_program(rule.words[0], command), _operands(rule.words[1:], command))
    if found and rule.options_any and not has_options(rule.options_any, command):
        computed = any(word.literal is None and word.head[:1] in {"", "-"} for word in command.words[1:])
        return Match.MAYBE if computed else Match.NO
    return found


def applies(rule: Rule, place: Place) -> bool:
    """Whether a rule holds in a directory."""
    if rule.directory is None or place.path == rule.directory:
        return True
    return rule.below and is_below(place.path, rule.directory)


def _program(alternatives: Collection[str], command: Command) -> Match:
    word = command.words[0]
    if word.literal is None:
        name = base(word.head)
        # A computed name is its own finding; here only whether what is known of it can still become the program.
        return Match.MAYBE if word.head and any(base(each).startswith(name) for each in alternatives) else Match.NO
    name = base(word.literal)
    for each in alternatives:
        if "/" in each and "/" in word.literal:
            if each == word.literal:
                return Match.YES
        elif base(each) == name:
            return Match.YES
    return Match.NO


def _operands(wanted: tuple[tuple[str, ...], ...], command: Command) -> Match:
    """Whether the wanted words follow, options and their values between them passed over."""
    words, index, found, gap = command.words, 1, Match.YES, False
    row = command.program
    for alternatives in wanted:
        while True:
            if index >= len(words):
                return Match.NO
            word = words[index]
            argument = next(cut(words, NONE.syntax if row is None else row.syntax, index))
            index += 1
            if word.literal is None:
                if any(each.startswith(word.head) for each in alternatives):
                    return Match.MAYBE
                if not word.single:
                    found, gap = Match.MAYBE, True
                    continue
                if not word.head.startswith("-") and not gap:
                    return Match.NO
                gap = False
                continue
            if word.literal in alternatives:
                gap = False
                row = None if row is None else row.subcommands.get(word.literal, row)
                break
            if argument.option is not None:
                index = max(index, argument.value_at + 1 if argument.value_at else 0)
                gap = argument.option is UNKNOWN
                continue
            if not gap:
                return Match.NO
            gap = False  # it may be the value of the option before it
    return found


def _same(command: Command) -> dict[str, str]:
    """The long names of options that have several; of a letter without one, the first letter."""
    same: dict[str, str] = {}
    if command.program is not None:
        for row, _, _ in chosen(command.words, command.program):
            for name, option in row.syntax.options.items():
                if len(option.names) > 1:
                    same[name.lstrip("-")] = option.names[-1].lstrip("-")
    return same


def has_options(wanted: Collection[str], command: Command) -> bool:
    """Whether a command has at least one of some options, whatever their spelling.

    `-rf` is `-fr`, `-r -f` and `--recursive --force`.
    """
    same = _same(command)
    letters: set[str] = set()
    longs: set[str] = set()
    for word in command.words[1:]:
        known = word.literal if word.literal is not None else word.head
        if known == "--":
            break
        if known.startswith("--"):
            longs.add(known[2:].partition("=")[0])
        elif known.startswith("-"):
            letters |= {same.get(letter, letter) for letter in known[1:]}
    for long in longs:
        letters |= {letter for letter, name in same.items() if len(letter) == 1 and name.startswith(long)} | {long}
        letters |= {name for name in same.values() if name.startswith(long)}
    for option in wanted:
        if option.startswith("--"):
            names = {same.get(option[2:], option[2:])}
        else:
            names = {same.get(letter, letter) for letter in option.lstrip("-")}
        if names <= letters or (option.startswith("-") and any(word.literal == option for word in command.words)):
            return True
    return False
