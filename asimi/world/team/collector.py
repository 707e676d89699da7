"""The collector's side: what the server keeps is read here, and checked line by line.

What a machine sends is that machine's word; the chain shows whether the lines are all there, unchanged and in order.
A machine can stop sending, or begin another log; both show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.lean import NamedTuple
from asimi.world.team.records import HASH, NUMBER
from asimi.world.team.streams import SEQUENCE, got
from asimi.world.team.subjects import RECORDS, STREAM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nats.aio.client import Client

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
