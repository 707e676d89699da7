"""What a command is aimed at: a push's remote and branch, a cluster's context, a script, own code, a container, a lock.

A rule may name these (`at`), so that it holds for one remote and not for another. What the text does not name is what
is in force now, by files that the person keeps; where one of them cannot be understood, a command has no aim, and such
a rule says nothing of it. Sources: git-push(1), git-config(1), kubectl's manual (kubernetes.io/docs/reference/kubectl).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of
from asimi.core.judging.own_code import Project, made_by_check, written_by
from asimi.core.judging.paths import join_shape
from asimi.core.judging.repositories import work_of
from asimi.core.judging.widths import BROUGHT
from asimi.core.reading.account import READ, may_aim
from asimi.core.reading.checks import is_plain_script, script_of
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading

_FACTS = facts_of(__package__, "aims")

LOOK = 60
"""Units of work for what one command is aimed at."""

STAYS = frozenset({"add", "commit", "restore", "stash"})
"""Subcommands of git that change neither its settings nor the branch that one is on, whatever else they do."""

PUSHES = names_of(_FACTS["pushes"])
"""Options of `git push` that change neither where it goes nor what."""

CLUSTER = names_of(_FACTS["cluster"])
"""Options of kubectl that lead to no other cluster, user or namespace, and delete nothing."""

VERBS = frozenset("annotate env image label patch pause resources restart resume scale undo".split())
"""Subcommands of kubectl that change what is there, and delete nothing; a file of `apply` may grant cluster roles."""

NAMESPACED = {name: line.split()[0] for line in _FACTS["namespaced"] for name in line.split()}
"""Types that a namespace holds, by each name of theirs; of others, whoever changes one changes the whole cluster."""

EXECS = names_of(_FACTS["execs"])
"""Options of `docker exec` that give what it starts no more rights."""

LOCKS = {
    ("npm", "ci"): ("package-lock.json", "--ignore-scripts"),
    ("uv", "sync"): ("uv.lock", "--no-install-project --no-build --frozen"),
    ("pip", "install"): ("", "--only-binary --require-hashes --requirement"),
}
"""Installs of what a lock file names: the file, and the options without which code of packages or others' names run."""

INSTALLS = names_of(_FACTS["installs"])
"""Options of these that change neither from where they install nor to where."""

VALUED = frozenset({"--only-binary", "--requirement"})
"""Those that have a value, and change no more by it."""

MUST = {"uv": "--frozen", "pip": "--require-hashes"}
"""The option without which a program takes more than the lock file names."""


def with_aims(reading: Reading, paths: Paths, root: str, *, keeps: bool) -> Reading:
    """A reading that says what its commands are aimed at, where nothing in the text may change that.

    Args:
        reading: what a request would do.
        paths: where its words lead.
        root: the project root, a real path.
        keeps: whether asimi keeps calls for undo, by which it can tell who made a file.
    """
    given = [each for each in reading.commands if not each.possible]
    owns = [each for each in given if each.may_run_code and not _is_elsewhere(each)]
    aimed = [each for each in given if each not in owns and may_aim(each) and None not in each.literals]
    scripts = [each for each in owns if may_aim(each) and None not in each.literals]
    still = all(each in aimed or each in scripts or each.loose or _stays(each) for each in reading.commands)
    paths.budget.spend(sum(LOOK + len(each.words) for each in (*aimed, *owns)))
    project = Project(reading, paths, root, keeps)
    own = {each for each in owns if project.owns(each)}
    others = [each for each in given if each not in own and each not in aimed]
    brings = any(_brings(each) and not made_by_check(each, paths) for each in others)
    seen = {}
    for command in dict.fromkeys((*aimed, *owns)):
        aims = _aims(command, project) if still and (command in aimed or command in scripts) else ()
        if not aims and command in own and not brings:
            aims = (f"code {root}",)
        if aims:
            seen[command] = command.seen._replace(aims=aims)
    return reading.with_look(seen)


def _is_elsewhere(command: Command) -> bool:
    """Whether a command runs code, but none of this project: in a container, or that of packages."""
    program = command.program
    return program is not None and ("apart" in program.traits or _lock_of(command) is not None)


def _brings(command: Command) -> bool:
    """Whether a command may bring code of others: by the network, a move, a link, or in a way that nobody knows."""
    moves = bool(command.account.tree.points) or any(each.how == "move" for each in command.account.touches)
    return command.effects is None or "network" in command.effects or moves


def _stays(command: Command) -> bool:
    """Whether a command leaves as they are the settings by which another one finds its aim."""
    if command.possible or (command.effects is not None and command.effects <= READ):
        return True
    return "repository" in command.traits and len(command.levels) > 1 and command.levels[1].row.name in STAYS


def _aims(command: Command, project: Project) -> tuple[str, ...]:
    """What a command is aimed at, in words that a rule can hold; none where that is not sure."""
    reading, paths = project.reading, project.paths
    directories = [*paths.at(command)]
    directory = directories[0] if len(directories) == 1 else None
    name = command.literals[0] or "/"
    if directory is None or not MARKS.isdisjoint(directory) or command.program is None or "/" in name:
        return ()  # a program by its path may be any
    if command.levels[-1].row.name == "push":
        return _of_push(command, paths)
    if "apart" in command.traits and command.levels[-1].row.name == "exec":
        return _of_container(command, paths)
    if (lock := _lock_of(command)) is not None:
        return _of_lock(reading, directory, paths, *lock)
    return _of_cluster(command, paths) if command.program.name == "kubectl" else _of_script(command, directory, project)


def _of_push(command: Command, paths: Paths) -> tuple[str, ...]:
    """The URLs of a remote and the branches that go there."""
    program, push = command.levels
    work = work_of(command, paths, paths.machine)
    options = [each for each in push.arguments if each.option is not None]
    if work is None or not push.sure or program.arguments or any(PUSHES.isdisjoint(each.names) for each in options):
        return ()
    operands = tuple(each.text for each in push.arguments if each.option is None)
    return tuple(paths.machine.pushes(work[0], operands))


def _of_cluster(command: Command, paths: Paths) -> tuple[str, ...]:
    """A context, a namespace in it, and the objects there."""
    named = {"--context": "", "--namespace": ""}
    for each in command.arguments:
        if each.option is None:
            continue
        key = next((name for name in named if name in each.names), "")
        if key:
            if named[key] or not each.literal:
                return ()
            named[key] = each.literal
        elif CLUSTER.isdisjoint(each.names):
            return ()
    operands = [each.text for each in command.arguments if each.option is None]
    if command.levels[-1].row.name not in VERBS or not operands:
        return ()
    objects = [*_objects(operands)]
    there = paths.machine.contexts(named["--context"], named["--namespace"])
    return () if "" in objects else (*there, *(f"object {each}" for each in objects if there))


def _objects(operands: list[str]) -> Iterator[str]:
    """What operands name, `deployment/web`, or all of a type; empty where a namespace does not hold it."""
    first, names = operands[:1], [each for each in operands[1:] if "=" not in each and not each.endswith("-")]
    if first and "/" not in first[0]:
        first, names = [] if names else first, [each if "/" in each else f"{first[0]}/{each}" for each in names]
    for each in (*first, *names):
        kind, _, name = each.partition("/")
        yield "" if kind not in NAMESPACED or (names and not name) else f"{NAMESPACED[kind]}/{name}".rstrip("/")


def _of_script(command: Command, directory: str, project: Project) -> tuple[str, ...]:
    """The script of a package that a package manager runs."""
    paths = project.paths
    program, arguments = command.program, command.spread
    named = None if program is None else script_of(command.words, program, arguments)
    if named is None or program is None or " " in named[0]:  # where such a name ends, an aim would not say
        return ()
    if not is_plain_script(arguments, program, named[1], command.literals[named[1]] or ""):
        return ()
    there = paths.real(directory)
    if paths.machine.kind(package := paths.real(f"{there}/package.json")) != "file":
        return ()
    return (f"script {named[0]}{BROUGHT * project.is_third_party(package)} in {there}",)


def _of_container(command: Command, paths: Paths) -> tuple[str, ...]:
    """The container in which a command runs, by its id; none where it could reach more of this machine."""
    levels = command.levels
    last = levels[-1]
    operands = [each.text for each in last.arguments if each.option is None]
    given = [each for each in last.arguments if each.option is not None]
    around = any(level.arguments for level in levels[:-1])
    if not operands or around or command.literals[0] != "docker" or any(EXECS.isdisjoint(each.names) for each in given):
        return ()
    name = paths.machine.container(operands[0], len(levels) > 2)
    return (f"container {name}",) if name else ()


def _lock_of(command: Command) -> tuple[str, list[str]] | None:
    """The lock file that an install keeps to, with the options that it lacks to run no code; None for another one."""
    program, levels = command.program, command.levels
    file, wanted = ("", "") if program is None else LOCKS.get((program.name, levels[-1].row.name), ("", ""))
    if program is None or not wanted or len(levels) != 2:
        return None
    names: dict[str, str] = {}
    for each in command.arguments:
        if each.option is None or (INSTALLS if each.value is None else VALUED).isdisjoint(each.names):
            return None  # `--ignore-scripts=false` is none
        if "--requirement" in names and "--requirement" in each.names:
            return None
        names |= dict.fromkeys(each.names, each.literal)
    file = file or names.get("--requirement", "")
    if MUST.get(program.name, "") not in {"", *names} or not file or names.get("--only-binary", ":all:") != ":all:":
        return None
    return file, [each for each in wanted.split() if each not in names]


def _of_lock(reading: Reading, directory: str, paths: Paths, file: str, lacks: list[str]) -> tuple[str, ...]:
    """The lock file that an install keeps to, as it is now; and that code of packages runs, where it may."""
    path = paths.real(join_shape(directory, file))
    digest = "" if path in written_by(reading, paths) else paths.machine.locked(path)
    return () if not digest else (f"lock {path} {digest}", *(("scripts",) if lacks else ()))
