"""What a person said yes to in a session, as long as this process lives; `tickets` keeps it for several processes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from asimi.core.call import Approval
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import ONCE, Rule, spend_use
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from asimi.core.call import PastRefusal, Request
    from asimi.world.approvals.tickets import Refusals


FOR_GOOD = ("project", "always", "task")
"""The scopes of answers that no session keeps, but the configuration or a task."""


class StandingApproval(NamedTuple):
    """An approval that holds for a while.

    Attributes:
        rule: what it allows.
        since: when it was given, in seconds since the epoch.
        until: when it ends, or None for the end of the process.
        question: the command that was asked about; empty where it is not known.
        by: who said yes.
        root: the project root it counts in; empty for this process.
        session: the session it belongs to, as people call it.
    """

    rule: Rule
    since: float
    until: float | None
    question: str = ""
    by: str = ""
    root: str = ""
    session: str = "this process"


class MemoryApprovals:
    """The approvals of one process.

    Args:
        remember: keeps rules for good, with `project` those of this project, and `by` who said so; what "always" and
            "never" call.
        session: whether the process is a session that keeps approvals at all.
        max_age: how many seconds they hold.
        refusals: what counts refusals; None where they do not count, because the process makes one call.
        granted: gives the rules of the tasks that whoever calls was granted.

    Attributes:
        session: whether there is a session.
    """

    def __init__(
        self,
        remember: Callable[..., object],
        *,
        session: bool = True,
        max_age: float | None = None,
        refusals: Refusals | None = None,
        granted: Callable[[], Sequence[Rule]] = tuple,
    ) -> None:
        self.session, self._granted = session, granted
        self._refusals = refusals
        self._remember, self._max_age = remember, max_age
        self._held: list[StandingApproval] = []

    def current_approvals(self) -> Sequence[StandingApproval]:
        """Return what holds now."""
        now = time.time()
        self._held = [each for each in self._held if each.until is None or each.until > now]
        return tuple(self._held)

    def rules(self) -> Sequence[Rule]:
        """Return the rules that hold now."""
        return (*(each.rule for each in self.current_approvals()), *self._granted())

    def remember(self, approval: Approval, request: Request | None = None) -> None:
        """Keep an answer's rules for its scope.

        Raises:
            AsimiError: they cannot be kept.
        """
        if approval.scope in FOR_GOOD:
            self._remember(approval.rules, project=approval.scope == "project", by=approval.by)
        elif approval.scope == "session":
            if not self.session:
                raise AsimiError("There is no session that could keep this approval; say yes once, or always")
            self._held = joined_of(self.current_approvals(), given_of(approval, request, "this process", self._max_age))

    def spend(self, rules: Sequence[Rule]) -> Approval | None:
        """Count one call against approvals that hold for so many; the yes that it rests on."""
        said = yes_of(self._held, rules)
        self._held = spent_of(self._held, rules)
        return said

    def past_refusals(self) -> Collection[PastRefusal]:
        """Return what was refused, and how often."""
        return () if self._refusals is None else self._refusals.past_refusals()

    def refuse(self, fingerprints: Collection[str], request: Request) -> None:
        """Count one refusal."""
        if self._refusals is not None:
            self._refusals.refuse(fingerprints, request)

    def forget_refusals(self, fingerprints: Collection[str]) -> None:
        """Forget refusals."""
        if self._refusals is not None:
            self._refusals.forget_refusals(fingerprints)

    def forget(self) -> int:
        """Take every approval back; how many there were."""
        number = len(self.current_approvals())
        self._held.clear()
        return number


def given_of(
    approval: Approval, request: Request | None, session: str, max_age: float | None, root: str = ""
) -> list[StandingApproval]:
    """Return what an answer's rules are held as: at most for `max_age` seconds, in a session that is called so."""
    now = time.time()
    question = "" if request is None else line_of(request)
    held = []
    for rule in approval.rules:
        ends = [each for each in (rule.expires, None if max_age is None else now + max_age) if each is not None]
        kind = ONCE if rule.kind == ONCE else "session"
        rule = rule._replace(kind=kind, source=f"session: {session}")  # noqa: PLW2901 - the same rule, as kept
        held.append(StandingApproval(rule, now, min(ends, default=None), question, approval.by, root, session))
    return held


def yes_of(held: Iterable[StandingApproval], rules: Sequence[Rule]) -> Approval | None:
    """Return the yes behind the first of some counted approvals: to this very call, or for a while to more like it."""
    first = next((each for each in held if each.rule in rules), None)
    if first is None or not first.by:
        return None
    return Approval(yes=True, by=first.by, scope="once" if first.rule.kind == ONCE else "session")


def spent_of(held: Iterable[StandingApproval], rules: Sequence[Rule]) -> list[StandingApproval]:
    """Return what still holds once some counted approvals were used."""
    return [each._replace(rule=rule) for each in held for rule in spend_use(each.rule, rules)]


def joined_of(there: Iterable[StandingApproval], given: Sequence[StandingApproval]) -> list[StandingApproval]:
    """Return what was held, and what is given now; the same rule holds once, for as long as it was said last."""
    new = {(each.rule._replace(expires=None, uses=None), each.root) for each in given}
    old = [each for each in there if (each.rule._replace(expires=None, uses=None), each.root) not in new]
    return old + list(given)
