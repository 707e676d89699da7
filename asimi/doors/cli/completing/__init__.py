"""What makes a shell complete asimi's words: a script that holds every command and option, and starts nothing for them.

A script is its shell's file in this directory with the table in it. A row of the table has four fields:

::

    COMMAND|WORD|WHAT|HELP

`COMMAND` is the words behind `asimi`, or `-` for every command. `WORD` is a command in it, an option, the place of a
word that is no option (`2`, or `2+` for this one and all that follow), or `--` where the first such word ends the
options. `WHAT` is what the value may be: words, or what the shell itself knows (`@files`, `@directories`, `@commands`),
or what `asimi completion` prints (`@jobs`, `@questions`, `@hosts`); `-` is a value that nobody can guess, and nothing
means that there is no value.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from asimi.core.call import SANDBOX_MODES, Verdict
from asimi.core.extras import is_installed, load
from asimi.core.programs.effects import WORDS
from asimi.core.values import NamedTuple
from asimi.doors.cli.base import GLOBAL_NAMES, first_sentence
from asimi.doors.cli.program import COMMANDS, Program
from asimi.doors.hooks import AGENTS
from asimi.tools.declare import FORMS
from asimi.world.config.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

SHELLS = ("bash", "zsh", "fish")
"""The shells that have a script."""

_UNKNOWN = ("-",)
_MAPPED = load("permissions").NAMES if is_installed("permissions") else ()
_BY_METAVAR = {"FILE": ("@files",), "DIR": ("@directories",)}
_OPTIONS: dict[str, Iterable[str]] = {
    "--agent": AGENTS,
    "--decision": [verdict.word for verdict in Verdict],
    "--effects": WORDS,
    "--format": [*FORMS, "prompt"],
    "--host": ("@hosts",),
    "--on": ("@files",),
    "--preset": PRESETS,
    "--sandbox": SANDBOX_MODES[1:],
}
_OPERANDS: dict[str, list[Iterable[str]]] = {
    **{each: [("@commands",), ("@files",)] for each in ("acp", "exec", "outside", "wrap")},
    **{each: [AGENTS] for each in ("hook doctor", "hook install", "hook uninstall")},
    **{each: [("@jobs",)] for each in ("jobs kill", "jobs log")},
    **{each: [("@files",)] for each in ("programs check", "programs confirm")},
    "approve": [("@questions",)],
    "completion": [SHELLS],
    "explain": [("@commands",)],
    "policy diff": [("@files",), ("@files",)],
    "policy export": [_MAPPED],
    "policy import": [[*_MAPPED, "@files"]],
}
"""What the words of a command may be that are no options; a command that is not here goes by what its help calls them.

Sessions are not among them, though some commands take one: an agent can choose the name of its own.
"""


def script(shell: str) -> str:
    """Return the script for a shell, one of `SHELLS`."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"asimi.{shell}")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = "\n".join(table() if shell != "bash" else (row.rpartition("|")[0] for row in table()))
    quoted = rows.replace("\\", r"\\").replace("'", r"\'") if shell == "fish" else rows.replace("'", r"'\''")
    return text.replace("@TABLE@", quoted).rstrip("\n")


def table() -> Iterator[str]:
    """Yield the rows of the table, which bash takes without the last field: it shows words alone."""
    program = outline()
    for command in program.all():
        words = " ".join(command.words)
        yield from (_row(words, each.words[-1], (), each.summary) for each in command.below)
        for option in command.options if command.words else command.taken:
            at = "-" if option.shared else words
            yield from (_row(at, name, _values_of(option), option.help) for name in option.names)
        if command.ended:
            yield _row(words, "--")
        for place, values in enumerate(each := _operands_of(command), 1):
            many = place == len(each) and command.operands[-1].many
            yield _row(words, f"{place}+" if many else str(place), values)


def _row(command: str, word: str, what: Iterable[str] = (), help: str = "") -> str:  # noqa: A002 - what it is
    return f"{command}|{word}|{' '.join(what)}|{help.replace('|', ', ')}"


def _values_of(option: Parameter) -> Iterable[str]:
    """Return what the value of an option may be."""
    if not option.metavar:
        return ()
    return _OPTIONS.get(option.names[0]) or _BY_METAVAR.get(option.metavar, _UNKNOWN)


def _operands_of(command: Outline) -> list[Iterable[str]]:
    """Return what the other words of a command may be, one after the other."""
    words = " ".join(command.words)
    if words == "help":
        return [_topics()]
    return _OPERANDS.get(words) or [_BY_METAVAR.get(each.metavar, _UNKNOWN) for each in command.operands]


def _topics() -> list[str]:
    """Return what `asimi help` can be asked for."""
    from asimi.doors.cli.help import ALL, pages
    from asimi.doors.cli.program import COMMANDS

    return sorted({ALL, *pages(), *COMMANDS})


class Parameter(NamedTuple):
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
    taken: tuple[Parameter, ...]
    ended: bool
    below: tuple[Outline, ...]

    @property
    def options(self) -> list[Parameter]:
        """Its own options."""
        return [each for each in self.taken if each.names and not each.shared]

    @property
    def operands(self) -> list[Parameter]:
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
        tuple(_parameter_of(each, context) for each in command.get_params(context)),
        not below and not command.allow_interspersed_args,
        tuple(below),
    )


def _parameter_of(parameter: Any, context: typer.Context) -> Parameter:
    """One parameter of click's."""
    option = parameter.param_type_name == "option"
    _, said = parameter.get_help_record(context) or ("", "")
    return Parameter(
        tuple(parameter.opts) if option else (),
        "" if getattr(parameter, "is_flag", False) else parameter.make_metavar(context),
        said.replace("  [required]", ""),
        parameter.multiple if option else parameter.nargs == -1,
        option and parameter.name in {"help", *GLOBAL_NAMES},
    )
