"""What a command is aimed at: the remote and the branch of a push, a cluster's context and namespace, a script.

A rule may name these (`at`), so that it holds for one remote and not for another. What the text does not name is what
is in force now, by files that the person keeps; where one of them cannot be understood, a command has no aim, and such
a rule says nothing of it. Sources: git-push(1), git-config(1), kubectl's manual (kubernetes.io/docs/reference/kubectl).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.judging.repositories import work_of
from asimi.core.reading.account import READ, may_aim
from asimi.core.reading.checks import is_plain_script, script_of
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading

LOOK = 60
"""Units of work for what one command is aimed at."""

STAYS = frozenset({"add", "commit", "restore", "stash"})
"""Subcommands of git that change neither its settings nor the branch that one is on, whatever else they do."""

PUSHES = frozenset(
    "-4 --ipv4 -6 --ipv6 --atomic -n --dry-run --porcelain --progress -q --quiet -u --set-upstream -v --verbose".split()
)
"""Options of `git push` that change neither where it goes nor what."""

CLUSTER = frozenset(
    "-c --container --current-replicas --dry-run --field-manager -f --filename -l --selector -o --output --overwrite "
    "-p --patch --record --replicas --resource-version --server-side --since --tail --timeout --to-revision --type "
    "--validate --wait".split()
)
"""Options of kubectl that lead to no other cluster, user or namespace, and delete nothing."""

VERBS = frozenset("annotate apply env image label patch pause resources restart resume scale undo".split())
"""Subcommands of kubectl that change what is there, and delete nothing."""

HELD = frozenset(
    "cm configmap configmaps cronjob cronjobs cj daemonset daemonsets ds deploy deployment deployments hpa "
    " horizontalpodautoscaler horizontalpodautoscalers ing ingress ingresses job jobs pdb po pod pods pvc replicaset "
    "replicasets rs replicationcontroller replicationcontrollers rc service services svc statefulset statefulsets sts "
    "persistentvolumeclaim persistentvolumeclaims poddisruptionbudget poddisruptionbudgets".split()
)
"""Types that a namespace holds, as kubectl names them; of others, whoever changes one changes the whole cluster."""


def with_aims(reading: Reading, paths: Paths) -> Reading:
    """A reading that says what its commands are aimed at, where nothing in the text may change that.

    Args:
        reading: what a request would do.
        paths: where its words lead.
    """
    aimed = [each for each in reading.commands if not each.possible and may_aim(each) and None not in each.literals]
    if not aimed or not all(each in aimed or _stays(each) for each in reading.commands):
        return reading
    seen = {}
    for command in aimed:
        paths.budget.spend(LOOK + len(command.words))
        if aims := _aims(command, paths):
            seen[command] = command.seen._replace(aims=aims)
    return reading.as_seen(seen)


def _stays(command: Command) -> bool:
    """Whether a command leaves as they are the settings by which another one finds its aim."""
    if command.possible or (command.effects is not None and command.effects <= READ):
        return True
    return "repository" in command.traits and len(command.levels) > 1 and command.levels[1].row.name in STAYS


def _aims(command: Command, paths: Paths) -> tuple[str, ...]:
    """What a command is aimed at, in words that a rule can hold; none where that is not sure."""
    directories = [*paths.at(command)]
    directory = directories[0] if len(directories) == 1 else None
    if directory is None or not MARKS.isdisjoint(directory) or command.program is None:
        return ()
    if command.levels[-1].row.name == "push":
        return _of_push(command, paths)
    return _of_cluster(command, paths) if command.program.name == "kubectl" else _of_script(command, directory, paths)


def _of_push(command: Command, paths: Paths) -> tuple[str, ...]:
    """The URLs of a remote and the branches that go there."""
    program, push = command.levels
    work = work_of(command, paths, paths.machine)
    names = [each.option.names for each in push.arguments if each.option is not None]
    if work is None or not push.sure or program.arguments or any(PUSHES.isdisjoint(each) for each in names):
        return ()
    operands = tuple(each.text for each in push.arguments if each.option is None)
    return tuple(paths.machine.pushes(work[0], operands))


def _of_cluster(command: Command, paths: Paths) -> tuple[str, ...]:
    """A context and a namespace in it."""
    arguments = [each for level in command.levels for each in level.arguments]
    named = {"--context": "", "--namespace": ""}
    files = []
    for each in arguments:
        if each.option is None:
            continue
        value = "" if each.value is None else each.value.literal or ""
        key = next((name for name in named if name in each.option.names), "")
        if key:
            if named[key] or not value:
                return ()
            named[key] = value
        elif CLUSTER.isdisjoint(each.option.names):
            return ()
        elif "--filename" in each.option.names:
            files.append(value)
    operands = [each.text for each in arguments if each.option is None]
    if command.levels[-1].row.name not in VERBS:
        return ()
    if command.levels[-1].row.name == "apply":  # a file says its own namespace where the text names none
        sure = bool(named["--namespace"]) and not operands and bool(files)
        if not sure or any(each in {"", "-"} or "://" in each for each in files):
            return ()
    elif files or not operands or not all(_types(operands)):
        return ()
    return tuple(paths.machine.contexts(named["--context"], named["--namespace"]))


def _types(operands: list[str]) -> Iterator[bool]:
    """Whether a namespace holds each type that operands name: `deployment web`, `deployment/web`."""
    for number, each in enumerate(operands):
        kind, slash, _ = each.partition("/")
        if not number or (slash and "=" not in each):
            yield kind in HELD


def _of_script(command: Command, directory: str, paths: Paths) -> tuple[str, ...]:
    """The script of a package that a package manager runs."""
    program, arguments = command.program, command.spread
    named = None if program is None else script_of(command.words, program, arguments)
    if named is None or program is None:
        return ()
    if not is_plain_script(arguments, program, named[1], command.literals[named[1]] or ""):
        return ()
    there = paths.real(directory)
    return (f"script {named[0]} in {there}",) if paths.machine.kind(f"{there}/package.json") == "file" else ()
