"""The policy that a machine's team shares, as one of the files of a configuration."""

from __future__ import annotations

from asimi.core.errors import ConfigError
from asimi.core.startup import TYPE_CHECKING, NamedTuple
from asimi.world.config.managed import team_in
from asimi.world.config.sources import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.settings import Team


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
