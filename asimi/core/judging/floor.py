"""What nobody wants to lose: the system, the home and the project as a whole, and disks."""

from __future__ import annotations

from asimi.core.call import is_below
from asimi.core.judging.known_files import HOMES, SYSTEM_DIRECTORIES
from asimi.core.judging.paths import above
from asimi.core.judging.patterns import Patterns, overlap
from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME

if TYPE_CHECKING:
    from asimi.core.judging.paths import Machine
    from asimi.core.judging.reached import Place
    from asimi.core.judging.sought import Below

DIRECTORIES = frozenset({"directory", "mount", None})
"""What is a directory, or may be one."""

_BLOCK = pattern(
    r"/dev/(?:(?:[hsv]d|xvd)[a-z]|(?:nvme|mmcblk|r?disk|loop|md|dm-|nbd|ram|sr|zd|zram|pmem)\d|mapper/(?!control)|disk/"
    r"|(?:bcache|drbd|rbd)\d|zvol/)"
)
"""Names of block devices (Linux, Documentation/admin-guide/devices.txt; macOS: `diskN`)."""

_UNSAID = frozenset({SOME, ONE, ".", "*", "?"})  # git has patterns of its own


class Floor:
    """What nobody wants to lose, on this machine and in this project.

    Args:
        root: the project root, a real path.
        machine: this machine.
    """

    def __init__(self, root: str, machine: Machine) -> None:
        home = machine.home
        self._home, self._machine = home, machine
        self._all = frozenset({"/", home, root, *SYSTEM_DIRECTORIES, *above(root), *above(home)})
        self._system = SYSTEM_DIRECTORIES | {"/"}
        self._marked = Patterns(["/*", "/home/*", "/**/.git", *sorted(self._all)], root, home)
        self._in_home = root != home  # the project wins over the home

    def loses(self, place: Place, below: Below) -> bool:
        """Whether what happens at a place would lose some of it."""
        if place.how == "write":
            return _BLOCK.match(place.path) is not None or self._is_overwritten(place)
        if place.how not in {"delete", "move"}:
            return False
        if place.found is not None:
            return self._is_found(place, below)
        return self._is_removed(place.path, deep=place.tree.deep)

    def _is_found(self, place: Place, below: Below) -> bool:
        """Whether a search hands on some of it, or all that is below it."""
        if (place.found or "").strip(SOME + ONE + ".") in {"", "git"} and self._is(place.path):
            return True
        named = [f"{place.path}/.git"] if (place.found or "").strip(SOME + ONE) else []
        lost = [each for each in self._all if is_below(each, place.path)]
        return any(below.hands(place, each) for each in named + lost)

    def _is_overwritten(self, place: Place) -> bool:
        """Whether a whole directory of the system is written over; a move is of one file, or takes a new name."""
        deep = place.tree.deep and (place.by is None or place.by.name != "mv")
        return deep and (place.path in self._system or self._is_block(place.path))

    def _is_removed(self, path: str, *, deep: bool) -> bool:
        """Whether removing a path loses some of it; `deep` removes all that is below the path, too."""
        directory, _, name = path.rstrip("/").rpartition("/")
        if self._is_block(path) or name == ".git":
            return True
        if name and _UNSAID.issuperset(name) and MARKS.isdisjoint(directory) and self._is(directory or "/"):
            return True
        if not deep:
            return False
        if MARKS.isdisjoint(path):
            return self._is(path)
        return ANY in path or MANY in path or self._marked.matched(path) or self._may_be_of_home(directory, name)

    def _is_block(self, path: str) -> bool:
        """Whether a path is a block device."""
        return path.startswith("/dev/") and (
            _BLOCK.match(path) is not None or (MARKS.isdisjoint(path) and self._machine.kind(path) == "block")
        )

    def _is(self, path: str) -> bool:
        """Whether a path without marks is one of the directories that nobody wants to lose."""
        path = path.rstrip("/") or "/"
        directory = path.rpartition("/")[0]
        if path in self._all or directory in HOMES or path.count("/") == 1 or path.endswith("/.git"):
            return True
        kind = self._machine.kind(path)
        return kind == "mount" or (self._in_home and directory == self._home and kind in DIRECTORIES)

    def _may_be_of_home(self, directory: str, name: str) -> bool:
        """Whether a pattern may be for a directory in the home."""
        if not self._in_home or directory != self._home:
            return False
        there = self._machine.below(self._home, 1)
        return there is None or any(
            overlap(name, path.rpartition("/")[2]) and self._machine.kind(path) in DIRECTORIES for path in there
        )
