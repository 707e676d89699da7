"""Write what `re` makes of asimi's regular expressions, for the Python that runs this: `asimi/core/expressions/`.

Building a wheel does it, an editable one also; one for others is given those of each Python on the PATH. A file is
named by its Python and by the version of what `re` compiles to, and holds:

    4 bytes   the CRC-32 of the index, begun with 1, the highest byte first
    4 bytes   the length of the index
    index     where each is in what follows, and its CRC-32, by the CRC-32 of its text begun with its flags
    each      its text and flags, and what the constructor of an expression takes

The last two are written by `marshal`. A start reads the whole index and of the expressions those that it needs.

The same Python writes the same bytes each time.
"""

from __future__ import annotations

import array
import marshal
import pkgutil
import shutil
import subprocess
import sys
from binascii import crc32
from pathlib import Path
from re import _compiler, _parser  # type: ignore[attr-defined]

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a program
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("asimi.core", "asimi.world.audit", "asimi.world.host")
"""Where the expressions are that a start may need."""

PYTHONS = [found for minor in range(11, 16) if (found := shutil.which(f"python3.{minor}"))]
"""Those on the PATH that asimi runs on."""

SAMPLE = "echo 'a' | curl -u me:secret https://me:secret@example.com/a/b?token=0123456789abcdefghij && x=1 <<E\nE\n"
"""A text by which all that looks for secrets is made."""


class Expressions(BuildHookInterface):  # type: ignore[misc, valid-type]
    """Writes the files before a wheel is made, and then those of `packs.py`."""

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
        """Write them."""
        write()
        if version != "standard":
            return
        packs = ROOT / "build" / "packs"
        shutil.rmtree(packs, ignore_errors=True)
        packs.mkdir(parents=True)
        for python in (*PYTHONS, sys.executable):  # a shim may be there for one that is not
            subprocess.run([python, __file__], check=False, capture_output=True)
            subprocess.run([python, ROOT / "packaging" / "packs.py", packs], check=False, capture_output=True)
        build_data["force_include"] |= {str(path): f"asimi/packs/{path.name}" for path in packs.iterdir()}


def named() -> list[tuple[str | bytes, int]]:
    """The expressions that the modules name, and those that the search for secrets uses; each with its flags."""
    sys.path.insert(0, str(ROOT))
    from asimi.core import startup

    found: set[tuple[str | bytes, int]] = set()

    class Noting(startup.pattern):  # type: ignore[misc, valid-type]
        def __init__(self, text: str | bytes, flags: int = 0) -> None:
            found.add((text, int(flags)))
            super().__init__(text, flags)

    whole, startup.pattern = startup.pattern, Noting  # type: ignore[misc, assignment]
    for package in NEEDED:
        for module in pkgutil.walk_packages(__import__(package, fromlist=["x"]).__path__, f"{package}."):
            __import__(module.name)
    from asimi.world.audit.redaction import Redaction

    Redaction({}).text(SAMPLE)
    startup.pattern = whole  # type: ignore[misc]
    return sorted(found, key=repr)


def content() -> bytes:
    """The whole file."""
    index, kept, every = {}, b"", named()
    for text, flags in every:
        tree = _parser.parse(text, flags)  # as `re._compiler.compile` goes on
        numbers: list[str | None] = [None] * tree.state.groups
        for name, number in tree.state.groupdict.items():
            numbers[number] = name
        code = array.array("I", map(int, _compiler._code(tree, flags))).tobytes()  # noqa: SLF001 - no other way
        given = (int(flags | tree.state.flags), code, tree.state.groups - 1, dict(tree.state.groupdict), tuple(numbers))
        each = marshal.dumps(((text, flags), *given), 2)  # of this version no object refers to another
        index[crc32(repr(text).encode(), flags)] = (len(kept), len(kept) + len(each), crc32(each))
        kept += each
    assert len(index) == len(every), "two expressions have the same sum"
    head = marshal.dumps(index, 2)
    return crc32(head, 1).to_bytes(4, "big") + len(head).to_bytes(4, "big") + head + kept


def write() -> Path:
    """Write the file, and return where it is."""
    path = ROOT / "asimi" / "core" / "expressions" / f"{sys.implementation.cache_tag}-{_compiler.MAGIC}.crc"
    path.parent.mkdir(exist_ok=True)
    for old in path.parent.glob(f"{sys.implementation.cache_tag}-*"):  # asimi would use it, or say that it is damaged
        old.unlink()
    path.write_bytes(content())
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{write()}\n")
