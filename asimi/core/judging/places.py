"""Where a request reaches on the file system: what its words, its searches and its redirections lead to."""

from __future__ import annotations

import os.path

from asimi.core.lean import TYPE_CHECKING, NamedTuple, pattern
from asimi.core.reading.commands import Added
from asimi.core.reading.shapes import ANY, MARKS, ONE, SOME
from asimi.core.reading.touches import HERE, reach_of, touches
from asimi.core.reading.trees import DISKS, NOTHING, SETS, Tree
from asimi.core.syntax.nodes import Pipe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.call import Span
    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.touches import Touch

    Directories = frozenset[str | None]

LISTS = {
    "ls": frozenset[str](),
    "git ls-files": frozenset[str](),
    "git diff": frozenset({"--name-only"}),
    "git grep": frozenset({"-l", "-L", "--name-only", "--files-with-matches"}),
    "rg": frozenset({"-l", "--files-with-matches", "--files", "--files-without-match"}),
    "grep": frozenset({"-l", "-L"}),
    "find": frozenset[str](),
    "fd": frozenset[str](),
}
"""Programs that print names of files below where they start, with the options of which one makes them do so."""

PASSES = frozenset({"egrep", "fgrep", "grep", "head", "shuf", "sort", "tac", "tail", "uniq"})
"""Programs that print lines of their input as they are."""

NEGATIONS = frozenset({"!", "-not"})
"""Words by which `find` looks for all but what follows."""

CHANGING = frozenset({"write", "delete", "system"})
"""Effects of what changes something here."""

SETTERS = DISKS | {"crontab", "git"}
"""Programs that may write what none of their words names."""

_CLASS = pattern(r"\[[^]]*\]")


class Place(NamedTuple):
    """Where a word leads.

    Attributes:
        path: the real path; with marks from its first part that is not known.
        how: what becomes of it, a role (`asimi.core.reading.touches.Touch`).
        span: the place of the command in the request's text.
        by: the command, or None for a redirection.
        tree: what the command does to directories.
        found: the shape of the names of what a search finds below the path, if that is what counts: empty for any.
    """

    path: str
    how: str
    span: Span | None
    by: Command | None = None
    tree: Tree = NOTHING
    found: str | None = None

    @property
    def shape(self) -> str:
        """The shape of all that it may be."""
        if self.found is None:
            return self.path
        return f"{self.path.rstrip('/')}/{ANY}" + (f"/{self.found}" if self.found else "")


class Found(NamedTuple):
    """What a search finds: below which paths, with names of which shapes (none for all)."""

    starts: Sequence[str]
    names: Sequence[str]


class Places:
    """Where one request reaches.

    Args:
        reading: what it would do.
        paths: its paths.
    """

    def __init__(self, reading: Reading, paths: Paths) -> None:
        self.reading, self.paths = reading, paths
        self._outer: Command | None = None  # the last command that was in no wrapper

    def all(self) -> Iterator[Place]:
        """All of them, in the order of the text; redirections last."""
        search: tuple[str | None, Found] | None = None
        for command in self.reading.commands:
            if command.possible and not command.called:
                continue
            yield from self._inside(command)
            if command.via is None:
                self._outer, search = command, None
            if search is not None and search[0] == command.via == "fd":
                command = _completed(command)  # noqa: PLW2901 - the same command, as fd starts it
            looked, tree = reach_of(command)
            bases = self.bases(command, looked)
            if tree.points == "relative":
                yield from self._pointed(command, looked, tree, bases)
                looked = [each for each in looked if each.how != "read"]
            if command.program is not None and command.program.syntax.commands:
                found = self._searched(command, looked)
                search = command.name, found
                if "-delete" in command.literals:
                    yield from self._handed(command, found, "delete", Tree(deep=True))
            fed = search[1] if search is not None and command.via == search[0] else None
            for touch in looked:
                yield from self._of(command, touch, tree, fed, bases)
            yield from self._unnamed(command)
            if tree.lists:
                yield self._place(ANY, "read", command, tree)
            if tree.points == "here":
                yield from self._pointed(command, looked, tree, bases)
        for target, span, writes in self.reading.targets:
            for path in self.paths.targets(target, span):
                yield Place(path, "write" if writes else "read", span)

    def _of(
        self, command: Command, touch: Touch, tree: Tree, search: Found | None, bases: Sequence[tuple[int, Directories]]
    ) -> Iterator[Place]:
        """The places of one word."""
        word, how = command.words[touch.word], touch.how
        handed = isinstance(word, Added) or (search is not None and "{}" in command.written(word))
        if handed and touch.word != HERE:
            found = search if search is not None else self._fed()
            if found is not None:
                yield from self._handed(command, found, how, tree)
                return
        unlinks = how in {"delete", "move"}
        for path in self.paths.leads(command, touch.word, touch.start, unlinks=unlinks, bases=_before(bases, touch)):
            yield self._place(path, how, command, tree)
            if tree.empties and how == "write":
                yield self._place(path, "delete", command, tree)

    def _inside(self, command: Command) -> Iterator[Place]:
        """What a program text names that a command is given."""
        for file in command.inline.files if command.inline is not None else ():
            unlinks = file.how in {"delete", "move"}
            for path in self.paths.named(command, file, unlinks=unlinks):
                yield self._place(path, file.how, command, Tree(deep=unlinks))

    def _unnamed(self, command: Command) -> Iterator[Place]:
        """What a command writes though no word of it has that role: disks, and files of settings."""
        name, words = command.name or "", [word or "" for word in command.literals]
        effects = command.effects(self.paths.budget) if name.partition(".")[0] in SETTERS else frozenset[str]()
        if effects is not None and effects.isdisjoint(CHANGING):
            return
        if name.partition(".")[0] in DISKS:
            yield from (Place(each, "write", command.span, command) for each in words[1:] if each.startswith("/dev/"))
            return
        for key, files in SETS.items():
            if set(key.split()) <= {name, *words[1:]} and key.split()[0] == name:
                home = self.paths.machine.home
                starts = [each or ANY for each in self.paths.at(command)]
                for file in files:
                    path = file.replace("~", home, 1) if file[0] in "~/" else f"{starts[0]}/{file}"
                    yield Place(path, "write", command.span, command)

    def _place(self, path: str, how: str, command: Command, tree: Tree) -> Place:
        return Place(path, how, command.span, command, tree)

    def _handed(self, command: Command, found: Found, how: str, tree: Tree) -> Iterator[Place]:
        """The places that a command is handed by a search."""
        for start in found.starts:
            for name in found.names or ("",):
                yield Place(start, how, command.span, command, tree, name)

    def _real(self, directories: Directories) -> list[str]:
        """Some directories by their real paths."""
        known = [each if each is not None and MARKS.isdisjoint(each) else ANY for each in directories]
        return sorted(each if each == ANY else self.paths.real(each) for each in known)

    def bases(self, command: Command, looked: Sequence[Touch]) -> list[tuple[int, Directories]]:
        """From which directories words lead that are behind a word: `tar -C`, `git -C`."""
        bases = [(0, self.paths.at(command))]
        for touch in sorted(each for each in looked if each.how == "enter"):
            paths = self.paths.leads(command, touch.word, touch.start, bases=bases[-1][1])
            bases.append((touch.word, frozenset(paths)))
        return bases

    def _pointed(
        self, command: Command, looked: Sequence[Touch], tree: Tree, bases: Sequence[tuple[int, Directories]]
    ) -> Iterator[Place]:
        """What gets another name, through which it may be read and written."""
        for touch in looked:
            if touch.how == "read" and touch.word != HERE:
                starts: Iterable[str | None] | None = _before(bases, touch)
                if tree.points == "relative":
                    starts = self._beside(command, looked, bases)
                for path in self.paths.leads(command, touch.word, touch.start, bases=starts):
                    yield self._place(path, "read", command, NOTHING)
                    yield self._place(path, "write", command, NOTHING)

    def _beside(
        self, command: Command, looked: Sequence[Touch], bases: Sequence[tuple[int, Directories]]
    ) -> list[str | None]:
        """The directories that the names are in which a command gives to files."""
        found: list[str | None] = []
        for touch in looked:
            if touch.how == "write":
                for path in self.paths.leads(command, touch.word, touch.start, bases=_before(bases, touch)):
                    kind = self.paths.machine.kind(path) if MARKS.isdisjoint(path) else ""
                    if kind in {"directory", "mount", None}:
                        found.append(path)
                    if kind not in {"directory", "mount"}:
                        found.append(os.path.dirname(path) or ANY)
        return found or list(bases[-1][1])

    def _searched(self, command: Command, looked: Sequence[Touch]) -> Found:
        """What `find` or `fd` finds; where it follows links, that may be anywhere."""
        starts, words = self._starts(command, looked), command.literals
        if not {"-L", "-follow", "--follow"}.isdisjoint(words):
            starts = [f"{each.rstrip('/')}/{ANY}" for each in starts]
        return Found(starts, () if command.name != "find" else _names(words))

    def _starts(self, command: Command, looked: Sequence[Touch]) -> list[str]:
        """Where a search begins: at the files that it names, else where it runs."""
        bases = self.bases(command, looked)
        begins = [each for each in looked if each.how in {"look", "read", "kept"} and each.word != HERE]
        found = [
            path
            for touch in begins
            if not touch.option
            for path in self.paths.leads(command, touch.word, touch.start, bases=_before(bases, touch))
        ]
        return found or self._real(bases[-1][1])

    def _fed(self) -> Found | None:
        """What a list of files holds that `xargs` takes from its input; None where only bash can know."""
        if self._outer is None:
            return None
        simple, script = self._outer.simple, self._outer.where.script
        of = {id(each.simple): each for each in self.reading.commands if each.simple is not None}
        while simple is not None and script is not None and isinstance(simple.input, Pipe):
            if simple.input.last - simple.input.first != 1:
                return None
            simple = script.commands[simple.input.first]
            source = of.get(id(simple))
            if source is None:
                return None
            looked = touches(source)
            if source.name in PASSES and not any(each.how == "read" and each.word != HERE for each in looked):
                continue
            return self._listed(source, looked)
        return None

    def _listed(self, source: Command, looked: Sequence[Touch]) -> Found | None:
        """What a command prints the names of; None if that is not what it does."""
        names = [word or "" for word in source.literals]
        name = " ".join(names[:2]) if names[:1] == ["git"] else source.name or ""
        options = LISTS.get(name)
        if options is None or (options and not any(_has(word, options) for word in names[1:])):
            return None
        if name == "find":
            printed = any(word.startswith(("-printf", "-fprint", "-ls", "-exec")) for word in names)
            return None if printed else self._searched(source, looked)
        starts = self._starts(source, looked)
        return Found([*starts, *self._real(self.paths.at(source))] if name in {"ls", "git diff"} else starts, ())


def _completed(command: Command) -> Command:
    """A command that `fd -x` starts, which gets the names behind its words if they are nowhere in it."""
    if any("{" in command.written(word) for word in command.words):
        return command
    end = command.words[-1].end
    return command.with_words((*command.words, Added(end, end, None, "", single=True)))


def _has(word: str, options: frozenset[str]) -> bool:
    """Whether a word is one of some options, alone or in a bundle of letters."""
    if word in options:
        return True
    return word[:1] == "-" and word[1:2] != "-" and any(f"-{letter}" in options for letter in word[1:])


def _before(bases: Sequence[tuple[int, Directories]], touch: Touch) -> Iterable[str | None] | None:
    """The directories from which a word leads; None for those in which the command runs."""
    if len(bases) == 1:
        return None
    if touch.word == HERE:
        return bases[-1][1]
    if touch.option and touch.how != "enter":  # a program may look at these before or after
        return frozenset().union(*(each for _, each in bases))
    return next(each for at, each in reversed(bases) if at <= touch.word)


def _names(words: Sequence[str | None]) -> list[str]:
    """The shapes of the names that `find` looks for; none where it may find any."""
    found = []
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else None
        if word in {"-name", "-iname"} and words[at - 1] not in NEGATIONS:
            shape = SOME if behind is None else _as_shape(behind)
            found.append(shape if word == "-name" else shape.lower())
        elif word in {"-o", "-or", ","} and behind not in {"-name", "-iname"}:
            return []  # what is behind may hold for any name
    return found


def _as_shape(pattern: str) -> str:
    """A pattern of file names, as programs have them, as a shape."""
    return _CLASS.sub(ONE, pattern).replace("*", SOME).replace("?", ONE)
