"""Writes asimi/core/programs/index.txt, which says in which file of the catalogue each program is."""

from __future__ import annotations

from binascii import crc32
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from asimi.core.programs.program import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = Path(__file__).parents[1] / "asimi" / "core" / "programs"


def index() -> Iterator[str]:
    """The lines of the index."""
    yield "# The CRC-32 of each file of the catalogue, and its programs. Written by `make catalogue`; do not edit."
    beginnings = {}
    for path in sorted(PROGRAMS.glob("catalogue/*.txt")):
        content = path.read_bytes()
        programs = [names for names, _, _ in blocks(content.decode())]
        beginnings |= {name[:-1]: names[0] for names in programs for name in names if name[-1] == "*"}
        yield f"${path.stem} = {crc32(content)}"
        names = sorted(name for names in programs for name in names if name[-1] != "*")
        yield fill(" ".join(names), 120, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    yield "# Beginnings of names, and the program that they stand for."
    yield f"$beginnings = {' '.join(f'{beginning}={name}' for beginning, name in sorted(beginnings.items()))}"


if __name__ == "__main__":
    (PROGRAMS / "index.txt").write_text("\n".join(index()) + "\n")
