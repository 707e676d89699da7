"""A request as one line of shell text: what people see, spans count in, and exact approvals hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.syntax import quote
from asimi.syntax.nodes import Word

if TYPE_CHECKING:
    from asimi.call import Request


def line_of(request: Request) -> str:
    """The shell text itself, or the program and its arguments, quoted where they need it."""
    if request.arguments is None:
        return request.command
    return " ".join(map(_quoted, (request.command, *request.arguments)))


def argv_words(request: Request) -> list[Word]:
    """The program and its arguments as literal words, with their places in `line_of`."""
    words, place = [], 0
    for text in (request.command, *(request.arguments or ())):
        end = place + len(_quoted(text))
        words.append(Word(place, end, text, text, single=True))
        place = end + 1
    return words


def _quoted(text: str) -> str:
    """A word for people; one that cannot be quoted is shown as Python writes it, and refused elsewhere."""
    try:
        return quote(text)
    except ValueError:
        return repr(text)
