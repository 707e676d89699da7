"""Judges calls of many projects, each by what is in force in its own; runs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.compose import places
from asimi.compose.configuration import configuration_of
from asimi.core.call import is_probe
from asimi.core.errors import ConfigError
from asimi.world.audit.calls import logged_calls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from asimi.compose import Options
    from asimi.core.call import Decision, Request
    from asimi.core.judging.policy import Policy
    from asimi.world.audit.calls import LoggedCall

BROKEN = "the configuration of its project cannot be used"


class Judges:
    """The policies of projects, read once, without the approvals of any session.

    Args:
        options: what the caller chooses; its project is the one whose configuration must be usable.
        boxed: whether calls behind an agent's hook are judged as in a box.

    Raises:
        AsimiError: that is broken, or the caller may not choose these options.
    """

    def __init__(self, options: Options, *, boxed: bool = False) -> None:
        self._options, self._boxed = options, boxed
        self.configuration = configuration_of(options)
        self.root = self.configuration.root
        self._policies: dict[tuple[str, bool], Policy] = {(self.root, False): self.configuration.settings().policy}

    def policy(self, root: str, *, behind: bool = False) -> Policy:
        """Return what is in force in a project.

        Args:
            root: the real path of its root.
            behind: whether an agent runs what is allowed.

        Raises:
            ConfigError: its configuration is broken, or cannot be kept there.
        """
        if (root, behind) not in self._policies:
            boxed = behind and self._boxed
            found = configuration_of(self._options, behind=behind, boxed=boxed, root=root)
            self._policies[root, behind] = found.settings().policy
        return self._policies[root, behind]

    def decide(self, request: Request, behind: bool) -> Decision:  # noqa: FBT001 - as a key has it
        """Return the decision on a request in its own project.

        Raises:
            ConfigError: as `policy`.
        """
        return self.policy(request.place.root, behind=behind).decide(request)

    def judgeable(self, logged: LoggedCall | str) -> LoggedCall | str:
        """Return a logged call whose project's configuration can be used, or why it cannot be judged again."""
        if isinstance(logged, str):
            return logged
        try:
            self.policy(logged.request.place.root, behind=logged.behind)
        except ConfigError:
            return BROKEN
        return logged

    def logged_calls(self, since: float | None) -> Iterator[LoggedCall | str]:
        """Yield the calls of the log, or why they cannot be judged again; without what a doctor tried.

        Args:
            since: only what began at this time or later, in seconds since the epoch.

        Raises:
            AsimiError: as `logged_calls`.
            OSError: a file cannot be read.
        """
        yield from (logged for _, logged in self.fields_logged(since))

    def fields_logged(self, since: float | None) -> Iterator[tuple[dict[str, Any], LoggedCall | str]]:
        """Yield the same, each behind the record with which it begins.

        Raises:
            AsimiError: as `logged_calls`.
            OSError: a file cannot be read.
        """
        for fields, logged in logged_calls(places().state, since):
            if not is_probe(str(fields.get("session", ""))):
                yield fields, self.judgeable(logged)
