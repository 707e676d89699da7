"""Where a request reaches: the places to which its words, its searches and its redirections lead."""

from __future__ import annotations

import os.path
from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.reading.account import HERE, NOTHING, TreeAccess, paths_in
from asimi.core.reading.commands import AddedWord
from asimi.core.reading.escapes import escapes
from asimi.core.reading.shapes import ANY, MARKS, SOME
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from asimi.core.call import Span
    from asimi.core.judging.paths import Paths
    from asimi.core.judging.search_results import Finds, Search, SearchResult
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.account import FileAccess

    Directories = frozenset[str | None]


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
    sought: Search | None = None
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


class Places:
    """Where one request reaches.

    Args:
        reading: what it would do.
        paths: its paths.
    """

    def __init__(self, reading: Reading, paths: Paths) -> None:
        self.reading, self.paths = reading, paths
        self._outer: Command | None = None  # the last command that was in no wrapper
        self._searches: dict[int, list[tuple[Command, SearchResult]]] = {}  # by their simple commands
        self._all: tuple[Place, ...] | None = None

    @cached_property
    def finds(self) -> Finds:
        """What its searches and lists find; few commands are one of these."""
        from asimi.core.judging.search_results import Finds

        return Finds(self)

    def all(self) -> tuple[Place, ...]:
        """All of them, in the order of the text; redirections last. They are found once."""
        if self._all is None:
            self._all = tuple(self._find_places())
            if any(each.tree.unpacks for each in self._all):
                from asimi.core.judging.unpacking import expand_archives

                self._all = expand_archives(self._all, self.reading, self.paths)
        return self._all

    def _find_places(self) -> Iterator[Place]:
        for command in self.reading.commands:
            if command.possible and not command.called:
                continue
            yield from self._inside(command)
            if command.via is None:
                self._outer = command
            looked, tree = command.account.touches, command.account.tree
            every, bases = looked, self.bases(command, looked)
            if tree.points == "relative":
                yield from self._link_targets(command, looked, tree, bases)
                looked = tuple([each for each in looked if each.how != "read"])
            if command.program is not None and command.program.syntax.commands:
                found = self.finds.search_result(command, looked)
                self._searches.setdefault(id(command.simple), []).append((command, found))
                for at in (at for at, word in enumerate(command.literals) if word == "-delete"):
                    yield from self._handed_places(command, found.by(at), "delete", TreeAccess(deep=True))
            reached = {touch: list(self._of(command, touch, tree, bases)) for touch in every}
            brought = tuple(self._copies(command, tree, reached)) if tree.brings else ()
            named = tuple(self._source_names(command, looked, bases)) if tree.links and not tree.points else ()
            for touch in looked:
                yield from (self._with(each, brought, named) for each in reached[touch])
            yield from self._implicit_writes(command, looked)
            yield from self._objects(command)
            if tree.lists or tree.rewrites:
                yield self.place(ANY, "write" if tree.rewrites else "read", command, tree)
            if tree.points == "here":
                yield from self._link_targets(command, looked, tree, bases)
        for target, span, writes in self.reading.targets:
            for path in self.paths.targets(target, span):
                through = frozenset(self.paths.through.get(path, ()))
                yield Place(path, "write" if writes else "read", span, through=through)

    def _of(
        self,
        command: Command,
        touch: FileAccess,
        tree: TreeAccess,
        bases: Sequence[tuple[int, Directories]],
    ) -> Iterator[Place]:
        """The places of one word."""
        word, how = command.words[touch.word], touch.how
        founds: Sequence[SearchResult] | None = None
        if isinstance(word, AddedWord) and ANY in word.behind:
            yield self.place(ANY, how, command, tree)  # beside what its own text says
        elif touch.word != HERE and word.literal is None:
            founds = self.finds.of(command, word)
        if founds is not None:
            around = (word.before[touch.start :], word.behind) if isinstance(word, AddedWord) else ("", "")
            for each in founds:
                yield from self._handed_places(command, each, how, tree, *around)
            return
        unlinks = how in {"delete", "move"}
        for path in self.leads(command, touch, bases, unlinks=unlinks):
            if how == "kept":  # a name as git or a search matches it
                from asimi.core.judging.search_results import choices
                from asimi.core.reading.find_expression import as_shape

                names = {path, path.rpartition("/")[0] + "/" + path.rpartition("/")[2].casefold()}
                names |= {choice for each in names if "{" in each for choice in choices(each)}
                yield from (self.place(as_shape(each)[0], how, command, tree) for each in sorted(names))
                continue
            yield self.place(path, how, command, tree)
            if tree.empties and how == "write":
                yield self.place(path, "delete", command, tree)

    def handed_items(self, command: Command) -> Sequence[SearchResult] | None:
        """What searches and lists hand to a command; None where only bash can know it."""
        searches = self._searches.get(id(command.simple), ()) if command.via is not None else ()
        inside = [each for search, found in searches if (each := found.inside(search, command)) is not None]
        return inside or self.finds.xargs_items(command)

    def _copies(
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

    def _source_names(
        self, command: Command, looked: Sequence[FileAccess], bases: Sequence[tuple[int, Directories]]
    ) -> Iterator[str]:
        """The names of what a command puts elsewhere as it is, so that a link stays one."""
        for touch in looked:
            if touch.how in {"read", "move"} and touch.word != HERE:
                yield from self.leads(command, touch, bases, unlinks=True)

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
            for path in self.paths.file_paths(command, file, unlinks=unlinks):
                tree = TreeAccess(deep=unlinks, follows=file.found is not None)
                yield self.place(path, file.how, command, tree)._replace(found=file.found)

    def _implicit_writes(self, command: Command, looked: Sequence[FileAccess]) -> Iterator[Place]:
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
        instead = [each for each in looked if each.option and each.how == "read"]  # `git config -f FILE a.b c`
        bases = self.bases(command, looked)
        for each in sets:
            option, _, file = each.rpartition(":")
            if (option and option not in words) or (file.endswith("?") and named):
                continue
            path = file.removesuffix("?").replace("~", self.paths.machine.home, 1)
            found = [path] if path[0] == "/" else []
            for touch in instead if not found else ():
                found += self.leads(command, touch, bases)
            found = found or [f"{start}/{path}" for start in self.real(bases[-1][1])]
            yield from (self.place(where, "write", command) for where in found)

    def _objects(self, command: Command) -> Iterator[Place]:
        """The files that git shows because its input names them (git-cat-file(1), `--batch`)."""
        if "repository" not in command.traits:
            return
        options = {(word or "").partition("=")[0] for word in command.literals}
        if "cat-file" not in options or options.isdisjoint({"--batch", "--batch-command"}):
            return
        outer = self._outer.where if self._outer is not None else None
        from asimi.core.reading.stdin import fed_text

        text = None if outer is None else fed_text(command.simple, outer.script, self.paths.budget)
        if text is None:
            yield self.place(ANY, "read", command)
            return
        for name in dict.fromkeys(part for line in text.split("\n") for part in (line, line.split(" ")[0])):
            for start in paths_in(name):
                for base in self.paths.at(command):
                    path = self.paths.real(os.path.join(base or ANY, name[start:]))
                    yield self.place(path, "kept", command)

    def place(self, path: str, how: str, command: Command, tree: TreeAccess = NOTHING) -> Place:
        """Where a command leads, on a path that is known; what is opened is made where it is not there."""
        if how == "open":
            how = "read" if self.paths.machine.kind(path) == "file" else "write"
        return Place(path, how, command.span, command, tree, through=frozenset(self.paths.through.get(path, ())))

    def _handed_places(
        self, command: Command, found: SearchResult, how: str, tree: TreeAccess, before: str = "", behind: str = ""
    ) -> Iterator[Place]:
        """The places that a command is handed by a search, or by a list, with the text around these in its word."""
        place = self.place("", how, command, tree._replace(follows=True) if found.follows or behind else tree)
        parts, into = [part for part in behind.split("/") if part not in {"", "."}], behind[:1] == "/"
        tail, up = "/".join(parts), ".." in parts or (before != "" and before[-1] != "/")
        if up or (found.away and not before):
            yield place._replace(path=ANY)
        for start, written in found.starts:
            for at in self._behind(command, before + written) if before else (start,):
                if behind:
                    around = before + written + behind
                    known = not into or MARKS.isdisjoint(written)
                    alone = self._behind(command, around) if known else [f"{at}{behind}"]
                    yield from (place._replace(path=each) for each in alone)
                if "/" in tail:
                    yield place._replace(path=f"{at.rstrip('/')}/{ANY}{'/' * into}{tail}")
                    continue
                sought = None if before + behind else found.search_from(written)
                for name in (tail,) if into and tail else found.names or ("",):
                    own = (name or SOME) + tail if tail and not into else name
                    yield place._replace(path=at, found=own, sought=sought)
        for path, shape in found.exact:
            if not before + behind:
                yield place._replace(path=path, found=shape)
            elif shape is not None or not found.starts:  # else it is one of these, with the text around it
                yield place._replace(path=ANY)

    def _behind(self, command: Command, text: str) -> list[str]:
        """Where a path leads from where a command runs."""
        if not MARKS.isdisjoint(text):
            return [ANY]
        at = self.paths.at(command)
        return self.real(frozenset([None if base is None else os.path.join(base, text) for base in at]))

    def leads(
        self, command: Command, touch: FileAccess, bases: Sequence[tuple[int, Directories]], *, unlinks: bool = False
    ) -> list[str]:
        """The real paths that a word may lead to, from where the words before it go (`bases`); as `Paths.leads`."""
        starts = _starts(bases, touch)
        return self.paths.leads(command, touch.word, touch.start, unlinks=unlinks, bases=starts)

    def real(self, directories: Directories) -> list[str]:
        """Some directories by their real paths."""
        known = [each if each is not None and MARKS.isdisjoint(each) else ANY for each in directories]
        return sorted(each if each == ANY else self.paths.real(each) for each in known)

    def bases(self, command: Command, looked: Sequence[FileAccess]) -> list[tuple[int, Directories]]:
        """From which directories words lead that are behind a word: `tar -C`, `git -C`."""
        bases = [(0, self.paths.at(command))]
        for touch in sorted([each for each in looked if each.how == "enter"]):
            option = command.text_of(command.words[touch.word])[: touch.start] or command.literals[touch.word - 1] or ""
            if option.startswith("--git-dir"):  # which says where the repository is, and no more
                continue
            paths = frozenset(self.paths.leads(command, touch.word, touch.start, bases=bases[-1][1]))
            bases.append((touch.word, paths | bases[-1][1] if option.startswith("--work-tree") else paths))
        return bases

    def _link_targets(
        self, command: Command, looked: Sequence[FileAccess], tree: TreeAccess, bases: Sequence[tuple[int, Directories]]
    ) -> Iterator[Place]:
        """What gets another name, through which it may be read and written."""
        for touch in looked:
            if touch.how == "read" and touch.word != HERE:
                starts: Iterable[str | None] | None = _starts(bases, touch)
                if tree.points == "relative":
                    starts = self._beside(command, looked, bases)
                for path in self.paths.leads(command, touch.word, touch.start, bases=starts):
                    yield self.place(path, "read", command)
                    yield self.place(path, "write", command)

    def _beside(
        self, command: Command, looked: Sequence[FileAccess], bases: Sequence[tuple[int, Directories]]
    ) -> list[str | None]:
        """The directories that the names are in which a command gives to files."""
        found: list[str | None] = []
        for touch in looked:
            if touch.how == "write":
                for path in self.leads(command, touch, bases):
                    kind = self.paths.machine.kind(path) if MARKS.isdisjoint(path) else ""
                    if kind in {"directory", "mount", None}:
                        found.append(path)
                    if kind not in {"directory", "mount"}:
                        found.append(os.path.dirname(path) or ANY)
        return found or list(bases[-1][1])


def _tails(text: str) -> Iterator[str]:
    """The paths below a target by which `--parents` and `--relative` may know a source."""
    for each in (text, text.rpartition("/./")[2]):
        yield "/".join(part for part in each.split("/") if part not in {"", ".", ".."})


def _starts(bases: Sequence[tuple[int, Directories]], touch: FileAccess) -> Iterable[str | None] | None:
    """The directories from which a word leads; None for those in which the command runs."""
    if len(bases) == 1:
        return None
    if touch.word == HERE:
        return bases[-1][1]
    if touch.option and touch.how != "enter":  # a program may look at these before or after
        return frozenset().union(*(each for _, each in bases))
    return next(each for at, each in reversed(bases) if at <= touch.word)


def with_names(reading: Reading, paths: Paths) -> Reading:
    """A reading in which what `xargs` adds to a command surely is the names of files, and no option.

    The look is at what is there now, so it counts only where the rest of the text only reads.
    """
    fed = [
        each
        for each in reading.commands
        if each.kinds is None and not (each.possible or each.inline) and isinstance(final := each.words[-1], AddedWord)
        if not (final.sure or final.before or final.behind)  # alone, and it could be an option
    ]
    others = [each for each in reading.commands if not (each.possible or any(each is one for one in fed))]
    if not fed or any(each.effects is None or not each.effects <= {"read"} for each in others):
        return reading
    if any(writes for _, _, writes in reading.targets):
        return reading
    places = Places(reading, paths)
    places.all()
    begun: dict[Command, Command] = {}
    for each in fed:
        founds, last = places.handed_items(each), len(each.words) - 1
        if founds and all(_begins_plain(one, paths) for one in founds):
            added = each.words[last]
            new = each.with_words(
                [*each.words[:last], AddedWord(added.start, added.end, begins="./", single=added.single)]
            )
            left = tuple(one for one in each.escapes if one.word != last)
            if each.shapes is not None and left == tuple(escapes(new, each.shapes, paths.budget)):
                begun[each] = new.as_read(each.shapes, left, None, loose=each.loose, defined=each.defined)
    return reading._replace(commands=tuple(begun.get(each, each) for each in reading.commands)) if begun else reading


def _begins_plain(found: SearchResult, paths: Paths) -> bool:
    """Whether all names of a list surely begin with something else than a dash."""
    for path, written in found.starts:
        if written[:1] == "-" or not MARKS.isdisjoint(written + path):
            return False
        there = paths.machine.names(path) if written.strip("./") == "" else ()  # `grep -r` prints these without `./`
        if there is None or any(each[:1] == "-" for each in there):
            return False
    return bool(found.starts) and not found.exact
