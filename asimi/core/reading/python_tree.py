"""The syntax tree of a text in Python, and what its names and literals mean.

Names are followed without regard to scopes, but for those that a comprehension or parameters bind: a literal counts as
the value of a name if each place that binds the name in the whole text gives it literals.
"""

from __future__ import annotations

import _ast
import os.path
import warnings
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.reading.commands import File
from asimi.core.reading.python_names import UNBINDABLE
from asimi.core.reading.shapes import ONE, SOME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    from asimi.core.budget import Budget

LONGEST = 16_384
"""Characters of a text that is parsed."""

PER_CHARACTER, PER_NODE = 3, 12
"""What parsing a character costs, and looking at a node of the tree."""

DEEPEST = 12
"""How many steps a name or a computed literal is followed."""

LONGEST_TEXT = 4096
"""Characters of a literal that is made of several."""

MOST_VALUES = 16
"""Values of one name that are followed."""

_WILD = pattern(r"[*?\[]")
_STARS = pattern(r"\*+")
_NAME = pattern(rf"[\w.@+{SOME}{ONE}-]+")
"""A pattern of names that has no class of characters."""

COPYING = frozenset({"list", "reversed", "set", "sorted", "tuple"})
LOOKING = COPYING | {"enumerate", "len", "print"}
"""Builtins that change nothing that they are given, and hand it to nobody."""

PATHS = frozenset(f"pathlib.{name}" for name in "Path PosixPath PurePath PurePosixPath".split())
"""What makes a path of texts."""


def nodes_of(text: str, budget: Budget) -> Sequence[Any]:
    """All nodes of a text, each behind the one that it is in; none where it is not understood.

    No part of the text is run: `compile` only parses it.
    """
    if len(text) > LONGEST:
        return ()
    budget.spend(8 + PER_CHARACTER * len(text))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that mean nothing
            tree = compile(text, "", "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    nodes = [tree]
    for node in nodes:  # grows
        budget.spend(PER_NODE)
        nodes.extend(_below(node))
    if not any(isinstance(node, _ast.Global | _ast.Nonlocal) for node in nodes):
        parts: list[Any] = [node.target for node in nodes if isinstance(node, _ast.comprehension)]
        for each in parts:  # grows
            parts.extend(_below(each))
        apart = {*map(id, parts), *(id(node) for node in nodes if isinstance(node, _ast.arg))}
        shared = {name for node in nodes if id(node) not in apart for name in _names_bound_by(node)}
        for number, node in enumerate(nodes):
            _set_apart(node, number, shared, budget)
    return nodes


def _set_apart(node: Any, number: int, shared: Collection[str], budget: Budget) -> None:
    """Give the parameters of a function, and what a comprehension binds, names of their own: they are seen only there.

    Args:
        node: the function or the comprehension; nothing happens to others.
        number: makes the names.
        shared: names that are bound elsewhere, too; Python 2 gives these what a list is made of.
        budget: what the look at it is paid from.
    """
    match node:
        case (
            _ast.ListComp(generators=parts)
            | _ast.SetComp(generators=parts)
            | _ast.DictComp(generators=parts)
            | (_ast.GeneratorExp(generators=parts))
        ):
            bound: list[Any] = [each.target for each in parts]
            inside = [each for each in _below(node) if each is not parts[0]]
            inside += [parts[0].target, *parts[0].ifs]  # the first iterable is looked at outside of it
        case _ast.FunctionDef(args=given, body=body) | _ast.Lambda(args=given, body=body):
            bound = [
                each for each in _below(given) if isinstance(each, _ast.arg)
            ]  # without defaults, which are outside
            inside = [*bound, *(body if isinstance(body, list) else [body])]
        case _:
            return
    for each in bound:  # grows
        bound.extend(_below(each))
    names = {name for each in bound for name in _names_bound_by(each)} - UNBINDABLE
    if isinstance(node, _ast.ListComp):
        names = {name for name in names if name not in shared and " " not in name}
    for each in inside:  # grows
        budget.spend(PER_NODE)
        inside.extend(_below(each))
        if isinstance(each, _ast.Name) and each.id in names:
            each.id = f"{each.id} {number}"
        elif isinstance(each, _ast.arg) and each.arg in names:
            each.arg = f"{each.arg} {number}"


def _below(node: Any) -> Iterator[Any]:
    """The nodes right below a node."""
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, _ast.AST):
            yield value
        elif isinstance(value, list):
            yield from (each for each in value if isinstance(each, _ast.AST))


class Names:
    """What names mean in a text.

    Attributes:
        imported: what each imported name is; the empty text where that differs.
        bound: the values of each other name that the text binds; None where not all of them are known.
    """

    def __init__(self, nodes: Sequence[Any]) -> None:
        self.imported: dict[str, str] = {}
        self.bound: dict[str, list[Any] | None] = {}
        self._texts: dict[int, tuple[str, ...]] = {}
        self._paths: dict[int, tuple[File, ...]] = {}
        known: set[int] = set()
        self._looking = LOOKING.difference(*map(_names_bound_by, nodes), *map(_names_imported_by, nodes))
        self._handed = _shared_names(nodes, self._looking)
        for node in nodes:
            match node:
                case _ast.Import():
                    for each in node.names:
                        first = each.name.partition(".")[0]
                        self._import(each.asname or first, each.name if each.asname else first)
                case _ast.ImportFrom():
                    for each in node.names:
                        self._import(each.asname or each.name, f"{'.' * node.level}{node.module or ''}.{each.name}")
        for node in nodes:
            match node:
                case _ast.Assign():
                    for target in node.targets:
                        self._bind(target, [node.value], known)
                case _ast.NamedExpr():
                    self._bind(node.target, [node.value], known)
                case _ast.AnnAssign() if node.value is not None:
                    self._bind(node.target, [node.value], known)
                case _ast.For() | _ast.comprehension():
                    self._bind_each(node.target, node.iter, known)
                case _ast.withitem() if node.optional_vars is not None:  # files, archives and databases give themselves
                    self._bind(node.optional_vars, [node.context_expr], known)
        self._bind_parameters(nodes, known)
        for node in nodes:
            for name in _names_bound_by(node) if id(node) not in known else ():
                self.bound[name] = None

    def _bind_parameters(self, nodes: Sequence[Any], known: set[int]) -> None:
        """Take down what the parameters of functions get that are only ever called by their names."""
        bound = [name for node in nodes for name in _names_bound_by(node)]
        calls = [node for node in nodes if isinstance(node, _ast.Call) and isinstance(node.func, _ast.Name)]
        called = {id(call.func) for call in calls}
        handed = {node.id for node in nodes if isinstance(node, _ast.Name) and id(node) not in called}
        for node in nodes:
            match node:
                case _ast.FunctionDef(
                    name=name,
                    args=_ast.arguments(posonlyargs=[], vararg=None, kwonlyargs=[], kwarg=None) as given,
                    decorator_list=[],
                ) if bound.count(name) == 1 and name not in handed and name not in self.imported:
                    defaults = [None] * (len(given.args) - len(given.defaults)) + given.defaults
                    own = [each for each in calls if isinstance(each.func, _ast.Name) and each.func.id == name]
                    for at, (parameter, default) in enumerate(zip(given.args, defaults, strict=True)):
                        values = [_argument(each, at, parameter.arg, default) for each in own]
                        if values and None not in values:
                            known.add(id(parameter))
                            self._bind(_ast.Name(parameter.arg), values, known)

    def _import(self, name: str, what: str) -> None:
        self.imported[name] = what if self.imported.get(name, what) == what else ""

    def _bind(self, target: Any, values: Sequence[Any], known: set[int]) -> None:
        """Take down what a name gets; each of several names gets any one of the elements. All else stays unknown."""
        if isinstance(target, _ast.Name):
            known.add(id(target))
            found = self.bound.setdefault(target.id, [])
            if found is not None:
                found.extend(values)
        elif isinstance(target, _ast.Tuple):
            for each in target.elts:
                self._bind(each, [_ast.Starred(value) for value in values], known)

    def _bind_each(self, target: Any, values: Any, known: set[int]) -> None:
        """Take down what a name gets in a loop: each of some values."""
        match target, values:
            case _, _ast.List(elts=elements) | _ast.Tuple(elts=elements):
                self._bind(target, elements, known)
            case _ast.Tuple(elts=[above, inside, names]), _ast.Call() if self.qualified_name(values.func) == "os.walk":
                self._bind(above, [_ast.Starred(values)], known)
                self._bind(inside, [_ANY_NAMES], known)
                self._bind(names, [_ANY_NAMES], known)
            case _ast.Tuple(elts=[_, each]), _ast.Call(func=_ast.Name(id="enumerate" as name), args=[first, *_]) if (
                name in self._looking
            ):
                self._bind(each, [_ast.Starred(first)], known)
            case _:
                self._bind(target, [_ast.Starred(values)], known)

    def qualified_name(self, node: Any) -> str:
        """The function, module or other thing of a module that an expression surely is, `os.path.join`; or empty."""
        parts: list[str] = []
        while isinstance(node, _ast.Attribute) and len(parts) < DEEPEST:
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, _ast.Name) or node.id in self.bound:
            return ""
        root = self.imported.get(node.id, "" if parts else node.id)
        return ".".join((root, *reversed(parts))) if root else ""

    def guess(self, node: Any) -> str:
        """The same where it need not be sure: at least the last name."""
        if isinstance(node, _ast.Call) and node.args:
            module = "".join(self.literals(node.args[0])[:1])
            if self.guess(node.func).rpartition(".")[2] in {"__import__", "import_module"} and module:
                return module
            if isinstance(node.func, _ast.Name) and node.func.id == "getattr" and len(node.args) > 1:
                return f"{self.guess(node.args[0])}.{''.join(self.literals(node.args[1])[:1])}"
            return ""
        if isinstance(node, _ast.Attribute):
            return self.qualified_name(node) or (
                f"{self.guess(node.value) if isinstance(node.value, _ast.Call) else ''}.{node.attr}"
            )
        return self.qualified_name(node) or (node.id if isinstance(node, _ast.Name) else "")

    def literals(self, node: Any, depth: int = 0) -> tuple[str, ...]:
        """The texts that an expression may be; none where not all of them are known."""
        known = self._texts.get(id(node))
        if known is None:
            self._texts[id(node)] = ()  # of one that holds itself nothing is known
            found = self._literals(node, depth) if depth <= DEEPEST else ()
            known = self._texts[id(node)] = found if sum(map(len, found)) <= LONGEST_TEXT else ()
        return known

    def _literals(self, node: Any, depth: int) -> tuple[str, ...]:
        match node:
            case _ast.Constant(value=str(text)):
                return (text,)
            case _ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.literals(value, depth + 1)
            case _ast.JoinedStr(values=values):
                found = [self.literals(each, depth + 1) for each in values]
            case _ast.BinOp(left=left, op=_ast.Add(), right=right):
                found = [self.literals(left, depth + 1), self.literals(right, depth + 1)]
            case _ast.Name(id=name):
                found = [self.literals(each, depth + 1) for each in self._values(name)]
                return tuple(text for texts in found for text in texts) if all(found) else ()
            case _:
                return ()
        both: tuple[str, ...] = ("",)
        for texts in found:
            both = tuple(one + other for one in both for other in texts)
            if not 0 < len(both) <= MOST_VALUES:
                return ()
        return both

    def _values(self, name: str) -> Sequence[Any]:
        """What a name is bound to, where it is followed."""
        values = self.bound.get(name) or ()
        return values if len(values) <= MOST_VALUES and name not in self.imported else ()

    def paths(self, node: Any, depth: int = 0) -> tuple[File, ...]:
        """The paths that an expression may be; none where not all of them are known."""
        known = self._paths.get(id(node))
        if known is None:
            self._paths[id(node)] = ()
            found = self._found_paths(node, depth) if depth <= DEEPEST else ()
            known = self._paths[id(node)] = found if len(found) <= MOST_VALUES else ()
        return known

    def _found_paths(self, node: Any, depth: int) -> tuple[File, ...]:
        if texts := self.literals(node, depth):
            return tuple(map(File, texts))
        match node:
            case _ast.Name(id=name):
                found = [self.paths(each, depth + 1) for each in self._values(name)]
                return tuple(path for paths in found for path in paths) if all(found) else ()
            case _ast.BinOp(left=left, op=_ast.Div(), right=right):
                return self._join_paths([left, right], depth)
            case _ast.Call(keywords=[]):
                return self._call_paths(node, depth)
            case _ast.Starred(value=value) | _ast.Subscript(value=_ast.Call() as value):
                return self._each(value, depth + 1)
            case _ast.Constant(value=value) if value is ...:
                return (_ANY_NAME,)
        return ()

    def _each(self, node: Any, depth: int) -> tuple[File, ...]:
        """The paths that the elements of an expression may be."""
        if depth > DEEPEST:
            return ()
        match node:
            case _ast.Name(id=name) if name not in self._handed:
                found = [self._each(each, depth + 1) for each in self._values(name)]
            case _ast.List(elts=elements) | _ast.Tuple(elts=elements):
                found = [self._path_or_each(each, depth + 1) for each in elements]
            case _ast.Dict(keys=keys, values=values):
                found = [self._path_or_each(each, depth + 1) for each in (*keys, *values)]
            case (
                _ast.Starred(value=held)
                | _ast.Subscript(value=held, slice=_ast.Slice())
                | _ast.Call(func=_ast.Attribute(value=held, attr="items" | "values"), args=[])
            ):
                found = [self._each(held, depth + 1)]
            case _ast.ListComp(elt=element) | _ast.GeneratorExp(elt=element) | _ast.SetComp(elt=element):
                found = [self.paths(element, depth + 1)]
            case _ast.BinOp(left=left, op=_ast.Add(), right=right):
                found = [self._each(left, depth + 1), self._each(right, depth + 1)]
            case _ast.Call(args=[first, *_]) if self.qualified_name(node.func) in COPYING:
                found = [self._each(first, depth + 1)]
            case _ast.Call() if self.qualified_name(node.func) == "os.listdir":
                return (_ANY_NAME,)
            case _ast.Call(args=[start]) if self.qualified_name(node.func) == "os.walk":
                return _any_below(self.paths(start, depth + 1))
            case _ast.Call(func=_ast.Attribute(value=start, attr="iterdir"), args=[]):
                return _any_below(self.paths(start, depth + 1))
            case _ast.Call(args=[text]):
                return self._glob_paths(node, text, depth)
            case _:
                return ()
        return tuple(path for paths in found for path in paths) if all(found) else ()

    def _path_or_each(self, node: Any, depth: int) -> tuple[File, ...]:
        """The paths that an element may be, or hold, as a pair in a list does; a list there may get another name."""
        return self.paths(node, depth) or (self._each(node, depth) if isinstance(node, _ast.Tuple) else ())

    def _glob_paths(self, call: Any, text: Any, depth: int) -> tuple[File, ...]:
        """What `glob.glob`, and `glob` and `rglob` of a path, find by literal patterns (Python documentation)."""
        starts: tuple[File, ...] = (File(""),)
        if self.qualified_name(call.func) in {"glob.glob", "glob.iglob"}:
            if any(each.arg not in {"recursive", "include_hidden"} for each in call.keywords):
                return ()
        elif isinstance(call.func, _ast.Attribute) and call.func.attr in {"glob", "rglob"} and not call.keywords:
            starts = self.paths(call.func.value, depth + 1)
        else:
            return ()
        found = [_file_of_glob(start, each) for start in starts for each in self.literals(text, depth + 1)]
        return tuple(file for file in found if file is not None) if None not in found else ()

    def _call_paths(self, node: Any, depth: int) -> tuple[File, ...]:
        """The paths that a call gives."""
        meaning = self.qualified_name(node.func)
        if meaning in {"pathlib.Path.cwd", "os.getcwd"}:
            return (File("."),)
        if meaning == "pathlib.Path.home":
            return (File("", home=True),)
        if meaning in PATHS or meaning == "os.path.join":
            return self._join_paths(node.args, depth) if node.args else (File("."),) * (meaning in PATHS)
        if meaning in {"str", "os.fspath", "os.path.abspath", "os.path.realpath"} and len(node.args) == 1:
            return self.paths(node.args[0], depth + 1)
        if meaning == "os.path.expanduser" and len(node.args) == 1:
            return _expand_home(self.paths(node.args[0], depth + 1))
        if not isinstance(node.func, _ast.Attribute) or self.literals(node.func.value, depth):
            return ()
        if node.func.attr == "joinpath":
            return self._join_paths([node.func.value, *node.args], depth)
        if node.func.attr in {"absolute", "resolve", "expanduser"} and not node.args:
            found = self.paths(node.func.value, depth + 1)
            return _expand_home(found) if node.func.attr == "expanduser" else found
        return ()

    def _join_paths(self, parts: Sequence[Any], depth: int) -> tuple[File, ...]:
        """The paths that parts make."""
        if len(parts) == 1:
            return self.paths(parts[0], depth + 1)
        found: list[File] = [File("")]
        for part in parts[:MOST_VALUES]:
            others = self.paths(part, depth + 1)
            if len(found) * len(others) > MOST_VALUES or any(other.found for other in others):
                return ()
            if any(one.found == "" for one in found) and any(".." in other.path.split("/") for other in others):
                return ()
            found = [_behind(one, other) for one in found for other in others]
        return tuple(found) if len(parts) <= MOST_VALUES else ()


def _argument(call: Any, at: int, name: str, default: Any) -> Any:
    """What a call gives a parameter; None where that is not known."""
    named = {each.arg: each.value for each in call.keywords}
    if None in named or any(isinstance(each, _ast.Starred) for each in call.args):
        return None
    return call.args[at] if at < len(call.args) else named.get(name.partition(" ")[0], default)


def _shared_names(nodes: Sequence[Any], looking: Collection[str]) -> set[str]:
    """The names whose values may be changed: others have them, too, or they are used elsewhere than in loops.

    Args:
        nodes: all nodes of a text.
        looking: the builtins that mean themselves in it and change nothing that they are given.
    """
    looked: set[int] = set()
    shared: set[str] = set()
    for node in nodes:
        match node:
            case _ast.For(iter=_ast.Call(func=_ast.Attribute(value=held, attr="items" | "values"))):
                looked.add(id(held))
            case _ast.For() | _ast.comprehension():
                looked.update(map(id, _lists_of(node.iter)))
            case _ast.Call(func=_ast.Name(id=name), args=arguments) if name in looking:
                looked.update(map(id, arguments))
            case _ast.Assign(targets=[_, _, *_] as targets):
                shared.update(name for target in targets for name in _names_bound_by(target))
    return shared | {
        node.id
        for node in nodes
        if isinstance(node, _ast.Name) and isinstance(node.ctx, _ast.Load) and id(node) not in looked
    }


def _lists_of(node: Any) -> Sequence[Any]:
    """The lists of which a list has its elements: itself, what it is a slice of, and what is put together in it."""
    if isinstance(node, _ast.BinOp):
        return [*_lists_of(node.left), *_lists_of(node.right)]
    sliced = isinstance(node, _ast.Subscript) and isinstance(node.slice, _ast.Slice)
    return [node, *(_lists_of(node.value) if sliced else ())]


def _file_of_glob(start: File, pattern: str) -> File | None:
    """What a pattern finds from a directory: names like its last part anywhere below; None where it may be any."""
    parts = [part for part in pattern.split("/") if part]
    first = next((at for at, part in enumerate(parts) if _WILD.search(part)), len(parts) - 1)
    name = _STARS.sub(SOME, parts[-1]).replace("?", ONE) if parts else ""
    if ".." in parts[first:] or not _NAME.fullmatch(name) or start.found is not None:
        return None
    name = name if name.strip(f".{SOME}{ONE}") else ""  # any
    above = "/".join(["", *parts[:first]] if pattern[:1] == "/" else parts[:first])
    return start._replace(path=os.path.join(start.path, above) or ".", found=name)


_ANY_NAME = File("", found="")
_ANY_NAMES = _ast.List([_ast.Constant(...)], _ast.Load())
"""Names in a directory, which may be any and have no `/`, and what stands for a list of such."""


def _any_below(starts: Sequence[File]) -> tuple[File, ...]:
    """What is found by any name below some directories; none where one of these is not known."""
    return tuple(each._replace(found="") for each in starts) if all(not each.found for each in starts) else ()


def _behind(one: File, other: File) -> File:
    """A path behind another one, where what is found by any name is below its directory, whatever is behind it."""
    if other.home or other.path[:1] == "/":
        return other
    if one.found == "":
        return one
    return one._replace(path=os.path.join(one.path, other.path), found=other.found)


def _expand_home(files: Sequence[File]) -> tuple[File, ...]:
    """Paths of which `~` is the home directory; none where one begins with that of another user."""
    if any(file.found is not None or (file.path[:1] == "~" and file.path[1:2] not in {"", "/"}) for file in files):
        return ()
    return tuple(File(file.path[2:], home=True) if file.path[:1] == "~" else file for file in files)


def _names_imported_by(node: Any) -> Sequence[str]:
    """The names that an import binds."""
    imports = isinstance(node, _ast.Import | _ast.ImportFrom)
    return [each.asname or each.name for each in node.names] if imports else ()


def _names_bound_by(node: Any) -> Sequence[str]:
    """The names that a node binds by itself, other than by an import."""
    match node:
        case _ast.Name(id=name, ctx=_ast.Store() | _ast.Del()):
            return (name,)
        case _ast.arg(arg=name):
            return (name,)
        case _ast.FunctionDef() | _ast.AsyncFunctionDef() | _ast.ClassDef():
            return (node.name,)
        case _ast.ExceptHandler() | _ast.MatchAs() | _ast.MatchStar() if node.name:
            return (node.name,)
        case _ast.MatchMapping(rest=str(name)):
            return (name,)
    return ()


def mode_of(call: Any, given: Sequence[Any]) -> str:
    """What becomes of a file that is opened: `read` or `write`; empty where the mode is not literal.

    Args:
        call: the call.
        given: the file, and the positional arguments behind it.
    """
    modes = [*given[1:2], *(each.value for each in call.keywords if each.arg in {"mode", None})]
    if not modes:
        return "read"
    if len(modes) > 1 or not isinstance(modes[0], _ast.Constant) or not isinstance(modes[0].value, str):
        return ""
    return "read" if set(modes[0].value) <= set("rbtU") or modes[0].value[:2] in {"r:", "r|"} else "write"
