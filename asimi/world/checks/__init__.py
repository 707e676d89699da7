"""The checks of a project that a person has confirmed: what said what they do when it was confirmed, and what does now.

It is kept in the user's own state, never read from the project: one file for each project root, with the text of each
file that counts, so that a change can be shown.
"""

from __future__ import annotations

import os
import time

from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.core.judging.checks import Definition
from asimi.core.lean import TYPE_CHECKING, NamedTuple, sha256
from asimi.core.wording.changes import changed_lines
from asimi.world.checks.definitions import KINDS, found, what_runs
from asimi.world.host.documents import Document
from asimi.world.host.places import private_directory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSION = 1
"""The format of the files."""

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

_SKIPPED = frozenset({"node_modules", "target", "dist", "build", "vendor", "venv", "__pycache__", "site-packages"})
"""Directories that hold what others wrote, or what was built."""

_TOOLS = {
    "pytest": ("pytest",),
    "ruff": ("ruff check",),
    "mypy": ("mypy",),
    "cargo": ("cargo test", "cargo check", "cargo build", "cargo clippy", "cargo fmt --check"),
    "go": ("go test ./...", "go vet ./...", "go build ./..."),
}
"""How a person types the checks that have no names."""

_LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}


class _Seen(NamedTuple):
    """What a person has seen of a project.

    Attributes:
        root: the real path of its root.
        since: when, in seconds since the epoch.
        definitions: what said then what the checks do.
    """

    root: str
    since: float
    definitions: Definitions


class ProjectChecks:
    """The checks of projects, as this user has confirmed them.

    Args:
        state: the state directory.
        home: the home directory, which is no project, nor is what is above it.

    Attributes:
        directory: where it is kept.
    """

    def __init__(self, state: str, home: str) -> None:
        self._state, self._home = state, home
        self.directory = os.path.join(state, "checks")

    def look(self, root: str, kind: str, place: str) -> Definition | None:
        """What says what the checks of a kind do, and whether a person has seen that; see `Checks`.

        Raises:
            AsimiError: what is kept cannot be used.
        """
        directory = place if os.path.isdir(place) else os.path.dirname(place)
        now = found(kind, directory, root) if is_below(directory, root) and not self._is_home(root) else None
        if now is None:
            return None
        seen = self._seen(root)
        if seen is None:
            return Definition(now.names, seen=False, watched=now.watched)
        before = _nearest(seen.definitions, kind, os.path.relpath(directory, root))
        return Definition(now.names, seen=True, change=_change(before, now.files), watched=now.watched)

    def names(self, root: str) -> tuple[str, ...]:
        """The checks in the root itself, as a person types them: `npm test`, `make check`, `pytest`."""
        return tuple(name for name, _ in self.listed(root))

    def listed(self, root: str) -> tuple[tuple[str, str], ...]:
        """The same, each with what it runs, as far as one line tells."""
        rows: list[tuple[str, str]] = []
        for kind in KINDS:
            now = None if kind == "runner" or self._is_home(root) else found(kind, root, root)
            if now is not None:
                names = sorted(now.names)
                runs = [what_runs(kind, name, now.files) for name in names or _TOOLS.get(kind, ())]
                rows += zip(_typed(kind, names, root), runs, strict=True)
        return tuple(rows)

    def definitions(self, root: str) -> Definitions:
        """What says now what the checks of a project do, in the root and below it; empty of a home directory."""
        found_below: Definitions = {}
        for directory in _directories(root) if not self._is_home(root) else ():
            where = os.path.relpath(directory, root)
            for kind in KINDS:
                now = found(kind, directory, root)
                if now is not None and any((os.path.dirname(path) or ".") == where for path in now.files):
                    found_below[f"{kind}:{where}"] = now.files
        return found_below

    def is_confirmed(self, root: str, now: Definitions) -> bool:
        """Whether all of it is as a person has confirmed it.

        Raises:
            AsimiError: what is kept cannot be used.
        """
        seen = self._seen(root)
        return seen is not None and seen.definitions == now

    def changes(self, root: str, now: Definitions) -> str:
        """How it differs from what a person has confirmed, as lines of a diff.

        Raises:
            AsimiError: what is kept cannot be used.
        """
        seen = self._seen(root)
        return _change({} if seen is None else _merged(seen.definitions), _merged(now), most=MOST_LINES_OF_ALL)

    def confirm(self, root: str, now: Definitions | None = None) -> tuple[str, ...]:
        """Keep what says what the checks of a project do as seen by a person: what was shown, or what there is now.

        Returns:
            The checks in the root itself, as a person types them.

        Raises:
            AsimiError: the root is the home directory or above it, or it cannot be kept.
        """
        if self._is_home(root):
            raise AsimiError(f"{root} is no project but holds your home directory; its checks cannot be confirmed")
        private_directory(self._state)
        private_directory(self.directory)
        with self._document(root).locked():
            self._document(root).write(_Seen(root, time.time(), self.definitions(root) if now is None else now))
        return self.names(root)

    def forget(self, root: str) -> bool:
        """Forget what was confirmed of a project; whether anything was.

        Raises:
            AsimiError: it cannot be removed.
        """
        path = self._document(root).path
        try:
            os.unlink(path)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise AsimiError(f"{path}: cannot be removed: {error.strerror}") from None
        return True

    def _document(self, root: str) -> Document[_Seen]:
        name = sha256(os.fsencode(root)).hexdigest()[:32]
        return Document(os.path.join(self.directory, f"{name}.json"), _Seen, VERSION)

    def _seen(self, root: str) -> _Seen | None:
        seen = self._document(root).read() if os.path.isdir(self.directory) else None
        return seen if seen is not None and seen.root == root else None

    def _is_home(self, root: str) -> bool:
        return is_below(self._home, root)


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


def _nearest(definitions: Definitions, kind: str, where: str) -> dict[str, str]:
    """What was seen of a kind in a directory, or in the nearest one above it; nothing where nobody has seen any."""
    while True:
        before = definitions.get(f"{kind}:{where}")
        if before is not None or where == "." or kind == "make":
            return before or {}
        where = os.path.dirname(where) or "."


def _merged(definitions: Definitions) -> dict[str, str]:
    """The files of all definitions; one that counts for several is shown for each."""
    return {
        f"{path} ({key.partition(':')[0]})" if path.endswith((".toml", ".cfg")) else path: text
        for key, files in definitions.items()
        for path, text in files.items()
    }


def _change(before: Mapping[str, str], now: Mapping[str, str], *, most: int = MOST_LINES) -> str:
    """How files differ, as a short diff; empty where they do not."""
    lines: list[str] = []
    for path in sorted({*before, *now}):
        if before.get(path) == now.get(path):
            continue
        name = path if path in before else f"{path} (new)"
        lines.append(name if path in now else f"{path} (removed)")
        lines += changed_lines(before.get(path, ""), now.get(path, ""), 1)
    shown = [line.expandtabs(4)[:WIDEST] for line in lines[:most]]
    return "\n".join(shown + ([f"and {len(lines) - most} more lines"] if len(lines) > most else []))


def _typed(kind: str, names: list[str], root: str) -> list[str]:
    """The checks of a kind, as a person types them."""
    if kind in _TOOLS:
        return list(_TOOLS[kind])
    if kind in {"make", "just"}:
        return [f"{kind} {name}" for name in names]
    manager = next((each for lock, each in _LOCKS.items() if os.path.exists(os.path.join(root, lock))), "npm")
    return [f"{manager} test" if name == "test" and manager != "bun" else f"{manager} run {name}" for name in names]
