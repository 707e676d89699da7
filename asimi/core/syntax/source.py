"""The text that is read, the facts found in it so far, and where in the grammar the reader is.

All state of the parser is here; the layers above add productions and no fields.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from asimi.core.errors import ShellSyntaxError
from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.syntax.nodes import Script

if TYPE_CHECKING:
    from typing import NoReturn, Self

    from asimi.core.budget import Budget
    from asimi.core.syntax.nodes import Binding, Function, Redirection, SimpleCommand, Substitution

SPLICE = r"(?>(?:\\\n)*)"
"""Line continuations, which bash removes before it looks at the next character."""

BLANK = r"[ \t]*+(?:\\\n[ \t]*+)*"
"""Blanks and line continuations; nothing else is a blank to bash."""

NAME = r"[A-Za-z_](?:[A-Za-z0-9_]++|\\\n)*"
"""A name (POSIX 3.216)."""

BREAK = r"(?=[ \t\n;&|()<>]|\Z)"
"""Before a metacharacter (bash manual, Definitions) or the end: where a reserved word ends."""

NOTHING = pattern(rf"\#|\n|\Z|;(?!{SPLICE}[;&])")
"""What follows where no further word does: a comment, a newline, the end, or `;`."""

DEPTH = 100
"""How deep constructs may nest: far from Python's own limit of recursion, far beyond what people write."""

Closers = frozenset[str]
"""The words and operators that may end a list of commands; "" is the end of the text."""

AT_END = frozenset([""])

_SPLICES = pattern(SPLICE)
_BLANKS = pattern(BLANK)


class Source(ABC):
    """A text being read.

    Attributes:
        text: the text.
        script: where the facts go.
        budget: what the reading is paid from.
        depth: how many constructs are open.
        around: the construct that holds the current list of commands: its first word, the position of that, and what
            may close it.
        pending: the here-documents whose bodies begin after the next newline.
        ends: the position after a quoted or bracketed construct, by the position of its inside.
        parsed: a substitution that was read, and the position after it, by the position of its inside.
        holes: the spans of the substitutions in the expression being read.
        many: whether an expansion may become several fields even in double quotes, as `"$@"` does.
        joined: what is literal in the last word, after quote removal.
        raw: the same if nothing in that word was quoted or expanded, else None: only such a word can be reserved.
        lines: where the lines of the current list end.
        certain: what is sure to have happened at this point of the current list (see `SimpleCommand.holds`).
        in_substitution: whether this is inside `$(…)`, whose `)` may follow a here-document's delimiter on its line.
        in_function: whether this is inside the body of a function.
        in_case: whether bash believes this to be inside a `case`.
    """

    __slots__ = (
        "around", "budget", "certain", "depth", "ends", "holes", "in_case", "in_function", "in_substitution", "joined",
        "lines", "many", "parsed", "pending", "raw", "script", "text",
    )  # fmt: skip

    raw: str | None

    def __init__(self, text: str, budget: Budget, depth: int = 0, *, in_function: bool = False) -> None:
        budget.spend(10 + len(text) // 16)
        self.text, self.budget, self.script, self.depth = text, budget, Script(text), depth
        self.around: tuple[str, int, Closers] = "", 0, AT_END
        self.pending: list[Redirection] = []
        self.ends: dict[int, int] = {}
        self.parsed: dict[int, tuple[Substitution, int]] = {}
        self.holes: list[tuple[int, int]] = []
        self.joined, self.raw = "", None
        self.lines: list[int] = []
        self.certain: list[SimpleCommand | Binding | Function] = []
        self.in_function = in_function
        self.many = self.in_substitution = self.in_case = False

    @abstractmethod
    def commands(
        self, pos: int, opener: str, opening: int, closers: Closers, *, empty: bool = False
    ) -> tuple[int, str]:
        """Read a list of commands: what words, substitutions and compound commands may hold in turn.

        Args:
            pos: where it begins.
            opener: the word that opened the construct around it, for messages.
            opening: the position of that word.
            closers: what may end it.
            empty: whether it may hold no command at all.

        Returns:
            The position after what ended it, and what that was.
        """

    def read(self) -> Script:
        """Read all of the text.

        Raises:
            ShellSyntaxError: bash would not parse it, or we do not understand it.
        """
        self.commands(0, "", 0, AT_END, empty=True)
        return self.script

    def within(self, text: str) -> Self:
        """A reader of another text that bash would read at this point."""
        return type(self)(text, self.budget, self.depth, in_function=self.in_function)

    def fail(self, message: str, start: int, end: int = 0, code: str = "unparsable") -> NoReturn:
        """Give up on the text, with a caret under `start` to `end`, or under one character at `start`."""
        start = max(0, min(start, len(self.text) - 1))
        raise ShellSyntaxError(message, self.text, (start, max(end, start + 1)), code)

    def enter(self, pos: int) -> None:
        """Go one construct deeper; whoever enters leaves by taking one from `depth`."""
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(f"Nested more than {DEPTH} deep", pos, code="too_large")

    def spliced(self, pos: int) -> int:
        """The first position from `pos` on that is not a line continuation."""
        return _SPLICES.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string

    def blanks(self, pos: int) -> int:
        """The first position from `pos` on that is not a blank."""
        return _BLANKS.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string

    def mark(self) -> list[int]:
        """How much was found so far, for `rewind`."""
        return [len(facts) for facts in self.script.facts()]

    def rewind(self, mark: list[int]) -> None:
        """Forget what was found since a mark."""
        for facts, count in zip(self.script.facts(), mark, strict=True):
            del facts[count:]

    def absorb(self, script: Script) -> None:
        """Add what was found in another text."""
        for facts, found in zip(self.script.facts(), script.facts(), strict=True):
            facts.extend(found)
