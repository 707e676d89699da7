"""`--yes`: the person said yes to all questions beforehand, on asimi's own command line."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from asimi.core.call import Approval

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from asimi.core.call import Question


class FlagApprover:
    """Says yes once, and keeps nothing; what is denied is never asked, so it never beats a deny."""

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Held for no time."""
        yield

    async def ask(self, question: Question) -> Approval:  # noqa: ARG002 - it is a yes whatever is asked
        """Yes, and the record says that it was the flag."""
        return Approval(yes=True, by="flag")
