"""Whether code runs that is meant, and no file of the project in its place: a program's, or what a text names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.paths import LOOKS, goes, join_shape
from asimi.core.judging.recovery import HARMLESS
from asimi.core.reading.account import OF_CHANGES
from asimi.core.reading.checks import ACTIVATES, check_of
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from asimi.core.judging.machine import Machine
    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.commands import Inline


def with_unshadowed(reading: Reading, paths: Paths) -> Reading:
    """A reading that says of each command with a text in Python whether it imports Python's own modules only."""
    seen = {}
    for command in reading.commands:
        if command.inline is None or not command.inline.reads:
            continue
        unshadowed = command.inline.alone or _is_unshadowed(command, reading, paths)
        if command.inline.made:
            unshadowed = unshadowed and _is_as_written(command.inline, command, reading, paths)
        if command.inline.needs:
            unshadowed = _are_there(command.inline.needs, command, reading, paths)
        seen[command] = command.seen._replace(unshadowed=unshadowed)
    return reading.with_look(seen)


def _is_unshadowed(command: Command, reading: Reading, paths: Paths) -> bool:
    """Whether no directory that a command may run in has a module of such a name, or may get one by the same text."""
    if any(not other.possible and _may_move(other, command) for other in reading.commands):
        return False
    if "PYTHONPATH" in reading.variables:
        return False
    made = command.inline.made.rpartition("/")[0] or "." if command.inline is not None and command.inline.made else ""
    first = [made, *filter(None, paths.machine.variables.get("PYTHONPATH", "").split(":"))]
    directories = {
        None if at is None else paths.real(join_shape(at, each or ".")) for at in paths.at(command) for each in first
    }
    libraries = command.inline.libraries if command.inline is not None else ""
    if any(each is None or _has_module(each, paths, libraries) for each in directories):
        return False
    later = reading.positions_after(command)
    targets = [(target, span) for target, span, writes in reading.targets if writes and span[0] not in later]
    written = [path for target, span in targets for path in paths.targets(target, span)]
    for other in reading.commands:
        activates = other.name in ACTIVATES and check_of(other.words) is not None
        around = other.is_around(command)  # uv or the like, which stays there
        if other.possible or activates or around or other.span[0] in later:
            continue
        if other.inline is not None and other.inline.reads:
            named = (each for each in other.inline.files if each.how not in {"look", "read"} and each.found is None)
            written += [path for each in named for path in paths.file_paths(other, each)]
            continue
        does = other.effects
        if does is None or not does <= HARMLESS:
            found = [
                path
                for touch in other.account.touches
                if touch.how in OF_CHANGES
                for path in paths.leads(other, touch.word, touch.start)
            ]
            check = check_of(other.words)
            if not found and (check is None or check.recipes):  # what a check leaves, its own code could have done
                return False
            written += found
    return not any(_makes_module(path, directories, libraries) or path in directories for path in written)


def _is_as_written(inline: Inline, command: Command, reading: Reading, paths: Paths) -> bool:
    """Whether the script that a command runs is what the text has written: nothing else may have changed it."""
    others = [each for each in reading.commands if each is not command and not each.possible]
    if any(each.defined or each.effects is None or not each.effects <= LOOKS for each in others):
        return False
    if None in paths.at(command) or len(paths.at(command)) > 1 or any(_may_move(each, command) for each in others):
        return False
    runs = {paths.real(join_shape(at, inline.made)) for at in paths.at(command) if at is not None}
    written = [{*paths.targets(target, span)} for target, span, writes in reading.targets if writes]
    sure = all(MARKS.isdisjoint(path) for each in (runs, *written) for path in each)
    new = not inline.fresh or all(paths.machine.kind(path) == "" for path in runs)
    return sure and new and written.count(runs) == 1 and sum(bool(each & runs) for each in written) == 1


def _are_there(needs: Iterable[str], command: Command, reading: Reading, paths: Paths) -> bool:
    """Whether nothing runs in place of the files that a program text needs, nor may by what else the text does."""
    others = [each for each in reading.commands if each is not command and not each.possible]
    if any(_may_move(each, command) for each in others) or any(writes for _, _, writes in reading.targets):
        return False
    does = [each.effects for each in others]
    if any(each is None or not each <= LOOKS for each in does):
        return False
    needed = [join_shape(at, each) for at in paths.at(command) for each in needs if at is not None]
    return None not in paths.at(command) and all(_is_there(paths.real(each), paths) for each in needed)


def _is_there(path: str, paths: Paths) -> bool:
    """Whether a file is there, or nothing that node takes in its place: a directory, a name with more behind it."""
    directory, _, name = path.rpartition("/")
    kind = paths.machine.kind(path)
    if kind != "" or not MARKS.isdisjoint(path):
        return kind == "file"
    beside = paths.machine.names(directory or "/")
    return beside is not None and not any(each.startswith(name) for each in beside)


def _may_move(other: Command, command: Command) -> bool:
    """Whether a command may start another in a directory of its own choice: `env -C`, `find -execdir`, `ssh`."""
    program = other.program
    if program is None or not other.holds(command):
        return False
    starts = program.starts is not None and "stays" not in program.traits
    return starts or goes(other)


def _makes_module(path: str, directories: Collection[str | None], libraries: str) -> bool:
    """Whether writing a path may make a module, or what is in one of a directory in which Python looks."""
    if not MARKS.isdisjoint(path) or _is_module(path.rpartition("/")[2], libraries and "known"):
        return True
    below = [path.removeprefix(f"{each}/") for each in directories if path.startswith(f"{each}/")]
    first = [each.partition("/")[0] for each in below]
    packed = libraries == "any" and any("/" in each and each.endswith(_CODE) for each in below)
    return any(_is_module(each, libraries) for each in first) or (packed and not _are_spared(first))


def _are_spared(names: Iterable[str]) -> bool:
    """Whether no library loads modules of these names."""
    from asimi.core.reading.python_libraries import SPARED

    return all(name.partition(".")[0] in SPARED for name in names)


def _has_module(directory: str, paths: Paths, libraries: str) -> bool:
    """Whether a directory holds a module of such a name, or that is not known."""
    from asimi.core.reading.python_names import FOREIGN, NEVER_LOADED

    names = paths.machine.names(directory)
    if names is None:
        return True
    paths.budget.spend(16 + len(names))
    for name in names:
        packed = "." not in name and libraries == "any" and name.isidentifier() and not _are_spared((name,))
        if packed and any(each.endswith(_CODE) for each in paths.machine.names(f"{directory}/{name}") or ()):
            return True
        if not _is_module(name, libraries):
            continue
        if "." in name or _is_library(name, libraries):
            return True
        inside = () if name in NEVER_LOADED else paths.machine.names(f"{directory}/{name}")
        if inside is None or any(each.partition(".")[0] in {"__init__", FOREIGN.get(name)} for each in inside):
            return True
    return False


_CODE = (".py", ".pyc", ".so", ".pyd")
"""How the names of modules end."""


def _is_module(name: str, libraries: str) -> bool:
    """Whether a file or a directory has the name of a module of Python, `json.py`, `json.cpython-311.so`, `json`.

    With libraries that may load any module, each counts that is not known to be none of theirs.
    """
    from asimi.core.reading.python_names import LOADED, NEVER_LOADED

    stem, _, ending = name.partition(".")
    private = stem.startswith("_") and not stem.startswith("__")
    if not ending:
        return stem in LOADED or private or _is_library(stem, libraries)
    loaded = stem in LOADED - NEVER_LOADED or private or _is_library(stem, libraries)
    return (loaded or (libraries == "any" and not _are_spared((stem,)))) and name.endswith(_CODE)


def _is_library(name: str, libraries: str) -> bool:
    """Whether a module's name is one that libraries load."""
    if not libraries:
        return False
    from asimi.core.reading import python_libraries

    return name in python_libraries.LOADED or name in python_libraries.VERSIONED


def own_of_project(reading: Reading, machine: Machine, root: str) -> list[Command]:
    """The commands that are known only by a description or by custom, where an agent may have written the program.

    Args:
        reading: what a request would do.
        machine: this machine.
        root: the project root's real path.
    """
    known = (each for each in reading.commands if each.introduces or each.name in each.where.described)
    does = [each.effects for each in reading.commands if not each.introduces]
    changes = any(writes for *_, writes in reading.targets) or any(each is None or not each <= LOOKS for each in does)
    return [command for command in known if _may_be_of_project(command, machine, root, changes=changes)]


def _may_be_of_project(command: Command, machine: Machine, root: str, *, changes: bool) -> bool:
    """Whether a program of this name may lie below the project, or a text that changes files may put one there.

    What counts is its path, or the directories of `PATH`.
    """
    name = command.literals[0] or ""
    if "/" in name:  # what counts then is only what is in the system's directories
        return False
    for each in machine.variables.get("PATH", "").split(":"):
        if not each.startswith("/"):
            return True
        real = machine.resolve(f"{each}/{name}")
        inside = is_below(machine.resolve(each), root)
        if (inside and changes) or (machine.kind(real) != "" and (is_below(real, root) or inside)):
            return True
    return False
