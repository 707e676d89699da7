"""What the administrator of this machine forbids to an asimi on another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.world.config.layer import layers_in
from asimi.world.config.managed import copy_asked_for
from asimi.world.config.sources import Source, managed_content

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.judging.rules import Rule
    from asimi.core.settings import Team
    from asimi.world.config.managed import Copy


class ManagedDenies:
    """The rules of the administrator's file that forbid, and those of a team that it asks for, always as they are now.

    Args:
        path: where it is.
        copy_of: gives a team's copy of its policy on this machine, which is read each time.
    """

    def __init__(self, path: str, copy_of: Callable[[Team], Copy] | None = None) -> None:
        self._path, self._copy_of, self._newest = path, copy_of, 0
        self._known: tuple[bytes | None, tuple[Rule, ...]] = (None, ())

    def now(self) -> tuple[Rule, ...]:
        """Return its denies.

        Raises:
            ConfigError: it cannot be used, or no policy counts where it asks for one.
        """
        content = managed_content(self._path)
        if content != self._known[0]:
            self._known = content, () if content is None else _denies(Source(self._path, "managed", content))
        if content is None or b"administrators" not in content:
            return self._known[1]

        copy = copy_asked_for(Source(self._path, "managed", content), self._copy_of, self._newest)
        if copy is None:
            return self._known[1]
        self._newest = copy.number
        return (*self._known[1], *_denies(copy.source))


def _denies(source: Source) -> tuple[Rule, ...]:
    return tuple(rule for layer in layers_in(source) for rule in layer.rules if rule.verdict is Verdict.DENY)
