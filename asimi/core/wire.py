"""JSON as tool calls use it: strict on the way in, one line of ASCII on the way out.

Strict, because two programs that read one text differently are how a gate is passed: a key that is there twice, `NaN`
and a value nested beyond reason are malformed. One line of ASCII, because readers split lines at more characters than
the newline (U+0085, U+2028), and because a lone surrogate has no UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

try:  # what `json` itself uses, without what it imports for other uses
    import _json as found
except ImportError:
    found = None  # type: ignore[assignment]
_json: Any = found


class MalformedJsonError(AsimiError, ValueError):
    """A text that is not valid JSON, or that two readers could read differently; `str()` says where and why."""


def loads(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        MalformedJsonError: it has none, or more than one reading.
    """
    if _scan is not None:
        try:
            value, end = _scan(text, len(text) - len(text.lstrip(_BLANK)))
        except (StopIteration, ValueError, RecursionError, SystemError):  # the last: `json` is not there to be told
            end = 0
        if end and not text[end:].strip(_BLANK):
            return value
    import json

    try:
        return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant).decode(text)
    except json.JSONDecodeError as error:
        where = f"character {error.pos + 1}" if error.lineno == 1 else f"line {error.lineno}, character {error.colno}"
        fault = error.msg.removesuffix(" starting at").removesuffix(" at")
        raise MalformedJsonError(f"not valid JSON: {fault} at {where}") from None
    except RecursionError:
        raise MalformedJsonError("JSON that cannot be read: it is nested too deeply") from None
    except MalformedJsonError:
        raise
    except ValueError as error:  # an integer of more digits than Python converts
        raise MalformedJsonError(f"JSON that cannot be read: {error}") from None


def breaks_off(text: str, *, typing: bool = False) -> bool:
    """Whether a text is not valid JSON only because it ends too early.

    Args:
        text: the JSON.
        typing: whether it may go on in the same line, in the middle of a string; on another line no string goes on.
    """
    import json

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
    return _encode(value)


def encoder(*, compact: bool = False, by_name: bool = False, numbers: bool = False) -> Callable[[Any], str]:
    """A function that writes values as one line of ASCII.

    Args:
        compact: without blanks.
        by_name: with the keys of each object in order.
        numbers: also `NaN` and the infinite, which JSON does not have.
    """
    between, behind = (",", ":") if compact else (", ", ": ")
    if _json is None:
        import json

        return json.JSONEncoder(separators=(between, behind), sort_keys=by_name, allow_nan=numbers).encode
    fixed = (_unknown, _json.encode_basestring_ascii, None, behind, between, by_name, False, numbers)
    return lambda value: "".join(_json.make_encoder({}, *fixed)(value, 0))


def _unknown(value: object) -> NoReturn:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object none of whose keys is there twice."""
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise MalformedJsonError(f"JSON with two readings: the key {dumps(twice)} is twice in one object")
    return value


def _constant(name: str) -> NoReturn:
    raise MalformedJsonError(f"not valid JSON: {name} is not a number")


class _Strictly:
    """What the scanner asks for (`json.scanner`)."""

    strict, object_hook, parse_float, parse_int = True, None, float, int
    object_pairs_hook, parse_constant = staticmethod(_object), staticmethod(_constant)


_BLANK = " \t\n\r"
_scan = None if _json is None else _json.make_scanner(_Strictly)
_encode = encoder()
