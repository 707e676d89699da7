"""JSON as tool calls use it: strict on the way in, one line of ASCII on the way out.

Strict, because two programs that read one text differently are how a gate is passed: a key that stands twice, `NaN`
and a value nested beyond reason are malformed. One line of ASCII, because readers split lines at more characters than
the newline (U+0085, U+2028), and because a lone surrogate has no UTF-8.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from asimi.core.errors import AsimiError


class Malformed(AsimiError, ValueError):
    """A text that is no JSON, or JSON that two readers could read differently; `str()` says where and why."""


def loads(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        Malformed: it has none, or more than one reading.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = f"character {error.pos + 1}" if error.lineno == 1 else f"line {error.lineno}, character {error.colno}"
        fault = error.msg.removesuffix(" starting at").removesuffix(" at")
        raise Malformed(f"no JSON: {fault} at {place}") from None
    except RecursionError:
        raise Malformed("no JSON that can be read: it is nested too deeply") from None
    except Malformed:
        raise
    except ValueError as error:  # an integer of more digits than Python converts
        raise Malformed(f"no JSON that can be read: {error}") from None


def dumps(value: Any) -> str:
    """A value as one line of JSON, without its newline."""
    return _ENCODER.encode(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object none of whose keys stands twice."""
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Malformed(f"no JSON with one meaning: the key {dumps(twice)} stands twice in one object")
    return value


def _constant(name: str) -> NoReturn:
    raise Malformed(f"no JSON: {name} is no number of JSON's")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
_ENCODER = json.JSONEncoder(allow_nan=False)
