"""Whether a request would touch asimi's own files, or call asimi to loosen it.

An agent's first move against a gate is to change the gate: to add an entry, to answer its own question, to delete the
log. So a command that names one of asimi's files, or asimi itself with a subcommand that changes something, is a
question each time, whatever the lists say; so is a computed word that fits one of these names (`$d/asimi`,
`~/.config/as{i,}mi`). What names them only at run time (a script, a path of nothing but variables) cannot be seen in a
text; only another owner of the files, or a sandbox, keeps that out.
"""

from __future__ import annotations

import os.path
from functools import lru_cache
from re import ASCII, escape
from typing import TYPE_CHECKING

from asimi.core.call import above as above_of
from asimi.core.call import is_below
from asimi.core.judging.agents import ENDS, KNOWN, AgentFiles, carries, first_mention
from asimi.core.judging.paths import PATH, TooManyError, collapse_slashes, join_shape
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.reading.account import OF_CHANGES, READ, moves, unchanged_words, writes
from asimi.core.reading.commands import Finding
from asimi.core.reading.shapes import ANY, MARKS, ONE, SOME, fits, head_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Request, Span
    from asimi.core.judging.links import Arrivals
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.paths import Paths
    from asimi.core.judging.places import Place
    from asimi.core.judging.search_candidates import Below
    from asimi.core.reading import Command, Reading

PROGRAM = "asimi"
ONLY_LOOKS: dict[str, frozenset[str] | None] = {
    **dict.fromkeys("check completion doctor explain help log tools".split()),
    "policy": frozenset({"export", "lint", "list", "replay", "test"}),
    "config": frozenset({"show", "check", "schema"}),
    "session": frozenset({"list", "show"}),
    "jobs": frozenset({"list", "log"}),
    "box": frozenset({"list"}),
    "task": frozenset({"propose"}),
}
"""Subcommands of asimi that change nothing, with those of their own that don't; None where all don't."""

HARMLESS_MODULES = tuple([name] for name in "black build isort mypy pip pylint pytest ruff unittest venv".split())
"""Modules of Python that start nothing from their arguments, though they may name asimi."""

TEXTS = frozenset({"code", "embeds", "input", "interprets", "opaque"})
"""Traits of programs whose arguments or input may be a text that names files."""

MOST_SHAPES = 65_536
"""What all words of one text together may become."""

_OWN = (f".{PROGRAM}", f".{PROGRAM}/config.toml")
"""A project's own, below its root."""

_PYTHON = pattern(r"(?:python|pypy|ipython|jython|graalpy|coverage)[\w.-]*", ASCII)
_CALLS = "this calls asimi itself, which could change what is allowed"
_SAYS = "this could change {}, which says what an agent may do"
_COULD_START = "could start asimi here, which could change what is allowed"
_MENTIONS = pattern(rf"(?:(?<![\w.-])|(?<=-m)|(?<=[A-Za-z]m)){PROGRAM}(?![\w-])")
_ORDERS = pattern(rf"(?<![\w.-]){PROGRAM}['\",\s]+(?!(?:{'|'.join(ONLY_LOOKS)})\b)[a-z]")
_ASIMI = pattern(rf"{PROGRAM}|[~$]")
"""A sign of asimi in literal words."""

_QUOTES = pattern(r"""['"\\]""")
_VALUE = pattern(r"^(?:--?[A-Za-z][\w-]*=|[A-Za-z_]\w*=|-[A-Za-z]|:\([^)]*\)|\*+)")
"""What may be before a path in its word: an option, a key, the magic of git's pathspecs, a program's own pattern."""

_SURE = pattern(r"[\w ./:@%+,=-]*")
"""A word that bash takes as it is written."""

_PACKED = frozenset(["gz", "bz2", "xz", "zst", "lzma", "lz4", "Z"])
"""What a program takes away from a name, with the dot before it, when it unpacks a file."""

_LISTED = pattern(r"[:,]")
_WHOLE = pattern(r"[^-:*=.,][^=.:,]*")
"""A word of which no part is a path by itself, for none of these says that one is."""

_Word = list[tuple[str, tuple[str, ...]]]
"""What a word may be, each with the paths that may be in it."""


class Protection:
    """What is asimi's own, on this machine.

    Args:
        own: its directories and files.
        machine: this machine.
        free: directories below these that results send their readers to: long outputs, logs of background processes.
        agents: tells which paths are files that say what an agent may do.
    """

    def __init__(
        self,
        own: Iterable[str],
        machine: Machine,
        free: Iterable[str] = (),
        agents: AgentFiles | None = None,
    ) -> None:
        self.agents = agents or AgentFiles()
        self.home, resolve = machine.home, machine.resolve
        each_once = dict.fromkeys(path for given in own for path in (os.path.normpath(given), resolve(given)))
        self.own = tuple(each_once)  # in order, so that the first that fits is the same one in every process
        self._below = tuple(f"{path}/" for path in self.own)
        self.free = tuple(f"{path}/" for given in free for path in (os.path.normpath(given), resolve(given)))
        tails = {path[len(self.home) + 1 :] for path in self.own if path.startswith(f"{self.home}/")}
        self._paths = sorted({*self.own, *tails}, key=len, reverse=True)
        self._sign = PROGRAM if all(PROGRAM in path for path in self._paths) else ""
        parts = "|".join(map(escape, self._paths))
        self._anywhere = pattern(rf"(?<![\w.-])(?:{parts})(?![\w-])[\w./+-]*")
        known = {"HOME": machine.home, **machine.variables}
        self._variables = [
            (pattern(rf"\$(?:{name}\b|\{{{name}(?::?[-=+?][^}}]{{0,256}})?\}})"), value)
            for name, value in known.items()
        ]
        user = escape(machine.user)
        self._variables.append((pattern(rf"(?<![\w/.-])~(?:{user})?(?=/|$)"), machine.home))
        self.names = frozenset(os.path.basename(path) for path in self.own) | {".asimi"}
        self.above = frozenset(above for path in self.own for above in above_of(path))

    def findings(self, request: Request, reading: Reading, paths: Paths) -> Iterator[Finding]:
        """What a request would touch.

        Raises:
            TooManyError: it names more than can be looked at.
        """
        seen: set[Span] = set()
        search = _Search(self, request, reading, paths)
        for command in reading.commands:
            span = command.span
            if message := self._calls_asimi(command, search):
                yield Finding("protected", message, span)
            if span not in seen and (path := search.own_file_in(command)):
                seen.add(span)
                yield Finding("protected", f"{path} is asimi's own", span)
            elif word := search.agent_file_in(command):
                yield Finding("protected", _SAYS.format(word), span)
        for target, span, changes in reading.targets:
            if path := search.own_file_at(target):
                seen.add(span)
                yield Finding("protected", f"{path} is asimi's own", span)
            elif changes and search.is_agent_file(target):
                yield Finding("protected", _SAYS.format(target), span)
        if not seen and (path := self._mentions(request)):
            yield Finding("protected", f"this names {path}, which is asimi's own", None)

    def findings_of_searches(
        self, places: Iterable[Place], below: Below, root: str, budget: Budget, arrivals: Arrivals
    ) -> Iterator[Finding]:
        """What is changed of asimi's own, and of agents' files, that a search finds, a list names or a copy brings.

        Args:
            places: where the request reaches.
            below: tells what is found there.
            root: the project root.
            budget: what the look is paid from.
            arrivals: tells what a copy brings.
        """

        def counts(path: str, *, above: bool = True) -> bool:
            budget.spend(1)
            return bool(self.own_path(path, path)) or self.agents.has(path, budget, above=above)

        for place in places:
            if place.found is not None and place.how in OF_CHANGES:
                named = place.found.strip(SOME + ONE) and is_below(root, place.path)
                if below.finds(place, counts, (*KNOWN, *_OWN) if named else ()):
                    yield Finding("protected", _SAYS.format("what it finds"), place.span)
            written = bool(place.by and place.by.inline) and place.how in OF_CHANGES and place.found is None
            above = written and place.how != "write"
            if (written or (place.tree.whole and not place.brought)) and counts(place.path, above=above):
                yield Finding("protected", _SAYS.format(place.path), place.span)
            if place.brought and (path := arrivals.first(place, lambda each: counts(each, above=False))):
                yield Finding("protected", _SAYS.format(path), place.span)

    def _calls_asimi(self, command: Command, search: _Search) -> str:
        """Whether a command calls asimi for more than looking; in words, or empty."""
        joined = "" if None in command.literals else _strip_quotes(" ".join(command.literals))  # type: ignore[arg-type]
        if joined and not _ASIMI.search(joined) and not search.orders:
            return ""
        words = [_QUOTES.sub("", command.text_of(word)) for word in command.words]
        name = os.path.basename(words[0])
        if name == PROGRAM:
            return "" if _only_looks(words[1:]) else _CALLS
        if command.words[0].literal is None and search.is_asimi(command, 0):
            return _CALLS
        module = words.index("-m") + 1 if "-m" in words else len(words)
        if _PYTHON.fullmatch(name) and module < len(words) and search.is_asimi(command, module):
            return "" if _only_looks(words[module + 1 :]) else _CALLS
        if "packaged" in command.traits and PROGRAM in words:
            return "" if _only_looks(words[words.index(PROGRAM) + 1 :]) else _CALLS
        if (
            command.program is not None
            and command.program.shell
            and any(os.path.basename(word) == PROGRAM for word in words[1:])
        ):
            return f"{name} {_COULD_START}"
        names = "interprets" in command.traits and "moves" in command.traits
        if names and any(search.is_asimi(command, at) for at in range(1, min(len(words), 64))):
            return f"{name} would give asimi another name"
        runs = "interprets" in command.traits or (
            _PYTHON.fullmatch(name) and words[module : module + 1] not in HARMLESS_MODULES
        )
        if runs and any(_MENTIONS.search(word) for word in words[1:]):
            return f"{name} {_COULD_START}"
        reads = command.simple is not None and command.simple.input is not None
        if "embeds" in command.traits and (_ORDERS.search(" ".join(words[1:])) or (reads and search.orders)):
            return f"{name} {_COULD_START}"
        return ""

    def _mentions(self, request: Request) -> str:
        """The path of asimi's anywhere in a request's text, or empty.

        It is looked for in the whole text, without quotes and with the variables that are known, so a program
        text, an option's value or a list of words hides none.
        """
        text = self._expand(" ".join((request.command, *(request.arguments or ()))))
        text = _strip_quotes(text)
        if self._sign not in text:
            return ""
        text = collapse_slashes(text)
        if not any(path in text for path in self._paths):  # far quicker than the pattern
            return ""
        for match in self._anywhere.finditer(text):
            path = match.group().rstrip("/")
            whole = path if path.startswith("/") else f"{self.home}/{path}"
            if not f"{whole}/".startswith(self.free):
                return whole
        return ""

    def _expand(self, text: str) -> str:
        """A text with the variables that are known."""
        for known, value in self._variables if "$" in text or "~" in text else ():
            text = known.sub(lambda _, value=value: value, text)  # type: ignore[misc]
        return text

    def own_path(self, path: str, real: str) -> str:
        """The path of asimi's that a path without marks is, or is below; empty for others."""
        for one in (path, real) if real != path else (path,):
            own = one in self.own or one.startswith(self._below) or "/.asimi/" in f"{one}/"
            if own and not one.startswith(self.free):
                return one
        return ""


class _Search:
    """Which words of one request name what is asimi's; what each word may be is found once."""

    def __init__(self, protection: Protection, request: Request, reading: Reading, paths: Paths) -> None:
        self.protection, self.paths = protection, paths
        self.budget, self.directories = paths.budget, paths.directories
        text = request.command  # which a program may read as its input
        self.orders = PROGRAM in text and _ORDERS.search(text) is not None
        self.mentions = first_mention(text)
        self.entered = len(self.directories)
        self.seen: dict[tuple[object, ...], set[str]] = {}
        self.taken = _is_fed(reading.commands)
        self._words: dict[Command, list[_Word]] = {}

    def own_file_in(self, command: Command) -> str:
        """What a command's words say of asimi's own files, in words; empty where it is nothing."""
        fed = self.taken and "feeds" in command.traits
        moving, writing = fed or moves(command), (fed and "moves" in command.traits) or writes(command)
        words, own = self._of(command), self.protection.above
        above = {
            each.rstrip("/")
            for word in words[1:]
            for shape, parts in word
            if "/" in shape or "=" in shape
            for each in parts[:2]
        }
        bases = [*self.directories, *sorted(above & own)] if above else self.directories
        return self._first(words, bases, moves=moving, writes=writing, mounts="mounts" in command.traits)

    def own_file_at(self, target: str) -> str:
        """What the target of a redirection says of asimi's own files, as `own_file_in` says it."""
        word = [(shape, _parts(shape)) for shape in self.paths.shapes_of(target)]
        return self._first([word], self.directories, moves=False, writes=True, mounts=False)

    def agent_file_in(self, command: Command) -> str:
        """A word of a command that is a file of an agent's, and may be changed; empty where there is none."""
        if command.possible:
            return ""
        self.budget.spend(20 + 6 * len(command.words))
        read = frozenset[int]() if self.taken else unchanged_words(command)
        program, copies = command.program, "doubles" in command.traits
        above = program is None or "makes" not in program.traits
        writing = program is None or writes(command)
        tests: Collection[int] = ()
        if command.name == "find":
            from asimi.core.reading.find_expression import expression_of

            tests = expression_of(command.literals).values
        for index, word in enumerate(self._of(command)):
            if not index or index in tests or (index in read and not copies):
                continue  # what it finds is looked at where it goes
            for shape, parts in word:
                if index in read and not carries(shape):
                    continue
                if any(self._is_agents(part, above=above, links=writing) for part in parts):
                    return command.text_of(command.words[index])
        if command.effects is not None and command.effects <= READ:
            return ""
        if program is not None and program.traits.isdisjoint(TEXTS):
            effects = command.levels[-1].row.effects
            if program.shell or program.starts is not None or (effects is not None and "code" not in effects):
                return ""
        script = program is not None and "code" in program.traits and 1 in read and command.literals[1] != "-"
        reads = command.simple is not None and command.simple.input is not None and not script
        words = " ".join(command.text_of(word) for index, word in enumerate(command.words[1:], 1) if index not in read)
        self.budget.spend(len(words) // 2)
        return first_mention(words) or (self.mentions if reads else "")

    def _of(self, command: Command) -> list[_Word]:
        """What each word of a command may be: the word, or the value behind the letters of options: `tar -cfFILE`.

        Raises:
            TooManyError: that is more than can be looked at.
        """
        found = self._words.get(command)
        if found is None:
            found, starts = [], _starts(command)
            for index in range(len(command.words)):
                shapes, start = self.paths.shapes(command, index), starts.get(index, 0)
                if start > len("-f"):
                    shapes = (*shapes, *(shape[start:] for shape in shapes if len(shape) > start))
                found.append([(shape, _parts(shape)) for shape in shapes])
                if self.paths.shape_count > MOST_SHAPES:
                    raise TooManyError("this may name more files than can be looked at")
            self._words[command] = found
        return found

    def is_agent_file(self, target: str) -> bool:
        """Whether the target of a redirection that writes is a file of an agent's."""
        return any(self._is_agents(shape, above=False, links=True) for shape in self.paths.shapes_of(target))

    def _is_agents(self, shape: str, *, above: bool, links: bool) -> bool:
        """Whether a path may be a file of an agent's; a bare name is taken for a link only where `links` says so."""
        if not shape or (shape[0] == "-" and "/" not in shape):
            return False
        for base in self.directories[:1] if shape[0] in {"/", ANY} else self.directories:
            path = join_shape(base, shape)
            self.budget.spend(PATH + len(path) // 32)
            if self.protection.agents.has(path, self.budget, above=above):
                return True
            if links or "/" in shape:
                known = head_of(path)
                fixed = path if known == path else known.rpartition("/")[0]
                real = self.paths.real(fixed or "/").rstrip("/") + path[len(fixed) :]
                if real != path and self.protection.agents.has(real, self.budget, above=above):
                    return True
        return False

    def is_asimi(self, command: Command, index: int) -> bool:
        """Whether a word may be asimi's name, with a path or without."""
        for shape in self.paths.shapes(command, index):
            name = shape.rpartition("/")[2]
            if name == PROGRAM or (len(name.strip(ANY + SOME + ONE)) > 1 and fits(name, PROGRAM)):
                return True
        return False

    def _first(self, words: Iterable[_Word], bases: Sequence[str], *, moves: bool, writes: bool, mounts: bool) -> str:
        """The first of asimi's paths among words."""
        names, single = self.protection.names, len(bases) == 1
        seen = self.seen.setdefault((*bases[self.entered :], moves, writes, mounts), set())
        for word in words:
            for shape, parts in word:
                if shape in seen:
                    continue
                seen.add(shape)
                for part in parts:
                    above = moves or (mounts and part != shape)
                    if "/" not in part and MARKS.isdisjoint(part):
                        if part[:1] in {"", "-"}:
                            continue
                        if part[0] != "." and single and not (writes or above) and part not in names:
                            continue
                    if found := self._part(part, bases, moves=above, writes=writes or above):
                        return found
        return ""

    def _part(self, shape: str, bases: Sequence[str], *, moves: bool, writes: bool) -> str:
        """What one path says of asimi's own files."""
        for base in bases[:1] if shape[0] in {"/", ANY} else bases:
            path = join_shape(base, shape)
            self.budget.spend(PATH + len(path) // 32)
            if MARKS.isdisjoint(path):
                found = self._plain(path, moves=moves)
            elif ANY in path:
                found = self._match_computed(path, writes=writes)
            else:
                found = self._match_pattern(path, moves=moves, writes=writes)
            if found:
                return found
        return ""

    def _plain(self, path: str, *, moves: bool) -> str:
        """A path that is known."""
        real = self.paths.real(path)
        if found := self.protection.own_path(path, real):
            return found
        if moves and (path in self.protection.above or real in self.protection.above):
            return next(own for own in self.protection.own if f"{own}/".startswith((_below(path), _below(real))))
        return ""

    def _match_pattern(self, path: str, *, moves: bool, writes: bool) -> str:
        """A path with patterns, component by component."""
        fixed = head_of(path).rpartition("/")[0]
        for start in dict.fromkeys((fixed, self.paths.real(fixed or "/").rstrip("/"))):
            parts = (start + path[len(fixed) :]).split("/")
            self.budget.spend(2 * len(parts) + len(path) // 16 + 8 * len(self.protection.own))
            at = next((index for index, part in enumerate(parts) if fits(part, ".asimi")), None)
            if at is not None and (writes or at < len(parts) - 1) and len(parts[at].strip(SOME + ONE)) > (not writes):
                return ".asimi"
            for own in self.protection.own:
                names = own.split("/")
                alike = all(map(fits, parts, names))
                if alike and (len(parts) > len(names) or (len(parts) == len(names) and (writes or moves))):
                    return own
                if alike and moves and len(parts) < len(names):
                    return own
        return ""

    def _match_computed(self, path: str, *, writes: bool) -> str:
        """A path with unknown parts.

        What is left of it must say so: one of asimi's own names, or a beginning that leads to one.
        """
        before, _, after = path.partition(ANY)
        if "/.asimi/" in f"{after}/" or "/.asimi/" in before:
            return ".asimi"
        last, rest = before.rpartition("/")[2], after.partition("/")[0]
        if last[:1] == "." and len(last) > (1 if not writes else 0) and fits(f"{last}{ANY}{rest}", ".asimi"):
            return ".asimi"
        fixed = head_of(path)
        names = [name for name in self.protection.names if name in after]
        ends = [match.start() for match in ENDS.finditer(path)] if names else []
        for own in self.protection.own:
            if own.startswith(fixed) and len(fixed) > len(self._nearest(own, writes=writes)):
                return own
            self.budget.spend(4 + min(len(ends), 64) * (2 + len(path) // 32))
            for end in ends[:64]:
                if any(path.find(name, len(before), end) >= 0 for name in names) and fits(path[:end], own):
                    return own
        return ""

    def _nearest(self, own: str, *, writes: bool) -> str:
        """The directory below which a beginning leads to a path of asimi's."""
        directory = os.path.dirname(own)
        if not writes:
            return f"{directory}/"
        home = self.protection.home
        return home if own.startswith(f"{home}/") else directory


def _starts(command: Command) -> Mapping[int, int]:
    """Where each value begins that shares a word with its option, by the index of the word."""
    if not any(word is not None and word[:1] == "-" and len(word) > len("-f") for word in command.literals):
        return {}
    return {each.word: each.start for each in command.account.touches if each.option}


@lru_cache(maxsize=1024)
def _parts(shape: str) -> tuple[str, ...]:
    """What may be a path in a word: all of it, behind that the value of an option, then the members of a list."""
    if _WHOLE.fullmatch(shape) is not None or shape == ":/":  # the top of a work tree, to git
        return (shape,)
    parts = [shape]
    if "=" in shape or shape[:1] in {"-", ":", "*"}:  # as each match of the pattern has it
        parts.append(_VALUE.sub("", shape, count=1))
    stem, dot, end = shape.rpartition(".")
    if dot and end in _PACKED:
        parts.append(stem)
    if ":" in shape or "," in shape:
        listed = [part for part in _LISTED.split(shape, maxsplit=16) if part]
        parts += [part for each in listed for part in (each, _VALUE.sub("", each, count=1))]
    return tuple(dict.fromkeys(parts))


def _strip_quotes(text: str) -> str:
    return _QUOTES.sub("", text) if "'" in text or '"' in text or "\\" in text else text


def _below(path: str) -> str:
    return path.rstrip("/") + "/"


def _only_looks(words: Sequence[str]) -> bool:
    """Whether asimi with these arguments changes nothing; the subcommand must be the first of them."""
    if words in (["--version"], ["--help"], ["-h"]):
        return True
    if words[-1:] == ["--help"] and len(words) <= 3 and not any(word.startswith("-") for word in words[:-1]):
        return words[0] not in {"exec", "run"}
    if not words or words[0] not in ONLY_LOOKS:
        return False
    if words[0] == "log":  # a report may be written to a file, and what an option is must be sure
        return not any(word.startswith("--html") or not _SURE.fullmatch(word) for word in words[1:])
    below = ONLY_LOOKS[words[0]]
    return below is None or (len(words) > 1 and words[1] in below)


def _is_fed(commands: Sequence[Command]) -> bool:
    """Whether names of files that come from an input are taken by a command that writes or removes them."""
    takes = [each for each in commands if _takes(each.via) or ("takes" in each.traits and _takes(each.name))]
    if not takes:
        return False
    started = [command for command in takes if _takes(command.via)]
    return any(map(writes, commands)) or not all("looks" in command.traits for command in started)


def _takes(name: str | None) -> bool:
    """Whether the program of a name takes the names of files from its input."""
    program = None if name is None else find(name.rpartition("/")[2])
    return program is not None and "takes" in program.traits
