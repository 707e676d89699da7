"""What `xargs` adds to a command is names of files, and no options, where the disk shows that nothing else can come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.judging.places import Places
from asimi.core.reading.commands import Added
from asimi.core.reading.escapes import escapes
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from asimi.core.judging.found import Found
    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading
    from asimi.core.syntax.nodes import Word


def with_names(reading: Reading, paths: Paths) -> Reading:
    """A reading in which what `xargs` adds to a command surely is the names of files, and no option.

    The look is at what is there now, so it counts only where the rest of the text only reads.
    """
    fed = [
        each
        for each in reading.commands
        if each.kinds is None and not (each.possible or each.inline) and _is_unsure(each.words[-1])
    ]
    others = [each for each in reading.commands if not (each.possible or any(each is one for one in fed))]
    if not fed or any(each.effects is None or not each.effects <= {"read"} for each in others):
        return reading
    if any(writes for _, _, writes in reading.targets):
        return reading
    places = Places(reading, paths)
    places.all()
    begun: dict[Command, Command] = {}
    for each in fed:
        founds, last = places.handing(each), len(each.words) - 1
        if founds and all(_begins_plain(one, paths) for one in founds):
            added = each.words[last]
            new = each.with_words([*each.words[:last], Added(added.start, added.end, begins="./", single=added.single)])
            left = tuple(one for one in each.escapes if one.word != last)
            if each.shapes is not None and left == tuple(escapes(new, each.shapes, paths.budget)):
                begun[each] = new.as_read(each.shapes, left, None, loose=each.loose, defined=each.defined)
    return reading._replace(commands=tuple(begun.get(each, each) for each in reading.commands)) if begun else reading


def _is_unsure(word: Word) -> bool:
    """Whether a word is added, alone, and could be an option."""
    return isinstance(word, Added) and not (word.sure or word.before or word.behind)


def _begins_plain(found: Found, paths: Paths) -> bool:
    """Whether all names of a list surely begin with something else than a dash."""
    for path, written in found.starts:
        if written[:1] == "-" or not MARKS.isdisjoint(written + path):
            return False
        there = paths.machine.names(path) if written.strip("./") == "" else ()  # `grep -r` prints these without `./`
        if there is None or any(each[:1] == "-" for each in there):
            return False
    return bool(found.starts) and not found.exact
