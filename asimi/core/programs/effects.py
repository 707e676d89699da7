"""What programs do, as far as people care: the effects, the kinds below them, and the words for each.

Rules, questions, `explain` and the log take the words from here, so no two of them say different things of one command.
A rule on an effect covers its kinds; a rule on a kind is about that kind alone. An effect that stands alone in a row
is none of the kinds below it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, table_of

if TYPE_CHECKING:
    from collections.abc import Collection

_FOUND = facts_of(__package__, "effects")

EFFECTS = table_of(_FOUND["effects"])
"""What each effect is."""

WORDS = table_of(_FOUND["words"])
"""The words for each effect and each kind of one, the worst first; no other kinds exist."""

_RANK = {kind: rank for rank, kind in enumerate(WORDS)}

ELSEWHERE = frozenset({"network.remote", "system.container"})
"""Kinds of programs whose commands run where this machine's paths mean nothing."""

UNDONE = frozenset({"delete", "delete.work"})
"""Kinds of a delete that undo takes back, where all that it removes is kept."""

_COVERED = {kind: frozenset(words.split()) for kind, words in table_of(_FOUND["covered"]).items()}
"""What goes without saying beside a kind."""


def effects_in(text: str) -> frozenset[str]:
    """The effects and kinds that a row names; `none` says that it has none.

    Raises:
        ValueError: one is not of `WORDS`.
    """
    named = frozenset(text.replace("+", " ").split()) - {"none"}
    for each in sorted(named - WORDS.keys()):
        raise ValueError(f"`{each}` {no_effect(each)}")
    return named


def no_effect(name: str) -> str:
    """What a message says of a name that is no effect: which kinds it may mean; where none is near, all effects."""
    from difflib import get_close_matches

    effect, _, kind = name.partition(".")
    below = [each for each in WORDS if each.startswith(f"{effect}.")] if kind else []
    near = get_close_matches(name, below or EFFECTS, 3, 0.85 if below else 0.7)
    near += [each for each in WORDS if each.partition(".")[2] == (kind or name) and each not in near]
    said = f"the kinds of {effect} are {', '.join(below)}" if below else f"the effects are {', '.join(EFFECTS)}"
    said = f"did you mean {' or '.join(near)}?" if near else said
    return f"is not an effect, nor a kind of one; {said}"


@cache
def broad(kinds: frozenset[str]) -> frozenset[str]:
    """The effects that some kinds belong to."""
    return frozenset(each.partition(".")[0] for each in kinds)


def covers(named: Collection[str], kind: str) -> bool:
    """Whether effects and kinds that a rule names hold for a kind, or for an effect that stands alone."""
    return kind in named or kind.partition(".")[0] in named


def in_order(kinds: Collection[str]) -> list[str]:
    """Effects and kinds in the order in which pages list them: each effect, then what is below it."""
    order = [*EFFECTS]
    return sorted(kinds, key=lambda each: (order.index(each.partition(".")[0]), each))


def phrases(kinds: Collection[str]) -> dict[str, str]:
    """Words for all that one command does, the worst first; what goes without saying is left out."""
    found = {*kinds}
    if len(found) > 1:
        found -= {"read"}.union(*(_COVERED.get(each, ()) for each in kinds))
    return {each: WORDS[each] for each in sorted(found, key=_RANK.__getitem__)}


def possibly(words: str) -> str:
    """The words for what a program may do, of those for what it does: `may end processes`."""
    said = words.split()
    if said[0] == "may":
        return words
    for at in (0, 2) if said[1:2] == ["or"] else (0,):
        said[at] = said[at][: -2 if said[at].endswith(("shes", "ches")) else -1]
    return f"may {' '.join(said)}"
