"""Whether a file of settings takes in others that are none: tools print the text of these in their errors."""

from __future__ import annotations

import os
import re

from asimi.core.call import is_below

LARGEST = 1 << 18
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
            text = file.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    named = _NAMES_PROGRAMS.get(os.path.basename(path).removesuffix(".toml"))
    if named is not None:
        return named in text
    return len(text) > LARGEST or takes_others(text.decode("utf-8", "replace"), os.path.dirname(path), root)


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
