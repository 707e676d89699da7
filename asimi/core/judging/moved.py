"""Paths that may lead elsewhere, because something before them in the same text may link, move, unpack or check out."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asimi.core.judging.places import Place
    from asimi.core.reading import Reading


class Moved:
    """What the commands of one request may put elsewhere.

    Args:
        places: where it reaches.
        reading: what it would do.
    """

    def __init__(self, places: Iterable[Place], reading: Reading) -> None:
        self._any_time = reading.variables.loops or bool(reading.functions)
        self._targets: dict[str, list[Place]] = {}  # by path, the first of the text first; those not known by none
        made = [place for place in places if place.tree.links and place.how in {"write", "repository"}]
        for place in sorted(made, key=_begin):
            self._targets.setdefault(place.path if MARKS.isdisjoint(place.path) else "", []).append(place)

    def may_lead_elsewhere(self, place: Place) -> bool:
        """Whether a path may lead elsewhere than it does now, once the command at this place runs."""
        if not self._targets:
            return False
        return any(self._is_made(each, place) for each in ("", *above(place.path)))

    def _is_made(self, path: str, place: Place) -> bool:
        """Whether another command may make a path before what happens at a place."""
        for target in self._targets.get(path, ()):
            if not self._any_time and place.span is not None and place.span[1] <= _begin(target):
                return False  # nor those behind it
            if target.by is not place.by and place.path != target.path:
                return True
        return False


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
