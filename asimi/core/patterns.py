"""`pattern`: a regular expression that is compiled when it is first used.

asimi is started anew for every command of an agent, and knows some hundred patterns of which an ordinary text needs a
few. To compile them all would be a tenth of what it adds to the start of Python. To a type checker it is `re.compile`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re import compile as pattern
else:
    METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn")

    class pattern:  # noqa: N801 - called like a function
        """Stands where the compiled pattern would, and hands its methods on."""

        def __init__(self, text: str, flags: int = 0) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str):  # noqa: ANN204
            """The first method that is asked for; from then on all of them are there."""
            if name not in METHODS:
                raise AttributeError(name)
            compiled = re.compile(self._text, self._flags)
            for each in METHODS:
                setattr(self, each, getattr(compiled, each))
            return getattr(compiled, name)


__all__ = ["pattern"]
