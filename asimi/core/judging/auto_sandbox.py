"""The sandbox in which runs without a question what nothing lists (`unlisted = "sandbox"`).

It hides what may be a secret and what no command may touch. In the directories that can be written it protects what
runs by itself, agents' files and asimi's own. Both are looked up when a command is judged; a name that is not there yet
is held in the project's own directory, so that it cannot be made.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.call import Sandbox, Verdict, above, is_below
from asimi.core.judging.agents import FILES
from asimi.core.judging.known import SELF_RUNNING
from asimi.core.judging.matching import begins
from asimi.core.judging.patterns import DEEP, Patterns, absolute, overlap
from asimi.core.judging.rules import Rule
from asimi.core.judging.zones import is_no_project
from asimi.core.programs import find, plain
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.judging.guard import Guard
    from asimi.core.kinds import Network
    from asimi.core.reading import Command

    Through = Callable[[str, int, Callable[[str, str], bool]], None]

NEVER = frozenset({"delete", "publish", "system"})
"""Effects that are asked about although a sandbox would hold the command."""

READS = ("read",)
WRITES = ("read", "write")
READING = Rule(Verdict.ALLOW, None, (), "", effects=READS)
KEEPING = (
    READING,
    Rule(
        Verdict.ALLOW,
        None,
        (("git",), tuple("add commit branch switch checkout stash tag restore mv rm".split())),
        "",
        effects=WRITES,
    ),
)
"""What they may: read, and git that loses nothing, as the preset `developer` has it.

But no `git worktree add`: a process that an earlier call left could lead what it writes into `.git`.
"""

STAYING = (READING, Rule(Verdict.ALLOW, None, (("git",), ("add", "branch", "commit", "tag")), "", effects=WRITES))
"""What of it writes nothing outside of `.git`."""

OF_GIT = ("hooks", "config", "config.worktree", "modules")
"""What is protected in `.git` from git itself: what says which programs run."""

OWN = (".asimi", ".git")
"""Directories in a project that are protected as a whole, there or not."""

NEVER_MISSING = frozenset({"site-packages"})
"""Names that mean nothing in the project's own directory, so nobody would make them there."""

PACKAGES = frozenset({"node_modules", "site-packages"})
"""Directories of what others have published."""

OTHERS = frozenset({".git", *PACKAGES})
"""Directories that are not looked through for secrets: git's own, and these."""

LEVELS, LEVELS_HOME = 64, 3
"""Levels of directories that are looked through for names: in what can be written, and in the home."""

LEVELS_LINKS = 2
"""Levels below what runs by itself in which links are looked for."""

MOST = 400
"""Paths that are hidden and protected; each takes a mount, and most a descriptor."""

SYSTEMS = ("/dev", "/proc")
"""Directories of which the sandbox has its own."""


class Around(NamedTuple):
    """What matters on this machine to a sandbox that may write in some directories.

    Attributes:
        hidden: what may be a secret, or must not be touched.
        protected: what runs by itself, agents' files and asimi's own, below these directories; what is missing
            directly in them as well.
        starts: whether git starts programs by itself there.
    """

    hidden: set[str]
    protected: set[str]
    starts: bool


class AutoSandbox:
    """Makes the sandbox.

    Args:
        guard: tells what is said of files, what is asimi's own, and what this machine has; with rules of files.
        network: what it leaves of the network: `none`, or `named`.
    """

    def __init__(self, guard: Guard, network: Network = "none") -> None:
        assert guard.files is not None  # of a configuration
        self._network: Network = network
        self._machine, self._root = guard.machine, guard.files.root
        home = self._home = self._machine.home
        self._own = guard.protection.own
        files = guard.files.files
        self._layers = [layer for layer in (*files.secret, *files.deny) if layer]
        self._secrets = [Patterns(layer, self._root, home) for layer in self._layers]
        named = self._machine.variables.get("PATH", "").split(":")
        self._looked_up = {self._machine.resolve(each) for each in named if each[:1] == "/"}
        self._runs = (*SELF_RUNNING, *(f"{each}/{DEEP}" for each in self._looked_up))
        self._running = Patterns(self._runs, self._root, home)
        names = [pattern for layer in self._layers for pattern in layer if pattern[:1] != "!"]
        self._name = re.compile("|".join(map(_as_name, {*names, *SELF_RUNNING})))

    def sandbox(self, own: Sandbox, commands: Sequence[Command], budget: Budget, *, writes: bool) -> Sandbox | str:
        """The sandbox for some commands, or why there is none, in words; what only reads gets nowhere to write.

        Args:
            own: the sandbox that holds them anyway, or would.
            commands: what the text starts.
            budget: what the look at them is paid from.
            writes: whether a redirection writes.
        """
        tops = [self._machine.resolve(absolute(each, self._root, self._home)) for each in own.writable]
        for path in (*self._own, self._home):
            if any(is_below(path, top) for top in tops):
                return f"{path} is in a directory that it may write"
        if is_no_project(self._root, self._home):
            return "the project root is no project"
        reads = not writes and all(begins(READING, each, budget) for each in commands)
        if own.mode == "read-only" or reads:
            tops = []
        around = self.around(tops)
        if isinstance(around, str):
            return around
        hidden, protected, starts = around
        protected = {each for each in protected if protected.isdisjoint(above(each))}
        repository, alone = None, False
        if tops and _is_git(commands, budget) and not writes:
            works = {each.seen.works for each in commands if "repository" in each.traits}
            repository = next(iter(works)) if len(works) == 1 else None
            alone = not all(any(begins(rule, each, budget) for rule in STAYING) for each in commands)
            if repository is None:
                return "git would work in more than one repository, or in one that asimi does not know"
            if alone and any(map(self._machine.inhabited, tops)):
                return "git would write files while something of an earlier call could lead them into its directory"
            if starts:
                return "git would start a hook or a filter, or enter a submodule that is gone, with its directory open"
            inside = [each for each in sorted(hidden) if is_below(each, self._root)]
            emptied = [each for each in inside if self._machine.kind(each) in {"directory", "mount", None}]
            if emptied:
                return f"git would take for deleted what is hidden in {emptied[0]}"
            protected = {each for path in protected for each in _parts_of(path, repository[0])}
        if linked := next((each for each in sorted(protected) if self._leads_away(each, tops)), ""):
            return f"{linked} is reached by a symbolic link, which a command could replace"
        if len(hidden) + len(protected) > MOST:
            return "there are more secrets, or files that run by themselves, than it can hold"
        return own.at_least("project")._replace(
            writable=own.writable if tops else (),
            network=self._network,
            sockets=False,
            backend="bubblewrap",
            hidden=(*own.hidden, *sorted(hidden)),
            protected=(*own.protected, *sorted(protected)),
            bounded=True,
            repository=repository or (),
            alone=alone,
        )

    def around(self, tops: Sequence[str], through: Through | None = None) -> Around | str:
        """What a sandbox hides and protects that may write in some directories, or why that is not known, in words.

        Args:
            tops: the directories, real paths.
            through: looks through them in place of this machine's walk, however much there is; then directories of
                git's are left to whoever holds their parts, and what a link of all of them leads to is as well.
        """
        hidden, protected = set[str](), set[str]()
        if not self._look(tops, hidden, protected, through):
            return "there is more than can be looked through for secrets, or a directory that cannot be"
        hidden = {real for path in hidden if self._machine.kind(real := self._machine.resolve(path)) != ""}
        if any(is_below(top, path) for path in hidden for top in (self._root, *tops)):
            return "the project is in a directory of secrets"
        for top in tops:
            protected |= self._paths_to_protect(top)
        git = [each for each in protected if through is not None and each.endswith("/.git")]
        led = self._link_targets(tops, protected.difference(git))
        if led is None:
            return "there are more links than can be looked through in what runs by itself"
        if whole := [top for top in tops if any(is_below(top, each) for each in led)]:
            if through is None:
                return f"something that runs by itself leads to {whole[0]}"
            led = {each for each in led if not any(is_below(top, each) for top in whole)}
        protected |= led
        return Around(hidden, protected, self._protect_git_guides(tops, protected))

    def _look(self, tops: Sequence[str], hidden: set[str], protected: set[str], through: Through | None) -> bool:
        """Find what is there now; says whether all was looked through."""
        directories = [*dict.fromkeys((self._root, *tops))]

        def take(path: str, name: str) -> bool:
            inside = any(is_below(path, top) for top in tops)
            if inside and name in _HEADS:
                protected.update(_of_agents(path))
            if self._name.fullmatch(name) is not None:
                if any(each.matches(path) for each in self._secrets) and not self._machine.holds_name(path):
                    hidden.add(path)
                    return True
                if inside and self._running.matches(path):
                    protected.add(path)
            return name in OTHERS or path in directories

        for layer, patterns in zip(self._layers, self._secrets, strict=True):
            for pattern in layer:
                if pattern[:1] == "!" or pattern.startswith(f"/{DEEP}/"):
                    continue
                there = self._expand_pattern(absolute(pattern, self._root, self._home))
                if there is None:
                    return False
                hidden.update(path for path in there if patterns.matches(path) and not self._machine.holds_name(path))
        for pattern in self._runs:
            fixed = absolute(pattern.removesuffix(f"/{DEEP}"), self._root, self._home)
            if "*" not in fixed and any(is_below(fixed, top) for top in tops):
                protected.add(fixed)
        if through is not None:
            through(self._home, LEVELS_HOME, take)
            for each in directories:
                through(each, LEVELS, take)
            return True
        walk = self._machine.walk
        return walk(self._home, LEVELS_HOME, take, False) and all(
            walk(each, LEVELS, take, True) for each in directories
        )

    def _expand_pattern(self, pattern: str) -> Collection[str] | None:
        """What a pattern of absolute paths names now; None where that is too much to look through."""
        found, parts = [""], pattern.strip("/").split("/")
        for index, part in enumerate(parts):
            if part == DEEP:
                if any(is_below(each, own) for each in found for own in SYSTEMS):
                    return ()
                return found if index == len(parts) - 1 else self._below(found, Patterns((pattern,), "/", "/"))
            if "*" in part:
                names = {each: self._machine.names(each or "/") or () for each in found}
                found = [f"{each}/{name}" for each in found for name in names[each] if overlap(name, part)]
            else:
                found = [f"{each}/{part}" for each in found]
            found = [each for each in found if self._machine.kind(each) != ""]
        return [each for each in found if not any(is_below(each, own) for own in SYSTEMS)]

    def _below(self, starts: Sequence[str], patterns: Patterns) -> Collection[str] | None:
        """What matches below some directories; None where that is too much to look through."""
        found = set[str]()

        def take(path: str, _name: str) -> bool:
            if patterns.matches(path):
                found.add(path)
            return path in found

        return found if all(self._machine.walk(each or "/", LEVELS, take, False) for each in starts) else None

    def _paths_to_protect(self, top: str) -> set[str]:
        """What is protected directly in a directory whether it is there or not."""
        names = [*OWN, *(pattern.removeprefix(f"/{DEEP}/") for pattern in SELF_RUNNING if pattern[:3] == f"/{DEEP}")]
        names = [name.removesuffix(f"/{DEEP}") for name in names]
        found = {f"{top}/{name}" for name in names if name not in NEVER_MISSING and "*" not in name}
        there = self._machine.names(top) or ()
        return found.union(f"{top}/{head}" for head in _HEADS if head not in there)

    def _link_targets(self, tops: Sequence[str], protected: Collection[str]) -> set[str] | None:
        """What is in writable directories and what runs by itself leads to, by links; None where that is not known."""
        starts = dict.fromkeys(protected, LEVELS_LINKS)
        for pattern in self._runs if tops else ():
            start = absolute(pattern.replace(f"/{DEEP}/", "~/", 1).removesuffix(f"/{DEEP}"), self._root, self._home)
            if "*" not in start:
                starts[start] = 1 if start in self._looked_up else LEVELS_LINKS
        found = set[str]()
        ways = self._machine.leads([*starts.items()])
        if ways is None or len(ways) != len(starts):
            return None
        for start, (real, led) in zip(starts, ways, strict=False):
            if start not in protected and start not in self._looked_up:
                found.update(top for top in tops if is_below(top, real))
            inside = [each for each in led if any(is_below(each, top) for top in tops)]
            if any(is_below(start, top) for top in tops):  # what packages bring can be written
                inside = [each for each in inside if PACKAGES.isdisjoint(each.split("/"))]
            found.update(inside)
        return found

    def _protect_git_guides(self, tops: Sequence[str], protected: set[str]) -> bool:
        """Protect what says which programs git starts, wherever it is; says whether it starts some by itself."""
        around = (self._root, *above(self._root)) if tops else ()
        found = {f"{each.rstrip('/')}/.git" for each in around} | {each for each in protected if each.endswith("/.git")}
        starting = False
        for repository in found:
            if self._machine.kind(repository) != "":
                paths, starts = self._machine.guides(repository)
                led = {*paths, *map(self._machine.resolve, paths)}
                protected.update(path for path in led if any(is_below(path, top) for top in tops))
                starting = starting or starts
        return starting

    def _leads_away(self, path: str, tops: Sequence[str]) -> bool:
        """Whether a path, or a directory on the way to it that can be written in, is a link."""
        top = min((each for each in tops if is_below(path, each)), key=len, default=path)
        at = top
        for name in path[len(top) :].strip("/").split("/"):
            at = f"{at}/{name}"
            if name and self._machine.links(at):
                return True
        return False


_HEADS = frozenset(head.partition("/")[0] for head in FILES if not head.startswith(".config"))
"""Names in a project of what holds agents' files, or is one."""


def _of_agents(path: str) -> Iterator[str]:
    """What is protected of agents' files, there or not, where one of their directories is, or one of the files."""
    directory, _, name = path.rpartition("/")
    for head, names in FILES.items():
        if head.partition("/")[0] == name:
            yield from (
                f"{directory}/{head}/{each}" if each else f"{directory}/{head}" for each in names.split() or [""]
            )


def _as_name(pattern: str) -> str:
    """The regular expression of the last name of a pattern."""
    name = pattern.removesuffix(f"/{DEEP}").rpartition("/")[2]
    return ".*".join(map(re.escape, name.split("*")))


def _is_git(commands: Sequence[Command], budget: Budget) -> bool:
    """Whether all that is started is git that loses nothing, and what only reads."""
    git = ["repository" in each.traits for each in commands]
    return any(git) and all(any(begins(rule, each, budget) for rule in KEEPING) for each in commands)


def _parts_of(path: str, repository: str) -> Sequence[str]:
    """What is protected in place of a directory of git where git itself is to write in it, for a repository there."""
    its = path.rpartition("/")[2] == ".git" and is_below(repository, path)
    return [f"{path}/{each}" for each in OF_GIT] if its else [path]


def is_answered(command: Command, budget: Budget) -> bool:
    """Whether a command may run in this sandbox without a question, for what it is known to do."""
    program = find(plain(command.name or "").partition("-")[0])  # of `git-push`, too
    if program is not None and "versions" in program.traits:  # these may only do what is listed here
        return any(begins(rule, command, budget) for rule in KEEPING)
    return NEVER.isdisjoint(command.effects or ())
