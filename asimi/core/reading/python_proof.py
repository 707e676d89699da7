"""Whether a text in Python does no more than compute, print and read files that it names by literals.

The proof is over names, not over types. A module is never a value, nor is a class that opens files, nor `open` itself;
so whatever a name of the text holds came out of functions of `python_names`, and only attributes of its list are asked
for. What calls methods by itself (classes, `await`), sets attributes or looks them up by a computed name is no part of
the proof, so there is nothing that a text could smuggle in.
"""

from __future__ import annotations

import _ast
import builtins

from asimi.core.reading.python_names import (
    BARRED,
    BUILTINS,
    METHODS,
    MODULES,
    OPENERS,
    PACKAGES,
    PLAIN,
    TAKEN,
    TEXTS,
    WATCHED,
)
from asimi.core.reading.python_tree import mode_of
from asimi.core.reading.shown import looks_secret
from asimi.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from asimi.core.reading.python_tree import Names

UNBINDABLE = TAKEN | WATCHED | (frozenset(dir(builtins)) - BUILTINS)
"""Names that a text must not bind: elsewhere in it they could still mean what they mean by themselves."""

OPENING = frozenset({"buffering", "encoding", "errors", "mode", "newline"})
"""What `open` may be told beside the file; `opener` is not among it."""

MOST_GIVEN = 6
"""Positional arguments of `open` before `closefd` and `opener`."""

SHOWING = frozenset({"ascii", "len", "list", "print", "repr", "sorted", "str", "pprint.pprint", "pprint.pp"})
"""Functions that show or copy a value that nothing else may have."""

SHOWN = frozenset({"sys.path"})
"""What may only be shown, because whoever has it can change it."""

NAMING = frozenset({"ast", "collections", "collections.namedtuple"})
"""With these a text may give attributes of its own to values, so the name of a method says nothing of its result."""

READING = frozenset({"open", "read_bytes", "read_text"})
"""Methods of a literal path."""


def only_reads(nodes: Sequence[Any], names: Names) -> bool:
    """Whether a tree does no more; `nodes` are all of it, each behind the one that it is in."""
    bound = [*names.bound, *names.imported]
    if not UNBINDABLE.isdisjoint(bound) or any(name.startswith("__") for name in bound):
        return False
    if not names.bound.keys().isdisjoint(names.imported) or "" in names.imported.values():
        return False
    proof = _Proof(names)
    return all(map(proof.holds, nodes))


class _Proof:
    """One proof."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.done: set[int] = set()  # nodes of which the one around them was looked at with them
        self.texts: set[str] = set()  # names of which every value is a text
        self.naming = any(what in NAMING or what.startswith("ast.") for what in names.imported.values())
        modules = {what.partition(".")[0] for what in names.imported.values()}
        self.barred = frozenset[str]().union(*(BARRED.get(module, ()) for module in modules))

    def holds(self, node: Any) -> bool:
        """Whether a node does no harm, given that what is below it does none."""
        kind = type(node).__name__
        if id(node) in self.done or kind in PLAIN:
            return True
        match node:
            case _ast.Name():
                return self._name(node)
            case _ast.Attribute():
                return self._attribute(node)
            case _ast.Call():
                return self._call(node)
            case _ast.Compare():
                self._show([node.left, *node.comparators])
                if isinstance(node.ops[-1], _ast.In | _ast.NotIn):
                    self._take_environment(node.comparators[-1])
                return True
            case _ast.FormattedValue():
                self._show([node.value])
                return True
            case _ast.Subscript():
                if isinstance(node.ctx, _ast.Load) and _is_shown(node.slice):
                    self._take_environment(node.value)
                return True
            case _ast.Import():
                return all(each.name in MODULES or each.name in PACKAGES for each in node.names)
            case _ast.ImportFrom():
                return node.level == 0 and all(self._is_known(f"{node.module}.{each.name}") for each in node.names)
            case _ast.alias():
                return True
        return False

    @staticmethod
    def _is_known(what: str) -> bool:
        """Whether something of a module may be used, in whatever way."""
        module, _, name = what.rpartition(".")
        known = what in MODULES or name in MODULES.get(module, ()) or what in SHOWN
        return known or what in OPENERS or what in {"os.environ", "os.getenv"}

    def _free(self, what: str) -> bool:
        """Whether something may be used as a value."""
        module, _, name = what.rpartition(".")
        return name in MODULES.get(module, ()) and what not in MODULES

    def _name(self, node: Any) -> bool:
        """A name that is used by itself."""
        name = node.id
        if name in self.names.imported:
            return self._free(self.names.imported[name])
        if isinstance(node.ctx, _ast.Load) and name not in self.names.bound:
            return name in BUILTINS or name == "__name__"
        return True

    def _attribute(self, node: Any) -> bool:
        """An attribute that is asked for."""
        if not isinstance(node.ctx, _ast.Load):
            return False
        meaning = self.names.meaning(node)
        if meaning:
            module = next((each for each in _beginnings(meaning) if each in MODULES), None)
            if module is None or module == meaning:
                return False
            first, *others = meaning[len(module) + 1 :].split(".")
            self._take(node)
            return self._free(f"{module}.{first}") and all(
                (module == "sys" and each in METHODS) or self._may_ask(each) for each in others
            )
        if node.attr == "__name__":
            self._show([node.value])
            if isinstance(node.value, _ast.Attribute) and node.value.attr == "__class__":
                self.done.add(id(node.value))
        if node.attr in self.barred & BARRED["pathlib"] and self._is_text(node.value):
            return True
        return self._may_ask(node.attr)

    def _may_ask(self, name: str) -> bool:
        """Whether any value may be asked for an attribute."""
        return name in METHODS and name not in self.barred

    def _is_text(self, node: Any) -> bool:
        """Whether a value is sure to be no path."""
        match node:
            case _ast.Constant() | _ast.JoinedStr() | _ast.List() | _ast.Dict():
                return True
            case _ast.Call(func=_ast.Attribute(value=value, attr="replace")):
                return self._is_text(value)
            case _ast.Call(func=_ast.Attribute(attr=name)):
                return name in TEXTS and not self.naming
            case _ast.Call(func=_ast.Name() as function):
                return self.names.meaning(function) in {"str", "repr"}
            case _ast.Name(id=name) if values := self.names.bound.get(name):
                if name not in self.texts:  # if its other values are texts, so is what is made of these
                    self.texts.add(name)
                    if not all(map(self._is_text, values)):
                        self.texts.clear()
                        return False
                return True
        return False

    def _call(self, node: Any) -> bool:
        """A call of what may not be called in every way; of other calls, the parts say enough."""
        meaning, func = self.names.meaning(node.func), node.func
        if meaning in SHOWING:
            self._show(node.args)
        elif meaning in OPENERS:
            return self._opens(node, node.args)
        elif meaning in {"getattr", "hasattr"}:
            return self._looks_up(node)
        elif meaning in {"os.getenv", "os.environ.get"}:
            return self._take(func) and bool(node.args) and _is_shown(node.args[0])
        elif isinstance(func, _ast.Attribute) and func.attr == "format":
            self.done.add(id(func))
            formats = self.names.literals(func.value)
            return bool(formats) and all(map(_is_plain_format, formats))
        elif isinstance(func, _ast.Attribute) and func.attr in READING and not meaning:
            known = self.names.paths(func.value) and not self.names.literals(func.value)
            return bool(known) and self._opens(node, [func.value, *node.args])
        return True

    def _opens(self, node: Any, given: Sequence[Any]) -> bool:
        """Whether a call opens nothing but literal paths, and only to read; `given` begins with the file."""
        if self.names.meaning(node.func):
            self._take(node.func)
        self.done.add(id(node.func))
        if not 0 < len(given) <= MOST_GIVEN or any(isinstance(each, _ast.Starred) for each in given):
            return False
        if not all(each.arg in OPENING for each in node.keywords):
            return False
        if isinstance(node.func, _ast.Attribute) and node.func.attr in {"read_text", "read_bytes"}:
            return all(each.arg != "mode" for each in node.keywords)
        stdin = isinstance(given[0], _ast.Constant) and given[0].value == 0 and given[0].value is not False
        return mode_of(node, given) == "read" and (stdin or bool(self.names.paths(given[0])))

    def _looks_up(self, node: Any) -> bool:
        """`getattr` and `hasattr` with a literal name, of a value."""
        self.done.add(id(node.func))
        match node.args:
            case [_, _ast.Constant(value=str(name)), *_]:
                return not node.keywords and self._may_ask(name)
        return False

    def _take_environment(self, node: Any) -> None:
        """Let one variable of the environment be read; all of it would be a secret."""
        if self.names.meaning(node) == "os.environ":
            self._take(node)

    def _show(self, nodes: Iterable[Any]) -> None:
        """Let what may only be shown pass where it is."""
        for node in nodes:
            if isinstance(node, _ast.Call) and self.names.meaning(node.func) == "type":
                if len(node.args) == 1 and not node.keywords:
                    self.done.add(id(node.func))
            elif self.names.meaning(node) in SHOWN:
                self._take(node)

    def _take(self, node: Any) -> bool:
        """Count a name with its attributes as looked at."""
        while isinstance(node, _ast.Attribute):
            self.done.add(id(node))
            node = node.value
        self.done.add(id(node))
        return True


def _beginnings(meaning: str) -> Iterable[str]:
    """What a dotted name begins with, the longest first."""
    while meaning:
        yield meaning
        meaning = meaning.rpartition(".")[0]


def _is_shown(node: Any) -> bool:
    """Whether a name of a variable of the environment is known, and not that of a credential."""
    return isinstance(node, _ast.Constant) and isinstance(node.value, str) and not looks_secret(node.value)


def _is_plain_format(text: str) -> bool:
    """Whether a format asks for no attributes (Python documentation, Format String Syntax)."""
    from string import Formatter

    try:
        for _, field, form, _ in Formatter().parse(text):
            if field is not None and ("." in field or not _is_plain_format(form or "")):
                return False
    except ValueError:
        return False
    return True
