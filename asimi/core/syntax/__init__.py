"""Reading shell text as bash reads it.

`parse` gives everything a text would do, as facts with their spans; `quote` writes a word. The reader is one class in
three layers, each of which uses those below it:

    parser   lists, pipelines, simple and compound commands, conditions, functions
    words    one word, and what bash expands, and executes, inside it
    cuts     the text, the facts found so far, and where quotes and brackets end

`nodes` are the facts, `texts` are functions on strings. What none of them understands is a `ShellSyntaxError`.
"""

from __future__ import annotations

from asimi.core.budget import Budget
from asimi.core.errors import ShellSyntaxError
from asimi.core.startup import TYPE_CHECKING
from asimi.core.syntax.parser import Parser
from asimi.core.syntax.texts import quote

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Script

LIMIT = 131_072
"""The bytes of the shortest text that bash cannot be given: an argument of execve holds 128 KiB with its NUL."""


def parse(text: str, budget: Budget | None = None) -> Script:
    """Everything a text would do, if `bash -c` were given it.

    A lone surrogate U+DC80 to U+DCFF stands for a byte that is not valid UTF-8.

    Args:
        text: the text.
        budget: what its reading is paid from.

    Raises:
        ShellSyntaxError: bash would not parse it or we do not understand it (code `unparsable`), or it is too long or
            nested too deep (code `too_large`).
        OverBudgetError: the budget does not suffice.
    """
    if "\0" in text:
        pos = text.index("\0")
        raise ShellSyntaxError("A command cannot hold NUL", text, (pos, pos + 1))
    if not text.isascii() or len(text) >= LIMIT:
        try:
            size = len(text.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError as error:
            raise ShellSyntaxError("A lone surrogate is not text", text, (error.start, error.end)) from None
        if size >= LIMIT:
            raise ShellSyntaxError("The command is 128 KiB or longer", text, (0, 1), code="too_large")
    return Parser(text, budget or Budget()).read()


__all__ = ["parse", "quote"]
