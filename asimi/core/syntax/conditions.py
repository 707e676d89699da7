"""What stands between `[[` and `]]`; each method is a production (bash manual, Conditional Constructs)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.syntax.cuts import BREAK, SPLICE
from asimi.core.syntax.nodes import Condition
from asimi.core.syntax.words import CONDITION, EXTENDED, REGEX, WordReader

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Word

_UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(["=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-gt", "-le", "-ge"])
_RIGHT = {"=": EXTENDED, "==": EXTENDED, "!=": EXTENDED, "=~": REGEX}
_JOINT = pattern(rf"&{SPLICE}&|\|{SPLICE}\|")
_COMPARE = pattern(rf"[<>](?!{SPLICE}[<>&|(])")
_CLOSED = pattern(rf"\]{SPLICE}\]{SPLICE}{BREAK}")
DIGITS = pattern(r"[0-9]+")


class ConditionReader(WordReader):
    """Reads conditional expressions."""

    __slots__ = ()

    def conditional(self, start: int, pos: int) -> int:
        """conditional_command: `[[` expression `]]`."""
        pos = self._expression(pos, start)
        end = _CLOSED.match(self.text, pos)
        if end is None:
            self.fail("&&, || or ]] expected", pos)
        return end.end()

    def _expression(self, pos: int, opening: int) -> int:
        """expression: term ((`&&` | `||`) term)*."""
        while True:
            pos = self._term(pos, opening)
            match = _JOINT.match(self.text, pos)
            if match is None:
                return pos
            pos = match.end()

    def _term(self, pos: int, opening: int) -> int:
        """term: `!` term | `(` expression `)` | unary word | word | word binary word."""
        text = self.text
        pos = self.newlines(pos)
        while True:
            if pos >= len(text):
                self.fail("This [[ is never closed: ]] expected", opening, opening + 2)
            if text[pos] == "(":
                self.enter(pos)
                pos = self.newlines(self._expression(pos + 1, opening))
                self.depth -= 1
                if not text.startswith(")", pos):
                    self.fail(") expected", pos)
                return self.newlines(pos + 1)
            first = self._word(pos, CONDITION)
            if self.raw != "!":
                break
            pos = self.newlines(first.end)
        self.budget.spend(6)
        start, raw = pos, self.raw
        if raw == "]]":
            self.fail("A condition expected before ]]", pos, pos + 2)
        pos = self.blanks(first.end)
        operands: list[Word] = []
        if raw is not None and raw in _UNARY:
            operator, end = raw, pos
        else:
            operator, end = self._operator(pos)
            operands.append(first)
        if operator:
            begin = self.blanks(end)
            operands.append(self._word(begin, _RIGHT.get(operator, CONDITION)))
            if self.raw == "]]":
                self.fail(f"{operator} needs an argument before ]]", begin, begin + 2)
            pos = self.newlines(operands[-1].end)
        self.script.conditions.append(Condition(start, operands[-1].end, operator, operands))
        return pos

    def _operator(self, pos: int) -> tuple[str, int]:
        """The binary operator at `pos` and the position after it; empty if the term ends instead."""
        text = self.text
        if _JOINT.match(text, pos) or text.startswith(")", pos) or _CLOSED.match(text, pos):
            return "", pos
        match = _COMPARE.match(text, pos)
        if match is not None:
            return match[0], match.end()
        word = self.word(pos) if pos < len(text) and text[pos] not in "\n#;&|()<>" else None
        if word is None or self.raw not in _BINARY or self.raw is None:
            self.fail("A binary operator, &&, || or ]] expected", pos)
        return self.raw, word.end

    def _word(self, pos: int, mode: int) -> Word:
        """A word, which must be there and must not be a number before `<` or `>`."""
        text = self.text
        word = self.word(pos, mode) if text[pos : pos + 1] != "#" else None
        if word is None or word.end == pos:
            self.fail("A word expected in the condition", pos)
        if text.startswith(("<", ">"), word.end) and DIGITS.fullmatch(text, pos, word.end):
            self.fail("A blank expected between the number and the operator", word.end)
        return word
