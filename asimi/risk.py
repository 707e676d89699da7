"""What the parts of a command can do, in words a person can weigh; a help for the eye, never a reason to allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from asimi.call import Decision


class Risk(NamedTuple):
    """What a command can do.

    Attributes:
        level: `high`, `medium`, `low` or `unknown`.
        words: what it can do, the worst first; never empty.
    """

    level: str
    words: tuple[str, ...]

    @property
    def high(self) -> bool:
        """Whether it deserves a second look."""
        return self.level == "high"


def risk_of(text: str, decision: Decision) -> Risk:
    """What a command can do."""
    return Risk("unknown", ("it is not known what this does",))
