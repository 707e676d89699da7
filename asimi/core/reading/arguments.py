"""Cuts the arguments of a program as the program itself does: into options, their values and operands.

The one cutter: what an option does, where a subcommand or a wrapped command is, what a builtin is given and what a rule
is about all follow from it. It knows GNU's getopt_long (abbreviations, bundles, options behind operands), programs
whose options are words with one dash, operands `NAME=VALUE`, and programs whose options end at the first operand.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs.program import UNKNOWN, Option
from asimi.core.syntax.nodes import Word
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from asimi.core.programs.program import Operand, Program, Syntax

_KEBAB = pattern(r"(?<=\w)-(\w)")

SEPARATOR = Option(("--",), "")
"""Stands for the `--` that ends the options."""

COMPUTED = Option((), "")
"""Stands for a word of which nothing is known: it could be any option, or an operand."""


class Argument(NamedTuple):
    """One option with its value, or one operand.

    Attributes:
        at: the index of its word.
        text: an option as it is spelled, without its value; an operand as far as it is known.
        option: what it is; None for an operand, `UNKNOWN` for an option that the row does not name.
        value: the option's value, None where it has none.
        value_at: the index of the word that the value is in; of a command (`find -exec`), of the word that ends it.
    """

    at: int
    text: str
    option: Option | None = None
    value: Word | None = None
    value_at: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its option; none of an operand."""
        return () if self.option is None else self.option.names

    @property
    def literal(self) -> str:
        """Its value after unquoting; empty without one, or where only bash can know it."""
        return "" if self.value is None else self.value.literal or ""


def cut(
    words: Sequence[Word],
    syntax: Syntax,
    start: int = 1,
    *,
    ends: bool = True,
) -> Iterator[Argument]:
    """Cut arguments.

    Args:
        words: a command.
        syntax: how its program cuts them.
        start: the index of the first argument.
        ends: whether the options end at the first operand where the syntax says so.
    """
    index, ended, operands = start, False, 0
    while index < len(words):
        word = words[index]
        text = word.head if word.literal is None else word.literal
        if ended:
            yield Argument(index, text)
        elif text in {"", "-"} and word.literal is None and not word.bare:
            yield Argument(index, "", COMPUTED)
        elif text == "--" and word.literal is not None and "--" not in syntax.options:
            ended = True
            yield Argument(index, text, SEPARATOR)
        elif "bundle" in syntax.how and index == start and text[:1] != "-":
            index = yield from _bundle(words, index, text, syntax)
            continue
        elif (text[:1] == "-" and len(text) > 1) or _option_of_word(word, text, syntax) is not None:
            index = yield from _option(words, index, text, syntax)
            ended = ended or ("texts" in syntax.how and text[:2] in {"-c", "-m"})
            continue
        else:
            yield Argument(index, text, UNKNOWN if "keys" in syntax.how else None)
            if ends and not (syntax.assigns and "=" in text):
                operands += 1
                ended = operands == syntax.ends
        index += 1


def _option(words: Sequence[Word], index: int, text: str, syntax: Syntax) -> Generator[Argument, None, int]:
    """An option, or a bundle of letters; returns the index of the word behind it."""
    word = words[index]
    found = _option_of_word(word, text, syntax)
    if found is None and not syntax.words and text[:2] != "--":
        letters = _bundle if "apart" in syntax.how and word.literal is not None else _letters
        return (yield from letters(words, index, text[1:], syntax))
    name, option = found or (text.partition("=")[0], UNKNOWN)
    attached = len(text) > len(name) or (word.literal is None and "=" in text)
    value = part(word, text[len(name) :].removeprefix("=")) if attached else None
    switch = "dashes" in syntax.how and not option.value and option.does not in {"runs", "writes"}
    if value is not None and switch and value.literal not in {"false", "true"}:
        option = UNKNOWN  # npm and its like take the value for a word of its own (nopt)
    return (yield from _option_with_value(words, index, name, option, value, syntax))


MOST_LETTERS = 128
"""Letters of one bundle that are told apart; what is behind them could be any option."""


def _letters(words: Sequence[Word], index: int, letters: str, syntax: Syntax) -> Generator[Argument, None, int]:
    """A bundle of letters (`-zxf FILE`), of which the last may take a value."""
    word = words[index]
    for end, letter in enumerate(letters, 1):
        option = syntax.options.get(f"-{letter}", UNKNOWN)
        if end > MOST_LETTERS:
            yield Argument(index, "", COMPUTED)
            return index + 1
        if option is UNKNOWN:
            yield Argument(index, f"-{letter}", option)
            if "open" in syntax.how or not syntax.guarded:
                continue
            return index + 1
        if option.value or option.reader == "COMMAND":
            rest = letters[end:]
            computed = word.literal is None and not rest and option.value
            value = part(word, rest) if rest or computed else None
            return (yield from _option_with_value(words, index, f"-{letter}", option, value, syntax))
        yield Argument(index, f"-{letter}", option)
    if word.literal is None:  # more letters may follow
        yield Argument(index, "", UNKNOWN)
    return index + 1


def _bundle(words: Sequence[Word], index: int, letters: str, syntax: Syntax) -> Generator[Argument, None, int]:
    """A bundle (`tar xzf FILE`, `tree -Lo 2 FILE`) of which the values of its letters follow it, in order."""
    value_at = index + 1
    for end, letter in enumerate(letters, 1):
        option = syntax.options.get(f"-{letter}", UNKNOWN)
        if end > MOST_LETTERS:
            yield Argument(index, "", COMPUTED)
            break
        if option.value == "=" and letters[end:].isdigit():  # `tree -L2`
            yield Argument(index, f"-{letter}", option, part(words[index], letters[end:]), index)
            break
        if option.value == "=":
            value = words[value_at] if value_at < len(words) else None
            yield Argument(index, f"-{letter}", option, value, value_at)
            value_at += 1
        else:
            yield Argument(index, f"-{letter}", option)
    return value_at


def _option_with_value(
    words: Sequence[Word], index: int, name: str, option: Option, value: Word | None, syntax: Syntax
) -> Generator[Argument, None, int]:
    """An option with its value, which is the next word if it takes one and has none yet."""
    if option.reader == "COMMAND":
        end = index + 1
        while end < len(words) and not _ends_command(words, end):
            end += 1
        yield Argument(index, name, option, value, end)
        computed = next((at for at in range(index + 1, end) if words[at].literal is None and not words[at].head), end)
        if computed < end and "words" in syntax.how:  # it could be the `;`, and what follows further arguments
            if not words[computed].single:
                yield Argument(computed, "", COMPUTED)
            yield from cut(words[: end + 1], syntax, computed + 1)
        return end + 1
    if option.value[:1] != "=" or value is not None:
        yield Argument(index, name, option, value, index)
        return index + 1
    end = index + len(option.value)
    yield Argument(index, name, option, words[end] if end < len(words) else None, end)
    return end + 1


def _option_of_word(word: Word, text: str, syntax: Syntax) -> tuple[str, Option] | None:
    """The option that a word names as a whole or before its `=`, and how much of the word is its name."""
    key, equals, _ = text.partition("=")
    if word.literal is None and not equals:
        return _option_by_prefix(text, syntax)  # what follows may be more of the name
    option = syntax.options.get(key)
    if option is None and syntax.words and key[:2] == "--":
        option = syntax.options.get(key[1:])
    if option is None and "camel" in syntax.how:
        option = syntax.options.get(_KEBAB.sub(lambda match: match[1].upper(), key))
    if option is not None:
        return key, option
    if key[:2] == "--" and syntax.abbreviates and (option := _expand_abbreviation(key, syntax)) is not None:
        return key, option
    if (
        "dashes" in syntax.how
        and key[:1] == "-"
        and len(key) > 2
        and (option := _expand_abbreviation(f"-{key}", syntax))
    ):
        return key, option
    if (
        key[:5] == "--no-"
        and "no" in syntax.how
        and (option := _expand_abbreviation("--" + key[5:], syntax)) is not None
    ):
        return key, Option((key,))
    if "-#" in syntax.options and text[:1] == "-" and text[1:].isdigit():
        return text, syntax.options["-#"]
    return _option_by_prefix(text, syntax)


def _expand_abbreviation(key: str, syntax: Syntax) -> Option | None:
    """The long option that a beginning of its name stands for, as getopt_long finds it.

    Of several the most dangerous one counts; a program would refuse to choose.
    """
    exactly = syntax.options.get(key)
    if exactly is not None or len(key) < 3:
        return exactly
    behind = islice(syntax.long, bisect_left(syntax.long, (key,)), None)
    found = sorted(
        (place, syntax.options[name]) for name, place in takewhile(lambda each: each[0].startswith(key), behind)
    )
    dangerous = (option for _, option in found if option.does in {"writes", "runs"})
    return next(dangerous, found[0][1] if found else None)


def _option_by_prefix(text: str, syntax: Syntax) -> tuple[str, Option] | None:
    """The option that a word is by its beginning, such as `-Wall`, where the row says so."""
    return next(((name, option) for name, option in syntax.beginnings if text.startswith(name)), None)


def part(word: Word, text: str) -> Word:
    """The end of a word, as a word."""
    return Word(word.start, word.end, None if word.literal is None else text, text, single=True)


def _ends_command(words: Sequence[Word], index: int) -> bool:
    """Whether a word ends the command of `find -exec` (findutils manual, Run Commands)."""
    if words[index].literal == ";":
        return True
    return words[index].literal == "+" and (words[index - 1].literal or "").endswith("{}")


class Level(NamedTuple):
    """A row that a command chooses, with the arguments that are its own: `words[start:end]`.

    Attributes:
        row: its program's, or that of a subcommand.
        start: the index of the first word behind what chose it.
        end: the index of the word that chose the next row, or of none.
        sure: whether nothing before the start is in doubt.
        arguments: those between.
        operand: the index of its first operand, such as a subcommand, or of what may be one; else of none.
        firm: whether nothing before that operand is in doubt.
    """

    row: Program
    start: int
    end: int
    sure: bool
    arguments: tuple[Argument, ...]
    operand: int
    firm: bool


def levels_of(words: Sequence[Word], program: Program) -> tuple[Level, ...]:
    """The rows that a command chooses, with their arguments; each word is cut once."""
    found: list[Level] = []
    row: Program | None = program
    start, sure = 1, True
    while row is not None:
        level, below = _level(words, row, start, sure=sure)
        found.append(level)
        row, start, sure = below, level.operand + 1, level.firm
    return tuple(found)


def _level(words: Sequence[Word], row: Program, start: int, *, sure: bool) -> tuple[Level, Program | None]:
    """The level of a row, and the row of the subcommand that it chooses, if it does."""
    arguments: list[Argument] = []
    operand, firm = len(words), True
    for argument in cut(words, row.syntax, start):
        if operand < len(words):
            pass
        elif argument.option is None or argument.option is COMPUTED:
            operand = argument.at
            firm = firm and argument.option is None and words[operand].literal is not None
            below = row.subcommand(words[operand].literal)
            if below is not None:
                own = tuple([each for each in arguments if each.at < operand])
                return Level(row, start, operand, sure, own, operand, firm), below
        elif argument.option is UNKNOWN and words[argument.at].literal is None:
            firm = False
        arguments.append(argument)
    return Level(row, start, len(words), sure, tuple(arguments), operand, firm), None


def roles_beside(arguments: Iterable[Argument], syntax: Syntax) -> list[Operand]:
    """The roles of operands, without those that an option takes the place of."""
    for role in syntax.operands:
        if role.unless:
            break
    else:  # most are
        return list(syntax.operands)
    named = {name for each in arguments for name in each.names}
    return [role for role in syntax.operands if named.isdisjoint(role.unless)]


def operand_role(arguments: Iterable[Argument]) -> str:
    """The role that options give to the operands which are files (`sed -i`); empty where none does.

    One that says that they are changed counts before others; `--check=false` says nothing.
    """
    found = [
        each.option.turns
        for each in arguments
        if each.option is not None and (each.option.turns == "write" or each.option.value or each.value is None)
    ]
    return "write" if "write" in found else next(filter(None, found), "")


def role_of(roles: Sequence[Operand], number: int, count: int) -> Operand | None:
    """The role of an operand, by its number among `count`."""
    many = len(roles)
    for index, role in enumerate(roles):
        if role.many:
            many = index
            break
    behind = len(roles) - many - 1
    if number < many:
        return roles[number] if number < len(roles) else None
    if number >= count - behind:
        return roles[len(roles) - (count - number)]
    return roles[many] if many < len(roles) else None


class GivenOptions(NamedTuple):
    """The options of a command in all their spellings.

    Attributes:
        same: the last name of each option of its rows, without dashes, which is a long one if it has any; by each name.
        all: those that its words may be, by these last names.
    """

    same: Mapping[str, str]
    all: AbstractSet[str]


def options_of(words: Sequence[Word], levels: Sequence[Level]) -> GivenOptions:
    """The options of a command; of a beginning of a long name, all options that it may be."""
    same = {
        name.lstrip("-"): option.names[-1].lstrip("-")
        for level in levels
        for name, option in level.row.syntax.options.items()
    }
    letters: set[str] = set()
    longs: set[str] = set()
    bundle = bool(levels) and "bundle" in levels[0].row.syntax.how
    for word in words[1:]:
        known = word.literal if word.literal is not None else word.head
        if known == "--":
            break
        if known.startswith("--"):
            longs.add(known[2:].partition("=")[0])
        elif bundle or known.startswith("-"):
            letters |= {same.get(letter, letter) for letter in known.removeprefix("-")}
        bundle = False
    for long in longs:
        letters |= {letter for letter, name in same.items() if len(letter) == 1 and name.startswith(long)} | {long}
        letters |= {name for name in same.values() if name.startswith(long)}
    return GivenOptions(same, letters)
