"""What of a text runs only once one of its commands has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from asimi.core.reading import Command, Reading

_WORD = r"[\w./:=@%,+-]+"
_PIPELINE = pattern(
    r"(?:[ \t]+2>&1|[ \t]*\|[ \t]*(?!(?:case|coproc|for|function|if|select|time|until|while)\b)"
    rf"{_WORD}(?:[ \t]+{_WORD})*)*"
    r"[ \t]*(?:;|&&|\n|\Z)"
)
"""The rest of a pipeline of plain words, and what ends it."""

_GROUPS = pattern(r"[({]|\b(?:case|coproc|do|elif|else|for|if|then|until|while)\b")
"""What may begin a compound command, wherever it is."""


def positions_after(command: Command, reading: Reading) -> range:
    """The positions of what runs only once a command has ended; a redirection around it is at none of them."""
    own = next(
        (
            each
            for each in reading.commands
            if each.outer and each.simple is not None and each.span[0] <= command.span[0] < each.span[1]
        ),
        None,
    )
    if own is None or own.simple is None or reading.variables.loops or reading.functions:
        return range(0)
    if own.simple.holds > own.simple.end:  # it is in this shell, and what follows in its list waits
        return range(own.simple.end, own.simple.holds)
    rest = _PIPELINE.match(own.source, own.simple.end)
    alone = rest is not None and not _GROUPS.search(own.source, 0, own.simple.start)
    return range(rest.end(), len(own.source)) if rest is not None and alone else range(0)
