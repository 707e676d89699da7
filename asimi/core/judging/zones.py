"""Zones: the paths that are a question or a deny when a command reaches them, and who may answer.

Each word that names a file is followed to the real paths it may lead to, from every directory that its command may run
in, links included. Each zone is one kind of path: `secret` holds keys and tokens, `outside` is
what a command writes although `[files] write` does not name it, `floor` is the system, the home or the project as a
whole when a command would remove or overwrite it.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.call import REBUILT, Assurance, Verdict, above, is_below
from asimi.core.judging.known import (
    FREE,
    HOMES,
    ROOT,
    SECRET,
    SELF_RUNNING,
    SYSTEM_DIRECTORIES,
    Temporary,
    self_running_paths,
)
from asimi.core.judging.links import Arrivals, Relocations
from asimi.core.judging.patterns import Patterns, absolute, is_ending, overlap
from asimi.core.judging.rules import HOST_NOT_TRUSTED
from asimi.core.judging.search_candidates import Below
from asimi.core.pattern import pattern
from asimi.core.reading.account import HERE, OF_CHANGES
from asimi.core.reading.commands import Finding
from asimi.core.reading.disclosures import SecretVariables
from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME, WHOLE, head_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Undo
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.places import Place
    from asimi.core.reading import Command, Reading

DEEPEST = 64
"""Levels of directories that are looked through."""


def _names_nothing(place: Place) -> bool:
    """Whether the command at a place names none of the files that it takes."""
    return place.by is not None and any(each.word == HERE and each.how == "read" for each in place.by.account.touches)


_PATHSPEC = frozenset("*?[")
"""Characters by which git takes a word for a pattern (gitglossary(7), pathspec)."""


class Secrets:
    """The files that are a question when read or written.

    Args:
        layers: patterns of files (`[files] secret`), by the layer of the configuration that has them.
        root: the project root, a real path.
        machine: this machine.
    """

    def __init__(self, layers: Iterable[Sequence[str]], root: str, machine: Machine) -> None:
        self._machine, self._root = machine, root
        self._layers = [each for each in layers if each]

    @cached_property  # as all below: there are hundreds of patterns, and many commands reach no file
    def _all(self) -> list[Patterns]:
        return [Patterns(each, self._root, self._machine.home) for each in self._layers]

    @cached_property
    def _above(self) -> set[str]:
        """The directories above what is named outside the project."""
        found = {*HOMES, ROOT, "/"}
        for whole in (each for layer in self._layers for each in layer if each[0] in "~/" and each[:3] != "/**"):
            directory = absolute(whole, self._root, self._machine.home)
            if not is_below(directory, self._root):
                while (directory := directory.rpartition("/")[0]) and directory not in found:
                    found.add(directory)
        return found

    @cached_property
    def _by_name(self) -> list[list[str]]:
        """The patterns without those of all that is below a directory."""
        return [[pattern for pattern in each if not pattern.endswith("/**")] for each in self._layers]

    @cached_property
    def _names(self) -> list[Patterns]:
        return [Patterns(each, self._root, self._machine.home) for each in self._by_name]

    @cached_property
    def _prefix_patterns(self) -> list[Patterns]:
        """Of these, the patterns of names that begin with a letter of their own."""
        begun = ([one for one in each if one.rpartition("/")[2][:1] not in {"*", "?", "["}] for each in self._by_name)
        return [Patterns(each, self._root, self._machine.home) for each in begun]

    @cached_property
    def _shortest(self) -> Sequence[str]:
        """The shortest name that each of these is for."""
        shortest = (one.rpartition("/")[2].replace("*", "") for each in self._by_name for one in each if one[0] != "!")
        return tuple(dict.fromkeys(shortest))  # in order, so that the search costs the same in every process

    def message(self, place: Place, below: Below) -> str:
        """What is to be said of a place, with `{}` for its path; empty if it holds no secret."""
        path = place.path
        if place.how == "repository":
            return ""
        if place.tree.ignored and place.how == "read" and self._takes_ignored(place.shape):
            return "{} is, or holds, what git ignores, and this takes it into the repository"
        if not MARKS.isdisjoint(place.shape):
            return "{} may be a secret" if self._may_be(place, below) else ""
        own = self._as_own(path)
        if self._has(path, own):
            return "{} may hold a secret"
        # without either, a program that nobody knows may read it all
        if (place.how == "read" or not (place.how or (place.by and place.by.effects))) and self._is_above(path, own):
            return "{} holds secrets"
        return self._take_message(path, place) if place.tree.takes and place.how == "read" else ""

    def has(self, path: str) -> bool:
        """Whether a real path is the file of a secret, by its name."""
        return self._has(path, self._as_own(path))

    def _has(self, path: str, own: str | None) -> bool:
        """The same; `own` is what `_as_own` says of it."""
        return any(each.matches(path) or (own is not None and each.matches(own)) for each in self._all)

    def _as_own(self, path: str) -> str | None:
        """The path in this user's home that matches one in another user's; None for a path in no other home."""
        if is_below(path, self._machine.home):
            return None
        for homes in HOMES:
            if path.startswith(f"{homes}/"):
                name, slash, rest = path[len(homes) + 1 :].partition("/")
                unknown = min((at for at in map(name.find, (ANY, MANY)) if at >= 0), default=len(name))
                between = "/" if unknown < len(name) else ""
                return f"{self._machine.home}{between}{name[unknown:]}{slash}{rest}"
        return f"{self._machine.home}{path[len(ROOT) :]}" if path.startswith(f"{ROOT}/") else None

    def _is_above(self, path: str, own: str | None) -> bool:
        """Whether a path is above one that is named; `own` is what `_as_own` says of it."""
        return path in self._above or path.rpartition("/")[0] in HOMES or own in self._above

    def _take_message(self, path: str, place: Place) -> str:
        """What is to be said of all that is below a path, which is carried off."""
        start, pattern = path, ""
        if place.tree.new and _names_nothing(place):
            around = (each for each in (path, *above(path)) if self._machine.kind(f"{each}/.git") != "")
            start = next(around, path)  # git then takes what is in all of the work tree
        elif place.tree.new and not _PATHSPEC.isdisjoint(path):  # a pattern of git's own, whose `*` is for slashes, too
            first = next(at for at, each in enumerate(path) if each in _PATHSPEC)
            start, pattern = path[:first].rpartition("/")[0], path
        if self._machine.kind(start) in {"file", "block", ""}:
            return ""
        below = self._found_by_git(start) if place.tree.new else self._machine.below(start, DEEPEST)
        if below is None:
            return "{} holds more than can be looked through for secrets"
        found = (each for each in below if self.has(each) and self._is_taken(each, place))
        return "{} holds secrets" if any(not pattern or fnmatchcase(each, pattern) for each in found) else ""

    def _found_by_git(self, start: str) -> list[str] | None:
        """The secrets below a directory, but for those in what tools make again and git ignores; None if not all."""
        found: list[str] = []

        def is_left_out(path: str, name: str) -> bool:
            if self.has(path):
                found.append(path)
            return name == ".git" or (name in REBUILT and self._machine.kept(path) == "ignored")

        return found if self._machine.walk(start, DEEPEST, is_left_out, False) else None

    def _takes_ignored(self, path: str) -> bool:
        """Whether git ignores something of what is taken from a path, or may."""
        there = [path] if MARKS.isdisjoint(path) else self._machine.now(path, named=True)
        for each in there or ():
            below = [] if self._machine.kind(each) == "file" else self._machine.below(each, DEEPEST)
            if below is None or any(self._machine.kept(one) == "ignored" for one in (each, *below)):
                return True
        return there is None

    def _is_taken(self, path: str, place: Place) -> bool:
        """Whether a command that carries off a directory carries off a file in it, by how git has that."""
        if not (place.tree.tracked or place.tree.new):
            return True
        if self._machine.kind(path) in {"directory", "mount"}:
            return False  # git takes files
        return self._machine.kept(path) in {"", "tracked" if place.tree.tracked else "new"}

    def _is_found(self, place: Place, below: Below) -> bool:
        """Whether a search hands on a secret, by the names that it looks for.

        Where these may begin with anything, the shortest names that patterns are for count, and what is there now,
        because a pattern that begins with a star meets any other one with a star somehow. Of a list that another search
        has gone through, what is there now counts alone.
        """
        meets = any(each.matches(place.shape) for each in self._names)
        if place.found is None or ANY in place.found[1:]:
            return meets
        if place.found[:1] not in {SOME, ONE, ANY}:
            if meets and self._is_named(place.shape):
                return True
        elif is_ending(place.found) and place.found[1:2] == ".":
            if any(each.matches_ending(f"{place.path}/{place.found}") for each in self._all):
                return True
        elif place.found[0] != ANY and any(
            below.hands(place, f"{place.path.rstrip('/')}/{each}") for each in self._shortest
        ):
            return True
        found = below.finds(place, self.has)
        return meets if found is None else found

    def _is_named(self, shape: str) -> bool:
        """Whether a glob of names is for secrets by how it begins or ends, whatever is there.

        A pattern that begins with a star meets any glob that ends with one, so only its ending counts.
        """
        directory, _, last = shape.rpartition("/")
        if MARKS.isdisjoint(last):
            return any(each.matches(shape) for each in self._names)
        if last[:1] not in {SOME, ONE} and any(each.matches(shape) for each in self._prefix_patterns):
            return True
        ending = last.replace(ONE, SOME).rpartition(SOME)[2]
        return bool(ending) and any(each.matches_ending(f"{directory}/{SOME}{ending}") for each in self._all)

    def _is_kept(self, name: str) -> bool:
        """Whether git may find a secret by a pattern whose marks stand for slashes and leading dots, too.

        An ending (`*.json`) is for secrets only if all such names are.
        """
        behind = [name[at + 1 :] for at, each in enumerate(name) if each in {SOME, ONE}]
        if any(self.has(f"/{each}") for each in behind if each.strip(ONE) and SOME not in each):
            return True
        tail = name.rpartition(SOME)[2].replace(ONE, "?")
        if SOME not in name or not tail.strip("?") or tail[0] == "." or not MARKS.isdisjoint(tail):
            return False
        return self.has(f"/.{name.rpartition(SOME)[2]}") or any(
            fnmatchcase(each, f"*{tail}") for each in self._shortest
        )

    def _is_of_endings(self, name: str) -> bool:
        """Whether one of the endings that a pattern is for (`*.y*ml`) is that of secrets alone, or a hidden name."""
        glob = name.replace(SOME, "*").replace(ONE, "?")
        return any(each[:1] == "." and each.count(".") == 1 and fnmatchcase(each, glob) for each in self._shortest)

    def _may_be(self, place: Place, below: Below) -> bool:
        """Whether a partly unknown place may be a secret, by its known part."""
        path, shape = place.path, place.shape.rstrip("/")  # with a slash behind it, a glob is for directories
        if place.found is not None and MARKS.isdisjoint(path) and place.how not in {"delete", "move"}:
            if self._has(path, own := self._as_own(path)) or self._is_above(path, own):
                return True
            if place.tree.new:
                return below.finds(place, lambda each: self.has(each) and self._is_taken(each, place)) is not False
            return bool(place.found.strip(SOME + ONE)) and self._is_found(place, below)
        last = shape.rpartition("/")[2]
        if place.how == "kept" and not {SOME, ONE}.isdisjoint(last):
            if last[:2] == f"{SOME}." and last.count(".") == 1 and SOME in last[2:] and ANY not in last:
                return self._is_of_endings(last)
            if self._is_kept(last):
                return True
        if ANY in last and not last.replace(ANY, "").strip(SOME + ONE):
            return False  # nothing is known of its name; what allows by effect asks about that
        # git has names that are nowhere on the disk
        named = place.how != "kept" and last[:1] not in {SOME, ONE}
        if (there := self._machine.now(shape, named=named)) is not None:
            if (place.shape[-1:] != "/" and self._is_named(shape)) or any(map(self.has, there)):
                return True
            above = place.how in {"read", ""} and any(self._is_above(each, self._as_own(each)) for each in there)
            return above or (place.tree.takes and any(self._take_message(each, place) for each in there))
        return self.has(shape) if head_of(shape).strip("/") else any(each.matches(shape) for each in self._names)


class SelfRunning(NamedTuple):
    """Files that run, or decide what runs, although no command names them.

    Attributes:
        always: in every project.
        guided: in this one now: what the configuration of its repository names.
    """

    always: Patterns
    guided: Patterns

    def matches(self, path: str) -> bool:
        """Whether a path is of that kind, or may be."""
        return self.always.matches(path) or self.guided.matches(path)


NO_PATTERNS = Patterns((), "/", "/")

CACHE = "/__pycache__"
"""What is in it is made again, so to remove it changes nothing that runs."""


_WITHIN = pattern(rf"[^{SOME}{ONE}]*[{SOME}{ONE}][^/]*(?=/)")
"""A path up to its first part that is a pattern, if another part follows."""


class Writable:
    """Where one layer lets known writers write.

    Args:
        patterns: as the person writes them.
        running: files that always run, or decide what runs, although no command names them.
        root: the project root.
        machine: this machine.
        temporary: its temporary places.
    """

    def __init__(
        self, patterns: Sequence[str], running: Patterns, root: str, machine: Machine, temporary: Temporary
    ) -> None:
        home = machine.home
        wide = [each for each in patterns if each.rstrip("/").rpartition("/")[2] in {"**", "*", "."}]
        wide = [each for each in wide if not running.matches(_start(each, root, home))]
        if is_no_project(root, home):  # then what is below it, and what is temporary, says nothing
            patterns = [
                each
                for each in patterns
                if each not in wide or (each[0] in "~/!" and _start(each, root, home) not in temporary.directories)
            ]
        self._machine = machine
        self._all = Patterns(patterns, root, home)
        self._explicit = Patterns([each for each in patterns if each not in wide], root, home)
        self._wide = [(_start(each, root, home), Patterns([each], root, home)) for each in wide if each[0] != "!"]
        over = [each for each in wide if each[0] != "!" and _start(each, root, home) in temporary.directories]
        self._named = Patterns([each for each in patterns if each not in over], root, home)
        starts = temporary.directories.intersection(_start(each, root, home) for each in wide)
        self._project = root
        self._kept = tuple(kept for start in starts for kept in temporary.exceptions_in(start))

    def holds(self, path: str, running: SelfRunning) -> bool:
        """Whether a path surely may be written; false for one that only bash can know."""
        if ANY in path or MANY in path:
            return False
        if (middle := _WITHIN.match(path)) is not None:  # a link there may lead out
            within = self._machine.now(middle[0], named=True)
            rest = path[middle.end() :]
            if within is None or not all(self.holds(each + rest, running) for each in within):
                return False
            if within and MARKS.isdisjoint(rest):  # each that is there was looked at
                return True
        if path[-1:] == SOME and (there := self._machine.now(path, named=True)) is not None:
            return all(self.holds(each, running) for each in (path.rpartition("/")[0] or "/", *there))
        return not self.runs(path, running) and self._over(path).surely_matches(path)

    def _over(self, path: str) -> Patterns:
        """The patterns that a path is matched with: without those of temporary places where it is in none."""
        kept = any(is_below(path, each) for each in self._kept) and not is_below(path, self._project)
        return self._named if kept else self._all

    def holds_found(self, place: Place, below: Below, running: SelfRunning) -> bool:
        """Whether all that a search hands on may be written.

        Args:
            place: what it hands on.
            below: tells what that is.
            running: what runs by itself.
        """
        path, name = place.path, place.found or ""
        if not (self.holds(path, running) and self._over(path).all_below(path)):
            return False
        if any(is_below(each, path) for each in self._kept):
            return False
        if name.strip(SOME) and running.matches(f"{path}/{name}"):
            return False
        named = self_running_paths() if is_below(self._project, path) else ()
        if not name.strip(SOME + ONE):
            named = tuple(each for each in named if each.startswith(".git/"))
        removes = place.how == "delete"

        def bars(each: str) -> bool:
            return not self._all.matches(each) or (not (removes and CACHE in each) and self.runs(each, running))

        return not below.finds(place, bars, named, alike=(self, running, removes))

    def runs(self, path: str, running: SelfRunning) -> bool:
        """Whether a path runs by itself, and no pattern names it."""
        if not running.matches(path) or self._explicit.matches(path):
            return False
        named = any(running.guided.matches(start) and each.matches(path) for start, each in self._wide)
        return not named or running.always.matches(path)


def _start(pattern: str, root: str, home: str) -> str:
    """The directory that a pattern begins with, before what may be any name."""
    fixed, star, _ = absolute(pattern, root, home).partition("*")
    return (fixed.rpartition("/")[0] if star else fixed).rstrip("/") or "/"


def is_no_project(root: str, home: str) -> bool:
    """Whether a root is no project but the home, a directory above it, or one of the system."""
    return root in {"/", home, *above(home), *SYSTEM_DIRECTORIES}


DIRECTORIES = frozenset({"directory", "mount", None})
"""What is a directory, or may be one."""

_BLOCK = pattern(
    r"/dev/(?:(?:[hsv]d|xvd)[a-z]|(?:nvme|mmcblk|r?disk|loop|md|dm-|nbd|ram|sr|zd|zram|pmem)\d|mapper/(?!control)|disk/"
    r"|(?:bcache|drbd|rbd)\d|zvol/)"
)
"""Names of block devices (Linux, Documentation/admin-guide/devices.txt; macOS: `diskN`)."""

_UNSAID = frozenset({SOME, ONE, ".", "*", "?"})  # git has patterns of its own


class Floor:
    """What nobody wants to lose, on this machine and in this project.

    Args:
        root: the project root, a real path.
        machine: this machine.
    """

    def __init__(self, root: str, machine: Machine) -> None:
        home = machine.home
        self._home, self._root, self._machine = home, root, machine
        self._all = frozenset({"/", home, root, *SYSTEM_DIRECTORIES, *above(root), *above(home)})
        self._system = SYSTEM_DIRECTORIES | {"/"}
        self._in_home = root != home  # the project wins over the home

    @cached_property
    def _glob_patterns(self) -> Patterns:
        return Patterns(["/*", "/home/*", "/**/.git", *sorted(self._all)], self._root, self._home)

    def loses(self, place: Place, below: Below) -> bool:
        """Whether what happens at a place would lose some of it."""
        if place.how == "write":
            return _BLOCK.match(place.path) is not None or self._is_overwritten(place)
        if place.how not in {"delete", "move"}:
            return False
        if place.found is not None:
            return self._is_found(place, below)
        return self._is_removed(place.path, deep=place.tree.deep)

    def _is_found(self, place: Place, below: Below) -> bool:
        """Whether a search hands on some of it, or all that is below it."""
        if (place.found or "").strip(SOME + ONE + ".") in {"", "git"} and self._is(place.path):
            return True
        named = [f"{place.path}/.git"] if (place.found or "").strip(SOME + ONE) else []
        lost = sorted(each for each in self._all if is_below(each, place.path))
        return any(below.hands(place, each) for each in named + lost)

    def _is_overwritten(self, place: Place) -> bool:
        """Whether a whole directory of the system is written over; a move is of one file, or takes a new name."""
        deep = place.tree.deep and (place.by is None or place.by.name != "mv")
        return deep and (place.path in self._system or self._is_block(place.path))

    def _is_removed(self, path: str, *, deep: bool) -> bool:
        """Whether removing a path loses some of it; `deep` removes all that is below the path, too."""
        directory, _, name = path.rstrip("/").rpartition("/")
        if self._is_block(path) or name == ".git":
            return True
        if name and _UNSAID.issuperset(name) and MARKS.isdisjoint(directory) and self._is(directory or "/"):
            return True
        if not deep:
            return False
        if MARKS.isdisjoint(path):
            return self._is(path)
        return ANY in path or MANY in path or self._glob_patterns.matches(path) or self._may_be_of_home(directory, name)

    def _is_block(self, path: str) -> bool:
        """Whether a path is a block device."""
        return path.startswith("/dev/") and (
            _BLOCK.match(path) is not None or (MARKS.isdisjoint(path) and self._machine.kind(path) == "block")
        )

    def _is(self, path: str) -> bool:
        """Whether a path without marks is one of the directories that nobody wants to lose."""
        path = path.rstrip("/") or "/"
        directory = path.rpartition("/")[0]
        if path in self._all or directory in HOMES or path.count("/") == 1 or path.endswith("/.git"):
            return True
        kind = self._machine.kind(path)
        return kind == "mount" or (self._in_home and directory == self._home and kind in DIRECTORIES)

    def _may_be_of_home(self, directory: str, name: str) -> bool:
        """Whether a pattern may be for a directory in the home."""
        if not self._in_home or directory != self._home:
            return False
        there = self._machine.below(self._home, 1)
        return there is None or any(
            overlap(name, path.rpartition("/")[2]) and self._machine.kind(path) in DIRECTORIES for path in there
        )


GUIDES = 100
"""Units of work for a look at what the configuration of the project's repository names."""


class Files(NamedTuple):
    """What `[files]` says, in each layer of the configuration that has it.

    Attributes:
        write: where known writers may write, if all layers agree; empty if no layer says it.
        secret: files that are a question when read or written; one layer is enough.
        deny: files that no command may touch; one layer is enough.
        beside: directories where commands may run besides the project.
        undo: what is kept of the project before a call; None for nothing.
    """

    write: tuple[tuple[str, ...], ...] = ()
    secret: tuple[tuple[str, ...], ...] = (SECRET,)
    deny: tuple[tuple[str, ...], ...] = ()
    beside: tuple[str, ...] = ()
    undo: Undo | None = None


class _Around(NamedTuple):
    """What is known around the places of a request: what is put elsewhere, found below, or runs by itself."""

    moved: Relocations
    below: Below
    running: SelfRunning


EVERYWHERE = ("/**",)
"""Patterns for every file; of those that run by themselves, they name none."""

LOOKED_AT = frozenset({"look", "enter"})
"""Roles of what a command only looks at, or goes to."""


class FileRules:
    """What is said of files, on this machine and in this project.

    Args:
        files: what a person says of them.
        root: the project root.
        machine: this machine.
    """

    def __init__(self, files: Files, root: str, machine: Machine) -> None:
        self.files, self.root, self.machine = files, machine.resolve(root), machine
        home = machine.home
        self.denied = [Patterns(each, self.root, home) for each in files.deny if each]
        self.secrets = Secrets(files.secret, self.root, machine)
        self._running = running = Patterns((*SELF_RUNNING, *self._looked_up()), self.root, home)
        self._unguided = SelfRunning(running, NO_PATTERNS)
        self._zones = tuple(each for each in ZONES if self.denied or each.says not in OF_DENIED)
        self.temporary = Temporary(self.root, machine)
        self.write = [Writable(each, running, self.root, machine, self.temporary) for each in files.write]
        self.floor = Floor(self.root, machine)
        runs = [each.removesuffix("/**").replace("~", home, 1) for each in SELF_RUNNING if each[:2] == "~/"]
        named = (each.rstrip("/") for each in machine.variables.get("PATH", "").split(":"))
        runs += [each for each in named if is_below(each, home) and not is_below(each, self.root)]
        self._homely = [(each, 1) for each in runs]
        self._for_tools: FileRules | None = None
        self._beside = [machine.resolve(absolute(each, self.root, home)) for each in files.beside]

    @property
    def for_tools(self) -> FileRules:
        """What is said of files to an agent's own tools: where nobody says where to write, only what runs by itself."""
        if self.write:
            return self
        if self._for_tools is None:
            self._for_tools = FileRules(self.files._replace(write=(EVERYWHERE,)), self.root, self.machine)
        return self._for_tools

    def _looked_up(self) -> list[str]:
        """What is in the directories below the project in which programs are looked up (`PATH`)."""
        named = filter(None, self.machine.variables.get("PATH", "").split(":") if self.files.write else ())
        found = dict.fromkeys(self.machine.resolve(each) for each in named if each[0] == "/")
        return [f"{each}/*" for each in found if each != self.root and is_below(each, self.root)]

    def _runs(self, places: Iterable[Place], budget: Budget) -> SelfRunning:
        """What runs by itself, for a request that reaches these places.

        What git is told to start or to obey in its configuration counts as its hooks do, wherever in the project it is;
        so does that to which what runs by itself in the home, and what is on `PATH` there, leads by a link.
        """
        guided: Iterable[str] = ()
        changes = (each for each in places if each.how in OF_CHANGES)
        if self.write and any(is_below(head_of(each.path) or self.root, self.root) for each in changes):
            budget.spend(GUIDES)
            around = (f"{each.rstrip('/')}/.git" for each in (self.root, *above(self.root)))
            repository = next((each for each in around if self.machine.kind(each) != ""), None)
            found, _ = self.machine.guides(repository) if repository is not None else ((), False)
            led = {path for each in found for path in (each, self.machine.resolve(each))}
            led.update(path for _, way in self.machine.leads(self._homely) or () for path in way)
            guided = [
                name
                for each in sorted(led)
                if is_below(each, self.root) and each != self.root
                for name in (each, f"{each}/**")
            ]
        return SelfRunning(self._running, Patterns(guided, self.root, self.machine.home)) if guided else self._unguided

    def is_beside(self, path: str) -> bool:
        """Whether a real path is where commands may run besides the project."""
        return any(is_below(path, each) for each in self._beside)

    def runs(self, path: str) -> bool:
        """Whether a real path runs by itself, or says what does."""
        return self._running.matches(path)

    def may_write(self, path: str) -> bool:
        """Whether known writers may write a real path."""
        return bool(self.write) and all(each.holds(path, self._unguided) for each in self.write)

    def findings(
        self, places: Sequence[Place], reading: Reading, budget: Budget, below: Below | None = None
    ) -> Iterator[Finding]:
        """What is to be said of a request that reaches these places; `below` tells what searches find there."""
        below = below or Below(self.machine, budget)
        moved = Relocations(places, reading, self.machine, budget)
        around = _Around(moved, below, self._runs(places, budget))
        arrivals = self.arrivals(places, below, budget)
        for place in places:
            budget.spend(16 + len(place.path) // 8)
            yield from self._zone_findings(place, around)
            yield from self._link_findings(place, around)
            for path in moved.former_targets(place):
                yield from self._zone_findings(place._replace(path=path, sought=None, brought=()), around)
            if place.brought and self.write:
                yield from self._copy_findings(place, arrivals, around.running)
        for span in SecretVariables(reading, self.machine.hides, budget).disclosures():
            yield Finding("secret", "this shows the environment, or what else may hold secrets", span)

    def commands_of_unknown_paths(self, places: Iterable[Place]) -> Iterator[Command]:
        """The commands that may read or write files of which only bash can know where they are."""
        for place in places:
            if place.by is not None and (self._is_astray(place) or self._is_unpacked(place)):
                yield place.by

    def _link_findings(self, place: Place, around: _Around) -> Iterator[Finding]:
        """What is to be said of where links lead below a place, if what happens there follows them."""
        if place.tree.follows and place.how not in LOOKED_AT and MARKS.isdisjoint(place.path):
            led = around.below.link_targets(place.path)
            if led is None:
                message = f"{shown_of(place.path)} holds more than can be looked through for links that are followed"
                yield Finding("secret", message, place.span)
            for each in led or ():
                yield from self._zone_findings(place._replace(path=each, sought=None, brought=()), around)

    def arrivals(self, places: Sequence[Place], below: Below, budget: Budget) -> Arrivals:
        """Where what a request copies arrives."""
        return Arrivals(places, self.root, self.machine, below, self.temporary, budget)

    def _copy_findings(self, place: Place, arrivals: Arrivals, running: SelfRunning) -> Iterator[Finding]:
        """What is to be said of the names that come to a place with what is copied there."""
        path = arrivals.first(place, lambda each: any(not layer.holds(each, running) for layer in self.write))
        if path is None:
            message = (
                f"this changes {shown_of(place.shape)} by files that cannot be looked through; some of them may run by "
                "themselves there"
            )
            yield Finding("outside", message, place.span)
        elif path:
            message = f"this writes {shown_of(path)}, which is outside of what files.write names"
            yield Finding("outside", message, place.span)

    def _zone_findings(self, place: Place, around: _Around) -> Iterator[Finding]:
        """What the zones say of one place."""
        shape = place.shape
        by = place.by
        moves = by is not None and by.program is not None and "moves" in by.traits and bool(by.program.kinds)
        if shape in FREE and not (moves and place.how in {"delete", "move", "write"}):
            return  # `mv x /dev/null` of root's puts a file there, and an archiver (`tar -cf /dev/null`) does not
        looked_at = place.how in LOOKED_AT
        for zone in self._zones:
            if message := "" if looked_at and not zone.looks else zone.says(self, place, around):
                yield Finding(zone.code, message.format(shown_of(shape)), place.span, zone.verdict)

    def _is_denied(self, path: str) -> bool:
        """Whether a path is, or may be, one that no command may touch."""
        return any(each.matches(path) for each in self.denied)

    def _is_surely_denied(self, place: Place, below: Below) -> bool:
        """Whether a place that may be denied surely is: by its name, by where it is, or by what is there now."""
        shape, path = place.shape, place.path
        if MARKS.isdisjoint(shape):
            return True
        start = path if place.found is not None and MARKS.isdisjoint(path) else head_of(shape).rpartition("/")[0]
        if start and any(each.all_below(start) for each in self.denied):
            return True
        if place.found is None:
            return any(map(self._is_denied, self.machine.now(shape, named=True) or ()))
        if not place.found or not MARKS.isdisjoint(path):
            return False
        if MARKS.isdisjoint(place.found):
            return self._is_denied(f"{path}/{place.found}")
        return below.finds(place, self._is_denied) is True

    def _is_astray(self, place: Place) -> bool:
        """Whether a path is read that only bash can know, and that does not begin with a directory of the project."""
        path = place.path
        if place.how not in {"read", ""} or (ANY not in path and MANY not in path):
            return False
        return not is_below(head_of(path).rpartition("/")[0] or "/", self.root)

    def _is_unpacked(self, place: Place) -> bool:
        """Whether files are written in the project whose names are not in the text: a hook may be among them."""
        if not place.tree.unpacks or place.how != "write" or self.machine.kind(place.path) == "file":
            return False
        return not MARKS.isdisjoint(place.path) or is_below(place.path, self.root) or is_below(self.root, place.path)

    def _is_outside(self, place: Place, around: _Around) -> bool:
        """Whether a place is written although `[files] write` does not allow it."""
        path = place.path
        if place.how == "repository":
            return not (is_below(path, self.root) or all(each.holds(path, around.running) for each in self.write))
        if place.how not in OF_CHANGES:
            return False
        if around.moved.may_lead_elsewhere(place):
            return True
        if place.found is None:
            return not all(each.holds(path, around.running) for each in self.write)
        return not all(each.holds_found(place, around.below, around.running) for each in self.write)

    # What each zone says of a place, with `{}` for its path; empty where that is nothing

    def forbidden(self, place: Place, around: _Around) -> str:
        """What to say of a path that surely nobody may touch."""
        denied = self.denied and self._is_denied(place.shape) and self._is_surely_denied(place, around.below)
        return "{} may not be touched" if denied else ""

    def may_be_forbidden(self, place: Place, around: _Around) -> str:
        """What to say of a path that may be such a one, or not."""
        unsure = self.denied and self._is_denied(place.shape) and not self._is_surely_denied(place, around.below)
        return "asimi cannot know which files {} names, and some may not be touched" if unsure else ""

    def secret(self, place: Place, around: _Around) -> str:
        """What to say of a path that holds a secret, or may."""
        return self.secrets.message(place, around.below)

    def outside(self, place: Place, around: _Around) -> str:
        """What to say of a change where `[files] write` does not allow it."""
        if not self.write:
            return ""
        if self._is_outside(place, around):
            if self.files.write == (EVERYWHERE,):
                return "this changes {}, which runs by itself or says what does"
            return "this changes {}, which is outside of what files.write names"
        if self.machine.untrusted_host and (place.how in OF_CHANGES or place.how == "repository"):
            return f"this writes {{}}, and where that is, {HOST_NOT_TRUSTED.format(self.machine.untrusted_host)}"
        return ""

    def loss(self, place: Place, around: _Around) -> str:
        """What to say of a loss that nobody wants."""
        if not self.floor.loses(place, around.below):
            return ""
        return "this overwrites {}" if place.how == "write" else "this removes {}"


class Zone(NamedTuple):
    """One kind of path, and what to say when a command reaches it.

    Attributes:
        code: the code of the reason.
        what: what the paths are, in words; empty where no question is about them as such.
        voice: the least whose yes answers it.
        says: the message for a place, with `{}` for its path; empty for a place outside the zone.
        verdict: ASK or DENY.
        looks: whether it counts even if a command only looks at what is there, or enters it.
    """

    code: str
    what: str
    voice: Assurance
    says: Callable[[FileRules, Place, _Around], str]
    verdict: Verdict = Verdict.ASK
    looks: bool = False


ZONES = (
    Zone("denied_by_rule", "", Assurance.TERMINAL, FileRules.forbidden, Verdict.DENY, looks=True),
    Zone("secret", "what may hold a secret", Assurance.ASKED, FileRules.may_be_forbidden, looks=True),
    Zone("secret", "what may hold a secret", Assurance.ASKED, FileRules.secret),
    Zone("outside", "what is written elsewhere", Assurance.ASKED, FileRules.outside),
    Zone("floor", "what nobody wants to lose", Assurance.TERMINAL, FileRules.loss),
)
"""All zones. Who may answer, what is kept of an answer and the words of a dialog follow from the codes in them."""

OF_DENIED = frozenset({FileRules.forbidden, FileRules.may_be_forbidden})
"""What says nothing where no file is denied."""

ASKED = {zone.code: zone for zone in ZONES if zone.verdict is Verdict.ASK}
"""The zones that are asked about, each time, whatever a whole tool is allowed; by their codes."""


def shown_of(shape: str) -> str:
    """A shape as people read it."""
    return shape.translate(_SHOWN)


_SHOWN = str.maketrans(dict.fromkeys((ANY, MANY, *WHOLE), "…") | {SOME: "*", ONE: "?"})
