"""JSON as tool calls use it: strict on the way in, one line of ASCII on the way out.

Strict, because two programs that read one text differently are how a gate is passed: a key that is there twice, `NaN`
and a value nested beyond reason are malformed. One line of ASCII, because readers split lines at more characters than
the newline (U+0085, U+2028), and because a lone surrogate has no UTF-8.
"""

from __future__ import annotations

import json

from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, NoReturn


class Malformed(AsimiError, ValueError):
    """A text that is not valid JSON, or that two readers could read differently; `str()` says where and why."""


def loads(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        Malformed: it has none, or more than one reading.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"character {error.pos + 1}" if error.lineno == 1 else f"line {error.lineno}, character {error.colno}"
        fault = error.msg.removesuffix(" starting at").removesuffix(" at")
        raise Malformed(f"not valid JSON: {fault} at {where}") from None
    except RecursionError:
        raise Malformed("JSON that cannot be read: it is nested too deeply") from None
    except Malformed:
        raise
    except ValueError as error:  # an integer of more digits than Python converts
        raise Malformed(f"JSON that cannot be read: {error}") from None


def breaks_off(text: str, *, typing: bool = False) -> bool:
    """Whether a text is not valid JSON only because it ends too early.

    Args:
        text: the JSON.
        typing: whether it may go on in the same line, in the middle of a string; on another line no string goes on.
    """
    text = text.strip()
    try:
        json.JSONDecoder().raw_decode(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text) or (typing and error.msg.startswith("Unterminated string"))
    except (ValueError, RecursionError):
        return False
    return False


def dumps(value: Any) -> str:
    """A value as one line of JSON, without its newline."""
    return _ENCODER.encode(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object none of whose keys is there twice."""
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Malformed(f"JSON with two readings: the key {dumps(twice)} is twice in one object")
    return value


def _constant(name: str) -> NoReturn:
    raise Malformed(f"not valid JSON: {name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
_ENCODER = json.JSONEncoder(allow_nan=False)
