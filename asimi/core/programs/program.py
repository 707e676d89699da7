"""What is known of one program, how its arguments are cut and what they make it do: its row, read from its text.

A block of the catalogue is the row of a program, and of each of its subcommands, in the notation of manuals::

    make,gmake : code <MAKE*> {embeds wide} names=1
        -b -m -B,--always-make -C,--directory=enter -d
            --debug[=]
        runs: -E,--eval=
    git {moves} [no]
      bisect
        run : write
            starts: loose
      * : read

The head of a row has its names, its effects and kinds of effects behind a colon (behind `?` what it may do, where not
all is known), the roles of its operands in angle brackets, its traits in braces, the words of its syntax in square
brackets, then `names=` and `shell=`. Below it, four blanks deeper, are its options, and fields that begin with a name
of `FIELDS`; lines four blanks deeper than these continue them. Two blanks deeper than the head are the rows of its
subcommands; `list-*` is the row of those that begin so and have none, `*` that of all others. `Program` says what each
part means.

`$NAME = …` at the beginning of a file is a list that rows name as `$NAME`. A line that begins with `#` is a comment.

Options are written as manuals write them:

    -b --brief          flags
    -abc                three flags
    -k,--key=           two names of one option, which takes a value: attached, behind `=`, or the next word
    --color[=]          a value only behind `=` (of a letter: only attached)
    --arg==             two values, the next two words; as many as there are `=`
    -f,--file=read      a value with a role, as operands have them
    -o,--output=NOWHERE a value that a reader of `asimi.core.reading.values` looks at; what it finds harmless is
    -#                  a number (`head -20`)
    -W*                 whatever begins so
    -D,--delete+delete  has this effect too, or this kind of one (`+delete.history`)
    --dry-run!read      has this effect in place of those of the program; `!none` for none (`--dry-run=false` and
                        `--no-dry-run` make it unknown)
    -w>write            with this option the operands that are files are changed; `--check!read>read`: only read
    -name=              with the syntax `words`: one word with one dash
    if=                 with the syntax `keys`: an operand `NAME=VALUE`

`options` change nothing that the program's name does not promise. Those in `writes` and `runs` do, so an entry covers
them only if it names them; they have the effects `write` and `code`, unless others are written behind them. Once a row
has such options, an option that it does not name could be one of them.
"""

from __future__ import annotations

from _collections_abc import Mapping  # `collections` itself is not needed
from functools import cache, cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, table_of
from asimi.core.pattern import pattern
from asimi.core.programs.effects import broad, effects_in
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FIELDS = frozenset(
    "operands writes runs inert shells starts also trees sets settings shows steers check names lines gives".split()
)
"""What a line below a row may begin with; one that begins with none of them has the options that do nothing of note."""

_PARTS = {"<": (">", "operands"), "{": ("}", "traits"), "[": ("]", "syntax")}

GROUPS = ("options", "writes", "runs", "inert", "shells")
"""What options do: nothing of note, write, start a program or read what can name one, start nothing, start a shell."""

OF_GROUPS = {"writes": frozenset({"write"}), "runs": frozenset({"code"}), "shells": frozenset({"code"})}
"""The effects of the options of a group."""

_TOKEN = pattern(
    r"([^\s=\[]+?)(?:(\[=|=+)([A-Za-z]*)\]?)?(?:([+!])((?:(?:none|read|write|delete|network|publish|code|system)"
    r"(?:\.[a-z]+)?|\+)+))?"
    r"(?:>(look|read|write|data))?"
)


class Option(NamedTuple):
    """One option.

    Attributes:
        names: its spellings, the first one the shortest: `-o`, `--output`.
        does: one of `GROUPS`, or empty for one that the row does not name.
        value: whether it takes one: "" for none, "=" for one, "==" for two, of which the last counts, "[=" for one
            that is in the same word or not at all.
        reader: the reader that looks at the value, in capitals, or its role, or empty.
        kinds: what it does beside that, of `asimi.core.programs.effects.WORDS`.
        instead: whether these take the place of the effects of its program.
        turns: the role that operands which are files have with it; empty where they keep theirs.
    """

    names: tuple[str, ...]
    does: str = "options"
    value: str = ""
    reader: str = ""
    kinds: frozenset[str] = frozenset()
    instead: bool = False
    turns: str = ""

    @property
    def effects(self) -> frozenset[str]:
        """The effects that these belong to."""
        return broad(self.kinds)


UNKNOWN = Option(("",), "", "")
"""Stands for an option that the row does not name."""


@cache
def notation(kind: str) -> dict[str, str]:
    """What the words of a kind mean: `roles` of a value or an operand, `traits` of a program, its `syntax`."""
    return table_of(facts_of(__package__, "notation")[kind])


OF_ROLES = {
    "look": "read",
    "read": "read",
    "write": "write",
    "delete": "delete",
    "move": "write",
    "new": "write",
    "set": "system",
    "end": "system.process",
}
"""The effect, or the kind of one, that comes with a role."""


class Operand(NamedTuple):
    """The role of an operand.

    Attributes:
        role: what becomes of it (`notation("roles")`), or the reader that looks at it, in capitals.
        many: whether it may be there any number of times.
        unless: options that take its place (`grep -e PATTERN`).
    """

    role: str
    many: bool = False
    unless: tuple[str, ...] = ()


ALL = 99
"""Of `Starts.operands`: all before `--`."""


class Starts(NamedTuple):
    """Where a program's arguments hold the command that it starts.

    Attributes:
        operands: how many operands are before the command.
        assignments: whether `NAME=VALUE` may be before the command.
        joined: whether the words of the command are joined with blanks and read by a shell.
        unless: an option with which `joined` is the opposite (`watch -x`, `entr -s`).
        lone: whether a command of one word is a text for a shell.
        each: whether every operand is a text for a shell.
        direct: an option with which no operands are before the command (`runuser -u`).
        placeholder: whether words may be replaced or added at run time (`xargs`), so they are not literal.
        optional: whether there may be no command.
        shell: whether without a command it starts a shell, which reads its standard input.
        input: what it runs of its standard input, if it is given one and no command: the `text` of a shell, or the
            lines of a `table` of cron.
        script: whether its first operand is a file that it reads instead.
        again: a word behind which the arguments of another command begin.
        loose: whether starting commands is the program's ordinary purpose (on another machine, in a container, of a
            project's tool): what forbids looks at the command, what allows does not need it unless `[wrappers]`
            names the program.
        own: whether the command is a subcommand of the program itself.
        anywhere: whether any word may begin the command.
    """

    operands: int = 0
    assignments: bool = False
    joined: bool = False
    unless: str = ""
    lone: bool = False
    each: bool = False
    direct: str = ""
    placeholder: bool = False
    optional: bool = False
    shell: bool = False
    input: str = ""
    script: bool = False
    again: str = ""
    loose: bool = False
    own: bool = False
    anywhere: bool = False


INHERITED = frozenset({"camel", "dashes", "exact", "no", "shared", "words"})
"""Words of a row's syntax that hold for its subcommands too."""


class Syntax:
    """How the arguments of a program are cut, and what its options are.

    Attributes:
        how: the words of the row's syntax, with those that it inherits.
        words: whether an option is a word with one dash.
        abbreviates: whether a long option may be shortened.
        options: its options, by each of their names.
        beginnings: beginnings of words that are options (`-W*`), the longest first.
        long: its long options in the order of their names, each with its place among all.
        operands: the roles of its operands, in order.
        guarded: whether one of its options writes or runs something.
        decides: whether one of its options has an effect, or changes that of the program; reading counts only where
            the program itself does not read.
        ends: after how many operands its options end; 0 where only `--` ends them.
        assigns: whether operands `NAME=VALUE` are not counted for `ends`.
    """

    __slots__ = (
        "abbreviates", "assigns", "beginnings", "commands", "decides", "ends", "guarded", "how", "long", "operands",
        "options", "words",
    )  # fmt: skip

    def __init__(self, program: Program) -> None:
        parent = program.parent.syntax if program.parent is not None else None
        self.how: frozenset[str] = program.how | (parent.how & INHERITED if parent is not None else set())
        self.words = "words" in self.how
        self.abbreviates = not self.words and "exact" not in self.how
        self.options: dict[str, Option] = {}
        if parent is not None and "shared" in parent.how:
            self.options.update(parent.options)
        for group in GROUPS:
            if written := getattr(program, group):
                for option in _options(written, group, words=self.words):
                    self.options.update(dict.fromkeys(option.names, option))
        beginnings = [name for name in self.options if name.endswith("*")]
        shared = parent.beginnings if parent is not None and "shared" in parent.how else ()
        own = [(name[:-1], self.options.pop(name)) for name in beginnings]
        self.beginnings: tuple[tuple[str, Option], ...] = tuple(
            sorted((*own, *shared), key=lambda each: len(each[0]), reverse=True)
        )
        self.long = sorted([(name, place) for place, name in enumerate(self.options) if name[:2] == "--"])
        self.operands = tuple(map(_operand, program.operands.split()))
        self.guarded = self.decides = self.commands = text = False
        reads = {"read"} & (program.effects or set())
        for option in (*self.options.values(), *(option for _, option in self.beginnings)):
            self.guarded = self.guarded or option.does in {"writes", "runs"}
            self.commands = self.commands or option.reader == "COMMAND"
            text = text or option.reader == "TEXT"
            if option.kinds or option.instead or option.reader in OF_ROLES:
                kinds = option.kinds | {OF_ROLES[option.reader]} if option.reader in OF_ROLES else option.kinds
                self.decides = self.decides or option.instead or not broad(kinds) <= reads
        starts = program.starts is not None and not text
        self.ends = int("ends" in self.how or starts or bool(program.subcommands))
        if "late" in self.how and program.starts is not None:
            self.ends = program.starts.operands + 1
        elif "mixed" in self.how:
            self.ends = 0
        self.assigns = program.starts is not None and program.starts.assignments


def _options(notation: str, group: str, *, words: bool) -> list[Option]:
    """The options of one group.

    Raises:
        ValueError: one is not in the notation, or has an effect that does not exist.
    """
    found: list[Option] = []
    of_group = OF_GROUPS.get(group, frozenset())
    for written in notation.split():
        match = _TOKEN.fullmatch(written)
        if match is None or written == "*":
            raise ValueError(f"`{written}` is not the notation of an option")
        names, value, reader, sign, effects, turns = match.groups("")
        kinds = effects_in(effects) if effects else of_group
        if turns == "write":
            kinds |= {"write"}
        letters = names[1:]
        several = not words and names[0] == "-" and len(letters) > 1 and letters.isalnum()
        for each in letters if several else (names,):
            spelled = (f"-{each}",) if several else tuple(each.split(","))
            # a row has hundreds, and its syntax is asked for while somebody waits, so no constructor of ours is called
            found.append(tuple.__new__(Option, (spelled, group, value, reader, kinds, sign == "!", turns)))
    return found


def _operand(notation: str) -> Operand:
    role, *unless = notation.split("|")
    return Operand(role.rstrip("*"), role.endswith("*"), tuple(unless))


@cache
def _words(text: str) -> frozenset[str]:
    """The words of a string; cached because most rows have the same few."""
    return frozenset(text.split())


OTHERS = "*"
"""The name of the row of all subcommands that have none; behind a beginning (`list-*`), of those that begin so."""


class Subcommands(Mapping[str, "Program"]):
    """The rows of the subcommands of a program, by their names, each read when it is first asked for.

    Args:
        lines: the line of the head of each, by name; `*` for all others.
        read: reads the row at a line.
    """

    def __init__(self, lines: Mapping[str, int], read: Callable[[int], Program]) -> None:
        self._lines = {**lines}
        self._others, self._read, self._rows = self._lines.pop(OTHERS, None), read, dict[int, Program]()
        self._beginnings = tuple(sorted((name[:-1] for name in self._lines if name[-1:] == OTHERS), reverse=True))

    @property
    def others(self) -> Program | None:
        """The row of all subcommands that have none."""
        return None if self._others is None else self.at(self._others)

    def _key(self, name: str) -> str:
        """The name that a row is kept by: the longest beginning that there is, where no row has the name itself."""
        if name in self._lines or not self._beginnings:
            return name
        return next((f"{each}{OTHERS}" for each in self._beginnings if name.startswith(each)), name)

    def __getitem__(self, name: str) -> Program:
        return self.at(self._lines[self._key(name)])

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._key(name) in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def lines(self) -> frozenset[int]:
        """The lines of the heads of all of them."""
        return frozenset(self._lines.values()) | ({self._others} if self._others is not None else frozenset())

    def at(self, line: int) -> Program:
        """The row whose head is at a line."""
        if line not in self._rows:
            self._rows[line] = self._read(line)
        return self._rows[line]


class Program:
    """One program, or one subcommand of a program.

    Args:
        name: its name.
        aliases: other names of the same program. Each name may end in a version (`python3.11`).
        options: its options that do nothing but what its name promises.
        writes: options by which it writes or removes although that is not its purpose.
        runs: options by which it starts a program, or reads code or settings that can start one.
        inert: options with which it starts nothing, although it is there to start a command, or does not read the
            program text on its standard input.
        shells: options with which it starts a shell.
        operands: the roles of its operands, in order.
        syntax: how its arguments are cut, words of `notation("syntax")`; those of `INHERITED` hold for its subcommands,
            too.
        starts: where the command that it starts is.
        shell: the grammar of the text that it reads if it is a shell: `bash`, `posix` or `other`.
        subcommands: a row for each.
        parent: the row of which it is a subcommand.
        names_by: how many words behind its name say what it does: `git push` has one, `npm run build` two.
        traits: words of `notation("traits")`.
        trees: what it does to more than the files that it names, as `asimi.core.reading.account` reads it.
        sets: files that it writes without naming them, if it changes anything: with `OPTION:` only with that one, with
            a `?` behind it only if no word of it says what it writes; a relative one only if no option names one to
            read, which it then writes.
        shows: how it may show what is secret, a name of `asimi.core.reading.disclosures`.
        settings: files of settings that it takes from the directory it runs in or that of what it is given, or above.
        steers: files that, in the directory it runs in or above, say which service it asks.
        check: how it may be a check of a project, as `asimi.core.reading.checks` reads it.
        names: which names of files it prints, with options of which it needs one: `BELOW` of what is below its words,
            `BESIDE` of that and of what is where it runs, `SOUGHT` as an expression says, `KNOWN` as pathspecs of git
            say, `CHANGED` these and, without any, what is where it runs; behind `with`, the others by which it prints
            nothing but names.
        lines: those of its names under which it prints whole lines of its input, and the options with which it still
            prints nothing else.
        gives: what it prints, a word of `asimi.core.reading.results.GIVES`: by itself, and behind the options with
            which it does so (`-l|--lines=number`), of which the command has no others.
        effects: words of `asimi.core.programs.effects.WORDS`, what it does whatever its options and operands are, or
            `none`; empty where that is not known, and behind `?` what it may do where not all is known. What it starts
            is a command of its own, with effects of its own.
    """

    def __init__(
        self,
        name: str,
        *,
        aliases: str = "",
        options: str = "",
        writes: str = "",
        runs: str = "",
        inert: str = "",
        shells: str = "",
        operands: str = "",
        syntax: str = "",
        starts: Starts | None = None,
        shell: str = "",
        subcommands: Subcommands | None = None,
        parent: Program | None = None,
        names_by: int = 0,
        traits: str = "",
        trees: str = "",
        sets: str = "",
        settings: str = "",
        shows: str = "",
        steers: str = "",
        check: str = "",
        names: str = "",
        lines: str = "",
        gives: str = "",
        effects: str = "",
    ) -> None:
        self.name, self.aliases = name, aliases.split()
        self.options, self.writes, self.runs, self.inert, self.shells = options, writes, runs, inert, shells
        self.operands, self.how, self.starts, self.shell = operands, _words(syntax), starts, shell
        self.subcommands = Subcommands({}, lambda _: self) if subcommands is None else subcommands
        self.parent, self.names_by, self.traits = parent, names_by, _words(traits)
        self.trees, self.sets, self.check, self.names, self.lines = trees, sets, check, names, lines
        self.settings, self.shows, self.steers, self.gives = settings, shows, steers, gives
        self.kinds = effects_in(effects) if effects and effects[0] != "?" else None
        self.effects = None if self.kinds is None else broad(self.kinds)
        self.may = effects_in(effects[1:]) if effects[:1] == "?" else frozenset[str]()

    @cached_property
    def syntax(self) -> Syntax:
        """How its arguments are cut; made when it is first asked for, because most rows never are."""
        return Syntax(self)

    @property
    def others(self) -> Program | None:
        """The row of all subcommands that have none."""
        return self.subcommands.others

    @cached_property
    def wide(self) -> bool:
        """Whether its name alone would allow anything."""
        commands = "=COMMAND" in self.options or self.starts is not None or self.shell
        return bool(commands) or "wide" in self.traits

    @property
    def has_known_arguments(self) -> bool:
        """Whether its arguments are known."""
        return any((self.options, self.writes, self.runs, self.operands, self.subcommands, "opaque" in self.traits))

    def subcommand(self, name: str | None) -> Program | None:
        """The row of a subcommand."""
        if name is not None and name in self.subcommands:
            return self.subcommands[name]
        return self.others

    def __repr__(self) -> str:
        return f"Program({self.name!r})"


NONE: Mapping[str, Program] = {}
"""No programs, where somebody could have described some."""


_HEAD = pattern(r"\n(?=[^ \n#$])(?![^\S\n]*(?:\n|\Z))")
"""What is before a line that names a program; beginning with a letter, it is found far quicker than by `^`."""


class UnreadableRowError(ValueError):
    """A text is not a row of the catalogue.

    Attributes:
        line: the line in the block, counted from 0.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


Block = tuple[tuple[str, ...], int, int]
"""The text of one program, or of what a file says before its first: its names, where it begins and ends in the file.

A plain tuple, because a file has a hundred of which one is asked for.
"""


def blocks(text: str) -> list[Block]:
    """The blocks of a file, in order: what comes before the first program, then each program."""
    bounds = [*(match.start() for match in _HEAD.finditer("\n" + text)), len(text)]
    found: list[Block] = [((), 0, bounds[0])]
    for start, end in pairwise(bounds):
        head, _, rest = text[start:end].partition("\n")
        more = rest.startswith("also:", 4)
        found.append((_names([head, *rest.split("\n")] if more else [head], 0, 0), start, end))
    return found


def program_of(text: str, shared: dict[str, list[str]], *, names_by: int = 0) -> Program:
    """The program of a block.

    Args:
        text: the block.
        shared: the lists that it may name, by their names.
        names_by: how many words behind a name say what it does, where a row with subcommands says nothing of that.

    Raises:
        UnreadableRowError: it is not one; about a subcommand, when that is first looked at.
    """
    return _Rows(text, shared, names_by).row(0, 0)


class _Rows:
    """Reads the rows of a block."""

    def __init__(self, text: str, shared: dict[str, list[str]], names_by: int) -> None:
        lines = text.split("\n")
        says = [each[:1] not in {"", "#"} for each in map(str.lstrip, lines)]
        self._lines, self._shared, self._names_by = [*compress(lines, says)], shared, names_by

    def row(self, line: int, indent: int, parent: Program | None = None) -> Program:
        """The row whose head is a line."""
        said = _head(self._lines[line][indent:], line)
        at = self._fields(said, line + 1, indent + 4)
        below = self._below(at, indent + 2)
        if self._names_by and below:
            said.setdefault("names_by", self._names_by)
        try:
            starts = _starts(str(said.pop("starts"))) if "starts" in said else None
            rows = Subcommands(below, lambda at: self.row(at, indent + 2, program))
            program = Program(starts=starts, subcommands=rows, parent=parent, **said)  # type: ignore[arg-type]  # as written
        except ValueError as error:
            raise UnreadableRowError(str(error), line) from None
        return program

    def _below(self, line: int, indent: int) -> dict[str, int]:
        """The lines of the heads of subcommands, by their names."""
        found: dict[str, int] = {}
        lines, blanks = self._lines, " " * indent
        for at in range(line, len(lines)):
            head = lines[at]
            if not head.startswith(blanks):
                break
            if head[indent] == " ":
                continue
            more = lines[at + 1 : at + 2]
            if more and more[0].startswith("also:", indent + 4):
                names: Sequence[str] = _names(lines, at, indent)
            else:  # the same without a call, because a program may have hundreds
                names = head.split(maxsplit=1)[0].split(",")
            for name in names:
                found[name] = at
        return found

    def _fields(self, said: dict[str, str | int], line: int, indent: int) -> int:
        """Add the fields below a row's head to `said`, by their names; return the line behind them."""
        lines = self._lines
        found: dict[str, str | int] = {}
        while line < len(lines) and _depth(lines[line]) == indent:
            name, mark, text = lines[line][indent:].partition(":")
            if not mark or name not in FIELDS:
                name, text = "options", lines[line]
            line += 1
            while line < len(lines) and _depth(lines[line]) == indent + 4:
                text += lines[line]
                line += 1
            if name in found:
                raise UnreadableRowError(f"`{name}` is said twice", line - 1)
            words = self._whole(text.split(), line - 1) if "$" in text else text.split()
            found[name] = " ".join(words)
        said |= found
        said["aliases"] = f"{said['aliases']} {said.pop('also', '')}"
        return line

    def _whole(self, words: list[str], line: int) -> Iterator[str]:
        """Words with the lists in place of their names."""
        for word in words:
            if word[0] != "$" or word == "$":
                yield word
            elif word[1:] not in self._shared:
                raise UnreadableRowError(f"this file has no list {word}", line)
            else:
                yield from self._whole(" ".join(self._shared[word[1:]]).split(), line)


def _head(text: str, line: int) -> dict[str, str | int]:
    """What the head of a row says, as arguments of `Program`."""
    names, _, rest = text.partition(" ")
    name, _, aliases = names.partition(",")
    found: dict[str, str | int] = {"name": "" if name == "*" else name, "aliases": aliases.replace(",", " ")}
    words = rest.split()
    while words:
        word = words.pop(0)
        if word == ":":
            effects = []
            while words and (words[0] == "?" or words[0].replace(".", "").isalpha()):
                effects.append(words.pop(0))
            found["effects"] = " ".join(effects)
        elif word[0] in _PARTS:
            end, what = _PARTS[word[0]]
            inside = [word]
            while not inside[-1].endswith(end) and words:
                inside.append(words.pop(0))
            found[what] = " ".join(inside)[1:].removesuffix(end)
        elif word.startswith("names=") and word[6:].isdigit():
            found["names_by"] = int(word[6:])
        elif word.startswith("shell="):
            found["shell"] = word[6:]
        else:
            raise UnreadableRowError(
                f"`{word}` cannot stand here; a row begins as `NAME,OTHER : EFFECTS <OPERANDS>`", line
            )
    return found


def _depth(line: str) -> int:
    """The blanks before a line."""
    return len(line) - len(line.lstrip(" "))


def _names(lines: list[str], line: int, indent: int) -> tuple[str, ...]:
    """The names of the row whose head is a line, also those that the line below it has."""
    names = lines[line].split(maxsplit=1)[0].split(",")
    if lines[line + 1 : line + 2] and lines[line + 1].startswith("also:", indent + 4):
        names += lines[line + 1].split()[1:]
        for each in lines[line + 2 :]:
            if _depth(each) != indent + 8:
                break
            names += each.split()
    return tuple(names)


def _starts(text: str) -> Starts:
    """Where a program's arguments hold a command, as words `NAME` or `NAME=VALUE`.

    Raises:
        ValueError: there is no such name.
    """
    said: dict[str, object] = {}
    for word in text.split():
        name, given, value = word.partition("=")
        if name not in Starts._fields:
            raise ValueError(f"`{name}` says nothing of where a command is")
        said[name] = (int(value) if value.isdigit() else value) if given else True
    return Starts(**said)  # type: ignore[arg-type]  # as written
