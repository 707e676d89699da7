"""What asimi keeps on this machine, as `asimi doctor` and `asimi uninstall` look at it.

`KINDS` names what a person is told about, the rows of `asimi help files`. What lies below the directories of asimi's
own is looked at whether the list names it or not.
"""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.facts import facts_of
from asimi.core.values import NamedTuple
from asimi.world.host.places import check_private, read_private, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.world.host.places import Places

MOST = 20_000
"""Files that are looked at; there can be more outputs than anybody wants to wait for."""


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        what: its name.
        place: the field of `Places` that it is in.
        name: its path from there; empty for the place itself.
        keeper: its format's version, its limits, and who deletes it.
        directory: whether it is a directory.
        theirs: whether commands write in it, so that what it holds is theirs.
    """

    what: str
    place: str
    name: str
    keeper: str
    directory: bool = False
    theirs: bool = False

    def path(self, places: Places) -> str:
        """Return where it is."""
        start: str = getattr(places, self.place)
        return os.path.join(start, self.name) if self.name else start


def _kind(line: str) -> Kind:
    what, at, keeper, *marks = line.split(" | ")
    place, _, name = at.partition("/")
    return Kind(what, place, name, keeper, directory="directory" in marks, theirs="theirs" in marks)


KINDS = tuple(map(_kind, facts_of(__package__, "state_files")["kinds"]))
"""Every kind of file that asimi reads or keeps."""


BOX = "box-"
"""What the names of the directories of boxes begin with, in which the inside sees programs and settings of its own."""


def unusable(places: Places) -> Iterator[str]:
    """Yield what is wrong with each file and directory that asimi keeps for itself: what, where and what to do."""
    named = {kind.path(places): kind.directory for kind in KINDS if kind.place in ("state", "runtime")}
    theirs = {kind.path(places) for kind in KINDS if kind.theirs}
    left = MOST
    for start in dict.fromkeys((places.state, places.runtime)):
        waiting = [start]
        while waiting and left > 0:
            path = waiting.pop()
            left -= 1
            try:
                there = os.lstat(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                yield f"{path}: cannot be looked at: {words_of(error, path)}"
                continue
            is_directory = stat.S_ISDIR(there.st_mode)
            fault = _fault(path, there, directory=named.get(path, is_directory))
            if fault:
                yield fault
            elif is_directory and path not in theirs and not os.path.basename(path).startswith(BOX):
                waiting += reversed([os.path.join(path, name) for name in sorted(os.listdir(path))])


def _fault(path: str, there: os.stat_result, *, directory: bool) -> str:
    """Return what keeps asimi from using a file of its own; empty if nothing does."""
    if stat.S_ISSOCK(there.st_mode):
        return ""  # whoever connects there looks whose it is
    try:
        check_private(path, there, directory=directory)
    except AsimiError as error:
        return str(error)
    needed = os.R_OK | os.W_OK | (os.X_OK if directory else 0)
    mode = "700" if directory else "600"
    if not os.access(path, needed):
        return f"{path}: you may not read and write it; chmod {mode} {path}"
    return "" if directory or not path.endswith(".json") else _fault_in(path)


def _fault_in(path: str) -> str:
    """Return what is wrong with the text of a file of one value, so that nothing can read it; empty if nothing is."""
    from asimi.core.json_values import Invalid, loads

    try:
        if (content := read_private(path)) is not None:  # else it was deleted meanwhile
            loads(content, sys.maxsize)
    except Invalid as fault:
        return f"{path}: is not a file that asimi can use: {fault}; {fault.advice}"
    except AsimiError as error:
        return str(error)
    return ""


def open_to_changes(places: Places) -> Iterator[str]:
    """Yield what other users could change of the configuration, which is used all the same."""
    for kind in KINDS:
        path = kind.path(places)
        if kind.place == "config" and _others_write(path):
            yield f"{path}: other users can change it, and with it what asimi allows; chmod go-w {path}"
    if _others_write(places.config):
        yield f"{places.config}: other users can replace what is in it; chmod go-w {places.config}"


def _others_write(path: str) -> bool:
    try:
        return bool(os.stat(path).st_mode & 0o022)
    except OSError:
        return False
