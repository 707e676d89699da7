"""Where an approver answers the questions of a team: each is shown with the dialog of this terminal, and signed.

A question is shown only if it says the machine that the server heard it from, and an answer goes to that machine
alone. What was answered by somebody else, or has ended, disappears from the screen.
"""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid
from asimi.core.values import NamedTuple
from asimi.extras.team.relay import AGAIN
from asimi.extras.team.server import connected
from asimi.extras.team.signing import ANSWER as NAMESPACE
from asimi.extras.team.signing import signed
from asimi.extras.team.statements import Asked, Signed, Told, packed, stated, unpacked
from asimi.extras.team.subjects import APPROVER, ASK, TOLD
from asimi.world.approvers.queue.desk import QuestionDisplay
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Callable

    from nats.aio.client import Client
    from nats.aio.msg import Msg

    from asimi.core.call import Approval, Question
    from asimi.core.interfaces import Approver
    from asimi.core.settings import Team

SILENT = 3 * AGAIN + 1
"""Seconds without word of a question after which it has ended."""

CONFIRMED = 5.0
"""Seconds within which the gate says whether an answer counts."""

MOST = 10_000
"""Questions that are kept until they are shown."""


class Me(NamedTuple):
    """Who answers here.

    Attributes:
        name: the approver, as the administrator's file calls them.
        key: the file of their private key.
        credentials: the file with the seed by which the server knows them.
        at: the user and the machine of this terminal, `USER@MACHINE`.
    """

    name: str
    key: str
    credentials: str
    at: str


class Waiting(NamedTuple):
    """A question that waits.

    Attributes:
        asked: the question.
        reply: the subject of its answers.
        heard: when it was heard last, by the clock that nobody sets.
    """

    asked: Asked
    reply: str
    heard: float


class TeamDesk(QuestionDisplay):
    """Shows the team's questions and signs the answers.

    Args:
        team: the team.
        me: who answers.
        approver: asks the person at this terminal.
        say: as `QuestionDisplay` takes it; so are the others.
        ending: whether asimi is shutting down.
        ring: called when a question has come.
    """

    def __init__(
        self,
        team: Team,
        me: Me,
        approver: Approver,
        *,
        say: Callable[[str], None],
        ending: Callable[[], bool],
        ring: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(approver, say=say, ending=ending, ring=ring)
        self.team, self.me = team, me
        self._waiting: dict[str, Waiting] = {}
        self._done: set[str] = set()  # answered here, whatever became of that
        self._told: dict[str, asyncio.Future[Told]] = {}
        self._client: Client | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """While questions are heard.

        Raises:
            AsimiError: the server cannot be used.
        """
        client = await connected(self.team, APPROVER, self.me.name, self.me.credentials, self.say)
        self._client = client
        try:
            await client.subscribe(f"{ASK}.*", cb=self._heard)
            await client.subscribe(f"{TOLD}.*.*", cb=self._was_told)
            for _ in range(2):  # the first ping of nats-py overtakes the subscriptions, the second follows them
                await client.flush()
            yield
        finally:
            await client.close()

    @property
    def hearing(self) -> float:
        """Seconds after which every question that waits was heard once."""
        return AGAIN + 0.5

    def questions(self) -> list[Asked]:
        """What waits, the one that ends first before the others."""
        now = time.monotonic()
        for name, each in list(self._waiting.items()):
            if now - each.heard > SILENT or each.asked.until <= time.time():
                del self._waiting[name]
        return sorted((each.asked for each in self._waiting.values()), key=lambda each: (each.until, each.id))

    def others(self) -> int:
        """How many questions wait besides the one that is shown."""
        return max(0, len(self._waiting) - 1)

    async def watch(self) -> None:
        """Show each question as it comes, until asimi shuts down."""
        await self._watch(lambda: next(iter(self.questions()), None), self.answer)

    async def answer(self, asked: Asked) -> bool:
        """Ask the person about a question, sign what they say and send it; whether it counts."""
        gone = "it was answered elsewhere, or its call has ended"
        approval = await self._ask_until_ended(
            lambda: _question(asked), lambda: "" if asked in self.questions() else gone
        )
        if approval is None or approval.by in {"clock", "nobody"}:
            self._waiting.pop(asked.id, None)
            if approval is None and not self.ending():
                self.say(f"Question {short(asked)} was answered elsewhere, or has ended.")
            return False
        try:
            answer = await self._signed(asked, approval)
        except AsimiError as error:
            self.say(f"{error}. Nothing was answered.")
            return False
        return await self._sent(asked, answer)

    async def _signed(self, asked: Asked, approval: Approval) -> Signed:
        from asyncio import to_thread

        scope = "session" if approval.scope == "session" else "once"
        said = {"scope": scope, "rules": approval.rules, "note": approval.note}
        statement = stated(asked, yes=approval.yes, by=self.me.name, at=self.me.at, **said)
        signature = await to_thread(signed, statement.content, self.me.key, NAMESPACE)
        return Signed(statement.content.decode("ascii"), signature)

    async def _sent(self, asked: Asked, answer: Signed) -> bool:
        from asyncio import get_running_loop, wait_for

        assert self._client is not None  # it is opened
        waiting = self._waiting.pop(asked.id, None)
        if waiting is None:
            self.say(f"Question {short(asked)} has ended meanwhile; the answer does not count.")
            return False
        self._done.add(asked.id)
        told = self._told[asked.id] = get_running_loop().create_future()
        try:
            await self._client.publish(waiting.reply, packed(answer))
            became: Told = await wait_for(told, CONFIRMED)
        except TimeoutError:
            self.say(f"The gate that asked does not say whether the answer to {short(asked)} counts.")
            return False
        finally:
            del self._told[asked.id]
        mine = became.by == self.me.name
        if not became.taken or not mine:
            self.say(f"The answer was not accepted: {printable(became.why)}.")
        return became.taken and mine

    # ---- the server --------------------------------------------------------------------------------------------------

    async def _heard(self, message: Msg) -> None:
        """A question, or the same one again."""
        host, name = message.subject.rpartition(".")[2], message.reply.rpartition(".")[2]
        if name in self._waiting:
            self._waiting[name] = self._waiting[name]._replace(heard=time.monotonic())
            return
        if name in self._done or len(self._waiting) >= MOST:
            return
        try:
            asked: Asked = unpacked(Asked, message.data)
        except Invalid:
            return
        if (asked.id, asked.host, asked.question.origin) != (name, host, asked.origin):
            return
        if f"{asked.user}@{asked.host}" == self.me.at:
            self._done.add(name)
            self.say(f"Question {short(asked)} was asked here; `asimi watch` answers it, the team does not.")
            return
        self._waiting[name] = Waiting(asked, message.reply, time.monotonic())
        self.ring()

    async def _was_told(self, message: Msg) -> None:
        """What became of a question or an answer."""
        try:
            told: Told = unpacked(Told, message.data)
        except Invalid:
            return
        if told.id != message.subject.rpartition(".")[2]:
            return
        if told.over:
            self._waiting.pop(told.id, None)
        future = self._told.get(told.id)
        if future is not None and not future.done() and (told.over or told.by == self.me.name):
            future.set_result(told)


def _question(asked: Asked) -> Question:
    """A question, as long as it can be answered."""
    left = min(asked.question.patience, asked.until - time.time())
    return asked.question._replace(patience=max(left, 0.1))


def short(asked: Asked) -> str:
    """What people call a question."""
    return asked.id[:8]
