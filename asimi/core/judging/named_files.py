"""Which file a word means: a rule that names a path means the file there, by every spelling of it, and no other file.

A relative path in a rule begins at the project root, or at the rule's own directory. What allows must be sure of the
file, and that nobody puts another one there: no command of the same text, and in no place where others, or the agent
without a question, may write. What forbids looks for the file in all that a word may lead to.
"""

from __future__ import annotations

import os.path
from contextlib import nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.call import above, is_below
from asimi.core.judging.known import Temporary
from asimi.core.judging.links import Arrivals, Relocations
from asimi.core.judging.machine import LEXICAL
from asimi.core.judging.paths import Paths, TooManyError, collapse_slashes
from asimi.core.judging.places import Place, Places
from asimi.core.judging.search_candidates import Below
from asimi.core.reading.account import OF_CHANGES, PERMISSION, runs
from asimi.core.reading.shapes import ANY, MARKS, fits

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from asimi.core.budget import Budget
    from asimi.core.call import Request
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.rules import Rule
    from asimi.core.reading import Command, Reading

LOOK = 20
"""Units of work for one word of a rule."""

TELLING = ("/", "./", "../")
"""What a word begins with that is a path, whatever the program."""

PUTS = OF_CHANGES | {"repository"}
"""Roles of places where a file may be another one afterwards."""

OPEN = "{} does not allow {}, where others or the agent may put any file"
"""Why a rule allows nothing in some places."""

GOES_FIRST = frozenset({"env"})
"""Wrappers that look for what they start in the directory to which they go (env(1), `--chdir`)."""


class NamedFiles:
    """The files that words name in one request.

    Args:
        request: what would run.
        reading: what it would do.
        guard: knows this machine; None where nothing does.
        budget: what the looks are paid from.
    """

    def __init__(self, request: Request, reading: Reading, guard: Guard | None, budget: Budget) -> None:
        self._request, self._reading, self._guard, self._budget = request, reading, guard, budget
        self._machine = LEXICAL if guard is None else guard.machine
        self._root = request.place.root
        self._why: dict[Command, str] = {}

    def why(self, command: Command) -> str:
        """Why a rule that names a path does not allow a command that looks like what it allows; empty without one."""
        return self._why.get(command, "")

    def is_file(self, text: str, command: Command, index: int, directory: str | None = None) -> bool:
        """Whether a word of a rule names a file, where a command has another word for it, or the same one.

        Args:
            text: the word of the rule.
            command: the command.
            index: the index of its word.
            directory: where the path begins; None for the project root.
        """
        if index == 0 or text.startswith(TELLING):
            return "/" in text
        if any(each.word == index and each.how for each in command.account.touches):
            return True
        if "/" not in text and not runs(command, index):
            return False
        shell = command.program is not None and command.program.shell
        if shell and index == next((each.at for each in command.arguments if each.option is None), 0):
            return True
        with self._one_look():
            return self._machine.kind(self._real(text, directory)) == "file"

    def surely_names(self, rule: Rule, text: str, command: Command, index: int) -> bool:
        """Whether a word of a command surely is the file that a word of a rule that allows names."""
        start, literal = _start_of(command, index), command.literals[index] or ""
        if literal[:start] != text[:start]:
            return False
        with self._one_look():
            self._budget.spend(LOOK)
            real, why = self._real(text[start:], rule.directory), ""
            if self._real_paths(command, index, start) != {real}:
                why = f"{rule.entry} means {real}"
            elif runs(command, index):
                names = {real, self._lexical_path(text[start:], rule.directory), *self._names(command, index, start)}
                why = self._against(rule, command, real, names)
        if why and os.path.basename(literal) == os.path.basename(text):
            self._why[command] = why
        return not why

    def maybe_names(self, rule: Rule, text: str, command: Command, index: int) -> int:
        """Whether a word of a command is the file that a word of a rule that forbids names.

        Returns:
            0 if it is another one, 1 if only bash can know, 2 if it is, or would be from one of some directories.
        """
        start = _start_of(command, index)
        with self._one_look():
            self._budget.spend(LOOK)
            wanted = {each(text[start:], rule.directory) for each in (self._real, self._lexical_path)}
            found = self._real_paths(command, index, start) | self._real_paths(command, index, start, unlinks=True)
            given = self._may_alias(wanted, found)
        if not found.isdisjoint(wanted):
            return 2
        return max(given, int(any(fits(collapse_slashes(each), name) for each in found for name in wanted)))

    def _may_alias(self, wanted: set[str], found: frozenset[str]) -> int:
        """Whether the text may give a file another name first, by a link, a copy or a move (`maybe_names`)."""
        sources = [each for each in self._places if each.how in {"read", "move"} and each.by is not None]
        makers = {each.by: each.path for each in sources if any(is_below(name, each.path) for name in wanted)}
        made = [each for each in self._places if each.how == "write" and each.by in makers]
        made = [each for each in made if any(is_below(path, each.path) for path in found)]
        return max((2 if makers[each.by] in wanted and each.path in found else 1 for each in made), default=0)

    def rule_words(self, command: Command, words: tuple[str, ...]) -> tuple[str, ...]:
        """The first words of a command as a rule has them that names the same files; none where one is not known."""
        found = list(words)
        for index, text in enumerate(words):
            if not self.is_file(text, command, index):
                continue
            start = _start_of(command, index)
            with self._one_look():
                led, same = self._real_paths(command, index, start), self._real(text[start:], None)
            path = next(iter(led)) if len(led) == 1 else ""
            if path == same:
                continue
            if not path or not MARKS.isdisjoint(path):
                return ()
            if is_below(path, self._root) and path != self._root:
                path = path[len(self._root.rstrip("/")) + 1 :]
                path = path if index or "/" in path else f"./{path}"
            found[index] = text[:start] + path
        return tuple(found)

    def bar_reason(self, rule: Rule, command: Command) -> str:
        """Why a rule never allows one of the files that its words name; empty without one."""
        for index, (alternatives, _) in enumerate(zip(rule.words or (), command.words, strict=False)):
            for text in alternatives:
                if runs(command, index) and self.is_file(text, command, index, rule.directory):
                    with self._one_look():
                        real = self._real(text[_start_of(command, index) :], rule.directory)
                        if self._is_open(real):
                            return OPEN.format(rule.entry, real)
        return ""

    def _is_open(self, real: str) -> bool:
        """Whether others, or the agent without a question, may put any file at a path outside of the project."""
        root, files = self._machine.resolve(self._root), None if self._guard is None else self._guard.files
        free = files is not None and not is_below(real, root) and files.may_write(real)
        return free or Temporary(root, self._machine).holds(real)

    def _against(self, rule: Rule, command: Command, real: str, names: set[str]) -> str:
        """What keeps a rule from allowing the file of these names although it names it; empty for nothing."""
        if self._is_open(real):
            return OPEN.format(rule.entry, real)
        at = [Place(each, "read", command.span, command) for each in names]
        others = [each for each in self._places if each.by is None or each.by.key != command.key]
        if any(self._is_put(names, each) for each in others) or any(map(self._relocations.may_lead_elsewhere, at)):
            return f"this may put another file at {real} first, and {rule.entry} means the one that is there"
        return ""

    @cached_property
    def _paths(self) -> Paths | None:
        try:
            if self._guard is not None:
                return self._guard.paths(self._request, self._reading, self._budget)
            return Paths(self._machine, self._request, self._reading, self._budget)
        except TooManyError:
            return None

    @cached_property
    def _places(self) -> tuple[Place, ...]:
        return () if self._paths is None else Places(self._reading, self._paths).all()

    @cached_property
    def _relocations(self) -> Relocations:
        return Relocations(self._places, self._reading, self._machine, self._budget)

    @cached_property
    def _arrivals(self) -> Arrivals:
        below, temporary = Below(self._machine, self._budget), Temporary(self._root, self._machine)
        return Arrivals(self._places, self._root, self._machine, below, temporary, self._budget)

    def _one_look(self) -> AbstractContextManager[None]:
        return nullcontext() if self._guard is None else self._guard.one_look(self._budget)

    def _lexical_path(self, text: str, directory: str | None) -> str:
        """A path of a rule, links unresolved."""
        return os.path.normpath(os.path.join(directory or self._root, text))

    def _real(self, text: str, directory: str | None) -> str:
        """The real path of what a rule names."""
        path = os.path.join(directory or self._root, text)
        return self._machine.resolve(path) if self._paths is None else self._paths.real(path)

    def _real_paths(self, command: Command, index: int, start: int, *, unlinks: bool = False) -> frozenset[str]:
        """The real paths to which a word may lead; with marks where one is not known."""
        paths = self._paths
        if paths is None:
            return frozenset({ANY})
        bases = (paths.wrapper_directories(command) if command.via in GOES_FIRST else None) or None
        if index == 0:
            return frozenset(paths.program_paths(command, unlinks=unlinks, bases=bases))
        return frozenset(paths.leads(command, index, start, unlinks=unlinks, bases=bases))

    def _names(self, command: Command, index: int, start: int) -> set[str]:
        """The paths of a word, links unresolved."""
        literal, paths = command.literals[index], self._paths
        if literal is None or paths is None:
            return set()
        return {
            self._lexical_path(literal[start:], base)
            for base in paths.at(command) | paths.wrapper_directories(command)
            if base
        }

    def _is_put(self, names: set[str], place: Place) -> bool:
        """Whether what happens at a place may put another file at one of some paths."""
        tree, by = place.tree, place.by
        if place.how not in PUTS or (by is not None and (by.kinds or {"write"}) <= PERMISSION):
            return False
        if not MARKS.isdisjoint(place.shape):
            return any(fits(place.shape, path) for name in names for path in (name, *above(name)))
        if place.path in names and place.how != "repository":
            return True
        git = by is not None and "repository" in by.traits
        if git and tree.links and is_below(place.path, self._machine.resolve(self._root)):
            return True  # its work tree may begin above
        if tree.begins and any(name.startswith(place.path) for name in names):
            return True
        if not any(is_below(name, place.path) for name in names):
            return False
        unnamed = tree.unpacks or (tree.somewhere and not (by is not None and "code" in (by.effects or {"code"})))
        if place.how in {"delete", "move"} or unnamed or (place.how == "repository" and tree.links):
            return True
        return bool(place.brought) and self._arrivals.first(place, names.__contains__, within=True) != ""


def _start_of(command: Command, index: int) -> int:
    """How many characters of a word are before the path in it: an option and its `=`."""
    return max((each.start for each in command.account.touches if each.word == index and index), default=0)
