"""Reads the command lines that agents write, without Typer, whose import takes longer than a verdict.

It is strict: what it is not sure to read as Typer does is left to Typer, which also says what is wrong.
"""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING, NamedTuple, pattern
from asimi.doors.cli.forms import FORMS, GLOBAL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from asimi.doors.cli.forms import Option

_NUMBERS = {float: pattern(r"[0-9]{1,15}(?:\.[0-9]{1,15})?"), int: pattern(r"[0-9]{1,9}")}


class Line(NamedTuple):
    """A command line.

    Attributes:
        command: the name of the command's form.
        given: the global options that were given, by their fields.
        values: its own options and its words, by their fields.
    """

    command: str
    given: dict[str, Any]
    values: dict[str, Any]


def read(arguments: Sequence[str]) -> Line | None:
    """A command line of one of the forms; None where only Typer can tell what it means.

    Args:
        arguments: the words behind `asimi`.
    """
    given: dict[str, Any] = {}
    words = _taken(arguments, GLOBAL, given, first=True)
    if not words:
        return None
    name, *rest = words
    if name not in FORMS and rest:
        name, *rest = f"{name} {rest[0]}", *rest[1:]
    form = FORMS.get(name)
    if form is None:
        return None
    values = {option.field: option.default for option in form.options} | dict(form.fixed)
    found: dict[str, Any] = {}
    operands = _taken(rest, (*GLOBAL, *form.options), found, first=form.first)
    if operands is None or bool(operands) != bool(form.words):
        return None
    if operands:
        values[form.words] = operands
    for field, value in found.items():
        (values if field in values else given)[field] = value
    return Line(name, given, values)


def _taken(
    arguments: Sequence[str], options: Sequence[Option], found: dict[str, Any], *, first: bool
) -> list[str] | None:
    """The words that are no options; None where it is not sure which ones are.

    Args:
        arguments: what to read.
        options: those that may be among them.
        found: filled with their values, by their fields.
        first: whether the first word ends the options.
    """
    known = {option.name: option for option in options}
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            return [*words, *rest]
        if argument[:1] != "-":
            words.append(argument)
            if first:
                return [*words, *rest]
            continue
        name, sign, text = argument.partition("=")
        option = known.get(name)
        if option is None or (sign and not option.metavar):
            return None
        value = _value(option, text if sign else next(rest, "")) if option.metavar else True
        if value is None:
            return None
        found[option.field] = value
    return words


def _value(option: Option, text: str) -> Any:
    """A value; None where it is missing, or not in the plainest form."""
    if text[:1] in {"", "-"}:
        return None
    if option.kind is str:
        return text
    if not _NUMBERS[option.kind].fullmatch(text):
        return None
    number = option.kind(text)
    low, high = option.least, option.most
    return number if (low is None or number >= low) and (high is None or number <= high) else None
