"""Writes asimi/core/programs/index.py, which says in which file of the catalogue each program is."""

from __future__ import annotations

from binascii import crc32
from pathlib import Path
from typing import TYPE_CHECKING

from asimi.core.programs.program import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = Path(__file__).parents[1] / "asimi" / "core" / "programs"


def index() -> Iterator[str]:
    """The lines of the index."""
    files = {path.stem: path.read_bytes() for path in sorted(PROGRAMS.glob("catalogue/*.txt"))}
    found = {family: [names for names, _, _ in blocks(content.decode())] for family, content in files.items()}
    yield '"""Which file each program is in, and what the files are. Written by `make catalogue`; do not edit."""\n'
    yield "from __future__ import annotations\n"
    yield "NAMES = {"
    for family, programs in found.items():
        yield f'    "{family}": ('
        line = ""
        for name in sorted(name for names in programs for name in names if name[-1] != "*"):
            if len(line) + len(name) > 100:
                yield f'        "{line}"'
                line = ""
            line += f"{name} "
        yield f'        "{line.rstrip()}"'
        yield "    ),"
    yield "}"
    yield '"""The names of the programs, by family."""\n'
    yield "BEGINNINGS = {"
    programs = [names for each in found.values() for names in each]
    beginnings = sorted((name[:-1], names[0]) for names in programs for name in names if name[-1] == "*")
    yield from (f'    "{beginning}": "{name}",' for beginning, name in beginnings)
    yield "}"
    yield '"""Beginnings of names, and the program that they stand for."""\n'
    yield "SUMS = {"
    yield from (f'    "{family}": {crc32(content)},' for family, content in files.items())
    yield "}"
    yield '"""The CRC-32 of each file."""'


if __name__ == "__main__":
    (PROGRAMS / "index.py").write_text("\n".join(index()) + "\n")
