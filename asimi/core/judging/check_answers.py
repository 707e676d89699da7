"""Answers whether what a check of a project runs is what a person has confirmed.

Certain is only that the files that say what it does (`Makefile`, the scripts of `package.json`, a tool's section) are
as that person has seen them; the code that they run, an agent may have written.
"""

from __future__ import annotations

import os.path
from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.checks import WORKSPACE, Answer
from asimi.core.judging.known import Temporary
from asimi.core.judging.paths import Paths, TooManyError
from asimi.core.judging.widths import kind_of
from asimi.core.pattern import pattern
from asimi.core.reading.account import QUERY, RECORDS
from asimi.core.reading.checks import ACTIVATES, ENVIRONMENTS, TOP, check_of, shows_installed
from asimi.core.reading.commands import SYSTEM
from asimi.core.reading.shapes import MARKS, ONE, SOME
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from asimi.core.budget import Budget
    from asimi.core.call import Request
    from asimi.core.judging.checks import Checks, Definition
    from asimi.core.judging.guard import Guard
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.checks import Check


_GLUED = pattern(r"-[A-Za-z]+")
"""The beginning of a word whose value may follow right behind each letter of its options."""

_OF_FOLDERS = ("vendor-", "gem-")
"""The beginnings of the kinds of programs that a project holds where it starts them."""

_MODE, _HERE = pattern(r"(?:test|testing|dev|development|local|ci)?"), pattern(r"(?:localhost|127\.0\.0\.1|::1|/.*)?")
_STEER = dict.fromkeys("APP_ENV FLASK_ENV MIX_ENV RACK_ENV RAILS_ENV".split(), _MODE) | {"HOST": _HERE, "PGHOST": _HERE}
"""Variables that say which services the code of a project uses, with the values by which these are its own."""

_RECIPE = pattern(r"""[ ]*[A-Za-z][\w./-]*(?:[ ]+(?:[\w@%+=:,./*-]+|'[\w@%+=:,./* -]*'|"[\w@%+=:,./* -]*"))*[ ]*""")
"""A command of plain words, which every shell reads the same."""

_PORTS = pattern(r"(?:^| )(?:next|nuxt|expo|flask|storybook|gatsby|parcel|node|nodemon|tsx) ")
"""Servers of which `-p` names the port, as it does to a program of the project; of tsc it names other settings."""

MOST_RECIPES = 3
"""Scripts that may each run the next one."""

_PATTERN = pattern(r"[*!^{}]|\.\.\.")
"""What may mean other packages than the one that is named (pnpm, Filtering)."""


HARMLESS = frozenset({"read", "network", "publish"})
"""Effects that change no file here."""

CHANGES = frozenset({"write", "delete"})
"""Effects that change the files that a command names, if it names any."""

PLAIN = frozenset("-f -i -n -p -r -s -v -E --in-place".split())
"""Options with which `cp` copies no links, and `sed` keeps no copy by a name that a pattern makes."""

_PYTHON, _PIP = frozenset({"python", "python3"}), frozenset({"pip", "pip3"})
"""The names by which the confirmed environment of a project has its Python, and what installs into that."""

_READS = frozenset({"read", "look", "enter", "data"})

_LOOKS = frozenset({"read", QUERY})
"""The kinds of what a command does that changes nothing."""

_NAMES = pattern(r"\w(?!.*/\.)[\w./@+-]*[*?][\w./@+*?-]*")
"""A pattern whose matches begin as no option does, and go to no `..` (`.?` does, before bash 5.2)."""


class Answers:
    """The answers on the commands of one request."""

    def __init__(self, checks: Checks, request: Request, reading: Reading, budget: Budget, guard: Guard | None) -> None:
        self.checks, self.request, self.reading, self.budget, self._guard = checks, request, reading, budget, guard
        self.root = request.place.root
        self._answers: dict[Command, Answer | None] = {}
        self._by_command: dict[Command, Check | None] = {}
        self._there: dict[tuple[str, str], Definition | None] = {}
        self._feeds: dict[str | None, bool] = {}  # by the program that starts make

    @cached_property
    def paths(self) -> Paths:
        """Where the words of the request lead; few commands are checks.

        Raises:
            TooManyError: it goes to more directories than can be looked at.
        """
        if self._guard is not None:
            return self._guard.paths(self.request, self.reading, self.budget)
        return Paths(self.checks.machine, self.request, self.reading, self.budget)

    def answer(self, command: Command) -> Answer | None:
        """What is said of a command; found once, though several rules ask for it."""
        self.budget.spend(4 + len(command.words))
        if command not in self._answers:
            self._answers[command] = self._find_answer(command)
        return self._answers[command]

    def _find_answer(self, command: Command) -> Answer | None:
        check = self._check(command)
        if check is None or not self._runs_here(command, set()) or self._feeds_make(command, check):
            return None
        try:
            definitions = self._definitions(self.paths.at(command), check)
            if not definitions:
                return None
            if not all(each.seen for each in definitions):
                return Answer(sure=False, why="nobody has confirmed the checks of this project", seen=False)
            changed = [each for each in definitions if each.change]
            if changed:
                lines = "\n".join(dict.fromkeys(each.change for each in changed))
                why = f"what it runs was changed since it was confirmed:\n{lines}"
                contents = tuple(dict.fromkeys(each.content for each in changed))
                more = self._leaves(self.paths.at(command), check) or self._prior_change(command, check, definitions)
                whole = not more and all(each.whole for each in changed)
                return Answer(sure=False, why=why, changed=contents, whole=whole)
            why = self._doubt(command, check, definitions)
        except TooManyError as error:
            why = str(error)
        return Answer(sure=not why, why=why)

    def _doubt(self, command: Command, check: Check, definitions: Iterable[Definition]) -> str:
        """Why a text may have a confirmed check do something else, or empty."""
        if name := self._elsewhere(command):
            return f"`{name}` may have it use what others use, such as a database"
        if name := self._shadowed_name(command, definitions):
            return f"behind it, `{name}` would be the one of that environment"
        if word := self._leaves(self.paths.at(command), check):
            return f"it is handed `{word}`, which may lead out of the project, to a secret or to what runs by itself"
        if path := next(filter(None, map(self._over, self._output_paths(command, check))), ""):
            return f"it writes over `{path}`, which no build made"
        first = self._prior_change(command, check, definitions)
        return first and f"`{first}` may change what it runs before that"

    def _output_paths(self, command: Command, check: Check) -> Iterator[str]:
        """The real paths of what a check makes, each where it may run."""
        for directory in self._directories(self.paths.at(command), check):
            yield from (self.paths.real(os.path.join(directory, each)) for each in check.made)

    def _over(self, path: str) -> str:
        """A path, if something is there, or may be, that no build made: neither temporary nor ignored by git."""
        machine, kind = self.checks.machine, self.checks.machine.kind(path)
        named = f"{path}/a" if kind == "directory" else path  # of a directory, what it holds is ignored
        made = is_below(path, self.root) and (kind == "" or machine.kept(named) == "ignored")
        return "" if made or path == os.devnull or Temporary(self.root, machine).holds(path) else path

    def _check(self, command: Command) -> Check | None:
        """The check that a command is; found once, though each check of a text asks it of all other commands."""
        if command not in self._by_command:
            self._by_command[command] = self._find_check(command)
        return self._by_command[command]

    def _find_check(self, command: Command) -> Check | None:
        """The check that a command is by its words, and by what that does which it runs or starts."""
        escapes = command.escapes and command.name not in ACTIVATES
        check = None if command.defined or escapes else _check_of(command)
        return None if check is not None and check.by_effects and not self._only_uses_files(command) else check

    def _only_uses_files(self, command: Command) -> bool:
        """Whether a command is Python that only reads and writes files, or starts that, or reads in a container."""
        inside = [each for each in self.reading.commands if each.via and command.holds(each)]
        started = [each for each in inside if each is not command and not each.possible]
        if "apart" in command.traits:  # a container's own programs, by their names or where its system has them
            named = all(os.path.dirname(each.literals[0] or "/") in SYSTEM for each in started)
            return bool(started) and named and all(_only_does(each, _LOOKS) for each in started)
        limited = self._guard is not None and self._guard.has_write_limits
        does = _LOOKS | {"write"} if limited else _LOOKS  # where it writes is judged then
        return all(_only_does(each, does, "python") for each in started or [command])

    def _is_check(self, command: Command) -> bool:
        """Whether a command is some check by its name; whether that is allowed is judged where it is."""
        check = self._check(command) if command.inline is None else None  # a text may write what another check obeys
        return check is not None and (not check.recipes or bool(self._definitions(self.paths.at(command), check)))

    def _shadowed_name(self, command: Command, definitions: Iterable[Definition]) -> str:
        """What of a text may be another program once an environment is active, and is no check; empty if nothing is."""
        names = {name for each in definitions for name in each.names} if command.name in ACTIVATES else frozenset()
        for other in self.reading.commands if names else ():
            self.budget.spend(1)
            first = other.words[0].literal
            hidden = first is None or first in names
            own = "code" in map(kind_of, other.seen.aims)
            plain = first in _PIP or (first in _PYTHON and (own or self._only_uses_files(other)))
            if hidden and not plain and not self._is_check(other) and not shows_installed(other):
                return first or "…"
        return ""

    def _runs_here(self, command: Command, done: set[str]) -> bool:
        """Whether all that starts a command does nothing by itself, and starts it in the same directory."""
        via = command.via
        if via is None or via in done:
            return True
        done.add(via)
        for each in self.reading.commands:
            if each.name != via or each.possible:
                continue
            does = each.effects
            runner = self._is_check(each)
            if not runner and (does is None or does or any(touch.how == "enter" for touch in each.account.touches)):
                return False
            if not self._runs_here(each, done):
                return False
        return True

    def _elsewhere(self, command: Command) -> str:
        """The variable by which a text has code of the project use other services than those for tests, or empty."""
        via = [each or "" for other in self.reading.commands if other.name == command.via for each in other.literals]
        for name, here in _STEER.items():
            given, known = self.reading.variables.all_of(name)
            values = [text for each in given for text in each.values or ()]
            values += [each.partition("=")[2] for each in via if each.startswith(f"{name}=")]
            if (given and not known) or not all(map(here.fullmatch, values)):
                return name
        return ""

    def _feeds_make(self, command: Command, check: Check) -> bool:
        """Whether the text gives a variable what make would expand (GNU make, Variables from the Environment)."""
        if check.kinds[0] != "make":
            return False
        if command.via not in self._feeds:
            self._feeds[command.via] = self._gives_dollar(command.via)
        return self._feeds[command.via]

    def _gives_dollar(self, via: str | None) -> bool:
        """Whether a variable may get a `$`, of the text itself or by the program that make is started by."""
        given = self.reading.variables
        values = [each for name in given.names() for each in given.all_of(name)[0]]
        known = all(given.all_of(name)[1] for name in given.names())
        texts = [text for each in values for text in each.values or ()]
        texts += [each or "$" for other in self.reading.commands if other.name == via for each in other.literals]
        return given.lost or not known or any("$" in text for text in texts)

    def _starts(self, places: Iterable[str | None], check: Check) -> list[str]:
        """The real paths of the directories that a check may go to; empty where one is not known or outside."""
        found = [each and self.paths.real(os.path.join(each, *check.goes)) for each in places]
        known = [each for each in found if each is not None and is_below(each, self.root)]
        return sorted(known) if len(known) == len(found) else []

    def _directories(self, places: Iterable[str | None], check: Check) -> list[str]:
        """The real paths of the directories in which a check may run; empty where one is not known or outside."""
        starts = self._starts(places, check)
        if check.goes and check.kinds == ("scripts",) and not check.packages:  # it looks for no package above
            starts = starts if all(self.checks.machine.kind(f"{each}/package.json") for each in starts) else []
        return sorted({*self._packages(starts, check)}) if check.packages else starts

    def _packages(self, directories: Iterable[str], check: Check) -> Iterator[str]:
        """The real paths of the packages in which a check runs, as far as that can be told, and else of all."""
        for directory in directories:
            known = self._look(WORKSPACE, directory)
            members = () if known is None else known.members
            chosen = [place for name, place in members if name == check.packages]
            if check.packages == TOP:
                chosen = [place for _, place in members[:1]]
            elif not chosen and _PATTERN.search(check.packages):
                chosen = [place for _, place in members]
            elif not chosen:
                above = self.paths.real(f"{directory}/{check.packages}")
                ends = f"/{check.packages}"
                inside = [place for _, place in members if is_below(place, above) and is_below(above, self.root)]
                chosen = inside or [place for name, place in members if name.endswith(ends)]
            if len(chosen) > 1 and check.names:  # a script is run where there is one
                chosen = [place for place in chosen if known is not None and place in known.names]
            yield from chosen

    def _prior_change(self, command: Command, check: Check, definitions: Iterable[Definition]) -> str:
        """What of the text may change what a check runs before that; empty if nothing does."""
        places = self.paths.at(command)
        watched = {path for each in definitions for path in each.watched}
        watched |= {self._program(each, check) for each in self._directories(places, check) if check.program}
        globs = (each.rpartition("/")[0] for each in check.paths if not MARKS.isdisjoint(each))  # it may get a link
        watched |= {f"{self.paths.real(os.path.join(at, each))}/" for each in globs for at in places if at is not None}
        starts = self._starts(places, check) if check.packages else []
        there = [each for each in (self._look(WORKSPACE, start) for start in starts) if each is not None]
        watched |= {path for each in there for path in each.watched}
        apart = [place for each in there for _, place in each.members[1:]]
        runs = command.levels[-1].row.name not in {"build", "download", "vet"}  # perhaps what `go mod tidy` adds

        def is_known(other: Command) -> bool:
            return self._is_check(other) and not (runs and other.levels[-1].row.name == "tidy")

        return modified_before(command, self.reading, self.paths, watched, is_known, apart)

    def _leaves(self, places: Iterable[str | None], check: Check) -> str:
        """The first word passed on that may lead out of the project or to what checks are not handed; or empty."""
        directories = self._directories(places, check) if check.passed else []
        for word in check.passed:
            self.budget.spend(len(word) // 4)
            for path in _paths_in(word):
                if path[0] == "~" or not MARKS.isdisjoint(path):
                    return word.replace(SOME, "*").replace(ONE, "?")
                found = [self.paths.real(os.path.join(each, path)) for each in directories]
                if not all(is_below(each, self.root) and not self.checks.is_kept(each) for each in found):
                    return word
        return ""

    def _program(self, directory: str, check: Check) -> str:
        """The path of a check's program, in the real directory that it is in."""
        above, _, name = f"{directory}/{check.program}".rpartition("/")
        return f"{self.paths.real(above)}/{name}"

    def _look(self, kind: str, place: str) -> Definition | None:
        """The definition of a kind in a place, as it is at one moment of the request."""
        if (kind, place) not in self._there:
            self.budget.spend(20)
            self._there[kind, place] = self.checks.look(self.root, kind, place)
        return self._there[kind, place]

    def _recipe(self, text: str) -> list[Check]:
        """The checks that a recipe or a script consists of; empty where it has anything else."""
        from asimi.core.reading.reader import Reader
        from asimi.core.syntax import parse

        self.budget.spend(40 + len(text))
        if not all(map(_RECIPE.fullmatch, text.split("&&"))):
            return []
        reader = Reader(judge_substitutions=True)
        reader.script(parse(text))
        own = [each for each in reader.finish().commands if each.via is None]
        found = [None if each.escapes or each.defined else check_of(each.words) for each in own]
        known = [each for each in found if each is not None and not each.program]
        return known if len(known) == len(found) else []

    def _reals(self, path: str) -> list[str]:
        """The real paths that an operand stands for; of a pattern, those of what is there, or the root for any."""
        names = [path] if MARKS.isdisjoint(path) else self.checks.machine.now(path, named=True)
        return ["/"] if names is None else [self.paths.real(each) for each in names]

    def _inside(self, directory: str, text: str, depth: int) -> list[Definition]:
        """All that says what a recipe does in a directory; empty where it is more than checks."""
        found: list[Definition] = []
        for check in self._recipe(text) if depth < MOST_RECIPES else ():
            definitions = self._definitions([directory], check, depth + 1)
            if not definitions or self._leaves([directory], check):
                return []
            found += definitions
        return found

    def _is_by_paths(self, directory: str, check: Check) -> bool:
        """Whether its paths say which project is meant, not where it runs: CMake's always, .NET's below, by no link."""
        named = [os.path.normpath(os.path.join(directory, each)) for each in check.paths]
        own = [each for each in named if is_below(each, directory) and self._reals(each) == [each]]
        return bool(named) and (check.kinds == ("cmake",) or (check.kinds == ("dotnet",) and own == named))

    def _definitions(self, places: Iterable[str | None], check: Check, depth: int = 0) -> list[Definition]:
        """All that says what a check does; empty where something is missing, or a path leads outside."""
        found: list[Definition] = []
        directories = self._directories(places, check)
        if any(self.checks.machine.kind(each) == "" for each in directories):
            return []  # what a text makes there first is not known
        named = frozenset(check.names) - {*check.recipes}
        wanted = [(each, named, check.kinds) for each in directories if not self._is_by_paths(each, check)]
        beside = tuple(each for each in check.kinds if each not in ENVIRONMENTS and not each.startswith(_OF_FOLDERS))
        for path in check.paths:
            reals = (real for each in directories for real in self._reals(os.path.join(each, path)))
            wanted += [(each, named if check.kinds == ("cmake",) else frozenset(), beside) for each in reals]
        if check.program and not all(is_below(self._program(each, check), self.root) for each in directories):
            return []
        for path, each in [(path, each) for path in check.settings for each in directories]:
            place = self.paths.real(os.path.join(each, path))
            definition = self._look(check.kinds[0], place) if is_below(place, self.root) else None
            if definition is None or not {place, f"{place}/tsconfig.json"} & {*definition.watched}:
                return []
            found.append(definition)
        several = check.packages and len(directories) > 1  # a script is run in those that have it
        for place, names, kinds in wanted:
            for kind in kinds:
                definition = self._look(kind, place) if is_below(place, self.root) else None
                own = names if kind == check.kinds[0] else ()  # a runner, such as uv, knows no targets of its tools
                if definition is None or not (several or definition.names.issuperset(own)):
                    return []
                found.append(definition)
                if "-p" in check.passed and not all(
                    _PORTS.search(definition.recipes.get(each, "")) for each in check.recipes
                ):
                    return []
                for name in (each for each in check.recipes if each not in definition.names):
                    inside = self._inside(place, definition.recipes.get(name, ""), depth)
                    if not inside:
                        return []
                    found += inside
        offered = {name for each in found for name in each.names} if several else named
        return found if offered.issuperset(named) else []


def _paths_in(word: str) -> Iterator[str]:
    """The paths that a program may find in a word: all of it, what is behind each `=` or right behind an option."""
    glued = _GLUED.match(word)
    starts = {0, *(at + 1 for at, letter in enumerate(word) if letter == "=")}
    starts.update(range(2, glued.end() + 1) if glued is not None else ())
    for start in sorted(starts):
        if path := word[start:].removeprefix("file:"):
            yield path


def _check_of(command: Command) -> Check | None:
    """The check that a command is, with its patterns of names (`tests/test_*.py`) as they are written.

    Behind an option, the second name of a pattern would be no value, but a task or a program.
    """
    words, globs = list(command.words), list[str]()
    for at, (word, text) in enumerate(zip(words, map(command.text_of, words), strict=True)):
        if word.literal is None and _NAMES.fullmatch(text):
            globs.append(shape := text.replace("*", SOME).replace("?", ONE))
            words[at] = Word(word.start, word.end, shape, shape, single=True)
    check = check_of(words)
    return check if check and globs == [each for each in check.paths if not MARKS.isdisjoint(each)] else None


def _only_does(command: Command, kinds: frozenset[str], name: str = "") -> bool:
    """Whether a command does things of these kinds only, by a program, of that name if any, that starts no other."""
    program = command.program
    if program is None or program.starts is not None or program.shell or program.name != (name or program.name):
        return False
    # Nobody knows whose logins a container holds.
    return command.kinds is not None and command.kinds <= kinds and program.traits.isdisjoint({"bound", "login"})


def modified_before(
    command: Command,
    reading: Reading,
    paths: Paths,
    files: Collection[str],
    is_known: Callable[[Command], bool],
    apart: Collection[str] = (),
) -> str:
    """The command or the redirection of a text that may change some files before a command reads them, or empty.

    Args:
        command: the command.
        reading: the text.
        paths: where its words lead.
        files: the beginnings of the real paths of the files.
        is_known: whether a command is known to leave them alone.
        apart: directories below which a file is none of those that only begin with a directory.
    """
    watched = [(each.lower(), each[-1:] == "/") for each in files]  # some file systems take both for the same
    below = [each.lower() for each in apart]
    after = reading.positions_after(command)
    for other in reading.commands:
        if other is command or other.possible or other.span[0] in after:
            continue
        if other.is_around(command) or command.is_around(other):
            continue  # what a check starts was judged with it
        if not is_known(other) and _changes(other, paths, watched, below):
            return " ".join(each or "…" for each in other.literals[:4])
    for target, span, writes in reading.targets:
        if writes and span[0] not in after and _hits(paths.targets(target, span), watched, below):
            return f"> {target}"
    return ""


def _changes(command: Command, paths: Paths, files: list[tuple[str, bool]], apart: list[str]) -> bool:
    """Whether a command may change some files."""
    does, program = command.effects, command.program
    if program is None or does is None or not does <= HARMLESS | CHANGES:
        return True
    if does <= HARMLESS or (program.name, *command.literals[1:2]) in RECORDS:
        return False
    if "sources" in program.traits and not command.escapes:
        return False
    if command.inline is not None and command.inline.reads:  # it does what its text says
        named = [each for each in command.inline.files if each.how not in _READS]
        written = (path for each in named for path in paths.file_paths(command, each))
        return any(each.found is not None for each in named) or _hits(written, files, apart)
    if "plain" not in program.traits or not _is_plain(command):
        return True
    return any(
        _hits(paths.leads(command, touch.word, touch.start, unlinks=unlinks), files, apart)
        for touch in command.account.touches
        if touch.how not in _READS
        for unlinks in (True, False)
    )


def _is_plain(command: Command) -> bool:
    """Whether the options of a command are such that it changes only what it names."""
    if command.name not in {"cp", "sed"}:
        return not command.escapes
    options = [each for each in command.literals[1:] if each is None or each.startswith("-")]
    recursive = command.name == "cp" and "-r" in options  # it copies links as links
    own = all(command.literals[each.word] in PLAIN for each in command.escapes if each.word < len(command.words))
    return own and not recursive and all(each in PLAIN for each in options)


def _hits(places: Iterable[str], files: list[tuple[str, bool]], apart: list[str]) -> bool:
    """Whether one of some places is one of the files, begins as one does, is above one, or is not known."""
    return any(any(_is_near(place, files, apart)) for place in places)


def _is_near(place: str, files: list[tuple[str, bool]], apart: list[str]) -> Iterator[bool]:
    yield not MARKS.isdisjoint(place)
    place = place.lower()
    inside = any(is_below(place, each) for each in apart)
    yield from (is_below(each, place) or (place.startswith(each) and not (inside and wide)) for each, wide in files)
