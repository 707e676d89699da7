"""Words: where bash's tokenizer ends one, and what it would hand on.

Most words are plain, and the grammar reads those with one regular expression of its own. This module reads the rest:
quotes, expansions, patterns, assignments.
"""

from __future__ import annotations

from asimi.core.lean import pattern
from asimi.core.syntax import quoting
from asimi.core.syntax.cuts import PATTERN, SUBSCRIPT
from asimi.core.syntax.heredocs import HeredocReader
from asimi.core.syntax.nodes import Binding, Word
from asimi.core.syntax.source import NAME, SPLICE

COMMAND, VALUE, CONDITION, EXTENDED, REGEX, ELEMENT = range(6)
"""Where a word is: in a command, behind the `=` of an assignment, in `[[ ]]`, on the right of its `==`, on the
right of its `=~`, in the parentheses of an array."""

_RUN = r"[^ \t\n;&|()<>'\"`\\$\x01\x7f]"
_RUNS = {
    COMMAND: pattern(rf"{_RUN}+"),
    VALUE: pattern(rf"{_RUN}+"),
    CONDITION: pattern(rf"{_RUN}+"),
    ELEMENT: pattern(rf"{_RUN}+"),
    EXTENDED: pattern(rf"(?:(?![?*+@!]{SPLICE}\(){_RUN})+"),
    REGEX: pattern(r"[^ \t\n;&()<>'\"`\\$\x01\x7f]+"),
}
ASSIGNMENT = pattern(rf"({NAME})(?:(\+?{SPLICE}=)|(\[))")
"""The beginning of an assignment word (POSIX 2.9.1, bash manual, Arrays)."""
SET = pattern(rf"{SPLICE}(\+?){SPLICE}=")
_BREAK = pattern(r"[ \t\n;&|()<>]")
_SHAPE = pattern(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_TILDES = pattern(r"[=:]~")
_SPECIAL = pattern(r"[*?\[{~]")
_GLOB = pattern(r"[*?\[]")
_INTERNAL = pattern(r"[\x01\x7f]")  # bash marks characters with these two


class _Pieces:
    """What a word is made of, in the order of the text.

    Attributes:
        texts: the pieces after quote removal.
        bare: the same, with NUL for each that was quoted or expanded: the text that bash looks at for patterns.
        known: how many there are before the first that only bash can know, or -1.
        single: whether the word is sure to become one field.
    """

    __slots__ = ("bare", "known", "single", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.bare: list[str] = []
        self.known = -1
        self.single = True

    def plain(self, text: str) -> None:
        """Add text that is neither quoted nor expanded."""
        self.texts.append(text)
        self.bare.append(text)

    def quoted(self, text: str) -> None:
        """Add text that stands for itself."""
        self.texts.append(text)
        self.bare.append("\0")

    def unknown(self, before: str = "", *, single: bool = True) -> None:
        """Add text that stands for itself, and what only bash can know; `single` is whether that is one field."""
        self.texts.append(before)
        self.bare.append("\0")
        if self.known < 0:
            self.known = len(self.texts)
        self.single = self.single and single

    def cut(self, pos: int) -> None:
        """Make unknown what follows a position in the bare text."""
        for index, run in enumerate(self.bare):
            if index == self.known:
                return
            if pos < len(run):
                self.texts[index] = run[:pos]
                self.known = index + 1
                return
            pos -= len(run)


class WordReader(HeredocReader):
    """Reads one word at a time."""

    __slots__ = ()

    def word(self, start: int, mode: int = COMMAND) -> Word:
        """WORD at `start`: (run | quoted | expansion | pattern)*, which may be empty; it leaves `joined` and `raw`."""
        text, pos, run, pieces = self.text, start, _RUNS[mode], _Pieces()
        while True:
            match = run.match(text, pos)
            if match is not None:
                pieces.plain(match[0])
                pos = match.end()
            character = text[pos : pos + 1]
            if character == "'":
                end = self.single_end(pos + 1)
                pieces.quoted(text[pos + 1 : end - 1])
                pos = end
            elif character == '"':
                pos = self._double(pos, pieces)
            elif character == "\\":
                follower = text[pos + 1 : pos + 2]
                if follower != "\n":
                    pieces.quoted(follower or "\\")  # a backslash at the very end stands for itself
                pos += 1 + len(follower)
            elif character == "$":
                pos = self._dollar(pos, pieces)
            elif character == "`":
                pos = self.backquote(pos, quoted=False)
                pieces.unknown(single=False)
            elif character in ("<", ">") and text.startswith("(", self.spliced(pos + 1)):
                pos = self.process(pos)
                pieces.unknown("/dev/fd/")  # bash manual, Process Substitution, where there is such a directory
            elif character in ("\x01", "\x7f"):
                pos += 1  # bash uses these two inside; what it makes of them varies
                pieces.unknown()
            elif mode == EXTENDED and character and character in "?*+@!":
                pos = self._group(self.spliced(pos + 1) + 1)
                pieces.unknown()
            elif mode == REGEX and character == "(":
                pos = self._group(pos + 1)
                pieces.unknown()
            else:
                return self._made(start, pos, mode, pieces)

    def _double(self, pos: int, pieces: _Pieces) -> int:
        """`"` (text | expansion)* `"`."""
        end = self.double_end(pos + 1)
        self.many = False
        first = self.live(pos + 1, end - 1, cut=False)
        if first >= 0:
            pieces.unknown(quoting.double(self.text[pos + 1 : first]), single=not self.many)
        pieces.quoted(quoting.double(self.text[pos + 1 : end - 1]))
        return end

    def _dollar(self, pos: int, pieces: _Pieces) -> int:
        """`$'…'`, the `$` of `$"…"`, an expansion, or a `$` that stands for itself."""
        after = self.spliced(pos + 1)
        follower = self.text[after : after + 1]
        if follower == '"':
            pieces.quoted("")  # a string to translate is read as the string
            return after
        if follower == "'":
            end = self.ansi_end(after + 1)
            self.budget.spend(4 + (end - pos) // 2)
            value = quoting.ansi(self.text[after + 1 : end - 1])
            if value is None:
                pieces.unknown()
            else:
                pieces.quoted(value)
            return end
        end, expanded = self.dollar(pos, quoted=False)
        if expanded:
            pieces.unknown(single=False)
        else:
            pieces.quoted("$")
        return end

    def _made(self, start: int, end: int, mode: int, pieces: _Pieces) -> Word:
        """The word of some pieces."""
        bare, self.joined = "".join(pieces.bare), "".join(pieces.texts)
        self.budget.spend(4 + 2 * len(pieces.texts) + len(bare) // 32)
        self.raw = None if "\0" in bare else self.joined
        single = pieces.single or mode == VALUE  # what is assigned is not split
        if _SPECIAL.search(bare):
            special = _tilde(bare, mode)
            if mode != VALUE and (expanded := _pattern(bare)) < len(bare):
                special, single = min(special, expanded), False
            pieces.cut(special)
        if pieces.known >= 0:
            return Word(start, end, None, quoting.bytes_joined("".join(pieces.texts[: pieces.known])), single=single)
        literal = quoting.bytes_joined(self.joined)
        return Word(start, end, literal, literal, single=single)

    def peeked(self, pos: int) -> Word:
        """The word at `pos`, which will be read again."""
        mark = self.mark()
        word = self.word(pos)
        self.rewind(mark)
        return word

    def delimiter(self, start: int) -> Word:
        """The word after `<<`, which is not expanded; what looks like a substitution in it counts as one."""
        substitutions, before = self.script.substitutions, len(self.script.substitutions)
        mark = self.mark()
        word = self.word(start)
        found = substitutions[before:]
        self.rewind(mark)
        for substitution in found:
            substitution.kind = "delimiter"
        substitutions += found
        self.budget.spend(10 + word.end - start)
        if _INTERNAL.search(self.text, start, word.end):
            self.fail("bash cannot find the end of a here-document with this delimiter", start, word.end)
        text = quoting.delimiter(self.text[start : word.end])[0]
        return Word(start, word.end, text, text, single=True)

    def _group(self, pos: int) -> int:
        """A group of a pattern, whose inside begins at `pos`."""
        end = self.group_end(pos, PATTERN)
        self._operand(pos, end - 1, quoted=False)
        return end

    # -- assignments

    def assignment(self, start: int, how: str, *, compound: bool) -> Binding | None:
        """ASSIGNMENT_WORD: NAME [`[` subscript `]`] (`=` | `+=`) (WORD | `(` element* `)`), or None.

        Args:
            start: where the word begins.
            how: what kind of binding it is.
            compound: whether an array in parentheses is read, else only a plain value.
        """
        text = self.text
        match = ASSIGNMENT.match(text, start)
        if match is None:
            return None
        subscript, sign, pos = None, match[2] or "", match.end()
        if match[3]:
            self.budget.spend(10)
            close = self.group_end(pos, SUBSCRIPT)
            after = SET.match(text, close)
            if after is None:
                if _BREAK.search(text, pos, close):
                    self.fail("An assignment expected: = after the bracket", close)
                return None
            subscript, sign = text[pos : close - 1], after[1]
            self.subscript(pos, close - 1)
            pos = after.end()
        name = match[1].replace("\\\n", "")
        values: list[Word] = []
        opening = self.spliced(pos)
        if compound and text.startswith("(", opening):
            values, pos = self._elements(opening + 1)
            rest = self.word(pos, VALUE)
            if rest.end > pos:
                values, pos = [], rest.end  # then the parentheses are part of a string
        else:
            values = [self.word(pos, VALUE)]
            pos = values[0].end
        return Binding(start, pos, name, how, values, subscript, append=sign[:1] == "+")

    def _elements(self, pos: int) -> tuple[list[Word], int]:
        """element* `)`, with element: [`[` subscript `]` `=`] WORD."""
        self.budget.spend(10)
        text, start = self.text, pos - 1
        words: list[Word] = []
        while True:
            pos = self.newlines(pos)
            character = text[pos : pos + 1]
            if character == ")":
                return words, pos + 1
            if not character:
                self.fail("This array is never closed: ) expected", start)
            begin = pos
            if character == "[":
                close = self.group_end(pos + 1, SUBSCRIPT)
                sign = SET.match(text, close)
                self.subscript(pos + 1, close - 1)
                pos = close if sign is None else sign.end()
                word = self.word(pos, ELEMENT if sign is None else VALUE)
                word = Word(begin, word.end, None, "", single=sign is not None)
            else:
                word = self.word(pos, ELEMENT)
            if word.end == begin:
                self.fail("An array holds words only: a word or ) expected", begin)
            words.append(word)
            pos = word.end
            if text.startswith(("<", ">"), pos):
                self.fail("An array holds words only: a word or ) expected", pos)


def _tilde(bare: str, mode: int) -> int:
    """Where the bare text of a word has its first tilde that may be expanded; its length if it has none."""
    if bare[0] == "~":
        return 0
    if mode == VALUE:
        pos = bare.find(":~")
    else:
        match = _TILDES.search(bare) if "~" in bare and _SHAPE.match(bare) else None
        pos = -1 if match is None else match.start()
    return len(bare) if pos < 0 else pos + 1


def _pattern(bare: str) -> int:
    """Where the bare text of a word has its first pattern or brace expansion; its length if it has none."""
    pos = len(bare)
    if quoting.is_pattern(bare) and (match := _GLOB.search(bare)):
        pos = match.start()
    if "{" in bare and quoting.is_brace_expansion(bare):
        pos = min(pos, bare.index("{"))
    return pos
