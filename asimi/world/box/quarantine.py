"""Moves away what must not be in a project, and puts it back where a person wants to keep it."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from asimi.world.box.repositories import NOWHERE
from asimi.world.executors.spawning import leads_to
from asimi.world.host.places import private_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


NAME = 160
"""How many bytes of its old path end the name of what was moved; a name may have 255 (limits.h: NAME_MAX)."""


class Quarantine:
    """What was moved away from one project.

    Args:
        to: the directory that it is moved to, made if it is missing.
        tell: is told of each: its path, and where it is now.
    """

    def __init__(self, to: str, tell: Callable[[str, str], None]) -> None:
        self._to, self._tell = to, tell
        self._moved = dict[str, str]()

    def away(self, path: str) -> float:
        """Move something away; in place of a `.git` stands a file at which git stops.

        What a link leads to stays: code inside put the link there after it was found, and what it leads to may be
        outside.

        Returns:
            The seconds for which it was there; 0 where it was gone.

        Raises:
            OSError: it cannot be moved.
            AsimiError: the directory cannot be made.
        """
        above, name = os.path.split(path)
        with suppress(FileNotFoundError, NotADirectoryError), _stable_path(above) as directory:
            if leads_to(directory) != above:
                return 0.0
            at = f"{directory}/{name}"
            since = os.lstat(at).st_ctime
            mark = f"{time.strftime('%Y%m%dT%H%M%S')}-{os.urandom(4).hex()}"
            name_of = os.fsdecode(os.fsencode(path.replace("/", "-"))[-NAME:])
            target = os.path.join(private_directory(self._to), mark + name_of)
            try:
                os.rename(at, target)
            except OSError as error:
                if error.errno == errno.EXDEV:
                    _move_across(at, target)
                else:  # the directory above may be closed
                    os.chmod(directory, stat.S_IMODE(os.stat(directory).st_mode) | stat.S_IRWXU)
                    os.rename(at, target)
            if name == ".git":
                with suppress(FileExistsError), open(at, "x", encoding="ascii") as file:
                    file.write(NOWHERE)
            self._moved[path] = target
            self._tell(path, target)
            return max(0.0, time.time() - since)
        return 0.0

    def back(self, path: str) -> str:
        """Put back what was last moved away from a path; return why that cannot be, or nothing once it is there.

        Args:
            path: absolute.
        """
        target = self._moved.get(path)
        if target is None:
            return f"nothing was moved away from {path}"
        above, name = os.path.split(path)
        try:
            with _stable_path(above) as directory:
                if leads_to(directory) != above:
                    return f"{above} is another directory now"
                if os.path.lexists(f"{directory}/{name}"):
                    if name != ".git" or not _is_nowhere(f"{directory}/{name}"):
                        return f"{path} is there again; what was moved is {target}"
                    os.unlink(f"{directory}/{name}")
                shutil.move(target, f"{directory}/{name}")
        except OSError as error:
            return f"{path}: {error.strerror}"
        del self._moved[path]
        return ""


def _move_across(source: str, target: str) -> None:
    """Move something to another file system; what is no file, directory or link is dropped."""
    shutil.move(source, f"{source}.asimi")  # gone from its name at once
    source = f"{source}.asimi"
    if os.path.isdir(source) and not os.path.islink(source):
        for at, _, names in os.walk(source):
            for name in names:
                mode = os.lstat(path := os.path.join(at, name)).st_mode
                if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
                    os.unlink(path)
    shutil.move(source, target)


def _is_nowhere(path: str) -> bool:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, encoding="utf-8", errors="replace") as file:
        return file.read(len(NOWHERE) + 1) == NOWHERE


@contextmanager
def _stable_path(directory: str) -> Iterator[str]:
    """A path that leads to a directory as it is now, whatever takes its place later."""
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)
