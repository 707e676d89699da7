"""How questions and answers look on a terminal; the only home of rich.

A question becomes rows of text, which `render` puts into a panel with the keys below it. What cannot fit is paged and
never shortened. Colours only repeat words. They are the terminal's own sixteen, so that light and dark backgrounds
both work, and are all left out where a terminal cannot or shall not show them. Whatever comes from outside passes
`visible` first.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from asimi.call import Verdict
from asimi.dialog import LIFETIMES, MEANINGS, Choice, Dialog, Drawing, Look, choices
from asimi.errors import AsimiError
from asimi.lines import line_of
from asimi.programs.options import PRELUDES
from asimi.programs.purposes import SUBCOMMANDED
from asimi.risk import risk_of
from asimi.tuples import NamedTuple
from asimi.visible import findings, pieces, right_to_left, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.text import Text

    from asimi.call import Approval, Decision, Offer, Question, Reason, Span
    from asimi.rules import Rule

STYLES = {
    "asks": "bold", "ASK": "bold red", "allowed": "green", "name": "bold red", "harmless": "cyan", "program": "bold",
    "quoted": "green", "operator": "magenta", "expansion": "magenta", "quiet": "dim", "label": "bold",
    "risk": "bold red", "border": "cyan", "title": "bold",
}  # fmt: skip
"""What is emphasised, and how; each repeats what the words or the marks say."""

ROOMY = 60
"""Columns from which on there is room for verdicts beside the command and for whole sentences below it."""

MOST_REASONS = 8
"""Reasons that are shown; the rest are counted."""

SHORT_DESCRIPTION = 6
"""Rows of the agent's words that stand above the command; the rest stands at the end."""


def render(dialog: Dialog, look: Look) -> Drawing:
    """A dialog as lines for a terminal; never wider than it, and no higher if that is possible at all."""
    rows, needed = _body(dialog.question, dialog.step, dialog.added, dialog.lifetime, look._replace(height=0))
    keys = _legend(choices(dialog._replace(complete=True, pages=len(rows) >= look.height // 2)), look)
    fixed = len(keys) + (1 if look.plain else 3)  # the keys, the last line, the frame
    room = look.height - fixed - len(_notes(dialog._replace(complete=True), look))
    if len(rows) > room:
        room = look.height - fixed - max(len(_notes(dialog, look)), len(_notes(dialog._replace(ready=True), look)))
    room = max(1, room)
    top = max(0, min(dialog.top, len(rows) - room))
    bottom = min(len(rows), top + room)
    drawn = Drawing((), len(rows), needed, top, bottom)
    dialog = dialog.shown(drawn)
    shown = list(rows[top:bottom])
    footer = [*_notes(dialog, look), *(_legend(choices(dialog), look) if dialog.ready else [])]
    if look.plain:
        return drawn._replace(lines=(*_written(shown, look), *footer, prompt(dialog, look)))
    where = f"rows {top + 1} to {bottom} of {len(rows)}" if len(rows) > bottom - top else ""
    footer += [""] * (len(keys) - len(footer)) if not dialog.ready else []
    return drawn._replace(lines=(*_boxed(shown, dialog, where, look), *footer, prompt(dialog, look)))


def prompt(dialog: Dialog, look: Look) -> str:
    """The last line, which tells how much time is left."""
    left = f"{dialog.left // 60}:{dialog.left % 60:02}"
    if look.plain:
        return "Answer: "
    if not dialog.ready:
        return " One moment..."
    if look.width >= ROOMY:
        return f" Enter does nothing. No answer in {left}: denied. > "
    return f" Enter does nothing. {left} > "


def farewell(question: Question, approval: Approval, look: Look) -> str:
    """One line that stays on the terminal when the dialog is gone; as much of the command as fits."""
    if approval.edited is not None:
        return ""
    kept = {"once": "once", "session": "for this session", "always": "always"}[approval.scope]
    word = f"allowed {kept}" if approval.yes else "no answer, denied" if approval.by == "clock" else "denied"
    line = f"asimi: {word}: {visible(line_of(question.request), ascii_only=not look.unicode)}"
    return line if _cells(line) < look.width else _cut(line, look.width - 4) + "..."


# ---- the frame ---------------------------------------------------------------------------------------------------


def _boxed(rows: Sequence[Text], dialog: Dialog, where: str, look: Look) -> list[str]:
    from rich.box import ASCII, ROUNDED
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    title, agent = _title(dialog, look), _agent(dialog.question, look)
    line = "─" if look.unicode else "-"
    fill = look.width - 6 - _cells(title) - _cells(agent)
    if agent and fill >= 3:
        title = f"{title} {line * (fill - 2)} {agent}"
    panel = Panel(
        Group(*rows),
        box=ROUNDED if look.unicode else ASCII,
        title=Text(title, STYLES["title"]),
        title_align="left",
        subtitle=Text(where) if where else None,
        subtitle_align="right",
        border_style=STYLES["border"],
        width=look.width,
    )
    return _written([panel], look)


def _written(things: Sequence[object], look: Look) -> list[str]:
    """Rich's things as lines."""
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    console = Console(
        file=out,
        width=look.width,
        height=100,
        force_terminal=look.colour,
        color_system="standard" if look.colour else None,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        _environ={},
    )
    for thing in things:
        console.print(thing, crop=True)
    return [line.rstrip(" ") for line in out.getvalue().split("\n")[:-1]]


def _title(dialog: Dialog, look: Look) -> str:
    what = "command" if dialog.question.request.arguments is None else "program"
    titles = {
        "ask": f"asimi: run this {what}?" if look.width >= ROOMY else "asimi: run this?",
        "session": "asimi: allow for this session?" if look.width >= ROOMY else "asimi: for this session?",
        "always": "asimi: allow always?",
        "help": "asimi: what the keys do",
    }
    return titles[dialog.step]


def _agent(question: Question, look: Look) -> str:
    """Who asks, and which of its calls it is."""
    request = question.request
    call = "" if request.id is None else f"call {request.id}"
    return visible(", ".join(filter(None, (request.agent, call))), ascii_only=not look.unicode)


def _legend(keys: Sequence[Choice], look: Look) -> list[str]:
    """The keys and what they do, as many a line as fit."""
    roomy = look.width >= ROOMY
    if look.plain:
        words = ", ".join(choice.word for choice in keys)
        return _wrapped(f"Type one word and press Enter: {words}.", look.width - 1)
    lines = [""]
    numbers = [choice.key for choice in keys if choice.key.isdigit()]
    keys = [choice for choice in keys if choice.key not in numbers]
    if numbers:
        span = numbers[0] if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        keys.insert(0, Choice(span, span, f"allow {'that one' if len(numbers) > 1 else 'this'}", "allow it"))
    for choice in keys:
        name = "Esc" if choice.key == "escape" else choice.key
        item = f" [{name}] {choice.label if roomy else choice.short}"
        gap = "   " if roomy and lines[-1] else ""
        if lines[-1] and len(lines[-1]) + len(gap) + len(item) > look.width - 1:
            lines.append("")
            gap = ""
        lines[-1] += gap + item
    return lines


def _notes(dialog: Dialog, look: Look) -> list[str]:
    """What must be said about the last key, or about what is still missing."""
    message = visible(dialog.message, ascii_only=not look.unicode)
    if not message and dialog.ready and not dialog.complete and dialog.step != "help":
        how = "type more" if look.plain else "press v"
        message = f"It can be allowed once all of it was shown: {how}."
    return [f" {line}" for line in _wrapped(message, look.width - 2)] if message else []


# ---- the rows ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _body(
    question: Question, step: str, added: tuple[Offer, ...], lifetime: int, look: Look
) -> tuple[tuple[Text, ...], int]:
    """All rows of a step, none wider than fits, and how many must be seen before anything can be allowed."""
    width = look.width - (1 if look.plain else 4)
    if step == "ask":
        rows = (_plain_rows if look.plain else _question_rows)(question, width, look)
        rest = _more_description(question.request.description, width, look)
        return (*rows, *rest), len(rows)
    if step == "help":
        rows = _help_rows(width, look)
    else:
        rows = _offer_rows(Dialog(question, step, added=added, lifetime=lifetime), width, look)
    return tuple(rows), len(rows)


def _question_rows(question: Question, width: int, look: Look) -> list[Text]:
    request, decision = question.request, question.decision
    text, ascii_only = line_of(request), not look.unicode
    rows = [*_description_rows(request.description, width, look), *_texts("")]
    rows += [*_command_rows(text, request.arguments is None, decision, width, look), *_texts("")]
    agent = _agent(question, look)
    if agent and look.width - 6 - _cells(_title(Dialog(question), look)) - _cells(agent) < 3:
        rows += _labelled("From", agent, width)
    rows += _labelled("In", _directory(question, ascii_only=ascii_only, brief=width < ROOMY - 4), width)
    for place, why in enumerate(_reasons(decision, ascii_only=ascii_only)):
        rows += _labelled("" if place else "Why", why, width)
    risk = risk_of(decision)
    words = visible("; ".join(risk.words), ascii_only=ascii_only)
    rows += _labelled("Risk", f"{risk.level.upper()}: {words}", width, "risk" if risk.high else "")
    for warning in _warnings(question, ascii_only=ascii_only):
        rows += _labelled("!", warning, width, "name")
    return rows


def _plain_rows(question: Question, width: int, look: Look) -> list[Text]:
    """The same in sentences, in the order they are read aloud."""
    request, decision = question.request, question.decision
    text, ascii_only = line_of(request), not look.unicode
    lines = ["asimi asks: run this command?"]
    if agent := _agent(question, look):
        lines.append(f"From: {agent}.")
    described = _wrapped(visible(request.description, ascii_only=ascii_only) or "none given", width)
    more = " (the rest is at the end)" if len(described) > SHORT_DESCRIPTION else ""
    lines.append(f"Description, from the agent: {' '.join(described[:SHORT_DESCRIPTION])}{more}")
    parts = _Marks(text, decision)
    lines.append(f"Command, {len(parts.breaks)} parts." if len(parts.breaks) > 1 else "Command:")
    number = 0
    for line in _command_lines(text, look, parts, width=1 << 30, fold=False):
        if line.starts in parts.breaks or not number:
            number += 1
        label = {"ASK": "needs your answer", "allowed": "allowed", "": "goes on"}[line.label]
        lines.append(f"Part {number}, {label}: {''.join(atom.text for atom in line.atoms)}")
    lines.append(f"Directory: {_directory(question, ascii_only=ascii_only)}")
    lines += [f"Reason: {why}" for why in _reasons(decision, ascii_only=ascii_only)]
    risk = risk_of(decision)
    words = visible("; ".join(risk.words), ascii_only=ascii_only)
    lines.append(f"Risk: {risk.level}. {words[:1].upper()}{words[1:]}.")
    lines += [f"Warning: {warning}." for warning in _warnings(question, ascii_only=ascii_only)]
    return _texts(*(row for line in lines for row in _wrapped(line, width)))


def _description_rows(description: str, width: int, look: Look) -> list[Text]:
    """The agent's words, marked as such; of many the first, so that they keep the command in sight."""
    whose = "(the agent's words)"
    shown = visible(description, ascii_only=not look.unicode)
    if not shown:
        return _texts("(no description given)", style="quiet")
    rows = _wrapped(shown, width)
    if len(rows) > SHORT_DESCRIPTION:
        rows = rows[:SHORT_DESCRIPTION]
        whose = "(the agent's words; the rest is at the end)" if width >= ROOMY else "(more at the end)"
    if _cells(rows[-1]) + 2 + len(whose) > width:
        rows.append("")
    rows[-1] += " " * (width - _cells(rows[-1]) - len(whose)) + whose
    return _texts(*rows)


def _more_description(description: str, width: int, look: Look) -> list[Text]:
    """What is left of the agent's words; to be read by whoever wants to, for it is the command that counts."""
    rows = _wrapped(visible(description, ascii_only=not look.unicode), width)[SHORT_DESCRIPTION:]
    return _texts("", *_wrapped("The rest of the agent's words:", width), *rows) if rows else []


def _offer_rows(dialog: Dialog, width: int, look: Look) -> list[Text]:
    """What could be stored, each rule in full."""
    ascii_only = not look.unicode
    where = "" if dialog.step == "session" else " (written to your configuration)"
    lasting = LIFETIMES[dialog.step][dialog.lifetime].words
    rows = _texts(*_wrapped(f"Allow {lasting}{where}:", width))
    for number, offer in enumerate(dialog.offers, 1):
        label = "" if look.plain else "  "
        rows += _texts("", *_wrapped(f"[{number}] {visible(offer.label, ascii_only=ascii_only)}", width), style="label")
        for rule in offer.rules:
            rows += _texts(*_indented(_rule_words(rule, ascii_only=ascii_only), width, label + "    "))
    return rows


def _rule_words(rule: Rule, *, ascii_only: bool) -> list[str]:
    """Everything a rule says, line by line."""
    exact = rule.line is not None
    text = rule.line if rule.line is not None else rule.entry
    lines = ["only this text, to the letter:"] if exact else []
    shown = visible(text, prose=False, ascii_only=ascii_only).split("\n")
    if not exact and rule.words is not None:
        shown[-1] += "  and any arguments" if rule.words else "  that is every command"
    lines += [f"  {line}" if exact else line for line in shown]
    if rule.options_any:
        lines.append(visible(f"only with one of: {' '.join(rule.options_any)}", ascii_only=ascii_only))
    if rule.directory is not None:
        below = " and below" if rule.below else ""
        lines.append(visible(f"only in {_short(rule.directory)}{below}", ascii_only=ascii_only))
    if exact and rule.tool:
        lines.append(f"only for {visible(rule.tool, ascii_only=ascii_only)}")
    return lines


def _help_rows(width: int, look: Look) -> list[Text]:
    rows: list[Text] = []
    for choice, meaning in MEANINGS:
        name = choice.word if look.plain else choice.key
        rows += _labelled(name, meaning, width)
    more = "Enter alone is no answer. Ctrl-C is a no and ends asimi. What was typed or pasted before is not heard."
    return [*rows, *_texts("", *_wrapped(more, width))]


# ---- the command -------------------------------------------------------------------------------------------------


class _Atom(NamedTuple):
    """What is never broken over two rows: a character with its marks, or a name in brackets."""

    text: str
    at: int
    style: str
    indent: bool = False


class _Line(NamedTuple):
    """One row of the command: its atoms, the place it starts at, and what stands beside it."""

    atoms: list[_Atom]
    starts: int
    number: int
    asks: bool
    label: str


class _Marks:
    """Which characters caused the question, and where parts begin."""

    def __init__(self, text: str, decision: Decision) -> None:
        asking = [part.span for part in decision.parts if part.verdict is not Verdict.ALLOW]
        asking += [reason.span for reason in decision.reasons if reason.span and not _allows(reason)]
        asking = asking or [(0, len(text))]
        self.asks = bytearray(len(text) + 1)
        for start, end in asking:
            self.asks[start:end] = b"\1" * (min(end, len(text)) - start)
        self.asking = {start for start, _ in asking}
        self.breaks = [start for start, _ in _outermost([part.span for part in decision.parts])]
        self.allowed = {part.span[0] for part in decision.parts if part.verdict is Verdict.ALLOW}


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """The spans that are in no other, in order."""
    found: list[Span] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def _command_rows(text: str, is_shell: bool, decision: Decision, width: int, look: Look) -> list[Text]:  # noqa: FBT001
    """The whole command: each part on a row of its own, what caused the question marked."""
    from rich.text import Text

    marks = _Marks(text, decision)
    numbers = len(str(text.count("\n") + 1)) + 1 if "\n" in text else 0
    column = 9 if look.width >= ROOMY else 0
    room = width - 2 - numbers - column
    styles = _syntax(text) if is_shell else {}
    rows = []
    for line in _command_lines(text, look, marks, room, styles=styles):
        row = Text(no_wrap=True, overflow="crop").append("> " if line.asks else "  ", STYLES["ASK"])
        if numbers:
            row.append(f"{line.number:>{numbers - 1}} " if line.number else " " * numbers, STYLES["quiet"])
        for atom in line.atoms:
            row.append(atom.text, atom.style)
        if column and line.label:
            row.append(" " * (width - row.cell_len - len(line.label)))
            row.append(line.label, STYLES[line.label])
        rows.append(row)
    return rows


def _command_lines(
    text: str, look: Look, marks: _Marks, width: int, *, fold: bool = True, styles: dict[int, str] | None = None
) -> list[_Line]:
    """The command cut at its own line ends, where its parts begin and, if need be, where a row is full."""
    breaks, lines, row = set(marks.breaks), list[_Line](), list[_Atom]()
    number, room = 1, width

    def close() -> None:
        nonlocal row, number
        first = row[0].at if row else -1
        covered = {atom.at for atom in row}
        asks = any(marks.asks[place] for place in covered)
        label = "ASK" if covered & marks.asking else "allowed" if covered & marks.allowed and not asks else ""
        lines.append(_Line(row, first, number, asks, label))
        row, number = [], 0

    line_number, used = 1, 0
    for atom in _atoms(text, look, marks, styles or {}):
        if atom.text == "\n":
            close()
            line_number += 1
            number, used, room = line_number, 0, width
            continue
        if atom.at in breaks and any(earlier.text != " " for earlier in row):
            close()
            used, room = 0, width
        cells = _cells(atom.text)
        if fold and used + cells > room and row:
            rest = _after_space(row)
            row, carried = row[: len(row) - rest], row[len(row) - rest :]
            close()
            indent = _Atom("    ", carried[0].at if carried else atom.at, "", indent=True) if width > 30 else None
            row = [*([indent] if indent else []), *carried]
            used = sum(_cells(part.text) for part in row)
        if fold and cells > width:
            for start in range(0, len(atom.text), width):
                row.append(atom._replace(text=atom.text[start : start + width]))
                if start + width < len(atom.text):
                    close()
            used = _cells(row[-1].text)
            continue
        row.append(atom)
        used += cells
    close()
    return lines


def _after_space(row: list[_Atom]) -> int:
    """How many atoms at the end of a full row begin a new one: the last word, unless it is a long one."""
    for count in range(min(len(row) // 3, 24)):
        if row[len(row) - 1 - count].text == " ":
            return count
    return 0


def _atoms(text: str, look: Look, marks: _Marks, styles: dict[int, str]) -> Iterable[_Atom]:
    for piece in pieces(text, ascii_only=not look.unicode):
        if piece.name:
            yield _Atom(piece.text, piece.start, STYLES["harmless" if piece.kind == "plain" else "name"])
            continue
        for at, character in enumerate(piece.text, piece.start):
            style = styles.get(at, "")
            if marks.asks[at] and "bold" not in style:
                style = f"{style} {STYLES['asks']}".strip()
            yield _Atom(character, at, style)


def _syntax(text: str) -> dict[int, str]:
    """The colours of shell text, by place; none where it cannot be read."""
    from asimi.syntax import parse

    try:
        script = parse(text)
    except AsimiError:
        return {}
    styles: dict[int, str] = {}

    def paint(start: int, end: int, style: str) -> None:
        styles.update(dict.fromkeys(range(start, end), STYLES[style]))

    for command in script.commands:
        for place, word in enumerate(command.words):
            if not place:
                paint(word.start, word.end, "program")
            elif text[word.start : word.start + 1] in {"'", '"'}:
                paint(word.start, word.end, "quoted")
    for redirection in script.redirections:
        paint(redirection.start, redirection.target.start, "operator")
    for expansion in script.expansions:
        paint(expansion.start, expansion.end, "expansion")
    return styles


# ---- the words ---------------------------------------------------------------------------------------------------


def _directory(question: Question, *, ascii_only: bool, brief: bool = False) -> str:
    place = question.request.place
    if brief and place.inside:
        return visible(_short(place.path), ascii_only=ascii_only)
    project = f"project {_short(place.root)}" if place.inside else f"OUTSIDE the project {_short(place.root)}"
    return visible(f"{_short(place.path)}  ({project})", ascii_only=ascii_only)


def _reasons(decision: Decision, *, ascii_only: bool) -> list[str]:
    """Why it is asked: each reason with the entry and the line of the file it comes from; the unlisted in one."""
    parts = {part.span: part for part in decision.parts}
    unlisted = [parts[reason.span] for reason in decision.reasons if reason.code == "unlisted" and reason.span in parts]
    phrases = []
    if len(unlisted) > 1:
        names = list(dict.fromkeys(_program(part.words) for part in unlisted))
        more = f" and {len(names) - MOST_REASONS} more" if len(names) > MOST_REASONS else ""
        many = "are" if len(names) > 1 else "is"
        phrases.append(f"{', '.join(names[:MOST_REASONS])}{more} {many} not on coreTools")
    for reason in decision.reasons:
        together = len(unlisted) > 1 and reason.code == "unlisted" and reason.span in parts
        if not together and not _allows(reason):
            details = [text for text in (reason.rule, reason.source) if text and text not in reason.message]
            more = f" ({', '.join(map(_short, details))})" if details else ""
            phrases.append(f"{reason.message.rstrip('.')}{more}")
    phrases = [visible(phrase, ascii_only=ascii_only) for phrase in dict.fromkeys(phrases)]
    rest = len(phrases) - MOST_REASONS
    return phrases[:MOST_REASONS] + ([f"and {rest} more reasons"] if rest > 0 else [])


def _program(words: Sequence[str | None]) -> str:
    """The program, with the subcommand if it has such: `git log`."""
    name = words[0] or "something that only bash can know"
    second = words[1] if len(words) > 1 and name in (*PRELUDES, *SUBCOMMANDED) else None
    return name if second is None or second.startswith("-") else f"{name} {second}"


def _allows(reason: Reason) -> bool:
    return reason.code.startswith("allowed_")


def _warnings(question: Question, *, ascii_only: bool) -> list[str]:
    """What a person would not see or would mistake, in words."""
    request = question.request
    text = line_of(request)
    description = pieces(request.description, prose=True, ascii_only=ascii_only)
    found = findings([*pieces(text, ascii_only=ascii_only), *description])
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


def _short(path: str) -> str:
    """A path with the home directory as `~`."""
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if len(home) > 1 and (path + "/").startswith(home + "/") else path


# ---- rows of plain text ------------------------------------------------------------------------------------------


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _cut(text: str, width: int) -> str:
    """As much of the beginning as fits."""
    from rich.cells import chop_cells

    return chop_cells(text, max(1, width))[0]


def _texts(*lines: str, style: str = "") -> list[Text]:
    from rich.text import Text

    return [Text(line, STYLES.get(style, ""), no_wrap=True, overflow="crop") for line in lines]


def _labelled(label: str, text: str, width: int, style: str = "") -> list[Text]:
    """Text beside a label, the rows after the first below its beginning."""
    from rich.text import Text

    indent = 7 if width >= ROOMY - 4 else 5
    rows = []
    for place, line in enumerate(_wrapped(text, width - indent)):
        row = Text(no_wrap=True, overflow="crop").append(f"{'' if place else label:<{indent}}", STYLES["label"])
        rows.append(row.append(line, STYLES.get(style)))
    return rows


def _indented(lines: Iterable[str], width: int, indent: str) -> list[str]:
    return [indent + row for line in lines for row in _wrapped(line, width - len(indent))]


def _wrapped(text: str, width: int) -> list[str]:
    """Text as rows of at most some cells, broken after spaces where that is possible; nothing is left out."""
    rows, row, used = [], "", 0
    for word in _words(text):
        cells = _cells(word)
        if used + len(word.rstrip(" ")) and used + _cells(word.rstrip(" ")) > width and row:
            rows.append(row.rstrip(" "))
            row, used = "", 0
        while cells > width and _cells(word.rstrip(" ")) > width:
            head = _cut(word, width)
            rows.append(head)
            word = word[len(head) :]  # noqa: PLW2901 - what is left of a word too long for a row
            cells = _cells(word)
        row, used = row + word, used + cells
    return [*rows, row.rstrip(" ")]


def _words(text: str) -> list[str]:
    """The words, each with the spaces behind it."""
    import re

    return re.findall(r"[^ ]* +|[^ ]+$", text)
