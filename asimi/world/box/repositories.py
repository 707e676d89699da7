"""The files of a repository that start programs or lead git elsewhere (gitrepository-layout(5)).

In a box, those that are there are read-only. For a missing one that git obeys, what git reads as nothing is put there
and is read-only, too. A repository that is new may only say what git itself writes for a clone.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.values import NamedTuple
from asimi.world.host.git_settings import plain_settings, settings_of
from asimi.world.host.places import names_in
from asimi.world.host.repositories import POINTS, points_to, repository_of, shared_of, text_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

CONTROL = ("hooks", "config", "config.worktree", "commondir", "gitdir", "info/attributes", "objects/info/alternates")
"""What in a directory of git's starts programs, or says where the rest is."""

NEUTRAL: Mapping[str, bytes | None] = {"commondir": b".\n", "hooks": None, "info/attributes": b""}
"""What git reads as nothing, for a repository that lacks one of these: a file's bytes, None for an empty directory."""

SHARED = frozenset({"objects", "refs", "logs", "packed-refs", "worktrees", "packed-refs.lock"})
"""What a worktree writes in the repository that it belongs to, besides its own directory below `worktrees`."""

NOWHERE = f"{POINTS}/nonexistent/asimi-moved-what-was-here\n"
"""What stands in place of a `.git` that was moved away: git stops there, and goes on to no repository around it."""

LONGEST = 4096
"""Characters of the longest path (limits.h: PATH_MAX)."""

DEEPEST = 16
"""Levels of submodules in submodules that are looked for."""

HARMLESS = re.compile(
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol"
    r"|sparsecheckout|sparsecheckoutcone)|extensions\.(?:objectformat|worktreeconfig|noop|refstorage|relativeworktrees)"
    r"|(?:remote|branch|submodule)\.(?:url|fetch|pushurl|tagopt|remote|merge|rebase|active)|user\.(?:name|email)"
    r"|(?:init|pull|push|index)\.\w+",
    re.ASCII,
)
"""Settings of git, without a subsection, that start no program, fetch nothing by themselves and lead nowhere
(git-config(1)); a promisor would have `git status` fetch what is missing."""


class Elsewhere(NamedTuple):
    """The repository of a project that is not below the project root: a worktree's, a submodule's, or one around it.

    Attributes:
        shared: the repository's own directory.
        own: the directory in there that belongs to this worktree; otherwise the same.
    """

    shared: str
    own: str

    def others(self) -> set[str]:
        """What in the repository is not this project's to write."""
        if self.own == self.shared:
            return set()
        names = {name for name in names_in(self.shared) or () if name not in SHARED and not name.endswith(".lock")}
        trees = os.path.join(self.shared, "worktrees")
        others = {os.path.join(trees, each) for each in names_in(trees) or ()} - {self.own}
        return {os.path.join(self.shared, each) for each in names} | others


def directories_of(repository: str) -> Iterator[str]:
    """A directory of git's and those in there that are such themselves: of its worktrees and its submodules.

    Args:
        repository: the `.git`; where that is a file, there are none.
    """
    if not os.path.isdir(repository) or os.path.islink(repository):
        return
    yield repository
    for each in names_in(trees := os.path.join(repository, "worktrees")) or ():
        yield os.path.join(trees, each)
        yield from _modules(os.path.join(trees, each, "modules"), DEEPEST)
    yield from _modules(os.path.join(repository, "modules"), DEEPEST)


def parts_of(directory: str) -> tuple[set[str], dict[str, bytes | None]]:
    """What is read-only in one directory of git's, there or not; and what stands for a missing one of these.

    Args:
        directory: one of `directories_of`.
    """
    kept = {os.path.join(directory, each) for each in CONTROL}
    nothing = dict(NEUTRAL) if not is_worktrees(directory) else {}
    if settings_of([f"{shared_of(directory)}/config"]).get(("extensions", "worktreeconfig"), "").lower() == "true":
        nothing["config.worktree"] = b""
    if "info/attributes" in nothing and (os.path.islink(info := f"{directory}/info") or not os.path.isdir(info)):
        del nothing["info/attributes"]
        nothing |= {} if os.path.lexists(info) else {"info": None}
    return kept, {os.path.join(directory, name): form for name, form in nothing.items()}


def is_worktrees(directory: str) -> bool:
    """Whether a directory of git's belongs to a worktree that is not the repository's own."""
    return os.path.basename(os.path.dirname(directory)) == "worktrees"


def elsewhere(root: str, home: str) -> Elsewhere | None:
    """The repository of a project that lies elsewhere, if it knows the project as its own; None where there is none.

    Args:
        root: the project root.
        home: the home directory; a repository of that or of what is above it is nobody's project.
    """
    at = root
    while not os.path.lexists(pointer := os.path.join(at, ".git")):
        at = os.path.dirname(at)
        if is_below(home, at) or os.lstat(at).st_uid != os.geteuid():
            return None
    if os.path.isdir(pointer) and not os.path.islink(pointer):
        return Elsewhere(pointer, pointer) if at != root and repository_of(at) == pointer else None
    own = points_to(pointer)
    if own is None or os.path.islink(pointer):
        return None
    if not is_worktrees(own):
        return Elsewhere(own, own) if _tree_of(own) == at else None
    back = os.path.join(own, text_of(f"{own}/gitdir").rstrip("\n"))
    return Elsewhere(shared_of(own), own) if os.path.realpath(back) == os.path.realpath(pointer) else None


def is_plain(directory: str, tops: Collection[str]) -> bool:
    """Whether a new directory of git's says nothing but what git writes there for a clone, a worktree or a submodule.

    Args:
        directory: the directory; what is not written yet says nothing.
        tops: the directories that the box may write.
    """
    if os.path.islink(directory) or not os.path.isdir(directory):
        return False
    hooks, guide = os.path.join(directory, "hooks"), os.path.join(directory, "commondir")
    led = text_of(guide).rstrip("\r\n")
    if os.path.islink(guide) or (led and os.path.realpath(os.path.join(directory, led)) != _belongs_to(directory)):
        return False
    if os.path.islink(hooks) or not all(each.endswith(".sample") for each in names_in(hooks) or ()):
        return False
    return all(_is_harmless(directory, name, tops) for name in ("config", "config.worktree"))


def leads_home(pointer: str, known: Collection[str]) -> bool:
    """Whether a `.git` file leads to a worktree's or a submodule's directory of a repository of the box, or to nothing.

    Args:
        pointer: the file.
        known: directories of git's that the box holds or looks at.
    """
    text = text_of(pointer)
    if text in {"", NOWHERE}:
        return True
    led = os.path.join(os.path.dirname(pointer), text.removeprefix(POINTS).rstrip("\n"))
    if len(led) > LONGEST or "\0" in led:
        return False
    real = os.path.realpath(led)
    return real in known and (is_worktrees(real) or "/modules/" in real)


def is_bare(directory: str) -> bool:
    """Whether git takes a directory for a repository although nothing is called `.git` there."""
    there = [os.path.lexists(os.path.join(directory, name)) for name in ("HEAD", "objects", "refs", "commondir")]
    return os.path.basename(directory) != ".git" and there[0] and (all(there[1:3]) or there[3])


def tree_of(directory: str) -> str | None:
    """The work tree of a directory of git's; None where it has none that is known."""
    if is_worktrees(directory):
        return os.path.dirname(os.path.join(directory, text_of(f"{directory}/gitdir").rstrip("\n"))) or None
    return os.path.dirname(directory) if os.path.basename(directory) == ".git" else _tree_of(directory)


def _belongs_to(directory: str) -> str:
    """The repository that a directory of git's is a part of as its path says; the same where it is a whole one."""
    return os.path.dirname(os.path.dirname(directory)) if is_worktrees(directory) else os.path.realpath(directory)


def _is_harmless(directory: str, name: str, tops: Collection[str]) -> bool:
    """Whether a configuration of git says nothing but what is harmless, in the plain form in which git writes it."""
    path = os.path.join(directory, name)
    settings = None if os.path.islink(path) else plain_settings(directory, name)
    if settings is None:
        try:
            there = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return True  # or it was removed just now, with its directory
        return stat.S_ISREG(there.st_mode) and there.st_size == 0
    return all(
        HARMLESS.fullmatch(key)
        or (key == "core.worktree" and any(is_below(_target(directory, value), each) for each in tops))
        for key, _, value in settings
    )


def _tree_of(module: str) -> str | None:
    """The work tree that a submodule's configuration names."""
    named = settings_of([f"{module}/config"]).get(("core", "worktree"))
    return None if named is None else _target(module, named)


def _target(directory: str, named: str) -> str:
    return os.path.realpath(os.path.join(directory, named))


def _modules(directory: str, left: int) -> Iterator[str]:
    """The directories of git's below `modules`: a submodule's name may have slashes, and it may have some itself."""
    for name in names_in(directory) or ():
        path = os.path.join(directory, name)
        if os.path.isfile(os.path.join(path, "HEAD")):
            yield path
            yield from _modules(os.path.join(path, "modules"), left - 1)
        elif left > 0 and os.path.isdir(path) and not os.path.islink(path):
            yield from _modules(path, left - 1)
