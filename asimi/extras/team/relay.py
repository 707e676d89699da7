"""The relay: carries questions of one user's gates on this machine to the team, answers and the shared policy back.

It believes nobody and is believed by nobody: an answer counts by its signature, which the gate that asked checks. A
question is sent again under its own id until its gate hangs up, so an approver who connects later, or a server that
was away, gets it too. The log goes out beside them.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid
from asimi.extras.team.line import HOW, LONGEST, SOCKET
from asimi.extras.team.records import Recorder
from asimi.extras.team.server import connected
from asimi.extras.team.statements import Carried, Envelope, Signed, State, Told, envelope_of, packed, unpacked
from asimi.extras.team.subjects import ANSWER, ASK, MACHINE, TOLD
from asimi.world.host.places import Lock, private_directory
from asimi.world.host.sockets import address_of, listen_at, peer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from nats.aio.client import Client
    from nats.aio.msg import Msg

    from asimi.core.interfaces import Log
    from asimi.core.settings import Team
    from asimi.extras.team.following import Follower

AGAIN = 2.0
"""Seconds after which a question is sent again."""

HEARD = 1.0
"""Seconds after which somebody hears questions if the server did not say that nobody does."""

MOST = 10_000
"""Questions that are carried at the same time."""

BACKLOG = 1024
"""Gates that may knock at the same moment; more wait a little."""

NOBODY = "no approver of the team is connected"
AWAY = "the team's server cannot be reached"
_SPARE = 4096  # bytes of a message that are not its content


class Relay:
    """Carries questions and answers.

    Args:
        team: the team.
        user: whose gates.
        directory: where the socket is.
        tell: gets a line for the person who started it.
        log: the log that the team keeps a copy of; None for none.
        follower: what keeps this machine's copy of the shared policy; None for nothing.
    """

    def __init__(
        self,
        team: Team,
        user: str,
        directory: str,
        tell: Callable[[str], None],
        log: Log | None = None,
        follower: Follower | None = None,
    ) -> None:
        self._team, self._user, self._directory, self._tell = team, user, directory, tell
        self._log, self._follower = log, follower
        self._open: dict[str, asyncio.Queue[Carried]] = {}
        self._fresh: set[str] = set()  # those that were sent once
        self._client: Client | None = None

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Carry until cancelled.

        Args:
            ready: called when questions are taken and the server was reached once.

        Raises:
            AsimiError: another relay of this user runs, or something it needs is not there.
        """
        private_directory(self._directory)
        path = os.path.join(self._directory, SOCKET)
        listener, beside = _bound(self._directory, path), list[asyncio.Future[None]]()
        try:
            server = await asyncio.start_unix_server(self._serve, sock=listener, limit=LONGEST, backlog=BACKLOG)
            async with server:
                self._client = await connected(
                    self._team, MACHINE, self._team.machine, self._team.credentials, self._tell
                )
                await self._client.subscribe(f"{ANSWER}.{self._team.machine}.*", cb=self._heard)
                ready()
                if self._log is not None:
                    recorder = Recorder(self._client, self._team.machine, self._user, self._log, self._tell)
                    beside.append(asyncio.ensure_future(recorder.run()))
                if self._follower is not None:
                    beside.append(asyncio.ensure_future(self._follower.run(self._client)))
                await server.serve_forever()
        finally:
            for task in beside:
                task.cancel()
            with suppress(OSError):
                os.unlink(path)
            if self._client is not None:
                await self._client.close()

    # ---- gates -------------------------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one question."""
        try:
            peer = peer_of(writer.get_extra_info("socket"))
            if peer is not None and peer[1] != os.geteuid():
                return
            content = await reader.readline()
            if content == HOW:
                writer.write(packed(await self._state()))
                await writer.drain()
                return
            try:
                asked = envelope_of(content)
            except Invalid:
                return
            if why := self._unfit(asked, content):
                writer.write(packed(Carried(why=why)))
                await writer.drain()
                return
            await self._carried(asked, content, reader, writer)
        except (OSError, ValueError):
            return
        finally:
            writer.close()

    async def _state(self) -> State:
        """How this relay is."""
        connected = self._client is not None and self._client.is_connected
        heard = connected and await self._is_heard()
        return State(connected, heard, "" if self._follower is None else self._follower.told)

    async def _is_heard(self) -> bool:
        """Whether an approver hears questions: the server says at once where nobody does, and nobody answers this."""
        from nats.errors import Error, NoRespondersError

        assert self._client is not None
        try:
            await self._client.request(f"{ASK}.{self._team.machine}", b"", timeout=HEARD)
        except NoRespondersError:
            return False
        except (Error, TimeoutError, OSError):
            return self._client.is_connected
        return True

    def _unfit(self, asked: Envelope, content: bytes) -> str:
        """Why a question is not carried, or nothing."""
        if (asked.user, asked.host) != (self._user, self._team.machine) or asked.id in self._open:
            return "the relay takes no question in another's name"
        if not (asked.id.isascii() and asked.id.isalnum()):  # it becomes a part of a subject
            return "the question's name is none"
        if len(self._open) >= MOST:
            return f"the relay carries {MOST} questions already"
        if self._client is None or not self._client.is_connected:
            return AWAY
        if len(content) > self._client.max_payload - _SPARE:
            return "the question is too long for the team's server"
        return ""

    async def _carried(
        self, asked: Envelope, content: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Send a question until its gate hangs up, and hand the answers over."""
        answers: asyncio.Queue[Carried] = asyncio.Queue()
        self._open[asked.id] = answers
        self._fresh.add(asked.id)
        tasks = [asyncio.ensure_future(each) for each in (self._sent(asked, content), _handed(answers, writer))]
        over = Told(asked.id, "", taken=False, over=True, why="the gate that asked has ended")
        try:
            while content := await reader.readline():
                told: Told = unpacked(Told, content)
                if told.id != asked.id:
                    break
                over = told if told.over else over
                if not told.over:
                    await self._publish(f"{TOLD}.{asked.host}.{asked.id}", packed(told))
        finally:
            for task in tasks:
                task.cancel()
            del self._open[asked.id]
            self._fresh.discard(asked.id)
            await self._publish(f"{TOLD}.{asked.host}.{asked.id}", packed(over))

    async def _sent(self, asked: Envelope, content: bytes) -> None:
        """Send a question again and again."""
        while True:
            await self._publish(f"{ASK}.{asked.host}", content, f"{ANSWER}.{asked.host}.{asked.id}")
            await asyncio.sleep(AGAIN)
            self._fresh.discard(asked.id)

    # ---- the server --------------------------------------------------------------------------------------------------

    async def _publish(self, subject: str, content: bytes, reply: str = "") -> None:
        from nats.errors import Error

        if self._client is not None:
            with suppress(Error, OSError):  # it is sent again, or nobody needs it any more
                await self._client.publish(subject, content, reply)

    async def _heard(self, message: Msg) -> None:
        """An answer, or that nobody hears questions."""
        name = message.subject.rpartition(".")[2]
        answers = self._open.get(name)
        if answers is None:
            return
        if message.headers and message.headers.get("Status") == "503":
            if name in self._fresh:
                answers.put_nowait(Carried(why=NOBODY))
            return
        with suppress(Invalid):
            answers.put_nowait(Carried(unpacked(Signed, message.data)))


async def _handed(answers: asyncio.Queue[Carried], writer: asyncio.StreamWriter) -> None:
    """Hand over what comes."""
    with suppress(OSError):
        while True:
            writer.write(packed(await answers.get()))
            await writer.drain()


def _bound(directory: str, path: str) -> socket.socket:
    """The socket of the one relay of this user.

    Raises:
        AsimiError: another one runs, or it cannot be made.
    """
    with Lock(path + ".lock"):
        there = socket.socket(socket.AF_UNIX)
        try:
            for address in address_of(directory, SOCKET):
                there.connect(address)
            raise AsimiError("An `asimi relay` of yours runs on this machine already")
        except OSError:
            with suppress(FileNotFoundError):
                os.unlink(path)
        finally:
            there.close()
        try:
            listener = listen_at(path)
        except OSError as error:
            raise AsimiError(f"{path}: cannot be made: {error.strerror}") from None
    listener.setblocking(False)
    return listener
