"""Compares what is read-only in a box with how it was, before anything runs outside.

Nothing inside can write there as long as the mounts hold; this sees what slipped in where one was lost for a moment,
and what somebody changed outside meanwhile. The kernel sets the time of the last change (`st_ctime`, inode(7)) and lets
no program choose it, so a change cannot be hidden.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from asimi.world.host.trees import is_held

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST = 20_000
"""The most files that are looked at; beyond them, only the directories on the way."""


class Compared:
    """The read-only files of a box as they were at the last look.

    Args:
        paths: what is read-only: files, and directories with all that is below them.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._seen = self._now()

    def changed(self) -> str:
        """The first path that has changed; empty if none has."""
        now = self._now()
        for path in {**self._seen, **now}:
            if self._seen.get(path) != now.get(path):
                return path
        return ""

    def accept(self) -> None:
        """Take all as it is now."""
        self._seen = self._now()

    def _now(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for path in self._paths:
            for each, status in _below(path, MOST - len(found)):
                if is_held(status):
                    continue  # what holds a name that is missing; it comes and goes with boxes
                found[each] = (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        return found


def _below(path: str, left: int) -> Iterator[tuple[str, os.stat_result]]:
    """A path and all that is below it, links as themselves; what is gone is left out."""
    waiting = [path]
    while waiting and left > 0:
        at = waiting.pop()
        left -= 1
        try:
            status = os.lstat(at)
            yield at, status
            if stat.S_ISDIR(status.st_mode):
                waiting += sorted(f"{at}/{name}" for name in os.listdir(at))
        except OSError:
            continue
