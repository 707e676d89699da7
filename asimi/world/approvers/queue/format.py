"""Questions and answers as JSON, and back with every type checked: what was not written by asimi is not believed.

The shape is that of the values themselves, so that a field added to one of them needs nothing here. Whatever has a
field too many or too few, or one of another type, is refused whole.
"""

from __future__ import annotations

import json
from enum import IntEnum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from asimi.core import call
from asimi.core.errors import AsimiError
from asimi.core.judging import rules

VERSION = 1
"""The format of question files and of answers."""

_NAMES = {**vars(call), "Rule": rules.Rule}


class Unbelievable(AsimiError):
    """JSON that is not what asimi would have written; `str()` says in which field."""


def plain(value: Any) -> Any:
    """A value as JSON knows it: named tuples become objects."""
    if isinstance(value, IntEnum):
        return int(value)
    if hasattr(value, "_fields"):
        return {name: plain(getattr(value, name)) for name in value._fields}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value


def believed(kind: Any, value: Any, where: str = "it") -> Any:
    """JSON as the value of a type.

    Args:
        kind: a named tuple, or any type that one of its fields has.
        value: the JSON.
        where: the name of the field, for the message.

    Raises:
        Unbelievable: it is something else.
    """
    origin, options = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return _one_of(options, value, where)
    if origin is tuple:
        return _several(options, value, where)
    if hasattr(kind, "_fields"):
        hints = _hints(kind)
        if not isinstance(value, dict) or value.keys() != hints.keys():
            raise Unbelievable(f"{where} has not the fields of a {kind.__name__}")
        return kind(**{name: believed(hint, value[name], f"{where}.{name}") for name, hint in hints.items()})
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        if isinstance(value, bool) or value not in set(kind):
            raise Unbelievable(f"{where} is no {kind.__name__}")
        return kind(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:  # a bool is no int here
        raise Unbelievable(f"{where} is no {kind.__name__}")
    return value


def loads(content: bytes) -> Any:
    """The JSON of some bytes.

    Raises:
        Unbelievable: it is none, or of another version.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise Unbelievable("it is no JSON") from None
    version = value.get("version") if isinstance(value, dict) else None
    if type(version) is not int:
        raise Unbelievable("it has no version")
    if version != VERSION:
        raise Unbelievable(f"it has version {version}, and this asimi knows {VERSION}")
    return value


def dumps(value: dict[str, Any]) -> bytes:
    """A value as one line of JSON."""
    return json.dumps({"version": VERSION, **value}, allow_nan=False).encode("ascii") + b"\n"


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
                return believed(option, value, where)
            except Unbelievable as fault:
                faults.append(fault)
    raise faults[0]


def _several(options: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise Unbelievable(f"{where} is no list")
    kinds = options[:1] * len(value) if options[1:] == (...,) else options
    if len(kinds) != len(value):
        raise Unbelievable(f"{where} has not {len(kinds)} items")
    pairs = enumerate(zip(kinds, value, strict=True))
    return tuple(believed(kind, each, f"{where}[{place}]") for place, (kind, each) in pairs)


@lru_cache(maxsize=32)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, localns=_NAMES)
