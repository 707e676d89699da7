"""What undo says of a request: whether it may change the project, and whether what it removes or overwrites comes back.

To empty a file is a delete (`: > FILE`), unless the file is new, or undo keeps what was in it.
"""

from __future__ import annotations

import os.path
from functools import cached_property
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import Loss, is_below
from asimi.core.judging.known import BOXED, FREE
from asimi.core.pattern import pattern
from asimi.core.programs.effects import broad
from asimi.core.reading.account import HERE, PERMISSION
from asimi.core.reading.reader import FORKS
from asimi.core.reading.shapes import MADE, MARKS, SOME

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from asimi.core.call import Span, Undo
    from asimi.core.judging.known import Temporary
    from asimi.core.judging.links import Arrivals
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.paths import Paths
    from asimi.core.judging.places import Place
    from asimi.core.judging.search_candidates import Below
    from asimi.core.reading import Command, Reading

COMES_BACK = frozenset({"kept", "rebuilt"})
"""The answers about a path that may go."""

HARMLESS = frozenset({"read", "network", "publish"})
"""Effects that change nothing in the project."""

CHANGES = frozenset({"write", "delete", "move"})
"""Roles of a path that a command changes."""

AGAIN = frozenset(
    "for while until select trap coproc function setsid concurrently hyperfine chokidar parallel entr watch watchexec"
    " nodemon xargs".split()
)
"""Words by which a text may run an earlier part again, or go on beside it (`setsid --fork`)."""

REMEMBERS = frozenset({"add", "branch", "checkout", "fetch", "merge", "reset", "switch"})
"""Subcommands of git that make no commit of what only the work tree holds."""

FORGETS = {
    ("branch",): frozenset({"remotes"}),
    ("commit",): frozenset(),
    ("rebase",): frozenset(),
    ("reset",): frozenset({"keep", "merge", "recurse-submodules"}),
    ("stash", "clear"): frozenset(),
}
"""Subcommands of git after which a branch, the stash or the index is another, and options with which more is lost."""

ANYWHERE = frozenset({"C", "no-pager"})
"""Options of git's own with which it finds the same repository, and obeys the same settings."""

PLAIN_POP = frozenset({"-q", "--quiet", "--index"})
"""What `git stash pop` may be given; it drops what it took only where all of it came back (git-stash(1))."""

_VARIABLE = pattern(r'"\$(?:\w+|\{\w+\})"', ASCII)

WRITE = frozenset({"write"})

ADDS = frozenset({">>", "&>>"})
"""Redirections that leave what is in a file."""

MOST = 1024
"""The most paths of one command that are looked at."""


def may_change(reading: Reading) -> bool:
    """Whether a request may change something in the project; False only if it surely just looks."""
    if any(writes for _, _, writes in reading.targets):
        return True
    return any(
        command.kinds is None or not broad(command.kinds) <= HARMLESS or bool(command.escapes)
        for command in reading.commands
    )


def is_first(command: Command, reading: Reading, line: str) -> bool:
    """Whether nothing else of a request may put a file where a command removes, so what was checked is what goes.

    What stands behind the command runs later, unless something in the text runs again, or beside the rest.

    Args:
        command: the command.
        reading: what the request would do.
        line: its text.
    """
    again, behind = runs_again(line, reading), set[tuple[int, int]]()
    for each in reading.commands:
        later = not again and each.span[0] > command.span[0] and not FORKS.search(line, command.span[1], each.span[0])
        behind.update([each.span] if later else [])
        removes = each.removes and not (again and any(touch.how == "move" for touch in each.account.touches))
        if each is command or later or removes or each.possible or (_stash(command) == "pop" and _stash(each)):
            continue  # `git stash` puts only what git has where `git stash pop` then writes
        if "delete.work" not in (command.kinds or ()) and _only_stages(each):
            continue
        if each.kinds is None or not broad(each.kinds) <= HARMLESS:
            return False
    written = [at for target, (at, _), writes in reading.targets if writes and target not in FREE]
    return all(any(start < at < end for start, end in behind) for at in written)


def is_noted(command: Command, reading: Reading, line: str, *, first: bool) -> bool:
    """Whether git only makes others of branches, the stash and the index, which a note of how they stood brings back.

    Nothing before it in the text may make a commit, or a stash, of files that nobody has kept.

    Args:
        command: the command.
        reading: what the request would do.
        line: its text.
        first: whether it `is_first`.
    """
    rows = tuple(level.row.name for level in command.levels[1:])
    if "repository" not in command.traits or command.kinds is None or rows not in FORGETS:
        return False
    own = {name.lstrip("-") for each in command.levels[0].arguments for name in each.names}
    if None in command.literals or not own <= ANYWHERE or FORGETS[rows] & command.options.all:
        return False
    if "hard" in command.options.all:
        return first
    earlier = [each for each in reading.commands if each is not command and not each.possible]
    if not runs_again(line, reading):
        end = command.span[1]
        earlier = [each for each in earlier if each.span[0] < end or FORKS.search(line, end, each.span[0])]
    return all(_makes_no_commit(each) for each in earlier)


def _makes_no_commit(command: Command) -> bool:
    if command.kinds is None or not broad(command.kinds) <= {*HARMLESS, "write", "delete"}:
        return False
    if "repository" not in command.traits or broad(command.kinds) <= HARMLESS:
        return True
    return len(command.levels) > 1 and command.levels[1].row.name in REMEMBERS


def _only_stages(command: Command) -> bool:
    """Whether a command is `git add`, which changes no file of the work tree."""
    adds = "repository" in command.traits and [level.row.name for level in command.levels[1:]] == ["add"]
    return adds and command.kinds is not None and command.kinds <= {"read", "write.repository"} and not command.escapes


def runs_again(line: str, reading: Reading) -> bool:
    """Whether something in a text may run again, or beside the rest."""
    known = bool(reading.functions) or any(each.name == "trap" for each in reading.commands)  # however it is written
    # find runs one of its actions behind the other for each file
    several = "()" in line or "<(" in line or ">(" in line or sum(map(line.count, ("-exec", "-ok", "-delete"))) > 1
    return known or several or not AGAIN.isdisjoint(_BETWEEN.split(_HIDDEN.sub("", line)))


_HIDDEN, _BETWEEN = pattern(r"\\\n|[\\'\"]"), pattern(r"[\s;&|(){}`<>!]+")
"""What may be within a word of bash though it is no part of it, and what is between words."""


def is_boxed(command: Command, at: Collection[str | None], machine: Machine) -> bool:
    """Whether in a box a command only removes what is the box's own, wherever it may run.

    That is what has a name directly in a directory that the box has in memory; deeper, a link may be in between. What a
    box shows there of the machine has the same name outside, so the name must be missing there.
    """
    touches = command.account.touches if command.name in {"rm", "rmdir", "unlink"} else ()  # others follow links
    names = [(command.literals[each.word] or "")[each.start :] for each in touches if each.word != HERE]
    here = f"{next(iter(at))}/" if len(at) == 1 else ""
    paths = [each if each[:1] == "/" else f"{here}{each}" for each in names]
    return 0 < len(paths) == len(touches) and all(
        each.how == "delete"
        and os.path.dirname(path) in BOXED
        and os.path.basename(path) not in {"", ".", ".."}
        and not machine.kind(path)
        for each, path in zip(touches, paths, strict=True)
    )


def is_made(command: Command, places: Sequence[Place], temporary: Temporary) -> bool:
    """Whether a command only removes what `mktemp` made in this text, and what this text has put there since.

    A word is all of a variable, in quotes, so that nothing else goes where `mktemp` failed. Nothing may be moved but
    what was made so too, since it may be moved there.
    """
    own = [each for each in places if each.by is command and each.how in CHANGES]
    words = [command.text_of(command.words[each.word]) for each in command.account.touches if each.word != HERE]
    if (
        not own
        or any(each.how != "delete" for each in own)
        or len(words) < len(command.account.touches)
        or not all(map(_VARIABLE.fullmatch, words))
    ):
        return False
    gone = [*own, *(each for each in places if each.how == "move")]
    return all(each.found is None and each.path.endswith(MADE) and temporary.holds(each.path) for each in gone)


def is_new(
    command: Command, reading: Reading, places: Sequence[Place], machine: Machine, holds: Callable[[str], bool]
) -> bool:
    """Whether a command only removes what other commands of its text make, at names that are not there before it runs.

    Args:
        command: the command.
        reading: what the request would do.
        places: where it reaches; nothing may be moved, since it may be moved there.
        machine: this machine.
        holds: says whether a real path is in the project or temporary.
    """
    own = [each for each in places if each.by is command and each.how in CHANGES]
    gone = all(each.how == "delete" and each.found is None and MARKS.isdisjoint(each.path) for each in own)
    others = [each for each in reading.commands if each is not command and not each.possible]
    known = all(
        each.kinds is not None and ("repository" not in each.traits or _makes_no_commit(each)) for each in others
    )
    if not (own and gone and known) or any(each.how == "move" for each in places):
        return False
    made = {each.path for each in places if each.by is not command and each.how in CHANGES and each.how != "delete"}
    return all(
        holds(each.path)
        and machine.kind(each.path) == ""
        and any(path == each.path or path.startswith(f"{each.path}/") for path in made)
        for each in own
    )


def _stash(command: Command) -> str:
    """What `git stash` does that only puts away or takes back (`push`, `save`, `pop`); empty of anything else."""
    if "repository" not in command.traits or len(command.levels) < 2 or command.levels[1].row.name != "stash":
        return ""
    name = command.levels[-1].row.name
    return "push" if name == "stash" and len(command.levels) == 2 else name if name in {"push", "save", "pop"} else ""


def reset_to(words: Sequence[str | None]) -> str | None:
    """The commit of which `git reset --hard` makes the work tree; None where it does something else.

    Args:
        words: those behind `reset`.
    """
    named = [each or "-" for each in words if each not in {"--hard", "-q", "--quiet"}]
    if "--hard" not in words or len(named) > 1 or any(each[:1] == "-" for each in named):
        return None
    return named[0] if named else "HEAD"


class Recovery:
    """Tells what comes back of what commands remove.

    Args:
        places: where their request reaches.
        paths: where its words lead.
        machine: this machine.
        undo: the person's settings.
        below: tells what searches find.
        root: the project root, a real path.
    """

    def __init__(
        self, places: Iterable[Place], paths: Paths, machine: Machine, undo: Undo, below: Below, root: str
    ) -> None:
        self._places, self._paths, self._machine = tuple(places), paths, machine
        self._undo, self._below, self._root = undo, below, root
        self._said: dict[Loss, bool] = {}

    def of(self, command: Command, tree: str | None) -> tuple[Loss, ...]:
        """All that a command removes; empty if one part of it may not come back.

        Args:
            command: the command.
            tree: the work tree that git works in, where that is known.
        """
        if not command.removes:
            return ()
        found = tuple(dict.fromkeys(self._targets(command, tree)))
        return self._sure(found) if len(found) <= MOST else ()

    def git_losses(self, command: Command, tree: str | None) -> tuple[Loss, ...]:
        """What has to be kept so that git's branches, stash and index come back; empty if that is not sure.

        Some also overwrite the work tree, a rebase once it is skipped or ended.

        Args:
            command: one that `is_noted`.
            tree: the work tree that git works in, where that is known.
        """
        if tree != self._root:
            return ()
        noted, tracked = Loss(tree, "noted"), Loss(tree, "tracked")
        if "hard" in command.options.all:
            commit = reset_to(command.literals[2:]) if command.literals[1] == "reset" else None
            return self._sure((noted, tracked, Loss(tree, "untracked", commit) if commit else None))
        return self._sure((noted, tracked) if command.levels[1].row.name == "rebase" else (noted,))

    def _sure(self, found: tuple[Loss | None, ...]) -> tuple[Loss, ...]:
        """What was found, if all of it is known and comes back; else nothing."""
        known = tuple(each for each in found if each is not None)
        return known if len(known) == len(found) and all(map(self._comes, known)) else ()

    def _comes(self, loss: Loss) -> bool:
        if loss not in self._said:
            self._said[loss] = self._machine.undone(loss, self._undo) in COMES_BACK
        return self._said[loss]

    def _targets(self, command: Command, tree: str | None) -> Iterator[Loss | None]:
        """What a command may change; None among it says that not all is known."""
        if "repository" in command.traits and command.kinds is not None and "delete.work" in command.kinds:
            yield from self._of_git(command, tree)
            return
        own = [each for each in self._places if each.by is command and each.how in CHANGES]
        if not own:
            yield None
        for place in own:
            yield from self._at(place)

    def _at(self, place: Place) -> Iterator[Loss | None]:
        """The same of one place."""
        if place.found is not None:
            tested = dict[Loss, None]()

            def stays(path: str) -> bool:
                tested[loss := Loss(path)] = None
                return len(tested) > MOST or not self._comes(loss)

            if self._below.finds(place, stays) is not False:
                yield None
            yield from tested or (Loss(f"{place.path}/{SOME}"),)  # where it finds nothing, nothing is lost
        elif MARKS.isdisjoint(place.path):
            yield Loss(place.path)
        else:
            there = self._machine.now(place.path, named=True)
            # bash hands on the pattern itself where it matches nothing
            yield from (None,) if there is None else map(Loss, there or [place.path])

    def _of_git(self, command: Command, tree: str | None) -> Iterator[Loss | None]:
        """What git overwrites in a work tree; a restore from the index, only what git tracks there."""
        words, at = command.literals, set(self._paths.at(command))
        if tree is None or None in words or len(at) != 1 or not is_below(tree, self._root):
            yield None
            return
        match words[1:]:
            case ("checkout", "--", _, *_):
                yield Loss(tree, "tracked")
            case ("reset", *options) if reset_to(options) == "HEAD":
                yield from (Loss(tree, "tracked"), Loss(tree, "untracked", "HEAD"))
            case ("stash", "pop", *options) if PLAIN_POP.issuperset(each or "" for each in options):
                yield Loss(tree, "tracked")
            case ("restore", *names) if names and not any((each or "-")[0] == "-" for each in names):
                yield Loss(tree, "tracked")
            case ("checkout", commit, "--", *names) if (commit or "-")[0] != "-":
                yield from _of_names(names, next(iter(at)) or "")
            case ("checkout", first, *names) if (first or "-")[0] != "-" and "--" not in names:
                start = next(iter(at)) or ""  # the first may be a file; a commit alone overwrites what git ignores
                known = names or self._machine.kind(os.path.join(start, first or ""))
                yield Loss(tree, "tracked") if known else None
                yield from _of_names(names, start)
            case _:
                yield None


def _of_names(names: Sequence[str | None], start: str) -> Sequence[Loss | None]:
    """What git overwrites in a directory by these names; None where one is an option, a pattern, or not known."""
    plain = all(each and each[0] != "-" and set(each).isdisjoint({*MARKS, *"*?[\\:"}) for each in names)
    return [Loss(os.path.normpath(os.path.join(start, each or ""))) for each in names] if plain else [None]


class Overwrites:
    """What the commands of one request overwrite.

    Args:
        places: where it reaches.
        reading: what it would do.
        machine: this machine.
        undo: the person's settings of undo; None where it is off.
        below: tells what searches find.
        arrivals: tells where what is copied arrives.
        root: the project root, a real path.
    """

    def __init__(
        self,
        places: Sequence[Place],
        reading: Reading,
        machine: Machine,
        undo: Undo | None,
        below: Below,
        arrivals: Arrivals,
        root: str,
    ) -> None:
        self._places, self._reading, self._machine, self._undo = places, reading, machine, undo
        self._below, self._arrivals, self._root = below, arrivals, root

    def lost_paths(self) -> dict[Command, str]:
        """The commands that overwrite such a file, each with the path of one; a redirection counts for its command."""
        found: dict[Command, str] = {}
        for place in self._places:
            if place.how != "write" or not is_below(place.path, self._root):
                continue
            by = self._command_at(place.span) if place.by is None else place.by
            if by is not None and by not in found and (path := self._lost_at(place)):
                found[by] = path
        return found

    def harmless_redirections(self) -> frozenset[Span]:
        """The places of the redirections that empty nothing but files that are new, or come back."""
        targets: dict[Span, bool] = {}
        for place in self._places:
            if place.by is None and place.how == "write" and place.span is not None:
                targets[place.span] = targets.get(place.span, True) and self._comes_back(place.path)
        return frozenset(span for span, spared in targets.items() if spared)

    def _lost_at(self, place: Place) -> str:
        """The path of such a file that is overwritten at a place; empty without one."""
        by = place.by

        def is_lost(path: str) -> bool:
            return self._is_lost(path, by)

        if by is None:
            if self._operators.get((place.span or (-1, -1))[0]) in ADDS:
                return ""
        elif "repository" in by.traits or not _fills(by) or (by.account.tree.points and self._is_source(place)):
            return ""
        if place.found is not None:
            return place.shape if self._below.finds(place, is_lost) is not False else ""
        if place.brought and (arrives := self._arrivals.first(place, is_lost, within=True)) != "":
            return arrives or place.path
        slash = "/" * (self._machine.kind(place.path) == "directory")
        shape = f"{place.path}{slash}{SOME}" if place.tree.begins else place.path
        there = [shape] if MARKS.isdisjoint(shape) else self._machine.now(shape, named=True)
        return next(filter(is_lost, there or ()), "")

    def _is_lost(self, path: str, by: Command | None) -> bool:
        """Whether what is at a path is lost once a command, or a redirection, overwrites it."""
        if self._new_names.get(path, by) is not by:
            return True
        if not is_below(path, self._root) or self._machine.kind(path) != "file":
            return False
        return self._undo is not None and self._is_ignored(path) and not self._undoes(path)

    def _comes_back(self, path: str) -> bool:
        if not MARKS.isdisjoint(path) or path in self._new_names:
            return False
        return self._machine.kind(path) == "" or self._undoes(path)

    def _undoes(self, path: str) -> bool:
        return self._undo is not None and self._machine.undone(Loss(path), self._undo) in COMES_BACK

    @cached_property
    def _new_names(self) -> dict[str, Command | None]:
        """The new names that commands of the text give such files: by these, what comes behind may overwrite them."""
        named: dict[Command | None, list[str]] = {}
        for each in self._places:
            links = each.how == "read" and each.by is not None and each.by.account.tree.points
            if (links or each.how == "move") and self._is_ignored(each.path):
                named.setdefault(each.by, []).append(os.path.basename(each.path))
        targets = [each for each in self._places if each.how == "write" and each.by in named]
        return {path: to.by for to in targets for path in (to.path, *(f"{to.path}/{one}" for one in named[to.by]))}

    def _is_ignored(self, path: str) -> bool:
        return is_below(path, self._root) and self._machine.kept(path) == "ignored"

    @cached_property
    def _operators(self) -> dict[int, str]:
        """The operators of the redirections of the text, by where each is."""
        script = self._reading.script
        return {} if script is None else {each.start: each.operator for each in script.redirections}

    def _is_source(self, place: Place) -> bool:
        """Whether a place only gets another name."""
        return any(each.by is place.by and each.how == "read" and each.path == place.path for each in self._places)

    def _command_at(self, span: Span | None) -> Command | None:
        """The command of a redirection; of that of a compound command, the last one before it."""
        commands = [each for each in self._reading.commands if not (each.possible or each.defined)]
        start, end = span or (0, 0)
        own = [each for each in commands if each.span[0] <= start and end <= each.span[1]]
        before = [each for each in commands if each.span[1] <= start]
        return own[-1] if own else before[-1] if before else None


def _fills(command: Command) -> bool:
    """Whether a command may change what is in the files that it writes; a text for a database says so by itself."""
    kinds = command.kinds or WRITE
    if command.account.tree.adds:
        return False
    return "write" in broad(kinds) and "queries" not in command.traits and not kinds <= PERMISSION
