"""What a search may hand on of what matters: what is below where it starts now, and what is known by its name."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.reading.shapes import MARKS, SOME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.places import Place
    from asimi.core.judging.search_results import Search

DEEPEST = 64
"""Levels of directories that are looked through."""

MOST_LINKS = 256
"""Places outside of a directory that links below it may lead to."""


class Below:
    """What is below the places where searches of one request start.

    Args:
        machine: this machine.
        budget: what the look is paid from.
    """

    def __init__(self, machine: Machine, budget: Budget) -> None:
        self._machine, self._budget = machine, budget
        self._there: dict[tuple[str, int], list[str] | None] = {}
        self._tested: dict[object, dict[str, bool]] = {}  # what each test said of a path
        self._found: dict[tuple[str, Search | str | None], list[tuple[str, str]] | None] = {}

    def finds(
        self, place: Place, test: Callable[[str], bool], known: Iterable[str] = (), *, alike: object = None
    ) -> bool | None:
        """Whether a search may hand on something of a kind.

        A pattern that says no more than how a name ends looks for what is there, not for a file that is known.

        Args:
            place: what it hands on.
            test: tells what is of the kind.
            known: the names of what is, from the directory that it is in; they count whether they are there or not.
            alike: what tests have in common that say the same of a path; the test itself where it is None.

        Returns:
            Whether it may; None where there is too much to look through, and no known one is among it.
        """
        path, name = place.path.rstrip("/"), place.found or ""
        if not MARKS.isdisjoint(path):
            return None
        there, known_of = self._candidates(place), self._tested.setdefault(alike or test, {})
        self._budget.spend(len(there or ()) // 4)
        for own, each in there or ():
            if each not in known_of:
                self._budget.spend(1)
                known_of[each] = test(each)
            if known_of[each]:
                kind = self._machine.kind(each) if own == each else "link"
                if place.sought is None or self._hands(place, own, kind):
                    return True
        ending = name[:1] == SOME and name.lstrip(SOME)[:1] == "."
        for each in () if ending and there is not None else known:
            whole = f"{path}/{each}"
            self._budget.spend(3)
            if _may_be(whole, name) and self._hands(place, whole, None) and test(whole):
                return True
        return None if there is None else False

    def _candidates(self, place: Place) -> list[tuple[str, str]] | None:
        """What is there that a search may hand on: each path, and what it leads to; None where there is too much."""
        key = place.path, place.sought or place.found
        if key not in self._found:
            there = self._below(place)
            self._found[key] = None if there is None else list(self._handed_of(place, there))
        return self._found[key]

    def _handed_of(self, place: Place, there: Sequence[str]) -> Iterator[tuple[str, str]]:
        path, own = place.path.rstrip("/"), place.path
        pairs = []
        for each in there:
            own = each if is_below(each, place.path) else own  # where a link leads is behind the link
            pairs.append((own, each))
        if place.sought is None:
            self._budget.spend(3 * len(pairs))
            yield from (pair for pair in pairs if _may_be(pair[0], place.found or ""))
            return
        expression, action, written = place.sought
        self._budget.spend(len(pairs) * (1 + expression.size))
        below = (own[len(path) :].strip("/") for own, _ in pairs)
        yield from compress(pairs, expression.reaches_each(action, written, below))

    def hands(self, place: Place, path: str) -> bool:
        """Whether a search may hand on a path, as far as names say that."""
        self._budget.spend(3)
        return _may_be(path, place.found or "") and self._hands(place, path, None)

    def link_targets(self, path: str) -> list[str] | None:
        """Where links lead that are below a directory, or below where these lead; None where there are too many."""
        found, waiting = dict[str, None](), [path]
        while waiting:
            start = waiting.pop()
            there = self.all(start)
            if there is None or len(found) > MOST_LINKS:
                return None
            new = {each for each in there if not is_below(each, start) and not is_below(each, path)} - found.keys()
            found.update(dict.fromkeys(sorted(new)))
            waiting += sorted(new)
        return list(found)

    def all(self, path: str) -> list[str] | None:
        """The paths below a directory, with itself; None where there are too many."""
        return self._levels(path, DEEPEST)

    def _below(self, place: Place) -> list[str] | None:
        """The paths below the start of a search, with the start; None where there are too many."""
        most = None if place.sought is None else place.sought.expression.most
        return self._levels(place.path, DEEPEST if most is None else min(most, DEEPEST))

    def _levels(self, path: str, levels: int) -> list[str] | None:
        key = path, levels
        if key not in self._there:
            found = self._machine.below(path, levels) if levels else []
            self._budget.spend(20 + len(found or ()) // 4)
            self._there[key] = None if found is None else [path, *found]
        return self._there[key]

    def _hands(self, place: Place, path: str, kind: str | None) -> bool:
        """Whether the search gets to hand on a path, by its expression."""
        if place.sought is None:
            return True
        self._budget.spend(2 + place.sought.expression.size)
        expression, action, written = place.sought
        return expression.hands(action, written, path[len(place.path.rstrip("/")) :].strip("/"), kind)


def _may_be(path: str, name: str) -> bool:
    """Whether the name of a path may be one that a search looks for, where a `*` may stand for a leading dot."""
    if not name.strip(SOME):
        return True
    from asimi.core.reading.find_expression import regex_of

    return regex_of(name).match(path.rpartition("/")[2]) is not None
