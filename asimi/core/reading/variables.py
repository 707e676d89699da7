"""What the text gives to variables, and up to where each assignment is sure to have happened."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from asimi.core.lean import NamedTuple, pattern
from asimi.core.programs.variables import BASH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.syntax.nodes import Word

NETWORK = ("/dev/tcp/", "/dev/udp/")
"""Files that bash takes for connections (bash manual, Redirections)."""

MOST = 64
"""Assignments of one variable that are looked at; where there are more, its value counts as unknown."""

_PLAIN = pattern(r"[^\s*?\[\\~$-][^\s*?\[\\$]*")
_QUOTED = pattern(r"""\\.|'[^']*'|"(?:[^"\\]|\\.)*\"""")
_EXPANSION = pattern(r"\$(?:(\w+)|\{(\w+)\})|\$\(\([^()]*\)\)|[$`]")
_PATTERN = pattern(r"[*?](?!\()")
"""A pattern whose matches begin with the name of a file, and that stays as it is where there is none."""


class Given(NamedTuple):
    """One assignment.

    Attributes:
        start: its position in the text.
        holds: the position up to which it is sure to have happened; 0 where that is not known.
        plain: whether all that it gives is one literal word that begins like no option, however it is expanded.
        local: whether all that it gives is sure to begin like no connection to the network.
    """

    start: int
    holds: int
    plain: bool
    local: bool


class Variables:
    """The assignments of one request."""

    def __init__(self) -> None:
        self._given: dict[str, list[Given]] = {}
        self.integers: set[str] = set()  # variables whose value is evaluated
        self.calls: list[int] = []  # where something is called that may assign too: functions, eval, source

    def names(self) -> Sequence[str]:
        """All that is assigned."""
        return tuple(self._given)

    def give(self, name: str, start: int, holds: int, *, plain: bool, local: bool = False) -> None:
        """Take down an assignment."""
        self._given.setdefault(name, []).append(Given(start, holds, plain, local))

    def is_plain(self, name: str, at: int) -> bool:
        """Whether a variable is sure to hold, at a position, one word that begins like no option."""
        found = self._possible(name, at)
        return bool(found) and all(each.plain for each in found)

    def is_local(self, name: str, at: int) -> bool:
        """Whether a variable is sure to begin, at a position, like no connection to the network."""
        found = self._possible(name, at)
        return bool(found) and all(each.local for each in found)

    def _possible(self, name: str, at: int) -> Sequence[Given]:
        """The assignments of which one is sure to be in force at a position; none where that is not known.

        The last assignment before it that is sure to have happened decides, with all behind it: in a loop they may
        have come first. Where something is called between, any assignment of the text may have.
        """
        given = self._given.get(name, ())
        if len(given) > MOST or name in BASH:
            return ()
        last = max((each.start for each in given if each.start <= at < each.holds), default=-1)
        if last < 0:
            return ()
        called = bisect_right(self.calls, last) < bisect_left(self.calls, at)
        return [each for each in given if called or each.start >= last]

    def splits(self, written: str, at: int) -> bool:
        """Whether a word, as it is written, may become more words than one by something unknown that is not quoted."""
        for match in _EXPANSION.finditer(_QUOTED.sub("", written)):
            name = match[1] or match[2]
            if name is None and match[0][:3] == "$((":
                continue
            if name is None or "IFS" in self._given or not self.is_plain(name, at):
                return True
        return False


def is_plain_value(word: Word) -> bool:
    """Whether a value is one literal word that begins like no option, however it is expanded."""
    return word.literal is not None and _PLAIN.fullmatch(word.literal) is not None


def is_local(word: Word, written: str) -> bool:
    """Whether the file that a word names is sure to be no connection to the network, by how the word begins."""
    if word.head:
        return not any(name.startswith(word.head) or word.head.startswith(name) for name in NETWORK)
    return _PATTERN.match(written) is not None
