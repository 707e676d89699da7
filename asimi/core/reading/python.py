"""A program text in Python: what it starts, which files it names by literals, and whether it does no more than read."""

from __future__ import annotations

import _ast
import builtins
from typing import TYPE_CHECKING

from asimi.core.reading.commands import Inline
from asimi.core.reading.python_names import (
    BARRED,
    BUILTINS,
    KNOWN_METHODS,
    MODULES,
    OPENERS,
    PACKAGES,
    PLAIN,
    TAKEN,
    TEXTS,
    WATCHED,
)
from asimi.core.reading.python_tree import DEEPEST, Names, mode_of, nodes_of
from asimi.core.reading.shown import looks_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from asimi.core.budget import Budget
    from asimi.core.reading.commands import File, Words

STARTERS = frozenset(
    "Popen call check_call check_output create_subprocess_exec create_subprocess_shell getoutput getstatusoutput popen "
    "popen2 popen3 popen4 run spawn startfile system".split()
)
"""Functions whose first argument is a shell's text or a command (subprocess, os, pty, asyncio, commands)."""

REPLACING = {
    **dict.fromkeys("execl execle execlp execlpe execv execve execvp execvpe posix_spawn posix_spawnp".split(), 0),
    **dict.fromkeys("spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe".split(), 1),
}
"""Functions of os that get a program and its arguments, with the place of the program; the first argument is a name."""

FUNCTIONS = {
    name: roles.split()
    for roles, names in {
        "read": "getline getlines run_path readlink xml.etree.ElementTree.parse",
        "look": "os.listdir os.scandir os.walk os.stat os.lstat os.access glob.glob glob.iglob os.path.exists "
        "os.path.isdir os.path.isfile os.path.getsize os.path.getmtime",
        "write": "os.mkdir makedirs mknod mkfifo os.truncate os.chmod os.chown shutil.chown os.utime",
        "delete": "os.remove rmtree removedirs rmdir unlink",
        "move write": "os.rename renames os.replace shutil.move",
        "read write": "os.link os.symlink shutil.copy copy2 copyfile copytree unpack_archive",
        "mode": "open ZipFile",
    }.items()
    for name in names.split()
}
"""What becomes of the files that are the first arguments of functions; those without a module are known by the name."""

METHODS = {
    name: roles.split()
    for roles, names in {
        "read": "read_bytes read_text",
        "look": "exists glob is_dir is_file iterdir lstat rglob stat walk",
        "write": "chmod hardlink_to mkdir symlink_to touch write_bytes write_text",
        "delete": "rmdir unlink",
        "move write": "rename replace",
        "read write": "copy",
        "mode": "open",
    }.items()
    for name in names.split()
}
"""The same of the methods of a path: what becomes of it, and of the first argument."""


def read(text: str, budget: Budget) -> Inline | None:
    """What a text does; None where it is not understood.

    Args:
        text: the text.
        budget: what the look at it is paid from.
    """
    nodes = nodes_of(text, budget)
    if not nodes:
        return None
    names = Names(nodes)
    calls = [node for node in nodes if isinstance(node, _ast.Call)]
    starts = tuple(start for call in calls for start in _starts(call, names))
    files = tuple(dict.fromkeys(file for call in calls for file in _files(call, names)))
    return Inline(starts, files, only_reads(nodes, names))


def _starts(call: Any, names: Names) -> Iterator[str | Words]:
    """What a call may start."""
    name = names.guess(call.func).rpartition(".")[2]
    arguments = [*call.args, *(each.value for each in call.keywords if each.arg in {"args", "cmd", "command"})]
    if name in STARTERS and arguments:
        if name == "create_subprocess_exec" or (name == "spawn" and len(arguments) > 1):
            yield _words(arguments, names)
        elif isinstance(arguments[0], _ast.List | _ast.Tuple):
            yield _words(arguments[0].elts, names)
        else:
            yield _shell_text(arguments[0], names)
    elif name in REPLACING and len(arguments) > REPLACING[name] + 1:
        program, *rest = arguments[REPLACING[name] :]
        given = rest[0].elts if isinstance(rest[0], _ast.List | _ast.Tuple) else rest
        yield _words([program, *given[1:]], names)


def _words(nodes: Sequence[Any], names: Names) -> Words:
    """The words of a command."""
    words: list[str | None] = []
    for node in nodes:
        if names.meaning(node) == "sys.executable":
            words.append("python3")
        else:
            texts = names.literals(node)
            words.append(texts[0] if len(texts) == 1 else None)
    return tuple(words)


def _shell_text(node: Any, names: Names, depth: int = 0) -> str:
    """A text for a shell, with a variable for each part that is not known."""
    if depth > DEEPEST:
        return "$x"
    if texts := names.literals(node):
        return "\n".join(texts)
    match node:
        case _ast.JoinedStr(values=values):
            return "".join(_shell_text(each, names, depth + 1) for each in values)
        case _ast.BinOp(left=left, op=_ast.Add(), right=right):
            return _shell_text(left, names, depth + 1) + _shell_text(right, names, depth + 1)
        case _ast.BinOp(left=left, op=_ast.Mod()):
            return _shell_text(left, names, depth + 1)
        case _ast.Call(func=_ast.Attribute(value=value, attr="format" | "split" | "strip" | "encode")) if (
            names.literals(value)
        ):
            return _shell_text(value, names, depth + 1)
        case _ast.Call(args=[first, *_]) if names.guess(node.func) == "shlex.split":
            return _shell_text(first, names, depth + 1)
    return "$x"


def _files(call: Any, names: Names) -> Iterator[File]:
    """The files that a call names."""
    func, given = call.func, call.args
    if isinstance(func, _ast.Attribute) and not names.literals(func.value) and names.paths(func.value):
        roles, given = METHODS.get(func.attr, []), [func.value, *given]
    else:
        guessed = names.guess(func)
        roles = FUNCTIONS.get(guessed) or FUNCTIONS.get(guessed.rpartition(".")[2], [])
    for role, node in zip(roles, given, strict=False):
        for file in names.paths(node):
            yield file._replace(how=mode_of(call, given) if role == "mode" else role)


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
                (module == "sys" and each in KNOWN_METHODS) or self._may_ask(each) for each in others
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
        return name in KNOWN_METHODS and name not in self.barred

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
