"""The seven ways to write a tool call as JSON, and to answer it.

A dialect is a line of the table at the end: how to recognise a call of it, how to take it apart, how to put an answer
together. The formats are those of the providers' own interfaces; other keys of their envelopes are ignored, other keys
of the arguments are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asimi.core import wire
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

JSON = dict[str, Any]

ARGUMENTS = ("arguments", "args", "input")
"""The names that callers give to a call's parameters."""

ONLY_EXECUTE = frozenset({"args", "cwd", "timeout"})
"""Parameters by which a bare call is known to be one of `execute_command`."""


class IncomingCall(NamedTuple):
    """A call taken out of its envelope.

    Attributes:
        name: the tool's name.
        arguments: its parameters: an object, or whatever stood in its place.
        id: the caller's own id, whatever JSON it is; None where there is none.
    """

    name: str
    arguments: Any
    id: Any = None


class Dialect(NamedTuple):
    """A way to write calls and answers.

    Attributes:
        name: its name.
        recognise: whether an object is a call of it.
        unpack: the call in such an object.
        pack: the answer to a call, from the tool's result and whether it is an error.
    """

    name: str
    recognise: Callable[[JSON], bool]
    unpack: Callable[[JSON], IncomingCall]
    pack: Callable[[IncomingCall, JSON, bool], JSON]


def dialect_of(value: Any) -> Dialect | None:
    """Return the dialect of a JSON value, or None if it is not a tool call."""
    if not isinstance(value, dict):
        return None
    return next((dialect for dialect in DIALECTS if dialect.recognise(value)), None)


def _arguments(value: JSON) -> Any:
    """Return the parameters of a call, under any of their names; an object may be written as a string of JSON.

    Raises:
        MalformedJsonError: they are there under two names, or their string has a key twice.
    """
    names = [name for name in ARGUMENTS if name in value]
    if len(names) > 1:
        raise wire.MalformedJsonError(
            f"the call has both {names[0]} and {names[1]}, and nothing says which of them counts"
        )
    given = value[names[0]] if names else {}
    if not isinstance(given, str):
        return given
    try:
        return wire.loads(given)
    except wire.MalformedJsonError as error:
        return error


def _has_name(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str)


def _unpack_named(value: JSON) -> IncomingCall:
    return IncomingCall(value["name"], _arguments(value), value.get("id"))


def _part(
    call: str, response: str
) -> tuple[Callable[[JSON], IncomingCall], Callable[[IncomingCall, JSON, bool], JSON]]:
    """Return how a part of Gemini's is unpacked and packed, by what its calls and its responses are called."""

    def unpack(value: JSON) -> IncomingCall:
        return _unpack_named(value[call])

    def pack(incoming: IncomingCall, result: JSON, _: bool) -> JSON:  # noqa: FBT001 - the table's signature
        name = {"name": incoming.name} if incoming.id is None else {"name": incoming.name, "id": incoming.id}
        return {response: {**name, "response": result}}

    return unpack, pack


DIALECTS = (
    Dialect(
        "gemini",
        lambda value: _has_name(value.get("functionCall")) and value.get("function_call") is None,
        *_part("functionCall", "functionResponse"),
    ),
    Dialect(  # `model_dump_json()` of Google's library for Python; in an old message of OpenAI it has `arguments`
        "google-genai",
        lambda value: (
            _has_name(value.get("function_call"))
            and "arguments" not in value["function_call"]
            and value.get("functionCall") is None
        ),
        *_part("function_call", "function_response"),
    ),
    Dialect(
        "openai-chat",
        lambda value: value.get("type") == "function" and _has_name(value.get("function")),
        lambda value: IncomingCall(value["function"]["name"], _arguments(value["function"]), value.get("id")),
        lambda call, result, _: {"role": "tool", "tool_call_id": call.id, "content": wire.dumps(result)},
    ),
    Dialect(
        "openai-responses",
        lambda value: value.get("type") == "function_call" and _has_name(value),
        lambda value: IncomingCall(value["name"], _arguments(value), value.get("call_id")),
        lambda call, result, _: {"type": "function_call_output", "call_id": call.id, "output": wire.dumps(result)},
    ),
    Dialect(
        "anthropic",
        lambda value: value.get("type") == "tool_use" and _has_name(value),
        _unpack_named,
        lambda call, result, failed: {
            "type": "tool_result",
            "tool_use_id": call.id,
            "content": wire.dumps(result),
            "is_error": failed,
        },
    ),
    Dialect(
        "named",
        _has_name,
        _unpack_named,
        lambda call, result, _: {"id": call.id, "name": call.name, "result": result},
    ),
    Dialect(
        "bare",
        lambda value: "command" in value,
        lambda value: IncomingCall("execute_command" if ONLY_EXECUTE & value.keys() else "run_shell_command", value),
        lambda _, result, __: result,
    ),
)
