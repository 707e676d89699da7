"""Which files a commit has, as git says it without obeying the repository (`world.host.git`).

Source: gitrevisions(7).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.world.host.git import Git
from asimi.world.host.repositories import shared_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.world.undo.repositories import Repository

_NAME = pattern(r"((?:@|[\w][\w./-]*))((?:\^1?|~\d{0,4})*)")
_LOGGED = pattern(r"((?:refs/)?stash@\{\d{1,4}\}|@\{-\d{1,4}\})((?:\^1?|~\d{0,4})*)")


def files_of(repository: Repository, name: str) -> set[str] | None:
    """The paths of all files of a commit, from the top of its work tree; None where that cannot be told.

    Args:
        repository: the repository.
        name: a branch, a tag, `HEAD` or an id, and how many commits before it (`HEAD~2`, `main^`).
    """
    with suppress(OSError, ValueError, subprocess.SubprocessError), _git(repository.own, repository.top) as git:
        return _files(git, _commit(git, name))
    return None


def moved(own: str, before: str, after: str) -> set[str] | None:
    """Return the paths of files that are not the same in two commits; None where that cannot be told.

    Args:
        own: what holds the repository: its `.git`, or what that points to.
        before: a commit as `files_of` takes it, `-` and `stash@{N}` too; empty for no files; `A...B` for the last
            commit that both came from.
        after: a commit.
    """
    tree = os.path.dirname(text_of(f"{own}/gitdir").strip() or own)  # of a worktree, a file says where it is
    with suppress(OSError, ValueError, subprocess.SubprocessError), _git(own, tree) as git:
        one, dots, other = before.partition("...")
        start = _commit(git, one, logged=True) if one else ""
        if dots:
            start = git.said("merge-base", start, _commit(git, other, logged=True)).strip()
        if end := _commit(git, after, logged=True):
            said = "" if not start else git.said("diff-tree", "-r", "-z", "--name-only", "--no-renames", start, end)
            return {*said.split("\0")} - {""} if start else _files(git, end)
    return None


@contextmanager
def _git(own: str, top: str) -> Iterator[Git]:
    with tempfile.TemporaryDirectory() as directory:
        yield Git(shared_of(own), directory, top, own)


def _commit(git: Git, name: str, *, logged: bool = False) -> str:
    """The id of a commit; empty for one before the first, where git only fails.

    Raises:
        ValueError: it is not known for certain.
        subprocess.SubprocessError: the log does not reach so far.
    """
    name = "@{-1}" if logged and name == "-" else name
    read = _NAME.fullmatch(name) or (_LOGGED.fullmatch(name) if logged else None)
    replaced = any(os.path.lexists(f"{git.shared}/{each}") for each in ("refs/replace", "info/grafts"))
    if read is None or replaced or "refs/replace/" in text_of(f"{git.shared}/packed-refs"):
        raise ValueError(name)
    given = "".join(f"{each}^{{commit}}\n" for each in (read[1], name))
    base, found = (line.split(" ") for line in git.said("cat-file", "--batch-check", given=given.encode()).splitlines())
    if base[1] != "commit":
        raise ValueError(name)
    return found[0] if found[1] == "commit" else ""


def _files(git: Git, commit: str) -> set[str]:
    lines = git.said("ls-tree", "-r", "-z", commit).split("\0") if commit else ()
    found = (line.partition("\t") for line in lines if line)
    return {path for head, _, path in found if " commit " not in head}  # of a submodule, git only makes the directory
