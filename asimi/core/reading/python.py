"""A program text in Python: what it starts, what it names, and whether it only reads and writes files that it names."""

from __future__ import annotations

import _ast
from itertools import product, takewhile
from math import prod
from re import IGNORECASE
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of
from asimi.core.pattern import pattern
from asimi.core.reading.commands import File, Inline
from asimi.core.reading.disclosures import looks_secret
from asimi.core.reading.python_names import (
    BARRED,
    BUILTINS,
    FILERS,
    KNOWN_METHODS,
    LOOKED_AT,
    MODULES,
    OPENERS,
    PACKAGES,
    PLAIN,
    TEXT_MAKERS,
    TEXTS,
    UNBINDABLE,
)
from asimi.core.reading.python_tree import DEEPEST, Names, mode_of, nodes_of
from asimi.core.reading.shapes import ANY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    from asimi.core.budget import Budget
    from asimi.core.reading.commands import Words

_FACTS = facts_of(__package__, "python_files")


def _by_name(lines: list[str]) -> dict[str, str]:
    """What a list whose lines are `WHAT IS SAID: NAMES` says of each name."""
    return {name: said for said, _, names in (line.partition(":") for line in lines) for name in names.split()}


STARTERS = names_of(_FACTS["starters"])
"""Functions whose first argument is a shell's text or a command."""

REPLACING = {name: int(place) for name, place in _by_name(_FACTS["replacing"]).items()}
"""Functions of os that get a program and its arguments, with the place of the program; the first argument is a name."""

FUNCTIONS = {name: roles.split() for name, roles in _by_name(_FACTS["functions"]).items()}
"""What becomes of the files that are the first arguments of functions; those without a module are known by the name."""

METHODS = {name: roles.split() for name, roles in _by_name(_FACTS["methods"]).items()}
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
    proof = proof_of(nodes, names)
    asked = proof.files if proof is not None else ()
    files = tuple(dict.fromkeys([*(file for call in calls for file in _files(call, names)), *asked]))
    if proof is None:
        return Inline(starts, files)
    runs = tuple(proof.runs) * (2 if len(proof.runs) > 1 else 1)  # a loop or a function may begin again
    return Inline(starts, files, reads=True, writes=proof.writes, libraries=proof.libraries, runs=runs)


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
        if names.qualified_name(node) == "sys.executable":
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
            if role == "open":
                yield from _database_file(file)
            else:
                yield file._replace(how=mode_of(call, given) if role == "mode" else role)
    if (
        names.qualified_name(func) in {"shutil.copy", "shutil.copy2"} and len(given) > 1
    ):  # into a directory, it keeps its name
        for file in names.paths(given[0]):
            name = file.path.rpartition("/")[2]
            yield from (to._replace(path=f"{to.path}/{name}", how="write") for to in names.paths(given[1]))


def _database_file(file: File) -> Iterator[File]:
    """A database by its path or URI, which is made where it is not there (sqlite.org/uri.html)."""
    uri = _READ_ONLY.fullmatch(file.path)
    if file.path != ":memory:":
        yield file._replace(path=uri[1] if uri else file.path, how="read" if uri else "open")


OPENING = frozenset({"buffering", "encoding", "errors", "mode", "newline"})
"""What `open` may be told beside the file; `opener` is not among it."""

MOST_GIVEN = 6
"""Positional arguments of `open` before `closefd` and `opener`."""

SHOWING = frozenset({"ascii", "len", "list", "print", "repr", "sorted", "str", "pprint.pprint", "pprint.pp"})
"""Functions that show or copy a value that nothing else may have."""

SHOWN = frozenset({"sys.path"})
"""What may only be shown, because whoever has it can change it."""

NAMING = frozenset({"ast", "collections", "collections.namedtuple", "json.JSONDecoder"})
"""With these a text may make attributes or results of its own, so the name of a method says nothing of its result."""

READING = frozenset({"open", "read_bytes", "read_text"})
WRITING = {
    **dict.fromkeys(("write_bytes", "write_text"), frozenset({"data", "encoding", "errors", "newline"})),
    **dict.fromkeys(("mkdir", "touch"), frozenset({"exist_ok", "parents"})),
}
"""Methods of a literal path, and the settings of those that write."""

REWRITERS = frozenset("open io.open bz2.open gzip.open lzma.open".split())
"""Openers that may also open to write."""

STREAMS = frozenset({"sys.stderr", "sys.stdin", "sys.stdin.buffer", "sys.stdout", "sys.stdout.buffer"})
MEMORY = frozenset({"io.BytesIO", "io.StringIO"})
"""Files of which the place is known, and what makes files in memory."""

STORED = frozenset({"optionxform", "row_factory", "text_factory"})
"""Attributes that hold a function, which may be another known one (configparser, sqlite3)."""

LOGGED = frozenset({"datefmt", "force", "format", "level", "stream"})
"""Settings of `logging.basicConfig` that name no file."""

RUNNING = frozenset(
    "bufsize capture_output check encoding errors input shell stderr stdin stdout text timeout "
    "universal_newlines".split()
)
"""Settings of a command that `subprocess` starts which leave its words, its directory and its environment."""

MOST_WAYS = 8
"""Commands that one call may start."""

RENAMED = frozenset({"axis", "columns", "copy", "index", "inplace"})
"""Settings of `rename` in pandas, of which no path has one."""

MOST_PIVOTED = 3
"""Arguments by place of `pivot_table` and `crosstab` before what is to be called, or fewer."""

TOLD = frozenset({"__file__", "__name__", "__version__"})
"""What a module that is loaded by its name may be asked for."""

_READ_ONLY = pattern(r"file:(?://(?=/))?([^?#%]*)\?(?:immutable=1&)?mode=ro(?:&immutable=1)?")
_SELECTS = pattern(
    r"\s*(?:(?:explain\s+query\s+plan\s+)?select\b|pragma\s+(?:foreign_key_check|foreign_key_list|index_info|"
    r"index_list|index_xinfo|table_info|table_xinfo)\s*\()",
    IGNORECASE,
)
"""How a text begins that is one question, whatever follows: `execute` runs no second statement."""


def proof_of(nodes: Sequence[Any], names: Names) -> _Proof | None:
    """The proof that a tree does no more than compute, print, read and write literal files; None where it fails.

    `nodes` are all of it, each behind the one that it is in.
    """
    bound = [*names.bound, *names.imported]
    if not UNBINDABLE.isdisjoint(bound) or any(name.startswith("__") for name in bound):
        return None
    if not names.bound.keys().isdisjoint(names.imported) or "" in names.imported.values():
        return None
    proof = _Proof(names, nodes)
    return proof if all(map(proof.holds, nodes)) else None


class _Proof:
    """One proof.

    Attributes:
        writes: whether the tree writes files.
        libraries: as of `Inline`.
        files: what its questions for databases read.
        runs: the commands that it starts.
    """

    def __init__(self, names: Names, nodes: Sequence[Any]) -> None:
        self.names, self.nodes = names, nodes
        self.done: set[int] = set()  # nodes of which the one around them was looked at with them
        self.texts: set[str] = set()  # names of which every value is a text
        used = (*names.imported.values(), *map(names.qualified_name, nodes))
        self.naming = any(what in NAMING or what.startswith("ast.") for what in used)
        self.roots = {what.partition(".")[0] for what in names.imported.values()}
        self.barred = frozenset[str]().union(*(BARRED.get(module, ()) for module in self.roots))
        self.writes, self.libraries, self.files = False, "", list[File]()
        self.runs: list[Words] = []
        self.modules, self.also = MODULES, frozenset[str]()
        own = {module.partition(".")[0] for module in MODULES}
        if not self.roots <= own:
            from asimi.core.reading import python_libraries as libraries

            self.modules = {**MODULES, **libraries.LIBRARIES}
            self.also = frozenset().union(*(libraries.METHODS.get(root, "").split() for root in self.roots))
            self.naming = True  # a column may have any name
            self.libraries = "known" if self.roots <= libraries.DATA | own else "any"

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
                return all(each.name in self.modules or each.name in PACKAGES for each in node.names)
            case _ast.ImportFrom():
                return node.level == 0 and all(self._is_known(f"{node.module}.{each.name}") for each in node.names)
            case _ast.alias():
                return True
        return False

    def _is_known(self, what: str) -> bool:
        """Whether something of a module may be used, in whatever way."""
        known = what in self.modules or self._free(what) or what in SHOWN | OPENERS | LOOKED_AT or what in FILERS
        return known or what in {"os.environ", "os.getenv"} or self._moves(what)

    def _free(self, what: str) -> bool:
        """Whether something may be used as a value."""
        module, _, name = what.rpartition(".")
        return name in self.modules.get(module, ()) and what not in self.modules

    def _moves(self, what: str) -> bool:
        """Whether something of a library reads or writes the file that it is given."""
        if not self.libraries:
            return False
        from asimi.core.reading.python_libraries import READERS, WRITERS

        return what in READERS or what in WRITERS

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
        meaning = self.names.qualified_name(node)
        if not isinstance(node.ctx, _ast.Load):
            shown = meaning.startswith("pandas.options.display.") and self._take(node)
            return shown or (isinstance(node.ctx, _ast.Store) and node.attr in STORED)
        if meaning:
            module = next((each for each in _beginnings(meaning) if each in self.modules), None)
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
        if node.attr == "format" and self._is_made_by(node.value, {"PIL.Image.open"}):
            return True  # of a text, it may show all that a value has
        return self._may_ask(node.attr)

    def _may_ask(self, name: str) -> bool:
        """Whether any value may be asked for an attribute."""
        return (name in KNOWN_METHODS or name in self.also) and name not in self.barred

    def _is_text(self, node: Any) -> bool:
        """Whether a value is sure to be no path."""
        match node:
            case _ast.Constant() | _ast.JoinedStr() | _ast.List() | _ast.Dict():
                return True
            case _ast.BinOp(op=_ast.Add()) if not self.libraries:  # of paths, it makes none
                return True
            case _ast.Call(func=function) if self.names.qualified_name(function) in TEXT_MAKERS:
                return True
            case _ast.Call(func=_ast.Attribute(value=value, attr="replace")) | _ast.Starred(value=_ast.Call() as value):
                return self._is_text(value)
            case _ast.Call(func=_ast.Attribute(attr=name)):
                return name in TEXTS and not self.naming
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
        meaning, func = self.names.qualified_name(node.func), node.func
        if meaning in SHOWING:
            self._show(node.args)
        elif meaning in OPENERS:
            return self._opens(node, node.args)
        elif meaning in FILERS:
            further = node.args[FILERS[meaning][0] :]  # a text could be the name of one more file
            plain = all(isinstance(each, _ast.Constant) and not isinstance(each.value, str | bytes) for each in further)
            return self._names_files(node, node.args, *FILERS[meaning]) and plain
        elif meaning in LOOKED_AT or meaning == "__import__":
            return self._take(func) and self._is_known_call(node, meaning)
        elif meaning in {"getattr", "hasattr"}:
            return self._looks_up(node)
        elif meaning in {"os.getenv", "os.environ.get"}:
            return self._take(func) and bool(node.args) and _is_shown(node.args[0])
        elif self._moves(meaning):
            return self._take(func) and self._is_of_library(node, meaning)
        elif isinstance(func, _ast.Attribute) and not meaning:
            return self._may_call(node, func)
        return self._is_of_library(node, meaning.rpartition(".")[2]) if self.libraries else True

    def _may_call(self, node: Any, func: Any) -> bool:
        """A method that may not be called in every way."""
        name, known = func.attr, self.names.paths(func.value) and not self.names.literals(func.value)
        if name == "format":
            self.done.add(id(func))
            formats = self.names.literals(func.value)
            return bool(formats) and all(map(_is_plain_format, formats))
        if name in WRITING:
            plain = bool(known) and not (name == "touch" and node.args)  # a mode
            return plain and self._names_files(node, [func.value, *node.args], 1, WRITING[name])
        if name == "open" and self._is_made_by(func.value, {"zipfile.ZipFile"}):
            self.done.add(id(func))
            return len(node.args) in {1, 2} and not node.keywords and mode_of(node, node.args) == "read"
        if name in READING:
            return bool(known) and self._opens(node, [func.value, *node.args])
        if name == "read" and "configparser" in self.roots:
            self.done.add(id(func))
            size = all(isinstance(each, _ast.Constant) and isinstance(each.value, int) for each in node.args)
            return not node.keywords and (size or (len(node.args) == 1 and bool(self.names.paths(node.args[0]))))
        if name == "rename" and name in self.also and not node.args and {each.arg for each in node.keywords} <= RENAMED:
            self.done.add(id(func))
            return True
        others = {"sql"} if "pandas" in self.roots else {"query", "sql"}  # pandas evaluates the text of a query
        asking = {"execute"} | (others if "duckdb" in self.roots else set())
        if name in asking and not self.roots.isdisjoint({"duckdb", "sqlite3"}):
            self.done.add(id(func))
            several = name == "execute" or len(node.args) == 1
            return several and bool(node.args) and not node.keywords and self._asks(node.args[0])
        return self._is_of_library(node, name) if self.libraries else True

    def _names_files(self, node: Any, given: Sequence[Any], count: int, settings: Collection[str]) -> bool:
        """Whether the first arguments of a call are literal paths, and its settings do no harm."""
        self._take(node.func) if self.names.qualified_name(node.func) else self.done.add(id(node.func))
        how = METHODS.get(node.func.attr, []) if isinstance(node.func, _ast.Attribute) else []
        found = [self.names.paths(each) for each in given[:count]]
        by_name = FUNCTIONS.get(self.names.guess(node.func).rpartition(".")[2], [])
        self.writes |= "write" in (FUNCTIONS.get(self.names.qualified_name(node.func)) or by_name or how)
        plain = not any(isinstance(each, _ast.Starred) for each in given)
        if count > 1:  # a directory gets the name of what is copied into it
            plain = plain and all(each.found is None for files in found for each in files)
        return (
            plain
            and len(found) == count
            and all(map(_are_known, found))
            and all(each.arg in settings for each in node.keywords)
        )

    def _opens(self, node: Any, given: Sequence[Any]) -> bool:
        """Whether a call opens nothing but literal paths; `given` begins with the file."""
        meaning = self.names.qualified_name(node.func)
        if meaning:
            self._take(node.func)
        self.done.add(id(node.func))
        if not 0 < len(given) <= MOST_GIVEN or any(isinstance(each, _ast.Starred) for each in given):
            return False
        if not all(each.arg in OPENING for each in node.keywords):
            return False
        if isinstance(node.func, _ast.Attribute) and node.func.attr in {"read_text", "read_bytes"}:
            return all(each.arg != "mode" for each in node.keywords)
        how = mode_of(node, given)
        if how == "write" and (meaning in REWRITERS or not meaning):
            self.writes = True
            return _are_known(self.names.paths(given[0]))
        stdin = isinstance(given[0], _ast.Constant) and given[0].value == 0 and given[0].value is not False
        return how == "read" and (stdin or bool(self.names.paths(given[0])))

    def _is_made_by(self, node: Any, makers: Collection[str], depth: int = 0) -> bool:
        """Whether a value surely comes from a call of one of some functions, or is one of the standard streams."""
        if isinstance(node, _ast.Name) and depth <= DEEPEST and (values := self.names.bound.get(node.id)):
            return all(self._is_made_by(each, makers, depth + 1) for each in values)
        called = isinstance(node, _ast.Call) and self.names.qualified_name(node.func) in makers
        return called or (makers is MEMORY and self.names.qualified_name(node) in STREAMS)

    def _is_stream(self, node: Any) -> bool:
        """Whether a value is a file that the text has opened, or a standard stream."""
        return self._is_made_by(node, MEMORY) or self._is_made_by(node, OPENERS)

    def _is_known_call(self, node: Any, meaning: str) -> bool:
        """Whether a function that is no value is called in a way that does no harm."""
        args, keywords = node.args, {each.arg: each.value for each in node.keywords}
        first = self.names.literals(args[0]) if args else ()
        match meaning.rpartition(".")[2]:
            case "compile" if "inspect" in self.roots:  # it shows the file of any name that a code object is given
                return False
            case "parse" | "compile":  # an error shows a line of the file of that name
                name = [*args[1:2], *(value for key, value in keywords.items() if key == "filename")]
                files = self.names.paths(name[0]) if len(name) == 1 else ()
                self.files += [each._replace(how="read") for each in files]
                plain = keywords.keys() <= {"filename", "mode"} and not any(
                    isinstance(each, _ast.Starred) for each in args
                )
                return plain and bool(files or not name)
            case "basicConfig":
                return not args and keywords.keys() <= LOGGED
            case "find_spec":  # of what is in a package, it loads that
                return len(args) == 1 and bool(first) and not keywords and all(each.isidentifier() for each in first)
            case "import_module" | "__import__":
                return len(args) == 1 and not keywords and self._loads(node, first)
            case "call" | "check_call" | "check_output" | "run":
                return self._runs(node, keywords)
            case "set_option":
                return (
                    bool(first)
                    and all(each.startswith("display.") for each in first)
                    and len(args) == 2
                    and not keywords
                )
            case "connect" if meaning == "duckdb.connect":
                return not keywords and (not args or (first == (":memory:",) and len(args) == 1))
            case "connect":
                files = self.names.paths(args[0]) if len(args) == 1 else ()
                uris = isinstance(told := keywords.get("uri"), _ast.Constant) and told.value is True
                plain = all(_READ_ONLY.fullmatch(each.path) if uris else ":" not in each.path for each in files)
                return (plain or first == (":memory:",)) and _are_known(files) and keywords.keys() <= {"timeout", "uri"}
            case "crosstab" | "pivot_table" as name:
                return self._is_of_library(node, name)
            case "read_sql" | "read_sql_query":
                asked = len(args) == 2 and self._is_made_by(args[1], {"sqlite3.connect"}) and self._asks(args[0])
                return asked and keywords.keys() <= {"index_col", "params", "parse_dates"}
        return len(args) == 1 and not keywords and self._asks(args[0])

    def _runs(self, node: Any, keywords: dict[str | None, Any]) -> bool:
        """Whether a command is started of which the program is known; its words are for others to judge."""
        match node.args, keywords.get("shell"):
            case [_ast.List(elts=[_, *_] as elements) | _ast.Tuple(elts=[_, *_] as elements)], (
                None | _ast.Constant(value=False)
            ):
                ways = [self._words_of(each) for each in elements]
            case [text], _ast.Constant(value=True):
                ways = [("sh",), ("-c",), self.names.literals(text)]
            case _:
                return False
        if not 0 < prod(map(len, ways)) <= MOST_WAYS or None in ways[0] or not keywords.keys() <= RUNNING:
            return False
        self.runs += product(*ways)
        return True

    def _words_of(self, node: Any) -> Sequence[str | None]:
        """What a word of a command may be: texts, each with a mark where the rest of it is not known, or None."""
        if texts := self.names.literals(node):
            return texts
        if self.names.qualified_name(node) == "sys.executable":
            return ("python3",)
        parts = node.values if isinstance(node, _ast.JoinedStr) else ()
        known = takewhile(lambda texts: len(texts) == 1, map(self.names.literals, parts))
        head = "".join(texts[0] for texts in known)
        return () if isinstance(node, _ast.Starred) else (head + ANY if head else None,)

    def _asks(self, node: Any, depth: int = 0) -> bool:
        """Whether a text for a database of SQLite only asks, or a literal one for a database of DuckDB in memory."""
        from asimi.core.reading.sql import duckdb_files, only_shows

        texts = self.names.literals(node)
        if "duckdb" in self.roots:
            read = [duckdb_files(each) for each in texts]
            self.files += [File(path, how, glob=how == "read") for found in read for path, how in found or ()]
            home = any(path[:1] == "~" or how != "read" for found in read for path, how in found or ())
            return (
                bool(texts)
                and None not in read
                and not home
                and ("sqlite3" not in self.roots or all(map(only_shows, texts)))
            )
        if texts:
            return all(map(only_shows, texts))
        match node:
            case _ast.JoinedStr(values=[_ast.Constant(value=str(text)), *_]):
                return _SELECTS.match(text) is not None
            case _ast.BinOp(left=left, op=_ast.Add() | _ast.Mod()):
                begun = self.names.literals(left)
                return all(map(_SELECTS.match, begun)) if begun else depth <= DEEPEST and self._asks(left, depth + 1)
            case _ast.Name(id=name) if values := self.names.bound.get(name):
                return depth <= DEEPEST and all(self._asks(each, depth + 1) for each in values)
        return False

    def _loads(self, node: Any, names: Sequence[str]) -> bool:
        """Whether libraries that a call loads are known, and are asked for nothing but which they are."""
        from asimi.core.reading.python_libraries import DATA, VERSIONED

        asked: set[int] = set()
        for each in self.nodes:
            match each:
                case _ast.Expr(value=value) | _ast.Attribute(value=value, attr="__file__" | "__name__" | "__version__"):
                    asked.add(id(value))
                case _ast.Call(func=_ast.Name(id="getattr" | "hasattr"), args=[value, _ast.Constant(value=told), *_]):
                    asked.update([id(value)] if told in TOLD else ())
        holders = [each.targets for each in self.nodes if isinstance(each, _ast.Assign) and each.value is node]
        held = {each.id for targets in holders for each in targets if isinstance(each, _ast.Name)}
        uses = [each for each in self.nodes if isinstance(each, _ast.Name) and each.id in held]
        plain = all(isinstance(each.ctx, _ast.Store) or id(each) in asked for each in uses)
        alone = id(node) in asked or (len(held) == 1 and all(len(targets) == 1 for targets in holders) and plain)
        self.libraries = self.libraries if DATA.issuperset(names) and self.libraries else "any"
        return alone and bool(names) and VERSIONED.issuperset(names)

    def _is_of_library(self, node: Any, name: str) -> bool:
        """Whether a function or a method of a library is given literal files, and no name of a method that changes."""
        from asimi.core.reading.python_libraries import ENGINES, FUNCTIONAL, READERS, READING, WRITERS

        args, func, plain = node.args, node.func, True
        for each in node.keywords:
            value = each.value.value if isinstance(each.value, _ast.Constant) else None
            if each.arg == "aggfunc" or (name in FUNCTIONAL and "pandas" in self.roots and each.arg != "axis"):
                plain = plain and self._is_function(each.value, pair=True)
            elif each.arg == "engine":
                plain = plain and value in ENGINES
            elif each.arg == "allow_pickle":
                plain = plain and value is False
            elif each.arg == "compression":
                plain = plain and isinstance(each.value, _ast.Constant)
            elif name in READERS or name in WRITERS:
                plain = plain and each.arg in WRITERS.get(name, READING)
        if name in READERS:
            named = bool(args) and (self._is_stream(args[0]) or self._is_local(args[0]))
            return plain and named and len(args) <= READERS[name]
        if name in WRITERS:
            self.done.add(id(func))
            if not args or self._is_stream(args[0]):
                return plain and "numpy" not in name
            self.writes = True
            saved = name != "numpy.save" or all(each.path.endswith(".npy") for each in self.names.paths(args[0]))
            return plain and saved and self._is_local(args[0]) and len(args) == 1 + ("numpy" in name)
        if name in FUNCTIONAL and "pandas" in self.roots:
            self.done.add(id(func))
            return plain and all(map(self._is_function, args))
        if name in {"crosstab", "pivot_table"}:
            self.done.add(id(func))
            known = all(each.arg for each in node.keywords) and not any(isinstance(each, _ast.Starred) for each in args)
            return plain and known and len(args) <= MOST_PIVOTED
        return plain

    def _is_local(self, node: Any) -> bool:
        """Whether a value is sure to be a literal path of this machine."""
        files = self.names.paths(node)
        return _are_known(files) and not any(set(each.path) & set(":*?[") or each.path[:1] == "~" for each in files)

    def _is_function(self, node: Any, *, pair: bool = False) -> bool:
        """Whether what pandas is to call is a function or the name of a harmless one; the latter of a `pair`."""
        from asimi.core.reading.python_libraries import NAMED

        match node:
            case _ast.Constant(value=value):
                return not isinstance(value, str) or value in NAMED
            case _ast.List(elts=several) | _ast.Dict(values=several):
                return all(map(self._is_function, several))
            case _ast.Tuple(elts=[_, each]) if pair:
                return self._is_function(each)
            case _ast.Name() | _ast.Attribute():
                return self._free(self.names.qualified_name(node)) or self.names.qualified_name(node) in BUILTINS
        return isinstance(node, _ast.Lambda)

    def _looks_up(self, node: Any) -> bool:
        """`getattr` and `hasattr` with a literal name, of a value."""
        self.done.add(id(node.func))
        match node.args:
            case [_, _ast.Constant(value=str(name)), *_]:
                return not node.keywords and self._may_ask(name)
        return False

    def _take_environment(self, node: Any) -> None:
        """Let one variable of the environment be read; all of it would be a secret."""
        if self.names.qualified_name(node) == "os.environ":
            self._take(node)

    def _show(self, nodes: Iterable[Any]) -> None:
        """Let what may only be shown pass where it is."""
        for node in nodes:
            if isinstance(node, _ast.Call) and self.names.qualified_name(node.func) == "type":
                if len(node.args) == 1 and not node.keywords:
                    self.done.add(id(node.func))
            elif self.names.qualified_name(node) in SHOWN:
                self._take(node)

    def _take(self, node: Any) -> bool:
        """Count a name with its attributes as looked at."""
        while isinstance(node, _ast.Attribute):
            self.done.add(id(node))
            node = node.value
        self.done.add(id(node))
        return True


def _are_known(files: Sequence[File]) -> bool:
    """Whether files are known, and none has a name that another directory may have given it."""
    return bool(files) and all(each.found != "" for each in files)


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
