"""Shared by all commands of Typer: how one is made, also from a form, its help, the global options."""

from __future__ import annotations

import sys
from inspect import getdoc
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from asimi.compose import Options
from asimi.core.call import APPROVE, FLAG, WATCH
from asimi.core.errors import AsimiError
from asimi.doors.cli.forms import FORMS, GLOBAL, Wrong, function_of
from asimi.doors.cli.printing import out, quote_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from asimi.doors.cli.forms import Option
    from asimi.world.config import Configuration

    Call = Callable[[str, Options, dict[str, Any]], int]

NARROW = 52
"""Columns below which click would write help wider than the terminal."""

CONTEXT = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "terminal_width": wide - 1 if (wide := get_terminal_size().columns) < NARROW else None,
}
"""How click reads a command line and wraps its help."""

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""Wrong usage, exit code 2: click's own class, to which typer gives no public name."""

GLOBAL_NAMES = {"version", *(option.field for option in GLOBAL)}
"""The parameters of the options that every command has."""


def application(**settings: Any) -> typer.Typer:
    """A command or a group: plain help that any terminal shows, no completion, no tracebacks with our variables."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=CONTEXT,
        **settings,
    )


def option_named(name: str, text: str, metavar: str | None = None) -> Any:
    """An option of one name, whose default goes without saying."""
    return typer.Option(name, metavar=metavar, show_default=False, help=text)


class Command(TyperCommand):
    """A command whose help shows the global options below its own."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line; required arguments have no braces, as in any manual."""
        return [piece.removeprefix("{").removesuffix("}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Its own options, then the global ones."""
        write_options(self, ctx, formatter)


class FormCommand(Command):
    """The command of a form. Where it takes a shell command that is unquoted, the message shows how to quote it.

    Args:
        name: the name of the form.
        call: does what it is for.
    """

    def __init__(self, name: str, call: Call) -> None:
        self._called, self.form, self._call = name, FORMS[name], call
        form = self.form
        settings: dict[str, Any] = {"nargs": -1, "required": True, "show_default": False}
        words = [TyperArgument(param_decls=[form.words], metavar=form.metavar, help=form.help, **settings)]
        super().__init__(
            name.rpartition(" ")[2],
            params=[*(words if form.words else ()), *(option_of(option) for option in form.options)],
            help=form.about or getdoc(function_of(name)),
            context_settings={
                **CONTEXT,
                "allow_interspersed_args": not form.first,
                "ignore_unknown_options": form.loose,
            },
            rich_markup_mode=None,
        )

    def invoke(self, ctx: Any) -> int:
        """Run it.

        Raises:
            UsageError: its words or options cannot be meant so.
        """
        try:
            values = {name: list(value) if name == self.form.words else value for name, value in ctx.params.items()}
            return self._call(self._called, options_of(ctx), values | dict(self.form.fixed))
        except Wrong as error:
            raise UsageError(str(error), ctx) from None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises:
            UsageError: they are wrong.
        """
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            option = getattr(error, "option_name", None) or ""
            lacks = any(option in parameter.opts for parameter in self.params)  # its value
            if not option or lacks or self.form.first or not self.form.words:
                raise
            if (first := self._first_word(given, option)) is None:
                raise
            call = quote_words(["asimi", ctx.info_name, *given[:first]])
            if "--exec" in given[:first]:
                fault = f"{option} is not an option of asimi {ctx.info_name}. A program and its arguments follow --:"
                raise UsageError(f"{fault}\n  {call} -- {quote_words(given[first:])}", ctx) from None
            whole = quote_words([quote_words(given[first:])])
            fault = f"{option} is not an option of asimi {ctx.info_name}. COMMAND must be one word; did you mean:"
            raise UsageError(f"{fault}\n  {call} {whole}", ctx) from None

    def _first_word(self, given: list[str], option: str) -> int | None:
        """Return where the unquoted shell command begins that has an option; None where it is not that."""
        at = next((n for n, word in enumerate(given) if word.startswith(option)), 0)
        valued = {name for each in self.params if not getattr(each, "is_flag", True) for name in each.opts}
        return next((n for n in range(at) if given[n][:1] != "-" and (n == 0 or given[n - 1] not in valued)), None)


class MissingExtra(Command):
    """A command of an extra that is not installed: whatever follows, it says so.

    Args:
        words: what calls it, behind `asimi`.
        fault: what it says.
    """

    def __init__(self, words: str, fault: AsimiError) -> None:
        self._fault = fault
        super().__init__(
            words.rpartition(" ")[2],
            params=[TyperArgument(param_decls=["words"], nargs=-1, expose_value=False, metavar="")],
            help=f"Missing: {fault}.",
            context_settings={**CONTEXT, "ignore_unknown_options": True},
            rich_markup_mode=None,
        )

    def invoke(self, ctx: Any) -> NoReturn:
        """Say so.

        Raises:
            AsimiError: always.
        """
        del ctx
        raise self._fault


class Group(TyperGroup):
    """A group whose help shows the global options below its own.

    Attributes:
        later: makes the commands that extras bring into the group, by their names: each is loaded when it is asked for.
    """

    later: Mapping[str, Callable[[], Any]] = {}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return one of its commands."""
        return self.later[cmd_name]() if cmd_name in self.later else super().get_command(ctx, cmd_name)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Its commands, each with the whole first sentence about it, then the options."""
        with formatter.section("Commands"):
            _write(formatter, [(name, first_sentence(self, ctx, name)) for name in self.list_commands(ctx)])
        write_options(self, ctx, formatter)


def first_sentence(group: Any, context: Any, name: str) -> str:
    """Return what a group's help says of one of its commands; click would cut it at the end of the line."""
    text: str = group.get_command(context, name).get_short_help_str(200)
    return text


def write_options(command: Any, context: Any, formatter: Any) -> None:
    """The options of a command in its help: arguments, its own, the global ones.

    Raises:
        AsimiError: standard output is closed, where click would say nothing.
    """
    if sys.stdout is None:
        raise AsimiError("Standard output cannot be written: it is closed")
    sections: dict[str, list[Any]] = {"Arguments": [], "Options": [], "Global options": []}
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is not None:
            kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
            sections["Global options" if parameter.name in GLOBAL_NAMES else kind].append(record)
    for heading, records in sections.items():
        if records:
            with formatter.section(heading):
                _write(formatter, records)


def _write(formatter: Any, records: list[Any]) -> None:
    """Write names, each with what it is, beside each other or, on a narrow terminal, below."""
    formatter.write_dl(records, **({} if formatter.width >= NARROW - 2 else {"col_max": 6}))


def options_of(context: typer.Context) -> Options:
    """Return the global options, wherever they were on the line; the later one wins."""
    return Options(**context.find_root().obj)


def configuration_for(context: typer.Context) -> Configuration:
    """Return the configuration in force for a command.

    Raises:
        AsimiError: a command that asimi runs may not choose these options.
    """
    from asimi.compose.configuration import configuration_of

    return configuration_of(options_of(context))


def option_of(option: Option, **settings: Any) -> TyperOption:
    """Return an option of Typer's."""
    kind = typer.models.OptionInfo(min=option.least, max=option.most)
    flag = not option.metavar
    return TyperOption(
        param_decls=[option.field, option.name],
        type=None if flag else typer.main.get_click_type(annotation=option.kind, parameter_info=kind),
        metavar=option.metavar or None,
        is_flag=flag,
        default=option.default,
        show_default=bool(option.default),
        help=option.help,
        **settings,
    )


def global_options() -> list[TyperOption]:
    """Return the options of the program and each command; new objects each time, because click keeps state in them."""
    version = TyperOption(
        param_decls=["--version"],
        is_flag=True,
        is_eager=True,
        default=False,
        expose_value=False,
        callback=_show_version,
        help="Print asimi's version.",
    )
    return [*(option_of(each, expose_value=False, callback=_keep) for each in GLOBAL), version]


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


def said_by(who: str) -> str:
    """Return who answered, in words, from an approval's `by`."""
    return {APPROVE: "asimi approve", WATCH: "asimi watch", FLAG: "--yes"}.get(who, who)
