"""Readers of single arguments, where a regular expression does not tell what is harmless.

The rows of the catalogue name them in capitals: `-o,--output=NOWHERE`. Each answers with what the text does beyond, in
words that follow the program's name, or with an empty string where it was read to its end and does nothing else. What
is not understood counts as doing something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.variables import HARMLESS_SET, HARMLESS_SHOPT, LOADING, is_free
from asimi.core.reading.values import reader_of

if TYPE_CHECKING:
    from collections.abc import Callable

_GIT_CLONE = pattern(
    r"--(?:bare|dissociate|mirror|no-checkout|no-single-branch|no-tags|progress|quiet|recurse-submodules|recursive"
    r"|remote-submodules|shallow-submodules|single-branch|sparse|tags|verbose|(?:branch|depth|filter|jobs|origin|revision"
    r"|shallow-exclude|shallow-since)(?:=.*)?|recurse-submodules=.*)|-[bjnoqv46]|-j\d+"
)
_VARIABLE = pattern(r"([A-Za-z_][\w.-]*)(?::{0,3}|[?+])=([\w .,:@%+=/~-]*)", re.ASCII)
_CODE_FLAG = pattern(
    r"(?:^|\s)(?:@|-B|-fplugin|-fpass-plugin|-load|-plugin|-toolexec|-wrapper|-X(?:clang|linker|assembler)|-C\s*linker"
    r"|-Wl,\S*-plugin|-fuse-ld=[./]|--?(?:config|specs|require|import|loader)\b|-r(?:\s|$))"
)
"""An option by which compilers and interpreters load code or start another program."""

_TARGET = pattern(r"[\w./@%+,:~-]+", re.ASCII)
_HELPER = pattern(r"[A-Za-z][\w+.-]*::", re.ASCII)
_SSH = pattern(r"ssh(?: -[46aCqTvx]+| -[pl] ?[\w.]+| -[ci] ?[\w.,/~@+][\w.,/~@+-]*| -o ?[\w=./~:@+-]+)*", re.ASCII)
_SSHFS = pattern(
    r"allow_other|allow_root|auto_unmount|default_permissions|delay_connect|follow_symlinks|kernel_cache|reconnect|ro"
    r"|transform_symlinks|(?:attr_timeout|cache|cache_timeout|entry_timeout|gid|idmap|max_conns|uid|umask)=\w+"
)
_SSH_OPTION = pattern(r"([A-Za-z]+)(?:\s*+=\s*+|\s++)([\w .,:@/+*~-]*)", re.ASCII)

_FACTS = facts_of(__package__, "readers")

MAKE_PROGRAMS = names_of(_FACTS["make"])
"""Variables of make that name a program, or what is read (GNU make manual, Implicit Variables)."""

HARMLESS_SSH = names_of(_FACTS["ssh"])
"""Settings of ssh that start nothing and write nothing but what it learns of hosts (ssh_config(5))."""


def ssh(text: str) -> str:
    """How rsync reaches the other machine (rsync(1), --rsh)."""
    if _SSH.fullmatch(text) is None:
        return "starts a program to reach the other machine"
    return next(filter(None, map(ssh_option, re.findall(r" -o ?(\S+)", text))), "")


def sshfs(text: str) -> str:
    """Options of a file system over ssh, some of which name a program (sshfs(1), ssh_config(5))."""
    return next(filter(None, (ssh_option(part) for part in text.split(",") if not _SSHFS.fullmatch(part))), "")


def _is_compiler(name: str) -> bool:
    """Whether make may be told to use a program in place of another of its kind."""
    program = find(name)
    return program is not None and "compiles" in program.traits


def make(text: str) -> str:
    """An operand of make: a target, or a variable (GNU make manual, Overriding Variables).

    Make expands the value, puts it into the environment, and recipes put it into shell text.
    """
    if "=" not in text:
        return "" if _TARGET.fullmatch(text) else "takes a target with characters that mean something to it"
    match = _VARIABLE.fullmatch(text)
    if match is None:
        return "takes a variable that it, or a shell, expands"
    if match[1].upper() in MAKE_PROGRAMS and not _is_compiler(match[2]):
        return f"takes {match[1]}, which names a program"
    if LOADING.fullmatch(match[1]) or _CODE_FLAG.search(match[2]):
        return f"takes this {match[1]}, which can name code to run"
    return ""


def variable(text: str) -> str:
    """`NAME=VALUE` that becomes a variable of the environment (rake(1))."""
    name, equals, _ = text.partition("=")
    return f"takes {name}, which can name code to run" if equals and LOADING.fullmatch(name) else ""


def remote(text: str) -> str:
    """A repository's address; `ext::` and its like start a program (gitremote-helpers(7))."""
    if text.startswith("-"):
        return "takes an address that is an option"
    return "starts the helper that this address names" if _HELPER.match(text) else ""


def ssh_option(text: str) -> str:
    """`NAME=VALUE` of `ssh -o` (ssh_config(5))."""
    match = _SSH_OPTION.fullmatch(text)
    if match is None:
        return "takes a setting with characters that mean something to it"
    name, value = match[1].lower(), match[2]
    if name == "proxyjump":
        return reader_of("JUMP")(value)
    if name in {"globalknownhostsfile", "userknownhostsfile"}:
        return reader_of("NOWHERE")(value)
    return "" if name in HARMLESS_SSH else "takes a setting that could name a program to run, or a file to write"


def clone(text: str) -> str:
    """An operand of a program that hands it to `git clone`: a repository, a directory, or one of git's options."""
    if text.startswith("-"):
        return "" if _GIT_CLONE.fullmatch(text) else "hands an option to git that could start a program"
    return remote(text)


def no_file(text: str) -> str:
    """An operand that is a file of options if it begins with `@`, or takes an option back (`tsc --noEmit false`)."""
    if text == "false":
        return "may take back the option before it"
    return "takes its options from a file" if text.startswith("@") else ""


def set_option(text: str) -> str:
    """An option of `set` or `shopt` (bash manual, The Set Builtin and The Shopt Builtin)."""
    return "" if text in HARMLESS_SET | HARMLESS_SHOPT else "reads or runs the text differently with this option"


def assignment(text: str) -> str:
    """`NAME` or `NAME=VALUE` for the environment of what is started."""
    name, equals, value = text.partition("=")
    return "" if is_free(name, value if equals else None) else "sets a variable that may name code to run"


READERS: dict[str, Callable[[str], str]] = {
    "ASSIGNMENT": assignment,
    "CLONE": clone,
    "LISTED": no_file,
    "MAKE": make,
    "REMOTE": remote,
    "SET": set_option,
    "SSH": ssh,
    "SSHFS": sshfs,
    "SSHOPTION": ssh_option,
    "VARIABLE": variable,
}
