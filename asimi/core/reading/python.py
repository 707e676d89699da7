"""A program text in Python: what it starts, which files it names by literals, and whether it does no more than read."""

from __future__ import annotations

import _ast

from asimi.core.reading.commands import Inline
from asimi.core.reading.python_proof import only_reads
from asimi.core.reading.python_tree import DEEPEST, Names, mode_of, nodes_of
from asimi.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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
