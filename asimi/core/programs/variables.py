"""Variables that mean something to bash or to programs, what declares and compares them, and the few that are free.

The names are in `variables.txt`.
"""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, table_of
from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Collection

COMPARISONS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
"""Operators that compare numbers: `[` evaluates nothing for them, `[[` its operands."""

_NAMES = facts_of(__package__, "variables")
_PATTERNS = (pattern("".join(_NAMES.pop(each))) for each in ("loading", "code", "switches", "tools", "jdk", "sdk"))
LOADING, _CODE, _SWITCHES, _TOOLS, _JDK, _SDK = _PATTERNS
"""Variables that name a program, its options or files, or where code is looked for, more by their ends; switches;
values of `_CUSTOMARY`."""

_VALUES = table_of(_NAMES.pop("values"))
_SWITCH = pattern(r"\d{0,9}|true|false|yes|no|on|off", ASCII)

_FOUND = {name: " ".join(lines).split() for name, lines in _NAMES.items()}

SECRETS = tuple(_FOUND["secrets"])
"""Names that look like credentials, for `drop = ["secrets"]`."""

FREE = frozenset(_FOUND["free"])
"""Names that are free before a command and in `export`."""

FREE_BEGINNINGS = ("EXPO_PUBLIC_", "LC_", "NEXT_PUBLIC_", "NUXT_PUBLIC_", "REACT_APP_", "VITE_")
"""Also of locales, and of constants for the code of a page (Expo, Next.js, Nuxt, Create React App, Vite)."""

_HERE = pattern(r"(?:(?:https?|wss?)://)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:/[\w./-]*)?", ASCII)
_TESTED = pattern(
    r"(?:postgres(?:ql)?|mysql2?)(?:\+\w+)?://(?:[\w.-]+(?::[\w.-]*)?@)?(?:localhost|127\.0\.0\.1)(?::\d{1,5})?"
    r"/(?:\w+[_-])?tests?(?:[_-]\w+)?",
    ASCII,
)
FREE_VALUES = {
    **dict.fromkeys(_FOUND["here"], _HERE),
    **dict.fromkeys(("DATABASE_URL", "TEST_DATABASE_URL"), _TESTED),
    **{name: pattern(value) for names, value in _VALUES.items() for name in names.split()},
}
"""Names whose values may say more than a choice, with those that are free before one command.

`NODE_OPTIONS` takes options that load nothing (Node.js, Command-line API); a backend of Matplotlib may be a module.
The others name a server or a database: it is one of this machine, and the database is one for tests by its name.
"""


_CUSTOMARY = {"PATH": _TOOLS, "JAVA_HOME": _JDK, "ANDROID_HOME": _SDK, "ANDROID_SDK_ROOT": _SDK}
"""Variables, as they are written, that lead to where tools are commonly installed."""


def is_customary(name: str, text: str) -> bool:
    """Whether a variable, as its value is written, leads to nothing but where installers put what they install.

    There is no program of the project, and a change there is asked about (`known.txt`, self-running).
    """
    return name in _CUSTOMARY and _CUSTOMARY[name].fullmatch(text) is not None


TOOL_HOMES = frozenset(_FOUND["homes"])
"""Variables in values of `PATH` that are customary whatever these are."""

OWN_CODE = frozenset(_FOUND["own-code"])
"""Programs that run the code of the project, so `PYTHONPATH` may name more of it."""

OWN_PATHS = pattern(r"(?:(?:\./)?(?:\.|src|lib|tests?)/?(?::|\Z))+(?<!:)", ASCII)
"""Directories in which a project has its own code; code of others may be in any other one (`vendor`)."""


BELOW = pattern(r"(?>(?:\./)*)(?:\.|\w[\w.-]*+)(?>(?:/\w[\w.-]*+)*)/?", ASCII)
"""A directory below another."""


def is_free(name: str, value: str | None = None) -> bool:
    """Whether a variable, before one command, can only choose how a program does what it does anyway.

    Args:
        name: its name.
        value: what it gets, None where that is not known.
    """
    if name in FREE_VALUES:
        return value is not None and FREE_VALUES[name].fullmatch(value) is not None
    if name in FREE or name.startswith(FREE_BEGINNINGS):
        return True
    plain = value is not None and _SWITCH.fullmatch(value) and _SWITCHES.fullmatch(name)
    return bool(plain) and not (LOADING.fullmatch(name) or _CODE.fullmatch(name))


BASH = frozenset(_FOUND["bash"])
"""Names that mean something to bash."""

HARMLESS_BASH = frozenset(_FOUND["harmless"])
"""Of bash's own, those that change no program, no file and no reading of the text that is already parsed."""

REBINDING = frozenset({"BASH_ALIASES", "BASH_CMDS", "PATH", "BASH_LOADABLES_PATH", "EXECIGNORE", "GLOBIGNORE"})
"""Of bash's own, those that decide which program a command name is."""

EXPANDED = {
    "PS4": ("x", "xtrace"), "BASH_ENV": ("", ""),
    **dict.fromkeys(("ENV", "PROMPT_COMMAND", "PS0", "PS1", "PS2"), ("i", "interactive")),
}  # fmt: skip
"""Variables whose value a shell expands, and the option, by letter and name, with which it does (bash manual)."""

INTEGER = frozenset(_FOUND["integer"])
"""Variables whose assigned value bash evaluates as arithmetic, or may."""

NUMERIC = INTEGER.union(_FOUND["numeric"])
"""Variables that bash itself fills, with numbers alone."""

HARMLESS_SHOPT = frozenset(_FOUND["shopt"])
GLOBBING = frozenset({"dotglob", "globstar", "nocaseglob", "nullglob"})
"""Options of bash that change what a pattern stands for (bash manual, The Shopt Builtin)."""

HARMLESS_SET = frozenset(_FOUND["set"])
HARMLESS_SET_LETTERS = frozenset("euETvxfCmbtnPhB")
"""Options of `shopt` and `set` that change neither how the rest is read nor which program runs (bash manual)."""


def names_code(name: str) -> bool:
    """Whether a variable, by its name, may name a program, its options, or where code is looked for."""
    return LOADING.fullmatch(name) is not None or _CODE.fullmatch(name) is not None


def is_listed(name: str, free: Collection[str]) -> bool:
    """Whether a person's list of free variables holds a name: by itself, or by its beginning where it names no code.

    Args:
        name: the name.
        free: names, and beginnings with a `*` at their end.
    """
    if name in free:
        return True
    if not free or name in FREE_VALUES or name in BASH or names_code(name):
        return False
    return any(each.endswith("*") and name.startswith(each[:-1]) for each in free)
