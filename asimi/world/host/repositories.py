"""Which repository is around a directory, as git and its like find it, and what is a branch there."""

from __future__ import annotations

import os
import stat
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Collection

LONGEST = 1 << 20
"""Bytes of the longest file that git takes for a pointer: `gitdir: ` and a path (`read_gitfile` of git)."""

POINTS = "gitdir: "
"""What such a file begins with (gitrepository-layout(5))."""

MOST = 1 << 22
"""Bytes of the file in which git packs the names of branches."""

_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""Without waiting for who writes a FIFO; Windows has neither."""

_BRANCH = pattern(r"(?!-|.*(?:\.\.|//|/\.|\.lock(?:/|$)))[\w#+-][\w./#+@-]*(?<![./])")
"""Names of branches as people give them, of those that git-check-ref-format(1) permits."""

_HEAD = pattern(r"ref:\s*refs/|[0-9a-fA-F]{40}", ASCII)
"""What is in a HEAD (gitrepository-layout(5))."""

_ON = pattern(r"ref:\s*refs/heads/(.+)")
"""The HEAD of a repository that is on a branch."""

_COMMIT = pattern(r"(?:^|-g)[0-9a-f]{4,64}$")
"""Names that may be a commit's, as a hash or as `git describe` prints them (gitrevisions(7))."""


def repository_of(path: str) -> str | None:
    """The real path of what holds the repository that is found from a directory, upward; None where there is none.

    That is a `.git`, what a `.git` file points to, or a directory that is a bare repository itself, by the rules that
    git goes by (git(1), gitrepository-layout(5)); `.hg` and `.jj` count beside it. A `.git` file that git refuses is
    given as itself.

    Args:
        path: a directory; a file is taken for a pointer to a repository, as `--git-dir` takes one.
    """
    at = os.path.realpath(path)
    if os.path.isfile(at):
        return points_to(at)
    while True:
        named = os.path.join(at, ".git")
        if os.path.isfile(named):
            return points_to(named) or named
        for each in (named, at):
            if _is_repository(each):
                return os.path.realpath(each)
        for name in (".hg", ".jj"):
            if os.path.lexists(other := os.path.join(at, name)):
                return os.path.realpath(other)
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def _is_repository(directory: str) -> bool:
    """Whether git takes a directory for one of its own: HEAD is in it, objects and refs are there or in `commondir`."""
    if not _is_head(os.path.join(directory, "HEAD")):
        return False
    shared = shared_of(directory)
    return all(os.access(os.path.join(shared, name), os.X_OK) for name in ("objects", "refs"))


def _is_head(path: str) -> bool:
    """Whether git takes a file for a HEAD: a link to a reference, or the name of one, or a commit."""
    try:
        return os.readlink(path).startswith("refs/")
    except OSError:
        return _HEAD.match(text_of(path)) is not None


def shared_of(directory: str) -> str:
    """Where a directory of git's keeps what it shares with others: objects, branches, configuration."""
    return os.path.realpath(os.path.join(directory, text_of(os.path.join(directory, "commondir")).rstrip("\r\n")))


def is_branch(directory: str, name: str) -> bool:
    """Whether `git checkout NAME` in a directory can only mean a branch: a local one, or a new one after a remote's.

    A name is also a file's, a tag's or a commit's before it is that of a remote's branch (git-checkout(1),
    gitrevisions(7)); a local branch comes before all of these. Branches that are kept in another way than
    gitrepository-layout(5) says, as in a reftable, are not found.
    """
    found = repository_of(directory)
    if found is None or not _BRANCH.fullmatch(name) or os.path.lexists(os.path.join(directory, name)):
        return False
    shared = shared_of(found)
    packed = _packed_refs(shared)
    if _has(shared, packed, f"heads/{name}"):
        return True
    if _has(shared, packed, f"tags/{name}") or _COMMIT.search(name):
        return False
    if any(os.path.lexists(os.path.join(top, name)) for top in (found, f"{shared}/refs", f"{shared}/refs/remotes")):
        return False
    remotes = {ref.split("/")[2] for ref in packed if ref.startswith("refs/remotes/")}
    if os.path.isdir(f"{shared}/refs/remotes"):
        remotes.update(os.listdir(f"{shared}/refs/remotes"))
    return sum(_has(shared, packed, f"remotes/{each}/{name}") for each in remotes) == 1


def branch_at(repository: str) -> str:
    """Return the name of the branch that HEAD of a repository is on; empty where it is on none."""
    match = _ON.fullmatch(text_of(os.path.join(repository, "HEAD")).rstrip("\n"))
    return match[1] if match is not None and _BRANCH.fullmatch(match[1]) else ""


def is_ref(shared: str, kind: str, name: str) -> bool:
    """Return whether a repository has a branch (`heads`) or a tag (`tags`) of a name, loose or packed."""
    return _BRANCH.fullmatch(name) is not None and _has(shared, _packed_refs(shared), f"{kind}/{name}")


def _has(shared: str, packed: Collection[str], name: str) -> bool:
    return f"refs/{name}" in packed or os.path.isfile(f"{shared}/refs/{name}")


def _packed_refs(shared: str) -> set[str]:
    """The references that a repository has packed."""
    return {line.partition(" ")[2] for line in text_of(f"{shared}/packed-refs").splitlines()}


def text_of(path: str, most: int = MOST) -> str:
    """Return a text of git's, at most so many bytes of it; empty where there is none."""
    return os.fsdecode(bytes_of(path, most) or b"")


def bytes_of(path: str, most: int) -> bytes | None:
    """Return at most so many bytes of a file; None where there is none, or it is no ordinary one, as a FIFO."""
    try:
        descriptor = os.open(path, _READING)
        with open(descriptor, "rb") as file:
            return file.read(most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    except (OSError, ValueError):
        return None


def points_to(path: str) -> str | None:
    """The repository that a file points to; None where git would refuse it."""
    text = text_of(path, LONGEST + 1)
    if not text.startswith(POINTS) or len(text) > LONGEST or "\0" in text:
        return None
    led = os.path.join(os.path.dirname(path), text.removeprefix(POINTS).rstrip("\r\n"))
    return os.path.realpath(led) if _is_repository(led) else None
