"""What git would begin in a box and cannot end there: it signs, writes elsewhere, or changes files that a box holds.

Where git stops half done, a branch, an index or a begun rebase stays behind. What cannot be told is not said: a box
holds it all the same. Sources: git-worktree(1), git-config(1), gitrevisions(7), the manuals of the subcommands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.known import BOXED
from asimi.core.judging.repositories import work_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command
    from asimi.core.reading.arguments import Level

SIGNS = "signs with a key of yours, which a box does not have; without signing it works there (--no-gpg-sign)"

SETS = "writes git's configuration, which a box keeps as it is"

COMMITS = frozenset({"am", "cherry-pick", "commit", "merge", "rebase", "revert"})
"""Subcommands that make commits, which a setting may have signed."""

NO_COMMIT = frozenset({"abort", "dry-run", "ff-only", "no-commit", "no-gpg-sign", "quit", "squash"})
"""Options with which they make or sign none."""

NO_TAG = frozenset(
    {"contains", "delete", "list", "merged", "no-contains", "no-merged", "no-sign", "points-at", "verify"}
)
"""Options with which `git tag` makes or signs none."""

GOES_ON = frozenset({"abort", "continue", "edit-todo", "quit", "show-current-patch", "skip"})
"""Options that end or go on with what was begun before."""

FILES = frozenset({"file", "global", "system"})
"""Options with which `git config` is not about the repository that git finds."""

OPTIONS = 40
"""Units of work for one command."""


def unmet_git_need(command: Command, paths: Paths, held: Callable[[str], bool], opened: Collection[str]) -> str:
    """What a command of git needs to end that a box does not have, in words; empty where it needs no such thing.

    Args:
        command: the command.
        paths: where its words lead.
        held: says whether a box holds a real path as it is.
        opened: the directories that the box can write, real paths.
    """
    if command.possible or "repository" not in command.traits or len(command.levels) < 2:
        return ""
    paths.budget.spend(OPTIONS + len(command.words))
    name, given = command.levels[1].row.name, command.options.all
    if is_of_settings(command):
        own = FILES.isdisjoint(given) and all(_is_private(each or "/", opened) for each in paths.at(command))
        return "" if own else SETS
    if name == "worktree":
        return _elsewhere(command, paths, (*opened, *BOXED))
    work = work_of(command, paths, paths.machine)
    if work is None:
        return ""
    if (name in COMMITS and NO_COMMIT.isdisjoint(given)) or (name == "tag" and _tags(command)):
        kind = "tag" if name == "tag" else "commit"
        if _is_set(command, f"{kind}.gpgsign=", kind in paths.machine.signs(*work)):
            return SIGNS
    changed = next(_changed_files(command, paths, work, held), "")
    return f"would change {changed}, which a box holds as it is" if changed else ""


def _is_private(directory: str, opened: Collection[str]) -> bool:
    """Whether a directory is one of the box's own, below those that it has in memory, and shows nothing of outside."""
    return any(directory.startswith(f"{top}/") for top in BOXED) and not any(is_below(directory, top) for top in opened)


def is_of_settings(command: Command) -> bool:
    """Whether a command changes settings of git's; in a repository of the box's own, these are the box's."""
    named = "repository" in command.traits and any(level.row.name == "config" for level in command.levels[1:2])
    return named and "system" in (command.kinds or ())


def _elsewhere(command: Command, paths: Paths, tops: Collection[str]) -> str:
    """What stands against a work tree that is made, moved or removed."""
    for touch in command.account.touches:
        if touch.how in {"write", "move", "delete"} and touch.word:
            for path in paths.leads(command, touch.word, touch.start):
                if path is None or not any(is_below(path, top) for top in tops):
                    where = path or command.text_of(command.words[touch.word])
                    return f"works at {where}, where a box does not write (asimi wrap --write DIR)"
    return ""


def _tags(command: Command) -> bool:
    """Whether `git tag` makes one."""
    return NO_TAG.isdisjoint(command.options.all) and any(each.option is None for each in command.levels[-1].arguments)


def _is_set(command: Command, setting: str, usual: bool) -> bool:  # noqa: FBT001 - what holds without a word
    """What a setting says that the command itself may give (`git -c`)."""
    given = [word[len(setting) :] for word in command.literals if word is not None and word.lower().startswith(setting)]
    return given[-1].lower() not in {"false", "no", "off", "0"} if given else usual


def _changed_files(command: Command, paths: Paths, work: tuple[str, str], held: Callable[[str], bool]) -> Iterator[str]:
    """The files that a box holds and that would be others then, from the top of the work tree."""
    (repository, tree), machine = work, paths.machine
    pairs, back, below = _moves(command.levels, command)
    for before, after in pairs:
        for path in sorted(machine.moved(repository, before, after) or ()):
            if _is_meant(path, below) and held(f"{tree}/{path}"):
                yield path
    if back:
        for path in sorted(machine.moved(repository, "", "HEAD") or ()):
            if _is_meant(path, below) and held(f"{tree}/{path}") and not machine.unmodified(f"{tree}/{path}"):
                yield path


def _is_meant(path: str, below: Collection[str]) -> bool:
    """Whether a path is one of those that a command names, or below; all are where it names none."""
    return not below or any(each in {".", ""} or is_below(path, each) or not each.isprintable() for each in below)


def _moves(levels: tuple[Level, ...], command: Command) -> tuple[list[tuple[str, str]], bool, list[str]]:
    """What a command does to the work tree: from which commit to which, whether changes go, and below which paths."""
    name, last, given = levels[1].row.name, levels[-1], command.options.all
    words = [command.literals[each.at] or "\0" for each in last.arguments if each.option is None]
    behind = "--" in command.literals
    first = words[0] if words else ""
    nothing: tuple[list[tuple[str, str]], bool, list[str]] = ([], False, [])
    if "\0" in words or not GOES_ON.isdisjoint(given):
        return nothing
    if name == "switch":
        return ([("HEAD", first)] if first else []), bool({"discard-changes", "force"} & given), []
    if name == "checkout":
        if behind or len(words) > 1:
            at = command.literals.index("--") if behind else len(command.literals)
            named = first if words and (not behind or (command.literals.index(first) < at)) else ""
            return ([("HEAD", named)] if named else []), True, words[1:] if named else words
        return ([("HEAD", first)] if first else []), "force" in given, []
    if name == "reset":
        return (
            ([("HEAD", first)] if first else [], "hard" in given, []) if {"hard", "keep", "merge"} & given else nothing
        )
    if name == "restore":
        source = next((each.literal for each in last.arguments if "--source" in each.names), "")
        return ([("HEAD", source)] if source else []), True, words
    if name == "stash":
        does = last.row.name if len(levels) > 2 else "push"
        entry = f"stash@{{{first}}}" if first.isdecimal() else first or "stash@{0}"
        return ([(f"{entry}^", entry)], False, []) if does in {"pop", "apply"} else ([], does in {"push", "save"}, [])
    if name == "merge":
        return [(f"HEAD...{each}", each) for each in words], False, []
    if name == "rebase":
        onto = [each.literal for each in last.arguments if "--onto" in each.names]
        target = onto[0] if onto else first
        return ([("HEAD", target)] if target else []), False, []
    if name in {"cherry-pick", "revert"}:
        return [(f"{each}^", each) for each in words], False, []
    return nothing
