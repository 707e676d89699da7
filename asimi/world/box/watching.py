"""Watches names that cannot be held while they are missing: moves away what appears there, and says so.

git reads `commondir` and the like wherever a file has that name, so nothing can be put there to hold it; and files that
run by themselves may be made in any directory of the project. Such a file is there from the moment it appears until the
next look: that gap is not held.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time

from asimi.core.startup import TYPE_CHECKING
from asimi.world.executors.spawning import leads_to
from asimi.world.host.places import private_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Watch:
    """The names of one box that are watched.

    Args:
        names: their paths.
        deeper: finds those that appear deeper.
        to: the directory that what appears is moved to, made if it is missing.
        tell: is told of each: its path, and where it is now.
    """

    def __init__(
        self, names: Sequence[str], deeper: Callable[[], list[str]], to: str, tell: Callable[[str, str], None]
    ) -> None:
        self._names, self._deeper, self._to, self._tell = names, deeper, to, tell

    def appeared(self) -> list[str]:
        """Those of the names that are there now."""
        return [*filter(os.path.lexists, self._names), *self._deeper()]

    def move(self, paths: Sequence[str]) -> None:
        """Move something away; the inside stands still meanwhile.

        What is reached by a link stays: the inside put that there after it was found, and what it leads to may be
        outside.

        Raises:
            OSError: it cannot be moved.
            AsimiError: the directory cannot be made.
        """
        for path in paths:
            above, name = os.path.split(path)
            with contextlib.suppress(FileNotFoundError, NotADirectoryError), _opened(above) as directory:
                if leads_to(directory) != above:
                    continue
                mark = f"{time.strftime('%Y%m%dT%H%M%S')}-{os.urandom(4).hex()}"
                target = os.path.join(private_directory(self._to), f"{mark}{path.replace('/', '-')}"[-200:])
                shutil.move(f"{directory}/{name}", target)
                self._tell(path, target)


@contextlib.contextmanager
def _opened(directory: str) -> Iterator[str]:
    """A path of an open directory that stays its own, whatever takes its place."""
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)
