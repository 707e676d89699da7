"""Allows that are wider than they look, and denies that are easily missed: a command that was tried proves each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.programs import find
from asimi.core.programs.effects import WORDS, broad, covers
from asimi.core.reading.arguments import cut, levels_of
from asimi.core.reading.commands import SYSTEM, base
from asimi.core.syntax import quote
from asimi.core.syntax.nodes import Word
from asimi.core.wording.breadth import MOST, better_entry, effect_examples, spelling_gap
from asimi.extras.advice.linting.ground import entry, firsts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.call import Decision, Request
    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program
    from asimi.extras.advice.linting.ground import Flaw, Ground

Found = tuple[str, str]
"""What is wrong, and what to write instead."""

GRAVE = frozenset({"delete", "publish", "system", "code"})
"""Effects that nobody expects of a program that is mostly something else."""

BEHIND = tuple((*before, *words) for words in (("rm", "x"), ("touch", "x")) for before in ((), ("x",)))
"""What a program that starts others may be given, where nothing or one operand is before the command."""

TWINS = (frozenset({"pip", "pip3"}), frozenset({"python", "python3"}), frozenset({"node", "nodejs"}))
"""Names under which the same program is installed."""

FILE = "~/.bashrc"
"""A file that nobody means who thinks of a project."""


def wide(ground: Ground) -> Iterator[Flaw]:
    """Allows that are wider than they look."""
    for each in ground.lasting:
        rule = each.rule
        if rule.verdict is not Verdict.ALLOW or rule.exact or rule.line is not None or rule.checks:
            continue
        if rule.effects:
            held = ground.held or rule.sandbox != "off"
            found = None if rule.words or held else _by_effects(ground, rule)
        else:
            firsts = () if rule.options_any else firsts_of(rule)
            found = next(filter(None, (_by_words(ground, rule, words) for words in firsts)), None)
        if found is not None:
            yield each.flaw("wide", *found)


def _by_effects(ground: Ground, rule: Rule) -> Found | None:
    """What a rule by effects allows that it does not seem to."""
    effects = broad(frozenset(rule.effects))
    if "code" in effects:
        message = "allows everything that runs code, which can do anything, whatever other effects the rule leaves out"
        return message, 'rules with command for what may run code, checks = true, or sandbox = "project"'
    example = ground.request(rule, ("x",))._replace(command=f"cp x {FILE}")
    if "write" in effects and not ground.placed and _decided(ground, rule, example).verdict is Verdict.ALLOW:
        message = f"allows writes anywhere, `cp x {FILE}` for one, because files.write is not set"
        return message, '[files] with write = ["**"], which is the project, and what else may be written'
    return None


def _by_words(ground: Ground, rule: Rule, words: tuple[str, ...]) -> Found | None:
    """What a rule allows that begins with these words and does not seem to."""
    row = find(base(words[0]))
    if row is None:
        return None
    rule = rule._replace(words=tuple((word,) for word in words))
    given = [Word(0, 0, word, word, single=True) for word in words]
    arguments = list(cut(given, row.syntax))
    last, start, *_ = levels_of(given, row)[-1]
    bare = all(each.option is not None and each.value is None for each in arguments)
    more = entry(rule, words)[:-1] + " {})"
    free = not (ground.held or rule.sandbox != "off")  # else what is started is held to the project, whatever it is
    if free and bare and "code" in row.traits and _allows(ground, rule, "x"):
        return f"allows any program that {words[0]} can run, also one in its arguments", entry(rule, (words[0], "FILE"))
    if bare and "system.root" in (row.kinds or ()):
        return "lets whatever else is allowed run as another user, root for one", more.format("PROGRAM")
    if free and last.starts is not None and last.starts.loose and (started := _started(ground, rule)):
        return f"allows whatever it starts: `{started}`", more.format("PROGRAM")
    if last.subcommands and start == len(words) and (grave := _grave(ground, rule, row, last)):
        message = f"allows every {' '.join(map(quote, words))} command, also {', '.join(grave[:MOST])}"
        return message, f"{more.format('SUBCOMMAND')} for each that may run, or effects beside the command"
    option = arguments[-1].option if arguments and arguments[-1].value is None else None
    if (
        free
        and option is not None
        and option.does == "runs"
        and option.value == "="
        and _allows(ground, rule, "x", "x")
    ):
        return f"allows any value of {words[-1]}, also one that names a program to run", more.format("VALUE")
    return None


def _grave(ground: Ground, rule: Rule, program: Program, row: Program) -> list[str]:
    """Longer commands that a rule allows and that do what nobody expects of the program, each with what that is."""
    name = " ".join(quote(each[0]) for each in rule.words or ())
    return [
        f"`{' '.join((name, *more))}` ({WORDS[kind]})"
        for kind, more in effect_examples(rule, program)
        if more[0] in row.subcommands and covers(GRAVE, kind) and _allows(ground, rule, *more)
    ]


def _started(ground: Ground, rule: Rule) -> str:
    """A command that a rule allows because its program starts it; empty where there is none."""
    words = [each[0] for each in rule.words or ()]
    for behind in BEHIND:
        decision = _decided(ground, rule, ground.request(rule, (*words, *behind)))
        inner = any(part.via and part.words == behind[-2:] for part in decision.parts)
        if inner and decision.verdict is Verdict.ALLOW:
            return " ".join(map(quote, (*words, *behind)))
    return ""


def _allows(ground: Ground, rule: Rule, *more: str) -> bool:
    """Whether a rule allows its words with more behind them, and nothing denies or asks about that."""
    words = [each[0] for each in rule.words or ()]
    return _decided(ground, rule, ground.request(rule, (*words, *more))).verdict is Verdict.ALLOW


def _decided(ground: Ground, rule: Rule, request: Request) -> Decision:
    """What a rule decides with all that denies or asks, wherever it holds."""
    return ground.with_strict(rule).decide(request)


def easily_missed(ground: Ground) -> Iterator[Flaw]:
    """Denies and asks that do not see the same command in another spelling, or by another name."""
    for each in ground.lasting:
        rule = each.rule
        if rule.verdict is Verdict.ALLOW:
            continue
        if text := "" if rule.exact else spelling_gap(rule):
            yield each.flaw("missed", text, better_entry(rule))
        elif rule.line is not None:
            message = "is about this text to the letter, and misses it with one more blank, path or option"
            yield each.flaw("missed", message, "command, which sees the words in any spelling")
        else:
            for words in firsts_of(rule):
                real = ground.machine.resolve  # `/bin` may be a link to `/usr/bin`
                own = real(words[0]) if "/" in words[0] else ""
                others = [other for other in _other_names(words) if not own or real(other[0]) != own]
                others = [other for other in others if _is_missed(ground, rule, other)]
                if others:
                    shown = ", ".join(f"`{' '.join(other)}`" for other in others[:3])
                    wanted = f"alternatives in command, or an entry for each: {entry(rule, others[0])}"
                    wanted = entry(rule, others[0]) if "/" in words[0] else wanted
                    yield each.flaw("missed", f"misses the same by another name: {shown}", wanted)
                    break


def _is_missed(ground: Ground, rule: Rule, words: tuple[str, ...]) -> bool:
    """Whether no rule that denies, or asks, says anything of a command."""
    decision = ground.against.decide(ground.request(rule, words))
    return {reason.code for reason in decision.reasons}.isdisjoint({"denied_by_rule", "ask_by_rule", "dynamic"})


def _other_names(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The same command by other names of its program or its subcommand."""
    name, row = words[0], find(base(words[0]))
    directory, slash, short = name.rpartition("/")
    if slash and directory in SYSTEM:
        yield (f"{'/bin' if directory != '/bin' else '/usr/bin'}/{short}", *words[1:])
    for twins in TWINS:
        if short in twins:
            yield from ((other, *words[1:]) for other in sorted(twins - {short}))
    if row is None or "synonyms" not in row.traits or len(words) < 2 or words[1] not in row.subcommands:
        return
    below = row.subcommands[words[1]]
    if below.name != "run":
        others = [below.name, *below.aliases]
        yield from ((name, other, *words[2:]) for other in others if other != words[1])
