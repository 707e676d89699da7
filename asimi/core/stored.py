"""Values as JSON in asimi's own files and messages, and back with every type checked.

The shape is that of the values, so a field added to one of them needs nothing here: a field with a default may be
missing, because an older asimi did not write it. A value with any other field missing, one too many, or one of another
type was not written by asimi and is refused whole.
"""

from __future__ import annotations

import json
from enum import IntEnum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from asimi.core import call
from asimi.core.errors import AsimiError
from asimi.core.judging import rules

_NAMES = {**vars(call), "Rule": rules.Rule}


class Invalid(AsimiError):
    """JSON that is not what asimi would have written; `str()` says in which field."""


class Newer(Invalid):
    """JSON of a newer asimi's; `str()` names its version."""


def plain(value: Any) -> Any:
    """A value as JSON knows it: named tuples become objects."""
    if isinstance(value, IntEnum):
        return int(value)
    if hasattr(value, "_fields"):
        return {name: plain(getattr(value, name)) for name in value._fields}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def parsed(kind: Any, value: Any, where: str = "it") -> Any:
    """JSON as the value of a type.

    Args:
        kind: a named tuple, or any type that one of its fields has; `Any` is not checked.
        value: the JSON.
        where: the name of the field, for the message.

    Raises:
        Invalid: it is something else.
    """
    origin, options = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return _one_of(options, value, where)
    if origin is Literal:
        if value not in options:
            raise Invalid(f"{where} is not one of {', '.join(options)}")
        return value
    if origin is tuple:
        return _several(options, value, where)
    if origin is dict:
        given = parsed(dict, value, where)
        return {key: parsed(options[1], each, f"{where}[{key!r}]") for key, each in given.items()}
    if hasattr(kind, "_fields"):
        hints = _hints(kind)
        given = parsed(dict, value, where)
        if not given.keys() <= hints.keys() or not hints.keys() - given.keys() <= kind._field_defaults.keys():
            raise Invalid(f"{where} does not have the fields of a {kind.__name__}")
        return kind(**{name: parsed(hints[name], each, f"{where}.{name}") for name, each in given.items()})
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        if isinstance(value, bool) or value not in set(kind):
            raise Invalid(f"{where} is not a {kind.__name__}")
        return kind(value)
    if kind is float and type(value) is int:
        return float(value)
    if kind is not Any and type(value) is not kind:  # a bool is not an int here
        raise Invalid(f"{where} is not of type {kind.__name__}")
    return value


def loads(content: bytes, version: int) -> dict[str, Any]:
    """The JSON object of some bytes, without its version.

    Args:
        content: the bytes.
        version: the newest format that is known.

    Raises:
        Newer: it is of a newer version.
        Invalid: it is not an object, or has no version.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise Invalid("it is not valid JSON") from None
    if not isinstance(value, dict):
        raise Invalid("it is not a JSON object")
    check_version(value.pop("version", None), version)
    return value


def check_version(found: Any, known: int) -> None:
    """Make sure that a file's version can be read: this asimi's own, or an older one.

    Raises:
        Newer: it is newer.
        Invalid: it is not a version.
    """
    if type(found) is not int or found < 1:
        raise Invalid("it has no version")
    if found > known:
        raise Newer(f"it has version {found}, a newer asimi's (this one knows {known})")


def dumps(value: Any, version: int) -> bytes:
    """A named tuple or a dictionary as one line of JSON, with its version."""
    return json.dumps({"version": version, **plain(value)}, allow_nan=False).encode("ascii") + b"\n"


def digest_of(question: call.Question) -> str:
    """What tells one question from every other, down to the last character that is shown of it."""
    from hashlib import sha256

    return sha256(json.dumps(plain(question), sort_keys=True).encode("ascii")).hexdigest()


def _one_of(options: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and NoneType in options:
        return None
    faults = []
    for option in options:
        if option is not NoneType:
            try:
                return parsed(option, value, where)
            except Invalid as fault:
                faults.append(fault)
    raise faults[0]


def _several(options: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    given = parsed(list, value, where)
    kinds = options[:1] * len(given) if options[1:] == (...,) else options
    if len(kinds) != len(given):
        raise Invalid(f"{where} does not have {len(kinds)} items")
    pairs = enumerate(zip(kinds, given, strict=True))
    return tuple(parsed(kind, each, f"{where}[{index}]") for index, (kind, each) in pairs)


@lru_cache(maxsize=32)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, localns=_NAMES)
