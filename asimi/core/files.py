"""What an agent's own tool for files does, as the command that does the same.

There is one account of what touches a file: that of commands. So what such a tool reads is put to the gate as `cat`,
what it writes as `tee`, what it searches as `grep -r`, what it lists as `ls`, what it removes as `rm`. All that
is said of files counts then, and nothing that is said of programs.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from asimi.core.call import Request
from asimi.core.pattern import pattern
from asimi.core.syntax import quote
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.call import FileUse, Place, Touch


class _Paths(NamedTuple):
    """Where paths begin: relative ones, those with `~`, and those that a command names."""

    directory: str
    home: str
    root: str


FILES = "file"
"""The name that stands in a request for all tools of agents that touch files."""

READ, SEARCH, LIST, WRITE, DELETE = "read", "search", "list", "write", "delete"

SIGN = " # "
"""What is before the mark of a change, behind the command: a comment, which starts nothing."""

_COMMANDS = {READ: "cat", SEARCH: "grep -r -e x", LIST: "ls", WRITE: "tee", DELETE: "rm"}
"""The command that does what a tool does. To write, it is one that writes by itself, as a redirection does: so a rule
by effects is about it, too."""

MOST, WIDEST = 60, 300
"""Lines of a change that are shown, and characters of each."""

_BRACES = pattern(r"[{,}]")
_GROUP = pattern(r"[{(]")
_OPENS = pattern(r"[@?+*!]?\(")


def request_of(use: FileUse, place: Place, directory: str, home: str, agent: str = "") -> Request:
    """The request that is judged in place of a tool's call.

    Args:
        use: what the tool does.
        place: the project.
        directory: where relative paths begin, absolute.
        home: the home directory.
        agent: who calls.
    """
    command = "; ".join(_commands(use.touches, _Paths(directory, home, place.path)))
    return Request(FILES, f"{command}{SIGN}{use.mark}" if use.mark else command, None, place, agent=agent, file=use)


def clip_lines(lines: Sequence[str]) -> str:
    """The lines of a change as far as they are shown to a person, wherever that is."""
    cut = [line if len(line) <= WIDEST else f"{line[:WIDEST]}…" for line in lines[:MOST]]
    more = [f"… and {len(lines) - MOST} more lines"] if len(lines) > MOST else []
    return "\n".join([*cut, *more])


def _commands(touches: Iterable[Touch], paths: _Paths) -> Iterator[str]:
    """The commands that do what a tool does, those that change something last."""
    for does, command in _COMMANDS.items():
        mine = [each for each in touches if each.does == does]
        if does == SEARCH:
            places: dict[str, list[str]] = {}
            for each in mine:
                places.setdefault(each.names, []).extend(_words(each.path, paths))
            for names, words in places.items():
                yield " ".join((command, *_names(names), *words))
        elif mine:
            yield " ".join((command, *(word for each in mine for word in _words(each.path, paths))))


def patterns(names: str) -> list[str]:
    """The patterns of names in one text: some tools take several, with blanks or commas between them."""
    return [each for one in names.split() for each in ([one] if _GROUP.search(one) else one.split(","))]


def _names(names: str) -> tuple[str, ...]:
    """The options of a search that say which names it reads; none where it reads all, or all but some."""
    found = [_as_braces(each).rpartition("/")[2] for each in patterns(names) if each[:1] != "!"]
    if not all(each.strip("*") for each in found):
        return ()
    return tuple(
        "--include=" + "".join(each if _BRACES.fullmatch(each) else quote(each) for each in _pieces(name))
        for name in found
    )


def _as_braces(name: str) -> str:
    """A pattern with braces in the place of `+(a|b)` and the like, which some tools know."""
    if "(" not in name:
        return name
    return _OPENS.sub("{", name).replace("|", ",").replace(")", ",}")


def _pieces(name: str) -> Iterator[str]:
    """A pattern cut where its braces and commas are, which bash expands where nothing quotes them."""
    at = 0
    for match in _BRACES.finditer(name):
        yield from (each for each in (name[at : match.start()], match.group()) if each)
        at = match.end()
    if name[at:]:
        yield name[at:]


def _words(path: str, paths: _Paths) -> list[str]:
    """The paths that a tool may mean by one, quoted, from the project's root.

    Some tools trim what they are given, take `~` for the home, a URI for a path, or a backslash for a quote; most take
    `..` away before they follow a link, as no command does. All of these count.
    """
    meant = dict.fromkeys((path, path.strip()))
    for each in tuple(meant):
        if each.startswith("file://"):
            from urllib.parse import unquote

            meant[unquote(each.removeprefix("file://").removeprefix("localhost"))] = None
        if "\\" in each:
            meant[each.replace("\\", "")] = None
        if each == "~" or each.startswith("~/"):
            meant[paths.home + each[1:]] = None
    found = [paths.directory if each == "." else posixpath.join(paths.directory, each) for each in meant]
    found += [posixpath.normpath(each) for each in found if "/../" in f"{each}/"]
    return [quote(_from(paths.root, each)) for each in dict.fromkeys(found)]


def _from(root: str, path: str) -> str:
    """A path from the root where it is below it, and as it is elsewhere."""
    if path == root:
        return "."
    below = path[len(root) + 1 :] if path.startswith(f"{root}/") else ""
    return path if below[:1] in {"", "/", "-"} else below
