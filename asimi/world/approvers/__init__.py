"""Everyone that asimi can ask; `compose` chooses one.

Those of this file show nothing themselves: nobody, a yes given beforehand (`--yes`), an agent's own prompt, a host
program. `terminal` asks the person at this terminal, `queue` a person elsewhere, with `asimi watch` and `asimi
approve`. `voices` opens what shows a question of the queue where nobody watches.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.call import FLAG, Approval, Assurance

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Question
    from asimi.core.hosting import Approver as Host
    from asimi.core.interfaces import Approver


LATE = "nobody answered in time"
"""Why a question ends by itself, where nobody says why."""

SINCE = Approval(yes=False, by="clock", note=f"{LATE}; a person has said since what holds for the next such call")
"""What a question comes to that had ended by itself when a person chose what is kept."""


async def in_turn(approver: Approver, question: Question) -> Approval:
    """The answer to a question, once its turn has come."""
    async with approver.turn():
        return await approver.ask(question)


def no_answer(patience: float) -> Approval:
    """A no, because nobody answered in so many seconds."""
    return Approval(yes=False, by="clock", note=f"no answer within {patience:g} s")


def is_late(approval: Approval) -> bool:
    """Whether nobody has answered in time, nor chosen since what holds for the next such call."""
    return approval.by == "clock" and approval.note != SINCE.note


class _WithoutTurn:
    """An approver that asks nobody here, so its questions need no order."""

    def turn(self) -> AbstractAsyncContextManager[bool]:
        """Hold nothing."""
        return nullcontext(False)


class RefuseApprover(_WithoutTurn):
    """Says no.

    Args:
        why: why nobody can be asked, in words for the model.
    """

    def __init__(self, why: str = "there is no terminal to ask on") -> None:
        self.why = why

    async def ask(self, question: Question) -> Approval:  # noqa: ARG002 - it is a no whatever is asked
        """No."""
        return Approval(yes=False, by="nobody", note=self.why)


WITHOUT = "a yes given beforehand is no answer to this; without it, a person at the terminal is asked"
"""Why nobody is asked, and what to do."""


class FlagApprover(_WithoutTurn):
    """Says yes once, and keeps nothing; what is denied is never asked, so it never beats a deny.

    Where the answer of a person who is asked is wanted, nobody is: whoever said yes beforehand may not be there.
    """

    async def ask(self, question: Question) -> Approval:
        """Yes, and the record says that it was the flag; a no to what a yes given beforehand does not answer."""
        if question.decision.voice > Assurance.BEFOREHAND:
            return Approval(yes=False, by="nobody", note=WITHOUT)
        return Approval(yes=True, by=FLAG)


class AgentApprover(_WithoutTurn):
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

    async def ask(self, question: Question) -> Approval:
        """Return the answer, or that the question is left to the agent."""
        left = self._prompt(question)
        if left is not None and not self._first():
            return self._leave_to_agent(left, question)
        question = question._replace(patience=min(question.patience, self._patience))
        approver, waits = self._elsewhere()
        if not waits:
            return await approver.ask(question)
        import asyncio

        answer = asyncio.run(in_turn(approver, question))
        if left is None or answer.by not in {"clock", "nobody"}:
            return answer
        return self._leave_to_agent(left._replace(seconds=answer.seconds), question)

    def _leave_to_agent(self, left: Approval, question: Question) -> Approval:
        """A question that is left to the agent, whose last words say what would settle it."""
        from asimi.core.wording.adding import remedy_line
        from asimi.core.wording.explain import later_hint

        told = [left.note]
        if self._unsure and (name := self._beside(question)):
            told.append(f"If nobody can be asked here: {later_hint(name)}")
        if line := remedy_line(question.decision):
            told.append(f"To be asked no more: {line}")
        return left._replace(note=". ".join(told))


class HostApprover:
    """Asks a host, and elsewhere what no host can answer.

    Args:
        host: the program.
        elsewhere: who is asked then.
    """

    def __init__(self, host: Host, elsewhere: Approver) -> None:
        self._host, self._elsewhere = host, elsewhere

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """Held while one question is judged and asked."""
        return self._elsewhere.turn()

    async def ask(self, question: Question) -> Approval:
        """Return the host's answer; whatever it does instead of answering is a no."""
        if question.decision.voice > Assurance.ASKED:
            return await self._elsewhere.ask(question)
        import asyncio
        import time

        from asimi.core.hosting import LONGEST_NOTE, host_approval, host_label
        from asimi.core.wording.visible import visible

        began, name = time.monotonic(), self._host.name
        try:
            answer = await asyncio.wait_for(self._host.ask(question), question.patience)
            approval = host_approval(name, yes=answer.yes, note=answer.note)
        except TimeoutError:
            approval = Approval(
                yes=False, by="clock", note=f"{host_label(name)} had no answer within {question.patience:g} s"
            )
        except Exception as error:  # noqa: BLE001 - it is a program of somebody else's
            fault = visible(repr(error))[:LONGEST_NOTE]
            approval = Approval(yes=False, by="nobody", note=f"{host_label(name)} could not ask: {fault}")
        return approval._replace(seconds=time.monotonic() - began)
