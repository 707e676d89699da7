"""Loads the modules that every check, run or answer of a hook needs from one file for each Python, in `packs/`.

`packaging/packs.py` makes the file with the wheel. Without it, and where Python is told to compile in another way, each
module is loaded from its own file, as in any package. With it Python is spared the search for each file, a hundred
thousand instructions around each import, and most of the strings in the code.

No change goes unseen. Python takes a `.pyc` file for its source if the time and the size noted in it fit. A wheel
cannot know the times, because each installer sets its own. So each source is read whole and must have the sum noted in
the pack, which also finds an edit that keeps size and time. A file that Python would find before the source is an
error, too. The compiled code has a sum of its own, because Python runs damaged code without a word. The sums are those
of PEP 552, by which Python checks compiled modules by content.

A module from a pack looks like one that was loaded from its source.
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
    from typing import Any

    Packed = tuple[str, bool, int, bytes]
    """A module of the pack: its name, whether it is a package, and the length and the sum of its source."""

MAGIC = int.from_bytes(MAGIC_NUMBER[:2], "little")
"""The version of Python's compiled code, and the key of the sums: no other Python's pack has one that fits."""

HERE = __file__.rpartition("/")[0]
PACK = f"{HERE}/packs/{sys.implementation.cache_tag}-{MAGIC}.pack"
SCARCE = {12, 23, 24}  # ENOMEM, ENFILE, EMFILE: no fault of a file
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
        if isinstance(error.__cause__, FileNotFoundError) or not os.path.isdir(HERE):  # this is in an archive
            return
        raise
    end = 12 + int.from_bytes(head[8:12], "big")
    streams, ways = _held(head[12:end], head[:8])
    for start, size, known, modules in (streams[each] for each in ways.get(way, ())):
        codes = _held(_read(PACK, size, end + start), known)
        _check_folders(modules)
        _load([each for each in zip(modules, codes, strict=True) if each[0][0] not in sys.modules])


def _held(content: bytes, known: bytes) -> Any:
    """What a part of the pack holds.

    Raises:
        ImportError: it does not have the sum that is known.
    """
    if source_hash(MAGIC, content) != known:
        raise ImportError(f"{PACK} is damaged; install asimi again", path=PACK)
    return marshal.loads(content)  # noqa: S302 - asimi's own, by its sum


def _read(path: str, size: int, start: int = 0) -> bytes:
    """So many bytes of a file, or all that are there.

    Raises:
        ImportError: it cannot be read.
        OSError: there is no memory or descriptor left, which is no fault of the file.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # else a FIFO would be waited for
        try:
            found = more = os.pread(descriptor, size, start)
            while more and len(found) < size:
                found += (more := os.pread(descriptor, size - len(found), start + len(found)))
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno in SCARCE:
            raise
        raise ImportError(f"{path}: {error.strerror}; install asimi again", path=path) from error
    return found


def _check_folders(modules: Sequence[Packed]) -> None:
    """See that nothing lies beside the sources that Python would find before them.

    Raises:
        ImportError: there is something.
    """
    known = {name for name, package, _, _ in modules if not package}
    for folder in {name.rpartition(".")[0] for name, _, _, _ in modules}:
        at = f"{HERE}{folder[5:].replace('.', '/')}"
        for name in _names(at):
            if name[-3:] == ".py":
                continue
            stem, dot, rest = name.partition(".")
            if dot:
                before = dot + rest in extension_suffixes() and (f"{folder}.{stem}" in known or stem == "__init__")
            else:  # Python takes a package before a module of that name
                before = f"{folder}.{name}" in known and any(each[:9] == "__init__." for each in _names(f"{at}/{name}"))
            if before:
                raise ImportError(f"{at}/{name} is none of asimi's files; delete it and install asimi again")


def _names(folder: str) -> Sequence[str]:
    """The names in a folder; none where it is a file.

    Raises:
        ImportError: it cannot be read.
        OSError: as `_read` does.
    """
    try:
        return os.listdir(folder)
    except NotADirectoryError:
        return ()
    except OSError as error:
        if error.errno in SCARCE:
            raise
        raise ImportError(f"{folder}: {error.strerror}; install asimi again", path=folder) from error


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
