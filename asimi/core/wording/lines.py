"""How a call is shown: as one line of shell text, which spans refer to, and what its parts are."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING
from asimi.core.syntax import quote
from asimi.core.syntax.nodes import Word
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from asimi.core.call import Refused, Request
    from asimi.core.syntax.nodes import Script

    class Called(Protocol):
        """Whatever has a command: a request, a job."""

        @property
        def command(self) -> str:
            """The shell text, or the program."""

        @property
        def arguments(self) -> tuple[str, ...] | None:
            """What the program is given; None for shell text."""


LONGEST = 200
"""Characters of a command that are shown where it was refused."""


def line_of(called: Called) -> str:
    """The shell text itself, or the program and its arguments, quoted if they need it."""
    if called.arguments is None:
        return called.command
    return " ".join(map(_quoted, (called.command, *called.arguments)))


def refused_line(refused: Refused) -> str:
    """One line that says which execution was refused, and where that is written."""
    command = " ".join(map(_quoted, refused.argv))
    if len(command) > LONGEST:
        command = command[:LONGEST] + "…"
    return visible(f"asimi: {denial(command, refused)}")


def denial(command: str, refused: Refused) -> str:
    """That an execution was refused, as a sentence about its command."""
    why = f" by {refused.source}" if refused.source else f": {refused.rule}"
    return f"'{command}' (started by {refused.parent}, pid {refused.pid}) is denied{why}"


def argv_words(request: Request) -> list[Word]:
    """The program and its arguments as literal words, with their spans in `line_of`."""
    words, pos = [], 0
    for text in (request.command, *(request.arguments or ())):
        end = pos + len(_quoted(text))
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


def _quoted(text: str) -> str:
    """A word for people; one that cannot be quoted is shown as Python writes it, and refused elsewhere."""
    try:
        return quote(text)
    except ValueError:
        return repr(text)
