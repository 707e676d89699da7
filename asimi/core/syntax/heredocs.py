"""Here-documents: their bodies begin after the next newline, and end at a line that is the delimiter.

Whether a body is expanded depends on quotes around its delimiter; if it is, a line that ends in a backslash is joined
with the next before it is compared with the delimiter.
"""

from __future__ import annotations

import re

from asimi.core.lean import pattern
from asimi.core.syntax import quoting
from asimi.core.syntax.expansions import Expander
from asimi.core.syntax.nodes import Heredoc, Redirection
from asimi.core.syntax.source import BLANK

_LINES = pattern(r"(?:[ \t\n]++|\\\n|#[^\n]*+)*")
_LINE = pattern(rf"{BLANK}(?:(?:\#[^\n]*+)?(\n|\Z))?")
_TABS = pattern(r"^\t+", re.MULTILINE)
_EXPANDED = pattern(r"[\\$`]")


class HeredocReader(Expander):
    """Reads newlines, and the bodies that begin after them."""

    __slots__ = ()

    def newlines(self, pos: int) -> int:
        """newline_list: (NEWLINE | comment | blank)*."""
        while self.pending:
            match = _LINE.match(self.text, pos)
            pos = match.end()  # type: ignore[union-attr] # it matches the empty string
            if match[1] is None:  # type: ignore[index]
                return pos
            pos = self.bodies(pos)
        return _LINES.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string

    def bodies(self, pos: int) -> int:
        """Read the bodies of all pending here-documents, the first of which begins at `pos`."""
        for redirection in self.pending:
            pos = self._document(pos, redirection)
        self.pending = []
        return pos

    def _document(self, start: int, redirection: Redirection) -> int:
        """The lines up to the delimiter."""
        text, target = self.text, redirection.target
        delimiter, strip = target.literal or "", redirection.operator == "<<-"
        quoted = quoting.delimiter(text[target.start : target.end])[1]
        end = start
        while end < len(text):
            self.budget.spend(1)
            line, spliced, after = self._line(end, quoted=quoted)
            if strip and line != delimiter:
                line = line.lstrip("\t")
            if line == delimiter:
                break
            if self.in_substitution and line.startswith(delimiter) and ")" in line[len(delimiter) :]:
                if spliced:
                    self.fail("This here-document does not end on a line of its own", end)
                after = text.index(delimiter, end) + len(delimiter)
                break
            end = after
        else:
            end = after = len(text)
        redirection.heredoc = Heredoc(start, end, self._literal(start, end, strip=strip, quoted=quoted), quoted=quoted)
        return after

    def _line(self, pos: int, *, quoted: bool) -> tuple[str, bool, int]:
        """The line at `pos`, whether it was joined from several, and the position after it."""
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
        """What a command would read, unless that depends on an expansion."""
        body = self.text[start:end]
        if not quoted and _EXPANDED.search(body):
            if self.loose(start, end) >= 0 or (strip and "\\\n" in body):
                return None
            body = quoting.document(body)
        return _TABS.sub("", body) if strip else body
