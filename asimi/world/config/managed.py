"""The administrator's file, which only root may write."""

from __future__ import annotations

import os

from asimi.core.call import Verdict
from asimi.core.errors import ConfigError
from asimi.core.lean import TYPE_CHECKING
from asimi.core.settings import Team
from asimi.world.config.sources import content_of

if TYPE_CHECKING:
    from asimi.core.judging.rules import Rule


def managed_content(path: str) -> bytes | None:
    """What it holds; None where there is none.

    Raises:
        ConfigError: somebody else can write it, or it cannot be read.
    """
    content = content_of(path)
    if content is not None and os.name == "posix":
        for each in (path, os.path.dirname(path)):
            there = os.stat(each)
            if there.st_uid != 0 or there.st_mode & 0o022:
                raise ConfigError(f"{each} must belong to root, and nobody else may be able to write it", path)
    return content


def team_in(path: str, content: bytes | None) -> Team:
    """The team that a file makes this machine belong to; none where there is no file.

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
    """What it forbids, read again when its content changes.

    Args:
        path: where it is.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: tuple[bytes | None, tuple[Rule, ...]] = (None, ())

    def now(self) -> tuple[Rule, ...]:
        """Its denies.

        Raises:
            ConfigError: it cannot be used.
        """
        content = managed_content(self._path)
        if content != self._known[0]:
            from asimi.world.config.layer import layer_of

            rules = () if content is None else layer_of(self._path, "managed", content).rules
            self._known = content, tuple(rule for rule in rules if rule.verdict is Verdict.DENY)
        return self._known[1]
