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

from asimi.core.call import SANDBOX_MODES, Verdict
from asimi.core.programs.effects import WORDS
from asimi.core.startup import TYPE_CHECKING
from asimi.doors.cli.outline import outline
from asimi.doors.hooks import AGENTS
from asimi.tools.declare import FORMS
from asimi.world.config.presets import PRESETS
from asimi.world.permissions import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asimi.doors.cli.outline import Outline, Taken

SHELLS = ("bash", "zsh", "fish")
"""The shells that have a script."""

_UNKNOWN = ("-",)
_BY_METAVAR = {"FILE": ("@files",), "DIR": ("@directories",)}
_OPTIONS: dict[str, Iterable[str]] = {
    "--agent": AGENTS,
    "--decision": [verdict.word for verdict in Verdict],
    "--effects": WORDS,
    "--format": [*FORMS, "prompt"],
    "--host": ("@hosts",),
    "--preset": PRESETS,
    "--sandbox": SANDBOX_MODES[1:],
}
_OPERANDS: dict[str, list[Iterable[str]]] = {
    "approve": [("@questions",)],
    "completion": [SHELLS],
    "exec": [("@commands",), ("@files",)],
    "explain": [("@commands",)],
    "hook doctor": [AGENTS],
    "hook install": [AGENTS],
    "hook uninstall": [AGENTS],
    "jobs kill": [("@jobs",)],
    "jobs log": [("@jobs",)],
    "policy export": [NAMES],
    "policy import": [[*NAMES, "@files"]],
    "programs check": [("@files",)],
    "programs confirm": [("@files",)],
    "wrap": [("@commands",), ("@files",)],
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


def _values_of(option: Taken) -> Iterable[str]:
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
    from asimi.doors.cli.help import pages
    from asimi.doors.cli.program import COMMANDS

    return sorted({*pages(), *COMMANDS})
