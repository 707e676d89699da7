"""Whether a rule is about a command.

What allows matches the words in place and the program only as written. What forbids or asks searches: through paths
(`/bin/rm` is `rm`) and options before a subcommand (`git -C x push` is `git push`); wrappers were seen through before.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from posixpath import normpath
from re import ASCII, DOTALL, escape
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.patterns import overlap
from asimi.core.judging.widths import is_settled, within
from asimi.core.pattern import pattern
from asimi.core.programs import find, known_as
from asimi.core.programs.effects import UNDONE, broad, covers
from asimi.core.programs.program import UNKNOWN, Option, Program
from asimi.core.reading.account import runs
from asimi.core.reading.arguments import SEPARATOR, cut, levels_of
from asimi.core.reading.commands import base, is_installed
from asimi.core.reading.shapes import SOME
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from re import Pattern

    from asimi.core.budget import Budget
    from asimi.core.call import Place, Request
    from asimi.core.judging.named_files import NamedFiles
    from asimi.core.judging.rules import Rule
    from asimi.core.reading import Command

NONE = Program("")

_OFF = frozenset({"", "0", "false", "no", "none", "off"})


_DIRECTORY = pattern(r"[^ ]*/(?:\"?[\w.+-]+\"?|'[\w.+-]+')", ASCII)
_SPLITTING = frozenset("$`{}\\")
"""What else than a pattern a word may hold that is cut into several."""

NO_HOOKS = frozenset({"no-verify"})
"""Options of git with which it starts no hooks; another directory of hooks does the same."""

_HOOKS = pattern(r"(?i)\bcore\.hookspath\b")

LONGEST_HEAD = 256
"""Characters of the known beginning of a word that are compared with a pattern."""


class Match(IntEnum):
    """Whether a rule is about a command."""

    NO = 0
    MAYBE = 1
    YES = 2


def begins(rule: Rule, command: Command, budget: Budget, named: NamedFiles | None = None) -> bool:
    """Whether a command begins with the words of a rule, in place and as written, and does no more than it says.

    Args:
        rule: the rule.
        command: the command.
        budget: what the look is paid from.
        named: tells which files words name; None to compare these as they are written.
    """
    if rule.words is None or len(rule.words) > len(command.words):
        return False
    if rule.exact and len(rule.words) != len(command.words):
        return False
    aims = command.seen.aims
    if rule.at and not within(aims, rule.at):
        return False
    sure = bool(rule.at) and is_settled(aims)
    if rule.effects and not (is_meant(rule, command) and (sure or _does_at_most(rule, command))):
        return False
    if rule.hosts and not _reaches_only(rule.hosts, command, budget):
        return False
    if rule.words:
        words = _plainly(command) if rule.effects else command.words
        for word, alternatives in zip(words, rule.words, strict=False):
            if named is None:
                same = word.literal in alternatives
            else:
                same = _is_one(rule, alternatives, command, command.words.index(word), named)
            if not same:
                return False
    if rule.args_none:
        budget.spend(4 * len(rule.args_none) * len(command.words))
        if any(word.literal is None or _fits(word, rule.args_none) for word in command.words[1:]):
            return False
    if not rule.options_any:
        return True
    budget.spend(30 + 4 * len(command.words))
    return surely_has(rule.options_any, command.words)


def beginning(rules: Iterable[Rule], command: Command, budget: Budget, named: NamedFiles | None = None) -> list[Rule]:
    """Those of some rules with which a command begins; see `begins`."""
    return [rule for rule in rules if begins(rule, command, budget, named)]


def applicable_rules(rules: Iterable[Rule], request: Request) -> list[Rule]:
    """Those of some rules that hold for the tool of a request, and in its directory."""
    return [rule for rule in rules if rule.tool in {None, request.tool} and applies(rule, request.place)]


def _is_one(rule: Rule, alternatives: Sequence[str], command: Command, index: int, named: NamedFiles) -> bool:
    """Whether a word of a command surely is one of the alternatives of an allow; a path is by the file it names."""
    literal = command.literals[index]
    if not any(may_name(each, command, index) for each in (literal or "/", *alternatives)):
        return literal in alternatives
    return any(
        named.surely_names(rule, each, command, index)
        if named.is_file(each, command, index, rule.directory)
        else each == literal
        for each in alternatives
    )


def may_name(text: str, command: Command, index: int) -> bool:
    """Whether a text may name a file, where it is the word of a command at an index."""
    if "/" in text or index == 0:
        return "/" in text
    return runs(command, index) or any(each.word == index and each.how for each in command.account.touches)


def is_about(rule: Rule, command: Command, budget: Budget, named: NamedFiles | None = None) -> Match:
    """Whether a command is, or could be once it runs, what a rule names."""
    if rule.words is None:
        return Match.NO
    found = Match.YES
    if rule.words:
        found = _program(rule, command, named)
        found = min(found, _operands(rule, command, budget, named)) if found else found
    if found and rule.exact:
        found = min(found, _exactly(rule.words, command))
    if found and rule.args_any:
        budget.spend(4 * len(rule.args_any) * len(command.words))
        found = min(found, max((_fits(word, rule.args_any) for word in command.words[1:]), default=Match.NO))
    if found and rule.effects:
        does = command.kinds
        meant = does is not None and not (does | broad(does)).isdisjoint(rule.effects)
        found = min(found, Match.MAYBE if does is None else Match.YES if meant else Match.NO)
    if found and rule.options_any and not has_options(rule.options_any, command, budget):
        computed = any(word.literal is None and word.head[:1] in {"", "-"} for word in command.words[1:])
        return Match.MAYBE if computed else Match.NO
    return found


def is_meant(rule: Rule, command: Command) -> bool:
    """Whether a rule by effects does not except the program, by none of its names."""
    if not rule.excepted:
        return True
    program = command.program
    return program is not None and {command.name, program.name}.isdisjoint(rule.excepted)


def _plainly(command: Command) -> Sequence[Word]:
    """The words of a command without its program's options before a subcommand, whose effects count by themselves."""
    if command.program is None or not command.program.subcommands:
        return command.words
    levels = command.levels
    if not all(level.sure for level in levels):
        return command.words
    subcommands = [command.words[level.start - 1] for level in levels[1:]]
    return [command.words[0], *subcommands, *command.words[levels[-1].start :]]


def _does_at_most(rule: Rule, command: Command) -> bool:
    """Whether all that a command does is known, and a rule names it; its name must mean the known program."""
    directory = (command.literals[0] or "").rpartition("/")[0]
    if not is_installed(directory) or command.seen.astray:
        return False
    does, effects = command.kinds, rule.effects
    if does is not None and rule.undo and (command.seen.kept or command.seen.made):
        does -= UNDONE
    return does is not None and (broad(does).issubset(effects) or all(covers(effects, each) for each in does))


def _reaches_only(hosts: Collection[str], command: Command, budget: Budget) -> bool:
    """Whether a command uses the network, and each address that it can reach is literal and among some hosts."""
    from asimi.core.reading.addresses import address_of, parse_host_pattern

    budget.spend(len(command.words) + len(hosts))
    address = address_of(command) if command.seen.own and "network" in (command.effects or ()) else None
    return address is not None and any(
        each.covers(address) for each in map(parse_host_pattern, hosts) if each is not None
    )


def rests_on_undo(rule: Rule, command: Command) -> bool:
    """Whether a rule allows a command only because undo brings back what it removes."""
    return rule.undo and not all(covers(rule.effects, each) for each in (command.kinds or frozenset()) & UNDONE)


def _exactly(wanted: tuple[tuple[str, ...], ...], command: Command) -> Match:
    """Whether a command has as many words as a rule, as far as that is known."""
    if any(word.literal is None and not word.single for word in command.words):
        return Match.MAYBE
    return Match.YES if len(command.words) == len(wanted) else Match.NO


def _fits(word: Word, patterns: Collection[str]) -> Match:
    """Whether an argument, or the value in it (`of=/etc/x`), fits one of some patterns."""
    if word.literal is None:
        known = word.head[:LONGEST_HEAD]
        return Match(not known or any(overlap(known + SOME, each) for each in patterns))
    texts = {word.literal, word.literal.partition("=")[2]}
    texts |= {normpath(text) for text in texts if "/" in text}
    return Match.YES if any(_as_pattern(each).fullmatch(text) for text in texts for each in patterns) else Match.NO


@lru_cache(maxsize=1024)
def _as_pattern(text: str) -> Pattern[str]:
    """The regular expression for a pattern in which `*` stands for any text."""
    import re

    return re.compile(".*".join(map(escape, text.split("*"))), DOTALL)


def applies(rule: Rule, place: Place) -> bool:
    """Whether a rule holds in a directory, on its machine."""
    if rule.host is not None and rule.host != place.host:
        return False
    if rule.directory is None or place.path == rule.directory:
        return True
    return rule.below and is_below(place.path, rule.directory)


def name_of(command: Command) -> str | None:
    """The name of a command's program, also where only bash can know the directory it is in: `/b?n/rm`, `"$d"/rm`."""
    if command.name is not None:
        return command.name
    word = command.words[0]
    written = command.text_of(word)
    match = _DIRECTORY.fullmatch(written) if word.single or _SPLITTING.isdisjoint(written) else None
    return None if match is None else base(written).strip("\"'")


def _program(rule: Rule, command: Command, named: NamedFiles | None) -> Match:
    """Whether the program of a command is one that a rule forbids."""
    assert rule.words
    alternatives, word = rule.words[0], command.words[0]
    paths = [each for each in alternatives if "/" in each]
    if paths and named is not None and "/" in command.text_of(word):
        found = Match(max(named.maybe_names(rule, each, command, 0) for each in paths))
        if found or word.literal is not None:
            return max(found, _by_name([each for each in alternatives if each not in paths], command))
    return _by_name(alternatives, command)


def _by_name(alternatives: Collection[str], command: Command) -> Match:
    """The same by the names of programs; a path is the same one where it is written alike."""
    word = command.words[0]
    if word.literal is None:
        if (named := name_of(command)) is not None:
            return Match(2 * any(base(each) in known_as(named) for each in alternatives))
        name = base(word.head)
        # A computed name is its own finding; here only whether what is known of it can still become the program.
        return Match.MAYBE if word.head and any(base(each).startswith(name) for each in alternatives) else Match.NO
    names = known_as(base(word.literal))
    for each in alternatives:
        if "/" in each and "/" in word.literal:
            if each == word.literal:
                return Match.YES
        elif base(each) in names:
            return Match.YES
    return Match.NO


def _operands(rule: Rule, command: Command, budget: Budget, named: NamedFiles | None) -> Match:
    """Whether the wanted words follow, options and their values between them passed over."""
    words, index, found, gap = command.words, 1, Match.YES, False
    row = command.program
    for alternatives in (rule.words or ())[1:]:
        while True:
            if index >= len(words):
                return Match.NO
            word = words[index]
            budget.spend(2)
            same = _may_be(rule, alternatives, command, index, named)
            argument = next(cut(words, NONE.syntax if row is None else row.syntax, index))
            index += 1
            if same is Match.YES or (word.literal is not None and _is_brief(word.literal, alternatives, row)):
                gap = False
                row = None if row is None or word.literal is None else row.subcommands.get(word.literal, row)
                break
            if same is Match.MAYBE:
                return Match.MAYBE
            if word.literal is None:
                if not word.single:
                    found, gap = Match.MAYBE, True
                    continue
                if not word.head.startswith("-") and not gap:
                    return Match.NO
                gap = False
                continue
            if argument.option is not None:
                index = max(index, argument.value_at + 1 if argument.value_at else 0)
                gap = argument.option is UNKNOWN
                continue
            if not gap:
                return Match.NO
            gap = False  # it may be the value of the option before it
    return found


def _may_be(rule: Rule, alternatives: Sequence[str], command: Command, index: int, named: NamedFiles | None) -> Match:
    """Whether a word of a command is one of the alternatives of what forbids, or may be; a path by what it names."""
    literal, head, written = command.literals[index], command.words[index].head, command.text_of(command.words[index])
    likely = literal in alternatives or any("/" in each for each in (written, *alternatives))
    if named is not None and likely and head[:1] != "-" and may_name(written, command, index):
        files = [each for each in alternatives if named.is_file(each, command, index, rule.directory)]
        found = Match(max((named.maybe_names(rule, each, command, index) for each in files), default=0))
        if found or (files and literal is not None):
            return max(found, Match.YES if literal in {*alternatives} - {*files} else Match.NO)
    if literal is None:
        return Match.MAYBE if any(each.startswith(head) for each in alternatives) else Match.NO
    return Match.YES if literal in alternatives else Match.NO


def _is_brief(word: str, alternatives: Collection[str], row: Program | None) -> bool:
    """Whether a word is the beginning of a subcommand's name, where that is enough (`npm publ`), and no other one."""
    brief = row is not None and "brief" in row.how and word not in row.subcommands and word[:1] not in {"", "-"}
    return brief and any(each.startswith(word) for each in alternatives)


def complete_row(words: Sequence[Word]) -> tuple[Program, int] | None:
    """The row that says what all options of a command are, and the index of its first argument; None without one."""
    program = find(base(words[0].literal or ""))
    if program is None:
        return None
    levels = levels_of(words, program)
    row, start = levels[-1].row, levels[-1].start
    known = row.has_known_arguments and "open" not in row.syntax.how and row.starts is None and not row.shell
    if not known or row.subcommands or row.others or start != len(levels) or not all(level.sure for level in levels):
        return None
    return row, start


def named_options(written: str, row: Program) -> frozenset[Option]:
    """The options that `-r`, `-rf` or `--recursive` is to a row; empty where the row does not name them all."""
    options = [each.option for each in cut([Word(0, 0, written, written, single=True)], row.syntax, 0)]
    return frozenset(each for each in options if each is not None) if UNKNOWN not in options else frozenset()


def surely_has(wanted: Collection[str], words: Sequence[Word]) -> bool:
    """Whether a command has one of some options whatever its words become, and nothing takes that option back."""
    found = complete_row(words)
    if found is None or any(word.literal is None for word in words):
        return False
    row, start = found
    given: set[Option] = set()
    opposites: set[str] = set()
    for argument in cut(words, row.syntax, start):
        option, value = argument.option, argument.value
        if option is SEPARATOR:
            break
        if option is UNKNOWN:
            return False
        if option is not None:
            denied = value is not None and (option.value[:1] != "=" or value.literal in _OFF)
            opposites.update(option.names if denied else [_opposite(argument.text), *map(_opposite, option.names)])
            given.add(option)
    for each in wanted:
        options = named_options(each, row)
        names = [each, *(name for option in options for name in option.names)]
        taken = any(name.startswith(other) for name in names if name[:2] == "--" for other in opposites if other)
        if options and options <= given and not taken and opposites.isdisjoint(names):
            return True
    return False


def _opposite(name: str) -> str:
    """The option that one takes back: `--no-x` and `--x` each other."""
    if name[:2] != "--":
        return ""
    return f"--{name[5:]}" if name[:5] == "--no-" else f"--no-{name[2:]}"


def has_options(wanted: Collection[str], command: Command, budget: Budget) -> bool:
    """Whether a command has at least one of some options, whatever their spelling.

    `-rf` is `-fr`, `-r -f` and `--recursive --force`.
    """
    options = sum(len(level.row.syntax.options) for level in command.levels)
    longs = sum((word.literal or word.head)[:2] == "--" for word in command.words[1:])
    budget.spend(10 + options // 4 + longs * (3 + options // 8))  # each time, so that no cost depends on an earlier one
    same, letters = command.options
    budget.spend(len(wanted) * (1 + len(command.words) // 32))
    skips = "repository" in command.traits and _skips_hooks(command)
    for option in wanted:
        if option.startswith("--"):
            names = {same.get(option[2:], option[2:])}
        else:
            names = {same.get(letter, letter) for letter in option.lstrip("-")}
        if names <= letters or (option.startswith("-") and option in command.literals) or (skips and names <= NO_HOOKS):
            return True
    return False


def _skips_hooks(command: Command) -> bool:
    """Whether git is told to look for its hooks elsewhere, by a setting before the subcommand or in a variable."""
    given = command.simple.assignments if command.simple is not None else ()
    settings = map(command.text_of, command.words[1 : command.levels[-1].start])
    texts = (command.source[each.start : each.end] for each in given if each.name.startswith("GIT_CONFIG"))
    return any(map(_HOOKS.search, (*settings, *texts)))
