"""Which named program a file is, whatever it is called: by the file itself, links to it, unchanged copies of it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from typing import TYPE_CHECKING

from asimi.core.errors import SCARCE
from asimi.core.programs import find

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

SYSTEM = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
"""Where programs are looked for besides the directories of PATH."""
MULTICALL = frozenset(
    "asdf bash busybox coreutils dropbearmulti git kmod lvm mise pgrep rustup systemctl toybox uutils volta-shim "
    "xtables-legacy-multi xtables-nft-multi xz".split()
)
"""Files that are another program by each name they are called by; only a program of their own name is that file."""
SHELLS = frozenset("ash bash dash ksh mksh sh yash zsh".split())
"""What runs the scripts of `sh`."""
BY_ITS_NAME = (b"$0", b"${0", b"BASH_SOURCE", b"argv[0]")
"""What a script says that looks at the name it is called by, as the shims of version managers do."""
MOST = 4096
"""Files whose contents are remembered."""


class Identities:
    """The files of some programs.

    Args:
        names: the programs, as rules name them: with a `/`, a path; without one, a name in a directory of PATH.
        directories: the directories of PATH.
        more: further paths of files, and the name that each goes by.

    Attributes:
        interpreters: what runs those of them that are scripts, as `row_of` names it.
    """

    def __init__(self, names: Iterable[str], directories: Iterable[str], more: Iterable[tuple[str, str]] = ()) -> None:
        self._files: dict[tuple[int, int], dict[str, None]] = {}
        self._sizes: dict[int, dict[tuple[str, str], None]] = {}  # path and name
        self._known: dict[tuple[int, ...], bytes] = {}
        self.interpreters: set[str] = set()
        where = tuple(dict.fromkeys((*directories, *SYSTEM)))
        for name in names:
            for path in [name] if "/" in name else [os.path.join(each, name) for each in where]:
                self._add(path, name)
        for path, name in more:
            self._add(path, name)
        if self.interpreters:  # a copy of one, too, is given scripts
            for path in _programs_of(self.interpreters, where):
                self._add(path, os.path.basename(path), script=False)

    def of(self, descriptor: int) -> tuple[str, ...]:
        """The names of an open file; none for one that is no program of these.

        Raises:
            OSError: it cannot be read.
        """
        its = os.fstat(descriptor)
        if not stat.S_ISREG(its.st_mode):
            return ()
        if names := self._files.get((its.st_dev, its.st_ino)):
            return tuple(names)
        others = self._sizes.get(its.st_size)
        if others is None:
            return ()
        content = self._content(descriptor, its)
        return tuple(dict.fromkeys(name for path, name in others if self._content_of(path) == content))

    def _add(self, path: str, name: str, *, script: bool = True) -> None:
        """Note the file at a path as a program of a name, unless its name decides what it is.

        Args:
            path: of the file.
            name: of the program.
            script: whether it may be one.
        """
        try:
            its = os.stat(path)
            known = self._files.get((its.st_dev, its.st_ino), ())
            if not stat.S_ISREG(its.st_mode) or not its.st_size or name in known:
                return
            real = os.path.realpath(path)
            own = os.path.basename(real)
            if own != os.path.basename(name) and (own in MULTICALL or find(own) is find("busybox")):
                return
            head = _head(real)
            if head.startswith(b"#!") and (not script or any(each in head for each in BY_ITS_NAME)):
                return
        except OSError:  # it is not there, or nobody may read it, so a copy of it is out of reach as well
            return
        words = head[2:].partition(b"\n")[0].split() if head.startswith(b"#!") else []
        self.interpreters.update(row for row in map(row_of, map(os.fsdecode, words)) if row not in ("", "env"))
        self._files.setdefault((its.st_dev, its.st_ino), {})[name] = None
        self._sizes.setdefault(its.st_size, {})[real, name] = None

    def _content_of(self, path: str) -> bytes:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            if error.errno in SCARCE:
                raise
            return b""
        try:
            return self._content(descriptor, os.fstat(descriptor))
        finally:
            os.close(descriptor)

    def _content(self, descriptor: int, its: os.stat_result) -> bytes:
        """The hash of a file; of one that is unchanged since it was read, from memory."""
        key = its.st_dev, its.st_ino, its.st_size, its.st_mtime_ns, its.st_ctime_ns
        known = self._known.get(key)
        if known is None:
            sum_, place = hashlib.sha256(), 0
            while data := os.pread(descriptor, 1 << 20, place):
                sum_.update(data)
                place += len(data)
            if len(self._known) >= MOST:
                self._known.clear()
            known = self._known[key] = sum_.digest()
        return known


def _programs_of(rows: Collection[str], directories: Iterable[str]) -> Iterator[str]:
    """The paths in some directories whose names stand for one of these rows, under whatever version."""
    begins: set[str] = set()
    for row in rows:
        program = find(row)
        names = SHELLS if row == "sh" else (row,) if program is None else (program.name, *program.aliases)
        begins.update(name.rstrip("0123456789.") for name in names)
    for directory in dict.fromkeys(map(os.path.realpath, directories)):
        with contextlib.suppress(OSError):
            for name in os.listdir(directory):
                if name.startswith(tuple(begins)) and row_of(name) in rows:
                    yield os.path.join(directory, name)


def row_of(name: str) -> str:
    """The program that a name stands for: of any shell `sh`, of one with a version behind it that without."""
    name = os.path.basename(name)
    program = find(name)
    known = name if program is None else program.name
    return "sh" if known in SHELLS else known


def _head(path: str) -> bytes:
    """What a file begins with, as far as a script says there how it is run."""
    with open(path, "rb") as file:
        return b"#!" + file.read(1 << 16) if file.read(2) == b"#!" else b""
