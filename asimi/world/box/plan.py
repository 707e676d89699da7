"""Which mounts hold paths in directories that a box may write."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.world.box.entering import NO_DIRECTORY, NO_FILE, READ_ONLY, WRITABLE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

LINKS = 40
"""Links on the way to one path: more than the kernel follows (path_resolution(7))."""


def plan(read_only: Iterable[str], hidden: Iterable[str], tops: Collection[str]) -> dict[str, str]:
    """Plan the mounts that hold paths below some directories.

    A mount holds its own name, not those of the directories above it. So each of these up to the directory that may be
    written is mounted on itself. So is a symbolic link at a path or on the way to it, and then what it leads to.

    Args:
        read_only: what may be read only; with all below it, if it is a directory.
        hidden: what shows nothing.
        tops: the directories that may be written, real paths.

    Returns:
        What is mounted where, the shorter paths first.
    """
    mounts = dict[str, str]()
    waiting = [*((path, READ_ONLY, 0) for path in read_only), *((path, NO_FILE, 0) for path in hidden)]
    waiting.sort(key=lambda each: _depth(each[0]), reverse=True)  # the shorter ones are taken first
    while waiting:
        path, kind, links = waiting.pop()
        at = min((each for each in tops if is_below(path, each)), key=len, default="")
        if not at or (path == at and links):  # nobody can write there, or a link leads to all of it
            continue
        parts = [part for part in path[len(at) :].split("/") if part]
        while True:
            try:
                mode = os.lstat(at).st_mode
            except OSError:  # it is not there, or nobody gets there
                break
            if stat.S_ISLNK(mode):
                mounts[at] = READ_ONLY
                if links < LINKS:
                    target = os.path.join(os.path.dirname(at), os.readlink(at), *parts)
                    waiting.append((os.path.normpath(target), kind, links + 1))
                break
            if not parts:
                if kind == NO_FILE and stat.S_ISDIR(mode):
                    kind = NO_DIRECTORY
                if links and (at in tops or os.path.basename(at) == ".git"):
                    kind = WRITABLE  # git's own parts are held, whatever leads there
                if mounts.get(at, WRITABLE) in {WRITABLE, kind}:
                    mounts[at] = kind
                break
            if mounts.get(at, WRITABLE) != WRITABLE:  # nothing below it can be written
                if kind == READ_ONLY:
                    break
            else:
                mounts[at] = WRITABLE
            at = f"{at}/{parts.pop(0)}"
    ordered = sorted((path for path in mounts if path not in tops or mounts[path] != WRITABLE), key=_depth)
    return {path: mounts[path] for path in ordered}


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path
