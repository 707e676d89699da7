"""How far an entry reaches, in words for whoever adds it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.matching import named_options
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import EXEC, REACH, SHELL, entry_of, is_without_force
from asimi.core.judging.widths import is_settled, kind_of, known_widths
from asimi.core.programs import find
from asimi.core.programs.effects import WORDS, covers, phrases, possibly
from asimi.core.programs.program import OF_ROLES
from asimi.core.reading.commands import base
from asimi.core.syntax import quote
from asimi.core.wording.effects import does

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program

MOST = 3
"""Examples of what an entry allows; nobody reads more."""

TRIES = 5
"""Commands that are judged to find an example of one kind."""

_ANYWHERE = Place("/", "/", inside=True)


def breadth(rule: Rule, described: Mapping[str, Program] | None = None) -> str:
    """What an allow entry allows at its worst; each example was judged by it.

    Args:
        rule: the entry.
        described: the programs that people described besides those of the catalogue, by their names.
    """
    if rule.tool == REACH and rule.words:
        private = ", ".join(each[0] for each in rule.words[1:])
        at = f", also at {private} of your network" if private else ""
        return f"lets a box reach {rule.words[0][0]}{at}, whatever is sent there"
    rows = described or {}
    if rule.checks or rule.exact or rule.effects:
        return _special_breadth(rule, rows)
    if not rule.words:
        return f"allows every command of {rule.tool}, whatever it does; only what denies or asks beats it"
    words = tuple(each[0] for each in rule.words)
    name, row = " ".join(map(quote, words)), _row(words, rows)
    if row is None:
        return f"allows {name} with any arguments, whatever it then does"
    found: dict[tuple[str, ...], list[str]] = {}
    for kind, more in effect_examples(rule, row):
        found.setdefault(more, []).append(WORDS[kind])
    examples = [f"{' '.join((name, *more))} ({', '.join(kinds)})" for more, kinds in found.items()]
    always, possible = _always(words, row)
    starts = row.starts is not None and not row.starts.loose
    told = [each for kind, each in phrases(always).items() if kind != "read" or not (examples or starts)]
    told += [possibly(each) for kind, each in phrases(possible - always).items() if kind != "read"]
    text = f"allows every {name} command" + (f": it {', '.join(told[:MOST])}" if told else "")
    text = f"{text}, also {', '.join(examples[:MOST])}" if examples else text
    return f"{text}; what it starts is judged as a command of its own" if starts else text


def _row(words: Sequence[str], described: Mapping[str, Program]) -> Program | None:
    """The row of the program that words begin with."""
    name = base(words[0]) if words else ""
    return find(name) or described.get(name)


def _special_breadth(rule: Rule, described: Mapping[str, Program]) -> str:
    """What a rule allows that is about more than first words."""
    words = tuple(each[0] for each in rule.words or ())
    name = " ".join(map(quote, words))
    if rule.checks:
        which = f"{name}, if that is a check of the project" if words else "the project's checks"
        return f"allows {which}, as you confirmed them (asimi trust); they run code that the agent may have written"
    text = "allows these words and no others" if rule.exact else f"allows every {f'{name} ' * bool(words)}command"
    if is_without_force(rule):
        return f"allows every {name} that neither forces nor deletes: no +X, no A:B, not all branches or tags"
    if rule.at:
        covers = known_widths()[kind_of(rule.at[-1] if is_settled(rule.at) else rule.at[0])].covers
        return f"allows every {name} {covers}" if name else f"allows {covers}"
    if rule.effects:
        none = f", with no argument like {', '.join(rule.args_none)}" if rule.args_none else ""
        return f"{text} that at most {does(rule.effects)}{none}; a secret stays a question"
    return text if _row(words, described) is not None else f"{text}; asimi does not know what it does"


def _always(words: tuple[str, ...], row: Program) -> tuple[frozenset[str], frozenset[str]]:
    """What each command with some first words does, and what it may do besides where not all is known."""
    found = frozenset[str]()
    for word in words[1:]:
        if word in row.subcommands:
            row = row.subcommands[word]
        elif word.startswith("-"):
            found = found.union(*(option.kinds for option in named_options(word, row)))
    while row.kinds is None and not row.may and row.parent is not None:
        row = row.parent
    return found | _of_row(row), row.may


def _of_row(row: Program) -> frozenset[str]:
    """What a row says of itself and of its operands."""
    roles = (OF_ROLES[each.role] for each in row.syntax.operands if each.role in OF_ROLES)
    return frozenset[str]() if row.kinds is None else row.kinds.union(roles)


def effect_examples(rule: Rule, row: Program) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The kinds of effects that only some commands of an entry have, the worst first, with words that lead to each.

    Each was judged by the entry.

    Args:
        rule: the entry.
        row: its program.
    """
    words = tuple(each[0] for each in rule.words or ())
    always, _ = _always(words, row)
    for word in words[1:]:
        row = row.subcommands.get(word, row)
    examples = sorted(_examples(row, ()), key=lambda each: (len(each[0]), "--force" not in each[0]))  # the best known
    for kind in WORDS:
        if kind == "read" or any(covers({kind}, each) for each in always):
            continue
        some = islice(
            (more for more, kinds in examples if kind in phrases(kinds) and not {*more} & {*words[1:]}), TRIES
        )
        if more := next((each for each in some if _allows(rule, (*words, *each))), ()):
            yield kind, more


def _examples(row: Program, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], frozenset[str]]]:
    """Words behind those of a row that add to what it does, with what that is."""
    for option in dict.fromkeys(row.syntax.options.values()):
        if option.kinds and not option.instead:
            yield (*before, option.names[-1], *("x" for _ in option.value if option.value != "[=")), option.kinds
    for below in dict.fromkeys(row.subcommands.values()):
        yield (*before, below.name), _of_row(below)
        yield from _examples(below, (*before, below.name))


def _allows(rule: Rule, words: tuple[str, ...]) -> bool:
    """Whether the rule alone allows a command."""
    program, *arguments = words
    if rule.tool == EXEC:
        request = Request(EXEC, program, tuple(arguments), _ANYWHERE)
    else:
        request = Request(SHELL, " ".join(map(quote, words)), None, _ANYWHERE)
    return Policy((rule._replace(expires=None),)).decide(request).verdict is Verdict.ALLOW


def in_any_spelling(rule: Rule) -> Rule | None:
    """The rule that a person means who denies or asks about options: `rm -rf`, however they are written.

    Returns:
        None where the entry has no options, where they mean something only in their place, or where a rule with
        `options_any` would say something else.
    """
    words = tuple(each[0] for each in rule.words or ())
    first = next((at for at, word in enumerate(words) if at and word.startswith("-")), 0)
    options = words[first:] if first else ()
    row = find(base(words[0])) if words else None
    single = not (row is not None and row.syntax.words) and all(
        len(word) > 1 and word.startswith("-") and word != "--" for word in options
    )
    letters = all(not word.startswith("--") for word in options)
    if rule.verdict is Verdict.ALLOW or rule.options_any or not options or not single:
        return None
    if len(options) > 1 and not letters:
        return None
    option = options[0] if len(options) == 1 else "-" + "".join(word[1:] for word in options)
    entry = entry_of(rule.tool or SHELL, words[:first])
    return rule._replace(words=rule.words[:first], options_any=(option,), entry=f"{entry} with {option}")  # type: ignore[index]  # it has words


def spelling_gap(rule: Rule) -> str:
    """What an entry that denies or asks does not see: the same options in another spelling or place."""
    words = tuple(each[0] for each in rule.words or ())
    if rule.verdict is Verdict.ALLOW or rule.options_any or not any(word.startswith("-") for word in words[1:]):
        return ""
    does = "denies" if rule.verdict is Verdict.DENY else "asks about"
    return f"{does} only these words in this order, and misses the options in another spelling or place"


def better_entry(rule: Rule) -> str:
    """What to write in place of an entry that misses options in another spelling."""
    better = in_any_spelling(rule)
    if better is None:
        return "a [[rules]] table with options_any"
    command = " ".join(each[0] for each in better.words or ())
    keys = f'decision = "{rule.verdict.word}", command = "{command}", options_any = ["{better.options_any[0]}"]'
    return f"a [[rules]] table: {keys}"
