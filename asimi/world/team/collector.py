"""The collector's side: what the server keeps is read here, and checked line by line.

What a machine sends is that machine's word; the chain shows whether the lines are all there, unchanged and in order.
A machine can stop sending, or begin another log; both show.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.lean import NamedTuple
from asimi.world.team.records import HASH, NUMBER
from asimi.world.team.streams import PATIENCE, asked
from asimi.world.team.subjects import STREAM

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
    """Every record that the server keeps, the oldest first.

    Raises:
        AsimiError: the server does not give them.
    """
    consumer = {"deliver_policy": "all", "ack_policy": "none", "mem_storage": True, "inactive_threshold": 60 * 10**9}
    made = await asked(client, f"CONSUMER.CREATE.{STREAM}", {"stream_name": STREAM, "config": consumer})
    if "error" in made:
        raise AsimiError(f"the server gives no records: {made['error'].get('description')}")
    name, left = made["name"], made["num_pending"]
    inbox = client.new_inbox()
    heard = await client.subscribe(inbox)
    try:
        while left > 0:
            wanted = min(left, AT_ONCE)
            ask = json.dumps({"batch": wanted, "expires": int(PATIENCE * 10**9)}).encode()
            await client.publish(f"$JS.API.CONSUMER.MSG.NEXT.{STREAM}.{name}", ask, inbox)
            for _ in range(wanted):
                message = await heard.next_msg(timeout=PATIENCE)
                headers = message.headers or {}
                if "Status" in headers:
                    raise AsimiError(f"the server gives no more records: {headers.get('Description')}")
                machine, user = message.subject.split(".")[-2:]
                yield Copied(machine, user, int(headers[NUMBER]), message.data, headers.get(HASH, ""))
            left -= wanted
    finally:
        await heard.unsubscribe()
