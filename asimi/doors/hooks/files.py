"""What an agent's own tool for files does, read from its parameters by the agent's data."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core import wire
from asimi.core.call import FileUse, Touch
from asimi.core.errors import Refusal
from asimi.core.files import DELETE, SEARCH, WRITE, clip_lines, patterns, request_of
from asimi.core.values import NamedTuple
from asimi.doors.hooks.agent import MANY, PATCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from asimi.core.call import Place, Request
    from asimi.doors.hooks.agent import FileTool

HERE = "."
"""Where a search begins that names no directory."""

LONGEST = 1 << 20
"""Bytes of a file that is compared with what replaces it."""

WIDEST_SEARCH = 10_000
"""Places that one search names at most."""

_FILES = {"*** Add File:": WRITE, "*** Update File:": WRITE, "*** Delete File:": DELETE, "*** Move to:": WRITE}
"""What the lines of a patch that name files do (openai/codex, codex-rs/apply-patch)."""

_GLOB = "*?[{"


class _Change(NamedTuple):
    """The lines of one file that go, those that come in their place, and how many bytes the tool brings."""

    path: str
    removed: list[str]
    added: list[str]
    size: int


def request_for(
    tool: str, form: FileTool, given: Mapping[str, Any], place: Place, directory: str, home: str, agent: str
) -> Request:
    """The request that is judged in place of a tool's call.

    Args:
        tool: the agent's name of the tool.
        form: how it takes its parameters.
        given: these.
        place: the project.
        directory: where relative paths begin, absolute.
        home: the home directory.
        agent: who calls.

    Raises:
        Refusal: a path is missing, or none (`parameters`).
    """
    use = FileUse(tool, *_read_patch(form, given)) if form.does == PATCH else _file_use(tool, form, given, directory)
    if any(each.does in {WRITE, DELETE} for each in use.touches):
        use = use._replace(mark=f"{tool} {sha256(f'{tool}{wire.dumps(given)}'.encode()).hexdigest()[:32]}")
    return request_of(use, place, directory, home, agent)


def _file_use(tool: str, form: FileTool, given: Mapping[str, Any], directory: str) -> FileUse:
    """What a tool does that takes paths."""
    edits = given.get(form.edits) if form.edits else None
    swaps: list[Mapping[str, Any]] = (
        [each for each in edits if isinstance(each, dict)] if isinstance(edits, list) else []
    )
    parts = [(each, [each]) for each in swaps if _named_paths(form, each)] or [(given, swaps or [given])]
    if not all(_named_paths(form, each) for each, _ in parts) and not form.here:
        raise Refusal("parameters", f"{form.paths[0]}: is missing; {tool} must name a file")
    if form.does == WRITE:
        changes = [
            _change_of(form, path, directory, swaps) for each, swaps in parts for path in _named_paths(form, each)
        ]
        touches = [Touch(WRITE, each.path, "", each.size, len(each.added), len(each.removed)) for each in changes]
        return FileUse(tool, tuple(touches), clip_lines([line for each in changes for line in _lines(each)]))
    paths, names = _named_paths(form, given) or [HERE], _texts(given.get(form.names)) if form.names else ""
    if form.does == MANY:
        return FileUse(tool, tuple(map(_search_touch, paths)))
    below = {_search_touch(each).path for each in patterns(names)} - {HERE}
    if len(below) * len(paths) > WIDEST_SEARCH:
        raise Refusal("parameters", f"{form.names}: has too many patterns to check at once")
    found = sorted(each if path == HERE else os.path.join(path, each) for path in paths for each in below)
    touches = [Touch(form.does, path, names if form.does == SEARCH else "") for path in paths]
    return FileUse(tool, (*touches, *(Touch(form.does, path) for path in found)))


def _named_paths(form: FileTool, given: Mapping[str, Any]) -> list[str]:
    """The paths in the parameters of a tool, or of one of its edits."""
    return [path for name in form.paths for path in _paths(name, given.get(name))]


def _paths(name: str, value: Any) -> list[str]:
    """The paths in a parameter.

    Raises:
        Refusal: it holds something else, or what no path can hold.
    """
    found = value if isinstance(value, list) else [] if value is None or value == "" else [value]
    for each in found:
        if not isinstance(each, str) or "\0" in each:
            raise Refusal("parameters", f"{name}: is no path")
    return found


def _search_touch(path: str) -> Touch:
    """What a tool reads that is given a path, or a pattern of paths."""
    parts = path.split("/")
    first = next((index for index, part in enumerate(parts) if any(mark in part for mark in _GLOB)), len(parts))
    if first == len(parts):
        return Touch(SEARCH, path)
    return Touch(SEARCH, "/".join(parts[:first]) or ("/" if path[:1] == "/" else HERE), parts[-1])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> str:
    """A text, or all of a list, with blanks between them."""
    return " ".join(map(_text, value)) if isinstance(value, list) else _text(value)


def _change_of(form: FileTool, path: str, directory: str, swaps: list[Mapping[str, Any]]) -> _Change:
    """The change of one file; where all of it is written, only what differs from what it holds now."""
    come = [_text(each.get(form.text or form.new)) for each in swaps]
    size = sum(len(each.encode("utf-8", "surrogatepass")) for each in come)
    added = [line for each in come for line in each.splitlines()]
    if not form.text:
        return _Change(path, [line for each in swaps for line in _text(each.get(form.old)).splitlines()], added, size)
    removed, alike = _before(os.path.join(directory, path)), 0
    while alike < min(len(removed), len(added)) and removed[alike] == added[alike]:
        alike += 1
    removed, added = removed[alike:], added[alike:]
    while removed and added and removed[-1] == added[-1]:
        removed.pop()
        added.pop()
    return _Change(path, removed, added, size)


def _before(path: str) -> list[str]:
    """The lines of an ordinary file that is not too long; of anything else, none."""
    with suppress(OSError, UnicodeError):
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            there = os.fstat(descriptor)
            if stat.S_ISREG(there.st_mode) and there.st_size <= LONGEST:
                return file.read(LONGEST).decode().splitlines()
    return []


def _lines(change: _Change) -> Iterator[str]:
    """A change as lines of a diff."""
    yield f"=== {change.path}"
    yield from (f"-{line}" for line in change.removed)
    yield from (f"+{line}" for line in change.added)


def _read_patch(form: FileTool, given: Mapping[str, Any]) -> tuple[tuple[Touch, ...], str]:
    """What a patch does, and the patch for a person.

    Its programs trim lines before they look for those that name files, so each counts wherever it stands, except behind
    the sign of a line that comes or goes.

    Raises:
        Refusal: there is none, or it names no file.
    """
    patch = "\n".join(text for name in form.paths if (text := _text(given.get(name))))
    touches: list[Touch] = []
    size = added = removed = 0

    def close() -> None:
        if touches and touches[-1].does == WRITE:
            touches[-1] = touches[-1]._replace(size=size, added=added, removed=removed)

    for line in patch.split("\n"):
        text = line.strip()
        head = next((each for each in _FILES if line[:1] not in {"+", "-"} and text.startswith(each)), "")
        if not head:
            size += len(line[1:].encode("utf-8", "surrogatepass")) + 1 if line[:1] == "+" else 0
            added, removed = added + (line[:1] == "+"), removed + (line[:1] == "-")
            continue
        path = text[len(head) :].removeprefix(" ")
        if head == "*** Move to:" and touches:  # the file that is there now goes
            touches[-1] = Touch(DELETE, touches[-1].path)
        close()
        size = added = removed = 0
        touches += [Touch(_FILES[head], each) for each in _paths(form.paths[0], path)]
    close()
    if not touches:
        raise Refusal("parameters", f"{form.paths[0]}: is no patch that names a file")
    return tuple(touches), clip_lines(patch.splitlines())
