"""What a command prints, and how it fits where it is read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_FILE = "no configuration, so every command is a question; set asimi up with: asimi init"
"""What whoever has configured nothing should know."""


def out(text: str) -> bool:
    """Print a line on standard output; return whether anybody still reads it, which few callers need.

    Raises:
        AsimiError: it cannot be written.
    """
    from asimi.world.host.terminal import write

    fault = write(1, text.encode("utf-8", "surrogateescape") + b"\n")
    if fault is not None and not isinstance(fault, BrokenPipeError):
        from asimi.core.errors import AsimiError

        raise AsimiError(f"Standard output cannot be written: {fault.strerror}")
    return fault is None


def fit(text: str, descriptor: int = 1, indent: int = 2) -> str:
    """A message as the terminal at a descriptor shows it best: wrapped, with `~`; in a pipe or a file, as it is."""
    if not is_terminal(descriptor):
        return text
    from asimi.world.host.terminal import fit_text, look_of

    return fit_text(text, look_of(os.environ, descriptor).width, indent)


def plural(number: int, what: str) -> str:
    """Return a number of things in words: `1 call`, `2 calls`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def quote_words(words: list[str]) -> str:
    """Return words as a shell would read them."""
    import shlex

    return " ".join(map(shlex.quote, words))


def with_bars(lines: Iterable[str]) -> str:
    """Return the lines of a text that others wrote, each behind a bar."""
    from asimi.world.host.terminal import printable

    return "\n".join(f"  | {printable(line)}" for line in lines)


def is_terminal(descriptor: int) -> bool:
    """Return whether a standard stream is a terminal."""
    try:
        return os.isatty(descriptor)
    except OSError:
        return False
