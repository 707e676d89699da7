"""Draws pages of the documentation as text for a terminal."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markdown import Markdown, TableElement
from rich.padding import Padding
from rich.text import Text
from rich.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, ClassVar

    from rich.console import RenderableType

    from asimi.core.wording.visible import Display

LEFT_OUT = re.compile(r"!\[[^]]*\]\([^)]*\)|(?<=^```)\w+", re.MULTILINE)
"""Images, and the languages of code: it is shown without colours, which a light terminal would hardly show."""

ASCII = str.maketrans("•─▌", "*-|")
"""What rich draws with, for a terminal that shows only ASCII."""

TORN = "…"
"""What rich puts where a word does not fit its cell."""

THEME = Theme({"markdown.code": "bold", "markdown.code_block": "none"})
"""Code without a background of its own: light and dark terminals both have one."""


class _Rows(TableElement):
    """A table as rows below each other: the first cell, then the others behind the heads of their columns."""

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        del console, options
        heads = self.header.row.cells if self.header and self.header.row else []
        for row in self.body.rows if self.body else []:
            yield ""
            for number, cell in enumerate(row.cells):
                head = heads[number].content.plain if number else ""
                text = Text(f"{head}: " if head else "", "dim").append_text(cell.content)
                if cell.content:
                    yield Padding(text, (0, 0, 0, 2 if number else 0))
        yield ""


class _Table(_Rows):
    """A table, if its words fit side by side."""

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        (table,) = TableElement.__rich_console__(self, console, options)
        written = "".join(piece.text for piece in console.render(table, options))
        yield from super().__rich_console__(console, options) if TORN in written else [table]


class _Page(Markdown):
    """Markdown with such tables."""

    elements: ClassVar = {**Markdown.elements, "table_open": _Table}


class _PlainPage(Markdown):
    """Markdown without tables, in reading order."""

    elements: ClassVar = {**Markdown.elements, "table_open": _Rows}


def render_page(text: str, look: Display) -> str:
    """Return a page without its images, fitted to a terminal.

    Args:
        text: the page, in Markdown.
        look: what the terminal can show.
    """
    kind = _PlainPage if look.plain else _Page
    page = kind(LEFT_OUT.sub("", text), code_theme="ansi_dark", hyperlinks=False)
    shown = text_of(page, look, theme=THEME)
    return shown if look.unicode else shown.translate(ASCII)


def text_of(what: RenderableType, look: Display, **options: Any) -> str:
    """Return something of rich's as text, fitted to a terminal.

    Args:
        what: what to draw.
        look: what the terminal can show.
        options: of the `Console` that draws it.
    """
    written = StringIO()
    Console(
        file=written,
        width=look.width,
        force_terminal=look.colour,
        color_system="standard" if look.colour else None,
        legacy_windows=False,
        _environ={},
        **options,
    ).print(what)
    return "\n".join(line.rstrip() for line in written.getvalue().rstrip().split("\n"))
