"""What is wrong with rules that can be used: they never match, say nothing of their own, or are wider than they look.

Each check is a generator that goes over the whole ground. What it says is true of the policy itself: where words are
not enough, commands are tried. It touches nothing. Each check has a case in `tests/extras/advice/test_linting.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.extras.advice.linting.never import boxed, directories, ended, ending, literals, names, patterns
from asimi.extras.advice.linting.pairs import BY, asked, covered, overruled, started
from asimi.extras.advice.linting.width import easily_missed, wide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from asimi.extras.advice.linting.ground import Flaw, Ground

CHECKS: tuple[Callable[[Ground], Iterator[Flaw]], ...] = (
    ended,
    names,
    literals,
    directories,
    overruled,
    covered,
    asked,
    started,
    wide,
    easily_missed,
    boxed,
    ending,
    patterns,
)
"""All checks; what says that a rule has no effect comes first."""

VAIN = frozenset({"ended", "name", "literal", "directory", "overruled", "covered", "asked"})
"""Kinds of flaws that leave nothing to say of a rule."""


NARROW = "keep this one and take out the other, which is wider than it looks"
"""What to do about a narrow rule beside a wide one."""


def flaws(ground: Ground) -> list[Flaw]:
    """What is wrong with the rules and patterns of a ground, in the order of their files and lines."""
    found: dict[Flaw, None] = {}
    untrusted_note: set[tuple[str, str]] = set()
    for check in CHECKS:
        for flaw in check(ground):
            place = (flaw.source, flaw.entry)
            if place not in untrusted_note:
                found[flaw] = None
            if flaw.kind in VAIN:
                untrusted_note.add(place)
    wider = tuple(f"{BY} {flaw.entry} ({flaw.source})" for flaw in found if flaw.kind == "wide")
    told = [
        flaw._replace(instead=NARROW) if flaw.kind == "covered" and flaw.message.endswith(wider) else flaw
        for flaw in found
    ]
    sources = [each.rule.source or "" for each in ground.rules] + [each.source for each in ground.patterns]
    files = list(dict.fromkeys(source.rpartition(":")[0] for source in sources))

    def place_of(flaw: Flaw) -> tuple[int, int]:
        file, _, line = flaw.source.rpartition(":")
        return (files.index(file), int(line)) if line.isdecimal() and file in files else (len(files), 0)

    return sorted(told, key=place_of)
