"""Facts that are text: files beside the modules that need them, in the notation of the catalogue's lists.

`$NAME = WORDS` begins a list, lines that begin with a blank continue it, and a line that begins with `#` is a comment.
"""

from __future__ import annotations

import sys


def facts_of(package: str, name: str) -> dict[str, list[str]]:
    """The lists of a file of facts, each as its lines.

    Args:
        package: the name of the package that the file lies in.
        name: the file's name without its ending.

    Raises:
        OSError: it cannot be read.
    """
    return lists(content_in(package, f"{name}.txt").decode())


def content_in(package: str, name: str) -> bytes:
    """What is in a file of a package, which may be in an archive.

    Raises:
        OSError: it cannot be read.
    """
    module = sys.modules[package]
    content: bytes = module.__spec__.loader.get_data(f"{module.__path__[0]}/{name}")  # type: ignore[union-attr]  # every loader of files has it
    return content


def lists(text: str) -> dict[str, list[str]]:
    """The lists that a text gives names to, each as its lines without the blanks around them."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.split("\n"):
        said = line.strip()
        if not said or said[0] == "#":
            continue
        if line[0] == "$":
            name, _, words = said[1:].partition(" =")
            found[name] = [words.strip()] if words.strip() else []
        elif line[0] == " ":
            found[name].append(said)
    return found


def words_of(lines: list[str]) -> tuple[str, ...]:
    """The words of a list that has a comma behind each."""
    return tuple(" ".join(lines).rstrip(",").split(", "))


def names_of(lines: list[str]) -> frozenset[str]:
    """The names of a list that has blanks between them."""
    return frozenset(" ".join(lines).split())


def table_of(lines: list[str]) -> dict[str, str]:
    """The words of a list whose lines are `WORD: WHAT IS SAID OF IT`."""
    return {word: said.strip() for word, _, said in (line.partition(":") for line in lines)}
