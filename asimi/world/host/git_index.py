"""How git has a file: whether its index holds it as it is, or git ignores it.

Sources: gitformat-index(5), gitignore(5). Only plain patterns count as ignoring; one that takes something back counts
as soon as it may.
"""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from asimi.world.host.repositories import bytes_of, repository_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGEST_INDEX = 32 << 20
"""Bytes of the largest index of git that is looked through."""

LONGEST_NAME = 0xFFF
"""The largest length of a name that stands before it in the index (gitformat-index(5), flags)."""

_WHOLE = b"DIRC\0\0\0\2", b"DIRC\0\0\0\3"
"""How an index begins whose names are whole: its signature with version 2 or 3."""

_SUBMODULE = (0o160000).to_bytes(4, "big")
"""The mode of a submodule in the index (gitformat-index(5))."""

_STAGE = 0x3000
"""The bits of an entry's flags that say which side of a merge it is of."""

LARGEST = 1 << 18
"""Bytes of a file of patterns that are looked at; a larger one says nothing."""


def may_track(path: str) -> bool:
    """Whether git may keep a path, or something below it, so that a clone brings it; also where that is not clear."""
    return tracks(path) is not False


def tracks(path: str) -> bool | None:
    """Whether git keeps a path, or something below it; None where that is not clear.

    A name in the index is looked for as it is written there (gitformat-index(5)); in its version 4, or where it is
    split, names are not whole.

    Args:
        path: a path without links before its last part.
    """
    found = repository_of(os.path.dirname(path))
    if found is None:
        return False
    index = _index_of(found)
    if not index:
        return None if index is None else False
    name, small = _name_in(path).lower(), index.lower()  # some file systems take both for the same
    return name + b"/" in small or any(_entries(name, small))


def is_unmodified(path: str) -> bool:
    """Whether a file is as the index of its repository has it, or is not there, so that `git restore` loses nothing.

    The bytes are compared as they are: what a filter or another end of lines would make of them counts as a change.

    Args:
        path: a path without links before its last part.
    """
    found = repository_of(os.path.dirname(path))
    index = None if found is None else _index_of(found)
    entries = list(_entries(_name_in(path), index)) if index else []
    if index is None or len(entries) != 1:
        return False
    flags = entries[0]
    mode, name = int.from_bytes(index[flags - 36 : flags - 32], "big"), index[flags - 20 : flags]
    if int.from_bytes(index[flags : flags + 2], "big") & _STAGE or not stat.S_ISREG(mode):
        return False
    try:
        there = os.lstat(path)
        if not stat.S_ISREG(there.st_mode) or there.st_size > LARGEST_INDEX or (there.st_mode ^ mode) & stat.S_IXUSR:
            return False
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    from hashlib import sha1

    return sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).digest() == name


def _index_of(repository: str) -> bytes | None:
    """The index of a repository; empty where it has none, None where its names are not whole, or it cannot be read."""
    try:
        index = bytes_of(path := os.path.join(repository, "index"), LARGEST_INDEX + 1)
        if index is None:
            return b"" if not os.path.lexists(path) and os.path.isfile(os.path.join(repository, "HEAD")) else None
        split = any(name.startswith("sharedindex.") for name in os.listdir(repository))
    except OSError:
        return None
    return index if index.startswith(_WHOLE) and not split and len(index) <= LARGEST_INDEX else None


def _name_in(path: str) -> bytes:
    """The name by which the index of its repository has a path."""
    return os.fsencode(os.path.relpath(path, _tree_of(path)))


def _tree_of(path: str) -> str:
    """The work tree of a path: the nearest directory above it with a `.git`, or the topmost of all."""
    above = os.path.dirname(path)
    while not os.path.lexists(os.path.join(above, ".git")) and above != os.path.dirname(above):
        above = os.path.dirname(above)
    return above


def _entries(name: bytes, index: bytes) -> Iterator[int]:
    """Where the flags of each entry of a name are in an index, which stand before it."""
    length, flags = min(len(name), LONGEST_NAME), (2, 4) if index[7] == 3 else (2,)  # an entry may have two more bytes
    for start in _starts(name + b"\0", index):
        for at in flags:
            if int.from_bytes(index[start - at : start - at + 2], "big") & LONGEST_NAME == length:
                yield start - at


def _starts(part: bytes, content: bytes) -> Iterator[int]:
    """Where a part of some bytes begins, each time."""
    start = content.find(part)
    while start >= 0:
        yield start
        start = content.find(part, start + len(part))


def status_of(path: str) -> str:
    """Return how git has a file: `tracked`, `ignored`, `new`, or empty where that is not clear."""
    found = tracks(path)
    if found is None:
        return ""
    return "tracked" if found else "ignored" if _is_ignored(path) else "new"


def _is_ignored(path: str) -> bool:
    """Whether the last of the patterns that fit a path is sure to ignore it."""
    repository = repository_of(os.path.dirname(path))
    if repository is None:
        return False
    root = _tree_of(path)
    parts = os.path.relpath(path, root).split(os.sep)
    ignored = False
    for number in range(-1, len(parts)):
        at = os.path.join(root, *parts[: max(number, 0)])
        file = os.path.join(repository, "info", "exclude") if number < 0 else os.path.join(at, ".gitignore")
        for line in _patterns(file):
            back = line[0] == "!"
            if _fits(line.removeprefix("!"), parts[max(number, 0) :], unclear=back):
                ignored = not back
    return ignored


def _patterns(file: str) -> Iterator[str]:
    """Yield the patterns of a file; git follows no link that is called `.gitignore`."""
    try:
        if os.path.islink(file) or os.path.getsize(file) > LARGEST:
            return
        with open(file, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                pattern = line.rstrip("\n").rstrip("\r").rstrip(" ")
                if pattern.strip("!/") and pattern[0] != "#":
                    yield pattern
    except OSError:
        return


def _fits(pattern: str, parts: Sequence[str], *, unclear: bool) -> bool:
    """Whether a pattern is for a file or for a directory above it; `unclear` is the answer where that is not plain."""
    if "\\" in pattern or "**" in (rest := pattern.removeprefix("**/")):
        return unclear
    names = rest.rstrip("/").lstrip("/").split("/")
    last = len(parts) - (rest[-1] == "/")
    if "/" not in rest.rstrip("/"):
        return any(fnmatchcase(part, names[0]) for part in parts[:last])
    if pattern != rest:
        return unclear
    return len(names) <= last and all(map(fnmatchcase, parts, names))


def entries_in(index: bytes, size: int = 20) -> Iterator[tuple[bytes, bytes]]:
    """Yield the mode and the name of each entry of an index, which holds all of them itself.

    Args:
        index: the content, of version 2, 3 or 4.
        size: bytes of an object's name.

    Raises:
        ValueError, IndexError: it cannot be read.
    """
    if not index.startswith((*_WHOLE, b"DIRC\0\0\0\4")):
        raise ValueError(index[:8])
    at, name, brief = 12, b"", index[7] == 4
    for _ in range(int.from_bytes(index[8:12], "big")):
        flags = at + 40 + size
        start = flags + (4 if index[flags] & 0x40 else 2)
        if brief:  # it says how much of the name before goes, as a number of variable length (varint.c of git)
            drop = index[start] & 127
            while index[start] & 128:
                start += 1
                drop = (drop + 1 << 7) | (index[start] & 127)
            start += 1
        end = index.index(b"\0", start)
        name = (name[: len(name) - drop] if brief else b"") + index[start:end]
        yield index[at + 24 : at + 28], name
        at = end + 1 if brief else end + 8 - (end - at) % 8


def submodules(repository: str) -> list[str] | None:
    """Return the paths of submodules in the index of a repository; None where it has some and they cannot be read.

    Most have none: then the mode of one is nowhere in the index.
    """
    index = bytes_of(path := os.path.join(repository, "index"), LARGEST_INDEX + 1)
    if index is None:
        return None if os.path.lexists(path) else []
    if len(index) <= LARGEST_INDEX and _SUBMODULE not in index:
        return []
    if len(index) > LARGEST_INDEX:
        return None
    try:
        return [os.fsdecode(name) for mode, name in entries_in(index) if mode == _SUBMODULE]
    except (ValueError, IndexError):
        return None
