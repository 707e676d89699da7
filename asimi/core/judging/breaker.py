"""The breaker: what was refused too often in a session is denied without another question, until a person lifts that.

It turns a question into a deny and never anything into an allow. What a rule or an approval allows, it does not touch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import BREAKER, PROMPT, Assurance, Reason, Verdict
from asimi.core.syntax import quote

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from asimi.core.call import Approval, Decision, PastRefusal

COUNTED = frozenset({"denied_by_rule", "rejected"})
"""Denies that are about what a command does; the others are about how it is written, and may be written otherwise."""


def deny_repeats(decision: Decision, tried: Iterable[PastRefusal], fingerprints: Collection[str]) -> Decision:
    """A decision that is no allow; a deny where what it is about was refused too often.

    Args:
        decision: what was decided.
        tried: what was refused too often.
        fingerprints: what the decision is about.
    """
    about = {digest_of(fingerprint): fingerprint for fingerprint in fingerprints}
    found = max((each for each in tried if each.digest in about), key=lambda each: each.times, default=None)
    if found is None:
        return decision
    message = (
        f"this was refused {times_in_words(found.times)} in this session, however it was written: "
        f"{about[found.digest]}. Do not try it again in any form; ask the person, who can lift this with: "
        f"{lifted_by(found.session)}"
    )
    reasons = (Reason(BREAKER, message), *decision.reasons)
    return decision._replace(verdict=Verdict.DENY, reasons=reasons, offers=(), needed=(), outside=None)


def digest_of(fingerprint: str) -> str:
    """What tells a fingerprint from others, in files: it may hold a secret, which these do not."""
    from hashlib import sha256

    return sha256(fingerprint.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def times_in_words(number: int) -> str:
    """How often, in words."""
    return "once" if number == 1 else f"{number} times"


def lifted_by(session: str) -> str:
    """The command by which a person lifts what the breaker denies in a session."""
    plain = session.isascii() and session.isprintable()
    return f"asimi session forget --refused {quote(session) if plain else '--all'}"


def applies_to(decision: Decision) -> bool:
    """Whether a decision is one that what was refused before matters to: a question, or a deny of what would happen."""
    if decision.verdict is Verdict.DENY:
        return any(each.code in COUNTED for each in decision.reasons)
    return decision.verdict is Verdict.ASK


def is_counted(decision: Decision, approval: Approval | None) -> bool:
    """Whether an answer is a refusal that counts: a rule's, a person's, or that nobody answered or was there."""
    if not applies_to(decision) or decision.reasons[0].code == BREAKER:
        return False
    if decision.verdict is Verdict.DENY:
        return True
    return approval is not None and not approval.yes and approval.by != PROMPT


def resets(decision: Decision, approval: Approval | None) -> bool:
    """Whether an answer is the yes of whoever was asked, now or before this call was made again."""
    if approval is None or not approval.yes or decision.verdict is Verdict.DENY:
        return False
    if decision.verdict is Verdict.ALLOW:
        return any(each.code == "allowed_by_session" for each in decision.reasons)
    return approval.voice > Assurance.BEFOREHAND and approval.voice >= decision.voice
