"""What the commands of a text put elsewhere: where paths lead once it links or moves, and what names copies bring."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING

from asimi.core.call import above, is_below
from asimi.core.judging.known import SELF_RUNNING
from asimi.core.judging.patterns import overlap
from asimi.core.reading.shapes import ANY, MANY, MARKS, head_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.judging.known import Temporary
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.places import Place, Source
    from asimi.core.judging.search_candidates import Below
    from asimi.core.reading import Reading

FARTHEST = 8
"""How often one name is followed from where it was moved to."""

LOOK = 16
"""Units of work for a look at where one was before."""


class Relocations:
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

    def former_targets(self, place: Place) -> Iterator[str]:
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


def _begin(place: Place) -> int:
    """Where in the text a place is made; -1 where that is not known."""
    return -1 if place.span is None else place.span[0]


MOST = 4000
"""Paths that are looked at for one request; more are too many to know."""

MOST_FOLLOWED = 40
"""Links behind one another that are followed; the system follows no more in a path (path_resolution(7))."""

EACH = 30
"""Units of work for one of them."""


@cache
def _directories() -> frozenset[str]:
    """Names of directories in which some files run by themselves, by their names."""
    named = (each.split("/")[2:-1] for each in SELF_RUNNING if each.startswith("/**/"))
    return frozenset(part for parts in named for part in parts if part != "**")


class Arrivals:
    """Where what the commands of one request copy arrives.

    Args:
        places: where the request reaches.
        root: the project root.
        machine: this machine.
        below: tells what is below a place.
        temporary: the temporary places: only what is there already counts in these, because nothing there runs by
            itself, and what is taken from there is looked at when it is taken.
        budget: what the look is paid from.
    """

    def __init__(
        self,
        places: Sequence[Place],
        root: str,
        machine: Machine,
        below: Below,
        temporary: Temporary,
        budget: Budget,
    ) -> None:
        self._machine, self._below, self._temporary, self._budget = machine, below, temporary, budget
        self._root, self._left = root, MOST
        self._places = places

    @cached_property  # as below: few requests copy anything
    def _write_places(self) -> list[Place]:
        return [each for each in self._places if each.how in {"write", "repository"}]

    @cached_property
    def _makers(self) -> list[Place]:
        return [each for each in self._write_places if self._puts_unnamed(each)]

    @cached_property
    def _holders(self) -> dict[str, set[int]]:
        """The directories of what is changed, by up to two commands each."""
        found: dict[str, set[int]] = {}
        for each in self._write_places:
            for directory in (each.path, *above(each.path)):
                by = found.setdefault(directory, set())
                if id(each.by) in by or len(by) > 1:
                    break  # then those above it have it, too
                by.add(id(each.by))
        return found

    def first(self, place: Place, counts: Callable[[str], bool], *, within: bool = False) -> str | None:
        """The first path that counts among those that arrive at a place, or below it.

        Args:
            place: where a command writes.
            counts: tells which paths do.
            within: whether what is moved within the project counts, too, though each name was in it before.

        Returns:
            The path; empty where there is none; None where not all can be known.
        """
        for source in dict.fromkeys(place.brought):
            inside = all(is_below(each.path, self._root) for each in (source.place, place))
            if inside and source.place.how == "move" and not (within or self._renames(source, place)):
                continue
            for path in self._of(source, place, counts):
                self._left -= 1
                if path is None or self._left < 0:
                    return None
                self._budget.spend(EACH)
                if self._counts(path, counts, followed=source.place.how != place.how):
                    return path
        return ""

    def _counts(self, path: str, counts: Callable[[str], bool], *, followed: bool = True) -> bool:
        real = self._machine.resolve(path) if followed and self._machine.links(path) else path
        if not (counts(path) or counts(real)):
            return False
        return not self._temporary.holds(real) or self._machine.kind(real) != ""

    def _renames(self, source: Source, target: Place) -> bool:
        """Whether what is moved gets above it a name of which a file may run by itself that did not before."""
        names = {part for path in (target.path, *source.names) for part in path.split("/")}
        return not _directories().isdisjoint(names)

    def _of(self, source: Source, target: Place, counts: Callable[[str], bool]) -> Iterator[str | None]:
        """The paths at which a source arrives; None among them where one is not known."""
        at, flat = target.path.rstrip("/"), source.flat
        if not MARKS.isdisjoint(at):
            return  # a write that is not known is asked about as that
        if source.place.found is not None:
            yield from self._arrival_paths(source.place, target, counts)
            return
        follows = target.tree.follows
        for path in self._there(source.place):
            into = target.tree.deep and path not in {None, target.path} and is_below(target.path, path or "")
            if path is None or into or self._is_made(path, target):  # it would copy what it has made
                yield None
                return
            named = [] if flat and not source.names else [path.rpartition("/")[2], *source.names]
            heads = [f"/{each}" for each in dict.fromkeys(named) if each and MARKS.isdisjoint(each)]
            if self._machine.kind(target.path) not in {"directory", "mount"}:
                heads = [*heads, ""] if self._may_be_made(target) else [""]
            elif flat:
                heads.append("")
            yield from (at + head for head in heads if head)
            if not target.tree.deep or self._machine.kind(path) == "file":
                continue
            for rest in self._rests(path, (path,) if follows else ()):
                if rest is None:
                    yield None
                    return
                yield from (at + head + rest for head in heads)

    def _rests(self, path: str, followed: Sequence[str]) -> Iterator[str | None]:
        """What is below a directory, from there; None among it where that is not known.

        Args:
            path: the directory.
            followed: where the links lead that were followed to it; empty if none is.
        """
        inside = self._below.all(path)
        last = ""
        for each in [None] if inside is None else inside:
            if each is None:
                yield None
            elif is_below(each, path):
                if each != path:
                    last = each[len(path.rstrip("/")) :]
                    yield last
            elif followed and (len(followed) > MOST_FOLLOWED or any(is_below(above, each) for above in followed)):
                yield None  # it leads round, or to what holds all of it
            elif followed:
                for rest in self._rests(each, (*followed, each)):
                    yield None if rest is None else last + rest

    def _arrival_paths(self, place: Place, target: Place, counts: Callable[[str], bool]) -> Iterator[str | None]:
        """The paths at which what a search hands on arrives, by its name or with directories of its path."""
        at, tree = target.path.rstrip("/"), target.tree
        if not (tree.deep or tree.parents):
            found = self._below.finds(place, lambda each: self._counts(f"{at}/{each.rpartition('/')[2]}", counts))
            yield from () if found is False else [None]
            return
        inside = self._below.all(place.path) if MARKS.isdisjoint(place.path) else None
        start = 0 if tree.parents else place.path.rstrip("/").rfind("/")
        for each in [None] if inside is None else inside:
            if each is None:
                yield None
            elif is_below(each, place.path):
                tail = each[start:]
                while tail:
                    yield at + tail
                    tail = "".join(tail[1:].partition("/")[1:])

    def _there(self, place: Place) -> Iterator[str | None]:
        """The paths that a source may be now; None where that is not known."""
        path = place.path
        if MARKS.isdisjoint(path):
            yield path
            return
        start = head_of(path).rpartition("/")[0]
        if ANY in path or MANY in path:
            if not is_below(start or "/", self._root):
                yield None
                return
            inside = self._below.all(start)
            yield from [None] if inside is None else inside
            return
        bases = [start]
        for part in path[len(start) :].strip("/").split("/"):
            if MARKS.isdisjoint(part):
                bases = [f"{base}/{part}" for base in bases]
                continue
            there: list[str] = []
            for base in bases:
                listed = self._machine.below(base or "/", 1)
                if listed is None:
                    yield None
                    return
                self._budget.spend(2 + len(listed))
                there += [each for each in listed if is_below(each, base) and overlap(part, each.rpartition("/")[2])]
            bases = there
        yield from bases

    def _may_be_made(self, target: Place) -> bool:
        """Whether a target that is no directory may be one when the command runs."""
        if target.tree.makes or self._machine.kind(target.path) is None:
            return True
        return not self._holders.get(target.path, set()) <= {id(target.by)}

    def _is_made(self, path: str, target: Place) -> bool:
        """Whether what is below a source may be put there by another command of the same text, unnamed."""
        self._budget.spend(len(self._makers) // 4)
        return any(
            each.by is not target.by
            and (not MARKS.isdisjoint(each.path) or is_below(path, each.path) or is_below(each.path, path))
            and (each.span is None or target.span is None or each.span[0] < target.span[0])
            for each in self._makers
        )

    def _puts_unnamed(self, place: Place) -> bool:
        """Whether a command may put more at a place than the names that are known.

        What is copied there by name is looked at when it is, unless that is a temporary place.
        """
        if place.by is None or not place.tree.links:
            return False
        return not (place.tree.brings and MARKS.isdisjoint(place.path) and not self._temporary.holds(place.path))
