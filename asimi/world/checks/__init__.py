"""Compares the files that say what a project's checks do with those that a person has confirmed.

What was confirmed is kept in the user's own state, never read from the project: one file for each project root. Every
content that was confirmed counts, so a switch between two branches is no change; of the newest the text is kept, so
that a change can be shown.
"""

from __future__ import annotations

import os
import sys
import time
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.core.judging.checks import WORKSPACE, Definition
from asimi.core.reading.checks import ENVIRONMENTS, is_name
from asimi.core.values import NamedTuple
from asimi.core.wording.visible import changed_lines
from asimi.world.checks.definitions import KINDS, TYPED, find_definition, may_define, what_runs
from asimi.world.checks.gathering import chain
from asimi.world.checks.workspaces import workspace
from asimi.world.host.documents import Document
from asimi.world.host.places import names_in, private_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

_T = TypeVar("_T")

VERSION = 2
"""The format of the files; one of version 1 holds what was confirmed last, and nothing else."""

MOST_KEPT = 20
"""Confirmations of one project that count; the oldest ends with the next one."""

LASTING = 90 * 86400
"""Seconds for which a confirmation counts."""

MOST_DIRECTORIES = 2000
"""Directories of a project that are looked through for definitions."""

MOST_LINES = 16
"""Lines of a change that are shown."""

MOST_LINES_OF_ALL = 400
"""Lines that are shown where all of a project is confirmed."""

WIDEST = 120
"""Characters of such a line."""

Definitions = dict[str, dict[str, str]]
"""What counts of each file, by its path from the root, for each `KIND:DIRECTORY`."""

_AHEAD = 86400
"""Seconds by which a clock may have been set back."""

_SKIPPED = frozenset({"node_modules", "target", "dist", "build", "vendor", "venv", "__pycache__", "site-packages"})
"""Directories that hold what others wrote, or what was built."""

_LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}


class Confirmation(NamedTuple):
    """What a person has confirmed at once.

    Attributes:
        since: when, in seconds since the epoch.
        contents: a digest of all that counted then, for each `KIND:DIRECTORY`.
    """

    since: float
    contents: dict[str, str]


class _SeenChecks(NamedTuple):
    """What a person has seen of a project.

    Attributes:
        root: the real path of its root.
        since: when they saw it last, in seconds since the epoch.
        definitions: what they saw last of each.
        confirmed: all that they confirmed, the newest last; empty in a file of version 1.
    """

    root: str
    since: float
    definitions: Definitions
    confirmed: tuple[Confirmation, ...] = ()

    @property
    def all(self) -> tuple[Confirmation, ...]:
        """All that they confirmed, whether it still counts or not."""
        return self.confirmed or (Confirmation(self.since, _digests(self.definitions)),)

    def valid_confirmations(self, now: float) -> list[Confirmation]:
        """What they confirmed that counts; nothing from the future, because the clock was set back."""
        return [each for each in self.all if now - LASTING < each.since < now + _AHEAD]


class ProjectChecks:
    """The checks of projects, as this user has confirmed them.

    Args:
        state: the state directory.
        home: the home directory, which is no project, nor is what is above it.
        main_of: the main worktree of the repository that a root is a worktree of, or the root itself.

    Attributes:
        directory: where it is kept.
    """

    def __init__(self, state: str, home: str, main_of: Callable[[str], str] = str) -> None:
        self._state, self._home, self._main_of = state, home, main_of
        self.directory = os.path.join(state, "checks")

    def look(self, root: str, kind: str, place: str) -> Definition | None:
        """What says what the checks of a kind do, and whether a person has seen that; see `Checks`.

        Raises:
            AsimiError: what is kept cannot be used.
        """
        directory = place if os.path.isdir(place) else os.path.dirname(place)
        if kind == WORKSPACE:  # it says only where; what runs there is looked at in each place
            there = workspace(directory, root) if is_below(directory, root) else None
            scripted = there and Definition(there.scripted, watched=there.watched, members=there.members)
            return scripted or None
        now = find_definition(kind, directory, root) if is_below(directory, root) and not self._is_home(root) else None
        if now is None:
            return None
        tree = next((each for each in chain(directory, root) if os.path.isfile(f"{each}/.git")), root)
        own = tree != root and self._main_of(tree) == self._main_of(root)  # a worktree below has the project's checks
        if not (seen := self._all_seen(root)) or not now.files:  # there is nothing yet that could be another
            return Definition(now.names, seen=bool(seen), watched=now.watched, recipes=now.recipes)
        content, time_now = _digest(now.files), time.time()
        confirmed = [each.contents for one in seen for each in one.valid_confirmations(time_now)]
        for top in (tree, root) if own else (root,):  # what is said of a change is as the root sees it
            where, inside = os.path.relpath(directory, top), f"{os.path.relpath(top, root)}/"
            files = {(name.removeprefix(inside), text) for name, text in now.files.items()}
            before = next(filter(None, (_nearest(one.definitions, kind, where) for one in seen)), {})
            same = any(_nearest(each, kind, where) == content for each in confirmed)
            if same or (before.keys() <= {name for name, _ in files} and files <= _confirmed_files(seen, confirmed)):
                return Definition(now.names, seen=True, watched=now.watched, recipes=now.recipes)
        change = _change(before, now.files) or "it was confirmed too long ago (90 days)"
        whole = change == (_change(before, now.files, most=sys.maxsize, widest=sys.maxsize) or change)
        content = f"{kind}:{where} {content}"
        return Definition(now.names, True, change, now.watched, content, whole, recipes=now.recipes)

    def names(self, root: str) -> tuple[str, ...]:
        """The checks in the root itself, as a person types them: `npm test`, `make check`, `pytest`."""
        return tuple(name for name, _ in self.names_and_runs(root))

    def names_and_runs(self, root: str) -> tuple[tuple[str, str], ...]:
        """The same, each with what it runs, as far as one line tells."""
        rows: list[tuple[str, str]] = []
        for kind in KINDS:
            now = None if kind == "runner" or self._is_home(root) else find_definition(kind, root, root)
            if now is not None and now.files:
                names = sorted(each for each in now.files if each.endswith("/activate"))
                names = names if kind in ENVIRONMENTS else sorted(filter(is_name, () if kind in TYPED else now.names))
                runs = [what_runs(kind, name, now.files) for name in names or TYPED.get(kind, ())]
                rows += zip(_as_typed(kind, names, root), runs, strict=True)
        return tuple(rows)

    def definitions(self, root: str) -> Definitions:
        """What says now what the checks of a project do, in the root and below it; empty of a home directory."""
        found_below: Definitions = {}
        for directory in _directories(root) if not self._is_home(root) else ():
            where = os.path.relpath(directory, root)
            names = names_in(directory) or ()
            for kind in KINDS:
                now = find_definition(kind, directory, root) if may_define(kind, names) else None
                if now is not None and any(_directory_of(path) == where for path in now.files):
                    found_below[f"{kind}:{where}"] = now.files
        return found_below

    def is_confirmed(self, root: str, now: Definitions) -> bool:
        """Whether all of it is as a person has confirmed it.

        Raises:
            AsimiError: what is kept cannot be used.
        """
        wanted, time_now = _digests(now).items(), time.time()
        counting = [each for one in self._all_seen(root) for each in one.valid_confirmations(time_now)]
        return all(any(each.contents.get(key) == content for each in counting) for key, content in wanted)

    def changes(self, root: str, now: Definitions) -> str:
        """How it differs from what a person has confirmed, as lines of a diff.

        Raises:
            AsimiError: what is kept cannot be used.
        """
        seen = self._all_seen(root)
        return _change(_merge_files(seen[0].definitions) if seen else {}, _merge_files(now), most=MOST_LINES_OF_ALL)

    def confirm(self, root: str, now: Definitions | None = None, *, beside: bool = False) -> tuple[str, ...]:
        """Keep what says what the checks of a project do as seen by a person.

        Args:
            root: the root of the project.
            now: what was shown to them; None for what there is now.
            beside: whether that is a part of what there is, so that the rest is as they saw it last.

        Returns:
            The checks in the root itself, as a person types them.

        Raises:
            AsimiError: the root is the home directory or above it, or it cannot be kept.
        """
        if self._is_home(root):
            raise AsimiError(f"{root} is no project but holds your home directory; its checks cannot be confirmed")
        private_directory(self._state)
        private_directory(self.directory)
        now = self.definitions(root) if now is None else now
        with self._document(root).lock() as there:
            since, contents = time.time(), _digests(now)
            before = there.valid_confirmations(since) if there is not None and there.root == root else []
            confirmed = [each for each in before if each.contents != contents][-MOST_KEPT + 1 :]
            texts = {**there.definitions, **now} if beside and there is not None and there.root == root else now
            self._document(root).write(_SeenChecks(root, since, texts, (*confirmed, Confirmation(since, contents))))
        return self.names(root)

    def confirm_as_seen(self, root: str, contents: Collection[str]) -> None:
        """Keep those definitions as seen by a person that a question has shown to them; see `Definition.content`.

        Raises:
            AsimiError: one has changed meanwhile, or it cannot be kept.
        """
        now: Definitions = {}
        for each in contents:
            key, _, content = each.rpartition(" ")
            kind, _, where = key.partition(":")
            there = find_definition(kind, os.path.normpath(os.path.join(root, where)), root)
            if there is None or _digest(there.files) != content:
                raise AsimiError("What this check runs was changed while it was asked about; nothing was confirmed")
            now[key] = there.files
        self.confirm(root, now, beside=True)

    def forget(self, root: str) -> tuple[Confirmation, ...]:
        """Forget what was confirmed of a project.

        Returns:
            What that was, the newest last; empty where nothing was, or it could not be read.

        Raises:
            AsimiError: it cannot be removed.
        """
        path = self._document(root).path
        try:
            seen = self._read_seen(root)
        except AsimiError:  # it counts for nothing, and is removed as well
            seen = None
        try:
            os.unlink(path)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise AsimiError(f"{path}: cannot be removed: {error.strerror}") from None
        return () if seen is None else seen.all

    def _document(self, root: str) -> Document[_SeenChecks]:
        name = sha256(os.fsencode(root)).hexdigest()[:32]
        return Document(os.path.join(self.directory, f"{name}.json"), _SeenChecks, VERSION)

    def _read_seen(self, root: str) -> _SeenChecks | None:
        seen = self._document(root).read() if os.path.isdir(self.directory) else None
        return seen if seen is not None and seen.root == root else None

    def _all_seen(self, root: str) -> list[_SeenChecks]:
        """What was seen of a project, and of the main worktree of its repository."""
        roots = dict.fromkeys((root, self._main_of(root)))
        found = (self._read_seen(each) for each in roots if not self._is_home(each))
        return [each for each in found if each is not None]

    def _is_home(self, root: str) -> bool:
        return is_below(self._home, root)


def _confirmed_files(seen: Iterable[_SeenChecks], confirmed: Collection[Mapping[str, str]]) -> set[tuple[str, str]]:
    """The files, each with what counts of it, that a person has confirmed for whatever check."""
    kept = ((one, *each) for one in seen for each in _digests(one.definitions).items())
    keys = [(one, key) for one, key, digest in kept if any(each.get(key) == digest for each in confirmed)]
    return {file for one, key in keys for file in one.definitions[key].items()}


def _directories(root: str) -> Iterator[str]:
    """A root and the directories below it that are the project's own, the nearest first."""
    waiting = [root]
    for count, directory in enumerate(waiting):
        if count >= MOST_DIRECTORIES:
            return
        yield directory
        try:
            with os.scandir(directory) as entries:
                names = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        waiting += [os.path.join(directory, name) for name in sorted(names) if name[0] != "." and name not in _SKIPPED]


def _directory_of(path: str) -> str:
    """The directory, from the root, for which a file of a definition counts."""
    parts = os.path.dirname(path).split("/")
    at = next((at for at, part in enumerate(parts) if part in ENVIRONMENTS or part[:1] == "."), len(parts))
    return "/".join(parts[:at]) or "."


def _digest(files: Mapping[str, str]) -> str:
    """What stands for all that counts of some files."""
    counted = "\0".join(text for path in sorted(files) for text in (path, str(len(files[path])), files[path]))
    return sha256(counted.encode("utf-8", "surrogateescape")).hexdigest()


def _digests(definitions: Definitions) -> dict[str, str]:
    return {key: _digest(files) for key, files in definitions.items()}


def _nearest(seen: Mapping[str, _T], kind: str, where: str) -> _T | None:
    """What was seen of a kind in a directory, or in the nearest one above it; None where nobody has seen any."""
    while True:
        before = seen.get(f"{kind}:{where}")
        if before is not None or where == "." or kind == "make":
            return before
        where = os.path.dirname(where) or "."


def _merge_files(definitions: Definitions) -> dict[str, str]:
    """The files of all definitions; one that counts for several is shown for each."""
    return {
        f"{path} ({key.partition(':')[0]})" if path.endswith((".toml", ".cfg")) else path: text
        for key, files in definitions.items()
        for path, text in files.items()
    }


def _change(before: Mapping[str, str], now: Mapping[str, str], *, most: int = MOST_LINES, widest: int = WIDEST) -> str:
    """How files differ, as a short diff; empty where they do not."""
    lines: list[str] = []
    for path in sorted({*before, *now}):
        if before.get(path) == now.get(path):
            continue
        name = path if path in before else f"{path} (new)"
        lines.append(name if path in now else f"{path} (removed)")
        lines += changed_lines(before.get(path, ""), now.get(path, ""), 1)
    shown = [line.expandtabs(4)[:widest] for line in lines[:most]]
    return "\n".join(shown + ([f"and {len(lines) - most} more lines"] if len(lines) > most else []))


def _as_typed(kind: str, names: list[str], root: str) -> list[str]:
    """The checks of a kind, as a person types them."""
    if kind in TYPED:
        return list(TYPED[kind])
    if kind in {"make", "just"}:
        return [f"{kind} {name}" for name in names]
    if kind in ENVIRONMENTS:
        return [f"source {name}" for name in names]
    manager = next((each for lock, each in _LOCKS.items() if os.path.exists(os.path.join(root, lock))), "npm")
    return [f"{manager} test" if name == "test" and manager != "bun" else f"{manager} run {name}" for name in names]
