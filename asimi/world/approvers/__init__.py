"""Everyone that asimi can ask; `compose` chooses one.

There are three: `unasked` (nobody: every question is a no, or with `--yes` a yes given beforehand), `terminal`
(the person at this terminal), `queue` (a person elsewhere, with `asimi watch` and `asimi approve`). `voices` opens what
shows a question of the queue where nobody watches.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.call import FLAG, Approval, Assurance

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Question
    from asimi.core.interfaces import Approver


LATE = "nobody answered in time"
"""Why a question ends by itself, where nobody says why."""

SINCE = Approval(yes=False, by="clock", note=f"{LATE}; a person has said since what holds for the next such call")
"""What a question comes to that had ended by itself when a person chose what is kept."""


async def in_turn(approver: Approver, question: Question) -> Approval:
    """The answer to a question, once its turn has come."""
    async with approver.turn():
        return await approver.ask(question)


def unanswered(patience: float) -> Approval:
    """A no, because nobody answered in so many seconds."""
    return Approval(yes=False, by="clock", note=f"no answer within {patience:g} s")


def is_late(approval: Approval) -> bool:
    """Whether nobody has answered in time, nor chosen since what holds for the next such call."""
    return approval.by == "clock" and approval.note != SINCE.note


class RefuseApprover:
    """Says no.

    Args:
        why: why nobody can be asked, in words for the model.
    """

    def __init__(self, why: str = "there is no terminal to ask on") -> None:
        self.why = why

    def turn(self) -> AbstractAsyncContextManager[bool]:
        """Held for no time: questions that nobody answers need no order."""
        return nullcontext(False)

    async def ask(self, question: Question) -> Approval:  # noqa: ARG002 - it is a no whatever is asked
        """No."""
        return Approval(yes=False, by="nobody", note=self.why)


WITHOUT = "a yes given beforehand is no answer to this; without it, a person at the terminal is asked"
"""Why nobody is asked, and what to do."""


class FlagApprover:
    """Says yes once, and keeps nothing; what is denied is never asked, so it never beats a deny.

    Where the answer of a person who is asked is wanted, nobody is: whoever said yes beforehand may not be there.
    """

    def turn(self) -> AbstractAsyncContextManager[bool]:
        """Held for no time."""
        return nullcontext(False)

    async def ask(self, question: Question) -> Approval:
        """Yes, and the record says that it was the flag; a no to what a yes given beforehand does not answer."""
        if question.decision.voice > Assurance.BEFOREHAND:
            return Approval(yes=False, by="nobody", note=WITHOUT)
        return Approval(yes=True, by=FLAG)
