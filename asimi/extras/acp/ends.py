"""Writes down how calls ended: the agent says so of its tool calls, the editor of its terminals."""

from __future__ import annotations

import signal
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.host.terminal import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from asimi.world.audit import AuditLog

    Key = tuple[str, str]

MOST = 256
"""How many are waited for; the oldest go first."""

OUTCOMES = {"completed": "ran", "failed": "failed"}
"""How a tool call ended, by its last status."""

LOOKS = frozenset({"terminal/wait_for_exit", "terminal/output"})
"""The requests whose answers say how a terminal's program ended."""


class Begun(NamedTuple):
    """What was let pass.

    Attributes:
        log: where it is written down.
        id: its id there.
        agent: the agent.
        since: when it began, on the clock that never goes back.
    """

    log: AuditLog
    id: str
    agent: str
    since: float


class Ends:
    """Waits for the ends of what was let pass."""

    def __init__(self) -> None:
        self._calls: OrderedDict[Key, Begun] = OrderedDict()  # by session and tool call
        self._terminals: OrderedDict[Key, Begun] = OrderedDict()  # by session and terminal
        self._made: OrderedDict[str, tuple[str, Begun]] = OrderedDict()  # by requests that make terminals
        self._looks: OrderedDict[str, Key] = OrderedDict()  # by requests that look at one

    def permitted(self, session: str, call: str, begun: Begun) -> None:
        """Wait for the end of a tool call."""
        keep(self._calls, (session, call), begun, MOST)

    def created(self, session: str, name: str, begun: Begun) -> None:
        """Wait for the end of a terminal that a request makes."""
        keep(self._made, name, (session, begun), MOST)

    def looked(self, name: str, params: Mapping[str, Any]) -> None:
        """Wait for what a request finds out about a terminal."""
        key = str(params.get("sessionId")), str(params.get("terminalId"))
        if key in self._terminals:
            keep(self._looks, name, key, MOST)

    def answered(self, name: str, answer: Mapping[str, Any]) -> None:
        """Take what the editor answers to a request."""
        result = answer.get("result")
        if name in self._made:
            session, begun = self._made.pop(name)
            if isinstance(result, dict) and isinstance(result.get("terminalId"), str):
                keep(self._terminals, (session, result["terminalId"]), begun, MOST)
            else:
                _write(begun, outcome="not run")
        key = self._looks.pop(name, ("", ""))
        if key in self._terminals and isinstance(result, dict):
            status = result.get("exitStatus", result)
            if isinstance(status, dict) and not {"exitCode", "signal"}.isdisjoint(status):
                _write(self._terminals.pop(key), exit=_number(status.get("exitCode")), signal=_number_of(status))

    def ended(self, session: str, call: str, outcome: str) -> None:
        """Write down how a tool call ended."""
        if (begun := self._calls.pop((session, call), None)) is not None:
            _write(begun, outcome=outcome)


def keep(kept: OrderedDict[Any, Any], key: Any, value: Any, most: int) -> None:
    """Keep a value as the newest of at most so many."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)


def _write(begun: Begun, **said: str | float | None) -> None:
    seconds = round(time.monotonic() - begun.since, 3)
    try:
        begun.log.write_end(begun.id, begun.agent, **said, seconds=seconds)
    except (AsimiError, OSError) as error:
        say(f"asimi: the log cannot be written ({error}); it lacks the end of {begun.id}")


def _number(value: object) -> int | None:
    return value if type(value) is int else None


def _number_of(status: Mapping[str, Any]) -> int | None:
    """The number of the signal that ended a program; None for none, and for a name that nobody knows."""
    found = getattr(signal, str(status.get("signal")), None)
    return int(found) if isinstance(found, signal.Signals) else None
