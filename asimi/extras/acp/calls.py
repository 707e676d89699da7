"""What a request of an agent's would do, as far as it says so exactly: commands and files, never a title.

Pure: messages in, values out. What of the parameters nobody knows is named, and then nothing is allowed.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from asimi.core import wire
from asimi.core.call import FileUse, Touch
from asimi.core.errors import Refusal
from asimi.core.files import DELETE, READ, SEARCH, WRITE, clip_lines
from asimi.core.judging.rules import EXEC, SHELL
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

COMMANDS = ("command", "cmd")
"""Parameters that hold a command: a text for a shell, or a program with its arguments."""

DIRECTORIES = ("cwd", "workdir", "dir_path", "directory", "working_directory", "workingDirectory")
"""Parameters that say where it runs."""

PATHS = tuple(
    "path paths file files file_path filePath filepath file_paths abs_path absolute_path notebook_path "
    "target_file".split()
)
"""Parameters that hold the path of a file, or several."""

HARMLESS = frozenset(
    "description explanation justification reason title timeout timeout_ms timeoutMs yield_time_ms max_output_tokens "
    "run_in_background is_background background call_id turn_id parsed_cmd _meta".split()
)
"""Parameters beside a command that change nothing of what it does."""

FILES = {"read": READ, "search": SEARCH, "delete": DELETE}
"""The kinds of tool calls that change no file, or take it away; any other with a path may write it."""

MOVED = ("source", "destination", "from", "to", "old_path", "new_path", "oldPath", "newPath")
"""Parameters that hold the paths of what is moved."""

NAMES = ("glob", "include")
"""Parameters that hold a pattern of the names that a search reads."""

TERMINAL = frozenset({"sessionId", "command", "args", "env", "cwd", "outputByteLimit", "_meta"})
"""The parameters of `terminal/create`."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_PLAIN = re.compile(r"[\w./:@%+,=-]+", re.ASCII)
"""A word that means itself to a shell, wherever it stands behind a program's name."""


class Wanted(NamedTuple):
    """One reading of what a request would do.

    Attributes:
        tool: the tool that it is judged as; of what is about files, the agent's name for it.
        command: the shell text, or the program; empty for what is about files.
        arguments: what the program is given; None for a shell text.
        directory: where it would run, absolute or relative to the session's; empty for that.
        description: the agent's words for it.
        unsure: the parameters of which nobody knows what they change.
        use: what it does to files; None for a command.
    """

    tool: str
    command: str
    arguments: tuple[str, ...] | None
    directory: str = ""
    description: str = ""
    unsure: tuple[str, ...] = ()
    use: FileUse | None = None


def permitted(call: Mapping[str, Any]) -> Wanted | None:
    """Return what a tool call would do for which permission is asked; None where it does not say that exactly.

    Args:
        call: all that was said of the call so far (`ToolCallUpdate`).
    """
    given, kind = call.get("rawInput"), call.get("kind")
    given = given if isinstance(given, dict) else {}
    name = next((each for each in COMMANDS if given.get(each)), None)
    if name is None or _is_patch(given[name]):
        kind = kind if isinstance(kind, str) else "other"
        does, names = FILES.get(kind, WRITE), _names(given) if kind == "search" else ""
        named = _paths(given, kind) + _diffs(call.get("content")) or ["."] * bool(names)
        touches = [Touch(does, path, names) for path in named]
        return _of_files(kind, touches, given) if touches and kind != "execute" else None
    command, said = given[name], [given[each] for each in DIRECTORIES if given.get(each)]
    unsure = [each for each in given if each not in {name, *DIRECTORIES, *HARMLESS}]
    unsure += ["kind"] * (kind != "execute") + ["directory"] * (len(said) > 1)
    directory = said[0] if said else ""
    if not isinstance(directory, str):
        return None
    description = given.get("description")
    more = (directory, description if isinstance(description, str) else "", tuple(unsure))
    if isinstance(command, str):
        return Wanted(SHELL, command, None, *more)
    if isinstance(command, list) and all(isinstance(each, str) for each in command):
        return Wanted(EXEC, command[0], tuple(command[1:]), *more)
    return None


def created(params: Any, found: Callable[[str], bool]) -> tuple[Wanted, ...]:
    """Return the readings of what `terminal/create` would do: all of them count, because editors differ.

    The protocol means a program with its arguments. Zed gives both to a shell, and quotes the arguments alone
    (zed-industries/zed#42651); agents rely on that and send a whole command line as the program
    (openclaw/acpx#313, MoonshotAI/kimi-cli#2113).

    Args:
        params: the parameters of the request.
        found: tells whether there is a program of a name.

    Raises:
        Refusal: they are not as the protocol has them.
    """
    given = params if isinstance(params, dict) else {}
    command, words, cwd = given.get("command"), given.get("args") or [], given.get("cwd") or ""
    env = given.get("env") or []
    if not isinstance(command, str) or not command.strip():
        raise Refusal("parameters", "command: must be the name of a program")
    if env and ("=" in command or command[0] == "-"):  # `env`, as which it is judged, would take that for its own
        raise Refusal("parameters", "command: a program of this name cannot be judged together with variables")
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise Refusal("parameters", "args: must be a list of strings")
    if not isinstance(cwd, str) or (cwd and not os.path.isabs(cwd)):
        raise Refusal("parameters", "cwd: must be an absolute path")
    unsure = tuple(sorted(given.keys() - TERMINAL))
    assigned = _assigned(env)
    argv = Wanted(EXEC, *_under(assigned, (command, *words)), cwd, unsure=unsure)
    if _PLAIN.fullmatch(command) and all(map(_PLAIN.fullmatch, words)):
        return (argv,)
    text = " ".join((command, *words))
    if assigned:
        line = Wanted(EXEC, *_under(assigned, ("sh", "-c", text)), cwd, unsure=unsure)
    else:
        line = Wanted(SHELL, text, None, cwd, unsure=unsure)
    if not words and len(command.split()) > 1 and not found(command):
        return (line,)  # as a program it cannot be started
    return argv, line


def form_of(wanted: Wanted) -> tuple[str, ...]:
    """Return a command in one form, whether it is given as a text or as words; empty for none, and for one not sure."""
    if wanted.unsure or wanted.use is not None:
        return ()
    if wanted.arguments is not None:
        return (wanted.command, *wanted.arguments)
    words = tuple(wanted.command.split(" "))
    return words if all(map(_PLAIN.fullmatch, words)) else ("sh", "-c", wanted.command)


def touched(method: str, params: Any) -> Wanted:
    """Return what `fs/read_text_file` or `fs/write_text_file` would do.

    Raises:
        Refusal: the parameters are not as the protocol has them.
    """
    path = params.get("path") if isinstance(params, dict) else None
    if not isinstance(path, str) or not os.path.isabs(path):
        raise Refusal("parameters", "path: must be an absolute path")
    content = params.get("content")
    if method == "fs/read_text_file":
        return _of_files(method, [Touch(READ, path)], params)
    text = content if isinstance(content, str) else ""
    lines = text.splitlines()
    touch = Touch(WRITE, path, "", len(text.encode("utf-8", "replace")), len(lines))
    return _of_files(method, [touch], params, clip_lines([f"=== {path}", *(f"+{line}" for line in lines)]))


def _of_files(tool: str, touches: Sequence[Touch], given: Mapping[str, Any], change: str = "") -> Wanted:
    """What a tool does to files; a yes to a change is for this one alone."""
    changes = any(each.does != READ for each in touches)
    mark = f"{tool} {sha256(f'{tool}{wire.dumps(given)}'.encode()).hexdigest()[:32]}" if changes else ""
    return Wanted(tool, "", None, use=FileUse(tool, tuple(touches), change, mark))


def _paths(given: Mapping[str, Any], kind: str) -> list[str]:
    """Return the paths that parameters name: one or several, or those of a patch (`changes`, Codex)."""
    found = [given.get(each) for each in (*PATHS, *(MOVED if kind == "move" else ()))]
    found += [[*changes]] if isinstance(changes := given.get("changes"), dict) else []
    named = [path for each in found for path in (each if isinstance(each, list) else [each])]
    return [each for each in named if isinstance(each, str) and each]


def _diffs(content: Any) -> list[str]:
    """Return the paths of the changes that a card shows (`ToolCallContent`), which may be of other files."""
    shown = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    paths = [each.get("path") for each in shown if each.get("type") == "diff"]
    return [each for each in paths if isinstance(each, str) and each]


def _is_patch(command: Any) -> bool:
    """Whether a command is the patch whose paths stand beside it (Codex)."""
    return isinstance(command, list) and command[:1] == ["apply_patch"]


def _names(given: Mapping[str, Any]) -> str:
    """Return the patterns of the names that a search reads."""
    return " ".join(each for name in NAMES if isinstance(each := given.get(name), str))


def _assigned(env: Any) -> tuple[str, ...]:
    """Return variables as assignments.

    Raises:
        Refusal: they are none.
    """
    assigned = []
    for each in env if isinstance(env, list) else [None]:
        name, value = (each.get("name"), each.get("value")) if isinstance(each, dict) else (None, None)
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(value, str):
            raise Refusal("parameters", "env: must be a list of variables, each with a name and a value")
        assigned.append(f"{name}={value}")
    return tuple(assigned)


def _under(assigned: Sequence[str], words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return a program and its arguments that start a command under assignments."""
    program, *arguments = ("env", *assigned, *words) if assigned else words
    return program, tuple(arguments)
