"""The administrator's file, which only root may write, and the policy of the team that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.errors import ConfigError
from asimi.core.settings import Team
from asimi.core.values import NamedTuple
from asimi.world.config.sources import Source

if TYPE_CHECKING:
    from collections.abc import Callable


def team_in(path: str, content: bytes | None) -> Team:
    """Return the team that a file makes this machine belong to; none where there is no file.

    Raises:
        ConfigError: it cannot be used.
    """
    if content is None:
        return Team()
    from asimi.world.config.effective import team_of
    from asimi.world.config.layer import layer_of
    from asimi.world.config.merge import merge_layers

    return team_of(merge_layers([layer_of(path, "managed", content)]))


class Copy(NamedTuple):
    """A copy of it that counts.

    Attributes:
        path: where it is.
        content: the configuration.
        number: which revision it is.
        until: when it counts no more, in seconds since the epoch.
        words: which revision it is, for people.
        loosens: the keys that count as if the administrator's file had them.
    """

    path: str
    content: bytes
    number: int
    until: float
    words: str
    loosens: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        """Itself, among the files of the configuration."""
        return Source(self.path, "team", self.content, loosens=self.loosens)


def copy_asked_for(managed: Source, copy_of: Callable[[Team], Copy] | None, newest: int) -> Copy | None:
    """Return the copy that counts, if the administrator's file asks for one.

    Args:
        managed: that file.
        copy_of: gives a team's copy on this machine; None where nothing can check one.
        newest: the newest revision that was in force.

    Raises:
        ConfigError: it asks, and there is none that counts, or only an older one than was in force.
    """
    team = team_in(managed.path, managed.content)
    if not team.administrators or copy_of is None:
        return None
    copy = copy_of(team)
    if copy.number < newest:
        raise ConfigError(f"is revision {copy.number}, and {newest} was in force; it never goes back", copy.path)
    return copy._replace(loosens=team.loosens)
