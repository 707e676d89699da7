"""For how long asimi only observes: `unlisted = "observe"` ends by itself, because nobody thinks of it for ever."""

from __future__ import annotations

import os

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.host.documents import Document
from asimi.world.host.places import private_directory

FILE = "observing.json"
"""Where its beginning is kept, below the state directory."""

VERSION = 1
"""The format of that file."""

DAYS = 14
"""After which it ends."""

SKEW = 3600.0
"""Seconds that a clock may be set back without ending it."""


class Observation(NamedTuple):
    """What is kept.

    Attributes:
        since: when it began, in seconds since the epoch.
    """

    since: float


def seconds_left(state: str, now: float) -> float | None:
    """Return how many seconds are left of it; 0 where it has ended, and None where it has not begun.

    Raises:
        AsimiError: that cannot be read.
    """
    kept = _document(state).read()
    if kept is None:
        return None
    passed = now - kept.since
    return 0.0 if passed < -SKEW else max(0.0, DAYS * 86400.0 - passed)


def observes(state: str, now: float) -> bool:
    """Whether it holds now, begun if it has not; what cannot be read or written down holds nothing."""
    try:
        time = seconds_left(state, now)
        if time is None:
            private_directory(state)
            _document(state).write(Observation(now))
            time = DAYS * 86400.0
    except (AsimiError, OSError):
        return False
    return time > 0


def end(state: str) -> None:
    """Forget that it has begun, so that whoever wants it again begins anew."""
    try:
        os.unlink(os.path.join(state, FILE))
    except FileNotFoundError:
        return


def _document(state: str) -> Document[Observation]:
    return Document(os.path.join(state, FILE), Observation, VERSION)
