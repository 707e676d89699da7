"""Here-documents: their bodies begin after the next newline, and end at a line that is the delimiter.

Whether a body is expanded depends on quotes around its delimiter; if it is, a line that ends in a backslash is one with
the next, before it is compared with the delimiter.
"""

from __future__ import annotations

import re

from asimi.core.lean import pattern
from asimi.core.syntax import quoting
from asimi.core.syntax.nodes import Heredoc, Redirection, Word
from asimi.core.syntax.words import WordReader

_TABS = pattern(r"^\t+", re.MULTILINE)
_INTERNAL = pattern(r"[\x01\x7f]")  # bash marks characters with these two
_EXPANDED = pattern(r"[\\$`]")


class HeredocReader(WordReader):
    """Reads the delimiter and, when the line is over, the body.

    Attributes:
        inside: whether the text stands in `$(…)`, whose `)` may follow a delimiter on its line.
    """

    __slots__ = ("inside",)

    inside: bool

    def delimiter(self, start: int) -> Word:
        """The word after `<<`, which is not expanded; what looks like a substitution in it counts as one."""
        counts = [len(facts) for facts in self._facts()]
        word = self.word(start)
        if _INTERNAL.search(self.text, start, word.end):
            self.fail("bash cannot find the end of a here-document with this delimiter", start, word.end)
        for substitution in self.script.substitutions[counts.pop() :]:
            substitution.kind = "delimiter"
        for facts, count in zip(self._facts(), counts, strict=False):
            del facts[count:]
        text = quoting.delimiter(self.text[start : word.end])[0]
        return Word(start, word.end, text, text, single=True)

    def bodies(self, pos: int) -> int:
        """Read the bodies of all pending here-documents, the first of which begins at `pos`."""
        for redirection in self.pending:
            pos = self._document(pos, redirection)
        self.pending = []
        return pos

    def _document(self, start: int, redirection: Redirection) -> int:
        text, target = self.text, redirection.target
        delimiter, strip = target.literal or "", redirection.operator == "<<-"
        quoted = quoting.delimiter(text[target.start : target.end])[1]
        pos, length = start, len(text)
        while True:
            if pos >= length:
                end = after = length
                break
            line, spliced, after = self._line(pos, quoted=quoted)
            if strip and line != delimiter:
                line = line.lstrip("\t")
            if line == delimiter:
                end = pos
                break
            if self.inside and line.startswith(delimiter) and ")" in line[len(delimiter) :]:
                if spliced:
                    self.fail("This here-document does not end on a line of its own", pos)
                end, after = pos, text.index(delimiter, pos) + len(delimiter)
                break
            pos = after
        redirection.heredoc = Heredoc(start, end, self._literal(start, end, strip=strip, quoted=quoted), quoted=quoted)
        return after

    def _line(self, pos: int, *, quoted: bool) -> tuple[str, bool, int]:
        """The line at `pos`, whether it was joined from several, and the place after it."""
        text, pieces = self.text, []
        while True:
            end = text.find("\n", pos)
            if end < 0:
                end = len(text)
            line = text[pos:end]
            if quoted or not line.endswith("\\") or (len(line) - len(line.rstrip("\\"))) % 2 == 0 or end == len(text):
                pieces.append(line)
                return "".join(pieces), len(pieces) > 1, end + 1
            pieces.append(line[:-1])
            pos = end + 1

    def _literal(self, start: int, end: int, *, strip: bool, quoted: bool) -> str | None:
        """What a command would read, if that does not depend on an expansion."""
        body = self.text[start:end]
        if not quoted and _EXPANDED.search(body):
            if self.loose(start, end) >= 0 or (strip and "\\\n" in body):
                return None
            body = quoting.document(body)
        return _TABS.sub("", body) if strip else body
