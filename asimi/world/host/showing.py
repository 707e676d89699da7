"""Showing questions that were asked elsewhere with the dialog of this terminal, each until it is answered or ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from asimi.core.call import Approval, Question
    from asimi.core.interfaces import Approver

T = TypeVar("T")

GLANCE = 0.05
"""Seconds between two looks at what has come and what has ended."""


class Showing:
    """Where a person answers; what waits, and where an answer goes, is up to whoever inherits this.

    Args:
        approver: asks the person at this terminal.
        say: tells the person a line.
        ending: whether asimi is shutting down.
        ring: called when a question has come, while questions are watched.
    """

    def __init__(
        self, approver: Approver, *, say: Callable[[str], None], ending: Callable[[], bool], ring: Callable[[], None]
    ) -> None:
        self.approver, self.say, self.ending, self.ring = approver, say, ending, ring

    async def _watched(
        self,
        coming: Callable[[], T | None],
        answer: Callable[[T], Awaitable[object]],
        ends: Callable[[], bool] = lambda: False,
    ) -> None:
        """Have each question answered that waits, as it comes, until asimi shuts down.

        Args:
            coming: gives the one to be shown now, if there is one.
            answer: shows it and passes the answer on.
            ends: whether to end where there is none.
        """
        from asyncio import sleep

        while not self.ending():
            if (there := coming()) is None:
                if ends():
                    return
                await sleep(GLANCE)
            else:
                await answer(there)

    async def _shown(self, question: Callable[[], Question], ended: Callable[[], str]) -> Approval | None:
        """Return what the person says; None if the question ended meanwhile, or asimi is shutting down.

        Args:
            question: gives the question as it is when its turn has come.
            ended: says why it has ended; empty while it has not.
        """
        from asyncio import ensure_future, wait

        asking, why = ensure_future(self._asked(question)), ""
        while not asking.done():
            await wait((asking,), timeout=GLANCE)
            if not asking.done() and self.ending():
                asking.cancel()
                await wait((asking,))
            elif not asking.done() and not why and (why := ended()):
                asking.cancel(why)  # the dialog says so, and ends
        said = None if asking.cancelled() else asking.result()
        return None if why else said

    async def _asked(self, question: Callable[[], Question]) -> Approval:
        async with self.approver.turn():
            return await self.approver.ask(question())
