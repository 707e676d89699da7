"""Regular expressions that are compiled when they are first used: asimi knows hundreds, and a start needs a few."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

__all__ = ["pattern"]

if TYPE_CHECKING:
    from re import compile as pattern
else:

    class pattern:  # noqa: N801 - called like a function
        """A regular expression, which has the methods of `re.Pattern`.

        Args:
            text: as `re.compile` takes it.
            flags: those of `re`.
        """

        def __init__(self, text: str, flags: int = 0) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str) -> object:
            found = re.compile(self._text, self._flags)
            for each in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn", "pattern"):
                setattr(self, each, getattr(found, each))
            return getattr(found, name)
