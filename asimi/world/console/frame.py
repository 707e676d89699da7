"""A dialog as lines for a terminal: the rows in a panel, the keys below it."""

from __future__ import annotations

import time
from io import StringIO
from typing import TYPE_CHECKING

from asimi.core.syntax import line_of
from asimi.core.wording.dialog import CLOSE, SKIPPED, WENT_BACK, Choice, Dialog, Drawing, choices
from asimi.core.wording.visible import visible
from asimi.core.wording.weight import weight_of
from asimi.world.console.rows import STYLES, body, cells_of, texts, wrap
from asimi.world.console.words import agent_of, title_of
from asimi.world.host.terminal import ROOMY, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from asimi.core.call import Approval, Question
    from asimi.core.wording.dialog import Menu, Section
    from asimi.core.wording.visible import Display


BORDERS = ("border", "border of weight", "border of loss")
"""The frame of a question, by how much it weighs; the title and what it does say the same in words."""

CRAMPED = 8
"""Rows for the text up to which none of them is left blank."""


def render(dialog: Dialog, look: Display) -> Drawing:
    """Return a dialog as lines for a terminal; never wider than it, and no higher if that is possible at all.

    Where a question does not fit, its facts stay above what scrolls if they take less than half of the room; else one
    row each for the reason and the risk does, and the facts scroll behind the command.
    """
    shows = ("question", "step", "added", "lifetime", "everywhere")  # what its rows depend on
    line = None if dialog.line is None else dialog.line._replace(others=0)
    whole = body(Dialog(**{name: getattr(dialog, name) for name in shows}, line=line), look._replace(height=0))
    rows, count = (*whole.above, *whole.facts, *whole.rest), len(whole.above + whole.facts)
    pinned: tuple[Text, ...] = ()
    keys = legend(choices(dialog._replace(complete=True, pages=len(rows) >= look.height // 2)), look)
    fixed = len(keys) + (1 if look.plain else 3)  # the keys, the last line, the frame
    room = look.height - fixed - len(_notes(dialog._replace(complete=True), look))
    if len(rows) > room:
        room = look.height - fixed - max(len(_notes(dialog, look)), len(_notes(dialog._replace(ready=True), look)))
        fits = len(whole.facts) < room // 2
        pinned = whole.facts if fits else whole.brief[: room // 2]
        pinned += tuple(texts("")) if pinned and room > CRAMPED else ()
        room -= len(pinned) + look.plain
        if fits:  # what scrolls begins with the same rows whether or not it does
            rows, count = (*whole.above, *whole.rest), len(whole.above)
    room = max(1, room)
    top = max(0, min(dialog.top, len(rows) - room))
    bottom = min(len(rows), top + room)
    drawn = Drawing((), len(rows), count, top, bottom)
    dialog = dialog.with_drawing(drawn)
    shown = [*pinned, *rows[top:bottom]]
    footer = [*_notes(dialog, look), *(legend(choices(dialog), look) if dialog.ready else [])]
    where = f"rows {top + 1} to {bottom} of {len(rows)}" if len(rows) > bottom - top else ""
    if look.plain:
        footer = [f"Shown: {where}.", *footer] if where else footer
        return drawn._replace(lines=(*render_lines(shown, look), *footer, prompt(dialog, look)))
    footer += [""] * (len(keys) - len(footer)) if not dialog.ready else []
    return drawn._replace(lines=(*_frame_dialog(shown, dialog, where, look), *footer, prompt(dialog, look)))


def prompt(dialog: Dialog, look: Display) -> str:
    """Return the last line, which tells how much time is left and how many other questions wait."""
    left = f"{dialog.left // 60}:{dialog.left % 60:02}"
    if look.plain:
        return "Answer: "
    if not dialog.ready:
        return " One moment..."
    if dialog.ended:
        return f" It closes in {left}. > " if look.width >= ROOMY else f" {left} > "
    others = (
        f"{dialog.others} more wait{'s' if dialog.others == 1 else ''}." if dialog.others else "Enter does nothing."
    )
    return f" {others} No answer in {left}: denied. > " if look.width >= ROOMY else f" {others} {left} > "


def closing_line(question: Question, approval: Approval, look: Display) -> str:
    """One line that stays on the terminal when the dialog is gone; as much of it as fits."""
    if approval.edited is not None or approval in (SKIPPED, WENT_BACK):
        return ""
    word = "allowed" if approval.yes else "no answer, denied" if approval.by == "clock" else "denied"
    word = "left open" if approval.by == "nobody" else word
    word += f" {kept}" if (kept := _duration_words(approval)) else ""
    stored = [] if approval.scope == "once" and approval.yes else [rule.entry for rule in approval.rules]
    line = f"asimi: {word}: {visible(', '.join(stored) or line_of(question.request), ascii_only=not look.unicode)}"
    return shorten(line, look.width - 1)


def _duration_words(approval: Approval) -> str:
    """Return how long an answer holds, in words; all its rules end at the same time."""
    if approval.scope == "once":
        return "once" if approval.yes else ""
    rule = approval.rules[0]
    where = {"task": " in its task", "project": " in this project", "always": " everywhere"}.get(approval.scope, "")
    if rule.expires is not None:
        return time.strftime("until %Y-%m-%d %H:%M", time.localtime(rule.expires)) + where
    if rule.uses is not None:
        return f"for {rule.uses + 1} calls"
    return f"from now on{where}" if where else "for this session"


def _frame_dialog(rows: Sequence[Text], dialog: Dialog, where: str, look: Display) -> list[str]:
    """Return the rows of a dialog in a frame with its title and the agent."""
    from rich.text import Text

    title, agent = title_of(dialog, look), agent_of(dialog.question, look)
    border = STYLES[BORDERS[weight_of(dialog.question)]]
    line = "─" if look.unicode else "-"
    fill = look.width - 6 - cells_of(title) - cells_of(agent)
    head = Text(title, STYLES["title"])
    if agent and fill >= 3:
        head.append(f" {line * (fill - 2)} ", border).append(agent)
    return frame_rows(rows, head, look, where, border)


def frame_rows(
    rows: Sequence[Text], head: Text, look: Display, where: str = "", border: str = STYLES["border"]
) -> list[str]:
    """Rows in a frame as wide as the terminal, a title above and a word about them below."""
    from rich.box import ASCII, ROUNDED
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    panel = Panel(
        Group(*rows),
        box=ROUNDED if look.unicode else ASCII,
        title=head,
        title_align="left",
        subtitle=Text(where) if where else None,
        subtitle_align="right",
        border_style=border,
        width=look.width,
    )
    return render_lines([panel], look)


def render_lines(things: Sequence[object], look: Display) -> list[str]:
    """Rich's things as lines."""
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


def legend(keys: Sequence[Choice], look: Display) -> list[str]:
    """Return the keys and what they do, as many a line as fit."""
    roomy = look.width >= ROOMY
    if look.plain:
        words = ", ".join(f"{key.word} ({key.key})" if len(key.key) < len(key.word) else key.word for key in keys)
        return wrap(f"Type one word or letter and press Enter: {words}.", look.width - 1)
    lines = [""]
    numbers = [choice for choice in keys if choice.key.isdigit()]
    keys = [choice for choice in keys if choice.key != choice.word]
    if numbers:
        first, last = numbers[0], numbers[-1]
        span = first.key if first == last else f"{first.key}-{last.key}"
        keys.insert(0, first._replace(key=span, word=span))
    for choice in keys:
        name = "Esc" if choice.key == "escape" else choice.key
        item = f" [{name}] {choice.label if roomy else choice.short}"
        gap = "   " if roomy and lines[-1] else ""
        if lines[-1] and len(lines[-1]) + len(gap) + len(item) > look.width - 1:
            lines.append("")
            gap = ""
        lines[-1] += gap + item
    return lines


def ended_of(dialog: Dialog) -> str:
    """Return that the question has ended by itself, and what can be chosen still; empty while it has not."""
    if not dialog.ended:
        return ""
    keeps = " What you choose now holds for next time." if choices(dialog) != (CLOSE,) else ""
    return f"The question has ended: {dialog.ended}.{keeps}"


def _notes(dialog: Dialog, look: Display) -> list[str]:
    """Return a message about the last key, or about what is still missing."""
    message = visible(f"{ended_of(dialog)} {dialog.message}".strip(), ascii_only=not look.unicode)
    if not message and dialog.ready and not dialog.complete and dialog.step not in {"why", "help"}:
        how = "type more" if look.plain else "press v"
        what = "A rule can be chosen" if dialog.step == "never" else "It can be allowed"
        message = f"{what} once all of it was shown: {how}."
    if look.plain and dialog.others:
        message = f"{message} {dialog.others} more in line after this one.".strip()
    return [f" {line}" for line in wrap(message, look.width - 2)] if message else []


def menu_lines(menu: Menu, look: Display, message: str = "", *, ready: bool = True) -> list[str]:
    """Return a choice as lines, none wider than the terminal; the last is where the answer belongs.

    Args:
        menu: the choice.
        look: what the terminal can show.
        message: what is to be said of the last key.
        ready: whether keys count yet.
    """
    from rich.text import Text

    rows = [row for number, section in enumerate(menu.sections) for row in _rows(section, look, first=not number)]
    notes = [f" {line}" for line in wrap(message, look.width - 2)] if message else []
    keys = legend((*menu.choices, menu.leave), look)
    if look.plain:
        return [*wrap(menu.title, look.width - 1), *render_lines(rows, look), *notes, *keys, "Answer: "]
    below = [*keys, " > "] if ready else [*("" for _ in keys), " One moment..."]
    return [*frame_rows(rows, Text(menu.title, STYLES["title"]), look), *notes, *below]


def _rows(section: Section, look: Display, *, first: bool) -> list[Text]:
    """Return a section: its sentence, then each name beside what it is, or above that where there is little room."""
    from rich.text import Text

    width, ascii_only = look.width - (1 if look.plain else 4), not look.unicode
    rows = texts() if first else texts("")
    rows += texts(*wrap(visible(section.words, ascii_only=ascii_only), width)) if section.words else []
    named = [tuple(visible(each, ascii_only=ascii_only) for each in row) for row in section.rows]
    if look.plain:
        return rows + texts(*(line for name, text in named for line in wrap(f"{name}: {text}", width)))
    indent = 2 + max((cells_of(name) for name, _ in named), default=0)
    beside = look.width >= ROOMY and indent <= look.width // 3
    for name, text in named:
        lines = wrap(text, width - (indent if beside else 2))
        head = Text(f"{name:<{indent}}" if beside else name, STYLES["label"], no_wrap=True, overflow="crop")
        rows.append(head.append(lines.pop(0), "not bold") if beside else head)
        rows += texts(*(f"{'':{indent if beside else 2}}{line}" for line in lines))
    return rows
