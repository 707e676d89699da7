"""Patterns of files, as people write them in `[files]`.

A pattern is relative to the project root, begins with `~`, or is absolute. `*` stands for a part of a name, `**` for
any number of directories; one that ends in `/**` is for what is below a directory, and for the directory. A path may
hold marks (`asimi.core.reading.shapes`): then it matches if it may become a path that does.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME, WHOLE
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    _Parts = tuple[str, ...]
    _ByBeginning = dict[_Parts, list[tuple[_Parts, _Parts]]]

DEEP = "**"

REMEMBERED = 512
"""Paths with marks of which it is remembered whether they may match."""

LONGEST_REMEMBERED = 512
"""Characters of such a path."""


class _Index(NamedTuple):
    """Where patterns are found by a path that holds no marks, each by its place among all.

    Attributes:
        all: whether each adds to what matches, and its components.
        paths: of whole paths.
        below: of paths with all that is below them.
        longest: how many characters the longest of these has; -1 without any.
        names: of names anywhere.
        inside: of names anywhere with all that is below these.
        ends: of names with one star, by what is before these.
        tails: of what ends in a name, behind a star.
        others: by a name that the path of each must hold; empty if there is none.
        begins: what names anywhere begin with, before a star.
        endings: what they end with, behind a star that they begin with.
    """

    all: list[tuple[bool, tuple[str, ...]]]
    paths: dict[str, list[int]]
    below: dict[str, list[int]]
    longest: int
    names: dict[str, list[int]]
    inside: dict[str, list[int]]
    ends: dict[str, list[tuple[str, str, int]]]
    tails: dict[str, list[int]]
    others: dict[str, list[int]]
    begins: tuple[str, ...]
    endings: tuple[str, ...]


def _index_of(patterns: Iterable[str], root: str, home: str) -> _Index:
    """The index of patterns."""
    every: list[tuple[bool, tuple[str, ...]]] = []
    paths: dict[str, list[int]] = {}
    under: dict[str, list[int]] = {}
    names: dict[str, list[int]] = {}
    inside: dict[str, list[int]] = {}
    ends: dict[str, list[tuple[str, str, int]]] = {}
    tails: dict[str, list[int]] = {}
    others: dict[str, list[int]] = {}
    for place, pattern in enumerate(patterns):
        text = pattern.removeprefix("!")
        parts = _parts(absolute(text, root, home))
        every.append((text == pattern, parts))
        below = parts[-1:] == (DEEP,)
        fixed = parts[:-1] if below else parts
        whole = "/" + "/".join(fixed) if fixed else ""
        if "*" not in whole:  # most are
            (under if below else paths).setdefault(whole, []).append(place)
            continue
        before, name = "/" + "/".join(fixed[:-1]), fixed[-1]
        if fixed[:-1] == (DEEP,) and "*" not in name:
            (inside if below else names).setdefault(name, []).append(place)
        elif name.count("*") == 1 and not below and (before == f"/{DEEP}" or "*" not in before):
            begin, _, end = name.partition("*")
            ends.setdefault(before, []).append((begin, end, place))
        elif not below and "*" not in name:
            tails.setdefault(name, []).append(place)
        else:
            named = next((part for part in reversed(fixed) if "*" not in part), "")
            others.setdefault(named, []).append(place)
    anywhere = ends.get(f"/{DEEP}", ())
    begins = tuple({begin for begin, _, _ in anywhere if begin})
    endings = tuple({end for begin, end, _ in anywhere if not begin})
    longest = max(map(len, under), default=-1)
    return _Index(every, paths, under, longest, names, inside, ends, tails, others, begins, endings)


class Patterns:
    """Some patterns; an index of them is made when a path is first looked for, because many commands reach no file.

    Args:
        patterns: as a person writes them; one that begins with `!` takes back what an earlier one matches.
        root: the project root, an absolute path.
        home: the home directory, an absolute path.
    """

    def __init__(self, patterns: Iterable[str], root: str, home: str) -> None:
        self._given = tuple(patterns), root, home

    @cached_property
    def _index(self) -> _Index:
        return _index_of(*self._given)

    @cached_property
    def _may_match_cached(self) -> Callable[[str], bool]:
        return lru_cache(maxsize=REMEMBERED)(self._may_match)  # the same few shapes in one text after another

    @cached_property
    def _remembered_name(self) -> Callable[[str, bool], bool]:
        return lru_cache(maxsize=REMEMBERED)(self._may_be_named)

    def matches(self, path: str) -> bool:
        """Whether a path matches, or may, if it holds marks: then what takes matches back does not count."""
        if path.isprintable() or MARKS.isdisjoint(path):  # no mark can be printed, and this is far quicker
            found = self._places(_parts(path))
            return bool(found) and self._index.all[max(found)][0]
        return self._may_match_cached(path) if len(path) <= LONGEST_REMEMBERED else self._may_match(path)

    def surely_matches(self, path: str) -> bool:
        """Whether a path matches whatever its marks stand for; not where something may take it back."""
        if MARKS.isdisjoint(path):
            return self.matches(path)
        parts, odd = _parts(path), _parts(path.translate(_ODDLY))  # only a star is for that
        return any(adds and _may_meet(odd, pattern, within=True) for adds, pattern in self._index.all) and not any(
            not adds and _may_meet(parts, pattern, within=True) for adds, pattern in self._index.all
        )

    def _may_match(self, path: str) -> bool:
        """Whether a path with marks may match."""
        parts, within = _parts(path), ANY not in path and MANY not in path
        may_be_named = self._remembered_name if len(path) <= LONGEST_REMEMBERED else self._may_be_named
        if parts and may_be_named(parts[-1], within):
            return True
        unsure = [part for part in parts if not MARKS.isdisjoint(part)]
        known = parts.index(unsure[0]) if unsure else len(parts)
        begun, longer = self._prefix_index
        found = [begun.get(parts[:at], ()) for at in range(known + 1)]
        found.append(longer.get(parts[:known], ()))
        return any(
            _may_meet(parts, pattern, within=within)
            for each in found
            for pattern, names in each
            if not within or _may_hold(parts, unsure, names)
        )

    def _may_be_named(self, name: str, within: bool) -> bool:  # noqa: FBT001 - as a key has it
        """Whether a name, whatever is before it, may be one of those that a pattern is for in any directory."""
        plain, globs = self._anywhere
        if not within and (ANY in name or MANY in name):
            return bool(plain or globs)
        if not MARKS.isdisjoint(name):
            globs += tuple(plain)
        elif name in plain:
            return True
        return any(overlap(name, each) for each in globs)

    @cached_property
    def _anywhere(self) -> tuple[dict[str, None], tuple[str, ...]]:
        """Of the patterns that add: those for a name in any directory, without a star and with some."""
        names = dict.fromkeys(parts[1] for adds, parts in self._index.all if adds and _is_name(parts))
        return dict.fromkeys(each for each in names if "*" not in each), tuple(each for each in names if "*" in each)

    @cached_property
    def _prefix_index(self) -> tuple[_ByBeginning, _ByBeginning]:
        """The others that add, by their components before the first star, and by each shorter beginning of these.

        With each are its components without a star: a path must hold all of these.
        """
        begun: _ByBeginning = {}
        longer: _ByBeginning = {}
        for parts in (parts for adds, parts in self._index.all if adds and not _is_name(parts)):
            fixed = next((at for at, part in enumerate(parts) if "*" in part), len(parts))
            names = tuple(part for part in parts if "*" not in part)
            begun.setdefault(parts[:fixed], []).append((parts, names))
            for at in range(fixed):
                longer.setdefault(parts[:at], []).append((parts, names))
        return begun, longer

    def _places(self, parts: tuple[str, ...]) -> list[int]:
        """The places of the patterns that match a path without marks."""
        index, path, name = self._index, "/".join(("", *parts)), parts[-1] if parts else ""
        found = [*index.paths.get(path, ()), *index.names.get(name, ())]
        at, below = 0, index.below
        while 0 <= at <= index.longest:  # from the root on
            found += below.get(path[:at], ())
            at = path.find("/", at + 1)
        found += below.get(path, ()) if path else ()
        if not index.inside.keys().isdisjoint(parts):
            found += (place for part in {*parts} for place in index.inside.get(part, ()))
        ends: Iterable[tuple[str, str, int]] = index.ends.get(path[: -len(name) - 1] or "/", ()) if parts else ()
        if name.endswith(index.endings) or name.startswith(index.begins):
            ends = (*ends, *index.ends[f"/{DEEP}"])
        for begin, end, place in ends:
            if name.startswith(begin) and name.endswith(end) and len(name) >= len(begin) + len(end):
                found.append(place)
        others = [*index.tails.get(name, ()), *index.others.get("", ())]
        if not index.others.keys().isdisjoint(parts):
            others += (place for part in {*parts} for place in index.others.get(part, ()))
        found += [place for place in others if _may_meet(parts, index.all[place][1], within=True)]
        return found

    def matches_ending(self, shape: str) -> bool:
        """Whether any name with the ending of a shape (`is_ending`) matches, if that is known."""
        directory, _, name = shape.rpartition("/")
        return ONE not in name and self.matches(f"{directory}/{_ODD}{name[1:]}")

    def all_below(self, path: str) -> bool:
        """Whether all that a path without marks may hold matches too: one of the patterns is for what is below."""
        return self.matches(f"{path.rstrip('/')}/{_ODD}/{_ODD}")


def is_ending(name: str) -> bool:
    """Whether a shape of a name says no more than how it ends: `*.yaml`, `*.??`."""
    return name[:1] == SOME and MARKS.isdisjoint(name[1:].replace(ONE, ""))


_ODD = "\x7fx"  # a name that no pattern names
_ODDLY = str.maketrans(dict.fromkeys((SOME, ONE, *WHOLE), _ODD))


def absolute(pattern: str, root: str, home: str) -> str:
    """A pattern as one of absolute paths."""
    if pattern == "~" or pattern.startswith("~/"):
        return home.rstrip("/") + pattern[1:]
    if pattern.startswith("/"):
        return pattern
    return root.rstrip("/") + "/" + pattern.removeprefix("./")


def _parts(path: str) -> tuple[str, ...]:
    """The components of a path; `.` and nothing between slashes are none."""
    return tuple([part for part in path.split("/") if part and part != "."])


def _may_meet(parts: tuple[str, ...], pattern: tuple[str, ...], *, within: bool) -> bool:
    """Whether a path may be one that a pattern is for, with what tells most of them apart first.

    Args:
        parts: the components of the path.
        pattern: those of the pattern.
        within: whether no mark in the path may hold a slash.
    """
    if _is_name(pattern):
        last = parts[-1] if parts else ""
        return bool(last) and ((not within and (ANY in last or MANY in last)) or overlap(last, pattern[1]))
    same = 0
    for part, wanted in zip(parts, pattern, strict=False):
        if part != wanted or part == DEEP:
            if "*" not in wanted and MARKS.isdisjoint(part):
                return False
            break
        same += 1
    return _meets(parts, pattern, same)


def _may_hold(parts: Sequence[str], unsure: Sequence[str], names: Sequence[str]) -> bool:
    """Whether each of some names may be a component of a path, whose components with marks are `unsure`."""
    return all(name in parts or any(overlap(each, name) for each in unsure) for name in names)


def _is_name(pattern: tuple[str, ...]) -> bool:
    """Whether a pattern is for a name in any directory."""
    return len(pattern) == 2 and pattern[0] == DEEP and pattern[1] != DEEP


def _meets(parts: Sequence[str], pattern: Sequence[str], same: int = 0) -> bool:
    """Whether a path may be one that a pattern is for; of a pattern with `/**` at its end, the directory too.

    Args:
        parts: the components of the path.
        pattern: those of the pattern.
        same: how many of the first ones are known to be the same in both, none of them `**`.
    """
    places = {same}
    for part in parts[same:]:
        places = {after for at in places for after in _after(part, pattern, at)}
        if not places:
            return False
    end = len(pattern)
    return any(at == end or pattern[at:] == (DEEP,) for at in places)


def _after(part: str, pattern: Sequence[str], at: int) -> set[int]:
    """Where a pattern goes on behind one component of a path."""
    if ANY in part or MANY in part:  # it may be any number of components
        begin = part.partition(ANY)[0].partition(MANY)[0]
        rest = set(range(at, len(pattern) + 1))
        if begin and at < len(pattern) and pattern[at] != DEEP and not overlap(begin + SOME, pattern[at]):
            return set()
        return rest
    found = set[int]()
    while at < len(pattern):
        if pattern[at] != DEEP:
            if overlap(part, pattern[at]):
                found.add(at + 1)
            break
        found.add(at)  # which may be more directories, or none
        at += 1
    return found


@lru_cache(maxsize=4096)
def overlap(name: str, pattern: str) -> bool:
    """Whether a name, which may hold marks for parts of names, may be one that a pattern with `*` is for."""
    if name[:1] == SOME and pattern[:1] == ".":  # no glob begins with a hidden name unless it says so
        return False
    shape, star = (name, SOME) if "*" not in pattern else (pattern, "*")
    other = pattern if shape is name else name
    if ONE not in name and WHOLE.keys().isdisjoint(name) and SOME not in other:  # one side is a name: most are
        begin, found, end = shape.partition(star)
        if star not in end:
            fits = other.startswith(begin) and other.endswith(end) and len(other) >= len(begin) + len(end)
            return fits if found else other == shape
    reached = {(0, 0)}
    waiting = [(0, 0)]
    while waiting:
        at, place = waiting.pop()
        if at == len(name) and place == len(pattern):
            return True
        steps = []
        some, many = name[at : at + 1] == SOME, pattern[place : place + 1] == "*"
        if some:
            steps.append((at + 1, place))
        if many:
            steps.append((at, place + 1))
        if at < len(name) and place < len(pattern):
            if some and not many:
                steps.append((at, place + 1))
            elif many and not some:
                steps.append((at + 1, place))
            elif not some and name[at] in {ONE, pattern[place]}:
                steps.append((at + 1, place + 1))
            elif pattern[place] in WHOLE.get(name[at], ()):
                steps += (at + 1, place + 1), (at, place + 1)
        for step in steps:
            if step not in reached:
                reached.add(step)
                waiting.append(step)
    return False
