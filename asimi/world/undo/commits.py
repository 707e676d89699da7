"""Reads which files a commit has, without git, which would start what its configuration names.

Sources: gitrevisions(7), gitrepository-layout(5), gitformat-pack(5).
"""

from __future__ import annotations

import mmap
import os
import time
import zlib
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.world.host.repositories import text_of
from asimi.world.undo.repositories import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 16 << 20
"""Bytes of the largest commit or tree that is read."""

LONGEST = 1.0
"""Seconds that reading the trees of one commit may take."""

DEEPEST = 64
"""How many differences one object may be made of, and how often a name may stand for another; git makes 50 at most."""

MOST_STEPS = 1000
"""How far back a commit may be."""

SECOND = b"\xfftOc\0\0\0\2"
"""How an index of the second version begins."""

_NAME = pattern(r"(@|[\w][\w./-]*)((?:\^1?|~\d{0,4})*)")
_STEP = pattern(r"\^1?|~\d*")
_LOGGED = pattern(r"(?:(?:refs/)?stash@\{(\d{1,4})\}|@\{-(\d{1,4})\})((?:\^1?|~\d{0,4})*)")
_LEFT = pattern(r"\tcheckout: moving from (\S+) to ")
_ID = pattern(r"[0-9a-f]{40}")
_SHORT = pattern(r"[0-9a-f]{7,39}")

_COMMIT, _TREE, _TAG, _BY_OFFSET, _BY_NAME = 1, 2, 4, 6, 7
_KINDS = {b"commit": _COMMIT, b"tree": _TREE, b"tag": _TAG}


class _UnknownError(Exception):
    """It is not there, or not as this module reads it."""


def files_of(repository: Repository, name: str) -> set[str] | None:
    """The paths of all files of a commit, from the top of its work tree; None where that cannot be told.

    Args:
        repository: the repository.
        name: a branch, a tag, `HEAD` or an id, and how many commits before it (`HEAD~2`, `main^`).
    """
    with closing(_Objects(repository)) as objects, suppress(_UnknownError, OSError, ValueError, IndexError, zlib.error):
        return objects.files(objects.commit(name))
    return None


def moved(own: str, before: str, after: str) -> set[str] | None:
    """Return the paths of files that are not the same in two commits; None where that cannot be told.

    Args:
        own: what holds the repository: its `.git`, or what that points to.
        before: a commit as `files_of` takes it, `-` and `stash@{N}` too; empty for no files; `A...B` for the last
            commit that both came from.
        after: a commit.
    """
    with (
        closing(_Objects(Repository(own, own))) as objects,
        suppress(_UnknownError, OSError, ValueError, IndexError, zlib.error),
    ):
        one, dots, other = before.partition("...")
        start = objects.commit(objects.meant(one)) if one else ""
        if dots:
            start = objects.base(start, objects.commit(objects.meant(other)))
        end = objects.commit(objects.meant(after))
        return objects.changed(start, end) if end else None
    return None


class _Objects:
    """The objects of a repository."""

    def __init__(self, repository: Repository) -> None:
        self._own, self._shared = repository.own, repository.shared
        self._objects = f"{self._shared}/objects"
        self._packs: list[tuple[mmap.mmap, str]] = []
        self._open: dict[str, mmap.mmap] = {}
        with suppress(OSError, ValueError):
            for name in sorted(os.listdir(f"{self._objects}/pack")):
                path = f"{self._objects}/pack/{name}"
                if name.endswith(".idx") and (index := _mapped(path))[:8] == SECOND:
                    self._packs.append((index, f"{path.removesuffix('.idx')}.pack"))

    def close(self) -> None:
        """Let go of the packs."""
        for each in (*(index for index, _ in self._packs), *self._open.values()):
            each.close()

    def commit(self, name: str) -> str:
        """The id of a commit; empty for one before the first, where git only fails.

        Raises:
            _UnknownError: it is not known for certain.
        """
        read = _NAME.fullmatch(name)
        replaced = any(os.path.lexists(f"{self._shared}/{each}") for each in ("refs/replace", "info/grafts"))
        if read is None or replaced or "refs/replace/" in text_of(f"{self._shared}/packed-refs"):
            raise _UnknownError
        found = self._peeled(self._named("HEAD" if read[1] == "@" else read[1]))
        steps = sum(int(each[1:] or 1) for each in _STEP.findall(read[2]))
        if steps > MOST_STEPS:
            raise _UnknownError
        for _ in range(steps):
            found = found and self._line(found, b"parent ")
        return found

    def files(self, commit: str) -> set[str]:
        """The paths of the files of a commit.

        Raises:
            _UnknownError: not all of it can be read.
        """
        found, end = set[str](), time.monotonic() + LONGEST
        left = [("", self._line(commit, b"tree "))] if commit else []
        while left:
            above, tree = left.pop()
            if time.monotonic() > end:
                raise _UnknownError
            for mode, name, ident in _entries(self._read(tree, _TREE)):
                if mode == b"40000":
                    left.append((f"{above}{name}/", ident))
                elif mode != b"160000":  # of a submodule, git only makes the directory
                    found.add(above + name)
        return found

    def meant(self, name: str) -> str:
        """A name without what only a log of git's tells: `-`, `@{-1}`, `stash@{0}` (gitrevisions(7)).

        Raises:
            _UnknownError: the log does not tell.
        """
        read = _LOGGED.fullmatch("@{-1}" if name == "-" else name)
        if read is None:
            return name
        if read[1]:
            lines = text_of(f"{self._shared}/logs/refs/stash").splitlines()
            found = [line.split(" ", 2)[1] for line in reversed(lines)][int(read[1]) :]
        else:
            lines = text_of(f"{self._own}/logs/HEAD").splitlines()
            found = [match[1] for line in reversed(lines) if (match := _LEFT.search(line))][int(read[2]) - 1 :]
        if not found:
            raise _UnknownError
        return found[0] + read[3]

    def base(self, one: str, other: str) -> str:
        """The nearest commit that two came from.

        Raises:
            _UnknownError: there is none so near.
        """
        seen, waiting, end = ({one}, {other}), [(one, 0), (other, 1)], time.monotonic() + LONGEST
        for ident, side in waiting:
            if ident in seen[not side]:
                return ident
            if time.monotonic() > end:
                break
            for line in self._read(ident, _COMMIT).partition(b"\n\n")[0].split(b"\n"):
                if line.startswith(b"parent ") and (above := line[7:].decode()) not in seen[side]:
                    seen[side].add(above)
                    waiting.append((above, side))
        raise _UnknownError

    def changed(self, before: str, after: str) -> set[str]:
        """The paths of the files that are not the same in two commits; of the first one none without an id.

        Raises:
            _UnknownError: not all of it can be read.
        """
        found, end = set[str](), time.monotonic() + LONGEST
        left = [("", self._line(before, b"tree ") if before else "", self._line(after, b"tree "))]
        while left:
            above, *trees = left.pop()
            if time.monotonic() > end:
                raise _UnknownError
            sides = [{name: (mode, ident) for mode, name, ident in self._in(each)} for each in trees]
            for name in {*sides[0], *sides[1]}:
                pair = [side.get(name, (b"", "")) for side in sides]
                if pair[0] != pair[1]:
                    one, other = (ident if mode == b"40000" else "" for mode, ident in pair)
                    left += [(f"{above}{name}/", one, other)] if one or other else []
                    if any(ident and mode != b"40000" for mode, ident in pair):
                        found.add(above + name)
        return found

    def _in(self, tree: str) -> Iterator[tuple[bytes, str, str]]:
        return _entries(self._read(tree, _TREE)) if tree else iter(())

    def _named(self, name: str) -> str:
        """The id that a name stands for, as git looks for it."""
        if _ID.fullmatch(name):
            return name
        refs = [f"{prefix}{name}" for prefix in ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")]
        refs += [f"refs/remotes/{name}/HEAD"]
        for each in (name, *refs):
            if found := self._ref(each):
                return found
        if not _SHORT.fullmatch(name):
            raise _UnknownError
        known = {*self._beginning(name)}
        if len(known) != 1:
            raise _UnknownError
        return known.pop()

    def _ref(self, name: str) -> str:
        """The id that a reference has; empty where there is none."""
        for _ in range(DEEPEST):
            text = text_of(f"{self._shared if name.startswith('refs/') else self._own}/{name}").strip()
            if not text:
                lines = text_of(f"{self._shared}/packed-refs").splitlines()
                text = next((line.partition(" ")[0] for line in lines if line.partition(" ")[2] == name), "")
            if not text.startswith("ref: "):
                return text if _ID.fullmatch(text) else ""
            name = text.removeprefix("ref: ")
        return ""

    def _beginning(self, short: str) -> Iterator[str]:
        """The ids that begin so."""
        with suppress(FileNotFoundError):
            names = os.listdir(f"{self._objects}/{short[:2]}")
            yield from (short[:2] + each for each in names if each.startswith(short[2:]))
        for index, _ in self._packs:
            at = _place(index, bytes.fromhex(short.ljust(40, "0")))
            while (found := index[1032 + 20 * at : 1052 + 20 * at].hex()).startswith(short) and at < _count(index):
                yield found
                at += 1

    def _peeled(self, ident: str) -> str:
        """The id of the commit that an id names, itself or as a tag."""
        for _ in range(DEEPEST):
            if self._any(ident)[0] != _TAG:
                return ident
            ident = self._line(ident, b"object ", _TAG)
        raise _UnknownError

    def _line(self, ident: str, begins: bytes, kind: int = _COMMIT) -> str:
        """The id in the first line of an object's head that begins so; empty where there is none."""
        head = self._read(ident, kind).partition(b"\n\n")[0]
        for line in head.split(b"\n"):
            if line.startswith(begins):
                return line.removeprefix(begins).decode()
        return ""

    def _read(self, ident: str, kind: int) -> bytes:
        found, content = self._any(ident)
        if found != kind:
            raise _UnknownError
        return content

    def _any(self, ident: str, depth: int = 0) -> tuple[int, bytes]:
        """The kind of an object, and what it holds."""
        with suppress(FileNotFoundError), open(f"{self._objects}/{ident[:2]}/{ident[2:]}", "rb") as file:
            inflate = zlib.decompressobj()
            data = inflate.decompress(file.read(LARGEST), LARGEST)
            head, _, content = data.partition(b"\0")
            kind, _, size = head.partition(b" ")
            if int(size) != len(content):
                raise _UnknownError
            return _KINDS.get(kind, 0), content
        sought = bytes.fromhex(ident)
        for index, path in self._packs:
            at, count = _place(index, sought), _count(index)
            if index[1032 + 20 * at : 1052 + 20 * at] == sought and at < count:
                offsets = 1032 + 24 * count
                offset = int.from_bytes(index[offsets + 4 * at : offsets + 4 * at + 4], "big")
                if offset >> 31:
                    large = offsets + 4 * count + 8 * (offset & 0x7FFFFFFF)
                    offset = int.from_bytes(index[large : large + 8], "big")
                if path not in self._open:
                    self._open[path] = _mapped(path)
                return self._packed(self._open[path], offset, depth)
        raise _UnknownError

    def _packed(self, pack: mmap.mmap, offset: int, depth: int) -> tuple[int, bytes]:
        """The same of an object in a pack."""
        at, byte = offset + 1, pack[offset]
        kind, size, shift = byte >> 4 & 7, byte & 15, 4
        while byte & 128:
            byte = pack[at]
            size |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
        if depth > DEEPEST or size > LARGEST:
            raise _UnknownError
        if kind == _BY_OFFSET:
            byte, at = pack[at], at + 1
            back = byte & 127
            while byte & 128:
                byte, at = pack[at], at + 1
                back = (back + 1 << 7) | (byte & 127)
            kind, before = self._packed(pack, offset - back, depth + 1)
        elif kind == _BY_NAME:
            kind, before = self._any(pack[at : at + 20].hex(), depth + 1)
            at += 20
        else:
            return kind, _inflated(pack, at, size)
        return kind, _changed(before, _inflated(pack, at, size))


def _mapped(path: str) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _count(index: mmap.mmap) -> int:
    return int.from_bytes(index[1028:1032], "big")


def _place(index: mmap.mmap, sought: bytes) -> int:
    """Where an id is in an index of a pack, or would be."""
    first = sought[0]
    low = int.from_bytes(index[4 + 4 * first : 8 + 4 * first], "big") if first else 0
    high = int.from_bytes(index[8 + 4 * first : 12 + 4 * first], "big")
    while low < high:
        middle = (low + high) // 2
        if index[1032 + 20 * middle : 1052 + 20 * middle] < sought:
            low = middle + 1
        else:
            high = middle
    return low


def _inflated(pack: mmap.mmap, at: int, size: int) -> bytes:
    content = zlib.decompressobj().decompress(pack[at : at + size + (size >> 3) + 1024], size)
    if len(content) != size:
        raise _UnknownError
    return content


def _changed(before: bytes, delta: bytes) -> bytes:
    """What a difference makes of an object."""
    at, sizes = 0, []
    for _ in range(2):
        size = shift = 0
        while True:
            byte, at = delta[at], at + 1
            size |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                break
        sizes.append(size)
    pieces = []
    while at < len(delta):
        byte, at = delta[at], at + 1
        if not byte & 128:
            pieces.append(delta[at : at + byte])
            at += byte
            continue
        start = size = 0
        for bit in range(7):
            if byte >> bit & 1:
                if bit < 4:
                    start |= delta[at] << 8 * bit
                else:
                    size |= delta[at] << 8 * (bit - 4)
                at += 1
        pieces.append(before[start : start + (size or 1 << 16)])
    content = b"".join(pieces)
    if [len(before), len(content)] != sizes:
        raise _UnknownError
    return content


def _entries(tree: bytes) -> Iterator[tuple[bytes, str, str]]:
    """The mode, name and id of each entry of a tree."""
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        mode, _, name = tree[at:end].partition(b" ")
        yield mode, os.fsdecode(name), tree[end + 1 : end + 21].hex()
        at = end + 21
