"""Paths that may lead elsewhere, because something before them in the same text may link, move, unpack or check out."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING
from asimi.core.reading.shapes import ANY, MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asimi.core.budget import Budget
    from asimi.core.judging.paths import Machine
    from asimi.core.judging.reached import Place
    from asimi.core.reading import Reading


FARTHEST = 8
"""How often one name is followed from where it was moved to."""

LOOK = 16
"""Units of work for a look at where one was before."""


class Moved:
    """What the commands of one request may put elsewhere.

    Args:
        places: where it reaches.
        reading: what it would do.
        machine: this machine.
        budget: what the look is paid from.
    """

    def __init__(self, places: Iterable[Place], reading: Reading, machine: Machine, budget: Budget) -> None:
        self._machine, self._budget = machine, budget
        self._any_time = reading.variables.loops or bool(reading.functions)
        self._targets: dict[str, list[Place]] = {}  # by path, the first of the text first; those not known by none
        made = [place for place in places if place.tree.links and place.how in {"write", "repository"}]
        for place in sorted(made, key=_begin):
            self._targets.setdefault(place.path if MARKS.isdisjoint(place.path) else "", []).append(place)

    def may_lead_elsewhere(self, place: Place) -> bool:
        """Whether a path may lead elsewhere than it does now, once the command at this place runs."""
        if not self._targets:
            return False
        if any(self._is_made(at, place) for each in place.through for at in (each, *above(each))):
            return True
        return any(self._is_made(each, place) for each in ("", *above(place.path)))

    def _is_made(self, path: str, place: Place) -> bool:
        """Whether another command may make a path before what happens at a place."""
        for target in self._targets.get(path, ()):
            if not self._any_time and place.span is not None and place.span[1] <= _begin(target):
                return False  # nor those behind it
            if target.by is not place.by and place.path != target.path:
                return True
        return False

    def led(self, place: Place) -> Iterator[str]:
        """Where a path leads because of links that get new names: the real paths of what had the name before."""
        for path in self._before(place, place.path, FARTHEST) if self._targets else ():
            real = path if path == ANY else self._machine.resolve(path)
            if path == ANY or real != path:
                yield real

    def _before(self, place: Place, path: str, far: int) -> Iterator[str]:
        """The names that a path may have had before what happens at a place; `ANY` where that is not known."""
        for at in (path, *above(path)) if MARKS.isdisjoint(path) else ():
            for target in self._targets.get(at, ()):
                if not self._any_time and place.span is not None and place.span[1] <= _begin(target):
                    break  # nor those behind it
                for source in target.named if target.by is not place.by else ():
                    for name in self._names(target, source, path[len(at.rstrip("/")) :]):
                        self._budget.spend(LOOK)
                        yield name if far else ANY
                        yield from self._before(target, name, far - 1) if far else ()

    def _names(self, target: Place, source: str, rest: str) -> set[str]:
        """The names before of what is now behind a target's path, of which a source was put at or in that."""
        directory, _, name = source.rpartition("/")
        if not MARKS.isdisjoint(directory):
            return {ANY}
        if not MARKS.isdisjoint(name):
            known = rest or self._machine.kind(target.path) in {"directory", "mount"}
            return {directory + rest} if known else {ANY}
        inside = f"{rest}/".startswith(f"/{name}/")
        return {source + rest, source + rest[len(name) + 1 :]} if inside else {source + rest}


def above(path: str) -> Iterator[str]:
    """The directories that a path is in, without the path itself; the nearest first."""
    at = len(path.rstrip("/"))
    while (at := path.rfind("/", 0, at)) > 0:
        yield path[:at]
    if path != "/":
        yield "/"


def _begin(place: Place) -> int:
    """Where in the text a place is made; -1 where that is not known."""
    return -1 if place.span is None else place.span[0]
