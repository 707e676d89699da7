"""How far an entry reaches, in words for whoever adds it."""

from __future__ import annotations

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.matching import named_options
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import EXEC, SHELL, entry_of
from asimi.core.lean import TYPE_CHECKING
from asimi.core.programs import find
from asimi.core.reading.commands import base
from asimi.core.syntax import quote
from asimi.core.wording.abilities import ABILITIES, HARMLESS, abilities
from asimi.core.wording.effects import does

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program

MOST = 3
"""Examples of what an entry allows; nobody reads more."""

_DOES = {"runs": "code", "writes": "writes"}
"""The ability of an option, by what its row says that it does."""

_ANYWHERE = Place("/", "/", inside=True)


def breadth(rule: Rule) -> str:
    """What an allow entry allows at its worst; each example was judged by it."""
    if rule.checks or rule.exact or rule.effects:
        return _narrowed(rule)
    if not rule.words:
        return f"allows every command of {rule.tool}, whatever it does; only what denies or asks beats it"
    words = tuple(each[0] for each in rule.words)
    name, row = " ".join(map(quote, words)), find(base(words[0]))
    if row is None:
        return f"allows {name} with any arguments; asimi does not know what it can do"
    examples, always = [], dict.fromkeys(_by_options(words, row))
    for ability, more in reached(rule):
        if not more:
            always[ability] = None
        else:
            examples.append(f"{' '.join((name, *more))} ({ABILITIES[ability][1]})")
    starts = row.starts is not None and not row.starts.loose
    told = [ABILITIES[ability][1] for ability in always if ability not in HARMLESS or not (examples or starts)]
    text = f"allows every {name} command" + (f": it {', '.join(told[:MOST])}" if told else "")
    text = f"{text}, also {', '.join(examples[:MOST])}" if examples else text
    return f"{text}; what it starts is judged as a command of its own" if starts else text


def _narrowed(rule: Rule) -> str:
    """What a rule allows that is about more than first words."""
    words = tuple(each[0] for each in rule.words or ())
    name = " ".join(map(quote, words))
    if rule.checks:
        which = f"{name}, if that is a check of the project" if words else "the project's checks"
        return f"allows {which}, as you confirmed them (asimi trust); they run code that the agent may have written"
    text = "allows these words and no others" if rule.exact else f"allows every {f'{name} ' * bool(words)}command"
    if rule.effects:
        return f"{text} that at most {does(rule.effects)}; a secret stays a question"
    return text if find(base(words[0])) is not None else f"{text}; asimi does not know what it does"


def _by_options(words: tuple[str, ...], row: Program) -> Iterator[str]:
    """The abilities of the options among some words by which a program starts another, or a reader writes."""
    for word in words[1:]:
        if word in row.subcommands:
            row = row.subcommands[word]
        elif word.startswith("-"):
            for option in named_options(word, row):
                if option.does in _DOES:
                    yield _DOES[option.does]


def reached(rule: Rule) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The abilities that a command of an entry can have, the worst first, and the words each still needs.

    Those that need words were judged by the entry, and are none of which nobody needs to be told.
    """
    words = tuple(each[0] for each in rule.words or ())
    row = find(base(words[0])) if words else None
    can = dict(abilities(row)) if row is not None else {}
    for ability in ABILITIES:
        for wanted in can.get(ability, ()):
            behind = words[1:] and not words[1].startswith("-")
            other = behind and wanted[:1] and not wanted[0].startswith("-") and wanted[0] != words[1]
            if not other and not any("*" in each for each in wanted):
                more = tuple(each for each in wanted if each not in words[1:])
                if not more or (ability not in HARMLESS and _allows(rule, (*words, *more))):
                    yield ability, more
                break


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


def missed(rule: Rule) -> str:
    """What an entry that denies or asks does not see: the same options in another spelling or place."""
    words = tuple(each[0] for each in rule.words or ())
    if rule.verdict is Verdict.ALLOW or rule.options_any or not any(word.startswith("-") for word in words[1:]):
        return ""
    does = "denies" if rule.verdict is Verdict.DENY else "asks about"
    return f"{does} only these words in this order, and misses the options in another spelling or place"


def seen(rule: Rule) -> str:
    """What to write in place of an entry that misses options in another spelling."""
    better = in_any_spelling(rule)
    if better is None:
        return "a [[rules]] table with options_any"
    command = " ".join(each[0] for each in better.words or ())
    keys = f'decision = "{rule.verdict.word}", command = "{command}", options_any = ["{better.options_any[0]}"]'
    return f"a [[rules]] table: {keys}"
