"""What a search may hand on of what matters: what is below where it starts now, and what is known by its name."""

from __future__ import annotations

from asimi.core.call import is_below
from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.core.reading.shapes import ANY, MARKS, SOME, fits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from asimi.core.budget import Budget
    from asimi.core.judging.paths import Machine
    from asimi.core.judging.places import Place
    from asimi.core.reading.finding import Expression

DEEPEST = 64
"""Levels of directories that are looked through."""


class Sought(NamedTuple):
    """By what something is found.

    Attributes:
        expression: the expression of the search.
        action: the index of the word of its action that is reached; None where that is not known.
        written: where it starts, as it is written.
    """

    expression: Expression
    action: int | None
    written: str


class Below:
    """What is below the places where searches of one request start.

    Args:
        machine: this machine.
        budget: what the look is paid from.
    """

    def __init__(self, machine: Machine, budget: Budget) -> None:
        self._machine, self._budget = machine, budget
        self._there: dict[tuple[str, int], list[str] | None] = {}

    def finds(self, place: Place, test: Callable[[str], bool], known: Iterable[str] = ()) -> bool | None:
        """Whether a search may hand on something of a kind.

        A pattern that says no more than how a name ends looks for what is there, not for a file that is known.

        Args:
            place: what it hands on.
            test: tells what is of the kind.
            known: the names of what is, from the directory that it is in; they count whether they are there or not.

        Returns:
            Whether it may; None where there is too much to look through, and no known one is among it.
        """
        path, name = place.path.rstrip("/"), place.found or ""
        if not MARKS.isdisjoint(path):
            return None
        there = self._below(place)
        own = path
        for each in there or ():
            leads = not is_below(each, path)  # then the one before it is a link
            own = own if leads else each
            if _may_be(own, name) and test(each):
                kind = "link" if leads else self._machine.kind(each)
                if self._hands(place, own, kind):
                    return True
        ending = name[:1] == SOME and name.lstrip(SOME)[:1] == "."
        for each in () if ending and there is not None else known:
            whole = f"{path}/{each}"
            if _may_be(whole, name) and self._hands(place, whole, None) and test(whole):
                return True
        return None if there is None else False

    def hands(self, place: Place, path: str) -> bool:
        """Whether a search may hand on a path, as far as names say that."""
        return _may_be(path, place.found or "") and self._hands(place, path, None)

    def _below(self, place: Place) -> list[str] | None:
        """The paths below the start of a search, with the start; None where there are too many."""
        most = None if place.sought is None else place.sought.expression.most
        key = place.path, DEEPEST if most is None else min(most, DEEPEST)
        if key not in self._there:
            found = self._machine.below(*key) if key[1] else []
            self._budget.spend(20 + len(found or ()) // 4)
            self._there[key] = None if found is None else [place.path, *found]
        return self._there[key]

    @staticmethod
    def _hands(place: Place, path: str, kind: str | None) -> bool:
        """Whether the search gets to hand on a path, by its expression."""
        if place.sought is None:
            return True
        expression, action, written = place.sought
        return expression.hands(action, written, path[len(place.path.rstrip("/")) :].strip("/"), kind)


def _may_be(path: str, name: str) -> bool:
    """Whether the name of a path may be one that a search looks for, where a `*` may stand for a leading dot."""
    if not name.strip(SOME):
        return True
    return fits(name.replace(SOME, ANY), path.rpartition("/")[2])
