"""A progress bar for what takes longer than a moment, on standard error where that is a terminal."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, TypeVar

from asimi.doors.cli.printing import is_terminal
from asimi.world.host.terminal import look_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

PATIENCE = 0.5
"""Seconds that pass before a bar is shown."""

TICK = 0.1
"""Seconds between two pictures."""

T = TypeVar("T")


class Bar:
    """A bar that shows how far something is; only on a terminal that can erase a line, and gone at the end.

    Args:
        what: what is done, in words.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._drawn: Any = None
        self._next = time.monotonic() + PATIENCE
        if not is_terminal(2) or look_of(os.environ, 2).plain:
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def heard(self, done: int, total: int | None) -> None:
        """Draw that so much of the whole is done, if it is time; of a whole that is not known where that is None."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + TICK
        if self._drawn is None:
            self._drawn = _progress(look_of(os.environ, 2).width, counted=total is None)
            self._drawn.add_task(self._what, total=total)
            self._drawn.start()
        self._drawn.update(self._drawn.task_ids[0], completed=done, total=total)
        self._drawn.refresh()

    def erase(self) -> None:
        """Make room for lines on the terminal; it is drawn again below these."""
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None

    def close(self) -> None:
        """Erase it; from now on nothing is drawn."""
        self._next = float("inf")
        self.erase()


def with_progress(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Items as they come, under a bar that goes when they end.

    Args:
        items: what is done one after another.
        what: what that is, in words.
        total: how many there are, or None where that is not known.
    """
    with Bar(what) as bar:
        for number, item in enumerate(items):
            bar.heard(number, total)
            yield item


def _progress(width: int, *, counted: bool) -> Any:
    """Return a bar that fits a terminal; `counted` where the share that is done is not known."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

    number = MofNCompleteColumn() if counted else TaskProgressColumn()
    columns = TextColumn("{task.description}"), BarColumn(min(30, width // 3)), number
    return Progress(*columns, console=Console(stderr=True, width=width), transient=True, auto_refresh=False)
