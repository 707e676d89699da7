"""Where a quoted or bracketed piece of shell text ends.

bash reads a word in two steps: first it cuts, counting quotes and brackets, then, when the word is expanded, it looks
at what is inside. The two disagree on purpose here and there: in `"${x:-'}$(c)'}"` the single quotes hide the brace
from the cut but do not keep `$(c)` from being executed. This module is the first step alone, and keeps bash's rules
for it to the letter (bash 5.2, `parse_matched_pair` and `parse_comsub`).

Each end is remembered, so that a construct inside others is cut once however deep it stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from asimi.core.errors import ShellSyntaxError
from asimi.core.lean import NamedTuple, pattern

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Redirection, Script

SPLICE = r"(?:\\\n)*"
"""Line continuations, which bash takes out before it looks at the next character."""

BLANK = r"[ \t]*+(?:\\\n[ \t]*+)*"
"""Blanks and line continuations; nothing else is a blank to bash."""

DEPTH = 100
"""How deep constructs may nest; far from Python's own limit of recursion, far beyond what people write."""


class Group(NamedTuple):
    """How the end of one kind of bracket is found.

    Attributes:
        close: the closing bracket.
        nested: the opening bracket that must be closed as often as it is opened; empty where it is not counted.
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

_STEP = pattern(
    rf"""\\.?                                 # a quoted character
    | '[^']*('?)                              # 1: the end of a single-quoted string
    | \${SPLICE}(?:(\$)|'(?:[^'\\]++|\\.)*('?)|([(\[{{]))?   # 2: $$  3: the end of $'…'  4: a bracket after $
    | [<>]{SPLICE}(?:[<>]|(\())?              # 5: the bracket of a process substitution
    | (["`])                                  # 6
    | ([(){{}}\[\]])                          # 7""",
    re.DOTALL | re.VERBOSE,
)
_SKIP = pattern(r"[^\\'\"`$<>(){}\[\]]*+")
_DOUBLE = pattern(rf"(?:[^\"\\$`]++|\\.|\${SPLICE}\$|\$(?!{SPLICE}[({{\[$]))*", re.DOTALL)
_BACKQUOTED = pattern(r"(?:[^`\\]++|\\.)*", re.DOTALL)
_ANSI = pattern(r"(?:[^'\\]++|\\.)*", re.DOTALL)
_SPLICES = pattern(SPLICE)
_BLANKS = pattern(BLANK)


class Cutter:
    """A text and the ends of the constructs in it.

    Attributes:
        text: what is read; for the body of a here-document, what stands before its end.
        script: where the facts go that are found.
        pending: the here-documents whose bodies begin after the next newline.
        depth: how many constructs are open.
        ends: where the construct ends whose inside begins at a place.
    """

    __slots__ = ("depth", "ends", "pending", "script", "text")

    text: str
    script: Script
    pending: list[Redirection]
    depth: int
    ends: dict[int, int]

    def fail(self, message: str, start: int, end: int | None = None) -> NoReturn:
        """Give up on the text, with a caret under a place."""
        raise ShellSyntaxError(message, self.text, (start, start + 1 if end is None else max(end, start + 1)))

    def enter(self, pos: int) -> None:
        """Go one construct deeper; who enters leaves by taking one from `depth`."""
        self.depth += 1
        if self.depth > DEPTH:
            raise ShellSyntaxError(
                f"This is nested more than {DEPTH} deep", self.text, (pos, pos + 1), code="too_large"
            )

    def spliced(self, pos: int) -> int:
        """The place of the first character from `pos` on that is no line continuation."""
        return _SPLICES.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string

    def blanks(self, pos: int) -> int:
        """The place of the first character from `pos` on that is no blank."""
        return _BLANKS.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string

    def single_end(self, pos: int) -> int:
        """The place after the quote that closes the single quotes whose inside begins at `pos`."""
        end = self.text.find("'", pos)
        if end < 0:
            self.fail("This single quote is never closed: ' expected", pos - 1)
        return end + 1

    def ansi_end(self, pos: int) -> int:
        """The place after the quote that closes `$'…'`."""
        end = _ANSI.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string
        if self.text[end : end + 1] != "'":
            self.fail("This $' is never closed: ' expected", pos - 2, pos)
        return end + 1

    def backquote_end(self, pos: int) -> int:
        """The place after the backquote that closes the one before `pos`."""
        end = _BACKQUOTED.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string
        if self.text[end : end + 1] != "`":
            self.fail("This backquote is never closed: ` expected", pos - 1)
        return end + 1

    def double_end(self, pos: int) -> int:
        """The place after the quote that closes the double quotes whose inside begins at `pos`."""
        start = pos
        known = self.ends.get(start)
        if known is not None:
            return known
        text = self.text
        while True:
            pos = _DOUBLE.match(text, pos).end()  # type: ignore[union-attr] # it matches the empty string
            character = text[pos : pos + 1]
            if character == '"':
                self.ends[start] = pos + 1
                return pos + 1
            if character == "`":
                pos = self.backquote_end(pos + 1)
            elif character == "$":
                pos = self.spliced(pos + 1)
                self.enter(pos)
                pos = self.dollar_end(pos)
                self.depth -= 1
            else:
                self.fail('This double quote is never closed: " expected', start - 1)

    def dollar_end(self, pos: int) -> int:
        """The place after the construct whose bracket, behind a `$`, stands at `pos`."""
        character = self.text[pos]
        if character == "{":
            return self.group_end(pos + 1, BRACES)
        if character == "[":
            return self.group_end(pos + 1, BRACKETS)
        return self.parenthesis_end(pos + 1)

    def parenthesis_end(self, pos: int) -> int:
        """The place after the `)` of `$(`, `<(` or `>(`, whose inside begins at `pos`.

        `$((` is cut as arithmetic, although it may turn out to be a command substitution that begins with a subshell.
        """
        if self.text.startswith("(", self.spliced(pos)):
            return self.group_end(pos, ARITHMETIC)
        return self.substitution_end(pos)

    def substitution_end(self, pos: int) -> int:
        """The place after the `)` of a substitution: only the grammar of commands knows."""
        raise NotImplementedError

    def group_end(self, start: int, group: Group) -> int:
        """The place after the bracket that closes the group whose inside begins at `start`."""
        ends = {} if group is PATTERN else self.ends  # a pattern counts the parentheses of `$(…)` as any other
        known = ends.get(start)
        if known is not None:
            return known
        self.enter(start)
        text, pos, opened = self.text, start, [start]
        close, nested, dollars, process = group
        while True:
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
