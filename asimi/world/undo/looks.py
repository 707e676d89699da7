"""One look at a project: puts all that is to be kept into the store, and gives what is there as a tree.

Nothing here follows a link or starts a program: each directory is opened by its name in the one above, each file by its
name in its directory, and git's own files are read as files (`ignoring`, `repositories`).

A look remembers what the file system said of each name (inode, time of change, size), so the next one reads only what
is new. A time of change may be as coarse as two seconds, so a file that had just changed when it was read is read
again, as git does (racy-git.txt). The system may note a change through mapped memory only half a minute later.
"""

from __future__ import annotations

import marshal
import os
import stat
import time
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.host.trees import is_held
from asimi.world.undo.ignoring import Globs, Patterns
from asimi.world.undo.repositories import Repository, around, read_patterns
from asimi.world.undo.store import LostError
from asimi.world.undo.trees import DIRECTORY, FILE, LINK, UNKEPT, Entries, Entry, entries_of, pack_entries

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from asimi.world.undo.store import Store

LARGEST = 64 << 20
"""Bytes of the largest file that is kept."""

MOST = 400_000
"""Files that are kept."""

MOST_BYTES = 2 << 30
"""Bytes that all of them may have."""

DEEPEST = 100
"""Levels of directories that are looked through."""

COARSE = 2_000_000_000
"""Nanoseconds that two changes may be apart and have the same time (FAT)."""

TRIES = 3
"""How often a file is read that changes meanwhile."""

TOLD = 20
"""Paths that are named of those that were not kept."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER = _FLAGS | getattr(os, "O_DIRECTORY", 0)

REASONS = {
    "large": "too large",
    "closed": "not readable",
    "special": "not a file or link",
    "except": "named in undo.except",
    "many": "too many files",
    "whole": "too much in all",
    "time": "no time",
    "mount": "another file system",
    "deep": "too deep",
    "room": "no room in limits.state_bytes",
    "ignored": "ignored by git",
}
"""Why something is not kept, in words."""


class Limits(NamedTuple):
    """How much one look keeps.

    Attributes:
        file: bytes of the largest file.
        files: how many.
        bytes: how many bytes in all.
        seconds: how long it may take.
    """

    file: int = LARGEST
    files: int = MOST
    bytes: int = MOST_BYTES
    seconds: float = 30.0


class Unkept(NamedTuple):
    """Something that is there and is not kept.

    Attributes:
        path: from the root.
        size: its bytes, as far as they are known.
        why: a key of `REASONS`.
    """

    path: str
    size: int
    why: str


class Look(NamedTuple):
    """What a look found.

    Attributes:
        root: the digest of the root's tree.
        files: how many files and links are kept.
        bytes: how many bytes they have.
        unkept: what is not, the largest first, cut off after `TOLD`.
        counts: how much is not, by the reason.
        seconds: how long it took.
        read: how many files were read, because they are new or may have changed.
    """

    root: bytes
    files: int
    bytes: int
    unkept: tuple[Unkept, ...]
    counts: Mapping[str, int]
    seconds: float
    read: int


class Row(NamedTuple):
    """What the last look found in one directory.

    Attributes:
        stamps: name, time of change, inode and size of each name that is no directory, one behind the other.
        chain: the digest of the patterns that count there.
        tracked: the digest of the names that git tracks, where some are ignored.
        ignored: the names that are left out, each with whether it is a directory.
        racy: the names that must be read again.
        children: name, mode and digest of each directory that is looked through, and whether git ignores it.
        tree: the digest of what it holds.
        files: how many files are kept in it, without those in its directories.
        bytes: how many bytes they have.
        unkept: name, size and reason of what is not kept.
        holds: whether it has a `.git`.
    """

    stamps: bytes
    chain: bytes
    tracked: bytes
    ignored: dict[str, bool]
    racy: tuple[str, ...]
    children: tuple[tuple[str, int, bytes, bool], ...]
    tree: bytes
    files: int
    bytes: int
    unkept: tuple[tuple[str, int, str], ...]
    holds: bool


Rows = dict[str, Row]


class KeepGlobs(NamedTuple):
    """What a person says of what is kept.

    Attributes:
        include: what is kept although git ignores it.
        without: what is never kept.
    """

    include: Globs
    without: Globs


class Ground(NamedTuple):
    """What counts in one directory.

    Attributes:
        repository: around it; None for none.
        patterns: what git ignores there.
        lead: what comes before a path from the root, to make it one from the top of the repository.
        skip: how many characters of it are left out.
        listed: whether all of it is ignored but for what is tracked or included.
    """

    repository: Repository | None = None
    patterns: Patterns | None = None
    lead: str = ""
    skip: int = 0
    listed: bool = False

    def inside(self, path: str) -> str:
        """A path from the top of the repository."""
        return f"{self.lead}{path[self.skip :]}"

    @property
    def chain(self) -> bytes:
        """A digest of all that decides what is ignored here."""
        return (b"" if self.patterns is None else self.patterns.ident) + (b"l" if self.listed else b"")

    def ignores(self, path: str, name: str, *, directory: bool) -> bool:
        """Whether git ignores something in this directory, unless it tracks it."""
        if self.listed:
            return True
        return self.patterns is not None and self.patterns.ignores(self.inside(path), name, directory=directory)


def ground_of(root: str) -> Ground:
    """What counts in the root, before its own patterns."""
    repository = around(root)
    if repository is None:
        return Ground()
    patterns = general_patterns(repository)
    below = os.path.relpath(root, repository.top)
    if below == ".":
        return Ground(repository, patterns)
    at, path = repository.top, ""
    for name in below.split("/"):
        content = read_patterns(f"{at}/.gitignore") if not os.path.islink(f"{at}/.gitignore") else b""
        patterns = Patterns(patterns, f"{path}/".lstrip("/"), content, fold=repository.fold) if content else patterns
        at, path = f"{at}/{name}", f"{path}/{name}".lstrip("/")
        if patterns.ignores(path, name, directory=True):
            return Ground()  # a repository that knows nothing of this project: a home under version control
    return Ground(repository, patterns, f"{below}/")


def general_patterns(repository: Repository) -> Patterns:
    """The patterns that are in no directory of a repository."""
    patterns: Patterns | None = None
    for content in repository.general:
        patterns = Patterns(patterns, "", content, fold=repository.fold, general=True)
    assert patterns is not None  # there are two
    return patterns


def ground_below(root: str, path: str, ground: Ground, content: bytes, *, holds: bool) -> Ground:
    """What counts in a directory.

    Args:
        root: the project root.
        path: of the directory from there; empty for the root.
        ground: what counts in the directory above.
        content: of its `.gitignore`.
        holds: whether it has a `.git`.
    """
    if holds and path:
        nested = around(f"{root}/{path}")
        if nested is not None and nested.top == f"{root}/{path}":
            ground = Ground(nested, general_patterns(nested), "", len(path) + 1, ground.listed)
    if content and ground.repository is not None:
        base = ground.inside(f"{path}/") if path else ground.lead
        ground = ground._replace(patterns=Patterns(ground.patterns, base, content, fold=ground.repository.fold))
    return ground


class Looker:
    """Looks at a project.

    Args:
        root: its real path.
        store: keeps the contents.
        wanted: what a person says.
        rows: what the last look found; none of it where the store or the patterns are others.
        without: device and inode of directories that are asimi's own.
        limits: how much is kept.
        stamps: of the index of each repository, with the digest of its names, as the last look found them.
    """

    def __init__(
        self,
        root: str,
        store: Store,
        wanted: KeepGlobs,
        rows: Rows,
        without: Collection[tuple[int, int]],
        limits: Limits,
        stamps: Mapping[str, tuple[tuple[int, ...], bytes]],
    ) -> None:
        self._root, self._store, self._wanted, self._limits = root, store, wanted, limits
        self._old, self._without, self._stamps = rows, without, stamps
        self.rows: Rows = {}
        self.stamps: dict[str, tuple[tuple[int, ...], bytes]] = {}
        self._files = self._bytes = self._read = 0
        self._began = time.monotonic()
        self._unkept: list[Unkept] = []
        self._device = 0

    def look(self) -> Look:
        """Look at all of it.

        Raises:
            OSError: the root cannot be opened, or there is no room in the store.
        """
        descriptor = open_directory(self._root)
        try:
            self._device = os.fstat(descriptor).st_dev
            entry = self._directory(descriptor, "", ground_of(self._root), 0)
        finally:
            os.close(descriptor)
        self._store.flush()
        counts: dict[str, int] = {}
        for each in self._unkept:
            counts[each.why] = counts.get(each.why, 0) + 1
        told = tuple(sorted(self._unkept, key=lambda each: -each.size)[:TOLD])
        seconds = time.monotonic() - self._began
        return Look(entry.digest, self._files, self._bytes, told, counts, seconds, self._read)

    @property
    def _late(self) -> bool:
        return time.monotonic() - self._began > self._limits.seconds

    def _directory(self, descriptor: int, path: str, above: Ground, depth: int) -> Entry:
        """Look at one directory, which is open."""
        mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
        old = self._old.get(path)
        found = _list_names(descriptor, {} if old is None else old.ignored)
        content = _patterns_in(descriptor) if ".gitignore" in found.named else b""
        ground = ground_below(self._root, path, above, content, holds=found.holds)
        anew = old is not None and old.chain != ground.chain
        if old is not None and not anew and (old.ignored or ground.listed):
            anew = old.tracked != self._tracked_digest(ground)
        if anew and old is not None and old.ignored:
            found = _list_names(descriptor, {})
        if old is not None and not anew and not old.racy and found.holds == old.holds:
            same = marshal.dumps(found.named, 2) == old.stamps and len(found.folders) == len(old.children)
            same = same and {each[0] for each in old.children}.issuperset(found.folders)
            if same and self._files + old.files <= self._limits.files and not self._late:
                return self._reuse_row(descriptor, path, ground, depth, old, mode)
        return self._rescan(descriptor, path, ground, depth, old, mode, found, anew=anew)

    def _reuse_row(self, descriptor: int, path: str, ground: Ground, depth: int, old: Row, mode: int) -> Entry:
        """A directory whose own names are what they were; only what is below it may not be."""
        self._count(path, old)
        if not old.children:
            self.rows[path] = old
            return Entry(DIRECTORY, mode, 0, old.tree)
        below = {
            name: (self._below(descriptor, path, name, ground._replace(listed=listed), depth, known=True), listed)
            for name, _, _, listed in old.children
        }
        children = tuple(_child(name, *each) for name, each in below.items() if each[0] is not None)
        if children == old.children:
            self.rows[path] = old
            return Entry(DIRECTORY, mode, 0, old.tree)
        try:
            entries = entries_of(self._store, old.tree)
        except LostError:
            return self._rescan(descriptor, path, ground, depth, None, mode, _list_names(descriptor, {}))
        for name, (each, _) in below.items():
            entries.pop(name, None)
            if each is not None:
                entries[name] = each
        tree = self._store.put(pack_entries(entries))
        self.rows[path] = old._replace(tree=tree, children=children)
        return Entry(DIRECTORY, mode, 0, tree)

    def _rescan(
        self,
        descriptor: int,
        path: str,
        ground: Ground,
        depth: int,
        old: Row | None,
        mode: int,
        found: Listing,
        *,
        anew: bool = False,
    ) -> Entry:
        """A directory that has to be looked at name by name; `anew` if what is ignored may be other names."""
        named, before = found.named, Entries()
        known: dict[str, tuple[int, int, int]] = {}
        if old is not None:
            with suppress(LostError):
                before = entries_of(self._store, old.tree)
                known = marshal.loads(old.stamps)  # noqa: S302 - of a file that only we can write
        ignored = {} if old is None or anew else {**old.ignored}
        again = () if old is None else old.racy
        entries: Entries = {}
        racy: list[str] = []
        unkept: list[tuple[str, int, str]] = []
        files = size = 0
        for name, stamp in list(named.items()):
            entry = was = before.get(name)
            at = f"{path}/{name}" if path else name
            fresh = was is None or was.kind == UNKEPT or known.get(name) != stamp or name in again
            if (fresh or anew) and self._leaves(at, name, ground, directory=False):
                ignored[name] = False
                del named[name]
                continue
            if fresh:
                room = self._files + files < self._limits.files and self._bytes + size < self._limits.bytes
                entry, late = self._entry(descriptor, at, name, room=room)
                racy += [name] if late or entry is None else []
            if entry is None:
                continue  # it is gone
            entries[name] = entry
            if entry.kind == UNKEPT:
                unkept.append((name, entry.size, entry.digest.decode()))
            else:
                files, size = files + 1, size + entry.size
        self._files, self._bytes = self._files + files, self._bytes + size
        self._unkept += _unkept(path, unkept)
        children: list[tuple[str, int, bytes, bool]] = []
        for name in found.folders:
            below = self._below(descriptor, path, name, ground, depth)
            if below is None:
                ignored[name] = True
            else:
                entries[name] = below
                if below.kind == DIRECTORY:
                    at = f"{path}/{name}" if path else name  # which git may ignore though something of it is kept
                    children.append(_child(name, below, ground.listed or ground.ignores(at, name, directory=True)))
        tree = self._store.put(pack_entries(entries))
        tracked = self._tracked_digest(ground) if ignored or ground.listed else b""
        stamps = marshal.dumps(named, 2)
        self.rows[path] = Row(
            stamps,
            ground.chain,
            tracked,
            ignored,
            tuple(racy),
            tuple(children),
            tree,
            files,
            size,
            tuple(unkept),
            found.holds,
        )
        return Entry(DIRECTORY, mode, 0, tree)

    def _below(
        self, descriptor: int, path: str, name: str, ground: Ground, depth: int, *, known: bool = False
    ) -> Entry | None:
        """A directory in another one; None where it is left out. `known` if that is as it was."""
        at = f"{path}/{name}" if path else name
        if not known and self._wanted.without and self._wanted.without.has(at):
            return self._leave_out(at, "except")
        if not known and ground.ignores(at, name, directory=True):
            if not self._leads(at, ground):
                return None
            ground = ground._replace(listed=True)
        try:
            inner = os.open(name, _FOLDER, dir_fd=descriptor)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            return self._leave_out(at, "closed")
        try:
            there = os.fstat(inner)
            if (there.st_dev, there.st_ino) in self._without:
                return None
            if there.st_dev != self._device:
                return self._leave_out(at, "mount")
            if depth >= DEEPEST:
                return self._leave_out(at, "deep")
            if self._late:
                return self._leave_out(at, "time")
            entry = self._directory(inner, at, ground, depth + 1)
        except PermissionError:
            return self._leave_out(at, "closed")
        finally:
            os.close(inner)
        row = self.rows[at]  # of an ignored directory, what holds nothing that is kept is left out
        return None if ground.listed and not (row.files or row.children) else entry

    def _leave_out(self, path: str, why: str) -> Entry:
        self._unkept.append(Unkept(path, 0, why))
        return Entry(UNKEPT, 0, 0, why.encode())

    def _leaves(self, path: str, name: str, ground: Ground, *, directory: bool) -> bool:
        """Whether a file is left out because git ignores it."""
        if not ground.ignores(path, name, directory=directory):
            return False
        return not (self._wanted.include.has(path) or (ground.repository and _tracks(ground, path)))

    def _leads(self, path: str, ground: Ground) -> bool:
        """Whether something of an ignored directory is kept all the same."""
        include = self._wanted.include
        if include and (include.has(path) or include.may_be_below(path)):
            return True
        return ground.repository is not None and ground.inside(path) in ground.repository.tracked_files.above

    def _entry(self, descriptor: int, path: str, name: str, *, room: bool) -> tuple[Entry | None, bool]:
        """A name that is no directory, read; and whether it has to be read again the next time."""
        if self._wanted.without and self._wanted.without.has(path):
            return Entry(UNKEPT, 0, 0, b"except"), False
        try:
            there = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            mode = stat.S_IMODE(there.st_mode)
            if stat.S_ISLNK(there.st_mode):
                text = os.fsencode(os.readlink(name, dir_fd=descriptor))
                self._read += 1
                return Entry(LINK, 0o777, len(text), self._store.put(text)), _is_racy(there)
            if not stat.S_ISREG(there.st_mode):
                return Entry(UNKEPT, mode, 0, b"special"), False
            why = "large" if there.st_size > self._limits.file else "time" if self._late else "" if room else "many"
            why = why or ("" if self._store.fits(there.st_size) else "room")
            if why:
                return Entry(UNKEPT, mode, there.st_size, why.encode()), why != "large"
            self._read += 1
            content, late = read_file(descriptor, name, self._limits.file)
        except FileNotFoundError:
            return None, True
        except PermissionError:
            return Entry(UNKEPT, 0, 0, b"closed"), False
        if content is None:
            return Entry(UNKEPT, mode, there.st_size, b"special"), True
        return Entry(FILE, mode, len(content), self._store.put(content)), late

    def _count(self, path: str, row: Row) -> None:
        self._files, self._bytes = self._files + row.files, self._bytes + row.bytes
        if row.unkept:
            self._unkept += _unkept(path, row.unkept)

    def _tracked_digest(self, ground: Ground) -> bytes:
        """The digest of the names that git tracks; they are read only where the index has changed."""
        repository = ground.repository
        if repository is None:
            return b""
        if repository.top not in self.stamps:
            stamp = repository.index_stamp
            known = self._stamps.get(repository.top)
            same = known is not None and known[0] == stamp
            self.stamps[repository.top] = (
                known if known is not None and same else (stamp, repository.tracked_files.ident)
            )
        return self.stamps[repository.top][1]


def _unkept(path: str, found: Iterable[tuple[str, int, str]]) -> Iterator[Unkept]:
    """What is not kept of a directory, by its paths."""
    return (Unkept(f"{path}/{name}".lstrip("/"), size, why) for name, size, why in found)


def _tracks(ground: Ground, path: str) -> bool:
    """Whether git tracks a file; where its index cannot be read, it may."""
    assert ground.repository is not None  # as its caller has seen
    names = ground.repository.tracked_files.names
    return names is None or ground.inside(path) in names


class Listing(NamedTuple):
    """The names in a directory.

    Attributes:
        named: those that are no directories, with time of change, inode and size.
        folders: the directories.
        holds: whether there is a `.git`.
    """

    named: dict[str, tuple[int, int, int]]
    folders: list[str]
    holds: bool


def _list_names(descriptor: int, ignored: Mapping[str, bool]) -> Listing:
    """The names in a directory but for those that are ignored, and for what holds a missing name for a box."""
    named: dict[str, tuple[int, int, int]] = {}
    folders, holds = [], False
    with os.scandir(descriptor) as entries:
        for entry in entries:
            name = entry.name
            if name == ".git":
                holds = True
            elif entry.is_dir(follow_symlinks=False):
                if not ignored.get(name, False) and not _holds(descriptor, entry):
                    folders.append(name)
            elif name not in ignored or ignored[name]:
                try:
                    there = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                named[name] = there.st_ctime_ns, there.st_ino, there.st_size
    return Listing(named, folders, holds)


def _holds(descriptor: int, entry: os.DirEntry[str]) -> bool:
    """Whether all that a directory does is to hold its name (`trees.holds_name`)."""
    with suppress(OSError):
        if is_held(entry.stat(follow_symlinks=False)):
            inner = os.open(entry.name, _FOLDER, dir_fd=descriptor)
            try:
                return not os.listdir(inner)
            finally:
                os.close(inner)
    return False


def _child(name: str, entry: Entry | None, listed: bool) -> tuple[str, int, bytes, bool]:  # noqa: FBT001 - a row's
    assert entry is not None  # as its caller has seen
    return name, entry.mode, entry.digest, listed


def _patterns_in(descriptor: int) -> bytes:
    """What the `.gitignore` of an open directory holds; git follows no link there."""
    with suppress(OSError):
        content, _ = read_file(descriptor, ".gitignore", LARGEST)
        return content or b""
    return b""


def read_file(descriptor: int, name: str, most: int) -> tuple[bytes | None, bool]:
    """What a regular file in an open directory holds, and whether it may change without a sign.

    Returns:
        The content, None where it is no regular file or too large; and whether it must be read again the next time.

    Raises:
        OSError: it cannot be read.
    """
    for _ in range(TRIES):
        file = os.open(name, _FLAGS, dir_fd=descriptor)
        try:
            there = os.fstat(file)
            if not stat.S_ISREG(there.st_mode) or there.st_size > most:
                return None, True
            content = _content(file, there.st_size, most)
            after = os.fstat(file)
        finally:
            os.close(file)
        if content is not None and (after.st_ctime_ns, after.st_size) == (there.st_ctime_ns, there.st_size):
            return content, _is_racy(there)
    return content, True


def _content(file: int, size: int, most: int) -> bytes | None:
    content = os.read(file, size + 1)
    if len(content) == size:
        return content
    pieces = [content]
    while piece := os.read(file, 1 << 20):
        pieces.append(piece)
        size += len(piece)
        if size > most << 1:
            return None
    return b"".join(pieces)


def _is_racy(there: os.stat_result) -> bool:
    """Whether a file may change again and keep the same time of change."""
    return there.st_ctime_ns > time.time_ns() - COARSE


def open_directory(path: str) -> int:
    """A descriptor of a directory at a real path, opened name by name, so no link is followed on the way.

    Raises:
        OSError: there is a link on the way, or it is no directory, or closed.
    """
    descriptor = os.open("/", _FOLDER)
    for name in filter(None, path.split("/")):
        try:
            inner = os.open(name, _FOLDER, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


def rules_ident(wanted: Sequence[Sequence[str]], limits: Limits) -> bytes:
    """A digest of all that decides what is kept beside the project itself."""
    return sha256(repr((tuple(map(tuple, wanted)), limits)).encode("utf-8", "surrogateescape")).digest()
