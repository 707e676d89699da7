"""What a value or an operand does that its program's name does not promise, told by the reader that its row names.

Most readers are a regular expression in `values.txt`. The others are in modules of their own, each of which is loaded
when one of its readers is asked for, because most commands need none.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of
from asimi.core.pattern import pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from asimi.core.syntax.nodes import Word

HOMES = {
    "readers": "ASSIGNMENT CLONE LISTED MAKE REMOTE SET SSH SSHFS SSHOPTION VARIABLE",
    "scripts": "AWK SED",
    "sql": "DUCKDB DUCKDBFILE MYSQL MYSQLBASE PSQL SQLITE",
}
"""The modules of `asimi.core.reading` and the names of their `READERS`."""

_HERE = pattern(r"(?:^|=)\.")

BY_BEGINNING = frozenset({"ARCHIVE", "CLOCK", "LESS", "LISTED", "PLUS", "REMOTE", "SSHARGUMENT"})
"""Readers to which the beginning of a text says enough."""

COPIES, DELETES, CHANGES = (
    "writes a file that this text names",
    "deletes something in a service",
    "changes something in a service",
)  # the last two are in `values.txt`
"""What readers say of a text that does nothing else beyond its program's purpose."""

KINDS = {COPIES: frozenset({"write"}), DELETES: frozenset({"delete.service"}), CHANGES: frozenset({"publish"})}
"""The kinds of these."""

LONGEST = 2048
"""Characters of a value that is not a program text; some patterns take time by the square of it."""

SHOWING = frozenset({"GITKEY", "KEYNAME", "PARTS", "RESOURCEPARTS", "TABLE", "UNITPARTS"})
"""Readers of what a program is to print: what they do not know may be a credential."""

LANGUAGES = frozenset({"JAVASCRIPT", "PERL", "PHP", "PYTHON", "RUBY"})
"""Readers of options whose values are program texts."""

PROGRAMS = frozenset({"AWK", "DUCKDB", "MYSQL", "PSQL", "RENAME", "SED", "SQLITE"})
"""Readers of program texts."""


def fault_of(reader: str, word: Word | None, *, here: bool = False) -> str:
    """What a value does beyond its program's purpose, in words; empty where it does nothing else.

    Args:
        reader: the name of a reader.
        word: the value.
        here: whether its program runs in the directory of the call.
    """
    if word is None:
        return ""
    if reader == "MOUNT" and not here and _HERE.search(word.literal or ""):
        return "gives the container a directory that only bash can know"
    if word.literal is not None:
        if len(word.literal) > LONGEST and reader not in PROGRAMS:
            return f"takes a value of {len(word.literal)} characters, which is too long to check"
        return reader_of(reader)(word.literal)
    if reader in BY_BEGINNING and word.head:
        return reader_of(reader)(word.head + "$")
    return "runs this computed text as its program" if reader in PROGRAMS else "takes what only bash can know here"


def asks_only(reader: str, text: str) -> bool:
    """Whether a text for a database changes nothing in it, by the name of the reader of such texts."""
    asks: Callable[[str, str], bool] = import_module(f"asimi.core.reading.{_homes[reader]}").asks_only
    return asks(reader, text)


def reader_of(name: str) -> Callable[[str], str]:
    """The reader of a name.

    Raises:
        KeyError: there is none.
    """
    if name in _homes:
        found: Callable[[str], str] = import_module(f"asimi.core.reading.{_homes[name]}").READERS[name]
        return found
    said = value_readers()[name][0]
    return lambda text: said if _compile(name).fullmatch(text) is None else ""


@cache
def value_readers() -> dict[str, list[str]]:
    """The readers that are a regular expression of harmless values, and parts of these, as `values.txt` has them."""
    return facts_of(__package__, "values")


@cache
def _compile(name: str) -> re.Pattern[str]:
    import re

    def whole(name: str) -> str:
        return re.sub("<([a-z]+)>", lambda part: whole(part[1]), "".join(value_readers()[name][name.isupper() :]))

    return re.compile(whole(name))


_homes = {name: home for home, names in HOMES.items() for name in names.split()}
