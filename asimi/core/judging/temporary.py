"""Which places are temporary: what is in a temporary directory, unless it holds the project or the home."""

from __future__ import annotations

from asimi.core.call import is_below
from asimi.core.judging.known_files import TEMPORARY
from asimi.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from asimi.core.judging.paths import Machine


class Temporary:
    """The temporary places of this machine.

    Args:
        root: the project root, a real path.
        machine: this machine.

    Attributes:
        directories: the temporary directories.
    """

    def __init__(self, root: str, machine: Machine) -> None:
        self.directories = frozenset({*TEMPORARY, machine.variables.get("TMPDIR", TEMPORARY[0])})
        self._kept = (root, machine.home)

    def kept(self, directory: str) -> tuple[str, ...]:
        """What is directly in a temporary directory and holds the project or the home, so it is not temporary."""
        return tuple(
            f"{directory}/{path[len(directory) + 1 :].partition('/')[0]}"
            for path in self._kept
            if is_below(path, directory)
        )

    def holds(self, path: str) -> bool:
        """Whether a path is temporary."""
        own = [each for each in self.directories if is_below(path, each)]
        return bool(own) and not any(is_below(path, kept) for each in own for kept in self.kept(each))
