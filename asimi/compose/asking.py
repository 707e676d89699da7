"""Who is asked: the person at this terminal, one elsewhere, a team; and where these answer."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING

from asimi.compose import QUESTIONS, may_ask, places, session_name
from asimi.compose.configuration import configuration_of, shared_copy
from asimi.compose.stores import log_of, remember_late, rule_writer_of
from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from typing import Any

    from asimi.compose import Options
    from asimi.core.call import Approval, Offer, Question, Request, Session
    from asimi.core.interfaces import Approver
    from asimi.core.wording.dialog import Choice, Line, Menu
    from asimi.world.approvals import MemoryApprovals
    from asimi.world.approvals.tickets import TicketApprovals
    from asimi.world.approvers.queue.approver import QueueApprover
    from asimi.world.approvers.queue.desk import Desk
    from asimi.world.approvers.queue.entries import Entry
    from asimi.world.approvers.terminal.approver import TerminalApprover
    from asimi.world.approvers.voices import Voices
    from asimi.world.config import Configuration

NO_DIALOG = "asimi has no dialog on Windows"
"""Why nobody is asked there: terminals, locks and sockets are those of Unix."""

OVER = 0.5
"""Seconds without a key before those typed over a program count: a person may still be typing to the program."""

OPENED = 1.0
"""The same in a window that opened by itself, after it is shown whole and after the last key before."""


class LazyApprover:
    """Whoever is asked, found when somebody is: most calls need nobody, and no time to load who would draw a dialog.

    Args:
        find: finds them, once.
    """

    def __init__(self, find: Callable[[], Approver]) -> None:
        self._find = cache(find)

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """Theirs."""
        return self._find().turn()

    async def ask(self, question: Question) -> Approval:
        """Return their answer."""
        return await self._find().ask(question)


def approver_of(
    options: Options,
    configuration: Configuration,
    approvals: MemoryApprovals | TicketApprovals,
    session: Session | None,
    *,
    terminal: bool,
    voices: Voices | None = None,
) -> Approver:
    """Return whoever is asked: the person at this terminal, and where there is none, one elsewhere."""
    if options.yes:
        from asimi.world.approvers import FlagApprover

        return FlagApprover()
    if not may_ask(options) or sys.platform == "win32":
        from asimi.world.approvers import RefuseApprover

        return RefuseApprover(NO_DIALOG if may_ask(options) else "asimi was told to ask nobody")
    from asimi.world.approvers.queue.approver import QueueApprover

    def remember(approval: Approval, request: Request) -> None:
        remember_late(log_of(configuration, session_name(options) or ""), approvals, approval, request)

    queue = QueueApprover(
        questions_of(configuration),
        lambda: configuration.settings().session,
        remember,
        is_person,
        os.environ,
        session=session,
        voices=voices,
    )
    near = _approver_without_terminal(configuration, queue)
    return _terminal(near, keep=remember) if terminal else near


def _approver_without_terminal(configuration: Configuration, queue: QueueApprover) -> Approver:
    """Return whoever is asked without a terminal: where this machine is one of a team, the team."""
    try:
        server = configuration.settings().team.server
    except AsimiError:
        return queue  # every call is refused until the file is fixed
    if not server:
        return queue
    from asimi.core.extras import load
    from asimi.world.host.places import user_name

    runtime, near = configuration.places.runtime, partial(is_watched, configuration)
    of: Callable[..., Approver] = load("team", "approver").TeamApprover
    return of(runtime, lambda: configuration.settings().team, user_name(), queue, near)


def open_desk(
    options: Options, *, say: Callable[[str], None], ending: Callable[[], bool], quiet: float | None = None
) -> Desk:
    """Return where the person at this terminal answers the questions of gates elsewhere.

    Args:
        options: what the caller chooses.
        say: tells the person a line.
        ending: whether asimi was told to end.
        quiet: as `TerminalApprover` takes it.

    Raises:
        AsimiError: the configuration is broken, or the caller may not choose these options.
    """
    from asimi.core.call import Session
    from asimi.core.settings import RemoteMachine
    from asimi.world.approvals.tickets import TicketApprovals
    from asimi.world.approvers.queue.desk import Desk
    from asimi.world.config import Configuration

    configuration = configuration_of(options)
    settings = configuration.settings().session

    def keep(entry: Entry, approval: Approval) -> None:
        """Keep an answer in the ticket of the session, and in the project, that the question came from.

        Raises:
            AsimiError: it cannot be kept.
        """
        if entry.session is None and approval.scope == "session":
            raise AsimiError("The session ended with the process that asked")
        session = entry.session or Session(f"process-{entry.pid}", f"process {entry.pid}", named=False)
        place = entry.question.request.place
        there = RemoteMachine(place.host, place.root) if place.host else None
        root = configuration.root if place.host else place.root
        asking = Configuration(places(), root, options.config, there=there, shared=shared_copy)
        runtime = configuration.places.runtime
        tickets = TicketApprovals(runtime, session, asking.key, rule_writer_of(asking), max_age=settings.max_age)
        remember_late(log_of(configuration, session.label), tickets, approval, entry.question.request)

    desk = Desk(
        questions_of(configuration),
        desk_terminal(lambda: desk.line(), lambda approval, _: desk.late(approval), quiet),  # noqa: PLW0108 - no desk yet
        keep,
        patience=settings.ask_timeout,
        say=say,
        ending=ending,
        ring=bell_of(configuration),
    )
    return desk


def bell_of(configuration: Configuration) -> Callable[[], None]:
    """Return what rings, unless the person has configured that away meanwhile."""
    from asimi.world.approvers.terminal.device import ring

    def rings() -> None:
        try:
            wanted = configuration.settings().session.bell
        except AsimiError:
            wanted = True  # what is wrong with the configuration is told where it matters
        if wanted:
            ring()

    return rings


def at_a_terminal() -> bool:
    """True if a person can be asked right here."""
    return _own_terminal() is not None


def _own_terminal() -> str | None:
    """Return the terminal at which a person can be asked; None where there is none."""
    if sys.platform == "win32":
        return None
    from asimi.world.approvers.terminal.device import own_terminal

    return own_terminal(is_person)


def is_person(process: int) -> bool:
    """Whether a process can be a person's: it descends from no command that asimi runs and from no hooked agent.

    Args:
        process: its number.
    """
    from asimi.world.host import nested
    from asimi.world.host.agents import agents_in

    return nested.is_person(process, agents_in(places().runtime))


def choose(
    menu: Menu, patience: float | None = None, quiet: float | None = None, *, ends: bool = True
) -> Choice | None:
    """Let the person at this terminal choose; None where there is nobody to choose.

    Args:
        menu: what there is.
        patience: seconds that they have; None for ever.
        quiet: as `TerminalApprover` takes it.
        ends: whether Ctrl-C ends asimi, too.

    Raises:
        TimeoutError: it takes longer.
    """
    name = _own_terminal()
    if name is None:
        return None
    from asyncio import run, wait_for

    from asimi.world.approvers.terminal.menu import ask_menu
    from asimi.world.console.frame import menu_lines

    return run(wait_for(ask_menu(menu, name, os.environ, menu_lines, quiet, ends=ends), patience))


def choose_over(menu: Menu, patience: float) -> Choice | None:
    """Let the person choose over a program that has this terminal; None where nobody does within some seconds."""
    try:
        return choose(menu, patience, OVER, ends=False)
    except TimeoutError:
        return None


def questions_of(configuration: Configuration) -> str:
    """Return the directory where questions wait for `asimi approve`."""
    return os.path.join(configuration.places.runtime, QUESTIONS)


def is_watched(configuration: Configuration) -> bool:
    """Return whether an `asimi watch` of this user runs."""
    from asimi.world.approvers.queue.entries import has_watch

    return has_watch(questions_of(configuration))


def tell_watches(configuration: Configuration, text: str) -> None:
    """Tell whoever has an `asimi watch` open; what cannot be written there is not told there.

    Args:
        configuration: what is in force.
        text: a line.
    """
    from asimi.world.approvers.queue.entries import note

    with suppress(AsimiError, OSError):
        note(questions_of(configuration), text)


def desk_terminal(
    line: Callable[[], Line], keep: Callable[[Approval, Request], None] | None = None, quiet: float | None = None
) -> TerminalApprover:
    """Return what asks the person at this terminal and nobody else; they see which other questions wait.

    Args:
        line: as `TerminalApprover` takes it; so are the others.
        keep: keeps what a person chose after the end of a question.
        quiet: how long nobody types before keys are heard, in seconds.
    """
    return _terminal(_nobody_here(), line, keep=keep, quiet=quiet)


def over_terminal(others: Callable[[], int], remember: Callable[[Approval, Request], None]) -> TerminalApprover:
    """Return what asks over a program that has this terminal; Ctrl-C is a no there and ends nothing."""
    from asimi.core.wording.dialog import Line

    return _terminal(_nobody_here(), lambda: Line(others()), keep=remember, quiet=OVER, interrupt=lambda: None)


def _nobody_here() -> Approver:
    from asimi.world.approvers import RefuseApprover

    return RefuseApprover("asimi is not in the foreground of a terminal")


def _terminal(fallback: Approver, line: Callable[[], Line] | None = None, **more: Any) -> TerminalApprover:
    """Return what asks the person at this terminal, and where there is none, somebody else."""
    from asimi.core.call import Verdict
    from asimi.world.approvers.terminal.approver import TerminalApprover

    def face() -> Any:
        from asimi.world import console  # rich, only when there is something to draw

        return console

    def check(entry: str, question: Question, verdict: Verdict) -> Offer | str:
        from asimi.core.judging.denials import check_denial
        from asimi.core.judging.offers import check_entry

        return (check_denial if verdict is Verdict.DENY else check_entry)(entry, question.request)

    return TerminalApprover(face, fallback, check, os.environ, is_person=is_person, line=line, **more)
