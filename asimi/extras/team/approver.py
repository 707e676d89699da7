"""Asks the team: the question goes out through the relay of this machine, and only an answer that is proven counts.

Where the team reaches nobody, it is as if there were none: whoever would be asked then is asked. A question that an
approver saw and did not answer is a no.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Protocol

from asimi.core.call import Approval, Assurance
from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid, digest_of
from asimi.core.judging.offers import fits
from asimi.extras.team.line import asking
from asimi.extras.team.signing import ANSWER, verified
from asimi.extras.team.statements import LONGEST_NOTE, Asked, Told, new_id, packed, statement_in, unpacked
from asimi.world.host.deed_facts import add_file_facts

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Question
    from asimi.core.settings import Team
    from asimi.extras.team.line import Line
    from asimi.extras.team.statements import Signed, Statement


class Elsewhere(Protocol):
    """Who is asked where the team is not: an approver whose questions can also be left."""

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """As an approver's."""

    async def ask(self, question: Question) -> Approval:
        """As an approver's."""

    def leave(self, question: Question) -> str:
        """Leave a question that somebody else asks as well; how it can be answered, for the model."""


class TeamApprover:
    """Asks the approvers of the team, and elsewhere what they may not answer.

    Args:
        directory: where the relay's socket is.
        team: gives the team as it is now.
        user: as whom this process runs.
        elsewhere: who is asked where the team is not.
        near: whether somebody on this machine waits for questions, who is asked instead.
    """

    def __init__(
        self, directory: str, team: Callable[[], Team], user: str, elsewhere: Elsewhere, near: Callable[[], bool]
    ) -> None:
        self._directory, self._team, self._user = directory, team, user
        self._elsewhere, self._near = elsewhere, near
        self._gate = f"{os.getpid()}-{os.urandom(4).hex()}"

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """Held while one question is judged and asked."""
        return self._elsewhere.turn()

    async def ask(self, question: Question) -> Approval:
        """The answer of an approver; where none can be reached, that of whoever is asked elsewhere."""
        if question.decision.voice > Assurance.ASKED or self._near():
            return await self._elsewhere.ask(question)
        began = time.monotonic()
        try:
            team = self._team()
            approval = await self._answered(self._asked(question, team), team, began + question.patience)
        except (AsimiError, OSError) as error:
            approval = await self._elsewhere.ask(question)
            if approval.by == "nobody":
                approval = approval._replace(note=f"{error}; {approval.note}")
        return approval._replace(seconds=time.monotonic() - began)

    def leave(self, question: Question) -> str:
        """Leave a question that somebody else asks as well; the team is not asked, since nobody waits."""
        return self._elsewhere.leave(question)

    def _asked(self, question: Question, team: Team) -> Asked:
        place, until = question.request.place, time.time() + question.patience
        question = question._replace(deeds=add_file_facts(question.deeds, place.path, place.root))
        asked = Asked(new_id(), self._gate, self._user, team.machine, until, question)
        whole: Asked = unpacked(Asked, packed(asked._replace(question=question._replace(origin=asked.origin))))
        return whole  # as others read it, so that its digest is the same everywhere

    async def _answered(self, asked: Asked, team: Team, deadline: float) -> Approval:
        """The first answer that counts; a no where none does in time.

        Raises:
            AsimiError: no approver could be reached.
        """
        from asyncio import timeout

        faults: list[str] = []
        async with asking(self._directory, asked) as line:
            try:
                async with timeout(deadline - time.monotonic()):
                    return await self._first(line, asked, team, faults)
            except TimeoutError:
                pass
            await line.tell(Told(asked.id, "", taken=False, over=True, why="nobody answered in time, which means no"))
        but = f"; an answer did not count: {faults[-1]}" if faults else ""
        note = f"no approver of the team answered within {asked.question.patience:g} s{but}"
        return Approval(yes=False, by="clock", note=note)

    async def _first(self, line: Line, asked: Asked, team: Team, faults: list[str]) -> Approval:
        from asyncio import to_thread

        while True:
            carried = await line.next()
            if carried.answer is None:
                raise AsimiError(carried.why)
            try:
                approval = await to_thread(approval_of, carried.answer, asked, team, time.time())
            except NotCounted as fault:
                faults.append(str(fault))
                await line.tell(Told(asked.id, fault.by, taken=False, over=False, why=str(fault)))
                continue
            by = approval.by.removeprefix("team:")
            await line.tell(Told(asked.id, by, taken=True, over=True, why=f"answered by {by}"))
            return approval


_ABOUT = {"id": "question", "gate": "gate", "user": "user", "host": "machine"}


class NotCounted(AsimiError):
    """An answer does not count; `str()` says why.

    Attributes:
        by: whose it says it is; not to be believed.
    """

    def __init__(self, why: str, by: str = "") -> None:
        self.by = by
        super().__init__(why)


def approval_of(signed: Signed, asked: Asked, team: Team, now: float) -> Approval:
    """What an answer comes to.

    Args:
        signed: the answer, as it came.
        asked: the question, as this gate asked it.
        team: whose answers count.
        now: the time, in seconds since the epoch.

    Raises:
        NotCounted: it does not count.
        AsimiError: there is nothing to check it with.
    """
    try:
        said = statement_in(signed.statement)
    except Invalid as fault:
        raise NotCounted(f"it is not an answer: {fault}") from None
    if why := _amiss(said, asked, now):
        raise NotCounted(why, said.by)
    signer = next((each for each in team.approvers if each.name == said.by), None)
    if signer is None:
        raise NotCounted(f"{said.by!r:.80} is not one of the team's approvers", said.by)
    if why := verified(said.content, signed.signature, ANSWER, signer, team.revoked):
        raise NotCounted(why, said.by)
    approval = Approval(said.yes, f"team:{said.by}", said.scope, said.rules, said.note)
    if not fits(approval, asked.question):
        raise NotCounted("it would keep what the question does not offer", said.by)
    return approval


def _amiss(said: Statement, asked: Asked, now: float) -> str:
    """Why a statement is not about this question, or not one that counts, whoever signed it; nothing where it is."""
    for name, what in _ABOUT.items():
        if getattr(said, name) != getattr(asked, name):
            return f"it answers another {what}"
    if said.root != asked.question.request.place.root:
        return "it answers another project"
    if said.digest != digest_of(asked.question):
        return "it answers something else than what was asked"
    if said.until != asked.until or now >= asked.until:
        return "it is late"
    if said.at == f"{asked.user}@{asked.host}":
        return "it was given as the user and on the machine that asked"
    return "its note is too long" if len(said.note) > LONGEST_NOTE else ""
