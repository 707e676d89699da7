"""Paths that may lead elsewhere, because something before them in the same text may link, move, unpack or check out."""

from __future__ import annotations

from asimi.core.call import is_below
from asimi.core.lean import TYPE_CHECKING
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        self._targets: Sequence[Place] = [
            place for place in places if place.tree.links and place.how in {"write", "repository"}
        ]

    def may_lead_elsewhere(self, place: Place) -> bool:
        """Whether a path may lead elsewhere than it does now, once the command at this place runs."""
        return any(
            target.by is not place.by
            and (self._any_time or not _is_before(place, target))
            and place.path != target.path
            and (is_below(place.path, target.path) or not MARKS.isdisjoint(target.path))
            for target in self._targets
        )


def _is_before(place: Place, target: Place) -> bool:
    """Whether what happens at a place is over when the target is made."""
    return place.span is not None and target.span is not None and place.span[1] <= target.span[0]
