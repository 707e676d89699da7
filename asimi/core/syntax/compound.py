"""Compound commands, function definitions and coprocesses (POSIX 2.9.4 and 2.9.5, bash manual, Compound Commands).

Each function is one production. It reads from the position behind the first word on and returns the position after the
last; what it finds goes into the script's lists.
"""

from __future__ import annotations

import re

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.syntax.cuts import ARITHMETIC, PARENTHESIS
from asimi.core.syntax.nodes import Binding, Function, Word
from asimi.core.syntax.quoting import RESERVED_NAMES
from asimi.core.syntax.simple import ARRAY, SimpleReader
from asimi.core.syntax.source import BLANK, BREAK, NOTHING, SPLICE
from asimi.core.syntax.words import ASSIGNMENT

if TYPE_CHECKING:
    from collections.abc import Callable

_RESERVED = RESERVED_NAMES | {"!", "[[", "]]", "{", "}"}
_RUN = r"[a-z!{}\[\]]*+"
_START = pattern(rf"(?:{'|'.join(map(re.escape, sorted(_RESERVED)))}|(?:{_RUN}\\\n)+{_RUN}){BREAK}|\(")
_EMPTY_PARENTHESES = pattern(rf"\({BLANK}\)")
_SEMICOLON = pattern(rf"{BLANK};(?!{SPLICE}[;&])")

_THEN = frozenset(["then"])
_AFTER_THEN = frozenset(["fi", "else", "elif"])
_FI = frozenset(["fi"])
_DO = frozenset(["do"])
_DONE = frozenset(["done"])
_BRACE = frozenset(["}"])
_AFTER_PATTERN = frozenset(["esac", ";;", ";&", ";;&"])
BODIES = frozenset(["{", "(", "[[", "if", "for", "while", "until", "case", "select"])
"""The words that a compound command begins with."""


class CompoundReader(SimpleReader):
    """Reads compound commands."""

    __slots__ = ()

    def reserved(self, pos: int) -> tuple[str, int]:
        """The reserved word or parenthesis at `pos`, and the position after it; an empty word if there is none."""
        match = _START.match(self.text, pos)
        if match is not None and ((word := match[0].replace("\\\n", "")) in _RESERVED or word == "("):
            return word, match.end()
        return "", pos

    def compound(self, word: str, pos: int, after: int) -> tuple[int, bool]:
        """compound_command redirection_list?, whose first word is at `pos`.

        Returns:
            The position after it, and whether a reserved word may follow at once: not behind redirections.
        """
        first, certain = len(self.script.commands), len(self.certain)
        pos = _COMPOUND[word](self, pos, after)
        end = self.redirections(pos, first)
        if word not in ("{", "function") or end != pos:
            del self.certain[certain:]
        return end, end == pos and word != "coproc"

    def parenthesis(self, start: int, pos: int) -> int:
        """subshell: `(` compound_list `)`; arithmetic_command: `((` expression `))`."""
        second = self.spliced(pos)
        if self.text.startswith("(", second):
            close = self.group_end(second + 1, ARITHMETIC)
            self.budget.spend(8)
            if self.text.startswith(")", close):
                self.arithmetic(second + 1, close - 1, (start, close + 1))
                return close + 1
        return self.commands(pos, "(", start, PARENTHESIS)[0]

    def brace_group(self, start: int, pos: int) -> int:
        """brace_group: `{` compound_list `}`."""
        return self.commands(pos, "{", start, _BRACE)[0]

    def if_clause(self, start: int, pos: int) -> int:
        """`if` list `then` list (`elif` list `then` list)* [`else` list] `fi`."""
        closer = "elif"
        while closer == "elif":
            pos = self.commands(pos, "if", start, _THEN)[0]
            pos, closer = self.commands(pos, "if", start, _AFTER_THEN)
        if closer == "else":
            pos = self.commands(pos, "if", start, _FI)[0]
        return pos

    def while_clause(self, start: int, pos: int) -> int:
        """(`while` | `until`) list `do` list `done`."""
        word = self.text[start:pos].replace("\\\n", "")
        pos = self.commands(pos, word, start, _DO)[0]
        return self.commands(pos, word, start, _DONE)[0]

    def for_clause(self, start: int, pos: int) -> int:
        """(`for` | `select`) NAME newline_list [`in` WORD* (`;` | NEWLINE)] [`;`] newline_list body."""
        text = self.text
        how = text[start:pos].replace("\\\n", "")
        pos = self.blanks(pos)
        if how == "for" and text.startswith("(", pos):
            return self._arithmetic_for(start, pos)
        name = self._name(pos, how)
        pos = self.newlines(name.end)
        binding = Binding(name.start, name.end, name.literal or text[name.start : name.end], how)
        self.script.bindings.append(binding)
        word, after = self.reserved(pos)
        if word == "in":
            if self.in_case and pos != self.blanks(name.end):  # bash takes this `in` for that of the `case`
                self.fail(f"No newline may come before the `in` of a `{how}` inside a `case`", pos, after)
            binding.values, pos = self._words(after)
            binding.holds = self._body(start, self.newlines(pos), how)
            return binding.holds
        match = _SEMICOLON.match(text, pos) if pos == self.blanks(name.end) else None
        if match is not None:
            return self._body(start, self.newlines(match.end()), how)
        if word == "{" and "\n" not in text[name.end : pos].replace("\\\n", ""):
            self.fail(f"`in`, `do` or ; expected to go on with the `{how}`", pos)
        return self._body(start, pos, how)

    def _words(self, pos: int) -> tuple[tuple[Word, ...], int]:
        """WORD* (`;` | NEWLINE)."""
        text = self.text
        words: list[Word] = []
        while True:
            pos = self.blanks(pos)
            match = NOTHING.match(text, pos)
            if match is not None:
                return tuple(words), match.end() if match[0] == ";" else pos
            word = self.word(pos)
            if word.end == pos or text.startswith(("<", ">"), word.end):
                self.fail("A word, ; or a newline expected", word.end)
            words.append(word)
            pos = word.end

    def _body(self, start: int, pos: int, opener: str) -> int:
        """`do` list `done`, or `{` list `}`."""
        word, after = self.reserved(pos)
        if word == "do":
            return self.commands(after, opener, start, _DONE)[0]
        if word != "{":
            self.fail(f"`do` expected to go on with the `{opener}`", pos)
        return self.commands(after, "{", pos, _BRACE)[0]

    def _arithmetic_for(self, start: int, pos: int) -> int:
        """`for` `((` expression `;` expression `;` expression `))` [`;`] newline_list body."""
        text = self.text
        second = self.spliced(pos + 1)
        if not text.startswith("(", second):
            self.fail("A name or (( expected after `for`", pos)
        close = self.group_end(second + 1, ARITHMETIC)
        if not text.startswith(")", close):
            self.fail(")) expected to close the ((", close)
        if self.arithmetic(second + 1, close - 1, (pos, close + 1)).count(";") != 2:
            self.fail("Three expressions expected, separated by ;", second + 1, close - 1)
        pos = close + 1
        match = _SEMICOLON.match(text, pos)
        return self._body(start, self.newlines(pos if match is None else match.end()), "for")

    def case_clause(self, start: int, pos: int) -> int:
        """`case` WORD newline_list `in` (newline_list item)* `esac`.

        item: [`(`] patterns list (`;;` | `;&` | `;;&`); the last needs no end of its own.
        """
        self.in_case = True
        subject = self._name(self.blanks(pos), "case")
        self.script.subjects.append(subject)
        pos = self.newlines(subject.end)
        word, pos = self.reserved(pos)
        if word != "in":
            self.fail("`in` expected to go on with the `case`", pos)
        start_of_items = self.blanks(pos)
        while True:
            pos = self.newlines(pos)
            word, after = self.reserved(pos)
            if word == "esac":
                self.in_case = pos == start_of_items  # bash forgets to forget an empty one
                return after
            self.in_case = True
            if word == "(":
                pos = after
            pos, closer = self.commands(self._patterns(pos), "case", start, _AFTER_PATTERN, empty=True)
            if closer == "esac":
                self.in_case = False
                return pos

    def _patterns(self, pos: int) -> int:
        """patterns: WORD (`|` WORD)* `)`."""
        while True:
            pos = self.blanks(pos)
            word = self.word(pos)
            if word.end == pos or self.text.startswith("#", pos):
                self.fail("A pattern or `esac` expected to go on with the `case`", pos)
            pos = self.blanks(word.end)
            character = self.text[pos : pos + 1]
            if character == ")":
                return pos + 1
            if character != "|":
                self.fail(") expected to close the pattern", pos)
            pos += 1

    def function_keyword(self, start: int, pos: int) -> int:
        """`function` WORD [`(` `)`] newline_list compound_command."""
        name = self._name(self.blanks(pos), "function")
        return self.function_definition(name, start, self.blanks(name.end))[0]

    def function_definition(self, name: Word, start: int, pos: int) -> tuple[int, bool]:
        """WORD `(` `)` newline_list compound_command redirection_list?, from behind the name on; as `compound`."""
        match = _EMPTY_PARENTHESES.match(self.text, pos)
        if match is not None:
            pos = match.end()
        elif start == name.start:
            self.fail("A parenthesis cannot follow a word; ) expected if this defines a function", pos)
        text = self.text
        literal = text[name.start : name.end] if name.literal is None else name.literal
        function = Function(start, pos, literal)
        self.script.functions.append(function)
        pos = self.newlines(pos)
        word, after = self.reserved(pos)
        if word not in BODIES:
            self.fail("A compound command such as { …; } expected as the function's body", pos)
        outer, self.in_function, certain = self.in_function, True, len(self.certain)
        end, bare = self.compound(word, pos, after)
        self.in_function, function.end, function.holds = outer, end, end
        del self.certain[certain:]
        if text[name.start : name.end].replace("\\\n", "") == literal:  # bash defines no function with a quoted name
            self.certain.append(function)
        return end, bare

    def coprocess(self, start: int, pos: int) -> int:
        """`coproc` [NAME] compound_command redirection_list?, or `coproc` simple_command."""
        self.budget.spend(12)
        text = self.text
        pos = self.blanks(pos)
        word, after = self.reserved(pos)
        name = "COPROC"
        if not word and not ASSIGNMENT.match(text, pos):
            first = self.peeked(pos)
            behind = self.blanks(first.end)
            second, further = self.reserved(behind) if first.end > pos else ("", pos)
            if second in BODIES:
                name, word, pos, after = text[pos : first.end].replace("\\\n", ""), second, behind, further
            elif second and second != "time":
                self.fail(f"`{second}` cannot follow the first word of a coprocess", behind, further)
            elif (element := ASSIGNMENT.match(text, behind)) is not None and element[3]:
                self.fail(
                    "bash reads this bracket as a subscript here, which is hardly what you meant", behind, element.end()
                )
        self.script.bindings.append(Binding(start, pos, name, "coproc"))
        if word in BODIES:
            return self.compound(word, pos, after)[0]
        if word and word != "time":
            self.fail(f"`{word}` cannot follow `coproc`", pos, after)
        end, function = self.simple(pos)
        if end == pos or function is not None:
            self.fail("A command expected after `coproc`", pos if pos < len(text) else start)
        if any(ARRAY.match(text, one.start) for one in self.script.commands[-1].assignments[1:]):
            self.fail("After `coproc` bash reads the words of an array differently: no array expected", pos, end)
        return end

    def _name(self, pos: int, word: str) -> Word:
        """The WORD after a reserved word."""
        name = self.word(pos)
        if name.end == pos or self.text.startswith("#", pos):
            self.fail(f"A word expected after `{word}`", pos)
        return name


_COMPOUND: dict[str, Callable[[CompoundReader, int, int], int]] = {
    "(": CompoundReader.parenthesis,
    "{": CompoundReader.brace_group,
    "[[": CompoundReader.conditional,
    "if": CompoundReader.if_clause,
    "while": CompoundReader.while_clause,
    "until": CompoundReader.while_clause,
    "for": CompoundReader.for_clause,
    "select": CompoundReader.for_clause,
    "case": CompoundReader.case_clause,
    "function": CompoundReader.function_keyword,
    "coproc": CompoundReader.coprocess,
}
