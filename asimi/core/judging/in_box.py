"""The verdict where a box around the agent holds all that it starts (`asimi wrap`).

A box limits where a text writes, what it reads and what it reaches, whatever it starts. So it allows what would be
asked about only because nothing lists it, or because asimi does not understand it. It changes nothing for a person's
rules, secrets, the floor, asimi's own files and deletes. What needs something that a box does not have is asked about
under a code of its own, even if a rule allows it: in there it would only fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Decision, Reason, Verdict
from asimi.core.judging import git_in_box
from asimi.core.judging.collect import abbreviate
from asimi.core.judging.widths import kind_of
from asimi.core.programs.effects import broad
from asimi.core.wording.effects import does_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from asimi.core.judging.collect import CommandVerdict, Facts
    from asimi.core.reading import Command, Reading

HELD, UNBOXED = "held", "unboxed"
"""The codes: a box holds it; it needs what a box does not have."""

ANSWERED = frozenset("unlisted escape code dynamic assignment rebinding redirection outside substitution".split())
"""The codes that a box answers, if nothing else is asked."""

ELSEWHERE = frozenset(
    "network.remote system.account system.container system.disk system.later system.network system.power system.root "
    "system.service".split()
)
"""Kinds of effects that a box prevents: on other machines, and on this one outside of the box."""

INSIDE = frozenset({"system.install", "system.process"})
"""Kinds of `system` that stay inside: packages of the project, and processes, since a box shows only its own."""


CONFIGURES = {
    "branch": frozenset({"move", "copy", "M", "C"}),
    "submodule": frozenset({"init", "sync", "set-branch", "absorbgitdirs"}),
    "sparse-checkout": frozenset({"set", "init", "disable", "reapply"}),
}
"""Subcommands of git that write its configuration, where one of these options or words is given."""

SIGNS = frozenset({"gpg-sign", "sign", "local-user"})
"""Options of git by which it signs."""


def without_container_commands(reading: Reading) -> Reading:
    """A reading without the commands that a known container runs, for it holds them."""
    around = [each.span for each in reading.commands if "container" in map(kind_of, each.seen.aims)]
    if not around:
        return reading
    within = [each for each in reading.commands if any(a <= each.span[0] and each.span[1] <= b for a, b in around)]
    inner = {each for each in within if each.loose}
    return reading._replace(commands=tuple(each for each in reading.commands if each not in inner))


def unmet_needs(commands: Iterable[Command], more: Callable[[Command], str]) -> dict[Command, Reason]:
    """The commands that need something which a box does not have, each with the reason.

    Args:
        commands: what a text starts, and what its program texts call.
        more: what the machine says of what a command needs, in words.
    """
    found = [(each, words) for each in commands if (words := lacks(each) or more(each))]
    return {command: Reason(UNBOXED, f"`{abbreviate(command)}` {words}", command.span) for command, words in found}


def in_box(decision: Decision, commands: Sequence[CommandVerdict], facts: Facts) -> Decision:
    """The decision in a box on a text that needs nothing outside of it.

    Args:
        decision: the verdict on the text without a box.
        commands: what it starts, and what its program texts call.
        facts: what the rules say of the text, which says why the rest is allowed.
    """
    if decision.verdict is not Verdict.ASK:
        return decision
    asked = decision.reasons
    kept = [reason for reason in asked if reason.code not in ANSWERED]
    emptying = any(reason.code == "redirection" for reason in asked)
    lost = [each.command for each in commands if (each.open or emptying) and deletes(each.command)]
    lost = [each for each in lost if emptying or not (each.seen.boxed or each.seen.made)]
    back = {each: each.seen.kept or each.seen.noted for each in lost if not emptying}
    back = {each: losses for each, losses in back.items() if losses}
    undone = tuple(dict.fromkeys((*facts.recoverable_losses, *(loss for losses in back.values() for loss in losses))))
    lost = [each for each in lost if each not in back]
    spans = {command.span for command in lost}
    losing = [reason for reason in asked if reason.code in ANSWERED and reason.span in spans]
    if lost and not losing:
        losing = [reason for reason in asked if reason.code in ANSWERED]
    reasons = tuple(dict.fromkeys((*kept, *losing)))
    if not reasons:
        held = (Reason(HELD, f"{reason.message}; the box holds it", reason.span) for reason in asked)
        parts = tuple(part._replace(verdict=Verdict.ALLOW) for part in decision.parts)
        said = tuple(dict.fromkeys((*held, *facts.allow_reasons)))
        return Decision(
            Verdict.ALLOW,
            said,
            parts,
            decision.substitution,
            spends=decision.spends,
            sandbox=decision.sandbox,
            kept=undone,
        )
    spans |= {reason.span for reason in reasons if reason.span is not None}
    parts = tuple(
        part._replace(verdict=Verdict.ASK if part.span in spans else Verdict.ALLOW) for part in decision.parts
    )
    return decision._replace(verdict=Verdict.ASK, reasons=reasons, parts=parts)


def lacks(command: Command) -> str:
    """What a command needs that a box does not have, in words; empty where it needs no such thing.

    If only bash can know what the command does, everything counts that its row may do.
    """
    kinds = command.kinds
    found = _possible(command) if kinds is None else kinds
    if kinds == frozenset():
        return ""
    if "daemon" in command.traits:
        return "needs a daemon of this machine, which a box does not have"
    public = bool(command.levels) and "public" in command.levels[-1].row.traits
    if "login" in command.traits and not public and (kinds is None or "network" in broad(found)):
        return "needs the network with a login of yours, which a box does not have"
    if "versions" in command.traits and "network" in broad(found):
        return "needs a remote with a login of yours, which a box does not have"
    if "repository" in command.traits and (words := _of_git(command)):
        return words
    if "machine" in command.traits and (kinds is None or broad(found) - {"read", "network"}):
        return "changes the packages of this machine, which a box keeps as they are"
    away = {each for each in found if each in ELSEWHERE or each.partition(".")[0] == "publish"}
    if kinds is not None and not git_in_box.is_of_settings(command):
        away |= {each for each in kinds if each.partition(".")[0] == "system" and each not in INSIDE}
    return f"{does_all(away)}, which a box prevents" if away else ""


def _of_git(command: Command) -> str:
    """What git needs that a box does not have, in words: its configuration to write, or a key to sign with."""
    levels = command.levels[1:]  # `git -C` is no option of a subcommand
    given = {name.lstrip("-") for level in levels for each in level.arguments for name in each.names}
    if SIGNS & given:
        return git_in_box.SIGNS
    rows = [level.row.name for level in levels]
    named = {*given, *(word for word in command.literals if word is not None)}
    if any(CONFIGURES.get(row, frozenset()) & named for row in rows):
        return git_in_box.SETS
    return ""


def deletes(command: Command) -> bool:
    """Whether a command removes files or throws work away; an install in the project only replaces its own."""
    kinds = command.kinds
    if kinds is None:  # of a database whose texts are not known, but for one that it only reads
        kinds = _possible(command) if "-readonly" not in command.literals else frozenset()
    return any(each.partition(".")[0] == "delete" for each in kinds) and "system.install" not in kinds


def _possible(command: Command) -> frozenset[str]:
    """The kinds of effects that a command may have, when asimi does not know all of it."""
    rows: Iterable[frozenset[str]] = (level.row.may | (level.row.kinds or frozenset()) for level in command.levels[-1:])
    return frozenset[str]().union(*rows, *(each.option.kinds for each in command.arguments if each.option is not None))
