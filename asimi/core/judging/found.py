"""What a search finds, or a list names: `find`, `fd`, what `xargs` and `while read` take from such a one."""

from __future__ import annotations

from asimi.core.judging.places import starts_of
from asimi.core.reading.account import HERE
from asimi.core.reading.arguments import COMPUTED, SEPARATOR
from asimi.core.reading.fed import passes, writer
from asimi.core.reading.finding import PRINTED, Expression, as_shape, expression_of, names_of
from asimi.core.reading.shapes import ANY, SOME
from asimi.core.startup import ASCII, TYPE_CHECKING, NamedTuple, cached_property, pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from asimi.core.judging.places import Places
    from asimi.core.reading import Command
    from asimi.core.reading.account import FileAccess
    from asimi.core.reading.arguments import Argument
    from asimi.core.syntax.nodes import Word

_FOLLOWS = frozenset({"-L", "-follow", "--follow"})
"""Options with which `find` and `fd` go where links lead."""

_SIMPLE = pattern(r"[\w./@%+=:,*?~-]*|%s(?:\\[n0])?", ASCII)
"""A word that is printed as it is, or a format of `printf` that does so with each of its words."""

_VARIABLE = pattern(r'"\$(?:\{(\w+)\}|(\w+))"', ASCII)
"""A quoted variable, and nothing else."""

_WILD = pattern(r"[*?\[\\]")
_MAGIC = pattern(r":(?:\([^)]*\)|[/!^]+:?|:)")
_NAMED = pattern(r"(\^?)((?:[\w-]|\\\.)+)(\$?)", ASCII)
"""A regular expression that is for a part of a name, as it is written."""

_BRACES = pattern(r"\{([^{}]*)\}")
MOST_CHOICES = 64
"""Choices of the braces of a glob that are looked at."""

_EXCLUDES = pattern(r"[!^]|\bexclude\b")


class Found(NamedTuple):
    """What a search finds, or a list names.

    Attributes:
        starts: the paths below which it is, each as it is written, too; with marks where that is not known.
        expression: which of what is below.
        action: for which of its actions; None where that is not known.
        names: the shapes of the names; none for any.
        exact: the paths that it is besides, each with the names of what is below it, or None for the path itself.
        follows: whether it goes where links lead.
    """

    starts: Sequence[tuple[str, str]]
    expression: Expression = Expression()
    action: int | None = None
    names: Sequence[str] = ()
    exact: Sequence[tuple[str, str | None]] = ()
    follows: bool = False

    def by(self, action: int | None) -> Found:
        """What one action is reached with."""
        return self._replace(action=action, names=self.expression.names(action))

    def inside(self, search: Command, command: Command) -> Found | None:
        """What the search hands to a command that it starts, also through a wrapper; None for other commands."""
        words, at = search.words, command.words[0].start
        if command.source != search.source or not words[0].end <= at <= words[-1].start:
            return self if command.via == search.name else None
        if not self.expression.actions:
            return self
        own = [first for first, last in self.expression.actions if words[first].end <= at <= words[last].start]
        return self.by(own[0] if len(own) == 1 else None)


class Finds:
    """What the searches and lists of one request find.

    Args:
        places: where the request reaches.
    """

    def __init__(self, places: Places) -> None:
        self.places = places

    @cached_property
    def _by_simple(self) -> dict[int, Command]:
        """The last command of each simple command, by its identity."""
        return {id(each.simple): each for each in self.places.reading.commands if each.simple is not None}

    def searched(self, command: Command, looked: Sequence[FileAccess]) -> Found:
        """What `find` or `fd` finds."""
        starts, words = self._starts(command, looked), command.literals
        follows = any(word is None or _has(word, _FOLLOWS) for word in words)
        splits = any(map(command.may_split, command.words))
        if command.name != "find":
            return Found(starts, names=() if splits else _of_fd(command), follows=follows)
        expression = expression_of([_known(word) if word.literal is None else word.literal for word in command.words])
        found = Found(starts, Expression(named=expression.named) if splits else expression, follows=follows)
        return found.by(PRINTED)

    def _starts(self, command: Command, looked: Sequence[FileAccess]) -> list[tuple[str, str]]:
        """Where a search begins, and how that is written: at the files that it names, else where it runs."""
        bases = self.places.bases(command, looked)
        begins = [each for each in looked if each.how in {"look", "read", "kept"} and each.word != HERE]
        found = [
            (path, ANY if (text := command.literals[touch.word]) is None else text[touch.start :])
            for touch in begins
            if not touch.option
            for path in self.places.paths.leads(command, touch.word, touch.start, bases=starts_of(bases, touch))
        ]
        return found or [(each, ".") for each in self.places.real(bases[-1][1])]

    def line(self, command: Command, word: Word) -> Found | None:
        """What a computed word is that holds a line of a list, as of `find | while read -r f; do cat "$f"`; or None."""
        match, variables = _VARIABLE.fullmatch(command.written(word)), self.places.reading.variables
        given = None if match is None else variables.at(match[1] or match[2], command.place(word))
        if not given or len({each.start for each in given}) != 1:
            return None
        starts = given[0].start
        reads = (each for each in self.places.reading.commands if each.name == "read")
        read = next((each for each in reads if any(name.start == starts for name in each.words)), None)
        if read is None or self.places.paths.at(read) != self.places.paths.at(command):
            return None
        return self._list_of(read)

    def fed(self, outer: Command | None) -> Found | None:
        """What a list of files holds that `xargs` takes from its input; None where only bash can know."""
        if outer is None or any(each.option and each.how == "read" for each in outer.account.touches):
            return None  # it takes the names from a file (xargs(1), `--arg-file`)
        return self._list_of(outer)

    def _list_of(self, command: Command) -> Found | None:
        """What a list of files holds that a command reads on its input."""
        simple, script = command.simple, command.where.script
        while (written := writer(simple, script)) is not None:
            simple, script = written
            source = self._by_simple.get(id(simple))
            if source is None:
                return None
            if source.program is None or not passes(source.words, source.program):
                return self._listed(source, source.account.touches)
        return None

    def _listed(self, source: Command, looked: Sequence[FileAccess]) -> Found | None:
        """What a command prints the names of; None if that is not what it does."""
        if "echoes" in source.traits:
            return self._echoed(source)
        last = source.levels[-1] if source.levels else None
        said, _, more = (last.row.names if last is not None else "").partition(" with ")
        how, *options = said.split() or [""]
        names, plain = [word or "" for word in source.literals], {*options, *more.split()}
        if (
            not how
            or last is None
            or last.start > len(source.levels)
            or (  # of git, options say where it works
                options and not any(_has(word, options) for word in names[1:])
            )
            or (more and not all(_is_plain(each, plain) for each in last.arguments))
        ):
            return None
        if how == "SOUGHT":
            printed = any(word.startswith(("-printf", "-fprint", "-ls", "-exec")) for word in names)
            return None if printed else self.searched(source, looked)
        starts = self._starts(source, looked)
        if how == "BELOW":
            return Found(starts)
        here = self.places.real(self.places.paths.at(source))
        beside = [*starts, *((each, ".") for each in here)]
        if how == "BESIDE":
            shown = any(each.how == "look" and each.word != HERE for each in looked)
            return Found(beside, exact=[(path, None) for path, _ in starts if shown])
        found = self._of_pathspecs(starts, here)
        return found._replace(starts=[*found.starts, *beside[len(starts) :]]) if how == "CHANGED" else found

    def _of_pathspecs(self, starts: Sequence[tuple[str, str]], here: Sequence[str]) -> Found:
        """What git lists for pathspecs (gitglossary(7)): what is below a path, or what a pattern names."""
        plain: list[tuple[str, str]] = []
        exact: list[tuple[str, str | None]] = []
        for path, written in starts:
            magic = _MAGIC.match(written)
            if magic is None and not _WILD.search(written):
                plain.append((path, written))
            elif magic is None or not _EXCLUDES.search(magic[0]):
                text = written if magic is None else written[magic.end() :]
                tail = text[text[: _WILD.search(f"{text}*").start()].rfind("/") + 1 :]  # type: ignore[union-attr]
                at = [path[: -len(tail)].rstrip("/") or "/"] if magic is None and path.endswith(tail) else here
                names = names_of(as_shape(tail.casefold() if magic else tail)[0])
                exact += [(each, name) for each in at for name in names]
        return Found(plain or ([] if exact else [(each, ".") for each in here]), exact=exact)

    def _echoed(self, source: Command) -> Found | None:
        """The paths that `echo` or `printf` prints; None where its words need not be these."""
        if any(not _SIMPLE.fullmatch(source.written(word)) for word in source.words[1:]):
            return None
        words = range(2 if source.name == "printf" else 1, len(source.words))
        return Found((), exact=[(path, None) for at in words for path in self.places.paths.leads(source, at)])


def _of_fd(command: Command) -> tuple[str, ...]:
    """The shapes of the names that `fd` looks for (fd(1)); none for any, or for one not known that is not hidden."""
    given = command.levels[-1].arguments
    options = {name: each for each in given if each.option is not None for name in each.option.names}
    ends = [each.value for name, each in options.items() if name == "-e" and each.value is not None]
    words = [command.literals[each.at] for each in given if each.option is None]
    unknown = (ANY,) if {"-H", "-u", "-p", "--and"} & options.keys() else ()
    if not words or words[0] in {"", ".", ".*"}:
        return (f"{SOME}.{ends[0].literal}",) if len(ends) == 1 and ends[0].literal else ()
    text = words[0]
    if text is None or "-p" in options:
        return unknown
    if "-g" in options:
        return (as_shape(text.casefold())[0],)
    if "-F" not in options:
        match = _NAMED.fullmatch(text)
        if match is None:
            return unknown
        plain = match[2].replace("\\", "")
        return (("" if match[1] else SOME) + plain.casefold() + ("" if match[3] else SOME),)
    return (SOME + text.casefold() + SOME,)


def choices(glob: str) -> set[str]:
    """What a glob is for by each choice in its braces (rg(1), `--glob`); a star for each where they are many."""
    found, done = [glob], list[str]()
    while found and len(found) + len(done) < MOST_CHOICES:
        each = found.pop()
        braces = _BRACES.search(each)
        if braces is None:
            done.append(each)
        else:
            found += [each[: braces.start()] + part + each[braces.end() :] for part in braces[1].split(",")]
    return {*done, *(_BRACES.sub("*", each) for each in found)}


def _known(word: Word) -> str | None:
    """A word of `find` as far as it is known, if it is sure to be no operator and no option; else None."""
    return word.head + ANY if word.head and word.head[0] not in "-!()," else None


def _is_plain(argument: Argument, plain: Collection[str]) -> bool:
    """Whether an argument of what prints names makes it print nothing else."""
    option = argument.option
    return option in {None, SEPARATOR, COMPUTED} or not set(plain).isdisjoint(option.names)


def _has(word: str, options: Collection[str]) -> bool:
    """Whether a word is one of some options, alone or in a bundle of letters."""
    if word in options:
        return True
    return word[:1] == "-" and word[1:2] != "-" and any(f"-{letter}" in options for letter in word[1:])
