"""Asks for the gate of a box, while other calls of the same gate go on; never at the agent's own prompt.

The question appears over the program if that has the person's terminal, else in the queue. A client in the box asks;
when the client ends, so does its question. Before the agent's hook gives up, the answer is no, and the question stays
in the queue for the same call made again.
"""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

from asimi.core.call import Approval
from asimi.world.approvers import LATE, in_turn, is_late, no_answer

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager, AbstractContextManager

    from asimi.core.call import Question
    from asimi.core.interfaces import Approver

TICK = 0.5
"""Seconds between two looks whether the client that asked is still there."""

GONE = Approval(yes=False, by="nobody", note="the process that asked has ended")
"""What a question comes to whose client has ended."""

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
        terminal: gives the approver to ask over the program, and the terminal; None if the program has no terminal.
        queue: gives the approver to ask in that case, and whether to wait for its answer.
        patience: seconds that the agent waits for an answer.
        while_waiting: held while a person is waited for, so that other calls are judged meanwhile.
        is_connected: says whether the client that asked is still there.
        gone: what has become of a client that is not, in words.
    """

    def __init__(
        self,
        terminal: Callable[[], tuple[Approver, Screen] | None],
        queue: Callable[[], tuple[Approver, bool]],
        patience: float,
        while_waiting: Callable[[], AbstractContextManager[None]],
        is_connected: Callable[[], bool],
        gone: str,
    ) -> None:
        self._terminal, self._queue, self._patience = terminal, queue, patience
        self._while_waiting, self._is_connected, self._gone = while_waiting, is_connected, gone

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time: each call asks for itself."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:
        """The answer; if nobody answers in time, a no, and the question stays for the same call made again."""
        end = time.monotonic() + self._patience
        question = question._replace(patience=min(question.patience, self._patience))
        terminal = self._terminal()
        if terminal is not None:
            with self._while_waiting():
                return self._over(*terminal, question, end)
        approver, waits = self._queue()
        try:
            if not waits:
                return await approver.ask(question)
            with self._while_waiting():
                return self._ask(approver, question, float("inf"), lambda _answer: None)
        finally:
            _close(approver)

    def _over(self, approver: Approver, screen: Screen, question: Question, end: float) -> Approval:
        """The answer of the person at the program's terminal, in the question's time.

        Who asked waits no longer than that. The dialog may stay on the terminal for some seconds more, because no key
        that was meant for it may reach the program.
        """
        from concurrent.futures import Future

        until, said = time.monotonic() + question.patience, Future[Approval]()

        def tell(answer: Approval) -> None:
            if not said.done():
                said.set_result(self._with_queue_hint(answer, question) if is_late(answer) else answer)
            elif answer.by == GONE.by:  # nothing was chosen since
                self._with_queue_hint(answer, question)

        def show() -> Approval:
            left = float(int(until - time.monotonic()))  # whole seconds, as the person is told
            if left < LEAST or not self._is_connected():
                return no_answer(question.patience)
            return self._ask(approver, question._replace(patience=left), end, tell)

        def show_question() -> None:
            try:
                tell(screen.over(show, question.patience) or no_answer(question.patience))
            except BaseException as error:
                if said.done():
                    raise
                said.set_exception(error)

        threading.Thread(target=show_question, daemon=True, name="asking").start()
        return said.result()

    def _ask(self, approver: Approver, question: Question, end: float, tell: Callable[[Approval], None]) -> Approval:
        """The answer of an approver, unless the client that asked ends first, or must have it.

        Args:
            approver: is asked.
            question: is asked.
            end: when the client must have its answer, by the monotonic clock.
            tell: is told the answer then; what the approver does after that is for the person alone.
        """
        from asyncio import run

        return run(self._while_there(approver, question, end, tell))

    async def _while_there(
        self, approver: Approver, question: Question, end: float, tell: Callable[[Approval], None]
    ) -> Approval:
        from asyncio import ensure_future, wait

        asking, ended = ensure_future(in_turn(approver, question)), None
        while not asking.done():
            if ended is None and (ended := self._end(question, end)) is not None:
                asking.cancel(self._gone if ended == GONE else LATE)
                tell(ended)
            await wait((asking,), timeout=TICK)
        return (ended or GONE) if asking.cancelled() else asking.result()

    def _end(self, question: Question, end: float) -> Approval | None:
        """What a question has come to that ends by itself; None while it goes on."""
        if not self._is_connected():
            return GONE
        return no_answer(question.patience) if time.monotonic() >= end else None

    def _with_queue_hint(self, answer: Approval, question: Question) -> Approval:
        """The no of a question that has ended by itself, and stays in the queue."""
        queue = self._queue()[0]
        try:
            leave = getattr(queue, "leave", None)
            return answer if leave is None else answer._replace(later=leave(question))
        finally:
            _close(queue)


def _close(approver: Approver) -> None:
    if (close := getattr(approver, "close", None)) is not None:
        close()
