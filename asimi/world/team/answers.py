"""Whether an answer counts, and what it comes to: the whole of what a gate checks before it believes a team.

Each check has a row in `tests/team/test_answers.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Approval
from asimi.core.errors import AsimiError
from asimi.core.judging.offers import fits
from asimi.core.stored import Invalid, digest_of
from asimi.world.team.signing import ANSWER, verified
from asimi.world.team.statements import LONGEST_NOTE, statement_in

if TYPE_CHECKING:
    from asimi.core.settings import Team
    from asimi.world.team.statements import Asked, Signed, Statement

_ABOUT = {"id": "question", "gate": "gate", "user": "user", "host": "machine"}


class NotCounted(AsimiError):
    """An answer does not count; `str()` says why.

    Attributes:
        by: whose it says it is; not to be believed.
    """

    def __init__(self, why: str, by: str = "") -> None:
        self.by = by
        super().__init__(why)


def approval_of(signed: Signed, asked: Asked, team: Team, now: float) -> Approval:
    """What an answer comes to.

    Args:
        signed: the answer, as it came.
        asked: the question, as this gate asked it.
        team: whose answers count.
        now: the time, in seconds since the epoch.

    Raises:
        NotCounted: it does not count.
        AsimiError: there is nothing to check it with.
    """
    try:
        said = statement_in(signed.statement)
    except Invalid as fault:
        raise NotCounted(f"it is not an answer: {fault}") from None
    if why := _amiss(said, asked, now):
        raise NotCounted(why, said.by)
    signer = next((each for each in team.approvers if each.name == said.by), None)
    if signer is None:
        raise NotCounted(f"{said.by!r:.80} is not one of the team's approvers", said.by)
    if why := verified(said.content, signed.signature, ANSWER, signer, team.revoked):
        raise NotCounted(why, said.by)
    approval = Approval(said.yes, f"team:{said.by}", said.scope, said.rules, said.note)
    if not fits(approval, asked.question):
        raise NotCounted("it would keep what the question does not offer", said.by)
    return approval


def _amiss(said: Statement, asked: Asked, now: float) -> str:
    """Why a statement is not about this question, or not one that counts, whoever signed it; nothing where it is."""
    for name, what in _ABOUT.items():
        if getattr(said, name) != getattr(asked, name):
            return f"it answers another {what}"
    if said.root != asked.question.request.place.root:
        return "it answers another project"
    if said.digest != digest_of(asked.question):
        return "it answers something else than what was asked"
    if said.until != asked.until or now >= asked.until:
        return "it is late"
    if said.at == f"{asked.user}@{asked.host}":
        return "it was given as the user and on the machine that asked"
    return "its note is too long" if len(said.note) > LONGEST_NOTE else ""
