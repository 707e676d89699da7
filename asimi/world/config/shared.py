"""The policy that a machine's team shares, as one of the files of a configuration."""

from __future__ import annotations

from asimi.core.errors import ConfigError
from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.world.config.sources import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from asimi.core.settings import Team


class Copy(NamedTuple):
    """A copy of it that counts.

    Attributes:
        path: where it is.
        content: the configuration.
        number: which revision it is.
        until: when it counts no more, in seconds since the epoch.
        words: which revision it is, for people.
    """

    path: str
    content: bytes
    number: int
    until: float
    words: str


class SharedPolicy:
    """What is read of it in one process.

    Args:
        copy_of: gives a team's copy on this machine, or raises ConfigError where none counts; None where nothing can
            check one.

    Attributes:
        copy: what was read last; None where the team shares none.
    """

    def __init__(self, copy_of: Callable[[Team], Copy] | None) -> None:
        self._copy_of = copy_of
        self.copy: Copy | None = None
        self._newest = 0

    def read(self, managed: Source) -> Iterator[Source]:
        """The team's policy, if the administrator's file asks for one.

        Raises:
            ConfigError: it asks, and there is none that counts, or only an older one than before.
        """
        self.copy = None
        if b"administrators" not in managed.content:  # so a machine without a team pays nothing; see `check`
            return
        from asimi.world.config.managed import team_in

        team = team_in(managed.path, managed.content)
        if not team.administrators or self._copy_of is None:
            return
        copy = self._copy_of(team)
        if copy.number < self._newest:
            raise ConfigError(
                f"is revision {copy.number}, and {self._newest} was in force; it never goes back", copy.path
            )
        self.copy, self._newest = copy, copy.number
        yield Source(copy.path, "team", copy.content, loosens=team.loosens)

    def check(self, team: Team) -> None:
        """Make sure that the policy which a team shares was read.

        Raises:
            ConfigError: it was not.
        """
        if team.administrators and self.copy is None:
            raise ConfigError(f"the policy of the team of {team.server} was not read, and nothing runs without it")
