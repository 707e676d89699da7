"""A text that a shell may run and of which only parts are known: what it may be, for what forbids to look at."""

from __future__ import annotations

from itertools import islice, product

from asimi.core.reading.shapes import ANY, MANY, ONE, SOME
from asimi.core.startup import MULTILINE, TYPE_CHECKING, NamedTuple, pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.reading.commands import Where
    from asimi.core.reading.shapes import Shapes

MOST = 16
"""Texts that one may be."""

_CRON = pattern(r"^[ \t]*(?:#.*|@\w+[ \t]|(?:\S+[ \t]+){5})|%", MULTILINE)
"""When a line of cron's table runs, and what makes a new line of its text (crontab(5))."""

_UNKNOWN = str.maketrans({ANY: "_", SOME: "_", ONE: "_", MANY: "_"})
"""What nobody knows is taken for a word of no meaning."""


class Unread(NamedTuple):
    """Words that are joined with blanks and given to a shell.

    Attributes:
        words: each as it is written and as far as it is literal; the first is None where it is wholly literal.
        where: where they are.
        table: whether they are a table of cron.
    """

    words: tuple[tuple[str | None, str], ...]
    where: Where
    table: bool = False

    def texts(self, shapes: Shapes) -> Iterator[str]:
        """What the text may be, by all that variables may hold and substitutions may print."""
        ways = []
        for written, literal in self.words:
            file = written is not None and written.startswith("<(")  # one that holds what is printed
            found = () if written is None else shapes.fields(f'"${written[1:]}"' if file else written)
            ways.append([" ".join(fields) for fields in found] or [literal])
        for parts in islice(product(*ways), MOST):
            text = " ".join(parts).translate(_UNKNOWN)
            yield commands_of(text) if self.table else text


def commands_of(table: str) -> str:
    """The commands in a table of cron, as a text for a shell."""
    return _CRON.sub("\n", table)
