"""Where commands may run: directories become real paths, judged against the real path of the project root."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.call import Place, is_below
from asimi.core.errors import AsimiError, Refusal
from asimi.world.host.places import real_path

if TYPE_CHECKING:
    from collections.abc import Callable


def what_is(path: str) -> str:
    """Return what is at a path, links followed: `directory`, `other`, or empty for nothing."""
    return "directory" if os.path.isdir(path) else "other" if os.path.lexists(path) else ""


class Workspace:
    """A project root and the directories in it.

    Args:
        root: the directory that commands may run in.
        real: gives the real path of an absolute one.
        what: says what is at a real path; see `what_is`.
        host: the name of the machine that they are on, if it is not this one.

    Attributes:
        root: its real path.

    Raises:
        AsimiError: it is missing or no directory.
    """

    def __init__(
        self,
        root: str,
        real: Callable[[str], str] = real_path,
        what: Callable[[str], str] = what_is,
        host: str = "",
    ) -> None:
        self.root, self._real, self._what, self._host = real(root), real, what, host
        if what(self.root) != "directory":
            how = f"name one with root under [hosts.{host}]" if host else "name one with --root"
            raise AsimiError(f"The project root {root!r} is not a directory{f' on {host}' * bool(host)}; {how}")

    def inside(self, directory: str, parameter: str) -> Place:
        """Return the place of a relative directory whose real path is inside the root; empty for the root itself.

        Raises:
            Refusal: it is absolute or leads outside (`directory`), or is missing or no directory (`no_directory`).
        """
        if os.path.isabs(directory):
            raise Refusal("directory", f"{parameter}: {directory!r} is absolute; write it relative to the project root")
        place = self._place(directory, parameter)
        written = os.path.normpath(os.path.join(self.root, directory))
        if not place.inside or (self._host and not is_below(written, self.root)):  # no host can lie about that
            raise Refusal("directory", f"{parameter}: {directory!r} leads outside the project root, to {place.path}")
        return self._check_exists(place, directory, parameter)

    def anywhere(self, directory: str, parameter: str) -> Place:
        """The place of a directory, wherever it is; a relative one is taken from the root, empty for the root itself.

        Raises:
            Refusal: it is missing or no directory (`no_directory`).
        """
        return self._check_exists(self._place(directory, parameter), directory, parameter)

    def _place(self, directory: str, parameter: str) -> Place:
        if "\0" in directory:
            raise Refusal("no_directory", f"{parameter}: {directory!r} holds NUL, which no path can")
        path = self._real(os.path.join(self.root, directory)) if directory else self.root
        return Place.at(path, self.root, os.sep, self._host)

    def _check_exists(self, place: Place, directory: str, parameter: str) -> Place:
        if self._host and not directory:
            return place  # it was there at first; whoever runs the command looks again
        if (there := self._what(place.path)) != "directory":
            what = "is not a directory" if there else "does not exist"
            seen = f"seen from the project root {place.root}{f' on {self._host}' * bool(self._host)}"
            raise Refusal("no_directory", f"{parameter}: {directory!r} {what}, {seen}")
        return place
