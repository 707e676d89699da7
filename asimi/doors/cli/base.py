"""Shared by all commands: the global options, making a command, output, checks."""

from __future__ import annotations

import os
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from asimi.compose import Options

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""How click reads a command line and wraps its help."""

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""Wrong usage, exit code 2: click's own class, to which typer gives no public name."""

GLOBAL = ("config", "root", "session", "yes", "non_interactive", "sandbox", "version")


NO_FILE = "no configuration, so every command is a question; write one with: asimi config init"
"""What whoever has configured nothing should know."""


def application(**settings: Any) -> typer.Typer:
    """A command or a group: plain help that any terminal shows, no completion, no tracebacks with our variables."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=CONTEXT,
        **settings,
    )


class Command(TyperCommand):
    """A command whose help shows the global options below its own."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the usage line; required arguments have no braces, as in any manual."""
        return [piece.removeprefix("{").removesuffix("}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Its own options, then the global ones."""
        write_options(self, ctx, formatter)


class Group(TyperGroup):
    """A group whose help shows the global options below its own."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Its commands, each with the whole first sentence about it, then the options."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(self, ctx, name)) for name in self.list_commands(ctx)])
        write_options(self, ctx, formatter)


def first_sentence(group: Any, context: Any, name: str) -> str:
    """What a group's help says of one of its commands; click would cut it at the end of the line."""
    text: str = group.get_command(context, name).get_short_help_str(200)
    return text


def write_options(command: Any, context: Any, formatter: Any) -> None:
    """The options of a command in its help: arguments, its own, the global ones."""
    sections: dict[str, list[Any]] = {"Arguments": [], "Options": [], "Global options": []}
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is not None:
            kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
            sections["Global options" if parameter.name in GLOBAL else kind].append(record)
    for heading, records in sections.items():
        if records:
            with formatter.section(heading):
                formatter.write_dl(records)


def options_of(context: typer.Context) -> Options:
    """The global options, wherever they were on the line; the later one wins."""
    return Options(**context.find_root().obj)


def global_options() -> list[TyperOption]:
    """The options of the program and each command; new objects each time, because click keeps state in them."""
    return [
        _option("--config", "FILE", "Use this configuration file instead of your own."),
        _option("--root", "DIR", "The project root; default: the current directory (ASIMI_ROOT)."),
        _option("--session", "NAME", "Use and share the approvals of this session (ASIMI_SESSION)."),
        _option("--yes", None, "Answer every question with yes. A deny stays a deny."),
        _option(
            "--non-interactive", None, "Never ask: what would need a question is refused (ASIMI_NON_INTERACTIVE=1)."
        ),
        _option("--sandbox", "MODE", "Run commands in a sandbox at least as strict: project or read-only."),
        TyperOption(
            param_decls=["--version"],
            is_flag=True,
            is_eager=True,
            default=False,
            expose_value=False,
            callback=_show_version,
            help="Print asimi's version.",
        ),
    ]


def _option(name: str, metavar: str | None, text: str) -> TyperOption:
    """A global option; a flag where it takes no value."""
    return TyperOption(
        param_decls=[name],
        metavar=metavar,
        is_flag=metavar is None,
        default=False if metavar is None else None,
        expose_value=False,
        callback=_keep,
        help=text,
    )


def _keep(context: Any, parameter: Any, value: Any) -> Any:
    """Store a global option; click calls this for the program first, then for the command.

    Raises:
        UsageError: its value is empty.
    """
    if value == "":
        raise UsageError(f"{parameter.opts[0]} is empty; it needs a {parameter.metavar}.")
    if value not in (None, False):
        context.find_root().obj[parameter.name] = value
    return value


def _show_version(context: Any, _: Any, value: Any) -> None:
    if value and not context.resilient_parsing:
        from asimi import __version__

        out(f"asimi {__version__}")
        raise typer.Exit


def out(text: str) -> None:
    """Print a line on standard output; it does not matter if the reader is gone.

    Raises:
        AsimiError: it cannot be written.
    """
    from asimi.world.host.streams import write

    fault = write(1, text.encode("utf-8", "surrogateescape") + b"\n")
    if fault is not None and not isinstance(fault, BrokenPipeError):
        from asimi.core.errors import AsimiError

        raise AsimiError(f"Standard output cannot be written: {fault.strerror}")


def fitted(text: str, descriptor: int = 1, indent: int = 2) -> str:
    """A message as the terminal at a descriptor shows it best: wrapped, with `~`; in a pipe or a file, as it is."""
    if not is_terminal(descriptor):
        return text
    from asimi.world.host.terminal import fitted, look_of

    return fitted(text, look_of(os.environ, descriptor).width, indent)


def quoted(words: list[str]) -> str:
    """Words as a shell would read them."""
    import shlex

    return " ".join(map(shlex.quote, words))


def one_command(words: list[str] | None, call: str) -> str:
    """The shell command, given as one word.

    Args:
        words: the arguments.
        call: the words before them, for the message.

    Raises:
        UsageError: it was given as several words, so a shell has already taken it apart.
    """
    if not words:
        raise UsageError("COMMAND is missing: give the whole command in quotes, as one word.")
    if len(words) == 1:
        return words[0]
    whole = quoted([quoted(words)])
    raise UsageError(f"COMMAND must be one word: the whole command in quotes. Did you mean:\n  {call} {whole}")


class OneWordCommand(Command):
    """A command that takes a shell command; if that is unquoted and has options, the message shows how to quote it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises:
            UsageError: they are wrong.
        """
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            option = getattr(error, "option_name", None)
            if option is None or any(option in parameter.opts for parameter in self.params):  # it lacks its value
                raise
            at = next((n for n, word in enumerate(given) if word.startswith(option)), 0)
            valued = {name for each in self.params if not getattr(each, "is_flag", True) for name in each.opts}
            words = (n for n in range(at) if given[n][:1] != "-" and (n == 0 or given[n - 1] not in valued))
            first = next(words, None)
            if first is None:
                raise
            call = quoted(["asimi", ctx.info_name, *given[:first]])
            whole = quoted([quoted(given[first:])])
            fault = f"{option} is not an option of asimi {ctx.info_name}. COMMAND must be one word; did you mean:"
            raise UsageError(f"{fault}\n  {call} {whole}", ctx) from None


def require_person(action: str) -> None:
    """Go on only if a person can have started asimi.

    Args:
        action: what a command that asimi runs cannot do, in words.

    Raises:
        AsimiError: a command that asimi runs started this asimi.
    """
    from asimi.core.errors import AsimiError
    from asimi.world.host.nested import inside_call

    if inside_call(os.environ):
        raise AsimiError(f"A command run by asimi cannot {action}; do that yourself at a terminal")


def said_by(who: str) -> str:
    """Who answered, in words, from an approval's `by`."""
    return {"queue": "asimi approve", "flag": "--yes"}.get(who, who)


def is_terminal(descriptor: int) -> bool:
    """Whether a standard stream is a terminal."""
    try:
        return os.isatty(descriptor)
    except OSError:
        return False
