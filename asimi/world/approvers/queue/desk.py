"""Where a person answers the questions of gates elsewhere: each is shown with the dialog of this terminal.

An answer counts only if the process that asked takes it; the person sees whether it did. A question that
somebody else answers, or that ends, says so on the screen, and disappears.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, TypeVar

from asimi.core.call import APPROVE, WATCH
from asimi.core.errors import AsimiError
from asimi.core.wording.dialog import LEFT, SKIPPED, WENT_BACK, Line
from asimi.core.wording.weight import word_of
from asimi.world.approvers import LATE
from asimi.world.approvers.queue.answers import deliver, listens
from asimi.world.approvers.queue.approver import LEFT as STAYS
from asimi.world.approvers.queue.approver import late
from asimi.world.approvers.queue.entries import (
    VOICE,
    WatchLock,
    ensure_directory,
    entries,
    notes,
    read,
    stamps,
    sweep,
    take_away,
    voice_lock,
    write_entry,
)
from asimi.world.host.nested import processes_seen, started_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from asimi.core.call import Approval, Question
    from asimi.core.interfaces import Approver
    from asimi.world.approvers.queue.entries import Entry


T = TypeVar("T")

GLANCE = 0.05
"""Seconds between two looks at what has come and what has ended."""

Became = Literal["arrived", "left", "back", "lost"]
"""What becomes of a question that is shown: left open, or left for the one before it; lost where no answer arrived."""

PAUSE = 1.0
"""Seconds until a question is shown again that could not be shown: asimi was not in the foreground."""


class QuestionDisplay:
    """Where a person answers; what waits, and where an answer goes, is up to whoever inherits this.

    Args:
        approver: asks the person at this terminal.
        say: tells the person a line.
        ending: whether asimi is shutting down.
        ring: called when a question has come, while questions are watched.
    """

    def __init__(
        self, approver: Approver, *, say: Callable[[str], None], ending: Callable[[], bool], ring: Callable[[], None]
    ) -> None:
        self.approver, self.say, self.ending, self.ring = approver, say, ending, ring

    async def _watch(
        self,
        coming: Callable[[], T | None],
        answer: Callable[[T], Awaitable[object]],
        ends: Callable[[], bool] = lambda: False,
    ) -> None:
        """Have each question answered that waits, as it comes, until asimi shuts down.

        Args:
            coming: gives the one to be shown now, if there is one.
            answer: shows it and passes the answer on.
            ends: whether to end where there is none.
        """
        from asyncio import sleep

        while not self.ending():
            if (there := coming()) is None:
                if ends():
                    return
                await sleep(GLANCE)
            else:
                await answer(there)

    async def _ask_until_ended(self, question: Callable[[], Question], ended: Callable[[], str]) -> Approval | None:
        """Return what the person says; None if the question ended meanwhile, or asimi is shutting down.

        Args:
            question: gives the question as it is when its turn has come.
            ended: says why it has ended; empty while it has not.
        """
        from asyncio import ensure_future, wait

        asking, why = ensure_future(self._ask(question)), ""
        while not asking.done():
            await wait((asking,), timeout=GLANCE)
            if not asking.done() and self.ending():
                asking.cancel()
                await wait((asking,))
            elif not asking.done() and not why and (why := ended()):
                asking.cancel(why)  # the dialog says so, and ends
        said = None if asking.cancelled() else asking.result()
        return None if why else said

    async def _ask(self, question: Callable[[], Question]) -> Approval:
        async with self.approver.turn():
            return await self.approver.ask(question())


class Desk(QuestionDisplay):
    """Shows the questions of a directory and passes the answers on.

    Args:
        directory: where the questions wait.
        approver: asks the person at this terminal.
        keep: keeps an answer in the ticket of the question's session.
        patience: seconds that a question is shown whose call was refused already.
        say: as `QuestionDisplay` takes it; so are the others.
        ending: whether asimi is shutting down.
        ring: called when questions have come.
    """

    def __init__(
        self,
        directory: str,
        approver: Approver,
        keep: Callable[[Entry, Approval], None],
        *,
        patience: float,
        say: Callable[[str], None],
        ending: Callable[[], bool],
        ring: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(approver, say=say, ending=ending, ring=ring)
        self.directory, self.keep, self.patience = directory, keep, patience
        self._waits: dict[tuple[int, str], bool] | None = None
        self._later: dict[tuple[int, str], float] = {}  # when what was looked at may be looked at again
        self._line = Line(away=True)  # of the question that is shown, where all are gone through
        self._open: tuple[Entry, str]  # the question that was shown last, and how it is answered
        self._told = set[str]()  # the notes that were told, or were there before
        self._words = True  # whether questions are shown that take a typed word

    def questions(self) -> tuple[list[Entry], list[str]]:
        """Return the questions that can be answered, the oldest first, and what is wrong with others.

        Raises:
            AsimiError: the directory cannot be believed.
        """
        if os.path.lexists(self.directory):
            sweep(ensure_directory(self.directory))
        return entries(self.directory)

    async def answer(self, name: str, by: str = APPROVE) -> bool:
        """Ask the person about one question and pass the answer on; whether it arrived.

        Args:
            name: the question.
            by: how they answer, `APPROVE` or `WATCH`, for the log.

        Raises:
            AsimiError: there is no such question, or it cannot be trusted.
        """
        return await self._answer_one(name, by) == "arrived"

    async def go_through(self) -> bool:
        """Show every question: first those that a call waits for, the newest before older ones; no answer got lost.

        What comes meanwhile is shown next. A person may skip a question and go back to it.
        """
        order, known, at, whole = list[str](), set[str](), 0, True
        while not self.ending():
            there = {entry.id: entry for entry in self.questions()[0]}
            newest = sorted(there, key=lambda name: (not there[name].waiting, -there[name].asked))  # that waits, first
            coming = [name for name in newest if name not in known]
            known.update(coming)
            passed = [name for name in order[:at] if name in there]
            order, at = [*passed, *coming, *(name for name in order[at:] if name in there)], len(passed)
            if at == len(order):
                break
            entry = there[order[at]]
            self._line = Line(at=at + 1, of=len(order), words=_answer_purpose(entry), live=entry.waiting, away=True)
            try:
                became = await self._answer_one(entry.id, APPROVE)
            except AsimiError as error:  # meanwhile somebody else answered it, or it ended
                self.say(str(error))
                became = "lost"
            if became == "arrived":
                order.remove(entry.id)
            else:
                at = max(0, at - 1) if became == "back" else at + 1
            whole = whole and became != "lost"
        return whole

    async def _answer_one(self, name: str, by: str) -> Became:
        """Ask the person about one question and pass the answer on; what became of it.

        Raises:
            AsimiError: there is no such question, or it cannot be trusted.
        """
        entry = read(self.directory, name)
        if entry.socket is None and entry.seen != processes_seen():  # an agent above us would not be seen here
            self.say(f"Question {name} was asked in another namespace of processes; answer it there.")
            return "lost"
        if entry.socket is not None and not listens(self.directory, entry):
            self._leave(entry)
            self.say(f"Question {name}: the process that asked has ended; nobody waits for an answer.")
            return "lost"
        if not self._line.at and (entry.session is not None or not entry.waiting):
            refused = f"This call was refused.\nA yes holds for {_next_time(entry)}."
            self.say(f"{_answer_purpose(entry)}." if entry.waiting else refused)
        self._open = entry, by
        approval = await self._ask_until_ended(lambda: self._question(entry), lambda: self._end(entry))
        if approval is None:
            late = entry.until <= time.time()
            how = ": nobody answered in time, which means no." if late else " was answered elsewhere, or has ended."
            self.say("" if self.ending() else f"Question {name}{how}")
            return "lost"
        if (said := approval._replace(seconds=0.0)) in (LEFT, SKIPPED, WENT_BACK):
            return "back" if said == WENT_BACK else "left"
        if approval.by in {"clock", "nobody"}:  # the dialog has told what the clock said
            self.say(f"Question {name}: {approval.note}." if approval.by == "nobody" and approval.note else "")
            return "lost"
        why = self._passed_on(entry, approval._replace(by=by))
        if why:
            self.say(f"The answer was not accepted: {why}.")
        return "lost" if why else "arrived"

    async def watch(self) -> None:
        """Show each question that waits, as it comes, until asimi shuts down.

        Raises:
            AsimiError: the directory cannot be used.
        """
        notes(self.directory, self._told)
        with WatchLock(self.directory):
            self._waits, self._later = {}, {}
            await self._watch(self._next, self._show)

    async def show_waiting(self) -> None:
        """Show each question that waits and takes no typed word, until none does.

        Raises:
            AsimiError: the directory cannot be used.
        """
        notes(self.directory, self._told)
        self._waits, self._later, self._words = {}, {}, False
        with WatchLock(self.directory, VOICE) as shown:
            await self._watch(self._next, self._show, lambda: self._ends(shown))

    def _ends(self, shown: WatchLock) -> bool:
        """End, if nothing waits; whether that is so."""
        if self._look():
            return False
        with voice_lock(self.directory) as held:
            if not held or self._look():
                return False
            shown.drop()
            return True

    def _next(self) -> tuple[int, str] | None:
        """Return the oldest question that waits and can be shown now; what is only told is told meanwhile."""
        for text in notes(self.directory, self._told):
            self.say(text)
        there = self._look()
        for stamp in set(self._later) - set(there):
            del self._later[stamp]
        return next((stamp for stamp in there if self._later.get(stamp, 0.0) <= time.monotonic()), None)

    async def _show(self, stamp: tuple[int, str]) -> None:
        self._later[stamp] = time.monotonic() + PAUSE
        with suppress(AsimiError):  # it was answered, or it ended, since we looked
            await self.answer(stamp[1], WATCH)

    def line(self) -> Line:
        """Return the place of the question that is shown: while they are watched, how many others wait."""
        return self._line._replace(others=max(0, sum((self._waits or {}).values()) - 1))

    def _look(self) -> list[tuple[int, str]]:
        """Return the questions that wait, the oldest first; new ones ring."""
        before = self._waits or {}
        there = {
            stamp: before[stamp] if stamp in before else self._is_waiting(stamp[1]) for stamp in stamps(self.directory)
        }
        self._waits, waiting = there, [stamp for stamp, waits in there.items() if waits]
        if not before.keys() >= set(waiting):
            self.ring()
        return waiting

    def _is_waiting(self, name: str) -> bool:
        """Whether a question can be believed, its call waits, and it is shown here."""
        try:
            entry = read(self.directory, name)
        except AsimiError:
            return False
        return entry.waiting and (self._words or not word_of(entry.question))

    def _question(self, entry: Entry) -> Question:
        """Return the question of an entry, as long as it can be shown."""
        left = entry.until - time.time()
        if left <= 0:  # the clock was set; whoever waits ends the question
            left = entry.question.patience
        patience = left if entry.waiting else min(left, self.patience)
        widening = entry.question.widening if self._words else None  # a window that opened by itself grants nothing
        return entry.question._replace(patience=patience, changeable=entry.waiting, widening=widening)

    def _end(self, entry: Entry) -> str:
        """Why the question has ended, in words; empty while it has not. New ones are seen meanwhile."""
        if self._waits is not None:
            self._look()
        if self._now(entry) == entry:
            # it lives, or nobody can tell here
            if entry.socket is None or started_at(entry.pid) or not started_at(os.getpid()):
                return ""
            self._leave(entry)
            return "the process that asked has ended"
        return LATE if entry.until <= time.time() else "it was answered elsewhere, or its call was given up"

    def _now(self, entry: Entry) -> Entry | None:
        """The question as it is now; None where it is not there any more."""
        try:
            return read(self.directory, entry.id)
        except AsimiError:
            return None

    def _leave(self, entry: Entry) -> None:
        """Leave the question of a process that has ended, where a later answer counts without it."""
        if take_away(self.directory, entry.id) and entry.session is not None and not entry.question.begun:
            write_entry(self.directory, entry._replace(socket=None, waiting=False, until=time.time() + STAYS))

    def late(self, approval: Approval) -> None:
        """Keep what a person chose after the question had ended that was shown last.

        Raises:
            AsimiError: it cannot be kept.
        """
        entry, by = self._open
        now = self._now(entry)
        if now is None or (now.socket is not None and not listens(self.directory, now)):
            self.keep(entry, late(entry.question, approval._replace(by=by)))
        elif why := self._passed_on(now, approval._replace(by=by)):
            raise AsimiError(why)

    def _passed_on(self, entry: Entry, approval: Approval) -> str:
        """Return why an answer did not arrive, or nothing."""
        if entry.socket is not None:
            return deliver(self.directory, entry, approval)
        if not take_away(self.directory, entry.id):
            return "the question was answered already, or has ended"
        if approval.yes or approval.rules:
            try:
                self.keep(entry, late(entry.question, approval))
            except AsimiError as error:
                return str(error)
        return ""


def _answer_purpose(entry: Entry) -> str:
    """What an answer to a question is for."""
    if entry.waiting:
        return f"{'a call' if entry.session is None else entry.session.label} waits for this answer"
    minutes = int(time.time() - entry.asked) // 60
    return f"refused {f'{minutes} min ago' if minutes > 0 else 'just now'}; a yes holds for {_next_time(entry)}"


def _next_time(entry: Entry) -> str:
    """The calls that a yes to a refused call holds for."""
    where = f"by process {entry.pid}" if entry.session is None else f"in the session {entry.session.label}"
    return f"exactly the same call made again {where}"
