"""Whether a text in Perl, as `perl -ne` and `-pe` run it, does no more than change, choose and print lines.

The proof is a list of forms: a substitution without `e`, a transliteration, `print`, `next` or `last` on a condition.
Where perl would evaluate code inside of a pattern or a string (`(?{…})`, `@{[…]}`, `$1[…]`), no form fits (perlre(1),
perlop(1), Gory details of parsing quoted constructs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.reading.commands import NOTHING, File, Inline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.budget import Budget

LONGEST = 4096
"""Characters of a text that is proven."""


def _between(mark: str) -> str:
    """A pattern between marks, which holds no code and no variable; a `$` is the end of a line."""
    return rf"(?:[^\\$@(\n{mark}]|\\[^\n]|\((?!\*|\?\??\{{)|\$(?=[|){mark}]))*{mark}"


def _text(mark: str) -> str:
    """A text in which `$1`, `$&`, `$_` and `$.` are replaced, and nothing else."""
    return rf"(?:[^\\$@\n{mark}]|\\[^\n]|\$[\d&_.](?![\w\[{{-]))*{mark}"


_MARKS = ("/", r"\|", ",", "!", "#", ":")
_REPLACES = "|".join(rf"s{mark}{_between(mark)}{_text(mark)}[gimosxcnra]*" for mark in _MARKS)
_CHANGES = "|".join(
    rf"(?:tr|y){mark}(?:[^\\{mark}\n]|\\[^\n])*{mark}(?:[^\\{mark}\n]|\\[^\n])*{mark}[cdsr]*" for mark in "/,"
)
_MATCHES = rf"!?[ ]*+(?:/{_between('/')}|m\|{_between(_MARKS[1])})[imosxcna]*"
_NUMBER = r"\$\.[ ]*+(?:[<>]=?|==|!=)[ ]*+\d++"
_CONDITION = rf"(?:{_MATCHES}|{_NUMBER}|\d++[ ]*+\.\.[ ]*+\d++|eof)"
_CONDITIONS = rf"\(?[ ]*+{_CONDITION}(?:[ ]*+(?:&&|\|\||and|or|\.\.)[ ]*+{_CONDITION})*[ ]*+\)?"
_DOES = rf"(?:{_REPLACES}|{_CHANGES}|chomp|next|last|print(?:[ ]++(?:\$[_.1-9&]|\"{_text(chr(34))}|'[^'\\\n]*'))?)"
_CHOOSES = rf"{_CONDITIONS}[ ]*+(?:&&|and)[ ]*+print"
_STATEMENT = pattern(rf"[ \t\n]*+(?:{_DOES}(?:[ ]++(?:if|unless)[ ]*+{_CONDITIONS})?|{_CHOOSES})?[ \t\n]*+(?:;|\Z)")

_OPENED = pattern(r"[^\s<>|+&-][^\0\n]*(?<![|\s])|-")
"""A name that perl opens as a file: others start a command, or are written (perlop(1), I/O Operators)."""


def read(text: str, operands: Sequence[str | None], budget: Budget) -> Inline:
    """What a text does that is run for each line of some files, if it is proven; `NOTHING` otherwise.

    Args:
        text: the text.
        operands: the files, None for one that only bash can know.
        budget: what the proof is paid from.
    """
    named = [each for each in operands if each is not None and _OPENED.fullmatch(each)]
    if len(text) > LONGEST or len(named) != len(operands):
        return NOTHING
    budget.spend(16 + 4 * len(text))
    at = 0
    while at < len(text):
        match = _STATEMENT.match(text, at)
        if match is None or match.end() == at:
            return NOTHING
        at = match.end()
    return Inline(files=tuple(File(each, "read") for each in named if each != "-"), reads=True, alone=True)
