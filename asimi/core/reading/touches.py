"""Which words of a command name files, and what becomes of these, as far as the catalogue tells."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING, NamedTuple, pattern
from asimi.core.programs.program import UNKNOWN
from asimi.core.reading.arguments import COMPUTED, Argument, role_of, roles_beside, turned
from asimi.core.reading.effects import effects_of
from asimi.core.reading.trees import NOTHING, Tree, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.programs.program import Program
    from asimi.core.reading.arguments import Level
    from asimi.core.reading.commands import Command

HERE = 0
"""Stands for the directory that a command runs in, in place of the index of a word."""

OF_WRITES = frozenset({"write", "delete"})
"""Effects of what changes files."""

OF_CHANGES = frozenset({"write", "delete", "move"})
"""Roles of files that are changed."""

FILES = {
    "ARCHIVE": "",
    "LESS": "read",
    "PLUS": "",
    "NOWHERE": "write",
    "DUCKDBFILE": "",
    "BUILT": "write",
    "LISTED": "",
    "REPORT": "write",
    "CODE": "read",
}
"""Readers of values that are files, and what becomes of these; empty where the other words decide."""

TURNED = frozenset({"data", "look", "read", "write", "delete", "move"})
"""Roles that an option may replace by another one (`perl -i`: what would be data are files)."""

NONE = frozenset({"data", "new", "set"})
"""Roles of what is no file."""

_PATCHES = frozenset(
    "-p -U -L -W -c --cc -m --binary --color-words --word-diff --patch-with-raw --patch-with-stat --remerge-diff "
    "--diff-merges --dd".split()
)
SHOWS = {
    **dict.fromkeys("archive blame cat-file config create diff fast-export format-patch range-diff show".split()),
    **dict.fromkeys("diff-files diff-index diff-tree list log reflog rev-list whatchanged".split(), _PATCHES),
}
"""Subcommands of git that show files as they were, with the options of which one makes them do so, or None."""

_TELLS = {
    "show": frozenset("--stat --numstat --shortstat --name-only --name-status".split()),
    "cat-file": frozenset({"-t", "-s", "-e"}),
}
"""Options of these with which, if no other one is given, they say something of files and show none."""

_MAGIC = pattern(r":(?:\([^)]*\)|[0-3]:|[/!^]+:?|:)?")
_EXCLUDES = pattern(r"[!^]|\bexclude\b")
_URL = pattern(r"(?i:file)://(?:localhost(?=/))?")
_MARKED = pattern(r"(?:^|=)(?:@|<)|(?<=[A-Za-z])@|^['\"]@")


class Touch(NamedTuple):
    """A word that names a file, or may.

    Attributes:
        word: its index, or `HERE`.
        start: how many characters of it are before the path: an option and its `=`.
        how: its role (`asimi.core.programs.program.ROLES`); `repository` for what version control keeps of a directory,
            `kept` for a file that it shows; empty where it is not known whether it is read or written, or a file at
            all.
        option: whether it is the value of an option.
    """

    word: int
    start: int
    how: str
    option: bool = False


def touches(command: Command) -> list[Touch]:
    """The words of a command that name files, in no order; what it starts is a command of its own."""
    return reach_of(command)[0]


def reach_of(command: Command) -> tuple[list[Touch], Tree]:
    """The words of a command that name files, and what it does to directories besides."""
    if command.program is None:
        return [each for index in range(1, len(command.words)) for each in _of_any(command, index)], NOTHING
    levels = command.levels
    row, arguments = levels[-1].row, levels[-1].arguments
    given: set[str] = set()
    instead = False
    found: list[Touch] = []
    for level in levels:
        for argument in level.arguments:
            if argument.option is not None:
                instead |= argument.option.instead
                given.update(argument.option.names)
            found.extend(_of_option(command, argument))
    operands = any(each.option is None for each in arguments)
    tree = tree_of([level.row for level in levels], given, operands=operands)
    found.extend(_of_operands(command, row, arguments))
    found.extend(_of_revisions(command, row, arguments))
    unnamed = _writes_unnamed(command, levels, found)
    if any(not each.how for each in found):
        found = list(_decided(found, arguments, effects_of(command)))
    if instead and not OF_WRITES & (effects_of(command) or OF_WRITES):  # it only says what it would do
        return [each._replace(how="read") if each.how in OF_CHANGES else each for each in found], NOTHING
    if tree.here and not (tree.alone and any(_is_like(each.how, tree.here) for each in found)):
        found.append(Touch(HERE, 0, tree.here))
    elif not tree.here and unnamed:
        found.append(Touch(HERE, 0, "write"))
        tree = tree._replace(somewhere=True)
    if tree.takes and not any(each.how == "read" for each in found):  # all that is here: `git stash -a`
        found.append(Touch(HERE, 0, "read"))
    return found, tree


def _of_any(command: Command, index: int) -> Iterator[Touch]:
    """What a word of a program that nobody knows may name: all of it, or what is behind an option or a mark in it."""
    head = command.written(command.words[index])
    yield Touch(index, 0, "")
    if "=" in head:
        yield Touch(index, head.index("=") + 1, "")
    if head[:1] == "@":
        yield Touch(index, 1, "")
    elif head[:1] == "-" and head[1:2].isalpha() and len(head) > 2:
        yield Touch(index, 2, "")


def _writes_unnamed(command: Command, levels: Sequence[Level], found: Sequence[Touch]) -> bool:
    """Whether a command writes files of which none is in its words: it writes where it runs, as far as is known."""
    row = levels[-1].row
    given = (each.option.effects for level in levels for each in level.arguments if each.option is not None)
    if "write" not in (row.effects or ()) and not any("write" in each for each in given):
        return False
    listed = any(role.role == "LISTED" for role in row.syntax.operands)  # what compilers read
    named = any(each.how in OF_CHANGES or each.how == "repository" or not (each.how or listed) for each in found)
    return not named and "write" in (effects_of(command) or ())


def _decided(found: list[Touch], arguments: Sequence[Argument], effects: frozenset[str] | None) -> Iterator[Touch]:
    """The touches with what becomes of a file of which only the other words tell, such as an archive.

    Of a command that writes it is read and written, unless it writes what is in the file (`tar -x`).
    """
    writes = effects is not None and "write" in effects and turned(arguments) != "write"
    for each in found:
        if each.how or effects is None:
            yield each
        else:
            yield each._replace(how="read")
            if writes:
                yield each._replace(how="write")


def _is_like(how: str, here: str) -> bool:
    """Whether a word names the file to which a command does what it would otherwise do to the directory it runs in."""
    return how == here or (here in OF_CHANGES and how in OF_CHANGES)


def _of_option(command: Command, argument: Argument) -> Iterator[Touch]:
    """The file that the value of an option is, if it is one."""
    option = argument.option
    if option is None or not option.names:  # what is computed is looked at as an operand
        return
    if option is UNKNOWN:
        text = command.written(command.words[argument.at])
        yield Touch(argument.at, text.find("=") + 1, "")
        return
    role = FILES.get(option.reader, option.reader)
    if option.reader == "FLAG":
        text = command.written(command.words[argument.at])
        yield from [Touch(argument.at, text.index("=") + 1, "write", option=True)] if "=" in text else ()
        return
    if argument.value is None or role in NONE or role.isupper():
        return
    if not option.reader and option.does == "writes":
        role = "write"
    elif not option.reader:
        yield from _of_value(command, argument)
        return
    attached = argument.value_at == argument.at
    text = command.written(command.words[argument.at])
    start = len(text) - len(argument.value.head) if attached and argument.value.literal is not None else 0
    if attached and argument.value.literal is None:
        start = len(argument.text) + text[len(argument.text) :].startswith("=")
    yield Touch(argument.value_at, start, role, option=True)


def _of_value(command: Command, argument: Argument) -> Iterator[Touch]:
    """The file that a value names by `@FILE`, `NAME=@FILE` or `NAME=<FILE`, as curl(1), gh(1) and others read it."""
    text = command.written(command.words[argument.value_at])
    marked = _MARKED.search(text, 0 if argument.value_at != argument.at else len(argument.text))
    if marked is not None:
        yield Touch(argument.value_at, marked.end(), "read", option=True)


def _of_operands(command: Command, row: Program, arguments: Sequence[Argument]) -> Iterator[Touch]:
    """The files that operands are; of a wrapper, those before the command that it starts."""
    roles = roles_beside(arguments, row.syntax)
    operands = [each for each in arguments if each.option is None or each.option is COMPUTED]
    if row.starts is not None:
        operands = operands[: row.starts.operands] if roles else []
    instead = turned(arguments)
    several = any(map(command.may_split, (command.words[each.at] for each in operands)))
    for number, each in enumerate(operands):
        if command.has("repository") and not paths_in(each.text):
            continue
        for role in dict.fromkeys(roles if several else [role_of(roles, number, len(operands))]):
            how = "" if role is None else FILES.get(role.role, role.role)
            if how in TURNED:
                how = instead or how
            if how == "data" and "named" in row.traits and ("/" in each.text or command.words[each.at].literal is None):
                yield Touch(each.at, 0, "read")
            elif how in NONE or how.isupper():
                url = _URL.match(each.text)
                if url is not None:
                    yield Touch(each.at, url.end(), "read")
            else:
                yield Touch(each.at, 0, how)


def _of_revisions(command: Command, row: Program, arguments: Sequence[Argument]) -> Iterator[Touch]:
    """The files that git shows as they were: `git show HEAD:FILE`, `git log -p -- FILE`.

    A word may be a revision with a path (gitrevisions(7): `REV:PATH`, `:N:PATH`), or a pathspec with magic
    (gitglossary(7): `:(top)PATH`, `:/PATH`); where only git can tell which, it counts as each. What a pathspec takes
    out (`:!PATH`, `:(exclude)PATH`) is not shown.
    """
    given = {name for each in arguments if each.option is not None for name in each.option.names} - {"--"}
    shows = next((word for word in command.literals if word in SHOWS), None)
    if not command.has("repository") or shows is None or row.name == "status":
        return
    options = SHOWS[shows]
    tells = _TELLS.get(shows, frozenset[str]())
    if (given and given <= tells) if options is None else options.isdisjoint(given):
        return
    for each in arguments:
        if each.option is None and shows != "config":
            yield from (Touch(each.at, start, "kept") for start in paths_in(each.text))
        elif each.option is not None and each.value is not None and {"-L", "--blob"} & {*each.option.names}:
            text = command.written(command.words[each.value_at])
            yield Touch(each.value_at, text.rfind(":") + 1, "kept")


def paths_in(text: str) -> set[int]:
    """Where a path may begin in a word that git takes for a revision or a pathspec; nowhere if it takes files out."""
    magic = _MAGIC.match(text)
    if magic is not None:
        return set() if _EXCLUDES.search(magic[0]) else {magic.end()}
    return {0} if ":" not in text else {text.index(":") + 1}
