"""A choice as lines for a terminal."""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING
from asimi.core.wording.dialog import LEAVE_MENU
from asimi.core.wording.visible import visible
from asimi.world.console.frame import boxed, legend, written
from asimi.world.console.text import STYLES, cells_of, texts, wrapped
from asimi.world.host.terminal import ROOMY

if TYPE_CHECKING:
    from rich.text import Text

    from asimi.core.wording.dialog import Menu, Section
    from asimi.core.wording.visible import Display


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
    notes = [f" {line}" for line in wrapped(message, look.width - 2)] if message else []
    keys = legend((*menu.choices, LEAVE_MENU), look)
    if look.plain:
        return [*wrapped(menu.title, look.width - 1), *written(rows, look), *notes, *keys, "Answer: "]
    below = [*keys, " > "] if ready else [*("" for _ in keys), " One moment..."]
    return [*boxed(rows, Text(menu.title, STYLES["title"]), look), *notes, *below]


def _rows(section: Section, look: Display, *, first: bool) -> list[Text]:
    """Return a section: its sentence, then each name beside what it is, or above that where there is little room."""
    from rich.text import Text

    width, ascii_only = look.width - (1 if look.plain else 4), not look.unicode
    rows = texts() if first else texts("")
    rows += texts(*wrapped(visible(section.words, ascii_only=ascii_only), width)) if section.words else []
    named = [tuple(visible(each, ascii_only=ascii_only) for each in row) for row in section.rows]
    if look.plain:
        return rows + texts(*(line for name, text in named for line in wrapped(f"{name}: {text}", width)))
    indent = 2 + max((cells_of(name) for name, _ in named), default=0)
    beside = look.width >= ROOMY and indent <= look.width // 3
    for name, text in named:
        lines = wrapped(text, width - (indent if beside else 2))
        head = Text(f"{name:<{indent}}" if beside else name, STYLES["label"], no_wrap=True, overflow="crop")
        rows.append(head.append(lines.pop(0), "not bold") if beside else head)
        rows += texts(*(f"{'':{indent if beside else 2}}{line}" for line in lines))
    return rows
