"""Decides whether a box may make a connection: by the lists, or by a person while the connection waits.

asimi asks one question for a name and port, and its answer is for all connections that want these. A yes or no for once
holds as long as the call that it belongs to, or for a minute without one, since programs connect many times for what
they do once. asimi reports each name when its connections have ended: once for a name, port and call.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from asimi.core.call import Approval, NetworkUse, Verdict
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.core.judging.names import Name
    from asimi.core.judging.network_verdict import Lists, NameVerdict
    from asimi.core.judging.rules import Rule

MINUTE = 60.0
"""Seconds for which an answer holds that belongs to no call, and after which a name is told that nobody reaches now."""

QUESTIONS = 16
"""Questions that wait at a time, so that nobody inside can keep a person from all others."""

MOST = 4096
"""Names that are counted apart at a time; then those are told that nobody reaches now."""


GRACE = 15.0
"""Seconds for which a question stays whose connections have all gone."""


class Answer(NamedTuple):
    """Whether a name is reached.

    Attributes:
        yes: whether it is.
        why: in words.
        private: to which private addresses it may lead.
        by: who said so.
        asks: whether a person may be asked about a private address.
    """

    yes: bool
    why: str
    private: tuple[Name, ...] = ()
    by: str = "policy"
    asks: bool = False


class _KeptAnswer(NamedTuple):
    answer: Answer
    call: str
    until: float


class _Open:
    """A question that is being asked.

    Attributes:
        over: set once there is an answer.
        answer: the answer.
        waiting: say of each connection that waits for it whether that is still there.
    """

    def __init__(self) -> None:
        self.over = threading.Event()
        self.answer = Answer(yes=False, why="nobody answered")
        self.waiting: list[Callable[[], bool]] = []
        self._last = time.monotonic()

    def there(self) -> bool:
        """Whether anybody waits for it still, or did just now: who gave up will try again."""
        now = time.monotonic()
        if any(each() for each in list(self.waiting)):
            self._last = now
        return now - self._last < GRACE


class _Count:
    """What one name has come to in one call."""

    def __init__(self, reached: NetworkUse) -> None:
        self.reached, self.live, self.last = reached, 0, time.monotonic()


class NameQuestion(NamedTuple):
    """What a person is asked.

    Attributes:
        host: the name, in its one spelling.
        port: its port.
        found: why it is asked.
        program: the command line of the program that wants it.
        call: the id of the call that it belongs to; empty for none.
        there: says whether anybody waits for the answer still.
    """

    host: str
    port: int
    found: NameVerdict
    program: str
    call: str
    there: Callable[[], bool]


NOBODY = Approval(yes=False, by="nobody", note="nobody can be asked here")


def nobody(asked: NameQuestion) -> Approval:
    """Ask nobody."""
    del asked
    return NOBODY


class NameDecider:
    """Decides about names, and counts what comes of them.

    Args:
        lists: gives what is said of names now.
        ask: asks a person.
        spend: counts one connection against an answer that holds for so many.
        call: gives the id of the call that runs; empty where none does.
        told: is told what came of a name.
    """

    def __init__(
        self,
        lists: Callable[[], Lists],
        ask: Callable[[NameQuestion], Approval] = nobody,
        *,
        spend: Callable[[Rule], object] = lambda _rule: None,
        call: Callable[[], str] = str,
        told: Callable[[NetworkUse], object] = lambda _reached: None,
    ) -> None:
        self._lists, self._ask, self._spend, self._call, self._told = lists, ask, spend, call, told
        self._lock = threading.Lock()
        self._kept: dict[tuple[object, ...], _KeptAnswer] = {}
        self._open: dict[tuple[object, ...], _Open] = {}
        self._counts: dict[tuple[str, int, str, bool], _Count] = {}

    def ports(self, host: str) -> tuple[int, ...]:
        """The ports on which a name is allowed now.

        Raises:
            AsimiError: the configuration is broken.
        """
        lists = self._lists()
        return tuple(port for port in lists.ports(host) if lists.judge(host, port).verdict is Verdict.ALLOW)

    def decide(
        self, host: str, port: int, program: Callable[[], str], there: Callable[[], bool] = lambda: True
    ) -> Answer:
        """Whether a name is reached; may wait for a person.

        Args:
            host: the name, in its one spelling.
            port: its port.
            program: finds the command line of the program that wants it.
            there: says whether the connection waits still.
        """
        call = self._call()
        try:
            found = self._lists().judge(host, port, starting=not call)
            if found.verdict is Verdict.ASK:
                return self._ask_person(host, port, found, call, program, there)
            if found.rule is not None and found.rule.uses is not None and found.verdict is Verdict.ALLOW:
                self._spend(found.rule)
                said = Answer(yes=True, why=found.why, private=found.private, by="queue", asks=True)
                return self._keep((host, port, *found.leads), call, said)
        except AsimiError as error:
            return Answer(yes=False, why=str(error))
        return Answer(found.verdict is Verdict.ALLOW, found.why, found.private, asks=found.rule is not None)

    def decide_private(
        self,
        host: str,
        port: int,
        addresses: Sequence[str],
        program: Callable[[], str],
        there: Callable[[], bool] = lambda: True,
    ) -> Answer | None:
        """Whether a name is reached that leads to private addresses; may wait for a person.

        The answer is for these addresses: where the name leads to others later, that is asked again.

        Args:
            host: the name, in its one spelling, which an answer allows.
            port: its port.
            addresses: where it leads to.
            program: as for `decided`.
            there: as for `decided`.

        Returns:
            The answer; None where none opens these.
        """
        try:
            found = self._lists().private_question(addresses, port)
        except (AsimiError, ValueError):
            return None
        return None if found is None else self._ask_person(host, port, found, self._call(), program, there)

    def machine(self, port: int) -> Answer:
        """Whether a port of this machine is still on the list, by which it has a listener in the box."""
        try:
            lists = self._lists()
        except AsimiError as error:
            return Answer(yes=False, why=str(error))
        listed = any(each.covers("localhost", port) for each in lists.allow)
        if any(each.covers("localhost", port, denies=True) for each in lists.deny) or not listed:
            return Answer(yes=False, why=f"localhost:{port} is not on the list any more")
        return Answer(yes=True, why=f"localhost:{port} is on the list")

    def usable(self, address: str, port: int, answer: Answer) -> str:
        """Why an address that a name leads to is not connected to; empty where it is."""
        try:
            return self._lists().usable(address, port, answer.private)
        except (AsimiError, ValueError) as error:
            return str(error)

    def _ask_person(
        self, host: str, port: int, found: NameVerdict, call: str, program: Callable[[], str], there: Callable[[], bool]
    ) -> Answer:
        key = (host, port, *found.leads)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept.call == call and (call or kept.until > time.monotonic()):
                return kept.answer
            first = key not in self._open
            if first and len(self._open) >= QUESTIONS:
                return Answer(yes=False, why=f"{found.why}; other questions wait already, try again later")
            mine = self._open.setdefault(key, _Open())
            mine.waiting.append(there)
        if not first:
            mine.over.wait()
            return mine.answer
        try:
            approval = self._ask(NameQuestion(host, port, found, program(), call, mine.there))
            yes = approval.yes and approval.edited is None
            why = f"{approval.by} allows it" if yes else _no(found, approval)
            mine.answer = Answer(yes, why, found.private, approval.by, asks=not found.leads)
            if approval.scope == "once" and approval.by not in {"nobody", "clock"}:
                self._keep(key, call, mine.answer)
        except AsimiError as error:
            mine.answer = Answer(yes=False, why=str(error))
        finally:
            with self._lock:
                del self._open[key]
            mine.over.set()
        return mine.answer

    def _keep(self, key: tuple[object, ...], call: str, answer: Answer) -> Answer:
        with self._lock:
            if len(self._kept) >= MOST:
                self._kept.clear()
            self._kept[key] = _KeptAnswer(answer, call, time.monotonic() + MINUTE)
        return answer

    def began(self, host: str, port: int, answer: Answer, program: Callable[[], str]) -> Callable[[int, int], None]:
        """Count a connection, made or refused.

        Returns:
            What is told at its end how many bytes went out and came in.
        """
        call = self._call()
        key = (host, port, call, answer.yes)
        with self._lock:
            count = self._counts.get(key)
        if count is None:
            made = _Count(NetworkUse(host, port, answer.yes, answer.why, call, program(), by=answer.by))
            with self._lock:
                count = self._counts.setdefault(key, made)
        with self._lock:
            count.reached = count.reached._replace(connections=count.reached.connections + 1)
            count.live, count.last = count.live + 1, time.monotonic()
        self.tell(call)

        def end_connection(sent: int, received: int) -> None:
            with self._lock:
                old = count.reached
                count.reached = old._replace(sent=old.sent + sent, received=old.received + received)
                count.live, count.last = count.live - 1, time.monotonic()

        return end_connection

    def tell(self, call: str | None = None) -> None:
        """Tell what came of the names that nobody reaches now.

        Args:
            call: the call that runs, whose names are still counted; None at the end, whoever still reaches them.
        """
        now = time.monotonic()
        with self._lock:
            over = [
                key
                for key, count in self._counts.items()
                if call is None
                or (not count.live and (key[2] != call or now - count.last > MINUTE or len(self._counts) > MOST))
            ]
            told = [self._counts.pop(key).reached for key in over]
        for each in told:
            self._told(each)


def _no(found: NameVerdict, approval: Approval) -> str:
    note = f"; {approval.note}" if approval.note else ""
    who = {"nobody": "", "clock": ""}.get(approval.by, ", and a person said no")
    return f"{found.why}{who}{note}"
