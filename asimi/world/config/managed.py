"""The administrator's file, which only root may write, and the policy of the team that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import ConfigError
from asimi.core.settings import Team
from asimi.core.values import NamedTuple
from asimi.world.config.sources import Source, managed_content

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.judging.rules import Rule


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
    from asimi.world.config.layer import layers_in

    return tuple(rule for layer in layers_in(source) for rule in layer.rules if rule.verdict is Verdict.DENY)


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
