"""JSON-RPC messages on standard input and output: one line each, and an answer to each that cannot be read.

The SDK's own transport drops what it cannot read, so the client waits for ever, and of a key that is there twice it
takes the last. It also reads in a thread that nothing ends, and takes a client that left for an error.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from asimi.core import wire
from asimi.core.errors import AsimiError
from asimi.doors.running import chunks, send

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from asimi.doors.running import Stop

LONGEST = 16 << 20
"""Bytes of the longest message that is read."""

_KIND = {"id", "method", "result", "error"}
"""Members that tell a request, a notification, a response and an error apart."""

_TWICE = object()
"""Replaces the values of a key that is there twice."""


class Lines:
    """A server's two streams of messages, over standard input and output.

    Args:
        stop: set when asimi shuts down; nothing is read then.
        stopped: awaited then, before the server learns that no more messages come.

    Attributes:
        received: what the server reads.
        sent: what it writes to.
    """

    def __init__(self, stop: Stop, stopped: Callable[[], Awaitable[None]]) -> None:
        self._stop, self._stopped = stop, stopped
        self._inward: MemoryObjectSendStream[SessionMessage | Exception]
        self.received: MemoryObjectReceiveStream[SessionMessage | Exception]
        self._inward, self.received = anyio.create_memory_object_stream(0)
        self.sent: MemoryObjectSendStream[SessionMessage]
        self._outward: MemoryObjectReceiveStream[SessionMessage]
        self.sent, self._outward = anyio.create_memory_object_stream(0)

    async def carry(self) -> None:
        """Carry messages until the client is gone or asimi shuts down, and the server has closed its streams.

        Raises:
            AsimiError: standard input cannot be read, or standard output cannot be written for another reason than
                that nobody reads it.
        """
        reading = asyncio.ensure_future(self._read(self.sent.clone()))
        try:
            await self._write(reading)
        finally:
            reading.cancel()
            await asyncio.wait((reading,))
        if not reading.cancelled():
            reading.result()

    async def _read(self, answers: MemoryObjectSendStream[SessionMessage]) -> None:
        """Give the server its messages, and answer what is none."""
        async with self._inward, answers:
            async for line in _lines(chunks(0, self._stop)):
                message, answer = taken(line)
                if answer is not None:
                    await answers.send(SessionMessage(answer))
                if message is not None:
                    await self._inward.send(SessionMessage(message))
            if self._stop:
                await self._stopped()

    async def _write(self, reading: asyncio.Task[None]) -> None:
        """Write what the server says; once nobody reads it, the client is gone."""
        fault: OSError | None = None
        async for each in self._outward:
            if fault is None:
                value = each.message.model_dump(by_alias=True, exclude_unset=True)
                fault = await send(1, wire.dumps(value).encode("ascii") + b"\n", self._stop)
                if fault is not None:
                    reading.cancel()
        if fault is not None and not isinstance(fault, (ConnectionError, InterruptedError)):
            raise AsimiError(f"Standard output cannot be written: {fault.strerror}")


def taken(line: bytes | None) -> tuple[types.JSONRPCMessage | None, types.JSONRPCError | None]:
    """Return what a line comes to: a message for the server, an answer to the client, or neither.

    JSON-RPC answers a request that is none by its id, and with a null id where it has none that can be read. It never
    answers notifications. A response that cannot be read becomes an error, so nobody waits for a better one.

    Args:
        line: the line; None for one that was longer than any message.
    """
    code, value = types.PARSE_ERROR, None
    try:
        if line is None:
            raise wire.Malformed(f"a message is longer than {LONGEST >> 20} MiB")
        text = line.decode()
        try:
            value = wire.loads(text)
        except wire.Malformed:
            value, code = json.loads(text, object_pairs_hook=_told_apart), types.INVALID_REQUEST
            raise
        code = types.INVALID_REQUEST
        return _message(value), None
    except (ValueError, RecursionError) as error:
        fault = str(error) if isinstance(error, wire.Malformed) else "not a JSON-RPC 2.0 message in UTF-8"
    known = value if isinstance(value, dict) else {}
    name = known.get("id") if type(known.get("id")) in {int, str} else None
    answer = types.JSONRPCError(jsonrpc="2.0", id=name, error=types.ErrorData(code=code, message=fault))
    if "method" in known:
        return None, answer if "id" in known else None
    return (answer, None) if "result" in known or "error" in known else (None, answer)


def _message(value: Any) -> types.JSONRPCMessage:
    """Return the message that a JSON value is.

    Raises:
        ValueError: it is none, or could be two kinds of message.
    """
    message = types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    if _KIND & value.keys() != _KIND & message.model_fields_set:
        raise ValueError
    return message


def _told_apart(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object in which a key that is there twice has no value."""
    value: dict[str, Any] = {}
    for key, each in pairs:
        value[key] = _TWICE if key in value else each
    return value


async def _lines(data: AsyncIterator[bytes]) -> AsyncIterator[bytes | None]:
    """Yield the lines that are not empty; None in place of one that is too long."""
    line = bytearray()
    async for chunk in data:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            line += part
            if line.strip():
                yield bytes(line) if len(line) <= LONGEST else None
            line.clear()
        line += rest
        del line[LONGEST + 1 :]
    if line.strip():
        yield bytes(line) if len(line) <= LONGEST else None
