"""Which repository is around a directory, as git and its like find it, and what is a branch there."""

from __future__ import annotations

import os
import re

LONGEST = 8192
"""Bytes of a `.git` file: `gitdir: ` and a path."""

MOST = 1 << 22
"""Bytes of the file in which git packs the names of branches."""

_BRANCH = re.compile(r"(?!-|.*(?:\.\.|//|/\.|\.lock(?:/|$)))[\w#+-][\w./#+@-]*(?<![./])")
"""Names of branches as people give them, of those that git-check-ref-format(1) permits."""

_COMMIT = re.compile(r"(?:^|-g)[0-9a-f]{4,64}$")
"""Names that may be a commit's, as a hash or as `git describe` prints them (gitrevisions(7))."""


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


def is_branch(directory: str, name: str) -> bool:
    """Whether `git checkout NAME` in a directory can only mean a branch: a local one, or a new one after a remote's.

    A name is also a file's, a tag's or a commit's before it is that of a remote's branch (git-checkout(1),
    gitrevisions(7)); a local branch comes before all of these. Branches that are kept in another way than
    gitrepository-layout(5) says, as in a reftable, are not found.
    """
    found = repository_of(directory)
    if found is None or not _BRANCH.fullmatch(name) or os.path.lexists(os.path.join(directory, name)):
        return False
    shared = os.path.join(found, _text(os.path.join(found, "commondir")).strip())
    packed = set(re.findall(rf"^\w+ (refs/.*(?<=/){re.escape(name)})$", _text(f"{shared}/packed-refs"), re.MULTILINE))

    def has(ref: str) -> bool:
        return ref in packed or os.path.isfile(os.path.join(shared, ref))

    if has(f"refs/heads/{name}"):
        return True
    if has(f"refs/tags/{name}") or _COMMIT.search(name):
        return False
    if any(os.path.lexists(os.path.join(top, name)) for top in (found, f"{shared}/refs", f"{shared}/refs/remotes")):
        return False
    remotes = {ref.split("/")[2] for ref in packed if ref.startswith("refs/remotes/")}
    if os.path.isdir(f"{shared}/refs/remotes"):
        remotes.update(os.listdir(f"{shared}/refs/remotes"))
    return sum(has(f"refs/remotes/{each}/{name}") for each in remotes) == 1


def _text(path: str) -> str:
    """A text of git's, as far as it may be long; empty where there is none."""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(MOST))
    except OSError:
        return ""


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
