"""Which repository a directory is a linked worktree of (gitrepository-layout(5), git-worktree(1)).

A worktree has a file `.git` that names a directory of the repository's own, `.git/worktrees/ID`, and a file `gitdir` in
there names that `.git` file. Anybody can write the first, so only where the second points back does the repository say
so too. Git itself is not asked: what it does can be configured in the very directory.
"""

from __future__ import annotations

import os
import stat

LONGEST = 4096
"""Bytes of the longest path in such a file."""

_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


def main_worktree_of(root: str) -> str:
    """The main worktree of the repository that a directory is a linked worktree of; the directory itself if it is none.

    Args:
        root: the directory's real path.
    """
    link = os.path.join(root, ".git")
    head, _, place = _line(link).partition("gitdir: ")
    if head or not place:
        return root
    own = os.path.realpath(os.path.join(root, place))
    common, name = os.path.split(os.path.dirname(own))
    repository, last = os.path.split(common)
    back, shared = (_line(os.path.join(own, file)) for file in ("gitdir", "commondir"))
    if (name, last) != ("worktrees", ".git") or not back or not shared:
        return root
    points_back = os.path.realpath(os.path.join(own, back)) == link
    return repository if points_back and os.path.realpath(os.path.join(own, shared)) == common else root


def worktree_files(root: str) -> tuple[str, ...]:
    """The files by which a worktree is one: if they change, it may be none any more."""
    link = os.path.join(root, ".git")
    own = os.path.join(root, _line(link).removeprefix("gitdir: "))
    return link, os.path.join(own, "gitdir"), os.path.join(own, "commondir")


def _line(path: str) -> str:
    """The one line of a regular file; empty where it is none, or there is more."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY)
    except OSError:
        return ""
    try:
        text = os.read(descriptor, LONGEST + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    finally:
        os.close(descriptor)
    line = os.fsdecode(text).removesuffix("\n")
    return "" if len(text) > LONGEST or "\n" in line or "\0" in line else line
