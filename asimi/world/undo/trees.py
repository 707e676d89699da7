"""A project as it was at a moment, as values: what each directory held, by the digest of its content.

A directory is a content of the store itself, so what did not change is kept once, however many moments hold it. How
two moments differ is said here, too: path by path, in numbers, and as `diff -u` does.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.undo.store import LostError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from asimi.world.undo.store import Store

BESIDE = ".asimi-undo."
"""What the name of a file that comes back begins with until it takes its place."""

FILE, LINK, DIRECTORY, UNKEPT = "f", "l", "d", "x"
"""The kinds of entries; the last is something that is there and was not kept."""

NOTHING = b""
"""The digest of what is not there."""

MOST_BYTES = 16 << 20
"""Bytes of all files whose lines are counted."""

BINARY = 8000
"""Bytes at the beginning of a file in which a NUL says that it is no text, as git says (buffer_is_binary)."""


class Entry(NamedTuple):
    """One name in a directory.

    Attributes:
        kind: what it is.
        mode: its permissions.
        size: its bytes; of a directory 0.
        digest: of what a file holds, of the text of a link, of what a directory holds; of what was not kept, why.
    """

    kind: str
    mode: int
    size: int
    digest: bytes


Entries = dict[str, Entry]


def pack_entries(entries: Mapping[str, Entry]) -> bytes:
    """What a directory holds as bytes; the order of the names does not matter."""
    lines = []
    for name in sorted(entries):
        kind, mode, size, digest = entries[name]
        text = digest.decode() if kind == UNKEPT else digest.hex()
        lines.append(f"{kind} {mode:o} {size} {text} {name}\0")
    return os.fsencode("".join(lines))


def unpack_entries(content: bytes) -> Entries:
    """The same from bytes.

    Raises:
        LostError: they are none.
    """
    found: Entries = {}
    try:
        for line in os.fsdecode(content).split("\0")[:-1]:
            kind, mode, size, text, name = line.split(" ", 4)
            digest = text.encode() if kind == UNKEPT else bytes.fromhex(text)
            found[name] = Entry(kind, int(mode, 8), int(size), digest)
    except ValueError:
        raise LostError("what was kept of a directory cannot be read") from None
    return found


def entries_of(store: Store, digest: bytes) -> Entries:
    """What a directory held.

    Raises:
        LostError: it is not there any more.
    """
    return {} if digest == NOTHING else unpack_entries(store.get(digest))


def found_at(store: Store, root: bytes, path: str, trees: dict[bytes, Entries] | None = None) -> Entry | None:
    """What was at a path from the root; None where nothing was.

    Args:
        store: holds the trees.
        root: the digest of the root.
        path: from the root.
        trees: what was read for other paths, which this adds to: a large directory is read once for all that it holds.

    Raises:
        LostError: it is not there any more.
    """
    entry: Entry | None = Entry(DIRECTORY, 0o755, 0, root)
    trees = {} if trees is None else trees
    for name in path.split("/") if path else ():
        if entry is None or entry.kind != DIRECTORY:
            return None
        if entry.digest not in trees:
            trees[entry.digest] = entries_of(store, entry.digest)
        entry = trees[entry.digest].get(name)
    return entry


class Change(NamedTuple):
    """What differs at one path between two moments.

    Attributes:
        path: from the root.
        before: what was there; None for nothing.
        after: what is there then.
    """

    path: str
    before: Entry | None
    after: Entry | None


def changes(store: Store, before: bytes, after: bytes, path: str = "") -> Iterator[Change]:
    """What differs between two directories, each directory before what is below it.

    Raises:
        LostError: something that was kept is not there any more.
    """
    if before == after:
        return
    old, new = entries_of(store, before), entries_of(store, after)
    for name in sorted(old.keys() | new.keys()):
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        at = f"{path}/{name}" if path else name
        was_there = was is not None and was.kind == DIRECTORY
        is_there = now is not None and now.kind == DIRECTORY
        if not (was_there and is_there) or (was is not None and now is not None and was.mode != now.mode):
            yield Change(at, was, now)
        if was_there or is_there:
            inner = [each.digest if each is not None and each.kind == DIRECTORY else NOTHING for each in (was, now)]
            yield from changes(store, inner[0], inner[1], at)


def reachable(store: Store, roots: Iterable[bytes]) -> set[bytes]:
    """The digests of all that some moments hold."""
    found, waiting = set[bytes](), [each for each in roots if each]
    while waiting:
        digest = waiting.pop()
        if digest in found:
            continue
        found.add(digest)
        try:
            entries = entries_of(store, digest)
        except LostError:
            continue
        for entry in entries.values():
            if entry.kind == DIRECTORY:
                waiting.append(entry.digest)
            elif entry.kind != UNKEPT:
                found.add(entry.digest)
    return found


class ChangeCount(NamedTuple):
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


def count_changes(store: Store, found: Iterable[Change]) -> ChangeCount:
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
    return ChangeCount(made, changed, removed, added, lost, whole)


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
