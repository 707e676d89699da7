"""What git would take of a path: whether it tracks it, and whether the project's files say to ignore it.

Sources: gitignore(5), gitformat-index(5). Only plain patterns count as ignoring; one that takes something back counts
as soon as it may.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from asimi.core.lean import TYPE_CHECKING
from asimi.world.host.repositories import repository_of, tracks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGEST = 1 << 18
"""Bytes of such a file that are looked at; a larger one says nothing."""


def kept(path: str) -> str:
    """How git has a file: `tracked`, `ignored`, `new`, or empty where that is not clear."""
    found = tracks(path)
    if found is None:
        return ""
    return "tracked" if found else "ignored" if _is_ignored(path) else "new"


def _is_ignored(path: str) -> bool:
    """Whether the last of the patterns that fit a path is sure to ignore it."""
    repository = repository_of(os.path.dirname(path))
    if repository is None:
        return False
    root = os.path.dirname(path)
    while not os.path.lexists(os.path.join(root, ".git")) and root != os.path.dirname(root):
        root = os.path.dirname(root)
    parts = os.path.relpath(path, root).split(os.sep)
    ignored = False
    for number in range(-1, len(parts)):
        at = os.path.join(root, *parts[: max(number, 0)])
        file = os.path.join(repository, "info", "exclude") if number < 0 else os.path.join(at, ".gitignore")
        for pattern in _patterns(file):
            back = pattern[0] == "!"
            if _fits(pattern.removeprefix("!"), parts[max(number, 0) :], unclear=back):
                ignored = not back
    return ignored


def _patterns(file: str) -> Iterator[str]:
    """The patterns of a file; git follows no link that is called `.gitignore`."""
    try:
        if os.path.islink(file) or os.path.getsize(file) > LARGEST:
            return
        with open(file, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                pattern = line.rstrip("\n").rstrip("\r").rstrip(" ")
                if pattern.strip("!/") and pattern[0] != "#":
                    yield pattern
    except OSError:
        return


def _fits(pattern: str, parts: Sequence[str], *, unclear: bool) -> bool:
    """Whether a pattern is for a file or for a directory above it; `unclear` is the answer where that is not plain."""
    if "\\" in pattern or "**" in (rest := pattern.removeprefix("**/")):
        return unclear
    names = rest.rstrip("/").lstrip("/").split("/")
    last = len(parts) - (rest[-1] == "/")
    if "/" not in rest.rstrip("/"):
        return any(fnmatchcase(part, names[0]) for part in parts[:last])
    if pattern != rest:
        return unclear
    return len(names) <= last and all(map(fnmatchcase, parts, names))
