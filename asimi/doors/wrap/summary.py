"""Counts what comes of a session in a box while it runs, and says it at the end in a few lines."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from asimi.core.call import PROMPT
from asimi.core.judging.in_box import HELD, UNBOXED
from asimi.core.judging.names import WEB
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.world.host.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from asimi.core.call import NetworkUse, Record
    from asimi.world.audit import AuditLog

MOST = 3
"""Moved files that the end names; it counts the rest."""

LINES = 10
"""What the end says at the most. What a person should look at comes before what went as it should."""

WIDTH = 90
"""Columns of a line that names commands or names on the network."""


class SessionEnd(NamedTuple):
    """How a session ended.

    Attributes:
        title: of the program.
        name: the session's, for the log.
        code: the program's exit code.
        hooked: whether it has a hook.
        heard: the agents whose hooks were heard.
        left: what the session left in repositories that no file shows, in words, the worst first.
        kept: how many of its calls undo can take back.
        changed: the path of something read-only inside that has changed outside; empty if nothing has.
    """

    title: str
    name: str
    code: int
    hooked: bool
    heard: Collection[str]
    left: Sequence[str]
    kept: int = 0
    changed: str = ""


class Tally:
    """Writes down what becomes of calls, and counts it.

    Args:
        log: writes it down.

    Attributes:
        running: the id of the call that began last, and its command.
        over: is told that id.
    """

    def __init__(self, log: AuditLog) -> None:
        self._log = log
        self.allowed = self.held = self.approved = 0
        self.outside: list[str] = []
        self.refused: list[tuple[str, str]] = []
        self.moved: list[tuple[str, str]] = []
        self.names: dict[tuple[str, bool], int] = {}
        self.bytes = [0, 0]
        self.running = ("", "")
        self._said_yes: list[tuple[str, str]] = []
        self.over: Callable[[str], object] = lambda _call: None

    def write(self, record: Record) -> None:
        """Append one record.

        Raises:
            AsimiError: as the log says.
        """
        self._log.write(record)
        yes = record.approval is not None and record.approval.by not in {"policy", PROMPT}
        if record.event == "start" and yes and record.request is not None:
            self._said_yes.append((record.request.place.path, line_of(record.request)))
        if record.event == "start" and record.decision is not None and record.decision.leaves:
            assert record.request is not None  # what starts was understood
            self.outside.append(line_of(record.request))
        elif record.event == "start":
            self.allowed += 1
            self.running = record.id, "" if record.request is None else line_of(record.request)
            self.over(record.id)
            codes = {reason.code for reason in record.decision.reasons} if record.decision is not None else set()
            self.held += HELD in codes
            self.approved += yes
        elif record.event == "refusal" and record.request is not None and record.decision is not None:
            leaves = record.decision.leaves or any(each.code == UNBOXED for each in record.decision.reasons)
            code = UNBOXED if leaves else getattr(record.refusal, "code", "")
            self.refused.append((code, line_of(record.request)))

    @property
    def has_reached_name(self) -> bool:
        """Whether a name was reached; without its model no agent starts a command."""
        return any(allowed for _, allowed in self.names)

    def is_named(self, path: str) -> bool:
        """Whether a text to which a person said yes names a path, or one below it."""
        return any(
            re.search(rf"(?<![\w./-]){re.escape(each)}(?![\w-])", text)
            for directory, text in self._said_yes
            for each in (path, os.path.relpath(path, directory))
        )

    def record_name(self, reached: NetworkUse) -> None:
        """Write down and count what came of a name."""
        self._log.write_network(reached)
        name = reached.name if reached.port in WEB else f"{reached.name}:{reached.port}"
        key = (name, reached.allowed)
        self.names[key] = self.names.get(key, 0) + reached.connections
        self.bytes = [self.bytes[0] + reached.sent, self.bytes[1] + reached.received]

    def lines(self, end: SessionEnd) -> list[str]:
        """What a person reads at the end, at most ten lines."""
        first = f"{end.title} has ended with exit code {end.code}."
        if end.hooked and not end.heard:
            if self.has_reached_name:
                first += " asimi has judged no command of it: it ran none, or its hook does not work."
            else:
                first = f"{first[:-1]}, before its first command."
        worst = self._worst(end)
        last = []
        if end.kept:
            calls = "1 call" if end.kept == 1 else f"{end.kept} calls"
            last.append(f"{calls} may have changed files: asimi undo lists what, and takes it back")
        if self.allowed or self.refused or self.outside:
            last.append(f"More: asimi log report --session {end.name}")
        room = LINES - 1 - len(last)
        if len(worst) > room:
            worst = [*worst[: room - 1], f"and {len(worst) - room + 1} more things like these"]
        return [first, *self._done(end)[: room - len(worst)], *worst, *last]

    def put_back(self, keep: Callable[[str], str], path: str) -> str:
        """Have something put back that was moved away; in words why not, empty if it is there."""
        if not (why := keep(path)):
            self.moved = [(each, to) for each, to in self.moved if each != path]
        return why

    def _done(self, end: SessionEnd) -> list[str]:
        """What ran, what did not, and which names were reached."""
        lines = []
        if (end.hooked or end.heard) and (end.heard or not end.hooked):
            held = f"{self.held} because the box holds {'it' if self.held == 1 else 'them'}" if self.held else ""
            by_you = f"{self.approved} by your answer" if self.approved else ""
            why = ", ".join(filter(None, (held, by_you)))
            ran = f"{self.allowed} command{'' if self.allowed == 1 else 's'} ran"
            lines.append(f"{ran} ({why})." if why else f"{ran}.")
        stayed = [line for code, line in self.refused if code == UNBOXED]
        others = [line for code, line in self.refused if code != UNBOXED]
        told = (
            (self.outside, "ran outside of the box"),
            (others, "not allowed"),
            (stayed, "needed to leave the box and did not run"),
        )
        for lines_of, what in told:
            if lines_of:
                named = "; ".join(shorten(printable(each), WIDTH // 2, "…") for each in dict.fromkeys(lines_of))
                lines.append(shorten(f"{len(lines_of)} {what}: {named}", WIDTH, "…"))
        for allowed, what in ((True, "Reached"), (False, "Not reached")):
            if found := [f"{name} ({times})" for (name, said), times in self.names.items() if said is allowed]:
                lines.append(shorten(f"{what}: {printable(', '.join(found))}", WIDTH, "…"))
        return lines

    def _worst(self, end: SessionEnd) -> list[str]:
        """What a person should look at."""
        lines = [
            f"{printable(path)} appeared and would run by itself; asimi moved it to {printable(to)}"
            for path, to in self.moved[:MOST]
        ]
        if len(self.moved) > MOST:
            lines.append(f"and {len(self.moved) - MOST} more were moved there")
        lines += [shorten(printable(each), WIDTH * 3, "…") for each in end.left]
        if end.changed:
            lines.append(f"{printable(end.changed)} has changed since the start, and nothing inside could write it")
        return lines
