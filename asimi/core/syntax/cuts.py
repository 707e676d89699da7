"""The text that is read, and where a quoted or bracketed piece of it ends.

bash reads a word in two steps: first it cuts, counting quotes and brackets, then, when the word is expanded, it looks
at what is inside. The two sometimes disagree on purpose: in `"${x:-'}$(c)'}"` the single quotes hide the brace
from the cut but do not keep `$(c)` from being executed. This module is the first step alone, and keeps bash's rules
for it to the letter (bash 5.2, `parse_matched_pair` and `parse_comsub`).

Each end is remembered, so a construct inside others is cut once however deep it is.

All state of a reader is here, too: the modules above add productions and no fields.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from re import DOTALL, VERBOSE
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.syntax.nodes import Script, Substitution
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from typing import NoReturn, Self

    from asimi.core.budget import Budget
    from asimi.core.syntax.nodes import Binding, Function, Redirection, SimpleCommand

SPLICE = r"(?>(?:\\\n)*)"
"""Line continuations, which bash removes before it looks at the next character."""

BLANK = r"[ \t]*+(?:\\\n[ \t]*+)*"
"""Blanks and line continuations; nothing else is a blank to bash."""

LINES = r"(?:[ \t\n]++|\\\n|#[^\n]*+)*"
"""Newlines, with comments and blanks: POSIX's newline_list."""

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
PARENTHESIS: Closers = frozenset([")"])

_SPLICES = pattern(SPLICE)
_BLANKS = pattern(BLANK)
_STEP = pattern(
    rf"""\\.?                                 # a quoted character
    | '[^']*('?)                              # 1: the end of a single-quoted string
    | \${SPLICE}(?:(\$)|'(?:[^'\\]++|\\.)*('?)|([(\[{{]))?   # 2: $$  3: the end of $'…'  4: a bracket after $
    | [<>]{SPLICE}(?:[<>]|(\())?              # 5: the bracket of a process substitution
    | (["`])                                  # 6
    | ([(){{}}\[\]])                          # 7""",
    DOTALL | VERBOSE,
)
_SKIP = pattern(r"[^\\'\"`$<>(){}\[\]]*+")
_DOUBLE = pattern(rf"(?:[^\"\\$`]++|\\.|\${SPLICE}\$|\$(?!{SPLICE}[({{\[$]))*", DOTALL)
_BACKQUOTED = pattern(r"(?:[^`\\]++|\\.)*", DOTALL)
_ANSI = pattern(r"(?:[^'\\]++|\\.)*", DOTALL)


class Group(NamedTuple):
    """How the end of one kind of bracket is found.

    Attributes:
        close: the closing bracket.
        nested: the opening bracket that must be closed as often as it is opened; empty if it is not counted.
        dollars: which brackets after `$` are cut as constructs of their own.
        process: whether `<(` and `>(` are.
    """

    close: str
    nested: str
    dollars: str
    process: bool


BRACES = Group("}", "", "({[", process=True)  # ${…}
SUBSCRIPT = Group("]", "[", "({[", process=True)  # a[…]=
ARITHMETIC = Group(")", "(", "(", process=False)  # ((…)) and $((…))
BRACKETS = Group("]", "[", "(", process=False)  # $[…]
PATTERN = Group(")", "(", "", process=False)  # @(…) and the parentheses of a regular expression


class Cutter(ABC):
    """A text being read, the facts found in it so far, and where in the grammar the reader is.

    A method `…_end` takes the position where the inside of a construct begins, and returns the one after its closing.

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
        in_loop: whether this is inside a loop.
        in_case: whether bash believes this to be inside a `case`.
    """

    __slots__ = (
        "around", "budget", "certain", "depth", "ends", "holes", "in_case", "in_function", "in_loop", "in_substitution",
        "joined", "lines", "many", "parsed", "pending", "raw", "script", "text",
    )  # fmt: skip

    raw: str | None

    def __init__(
        self, text: str, budget: Budget, depth: int = 0, *, in_function: bool = False, in_loop: bool = False
    ) -> None:
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
        self.in_function, self.in_loop = in_function, in_loop
        self.many = self.in_substitution = self.in_case = False

    @abstractmethod
    def commands(
        self, pos: int, opener: str, opening: int, closers: Closers, *, empty: bool = False
    ) -> tuple[int, str]:
        """Read a list of commands, as words, substitutions and compound commands may hold one.

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
        return type(self)(text, self.budget, self.depth, in_function=self.in_function, in_loop=self.in_loop)

    def fail(self, message: str, start: int, end: int = 0, code: str = "unparsable") -> NoReturn:
        """Give up on the text, with a caret under `start` to `end`, or under one character at `start`."""
        start = max(0, min(start, len(self.text) - 1))
        raise ShellSyntaxError(message, self.text, (start, max(end, start + 1)), code)

    def enter(self, pos: int) -> None:
        """Go one construct deeper; the caller leaves it by taking one from `depth`."""
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(f"Nested more than {DEPTH} deep", pos, code="too_large")

    def skip_splices(self, pos: int) -> int:
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

    # -- ends

    def single_end(self, pos: int) -> int:
        """`'…'`."""
        end = self.text.find("'", pos)
        if end < 0:
            self.fail("This single quote is never closed: ' expected", pos - 1)
        return end + 1

    def ansi_end(self, pos: int) -> int:
        """`$'…'`."""
        end = _ANSI.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string
        if self.text[end : end + 1] != "'":
            self.fail("This $' is never closed: ' expected", pos - 2, pos)
        return end + 1

    def backquote_end(self, pos: int) -> int:
        """Backquotes."""
        end = _BACKQUOTED.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string
        if self.text[end : end + 1] != "`":
            self.fail("This backquote is never closed: ` expected", pos - 1)
        return end + 1

    def double_end(self, pos: int) -> int:
        """`"…"`."""
        start = pos
        known = self.ends.get(start)
        if known is not None:
            return known
        text = self.text
        while True:
            pos = _DOUBLE.match(text, pos).end()  # type: ignore[union-attr] # it matches the empty string
            character = text[pos : pos + 1]
            if character == '"':
                self.budget.spend(1 + (pos - start) // 16)
                self.ends[start] = pos + 1
                return pos + 1
            if character == "`":
                pos = self.backquote_end(pos + 1)
            elif character == "$":
                pos = self.skip_splices(pos + 1)
                self.enter(pos)
                pos = self.dollar_end(pos)
                self.depth -= 1
            else:
                self.fail('This double quote is never closed: " expected', start - 1)

    def dollar_end(self, pos: int) -> int:
        """`${…}`, `$[…]`, `$(…)` and `$((…))`; here `pos` is that of the bracket."""
        character = self.text[pos]
        if character == "{":
            return self.group_end(pos + 1, BRACES)
        if character == "[":
            return self.group_end(pos + 1, BRACKETS)
        return self.parenthesis_end(pos + 1)

    def parenthesis_end(self, pos: int) -> int:
        """`$(…)`, `<(…)` and `>(…)`.

        `$((` is cut as arithmetic, although it may turn out to be a command substitution that begins with a subshell.
        """
        if self.text.startswith("(", self.skip_splices(pos)):
            return self.group_end(pos, ARITHMETIC)
        start = pos - 2
        while self.text[start] in "\\\n":
            start -= 1
        return self.substitution(start, pos, "command")[1]

    def substitution(self, start: int, pos: int, kind: str) -> tuple[Substitution, int]:
        """`$(` compound_list? `)`: only the grammar of commands knows where it ends, so it is read at once.

        Returns:
            What was read, and the position after it.
        """
        known = self.parsed.get(pos)
        if known is not None:
            known[0].kind = kind
            return known
        outer = self.script, self.pending, self.in_substitution, self.certain, self.in_case
        self.script, self.pending, self.in_substitution, self.certain = Script(self.text), [], True, []
        try:
            self.enter(start)
            end = self.commands(pos, "$(", start, PARENTHESIS, empty=True)[0]
            self.depth -= 1
            if self.pending:
                self.fail("The body of this command's here-document is outside the substitution", start, end)
            node = Substitution(start, end, kind, self.script)
        finally:
            self.script, self.pending, self.in_substitution, self.certain, self.in_case = outer
        self.parsed[pos] = node, end
        return node, end

    def group_end(self, start: int, group: Group) -> int:
        """A bracket of one kind."""
        ends = {} if group is PATTERN else self.ends  # a pattern counts the parentheses of `$(…)` as any other
        known = ends.get(start)
        if known is not None:
            return known
        self.enter(start)
        text, pos, opened = self.text, start, [start]
        close, nested, dollars, process = group
        while True:
            self.budget.spend(1)
            pos = _SKIP.match(text, pos).end()  # type: ignore[union-attr] # it matches the empty string
            step = _STEP.match(text, pos)
            if step is None:
                self.fail(f"This bracket is never closed: {close} expected", start - 1)
            pos = step.end()
            kind = step.lastindex
            if kind == 7:
                character = step[7]
                if character == close:
                    inside = opened.pop()
                    ends[inside] = pos
                    if not opened:
                        self.depth -= 1
                        return pos
                elif character == nested:
                    opened.append(pos)
            elif kind == 6:
                pos = self.double_end(pos) if step[6] == '"' else self.backquote_end(pos)
            elif kind == 4:
                if step[4] in dollars:
                    pos = self.dollar_end(pos - 1)
                elif step[4] == nested:
                    opened.append(pos)
            elif kind == 5:
                if process:
                    pos = self.parenthesis_end(pos)
                elif nested == "(":
                    opened.append(pos)
            elif (kind == 1 and not step[1]) or (kind == 3 and not step[3]):
                self.fail("This single quote is never closed: ' expected", step.start())
