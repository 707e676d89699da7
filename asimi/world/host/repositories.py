"""Which repository is around a directory, as git and its like find it."""

from __future__ import annotations

import os

LONGEST = 8192
"""Bytes of a `.git` file: `gitdir: ` and a path."""


def repository_of(directory: str) -> str | None:
    """The real path of what holds the repository that is found from a directory, upward; None where there is none.

    That is a `.git` or `.hg`, what a `.git` file points to, or a directory that is a bare repository itself
    (gitrepository-layout(5); `is_git_directory` of git looks for HEAD, objects and refs).
    """
    at = os.path.realpath(directory)
    while True:
        for name in (".git", ".hg", ".jj"):
            path = os.path.join(at, name)
            if os.path.lexists(path):
                return _pointed(path)
        if all(os.path.lexists(os.path.join(at, name)) for name in ("HEAD", "objects", "refs")):
            return at
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def _pointed(path: str) -> str:
    """What a `.git` leads to: itself if it is a directory, else what is written in it."""
    if os.path.isfile(path):
        try:
            with open(path, "rb") as file:
                text = os.fsdecode(file.read(LONGEST)).strip()
        except OSError:
            return path
        if text.startswith("gitdir:"):
            path = os.path.join(os.path.dirname(path), text.removeprefix("gitdir:").strip())
    return os.path.realpath(path)
