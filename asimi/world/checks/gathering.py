"""Reads the files of a definition, none of which may be outside of the project or too large."""

from __future__ import annotations

import json
import os
import re
import stat
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.call import is_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


LONGEST = 64 << 10
"""Characters of a text that is kept, so that a change can be shown; of a longer one only its hash is."""

LARGEST = 4 << 20
"""Bytes of the largest file that is read at all."""

MOST_FILES = 64
"""Files that one makefile or justfile may include."""


class UnclearError(Exception):
    """A part of a definition cannot be found or read, so nobody can say what the check does."""


class DefinitionFiles:
    """The files of one definition.

    Args:
        root: the real path of the project root.

    Attributes:
        files: what counts of each file, by its path from the root.
        watched: the beginnings of the real paths of all files that it could be in.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: dict[str, str] = {}
        self.watched: dict[str, None] = {}

    def take(self, path: str, extract: Callable[[str], str | None] | None = None) -> str | None:
        """What counts of a file, or None where there is none.

        Raises:
            UnclearError: it is outside of the project, no file, too large, or cannot be understood.
        """
        self.watched[path] = None
        if not os.path.lexists(path):
            return None
        real = os.path.realpath(path)
        self.watched[real] = None
        there = os.stat(real)
        if not is_below(real, self.root) or not stat.S_ISREG(there.st_mode) or there.st_size > LARGEST:
            raise UnclearError
        with open(real, "rb") as file:
            text = file.read(LARGEST).decode("utf-8-sig", "backslashreplace").replace("\r\n", "\n")
        counts = text if extract is None else extract(text)
        if counts is not None:
            if takes_others(counts, os.path.dirname(real), self.root):
                raise UnclearError
            self.files[os.path.relpath(path, self.root)] = _redact(os.path.basename(path), counts)
            if len(self.files) > MOST_FILES:
                raise UnclearError
        return counts


def _redact(name: str, text: str) -> str:
    """A text as it is kept: without what is secret, and of a long one its hash."""
    if len(text) > LONGEST or name.startswith(".env"):
        return f"({len(text)} characters, SHA-256 {digest(text)})\n"
    if name not in _HOLD_SECRETS:
        return text
    lines = text.split("\n")
    return "\n".join(f"(may be secret, SHA-256 {digest(line)})" if _SECRET.search(line) else line for line in lines)


def digest(text: str) -> str:
    """What stands for a text that is not kept."""
    return sha256(text.encode()).hexdigest()[:32]


_HOLD_SECRETS = frozenset({".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "poetry.toml", "profiles.yml", "uv.toml"})
_SECRET = re.compile(r"(?i)auth|token|pass|secret")


def chain(directory: str, root: str) -> Iterator[str]:
    """A directory and those above it, up to the project root."""
    while True:
        yield directory
        if directory == root:
            return
        directory = os.path.dirname(directory)


def json_of(text: str) -> dict[str, Any]:
    """An object of JSON.

    Raises:
        UnclearError: it is none.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise UnclearError from None
    if not isinstance(value, dict):
        raise UnclearError
    return value


LARGEST_SETTINGS = 1 << 18
"""Bytes of the largest file that is looked through."""

_EXTENDS = re.compile(r"""\b(?:extends?|inherit_from)\b["']?\s*[:=]\s*(\[[^\]]*\]?|(?:-\s[^\n]*\s*)+|[^\n]*)""")
"""What settings take in: a value, or a list of them in JSON, TOML, JavaScript or YAML."""

_NAMED = re.compile(r"""[^\s"'`,\[\](){}]+""")

_OF_SETTINGS = re.compile(r"(?i)base|biome|common|config|eslint|lint|prettier|pyproject|pyright|rubocop|ruff|shared")
"""How the name of a file of settings may read."""


_NAMES_PROGRAMS = {
    "rust-toolchain": b"path",
    "global.json": b"paths",
    **dict.fromkeys((f"jupyter{each}_config.{end}" for each in ("", "_nbconvert") for end in ("py", "json")), b""),
}
"""What is in settings that name a program, or are code (rustup book, Overrides; .NET, global.json; Jupyter's docs)."""


def extends_others(path: str, root: str) -> bool:
    """Whether a file of settings takes in a file that is none, or one outside of a root; so does one that is no text.

    Args:
        path: the file; without one there, it takes in nothing.
        root: the real path of a project root.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(LARGEST_SETTINGS + 1)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    named = _NAMES_PROGRAMS.get(os.path.basename(path).removesuffix(".toml"))
    if named is not None:
        return named in text
    return len(text) > LARGEST_SETTINGS or takes_others(text.decode("utf-8", "replace"), os.path.dirname(path), root)


def takes_others(text: str, directory: str, root: str) -> bool:
    """The same of a text of settings, which is in a directory."""
    for name in (name for each in _EXTENDS.finditer(text) for name in _NAMED.findall(each[1])):
        path = os.path.realpath(os.path.join(directory, name))
        if name[0] in "~$":
            return True
        if name[0] not in "/." and not os.path.lexists(path):
            continue  # a package, or what the tool itself has
        if not is_below(path, root) or _OF_SETTINGS.search(os.path.basename(path)) is None:
            return True
    return False
