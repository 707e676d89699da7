"""Reading shell text as bash reads it.

`parse` gives everything a text would do, as facts with their places (`nodes`); `quote` writes a word. The reader is one
class in layers, each of which knows those below it:

    commands     lists and pipelines
    compound     compound commands, functions, coprocesses
    simple       assignments, words and redirections of one command
    conditions   `[[ … ]]`
    heredocs     here-documents
    words        one word
    expansions   what bash expands, and executes, inside a word
    cuts         where quotes and brackets end

`quoting` and `arithmetic` are functions from text to text. What none of them understands is a `ShellSyntaxError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.syntax.commands import Parser
from asimi.core.syntax.quoting import quote

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Script

LIMIT = 131_072
"""The bytes of a text that bash cannot be given any more: an argument of execve holds 128 KiB, its NUL included."""


def parse(text: str) -> Script:
    """Everything a text would do, if `bash -c` were given it.

    A lone surrogate U+DC80 to U+DCFF stands for a byte that is no UTF-8.

    Raises:
        ShellSyntaxError: bash would not parse it or we do not understand it (code `unparsable`), or it is too long or
            nested too deep (code `too_large`).
    """
    if "\0" in text:
        place = text.index("\0")
        raise ShellSyntaxError("No shell text can hold NUL", text, (place, place + 1))
    if not text.isascii() or len(text) >= LIMIT:
        try:
            size = len(text.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError as error:
            raise ShellSyntaxError("This is half a character", text, (error.start, error.end)) from None
        if size >= LIMIT:
            raise ShellSyntaxError("The text has 128 KiB or more", text, (0, 1), code="too_large")
    return Parser(text).read()


__all__ = ["parse", "quote"]
