"""That an execution was refused, in words."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING
from asimi.core.reading.lines import quoted
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from asimi.core.call import Refused

LONGEST = 200
"""Characters of a command that are shown where it was refused."""


def refused_line(refused: Refused) -> str:
    """One line that says which execution was refused, and where that is written."""
    command = " ".join(map(quoted, refused.argv))
    if len(command) > LONGEST:
        command = command[:LONGEST] + "…"
    return visible(f"asimi: {denial(command, refused)}")


def denial(command: str, refused: Refused) -> str:
    """That an execution was refused, as a sentence about its command."""
    why = f" by {refused.source}" if refused.source else f": {refused.rule}"
    return f"'{command}' (started by {refused.parent}, pid {refused.pid}) is denied{why}"
