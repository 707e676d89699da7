"""What the text of a request gives to variables, and what of that is sure to be in force at a place in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs.variables import BASH
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_VALUES = 64
"""Values of one variable that are looked at; where there are more, it counts as unknown."""


class Result(NamedTuple):
    """What is known of the result of a substitution.

    Attributes:
        program: what gives it; empty for bash itself. A function of that name may give anything.
        shape: the shape of it, or of each of its words.
        many: whether it is as many words as there are lines.
        below: the name of a variable, or of `Shapes.known`, whose value is before that; empty for none.
    """

    program: str
    shape: str
    many: bool = False
    below: str = ""


PIPE = Result("", "")
"""The result of a `<(…)`."""


class Assignment(NamedTuple):
    """One assignment.

    Attributes:
        start: its position in the text.
        holds: the position up to which it is sure to have happened; 0 where that is not known.
        values: what it gives, as it is written: one of these; None where only bash can know.
        how: `assign`, `prefix` (before a command), `for` (one of the words), `array` (all of them).
    """

    start: int
    holds: int
    values: Sequence[str] | None
    how: str


_START = attrgetter("start")
_NUMBER = pattern(r"0|[1-9][0-9]{0,17}")


class Variables:
    """The assignments of one request.

    Attributes:
        integers: those whose values are evaluated, so that only digits stay what they are.
        calls: where something is called that may assign too (functions, `eval`, `source`), in order.
        trapped: whether such a call may come at any time.
        loops: whether the text may run a part of itself after what is behind it (loops, functions, here-documents).
        globbing: the options that may be set which change what a pattern stands for.
        lost: whether one name may mean another, so that nothing is known.
        documents: the texts of substitutions that print a literal here-document, each with what it gives.
        printed: the texts of substitutions, without their first letter, that print literal words, each with these.
        results: the texts of substitutions of whose results something is known, each with that.
        closed: whether the account is complete, so what is read again adds nothing.
    """

    def __init__(self) -> None:
        self._given: dict[str, list[Assignment]] = {}
        self._ordered: dict[str, list[Assignment]] = {}  # as `at` looks at them, when all are known
        self._forgotten: set[str] = set()
        self._fixed: set[str] = set()
        self._losses: list[int] = []
        self.globbing: frozenset[str] = frozenset()
        self.integers: set[str] = set()
        self.calls: list[int] = []
        self.documents: dict[str, str] = {}
        self.printed: dict[str, str] = {}
        self.results: dict[str, Result] = {}
        self.trapped = self.loops = self.lost = self.closed = False

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def names(self) -> Sequence[str]:
        """All that is assigned."""
        return tuple(self._given)

    def count(self, name: str) -> int:
        """How many assignments of a variable there are."""
        return len(self._given.get(name, ()))

    def is_given_once(self, name: str) -> bool:
        """Whether the text assigns to a variable in one place only."""
        return len({each.start for each in self._given.get(name, ())}) == 1

    def give(self, name: str, start: int, holds: int, values: Sequence[str] | None, how: str = "assign") -> None:
        """Take down an assignment."""
        if not self.closed:
            self._given.setdefault(name, []).append(Assignment(start, holds, values, how))

    def lose(self, at: int) -> None:
        """Say that something may assign to any variable at a position."""
        self._losses.append(at)

    def forget(self, name: str) -> None:
        """Say that a variable is not what it is given: it has an attribute that changes its values."""
        self._forgotten.add(name)

    def fix(self, name: str) -> None:
        """Say that a variable may be read-only, so only its first value counts, if that."""
        self._fixed.add(name)

    def all_of(self, name: str) -> tuple[Sequence[Assignment], bool]:
        """All that is known of what the text gives to a variable anywhere, and whether it can be nothing else."""
        given = self._given.get(name, ())
        known = _known_assignments([each for each in given if each.values is not None])
        return known or (), known is not None and len(known) == len(given) and name not in self._forgotten

    def at(self, name: str, at: int) -> Sequence[Assignment] | None:
        """The assignments of which one is sure to be in force at a position; None where that is not known.

        The last assignment before it that is sure to have happened decides, with all behind it: in a loop they may
        have come first. Where something is called between, any assignment of the text may have; in a loop or a function
        every call behind it may be between.
        """
        given = self._ordered.get(name)
        if given is None:
            given = self._ordered[name] = sorted(self._given.get(name, ()), key=_START)
        constant = name in self._fixed and given[:1] and given[0].start != given[-1].start
        if self.lost or constant or name in BASH or name in self._forgotten:
            return None
        behind = bisect_right(given, at, key=_START)
        sure = (each.start for each in reversed(given[max(0, behind - MOST_VALUES) : behind]) if at < each.holds)
        last = next(sure, -1)
        if last < 0:
            return None
        before = len(self.calls) if self.loops else bisect_left(self.calls, at)
        called = self.trapped or bisect_right(self.calls, last) < before
        straight = not (self.loops or self.calls)
        if any(called or (last <= each and (each <= at or not straight)) for each in self._losses):
            return None
        first = 0 if called else bisect_left(given, last, key=_START)
        found = given[first : behind if straight else first + MOST_VALUES + 1]
        if name in self.integers and not all(_NUMBER.fullmatch(value) for each in found for value in each.values or ()):
            return None
        return _known_assignments(found)

    @property
    def separates(self) -> bool:
        """Whether the text may change what separates words, `IFS`; before a builtin it does so for that alone."""
        return (
            self.lost
            or bool(self._losses)
            or any(each.how != "prefix" or self.calls for each in self._given.get("IFS", ()))
        )


def _known_assignments(given: Sequence[Assignment]) -> Sequence[Assignment] | None:
    """Some assignments, if what all of them give is known and not too much."""
    known = len(given) <= MOST_VALUES and all(each.values is not None for each in given)
    return given if known and sum(len(each.values or ()) for each in given) <= MOST_VALUES else None
