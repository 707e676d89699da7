"""The words of a question: title, directory, reasons, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.judging.rules import REACH
from asimi.core.programs import find
from asimi.core.syntax import line_of
from asimi.core.wording.effects import describe_deed, holds, weighs
from asimi.core.wording.visible import hidden_characters, pieces, right_to_left, visible
from asimi.core.wording.weight import deed_weight, word_of
from asimi.world.host.terminal import ROOMY, short_path, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.call import Decision, Deed, Question, Reason
    from asimi.core.wording.dialog import Dialog
    from asimi.core.wording.visible import Display

MOST_REASONS = 8
"""Reasons that are shown with a question; the rest are counted."""

MOST_DEEDS = 8
"""Lines that say with a question what its commands do; the rest are counted."""

NOT_ALLOWED = ", and no rule allows that"
"""How a reason ends that says what a command does."""

NAMED = 24
"""Columns of a command before what it does."""


def title_of(dialog: Dialog, look: Display) -> str:
    """Return the title of the frame."""
    what = asked_of(dialog.question)
    brief = what if dialog.question.request.tool == REACH or dialog.question.request.file is not None else "run this"
    if not dialog.question.changeable:
        what, brief = "allow it the next time", "allow it next time"
    ask = f"asimi: {what if look.width >= ROOMY else brief}?"
    if word_of(dialog.question):
        ask = f"asimi: nothing brings it back: {brief}?" if look.width >= ROOMY else f"asimi: no way back: {brief}?"
    titles = {
        "ask": "asimi: this question has ended" if dialog.ended else ask,
        "session": "asimi: allow for this session?" if look.width >= ROOMY else "asimi: for this session?",
        "task": "asimi: widen the task?",
        "always": "asimi: allow always?",
        "never": f"asimi: never {'reach' if dialog.question.request.tool == REACH else 'run'} it?",
        "why": "asimi: why it asks",
        "help": "asimi: what the keys do",
    }
    return titles[dialog.step]


def asked_of(question: Question) -> str:
    """What is asked about, as what asimi would do."""
    if question.request.tool == REACH:
        return "reach this name"
    if question.request.file is not None:
        return "let the agent do this"
    return "run this command" if question.request.arguments is None else "run this program"


def agent_of(question: Question, look: Display) -> str:
    """Return who asks on another machine, the agent, and its name for the call."""
    request = question.request
    call = "" if request.id is None else f"call {request.id}"
    return visible(", ".join(filter(None, (question.origin, request.agent, call))), ascii_only=not look.unicode)


def directory_of(question: Question, *, ascii_only: bool, brief: bool = False) -> str:
    """Return where it would run, and whether that is in the project."""
    place = question.request.place
    path, root = shown_at(place.path, place.host), shown_at(place.root, place.host)
    if brief and place.inside:
        return visible(path, ascii_only=ascii_only)
    project = f"project {root}" if place.inside else f"OUTSIDE the project {root}"
    return visible(f"{path}  ({project})", ascii_only=ascii_only)


def shown_at(path: str, host: str) -> str:
    """Return a path as people read it: behind the name of its host, which has a home of its own."""
    return f"{host}:{path}" if host else short_path(path)


def reasons_of(
    decision: Decision, *, ascii_only: bool, most: int = MOST_REASONS, root: str = "", told: bool = False
) -> list[str]:
    """Return why asimi asks: each reason with its entry and the file and line that is in; the unlisted commands in one.

    Args:
        decision: what was decided.
        ascii_only: whether all else is named.
        most: how many reasons, and how many programs in one, are shown; the rest are counted.
        root: the project, below which files are named from there.
        told: whether what the commands do is said besides, so that a reason need not say it; then a place that
            several reasons are from is named once.
    """
    parts = {part.span: part for part in decision.parts}
    unlisted = [parts[reason.span] for reason in decision.reasons if reason.code == "unlisted" and reason.span in parts]
    phrases = []
    names = list(dict.fromkeys(_program(part.words) for part in unlisted))
    counted = f" and {len(names) - most} more" if len(names) > most else ""
    cited: set[str] = set()
    for reason in decision.reasons:
        if told and len(unlisted) == 1 and reason.message.endswith(NOT_ALLOWED) and reason.span in parts:
            phrases.append(f"no rule allows what {names[0]} does{_citation([reason.source], cited, root)}")
        elif len(unlisted) > 1 and reason.code == "unlisted" and reason.span in parts:
            phrases.append(f"no rule allows {', '.join(names[:most])}{counted}")
        elif not allows(reason):
            details = [text for text in (reason.rule, reason.source) if text and text not in reason.message]
            more = _citation(details, cited, root)
            phrases.append(f"{reason.message.partition(chr(10))[0].rstrip('.')}{more}")
    phrases = [visible(phrase, ascii_only=ascii_only) for phrase in dict.fromkeys(phrases)]
    rest = len(phrases) - most
    return phrases[:most] + ([f"and {rest} more reasons"] if rest > 0 else [])


def _citation(details: Sequence[str | None], cited: set[str], root: str) -> str:
    """Return where something is written, each place once in all reasons; relative in the project."""
    new = [text for text in details if text and text not in cited]
    cited.update(new if root else ())
    named = [text.removeprefix(f"{root}/") if root else short_path(text) for text in new]
    return f" ({', '.join(map(short_path, named))})" if named else ""


def details_of(decision: Decision, *, ascii_only: bool) -> list[str]:
    """Return the lines behind the first of a reason's message: how what a check runs was changed."""
    lines = [line for reason in decision.reasons if not allows(reason) for line in reason.message.split("\n")[1:]]
    return [visible(line, prose=False, ascii_only=ascii_only) for line in lines]


def deeds_of(question: Question, *, ascii_only: bool, most: int = MOST_DEEDS) -> list[tuple[str, bool]]:
    """Return what the commands do, in a line for all that do the same, and whether that deserves a second look.

    Args:
        question: what is asked.
        ascii_only: whether all else is named.
        most: how many lines there are at most, those that deserve it before the others; the rest are counted.
    """
    groups: dict[str, list[Deed]] = {}
    for deed in question.deeds:
        if said := describe_deed(deed):
            groups.setdefault(said, []).append(deed)
    groups = dict(sorted(groups.items(), key=lambda each: -deed_weight(each[1][0])))
    lines = []
    for said, deeds in list(groups.items())[:most]:
        names = list(dict.fromkeys(shorten(deed.command, NAMED) for deed in deeds))
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        named = f"{', '.join(names[:3])}{more}: {said}" if len(question.deeds) > 1 else said
        lines.append((visible(named, ascii_only=ascii_only), weighs(deeds[0])))
    if len(groups) > most:
        lines.append((f"and {len(groups) - most} more", False))
    if question.deeds and not lines:
        lines.append(("nothing that asimi knows to change or send anything", False))
    return lines


def holding_of(question: Question, *, ascii_only: bool) -> str:
    """Return what holds the command whatever its text says; where nothing does, what follows from that."""
    return visible(holds(question), ascii_only=ascii_only)


def _program(words: Sequence[str | None]) -> str:
    """Return the program, with the subcommand if it has such: `git log`."""
    name = words[0] or "something that only bash can know"
    row = find(name)
    second = words[1] if len(words) > 1 and row is not None and row.names_by else None
    return name if second is None or second.startswith("-") else f"{name} {second}"


def allows(reason: Reason) -> bool:
    """Whether a reason speaks for a command and so is not one to ask."""
    return reason.code.startswith("allowed_")


def warnings_of(question: Question, *, ascii_only: bool) -> list[str]:
    """Warnings about everything a person could not see or would misread."""
    request = question.request
    text = line_of(request)
    description = pieces(request.description, prose=True, ascii_only=ascii_only)
    found = hidden_characters([*pieces(text, ascii_only=ascii_only), *description])
    warnings = []
    for kind, one, many in (
        ("hidden", "hidden character is", "hidden characters are"),
        ("space", "odd space is", "odd spaces are"),
        ("lookalike", "character that imitates another is", "characters that imitate others are"),
        ("padding", "long blank is", "long blanks are"),
    ):
        names = [f"<{finding.name}>" for finding in found if finding.kind == kind]
        count = sum(finding.count for finding in found if finding.kind == kind)
        if names:
            more = f" and {len(names) - 4} more names" if len(names) > 4 else ""
            warnings.append(f"{count} {one if count == 1 else many} shown as {', '.join(names[:4])}{more}")
    if right_to_left(text):
        warnings.append("has right-to-left letters: your terminal may show them in another order")
    return warnings
