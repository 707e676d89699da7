"""The program as Typer knows it: its commands by name, and what is wrong with a command line."""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

from asimi.compose import Options
from asimi.core.extras import BROUGHT, MissingExtraError, is_installed, load
from asimi.doors.cli.base import (
    CONTEXT,
    Command,
    FormCommand,
    Group,
    MissingExtra,
    UsageError,
    first_sentence,
    global_options,
    write_options,
)
from asimi.doors.cli.forms import COMMAND, FORMS, Wrong, run_form
from asimi.doors.cli.printing import quote_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from asimi.doors.cli.base import Call

NOTHING_DONE = 126
"""The exit code of `asimi init` where its person left."""

NEAR = 0.6
"""How alike two names must be for one to be a misspelling of the other; 1 is the same (`difflib`)."""

WORDS = {"valid int range": "whole number", "valid float": "number"}
"""What click calls a kind of value, and what people call it."""

HEADINGS = {
    "Set up": "init config hook trust untrust doctor team completion uninstall",
    "Decide": "check programs explain policy relax task approve watch session relay",
    "Run": "wrap box outside run exec serve mcp acp shell executor tools",
    "Look up": "log undo jobs help",
}
"""The commands under their headings in the help."""

COMMANDS = {name: heading for heading, names in HEADINGS.items() for name in names.split()}
"""The heading of each command. What is not a form is an application of its name in the module of that name."""

DAILY = "init wrap check policy watch log undo doctor"
"""The commands that most people need, which are all that the help shows."""

HIDDEN = {"self-test"}
"""Other names of commands, which no list shows."""

ELSEWHERE = {"watch": ("approve", "watch"), "help": ("help", "help_"), "policy import": (COMMAND, "import_")}
"""The modules and applications of commands where these have other names."""

ABOUT = """The gate between AI agents and your shell.

asimi reads a command as bash would, judges every part of it by your rules, asks you where they do not decide, runs it,
and logs what happened.
"""

EXAMPLES = """\
Examples:
  asimi wrap claude                      run an agent in a box
  asimi run "git status && npm test"     judge it, ask if needed, run it
  asimi exec -- python3 build.py --fast  a program and arguments, no shell
  asimi check "git push --force"         show the verdict and why; run nothing
  asimi policy add "npm test"            allow it from now on
  agent | asimi                          tool calls in, JSON answers out
"""


class Program(TyperGroup):
    """asimi's commands; only the one that is called is imported.

    Args:
        given: filled with the global options while they are read.
        call: does what the command of a form is for.
    """

    def __init__(self, given: dict[str, Any], call: Call = run_form) -> None:
        self.called, self._call = False, call
        super().__init__(
            name="asimi",
            help=ABOUT,
            params=list(global_options()),
            commands={name: Command(name) for name in COMMANDS},  # for "did you mean" alone; see get_command
            callback=lambda: None if self.called else _bare(Options(**given)),
            invoke_without_command=True,
            context_settings=CONTEXT,
            rich_markup_mode=None,
        )

    def list_commands(self, ctx: Any) -> list[str]:
        """Return their names, in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of them, with the global options added."""
        del ctx
        if cmd_name not in {*COMMANDS, *HIDDEN}:
            return None
        self.called = True
        return self._make(cmd_name)

    def _make(self, words: str) -> Any:
        """Return a command by its words, with the global options; of an extra that is missing, one that says so."""
        command = self._bare(words)
        for below in FORMS:
            if below.startswith(f"{words} "):
                command.add_command(FormCommand(below, self._call))
        for each in _all(command):
            each.params.extend(global_options())
        if isinstance(command, Group):
            command.later = {last: partial(self._make, below) for below in BROUGHT for last in _in(words, below)}
            command.commands.update({last: Command(last) for last in command.later})  # as this program's own
        return command

    def _bare(self, words: str) -> Any:
        """Return a command without these options, and without what is no part of its module."""
        try:
            if words in FORMS:
                return FormCommand(words, self._call)
            module, name = ELSEWHERE.get(words, (words, words.rpartition(" ")[2]))
            home = load(extra, COMMAND) if (extra := BROUGHT.get(words)) else import_module(f"asimi.doors.cli.{module}")
        except MissingExtraError as error:
            return MissingExtra(words, error)
        command: Any = typer.main.get_command(getattr(home, name))
        command.name = words.rpartition(" ")[2]
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called.

        Raises:
            UsageError: there is none of that name; if it looks like a shell command, the message shows how to run it.
        """
        try:
            return super().resolve_command(ctx, args)
        except UsageError:
            from difflib import get_close_matches

            if get_close_matches(args[0], COMMANDS, 1, NEAR) or not _is_shell_text(args[0]):
                raise
            meant = quote_words(["asimi", "run", args[0] if len(args) == 1 else quote_words(args)])
            raise UsageError(f"asimi has no command {args[0]!r}. To run it behind the gate:\n  {meant}", ctx) from None

    def _main_shell_completion(self, *_: Any, **__: Any) -> None:
        """Do not complete words as click does where a variable says so: `completing` knows how, and starts nothing."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The commands that most people need, then the options."""
        self.list_under({"Commands": DAILY}, ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text("`asimi help commands` lists all commands, `asimi help` the pages of the documentation.")
        write_options(self, ctx, formatter)

    def list_under(self, headings: Mapping[str, str], ctx: Any, formatter: Any) -> None:
        """List commands under their headings, each with what it does."""
        for heading, names in headings.items():
            with formatter.section(heading):
                formatter.write_dl([(name, first_sentence(self, ctx, name)) for name in names.split()])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The examples, with their line breaks."""
        del ctx
        formatter.write(f"\n{EXAMPLES}")


def main(arguments: list[str]) -> int:
    """Run the command line; returns the exit code.

    Raises:
        Exception: whatever goes wrong but the usage, which is told here.
    """
    given: dict[str, Any] = {}
    try:
        code = Program(given).main(args=arguments, prog_name="asimi", standalone_mode=False, obj=given)
    except UsageError as error:
        for theirs, ours in WORDS.items():
            error.message = error.message.replace(theirs, ours)  # type: ignore[attr-defined]
        error.show()  # type: ignore[attr-defined]  # click's own, to which typer gives no public name
        return 2
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _bare(options: Options) -> int:
    """Run `asimi` without a command: a session at a terminal, an answered stream in a pipe.

    Raises:
        UsageError: standard input is neither a stream of calls nor a person's terminal.
    """
    import sys

    from asimi.doors.cli.printing import is_terminal

    if sys.stdin is None:
        raise UsageError("Standard input is closed; pipe tool calls into asimi, or give a command (asimi --help).")
    if is_terminal(0) and is_terminal(1):
        if _is_new(options) and (code := run_form("init", options, {})) != NOTHING_DONE:
            return code
        if is_installed("shell"):
            return run_form("shell", options, {})
    if is_terminal(0):
        raise UsageError("Give a command (asimi --help), or pipe tool calls into asimi.")
    from asimi.doors.cli.services import serve

    try:
        return serve(options)
    except Wrong as error:
        raise UsageError(str(error)) from None


def _is_new(options: Options) -> bool:
    """Return whether the person at the terminal has no configuration yet and can be asked for one."""
    from asimi.compose import may_ask
    from asimi.compose.asking import at_a_terminal
    from asimi.compose.configuration import configuration_of

    return may_ask(options) and at_a_terminal() and not os.path.lexists(configuration_of(options).file)


def _is_shell_text(word: str) -> bool:
    """Return whether a word that is not a command of asimi's is for a shell: more than a name, or a program's name."""
    from shutil import which

    return not word.startswith("-") and (any(each in word for each in " \n;|&$<>") or which(word) is not None)


def _in(group: str, words: str) -> list[str]:
    """Return the name of a command in a group; none where it is in another."""
    above, _, last = words.rpartition(" ")
    return [last] if above == group else []


def _all(command: Any) -> Iterator[Any]:
    """Yield a command and, for a group, the commands in it."""
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from _all(each)
