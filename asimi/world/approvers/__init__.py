"""Everyone that asimi can ask; `compose` chooses one.

There are three: `unasked` (nobody: every question is a no, or with `--yes` a yes given beforehand), `terminal`
(the person at this terminal), `queue` (a person elsewhere, with `asimi watch` and `asimi approve`). `voices` opens what
shows a question of the queue where nobody watches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Approval

if TYPE_CHECKING:
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
