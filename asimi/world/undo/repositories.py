"""Reads git's own files of a repository, without git, which would start what its configuration names.

Sources: gitrepository-layout(5), gitformat-index(5).
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.host.git_index import LARGEST_INDEX, entries_in
from asimi.world.host.git_settings import GLOBAL, has_sha256, settings_in
from asimi.world.host.repositories import MOST, bytes_of, repository_of, shared_of, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LARGEST = 4 << 20
"""Bytes of a file of patterns that are looked at."""

MOST_BRANCHES = 10_000

LARGEST_KEPT = 2 << 20
"""Bytes of the largest index that is noted."""


class Tracked(NamedTuple):
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
        self._tracked: Tracked | None = None

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
    def tracked(self) -> Tracked:
        """The names that it tracks."""
        if self._tracked is None:
            names = _names(self.own, 32 if has_sha256(self.shared) else 20)
            ident = b"?" if names is None else sha256("\0".join(names).encode("utf-8", "surrogateescape")).digest()
            above = set[str]()
            for name in names or ():
                while (name := name.rpartition("/")[0]) and name not in above:
                    above.add(name)
            self._tracked = Tracked(None if names is None else frozenset(names), frozenset(above), ident)
        return self._tracked


def around(path: str) -> Repository | None:
    """The repository whose work tree a real directory is in; None where it is in none, or that is not plain."""
    at = path
    while not os.path.lexists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above
    own = repository_of(at)
    if own is None or not (own == os.path.join(at, ".git") or not os.path.isdir(os.path.join(at, ".git"))):
        return None if os.path.dirname(at) == at else around(os.path.dirname(at))
    return None if os.path.isfile(own) else Repository(at, own)


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


class Noted(NamedTuple):
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


def noted(repository: Repository, keep: Callable[[bytes], bytes]) -> Noted:
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
    return Noted(text_of(f"{repository.own}/HEAD").strip(), branches, stashes, kept)


def is_whole(repository: Repository, stands: Noted) -> bool:
    """Whether a note tells all of where a repository stands: each branch, the whole stash, and its index."""
    for path, most in (
        (f"{repository.own}/index", LARGEST_KEPT),
        (f"{repository.shared}/packed-refs", MOST),
        (f"{repository.shared}/logs/refs/stash", MOST),
    ):
        with suppress(OSError):
            if os.stat(path).st_size >= most:
                return False
    elsewhere = os.path.lexists(f"{repository.shared}/reftable") or repository.tracked.names is None
    unlogged = os.path.lexists(f"{repository.shared}/refs/stash") and not stands.stashes
    return bool(stands.head) and len(stands.branches) < MOST_BRANCHES and not (elsewhere or unlogged)


def digest_of(content: bytes) -> bytes:
    """The digest by which what is kept is found."""
    return sha256(content).digest()
