"""The protocol's messages: what a line is, and the lines that asimi writes itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from asimi.core import wire
from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

JSON = dict[str, Any]

LONGEST = 64 << 20
"""Bytes of the longest line that is read."""

REFUSED, CANCELLED, INVALID = -32010, -32800, -32600
"""Codes of errors: ours, among those that JSON-RPC leaves to servers; the protocol's for what was cancelled; and
JSON-RPC's for what is no request."""


async def lines(data: AsyncIterator[bytes], whose: str) -> AsyncIterator[bytes]:
    """Yield lines with their newlines, as they are; the last one may lack it.

    Raises:
        AsimiError: one is longer than any message.
    """
    line = bytearray()
    async for chunk in data:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield bytes(line) + part + b"\n"
            line.clear()
        line += rest
        if len(line) > LONGEST:
            raise AsimiError(f"{whose} sent a message longer than {LONGEST >> 20} MiB, which asimi does not read")
    if line:
        yield bytes(line)


def value_of(line: bytes) -> Any:
    """Return the JSON value of a line; None for a blank one.

    Raises:
        MalformedJsonError: it has none, or two programs could read different ones.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise wire.MalformedJsonError("not UTF-8") from None
    return wire.loads(text) if text.strip() else None


def answer_to_unreadable(line: bytes, why: str) -> bytes | None:
    """Return what tells an agent that its request was not passed on; None where it waits for no answer."""
    try:
        value = json.loads(line.decode("utf-8", "replace").strip().lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or "method" not in value or type(value.get("id")) not in {int, str}:
        return None
    return error(value["id"], INVALID, f"asimi did not pass this on: {why}")


def line_of(message: JSON) -> bytes:
    """Return a message as a line."""
    return wire.dumps(message).encode("ascii") + b"\n"


def result(name: Any, value: JSON) -> bytes:
    """Return the answer to a request."""
    return line_of({"jsonrpc": "2.0", "id": name, "result": value})


def error(name: Any, code: int, message: str) -> bytes:
    """Return the answer to a request that failed."""
    return line_of({"jsonrpc": "2.0", "id": name, "error": {"code": code, "message": message}})


def request(name: str, method: str, params: JSON) -> bytes:
    """Return a request of asimi's own."""
    return line_of({"jsonrpc": "2.0", "id": name, "method": method, "params": params})


def update(session: str, call: JSON, *, new: bool) -> bytes:
    """Return the news about a tool call.

    Args:
        session: the session's id.
        call: what is new of it, with its id.
        new: whether the editor has not heard of it yet.
    """
    kind = {"sessionUpdate": "tool_call" if new else "tool_call_update"}
    params = {"sessionId": session, "update": kind | call}
    return line_of({"jsonrpc": "2.0", "method": "session/update", "params": params})


def text_block(text: str) -> JSON:
    """Return a text as content of a tool call."""
    return {"type": "content", "content": {"type": "text", "text": text}}


def option_of(options: Any, kind: str) -> str | None:
    """Return the id of the option of a kind (`allow_once`, `reject_once`); None where a request has none."""
    for each in options if isinstance(options, list) else ():
        if isinstance(each, dict) and each.get("kind") == kind and isinstance(each.get("optionId"), str):
            chosen: str = each["optionId"]
            return chosen
    return None


def selected(option: str | None) -> JSON:
    """Return the answer to a request for permission that chooses an option; None for that it was cancelled."""
    return {"outcome": {"outcome": "cancelled"} if option is None else {"outcome": "selected", "optionId": option}}
