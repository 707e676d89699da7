"""An agent's file: read without trusting what it is, and where in it each value stands."""

from __future__ import annotations

import os
import stat

from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING, TypeVar
from asimi.world.host import jsonc
from asimi.world.host.places import words_of
from asimi.world.permissions.entries import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

LONGEST = 1 << 20
"""Bytes of a file; a person's longest list of permissions is a tenth of it."""

MOST = 1_000
"""Entries that are read of one file."""

MOST_FILES = 200
"""Files that are read of one directory."""

_FLAGS = os.O_RDONLY  # and nothing that a FIFO or a terminal in the place of a file could do to us
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"):
    _FLAGS |= getattr(os, _name, 0)


def source_at(path: str, *, own: bool) -> Source | None:
    """A file, or None where there is none.

    Raises:
        AsimiError: it cannot be read, is not a regular file, is too long or is not UTF-8.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise AsimiError(f"{path}: cannot be read: {words_of(error, path)}") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise AsimiError(f"{path}: is not a regular file; put one in its place, or remove it")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(LONGEST + 1)
    except OSError as error:
        raise AsimiError(f"{path}: cannot be read: {words_of(error, path)}") from None
    finally:
        os.close(descriptor)
    if len(content) > LONGEST:
        raise AsimiError(f"{path}: is longer than {LONGEST >> 20} MiB, so it is not read; shorten it")
    try:
        return Source(path, own, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise AsimiError(f"{path}:{line}: is not UTF-8, so it is not read") from None


def sources_at(own: Iterable[str], project: Iterable[str]) -> list[Source]:
    """The files that are there, each once: where one is both, it is the person's own.

    Raises:
        AsimiError: as `source_at`.
    """
    found: dict[str, Source] = {}
    for paths, is_own in ((own, True), (project, False)):
        for path in paths:
            real = os.path.realpath(path)
            if real not in found and (source := source_at(path, own=is_own)) is not None:
                found[real] = source
    return list(found.values())


def files_in(directory: str, suffix: str) -> list[str]:
    """The files of a directory whose names end so, in the order of their names; none where it cannot be listed.

    Raises:
        AsimiError: there are too many.
    """
    try:
        names = sorted(name for name in os.listdir(directory) if name.endswith(suffix))
    except OSError:
        return []
    if len(names) > MOST_FILES:
        raise AsimiError(f"{directory}: has {len(names)} files, and {MOST_FILES} are the most that are read")
    return [os.path.join(directory, name) for name in names]


def values_of(source: Source) -> jsonc.Element | None:
    """What a JSON file holds (comments are allowed), or None where there is nothing in it.

    Raises:
        AsimiError: it is not JSON; the message names the line.
    """
    try:
        return jsonc.scan(source.text)
    except jsonc.Unreadable as error:
        raise AsimiError(f"{source.path}: {error}; mend it and import again") from None


def object_in(source: Source, title: str) -> jsonc.Element | None:
    """The object that a JSON file holds, or None where there is nothing in it.

    Args:
        source: the file.
        title: the agent's name, as people write it.

    Raises:
        AsimiError: it is not JSON, or another value than an object.
    """
    whole = values_of(source)
    if whole is not None and whole.keys is None:
        raise AsimiError(f"{source.path}: is not an object, as {title} has it; mend it")
    return whole


def items_of(element: jsonc.Element | None, source: Source, name: str) -> Sequence[jsonc.Element]:
    """The items of a list that may be missing.

    Raises:
        AsimiError: it is not a list.
    """
    if element is None:
        return ()
    if not isinstance(element.value, list):
        raise AsimiError(f"{source.path}:{source.line_at(element.start)}: {name} is not a list; mend it")
    return element.children


def member(element: jsonc.Element | None, *keys: str) -> jsonc.Element | None:
    """The value that some keys lead to in objects, or None."""
    for key in keys:
        if element is None or element.keys is None or key not in element.keys:
            return None
        element = element.children[element.keys.index(key)]
    return element


def check_number(source: Source, number: int) -> None:
    """Make sure that a file has not too many entries.

    Raises:
        AsimiError: it has.
    """
    if number > MOST:
        raise AsimiError(f"{source.path}: has {number} entries, and {MOST} are the most that are read; leave some out")


def all_of(sources: Iterable[Source], said: Callable[[Source], Iterable[T]]) -> list[T]:
    """What some files say, one after the other.

    Raises:
        AsimiError: one cannot be used, or has too many entries.
    """
    found: list[T] = []
    for source in sources:
        entries = list(said(source))
        check_number(source, len(entries))
        found += entries
    return found


def members(element: jsonc.Element | None) -> Iterable[tuple[str, jsonc.Element]]:
    """The names and values of an object; none of anything else."""
    if element is None or element.keys is None:
        return ()
    return zip(element.keys, element.children, strict=True)
