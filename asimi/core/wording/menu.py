"""A choice put to a person by a key: what there is to know, and what can be pressed. Nothing here draws or reads."""

from __future__ import annotations

from asimi.core.lean import NamedTuple
from asimi.core.wording.dialog import Choice

LEAVE = Choice("q", "leave", "leave; nothing is written", "leave")
"""What Esc and the end of input mean as well."""


class Section(NamedTuple):
    """Something to know.

    Attributes:
        words: a sentence.
        rows: names below it, each with what it is.
    """

    words: str
    rows: tuple[tuple[str, str], ...] = ()


class Menu(NamedTuple):
    """A choice.

    Attributes:
        title: the question.
        sections: what there is to know.
        choices: what can be pressed, `LEAVE` besides.
    """

    title: str
    sections: tuple[Section, ...]
    choices: tuple[Choice, ...]

    def pressed(self, key: str) -> Choice | None:
        """The choice behind a key or a typed word; None where there is none."""
        key = LEAVE.key if key == "escape" else key.lower()
        return next((choice for choice in (*self.choices, LEAVE) if key in (choice.key, choice.word)), None)
