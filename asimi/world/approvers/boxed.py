"""Asks for the gate of a box: in the queue, while other calls of the same gate go on; never the agent's own prompt."""

from __future__ import annotations

from asimi.core.call import Approval
from asimi.core.judging.in_box import UNBOXED
from asimi.core.reading.lines import line_of
from asimi.core.startup import TYPE_CHECKING, nullcontext

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager, AbstractContextManager

    from asimi.core.call import Question
    from asimi.core.interfaces import Approver


class BoxApprover:
    """Asks a person elsewhere.

    Args:
        elsewhere: gives the approver to ask, and whether to wait for its answer.
        patience: seconds that the agent waits for an answer.
        waiting: held while somebody is waited for, so that other calls are judged meanwhile.
    """

    def __init__(
        self,
        elsewhere: Callable[[], tuple[Approver, bool]],
        patience: float,
        waiting: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._elsewhere, self._patience, self._waiting = elsewhere, patience, waiting

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time: each call asks for itself."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:
        """The answer; a no in time, and then the question stays, for the same call made again."""
        if any(reason.code == UNBOXED for reason in question.decision.reasons):
            return Approval(yes=False, by="nobody", note=_how_outside(question))
        question = question._replace(patience=min(question.patience, self._patience))
        approver, waits = self._elsewhere()
        try:
            if not waits:
                return await approver.ask(question)
            import asyncio

            with self._waiting():
                answer = asyncio.run(_in_turn(approver, question))
            leave = getattr(approver, "leave", None)
            if answer.by == "clock" and leave is not None and (hint := leave(question)):
                return answer._replace(note=f"{answer.note}; {hint}")
            return answer
        finally:
            if (close := getattr(approver, "close", None)) is not None:
                close()


async def _in_turn(approver: Approver, question: Question) -> Approval:
    async with approver.turn():
        return await approver.ask(question)


def _how_outside(question: Question) -> str:
    """How a person runs what needs to leave the box."""
    request = question.request
    return f"a person can run it outside of the box, in another terminal, in {request.place.path}: {line_of(request)}"
