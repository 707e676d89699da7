"""Asks through an agent's own prompt if it has one, and elsewhere if it does not, or if that comes first."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.world.approvers import in_turn

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
        beside: leaves the question elsewhere as well; returns its name, or nothing where a late yes could not count.
        unsure: whether the agent may have nobody to ask, so that what is left to it waits elsewhere too.
        first: whether somebody elsewhere is asked first, and the agent's own prompt only where nobody answered.
    """

    def __init__(
        self,
        prompt: Callable[[Question], Approval | None],
        elsewhere: Callable[[], tuple[Approver, bool]],
        patience: float,
        beside: Callable[[Question], str],
        *,
        unsure: bool = False,
        first: Callable[[], bool] = lambda: False,
    ) -> None:
        self._prompt, self._elsewhere, self._patience, self._beside = prompt, elsewhere, patience, beside
        self._unsure, self._first = unsure, first

    def turn(self) -> AbstractAsyncContextManager[bool]:
        """Held for no time: one process asks one question."""
        return nullcontext(False)

    async def ask(self, question: Question) -> Approval:
        """Return the answer, or that the question is left to the agent."""
        left = self._prompt(question)
        if left is not None and not self._first():
            return self._left(left, question)
        question = question._replace(patience=min(question.patience, self._patience))
        approver, waits = self._elsewhere()
        if not waits:
            return await approver.ask(question)
        import asyncio

        answer = asyncio.run(in_turn(approver, question))
        if left is None or answer.by not in {"clock", "nobody"}:
            return answer
        return self._left(left._replace(seconds=answer.seconds), question)

    def _left(self, left: Approval, question: Question) -> Approval:
        """A question that is left to the agent, whose last words say what would settle it."""
        from asimi.core.wording.adding import settling
        from asimi.core.wording.explain import later

        told = [left.note]
        if self._unsure and (name := self._beside(question)):
            told.append(f"If nobody can be asked here: {later(name)}")
        if line := settling(question.decision):
            told.append(f"To be asked no more: {line}")
        return left._replace(note=". ".join(told))
