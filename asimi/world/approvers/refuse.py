"""Nobody to ask: every question is a no that says why."""

from __future__ import annotations

from contextlib import nullcontext

from asimi.core.call import Approval
from asimi.core.startup import TYPE_CHECKING

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
