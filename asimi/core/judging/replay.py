"""Calls of the log, judged again: the verdict is the same, stricter or laxer than it was."""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from asimi.core.call import Decision, Request, Verdict


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


class Change(NamedTuple):
    """Equal calls, as they were judged and as they are judged now.

    Attributes:
        request: what they are.
        then: the verdict in the log.
        now: the decision now.
        calls: how many.
    """

    request: Request
    then: Verdict
    now: Decision
    calls: int

    @property
    def kind(self) -> str:
        """`same`, `stricter` or `laxer`."""
        now = self.now.verdict
        return "same" if now is self.then else "stricter" if now > self.then else "laxer"


def changes(
    calls: Mapping[tuple[Request, bool], Mapping[Verdict, int]], decide: Callable[[Request, bool], Decision]
) -> Iterator[Change]:
    """Every call judged again, equal ones once.

    Args:
        calls: requests, with whether an agent runs what is allowed, and how often each got which verdict.
        decide: the decision on such a request.
    """
    for (request, behind), verdicts in calls.items():
        now = decide(request, behind)
        for then, count in verdicts.items():
            yield Change(request, then, now, count)
