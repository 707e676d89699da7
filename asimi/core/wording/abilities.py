"""What programs can do beside their effects, in words a person can weigh; a help for the eye, never a reason to allow.

The catalogue knows some hundreds of programs by name, subcommand and option; it is judged by the words alone.
"""

from __future__ import annotations

from functools import cache

from asimi.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.programs.program import Program

ABILITIES = {
    "disk": ("write", "can overwrite whole disks"),
    "machine": ("system", "stops or restarts the machine"),
    "fetched": ("code", "may run what it downloads"),
    "root": ("system", "acts as another user"),
    "deletes": ("delete", "deletes files"),
    "discards": ("delete", "throws away changes"),
    "history": ("delete", "rewrites published history"),
    "secrets": ("read", "touches credentials"),
    "accounts": ("system", "changes accounts or passwords"),
    "firewall": ("system", "changes the network's rules"),
    "data": ("delete", "can change or delete data in a service"),
    "publishes": ("publish", "publishes"),
    "permissions": ("write", "changes permissions or owners"),
    "ends": ("system", "ends processes"),
    "services": ("system", "starts or stops services"),
    "later": ("system", "makes something run later"),
    "remote": ("network", "acts on other machines"),
    "containers": ("system", "acts on containers"),
    "installs": ("system", "installs software, which runs its code"),
    "code": ("code", "runs code that is not shown"),
    "input": ("code", "runs the code that it reads from its input"),
    "given": ("code", "runs the code in its arguments"),
    "network": ("network", "uses the network"),
    "writes": ("write", "writes files"),
    "repository": ("write", "changes the repository"),
    "waits": ("none", "waits"),
    "reads": ("read", "reads and shows"),
}
"""Each ability: the effect that it is a kind of, and the words; the worst first, as they are shown."""

PLAIN = frozenset({"deletes", "publishes", "network", "writes", "reads", "waits"})
"""Abilities that say no more than an effect does."""

CODE = ("fetched", "code", "input", "given")
"""Abilities that are about where code comes from, the worst first; the others of a command say less."""

COVERED = {"installs": frozenset({"write", "delete", "code"}), "permissions": frozenset({"write"})}
"""Effects that go without saying beside an ability."""

ELSEWHERE = frozenset({"remote", "containers"})
"""Abilities of programs whose commands run where this machine's paths mean nothing."""

HARMLESS = frozenset({"waits", "reads"})
"""Abilities that nobody needs to be told of beside others."""


def able(program: Program, arguments: Sequence[str | None]) -> list[str]:
    """What one command can do, the worst first; of an entry with a program alone and one with arguments, both count."""
    found = {
        ability if ability != "code" or wanted else _source(program, arguments)
        for ability, entries in abilities(program)
        for wanted in entries
        if all(any(_is(argument, one) for argument in arguments) for one in wanted)
    }
    return [ability for ability in ABILITIES if ability in found]


def _source(program: Program, arguments: Sequence[str | None]) -> str:
    """Where the code that a program always runs comes from: `given` by an argument, `input`, else `code`, a file."""
    if program.name == "eval":
        return "given"
    if not program.shell and program.traits.isdisjoint({"code", "interprets"}):
        return "code"
    syntax = program.syntax
    texts = {"-c"} if program.shell else {option for operand in syntax.operands for option in operand.unless} - {"-m"}
    value = False  # whether the next word belongs to an option
    for argument in arguments:
        if value:
            value = False
        elif argument is None or argument[:2] == "-m" or not argument.startswith("-"):
            return "code"
        elif argument == "-" or (program.shell and argument == "-s"):
            return "input"
        elif any(_is(argument, option) for option in texts):
            return "given"
        else:
            value = argument in syntax.options and syntax.options[argument].value == "="
    return "input"


def _is(argument: str | None, wanted: str) -> bool:
    """Whether an argument is what the table names: a word, an option, a letter of bundled options, a beginning."""
    if argument is None:
        return False
    if wanted.startswith("--") and len(wanted) > 2:
        return argument == wanted or argument.startswith(wanted + "=")
    if wanted.startswith("-") and len(wanted) == 2 and wanted != "--":
        return argument.startswith("-") and not argument.startswith("--") and wanted[1] in argument
    if "*" in wanted:
        begin, _, end = wanted.partition("*")
        return argument.startswith(begin) and end.replace("*", "") in argument
    return argument == wanted


@cache
def abilities(program: Program) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """What a program can do: each ability with the words that must be among the arguments, none for all of it."""
    found = []
    for each in program.can.split("; ") if program.can else ():
        ability, _, entries = each.partition(": ")
        found.append((ability, tuple(tuple(entry.split()) for entry in entries.split(", ")) if entries else ((),)))
    return tuple(found)
