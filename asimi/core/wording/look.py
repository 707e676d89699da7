"""What the terminal can show that words are put on."""

from __future__ import annotations

from asimi.core.lean import NamedTuple


class Look(NamedTuple):
    """What a terminal can show.

    Attributes:
        width: its columns.
        height: its rows.
        colour: whether colours and other attributes may be used.
        unicode: whether it shows more than ASCII.
        plain: whether only words in reading order are wanted: no box, no redrawing.
    """

    width: int
    height: int
    colour: bool = False
    unicode: bool = False
    plain: bool = False
