"""A progress bar for what takes longer than a moment, on standard error where that is a terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from asimi.doors.cli.base import is_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.progress import Progress

PATIENCE = 0.5
"""Seconds that pass before a bar is shown."""

OFTEN = 32
"""Items after which it moves."""

T = TypeVar("T")


def tracked(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Items as they come, under a bar that goes when they end.

    Args:
        items: what is done one after another.
        what: what that is, in words.
        total: how many there are, or None where that is not known.
    """
    if not is_terminal(2):
        yield from items
        return
    bar: Progress | None = None
    begin = time.monotonic()
    try:
        for number, item in enumerate(items):
            if number % OFTEN == 0 and time.monotonic() - begin > PATIENCE:
                if bar is None:
                    bar = _bar(what, total)
                bar.update(bar.task_ids[0], completed=number)
            yield item
    finally:
        if bar is not None:
            bar.stop()


def _bar(what: str, total: int | None) -> Progress:
    """A bar that is shown."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(what, total=total)
    bar.start()
    return bar
