"""The time by which the age of files counts when old ones are deleted.

A clock that jumps forward, because of a bad time server or a virtual machine that slept, makes all files old at once,
and what was deleted does not come back when the clock is set right. So a jump counts only once the clock has run on
from there for a day or has jumped once more.
"""

from __future__ import annotations

import os
import time

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.host.documents import Document

VERSION = 1
"""The format of the file."""

SETTLES = 86400.0
"""Seconds that a clock has to run on after a jump; a shorter step is not a jump."""

_EVERY = 3600.0  # seconds after which it is written down again


class ClockReading(NamedTuple):
    """The clock, as it was last seen.

    Attributes:
        time: what it said, in seconds since the epoch.
        awake: what the clock said that counts from the start of the machine and cannot be set, in seconds.
        boot: the id of that start; empty where the system has none.
        jumped: what it said behind its last jump, while that does not count; otherwise None.
        before: what it said before that.
    """

    time: float
    awake: float
    boot: str
    jumped: float | None = None
    before: float = 0.0

    @property
    def effective_rules(self) -> float:
        """The time by which ages count."""
        return self.time if self.jumped is None else min(self.before, self.time)


def steady(directory: str) -> float:
    """Return the time by which the age of files counts, in seconds since the epoch; 0 where it cannot be known.

    Args:
        directory: where the clock is written down; made if it is missing.
    """
    document = Document(os.path.join(directory, "clock.json"), ClockReading, VERSION)
    try:
        with document.lock() as seen:
            now = next_seen(seen, time.time(), awake(), boot_id())
            if seen is None or now.jumped != seen.jumped or abs(now.time - seen.time) >= _EVERY:
                document.write(now)
    except AsimiError:
        return 0.0
    return now.effective_rules


def next_seen(seen: ClockReading | None, now: float, awake: float, boot: str) -> ClockReading:
    """Return the clock as it is seen now, after it was seen before.

    Args:
        seen: how it was seen last; None for the first time.
        now: what it says.
        awake: what the clock says that counts from the start of the machine.
        boot: the id of that start.
    """
    here = ClockReading(now, awake, boot)
    if seen is None:
        return here
    passed = awake - seen.awake if boot and boot == seen.boot else 0.0
    if now - seen.time - passed > SETTLES:
        return here._replace(jumped=now, before=seen.time)
    if seen.jumped is None or now - seen.jumped >= SETTLES or abs(now - seen.before) <= SETTLES:
        return here
    # Set back, but not to where it was, it may still be wrong.
    return here._replace(jumped=min(now, seen.jumped), before=seen.before)


def awake() -> float:
    """Return seconds since the start of the machine, with its sleep, which nobody can set."""
    counts_sleep = getattr(time, "CLOCK_BOOTTIME", None)  # Linux only
    return time.monotonic() if counts_sleep is None else time.clock_gettime(counts_sleep)


def boot_id() -> str:
    """Return the id of the machine's start; empty where it has none."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""
