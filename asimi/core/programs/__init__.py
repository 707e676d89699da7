"""What is known about programs, as text; no code decides here.

One block for each program, in the file of its family in `catalogue/`, in the notation that `program.py` reads. What
else asimi knows about a name is derived from it: what it starts, which options are a question, what is offered, what
asimi's own files need protection from. A file is read when one of its programs is asked for, and a block when its own
is, because most requests name few; `make catalogue` writes the index that says which family a name is in.
"""

from __future__ import annotations

from binascii import crc32
from functools import cache
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.facts import content_in, facts_of, lists
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from asimi.core.programs.program import Block, Program

GNU = ("files", "text")
"""Families whose programs have a `g` before their names where the system has others of these names."""

WRAPPERS = frozenset("chroot env nice nohup stdbuf time timeout xargs".split())
"""The wrappers of GNU that have it there, too."""

_INDEX = facts_of(__package__, "index")

BEGINNINGS = dict(each.split("=") for each in " ".join(_INDEX.pop("beginnings")).split())
"""Beginnings of names, and the program that they stand for."""

SUMS = {family: int(lines[0]) for family, lines in _INDEX.items()}
"""The CRC-32 of each file."""

NAMES = {family: " ".join(lines[1:]) for family, lines in _INDEX.items()}
"""The names of the programs, by family."""

_families = {name: family for family, names in NAMES.items() for name in names.split()}
_rows: dict[str, Program] = {}
_BEGINNINGS = tuple(BEGINNINGS)


class Family(NamedTuple):
    """The programs of one file.

    Attributes:
        text: the file.
        lists: the lists that its rows name.
        blocks: where its programs are, by each of their names.
    """

    text: str
    lists: dict[str, list[str]]
    blocks: dict[str, Block]


def plain(name: str) -> str:
    """A name without GNU's `g` before it: `rm` of `grm`."""
    prefixed = name[:1] == "g" and name not in _families
    return name[1:] if prefixed and (_families.get(name[1:]) in GNU or name[1:] in WRAPPERS) else name


_CROSS = pattern(
    r"(?:aarch64|arm|armeb|avr|i[3-6]86|llvm|loongarch64|m68k|mips\w*|msp430|or1k|powerpc\w*|riscv(?:32|64)|rust|s390x?|sh4|sparc\w*"
    r"|x86_64|xtensa)(?:-[\w.]+){0,3}-"
    r"((?:addr2line|ar|c\+\+|c\+\+filt|cc|clang|clang\+\+|cpp|g\+\+|gcc|gcov|gfortran|ld|nm|objcopy|objdump|ranlib"
    r"|readelf|size|strings|strip)(?:-\d[\d.]*)?)"
)
"""A compiler or a binary utility for another machine, `arm-none-eabi-gcc` (GCC manual, Cross-Compiler), or LLVM's."""


def known_as(name: str) -> tuple[str, ...]:
    """A name and what it stands for: without GNU's `g`, a machine and a version, where that is a known program.

    `python3.11` is `python3` and `python`, `pip3` is `pip`, `arm-none-eabi-gcc-12` is `gcc`; `python3` is known itself.
    """
    names = dict.fromkeys((name, plain(name)))
    name = plain(name)
    if "-" in name and (cross := _CROSS.fullmatch(name)):
        name = cross[1]
        names[name] = None
    if name not in _families and name[-1:].isdigit():
        shorter = (name.rpartition(".")[0], name.rstrip("0123456789.").rstrip("-"))
        names |= dict.fromkeys(short for short in shorter if short in _families)
    return tuple(names)


def find(name: str) -> Program | None:
    """The program that a name stands for, also with a version behind it or GNU's `g` before it: `gcc-12`, `gsed`.

    Raises:
        AsimiError: the catalogue is not the one that was installed.
    """
    if name in _rows:
        return _rows[name]
    name = known_as(name)[-1]
    family = _families.get(name)
    if family is None:
        if not name.startswith(_BEGINNINGS):
            return None
        return find(BEGINNINGS[next(known for known in BEGINNINGS if name.startswith(known))])
    if name not in _rows:
        from asimi.core.programs.program import program_of

        text, lists, blocks = family_of(family)
        names, start, end = blocks[name]
        _rows.update(dict.fromkeys(names, program_of(text[start:end], lists)))
    return _rows[name]


@cache
def family_of(name: str) -> Family:
    """The programs of a family.

    Raises:
        AsimiError: its file is not the one that was installed.
    """
    from asimi.core.programs.program import blocks

    file = f"catalogue/{name}.txt"
    content = content_in(__package__, file)
    if crc32(content) != SUMS[name]:
        raise AsimiError(f"{__path__[0]}/{file} was changed after asimi was installed; install asimi again")
    text = content.decode()
    (_, _, first), *found = blocks(text)
    return Family(text, lists(text[:first]), {name: block for block in found for name in block[0]})


def rows_of(family: str) -> tuple[Program, ...]:
    """The programs of a family, in the order of its file."""
    firsts = dict.fromkeys(names[0] for names, _, _ in family_of(family).blocks.values())
    return tuple(row for row in map(find, firsts) if row is not None)


def is_builtin(name: str) -> bool:
    """Whether bash itself has a meaning for a name, so a function of that name takes it away."""
    found = find(name)
    return name == "command_not_found_handle" or (found is not None and "builtin" in found.traits)
