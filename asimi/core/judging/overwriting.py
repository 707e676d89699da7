"""What a request overwrites that nothing brings back: an existing file that git ignores, and that undo does not keep.

To empty a file is a delete (`: > FILE`), unless the file is new, or undo keeps what was in it.
"""

from __future__ import annotations

import os.path
from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.call import Loss, is_below
from asimi.core.judging.undoing import COMES_BACK
from asimi.core.programs.effects import broad
from asimi.core.reading.account import PERMISSION
from asimi.core.reading.shapes import MARKS, SOME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.call import Span, Undo
    from asimi.core.judging.links import Arrivals
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.places import Place
    from asimi.core.judging.sought import Below
    from asimi.core.reading import Command, Reading

WRITE = frozenset({"write"})

ADDS = frozenset({">>", "&>>"})
"""Redirections that leave what is in a file."""


class Overwriting:
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

    def lost(self) -> dict[Command, str]:
        """The commands that overwrite such a file, each with the path of one; a redirection counts for its command."""
        found: dict[Command, str] = {}
        for place in self._places:
            if place.how != "write" or not is_below(place.path, self._root):
                continue
            by = self._command_at(place.span) if place.by is None else place.by
            if by is not None and by not in found and (path := self._lost_at(place)):
                found[by] = path
        return found

    def spared(self) -> frozenset[Span]:
        """The places of the redirections that empty nothing but files that are new, or come back."""
        targets: dict[Span, bool] = {}
        for place in self._places:
            if place.by is None and place.how == "write" and place.span is not None:
                targets[place.span] = targets.get(place.span, True) and self._comes_back(place.path)
        return frozenset(span for span, spared in targets.items() if spared)

    def _lost_at(self, place: Place) -> str:
        """The path of such a file that is overwritten at a place; empty without one."""
        by = place.by

        def lost(path: str) -> bool:
            return self._is_lost(path, by)

        if by is None:
            if self._operators.get((place.span or (-1, -1))[0]) in ADDS:
                return ""
        elif "repository" in by.traits or not _fills(by) or (by.account.tree.points and self._is_source(place)):
            return ""
        if place.found is not None:
            return place.shape if self._below.finds(place, lost) is not False else ""
        if place.brought and (arrives := self._arrivals.first(place, lost, within=True)) != "":
            return arrives or place.path
        slash = "/" * (self._machine.kind(place.path) == "directory")
        shape = f"{place.path}{slash}{SOME}" if place.tree.begins else place.path
        there = [shape] if MARKS.isdisjoint(shape) else self._machine.now(shape, named=True)
        return next(filter(lost, there or ()), "")

    def _is_lost(self, path: str, by: Command | None) -> bool:
        """Whether what is at a path is lost once a command, or a redirection, overwrites it."""
        if self._moved.get(path, by) is not by:
            return True
        if not is_below(path, self._root) or self._machine.kind(path) != "file":
            return False
        return self._undo is not None and self._is_ignored(path) and not self._undoes(path)

    def _comes_back(self, path: str) -> bool:
        if not MARKS.isdisjoint(path) or path in self._moved:
            return False
        return self._machine.kind(path) == "" or self._undoes(path)

    def _undoes(self, path: str) -> bool:
        return self._undo is not None and self._machine.undone(Loss(path), self._undo) in COMES_BACK

    @cached_property
    def _moved(self) -> dict[str, Command | None]:
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
