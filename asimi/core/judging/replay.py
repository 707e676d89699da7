"""A call of the log, as it can be judged again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from asimi.core.call import Request, Verdict


class Logged(NamedTuple):
    """A logged call that can be judged again.

    Attributes:
        request: what was judged; equal calls have equal ones, without the agent's words and ids.
        verdict: what the rules said then; ask, where only a session's approval allowed it, or the breaker denied it.
        behind: whether an agent ran what was allowed.
        by: who was asked and answered, `terminal`, `clock`, …, or `breaker`; empty where nobody was.
        yes: whether they said yes.
        sent: what the agent had proposed, where a person changed that.
    """

    request: Request
    verdict: Verdict
    behind: bool = False
    by: str = ""
    yes: bool = False
    sent: Request | None = None
