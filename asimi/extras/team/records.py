"""The records of a user's gates on the team's server: every line of the log, once, in order.

The server says what it has: the last line of this machine and user, which is all that the machine may read there. The
log goes on behind that line, each line only if the one before it is the last there (`Nats-Expected-Last-Subject-
Sequence`), so nothing comes twice or in another order, whoever is killed meanwhile. That nothing is changed afterwards
is not up to this: the stream takes no delete, purge or roll-up, and the machine may not ask for one.

A collector reads them with `copied`. What a machine sends is that machine's word; the chain shows whether the lines are
all there, unchanged and in order. A machine can stop sending, or begin another log; both show.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.extras.team.streams import SEQUENCE, Behind, got, last, put, words_of
from asimi.extras.team.subjects import RECORDS, STREAM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from nats.aio.client import Client

    from asimi.core.interfaces import Line, Log

NUMBER = "Asimi-Number"
"""The header with the number of a line, which a line that a killed writer left does not say itself."""

HASH = "Asimi-Hash"
"""The header with the hash of a line that is too long for the server, in whose place a note stands."""

PAUSE = 0.2
"""Seconds between two looks at a log where nothing is new."""

LATER = 2.0
"""Seconds until it is tried again where the server does not take records."""

EVERY = 100
"""Records after which the position is written down, at the latest; and always where nothing is new."""

_SPARE = 4096  # bytes of a message that are not its content


class Recorder:
    """Publishes the log of one user.

    Args:
        client: the connection.
        machine: what the team calls this machine.
        user: whose log.
        log: the log.
        tell: gets a line when records are not taken.
    """

    def __init__(self, client: Client, machine: str, user: str, log: Log, tell: Callable[[str], None]) -> None:
        self._client, self._log, self._tell = client, log, tell
        self._subject = f"{RECORDS}.{machine}.{token(user)}"
        self._told = ""

    async def run(self) -> None:
        """Publish until cancelled."""
        from nats.errors import Error

        while True:
            try:
                await self._published()
            except Behind:
                await asyncio.sleep(0)
            except (Error, TimeoutError, AsimiError, OSError, ValueError) as error:
                self._say(f"records are not taken: {words_of(error)}")
                await asyncio.sleep(LATER)

    async def _published(self) -> None:
        """Publish what comes, on from the last line that the server has."""
        number, line_hash, sequence = await self._last()
        self._say("")
        noted = -1
        with closing(self._log.after(number, line_hash)) as lines:
            for line in lines:
                if line is not None:
                    sequence, number = await self._put(line, sequence), line.number
                if noted != number and (line is None or number - noted >= EVERY):
                    self._log.acknowledge(number)
                    noted = number
                if line is None:
                    await asyncio.sleep(PAUSE)

    async def _last(self) -> tuple[int, str, int]:
        """Number and hash of the last line that the server has, and its sequence there; zeros for none."""
        content, headers = await last(self._client, STREAM, self._subject)
        if not headers:
            return 0, "", 0
        line_hash = headers.get(HASH) or sha256(content).hexdigest()
        return int(headers[NUMBER]), line_hash, int(headers["Nats-Sequence"])

    async def _put(self, line: Line, sequence: int) -> int:
        """Publish a line behind the one of a sequence; its own sequence.

        Raises:
            Behind: another one is the last.
            AsimiError: the server does not take it.
        """
        headers = {NUMBER: str(line.number)}
        content = line.content
        if len(content) > self._client.max_payload - _SPARE:
            headers[HASH] = line.hash
            content = json.dumps({"event": "too long", "n": line.number, "bytes": len(content)}).encode("ascii")
        return await put(self._client, self._subject, content, sequence, headers)

    def _say(self, text: str) -> None:
        """Tell what has changed."""
        if text != self._told:
            self._told = text
            self._tell(text or "the server takes records")


def token(user: str) -> str:
    """A user's name as a part of a subject, which a dot would end."""
    from urllib.parse import quote

    return quote(user, safe="").replace(".", "%2E")


AT_ONCE = 500
"""Records that are asked for together."""


class Copied(NamedTuple):
    """A record as the server keeps it.

    Attributes:
        machine: the machine that sent it.
        user: whose log it is of.
        number: its number there.
        content: the line.
        hash: the line's hash where a note stands in its place, because it was too long; else empty.
    """

    machine: str
    user: str
    number: int
    content: bytes
    hash: str


async def copied(client: Client) -> AsyncIterator[Copied]:
    """Every record that the server keeps, the oldest first; what is none of a relay's is passed over.

    Raises:
        AsimiError: the server does not give them.
    """
    from asyncio import gather

    _, newest = await got(client, STREAM, {"last_by_subj": f"{RECORDS}.*.*"})
    count = int(newest.get(SEQUENCE, 0))
    for first in range(1, count + 1, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, count + 1))
        found = await gather(*(got(client, STREAM, {"seq": each}) for each in numbers))
        for number, (content, headers) in zip(numbers, found, strict=True):
            if not headers:
                raise AsimiError(f"the server lacks message {number} of {STREAM}, which nobody may delete")
            if headers.get(NUMBER, "").isdigit():
                machine, user = headers["Nats-Subject"].split(".")[-2:]
                yield Copied(machine, user, int(headers[NUMBER]), content, headers.get(HASH, ""))
