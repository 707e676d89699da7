"""Names of files and directories that matter: what runs by itself, the system's own, what is temporary, and secrets."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.facts import facts_of, table_of, words_of
from asimi.core.reading.account import NO_FILE

if TYPE_CHECKING:
    from asimi.core.judging.machine import Machine

_FACTS = facts_of(__package__, "known")

SELF_RUNNING = words_of(_FACTS["self-running"])
"""Files that are run, or say what is run, without anybody naming them: only a pattern that names them covers them."""

INSIDE = table_of(_FACTS["inside"])
"""For directories of `SELF_RUNNING`, what is in them as a rule (gitrepository-layout(5), githooks(5), manuals)."""


@cache
def self_running_paths() -> tuple[str, ...]:
    """The paths of `SELF_RUNNING` below whatever directory, as far as their names are known."""
    named = (each.removeprefix("/**/").removesuffix("/**") for each in SELF_RUNNING if each.startswith("/**/"))
    inside = ((base, ("", *(f"/{name}" for name in INSIDE.get(base, "").split()))) for base in named if "*" not in base)
    return tuple(base + name for base, names in inside for name in names)


SYSTEM_DIRECTORIES = frozenset(words_of(_FACTS["system"]))
"""Directories of the system (Filesystem Hierarchy Standard 3.0, macOS)."""

HOMES = frozenset({"/home", "/Users"})
"""Directories that hold homes."""

ROOT = "/root"
"""The home of root."""

BOXED = ("/tmp", "/var/tmp", "/run", "/dev/shm")  # noqa: S108 - the box's own
"""Directories of which a box around an agent has its own, in memory."""

TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp")  # noqa: S108 - names, nothing is put there
"""Directories for what is not kept (`Temporary`)."""

FREE = NO_FILE | {"/dev/stdin"}
"""Files that are none, or the program's own input and output."""


SECRET = words_of(_FACTS["secret"])
"""The default of `[files] secret`."""


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

    def exceptions_in(self, directory: str) -> tuple[str, ...]:
        """What is directly in a temporary directory and holds the project or the home, so it is not temporary."""
        return tuple(
            f"{directory}/{path[len(directory) + 1 :].partition('/')[0]}"
            for path in self._kept
            if is_below(path, directory)
        )

    def holds(self, path: str) -> bool:
        """Whether a path is temporary."""
        own = [each for each in self.directories if is_below(path, each)]
        return bool(own) and not any(is_below(path, kept) for each in own for kept in self.exceptions_in(each))
