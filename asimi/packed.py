"""The modules that every check, run or answer of a hook loads, compiled, in one file for each Python: `packs/`.

`packaging/packs.py` makes the file with the wheel, of what these load; without it, and where Python is told to compile
in another way, asimi is loaded of its modules' files as any package. With it Python is spared the search for each file,
what it does around each import, which is a hundred thousand instructions, and most of the strings in the code.

It changes nothing unseen. Python takes a compiled module for its source where the time and the size that it noted fit.
A wheel cannot know the times, because each installer sets its own. So each source is read whole, and has to have the
sum that it had: that sees an edit that keeps size and time as well. What else Python would find first in its place is
an error, too. The compiled code has a sum because of damaged code Python makes anything; a `.pyc` file has none. The
sums are those of Python for compiled modules that are checked by content (PEP 552).

To all that looks, a module is as if loaded of its source.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec  # `importlib.machinery` hands on these, and is not loaded yet
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from _imp import _fix_co_filename, extension_suffixes, source_hash  # type: ignore[attr-defined]

TYPE_CHECKING = False  # as in `asimi.core.startup`, which this does not import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

    Packed = tuple[str, bool, int, bytes]
    """A module of the pack: its name, whether it is a package, and the length and the sum of its source."""

MAGIC = int.from_bytes(MAGIC_NUMBER[:2], "little")
"""The version of Python's compiled code, and the key of the sums: no other Python's pack has one that fits."""

HERE = __file__.rpartition("/")[0]
PACK = f"{HERE}/packs/{sys.implementation.cache_tag}-{MAGIC}.pack"
HEAD = 1 << 14
"""How much is read of the file first; the index is in it."""


def use(way: str) -> None:
    """Load the modules that every start of a way loads, if there is a pack.

    Args:
        way: `check`, `run` or `hook`; nothing is loaded for another.

    Raises:
        ImportError: the pack or a source is not the one that was installed.
    """
    if sys.flags.optimize or sys.pycache_prefix is not None or os.sep != "/":
        return
    try:
        head = _read(PACK, HEAD)
    except ImportError as error:
        if isinstance(error.__cause__, (FileNotFoundError, NotADirectoryError)):  # the latter in an archive
            return
        raise
    end = 12 + int.from_bytes(head[8:12], "big")
    if source_hash(MAGIC, head[12:end]) != head[:8]:
        raise ImportError(f"{PACK} is damaged; install asimi again", path=PACK)
    streams, ways = marshal.loads(head[12:end])  # noqa: S302 - asimi's own, by its sum
    for start, size, known, modules in (streams[each] for each in ways.get(way, ())):
        content = _read(PACK, size, end + start)
        if source_hash(MAGIC, content) != known:
            raise ImportError(f"{PACK} is damaged; install asimi again", path=PACK)
        _check_folders(modules)
        packed = zip(modules, marshal.loads(content), strict=True)  # noqa: S302 - as above
        _load([each for each in packed if each[0][0] not in sys.modules])


def _read(path: str, size: int, start: int = 0) -> bytes:
    """So many bytes of a file, or all that are there."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            found = more = os.pread(descriptor, size, start)
            while more and len(found) < size:
                found += (more := os.pread(descriptor, size - len(found), start + len(found)))
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno in {12, 23, 24}:  # there is no memory or descriptor left, which is no fault of the file
            raise
        raise ImportError(f"{path}: {error.strerror}; install asimi again", path=path) from error
    return found


def _check_folders(modules: Sequence[Packed]) -> None:
    """See that nothing lies beside the sources that Python would find before them.

    Raises:
        ImportError: there is something.
    """
    packages = {name: package for name, package, _, _ in modules}
    for folder in {name.rpartition(".")[0] for name in packages}:
        at = f"{HERE}{folder[5:].replace('.', '/')}"
        for name in os.listdir(at):
            if name[-3:] == ".py":
                continue
            stem, dot, rest = name.partition(".")
            package = packages.get(f"{folder}.{stem}")
            if (package is not None or stem == "__init__") and (
                dot + rest in extension_suffixes() if dot else not package
            ):
                raise ImportError(f"{at}/{name} is none of asimi's files; delete it and install asimi again")


def _load(packed: Sequence[tuple[Packed, CodeType]]) -> None:
    """Make modules, and execute their code: all are there first, because what a package imports is complete before it.

    Raises:
        ImportError: a source is not the one that was installed.
    """
    made = [(_made(*module), code) for module, code in packed]
    sys.modules.update({module.__name__: module for module, _ in made})
    try:
        for module, code in made:
            _fix_co_filename(code, module.__file__)
            exec(code, module.__dict__)  # noqa: S102 - what an import does
            parent, _, last = module.__name__.rpartition(".")
            setattr(sys.modules[parent], last, module)
    except BaseException:
        for module, _ in made:
            sys.modules.pop(module.__name__, None)
        raise


def _made(name: str, package: bool, size: int, known: bytes) -> ModuleType:  # noqa: FBT001 - as it is packed
    """A module without what its code makes.

    Raises:
        ImportError: its source is not the one that was installed.
    """
    folder = f"{HERE}{name[5:].replace('.', '/')}"
    file = f"{folder}/__init__.py" if package else f"{folder}.py"
    if source_hash(MAGIC, _read(file, size + 1)) != known:
        again = f"install asimi again, or delete {PACK}"
        raise ImportError(f"{file} was changed after asimi was installed; {again}", name=name, path=PACK)
    spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=package)
    at, _, last = file[:-3].rpartition("/")
    spec.cached = f"{at}/__pycache__/{last}.{sys.implementation.cache_tag}.pyc"
    spec.has_location = True
    module = type(sys)(name)
    module.__dict__.update(__file__=file, __cached__=spec.cached, __package__=spec.parent)
    module.__dict__.update(__loader__=spec.loader, __spec__=spec)
    if package:
        spec.submodule_search_locations = module.__path__ = [folder]
    return module
