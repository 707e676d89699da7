"""What the commands take that agents and services start, as data, and the plain reading of their command lines.

Typer's commands are made from the data (`base`). Typer's import takes longer than a verdict, so `read` does without. It
is strict: what it is not sure to read as Typer does is left to Typer, which also says what is wrong.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple
from asimi.doors.cli.printing import quote_words
from asimi.doors.hooks import AGENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from asimi.compose import Options

_NUMBERS = {float: pattern(r"[0-9]{1,15}(?:\.[0-9]{1,15})?"), int: pattern(r"[0-9]{1,9}")}


COMMAND = "command"
"""The module of an extra that has its commands."""


class Wrong(Exception):
    """Wrong usage, exit code 2; `str()` says what is wrong. Raised before anything is done."""


def one_command(words: list[str] | None, call: str) -> str:
    """Return the shell command, given as one word.

    Args:
        words: the arguments.
        call: the words before them, for the message.

    Raises:
        Wrong: it was given as several words, so a shell has already taken it apart.
    """
    if not words or not words[0].strip():
        raise Wrong(f"COMMAND is {'empty' if words else 'missing'}: give the whole command in quotes, as one word.")
    if len(words) == 1:
        return words[0]
    whole = quote_words([quote_words(words)])
    raise Wrong(f"COMMAND must be one word: the whole command in quotes. Did you mean:\n  {call} {whole}")


class Option(NamedTuple):
    """An option.

    Attributes:
        name: as it is written, with its dashes.
        field: the parameter that takes its value.
        help: what `--help` says of it.
        metavar: what `--help` calls its value; empty for a flag.
        kind: what its value is.
        default: what it is where it is not given.
        least: the smallest number that it takes.
        most: the largest.
    """

    name: str
    field: str
    help: str
    metavar: str = ""
    kind: type = str
    default: Any = None
    least: int | None = None
    most: int | None = None


class Form(NamedTuple):
    """A command.

    Attributes:
        module: where its function is, below `asimi.doors`, or `COMMAND`, in the extra that brings the command; the
            function takes the global options first and returns the exit code.
        function: the function's name.
        options: its own options.
        words: the parameter that takes the words that are no options, of which there is at least one; empty for a
            command without.
        metavar: what `--help` calls them.
        help: what it says of them.
        first: whether the first word ends the options, because all that follows belongs to another program.
        loose: whether words that look like options, and are none of its own, are words.
        about: what `--help` says of the command, if that is not the function's docstring.
        fixed: values that the command's name gives.
    """

    module: str
    function: str
    options: tuple[Option, ...] = ()
    words: str = ""
    metavar: str = ""
    help: str = ""
    first: bool = False
    loose: bool = False
    about: str = ""
    fixed: tuple[tuple[str, Any], ...] = ()


_KINDS: dict[str, type] = {"float": float, "int": int}


def _option(line: str, missing: str | None) -> Option:
    """The option of a line; `missing` is the default of a string."""
    head, _, said = line.partition(": ")
    field, _, text = said.partition(" | ")
    name, *rest = head.split()
    if not rest:
        return Option(name, field, text, default=False)
    metavar, kind, *numbers = *rest, *("str",) * (len(rest) == 1)
    if kind == "str":
        return Option(name, field, text, metavar, default=numbers[0] if numbers else missing)
    return Option(name, field, text, metavar, _KINDS[kind], *map(_KINDS[kind], numbers))


def _form(lines: list[str]) -> Form:
    """The form of a command's lines."""
    head, *lines = lines
    module, function = head.split()
    said = [each.partition(": ")[2].split(" | ") for each in lines if each.startswith("words: ")]
    words, metavar, text = said[0] if said else ("", "", "")
    options = tuple(_option(each, "") for each in lines if each[0] == "-")
    return Form(module, function, options, words, metavar, text, first="first" in lines, loose="loose" in lines)


_LINES = facts_of(__package__, "forms")

GLOBAL = tuple(_option(each, None) for each in _LINES.pop("global"))
"""The options of every command; the fields are those of `compose.Options`."""

FORMS = {
    **{name: _form(lines) for name, lines in _LINES.items()},
    **{
        f"hook {agent}": Form(
            "hooks.driver",
            "main",
            (Option("--answered", "code", "The exit code where it gave an answer.", "CODE", int, 0, 0, 125),),
            about=f"Answer the hook of {agent}.\n\nThe agent starts this itself, with JSON on standard input.",
            fixed=(("agent", agent),),
        )
        for agent in AGENTS
    },
}
"""These commands by name; of one in a group, the name of the group is before it."""


def run_form(name: str, options: Options, values: dict[str, Any]) -> int:
    """Do what a command is for.

    Args:
        name: the name of its form.
        options: the global options.
        values: its own, by their fields.

    Returns:
        The exit code.

    Raises:
        Wrong: they cannot be meant so; nothing was done.
    """
    return int(function_of(name)(options, **values))


def function_of(name: str) -> Callable[..., int]:
    """Return what the command of a form does.

    Raises:
        MissingExtraError: the extra that brings it is not installed.
    """
    form = FORMS[name]
    if form.module == COMMAND:
        from asimi.core.extras import BROUGHT, load  # which most starts need not

        module = load(BROUGHT[name], COMMAND)
    else:
        module = import_module(f"asimi.doors.{form.module}")
    function: Callable[..., int] = getattr(module, form.function)
    return function


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
    """Return a command line of one of the forms; None where only Typer can tell what it means.

    Args:
        arguments: the words behind `asimi`.
    """
    given: dict[str, Any] = {}
    words = _split_options(arguments, GLOBAL, given, first=True)
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
    operands = _split_options(rest, (*GLOBAL, *form.options), found, first=form.first)
    if operands is None or bool(operands) != bool(form.words):
        return None
    if operands:
        values[form.words] = operands
    for field, value in found.items():
        (values if field in values else given)[field] = value
    return Line(name, given, values)


def _split_options(
    arguments: Sequence[str], options: Sequence[Option], found: dict[str, Any], *, first: bool
) -> list[str] | None:
    """Return the words that are no options; None where it is not sure which ones are.

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
    """Return a value; None where it is missing, or not in the plainest form."""
    if text[:1] in {"", "-"}:
        return None
    if option.kind is str:
        return text
    if not _NUMBERS[option.kind].fullmatch(text):
        return None
    number = option.kind(text)
    low, high = option.least, option.most
    return number if (low is None or number >= low) and (high is None or number <= high) else None
