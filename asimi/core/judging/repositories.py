"""In which repository a command works, and what is a branch there.

The configuration of a repository decides which programs git starts: `core.fsmonitor`, filters, pagers and hooks make
of `git status` whatever a repository's author wants (git-config(1)). The project's own repository is the person's; one
that lies somewhere below it (unpacked, cloned, a bare one among the test data) or elsewhere is not.
"""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import above, is_below
from asimi.core.judging.paths import work_at
from asimi.core.pattern import pattern
from asimi.core.reading.account import READ
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from asimi.core.judging.machine import Machine
    from asimi.core.judging.paths import Paths
    from asimi.core.judging.places import Place
    from asimi.core.reading import Command, Reading

KEEP = frozenset({"add", "checkout", "commit", "restore", "stash", "switch"})
"""Subcommands of git that leave to each branch its name, whatever else they do."""

LOOK = 16
"""Units of work for a look at the branches of a repository."""

OBEYS: Mapping[str, Mapping[str, str]] = {
    "hg": {".hg": ""},
    "jj": {".jj": "directory", ".jj/repo": "directory", ".jj/repo/config.toml": "", ".jj/workspace-config.toml": ""},
}
"""What programs besides git look for and obey, with the kind of file that starts nothing (hg, jj help config).

To git these names are like any other, so a clone may have brought them where a `.git` is beside or above.
"""

MAKE = frozenset({"HEAD", "commondir", "objects", "refs", ".git", ".hg", ".jj"})
"""Names by which a directory becomes a repository."""


def made_by(places: Iterable[Place]) -> list[str]:
    """The paths at which a text may make a repository: by its parts, or by what puts more than a file there."""
    return [each.path for each in places if each.how == "write" and _may_make(each)]


def _may_make(place: Place) -> bool:
    """Whether what is written at a place may be a repository; of git's subcommands, two make one."""
    if place.by is not None and "bound" in place.by.traits:
        return not {"clone", "init"}.isdisjoint(place.by.literals)
    path, tree = place.path, place.tree
    return tree.deep or tree.links or path.rpartition("/")[2] in MAKE or not MARKS.isdisjoint(path)


def is_foreign(command: Command, paths: Paths, machine: Machine, root: str, written: Collection[str] = ()) -> bool:
    """Whether a command may work in another repository than the project's, or in one that its text makes.

    Args:
        command: the command.
        paths: where its words lead.
        machine: this machine.
        root: the project root, a real path.
        written: paths that the text writes.
    """
    if "bound" not in command.traits:
        return False
    own = machine.repository(root)
    if own == root and machine.kind(f"{root}/HEAD"):  # a bare one, which whoever writes in the project can make
        own = None
    settled = own is not None and (is_below(own, f"{root}/.git") or machine.kind(f"{root}/.git") == "file")
    directories, repositories = _places(command, paths)
    return any(each is None or not _is_own(each, own, machine) for each in repositories) or any(
        each is None
        or (not (settled and each == root) and _is_foreign(each, own, machine))
        or _is_brought(each, command, machine)
        or _is_made(each, written, root if settled else None)
        for each in directories
    )


def work_of(command: Command, paths: Paths, machine: Machine) -> tuple[str, str] | None:
    """The repository in which git works, and its work tree; None where that is not known, or is in the repository.

    A directory in which there is none, where git fails, counts for nothing.
    """
    directories, repositories = _places(command, paths)
    works = {None if each is None else work_at(each, machine) for each in directories} - {("", "")}
    return next(iter(works)) if len(works) == 1 and not repositories else None


def with_branches(reading: Reading, paths: Paths) -> Reading:
    """A reading that says of each `git checkout NAME` whether that is a branch, and no file that loses its changes.

    The look is at what is there now, so it counts only where no command of the same text may have changed it.
    """
    found = [(command, name) for command in reading.commands if (name := _checkout_target(command)) is not None]
    if not found:
        return reading
    from asimi.core.judging.recovery import runs_again

    straight = reading.script is not None and not (
        reading.script.background or runs_again(reading.script.text, reading)
    )
    renaming = [command.span[0] for command in reading.commands if _may_rename(command)]
    seen = {}
    for command, name in found:
        paths.budget.spend(LOOK)
        directories = _places(command, paths)[0]
        kept = not any(start <= command.span[0] or not straight for start in renaming)
        branch = kept and all(each is not None and paths.machine.branch(each, name) for each in directories)
        seen[command] = command.seen._replace(branch=branch)
    return reading.with_look(seen)


def with_unmodified(reading: Reading, paths: Paths) -> Reading:
    """A reading that says of each `git restore FILE` whether it changes nothing, because git has the file as it is.

    The look is at what is there now, so it counts only where nothing else in the text writes.
    """
    found = [(command, names) for command in reading.commands if (names := _restored_files(command))]
    if not found:
        return reading
    others = [each for each in reading.commands if not any(each is command for command, _ in found)]
    if any(writes for _, _, writes in reading.targets) or not all(_only_reads(each) for each in others):
        return reading
    seen = {}
    for command, names in found:
        paths.budget.spend(LOOK * len(names))
        directories = [paths.real(each) if each is not None else "" for each in _places(command, paths)[0]]
        files = [f"{each}/{name}" for each in directories for name in names]
        real = [f"{paths.real(each.rpartition('/')[0])}/{each.rpartition('/')[2]}" for each in files]
        if len(directories) == 1 and directories[0] and all(map(paths.machine.unmodified, real)):
            seen[command] = command.seen._replace(unmodified=True)
    return reading.with_look(seen)


def _only_reads(command: Command) -> bool:
    does = command.effects
    return command.possible or (does is not None and does <= READ)


_FILE = pattern(r"(?!-)(?:[\w@+-][\w.@+-]*/)*[\w.@+-]*[\w@+-]", ASCII)
"""A path below the directory that git runs in, and no pathspec with a meaning of its own."""


def _restored_files(command: Command) -> list[str]:
    """The files that `git restore FILE…` or `git checkout -- FILE…` restores; none where it may do something else."""
    if "repository" not in command.traits or None in command.literals or len(command.levels) != 2:
        return []
    program, last = command.levels
    words = [each or "" for each in command.literals[last.start :]]
    behind = words[words.index("--") + 1 :] if "--" in words else words
    before = {*words[: len(words) - len(behind)]} - {"-q", "--quiet", "--"}
    named = last.row.name == "restore" or (last.row.name == "checkout" and "--" in words)
    plain = named and last.sure and not program.arguments and not before and all(map(_FILE.fullmatch, behind))
    return behind if plain else []


def _checkout_target(command: Command) -> str | None:
    """What `git checkout` is given, if that is one word and nothing else could be a file or change what it does."""
    if "repository" not in command.traits or None in command.literals:
        return None
    last = command.levels[-1]
    words = [each for each in command.literals[last.start :] if each not in {"-q", "--quiet"}]
    return words[0] if last.sure and last.row.name == "checkout" and len(words) == 1 else None


def _may_rename(command: Command) -> bool:
    """Whether a command may make something else of a branch's name, as `git branch -m` does."""
    if "repository" not in command.traits:
        return False  # what changes `.git` itself is a question of its own
    if len(command.levels) > 1 and command.levels[1].row.name in KEEP:
        return False
    does = command.effects
    return does is None or not does <= READ


def _places(command: Command, paths: Paths) -> tuple[set[str | None], set[str | None]]:
    """The directories in which it may look for a repository, and the repositories that it names itself.

    Of git, each `-C` is from where the one before led to, and `--git-dir` and `--work-tree` are from where all of them
    led to; `--bare` takes the directory that git is in when it reads it (git(1)). None is among them where one is not
    known.
    """
    entered = sorted(touch for touch in command.account.touches if touch.how == "enter")
    options = {
        each.value_at: each.names[0]
        for level in command.levels[:1]
        for each in level.arguments
        if each.names and "repository" in command.traits
    }
    own = command.via == "git"  # a submodule's settings are the repository's own (gitsubmodules(7))
    at = frozenset(each for each in paths.at(command) if not own or each is None or MARKS.isdisjoint(each))
    bare = set(at) if "--bare" in command.literals else set()
    for touch in entered:
        if options.get(touch.word) == "-C":
            at = frozenset(paths.leads(command, touch.word, touch.start, bases=at))
            bare |= at if bare else set()
    named: dict[bool, set[str | None]] = {True: set(), False: set()}
    for touch in entered:
        if options.get(touch.word) not in {"-C", "--work-tree"}:
            led = paths.leads(command, touch.word, touch.start, bases=at)
            named[options.get(touch.word) == "--git-dir"].update(led)
    repositories, directories = _known_paths(named[True] | bare), _known_paths(named[False])
    return directories or (set() if repositories else _known_paths(at)), repositories


def _known_paths(led: Collection[str | None]) -> set[str | None]:
    return {path if path is not None and MARKS.isdisjoint(path) else None for path in led}


def _is_own(path: str, own: str | None, machine: Machine) -> bool:
    """Whether a path is the project's repository, is in it, or is a `.git` that points there, which is protected."""
    if own is None or not (is_below(path, own) or path.rpartition("/")[2] == ".git"):
        return False
    found = machine.repository(path) if machine.kind(path) == "file" else path
    return found is not None and is_below(found, own)


def _is_foreign(directory: str, own: str | None, machine: Machine) -> bool:
    found = machine.repository(directory)
    return found is not None and (own is None or not is_below(found, own))


def _is_brought(directory: str, command: Command, machine: Machine) -> bool:
    """Whether a clone may have brought the repository that a program other than git obeys in a directory."""
    obeyed = OBEYS.get(command.program.name, {}) if command.program is not None else {}
    ways = [each.rstrip("/") for each in (directory, *above(directory))] if obeyed else []
    for number, at in enumerate(ways):
        if machine.kind(f"{at}/{next(iter(obeyed))}") != "":
            cloned = any(machine.kind(f"{each}/.git") != "" for each in ways[number:])
            return cloned and any(machine.kind(f"{at}/{each}") not in {"", kind} for each, kind in obeyed.items())
    return False


def _is_made(directory: str, written: Collection[str], settled: str | None) -> bool:
    """Whether the text may put a repository where a directory is, or between it and the project.

    Args:
        directory: the directory.
        written: paths that the text writes.
        settled: the project root where it has a `.git`, which comes before anything else there; else None.
    """
    if directory == settled:
        return False
    for path in written:
        above, _, name = path.rpartition("/")
        if is_below(directory, path) or (is_below(path, directory) and (name in MAKE or not MARKS.isdisjoint(path))):
            return True
        if name in MAKE and above != settled and is_below(directory, above or "/"):
            return True
    return False
