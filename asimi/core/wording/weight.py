"""How much a question weighs: what nothing brings back looks different, and takes a typed word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.wording.effects import COMES_BACK, weighs

if TYPE_CHECKING:
    from asimi.core.call import Deed, Question

LOST = {
    "delete.disk": "delete",
    "delete.history": "delete",
    "delete.service": "delete",
    "publish.package": "publish",
}
"""Kinds of what nothing brings back, each with the word that a person types to allow it."""

LIGHT, WEIGHTY, GRAVE = range(3)
"""How much a question weighs: no more than most, a second look, or that nothing brings back what it does."""


def word_of(question: Question) -> str:
    """The word that a person types to allow what nothing brings back; empty where a key is enough."""
    if any(reason.code == "floor" for reason in question.decision.reasons):
        return "delete"
    asked = {part.span for part in question.decision.parts if part.verdict is not Verdict.ALLOW}
    # Where no part is asked about, the question is about the text as a whole.
    deeds = [deed for deed in question.deeds if not asked or deed.span in asked]
    found = {kind for deed in deeds for kind in _kinds(deed)}
    word = next((LOST[kind] for kind in LOST if kind in found), "")
    return word or ("delete" if any(map(_loses, deeds)) else "")


def weight_of(question: Question) -> int:
    """How much a question weighs: `LIGHT`, `WEIGHTY` or `GRAVE`."""
    if word_of(question):
        return GRAVE
    return WEIGHTY if any(map(weighs, question.deeds)) else LIGHT


def deed_weight(deed: Deed) -> int:
    """How much what one command does weighs."""
    grave = not LOST.keys().isdisjoint(_kinds(deed)) or _loses(deed)
    return GRAVE if grave else WEIGHTY if weighs(deed) else LIGHT


def _loses(deed: Deed) -> bool:
    """Whether a command surely deletes what is there now, lasts, and does not come back by undo, which is on."""
    return "delete" in _kinds(deed) and any(
        act.does == "delete" and act.undo and act.undo not in COMES_BACK and act.where != "temporary" and act.files != 0
        for act in deed.acts
    )


def _kinds(deed: Deed) -> tuple[str, ...]:
    """The kinds of what a command does; none that it only may do."""
    return deed.effects or ()
