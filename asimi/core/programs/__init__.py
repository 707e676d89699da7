"""What is known about programs, as data; no code decides here.

One `Program` for each program, in the module of its family. Everything else that asimi knows about a name is derived
from it: what it starts, which options are a question, what is offered, what asimi's own files need protection from.
A family is loaded when one of its programs is asked for, because most requests name few; `make catalogue` writes the
index that says which family a name is in.
"""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING, import_module
from asimi.core.programs.index import BEGINNINGS, NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.programs.program import Program

FAMILIES = (
    "builds",
    "checks",
    "cloud",
    "clusters",
    "containers",
    "databases",
    "editors",
    "files",
    "forges",
    "git",
    "images",
    "interpreters",
    "network",
    "packages",
    "shells",
    "starters",
    "system",
    "text",
    "version_control",
)
"""The modules of the rows."""

GNU = ("files", "text")
"""Families whose programs have a `g` before their names where the system has others of these names."""

WRAPPERS = frozenset("chroot env nice nohup stdbuf time timeout xargs".split())
"""The wrappers of GNU that have it there, too."""

_families = {name: family for family, names in NAMES.items() for name in names.split()}
_rows: dict[str, Program] = {}


def plain(name: str) -> str:
    """A name without GNU's `g` before it: `rm` of `grm`."""
    prefixed = name[:1] == "g" and name not in _families
    return name[1:] if prefixed and (_families.get(name[1:]) in GNU or name[1:] in WRAPPERS) else name


def known_as(name: str) -> tuple[str, ...]:
    """A name and what it stands for: without GNU's `g` and without a version, where that is a known program.

    `python3.11` is `python3` and `python`, `pip3` is `pip`, `gcc-12` is `gcc`; `python3` is known itself.
    """
    names = dict.fromkeys((name, plain(name)))
    name = plain(name)
    if name not in _families and name[-1:].isdigit():
        shorter = (name.rpartition(".")[0], name.rstrip("0123456789.").rstrip("-"))
        names |= dict.fromkeys(short for short in shorter if short in _families)
    return tuple(names)


def find(name: str) -> Program | None:
    """The program that a name stands for, also with a version behind it or GNU's `g` before it: `gcc-12`, `gsed`."""
    name = known_as(name)[-1]
    family = _families.get(name)
    if family is None:
        beginning = next((known for known in BEGINNINGS if name.startswith(known)), None)
        return None if beginning is None else find(BEGINNINGS[beginning])
    if name not in _rows:
        _rows.update((each, row) for row in rows_of(family) for each in (row.name, *row.aliases))
    return _rows[name]


def rows_of(family: str) -> tuple[Program, ...]:
    """The rows of a family."""
    rows: tuple[Program, ...] = import_module(f"asimi.core.programs.{family}").PROGRAMS
    return rows


def is_builtin(name: str) -> bool:
    """Whether bash itself has a meaning for a name, so a function of that name takes it away."""
    found = find(name)
    return name == "command_not_found_handle" or (found is not None and "builtin" in found.traits)


def index() -> Iterator[str]:
    """The lines of `index.py`."""
    yield '"""Which family each program is in. Written by `make catalogue`; do not edit."""\n'
    yield "from __future__ import annotations\n"
    yield "NAMES = {"
    beginnings = []
    for family in FAMILIES:
        names = [name for row in rows_of(family) for name in (row.name, *row.aliases)]
        beginnings += [(name[:-1], row.name) for row in rows_of(family) for name in row.aliases if name[-1] == "*"]
        yield f'    "{family}": ('
        line = ""
        for name in sorted(name for name in names if name[-1] != "*"):
            if len(line) + len(name) > 100:
                yield f'        "{line}"'
                line = ""
            line += f"{name} "
        yield f'        "{line.rstrip()}"'
        yield "    ),"
    yield "}"
    yield '"""The names of its programs, by family."""\n'
    yield "BEGINNINGS = {"
    yield from (f'    "{beginning}": "{name}",' for beginning, name in sorted(beginnings))
    yield "}"
    yield '"""Beginnings of names, and the program that they stand for."""'
