"""What one command does: its effects, as far as the catalogue and its literal words tell.

They are those of the row that the command chooses, with what its options and operands add. An option may also take
their place (`--dry-run`). What is not known of any word that could decide makes all of it unknown. What the command
starts, and what is written by redirections, is not among them.
"""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING
from asimi.core.programs.effects import broad, covers
from asimi.core.programs.program import OF_ROLES, UNKNOWN
from asimi.core.reading.arguments import COMPUTED, role_of, roles_beside
from asimi.core.reading.values import asks_only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.programs.program import Program, Syntax
    from asimi.core.reading.arguments import Argument, Level
    from asimi.core.reading.commands import Command
    from asimi.core.syntax.nodes import Word

INFORMS = frozenset({"--help", "--version"})
"""Options with which a program says something about itself, if it is given nothing else."""

ESCAPES = frozenset({"runs", "writes"})
"""Groups of options whose effects are those of an escape; in a command that only may start, none was looked for."""

READ, WRITE = frozenset({"read"}), frozenset({"write"})

SILENT = frozenset({(":",), ("true",), ("false",), ("cat", "/dev/null"), ("echo", "-n"), ("printf", "")})
"""Commands that print nothing: what their output is sent to is emptied."""

NO_FILE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})
"""Targets of a redirection that empty nothing."""

CHANGES = frozenset({"delete", "publish"})
"""The effects of a text on a database that are not those of asking it."""

QUERIES = frozenset({"MYSQL", "PSQL", "SQLITE"})
"""The readers of such texts."""

REACHES = frozenset({"network", "publish"})
"""What an operand on another machine adds: it is read or written there."""


def effects_of(command: Command) -> frozenset[str] | None:
    """The effects of a command that was read (`asimi.core.programs.effects.EFFECTS`); None where they are not known."""
    kinds = kinds_of(command)
    return None if kinds is None else broad(kinds)


def kinds_of(command: Command) -> frozenset[str] | None:
    """The same, finer: of an effect, its kind where that is known (`asimi.core.programs.effects.WORDS`)."""
    if command.program is None or any(escape.kinds is None for escape in command.escapes):
        return None
    found: frozenset[str] = frozenset().union(*(escape.kinds for escape in command.escapes if escape.kinds))
    if _empties(command):
        found |= {"delete"}
    row, start, _, _, arguments, *_ = command.levels[-1]
    if start == len(command.words) - 1 and _informs(command):
        return found
    instead: frozenset[str] | None = None
    taken_back = False
    for level in command.levels:
        if not level.sure or not _are_known(command, level):
            return None
        for argument in level.arguments:
            option = argument.option
            if option is None or (option.does in ESCAPES and not command.possible):
                continue
            if option.reader in OF_ROLES and argument.value is not None:
                found |= {OF_ROLES[option.reader]}
            if option.instead:
                instead = option.kinds | (instead or frozenset())
            else:
                found |= option.kinds
        taken_back |= any(_takes_back(argument, level.row.syntax) for argument in level.arguments)
    if instead is not None:
        return None if taken_back else found | instead
    operands = _of_operands(command.words, arguments, row)
    if row.kinds is None or operands is None:
        return None
    if command.inline is not None and command.inline.reads and command.seen.unshadowed:
        return found | READ | (WRITE if command.inline.writes else frozenset())
    if command.seen.branch:
        return found | {"write.repository"}
    asks = _only_asks(command.words, arguments, row)
    does = frozenset(each for each in row.kinds if not covers(CHANGES, each)) if asks else row.kinds
    found |= does | (operands - broad(does)) | _elsewhere(command.words, arguments, row)  # a role is no other kind
    return found - {"code"} | {source_of(command)} if "code" in found else found


def source_of(command: Command) -> str:
    """Where the code that a program runs comes from: its arguments, its input, else a file (`code`)."""
    program, arguments = command.program, command.literals[1:]
    if program is None or (not program.shell and program.traits.isdisjoint({"code", "interprets"})):
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
            return "code.input"
        elif any(_is(argument, option) for option in texts):
            return "code.given"
        else:
            value = argument in syntax.options and syntax.options[argument].value == "="
    return "code.input"


def _is(argument: str, option: str) -> bool:
    """Whether an argument is an option, or begins with it, or has its letter among others."""
    if option[:2] == "--":
        return argument == option or argument.startswith(option + "=")
    return argument[:2] != "--" and option[1:2] in argument


def _only_asks(words: Sequence[Word], arguments: Sequence[Argument], row: Program) -> bool:
    """Whether all that a database is given are literal texts that change nothing in it."""
    if "queries" not in row.traits:
        return False
    roles = roles_beside(arguments, row.syntax)
    operands = [each.at for each in arguments if each.option is None or each.option is COMPUTED]
    given = {at: role_of(roles, number, len(operands)) for number, at in enumerate(operands)}
    texts = [(role.role, words[at]) for at, role in given.items() if role is not None]
    last = bool(texts) and texts[-1][0] in QUERIES  # so its standard input is no text
    for each in arguments:
        if each.option is not None and each.option.reader in QUERIES and each.value is not None:
            texts.append((each.option.reader, each.value))
            last = last or each.option.reader != "SQLITE"
    found = [(reader, word.literal) for reader, word in texts if reader in QUERIES]
    return last and all(text is not None and asks_only(reader, text) for reader, text in found)


def _empties(command: Command) -> bool:
    """Whether a command does nothing but to empty a file: `: > FILE`."""
    if command.simple is None or command.literals not in SILENT:
        return False
    emptying = (each for each in command.simple.redirections if each.operator in {">", ">|", "&>"})
    return any(each.target.literal not in NO_FILE for each in emptying)


def _elsewhere(words: Sequence[Word], arguments: Sequence[Argument], row: Program) -> frozenset[str]:
    """What an operand adds that is on another machine, or may be, as far as it is literal (rsync(1))."""
    if "reaches" not in row.traits:
        return frozenset()
    operands = [words[each.at] for each in arguments if each.option is None or each.option is COMPUTED]
    here = all("/" in each.head.partition(":")[0] or (each.literal or ":").find(":") < 0 for each in operands)
    return frozenset() if here else REACHES


def _informs(command: Command) -> bool:
    """Whether the one word behind a program, or behind a subcommand that it lists, is such an option by any name."""
    row, start, _, _, arguments, *_ = command.levels[-1]
    if row.effects is None or len(command.words) != len(command.levels) + 1:
        return False
    if any("obeys" in level.row.traits for level in command.levels):
        return False
    if row.parent is not None and row.parent.others is row:  # a name that the text chooses
        return False
    option = arguments[0].option if len(arguments) == 1 else None
    return option is not None and not INFORMS.isdisjoint({command.words[start].literal, *option.names})


def _takes_back(argument: Argument, syntax: Syntax) -> bool:
    """Whether it may say that an option does not hold: `--dry-run=false`, or `--no-simulate` where that is made up."""
    option, text = argument.option, argument.text
    if option is None:
        return False
    denied = text[:5] == "--no-" and option.names == (text,) and text not in syntax.options
    return denied or (option.instead and not option.value and argument.value is not None)


def _are_known(command: Command, level: Level) -> bool:
    """Whether no argument can be an option that is not known, or, unknown to us, one that decides."""
    row, first, end, _, arguments, *_ = level
    if any(each.option is UNKNOWN for each in arguments):
        return False
    if not row.syntax.decides:
        return True
    ends, operands = row.syntax.ends, [each for each in arguments if each.option is None]
    if row.syntax.assigns:
        operands = [each for each in operands if "=" not in each.text]
    if 0 < ends <= len(operands):  # what is behind belongs to what it starts
        end = operands[ends - 1].at + 1
    split = any(map(command.may_split, command.words[first:end]))
    return not split and all(each.option is not COMPUTED for each in arguments)


def _of_operands(words: Sequence[Word], arguments: Sequence[Argument], row: Program) -> frozenset[str] | None:
    """What the operands of a row add; None where one has no role. Behind a wrapper they are another command."""
    if row.starts is not None:
        return frozenset()
    roles = roles_beside(arguments, row.syntax)
    operands = [each for each in arguments if each.option is None or each.option is COMPUTED]
    if roles and roles[0].role == "end":  # `%1` is a job of the shell that runs the text (bash manual, Job Control)
        operands = [each for each in operands if (words[each.at].literal or "")[:1] != "%"]
    if any(words[each.at].literal is None and not words[each.at].single for each in operands):  # any number of words
        return frozenset(OF_ROLES[role.role] for role in roles if role.role in OF_ROLES) if roles else None
    found = [role_of(roles, number, len(operands)) for number in range(len(operands))]
    if any(role is None for role in found):
        return None
    return frozenset(OF_ROLES[role.role] for role in found if role is not None and role.role in OF_ROLES)
