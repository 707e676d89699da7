"""Reading shell text as bash reads it.

`parse` gives everything a text would do, as facts with their spans; `quote` writes a word, and `line_of` a call as one
line, which spans refer to. The reader is one class in three layers, each of which uses those below it:

    parser   lists, pipelines, simple and compound commands, conditions, functions
    words    one word, and what bash expands, and executes, inside it
    cuts     the text, the facts found so far, and where quotes and brackets end

`nodes` are the facts, `texts` are functions on strings. What none
of them understands is a `ShellSyntaxError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.budget import Budget
from asimi.core.errors import ShellSyntaxError
from asimi.core.syntax.nodes import Word
from asimi.core.syntax.parser import Parser
from asimi.core.syntax.texts import quote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from asimi.core.syntax.nodes import Script

    class HasCommand(Protocol):
        """Whatever has a command: a request, a job."""

        @property
        def command(self) -> str:
            """The shell text, or the program."""

        @property
        def arguments(self) -> tuple[str, ...] | None:
            """What the program is given; None for shell text."""


__all__ = ["argv_words", "line_of", "painted", "parse", "quote", "quoted"]

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


def line_of(called: HasCommand) -> str:
    """The shell text itself, or the program and its arguments, quoted if they need it."""
    if called.arguments is None:
        return called.command
    return " ".join(map(quote_or_repr, (called.command, *called.arguments)))


def argv_words(called: HasCommand) -> list[Word]:
    """The program and its arguments as literal words, with their spans in `line_of`."""
    words, pos = [], 0
    for text in (called.command, *(called.arguments or ())):
        end = pos + len(quote_or_repr(text))
        words.append(Word(pos, end, text, text, single=True))
        pos = end + 1
    return words


def highlights(script: Script) -> Iterator[tuple[int, int, str]]:
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


def quote_or_repr(text: str) -> str:
    """A word for people; one that cannot be quoted is shown as Python writes it, and refused elsewhere."""
    try:
        return quote(text)
    except ValueError:
        return repr(text)
