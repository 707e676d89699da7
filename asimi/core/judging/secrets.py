"""Which places hold secrets, or may: by their names, and by what is below them now."""

from __future__ import annotations

from fnmatch import fnmatchcase

from asimi.core.call import is_below
from asimi.core.judging.known_files import HOMES, ROOT
from asimi.core.judging.patterns import Patterns, absolute, is_ending
from asimi.core.lean import TYPE_CHECKING
from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME, head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from asimi.core.judging.paths import Machine
    from asimi.core.judging.reached import Place
    from asimi.core.judging.sought import Below

DEEPEST = 64
"""Levels of directories that are looked through."""


class Secrets:
    """What is asked about when it is read or written.

    Args:
        layers: patterns of files (`[files] secret`), by the layer of the configuration that has them.
        root: the project root, a real path.
        machine: this machine.
    """

    def __init__(self, layers: Iterable[Sequence[str]], root: str, machine: Machine) -> None:
        layers, home = [each for each in layers if each], machine.home
        self._machine, self._root = machine, root
        self._all = [Patterns(each, root, home) for each in layers]
        self._layers = layers
        named = [
            whole
            for each in layers
            for pattern in each
            if pattern[0] in "~/" and not pattern.startswith("/**")
            for whole in [absolute(pattern, root, home)]
            if not is_below(whole, root)
        ]
        self._above = {*HOMES, ROOT, "/"}
        for directory in named:
            while (directory := directory.rpartition("/")[0]) and directory not in self._above:
                self._above.add(directory)
        self._named: tuple[list[Patterns], frozenset[str]] | None = None

    @property
    def _names(self) -> list[Patterns]:
        """The patterns of names, without those of all that is below a directory."""
        return self._by_name()[0]

    @property
    def _shortest(self) -> frozenset[str]:
        """The shortest name that each of these is for."""
        return self._by_name()[1]

    def _by_name(self) -> tuple[list[Patterns], frozenset[str]]:
        if self._named is None:
            some = [[pattern for pattern in each if not pattern.endswith("/**")] for each in self._layers]
            shortest = {one.rpartition("/")[2].replace("*", "") for each in some for one in each if one[0] != "!"}
            self._named = [Patterns(each, self._root, self._machine.home) for each in some], frozenset(shortest)
        return self._named

    def message(self, place: Place, below: Below) -> str:
        """What is to be said of a place, with `{}` for its path; empty if it holds no secret."""
        path = place.path
        if place.how == "repository":
            return ""
        if not MARKS.isdisjoint(place.shape):
            return "{} may be a secret" if self._may_be(place, below) else ""
        if self.has(path):
            return "{} may hold a secret"
        if place.how in {"read", ""} and self._is_above(path):
            return "{} holds secrets"
        return self._taken(path, place) if place.tree.takes and place.how == "read" else ""

    def has(self, path: str) -> bool:
        """Whether a real path is the file of a secret, by its name."""
        own = self._as_own(path)
        return any(each.matched(path) or (own is not None and each.matched(own)) for each in self._all)

    def _as_own(self, path: str) -> str | None:
        """The path of this user that is for what another user's path is; None for a path in no other home."""
        if is_below(path, self._machine.home):
            return None
        for homes in HOMES:
            if path.startswith(f"{homes}/"):
                name, slash, rest = path[len(homes) + 1 :].partition("/")
                unknown = min((at for at in map(name.find, (ANY, MANY)) if at >= 0), default=len(name))
                between = "/" if unknown < len(name) else ""
                return f"{self._machine.home}{between}{name[unknown:]}{slash}{rest}"
        return f"{self._machine.home}{path[len(ROOT) :]}" if path.startswith(f"{ROOT}/") else None

    def _is_above(self, path: str) -> bool:
        """Whether a path is above one that is named."""
        return path in self._above or path.rpartition("/")[0] in HOMES or self._as_own(path) in self._above

    def _taken(self, path: str, place: Place) -> str:
        """What is to be said of all that is below a path, which is carried off."""
        if self._machine.kind(path) in {"file", "block", ""}:
            return ""
        below = self._machine.below(path, DEEPEST)
        if below is None:
            return "{} holds more than can be looked through for secrets"
        found = (each for each in below if self.has(each) and self._is_taken(each, place))
        return "{} holds secrets" if any(found) else ""

    def _is_taken(self, path: str, place: Place) -> bool:
        """Whether a command that carries off a directory carries off a file in it, by how git has that."""
        if not (place.tree.tracked or place.tree.new):
            return True
        return self._machine.kept(path) in {"", "tracked" if place.tree.tracked else "new"}

    def _is_found(self, place: Place, below: Below) -> bool:
        """Whether a search hands on a secret, by the names that it looks for.

        Where these may begin with anything, the shortest names that patterns are for count, and what is there now,
        because a pattern that begins with a star meets any other one with a star somehow.
        """
        meets = any(each.matched(place.shape) for each in self._names)
        if place.found is None or place.found[:1] not in {SOME, ONE, ANY}:
            return meets
        if is_ending(place.found) and place.found[1:2] == ".":
            if any(each.ending(f"{place.path}/{place.found}") for each in self._all):
                return True
        elif any(below.hands(place, f"{place.path.rstrip('/')}/{each}") for each in self._shortest):
            return True
        found = below.finds(place, self.has)
        return meets if found is None else found

    def _is_kept(self, name: str) -> bool:
        """Whether git may find a secret by a pattern whose marks stand for slashes and leading dots, too.

        An ending (`*.json`) is for secrets only if all such names are.
        """
        behind = [name[at + 1 :] for at, each in enumerate(name) if each in {SOME, ONE}]
        if any(self.has(f"/{each}") for each in behind if each.strip(ONE) and SOME not in each):
            return True
        tail = name.rpartition(SOME)[2].replace(ONE, "?")
        if SOME not in name or not tail.strip("?") or tail[0] == "." or not MARKS.isdisjoint(tail):
            return False
        return self.has(f"/.{name.rpartition(SOME)[2]}") or any(
            fnmatchcase(each, f"*{tail}") for each in self._shortest
        )

    def _may_be(self, place: Place, below: Below) -> bool:
        """Whether a place of which a part is not known may be a secret, by what is known of it."""
        path, shape = place.path, place.shape
        if place.found is not None and MARKS.isdisjoint(path) and place.how not in {"delete", "move"}:
            if self.has(path) or self._is_above(path):
                return True
            return bool(place.found.strip(SOME + ONE)) and self._is_found(place, below)
        last = shape.rpartition("/")[2]
        if place.how == "kept" and not {SOME, ONE}.isdisjoint(last) and self._is_kept(last):
            return True
        if ANY in last and not last.replace(ANY, "").strip(SOME + ONE):
            return False  # nothing is known of its name; what allows by effect asks about that
        if (there := self._machine.now(shape)) is not None:
            if is_ending(last) and any(each.ending(shape) for each in self._all):
                return True
            return any(map(self.has, there)) or (place.tree.takes and any(self._taken(each, place) for each in there))
        return self.has(shape) if head_of(shape).strip("/") else any(each.matched(shape) for each in self._names)
