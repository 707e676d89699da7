"""Reads the catalogue: text in the notation of manuals, a block for each program.

::

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
all is known), the roles of its operands in angle brackets, its traits in
braces, the words of its syntax in square brackets, then `names=` and `shell=`. Below it, four blanks deeper, are its
options, and fields that begin with a name of `FIELDS`; what is four blanks deeper still goes on with these. Two blanks
deeper than the head are the rows of its subcommands; `*` is the row of all others. `Program` says what each part means.

`$NAME = …` at the beginning of a file is a list that rows name as `$NAME`; `#` begins a comment, which is a line.
"""

from __future__ import annotations

from itertools import accumulate

from asimi.core.lean import TYPE_CHECKING
from asimi.core.programs.program import Program, Starts, Subcommands

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELDS = frozenset("operands writes runs inert shells starts also trees sets shows check names".split())
"""What a line below a row may begin with; one that begins with none of them has the options that do nothing of note."""

_PARTS = {"<": (">", "operands"), "{": ("}", "traits"), "[": ("]", "syntax")}


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


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a file, in order: what comes before the first program, then each program."""
    lines = text.splitlines(keepends=True)
    heads = [number for number, line in enumerate(lines) if line[0] not in " \n#$"]
    at = [0, *accumulate(map(len, lines))]
    names = [(), *(_names(lines, head, 0) for head in heads)]
    return zip(names, [0, *(at[head] for head in heads)], [*(at[head] for head in heads), at[-1]], strict=True)


def lists(text: str) -> dict[str, str]:
    """The lists that the beginning of a file gives names to: `$NAME = OPTIONS`."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.split("\n"):
        if line[:1] == "$":
            name, _, words = line[1:].partition(" = ")
            found[name] = [words]
        elif line[:1] == " ":
            found[name].append(line.strip())
    return {name: " ".join(words) for name, words in found.items()}


def program_of(text: str, shared: dict[str, str], *, names_by: int = 0) -> Program:
    """The program of a block.

    Args:
        text: the block.
        shared: the lists that it may name, by their names.
        names_by: how many words behind a name say what it does, where a row with subcommands says nothing of that.

    Raises:
        UnreadableRowError: it is not one; about a subcommand, when that is first looked at.
    """
    lines = [line for line in text.split("\n") if line.strip() and line.lstrip()[0] != "#"]
    return _Rows(lines, shared, names_by).row(0, 0)


class _Rows:
    """Reads the rows of a block."""

    def __init__(self, lines: list[str], shared: dict[str, str], names_by: int) -> None:
        self._lines, self._shared, self._names_by = lines, shared, names_by

    def row(self, line: int, indent: int, parent: Program | None = None) -> Program:
        """The row whose head is a line."""
        said = _head(self._lines[line][indent:], line)
        fields, at = self._fields(line + 1, indent + 4)
        said |= fields
        said["aliases"] = f"{said['aliases']} {said.pop('also', '')}"
        if self._names_by and self._below(at, indent + 2):
            said.setdefault("names_by", self._names_by)
        below = Subcommands(self._below(at, indent + 2), lambda at: self.row(at, indent + 2, program))
        try:
            starts = _starts(str(said.pop("starts"))) if "starts" in said else None
            program = Program(starts=starts, subcommands=below, parent=parent, **said)  # type: ignore[arg-type]  # as written
        except ValueError as error:
            raise UnreadableRowError(str(error), line) from None
        return program

    def _below(self, line: int, indent: int) -> dict[str, int]:
        """The lines of the heads of subcommands, by their names."""
        found = dict[str, int]()
        while line < len(self._lines) and (deep := _indent(self._lines[line])) >= indent:
            if deep == indent:
                found |= dict.fromkeys(_names(self._lines, line, indent), line)
            line += 1
        return found

    def _fields(self, line: int, indent: int) -> tuple[dict[str, str], int]:
        """What is said of a row below its head, by the name of what it says, and the line behind that."""
        found = dict[str, str]()
        while line < len(self._lines) and _indent(self._lines[line]) == indent:
            name, mark, text = self._lines[line][indent:].partition(":")
            if not mark or name not in FIELDS:
                name, text = "options", self._lines[line][indent:]
            words = text.split()
            line += 1
            while line < len(self._lines) and _indent(self._lines[line]) == indent + 4:
                words += self._lines[line].split()
                line += 1
            if name in found:
                raise UnreadableRowError(f"`{name}` is said twice", line - 1)
            found[name] = " ".join(self._whole(words, line - 1))
        return found, line

    def _whole(self, words: list[str], line: int) -> Iterator[str]:
        """Words with the lists in place of their names."""
        for word in words:
            if word[0] != "$" or word == "$":
                yield word
            elif word[1:] not in self._shared:
                raise UnreadableRowError(f"this file has no list {word}", line)
            else:
                yield from self._whole(self._shared[word[1:]].split(), line)


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


def _names(lines: list[str], line: int, indent: int) -> tuple[str, ...]:
    """The names of the row whose head is a line, also those that the line below it has."""
    names = lines[line].split(maxsplit=1)[0].split(",")
    if lines[line + 1 : line + 2] and lines[line + 1].startswith("also:", indent + 4):
        names += lines[line + 1].split()[1:]
        for each in lines[line + 2 :]:
            if _indent(each) != indent + 8:
                break
            names += each.split()
    return tuple(names)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


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
