"""What a search finds, or a list names: `find`, `fd`, what `xargs` and `while read` take from such a one."""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.search_candidates import Below
from asimi.core.pattern import pattern
from asimi.core.reading.account import HERE
from asimi.core.reading.arguments import COMPUTED, SEPARATOR
from asimi.core.reading.commands import AddedWord
from asimi.core.reading.find_expression import PRINTED, Expression, as_shape, expression_of, names_of, shapes_of_regex
from asimi.core.reading.shapes import ANY, MARKS, SOME, head_of
from asimi.core.reading.stdin import is_pipeline, is_quiet, leaves, passes, writer
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from re import Pattern

    from asimi.core.judging.places import Places
    from asimi.core.reading import Command
    from asimi.core.reading.account import FileAccess
    from asimi.core.reading.arguments import Argument
    from asimi.core.syntax.nodes import Script, SimpleCommand, Word

_FOLLOWS = frozenset({"-L", "-follow", "--follow"})
"""Options with which `find` and `fd` go where links lead."""

_SIMPLE = pattern(r"[\w./@%+=:,*?~-]*", ASCII)
"""A word that is printed as it is."""

_FORMATS = frozenset({r"%s\n", r"%s\0"})
"""Formats with which `printf` prints each of its words as a name."""

_VARIABLE = pattern(r'"?\$(?:\{(\w+)\}|(\w+))"?', ASCII)
"""A variable, and nothing else."""

_LINES = pattern(r"\n")
_TRIMMED = pattern(r"[\n\\]|(?<![^/])[ \t]|[ \t](?![^/])")
_ITEMS = pattern(r"[\n'\"\\]|(?<![^/])[ \t]")
_QUOTED = pattern(r"[\s'\"\\]")
_WORDS = pattern(r"[\s*?\[\\]")
"""Where a name is none any more for what takes lines, `read`, `xargs -I`, `xargs` (its manual), and bash's words."""

_DELIMITERS = {"\n": _LINES, "\\n": _LINES, "\\0": None}
"""The values of `xargs -d` with which it takes whole names."""

_NULS = frozenset({"-0", "-Z", "--null", "--print0", "-print0"})
"""Options with which names end with a NUL; of git, `-z` is one."""

_UNSPLIT = frozenset({"", "''", '""', r"$'\n'"})
"""Values of `IFS` with which `read` leaves a line as it is."""

_WILD = pattern(r"[*?\[\\]")
_MAGIC = pattern(r":(?:\([^)]*\)|[/!^]+:?|:)")
_NAMED = pattern(r"(\^?)((?:[\w-]|\\\.)+)(\$?)", ASCII)
"""A regular expression that is for a part of a name, as it is written."""

_BRACES = pattern(r"\{([^{}]*)\}")
MOST_CHOICES = 64
"""Choices of the braces of a glob that are looked at."""

_EXCLUDES = pattern(r"[!^]|\bexclude\b")


class Search(NamedTuple):
    """The search that finds something.

    Attributes:
        expression: the expression of the search.
        action: the index of the word of its action that is reached; None where that is not known.
        written: where it starts, as it is written.
    """

    expression: Expression
    action: int | None
    written: str


class SearchResult(NamedTuple):
    """What a search finds, or a list names.

    Attributes:
        starts: the paths below which it is, each as it is written, too; with marks where that is not known.
        expression: which of what is below.
        action: for which of its actions; None where that is not known.
        names: the shapes of the names; none for any.
        exact: the paths that it is besides, each with the names of what is below it, or None for the path itself.
        follows: whether it goes where links lead.
        away: whether the names are those of another directory than the one in which they are used.
    """

    starts: Sequence[tuple[str, str]]
    expression: Expression = Expression()
    action: int | None = None
    names: Sequence[str] = ()
    exact: Sequence[tuple[str, str | None]] = ()
    follows: bool = False
    away: bool = False

    def by(self, action: int | None) -> SearchResult:
        """What one action is reached with."""
        return self._replace(action=action, names=self.expression.names(action))

    def search_from(self, written: str) -> Search | None:
        """The search from one of its starts, as that is written; None where it has no expression."""
        return None if self.expression.node is None else Search(self.expression, self.action, written)

    def inside(self, search: Command, command: Command) -> SearchResult | None:
        """What the search hands to a command that it starts, also through a wrapper; None for other commands."""
        words, at = search.words, command.words[0].start
        if command.source != search.source or not words[0].end <= at <= words[-1].start:
            return self if command.via == search.name else None
        if not self.expression.actions:
            return self
        own = [first for first, last in self.expression.actions if words[first].end <= at <= words[last].start]
        return self.by(own[0] if len(own) == 1 else None)


_INPUTLESS = frozenset({"basename", "date", "dirname", "expr", "seq"})
"""Programs without files that read no input (their manuals)."""

_CHANGING = frozenset({"embeds", "sources"})
"""Traits of programs that read the files which they are told to change, and not their input."""

_ANYTHING = SearchResult([(ANY, ANY)])
"""What only bash can know."""


class Finds:
    """What the searches and lists of one request find.

    Args:
        places: where the request reaches.
    """

    def __init__(self, places: Places) -> None:
        self.places = places

    @cached_property
    def _by_simple(self) -> dict[int, list[Command]]:
        """What each simple command is and starts, by its identity: each for each value that its words may have."""
        found: dict[int, list[Command]] = {}
        for each in self.places.reading.commands:
            if each.simple is not None and not each.possible:
                found.setdefault(id(each.simple), []).append(each)
        return found

    @cached_property
    def _below(self) -> Below:
        return Below(self.places.paths.machine, self.places.paths.budget)

    def search_result(self, command: Command, looked: Sequence[FileAccess]) -> SearchResult:
        """What `find` or `fd` finds."""
        starts, words = self._starts(command, looked), command.literals
        follows = any(word is None or _has(word, _FOLLOWS) for word in words)
        splits = any(map(command.may_split, command.words))
        if command.name != "find":
            return SearchResult(starts, names=() if splits else _of_fd(command), follows=follows)
        expression = expression_of(
            [_known_shape(word) if word.literal is None else word.literal for word in command.words]
        )
        found = SearchResult(starts, Expression(named=expression.named) if splits else expression, follows=follows)
        return found.by(PRINTED)

    def _starts(self, command: Command, looked: Sequence[FileAccess]) -> list[tuple[str, str]]:
        """Where a search begins, and how that is written: at the files that it names, else where it runs."""
        bases = self.places.bases(command, looked)
        begins = [each for each in looked if each.how in {"look", "read", "kept"} and each.word != HERE]
        found: list[tuple[str, str]] = []
        for touch in (each for each in begins if not each.option):
            word, literal = command.words[touch.word], command.literals[touch.word]
            handed = None if literal is not None else self.of(command, word)
            found += [(path, ANY) for one in handed or () for path, _ in (*one.starts, *one.exact)]
            if handed is None:
                led = self.places.leads(command, touch, bases)
                found += [(path, ANY if literal is None else literal[touch.start :]) for path in led]
        return found or [(each, ".") for each in self.places.real(bases[-1][1])]

    def of(self, command: Command, word: Word) -> Sequence[SearchResult] | None:
        """What searches and lists hand to a command in one of its words; None where only bash can know it."""
        return self.places.handed_items(command) if isinstance(word, AddedWord) else self.line(command, word)

    def line(self, command: Command, word: Word) -> Sequence[SearchResult] | None:
        """What a computed word is that holds a line of a list, or all of them as bash cuts these; None for others.

        The first is `find | while read -r f; do cat "$f"; done`, the second `cat $(find)`; `for f in $(find)` is both.
        """
        written, variables = command.text_of(word), self.places.reading.variables
        match = _VARIABLE.fullmatch(written)
        if match is None:
            return self._list_of_substitution(written, command)
        given = variables.at(match[1] or match[2], command.place(word))
        if not given or len({each.start for each in given}) != 1 or variables.separates:
            return None
        start, values = given[0].start, given[0].values or ()
        if given[0].how == "for":
            return self._list_of_substitution(values[0], command) if len(values) == 1 else None
        reads = (each for each in self.places.reading.commands if each.name == "read")
        read = next((each for each in reads if any(name.start == start for name in each.words)), None)
        separators = {value for each in variables.all_of("IFS")[0] for value in each.values or ()}
        if read is None or not separators <= _UNSPLIT:
            return None
        cuts = None if "-d" in read.literals else _WORDS if written[0] != '"' else _TRIMMED
        if self._shares(read, nul=cuts is None):
            return [_ANYTHING]
        return self._list_of(writer(read.simple, read.where.script), command, cuts)

    def _list_of_substitution(self, written: str, command: Command) -> Sequence[SearchResult] | None:
        """What a list in a substitution without quotes holds, which bash cuts into words."""
        script = command.where.script
        if script is None or self.places.reading.variables.separates:
            return None
        for each in script.substitutions:
            if each.kind == "command" and script.text[each.start : each.end] == written and is_pipeline(each.script):
                return self._list_of((each.script.commands[-1], each.script), command, _WORDS)
        return None

    def xargs_items(self, command: Command) -> Sequence[SearchResult] | None:
        """What a list holds of which `xargs` hands names to a command; None where only bash can know."""
        ways: set[Pattern[str] | None] = set()
        for each in self._by_simple.get(id(command.simple), ()):
            row, own = (each.levels[0].row, each.levels[0].arguments) if each.levels else (None, ())
            if row is None or row.starts is None or not row.starts.placeholder:
                continue
            options = list(takewhile(lambda one: one.option is not None, own))
            if not all(_is_plain(one, row.names.split()) for one in options):
                return None  # it takes the names from a file, or cuts them elsewhere (xargs(1))
            given = {name: one.value for one in options for name in one.names}
            delimiter = given.get("-d")
            if "-d" in given and (delimiter is None or delimiter.literal not in _DELIMITERS):
                return None
            lines = not {"-I", "-i"}.isdisjoint(given) and {"-L", "-l", "-n"}.isdisjoint(given)
            cuts: Pattern[str] | None = _ITEMS if lines else _QUOTED
            cuts = cuts if delimiter is None else _DELIMITERS[delimiter.literal or ""]
            ways.add(None if "-0" in given else cuts)
        if len(ways) != 1 or self._shares(command, nul=None in ways):
            return None
        return self._list_of(writer(command.simple, command.where.script), command, ways.pop())

    def _shares(self, command: Command, *, nul: bool) -> bool:
        """Whether something else takes a part of what a command reads, so that what is left begins anywhere."""
        simple, script = command.simple, command.where.script
        if simple is None or script is None or simple.input in simple.redirections:
            return False
        beside = [each for each in script.commands if each.input is simple.input]
        start, end = min(each.start for each in beside), max(each.end for each in beside)
        inside = [each.script for each in script.substitutions if start <= each.start < end]
        for each in inside:  # grows
            inside += [one.script for one in each.substitutions]
            beside += [one for one in each.commands if one.input is None]
        others = (one for each in beside if each is not simple for one in self._by_simple.get(id(each), ()))
        return any(_may_read(each, nul=nul) for each in others)

    def _list_of(
        self, written: tuple[SimpleCommand, Script] | None, command: Command, cuts: Pattern[str] | None
    ) -> Sequence[SearchResult] | None:
        """What a list holds; None where only bash can know it.

        Args:
            written: what prints it.
            command: what it is handed to.
            cuts: where a name is no name any more for what reads it; None for what takes names that end with a NUL.
        """
        nul, narrowed = cuts is None, list[str]()
        while written is not None:
            simple, script = written
            every = self._by_simple.get(id(simple), ())
            wrappers = {each.via for each in every}
            sources = [each for each in every if each.name not in wrappers]
            if not sources or any(each.operator == ">&" for each in simple.redirections):
                return None
            if all(each.program is not None and passes(each.words, each.program) for each in sources):
                narrowed += [name for each in sources for name in _of_filter(each)]
                cuts, written = cuts or _LINES, writer(simple, script)
                continue
            found: list[SearchResult] = []
            for each in sources:
                listed = self._outputs(each)
                if listed is None or _ends_with_nul(each) != nul:
                    return None
                away = self.places.bases(each, each.account.touches)[-1][1] != self.places.paths.at(command)
                for one in listed:
                    if cuts is not None and self._cuts(each, one, cuts):
                        found.append(_ANYTHING)
                    found.append(one._replace(away=away or one.away))
                    if narrowed and not one.names:
                        found.append(SearchResult(one.starts, names=narrowed, away=away or one.away))
            return found
        return None

    def _outputs(self, source: Command) -> Sequence[SearchResult] | None:
        """What a command prints the names of, also of what it is handed itself: `find -exec grep -l x {} +`."""
        looked = source.account.touches
        added = [(each, word) for each in looked if isinstance(word := source.words[each.word], AddedWord)]
        given = [each for each in looked if all(each is not one for one, _ in added)]
        listed = self._own_output(source, given)
        if not added or listed is None:
            return None if listed is None else [listed]
        handed = None if any(word.before + word.behind for _, word in added) else self.places.handed_items(source)
        return None if handed is None else [*handed, *([listed] if given else ())]

    def _cuts(self, source: Command, found: SearchResult, cuts: Pattern[str]) -> bool:
        """Whether a name that a command lists is, or may be, one that its reader cuts, as far as names are there."""
        machine = self.places.paths.machine
        named = [(path, ANY if name is None else ".", name) for path, name in found.exact]
        named += [(path, written, name) for path, written in found.starts for name in found.names or ("",)]
        for path, written, name in named:
            there = [path] if MARKS.isdisjoint(path) else machine.now(path, named=True)
            known = path if MARKS.isdisjoint(path) else head_of(path).rpartition("/")[0]
            if there is None or cuts.search(written if MARKS.isdisjoint(written) else known):
                return True
            for start in there:
                place = self.places.place(start, "look", source)._replace(found=name, sought=found.search_from(written))
                below = name is not None and self._below.finds(place, lambda each: _is_cut(each, start, cuts))  # noqa: B023
                below = self.places.paths.holds_name(start, cuts) if below is None else below
                if below or cuts.search(start, len(known)):
                    return True
        return False

    def _own_output(self, source: Command, looked: Sequence[FileAccess]) -> SearchResult | None:
        """What a command prints the names of; None if that is not what it does."""
        if "echoes" in source.traits:
            words = source.words[1 + (source.name == "printf") :]
            whole = source.name != "printf" or not _FORMATS.isdisjoint(source.literals[1:2])
            if not whole or any(not _SIMPLE.fullmatch(source.text_of(word)) for word in words):
                return None
            at = range(len(source.words) - len(words), len(source.words))
            return SearchResult(
                (), exact=[(path, None) for each in at for path in self.places.paths.leads(source, each)]
            )
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
            return None if printed else self.search_result(source, looked)
        starts = self._starts(source, looked)
        if how == "BELOW":
            return SearchResult(starts)
        here = self.places.real(self.places.paths.at(source))
        beside = [*starts, *((each, ".") for each in here)]
        if how == "BESIDE":
            shown = any(each.how == "look" and each.word != HERE for each in looked)
            return SearchResult(beside, exact=[(path, None) for path, _ in starts if shown])
        found = self._of_pathspecs(starts, here)
        return found._replace(starts=[*found.starts, *beside[len(starts) :]]) if how == "CHANGED" else found

    def _of_pathspecs(self, starts: Sequence[tuple[str, str]], here: Sequence[str]) -> SearchResult:
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
        return SearchResult(plain or ([] if exact else [(each, ".") for each in here]), exact=exact)


def _may_read(command: Command, *, nul: bool) -> bool:
    """Whether a command may take more of its standard input than whole lines, or anything of what has no lines."""
    row, literals = command.program, command.literals
    if row is None or row.shell or not all(map(is_quiet, literals[1:])):
        return True
    if "builtin" in row.traits:
        return "takes" in row.traits and (nul or command.name != "read" or not {*literals[1:-1]} <= {"-r"})
    if row.starts is not None or command.name in _INPUTLESS or leaves(command, piped=True):
        return False
    how = {each.how for each in command.account.touches if each.word != HERE and not each.option}
    changes = {"write"} if not _CHANGING.isdisjoint(row.traits) else set()
    return how.isdisjoint({"read", "look", "kept", "delete", "move", *changes})


def _is_cut(path: str, start: str, cuts: Pattern[str]) -> bool:
    """Whether what is below a start has a name, from there, that something cuts."""
    return is_below(path, start) and cuts.search(path, len(start)) is not None


def _ends_with_nul(source: Command) -> bool:
    """Whether a command ends each name that it prints with a NUL."""
    ends = _NULS | {"-z"} if "repository" in source.traits else _NULS
    return any(_has(word or "", ends) or word == r"%s\0" for word in source.literals[1:])


def _of_filter(command: Command) -> Iterator[str]:
    """The shapes of the names that a search in lines lets through; none where they may be any."""
    row, arguments = command.levels[-1].row, command.levels[-1].arguments
    given = {name: each.value for each in arguments for name in each.names}
    if "-F" not in row.lines.split() or "-v" in given:
        return
    words = [command.words[each.at] for each in arguments if each.option is None]
    texts = [each.value for each in arguments if "-e" in each.names] or words[:1]
    for text in (None if each is None else each.literal for each in texts):
        if text is None:
            yield ANY
        else:
            folded = text.casefold() if "-i" in given else text
            for shape in shapes_of_regex(folded, whole="-x" in given, plain="-F" in given):
                if not MARKS.issuperset(shape):
                    yield (ANY if shape[:1] in MARKS else "") + shape.replace(ANY, SOME)


def _of_fd(command: Command) -> tuple[str, ...]:
    """The shapes of the names that `fd` looks for (fd(1)); none for any, or for one not known that is not hidden."""
    given = command.levels[-1].arguments
    options = {name: each for each in given for name in each.names}
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


def _known_shape(word: Word) -> str | None:
    """A word of `find` as far as it is known, if it is sure to be no operator and no option; else None."""
    return word.head + ANY if word.head and word.head[0] not in "-!()," else None


def _is_plain(argument: Argument, plain: Collection[str]) -> bool:
    """Whether an argument of what prints names makes it print nothing else."""
    return argument.option in {None, SEPARATOR, COMPUTED} or not set(plain).isdisjoint(argument.names)


def _has(word: str, options: Collection[str]) -> bool:
    """Whether a word is one of some options, alone or in a bundle of letters."""
    if word in options:
        return True
    return word[:1] == "-" and word[1:2] != "-" and any(f"-{letter}" in options for letter in word[1:])
