"""How much work the reading and judging of one request may be, counted so that every machine decides alike."""

from __future__ import annotations

from asimi.core.errors import AsimiError

MOST = 400_000
"""Units of work for one request; a unit is about a microsecond of one core of a server of 2023 with CPython 3.11."""

COMMAND, WORD = 23, 3
"""What one command costs that rules may be about, and one of its words."""


class OverBudgetError(AsimiError):
    """A request is too much work. It is not a syntax error, so nobody who expects those goes on behind it."""

    def __init__(self) -> None:
        super().__init__("this is too much to check at once; run it in parts")


class Budget:
    """What is left of it.

    Args:
        left: units of work; the default is for texts that no request gave.
    """

    __slots__ = ("left",)

    def __init__(self, left: int = 1 << 62) -> None:
        self.left = left

    def spend(self, units: int) -> None:
        """Pay for work.

        Raises:
            OverBudgetError: nothing is left.
        """
        self.left -= units
        if self.left < 0:
            raise OverBudgetError
