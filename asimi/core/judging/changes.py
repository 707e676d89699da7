"""What a command does to the files that its words name, as far as the catalogue tells."""

from __future__ import annotations

import os.path

from asimi.core.lean import TYPE_CHECKING
from asimi.core.programs import find
from asimi.core.programs.program import UNKNOWN
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, cut, role_of, roles_beside, turned
from asimi.core.reading.touches import OF_CHANGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.programs.program import Program
    from asimi.core.reading import Command
    from asimi.core.reading.arguments import Argument

WRITING_OPTIONS = ("-delete", "-fprint", "-fls", "-exec", "-ok", "-x", "-X", "--exec")
"""Options by which `find` and `fd` do more than to look."""

READ = frozenset({"read", "data"})
"""Roles of words that nothing happens to."""

TEXT = frozenset("AWK CLOCK DOCUMENT LESS REMOTE RESOURCE SED SSHARGUMENT TMUX UNIT VARIABLE".split())
"""Readers of operands that are no files, or are only read; paths in a program's text are looked for in the text."""

LINKS = frozenset({"-l", "--link", "-s", "--symbolic-link"})
"""Options with which a copy is the file itself under another name."""

RECORDS = frozenset({("git", "add"), ("git", "commit")})
"""Subcommands that take down what is in files, and leave these as they are."""


def is_fed(commands: Sequence[Command]) -> bool:
    """Whether names of files that come from an input are taken by a command that writes or removes them."""
    takes = [command for command in commands if _has(command.via, "takes") or _has(command.name, "takes")]
    if not takes:
        return False
    started = [command for command in takes if _has(command.via, "takes")]
    return any(map(writes, commands)) or not all(command.has("looks") for command in started)


def moves(command: Command) -> bool:
    """Whether naming a directory above a file is as good as naming the file."""
    program = command.program
    if program is not None and program.syntax.commands:
        return any((word.literal or "").startswith(WRITING_OPTIONS) for word in command.words) and not (
            program.name == "find" and _only_shows(command)
        )
    if program is None or "moves" not in program.traits:
        return False
    return "looks" not in command.levels[-1].row.traits


def _only_shows(command: Command) -> bool:
    """Whether all that `find` does is to start programs that change nothing."""
    words = [word.literal or "" for word in command.words]
    places = [index for index, word in enumerate(words) if word.startswith(WRITING_OPTIONS)]
    return all(
        words[index] in {"-exec", "-execdir"} and words[index + 1 : index + 2] and _has(words[index + 1], "looks")
        for index in places
    )


def writes(command: Command) -> bool:
    """Whether a command writes or removes what its words name."""
    program = command.program
    in_place = None if program is None else program.syntax.options.get("-i")
    if in_place is not None and in_place.does == "writes":
        words = [word.literal or word.head for word in command.words[1:]]
        return any(word.startswith("--i") or (word[:1] == "-" and "i" in word[:8]) for word in words)
    return moves(command) if command.has("moves") else command.has("writes")


def _has(name: str | None, trait: str) -> bool:
    """Whether something is said of the program of a name as a whole."""
    program = None if name is None else find(os.path.basename(name))
    return program is not None and trait in program.traits


def read_only(command: Command) -> frozenset[int]:
    """The indices of the words that name nothing which the command changes, as far as that is proved.

    What a shell or a wrapper starts is a command of its own, so its words prove nothing of that.
    """
    program, every = command.program, frozenset(range(1, len(command.words)))
    if program is None or command.has("mounts"):
        return frozenset()
    if "builtin" in program.traits and program.name != "history":
        return every if program.name != "set" else frozenset()  # what it sets, any later word may be
    if program.shell:
        return every - _positional(command, program)
    row, _, _, sure, arguments, *_ = command.levels[-1]
    if row.starts is not None:
        return every - _written(row, arguments)
    if command.escapes or not sure:
        return frozenset()
    described = row.options or not any(each.option is UNKNOWN for each in arguments)
    if described and _changes_nothing(program, row):
        return every
    if moves(command) and "doubles" not in program.traits:
        return frozenset()
    return every if program.syntax.commands else _by_role(row, arguments)


def _changes_nothing(program: Program, row: Program) -> bool:
    """Whether a row changes nothing that its words name."""
    if row is not program:
        return "looks" in row.traits or (row.parent is program and (program.name, row.name) in RECORDS)
    return "looks" in row.traits


def _by_role(row: Program, arguments: Sequence[Argument]) -> frozenset[int]:
    """The indices of the words whose role is that they are read."""
    if any(each.option in {COMPUTED, UNKNOWN} for each in arguments):
        return frozenset()
    named = {name for each in arguments if each.option is not None for name in each.option.names}
    if "--parents" in named or ("doubles" in row.traits and not named.isdisjoint(LINKS)):
        return frozenset()  # a copy takes the directories of its name with it, or is the file itself
    if turned(arguments) in OF_CHANGES or any(name.startswith("--fix") for name in named):
        return frozenset()
    roles = roles_beside(arguments, row.syntax)
    operands = [each.at for each in arguments if each.option is None]
    proved = READ - {"data"} if "code" in (row.effects or ()) else READ  # what a script is given may name a file
    found = set()
    for number, index in enumerate(operands):
        role = role_of(roles, number, len(operands))
        if role is not None and (role.role in proved or role.role in TEXT):
            found.add(index)
    for argument in arguments:
        if argument.option is not None and argument.option is not SEPARATOR and argument.option.reader in READ:
            found.add(argument.value_at)
    return frozenset(found)


def _written(row: Program, arguments: Sequence[Argument]) -> frozenset[int]:
    """The indices of the words by which a wrapper is told what to write itself: `strace -o FILE`, `script FILE`."""
    values = [each for each in arguments if each.option is not None and each.value is not None]
    found = {each.value_at for each in values if each.option.does == "writes" or each.option.reader == "write"}  # type: ignore[union-attr]
    operands = [each.at for each in arguments if each.option is None]
    return frozenset(found.union(operands[: row.starts.operands if row.starts is not None else 0]))


def _positional(command: Command, program: Program) -> frozenset[int]:
    """The indices of the words that a text for a shell gets as its parameters, and may write to."""
    arguments = list(cut(command.words, program.syntax))
    text = next((each for each in arguments if each.option is not None and "-c" in each.option.names), None)
    if text is None:
        return frozenset()
    return frozenset([each.at for each in arguments if each.option is None][text.value is None :])
