"""What a person said yes to, for as long as it holds: in memory for one process, in tickets for one terminal.

A one-shot run has no memory of its own, so its session is that of the terminal, and it is kept as sudo keeps its time
stamps: in a file that only we may read, named after the session leader, its start time and the terminal, so that it
means nothing to another terminal, another login or a later process with the same number.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from asimi.call import Verdict
from asimi.errors import AsimiError
from asimi.places import Lock, private_directory, read_private, replace
from asimi.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.call import Approval

VERSION = 1
"""The format of a ticket file."""

_PREFIX, _SUFFIX = "session-", ".json"


class MemoryApprovals:
    """The approvals of one process.

    Args:
        remember: keeps rules for good; what an answer "always" calls.
        session: whether the process is a session that keeps approvals at all.

    Attributes:
        session: the same.
    """

    def __init__(self, remember: Callable[[Sequence[Rule]], object], *, session: bool = True) -> None:
        self.session = session
        self._remember = remember
        self._rules: list[Rule] = []

    def rules(self) -> Sequence[Rule]:
        """The rules that hold now."""
        if any(rule.expires is not None for rule in self._rules):
            now = time.time()
            self._rules = [rule for rule in self._rules if rule.expires is None or rule.expires > now]
        return self._rules

    def remember(self, approval: Approval) -> None:
        """Keep an approval's rules for its scope.

        Raises:
            AsimiError: they cannot be kept.
        """
        if approval.scope == "always":
            self._remember(approval.rules)
        elif approval.scope == "session":
            if not self.session:
                raise AsimiError("There is no session that could keep this approval; say yes once, or always")
            self._rules += [_for_session(rule) for rule in approval.rules if _for_session(rule) not in self._rules]


def _for_session(rule: Rule) -> Rule:
    return rule._replace(kind="session", source="this session")
