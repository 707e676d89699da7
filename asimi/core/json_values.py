"""Values as JSON in asimi's own files and messages, and back with every type checked.

The shape is that of the values, so a field added to one of them needs nothing here: a field with a default may be
missing, because an older asimi did not write it. A value with any other field missing, one too many, or one of another
type was not written by asimi and is refused whole.
"""

from __future__ import annotations

import sys
from enum import IntEnum
from functools import lru_cache
from hashlib import sha256
from math import inf, isfinite
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Literal, Union, get_type_hints

from asimi.core import call, kinds, wire
from asimi.core.errors import AsimiError
from asimi.core.judging import rules

if TYPE_CHECKING:
    from typing import Any

_NAMES = {**vars(kinds), **vars(call), "Rule": rules.Rule, "Mapping": dict, "Any": object}
_KINDS = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}
_SIMPLE = {str, int, bool}
_AS_THEY_ARE = {str, int, float, bool, NoneType}
_ordered = wire.encoder(by_name=True)
_encode = wire.encoder()


class Invalid(AsimiError):
    """JSON that is not what asimi would have written; `str()` says in which field.

    Attributes:
        advice: what a person can do about the file.
    """

    advice = "remove it"


class Newer(Invalid):
    """JSON of a newer asimi's; `str()` names its version."""

    advice = "upgrade asimi"


def plain(value: Any) -> Any:
    """A value as JSON knows it: named tuples become objects."""
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, IntEnum):
        return int(value)
    if hasattr(value, "_fields"):
        pairs = zip(value._fields, value, strict=True)
        return {name: each if type(each) in _AS_THEY_ARE else plain(each) for name, each in pairs}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def parse_as(kind: Any, value: Any, where: str = "") -> Any:
    """JSON as the value of a type.

    Args:
        kind: a named tuple, or any type that one of its fields has; `object` is not checked.
        value: the JSON.
        where: the name of the field, for the message; empty for the whole.

    Raises:
        Invalid: it is something else.
    """
    if type(value) is kind and kind in _SIMPLE:
        return value
    origin, options = getattr(kind, "__origin__", None), tuple(getattr(kind, "__args__", ()))
    if origin is Union or isinstance(kind, UnionType):
        return _one_of(options, value, where)
    if origin is Literal:
        if value not in options:
            raise _invalid(where, f"is not one of {', '.join(filter(None, options))}")
        return value
    if origin is tuple:
        return _several(options, value, where)
    if origin is dict:
        given = parse_as(dict, value, where)
        return {key: parse_as(options[1], each, f"{where}[{key!r}]") for key, each in given.items()}
    if hasattr(kind, "_fields"):
        return kind(**_fields(kind, parse_as(dict, value, where), where))
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        if type(value) is not int or value not in tuple(kind):
            raise _invalid(where, f"is not one of {', '.join(str(int(each)) for each in kind)}")
        return kind(value)
    if kind is float and type(value) is int:
        value = _as_float(value)
    if kind is not object and type(value) is not kind:  # a bool is not an int here
        raise _invalid(where, f"is not {_KINDS[kind]}")
    if kind is float and not isfinite(value):
        raise _invalid(where, "is too large")
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
        value = wire.loads(content.decode())
    except UnicodeDecodeError:
        raise Invalid("it is not UTF-8") from None
    except wire.MalformedJsonError as fault:
        raise Invalid(str(fault)) from None
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
    return _encode({"version": version, **plain(value)}).encode("ascii") + b"\n"


def digest_of(question: call.Question) -> str:
    """What tells one question from every other, down to the last character that is shown of it."""
    return sha256(_ordered(plain(question)).encode("ascii")).hexdigest()


def _fields(kind: Any, given: dict[str, Any], where: str) -> dict[str, Any]:
    """The fields of a named tuple; one that has a default may be missing."""
    hints = _hints(kind)
    for name in given:
        if name not in hints:
            raise _invalid(where, f"has a field {name!r:.80}, which asimi does not write")
    for name in hints:
        if name not in given and name not in kind._field_defaults:
            raise _invalid(where, f"has no field {name!r}")
    inside = f"{where}." if where else ""
    return {name: parse_as(hints[name], each, inside + name) for name, each in given.items()}


def _invalid(where: str, fault: str) -> Invalid:
    return Invalid(f"{where or 'it'} {fault}")


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf


def _one_of(options: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and NoneType in options:
        return None
    faults = []
    for option in options:
        if option is not NoneType:
            try:
                return parse_as(option, value, where)
            except Invalid as fault:
                faults.append(fault)
    raise faults[0]


def _several(options: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    given = parse_as(list, value, where)
    kinds = options[:1] * len(given) if options[1:] == (...,) else options
    if len(kinds) != len(given):
        raise _invalid(where, f"has {len(given)} items, not {len(kinds)}")
    pairs = enumerate(zip(kinds, given, strict=True))
    return tuple(parse_as(kind, each, f"{where}[{index}]") for index, (kind, each) in pairs)


@lru_cache(maxsize=64)
def _hints(kind: Any) -> dict[str, Any]:
    """The types of the fields of a named tuple, which its module has as text."""
    return get_type_hints(kind, {**vars(sys.modules[kind.__module__]), **_NAMES})
