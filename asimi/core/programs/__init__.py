"""What is known about programs, as data; no code decides here.

One `Program` for each program, in the module of its family. Everything else that asimi knows about a name is derived
from it: what it starts, which options are a question, what is offered, what asimi's own files need protection from.
"""

from __future__ import annotations

from asimi.core.programs import (
    builds,
    checks,
    cloud,
    containers,
    databases,
    editors,
    files,
    interpreters,
    network,
    packages,
    shells,
    starters,
    system,
    text,
    version_control,
)
from asimi.core.programs.program import Program

FAMILIES = (
    builds,
    checks,
    cloud,
    containers,
    databases,
    editors,
    files,
    interpreters,
    network,
    packages,
    shells,
    starters,
    system,
    text,
    version_control,
)

CATALOGUE: dict[str, Program] = {
    name: program
    for family in FAMILIES
    for program in family.PROGRAMS
    for name in (program.name, *program.aliases)
    if name[-1] != "*"
}
"""Every program by each of its names."""

_BEGINNINGS = tuple(
    (name[:-1], program)
    for family in FAMILIES
    for program in family.PROGRAMS
    for name in program.aliases
    if name[-1] == "*"
)


_GNU = frozenset(
    name for family in (files, text) for program in family.PROGRAMS for name in (program.name, *program.aliases)
)
"""Programs that have a `g` before their names where the system has others of these names."""


def find(name: str) -> Program | None:
    """The program that a name stands for, also with a version behind it or GNU's `g` before it: `gcc-12`, `gsed`."""
    found = CATALOGUE.get(name)
    if found is None and name[:1] == "g" and name[1:] in _GNU:
        found = CATALOGUE[name[1:]]
    if found is None and name[-1:].isdigit():
        found = CATALOGUE.get(name.rstrip("0123456789.").rstrip("-"))
    if found is None:
        found = next((program for beginning, program in _BEGINNINGS if name.startswith(beginning)), None)
    return found


def is_builtin(name: str) -> bool:
    """Whether bash itself has a meaning for a name, so a function of that name takes it away."""
    found = CATALOGUE.get(name)
    return name == "command_not_found_handle" or (found is not None and "builtin" in found.traits)
