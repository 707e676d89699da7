"""Answers that nobody is asked for: a no that says why, or the yes that a person gave to all questions beforehand."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.call import FLAG, Approval, Assurance

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Question


class RefuseApprover:
    """Says no.

    Args:
        why: why nobody can be asked, in words for the model.
    """

    def __init__(self, why: str = "there is no terminal to ask on") -> None:
        self.why = why

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time: questions that nobody answers need no order."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:  # noqa: ARG002 - it is a no whatever is asked
        """No."""
        return Approval(yes=False, by="nobody", note=self.why)


WITHOUT = "a yes given beforehand is no answer to this; without it, a person at the terminal is asked"
"""Why nobody is asked, and what to do."""


class FlagApprover:
    """Says yes once, and keeps nothing; what is denied is never asked, so it never beats a deny.

    Where the answer of a person who is asked is wanted, nobody is: whoever said yes beforehand may not be there.
    """

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:
        """Yes, and the record says that it was the flag; a no to what a yes given beforehand does not answer."""
        if question.decision.voice > Assurance.BEFOREHAND:
            return Approval(yes=False, by="nobody", note=WITHOUT)
        return Approval(yes=True, by=FLAG)
