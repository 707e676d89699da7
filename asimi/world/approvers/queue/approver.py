"""Asks a person elsewhere, for gates without a terminal of their own: pipes, background, another program's screen.

The question waits in a directory where `asimi watch` and `asimi approve` find it. While a watch lives, where a voice of
asimi's own opens one, or where `session.wait` says so, the call waits with it. Otherwise the call is refused at once,
and the question stays for a while: a yes to it holds for the same call made again in the same session, that is, by the
same process, or, where the session outlives the process, by any process that shares the session.

Whose question it is, and who hears the answer:

==========================  ==========================================================================
the call waits              the process that asked, over its socket
refused; a session in       the process that asked, over its socket, into its approvals
the memory of the process
refused; a session with     nobody listens; the answering side writes the ticket
a ticket
refused; no session         there is no question: nothing could come of an answer
==========================  ==========================================================================
"""

from __future__ import annotations

import atexit
import os
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from asimi.core.call import APPROVE, WATCH, Approval
from asimi.core.errors import AsimiError
from asimi.core.judging.offers import fits, once
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.core.wording.visible import visible
from asimi.core.wording.weight import word_of
from asimi.world.approvers import no_answer
from asimi.world.approvers.queue.answers import AnswerSocket
from asimi.world.approvers.queue.entries import (
    VOICE,
    Entry,
    ensure_directory,
    entries,
    has_watch,
    new_id,
    sweep,
    take_away,
    voice_lock,
    watchers,
    write_entry,
)
from asimi.world.host.nested import has_ended, processes_seen
from asimi.world.host.terminal import say

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Callable, Mapping

    from asimi.core.call import Question, Request, Session
    from asimi.core.settings import SessionSettings
    from asimi.world.approvers.voices import Voices

LEFT = 3600.0
"""Seconds that the question of a refused call can still be answered."""

TICK = 0.5
"""Seconds after which somebody who waits looks whether the watch still lives."""

GLANCE = 0.05
"""Seconds after which somebody who opens a voice looks whether another one still does."""


class _PendingQuestion(NamedTuple):
    """A question that this process asked and still listens for."""

    entry: Entry
    answer: asyncio.Future[Approval] | None


class QueueApprover:
    """Lets questions wait for a person elsewhere.

    Args:
        directory: where the questions wait.
        settings: says whether and how they wait, and who is told.
        remember: keeps the rules of an answer that comes after the call was refused.
        is_person: whether the process of a number can be a person's, and not one that asimi's commands started.
        environ: the environment of the program that is told.
        session: the one whose ticket outlives this process, or None.
        why: why nobody can be asked here, in words for the model; empty for the terminal, or the lack of one.
        voices: what shows a question where nobody watches for it, or None.
    """

    def __init__(
        self,
        directory: str,
        settings: Callable[[], SessionSettings],
        remember: Callable[[Approval, Request], None],
        is_person: Callable[[int], bool],
        environ: Mapping[str, str],
        *,
        session: Session | None = None,
        why: str = "",
        voices: Voices | None = None,
    ) -> None:
        self.voices = voices
        self.directory, self.settings, self.remember = directory, settings, remember
        self.is_person, self.environ, self.session, self.why = is_person, environ, session, why or _without_terminal()
        self._listener: AnswerSocket | None = None
        self._asked: dict[str, _PendingQuestion] = {}
        self._turn: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None
        self._told: list[int] = []

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool]:
        """Held while one question is judged and asked; its answer may answer the next one."""
        from asyncio import Lock, get_running_loop

        loop = get_running_loop()
        if self._turn is None or self._turn[0] is not loop:
            self._turn = (loop, Lock())
        waited = self._turn[1].locked()
        async with self._turn[1]:
            yield waited

    async def ask(self, question: Question) -> Approval:
        """Return the person's answer; a no where none comes or none can come."""
        began = time.monotonic()
        try:
            approval = await self._answer(question)
        except (AsimiError, OSError) as error:
            approval = _nobody(f"{self.why}, and the question cannot wait for one: {error}")
        return approval._replace(seconds=time.monotonic() - began)

    def leave(self, question: Question) -> str:
        """Leave a question that somebody else asks as well, and wait for nothing.

        Returns:
            Its name; nothing where no late yes could count, or it cannot be written.
        """
        if os.name != "posix" or self.session is None or not self._can_wait_for_the_next(question):
            return ""
        try:
            entry = self._earlier_question(question) or self._entry(question, waiting=False)
            return self._for_the_next(entry, tell=False)
        except (AsimiError, OSError):
            return ""

    def close(self) -> None:
        """Remove the questions that only this process could get an answer to."""
        for name, asked in self._asked.items():
            if asked.entry.socket is not None:
                take_away(self.directory, name)
        self._asked.clear()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        atexit.unregister(self._end)

    async def _answer(self, question: Question) -> Approval:
        if os.name != "posix":  # no sockets with a mode, no locks that end with their holder
            return _nobody(self.why)
        waits = question.patience > 0 and (self._waits(question) or self._has_voice(question))
        if not waits and not self._can_wait_for_the_next(question):
            hint = "" if self.session is not None else ", or with --session NAME,"
            return _nobody(f"{self.why}, and no `asimi watch` runs; while one does{hint} a person can be asked")
        entry = self._earlier_question(question) or self._entry(question, waiting=waits)
        return await self._wait_for_answer(entry) if waits else self._refuse_for_now(entry)

    def _entry(self, question: Question, *, waiting: bool) -> Entry:
        """Return a question, not yet written."""
        ensure_directory(self.directory)
        now = time.time()
        until = now + (question.patience if waiting else LEFT)
        return Entry(new_id(), os.getpid(), None, waiting, now, until, self.session, question, processes_seen())

    def _earlier_question(self, question: Question) -> Entry | None:
        """Return the question of the same call, if it was refused and can still be answered."""
        call, now = _call(question.request), time.time()
        for asked in self._asked.values():
            if asked.answer is None and asked.entry.until > now and _call(asked.entry.question.request) == call:
                return asked.entry._replace(question=question)
        return None if self.session is None else self._left_by_others(question)

    def _left_by_others(self, question: Question) -> Entry | None:
        """Return the same for a session that outlives its processes: the question that an earlier one left."""
        call, place = _call(question.request), question.request.place
        for entry in entries(self.directory)[0]:
            there = entry.question.request
            if entry.session == self.session and entry.socket is None and there.place == place and _call(there) == call:
                again = entry._replace(pid=os.getpid(), question=question, seen=processes_seen())
                self._asked[entry.id] = _PendingQuestion(again, None)
                return again
        return None

    async def _wait_for_answer(self, entry: Entry) -> Approval:
        """Return the answer to a question that waits."""
        from asyncio import CancelledError, get_running_loop, wait

        patience = entry.question.patience
        entry = entry._replace(socket=self._socket_name(), waiting=True, until=time.time() + patience)
        deadline = time.monotonic() + patience  # not before the question says that it ends
        answer: asyncio.Future[Approval] = get_running_loop().create_future()
        self._asked[entry.id] = _PendingQuestion(entry, answer)
        try:
            self._write(entry)
            if self._has_voice(entry.question) and not await self._open_voice(entry.question, answer, deadline):
                return self._abandon(entry)
            while not answer.done():
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return self._expire(entry)
                await wait((answer,), timeout=min(TICK, remaining))
                if not answer.done() and not self._waits(entry.question):
                    return self._abandon(entry)
            return answer.result()
        except CancelledError:  # whoever asked has gone, and may ask again
            self._expire(entry)
            raise
        finally:
            if self.voices is not None:
                await self.voices.close()
            if (asked := self._asked.get(entry.id)) is not None and asked.answer is answer:
                self._gone(entry.id)

    def _expire(self, entry: Entry) -> Approval:
        """Return the no to a question whose time is up; it stays if a later answer could count."""
        said = no_answer(entry.question.patience)
        if not self._can_wait_for_the_next(entry.question):
            return said
        return said._replace(later=self._for_the_next(entry, tell=False))

    async def _open_voice(self, question: Question, answer: asyncio.Future[Approval], deadline: float) -> bool:
        """Whether a question that waits is shown, by a voice that is opened where nobody shows it."""
        from asyncio import sleep

        assert self.voices is not None
        while not answer.done() and time.monotonic() < deadline:
            with voice_lock(self.directory) as held:
                if held:
                    return self._is_shown(question) or await self.voices.open(answer.done) or self.settings().wait
            await sleep(GLANCE)
        return True

    def _has_voice(self, question: Question) -> bool:
        """Whether a voice may show a question; what takes a typed word is answered at a terminal."""
        return self.voices is not None and bool(self.voices.there) and not word_of(question)

    def _abandon(self, entry: Entry) -> Approval:
        """Return the answer to a question whose watch has ended."""
        if not self._can_wait_for_the_next(entry.question):
            return _nobody(f"{self.why}, and the `asimi watch` that showed the question has ended")
        return self._refuse_for_now(entry)

    def _can_wait_for_the_next(self, question: Question) -> bool:
        """Whether a late yes could hold for the same call made again: in a ticket, or in this process."""
        return not question.begun and (question.session or self.session is not None)

    def _refuse_for_now(self, entry: Entry) -> Approval:
        """Return the no to a call whose question can be answered later."""
        if self.voices is not None:
            self.voices.tell(entry.id)
        return _nobody(self.why)._replace(later=self._for_the_next(entry, tell=entry.id not in self._asked))

    def _for_the_next(self, entry: Entry, *, tell: bool) -> str:
        """Let a question wait for a yes to the next call of its kind; its name."""
        socket = self._socket_name() if self.session is None else None
        entry = entry._replace(socket=socket, waiting=False, until=max(entry.until, time.time() + LEFT))
        self._asked[entry.id] = _PendingQuestion(entry, None)
        self._write(entry, tell=tell)
        return entry.id

    def _write(self, entry: Entry, *, tell: bool = True) -> None:
        try:
            write_entry(self.directory, entry)
        except AsimiError:
            self._asked.pop(entry.id, None)
            raise
        if tell:
            self._tell(entry)

    def _gone(self, name: str) -> None:
        self._asked.pop(name, None)
        take_away(self.directory, name)

    def _waits(self, question: Question) -> bool:
        """Whether a question may wait for somebody."""
        return self.settings().wait or self._is_shown(question)

    def _is_shown(self, question: Question) -> bool:
        """Whether somebody shows such questions."""
        return has_watch(self.directory) or (self._has_voice(question) and bool(watchers(self.directory, VOICE)))

    def _socket_name(self) -> str:
        """Return the socket where this process hears answers, made if it is missing."""
        if self._listener is None:
            ensure_directory(self.directory)
            sweep(self.directory)
            self._listener = AnswerSocket(self.directory, self._take, self.is_person)
            self._owner = os.getpid()
            atexit.register(self._end)
        self._listener.listen()
        return self._listener.name

    def _end(self) -> None:
        if os.getpid() == self._owner:  # a process that was forked off owns none of it
            self.close()

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _take(self, name: str, digest: str, given: Approval) -> str:
        """Take an answer; why not, or nothing."""
        asked = self._asked.get(name)
        if asked is None:
            return "the question was answered already, or has ended"
        if digest != asked.entry.digest:
            return "it answers a different question"
        if asked.answer is None and time.time() >= asked.entry.until:
            return "the question has ended, which means no"
        question = asked.entry.question
        if not fits(given, question):
            return "it would keep what the question does not offer"
        given = _at_a_terminal(given)._replace(seconds=0.0)
        if asked.answer is not None:
            if asked.answer.done():
                return "the question was answered already"
            asked.answer.set_result(given)
            self._gone(name)
            return ""
        if given.edited is not None:
            return "the call was refused already, so there is nothing to change"
        if given.yes or given.rules:
            try:
                self.remember(late(question, given), question.request)
            except AsimiError as error:
                return f"it cannot be kept: {error}"
        self._gone(name)
        return ""

    # ---- notification ------------------------------------------------------------------------------------------------

    def _tell(self, entry: Entry) -> None:
        """Start the program that tells the person; the question waits whether or not that works."""
        program = self.settings().notify
        if not program:
            return
        self._told = [pid for pid in self._told if not has_ended(pid)]
        command = visible(line_of(entry.question.request))[:4096]
        told = {**self.environ, "ASIMI_QUESTION": entry.id, "ASIMI_COMMAND": command}
        null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        try:
            self._told.append(os.posix_spawnp(program[0], program, told, file_actions=null, setsid=True))
        except (OSError, ValueError) as error:
            say(f"asimi: session.notify: {program[0]} cannot be started: {getattr(error, 'strerror', error)}")


def late(question: Question, given: Approval) -> Approval:
    """What an answer to a call that was refused already comes to: a plain yes holds for exactly that call, once."""
    given = _at_a_terminal(given)
    if given.rules:
        return given
    return given._replace(scope="session", rules=(once(question),))  # made anew: what a file says is not believed


def _at_a_terminal(given: Approval) -> Approval:
    """Return an answer under one of the two names that come from another terminal, whatever it says of itself."""
    return given._replace(by=WATCH if given.by == WATCH else APPROVE)


def _call(request: Request) -> str:
    """Return what makes a call the same call: tool, directory, text."""
    return repr((request.tool, request.place.host, request.place.path, request.command, request.arguments))


def _without_terminal() -> str:
    """Return why the person at the terminal cannot be asked."""
    if any(map(os.isatty, (0, 1, 2))):
        return "asimi is not in the foreground of its terminal"
    return "there is no terminal to ask on"


def _nobody(note: str) -> Approval:
    return Approval(yes=False, by="nobody", note=note)
