"""A call as one line of shell text, which spans refer to."""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING
from asimi.core.syntax import quote
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from asimi.core.call import Request
    from asimi.core.syntax.nodes import Script

    class Called(Protocol):
        """Whatever has a command: a request, a job."""

        @property
        def command(self) -> str:
            """The shell text, or the program."""

        @property
        def arguments(self) -> tuple[str, ...] | None:
            """What the program is given; None for shell text."""


def line_of(called: Called) -> str:
    """The shell text itself, or the program and its arguments, quoted if they need it."""
    if called.arguments is None:
        return called.command
    return " ".join(map(quoted, (called.command, *called.arguments)))


def argv_words(request: Request) -> list[Word]:
    """The program and its arguments as literal words, with their spans in `line_of`."""
    words, pos = [], 0
    for text in (request.command, *(request.arguments or ())):
        end = pos + len(quoted(text))
        words.append(Word(pos, end, text, text, single=True))
        pos = end + 1
    return words


def painted(script: Script) -> Iterator[tuple[int, int, str]]:
    """The spans that colours may tell apart: `program`, `quoted`, `operator`, `expansion`; a later one wins."""
    for command in script.commands:
        for index, word in enumerate(command.words):
            if not index:
                yield word.start, word.end, "program"
            elif script.text[word.start : word.start + 1] in {"'", '"'}:
                yield word.start, word.end, "quoted"
    for redirection in script.redirections:
        yield redirection.start, redirection.target.start, "operator"
    for expansion in script.expansions:
        yield expansion.start, expansion.end, "expansion"


def quoted(text: str) -> str:
    """A word for people; one that cannot be quoted is shown as Python writes it, and refused elsewhere."""
    try:
        return quote(text)
    except ValueError:
        return repr(text)
