"""Typer's commands of the forms: their help, what is wrong with a line, and every line that `plain` leaves to Typer."""

from __future__ import annotations

from inspect import getdoc

from typer.core import TyperArgument

from asimi.core.lean import TYPE_CHECKING
from asimi.doors.cli.base import CONTEXT, Command, UsageError, option_of, options_of
from asimi.doors.cli.forms import FORMS, Wrong, function_of
from asimi.doors.cli.printing import quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from asimi.compose import Options

    Call = Callable[[str, Options, dict[str, Any]], int]


class Formed(Command):
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
            context_settings={**CONTEXT, "allow_interspersed_args": not form.first},
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
            if not option or lacks or self.form.first or (first := self._first_word(given, option)) is None:
                raise
            call = quoted(["asimi", ctx.info_name, *given[:first]])
            whole = quoted([quoted(given[first:])])
            fault = f"{option} is not an option of asimi {ctx.info_name}. COMMAND must be one word; did you mean:"
            raise UsageError(f"{fault}\n  {call} {whole}", ctx) from None

    def _first_word(self, given: list[str], option: str) -> int | None:
        """Where the shell command begins that is unquoted and has an option; None where it is not that."""
        at = next((n for n, word in enumerate(given) if word.startswith(option)), 0)
        valued = {name for each in self.params if not getattr(each, "is_flag", True) for name in each.opts}
        return next((n for n in range(at) if given[n][:1] != "-" and (n == 0 or given[n - 1] not in valued)), None)
