"""Sends what the log says, on from where the last sender of this user stopped.

Several processes of one user may want to; a lock lets one at a time. Whoever cannot deliver gives it back meanwhile, so
that one which can reach the receiver has its turn. The position is written down once the receiver has taken what comes
before: each event is sent at least once, and a second time only if a sender was killed in between or an answer was
lost. `log.record.uid` is the same then.

Nothing is kept here but one request: what a receiver that is down does not take stays in the log. What the log had to
delete before it was sent, and what a receiver will never take, is counted in `Position.lost`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.extras.telemetry.events import event_of
from asimi.world.host.documents import Document
from asimi.world.host.places import Lock, private_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import Event as Told

    from asimi.core.interfaces import Line, Log
    from asimi.extras.telemetry.events import Event

POSITION = "telemetry.json"
"""The file with the position, beside the log."""

VERSION = 1

PAUSE = 0.5
"""Seconds between two looks at a log where nothing is new."""

LATER, LATEST = 1.0, 60.0
"""Seconds until it is tried again where the receiver takes nothing: twice as long each time, up to the second."""

MOST, MOST_BYTES = 512, 1 << 20
"""Events of one request, and bytes of the log that it is made of; one line may be longer."""


class Position(NamedTuple):
    """How far the log was sent.

    Attributes:
        number: that of the last line.
        hash: its hash.
        lost: lines that never will be.
    """

    number: int
    hash: str
    lost: int = 0


class Sent(NamedTuple):
    """What became of a request.

    Attributes:
        taken: whether the receiver has it.
        rejected: how many of its events the receiver will never take.
        why: why it was not taken, in words.
        unfit: whether it will never be taken, whoever asks.
    """

    taken: bool = False
    rejected: int = 0
    why: str = ""
    unfit: bool = False


class _Batch(NamedTuple):
    """What one request is about.

    Attributes:
        events: what it holds; it may be nothing.
        after: the position behind it.
        more: whether there may be more to read at once.
    """

    events: tuple[Event, ...]
    after: Position
    more: bool


def begin(log: Log, directory: str) -> None:
    """Remember where the log ends now, if nothing of it was ever sent: only what comes from now on will be.

    Raises:
        AsimiError: it cannot be written down.
    """
    kept = _kept(directory)
    with Lock(f"{kept.path}.lock", wait=False) as mine:
        if mine and not os.path.lexists(kept.path):
            kept.write(Position(*log.last()))


def standing(log: Log, directory: str) -> tuple[int, int]:
    """How many lines of the log were not sent yet, and how many never will be.

    Raises:
        AsimiError: that cannot be read.
    """
    kept = _kept(directory).read()
    return (0, 0) if kept is None else (max(0, log.last()[0] - kept.number), kept.lost)


class Sender:
    """Sends the log of one user, once it has begun.

    Args:
        log: the log.
        send: sends events in one request.
        directory: where the position is kept.
        tell: gets a line when the receiver stops taking events, and when it takes them again.
        stop: told when to end.
    """

    def __init__(
        self,
        log: Log,
        send: Callable[[Sequence[Event]], Sent],
        directory: str,
        tell: Callable[[str], None],
        stop: Told,
    ) -> None:
        self._log, self._send, self._tell, self._stop = log, send, tell, stop
        self._kept = _kept(directory)
        self._at: Position | None = None
        self._lines: Iterator[Line | None] = iter(())
        self._batch: _Batch | None = None
        self.failing = False

    def run(self) -> None:
        """Send until told to end, and then what is left, if the receiver takes it."""
        pause = LATER
        while True:
            with Lock(f"{self._kept.path}.lock", wait=False) as mine:
                why = self._work() if mine else ""
            if mine:
                self._say(why)
                pause = min(2 * pause, LATEST) if why else LATER
            if self._stop.wait(pause):
                return

    def _work(self) -> str:
        """Send until told to end and all is sent; or why that cannot be done now."""
        try:
            self._resume()
            while True:
                ending = self._stop.is_set()
                self._batch = batch = self._batch or self._next()
                after, why = self._delivered(batch)
                if why:
                    return why
                if after != self._at:
                    self._kept.write(after)
                    self._at = after
                self._batch = None
                self._say("")
                if not batch.more and ending:
                    return ""
                if not batch.more:
                    self._stop.wait(PAUSE)
        except (AsimiError, OSError) as error:
            self._at = None
            return str(error)

    def _resume(self) -> None:
        """Go on behind what was sent, also by others meanwhile; if somebody removed the position, at the beginning."""
        kept = self._kept.read() or Position(0, "")
        if kept != self._at:
            self._at, self._batch = kept, None
            self._lines = self._log.after(kept.number, kept.hash)

    def _next(self) -> _Batch:
        """What comes next in the log."""
        assert self._at is not None
        events, size, at = [], 0, self._at
        for line in self._lines:
            if line is None:
                break
            at = Position(line.number, line.hash, at.lost + max(0, line.number - at.number - 1))
            size += len(line.content)
            if (event := event_of(line)) is not None:
                events.append(event)
            if len(events) >= MOST or size >= MOST_BYTES:
                return _Batch(tuple(events), at, more=True)
        return _Batch(tuple(events), at, more=False)

    def _delivered(self, batch: _Batch) -> tuple[Position, str]:
        """The position once a batch was sent; or why the receiver does not take it now."""
        lost, waiting = batch.after.lost, [batch.events] if batch.events else []
        while waiting:
            events = waiting.pop()
            sent = self._send(events)
            if sent.unfit and len(events) > 1:  # one of them is at fault
                half = len(events) // 2
                waiting += [events[half:], events[:half]]
            elif sent.unfit:
                lost += 1
            elif not sent.taken:
                return batch.after, sent.why
            else:
                lost += sent.rejected
        return batch.after._replace(lost=lost), ""

    def _say(self, why: str) -> None:
        """Tell what has changed: once that events are not taken, once that they are again."""
        if bool(why) != self.failing:
            self.failing = bool(why)
            self._tell(f"takes no events: {why}; they wait in the log" if why else "takes events again")


def _kept(directory: str) -> Document[Position]:
    return Document(os.path.join(private_directory(directory), POSITION), Position, VERSION)
