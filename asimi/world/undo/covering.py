"""Tells whether what a command removes would come back: each path by itself, as it is on the disk now.

A path is *kept* if a look keeps it and all below it, which it does not if git ignores it. It is *rebuilt* if git
ignores it, `undo.rebuild` lists its name or that of a directory that it is in, and git tracks nothing there. The
patterns that ignore it must be those of the session's start, so that nobody can turn work into what may go.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.call import Loss, is_below
from asimi.core.values import NamedTuple
from asimi.world.undo.ignoring import Globs
from asimi.world.undo.looks import (
    LARGEST,
    REASONS,
    Ground,
    KeepGlobs,
    Limits,
    ground_below,
    ground_of,
    open_directory,
    read_file,
)
from asimi.world.undo.repositories import around, digest_of, files_of, git_state_of, is_whole
from asimi.world.undo.store import LostError
from asimi.world.undo.trees import DIRECTORY, FILE, LINK, Entries, Entry, entries_of, found_at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from asimi.core.call import Undo
    from asimi.world.undo.repositories import GitState
    from asimi.world.undo.store import Store

REPOSITORY = "a repository"
"""Why what git itself has is not kept, all of it or a part (`.git/objects`)."""

KEPT, REBUILT = "kept", "rebuilt"
"""The two good answers about a path; any other says in words why it is not kept."""

MOST = 20_000
"""Names of one path that are looked at."""

LONGEST = 1.0
"""Seconds that one look may take; after these, the answer is that it is not kept."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class _No(Exception):
    """Why something is not kept."""


class KeptContents(NamedTuple):
    """What a look has kept, to read it back.

    Attributes:
        store: holds the contents.
        root: the digest of the tree.
        stands: where the repository stood.
    """

    store: Store
    root: bytes
    stands: GitState


class Cover:
    """Tells of paths whether they are kept.

    Args:
        root: the project root, a real path.
        undo: what a person says.
        limits: how much is kept.
        settled: gives the digest of each file of patterns at the start of the session; None if that is not known.
        without: device and inode of directories that are asimi's own.
    """

    def __init__(
        self,
        root: str,
        undo: Undo,
        limits: Limits,
        settled: Callable[[], Mapping[str, str] | None],
        without: Collection[tuple[int, int]] = (),
    ) -> None:
        self._root, self._undo, self._limits, self._settled, self._without = root, undo, limits, settled, without
        self._wanted = KeepGlobs(Globs(undo.include), Globs(undo.without))
        self._left, self._end = 0, 0.0
        self._rebuilt = False
        self._asked = ""  # the path, from the root, that is looked at

    def says(self, loss: Loss, kept: KeptContents | None = None) -> str:
        """`kept`, `rebuilt`, or why it is neither, in words.

        Args:
            loss: what may go.
            kept: what was kept, if it is to be read back: then each file is compared with what the store has.
        """
        match loss.part:
            case "all":
                return self._whole(loss.path, kept)
            case "tracked":
                return self._tracked_files(loss.path, kept)
            case "noted":
                return self._stands(loss.path, kept)
            case "untracked":
                return self._brought(loss.path, loss.commit, kept)

    def _whole(self, path: str, kept: KeptContents | None) -> str:
        """The same of a file, or of a directory with all below it."""
        if not path.startswith(f"{self._root.rstrip('/')}/"):
            return "outside of the project" if os.path.lexists(path) else KEPT
        self._asked = path[len(self._root.rstrip("/")) + 1 :]
        names = self._asked.split("/")
        if ".git" in names:
            return REPOSITORY
        self._left, self._end, self._rebuilt = MOST, time.monotonic() + LONGEST + (60 if kept else 0), False
        try:
            descriptor = open_directory(self._root)
        except OSError:
            return REASONS["closed"]
        ground, at, rebuilt = ground_of(self._root), "", False
        try:
            for number, name in enumerate(names):
                ground = self._ground_below(descriptor, at, ground)
                at = f"{at}/{name}" if at else name
                rebuilt = rebuilt or self._is_rebuilt(at, name, ground, descriptor)
                if number == len(names) - 1:
                    was = None if kept is None else found_at(kept.store, kept.root, at)
                    self._name(descriptor, at, name, ground, was, kept, rebuilt=rebuilt)
                    break
                if not rebuilt and not ground.listed and ground.ignores(at, name, directory=True):
                    ground = ground._replace(listed=True)
                inner = os.open(name, _FLAGS, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
                _refuse_repository({*os.listdir(inner)} - {".git"})
        except _No as no:
            return str(no)
        except (FileNotFoundError, NotADirectoryError):
            return REBUILT if rebuilt else KEPT  # nothing is there to lose
        except (OSError, LostError):
            return REASONS["closed"]
        finally:
            os.close(descriptor)
        return REBUILT if self._rebuilt else KEPT

    def _brought(self, top: str, commit: str, kept: KeptContents | None) -> str:
        """The same answer for what git does not track where it would put the files of a commit."""
        repository = around(top)
        files = None if repository is None or repository.top != top else files_of(repository, commit)
        if repository is None or files is None or repository.tracked_files.names is None:
            return "more than asimi reads of a repository"
        for name in sorted(files - repository.tracked_files.names):
            parts = name.split("/")
            for number in range(1, len(parts) + 1):
                path = "/".join((top, *parts[:number]))
                if not os.path.lexists(path):
                    break
                whole = number == len(parts) or os.path.islink(path) or not os.path.isdir(path)
                if whole and (said := self._whole(path, kept)) not in {KEPT, REBUILT}:
                    return said
        return KEPT

    def _stands(self, top: str, kept: KeptContents | None) -> str:
        """The same answer for where the repository of the project stands."""
        repository = around(top)
        if repository is None or not repository.top == top == self._root:
            return "no repository of the project's own"
        stands = git_state_of(repository, digest_of)
        if not is_whole(repository, stands):
            return "more than asimi notes of a repository"
        staged = bytes.fromhex(stands.staged)
        if kept is not None and (kept.stands != stands or (staged and staged not in kept.store)):
            return "not kept"
        return KEPT

    def _tracked_files(self, top: str, kept: KeptContents | None) -> str:
        """The same answer for all that git tracks in a work tree.

        It does not read again what a look has just kept; the look says of each name whether it has it.
        """
        ground = ground_of(self._root)
        repository = ground.repository if top == self._root else around(top)
        if repository is None or repository.top != top or not is_below(top, self._root):
            return "outside of the project"
        names, lead = repository.tracked_files.names, top[len(self._root) :].strip("/")
        if names is None:
            return "an index of git's that cannot be read"
        trees: dict[bytes, Entries] = {}
        for name in names:
            path = f"{lead}/{name}".lstrip("/")
            try:
                there = os.lstat(f"{self._root}/{path}")
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                return REASONS["closed"]
            if stat.S_ISDIR(there.st_mode):
                continue  # a submodule, which stays as it is
            if self._wanted.without and self._wanted.without.has(path):
                return REASONS["except"]
            if not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
                return REASONS["special"]
            if there.st_size > self._limits.file:
                return REASONS["large"]
            if kept is not None:
                was = found_at(kept.store, kept.root, path, trees)
                if was is None or was.kind not in {FILE, LINK} or was.digest not in kept.store:
                    return "not kept"
                if was.size != there.st_size:
                    return "changing"
        return KEPT

    def _ground_below(self, descriptor: int, path: str, ground: Ground) -> Ground:
        content: bytes | None = b""
        holds = False
        with suppress(OSError):
            os.stat(".git", dir_fd=descriptor, follow_symlinks=False)
            holds = True
        with suppress(OSError):
            content, _ = read_file(descriptor, ".gitignore", LARGEST)
        return ground_below(self._root, path, ground, content or b"", holds=holds)

    def _is_rebuilt(self, path: str, name: str, ground: Ground, descriptor: int) -> bool:
        """Whether something is no link, git ignores it, and a person says that it is made again."""
        if name not in self._undo.rebuild or ground.repository is None:
            return False
        folder = True  # what is not there yet counts as a directory
        with suppress(FileNotFoundError):
            there = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            folder = stat.S_ISDIR(there.st_mode)
            if stat.S_ISLNK(there.st_mode):
                return False
        if not (ground.listed or ground.ignores(path, name, directory=folder)):
            return False
        tracked, inside = ground.repository.tracked_files, ground.inside(path)
        if tracked.names is None or inside in tracked.above or inside in tracked.names:
            return False
        settled = self._settled()
        if settled is None or ground.patterns is None:
            return True
        top = ground.repository.top
        files = {f"{top}:{name}": own.hex() for name, own in ground.patterns.files() if name}
        return settled.items() >= (files | {f"{top}:": general_of(ground)}).items()

    def _name(
        self,
        descriptor: int,
        path: str,
        name: str,
        ground: Ground,
        was: Entry | None,
        kept: KeptContents | None,
        *,
        rebuilt: bool,
    ) -> None:
        """Look at one name and all below it.

        Raises:
            _No: something of it is neither kept nor rebuilt.
            OSError: something of it cannot be looked at.
        """
        self._left -= 1
        if self._left < 0 or time.monotonic() > self._end:
            raise _No("more than can be looked through")
        there = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
        folder = stat.S_ISDIR(there.st_mode)
        if (there.st_dev, there.st_ino) in self._without:
            raise _No("asimi's own")
        if rebuilt or self._is_rebuilt(path, name, ground, descriptor):
            self._rebuilt = True
            if folder:
                self._only_files(descriptor, name)
            return
        if self._wanted.without and self._wanted.without.has(path):
            raise _No(REASONS["except"])
        if folder:
            self._folder(descriptor, path, name, ground, was, kept)
            return
        if ground.ignores(path, name, directory=False) and not self._is_kept_all_the_same(path, ground):
            alone = path != self._asked and not ground.listed
            raise _No(f"{path} in it is {REASONS['ignored']}" if alone else REASONS["ignored"])
        if stat.S_ISLNK(there.st_mode):
            text = os.fsencode(os.readlink(name, dir_fd=descriptor))
            self._compare(LINK, text, was, kept)
        elif not stat.S_ISREG(there.st_mode):
            raise _No(REASONS["special"])
        elif there.st_size > self._limits.file:
            raise _No(REASONS["large"])
        elif there.st_nlink > 1:
            raise _No("a file with more than one name")
        elif kept is not None:
            content, _ = read_file(descriptor, name, self._limits.file)
            self._compare(FILE, content, was, kept, stat.S_IMODE(there.st_mode))
        elif not os.access(name, os.R_OK, dir_fd=descriptor):
            raise _No(REASONS["closed"])

    def _folder(
        self, descriptor: int, path: str, name: str, ground: Ground, was: Entry | None, kept: KeptContents | None
    ) -> None:
        """Look at all that is in a directory."""
        if not ground.listed and ground.ignores(path, name, directory=True):
            ground = ground._replace(listed=True)
        if kept is not None and not ground.listed and (was is None or was.kind != DIRECTORY):
            raise _No("not kept")
        entries = {} if kept is None or was is None or was.kind != DIRECTORY else entries_of(kept.store, was.digest)
        inner = os.open(name, _FLAGS, dir_fd=descriptor)
        try:
            if os.fstat(inner).st_dev != os.fstat(descriptor).st_dev:
                raise _No(REASONS["mount"])
            ground = self._ground_below(inner, path, ground)
            names = os.listdir(inner)
            _refuse_repository({*names})
            if ground.listed and not names:
                raise _No(REASONS["ignored"])  # an empty directory that is not noted
            for each in names:
                self._name(inner, f"{path}/{each}", each, ground, entries.get(each), kept, rebuilt=False)
        finally:
            os.close(inner)

    def _only_files(self, descriptor: int, name: str) -> None:
        """Make sure that what is made again holds no repository and no other file system."""
        inner = os.open(name, _FLAGS, dir_fd=descriptor)
        try:
            here = os.fstat(inner)
            if here.st_dev != os.fstat(descriptor).st_dev:
                raise _No(REASONS["mount"])
            if (here.st_dev, here.st_ino) in self._without:
                raise _No("asimi's own")
            with os.scandir(inner) as entries:
                there = [*entries]
            _refuse_repository({entry.name for entry in there})
            folders = [entry.name for entry in there if entry.is_dir(follow_symlinks=False)]
            self._left -= len(folders)
            if self._left < 0 or time.monotonic() > self._end:
                raise _No("more than can be looked through")
            for each in folders:
                self._only_files(inner, each)
        finally:
            os.close(inner)

    def _is_kept_all_the_same(self, path: str, ground: Ground) -> bool:
        """Whether a file is kept although git ignores it."""
        if self._wanted.include and self._wanted.include.has(path):
            return True
        if ground.repository is None:
            return False
        names = ground.repository.tracked_files.names
        return names is not None and ground.inside(path) in names

    def _compare(
        self, kind: str, content: bytes | None, was: Entry | None, kept: KeptContents | None, mode: int | None = None
    ) -> None:
        """Make sure that the store has exactly what is there."""
        if kept is None:
            return
        if content is None or was is None or was.kind != kind or (mode is not None and was.mode != mode):
            raise _No("not kept")
        if sha256(content).digest() != was.digest or kept.store.get(was.digest) != content:
            raise _No("not kept")


def general_of(ground: Ground) -> str:
    """A digest of the patterns that are in no directory of a repository, those of the person and its own."""
    assert ground.patterns is not None  # a repository has some
    return sha256(b"".join(own for name, own in ground.patterns.files() if not name)).hexdigest()


def _refuse_repository(names: set[str]) -> None:
    """Refuse a directory of these names if it holds a repository or is one (gitrepository-layout(5)).

    Raises:
        _No: it does, or is.
    """
    if ".git" in names or ("HEAD" in names and ({"objects", "refs"} <= names or "commondir" in names)):
        raise _No(REPOSITORY)
