"""Where known writers may write, as one layer of the configuration says it (`[files] write`)."""

from __future__ import annotations

from asimi.core.call import is_below
from asimi.core.judging.known_files import KNOWN, SYSTEM_DIRECTORIES
from asimi.core.judging.paths import above
from asimi.core.judging.patterns import Patterns, absolute
from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.core.reading.shapes import ANY, MANY, ONE, SOME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.judging.paths import Machine
    from asimi.core.judging.reached import Place
    from asimi.core.judging.sought import Below
    from asimi.core.judging.temporary import Temporary


class Running(NamedTuple):
    """What is run, or says what is run, without anybody naming it.

    Attributes:
        always: in every project.
        guided: in this one now: what the configuration of its repository names.
    """

    always: Patterns
    guided: Patterns

    def matched(self, path: str) -> bool:
        """Whether a path is of that kind, or may be."""
        return self.always.matched(path) or self.guided.matched(path)


CACHE = "/__pycache__"
"""What is in it is made again, so to remove it changes nothing that runs."""


class Writable:
    """Where one layer lets known writers write.

    Args:
        patterns: as the person writes them.
        running: what is always run, or says what is run, without anybody naming it.
        root: the project root.
        machine: this machine.
        temporary: its temporary places.
    """

    def __init__(
        self, patterns: Sequence[str], running: Patterns, root: str, machine: Machine, temporary: Temporary
    ) -> None:
        home = machine.home
        wide = [each for each in patterns if _is_wide(each) and not running.matched(_start(each, root, home))]
        if is_no_project(root, home):  # then what is below it, and what is temporary, says nothing
            patterns = [
                each
                for each in patterns
                if each not in wide or (each[0] in "~/!" and _start(each, root, home) not in temporary.directories)
            ]
        self._machine = machine
        self._all = Patterns(patterns, root, home)
        self._explicit = Patterns([each for each in patterns if each not in wide], root, home)
        self._wide = [(_start(each, root, home), Patterns([each], root, home)) for each in wide if each[0] != "!"]
        over = [each for each in wide if each[0] != "!" and _start(each, root, home) in temporary.directories]
        self._named = Patterns([each for each in patterns if each not in over], root, home)
        starts = temporary.directories.intersection(_start(each, root, home) for each in wide)
        self._project = root
        self._kept = tuple(kept for start in starts for kept in temporary.kept(start))

    def holds(self, path: str, running: Running) -> bool:
        """Whether a path may be written; of one that only bash can know it is not known."""
        if ANY in path or MANY in path:
            return False
        if path[-1:] == SOME and (there := self._machine.now(path)) is not None:
            return all(self.holds(each, running) for each in (path.rpartition("/")[0] or "/", *there))
        return not self.runs(path, running) and self._over(path).surely(path)

    def _over(self, path: str) -> Patterns:
        """The patterns that a path is matched with: without those of temporary places where it is in none."""
        kept = any(is_below(path, each) for each in self._kept) and not is_below(path, self._project)
        return self._named if kept else self._all

    def holds_found(self, place: Place, below: Below, running: Running) -> bool:
        """Whether all that a search hands on may be written.

        Args:
            place: what it hands on.
            below: tells what that is.
            running: what runs by itself.
        """
        path, name = place.path, place.found or ""
        if not (self.holds(path, running) and self._over(path).all_below(path)):
            return False
        if any(is_below(each, path) for each in self._kept):
            return False
        if name.strip(SOME) and running.matched(f"{path}/{name}"):
            return False
        known = KNOWN if is_below(self._project, path) else ()
        if not name.strip(SOME + ONE):
            known = tuple(each for each in known if each.startswith(".git/"))
        removes = place.how == "delete"

        def bars(each: str) -> bool:
            return not self._all.matched(each) or (not (removes and CACHE in each) and self.runs(each, running))

        return not below.finds(place, bars, known, alike=(self, running, removes))

    def runs(self, path: str, running: Running) -> bool:
        """Whether a path runs by itself, and no pattern names it."""
        if not running.matched(path) or self._explicit.matched(path):
            return False
        named = any(running.guided.matched(start) and each.matched(path) for start, each in self._wide)
        return not named or running.always.matched(path)


def _is_wide(pattern: str) -> bool:
    """Whether a pattern of what may be written names no file or directory at its end."""
    return pattern.rstrip("/").rpartition("/")[2] in {"**", "*", "."}


def _start(pattern: str, root: str, home: str) -> str:
    """The directory that a pattern begins with, before what may be any name."""
    fixed, star, _ = absolute(pattern, root, home).partition("*")
    return (fixed.rpartition("/")[0] if star else fixed).rstrip("/") or "/"


def is_no_project(root: str, home: str) -> bool:
    """Whether a root is no project but the home, a directory above it, or one of the system."""
    return root in {"/", home, *above(home), *SYSTEM_DIRECTORIES}
