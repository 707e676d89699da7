"""Chooses who is asked: the person at this terminal, one at another, whoever was told to say yes, or nobody."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.compose import configuration_of, log_of, places, session_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.compose import Options
    from asimi.core.call import Approval, Question, Request, Session
    from asimi.core.interfaces import Approver
    from asimi.core.wording.dialog import Dialog, Drawing, Look
    from asimi.world.approvals import MemoryApprovals, TicketApprovals
    from asimi.world.approvers.queue.desk import Desk
    from asimi.world.approvers.queue.entries import Entry
    from asimi.world.approvers.terminal.approver import TerminalApprover
    from asimi.world.config import Configuration

MILD = frozenset({"", "0", "no", "false", "off"})
"""Values of a yes-or-no variable that mean no."""

QUESTIONS = "questions"
"""The directory, below the runtime one, where questions wait for `asimi approve`."""


def asks(options: Options) -> bool:
    """Whether anybody is asked: nobody was told to say yes, nor to ask nobody."""
    silent = options.non_interactive or os.environ.get("ASIMI_NON_INTERACTIVE", "").lower() not in MILD
    return not options.yes and not silent


def approver_of(
    options: Options,
    configuration: Configuration,
    approvals: MemoryApprovals | TicketApprovals,
    session: Session | None,
    *,
    terminal: bool,
) -> Approver:
    """Whoever is asked: the person at this terminal, and where there is none, one elsewhere."""
    if options.yes:
        from asimi.world.approvers.flag import FlagApprover

        return FlagApprover()
    from asimi.world.approvers.refuse import RefuseApprover

    if not asks(options):
        return RefuseApprover("asimi was told to ask nobody")
    from asimi.world.approvers.queue.approver import QueueApprover
    from asimi.world.host.nested import is_person

    def remember(approval: Approval, request: Request) -> None:
        approvals.remember(approval, request)
        log = log_of(configuration, session_name(options) or "")
        for rule in approval.rules:
            log.change("late yes", decision="allow", entry=rule.entry, scope=approval.scope, by=approval.by)

    queue = QueueApprover(
        os.path.join(configuration.places.runtime, QUESTIONS),
        lambda: configuration.settings().session,
        remember,
        is_person,
        os.environ,
        session=session,
    )
    return _terminal(queue) if terminal else queue


def _terminal(fallback: Approver) -> TerminalApprover:
    """Asks the person at this terminal."""
    from asimi.core.judging.offers import check_entry
    from asimi.world.approvers.terminal.approver import TerminalApprover
    from asimi.world.host.nested import is_person

    return TerminalApprover(
        _Face(),
        fallback,
        lambda entry, question: check_entry(entry, question.request),
        os.environ,
        leader_is_person=is_person,
    )


def open_desk(options: Options, *, say: Callable[[str], None], ending: Callable[[], bool]) -> Desk:
    """Where the person at this terminal answers the questions of gates elsewhere.

    Args:
        options: what the caller chooses.
        say: tells the person a line.
        ending: whether asimi was told to end.

    Raises:
        AsimiError: the configuration is broken, or the caller may not choose these options.
    """
    from asimi.world.approvals import TicketApprovals
    from asimi.world.approvers.queue.desk import Desk
    from asimi.world.approvers.refuse import RefuseApprover
    from asimi.world.config import Configuration

    configuration = configuration_of(options)
    settings = configuration.settings().session

    def keep(entry: Entry, approval: Approval) -> None:
        """Keep an answer in the ticket of the session, and in the project, that the question came from."""
        assert entry.session is not None  # others listen themselves
        root = entry.question.request.place.root
        remember = Configuration(places(), root, options.config).remember
        tickets = TicketApprovals(configuration.places.runtime, entry.session, root, remember, max_age=settings.max_age)
        tickets.remember(approval, entry.question.request)

    directory = os.path.join(configuration.places.runtime, QUESTIONS)
    approver = _terminal(RefuseApprover("asimi is not in the foreground of a terminal"))
    return Desk(directory, approver, keep, patience=settings.ask_timeout, say=say, ending=ending)


def at_a_terminal() -> bool:
    """Whether a person can be asked right here."""
    from asimi.world.approvers.terminal.device import own_terminal
    from asimi.world.host.nested import is_person

    return own_terminal(is_person) is not None


class _Face:
    """How the dialog looks; what draws it is imported when there is something to draw."""

    def render(self, dialog: Dialog, look: Look) -> Drawing:
        """The dialog as lines."""
        from asimi.world import console

        return console.render(dialog, look)

    def prompt(self, dialog: Dialog, look: Look) -> str:
        """Its last line, with the time that is left."""
        from asimi.world import console

        return console.prompt(dialog, look)

    def farewell(self, question: Question, approval: Approval, look: Look) -> str:
        """What stays on the terminal."""
        from asimi.world import console

        return console.farewell(question, approval, look)
