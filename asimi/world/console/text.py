"""Rows of plain text that fit, in the styles there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.world.host.terminal import ROOMY, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

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


def cut(text: str, width: int) -> str:
    """Return as much of the beginning as fits."""
    from rich.cells import chop_cells

    return chop_cells(text, max(1, width))[0]


def texts(*lines: str, style: str = "") -> list[Text]:
    """Return lines as rows, all in one style."""
    from rich.text import Text

    return [Text(line, STYLES.get(style, ""), no_wrap=True, overflow="crop") for line in lines]


def labelled(label: str, text: str, width: int, style: str = "", *, one: bool = False) -> list[Text]:
    """Text beside a label, the rows after the first below its beginning; or as much as fits in one row."""
    from rich.text import Text

    indent = 7 if width >= ROOMY - 4 else 5
    rows = []
    for index, line in enumerate([shortened(text, width - indent)] if one else wrapped(text, width - indent)):
        row = Text(no_wrap=True, overflow="crop").append(f"{'' if index else label:<{indent}}", STYLES["label"])
        rows.append(row.append(line, STYLES.get(style)))
    return rows


def indented(lines: Iterable[str], width: int, indent: str) -> list[str]:
    """Return lines as rows, each behind some blanks."""
    return [indent + row for line in lines for row in wrapped(line, width - len(indent))]


def wrapped(text: str, width: int) -> list[str]:
    """Text as rows of at most some cells, broken after spaces where that is possible; nothing is left out."""
    rows, row, used = [], "", 0
    for word in _words(text):
        cells = cells_of(word)
        if used + len(word.rstrip(" ")) and used + cells_of(word.rstrip(" ")) > width and row:
            rows.append(row.rstrip(" "))
            row, used = "", 0
        while cells > width and cells_of(word.rstrip(" ")) > width:
            head = cut(word, width)
            rows.append(head)
            word = word[len(head) :]  # noqa: PLW2901 - what is left of a word too long for a row
            cells = cells_of(word)
        row, used = row + word, used + cells
    return [*rows, row.rstrip(" ")]


def _words(text: str) -> list[str]:
    """Return the words, each with the spaces behind it."""
    import re

    return re.findall(r"[^ ]* +|[^ ]+$", text)
