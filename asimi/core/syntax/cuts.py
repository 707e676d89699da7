"""Where a quoted or bracketed piece of shell text ends.

bash reads a word in two steps: first it cuts, counting quotes and brackets, then, when the word is expanded, it looks
at what is inside. The two sometimes disagree on purpose: in `"${x:-'}$(c)'}"` the single quotes hide the brace
from the cut but do not keep `$(c)` from being executed. This module is the first step alone, and keeps bash's rules
for it to the letter (bash 5.2, `parse_matched_pair` and `parse_comsub`).

Each end is remembered, so a construct inside others is cut once however deep it is.
"""

from __future__ import annotations

import re

from asimi.core.lean import NamedTuple, pattern
from asimi.core.syntax.nodes import Script, Substitution
from asimi.core.syntax.source import SPLICE, Closers, Source

PARENTHESIS: Closers = frozenset([")"])


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


class Cutter(Source):
    """Finds ends. Each method takes the position where the inside begins and returns the one after the closing."""

    __slots__ = ()

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
                pos = self.spliced(pos + 1)
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
        if self.text.startswith("(", self.spliced(pos)):
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
