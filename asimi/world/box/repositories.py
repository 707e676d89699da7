"""The files of a repository that start programs or lead git elsewhere (gitrepository-layout(5)).

In a box, those that are there are read-only. Not all missing ones can be held by something in their place, because git
reads `commondir` and the like wherever a file has that name. So these are watched.
"""

from __future__ import annotations

import os

from asimi.core.startup import TYPE_CHECKING, NamedTuple, suppress
from asimi.world.host.repositories import points_to

if TYPE_CHECKING:
    from collections.abc import Iterator

HELD = ("hooks", "config")
"""What is held in a repository, there or not."""

GUIDES = ("config.worktree", "commondir", "info/attributes", "objects/info/alternates")
"""What is held where it is there, and watched where it is not."""

OF_WORKTREE = ("commondir", "gitdir", "config.worktree")

SHARED = frozenset({"objects", "refs", "logs", "packed-refs", "worktrees", "packed-refs.lock"})
"""What a worktree writes in the repository that it belongs to, besides its own directory below `worktrees`."""

DEEPEST = 16
"""Levels of submodules in submodules that are looked for."""


class Worktree(NamedTuple):
    """A project that is a worktree of a repository elsewhere, which knows it as such.

    Attributes:
        shared: the repository's own directory.
        own: the directory in there that belongs to this worktree.
    """

    shared: str
    own: str

    def others(self) -> set[str]:
        """What in the repository is not this worktree's to write."""
        kept, _ = parts_of(self.shared)
        names = {name for name in _names(self.shared) if name not in SHARED and not name.endswith(".lock")}
        trees = os.path.join(self.shared, "worktrees")
        others = {os.path.join(trees, each) for each in _names(trees)} - {self.own}
        return kept | {os.path.join(self.shared, each) for each in names} | others

    @property
    def missing(self) -> set[str]:
        """The names in there that are watched."""
        return parts_of(self.shared)[1]


def parts_of(repository: str) -> tuple[set[str], set[str]]:
    """What is read-only in a directory of git's, and what is missing there and watched.

    Args:
        repository: the `.git`; where that is a file, it is what is read-only.
    """
    if not os.path.isdir(repository):
        return {repository}, set()
    kept = {os.path.join(repository, each) for each in HELD}
    watched = set[str]()
    guides = [os.path.join(repository, each) for each in GUIDES]
    for each in _names(worktrees := os.path.join(repository, "worktrees")):
        guides += [os.path.join(worktrees, each, name) for name in OF_WORKTREE]
    for module in _modules(os.path.join(repository, "modules"), DEEPEST):
        kept.update(os.path.join(module, each) for each in HELD)
        guides += [os.path.join(module, each) for each in GUIDES]
    for path in guides:
        (kept if os.path.lexists(path) else watched).add(path)
    return kept, watched


def planned(repository: str) -> dict[str, str]:
    """The commands that a rebase will run which has begun there, by the lists that say so (git-rebase(1), `exec`).

    Args:
        repository: the `.git`.
    """
    found = {}
    for directory in (
        repository,
        *(os.path.join(repository, "worktrees", each) for each in _names(f"{repository}/worktrees")),
    ):
        path = os.path.join(directory, "rebase-merge", "git-rebase-todo")
        with suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.split(None, 1) for line in file.read(1 << 20).splitlines()]
            if commands := [words[1].strip() for words in lines if len(words) == 2 and words[0] in {"x", "exec"}]:
                found[path] = "; ".join(commands)
    return found


def _modules(directory: str, left: int) -> Iterator[str]:
    """The directories of git's below `modules`: a submodule's name may have slashes, and it may have some itself."""
    for name in _names(directory):
        path = os.path.join(directory, name)
        if os.path.isfile(os.path.join(path, "HEAD")):
            yield path
            yield from _modules(os.path.join(path, "modules"), left - 1)
        elif left and os.path.isdir(path) and not os.path.islink(path):
            yield from _modules(path, left - 1)


def confirmed(root: str) -> Worktree | None:
    """The repository that a project is a worktree of, if that says so itself; None where the project is none.

    Args:
        root: the project root.
    """
    pointer = os.path.join(root, ".git")
    if not os.path.isfile(pointer) or os.path.islink(pointer):
        return None
    own = points_to(pointer)
    if own is None or os.path.basename(os.path.dirname(own)) != "worktrees":
        return None
    try:
        with open(os.path.join(own, "gitdir"), encoding="utf-8", errors="surrogateescape") as file:
            back = os.path.join(own, file.read(1 << 16).rstrip("\n"))
    except OSError:
        return None
    shared = os.path.dirname(os.path.dirname(own))
    return Worktree(shared, own) if os.path.realpath(back) == os.path.realpath(pointer) else None


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []
