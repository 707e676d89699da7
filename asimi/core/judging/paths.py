"""Where the words of a request lead: the directories that it goes to, and the paths that its words name there."""

from __future__ import annotations

import os.path
from bisect import bisect_left
from functools import cached_property
from operator import attrgetter
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import above, is_below
from asimi.core.errors import UnreadableError
from asimi.core.pattern import pattern
from asimi.core.reading.account import HERE
from asimi.core.reading.commands import AddedWord
from asimi.core.reading.shapes import ANY, AT, MANY, MARKS, SOME, TEMPORARY, TOP, Shapes, exactly, head_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from re import Pattern

    from asimi.core.budget import Budget
    from asimi.core.call import Request, Span
    from asimi.core.judging.machine import Machine
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.commands import File
    from asimi.core.syntax.nodes import Word

ENTERS = frozenset({"cd", "pushd"})
"""Builtins that go to the directory that they name, or home; `popd` only goes back to one of these."""

LONGEST = 8192
"""Characters of a path that the system follows at most: PATH_MAX, behind a working directory of as many."""

DEEPEST = 64
"""Parts of a path that are looked at one by one."""

MOST_DIRECTORIES = 64
"""Directories that one text may go to."""

WALK = 20_000
"""Units of work for a look at all names below a directory."""

_NEWLINE = pattern(r"\n")

PATH = 8
"""Units of work for one path; those that are looked for on the file system cost more, by their components."""

_INSIDE = pattern(r"--(?:directory|chdir|work-tree|cwd|prefix)=|-C(?=.)")
"""An option in one word with the directory that a program goes to."""

_GLOBBED = pattern(r"\*\*|[*?]|\[[^\]]*\]?")
"""A part of a pattern that a program takes for the names of files (DuckDB's manual, Glob Syntax)."""

_BARE = pattern(r"[\w./@%+${}-]+", ASCII)
"""Letters that mean in quotes what they mean without."""

_TOP = pattern(r":(?:/|\(top\)):?")
"""The magic of a pathspec that begins at the top of the work tree (gitglossary(7), pathspec)."""

_SPLIT = pattern(rf"[ \t\n*?\[\\{ANY}{MANY}]")
"""What bash may split, or take for a pattern, in the value of a variable."""

_OPENS = frozenset({"-", "~", "$"})
"""What a literal word begins with that may become an option."""

LOOKS = frozenset({"read", "network"})
"""Effects with which nothing is made."""

_ENDS = pattern(r"[ \t]*[;\n](?!;)")
"""What ends a command whose result decides nothing."""

_SLASHES = pattern(r"/(?:\.?/)+")
_NAMES_NEXT = frozenset({"-C", "--directory", "--chdir", "-D"})
"""Options whose value, a word of its own, is a directory that a program goes to."""


class TooManyError(Exception):
    """A request names more than can be looked at; `str()` says more of what."""


class _Step(NamedTuple):
    """What one `cd` changes.

    Attributes:
        end: its position in the text.
        then: up to where all that follows runs only if it succeeded.
        targets: where it may go; None among them where that is not known.
        fixed: whether it goes there from wherever it is.
        left: where the subshell ends that is there then; 0 without one.
    """

    end: int
    then: int
    targets: frozenset[str | None]
    fixed: bool
    left: int = 0


_END = attrgetter("end")
_PLACE = attrgetter("span")


class Paths:
    """The paths of one request.

    Args:
        machine: this machine.
        request: what would run.
        reading: what it would do.
        budget: what the look at it is paid from.

    Attributes:
        root: the project root, as it was given.
        directories: those that it may go to, the one it begins in first.
        through: from which real paths those that words lead to go up by `..`, by the latter.

    Raises:
        TooManyError: it goes to more directories than can be looked at.
    """

    def __init__(self, machine: Machine, request: Request, reading: Reading, budget: Budget) -> None:
        self.machine, self.budget, self.root = machine, budget, request.place.root
        known = {"HOME": machine.home, **machine.variables, "PWD": request.place.path}
        if any(each.name in ENTERS or each.name == "popd" for each in reading.commands):
            known = {**known, "PWD": _here(reading), "OLDPWD": ANY}
        if any(each.below in {TEMPORARY, TOP} for each in reading.variables.results.values()):
            known |= self._printed_directories(reading, request.place.path)
        user = machine.user
        self._shapes = Shapes(known, reading.variables, budget, user)
        self._sure = Shapes(known, reading.variables, budget, user, sure=True)
        self._real: dict[str, str] = {}
        self._named: dict[tuple[str, Pattern[str]], bool] = {}
        self._followed: dict[str, str] = {"": ""}
        self.through: dict[str, set[str]] = {}
        self._reading = reading
        self._physical = any(map(_sets_physical, reading.commands))
        self._steps: list[_Step] | None = None
        self._traps = [each.span for each in reading.commands if each.name == "trap"]
        self._here: frozenset[str | None] | None = None  # where all of it runs, if it goes nowhere
        self._in_order = False  # whether no part of the text that goes elsewhere may run again behind what follows it
        self._wrappers: list[tuple[Span, Command]] | None = None
        self.directories = [request.place.path]
        went: dict[str, int] = {}
        for command in reading.commands:
            self._enter(command, went)

    def with_reading(self, reading: Reading) -> Paths:
        """The same paths for a reading of the same text that knows more of its commands."""
        other = object.__new__(Paths)
        other.__dict__.update(self.__dict__, through={}, _reading=reading, _steps=None, _here=None, _wrappers=None)
        for name in ("_only_looks", "_reads_parts"):
            other.__dict__.pop(name, None)
        return other

    def _printed_directories(self, reading: Reading, here: str) -> dict[str, str]:
        """What is known of directories that a program prints, from the directory where a text begins."""
        variables = reading.variables
        temporary = ANY if "TMPDIR" in variables else self.machine.variables.get("TMPDIR") or "/tmp"  # noqa: S108
        given = any(name.startswith("GIT_") for name in (*variables.names(), *self.machine.variables))
        goes = [each for each in reading.commands if each.name in ENTERS or each.name == "popd"]
        words = [each.text_of(word) for each in goes for word in each.words[1:]]
        results = [variables.results.get(text.strip('"')) for text in words]
        stays = len(words) == len(goes) and all(each is not None and each.below == TOP for each in results)
        return {TEMPORARY: temporary, TOP: ANY if given or not stays else top_of(here, self.machine) or ANY}

    def at(self, command: Command) -> frozenset[str | None]:
        """The directories in which a command may run; None among them where one is not known.

        A `cd` need not succeed, so behind `;` both directories count; behind `&&`, and where a text begins with a `cd`
        to a directory that is there, only the new one. Of what a wrapper
        starts elsewhere (`env -C`, `find -execdir`), the directory of the wrapper counts, too.
        """
        if self._here is not None:
            return self._here
        found = self._by_steps(command.span[0]) | self._wrapper_directories(command.span, command)
        if not (self._steps or self._wrappers):
            self._here = found
        return found

    def _by_steps(self, position: int) -> frozenset[str | None]:
        """The directories that the text has gone to at a position, or may have."""
        if self._steps is None:
            self._steps = []
            going = [each for each in self._reading.commands if each.name in ENTERS or each.name == "popd"]
            for each in sorted(going, key=_PLACE):
                self._steps.append(self._step(each))
            once = all(each.simple is not None and each.outer and not each.simple.loop for each in going)
            apart = not (self._reading.functions or self._reading.variables.calls or self._reading.variables.trapped)
            self._in_order = not self._reading.variables.loops or (once and apart)
        if self._in_order:
            return self._at(position)
        return self._anywhere() if all(step.fixed for step in self._steps) else self._anywhere() | {None}

    def _wrapper_directories(self, span: Span, command: Command | None = None) -> frozenset[str | None]:
        """The directories that wrappers go to which start what is at a place of the text; itself is none of these."""
        if self._wrappers is None:
            started = {each.via for each in self._reading.commands}
            wrappers = [each for each in self._reading.commands if each.name in started and goes(each)]
            self._wrappers = [(each.span, each) for each in wrappers]
        found: frozenset[str | None] = frozenset()
        for (first, last), each in self._wrappers:
            if each is command:
                break  # those behind it are inside it, or elsewhere
            if first < span[0] and span[1] <= last:
                found |= self._goes_to(each)
        return found

    def wrapper_directories(self, command: Command) -> frozenset[str | None]:
        """The directories that wrappers around a command go to, in which it runs; none where none goes anywhere."""
        return self._wrapper_directories(command.span, command)

    def _goes_to(self, wrapper: Command) -> frozenset[str | None]:
        """The directories that a wrapper goes to."""
        self.budget.spend(PATH)
        if wrapper.name == "find":
            starts = [each for each in wrapper.account.touches if each.how == "look" and each.word != HERE]
            led = [path for each in starts for path in self.leads(wrapper, each.word, each.start)]
            return frozenset(f"{each.rstrip('/')}/{ANY}" for each in led) or frozenset({None})
        bases = self.at(wrapper)
        if _visits(wrapper):
            return frozenset(None if each is None else f"{self._top(each).rstrip('/')}/{ANY}" for each in bases)
        found: set[str | None] = set()
        for each in sorted(touch for touch in wrapper.account.touches if touch.how == "enter"):
            handed = isinstance(wrapper.words[each.word], AddedWord)
            led = [ANY] if handed else self.leads(wrapper, each.word, each.start, bases=bases)
            bases = frozenset(None if path[0] == ANY else path for path in led)
            found |= bases
        return frozenset(found)

    def leads(
        self,
        command: Command,
        index: int,
        start: int = 0,
        *,
        unlinks: bool = False,
        bases: Iterable[str | None] | None = None,
    ) -> list[str]:
        """The real paths that a word of a command may lead to; with marks from the first part that is not known.

        Args:
            command: the command.
            index: the index of the word, or `HERE`.
            start: how many characters of the word are before the path.
            unlinks: whether the name itself is what counts, not what it is a link to.
            bases: the directories from which it leads; None for those in which the command may run.
        """
        shapes = {"."} if index == HERE else self._word_shapes(command, command.words[index], start)
        if "uris" in command.traits:
            shapes = {_of_uri(shape) for shape in shapes}
        bases = self.at(command) if bases is None else bases
        if "repository" in command.traits and not start and (tops := {shape for shape in shapes if _TOP.match(shape)}):
            below = {_TOP.sub("", shape) or "." for shape in tops}
            led = self._resolve_shapes(below, [each and self._top(each) for each in bases], unlinks=unlinks)
            return [*led, *self._resolve_shapes(shapes - tops, bases, unlinks=unlinks)]
        return self._resolve_shapes(shapes, bases, unlinks=unlinks)

    def _top(self, directory: str) -> str:
        """The top of the work tree around a directory, or the directory where there is none."""
        around = (
            each for each in (directory, *above(directory)) if self.machine.kind(f"{each.rstrip('/')}/.git") != ""
        )
        return next(around, directory)

    def program_paths(
        self, command: Command, *, unlinks: bool = False, bases: Iterable[str | None] | None = None
    ) -> list[str]:
        """The real paths of the program that a command starts, where that is a path; else as `leads`."""
        shapes = self._word_shapes(command, command.words[0], 0)
        return self._resolve_shapes(shapes, self.at(command) if bases is None else bases, unlinks=unlinks)

    def _word_shapes(self, command: Command, word: Word, start: int) -> set[str]:
        """The shapes of the path in a word."""
        if word.literal is not None:
            return {exactly(word.literal[start:])}
        written, place = command.text_of(word), command.place(word)
        shapes = {shape[start:] for fields in self._sure.fields(written, place) for shape in fields}
        shapes |= {shape[start:] for shape in self._shapes.of(written)}
        if self._reads_parts:
            shapes.add(ANY)
        elif any(ANY in shape or MANY in shape for shape in shapes) and _is_bare(written):
            shapes = self._unsplit(f'"{written}"', start, place, self.at(command)) or shapes
        if not word.single and any(MANY in shape and shape[0] not in {ANY, MANY} for shape in shapes):
            shapes.add(ANY)  # the words behind the first may be any
        return shapes

    @cached_property
    def _reads_parts(self) -> bool:
        """Whether a line that the text reads may be a part of a name, because what prints it finds a newline in one."""
        reads = [each for each in self._reading.commands if each.name == "read" and not each.possible]
        if not reads:
            return False
        from asimi.core.reading.stdin import starts_of

        return any(
            self.holds_name(self.real(join_shape(base, start)), _NEWLINE)
            for each in reads
            for start in starts_of(each.simple, each.where.script, self.budget)
            for base in self.directories
        )

    def holds_name(self, start: str, kind: Pattern[str]) -> bool:
        """Whether some name below a directory, from there, is of a kind; true where there are too many."""
        if (start, kind) not in self._named:
            self.budget.spend(WALK)
            found = list[str]()

            def take(path: str, _: str) -> bool:
                found.extend([path] if kind.search(path, len(start)) else ())
                return bool(found)

            whole = MARKS.isdisjoint(start) and self.machine.walk(start, DEEPEST, take, False)
            self._named[start, kind] = bool(found) or not whole
        return self._named[start, kind]

    def _unsplit(self, quoted: str, start: int, place: int, bases: Collection[str | None]) -> set[str]:
        """The shapes of a word without quotes, given with these, that bash leaves whole; none where it may not.

        Bash splits what variables hold, and takes it for patterns (bash manual, Word Splitting): of names that a glob
        finds, and that are there now, neither does anything to those without blanks and marks.
        """
        if self._reading.variables.separates or self.machine.untrusted_host or not self._only_looks:
            return set()
        shapes = {shape for fields in self._sure.fields(quoted, place) for shape in fields} | {*self._shapes.of(quoted)}
        known = sorted(filter(None, bases))
        if len(known) < len(bases) or any(map(_SPLIT.search, shapes)):
            return set()
        for shape in sorted(shapes):  # in order, so that the look costs the same in every process
            for base in known:
                self.budget.spend(PATH)
                if not self._are_whole(collapse_slashes(shape if shape[:1] == "/" else f"{base}/{shape}")):
                    return set()
        return {shape[start:] for shape in shapes}

    def _are_whole(self, path: str) -> bool:
        """Whether bash splits no name that a part with marks of a path stands for now."""
        parts = path.split("/")
        for at, part in enumerate(parts):
            if not MARKS.isdisjoint(part):
                there = self.machine.now("/".join(parts[: at + 1]), named=True)
                if there is None or any(map(_SPLIT.search, there)):
                    return False
        return True

    @cached_property
    def _only_looks(self) -> bool:
        """Whether the request makes no names of files."""
        does = (each.effects for each in self._reading.commands if not each.possible)
        writes = any(writes for _, _, writes in self._reading.targets)
        return not writes and all(each is not None and each <= LOOKS for each in does)

    def file_paths(self, command: Command, file: File, *, unlinks: bool = False) -> list[str]:
        """The real paths that a file may have which a program text names."""
        path = exactly(f"{self.machine.home}/{file.path}" if file.home else file.path)
        if not file.glob:
            return self._resolve_shapes([path], self.at(command), unlinks=unlinks)
        directory, slash, name = path.rpartition("/")
        first = _GLOBBED.search(directory)
        directory = directory if first is None else f"{directory[: first.start()]}{ANY}"
        name = _GLOBBED.sub(lambda match: ANY if match[0] == "**" else SOME, name)
        found = self._resolve_shapes([f"{directory}{slash}{name}"], self.at(command), unlinks=unlinks)
        dotted = [f"{directory}{slash}.{name}"] if name[:1] == SOME else []  # such a pattern stands for a dot, too
        for shape in self._resolve_shapes(dotted, self.at(command), unlinks=unlinks):
            there = self.machine.now(shape, named=True)
            found += [shape] if there is None else there
        return found

    def targets(self, target: str, span: Span) -> list[str]:
        """The real paths that the target of a redirection may lead to."""
        shapes = {shape for fields in self._sure.fields(target, span[0]) for shape in fields}
        directories = self._at(span[0]) | self._wrapper_directories(span)
        return self._resolve_shapes(shapes | set(self._shapes.of(target)), directories, unlinks=False)

    def _resolve_shapes(self, shapes: Iterable[str], directories: Iterable[str | None], *, unlinks: bool) -> list[str]:
        """Where shapes lead from some directories; on a machine that may lie, also where they seem to."""
        bases = [ANY if each is None else each for each in directories]
        written: set[str] = set()
        for shape in filter(None, shapes):
            if shape[0] in {"/", ANY, MANY}:
                written.update([shape] if bases else ())
            else:
                written.update([f"{base}/{shape}" for base in bases])
        found = set()
        for path in written:
            both = unlinks and path.endswith("/")  # what is in the directory goes, the link stays (rm -r LINK/)
            for each in {unlinks, False} if both else {unlinks}:
                found.add(real := self._real_shape(path, unlinks=each))
                if "/.." in path:
                    self.through.setdefault(real, set()).update(self._before_up(path))
        if self.machine.untrusted_host:
            found |= {join_shape("/", path.replace(MANY, ANY)) for path in written}
        return sorted(found)

    def _before_up(self, path: str) -> Iterator[str]:
        """What a path goes up from: what is behind `..` is elsewhere if that becomes a link."""
        parts = path.split("/")[:DEEPEST]
        for at in (at for at, part in enumerate(parts) if part == ".." and at > 1):
            if MARKS.isdisjoint(before := "/".join(parts[:at])):
                yield self.real(before)

    def _real_shape(self, path: str, *, unlinks: bool) -> str:
        """The real path of a shape: of the part before its first mark, with the rest as it is."""
        if path.startswith("/dev/"):  # links of this process, not of the command
            return path
        path = path.replace(MANY, ANY)
        head = head_of(path)
        if head == path:
            directory, _, name = path.rstrip("/").rpartition("/")
            if unlinks and name not in {"", ".", ".."}:
                return self.real(directory or "/").rstrip("/") + "/" + name
            return self.real(path or "/")
        fixed, _, _ = head.rpartition("/")
        rest = path[len(fixed) :]
        if "/../" in f"{rest}/":
            return ANY  # from a directory that is not known
        return (self.real(fixed) if fixed else "").rstrip("/") + rest

    def _anywhere(self) -> frozenset[str | None]:
        """All directories that the text may go to."""
        return frozenset({self.directories[0]}).union(*(step.targets for step in self._steps or ()))

    def _at(self, position: int) -> frozenset[str | None]:
        """The directories in which a command at a position of the text may run; of a trap, wherever the text goes."""
        if any(first <= position < last for first, last in self._traps):
            return self._anywhere()
        steps = self._steps or []
        found: frozenset[str | None] = frozenset()
        for step in reversed(steps[: bisect_left(steps, position, key=_END)]):
            if 0 < step.left <= position:
                continue
            found |= step.targets
            if position < step.then:
                return found
        return found | {self.directories[0]}

    def _step(self, command: Command) -> _Step:
        """What a `cd` changes; in a text inside the text it counts from the beginning."""
        step = self._goes(command)
        if command.outer and command.simple is not None:
            step = step._replace(left=command.simple.left)
            if self._arrives(command, step):
                return step._replace(then=len(command.source))
        return step

    def _arrives(self, command: Command, step: _Step) -> bool:
        """Whether a text begins with a `cd` in this shell to a directory that is there, and may be entered, now."""
        target, *others = step.targets
        plain = not command.source[: command.span[0]].strip() and _ENDS.match(command.source, command.span[1])
        if others or target is None or not plain or self._reading.functions or command.name != "cd":
            return False
        if command.simple is None or command.simple.redirections:
            return False  # one that fails leaves the shell where it is
        return self.machine.kind(self.real(target) + "/.") == "directory"

    def _goes(self, command: Command) -> _Step:
        words = [word for word in command.words[1:] if word.literal not in {"-P", "-L", "--"}]
        shapes = self._shapes.of(command.text_of(words[0])) if len(words) == 1 else ()
        end, then = (command.span[1], command.simple.then) if command.outer and command.simple is not None else (-1, 0)
        if command.name == "popd":
            return _Step(end, then, self._anywhere(), fixed=True)
        own = command.outer and command.own and command.literals[0] == command.name  # `env cd` goes nowhere
        if not words and own:
            return _Step(end, then, frozenset({self.machine.home}), fixed=True)
        known = len(shapes) == 1 and shapes[0][:1] not in {"", "-", ANY} and MARKS.isdisjoint(shapes[0])
        if not (known and own):
            return _Step(end, then, frozenset({None}), fixed=True)
        fixed, before = shapes[0][0] == "/", self._at(command.span[0])
        self.budget.spend(8 + 4 * len(before))
        targets = {None if each is None and not fixed else join_shape(each or "/", shapes[0]) for each in before}
        if self._physical or "-P" in command.literals:
            real = {
                self.real(collapse_slashes(f"{each}/{shapes[0]}")) for each in before if each is not None and not fixed
            }
            real |= {self.real(collapse_slashes(shapes[0]))} if fixed else set()
            missing = {path for path in real if path == ANY or self.machine.kind(path) == ""}  # may be made, as a link
            targets |= {None if path in missing else path for path in real}
        return _Step(end, then, frozenset(targets), fixed=fixed)

    @property
    def shape_count(self) -> int:
        """How many shapes there were."""
        return self._shapes.made

    def shapes_of(self, text: str) -> tuple[str, ...]:
        """All shapes of a word as it is written."""
        return self._shapes.of(text)

    def shapes(self, command: Command, index: int) -> tuple[str, ...]:
        """All shapes of a word of a command."""
        word = command.words[index]
        if word.literal is None:
            return self._shapes.of(command.text_of(word))
        if word.literal.startswith(("~", "$")):  # a program may expand what bash does not
            return (exactly(word.literal), *self._shapes.of(word.literal))
        return (exactly(word.literal),)

    def real(self, path: str) -> str:
        """The real path of one that is known, each asked about once; `ANY` where nobody here can tell."""
        real = self._real.get(path)
        if real is None:
            self.budget.spend(2 * PATH + 4 * path.count("/"))
            try:
                real = self._follow(path) if len(path) <= LONGEST else path
            except UnreadableError:
                real = ANY
            self._real[path] = real
        return real

    def _follow(self, path: str) -> str:
        """The real path of one; what is above several is looked at once."""
        directory, slash, name = path.rpartition("/")
        if not slash or name in {"", ".", ".."} or path.count("/") > DEEPEST:
            return self.machine.resolve(path)
        above = self._followed.get(directory)
        if above is None:
            above = self._followed[directory] = self._follow(directory)
        real = f"{above.rstrip('/')}/{name}"
        return self.machine.resolve(real) if self.machine.links(real) else real

    def _enter(self, command: Command, went: dict[str, int]) -> None:
        """Take down the directories that a command goes to."""
        if command.name in ENTERS and not any(word.literal not in {"-P", "-L", "--"} for word in command.words[1:]):
            self._add(self.machine.home)
        enters, literals = command.name in ENTERS, command.literals
        for index in range(1, len(literals)):
            literal, goes = literals[index], enters or literals[index - 1] in _NAMES_NEXT
            if not goes and literal is not None and literal[:1] > " " and literal[0] not in _OPENS:
                continue
            shapes = self.shapes(command, index)
            if not goes:
                shapes = tuple(shape[match.end() :] for shape in shapes if (match := _INSIDE.match(shape)))
            for shape in filter(None, shapes):
                if went.get(shape) == len(self.directories):
                    continue  # from all of these it was gone to already
                went[shape] = len(self.directories)
                self.budget.spend(3 * len(self.directories))
                for directory in list(self.directories):
                    self._add(join_shape(directory, shape))
                    if (self._physical or "-P" in command.literals) and MARKS.isdisjoint(shape):
                        self._add(self.real(collapse_slashes(shape if shape[0] == "/" else f"{directory}/{shape}")))

    def _add(self, path: str) -> None:
        """Take down a directory; of one that is not known nothing follows."""
        if path in self.directories or not MARKS.isdisjoint(path):
            return
        if len(self.directories) >= MOST_DIRECTORIES:
            raise TooManyError("this goes to more directories than can be looked at")
        self.directories.append(path)


def _is_bare(written: str) -> bool:
    """Whether a word is made of letters and variables, without quotes, patterns and braces of its own."""
    return _BARE.fullmatch(written) is not None and written.count("{") == written.count("${")


def goes(command: Command) -> bool:
    """Whether a wrapper starts what it starts in another directory."""
    if command.name == "find":
        return not {"-execdir", "-okdir"}.isdisjoint(command.literals)
    return _visits(command) or any(touch.how == "enter" for touch in command.account.touches)


def _visits(command: Command) -> bool:
    """Whether a command is `git submodule foreach`."""
    return command.name == "git" and {"submodule", "foreach"}.issubset(command.literals)


def _sets_physical(command: Command) -> bool:
    """Whether a command may make `cd` go to where links lead, as `set -P` does (bash(1), SHELL BUILTIN COMMANDS)."""
    return command.name in {"set", "shopt"} and any(
        word is None or word == "physical" or (word[0:1] == "-" and "P" in word) for word in command.literals[1:]
    )


def _here(reading: Reading) -> str:
    """What `$PWD` is to a text that goes elsewhere: where each command runs, unless one says itself where that is."""
    variables = reading.variables
    kept = any(
        "PWD" in text or "~+" in text
        for name in variables.names()
        for given in variables.all_of(name)[0] or ()
        for text in given.values or ()
    )
    entering = any(touch.how == "enter" for each in reading.commands for touch in each.account.touches)
    return ANY if kept or entering else AT


def join_shape(base: str, shape: str) -> str:
    """The path that a shape means in a directory."""
    path = collapse_slashes(shape if shape[0] in {"/", ANY} else f"{base}/{shape}")
    if MARKS.isdisjoint(path):
        return os.path.normpath(path) if "/." in path or path[-1] == "/" or path[0] != "/" else path
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] and ANY not in parts[-1]:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts).rstrip("/") or "/"


def collapse_slashes(text: str) -> str:
    """A text with one slash where paths in it have more, or `/./`."""
    return _SLASHES.sub("/", text) if "//" in text or "/./" in text else text


def _of_uri(shape: str) -> str:
    """The path in a URI of a file, decoded, and any other shape as it is (sqlite.org/uri.html)."""
    from urllib.parse import unquote

    scheme, colon, rest = shape.partition(":")
    if scheme != "file" or not colon:
        return shape
    rest = rest.partition("#")[0].partition("?")[0]
    if rest[:2] == "//":
        rest = "/" + rest[2:].partition("/")[2]
    return ANY if "%" in rest and not MARKS.isdisjoint(rest) else unquote(rest).partition("\0")[0]


def work_at(at: str, machine: Machine) -> tuple[str, str] | None:
    """The repository of a directory, and its work tree, as git finds it: the next `.git` upward that is one (git(1)).

    Empty where there is none; None where the directory is in the repository itself.
    """
    for tree in (at, *above(at)):
        named = f"{tree.rstrip('/')}/.git"
        kind = machine.kind(named)
        found = machine.repository(tree) if kind else None
        if found is not None and (kind == "file" or found == machine.resolve(named)):
            return None if is_below(at, found) else (found, tree)
    return "", ""


def top_of(at: str, machine: Machine) -> str | None:
    """The top of the work tree in which a directory is, whose repository is there too; None where that is not sure."""
    found, tree = work_at(at, machine) or ("", "")
    settings = machine.settings(found) if found else None
    plain = settings is not None and all(name != "core.worktree" for name, _, _ in settings)
    return tree if plain and machine.kind(f"{tree.rstrip('/')}/.git") == "directory" else None
