"""Where a request reaches: the places to which its words, its searches and its redirections lead."""

from __future__ import annotations

import os.path

from asimi.core.reading.account import HERE, NOTHING, TreeAccess, paths_in
from asimi.core.reading.arguments import COMPUTED, SEPARATOR
from asimi.core.reading.commands import Added
from asimi.core.reading.fed import fed_text, passes, writer
from asimi.core.reading.finding import PRINTED, Expression, as_shape, expression_of, names_of
from asimi.core.reading.shapes import ANY, MARKS, SOME
from asimi.core.startup import ASCII, TYPE_CHECKING, NamedTuple, pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from asimi.core.call import Span
    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.account import FileAccess
    from asimi.core.reading.arguments import Argument
    from asimi.core.syntax.nodes import Word

    Directories = frozenset[str | None]


class Sought(NamedTuple):
    """The search that finds something.

    Attributes:
        expression: the expression of the search.
        action: the index of the word of its action that is reached; None where that is not known.
        written: where it starts, as it is written.
    """

    expression: Expression
    action: int | None
    written: str


class Place(NamedTuple):
    """Where a word leads.

    Attributes:
        path: the real path; with marks from its first part that is not known.
        how: what becomes of it, a role (`asimi.core.reading.account.Touch`).
        span: the place of the command in the request's text.
        by: the command, or None for a redirection.
        tree: what the command does to directories.
        found: the shape of the names of what a search finds below the path, if that is what counts: empty for any.
        sought: by which expression it is found; None where it is by none.
        brought: what a command copies there, or changes there as a whole.
        named: the names, links unresolved, of what a command puts there under another name.
        through: the real paths from which its word goes up by `..`.
    """

    path: str
    how: str
    span: Span | None
    by: Command | None = None
    tree: TreeAccess = NOTHING
    found: str | None = None
    sought: Sought | None = None
    brought: tuple[Source, ...] = ()
    named: tuple[str, ...] = ()
    through: frozenset[str] = frozenset()

    @property
    def shape(self) -> str:
        """The shape of all that it may be."""
        if self.found is None:
            return self.path
        return f"{self.path.rstrip('/')}/{ANY}" + (f"/{self.found}" if self.found else "")


class Source(NamedTuple):
    """What is copied.

    Attributes:
        place: where it is.
        names: by which names it may be known where it arrives, from the target; with marks where one is not known.
        flat: whether what is below it arrives without its own name.
    """

    place: Place
    names: tuple[str, ...] = ()
    flat: bool = True


def whole(place: Place) -> Place:
    """A place of which everything below it is changed as well."""
    return place._replace(brought=(Source(place),))


CHANGING = frozenset({"write", "delete", "system"})
"""Effects of what changes something here."""


_FOLLOWS = frozenset({"-L", "-follow", "--follow"})
"""Options with which `find` and `fd` go where links lead."""

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789{}/._-+=@:,"
"""Characters that are the same in a word as it is written, so what is around a `{}` in it is known."""


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


class Places:
    """Where one request reaches.

    Args:
        reading: what it would do.
        paths: its paths.
    """

    def __init__(self, reading: Reading, paths: Paths) -> None:
        self.reading, self.paths = reading, paths
        self._outer: Command | None = None  # the last command that was in no wrapper
        self._by_simple: dict[int, Command] | None = None  # the last one of each simple command
        self._all: tuple[Place, ...] | None = None

    def all(self) -> tuple[Place, ...]:
        """All of them, in the order of the text; redirections last. They are found once."""
        if self._all is None:
            self._all = tuple(self._found())
        return self._all

    def _found(self) -> Iterator[Place]:
        search: tuple[Command, Found] | None = None
        for command in self.reading.commands:
            if command.possible and not command.called:
                continue
            yield from self._inside(command)
            if command.via is None:
                self._outer, search = command, None
            if search is not None and "appends" in search[0].traits and command.via == search[0].name:
                command = _completed(command)  # noqa: PLW2901 - the same command, as it is started
            looked, tree = command.account.touches, command.account.tree
            every, bases = looked, self.bases(command, looked)
            if tree.points == "relative":
                yield from self._pointed(command, looked, tree, bases)
                looked = tuple([each for each in looked if each.how != "read"])
            if command.program is not None and command.program.syntax.commands:
                found = self._searched(command, looked)
                search = command, found
                for at in (at for at, word in enumerate(command.literals) if word == "-delete"):
                    yield from self._handed(command, found.by(at), "delete", TreeAccess(deep=True))
            fed = search[1].inside(search[0], command) if search is not None and command.via is not None else None
            reached = {touch: list(self._of(command, touch, tree, fed, bases)) for touch in every}
            brought = tuple(self._brought(command, tree, reached)) if tree.brings else ()
            named = tuple(self._named(command, looked, bases)) if tree.links and not tree.points else ()
            for touch in looked:
                yield from (self._with(each, brought, named) for each in reached[touch])
            yield from self._unnamed(command, looked)
            yield from self._objects(command)
            if tree.lists or tree.rewrites:
                yield self._place(ANY, "write" if tree.rewrites else "read", command, tree)
            if tree.points == "here":
                yield from self._pointed(command, looked, tree, bases)
        for target, span, writes in self.reading.targets:
            for path in self.paths.targets(target, span):
                through = frozenset(self.paths.through.get(path, ()))
                yield Place(path, "write" if writes else "read", span, through=through)

    def _of(
        self,
        command: Command,
        touch: FileAccess,
        tree: TreeAccess,
        search: Found | None,
        bases: Sequence[tuple[int, Directories]],
    ) -> Iterator[Place]:
        """The places of one word."""
        word, how = command.words[touch.word], touch.how
        handed = isinstance(word, Added) or (search is not None and "{}" in command.written(word))
        line = None if handed or touch.word == HERE else self._line(command, word)
        if (handed or line is not None) and touch.word != HERE:
            found = line or (search if search is not None else self._fed())
            around = ("", "")
            if isinstance(word, Added):
                around = word.head[touch.start :], word.behind
            elif "{}" in (text := command.written(word)):
                before, _, behind = (ANY if text.strip(_PLAIN) else text[touch.start :]).partition("{}")
                around = before, behind.replace("{}", ANY)
            if found is not None:
                yield from self._handed(command, found, how, tree, *around)
                return
        unlinks = how in {"delete", "move"}
        for path in self.paths.leads(command, touch.word, touch.start, unlinks=unlinks, bases=_before(bases, touch)):
            if how == "kept":  # a name as git or a search matches it
                names = {path, path.rpartition("/")[0] + "/" + path.rpartition("/")[2].casefold()}
                names |= {choice for each in names if "{" in each for choice in _choices(each)}
                yield from (self._place(as_shape(each)[0], how, command, tree) for each in sorted(names))
                continue
            yield self._place(path, how, command, tree)
            if tree.empties and how == "write":
                yield self._place(path, "delete", command, tree)

    def _brought(
        self, command: Command, tree: TreeAccess, reached: Mapping[FileAccess, Sequence[Place]]
    ) -> Iterator[Source]:
        """What a command copies, with the names that its words give to that."""
        for touch, places in reached.items():
            if touch.how in {"read", "move"} and touch.word != HERE:
                texts = [each[touch.start :] for each in self.paths.shapes(command, touch.word)]
                last = {text.rstrip("/").rpartition("/")[2] for text in texts}
                names = last - {"", ".", ".."}
                flat = tree.flat or names != last or (tree.slashed and any(text[-1:] == "/" for text in texts))
                if tree.parents:  # behind `/./`, of rsync(1)
                    names |= {part for text in texts for part in _tails(text)}
                yield from (Source(each, tuple(sorted(names)), flat) for each in places)

    def _named(
        self, command: Command, looked: Sequence[FileAccess], bases: Sequence[tuple[int, Directories]]
    ) -> Iterator[str]:
        """The names of what a command puts elsewhere as it is, so that a link stays one."""
        for touch in looked:
            if touch.how in {"read", "move"} and touch.word != HERE:
                yield from self.paths.leads(command, touch.word, touch.start, unlinks=True, bases=_before(bases, touch))

    def _with(self, place: Place, brought: tuple[Source, ...], named: tuple[str, ...]) -> Place:
        """A place with what arrives there."""
        if place.how != "write" or place.tree is NOTHING:
            return place
        place = place._replace(named=named) if named else place
        return place._replace(brought=brought) if place.tree.brings else whole(place) if place.tree.whole else place

    def _inside(self, command: Command) -> Iterator[Place]:
        """The files that a command's program text names."""
        for file in command.inline.files if command.inline is not None else ():
            unlinks = file.how in {"delete", "move"}
            for path in self.paths.named(command, file, unlinks=unlinks):
                tree = TreeAccess(deep=unlinks, follows=file.found is not None)
                yield self._place(path, file.how, command, tree)._replace(found=file.found)

    def _unnamed(self, command: Command, looked: Sequence[FileAccess]) -> Iterator[Place]:
        """What a command writes without naming it: disks, and files of settings."""
        sets = command.levels[-1].row.sets.split() if command.levels else []
        if not (sets or "disks" in command.traits):
            return
        effects, words = command.effects, [word or "" for word in command.literals]
        if effects is not None and effects.isdisjoint(CHANGING):
            return
        if "disks" in command.traits:
            yield from (Place(each, "write", command.span, command) for each in words[1:] if each.startswith("/dev/"))
        named = any(each.how == "write" and each.word != HERE for each in looked)
        for each in sets:
            option, _, file = each.rpartition(":")
            if (option and option not in words) or (file.endswith("?") and named):
                continue
            start = next(iter(self.paths.at(command)), None) or ANY
            path = file.removesuffix("?").replace("~", self.paths.machine.home, 1)
            yield Place(path if path[0] == "/" else f"{start}/{path}", "write", command.span, command)

    def _objects(self, command: Command) -> Iterator[Place]:
        """The files that git shows because its input names them (git-cat-file(1), `--batch`)."""
        options = {(word or "").partition("=")[0] for word in command.literals}
        if (
            "repository" not in command.traits
            or "cat-file" not in options
            or options.isdisjoint({"--batch", "--batch-command"})
        ):
            return
        outer = self._outer.where if self._outer is not None else None
        text = None if outer is None else fed_text(command.simple, outer.script, self.paths.budget)
        if text is None:
            yield self._place(ANY, "read", command, NOTHING)
            return
        for name in dict.fromkeys(part for line in text.split("\n") for part in (line, line.split(" ")[0])):
            for start in paths_in(name):
                for base in self.paths.at(command):
                    yield self._place(
                        self.paths.real(os.path.join(base or ANY, name[start:])), "kept", command, NOTHING
                    )

    def _place(self, path: str, how: str, command: Command, tree: TreeAccess) -> Place:
        return Place(path, how, command.span, command, tree, through=frozenset(self.paths.through.get(path, ())))

    def _handed(
        self, command: Command, found: Found, how: str, tree: TreeAccess, before: str = "", behind: str = ""
    ) -> Iterator[Place]:
        """The places that a command is handed by a search, or by a list, with the text around these in its word."""
        place = self._place("", how, command, tree._replace(follows=found.follows) if found.follows else tree)
        for start, written in found.starts:
            whole = not before + behind and found.expression.node is not None
            sought = Sought(found.expression, found.action, written) if whole else None
            at = self._behind(command, before, written) if before else start
            names = [f"{name}{behind}" if behind[:1] != "/" else behind[1:] for name in found.names or ("",)]
            for name in names:
                yield place._replace(path=at, found=name if found.names or not behind else SOME + name, sought=sought)
        if found.exact and before + behind:
            yield place._replace(path=ANY)
        else:
            yield from (place._replace(path=path, found=name) for path, name in found.exact)

    def _behind(self, command: Command, before: str, written: str) -> str:
        """Where a path leads that has a text before it; unknown where that is more than one directory."""
        joined = f"{before}{written}"
        if not MARKS.isdisjoint(joined):
            return ANY
        led = {self.paths.real(os.path.join(base or ANY, joined)) for base in self.paths.at(command)}
        return led.pop() if len(led) == 1 and not any(ANY in each for each in led) else ANY

    def _real(self, directories: Directories) -> list[str]:
        """Some directories by their real paths."""
        known = [each if each is not None and MARKS.isdisjoint(each) else ANY for each in directories]
        return sorted(each if each == ANY else self.paths.real(each) for each in known)

    def bases(self, command: Command, looked: Sequence[FileAccess]) -> list[tuple[int, Directories]]:
        """From which directories words lead that are behind a word: `tar -C`, `git -C`."""
        bases = [(0, self.paths.at(command))]
        for touch in sorted(each for each in looked if each.how == "enter"):
            option = command.written(command.words[touch.word])[: touch.start] or command.literals[touch.word - 1] or ""
            if option.startswith("--git-dir"):  # which says where the repository is, and no more
                continue
            paths = frozenset(self.paths.leads(command, touch.word, touch.start, bases=bases[-1][1]))
            bases.append((touch.word, paths | bases[-1][1] if option.startswith("--work-tree") else paths))
        return bases

    def _pointed(
        self, command: Command, looked: Sequence[FileAccess], tree: TreeAccess, bases: Sequence[tuple[int, Directories]]
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
        self, command: Command, looked: Sequence[FileAccess], bases: Sequence[tuple[int, Directories]]
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

    def _searched(self, command: Command, looked: Sequence[FileAccess]) -> Found:
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
        bases = self.bases(command, looked)
        begins = [each for each in looked if each.how in {"look", "read", "kept"} and each.word != HERE]
        found = [
            (path, ANY if (text := command.literals[touch.word]) is None else text[touch.start :])
            for touch in begins
            if not touch.option
            for path in self.paths.leads(command, touch.word, touch.start, bases=_before(bases, touch))
        ]
        return found or [(each, ".") for each in self._real(bases[-1][1])]

    def _line(self, command: Command, word: Word) -> Found | None:
        """What a word is that holds a line of a list, as in `find | while read -r f; do cat "$f"`; None for others."""
        match = _VARIABLE.fullmatch(command.written(word)) if word.literal is None else None
        given = self.reading.variables.at(match[1] or match[2], command.place(word)) if match is not None else None
        if not given or len({each.start for each in given}) != 1:
            return None
        starts = given[0].start
        reads = (each for each in self.reading.commands if each.name == "read")
        read = next((each for each in reads if any(name.start == starts for name in each.words)), None)
        if read is None or self.paths.at(read) != self.paths.at(command):
            return None
        return self._list_of(read)

    def _fed(self) -> Found | None:
        """What a list of files holds that `xargs` takes from its input; None where only bash can know."""
        outer = self._outer
        if outer is None or any(each.option and each.how == "read" for each in outer.account.touches):
            return None  # it takes the names from a file (xargs(1), `--arg-file`)
        return self._list_of(outer)

    def _list_of(self, command: Command) -> Found | None:
        """What a list of files holds that a command reads on its input."""
        simple, script = command.simple, command.where.script
        if self._by_simple is None:
            self._by_simple = {id(each.simple): each for each in self.reading.commands if each.simple is not None}
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
            return None if printed else self._searched(source, looked)
        starts = self._starts(source, looked)
        if how == "BELOW":
            return Found(starts)
        here = self._real(self.paths.at(source))
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
        return Found((), exact=[(path, None) for at in words for path in self.paths.leads(source, at)])


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


def _choices(glob: str) -> set[str]:
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


def _tails(text: str) -> Iterator[str]:
    """The paths below a target by which `--parents` and `--relative` may know a source."""
    for each in (text, text.rpartition("/./")[2]):
        yield "/".join(part for part in each.split("/") if part not in {"", ".", ".."})


def _known(word: Word) -> str | None:
    """A word of `find` as far as it is known, if it is sure to be no operator and no option; else None."""
    return word.head + ANY if word.head and word.head[0] not in "-!()," else None


def _completed(command: Command) -> Command:
    """A command that `fd -x` starts, which gets the names behind its words if they are nowhere in it."""
    if any("{" in command.written(word) for word in command.words):
        return command
    end = command.words[-1].end
    return command.with_words((*command.words, Added(end, end, None, "", single=True)))


def _is_plain(argument: Argument, plain: Collection[str]) -> bool:
    """Whether an argument of what prints names makes it print nothing else."""
    option = argument.option
    return option in {None, SEPARATOR, COMPUTED} or not set(plain).isdisjoint(option.names)


def _has(word: str, options: Collection[str]) -> bool:
    """Whether a word is one of some options, alone or in a bundle of letters."""
    if word in options:
        return True
    return word[:1] == "-" and word[1:2] != "-" and any(f"-{letter}" in options for letter in word[1:])


def _before(bases: Sequence[tuple[int, Directories]], touch: FileAccess) -> Iterable[str | None] | None:
    """The directories from which a word leads; None for those in which the command runs."""
    if len(bases) == 1:
        return None
    if touch.word == HERE:
        return bases[-1][1]
    if touch.option and touch.how != "enter":  # a program may look at these before or after
        return frozenset().union(*(each for _, each in bases))
    return next(each for at, each in reversed(bases) if at <= touch.word)
