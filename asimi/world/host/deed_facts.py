"""A look at the file system for what a person is about to be told: how many files a delete would take, what runs.

It happens when a person looks, never for a verdict, and takes a short time whatever there is.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asimi.core.call import Act, Deed

SECONDS = 0.05
"""How long one look takes at most."""

LONGEST = 1 << 20
"""Bytes of the longest `package.json` that is read."""

WIDEST = 200
"""Characters of the longest script that is shown."""


def add_file_facts(deeds: tuple[Deed, ...], directory: str, root: str) -> tuple[Deed, ...]:
    """Return what commands would do, with what only the file system says.

    Args:
        deeds: what they would do.
        directory: the real path of the directory that they start in.
        root: the project root.
    """
    ends = time.monotonic() + SECONDS
    return tuple(
        deed._replace(acts=tuple(_add_facts(act, ends, directory, root) for act in deed.acts))
        if any(act.script or act.does == "delete" for act in deed.acts)
        else deed
        for deed in deeds
    )


def _add_facts(act: Act, ends: float, directory: str, root: str) -> Act:
    if act.script:
        return act._replace(words=_script(act.script, directory, root))
    return act._replace(files=_files(act.path, ends)) if act.does == "delete" and act.path else act


def _files(path: str, ends: float) -> int | None:
    """Return how many files a path is, or holds; -1 where that takes too long, None where that cannot be known."""
    try:
        return sum(1 for _ in _below(_glob(path, ends), ends))
    except TimeoutError:
        return -1
    except (OSError, ValueError):
        return None


def _glob(path: str, ends: float) -> Iterator[str]:
    """Yield the paths that one with marks in its last name is for now.

    Raises:
        ValueError: another part of it is not known, or there is a NUL in it.
        OSError: the directory cannot be read, or it takes too long.
    """
    directory, _, name = path.rpartition("/")
    if MARKS.isdisjoint(path):
        yield from [path] if os.path.lexists(path) else []
        return
    if not MARKS.isdisjoint(directory) or ANY in name or MANY in name:
        raise ValueError("only bash can know it")
    from fnmatch import fnmatchcase
    from glob import escape

    wanted = escape(name).replace(SOME, "*").replace(ONE, "?")
    for entry in _entries(directory, ends) if os.path.isdir(directory) else ():
        if entry.name[0] != "." and fnmatchcase(entry.name, wanted):  # as bash has it without `dotglob`
            yield entry.path


def _below(paths: Iterable[str], ends: float) -> Iterator[str]:
    """Yield the files that paths are or hold, links as themselves; directories are nothing of their own.

    Raises:
        OSError: a directory cannot be read, or it takes too long.
    """
    for path in paths:
        if not os.path.isdir(path) or os.path.islink(path):
            yield path
            continue
        waiting = [path]
        while waiting:
            for entry in _entries(waiting.pop(), ends):
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    yield entry.path


def _entries(directory: str, ends: float) -> Iterator[os.DirEntry[str]]:
    """Yield what is in a directory.

    Raises:
        OSError: it cannot be read, or it takes too long.
    """
    with os.scandir(directory) as inside:
        for entry in inside:
            if time.monotonic() > ends:
                raise TimeoutError
            yield entry


def _script(name: str, directory: str, root: str) -> str:
    """Return the text of a script in the nearest `package.json` up to the project root; empty where there is none."""
    from asimi.core import wire

    path = os.path.join(directory, "package.json")
    while not os.path.isfile(path):
        if directory in {root, os.path.dirname(directory)}:
            return ""
        directory = os.path.dirname(directory)
        path = os.path.join(directory, "package.json")
    try:
        with open(path, "rb") as file:
            text = wire.loads(file.read(LONGEST).decode())["scripts"][name]
    except (OSError, ValueError, LookupError, TypeError):
        return ""
    return text if isinstance(text, str) and len(text) <= WIDEST else ""
