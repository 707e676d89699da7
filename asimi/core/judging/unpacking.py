"""Which files a command writes that unpacks an archive, where the archive is there and its names are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.facts import facts_of, names_of
from asimi.core.programs.effects import broad
from asimi.core.reading.account import NOTHING, TreeAccess
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from asimi.core.judging.paths import Paths
    from asimi.core.judging.places import Place
    from asimi.core.reading import Command, Reading

PLAIN = {program: names_of(lines) for program, lines in facts_of(__package__, "unpacking").items()}
"""Programs with the options with which they write nothing but the names in an archive, below one directory."""

KNOWN = frozenset({"read", "network", "publish", "write", "delete"})
"""Effects of commands of which asimi knows which files they write."""


OUT = TreeAccess(whole=True)
"""What happens to each file that is unpacked."""


def expand_archives(places: Sequence[Place], reading: Reading, paths: Paths) -> tuple[Place, ...]:
    """Places, of which those below the project that archives fill are each file instead, where all are told.

    Args:
        places: where a request reaches, as its words say.
        reading: what it would do.
        paths: its paths.
    """
    root, found = paths.machine.resolve(paths.root), []
    names: dict[Command, Sequence[str] | None] = {}
    for place in places:
        by = place.by
        fills = by is not None and place.tree.unpacks and place.how == "write" and MARKS.isdisjoint(place.path)
        if by is not None and fills and (is_below(place.path, root) or is_below(root, place.path)):
            if by not in names:
                names[by] = _names(by, places, reading, paths)
            if (inside := names[by]) is not None:
                found += [place._replace(path=paths.real(f"{place.path}/{each}"), tree=OUT) for each in inside]
                continue
        found.append(place)
    return tuple(found)


def _names(command: Command, places: Sequence[Place], reading: Reading, paths: Paths) -> Sequence[str] | None:
    """What a command takes out of archives, from where it puts that; None where not all of it is sure."""
    machine, arguments = paths.machine, command.levels[-1].arguments
    given = {name: each.value for each in arguments for name in each.names}
    archives = {each.path for each in places if each.by is command and each.how == "read"}
    operands = [each for each in arguments if each.option is None]
    strip = given.get("--strip-components")
    first = 0 if strip is None or not (strip.literal or "").isdecimal() else int(strip.literal or "")
    others = [each.kinds for each in reading.commands if each is not command and not each.possible]
    if (
        not archives
        or not PLAIN.get(command.name or "", frozenset()).issuperset(given)
        or ("-C" in given and operands)  # it counts for those behind it
        or any(each.by is not command and _may_make(each, archives) for each in places)
        or any(each is None or not broad(each) <= KNOWN for each in others)
        or ("--strip-components" in given and not first)
    ):
        return None
    names: dict[str, None] = {}
    for path in archives:
        inside = machine.members(path) if MARKS.isdisjoint(path) and machine.kind(path) != "" else ()
        if inside is None:
            return None
        names.update(dict.fromkeys("/".join([part for part in each.split("/") if part][first:]) for each in inside))
    return tuple(each for each in names if each) or None


def _may_make(place: Place, archives: Collection[str]) -> bool:
    """Whether what happens at a place may put another file where an archive is, or is looked for."""
    if place.how == "move" or place.tree.links or place.tree.points:  # a link on the way may be another one then
        return True
    wide = place.how == "repository" or place.found is not None or place.tree != NOTHING
    return place.how in {"write", "repository", ""} and (
        not MARKS.isdisjoint(place.path)
        or any(is_below(each, place.path) if wide else each == place.path for each in archives)
    )
