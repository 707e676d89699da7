"""Asks a host program, which shows the question in its own way."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from asimi.core.call import Approval, Assurance
from asimi.core.hosting import LONGEST_NOTE, given, named
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Question
    from asimi.core.hosting import Approver as Host
    from asimi.core.interfaces import Approver


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
        began, name = time.monotonic(), self._host.name
        try:
            answer = await asyncio.wait_for(self._host.ask(question), question.patience)
            approval = given(name, yes=answer.yes, note=answer.note)
        except TimeoutError:
            approval = Approval(
                yes=False, by="clock", note=f"{named(name)} had no answer within {question.patience:g} s"
            )
        except Exception as error:  # noqa: BLE001 - it is a program of somebody else's
            fault = visible(repr(error))[:LONGEST_NOTE]
            approval = Approval(yes=False, by="nobody", note=f"{named(name)} could not ask: {fault}")
        return approval._replace(seconds=time.monotonic() - began)
