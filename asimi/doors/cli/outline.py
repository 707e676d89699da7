"""asimi's commands as data, read from Typer: for what completes them, and for the manual page."""

from __future__ import annotations

import typer

from asimi.core.startup import TYPE_CHECKING, NamedTuple
from asimi.doors.cli.base import GLOBAL_NAMES, first_sentence
from asimi.doors.cli.program import COMMANDS, Program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Taken(NamedTuple):
    """An option, or a word that is none.

    Attributes:
        names: how an option is written; empty for other words.
        metavar: what the help calls its value; empty for a flag.
        help: what the help says of it.
        many: whether it may be given again.
        shared: whether every command has this option.
    """

    names: tuple[str, ...]
    metavar: str
    help: str
    many: bool
    shared: bool


class Outline(NamedTuple):
    """A command.

    Attributes:
        words: those that call it, behind `asimi`.
        heading: its heading in the help.
        usage: what may stand behind these words.
        summary: the first sentence about it.
        help: all that the help says of it, paragraphs with a blank line between.
        taken: its options and other words.
        ended: whether its first word ends the options, because all that follows belongs to another program.
        below: the commands in it.
    """

    words: tuple[str, ...]
    heading: str
    usage: str
    summary: str
    help: str
    taken: tuple[Taken, ...]
    ended: bool
    below: tuple[Outline, ...]

    @property
    def options(self) -> list[Taken]:
        """Its own options."""
        return [each for each in self.taken if each.names and not each.shared]

    @property
    def operands(self) -> list[Taken]:
        """The words that it takes and that are no options."""
        return [each for each in self.taken if not each.names]

    def all(self) -> Iterator[Outline]:
        """It, and all that is in it."""
        yield self
        for each in self.below:
            yield from each.all()


def outline() -> Outline:
    """Return the program."""
    program = Program({})
    return _of(program, typer.Context(program, info_name="asimi"), (), "", "")


def _of(command: Any, context: typer.Context, words: tuple[str, ...], heading: str, summary: str) -> Outline:
    below = []
    for name in getattr(command, "commands", ()):
        inner = command.get_command(context, name)
        known = COMMANDS[name] if not words else heading
        deeper = typer.Context(inner, parent=context, info_name=name)
        below.append(_of(inner, deeper, (*words, name), known, first_sentence(command, context, name)))
    return Outline(
        words,
        heading,
        " ".join(command.collect_usage_pieces(context)),
        summary,
        command.help or "",
        tuple(_taken(each, context) for each in command.get_params(context)),
        not below and not command.allow_interspersed_args,
        tuple(below),
    )


def _taken(parameter: Any, context: typer.Context) -> Taken:
    """One parameter of click's."""
    option = parameter.param_type_name == "option"
    _, said = parameter.get_help_record(context) or ("", "")
    return Taken(
        tuple(parameter.opts) if option else (),
        "" if getattr(parameter, "is_flag", False) else parameter.make_metavar(context),
        said.replace("  [required]", ""),
        parameter.multiple if option else parameter.nargs == -1,
        option and parameter.name in {"help", *GLOBAL_NAMES},
    )
