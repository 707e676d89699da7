"""Which variables carry the value of a credential through a text, and which commands show one.

A value is carried by what the text assigns from it, by the arguments of functions and by `set --`. It is shown by
`echo`, by a text on a command's input, by a program that only reads and may say its words again in an error, by
arithmetic, which names what it cannot read, and by every command where bash traces them (bash manual, The Set Builtin).
"""

from __future__ import annotations

import re

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.reading.account import READ
from asimi.core.reading.landing import ARITHMETIC, DECLARES
from asimi.core.reading.prints import looks_secret, shows_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Span
    from asimi.core.reading.commands import Command, Reading
    from asimi.core.syntax.nodes import Binding, Node, Script

_EXPANDS = pattern(r"\$(?:\{(!?)([A-Za-z_]\w*+|[0-9]++|[@*])(?![\w+]|:\+)|()([A-Za-z_]\w*+|[0-9@*]))", re.ASCII)
"""A variable whose value bash puts into a word, behind `!` by its name; neither its length nor another text for it."""

_NAMES = pattern(r"(?:\*|@|\[[@*]\])\}")
"""What follows `${!x` where it stands for names or keys (bash manual, Shell Parameter Expansion)."""

_AS_ENVIRONMENT = pattern(r"[A-Z_][A-Z0-9_]*+")
_PLACE = pattern(r".*_(?:FILE|PATH|DIR|SOCK)")
"""Names of variables that say where something is, and hold nothing else."""

_SILENT = DECLARES | {":", "true", "false", "set", "unset", "shift"}
"""Builtins that say nothing of the values of their words."""

_TESTS = frozenset({"[", "test"})
_SHELLS = frozenset({"bash", "dash", "ksh", "sh", "zsh"})
_LAST = "_"
_ARGUMENTS = "@"
"""What stands for all of the arguments of a shell or a function."""


class Carried:
    """The variables of a text that may hold a credential.

    Args:
        reading: the text.
        hides: says whether a variable of the environment holds a secret by its form.
        budget: pays for it.
    """

    def __init__(self, reading: Reading, hides: Callable[[str], bool], budget: Budget) -> None:
        self._reading, self._hides, self._budget = reading, hides, budget
        wheres = {id(each.where.script): each.where for each in reading.commands}
        self._scripts = [(each.script, each) for each in wheres.values() if each.script is not None]
        self._names: set[str] = set()
        if any("$" in script.text for script, _ in self._scripts):
            self._names = self._carried()

    def shown(self) -> Iterator[Span]:
        """The places that show the environment or a credential in it."""
        for command in self._reading.commands:
            if not command.possible and (shows_environment(command, self._is_named) or self._shows(command)):
                yield command.span
        traced = any(map(_traces, self._reading.commands))
        for script, where in self._scripts:
            shown: list[Node] = [each for each in script.evaluations if any(map(self._is_unread, each.names))]
            shown += [each for each in _inputs(script) if self._expands(script.text[each.start : each.end])]
            if traced and self._expands(script.text):
                shown += script.commands
            yield from map(where.span, shown)

    def _is_named(self, name: str | None) -> bool:
        return looks_secret(name) or self._is_secret(name)

    def _is_unread(self, name: str) -> bool:
        """Whether arithmetic would name the value of a variable, which is no number."""
        return name not in self._reading.variables and self._is_secret(name)

    def _shows(self, command: Command) -> bool:
        """Whether a command may print a word that holds a credential."""
        if command.name in _SILENT or command.defined:
            return False
        if command.name in _TESTS:
            if ARITHMETIC.isdisjoint(command.literals):
                return False
        elif not command.has("echoes"):
            does = command.effects
            if does is None or not does <= READ:
                return False
        return self._expands_in(command)

    def _expands_in(self, command: Command) -> bool:
        return any(word.literal is None and self._expands(command.written(word)) for word in command.words[1:])

    def _expands(self, text: str) -> bool:
        """Whether a text holds the value of a credential when bash has expanded it."""
        self._budget.spend(1 + len(text) // 32)
        return any(map(self._is_secret, _expanded(text, self._reading)))

    def _is_secret(self, name: str | None) -> bool:
        """Whether a variable is or carries a credential, or nobody knows which it is."""
        if name is None or name in self._names:
            return True
        if _AS_ENVIRONMENT.fullmatch(name) is None or _PLACE.fullmatch(name) is not None:
            return False
        return looks_secret(name.replace("AUTHOR", "")) or (name not in self._reading.variables and self._hides(name))

    def _carried(self) -> set[str]:
        """The variables that get a credential, from whatever they get it; where in the text makes no difference."""
        leads: dict[str | None, set[str]] = {}
        for script, _ in self._scripts:
            for binding in script.bindings:
                for name in _given(binding, script, self._reading):
                    leads.setdefault(name, set()).add(binding.name)
        for command in self._reading.commands:
            for word in command.words[1:]:
                for name in _expanded(command.written(word), self._reading) if word.literal is None else ():
                    leads.setdefault(name, set()).add(_LAST)
                    if command.defined or command.name == "set":
                        leads[name].add(_ARGUMENTS)
                    elif command.name in DECLARES:
                        leads[name].add(command.written(word).partition("=")[0].rstrip("+"))
        found: set[str] = set()
        left = [target for name, targets in leads.items() if self._is_secret(name) for target in targets]
        while left:
            name = left.pop()
            if name not in found:
                self._budget.spend(1)
                found.add(name)
                left += leads.get(name, ())
        return found


def _inputs(script: Script) -> Iterator[Node]:
    """The texts that commands are given on their input, or are printed for a person to choose from."""
    for each in script.redirections:
        if each.operator == "<<<" and each.target.literal is None:
            yield each.target
        elif each.heredoc is not None and each.heredoc.literal is None:
            yield each.heredoc
    for binding in script.bindings:
        if binding.how == "select":  # its menu is printed
            yield from binding.values


def _given(binding: Binding, script: Script, reading: Reading) -> Iterator[str | None]:
    for word in binding.values:
        if word.literal is None:
            yield from _expanded(script.text[word.start : word.end], reading)


def _expanded(text: str, reading: Reading) -> Iterator[str | None]:
    """The variables whose values a text holds, `@` for any argument of a function; None for one that nobody knows."""
    for match in _EXPANDS.finditer(text):
        name = match[2] or match[4]
        if name[0] in "0123456789@*":
            yield _ARGUMENTS
        elif not match[1]:
            yield name
        elif _NAMES.match(text, match.end()) is None:
            given, sure = reading.variables.all_of(name)
            if not given or not sure:
                yield None
            yield from (value for each in given for value in each.values or ())


def _traces(command: Command) -> bool:
    """Whether a command makes bash print what it runs."""
    words: Sequence[str | None] = command.literals[1:]
    if command.name != "set" and command.name not in _SHELLS:
        return False
    return "xtrace" in words or any(
        word is not None and word[:1] == "-" and word[:2] != "--" and "x" in word and "c" not in word[: word.find("x")]
        for word in words
    )
