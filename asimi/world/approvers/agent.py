"""Asks through an agent's own prompt if it has one, and elsewhere if it does not."""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING, nullcontext

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Approval, Question
    from asimi.core.interfaces import Approver


class AgentApprover:
    """Asks for an agent's hook; it needs an event loop only if it waits for an answer.

    Args:
        prompt: leaves a question to the agent's own prompt; returns None if the agent would not ask.
        elsewhere: gives the approver to ask then, and whether to wait for its answer.
        patience: seconds that the agent waits for an answer.
        beside: leaves the question elsewhere as well, in case the agent has nobody to ask; returns how to answer it
            there, or nothing where a late yes could not count.
    """

    def __init__(
        self,
        prompt: Callable[[Question], Approval | None],
        elsewhere: Callable[[], tuple[Approver, bool]],
        patience: float,
        beside: Callable[[Question], str],
    ) -> None:
        self._prompt, self._elsewhere, self._patience, self._beside = prompt, elsewhere, patience, beside

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time: one process asks one question."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:
        """Return the answer, or that the question is left to the agent."""
        if (left := self._prompt(question)) is not None:
            hint = self._beside(question)
            return left._replace(note=f"{left.note}. If nobody can be asked here, {hint}") if hint else left
        question = question._replace(patience=min(question.patience, self._patience))
        approver, waits = self._elsewhere()
        if not waits:
            return await approver.ask(question)
        import asyncio

        return asyncio.run(_in_turn(approver, question))


async def _in_turn(approver: Approver, question: Question) -> Approval:
    async with approver.turn():
        return await approver.ask(question)
