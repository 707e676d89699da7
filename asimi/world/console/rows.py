"""Each step of a dialog as rows of text, none wider than fits."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import REACH
from asimi.core.syntax import highlights, line_of, parse
from asimi.core.values import NamedTuple
from asimi.core.wording.breadth import breadth
from asimi.core.wording.dialog import (
    EDIT,
    LATER,
    LEAVE,
    LET,
    LIFETIMES,
    MEANINGS,
    PREVIOUS,
    REACHED,
    RUN,
    SKIP,
    WIDEN,
    Dialog,
    only_once,
)
from asimi.core.wording.visible import pieces, visible
from asimi.world.console.words import (
    agent_of,
    allows,
    asked_of,
    deeds_of,
    details_of,
    directory_of,
    holding_of,
    reasons_of,
    shown_at,
    title_of,
    warnings_of,
)
from asimi.world.host.terminal import ROOMY, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from asimi.core.call import Decision, Question, Request, Span
    from asimi.core.judging.rules import Rule
    from asimi.core.wording.dialog import Line
    from asimi.core.wording.visible import Display

SHORT_DESCRIPTION = 6
"""Rows of the agent's words above the command; the rest is at the end."""


class Body(NamedTuple):
    """All rows of a step, none wider than fits.

    Attributes:
        above: rows that must be seen: all but those of a question that come after its command.
        facts: where a question would run, why it is asked and what it does; they must be seen too.
        rest: rows that need not be seen.
        brief: the reason and what it does in one row each, for a screen without room for the facts.
    """

    above: tuple[Text, ...]
    facts: tuple[Text, ...] = ()
    rest: tuple[Text, ...] = ()
    brief: tuple[Text, ...] = ()


@lru_cache(maxsize=4)
def body(dialog: Dialog, look: Display) -> Body:
    """Return the rows of a step."""
    question, step = dialog.question, dialog.step
    width = look.width - (1 if look.plain else 4)
    if step == "ask":
        rest = tuple(_more_description(question.request.description, width, look))
        if look.plain:
            return Body((*_line_rows(dialog.line, width), *_plain_rows(question, width, look)), rest=rest)
        facts, brief = _facts(question, width, look)
        above = (*_line_rows(dialog.line, width), *_command_rows(question, width, look))
        return Body(above, tuple(facts), rest, tuple(brief))
    if step == "help":
        return Body(tuple(_help_rows(dialog, width, look)))
    if step == "why":
        reasons = reasons_of(question.decision, ascii_only=not look.unicode, most=sys.maxsize)
        does = deeds_of(question, ascii_only=not look.unicode, most=sys.maxsize)
        details = details_of(question.decision, ascii_only=not look.unicode)
        lines = [*(f"Reason: {why}" for why in reasons), *details, *(f"Does: {line}" for line, _ in does)]
        return Body(tuple(texts(*(row for line in lines for row in wrap(line, width)))))
    return Body(tuple(_offer_rows(dialog, width, look)))


def _line_rows(line: Line | None, width: int) -> list[Text]:
    """Return which question it is of those that a person goes through; one that a call waits for stands out."""
    if line is None or not line.at:
        return []
    mark = "WAITS: " if line.live else ""
    return texts(*wrap(visible(f"{line.at} of {line.of}  {mark}{line.words}"), width), style="asks" * line.live)


def _command_rows(question: Question, width: int, look: Display) -> list[Text]:
    """Return what the agent wants and says."""
    request = question.request
    described = _description_rows(request.description, width, look)
    if request.file is not None:
        told = f"{request.file.tool}, the agent's own tool, which does the same as:"
        described = texts(*wrap(visible(told, ascii_only=not look.unicode), width), style="quiet")
    command = command_rows(line_of(request), request.arguments is None, question.decision, width, look)
    return [*described, *texts(""), *command, *texts(""), *_change_rows(request, width, look)]


def _change_rows(request: Request, width: int, look: Display) -> list[Text]:
    """Return what an agent's own tool changes, as lines of a diff."""
    if request.file is None or not request.file.change:
        return []
    styles = {"+": "allowed", "-": "risk", "=": "label"}
    lines = request.file.change.split("\n")
    shown = [(line[:1], visible(line, prose=False, ascii_only=not look.unicode)) for line in lines]
    rows = [each for sign, line in shown for each in texts(*wrap(line, width), style=styles.get(sign, "quiet"))]
    return [*rows, *texts("")]


def _facts(question: Question, width: int, look: Display) -> tuple[list[Text], list[Text]]:
    """Return what asimi says about it, and the reason and what it does in one row each."""
    decision, ascii_only = question.decision, not look.unicode
    rows: list[Text] = []
    agent = agent_of(question, look)
    if agent and look.width - 6 - cells_of(title_of(Dialog(question), look)) - cells_of(agent) < 3:
        rows += label_rows("From", agent, width)
    rows += label_rows("In", directory_of(question, ascii_only=ascii_only, brief=width < ROOMY - 4), width)
    reasons = reasons_of(decision, ascii_only=ascii_only, root=question.request.place.root, told=bool(question.deeds))
    for index, why in enumerate(reasons):
        rows += label_rows("" if index else "Why", why, width)
    for line in details_of(decision, ascii_only=ascii_only):
        rows += label_rows("", line, width)
    if holds := only_once(question):
        rows += label_rows("", holds, width)
    deeds = deeds_of(question, ascii_only=ascii_only)
    for index, (line, weighty) in enumerate(deeds):
        rows += label_rows("" if index else "Does", line, width, "risk" if weighty else "")
    if held := holding_of(question, ascii_only=ascii_only):
        rows += label_rows("Held", held, width)
    for warning in warnings_of(question, ascii_only=ascii_only):
        rows += label_rows("!", warning, width, "name")
    return rows, [
        *label_rows("Why", "; ".join(reasons), width, one=True),
        *label_rows("Does", "; ".join(line for line, _ in deeds), width, one=True),
    ]


def _plain_rows(question: Question, width: int, look: Display) -> list[Text]:
    """Return the same in sentences, in the order they are read aloud: a long command is the last."""
    request, decision = question.request, question.decision
    text, ascii_only = line_of(request), not look.unicode
    lines = [f"asimi asks: {asked_of(question) if question.changeable else 'allow it the next time'}?"]
    if agent := agent_of(question, look):
        lines.append(f"From: {agent}.")
    described = wrap(visible(request.description, ascii_only=ascii_only) or "none given", width)
    if request.file is not None:
        lines.append(f"Tool, the agent's own: {visible(request.file.tool, ascii_only=ascii_only)}.")
    more = " (the rest is at the end)" if len(described) > SHORT_DESCRIPTION else ""
    lines.append(f"Description, from the agent: {' '.join(described[:SHORT_DESCRIPTION])}{more}")
    parts = Marks(text, decision)
    command = [f"Command, {len(parts.breaks)} parts." if len(parts.breaks) > 1 else "Command:"]
    number = 0
    for line in command_lines(text, look, parts, width=1 << 30, fold=False):
        if line.starts in parts.breaks or not number:
            number += 1
        label = {"ASK": "needs your answer", "allowed": "allowed", "": "goes on"}[line.label]
        command.append(f"Part {number}, {label}: {''.join(atom.text for atom in line.atoms)}")
    facts = [f"Directory: {directory_of(question, ascii_only=ascii_only)}"]
    facts += [f"Reason: {why}" for why in reasons_of(decision, ascii_only=ascii_only)]
    facts += details_of(decision, ascii_only=ascii_only)
    facts += [f"{holds}."] if (holds := only_once(question)) else []
    facts += [f"Does: {line}." for line, _ in deeds_of(question, ascii_only=ascii_only)]
    facts += [f"Held: {held}."] if (held := holding_of(question, ascii_only=ascii_only)) else []
    facts += [f"Warning: {warning}." for warning in warnings_of(question, ascii_only=ascii_only)]
    rows = texts(*(row for line in [*lines, *facts, *command] for row in wrap(line, width)))
    return [*rows, *_change_rows(request, width, look)]


def _description_rows(description: str, width: int, look: Display) -> list[Text]:
    """Return the agent's words, marked as such; of many the first, so they keep the command in sight."""
    whose = "(the agent's words)"
    shown = visible(description, ascii_only=not look.unicode)
    if not shown:
        return texts("(no description given)", style="quiet")
    rows = wrap(shown, width)
    if len(rows) > SHORT_DESCRIPTION:
        rows = rows[:SHORT_DESCRIPTION]
        whose = "(the agent's words; the rest is at the end)" if width >= ROOMY else "(more at the end)"
    if cells_of(rows[-1]) + 2 + len(whose) > width:
        rows.append("")
    rows[-1] += " " * (width - cells_of(rows[-1]) - len(whose)) + whose
    return texts(*rows)


def _more_description(description: str, width: int, look: Display) -> list[Text]:
    """Return the rest of the agent's words; a person need not read them, because the command is what counts."""
    rows = wrap(visible(description, ascii_only=not look.unicode), width)[SHORT_DESCRIPTION:]
    return texts("", *wrap("The rest of the agent's words:", width), *rows) if rows else []


def _offer_rows(dialog: Dialog, width: int, look: Display) -> list[Text]:
    """Return what could be stored, each rule in full."""
    ascii_only = not look.unicode
    place = dialog.question.request.place
    where = "" if dialog.step in {"session", "task"} else f", in this project ({shown_at(place.root, place.host)})"
    where = ", everywhere (written to your configuration)" if dialog.everywhere else where
    does = "Deny" if dialog.step == "never" else "Allow"
    lasting = LIFETIMES[dialog.step][dialog.lifetime].words
    if dialog.confirms and dialog.step == "always":
        lasting = "for 90 days, until the next change"
    rows = texts(*wrap(visible(f"{does} {lasting}{where}:", ascii_only=ascii_only), width))
    for number, offer in enumerate(dialog.offers, 1):
        label = "" if look.plain else "  "
        rows += texts("", *wrap(f"[{number}] {visible(offer.label, ascii_only=ascii_only)}", width), style="label")
        for rule in offer.rules:
            rows += texts(*indent_lines(_rule_words(rule, ascii_only=ascii_only), width, label + "    "))
    return rows


def _rule_words(rule: Rule, *, ascii_only: bool) -> list[str]:
    """Everything a rule says, line by line."""
    exact = rule.line is not None
    text = rule.line if rule.line is not None else rule.entry
    lines = ["only this text, to the letter:"] if exact else []
    shown = visible(text, prose=False, ascii_only=ascii_only).split("\n")
    if rule.tool == REACH:
        return lines + shown
    if not exact and rule.words is not None and not rule.effects and not rule.checks:
        shown[-1] += "  and any arguments" if rule.words else "  that is every command"
    lines += [f"  {line}" if exact else line for line in shown]
    if rule.verdict is Verdict.ALLOW and rule.words and not (rule.effects or rule.checks):
        lines.append(visible(_breadth(rule._replace(host=None, directory=None)), ascii_only=ascii_only))
    if rule.args_none or rule.at:
        lines.append(visible(_breadth(rule._replace(host=None, directory=None)), ascii_only=ascii_only))
    if rule.options_any and rule.verdict is Verdict.DENY:
        lines.append("in any spelling and order of the options")
    elif rule.options_any:
        lines.append(visible(f"only with one of: {' '.join(rule.options_any)}", ascii_only=ascii_only))
    if rule.directory is not None:
        below = " and below" if rule.below else ""
        lines.append(visible(f"only in {shown_at(rule.directory, rule.host or '')}{below}", ascii_only=ascii_only))
    elif rule.host:
        lines.append(f"only on {rule.host}")
    if exact and rule.tool and rule.verdict is not Verdict.DENY:
        lines.append(f"only for {visible(rule.tool, ascii_only=ascii_only)}")
    return lines


@lru_cache(maxsize=64)
def _breadth(rule: Rule) -> str:
    """Return what a rule allows at its worst, as `asimi policy add` says it; each drawing needs it again."""
    return f"it {breadth(rule)}"


def _help_rows(dialog: Dialog, width: int, look: Display) -> list[Text]:
    rows: list[Text] = []
    question, line = dialog.question, dialog.line
    names, file = question.request.tool == REACH, question.request.file is not None
    absent = {*((SKIP, PREVIOUS) if line is None or not line.at else (LEAVE,)), *((EDIT,) if names or file else ())}
    once = LATER if not question.changeable else REACHED if names else LET if file else RUN
    absent |= {LATER, RUN, REACHED, LET} - {once} | ({WIDEN} if question.widening is None else set())
    for choice, meaning in MEANINGS:
        if choice not in absent and (look.plain or choice.key != choice.word):
            key = "Esc" if choice.key == "escape" else choice.key
            rows += label_rows(choice.word if look.plain else key, meaning, width)
    ends = "answers nothing and" if line is not None and line.away else "is a no and"
    more = f"Enter alone is not an answer. Ctrl-C {ends} ends asimi. What is typed before the question is dropped."
    moves = "" if look.plain else "Space, page and arrow keys, Home, End, g and G move through a long text. "
    return [*rows, *texts("", *wrap(f"{moves}{more}", width))]


class _Atom(NamedTuple):
    """What is never broken over two rows: a character with its marks, or a name in brackets."""

    text: str
    at: int
    style: str
    indent: bool = False


class _Line(NamedTuple):
    """One row of the command: its atoms, where it starts, and what is beside it."""

    atoms: list[_Atom]
    starts: int
    number: int
    asks: bool
    label: str


class Marks:
    """Which characters caused the question, and where parts begin."""

    def __init__(self, text: str, decision: Decision) -> None:
        asking = [part.span for part in decision.parts if part.verdict is not Verdict.ALLOW]
        asking += [reason.span for reason in decision.reasons if reason.span and not allows(reason)]
        asking = asking or [(0, len(text))]
        self.asks = bytearray(len(text) + 1)
        for start, end in asking:
            self.asks[start:end] = b"\1" * (min(end, len(text)) - start)
        self.asking = {start for start, _ in asking}
        self.breaks = [start for start, _ in _outermost([part.span for part in decision.parts])]
        self.allowed = {part.span[0] for part in decision.parts if part.verdict is Verdict.ALLOW}


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """Return the spans that are in no other, in order."""
    found: list[Span] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def command_rows(text: str, is_shell: bool, decision: Decision, width: int, look: Display) -> list[Text]:  # noqa: FBT001
    """Return the whole command: each part on a row of its own, what caused the question marked."""
    from rich.text import Text

    marks = Marks(text, decision)
    numbers = len(str(text.count("\n") + 1)) + 1 if "\n" in text else 0
    column = 9 if look.width >= ROOMY else 0
    room = width - 2 - numbers - column
    styles = _syntax(text) if is_shell else {}
    rows = []
    for line in command_lines(text, look, marks, room, styles=styles):
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


def command_lines(
    text: str, look: Display, marks: Marks, width: int, *, fold: bool = True, styles: dict[int, str] | None = None
) -> list[_Line]:
    """Return the command cut at its own line ends, where its parts begin and, if need be, where a row is full."""
    breaks, lines, row = set(marks.breaks), list[_Line](), list[_Atom]()
    number, room = 1, width

    def close() -> None:
        nonlocal row, number
        first = row[0].at if row else -1
        covered = {atom.at for atom in row}
        asks = any(marks.asks[pos] for pos in covered)
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
        cells = cells_of(atom.text)
        if fold and used + cells > room and row:
            rest = _after_space(row)
            row, carried = row[: len(row) - rest], row[len(row) - rest :]
            close()
            indent = _Atom("    ", carried[0].at if carried else atom.at, "", indent=True) if width > 30 else None
            row = [*([indent] if indent else []), *carried]
            used = sum(cells_of(part.text) for part in row)
        if fold and cells > width:
            for start in range(0, len(atom.text), width):
                row.append(atom._replace(text=atom.text[start : start + width]))
                if start + width < len(atom.text):
                    close()
            used = cells_of(row[-1].text)
            continue
        row.append(atom)
        used += cells
    close()
    return lines


def _after_space(row: list[_Atom]) -> int:
    """Return how many atoms at the end of a full row begin a new one: the last word, unless it is a long one."""
    for count in range(min(len(row) // 3, 24)):
        if row[len(row) - 1 - count].text == " ":
            return count
    return 0


def _atoms(text: str, look: Display, marks: Marks, styles: dict[int, str]) -> Iterable[_Atom]:
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
    """Return the colours of shell text, by offset; none where it cannot be read."""
    try:
        script = parse(text)
    except AsimiError:
        return {}
    styles: dict[int, str] = {}

    def paint(start: int, end: int, style: str) -> None:
        styles.update(dict.fromkeys(range(start, end), STYLES[style]))

    for start, end, kind in highlights(script):
        paint(start, end, kind)
    return styles


STYLES = {
    "asks": "bold", "ASK": "bold red", "allowed": "green", "name": "bold red", "harmless": "cyan", "program": "bold",
    "quoted": "green", "operator": "magenta", "expansion": "magenta", "quiet": "dim", "label": "bold",
    "risk": "bold red", "border": "cyan", "border of weight": "yellow", "border of loss": "bold red",
    "title": "bold default",
}  # fmt: skip
"""What is emphasised, and how; each repeats what the words or the marks say."""


def cells_of(text: str) -> int:
    """Return how many columns it takes."""
    from rich.cells import cell_len

    return cell_len(text)


def truncate(text: str, width: int) -> str:
    """Return as much of the beginning as fits."""
    from rich.cells import chop_cells

    return chop_cells(text, max(1, width))[0]


def texts(*lines: str, style: str = "") -> list[Text]:
    """Return lines as rows, all in one style."""
    from rich.text import Text

    return [Text(line, STYLES.get(style, ""), no_wrap=True, overflow="crop") for line in lines]


def label_rows(label: str, text: str, width: int, style: str = "", *, one: bool = False) -> list[Text]:
    """Text beside a label, the rows after the first below its beginning; or as much as fits in one row."""
    from rich.text import Text

    indent = 7 if width >= ROOMY - 4 else 5
    rows = []
    for index, line in enumerate([shorten(text, width - indent)] if one else wrap(text, width - indent)):
        row = Text(no_wrap=True, overflow="crop").append(f"{'' if index else label:<{indent}}", STYLES["label"])
        rows.append(row.append(line, STYLES.get(style)))
    return rows


def indent_lines(lines: Iterable[str], width: int, indent: str) -> list[str]:
    """Return lines as rows, each behind some blanks."""
    return [indent + row for line in lines for row in wrap(line, width - len(indent))]


def wrap(text: str, width: int) -> list[str]:
    """Text as rows of at most some cells, broken after spaces where that is possible; nothing is left out."""
    rows, row, used = [], "", 0
    for word in _words(text):
        cells = cells_of(word)
        if used + len(word.rstrip(" ")) and used + cells_of(word.rstrip(" ")) > width and row:
            rows.append(row.rstrip(" "))
            row, used = "", 0
        while cells > width and cells_of(word.rstrip(" ")) > width:
            head = truncate(word, width)
            rows.append(head)
            word = word[len(head) :]  # noqa: PLW2901 - what is left of a word too long for a row
            cells = cells_of(word)
        row, used = row + word, used + cells
    return [*rows, row.rstrip(" ")]


def _words(text: str) -> list[str]:
    """Return the words, each with the spaces behind it."""
    return re.findall(r"[^ ]* +|[^ ]+$", text)
