"""How much a call changed, and how: files, lines, the difference in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.undo.store import LostError
from asimi.world.undo.trees import DIRECTORY, FILE, LINK, Change, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asimi.world.undo.store import Store

MOST_BYTES = 16 << 20
"""Bytes of all files whose lines are counted."""

BINARY = 8000
"""Bytes at the beginning of a file in which a NUL says that it is no text, as git says (buffer_is_binary)."""


class Counted(NamedTuple):
    """How much a call changed.

    Attributes:
        made: how many files and links it made.
        changed: how many it changed.
        removed: how many it removed.
        added: lines that are new.
        lost: lines that are gone.
        whole: whether all lines were counted.
    """

    made: int = 0
    changed: int = 0
    removed: int = 0
    added: int = 0
    lost: int = 0
    whole: bool = True


def counted(store: Store, found: Iterable[Change]) -> Counted:
    """How much some changes are; directories do not count."""
    made = changed = removed = added = lost = size = 0
    whole = True
    for _, before, after in found:
        was, now = before is not None and before.kind != DIRECTORY, after is not None and after.kind != DIRECTORY
        made, removed, changed = made + (now and not was), removed + (was and not now), changed + (was and now)
        size += sum(each.size for each in (before, after) if each is not None)
        if size > MOST_BYTES:
            whole = False
            continue
        old, new = _lines(store, before), _lines(store, after)
        if old == new:
            continue
        times: dict[bytes, int] = {}
        for lines, sign in ((old, -1), (new, 1)):
            for line in lines:
                times[line] = times.get(line, 0) + sign
        added += sum(each for each in times.values() if each > 0)
        lost -= sum(each for each in times.values() if each < 0)
    return Counted(made, changed, removed, added, lost, whole)


def difference(store: Store, change: Change) -> Iterator[str]:
    """The lines in which one path differs, as `diff -u` shows them."""
    from difflib import unified_diff

    path, before, after = change
    for word, entry in (("-", before), ("+", after)):
        if entry is not None and entry.kind == LINK:
            yield f"{word} {path} -> {_text(_content(store, entry))}"
    modes = [f"{each.mode:o}" for each in (before, after) if each is not None and each.kind in {FILE, DIRECTORY}]
    if len(set(modes)) > 1:
        yield f"{path}: mode {modes[0]} -> {modes[1]}"
    contents = [_content(store, each) if each is not None and each.kind == FILE else b"" for each in (before, after)]
    if contents[0] == contents[1]:
        return
    if any(b"\0" in each[:BINARY] for each in contents):
        yield f"{path}: no text, {len(contents[0])} -> {len(contents[1])} bytes"
        return
    old, new = (_text(each).splitlines() for each in contents)
    names = [path if each is not None and each.kind == FILE else "/dev/null" for each in (before, after)]
    yield from unified_diff(old, new, names[0], names[1], lineterm="")


def _lines(store: Store, entry: Entry | None) -> list[bytes]:
    if entry is None or entry.kind != FILE:
        return []
    content = _content(store, entry)
    return [] if b"\0" in content[:BINARY] else content.splitlines()


def _content(store: Store, entry: Entry) -> bytes:
    try:
        return store.get(entry.digest)
    except LostError:
        return b""


def _text(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")
