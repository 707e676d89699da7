"""One look at a machine: what is asked there is asked once, answered alike until the look is over, and paid for."""

from __future__ import annotations

from _thread import _local

from asimi.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

    from asimi.core.budget import Budget
    from asimi.core.judging.paths import Machine

PRICES = {
    "below": 60, "branch": 250, "guides": 120, "kind": 12, "links": 10, "names": 40, "repository": 60, "resolve": 30,
}  # fmt: skip
"""Units of work for one question; a walk, whose answer is what it tells, is not remembered."""

EACH = 4
"""Names in an answer for a unit of work, each time it is given."""


class Looks:
    """What a machine is asked, look by look; each thread has its own.

    Attributes:
        times: how often it was asked for what may change at any moment; other threads may ask as well.
    """

    def __init__(self) -> None:
        self.times = 0
        self._now = _local()

    def of(self, machine: Machine) -> Machine:
        """The same machine, with every question counted, and within a look remembered and paid for."""
        asked: dict[str, Any] = {
            name: self._asked(name, each) for name, each in machine._asdict().items() if callable(each)
        }
        return machine._replace(**asked)

    def during(self, budget: Budget) -> Look:
        """A look, which `with` begins and ends; within another one it is that one."""
        return Look(self._now, budget)

    def _asked(self, name: str, question: Callable[..., Any]) -> Callable[..., Any]:
        price = PRICES.get(name)

        def asked(*words: Any) -> Any:
            look: Look | None = getattr(self._now, "look", None)
            if look is None or price is None:
                self.times += 1
                return question(*words)
            key = (name, *words)
            if key not in look.known:
                self.times += 1
                look.budget.spend(price)
                look.known[key] = question(*words)
                look.budget.spend(_size(look.known[key]))
            answer = look.known[key]
            look.budget.spend(1 + _size(answer) // EACH)
            return answer

        return asked


def _size(answer: object) -> int:
    """How many names an answer has."""
    return len(answer) if isinstance(answer, list | tuple | set | frozenset) else 0


class Look:
    """What is known in one look."""

    def __init__(self, now: Any, budget: Budget) -> None:
        self._now, self.budget = now, budget
        self.known: dict[tuple[Any, ...], Any] = {}

    def __enter__(self) -> None:
        self._around: Look | None = getattr(self._now, "look", None)
        if self._around is None:
            self._now.look = self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._around is None:
            self._now.look = None
