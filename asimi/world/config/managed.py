"""The administrator's file, which only root may write."""

from __future__ import annotations

from asimi.core.call import Verdict
from asimi.core.settings import Team
from asimi.core.startup import TYPE_CHECKING
from asimi.world.config.sources import Source, managed_content

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.judging.rules import Rule
    from asimi.world.config.shared import Copy


def team_in(path: str, content: bytes | None) -> Team:
    """Return the team that a file makes this machine belong to; none where there is no file.

    Raises:
        ConfigError: it cannot be used.
    """
    if content is None:
        return Team()
    from asimi.world.config.effective import team_of
    from asimi.world.config.layer import layer_of
    from asimi.world.config.merge import merged

    return team_of(merged([layer_of(path, "managed", content)]))


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
        from asimi.world.config.shared import copy_asked_for

        copy = copy_asked_for(Source(self._path, "managed", content), self._copy_of, self._newest)
        if copy is None:
            return self._known[1]
        self._newest = copy.number
        return (*self._known[1], *_denies(copy.source))


def _denies(source: Source) -> tuple[Rule, ...]:
    from asimi.world.config.layer import layers_in

    return tuple(rule for layer in layers_in(source) for rule in layer.rules if rule.verdict is Verdict.DENY)
