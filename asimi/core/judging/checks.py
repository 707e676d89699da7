"""The checks of a project: what says what they do, and the answer that a person has confirmed it, or why not."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from asimi.core.judging.machine import Machine

WORKSPACE = "workspace"
"""The kind of the definition that only says which packages a project has, and where."""


class Definition(NamedTuple):
    """What says what the checks of one kind do in one directory.

    Attributes:
        names: the targets or scripts that it has, or the programs of an environment; empty of a tool.
        seen: whether a person has confirmed it once.
        change: how it differs from that, as lines; empty where it does not.
        watched: the beginnings of the real paths of all files that it could be in.
        content: where it is, with a digest of all that counts: `KIND:DIRECTORY DIGEST`.
        whole: whether the lines are all of the change.
        members: of `WORKSPACE`, the name and the real path of each package, the one that names the others first.
        recipes: what other targets or scripts run, of those that run nothing else, as shell text.
    """

    names: frozenset[str] = frozenset()
    seen: bool = False
    change: str = ""
    watched: tuple[str, ...] = ()
    content: str = ""
    whole: bool = True
    members: tuple[tuple[str, str], ...] = ()
    recipes: Mapping[str, str] = MappingProxyType({})


class Answer(NamedTuple):
    """What is said of a check.

    Attributes:
        sure: whether it is as a person has seen it.
        why: if not, why.
        seen: whether a person has seen it at all.
        changed: the contents that have changed since then.
        whole: whether the words tell all of the change.
    """

    sure: bool
    why: str = ""
    seen: bool = True
    changed: tuple[str, ...] = ()
    whole: bool = True


class Checks:
    """The checks of a project.

    Args:
        machine: this machine.
        look: the definition of a kind of checks in a directory of a project root, or None where there is none: given
            the root, the kind, and the real path of the directory or of a file in it.
        is_kept: whether a real path is one that no check is handed: a secret, what runs by itself, an agent's own.
    """

    def __init__(
        self,
        machine: Machine,
        look: Callable[[str, str, str], Definition | None],
        is_kept: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.machine, self.look, self.is_kept = machine, look, is_kept

    def without_files(self, is_kept: Callable[[str], bool]) -> Checks:
        """The same checks, which are not handed some files."""
        return Checks(self.machine, self.look, is_kept)
