"""What a word may become, and what is known of it: its shapes.

A shape is the text of a word after all expansions, with marks in it: `ANY` for text that only bash can know (it may be
empty and hold slashes), `MANY` for such text without quotes, which may become any number of words, `SOME` for a glob's
`*`, `ONE` for one character, `DIGIT` for one or more digits, `HEX` for hexadecimal ones, `LETTERS` for one or more
letters and digits, `MADE` for such a name that is new. Variables that the text itself gives a value are replaced by it,
braces by each of their parts: `d=.config; rm ~/$d` has the shape `/home/me/.config`.

What forbids wants every shape that some assignment of the text makes possible; what allows wants those that are sure at
the word's place, cut into words as bash cuts them (bash manual, Shell Expansions). `expansions` finds them, and is
loaded for the first word that is not literal.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Mapping
    from re import Match

    from asimi.core.budget import Budget
    from asimi.core.reading.bindings import Variables
    from asimi.core.reading.expansions import Expansions

    Fields = tuple[str, ...]

ANY, SOME, ONE, MANY = "\1", "\2", "\3", "\x0e"
DIGIT, HEX, LETTERS, MADE = "\x12", "\x13", "\x14", "\x15"
_DIGITS, _LETTERS = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
WHOLE = {
    DIGIT: frozenset(_DIGITS),
    HEX: frozenset(_DIGITS + _LETTERS[:6]),
    LETTERS: frozenset(_DIGITS + _LETTERS),
    MADE: frozenset[str](),
}
MARKS = frozenset((ANY, SOME, ONE, MANY, *WHOLE))
"""Marks that are in one word, are no pattern and begin no option; each with the characters that it may be of a name."""
TEMPORARY, TOP = "mktemp", "git rev-parse --show-toplevel"
"""Names of what is known as of a variable: the directory for temporary files, and the top of the work tree."""

AT = "\x16"
"""The value of a variable that holds the directory where a command runs; with other text around it, another path."""

_ALONE = pattern(rf"(?<![^=:,]){AT}(?=/|\Z|:/|,(?:target|dst|destination|readonly)\b)")
"""Where it is that directory, also as the one that a container mounts (docker-run(1), `--volume`, `--mount`)."""

BREAK = "\x0f"
"""Where a word ends, inside of a shape that is not cut yet."""

LONGEST = 4096
"""Characters of a word that are looked at (PATH_MAX); what comes behind them is unknown."""

DROPPED = str.maketrans(dict.fromkeys("\1\2\3\4\5\6\x0e\x0f\x11\x12\x13\x14\x15\x16"))
"""Characters that would be marks, and are left out of what is literal."""

RUNS = pattern(rf"[{ANY}{SOME}{MANY}]{{2,}}")
_MARK = pattern(f"[{''.join(sorted(MARKS))}]")
_WHOLE, _OPEN = str.maketrans(dict.fromkeys(WHOLE)), str.maketrans(dict.fromkeys(WHOLE, ANY))


class Shapes:
    """Finds the shapes of words.

    Args:
        known: what variables mean that the text does not set itself.
        variables: what the text gives to variables.
        budget: what the search is paid from.
        user: the name that `~user` may be written with for the home directory.
        sure: whether only what is sure at a word's place counts, and not all that is possible.
    """

    def __init__(
        self, known: Mapping[str, str], variables: Variables, budget: Budget, user: str = "", *, sure: bool = False
    ) -> None:
        self.known, self.variables, self.budget, self.user, self.sure = known, variables, budget, user, sure
        self._found: dict[tuple[str, int], tuple[Fields, ...]] = {}

    @cached_property
    def _expansions(self) -> Expansions:
        from asimi.core.reading.expansions import Expansions

        return Expansions(self)

    @property
    def made(self) -> int:
        """How many shapes there were."""
        return self._expansions.made if self._found else 0

    def of(self, written: str) -> tuple[str, ...]:
        """All shapes of a word as it is written."""
        found = (shape for fields in self.fields(written) for shape in fields)
        return tuple(dict.fromkeys(RUNS.sub(widest, shape.replace(MANY, ANY)) for shape in found)) or ("",)

    def fields(self, written: str, at: int = 0) -> tuple[Fields, ...]:
        """The words that a word becomes: one tuple for each way that there is.

        Args:
            written: the word.
            at: its position in the text.
        """
        found = self.kept(written, at)
        if self.known.get("PWD") != AT:
            return found
        return tuple(tuple(_ALONE.sub(".", each).replace(AT, f"/{ANY}") for each in fields) for fields in found)

    def kept(self, written: str, at: int = 0) -> tuple[Fields, ...]:
        """The same for what is a part of another word: with the mark of the directory where a command runs."""
        key = (written, at if self.sure else 0)
        if key not in self._found:
            self._found[key] = self._expansions.ways(written, at)
        return self._found[key]

    def words(self, word: Word, written: str, at: int) -> tuple[tuple[Word, ...], ...]:
        """The words that a computed word becomes, one tuple for each way; itself where no more is known of it."""
        ways = self.fields(written, at)
        if any(shape[:1] in {ANY, MANY} for fields in ways for shape in fields if shape):
            return ((word,),)
        self.budget.spend(sum(3 + len(shape) // 16 for fields in ways for shape in fields))
        return tuple(tuple(_word(word, shape) for shape in fields) for fields in ways)


def _word(word: Word, shape: str) -> Word:
    """The word that has a shape, in the place of the one it comes from."""
    head = head_of(shape)
    single, bare = word.single or MARKS.isdisjoint(shape.replace(ANY, "").translate(_WHOLE)), shape[:1] in WHOLE
    return Word(word.start, word.end, shape if head == shape else None, head, single=single, bare=bare)


def exactly(text: str) -> str:
    """The shape of a word that is literal."""
    text = text[:LONGEST]
    return text if text.isprintable() else text.translate(DROPPED)  # far quicker: no mark can be printed


def head_of(shape: str) -> str:
    """What a shape begins with that is known: all before its first mark."""
    match = None if shape.isprintable() else _MARK.search(shape)
    return shape if match is None else shape[: match.start()]


def fits(shape: str, name: str) -> bool:
    """Whether a shape may become exactly this text, which holds no marks."""
    shape = shape.translate(_OPEN)
    least = sum(character not in {ANY, SOME} for character in shape)
    if least > len(name) or (shape[:1] == SOME and name[:1] == "."):
        return False
    pos = at = 0
    star, resume = -1, 0
    while at < len(name):
        if pos < len(shape) and shape[pos] in {ANY, SOME}:
            star, resume, pos = pos, at, pos + 1
        elif pos < len(shape) and shape[pos] in {ONE, name[at]}:
            pos, at = pos + 1, at + 1
        elif star >= 0:
            resume += 1
            pos, at = star + 1, resume
        else:
            return False
    return all(character in {ANY, SOME} for character in shape[pos:])


def widest(run: Match[str]) -> str:
    """The mark that stands for all of a run of marks."""
    return next((mark for mark in (MANY, ANY) if mark in run.group()), SOME)
