"""Asks for the gate of a box, while other calls of the same gate go on; never at the agent's own prompt.

The question appears over the program if that has the person's terminal, else in the queue. A client in the box asks;
when the client ends, so does its question. Before the agent's hook gives up, the answer is no, and the question stays
in the queue for the same call made again.
"""

from __future__ import annotations

import time
from typing import Protocol

from asimi.core.call import Approval
from asimi.core.startup import TYPE_CHECKING, nullcontext
from asimi.world.approvers import in_turn, unanswered

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager, AbstractContextManager

    from asimi.core.call import Question
    from asimi.core.interfaces import Approver

TICK = 0.5
"""Seconds between two looks whether the client that asked is still there."""

LEAST = 1.0
"""The least seconds that a person has; a question with less time is not shown."""


class Screen(Protocol):
    """The person's terminal while a program has it.

    Attributes:
        waiting: how many questions wait for the one that is shown.
    """

    waiting: int

    def over(self, show: Callable[[], Approval], patience: float) -> Approval | None:
        """Give the terminal to `show` and return what that returns; None if its turn does not come in time."""


class BoxApprover:
    """Asks a person over the program, or elsewhere.

    Args:
        near: gives the approver to ask over the program, and the terminal; None if the program has no terminal.
        elsewhere: gives the approver to ask in that case, and whether to wait for its answer.
        patience: seconds that the agent waits for an answer.
        waiting: held while a person is waited for, so that other calls are judged meanwhile.
        there: says whether the client that asked is still there.
    """

    def __init__(
        self,
        near: Callable[[], tuple[Approver, Screen] | None],
        elsewhere: Callable[[], tuple[Approver, bool]],
        patience: float,
        waiting: Callable[[], AbstractContextManager[None]],
        there: Callable[[], bool],
    ) -> None:
        self._near, self._elsewhere, self._patience = near, elsewhere, patience
        self._waiting, self._there = waiting, there

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time: each call asks for itself."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:
        """The answer; if nobody answers in time, a no, and the question stays for the same call made again."""
        question = question._replace(patience=min(question.patience, self._patience))
        near = self._near()
        if near is not None:
            with self._waiting():
                answer = self._over(*near, question)
            return self._left(answer, question) if answer.by == "clock" else answer
        approver, waits = self._elsewhere()
        try:
            if not waits:
                return await approver.ask(question)
            with self._waiting():
                answer = self._answered(approver, question)
            return self._left(answer, question, approver) if answer.by == "clock" else answer
        finally:
            _close(approver)

    def _over(self, approver: Approver, screen: Screen, question: Question) -> Approval:
        """The answer of the person at the program's terminal, in the question's time."""
        end = time.monotonic() + question.patience

        def show() -> Approval:
            left = float(int(end - time.monotonic()))  # whole seconds, as the person is told
            if left < LEAST:
                return unanswered(question.patience)
            return self._answered(approver, question._replace(patience=left))

        return screen.over(show, question.patience) or unanswered(question.patience)

    def _answered(self, approver: Approver, question: Question) -> Approval:
        """The answer of an approver, unless the client that asked ends first."""
        from asyncio import run

        return run(self._while_there(approver, question))

    async def _while_there(self, approver: Approver, question: Question) -> Approval:
        from asyncio import CancelledError, ensure_future, wait

        asking = ensure_future(in_turn(approver, question))
        while not asking.done():
            if not self._there():
                asking.cancel()
            await wait((asking,), timeout=TICK)
        try:
            return asking.result()
        except CancelledError:
            return Approval(yes=False, by="nobody", note="the process that asked has ended")

    def _left(self, answer: Approval, question: Question, approver: Approver | None = None) -> Approval:
        """The no of a question that nobody answered in time, and stays in the queue."""
        queue = approver or self._elsewhere()[0]
        try:
            leave = getattr(queue, "leave", None)
            return answer if leave is None else answer._replace(later=leave(question))
        finally:
            if approver is None:
                _close(queue)


def _close(approver: Approver) -> None:
    if (close := getattr(approver, "close", None)) is not None:
        close()
