"""A question as plain text, for whoever shows it in a form or dialog that is not asimi's own."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING
from asimi.core.reading.lines import line_of
from asimi.core.wording.effects import told
from asimi.core.wording.explain import said
from asimi.core.wording.holding import holds
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from asimi.core.call import Question

LONGEST = 500
"""Characters of the agent's own words that are shown."""

MOST = 8
"""Commands of which it is told what they would do."""


def words_of(question: Question) -> str:
    """The question, in full."""
    request = question.request
    lines = ["Run this command?", "", *(f"  {visible(each)}" for each in line_of(request).split("\n")), ""]
    lines += [f"On: {visible(request.place.host)}"] if request.place.host else []
    lines.append(f"In: {visible(request.place.shown)}")
    lines.append(f"asimi asks because: {visible(said(question.decision.reasons))}")
    lines += [f"{visible(deed.command)}: {visible(does)}" for deed in question.deeds[:MOST] if (does := told(deed))]
    if len(question.deeds) > MOST:
        lines.append(f"and {len(question.deeds) - MOST} more commands")
    if held := holds(question):
        lines.append(f"Held {visible(held)}")
    if request.description:
        lines.append(f"The agent says: {visible(request.description)[:LONGEST]}")
    return "\n".join(lines)
