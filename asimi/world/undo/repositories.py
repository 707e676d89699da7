"""Reads git's own files of a repository, without git, which would start what its configuration names.

Sources: gitrepository-layout(5), gitformat-index(5).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.call import above
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple
from asimi.world.host.git import Git
from asimi.world.host.git_index import LARGEST_INDEX, entries_in
from asimi.world.host.git_settings import GLOBAL, has_sha256, settings_in
from asimi.world.host.repositories import MOST, bytes_of, repository_of, shared_of, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


LARGEST = 4 << 20
"""Bytes of a file of patterns that are looked at."""

MOST_BRANCHES = 10_000

LARGEST_KEPT = 2 << 20
"""Bytes of the largest index that is noted."""


class TrackedFiles(NamedTuple):
    """The names that a repository tracks.

    Attributes:
        names: the paths from its top; None where its index cannot be read.
        above: the directories that these are in.
        ident: a digest of all names.
    """

    names: frozenset[str] | None
    above: frozenset[str]
    ident: bytes


class Repository:
    """A repository around files of the project.

    Args:
        top: the real path of its work tree.
        own: what holds it: its `.git`, or what that points to.
    """

    def __init__(self, top: str, own: str) -> None:
        self.top, self.own, self.shared = top, own, shared_of(own)
        settings = [
            (section, key, value)
            for file in (*map(os.path.expanduser, GLOBAL), f"{self.shared}/config")
            for section, key, value in settings_in(text_of(file))
            if section == "core"
        ]
        self.fold = any(key == "ignorecase" and value.lower() == "true" for _, key, value in settings)
        excluded = [value for _, key, value in settings if key == "excludesfile"]
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        self.excludes = os.path.join(top, os.path.expanduser(excluded[-1] if excluded else f"{base}/git/ignore"))
        self._tracked: TrackedFiles | None = None

    @property
    def general(self) -> tuple[bytes, ...]:
        """The patterns of no directory: those of the person, and those of this repository alone, which count more."""
        return read_patterns(self.excludes), read_patterns(f"{self.shared}/info/exclude")

    @property
    def index_stamp(self) -> tuple[int, ...]:
        """What changes when the index does."""
        try:
            there = os.stat(f"{self.own}/index")
        except OSError:
            return ()
        return there.st_ino, there.st_ctime_ns, there.st_size

    @property
    def tracked_files(self) -> TrackedFiles:
        """The names that it tracks."""
        if self._tracked is None:
            names = _names(self.own, 32 if has_sha256(self.shared) else 20)
            ident = b"?" if names is None else sha256("\0".join(names).encode("utf-8", "surrogateescape")).digest()
            above = set[str]()
            for name in names or ():
                while (name := name.rpartition("/")[0]) and name not in above:
                    above.add(name)
            self._tracked = TrackedFiles(None if names is None else frozenset(names), frozenset(above), ident)
        return self._tracked


def around(path: str) -> Repository | None:
    """The repository whose work tree a real directory is in; None where it is in none, or that is not plain."""
    for at in (path, *above(path)):
        git = os.path.join(at, ".git")
        own = repository_of(at) if os.path.lexists(git) else None
        if own is not None and (own == git or not os.path.isdir(git)):
            return None if os.path.isfile(own) else Repository(at, own)
    return None


def read_patterns(path: str) -> bytes:
    """What a file of patterns holds outside of work trees; nothing where it is no file."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            return file.read(LARGEST)
    return b""


def _names(directory: str, size: int) -> list[str] | None:
    """The paths in an index; None where it cannot be read, or does not hold all of them (`split index`)."""
    index = bytes_of(path := f"{directory}/index", LARGEST_INDEX * 4 + 1)
    if index is None:
        return None if os.path.lexists(path) else []
    if len(index) > LARGEST_INDEX * 4:
        return None
    if b"link" in index[-65536:] and any(name.startswith("sharedindex.") for name in os.listdir(directory)):
        return None
    try:
        return [os.fsdecode(name) for _, name in entries_in(index, size)]
    except (IndexError, ValueError):
        return None


class GitState(NamedTuple):
    """Where a repository stood, so that a person can go back there by git.

    Attributes:
        head: what HEAD held.
        branches: the commit of each branch.
        stashes: the commits of the stash, the last one first.
        staged: the digest of the index.
    """

    head: str = ""
    branches: Mapping[str, str] = {}
    stashes: tuple[str, ...] = ()
    staged: str = ""


def git_state_of(repository: Repository, keep: Callable[[bytes], bytes]) -> GitState:
    """Where a repository stands now.

    Args:
        repository: the repository.
        keep: keeps the content of the index, and gives its digest.
    """
    branches: dict[str, str] = {}
    shared, heads = repository.shared, f"{repository.shared}/refs/heads"
    for line in text_of(f"{shared}/packed-refs").splitlines():
        commit, _, ref = line.partition(" ")
        if ref.startswith("refs/heads/") and len(branches) < MOST_BRANCHES:
            branches[ref.removeprefix("refs/heads/")] = commit
    for directory, _, names in os.walk(heads):
        for name in names:
            if len(branches) < MOST_BRANCHES and (commit := text_of(f"{directory}/{name}").strip()):
                branches[os.path.relpath(f"{directory}/{name}", heads)] = commit
    lines = text_of(f"{shared}/logs/refs/stash").splitlines()
    stashes = tuple(line.split(" ", 2)[1] for line in reversed(lines) if line.count(" ") > 1)
    index = b""
    with suppress(OSError), open(f"{repository.own}/index", "rb") as file:
        index = file.read(LARGEST_KEPT + 1)
    kept = keep(index).hex() if 0 < len(index) <= LARGEST_KEPT else ""
    return GitState(text_of(f"{repository.own}/HEAD").strip(), branches, stashes, kept)


def is_whole(repository: Repository, stands: GitState) -> bool:
    """Whether a note tells all of where a repository stands: each branch, the whole stash, and its index."""
    for path, most in (
        (f"{repository.own}/index", LARGEST_KEPT),
        (f"{repository.shared}/packed-refs", MOST),
        (f"{repository.shared}/logs/refs/stash", MOST),
    ):
        with suppress(OSError):
            if os.stat(path).st_size >= most:
                return False
    elsewhere = os.path.lexists(f"{repository.shared}/reftable") or repository.tracked_files.names is None
    unlogged = os.path.lexists(f"{repository.shared}/refs/stash") and not stands.stashes
    return bool(stands.head) and len(stands.branches) < MOST_BRANCHES and not (elsewhere or unlogged)


def digest_of(content: bytes) -> bytes:
    """The digest by which what is kept is found."""
    return sha256(content).digest()


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


def changed_paths(own: str, before: str, after: str) -> set[str] | None:
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
