"""Whether a command may take the rest of the text that its shell reads from their common standard input.

A shell that reads its text from its standard input hands that to each command it starts, with the part that it has not
read itself: whole lines, as far as its commands go (POSIX.1-2024, sh, INPUT FILES). So `read x` takes the next line,
`head -c 5` any piece of it, and what the shell runs then is another text than the one that was read here.
"""

from __future__ import annotations

import re

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.reading.arguments import role_of, roles_beside
from asimi.core.reading.fed import STDIN
from asimi.core.syntax.nodes import Pipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.reading.commands import Command
    from asimi.core.syntax.nodes import Redirection, Script

_RUNS = frozenset({"builtin", "command", "eval", "exec"})
"""Builtins that run their arguments, which are commands of their own."""

_GIT = frozenset({"add", "branch", "describe", "diff", "log", "ls-files", "remote", "rev-parse", "show", "status"})
"""Subcommands of git that read no standard input, without the options below (their manuals)."""

_FINDS = frozenset({None, "-ok", "-okdir", "-files0-from"})
"""Primaries with which find reads it (find(1)), or which only bash can know."""

_ASKS = ("--patch", "--interactive", "--edit", "--stdin", "--pathspec-from-file")
"""Options by which these ask or read names."""

_LINE = pattern(r"^[ \t]*+[^#\s]", re.MULTILINE)


def strays(script: Script, commands: Sequence[Command]) -> str | None:
    """Why the shell may run something else than the text says, in words behind its own name; None if it cannot.

    Args:
        script: the text that a shell reads from its standard input.
        commands: what it starts, in texts and substitutions within it too.
    """
    functions = {function.name for function in script.functions}
    ends = [(binding.end, "select") for binding in script.bindings if binding.how == "select"]
    for command in commands:
        if command.possible or command.name in functions:
            continue
        if command.name == "exec" and command.simple is not None and command.simple.input is not None:
            return "goes on with another input, because of `exec`"
        if not _leaves(command):
            simple, here = command.simple, command.where.script
            own = simple is not None and here is not None and here.text is script.text
            ends.append((simple.end if own and simple is not None else 0, command.name or "a command"))
    end, name = min(ends, default=(len(script.text), None))
    _, _, rest = script.text[end:].partition("\n")
    if name is None or not _LINE.search(rest):
        return None
    return (
        f"may run something else than this text, because {name} may take lines of it; `</dev/null` keeps it from that"
    )


def _leaves(command: Command) -> bool:
    """Whether a command is sure to take nothing of its shell's standard input."""
    if command.simple is not None and command.simple.input is not None and _is_other(command.simple.input):
        return True
    row, literals = command.program, command.literals
    if row is None or not all(_is_quiet(literal) for literal in literals[1:]):
        return False
    if "builtin" in row.traits:
        return command.name in _RUNS or row.traits.isdisjoint({"takes", "code"})
    if row.name == "find":
        return _FINDS.isdisjoint(literals)
    if "asks" in row.traits:
        return not any(_is_asking(literal or "", "iI") for literal in literals[1:])
    row, _, _, sure, arguments, *_ = command.levels[-1]
    if row.parent is not None and ("repository" not in row.parent.traits or row.name not in _GIT):
        return False
    if row.parent is not None:
        return not any(_is_asking(literal or "-i", "eip") for literal in literals[1:])
    if "looks" not in row.traits or not sure:
        return False
    operands = [each for each in arguments if each.option is None]
    roles = roles_beside(arguments, row.syntax)
    found = [role_of(roles, number, len(operands)) for number in range(len(operands))]
    plain = [each for each, role in zip(operands, found, strict=True) if role is not None and role.role == "read"]
    none = row.syntax.operands == () or any(role.role == "look" for role in row.syntax.operands)
    return none or any(command.literals[each.at] for each in plain)


def _is_other(source: Redirection | Pipe) -> bool:
    """Whether an input is sure to be another than the shell's own."""
    if isinstance(source, Pipe) or source.heredoc is not None or source.operator == "<<<":
        return True
    name = source.target.literal
    if source.operator not in {"<", "<>"} or not name:
        return False
    return name == "/dev/null" or not name.startswith(("/dev/", "/proc/"))


def _is_quiet(literal: str | None) -> bool:
    """Whether a word names no standard input (`-`, `-f-`, `--file=-`, `/dev/stdin`)."""
    if not literal or literal == "--":
        return True
    named = literal == "-" or (literal[0] == "-" and literal[-1] == "-")
    return not named and literal.rpartition("=")[2] not in STDIN


def _is_asking(literal: str, letters: str) -> bool:
    """Whether a word may be an option that lets a program ask, or read names."""
    if literal.startswith("--"):
        return any(each.startswith(literal.partition("=")[0]) for each in _ASKS)
    return literal.startswith("-") and not set(letters).isdisjoint(literal)
