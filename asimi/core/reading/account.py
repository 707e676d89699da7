"""What one command does, as far as the catalogue and its literal words tell: one account, made in one walk.

The walk takes the command's words as they were cut, level by level. The effects are those of the row
that the command chooses, with what its options and operands add, or what an option puts in their place (`--dry-run`);
one unknown word that could decide makes all of them unknown. The walk also finds the words that name files, with what
becomes of each, and what the command does to directories (`trees:` in its row). Words that surely change nothing follow
from both.

What the command starts, and what redirections write, is not in its account.

The facts are those of the rows, which have them from the programs' manuals.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.effects import broad, covers
from asimi.core.programs.program import OF_ROLES, UNKNOWN
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, Argument, cut, operand_role, role_of, roles_beside
from asimi.core.reading.values import asks_only
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.programs.program import Program, Syntax
    from asimi.core.reading.arguments import Level
    from asimi.core.reading.commands import Command
    from asimi.core.syntax.nodes import Word

# Words and effects

INFORMS = frozenset({"--help", "--version", "-help", "-version"})
"""Options with which a program says something about itself, if it is given nothing else."""

ESCAPES = frozenset({"runs", "writes"})
"""Groups of options whose effects are those of an escape; in a command that only may start, none was looked for."""

READ, WRITE = frozenset({"read"}), frozenset({"write"})

QUERY = "network.query"
"""What a look at a service is, where that is the person's own (`Seen.own`); else it is the network."""

SILENT = frozenset({(":",), ("true",), ("false",), ("cat", "/dev/null"), ("echo", "-n"), ("printf", "")})
"""Commands that print nothing: what their output is sent to is emptied."""

NO_FILE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})
"""Targets of a redirection that empty nothing."""

EMPTIES = frozenset({">", ">|", "&>"})
"""Redirections that empty a file first."""

CHANGES = frozenset({"delete", "publish"})
"""The effects of a text on a database that are not those of asking it."""

QUERIES = frozenset({"MYSQL", "PSQL", "SQLITE"})
"""The readers of such texts."""

REACHES = frozenset({"network", "publish"})
"""What an operand on another machine adds: it is read or written there."""

HISTORY = frozenset({"delete.history"})
"""What an operand adds that overwrites or deletes what others have."""

# Words and files

HERE = 0
"""Stands for the directory that a command runs in, in place of the index of a word."""

OF_WRITES = frozenset({"write", "delete"})
"""Effects of what changes files."""

PERMISSION = frozenset({"write.permission"})
"""Kinds of what leaves as it is what is in a file."""

DATA = frozenset({"read", "write", "delete"})
"""Effects of commands to which the files that they name are data."""

OF_CHANGES = frozenset({"write", "delete", "move"})
"""Roles of files that are changed."""

FILES = {
    **dict.fromkeys(("ARCHIVE", "DUCKDBFILE", "LISTED", "MYSQLBASE", "PLUS"), ""),
    **dict.fromkeys(("CODE", "LESS", "LOCALCHART", "LOCALFILE", "PLAINFILE", "TEXFILE"), "read"),
    **dict.fromkeys(("BUILT", "NOWHERE", "REPORT"), "write"),
}
"""Readers of values that are files, and what becomes of these; empty where the other words decide."""

TURNED = frozenset({"data", "look", "read", "write", "delete", "move"})
"""Roles that an option may replace by another one (`perl -i`: what would be data are files)."""

GLOBS = frozenset({"--glob", "--iglob"})
"""Options whose pattern takes names out where it begins with `!` (rg(1))."""

NONE = frozenset({"data", "new", "place", "set"})
"""Roles of what is no file."""

UNCHANGED = frozenset({"read", "data"})
"""Roles of words that nothing happens to."""

TEXT = frozenset("AWK CLOCK DOCUMENT LESS REMOTE RESOURCE SED SSHARGUMENT TMUX UNIT VARIABLE".split())
"""Readers of operands that are no files, or are only read; paths in a program's text are looked for in the text."""

LINKS = frozenset({"-l", "--link", "-s", "--symbolic-link"})
"""Options with which a copy is the file itself under another name."""

WRITING_OPTIONS = ("-delete", "-fprint", "-fls", "-exec", "-ok", "-x", "-X", "--exec")
"""Options by which `find` and `fd` do more than to look."""

RECORDS = frozenset({("git", "add"), ("git", "commit")})
"""Subcommands that take down what is in files, and leave these as they are."""

_PATCHES = frozenset(
    "-p -U -L -W -c --cc -m --binary --color-words --word-diff --patch-with-raw --patch-with-stat --remerge-diff "
    "--diff-merges --dd".split()
)
SHOWS = {
    **dict.fromkeys("archive blame cat-file config create diff fast-export format-patch grep range-diff show".split()),
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


class FileAccess(NamedTuple):
    """A word that names a file, or may.

    Attributes:
        word: its index, or `HERE`.
        start: how many characters of it are before the path: an option and its `=`.
        how: its role (`asimi.core.programs.program.notation`); `repository` for what version control keeps of a
            directory, `kept` for a file that it shows, `open` for a file that is read, and made where it is not there.
            Empty where it is not known whether it is read or written, or a file at all.
        option: whether it is the value of an option.
    """

    word: int
    start: int
    how: str
    option: bool = False


class TreeAccess(NamedTuple):
    """What one command does to directories.

    Attributes:
        deep: whether it does to all below a directory what it does to the directory.
        takes: whether it carries off all that it reads: to another place, or into an archive.
        tracked: whether it carries off only what git tracks there.
        new: whether it carries off only what git neither tracks nor ignores there.
        links: whether what is below its targets may lead elsewhere behind it.
        empties: whether it removes what it finds where it writes.
        points: whether what it reads gets another name, through which it may be written; `relative` if that is said
            from where the name is.
        here: what it does to the directory that it runs in, a role; `repository` for the one of a version control.
        alone: whether it does that only if none of its words names a file to which it does the same.
        unpacks: whether the names of what it writes below its target are in no word: in an archive, or a patch.
        lists: whether it reads files that a list names, which is a file or its input.
        rewrites: whether it changes files that a list, or an expression, names.
        brings: whether what it reads or moves gets the same name below its target, where that is a directory.
        parents: whether it gets the directories of its name there, too.
        flat: whether its target is the name itself that what it reads gets.
        makes: whether it makes its target as a directory, where there is none.
        slashed: whether a slash behind what it reads means all that is in there, without its name.
        whole: whether it changes what is below its targets, so the names below these count.
        follows: whether it goes where links lead that are below what its words name.
        somewhere: whether it is only taken to write where it runs, because nothing says what it writes.
        adds: whether it leaves what is in the files that it writes, and at most adds to that.
        ignored: whether what git ignores is taken as well, for good.
        begins: whether a name that it writes only begins as its word says.
    """

    deep: bool = False
    takes: bool = False
    tracked: bool = False
    new: bool = False
    links: bool = False
    empties: bool = False
    points: str = ""
    here: str = ""
    alone: bool = False
    unpacks: bool = False
    lists: bool = False
    rewrites: bool = False
    brings: bool = False
    parents: bool = False
    flat: bool = False
    makes: bool = False
    slashed: bool = False
    whole: bool = False
    follows: bool = False
    somewhere: bool = False
    adds: bool = False
    ignored: bool = False
    begins: bool = False


NOTHING = TreeAccess()


class Account(NamedTuple):
    """What one command does.

    Attributes:
        effects: of `asimi.core.programs.effects.EFFECTS`; None where they are not known.
        kinds: the same, finer: of an effect, its kind where that is known (`asimi.core.programs.effects.WORDS`).
        touches: the words that name files, in no order.
        tree: what it does to directories besides.
    """

    effects: frozenset[str] | None
    kinds: frozenset[str] | None
    touches: tuple[FileAccess, ...]
    tree: TreeAccess = NOTHING


def account_of(command: Command) -> Account:
    """The account of a command, of which all that its reading says is known by now."""
    if command.program is None:
        found = [each for index in range(1, len(command.words)) for each in _of_any(command, index)]
        return Account(None, None, tuple(found))
    command = command.with_job_names() if command.program.name == "kill" else command
    walk = _Walk(command)
    kinds = walk.kinds()
    if kinds is not None and QUERY in kinds and not command.seen.own:
        kinds = kinds - {QUERY} | {"network"}
    if kinds is not None and "publish" in kinds and command.seen.own and "fetches" in command.traits:
        from asimi.core.reading.addresses import address_of

        address = address_of(command)
        kinds = kinds - {"publish"} if address is not None and address.is_here else kinds
    effects = None if kinds is None else broad(kinds)
    return Account(effects, kinds, *walk.files(effects))


_AIMED = frozenset({("git", "push", 2), ("npm", "ci", 2), ("pip", "install", 2), ("uv", "sync", 2)})


def may_aim(command: Command) -> bool:
    """Whether a command may be aimed at something that a rule can name: `git push`, `kubectl`, `npm run`."""
    if command.program is None:
        return False
    name, last = command.program.name, command.levels[-1].row.name
    aims = name == "kubectl" or (name, last, len(command.levels)) in _AIMED
    return aims or (last == "exec" and "apart" in command.traits) or "run=" in command.program.check


def is_query(command: Command) -> bool:
    """Whether a command looks at a service, by its row; whose service that is, a look at the rest of the text tells."""
    asks = any(each.option and QUERY in each.option.kinds for each in command.arguments)
    return asks or (bool(command.levels) and QUERY in (command.levels[-1].row.kinds or ()))


_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods by which nothing is sent (RFC 9110, 9.2.1)."""


class _Walk:
    """A walk over the levels of a command, and what it finds there."""

    __slots__ = ("arguments", "command", "given", "instead", "levels", "operands", "roles", "row", "spared", "touches")

    def __init__(self, command: Command) -> None:
        self.command, self.levels = command, command.levels
        self.row, self.arguments = self.levels[-1].row, self.levels[-1].arguments
        self.operands = [each for each in self.arguments if each.option is None or each.option is COMPUTED]
        self.roles = roles_beside(self.arguments, self.row.syntax)
        self.given: set[str] = set()  # the names of its options
        self.instead = False  # whether an option says that it does something else
        self.spared: list[Argument] = []  # options whose effects no escape says already
        self.touches: list[FileAccess] = []
        for level in self.levels:
            for argument in level.arguments:
                option = argument.option
                if option is None:
                    continue
                self.given.update(option.names)
                self.instead |= option.instead
                self.touches.extend(_of_option(command, argument))
                if command.possible or option.does not in ESCAPES:
                    self.spared.append(argument)

    def kinds(self) -> frozenset[str] | None:
        """The kinds of what it does."""
        command, row = self.command, self.row
        if any(escape.kinds is None for escape in command.escapes):
            return None
        found: frozenset[str] = frozenset().union(*(escape.kinds for escape in command.escapes if escape.kinds))
        if command.seen.overwrites or (empties(command) and not command.seen.spares):
            found |= {"delete"}
        if self.levels[-1].start == len(command.words) - 1 and self._informs():
            return found
        if not all(level.sure and _are_known(command, level) for level in self.levels):
            return None
        instead: frozenset[str] | None = None
        for option, value in ((each.option, each.value) for each in self.spared):
            assert option is not None
            if option.reader in OF_ROLES and value is not None:
                found |= {OF_ROLES[option.reader]}
            if option.instead:
                instead = option.kinds | (instead or frozenset())
            elif option.reader != "HTTPMETHOD" or value is None or (value.literal or "").upper() not in _SAFE:
                found |= option.kinds
        if instead is not None:
            return None if any(_takes_back(command, level) for level in self.levels) else found | instead
        operands = self._of_operands()
        if operands is not None and command.inline is not None and command.inline.reads and command.seen.unshadowed:
            return found | READ | (WRITE if command.inline.writes else frozenset())
        if row.kinds is None or operands is None:
            return None
        if command.seen.branch or command.seen.unmodified:
            return found | {"write.repository"}
        asks = "queries" in row.traits and self._only_asks()
        does = frozenset(each for each in row.kinds if not covers(CHANGES, each)) if asks else row.kinds
        found |= does | (operands - broad(does))  # a role is no other kind
        if "reaches" in row.traits:
            found |= self._elsewhere()
        if "forces" in row.traits:
            heads = [command.words[each.at].head[:1] for each in self.operands[1:]]
            if "" in heads:
                return None
            found |= HISTORY if {*heads} & {"+", ":"} else frozenset()
        return found - {"code"} | {source_of(command)} if "code" in found else found

    def _informs(self) -> bool:
        """Whether the one word behind a program, or behind a listed subcommand, is such an option by any name."""
        row, command = self.row, self.command
        if (row.effects is None and not row.options) or len(command.words) != len(self.levels) + 1:
            return False
        chosen = row.parent is not None and row.parent.others is row  # a name that the text chooses
        if chosen or any("obeys" in level.row.traits for level in self.levels):
            return False
        option = self.arguments[0].option if len(self.arguments) == 1 else None
        said = command.words[self.levels[-1].start].literal
        return option is not None and not INFORMS.isdisjoint({said, *option.names})

    def _of_operands(self) -> frozenset[str] | None:
        """What the operands of a row add; None where one has no role. Behind a wrapper they are another command."""
        if self.row.starts is not None:
            return frozenset()
        words, roles, operands = self.command.words, self.roles, self.operands
        if roles and roles[0].role == "end":  # `%1` is a job of the shell that runs the text (bash manual, Job Control)
            operands = [each for each in operands if (words[each.at].literal or "")[:1] != "%"]
        given = [words[each.at] for each in operands]
        if any(word.literal is None and not word.single for word in given):  # any number of words
            return frozenset(OF_ROLES[role.role] for role in roles if role.role in OF_ROLES) if roles else None
        found = [role_of(roles, number, len(operands)) for number in range(len(operands))]
        if any(role is None for role in found):
            return None
        return frozenset(OF_ROLES[role.role] for role in found if role is not None and role.role in OF_ROLES)

    def _only_asks(self) -> bool:
        """Whether all that a database is given are literal texts that change nothing in it."""
        words, count = self.command.words, len(self.operands)
        given = {each.at: role_of(self.roles, number, count) for number, each in enumerate(self.operands)}
        texts = [(role.role, words[at]) for at, role in given.items() if role is not None]
        last = bool(texts) and texts[-1][0] in QUERIES  # so its standard input is no text
        for each in self.arguments:
            if each.option is not None and each.option.reader in QUERIES and each.value is not None:
                texts.append((each.option.reader, each.value))
                last = last or each.option.reader != "SQLITE"
        found = [(reader, word.literal) for reader, word in texts if reader in QUERIES]
        return last and all(text is not None and asks_only(reader, text) for reader, text in found)

    def _elsewhere(self) -> frozenset[str]:
        """What an operand adds that is on another machine, or may be, as far as it is literal (rsync(1))."""
        operands = [self.command.words[each.at] for each in self.operands]
        here = all("/" in each.head.partition(":")[0] or (each.literal or ":").find(":") < 0 for each in operands)
        return frozenset() if here else REACHES

    def files(self, effects: frozenset[str] | None) -> tuple[tuple[FileAccess, ...], TreeAccess]:
        """The words that name files, and what it does to directories besides, by its effects."""
        command, found = self.command, self.touches
        tree = self._tree()
        found.extend(self._operand_files())
        if "repository" in command.traits:
            found.extend(self._revisions())
        unnamed = self._writes_unnamed(effects)
        if any(not each.how for each in found):
            found = list(self._with_roles(effects))
        if "code" in (effects or ()) and self.row.starts is None:  # which may read whatever it is handed
            said = {each.at for each in self.operands if not each.text.rpartition("://")[0].endswith(("http", "https"))}
            said -= {each.word for each in found}
            found.extend(each for at in sorted(said) for each in _of_any(command, at))
        if "queries" in self.row.traits and effects == READ and command.seen.unshadowed:
            found = [each._replace(how="open") if each.how == "write" else each for each in found]
        if self.instead and not OF_WRITES & (effects or OF_WRITES):  # it only says what it would do
            return tuple([each._replace(how="read") if each.how in OF_CHANGES else each for each in found]), NOTHING
        like = OF_CHANGES if tree.here in OF_CHANGES else {tree.here}
        if tree.here and not (tree.alone and any(each.how in like for each in found)):
            found.append(FileAccess(HERE, 0, tree.here))
        elif not tree.here and unnamed:
            found.append(FileAccess(HERE, 0, "write"))
            tree = tree._replace(somewhere=True)
        # all that is here: `git stash -a`, `git add ':(glob)**'`
        if tree.takes and ((tree.new and self._is_by_magic()) or not any(each.how == "read" for each in found)):
            found.append(FileAccess(HERE, 0, "read"))
        return tuple(found), tree

    def _is_by_magic(self) -> bool:
        """Whether git takes what pathspecs with a meaning of their own name, or those in a file (gitglossary(7))."""
        return any("pathspec" in name for name in self.given) or any(each.text[:1] == ":" for each in self.operands)

    def _tree(self) -> TreeAccess:
        """What it does to directories, of what its row says that holds with its options."""
        row, operands = self.row, any(each.option is None for each in self.arguments)
        said: dict[str, bool | str] = {}
        for each in tree_words_in(row.trees) if row.trees else ():
            if (each.options and each.options.isdisjoint(self.given)) or not each.never.isdisjoint(self.given):
                continue
            if each.prevented and not operands and not each.prevented.isdisjoint(self.given):
                continue
            if each.what in _POINTS:
                said["points"] = "here" if each.what == "points" or "-r" in self.given else "relative"
            elif each.what in _WHERE:
                said |= {"here": each.what, "alone": each.alone}
            else:
                said[each.what] = True
        if "here" not in said and (row.effects or set()) & OF_WRITES and "repository" in self.levels[0].row.traits:
            said["here"] = "repository"
        return TreeAccess(**said) if said else NOTHING  # type: ignore[arg-type]

    def _operand_files(self) -> Iterator[FileAccess]:
        """The files that operands are; of a wrapper, those before the command that it starts."""
        command, row, roles, operands = self.command, self.row, self.roles, self.operands
        if row.starts is not None:
            operands = operands[: row.starts.operands] if roles else []
        instead = operand_role(self.arguments)
        given = {each.value_at for each in self.arguments if each.option is not None and each.value is not None}
        # behind the value of an option that may split, there may be operands
        split = [at for at in given if at < len(command.words) and command.may_split(command.words[at])]
        several = bool(split) or _may_split(command, [command.words[each.at] for each in operands])
        operands = operands + [Argument(at, "") for at in split]
        for number, each in enumerate(operands):
            if "repository" in command.traits and not paths_in(each.text):
                continue
            for role in dict.fromkeys(roles if several else [role_of(roles, number, len(operands))]):
                how = "" if role is None else FILES.get(role.role, role.role)
                if how in TURNED:
                    how = instead or how
                text = "/" in each.text or command.words[each.at].literal is None
                if how == "data" and text and "named" in row.traits:
                    yield FileAccess(each.at, 0, "read")
                elif how in NONE or how.isupper():
                    url = _URL.match(each.text)
                    if url is not None:
                        yield FileAccess(each.at, url.end(), "read")
                else:
                    yield FileAccess(each.at, 0, how)

    def _revisions(self) -> Iterator[FileAccess]:
        """The files that git shows as they were: `git show HEAD:FILE`, `git log -p -- FILE`.

        A word may be a revision with a path (gitrevisions(7): `REV:PATH`, `:N:PATH`), or a pathspec with magic
        (gitglossary(7): `:(top)PATH`, `:/PATH`); where only git can tell which, it counts as each. What a pathspec
        takes out (`:!PATH`, `:(exclude)PATH`) is not shown.
        """
        command = self.command
        shows = next((word for word in command.literals if word in SHOWS), None)
        if shows is None or self.row.name == "status":
            return
        given = {name for each in self.arguments for name in each.names} - {"--"}
        options = SHOWS[shows]
        tells = _TELLS.get(shows, frozenset[str]())
        if (given and given <= tells) if options is None else options.isdisjoint(given):
            return
        first = role_of(self.roles, 0, len(self.operands)) if shows == "grep" and self.operands else None
        sought = self.operands[:1] if first is not None and first.role == "data" else []  # what `git grep` looks for
        for each in self.arguments:
            if each.option is None and shows != "config":
                if each not in sought:
                    yield from (FileAccess(each.at, start, "kept") for start in paths_in(each.text))
            elif each.value is not None and {"-L", "--blob"} & {*each.names}:
                text = command.text_of(command.words[each.value_at])
                yield FileAccess(each.value_at, text.rfind(":") + 1, "kept")

    def _writes_unnamed(self, effects: frozenset[str] | None) -> bool:
        """Whether it writes files of which none is in its words: it writes where it runs, as far as is known."""
        if "write" not in (effects or ()):
            return False
        given = (each.option.effects for each in self.command.arguments if each.option is not None)
        if "write" not in (self.row.effects or ()) and not any("write" in each for each in given):
            return False
        listed = any(role.role == "LISTED" for role in self.row.syntax.operands)  # what compilers read
        hows = [each.how for each in self.touches]
        return not any(how in OF_CHANGES or how == "repository" or not (how or listed) for how in hows)

    def _with_roles(self, effects: frozenset[str] | None) -> Iterator[FileAccess]:
        """The touches, with the role of each file whose role only the other words decide, such as an archive.

        A command that writes both reads and writes that file, unless it writes what is in the file (`tar -x`).
        """
        writes = effects is not None and "write" in effects and operand_role(self.arguments) != "write"
        for each in self.touches:
            if each.how or effects is None:
                yield each
            else:
                yield each._replace(how="read")
                if writes:
                    yield each._replace(how="write")


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


def empties(command: Command) -> bool:
    """Whether a command does nothing but to empty a file: `: > FILE`."""
    if command.simple is None or command.literals not in SILENT:
        return False
    emptying = (each for each in command.simple.redirections if each.operator in EMPTIES)
    return any(each.target.literal not in NO_FILE for each in emptying)


def _takes_back(command: Command, level: Level) -> bool:
    """Whether a word may switch an option off: `--dry-run=false`, or `--no-simulate`, which its row does not name.

    What takes `-name` for `--name` (nopt of npm) also takes the next word, if that is `false`.
    """
    how = level.row.syntax.how
    for option, text, value, at in ((each.option, each.text, each.value, each.at) for each in level.arguments):
        if option is None:
            continue
        denied = text[:5] == "--no-" and option.names == (text,) and text not in level.row.syntax.options
        taken = "dashes" in how and not {*command.literals[at + 1 : at + 2]}.isdisjoint({None, "false", "null"})
        if denied or (option.instead and not option.value and (value is not None or taken)):
            return True
    return False


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
    end = next((each.at for each in arguments if each.option is SEPARATOR), end)  # no option is behind it
    return not _may_split(command, command.words[first:end]) and all(each.option is not COMPUTED for each in arguments)


def _may_split(command: Command, words: Sequence[Word]) -> bool:
    """Whether one of some words may become several of which not all begin as it is written."""
    return any(command.may_split(word) for word in words if word.literal is None)


def _of_any(command: Command, index: int) -> Iterator[FileAccess]:
    """What a word of a program that nobody knows may name: all of it, or what is behind an option or a mark in it."""
    head = command.text_of(command.words[index])
    yield FileAccess(index, 0, "")
    if "=" in head:
        yield FileAccess(index, head.index("=") + 1, "")
    if head[:1] == "@":
        yield FileAccess(index, 1, "")
    elif head[:1] == "-" and head[1:2].isalpha() and len(head) > 2:
        yield FileAccess(index, 2, "")


def _of_option(command: Command, argument: Argument) -> Iterator[FileAccess]:
    """The file that the value of an option is, if it is one."""
    option = argument.option
    if option is None or not option.names:  # what is computed is looked at as an operand
        return
    if option is UNKNOWN:
        text = command.text_of(command.words[argument.at])
        yield FileAccess(argument.at, text.find("=") + 1, "")
        return
    role = FILES.get(option.reader, option.reader)
    if option.reader == "FLAG":
        text = command.text_of(command.words[argument.at])
        yield from [FileAccess(argument.at, text.index("=") + 1, "write", option=True)] if "=" in text else ()
        return
    if argument.value is None or role in NONE or role.isupper():
        return
    if role == "kept" and (argument.value.literal or "")[:1] == "!" and GLOBS & {*option.names}:
        return  # it takes names out
    if not option.reader and option.does == "writes":
        role = "write"
    elif not option.reader:
        yield from _of_value(command, argument)
        return
    attached = argument.value_at == argument.at
    text = command.text_of(command.words[argument.at])
    start = len(text) - len(argument.value.head) if attached and argument.value.literal is not None else 0
    if attached and argument.value.literal is None:
        start = len(argument.text) + text[len(argument.text) :].startswith("=")
    yield FileAccess(argument.value_at, start, role, option=True)


def _of_value(command: Command, argument: Argument) -> Iterator[FileAccess]:
    """The file that a value names by `@FILE`, `NAME=@FILE` or `NAME=<FILE`, as curl(1), gh(1) and others read it."""
    text = command.text_of(command.words[argument.value_at])
    marked = _MARKED.search(text, 0 if argument.value_at != argument.at else len(argument.text))
    if marked is not None:
        yield FileAccess(argument.value_at, marked.end(), "read", option=True)


def paths_in(text: str) -> set[int]:
    """Where a path may begin in a word that git takes for a revision or a pathspec; nowhere if it takes files out."""
    if ":" not in text:
        return {0}
    magic = _MAGIC.match(text)
    if magic is not None:
        return set() if _EXCLUDES.search(magic[0]) else {magic.end()}
    return {text.index(":") + 1}


# What rows say of directories

_WHERE = frozenset({"read", "write", "delete", "repository"})
_POINTS = frozenset({"points", "relative"})
_WORDS = _WHERE | _POINTS | ({*TreeAccess._fields} - {"here", "alone", "somewhere"})


class _TreeWord(NamedTuple):
    """One word of a row."""

    what: str
    options: frozenset[str]
    prevented: frozenset[str]
    never: frozenset[str]
    alone: bool


@cache
def tree_words_in(text: str) -> tuple[_TreeWord, ...]:
    """What a row says of trees: words with the options of which each needs one, and those that prevent it.

    `deep:-r|-R` is so with one of these options, `new!-f` not with that, `links~-b` not with that in a command without
    operands. `read`, `write`, `delete` and `repository` say what becomes of where it runs; with `?`, only if no word of
    it says more.

    Raises:
        ValueError: there is no such word.
    """
    said = []
    for word in text.split():
        rest, _, never = word.partition("!")
        rest, _, prevented = rest.partition("~")
        what, _, options = rest.partition(":")
        if what.rstrip("?") not in _WORDS:
            raise ValueError(f"`{what}` says nothing of trees; there are {', '.join(sorted(_WORDS))}")
        said.append(_TreeWord(what.rstrip("?"), _names(options), _names(prevented), _names(never), what.endswith("?")))
    return tuple(said)


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split("|")))


# What a command leaves as it is


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
    started = ((words[index], find(words[index + 1].rpartition("/")[2])) for index in places if words[index + 1 :])
    shown = [how in {"-exec", "-execdir"} and does is not None and "looks" in does.traits for how, does in started]
    return len(shown) == len(places) and all(shown)


def writes(command: Command) -> bool:
    """Whether a command writes or removes what its words name."""
    program = command.program
    in_place = None if program is None else program.syntax.options.get("-i")
    if in_place is not None and in_place.does == "writes":
        words = [word.literal or word.head for word in command.words[1:]]
        return any(word.startswith("--i") or (word[:1] == "-" and "i" in word[:8]) for word in words)
    return moves(command) if "moves" in command.traits else "writes" in command.traits


def runs(command: Command, index: int) -> bool:
    """Whether a file that a word names may be run, or is otherwise more than data to the command."""
    kinds = command.kinds
    return index == 0 or kinds is None or not broad(kinds) <= DATA


def unchanged_words(command: Command) -> frozenset[int]:
    """The indices of the words that name nothing which the command changes, as far as that is proved.

    What a shell or a wrapper starts is a command of its own, so its words prove nothing of that.
    """
    program, every = command.program, frozenset(range(1, len(command.words)))
    if program is None or "mounts" in command.traits:
        return frozenset()
    if "builtin" in program.traits and program.name != "history":
        return every if program.name != "set" else frozenset()  # what it sets, any later word may be
    if program.shell:
        return every - _positional(command, program.syntax)
    row, _, _, sure, arguments, *_ = command.levels[-1]
    if row.starts is not None:
        return every - _output_words(row, arguments)
    if command.escapes or not sure:
        return frozenset()
    described = row.options or not any(each.option is UNKNOWN for each in arguments)
    if described and ("looks" in row.traits or (row.parent is program and (program.name, row.name) in RECORDS)):
        return every
    if moves(command) and "doubles" not in program.traits:
        return frozenset()
    return every if program.syntax.commands else _by_role(row, arguments)


def _by_role(row: Program, arguments: Sequence[Argument]) -> frozenset[int]:
    """The indices of the words whose role is that they are read."""
    if any(each.option in {COMPUTED, UNKNOWN} for each in arguments):
        return frozenset()
    named = {name for each in arguments for name in each.names}
    if "--parents" in named or ("doubles" in row.traits and not named.isdisjoint(LINKS)):
        return frozenset()  # a copy takes the directories of its name with it, or is the file itself
    if operand_role(arguments) in OF_CHANGES or any(name.startswith("--fix") for name in named):
        return frozenset()
    roles = roles_beside(arguments, row.syntax)
    operands = [each.at for each in arguments if each.option is None]
    proved = UNCHANGED - {"data"} if "code" in (row.effects or ()) else UNCHANGED  # what a script gets may name a file
    found = set()
    for number, index in enumerate(operands):
        role = role_of(roles, number, len(operands))
        if role is not None and (role.role in proved or role.role in TEXT):
            found.add(index)
    for argument in arguments:
        if argument.option is not None and argument.option is not SEPARATOR and argument.option.reader in UNCHANGED:
            found.add(argument.value_at)
    return frozenset(found)


def _output_words(row: Program, arguments: Sequence[Argument]) -> frozenset[int]:
    """The indices of the words by which a wrapper is told what to write itself: `strace -o FILE`, `script FILE`."""
    values = [each for each in arguments if each.option is not None and each.value is not None]
    found = {each.value_at for each in values if each.option.does == "writes" or each.option.reader == "write"}  # type: ignore[union-attr]
    operands = [each.at for each in arguments if each.option is None]
    return frozenset(found.union(operands[: row.starts.operands if row.starts is not None else 0]))


def _positional(command: Command, syntax: Syntax) -> frozenset[int]:
    """The indices of the words that a text for a shell gets as its parameters, and may write to."""
    arguments = list(cut(command.words, syntax))
    text = next((each for each in arguments if "-c" in each.names), None)
    if text is None:
        return frozenset()
    return frozenset([each.at for each in arguments if each.option is None][text.value is None :])
