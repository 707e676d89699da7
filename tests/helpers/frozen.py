"""What a reading holds, to compare it with what it held before."""

from __future__ import annotations

import io
import pickle

from asimi.core.programs.program import Option, Program
from asimi.core.reading.bindings import Variables
from asimi.core.reading.commands import Command
from asimi.core.reading.shapes import Shapes
from asimi.core.syntax.nodes import Script

MEMOS = {
    Command: {"account", "effects", "options", "kinds", "levels", "spread"},
    Shapes: {"_found", "_values", "made"},
    Variables: {"_ordered"},
    Script: {"_readers"},
}
"""What they keep of what follows from the rest of them."""


class _Writer(pickle.Pickler):
    """Writes down all but what is a memo, and rows of the catalogue by their identity."""

    def reducer_override(self, value):
        if isinstance(value, Program | Option):
            return int, (id(value),)
        left_out = MEMOS.get(type(value))
        if left_out is None:
            return NotImplemented
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        held = {name: getattr(value, name) for name in slots} | getattr(value, "__dict__", {})
        return object.__new__, (type(value),), {name: each for name, each in held.items() if name not in left_out}


def held(reading):
    """All that a reading holds, down to the last word, in bytes."""
    written = io.BytesIO()
    _Writer(written, pickle.HIGHEST_PROTOCOL).dump(reading)
    return written.getvalue()
