"""What a person said yes to and what was refused, in tickets that several processes share.

A one-shot run has no memory of its own, so what its session holds is kept as sudo keeps its time stamps: in a file that
only we may read. A session with a name of its own is shared by whoever names it. In both, an approval counts in the
project it was given in. What was refused is counted beside it, for the breaker, and a person can see it and lift it.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.call import PERSONS, Approval, PastRefusal, Session
from asimi.core.errors import AsimiError
from asimi.core.judging.breaker import digest_of
from asimi.core.settings import MAX_AGE
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.world.approvals import FOR_GOOD, StandingApproval, given_of, joined_of, spent_of, yes_of
from asimi.world.host.documents import Document
from asimi.world.host.places import forget_killed, private_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from asimi.core.call import Request
    from asimi.core.judging.rules import Rule

VERSION = 2
"""The format of a ticket file."""

MOST = 256
"""What one ticket remembers to have been refused; beyond that, what was refused least goes first, then the oldest."""

WIDER = 3
"""How many times as often something may be refused in all sessions of an agent as in one, since it names these."""

_PREFIX, _SUFFIX = "session-", ".json"
_OLD = 7 * 86400.0  # seconds after which a ticket that nobody used is deleted
_USED = 3600.0  # seconds after which it is noted that a ticket is still used
_LONGEST = 1000  # characters of a refused command that are kept
_AHEAD = 60.0  # seconds that a ticket may come from the future before it is not believed


class Tally(NamedTuple):
    """How often something was refused.

    Attributes:
        digest: of what it was for.
        times: how often.
        last: when it was last, in seconds since the epoch.
        question: the command that was last refused, without its secrets.
        session: the session it counts in, as people call it.
        root: the project root it counts in.
    """

    digest: str
    times: int
    last: float
    question: str
    session: str
    root: str


class _Ticket(NamedTuple):
    """What a ticket file holds.

    Attributes:
        session: whose it is, as people call it.
        approvals: what was said yes to.
        root: the project root of its first call, where it keeps to that; else empty.
        refused: what was refused.
    """

    session: str
    approvals: tuple[StandingApproval, ...]
    root: str = ""
    refused: tuple[Tally, ...] = ()


def refusals_of(directory: str, session: Session, root: str, shown: Callable[[Request], str] = line_of) -> Refusals:
    """Return what counts the refusals of a session.

    Who has its calls judged names its session itself, or starts another process: so the sessions of one agent are
    counted in one ticket, those with a name in one, and processes in one. A terminal's is its own.

    Args:
        directory: where the tickets are.
        session: which one.
        root: the project root that they count in.
        shown: a call as it may be kept: without its secrets.
    """
    kind, label = session.key.partition("-")[0], session.label.rstrip()
    if kind == "tty":
        return Refusals(directory, session, root, label, shown)
    shared = label.partition(" ")[0] if kind == "hook" else kind
    whole = Session(f"refused-{shared}", f"refused ({shared})", named=False)
    return Refusals(directory, whole, root, label, shown)


def root_of_session(directory: str, session: Session, root: str) -> str:
    """Return the project root that a session keeps to: that of its first call, whatever later ones say.

    Args:
        directory: where the tickets are; made if it is missing.
        session: which one.
        root: the project root of this call.

    Raises:
        AsimiError: the ticket cannot be believed or written.
    """
    path = _path(directory, session)
    ticket = _ticket(path)
    there = ticket.read()
    if there is None or not there.root:
        with ticket.lock() as there:
            if there is None or not there.root:
                ticket.write((there or _Ticket(session.label, ()))._replace(root=root))
                _tidy(directory, _OLD)
                return root
    stamp = _stamp_of(path)
    if stamp is not None and stamp[0] < (time.time() - _USED) * 1e9:
        with suppress(OSError):
            os.utime(path)
    return there.root


class Refusals:
    """What was refused in a session that has a ticket; after `MAX_AGE` seconds without another refusal it is forgotten.

    Args:
        directory: where the tickets are; made if it is missing.
        ticket: whose ticket it is in.
        root: the project root that counts.
        session: the session that counts, as people call it; others in the same ticket count `WIDER` times less.
        shown: a call as it may be kept: without its secrets.
    """

    def __init__(
        self, directory: str, ticket: Session, root: str, session: str, shown: Callable[[Request], str]
    ) -> None:
        self._root, self._session, self._shown = root, session, shown
        self._path, self._label = _path(directory, ticket), ticket.label
        self._ticket = _ticket(self._path)
        self._stamp: tuple[int, ...] | None = None
        self._refused: tuple[Tally, ...] = ()

    def past_refusals(self) -> Collection[PastRefusal]:
        """Return what was refused, and how often.

        Raises:
            AsimiError: the ticket cannot be believed.
        """
        stamp = _stamp_of(self._path)
        if stamp != self._stamp:
            self._refused, self._stamp = _refused_in(self._ticket.read()), stamp
        own: dict[str, int] = {}
        total: dict[str, int] = {}
        for each in self._refused:
            if each.root == self._root and _counts(each):
                total[each.digest] = total.get(each.digest, 0) + each.times
                own[each.digest] = each.times if each.session == self._session else own.get(each.digest, 0)
        return [PastRefusal(digest, max(times, total[digest] // WIDER), self._session) for digest, times in own.items()]

    def refuse(self, fingerprints: Collection[str], request: Request) -> None:
        """Count one refusal.

        Raises:
            AsimiError: it cannot be counted.
        """
        question = self._shown(request)[:_LONGEST]
        with self._ticket.lock() as there:
            known = {_whose(each): each for each in _refused_in(there) if _counts(each)}
            for digest in map(digest_of, fingerprints):
                new = Tally(digest, 1, time.time(), question, self._session, self._root)
                known[_whose(new)] = new._replace(times=1 + known[_whose(new)].times) if _whose(new) in known else new
            most = sorted(known.values(), key=lambda each: (each.times, each.last))[-MOST:]
            self._ticket.write((there or _Ticket(self._label, ()))._replace(refused=tuple(most)))
            self._stamp = None

    def forget_refusals(self, fingerprints: Collection[str]) -> None:
        """Forget refusals, in all sessions of the ticket.

        Raises:
            AsimiError: they cannot be forgotten.
        """
        meant = set(map(digest_of, fingerprints))
        if any(each.digest in meant for each in self.past_refusals()):
            _lift(self._path, lambda each: each.root == self._root and each.digest in meant)
            self._stamp = None


class TicketApprovals:
    """The approvals of a session that several processes share.

    Args:
        directory: where the tickets are; made if it is missing.
        session: which one.
        root: the project root, whose approvals count.
        remember: keeps rules for good, with `project` those of this project, and `by` who said so; what "always" and
            "never" call.
        max_age: how many seconds they hold.
        shown: a call as it may be kept where it was refused: without its secrets.
        granted: gives the rules of the tasks that whoever calls was granted.

    Attributes:
        session: that there is one.
    """

    def __init__(
        self,
        directory: str,
        session: Session,
        root: str,
        remember: Callable[..., object],
        *,
        max_age: float = MAX_AGE,
        shown: Callable[[Request], str] = line_of,
        granted: Callable[[], Sequence[Rule]] = tuple,
    ) -> None:
        self.session, self._granted = True, granted
        self._directory, self._session, self._root = directory, session, root
        self._remember, self._max_age = remember, max_age
        self._path = _path(directory, session)
        self._ticket = _ticket(self._path)
        self._stamp: tuple[int, ...] | None = None
        self._held: tuple[StandingApproval, ...] = ()
        refusals = refusals_of(directory, session, root, shown)
        self.past_refusals = refusals.past_refusals
        self.refuse, self.forget_refusals = refusals.refuse, refusals.forget_refusals

    def current_approvals(self) -> Sequence[StandingApproval]:
        """Return what holds now, in this project.

        Raises:
            AsimiError: the ticket cannot be believed.
        """
        stamp = _stamp_of(self._path)
        if stamp != self._stamp:
            self._held, self._stamp = _held_in(self._ticket.read()), stamp
        now = time.time()
        return tuple(each for each in self._held if each.root == self._root and _holds(each, now, self._max_age))

    def rules(self) -> Sequence[Rule]:
        """Return the rules that hold now.

        Raises:
            AsimiError: the ticket cannot be believed.
        """
        return (*(each.rule for each in self.current_approvals()), *self._granted())

    def remember(self, approval: Approval, request: Request | None = None) -> None:
        """Keep an answer's rules for its scope.

        Raises:
            AsimiError: they cannot be kept, or nobody was asked who could say so.
        """
        if approval.scope in FOR_GOOD:
            self._remember(approval.rules, project=approval.scope == "project", by=approval.by)
            return
        if approval.scope != "session":
            return
        if approval.by not in PERSONS:
            raise AsimiError(f"A session of several processes takes approvals from a person, not by {approval.by}")
        with self._ticket.lock() as there:
            now = time.time()
            kept = [each for each in _held_in(there) if _holds(each, now, self._max_age)]
            given = given_of(approval, request, self._session.label, self._max_age, self._root)
            self._write(there, joined_of(kept, given))
        _tidy(self._directory, max(self._max_age, _OLD))

    def spend(self, rules: Sequence[Rule]) -> Approval | None:
        """Count one call against approvals that hold for so many; the yes that it rests on.

        Raises:
            AsimiError: it cannot be counted, or another process has just used the last one.
        """
        with self._ticket.lock() as ticket:
            there = _held_in(ticket)
            if not {(rule, self._root) for rule in rules} <= {(each.rule, each.root) for each in there}:
                raise AsimiError("Another call has just used up this approval; ask again")
            ours = [each for each in there if each.root == self._root]
            self._write(ticket, [each for each in there if each not in ours] + spent_of(ours, rules))
            return yes_of(ours, rules)

    def _write(self, there: _Ticket | None, held: Sequence[StandingApproval]) -> None:
        self._ticket.write((there or _Ticket(self._session.label, ()))._replace(approvals=tuple(held)))
        self._stamp = None

    def forget(self) -> int:
        """Take every approval of this session back, in every project; how many held."""
        return forget(self._directory, self._session)


def tickets(directory: str, max_age: float = MAX_AGE) -> list[StandingApproval]:
    """Return what holds in all sessions that are kept in a directory, the oldest first.

    Raises:
        AsimiError: a ticket cannot be believed.
    """
    now = time.time()
    held = [each for path in _files(directory) for each in _held_in(_ticket(path).read()) if _holds(each, now, max_age)]
    return sorted(held, key=lambda each: each.since)


def all_refusals(directory: str) -> list[Tally]:
    """Return what was refused and counts, in all sessions, the oldest first.

    Raises:
        AsimiError: a ticket cannot be believed.
    """
    found = [each for path in _files(directory) for each in _refused_in(_ticket(path).read()) if _counts(each)]
    return sorted(found, key=lambda each: each.last)


def lift(directory: str, session: Session | None = None) -> int:
    """Forget what was refused in one session, or in all; how much there was.

    Raises:
        AsimiError: a ticket cannot be believed or written.
    """
    whose = None if session is None else session.label
    return sum(_lift(path, lambda each: whose in {None, each.session}) for path in _files(directory))


def forget(directory: str, session: Session | None = None) -> int:
    """Take the approvals of one session back, or of all; how many there were.

    A ticket that cannot be believed is deleted as well. A session that keeps to a project root still does.

    Raises:
        AsimiError: a file cannot be deleted.
    """
    number = 0
    for path in _files(directory):
        ticket = _ticket(path)
        if session is not None and path != _path(directory, session) and _label(ticket) != session.label:
            continue
        try:
            with ticket.lock() as there:
                number += len(_held_in(there))
                if there is not None and (there.root or there.refused):
                    ticket.write(there._replace(approvals=()))
                    continue
        except AsimiError:
            number += 1
        try:
            os.unlink(path)
        except OSError as error:
            raise AsimiError(f"{path}: cannot be deleted: {error.strerror}") from None
    return number


def _holds(held: StandingApproval, now: float, max_age: float) -> bool:
    ends = held.since + max_age if held.until is None else min(held.until, held.since + max_age)
    return held.since <= now + _AHEAD and now < ends


def _tidy(directory: str, age: float) -> None:
    """Delete what older sessions left: tickets that nobody used for some seconds."""
    from asimi.world.host.clock import steady

    oldest = steady(directory) - age
    forget_killed(directory)
    for path in _files(directory):
        if (there := _stamp_of(path)) is not None and there[0] < oldest * 1e9:
            for each in (path, path + ".lock"):
                with suppress(OSError):
                    os.unlink(each)


def _path(directory: str, session: Session) -> str:
    return os.path.join(directory, f"{_PREFIX}{session.key}{_SUFFIX}")


def _files(directory: str) -> list[str]:
    try:
        names = os.listdir(directory)
    except FileNotFoundError:
        return []
    private_directory(directory)
    ours = [name for name in sorted(names) if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    return [os.path.join(directory, name) for name in ours]


def _ticket(path: str) -> Document[_Ticket]:
    return Document(path, _Ticket, VERSION)


def _held_in(ticket: _Ticket | None) -> tuple[StandingApproval, ...]:
    """Return what a ticket holds, whether it has ended or not."""
    return () if ticket is None else tuple(each._replace(session=ticket.session) for each in ticket.approvals)


def _label(ticket: Document[_Ticket]) -> str:
    """Return how people call the session of a ticket; empty where that cannot be believed."""
    try:
        there = ticket.read()
    except AsimiError:
        return ""
    return "" if there is None else there.session


def _refused_in(ticket: _Ticket | None) -> tuple[Tally, ...]:
    return () if ticket is None else ticket.refused


def _counts(refused: Tally) -> bool:
    """Whether a refusal still counts; one from the future does, since the clock may have been set back."""
    return time.time() < refused.last + MAX_AGE


def _whose(refused: Tally) -> tuple[str, str, str]:
    return refused.digest, refused.session, refused.root


def _lift(path: str, meant: Callable[[Tally], bool]) -> int:
    """Take refusals out of a ticket; how many."""
    ticket = _ticket(path)
    if not any(map(meant, _refused_in(ticket.read()))):
        return 0
    with ticket.lock() as there:
        kept = tuple(each for each in _refused_in(there) if not meant(each))
        if there is not None:
            ticket.write(there._replace(refused=kept))
        return len(_refused_in(there)) - len(kept)


def _stamp_of(path: str) -> tuple[int, ...] | None:
    try:
        there = os.lstat(path)
    except OSError:
        return None
    return there.st_mtime_ns, there.st_size, there.st_ino, there.st_mode, there.st_uid
