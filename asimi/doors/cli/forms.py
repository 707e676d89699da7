"""What the commands take that agents and services start, as data, and the plain reading of their command lines.

Typer's commands are made from the data (`base`). Typer's import takes longer than a verdict, so `read` does without. It
is strict: what it is not sure to read as Typer does is left to Typer, which also says what is wrong.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple
from asimi.doors.cli.printing import quoted
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
    whole = quoted([quoted(words)])
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


GLOBAL = (
    Option("--config", "config", "Use this configuration file instead of your own.", "FILE"),
    Option("--root", "root", "The project root; default: the current directory (ASIMI_ROOT).", "DIR"),
    Option("--session", "session", "Use and share the approvals of this session (ASIMI_SESSION).", "NAME"),
    Option("--host", "host", "Run commands on this host of your configuration (ASIMI_HOST).", "NAME"),
    Option("--yes", "yes", "Answer every question with yes. A deny stays a deny.", default=False),
    Option(
        "--non-interactive",
        "non_interactive",
        "Never ask: what would need a question is refused (ASIMI_NON_INTERACTIVE=1).",
        default=False,
    ),
    Option("--sandbox", "sandbox", "Run commands in a sandbox at least as strict: project or read-only.", "MODE"),
)
"""The options of every command; the fields are those of `compose.Options`."""

_KILLED = "Seconds after which it and everything it started is killed."
_WHERE = "Where to run it, relative to the project root."
_JSON = Option("--json", "json", "Print the tool's result as one line of JSON, at the end.", default=False)

FORMS = {
    "run": Form(
        "cli.run",
        "run",
        (
            Option("--dir", "directory", _WHERE, "DIR", default=""),
            Option("--description", "description", "What it is for; shown with the question.", "TEXT", default=""),
            Option("--timeout", "timeout", _KILLED, "S", float),
            _JSON,
        ),
        "command",
        "COMMAND",
        "The whole command in quotes, as one word.",
    ),
    "exec": Form(
        "cli.run",
        "execute",
        (
            Option("--cwd", "cwd", _WHERE, "DIR", default=""),
            Option("--timeout", "timeout", _KILLED, "S", int, 60, 1, 120),
            _JSON,
        ),
        "program",
        "PROGRAM [ARG]...",
        "The program and its arguments; put asimi's own options before PROGRAM.",
        first=True,
    ),
    "check": Form(
        "cli.check",
        "check",
        (
            Option("--dir", "directory", "Judge it as if run there, relative to the project root.", "DIR", default=""),
            Option("--cwd", "cwd", "The same, for --exec.", "DIR", default=""),
            Option("--exec", "execute", "Judge a program with arguments: --exec -- PROGRAM [ARG]...", default=False),
            Option("--read", "read", "Judge an agent's own tool that reads PATH.", default=False),
            Option("--write", "write", "Judge an agent's own tool that writes PATH.", default=False),
            Option("--json", "json", "Print the decision as one line of JSON.", default=False),
            Option("--in-box", "in_box", "Judge it as the gate of `asimi wrap` does, around an agent.", default=False),
            Option("--hook", "hook", "Judge it as an agent's hook does, which judges substitutions.", default=False),
        ),
        "words",
        "COMMAND",
        "The whole command in quotes; with --exec: PROGRAM [ARG]...; with --read or --write: PATH...",
    ),
    "serve": Form(
        "cli.services",
        "serve",
        (Option("--jobs", "jobs", "Run up to N calls at the same time.", "N", int, 1, 1, 1000),),
    ),
    "acp": Form(
        COMMAND,
        "acp",
        (),
        "words",
        "AGENT [ARG]...",
        "The agent and its arguments; put asimi's own options before it.",
        first=True,
    ),
    "tools": Form(
        "cli.tools",
        "tools",
        (
            Option(
                "--format",
                "form",
                "openai, openai-strict, openai-responses, openai-responses-strict, anthropic, gemini, mcp, smolagents "
                "or prompt; `asimi help frameworks` says which one is for what.",
                "FORM",
                default="openai",
            ),
        ),
    ),
    "doctor": Form(
        "cli.doctor",
        "doctor",
        (Option("--stop-gate", "stop_gate", "End the resident gate; the next hook starts another.", default=False),),
    ),
    "self-test": Form("cli.doctor", "doctor"),
    "shell": Form(COMMAND, "shell"),
    "executor": Form(COMMAND, "executor"),
    "relay": Form(COMMAND, "relay"),
    "mcp": Form("cli.services", "mcp"),
    **{name: Form("cli.trust", name) for name in ("trust", "untrust")},
    "explain": Form(
        "cli.programs",
        "explain",
        (Option("--json", "json", "Print it as one line of JSON.", default=False),),
        "words",
        "PROGRAM [SUBCOMMAND]...",
        "A program, by any of its names.",
        loose=True,
    ),
    "uninstall": Form(
        "cli.uninstall",
        "uninstall",
        (Option("--dry-run", "dry_run", "Show the changes without making them.", default=False),),
    ),
    "completion": Form("cli.completion", "completion", (), "words", "SHELL", "One of bash, zsh, fish."),
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


def called(name: str, options: Options, values: dict[str, Any]) -> int:
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
