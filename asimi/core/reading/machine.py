"""Readers of the values that wrappers, terminals and programs of the machine take; `readers` has the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.lean import pattern
from asimi.core.programs.variables import is_free

if TYPE_CHECKING:
    from collections.abc import Callable

_RESOURCE = pattern(r"(?:CPU|Memory|IO|Tasks|Limit|IPAccounting|OOM|Startup|Runtime|Timeout)\w*=[\w.%:/ -]*", re.ASCII)
_TMUX = pattern(r"(?:[^#]|#(?![#({])|#\{(?:(?:[bd]|=-?\d+):)?[\w@]+\}|#\{\?[\w@]+,[^#{}]*,[^#{}]*\})*", re.DOTALL)
"""Formats that are replaced once: not `E:` and `T:`, which expand what they find again (tmux(1), FORMATS)."""

_SHELL = pattern(r"(?:/usr)?/bin/(?:ba|da)?sh")
_VALGRIND = frozenset("memcheck cachegrind callgrind helgrind drd massif dhat lackey none exp-bbv".split())


def assignment(text: str) -> str:
    """`NAME` or `NAME=VALUE` for the environment of what is started."""
    name, equals, value = text.partition("=")
    return "" if is_free(name, value if equals else None) else "sets a variable that may name code to run"


def braces(text: str) -> str:
    """What GNU parallel replaces, which is `{}` unless it is told otherwise."""
    return "" if text == "{}" else "replaces other words than `{}`"


def resource(text: str) -> str:
    """`NAME=VALUE` of a systemd unit: limits and accounting start nothing (systemd.resource-control(5))."""
    return "" if _RESOURCE.fullmatch(text) else "sets a property that could start a program"


def valgrind_tool(text: str) -> str:
    """A tool of valgrind's own; its name is part of the path of a program (valgrind(1))."""
    return "" if text in _VALGRIND else "starts the program of that tool"


def no_shell(text: str) -> str:
    """The shell of hyperfine: none, or one that reads text as `sh` does (hyperfine(1))."""
    return "" if text in {"none", "default", "sh", "bash", "dash"} else "starts that shell"


def shell(text: str) -> str:
    """The path of a shell that reads text as `sh` does."""
    return "" if _SHELL.fullmatch(text) else "starts that program as a shell"


def trace(text: str) -> str:
    """The file of `strace -o`; behind `|` or `!` it is a command (strace(1))."""
    return "" if text in {"/dev/null", "/dev/stdout", "/dev/stderr"} else "writes a file, or starts a program"


def tmux(text: str) -> str:
    """An argument of tmux: a `;` at its end begins another command, `#(` in it starts one (tmux(1))."""
    return "" if _TMUX.fullmatch(text) and not text.endswith(";") else "starts what is behind `;` or in `#()`"


def value(text: str) -> str:
    """The name of a setting of the kernel; with `=` it is set (sysctl(8))."""
    return "sets this" if "=" in text else ""


READERS: dict[str, Callable[[str], str]] = {
    "ASSIGNMENT": assignment,
    "BRACES": braces,
    "NOSHELL": no_shell,
    "NOVALUE": value,
    "RESOURCE": resource,
    "SHELL": shell,
    "TMUX": tmux,
    "TRACE": trace,
    "VALGRIND": valgrind_tool,
}
