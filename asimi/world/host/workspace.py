"""Where commands may run: directories become real paths, judged against the real path of the project root."""

from __future__ import annotations

import os

from asimi.core.call import Place
from asimi.core.errors import AsimiError, Refusal
from asimi.world.host.places import real_path


class Workspace:
    """A project root and the directories in it.

    Args:
        root: the directory that commands may run in.

    Attributes:
        root: its real path.

    Raises:
        AsimiError: it is missing or no directory.
    """

    def __init__(self, root: str) -> None:
        self.root = real_path(root)
        if not os.path.isdir(self.root):
            raise AsimiError(f"The project root {root!r} is not a directory; name one with --root")

    def inside(self, directory: str, parameter: str) -> Place:
        """The place of a relative directory whose real path is inside the root; empty for the root itself.

        Raises:
            Refusal: it is absolute or leads outside (`directory`), or is missing or no directory (`no_directory`).
        """
        if os.path.isabs(directory):
            raise Refusal("directory", f"{parameter}: {directory!r} is absolute; write it relative to the project root")
        place = self._place(directory, parameter)
        if not place.inside:
            raise Refusal("directory", f"{parameter}: {directory!r} leads outside the project root, to {place.path}")
        return _existing(place, directory, parameter)

    def anywhere(self, directory: str, parameter: str) -> Place:
        """The place of a directory, wherever it is; a relative one is taken from the root, empty for the root itself.

        Raises:
            Refusal: it is missing or no directory (`no_directory`).
        """
        return _existing(self._place(directory, parameter), directory, parameter)

    def _place(self, directory: str, parameter: str) -> Place:
        if "\0" in directory:
            raise Refusal("no_directory", f"{parameter}: {directory!r} holds NUL, which no path can")
        path = real_path(os.path.join(self.root, directory)) if directory else self.root
        return Place.at(path, self.root, os.sep)


def _existing(place: Place, directory: str, parameter: str) -> Place:
    if not os.path.isdir(place.path):
        what = "is not a directory" if os.path.lexists(place.path) else "does not exist"
        raise Refusal("no_directory", f"{parameter}: {directory!r} {what}, seen from the project root {place.root}")
    return place
