"""What runs by itself and appears in a project: found as soon as the kernel tells of its name.

asimi is told of each directory of the project (`notices`), and looks through those that are new. It does not look
through packages that others have published or environments for Python: these bring such files by the thousand, and
people install them in the box.

A new repository may stay while it says only what git itself writes. What an index names as a submodule is looked at
wherever it lies, because git enters it. In a directory of git's, a link that was not there is found as well: git writes
through it.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.agents import FILES
from asimi.core.judging.auto_sandbox import PACKAGES
from asimi.core.judging.known import SELF_RUNNING
from asimi.core.judging.patterns import DEEP
from asimi.core.values import NamedTuple
from asimi.world.box.committed import named_submodules
from asimi.world.box.notices import HERE, Notices
from asimi.world.box.repositories import directories_of, is_bare, is_plain, is_worktrees, leads_home, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from asimi.world.box.notices import Notice

ROUNDS = 5
"""How often notices are read before something counts: a look sees what is newer than they are, as a pointer whose
repository nobody was told of yet."""

MANY = 1000
"""Entries that arrive at once and are looked through while the inside goes on."""

CLOSED = frozenset({".git", ".svn", ".venv", "venv", *PACKAGES})
"""Directories that are not looked through: of repositories, packages, and environments of Python."""

REPOSITORY = frozenset({"HEAD", "objects", "refs", "commondir"})
"""What makes a directory a repository of git's, whatever it is called."""

UNSEEN = re.compile(r"/objects/[0-9a-f]{2}|/lfs/objects")
"""The ends of directories in a repository's own that are not looked through: nobody chooses a name there."""


class LookResult(NamedTuple):
    """What came of a look.

    Attributes:
        appeared: what runs by itself or leads git elsewhere, and was not there before.
        closed: directories to be held read-only: what an index names as a submodule and holds no repository, and what
            asimi cannot be told of.
    """

    appeared: tuple[str, ...]
    closed: tuple[str, ...]


class Before(NamedTuple):
    """What was there at the start of a box.

    Attributes:
        there: what runs by itself.
        held: directories of git's.
        links: the links in these.
    """

    there: Sequence[str]
    held: Sequence[str]
    links: Sequence[str]


class AppearanceWatcher:
    """What appears below some directories.

    Args:
        tops: the directories, absolute.
        repositories: further directories of git's that the box may write.
        names: paths that must not appear, besides those that run by themselves.
        before: what was there at an earlier start, in place of what is there now.
        closed: directories in which nothing inside can write.

    Attributes:
        names: the paths that must not appear.
        there: what runs by itself and was there at the start, and what was accepted since.
        held: the directories of git's that were there at the start.
        first: what came of the look at the start.
        descriptor: can be read when something has happened.
    """

    def __init__(
        self,
        tops: Sequence[str],
        repositories: Collection[str] = (),
        names: Collection[str] = (),
        before: Before | None = None,
        closed: Collection[str] = (),
    ) -> None:
        self._tops, self.names = tuple(tops), {*names}
        self._hush: Callable[[], None] = lambda: None
        self._shut = frozenset(closed)
        self._notices = Notices([*tops, *filter(os.path.isdir, repositories)])
        self.descriptor = self._notices.descriptor
        self._closed = set[str]()
        self._git = dict[str, str]()  # directories below one of git's, and that one
        self.held, self._new = set[str](), set[str]()  # directories of git's
        self._links, self._closing = set[str](), list[str]()
        self._ways = dict[str, set[str]]()  # what leads to submodules that an index names, and these
        self._shutting = set[str]()
        self._accepted, self._again = set[str](), list[str]()  # directories that may stay; what is looked at next
        self._plain, self._unread = set[str](), set[str]()  # new directories of git's that may stay, and may not
        self._parts, self._pointers = set[str](), set[str]()  # those of worktrees and modules; `.git` files
        self._begun, self._passed = False, 0
        self.there = set[str]()
        if before is not None:
            self.there, self.held, self._links = map(set, before)
            self._begun, self.first = True, LookResult((), ())
            return
        found = [path for top in self._tops for path in self._watch_tree(top)]
        for each in (*repositories, *(path for path in found if os.path.basename(path) == ".git")):
            self._know(each)
        for each in sorted(self.held):
            found += self._named_by(each)
        self.there.update(found)
        self.first = LookResult((), self._take_closing())
        self._begun = True

    def close(self) -> None:
        """Be told no more."""
        self._notices.close()

    @property
    def git_directories(self) -> set[str]:
        """All directories of git's, also those that are new."""
        return self.held | self._new

    @property
    def before(self) -> Before:
        """What was there at the start, for a later look by somebody else."""
        return Before(sorted(self.there), sorted(self.held), sorted(self._links))

    def look(self, hush: Callable[[], None] = lambda: None, *, whole: bool = False) -> LookResult:
        """What has happened since the last look.

        Args:
            hush: is called when the look takes longer; then nothing inside may run until it is through.
            whole: whether to look through everything.
        """
        self._passed, self._hush = 0, hush
        candidates = dict.fromkeys(self._again)
        self._again.clear()
        found = list[str]()
        for number in range(ROUNDS):
            notices, lost = self._notices.read()
            if number and not notices and not lost:
                break
            self._follow(candidates, notices, everything=lost or (whole and not number))
            candidates |= dict.fromkeys((*self._new, *self._pointers))  # some ways to write tell nothing
            self._plain = {each for each in self._new if each not in self._unread and is_plain(each, self._tops)}
            if not (found := [*filter(self._counts, candidates)]):
                break
        return LookResult(
            tuple(f"{each}/HEAD" if self._is_bare(each) else each for each in found), self._take_closing()
        )

    def _follow(self, candidates: dict[str, None], notices: Sequence[Notice], *, everything: bool) -> None:
        """Add what some notices lead to, or everything."""
        if everything:
            self._hush()
            candidates |= dict.fromkeys(path for top in self._tops for path in self._watch_tree(top))
            candidates |= dict.fromkeys(path for each in (*self.held, *self._new) for path in self._inside(each, each))
            candidates |= dict.fromkeys(path for each in (*self.held, *self._new) for path in self._named_by(each))
        for directory, name in notices:
            if directory in self._git:
                candidates |= dict.fromkeys(self._met_in_git(directory, name))
                candidates |= dict.fromkeys(self._named_by(directory) if name == "index" else ())
            else:
                candidates |= dict.fromkeys(self._met(directory, name))

    def _take_closing(self) -> tuple[str, ...]:
        found, self._closing = tuple(dict.fromkeys(self._closing)), []
        return found

    def accept(self, path: str) -> None:
        """Take what is at a path for what was there at the start; all in a directory must be accepted as well."""
        if os.path.isdir(path) and not os.path.islink(path):
            self._accepted.add(path)
            self._again += self._watch_tree(path)
        else:
            self.there.add(path)

    def forget(self, path: str) -> None:
        """Take a path for a name that is missing."""
        self.there.discard(path)
        self._accepted.discard(path)

    def is_of_git(self, path: str) -> bool:
        """Whether a path steers git: a repository, what leads to one, or something in a directory of git's."""
        return os.path.basename(path) == ".git" or path in self._new or os.path.dirname(path) in self._git

    def _counts(self, path: str) -> bool:
        """Whether what is at a path must not be there."""
        if path in self.there or path in self.held or not os.path.lexists(path):
            return False
        if path in self._accepted and os.path.isdir(path) and not os.path.islink(path):
            return False
        if os.path.basename(path) == ".git" and not os.path.islink(path) and os.path.isfile(path):
            self._pointers.add(path)
            return not leads_home(path, self.held | self._plain)
        if path in self._new:
            whole = os.path.basename(path) == ".git" or path in self._parts or is_bare(path)
            return whole and path not in self._plain
        return True

    def _is_bare(self, path: str) -> bool:
        """Whether a path is a new repository that is one only by its parts: without its HEAD git goes past it."""
        return path in self._new and path not in self._parts and is_bare(path)

    def _met(self, directory: str, name: str) -> Iterator[str]:
        """What there is to say of a name in a directory of the project, and of all below it."""
        path = f"{directory}/{name}"
        for each in self._ways.get(path, ()):
            yield from self._submodule(each)
        if name == HERE:
            if directory in self._closed:
                self._closed.discard(directory)
                yield from self._watch_tree(directory)
        elif name == ".git" or self._runs(path):
            yield from self._note(path, name)
            if path in self._accepted and os.path.isdir(path) and not os.path.islink(path):
                yield from self._watch_tree(path)
        elif name not in CLOSED and os.path.isdir(path) and not os.path.islink(path):
            yield from self._watch_tree(path)
        if name in REPOSITORY and is_bare(directory):
            self._begin(directory)
        if os.path.islink(path) and self._is_closed_here(real := os.path.realpath(path)):
            yield from self._watch_tree(real)

    def _is_closed_here(self, path: str) -> bool:
        """Whether a directory of the project is among those that are not looked through."""
        closed = any(
            is_below(path, each) and not CLOSED.isdisjoint(path[len(each) :].split("/")) for each in self._tops
        )
        return closed and os.path.isdir(path)

    def _note(self, path: str, name: str) -> Iterator[str]:
        """A path that counts by its name; where it is a repository's, it is looked at from now on."""
        if name == ".git" and self._begun and path not in self.held:
            if os.path.isdir(path) and not os.path.islink(path):
                self._begin(path)
            else:  # what it says matters, and it may be written at any time
                self._tell(os.path.dirname(path), inside=True)
        yield path

    def _runs(self, path: str) -> bool:
        return path in self.names or runs_by_itself(path) or os.path.dirname(path) in self._accepted

    def _watch_tree(self, top: str) -> Iterator[str]:
        """Be told of a directory and all below it from now on; what counts there by its name."""
        waiting = [top]
        while waiting:
            at = waiting.pop()
            parts = 0
            for name, directory in self._entries(at):
                path = f"{at}/{name}"
                if name == ".git" or self._runs(path):
                    yield from self._note(path, name)
                elif directory and name not in CLOSED:
                    waiting.append(path)
                parts += name in REPOSITORY
            if parts > 1 and at not in self.held and is_bare(at):
                self._begin(at) if self._begun else self._know(at)

    def _entries(self, directory: str) -> list[tuple[str, bool]]:
        """The names in a directory that asimi is told of from now on, each with whether it is a directory."""
        if directory in self._shut or not self._tell(directory):
            return []
        try:
            with os.scandir(directory) as entries:
                found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        except OSError:
            return []
        self._passed += len(found)
        if self._begun and self._passed > MANY:
            self._hush()
        return found

    def _tell(self, directory: str, *, inside: bool = False) -> bool:
        """Be told of a directory; False where nothing inside can look into it, or it is gone."""
        try:
            try:
                self._notices.add(directory, inside=inside)
            except PermissionError:
                there = os.lstat(directory)
                if there.st_uid != os.geteuid() or not there.st_mode & stat.S_IXUSR:
                    self._notices.know(directory)  # nobody inside can enter it until its mode changes
                    self._closed.add(directory)
                    return False
                os.chmod(directory, stat.S_IMODE(there.st_mode) | stat.S_IRUSR)
                self._notices.add(directory, inside=inside)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            self._closing.append(directory)
        return True

    def _know(self, repository: str) -> None:
        """Know a repository that was there at the start, with those in it; the box holds what steers them."""
        self.there.add(repository)
        self.held.update(directories_of(repository))
        for each in directories_of(repository):
            self._links.update(self._inside(each, each))

    def _begin(self, directory: str) -> None:
        """Look at a directory of git's that is new, from now on."""
        if directory not in self.held:
            self._new.add(directory)
            self._parts |= {directory} if self._git.get(directory, directory) != directory else set()
            self._again += self._inside(directory, directory)  # also where another one has taken its place

    def _inside(self, top: str, owner: str) -> Iterator[str]:
        """Be told of a directory below one of git's and of all below it; the links in there."""
        waiting = [top]
        while waiting:
            at = waiting.pop()
            if self._begun and at != owner and self._is_directory_of_git(at):
                self._git.setdefault(at, owner)
                self._begin(at)
                continue
            self._git[at] = owner
            self._tell(at, inside=owner in self._new)
            try:
                with os.scandir(at) as entries:
                    there = [*entries]
            except OSError:
                continue
            for entry in there:
                if entry.path in self.names:
                    yield entry.path
                if entry.is_symlink():
                    if entry.path not in self._links:
                        yield entry.path
                elif entry.is_dir(follow_symlinks=False) and self._is_to_see(entry.path, owner):
                    waiting.append(entry.path)

    def _is_to_see(self, path: str, owner: str) -> bool:
        """Whether to look into a directory below one of git's."""
        return path not in self.held and UNSEEN.fullmatch(path, len(owner)) is None

    def _is_directory_of_git(self, path: str) -> bool:
        """Whether a directory below one of git's is such one itself."""
        return is_worktrees(path) or ("/modules/" in path and os.path.lexists(f"{path}/HEAD"))

    def _met_in_git(self, directory: str, name: str) -> Iterator[str]:
        """What there is to say of a name in a directory of git's."""
        path, owner = f"{directory}/{name}", self._git[directory]
        if path in self.names or (os.path.islink(path) and path not in self._links):
            yield path
        elif name != HERE and os.path.isdir(path) and self._is_to_see(path, owner):
            yield from self._inside(path, owner)
        elif name == "HEAD" and directory not in self.held and self._is_directory_of_git(directory):
            self._begin(directory)

    def _named_by(self, directory: str) -> Iterator[str]:
        """What counts of the submodules that an index names: git enters them wherever they lie."""
        tree = tree_of(directory) if directory in self.held or directory in self._new else None
        try:
            named = () if tree is None else named_submodules(directory)
        except OSError:
            if not os.path.lexists(f"{directory}/index"):
                return  # it is just being removed
            if directory in self.held:
                raise  # nobody knows where git would go
            self._unread.add(directory)
            return
        self._unread.discard(directory)
        for each in named:
            path = os.path.normpath(os.path.join(tree or "", each))
            for above in (path, *ways_up(path, tree or "")):
                self._ways.setdefault(above, set()).add(path)
            if directory in self.held:
                self._shutting.add(path)
            yield from self._submodule(path)

    def _submodule(self, path: str) -> Iterator[str]:
        """Look at a submodule that an index names.

        Without a repository in it, it is to be read only; not so in a clone or a worktree that is new, which may be
        removed again.
        """
        for above in (*ways_up(path, ""), path):
            if above in self._ways and not self._tell(above):
                return
        pointer = os.path.join(path, ".git")
        if os.path.islink(path) or not os.path.isdir(path):
            return
        if not os.path.lexists(pointer):
            self._closing += [path] * (path in self._shutting)
        elif self._begun:
            yield from self._note(pointer, ".git")
        else:
            self._know(pointer)


def ways_up(path: str, top: str) -> list[str]:
    """The directories above a path that are below a directory, the uppermost first, with that one itself."""
    found = []
    while (path := os.path.dirname(path)) not in {top, "/"} and len(path) > len(top):
        found.append(path)
    return [top] * bool(top) + found[::-1]


def _tails() -> dict[str, list[str]]:
    """The ends of paths that run by themselves, with a slash before each, by their last name."""
    found: dict[str, list[str]] = {}
    names = [each.removeprefix(f"/{DEEP}/").removesuffix(f"/{DEEP}") for each in SELF_RUNNING if each[:3] == f"/{DEEP}"]
    names = [each for each in names if each.partition("/")[0] not in {*CLOSED, ".hg", ".jj", "pyvenv.cfg"}]
    names += [".hg/hgrc", ".jj/repo/config.toml"]
    names += [f"{head}/{each}" if each else head for head, known in FILES.items() for each in known.split() or [""]]
    for each in names:
        found.setdefault(each.rpartition("/")[2], []).append(f"/{each}")
    return found


_TAILS = _tails()
_SUFFIXES = tuple(each.removeprefix("*") for each in _TAILS if each[:1] == "*")
_LOWER = {each.casefold() for each in _TAILS}


def runs_by_itself(path: str) -> bool:
    """Whether a path runs by itself, says what runs by itself, or is an agent's own file."""
    name = path.rpartition("/")[2]
    if name.endswith(_SUFFIXES):
        return True
    if name.casefold() not in _LOWER:
        return False
    return any(path.casefold().endswith(each.casefold()) for known in _TAILS for each in _TAILS[known])
