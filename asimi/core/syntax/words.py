"""Words: where bash's tokenizer ends one, and what it would hand on.

Most words are plain, and the grammar reads those with one regular expression of its own. This module reads the rest:
quotes, expansions, patterns, assignments.
"""

from __future__ import annotations

import re

from asimi.core.lean import pattern
from asimi.core.syntax import quoting
from asimi.core.syntax.cuts import PATTERN, SPLICE, SUBSCRIPT
from asimi.core.syntax.expansions import NAME, Expander
from asimi.core.syntax.nodes import Binding, Word

COMMAND, VALUE, CONDITION, EXTENDED, REGEX, ELEMENT = range(6)
"""Where a word stands: in a command, behind the `=` of an assignment, in `[[ ]]`, on the right of its `==`, on the
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


class WordReader(Expander):
    """Reads one word at a time."""

    __slots__ = ("joined", "raw")

    joined: str
    """What is literal in the word read last, after quote removal."""
    raw: str | None
    """The same, if nothing in it was quoted or begins with `$`: a reserved word is such."""

    def word(self, start: int, mode: int = COMMAND) -> Word:
        """Read the word at `start`, which may be empty; `end` of the result is the place after it."""
        text, pos, run = self.text, start, _RUNS[mode]
        pieces: list[str] = []  # after quote removal
        bare: list[str] = []  # the same, with \0 for what is quoted or expanded
        unknown = -1  # how many pieces stand before the first that only bash can know
        single = plain = True
        while True:
            match = run.match(text, pos)
            if match is not None:
                pieces.append(match[0])
                bare.append(match[0])
                pos = match.end()
            character = text[pos : pos + 1]
            if character == "'":
                end = self.single_end(pos + 1)
                pieces.append(text[pos + 1 : end - 1])
                bare.append("\0")
                plain, pos = False, end
                continue
            if character == '"':
                end = self.double_end(pos + 1)
                self.many = False
                first = self.live(pos + 1, end - 1, cut=False)
                if first >= 0:
                    pieces.append(quoting.double(text[pos + 1 : first]))
                    bare.append("\0")
                    unknown = len(pieces) if unknown < 0 else unknown
                    single = single and not self.many
                pieces.append(quoting.double(text[pos + 1 : end - 1]))
                bare.append("\0")
                plain, pos = False, end
                continue
            if character == "\\":
                follower = text[pos + 1 : pos + 2]
                if follower == "\n":
                    pos += 2
                    continue
                pieces.append(follower or "\\")  # a backslash at the very end stands for itself
                bare.append("\0")
                plain, pos = False, pos + 2 if follower else pos + 1
                continue
            if character == "$":
                after = self.spliced(pos + 1)
                follower = text[after : after + 1]
                if follower == "'":
                    end = self.ansi_end(after + 1)
                    value = quoting.ansi(text[after + 1 : end - 1])
                    if value is None:
                        unknown = len(pieces) if unknown < 0 else unknown
                    pieces.append(value or "")
                    bare.append("\0")
                    plain, pos = False, end
                    continue
                if follower == '"':
                    plain, pos = False, after  # a string to translate is read as the string
                    continue
                end, expanded = self.dollar(pos, quoted=False)
                if expanded:
                    unknown = len(pieces) if unknown < 0 else unknown
                    single = False
                    pieces.append("")
                    bare.append("\0")
                else:
                    pieces.append("$")
                    bare.append("\0")
                plain, pos = False, end
                continue
            if character == "`":
                pos = self.backquote(pos, quoted=False)
                single = plain = False
            elif character in ("<", ">") and text.startswith("(", self.spliced(pos + 1)):
                pos = self.process(pos)
                plain = False
            elif character in ("\x01", "\x7f"):
                pos += 1  # bash uses these two inside; what it makes of them varies
            elif mode == EXTENDED and character and character in "?*+@!":
                pos = self._group(self.spliced(pos + 1) + 1)
                plain = False
            elif mode == REGEX and character == "(":
                pos = self._group(pos + 1)
                plain = False
            else:
                break
            unknown = len(pieces) if unknown < 0 else unknown
            pieces.append("")
            bare.append("\0")
        return self._made(start, pos, mode, pieces, bare, unknown, single=single, plain=plain)

    def _made(
        self,
        start: int,
        end: int,
        mode: int,
        pieces: list[str],
        bare: list[str],
        unknown: int,
        *,
        single: bool,
        plain: bool,
    ) -> Word:
        """The word of some pieces."""
        shadow = "".join(bare)
        if mode == VALUE:
            single = True  # what is assigned is not split
        literal = "".join(pieces)
        self.joined, self.raw = literal, literal if plain else None
        if _SPECIAL.search(shadow):
            place = -1
            if shadow[0] == "~":
                place = 0
            elif mode == VALUE:
                place = shadow.find(":~") + 1 or -1
            elif "~" in shadow and _SHAPE.match(shadow) and (tilde := _TILDES.search(shadow)):
                place = tilde.start() + 1
            if mode in (COMMAND, EXTENDED, REGEX, CONDITION, ELEMENT):
                special = _pattern(shadow)
                if special >= 0:
                    place = special if place < 0 else min(place, special)
                    single = False
            if place >= 0:
                pieces, unknown = _cut(pieces, bare, place, unknown)
        if unknown >= 0:
            head = "".join(pieces[:unknown])
            return Word(start, end, None, quoting.bytes_joined(head), single=single)
        literal = quoting.bytes_joined(literal)
        return Word(start, end, literal, literal, single=single)

    def _group(self, pos: int) -> int:
        """Read a group of a pattern whose inside begins at `pos`; returns the place after it."""
        end = self.group_end(pos, PATTERN)
        self._operand(pos, end - 1, quoted=False)
        return end

    # -- assignments

    def assignment(self, start: int, how: str, *, compound: bool) -> Binding | None:
        """Read an assignment word at `start`, if one stands there; None where it is an ordinary word.

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
            close = self.group_end(pos, SUBSCRIPT)
            after = SET.match(text, close)
            if after is None:
                if _BREAK.search(text, pos, close):
                    self.fail("An assignment is expected: = behind the bracket", close)
                return None
            subscript, sign = text[pos : close - 1], after[1]
            self._subscript(pos, close - 1)
            pos = after.end()
        name = match[1].replace("\\\n", "")
        values: list[Word] = []
        opening = self.spliced(pos)
        if compound and text.startswith("(", opening):
            values, pos = self._elements(opening + 1)
            rest = self.word(pos, VALUE)
            if rest.end > pos:
                values, pos = [], rest.end  # the parentheses are part of a string then
        else:
            values = [self.word(pos, VALUE)]
            pos = values[0].end
        return Binding(start, pos, name, how, values, subscript, append=sign[:1] == "+")

    def _elements(self, pos: int) -> tuple[list[Word], int]:
        """The words of `(…)` behind `=`, whose inside begins at `pos`, and the place after the parenthesis."""
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
                self._subscript(pos + 1, close - 1)
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

    def newlines(self, pos: int) -> int:
        """Skip blanks, comments and newlines, reading the here-documents that begin there."""
        raise NotImplementedError


def _pattern(shadow: str) -> int:
    """Where the unquoted text of a word has its first pattern or brace expansion, or -1."""
    if quoting.is_pattern(shadow):
        place = re.search(r"[*?\[]", shadow)
        brace = shadow.find("{") if quoting.is_brace_expansion(shadow) else -1
        start = place.start() if place else 0
        return start if brace < 0 else min(start, brace)
    return shadow.find("{") if "{" in shadow and quoting.is_brace_expansion(shadow) else -1


def _cut(pieces: list[str], bare: list[str], place: int, unknown: int) -> tuple[list[str], int]:
    """The pieces before a place in the unquoted text, if that comes before what was unknown already."""
    for number, run in enumerate(bare):
        if 0 <= unknown <= number:
            break
        if place < len(run):
            return [*pieces[:number], pieces[number][:place]], number + 1
        place -= len(run)
    return pieces, unknown
