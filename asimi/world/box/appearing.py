"""What runs by itself and appears where nothing holds its name: moved away once a look has found it.

No mount can hold a name that may be made in any directory. So asimi knows the directories, and reads those again whose
time of change (inode(7): ctime, which no program sets) is new. It does not look through packages that others have
published or environments for Python: these bring such files by the thousand, and people install them in the box.

A new repository is left alone while it says only what git itself writes for a clone. Otherwise it is moved away as a
whole, because other settings, and hooks, name programs.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from contextlib import contextmanager, suppress

from asimi.core.judging.agents import FILES
from asimi.core.judging.auto_sandbox import PACKAGES
from asimi.core.judging.known import SELF_RUNNING
from asimi.core.judging.patterns import DEEP
from asimi.core.startup import TYPE_CHECKING
from asimi.world.executors.spawning import leads_to
from asimi.world.host.places import private_directory
from asimi.world.host.repositories import points_to

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

MOST = 50_000
"""Directories that are looked at; what is in others is not watched."""

RACE = 20_000_000
"""Nanoseconds within which two changes of a directory may have the same time: the kernel's clock ticks that seldom."""

SHARE = 20
"""Looks take at most one part in so many of the time."""

OFTEN = 0.3
"""The least seconds between two looks."""

CLOSED = frozenset({".git", ".svn", ".venv", "venv", *PACKAGES})
"""Directories that are not looked through: of repositories, packages, and environments of Python."""

HARMLESS = re.compile(
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol"
    r"|sparsecheckout|sparsecheckoutcone)|extensions\.\w+|(?:remote|branch|submodule)\.(?:url|fetch|pushurl|tagopt"
    r"|promisor|partialclonefilter|remote|merge|rebase|active)|user\.(?:name|email)|(?:init|pull|push|index)\.\w+",
    re.ASCII,
)
"""Settings of git, without a subsection, that start no program and lead nowhere (git-config(1))."""

LONGEST = 1 << 16
"""Characters of a configuration of git that are read; a longer one is not harmless."""

_LINE = re.compile(
    r'\s*(?:[#;].*|\[(?P<section>\w+)(?:[ \t]+"[^"\\]*")?\]\s*|(?P<key>\w[\w-]*)\s*=[^"\\#;]*)?', re.ASCII
)
"""A line of it: blank, a comment, the head of a section, a key and a plain value."""

WRITTEN = frozenset({"HEAD", "commondir", "config", "config.worktree", "hooks"})
"""What in a repository is looked at again where its time of change is another one."""


class Appearing:
    """What runs by itself and appears below some directories.

    Args:
        tops: the directories.

    Attributes:
        whole: whether all directories are watched.
    """

    def __init__(self, tops: Collection[str]) -> None:
        self._changed: dict[str, int] = {}
        self._below: dict[str, set[str]] = {}
        self._repositories: dict[str, tuple[int, ...]] = {}
        self.whole = True
        self._next, self._there = 0.0, frozenset[str]()
        self._tops = tuple(tops)
        found = [path for top in self._tops for path in self._entered(top)]
        self._there = frozenset((*found, *self._repositories))  # all of this is held
        self._repositories.clear()

    def appeared(self) -> list[str]:
        """What is new since the last look, unless that was just now."""
        began = time.monotonic()
        if began < self._next:
            return []
        found = [path for directory in [*self._changed] for path in self._again(directory)]
        found += [path for path in [*self._repositories] if self._is_steered(path)]
        self._next = time.monotonic() + max(OFTEN, SHARE * (time.monotonic() - began))
        return found

    def _entered(self, directory: str) -> Iterator[str]:
        """Get to know a directory and all below it; what runs by itself there."""
        waiting = [directory]
        while waiting:
            at = waiting.pop()
            if len(self._changed) >= MOST:
                self.whole = False
                return
            self._below[at] = set()
            found, new = self._read(at)
            yield from found
            waiting += new

    def _again(self, directory: str) -> Iterator[str]:
        """What is new in a directory, if it has changed."""
        if directory not in self._changed:
            return  # it went with one above it
        try:
            changed = os.lstat(directory)
        except OSError:
            self._forget(directory)
            return
        if not stat.S_ISDIR(changed.st_mode):
            self._forget(directory)
        elif changed.st_ctime_ns != self._changed[directory]:
            found, new = self._read(directory)
            yield from found
            for each in new:
                yield from self._entered(each)

    def _read(self, directory: str) -> tuple[list[str], list[str]]:
        """What runs by itself in a directory and was not there before, and its directories that are not known yet."""
        found, there = [], set[str]()
        try:
            changed = os.lstat(directory).st_ctime_ns
            with os.scandir(directory) as entries:
                for entry in entries:
                    if entry.name == ".git":
                        if entry.path not in self._there:
                            self._repositories.setdefault(entry.path, ())
                    elif runs_by_itself(entry.path):
                        if entry.path not in self._there:
                            found.append(entry.path)
                    elif entry.name not in CLOSED and entry.is_dir(follow_symlinks=False):
                        there.add(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            self._forget(directory)
            return found, []
        except OSError:
            self._changed[directory] = 0  # it is closed, and may be opened again without a sign in the one above
            return found, []
        self._changed[directory] = changed if abs(time.time_ns() - changed) > RACE else 0  # then it is read once more
        for gone in self._below.get(directory, set()) - there:
            self._forget(gone)
        new = [path for path in there if path not in self._changed]
        self._below[directory] = there
        return found, new

    def _forget(self, directory: str) -> None:
        waiting = [directory]
        while waiting:
            at = waiting.pop()
            self._changed.pop(at, None)
            waiting += self._below.pop(at, ())

    def _is_steered(self, repository: str) -> bool:
        """Whether a new repository starts programs by itself, or is led elsewhere; looked at where it has changed."""
        times = []
        for name in ("", *sorted(WRITTEN)):
            try:
                times.append(os.lstat(os.path.join(repository, name)).st_ctime_ns)
            except OSError:
                times.append(0)
        if times == list(self._repositories[repository]):
            return False
        self._repositories[repository] = tuple(times) if time.time_ns() - max(times) > RACE else ()
        if not os.path.lexists(repository):
            del self._repositories[repository]
            return False
        return not (_leads_home(repository, self._tops) if os.path.isfile(repository) else _is_plain(repository))


def _is_plain(repository: str) -> bool:
    """Whether a repository says nothing but what git writes there for a clone."""
    if os.path.islink(repository) or os.path.lexists(os.path.join(repository, "commondir")):
        return False
    try:
        hooks = os.listdir(os.path.join(repository, "hooks"))
    except FileNotFoundError:
        hooks = []
    except OSError:
        return False
    configurations = (os.path.join(repository, each) for each in ("config", "config.worktree"))
    return all(each.endswith(".sample") for each in hooks) and all(map(_is_harmless, configurations))


def _is_harmless(path: str) -> bool:
    """Whether a configuration of git says nothing but what is harmless, in the plain form in which git writes it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read(LONGEST)
    except FileNotFoundError:
        return True  # git has just begun
    except OSError:
        return False
    section = ""
    for line in text.split("\n"):
        if (match := _LINE.fullmatch(line)) is None:
            return False
        section = (match["section"] or section).lower()
        if match["key"] and not HARMLESS.fullmatch(f"{section}.{match['key'].lower()}"):
            return False
    return len(text) < LONGEST


def _leads_home(pointer: str, tops: Collection[str]) -> bool:
    """Whether a `.git` file leads to what belongs to a repository of the project's: a worktree or a submodule."""
    led = points_to(pointer)
    kept = [os.path.join(top, ".git", each) for top in tops for each in ("worktrees", "modules")]
    return not os.path.islink(pointer) and led is not None and any(led.startswith(f"{each}/") for each in kept)


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


class Watch:
    """The names of one box that cannot be held while they are missing: what appears there is moved away, and told.

    git reads `commondir` and the like wherever a file has that name, so nothing can be put there to hold it; and files
    that run by themselves may be made in any directory of the project. Such a file is there from the moment it appears
    until the next look: that gap is not held.

    Args:
        names: their paths.
        deeper: finds those that appear deeper.
        to: the directory that what appears is moved to, made if it is missing.
        tell: is told of each: its path, and where it is now.
    """

    def __init__(
        self, names: Sequence[str], deeper: Callable[[], list[str]], to: str, tell: Callable[[str, str], None]
    ) -> None:
        self._names, self._deeper, self._to, self._tell = names, deeper, to, tell

    def appeared(self) -> list[str]:
        """Those of the names that are there now."""
        return [*filter(os.path.lexists, self._names), *self._deeper()]

    def move(self, paths: Sequence[str]) -> None:
        """Move something away; the inside stands still meanwhile.

        What is reached by a link stays: the inside put that there after it was found, and what it leads to may be
        outside.

        Raises:
            OSError: it cannot be moved.
            AsimiError: the directory cannot be made.
        """
        for path in paths:
            above, name = os.path.split(path)
            with suppress(FileNotFoundError, NotADirectoryError), _opened(above) as directory:
                if leads_to(directory) != above:
                    continue
                mark = f"{time.strftime('%Y%m%dT%H%M%S')}-{os.urandom(4).hex()}"
                target = os.path.join(private_directory(self._to), f"{mark}{path.replace('/', '-')}"[-200:])
                shutil.move(f"{directory}/{name}", target)
                self._tell(path, target)


@contextmanager
def _opened(directory: str) -> Iterator[str]:
    """A path of an open directory that stays its own, whatever takes its place."""
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)
