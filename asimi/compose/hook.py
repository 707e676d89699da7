"""A gate for a command that an agent runs itself, after its hook said yes."""

from __future__ import annotations

from functools import cache, partial
from math import inf
from typing import TYPE_CHECKING

from asimi.compose import Options, may_ask, places
from asimi.compose.configuration import configuration_of
from asimi.compose.gate import gate_of, report_changed
from asimi.compose.stores import approvals_of, log_of
from asimi.compose.tasks import granted_to
from asimi.core.call import PROBES
from asimi.core.errors import AsimiError
from asimi.world.approvals.sessions import agent_session
from asimi.world.approvals.tasks import holder_of
from asimi.world.approvals.tickets import root_of_session
from asimi.world.host.agents import note_agent

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.call import Approval, Question, Request
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Approver, Executor
    from asimi.world.approvers.voices import Voices
    from asimi.world.audit import AuditLog


def open_hook(
    options: Options,
    agent: str,
    session: str,
    *,
    executor: Executor,
    prompt: Callable[[Question], Approval | None],
    patience: float,
    unsure: bool = False,
) -> Gate:
    """Return a gate for a command that an agent runs itself, after its hook said yes.

    Args:
        options: what the caller chooses.
        agent: the agent's name.
        session: the agent's own id of its session; empty where it has none, and nothing is kept then.
        executor: lets the command pass.
        prompt: leaves a question to the agent's own prompt; None where the agent would not ask.
        patience: seconds that the agent waits for an answer.
        unsure: whether the agent may have nobody to ask. Then asimi asks first where somebody watches or it has a
            voice, and a question that is left to the agent waits in the queue too.

    Raises:
        AsimiError: as `open_gate`.
    """
    from asimi.world.approvers import AgentApprover

    if options.host:
        raise AsimiError("--host means nothing to a hook: the agent runs the command itself, on this machine")
    configuration = configuration_of(options, behind=True)
    process = note_agent(configuration.places.runtime)
    whole = agent_session(agent, session)
    ticket = whole if session else None
    holder = None if process is None or session == PROBES else holder_of(process.pid, process.started)
    granted = partial(granted_to, configuration, holder)
    approvals = approvals_of(configuration, ticket, counted=whole, granted=granted)
    report_changed(configuration)

    @cache
    def voices() -> Voices | None:
        if configuration.settings().session.questions == "agent":
            return None
        from asimi.compose.voice import voices_of

        return voices_of(configuration, process, agent)

    def has_voice() -> bool:
        return (found := voices()) is not None and bool(found.there)

    def elsewhere() -> tuple[Approver, bool]:
        from asimi.compose.asking import approver_of, is_watched

        if not may_ask(options):
            return approver_of(options, configuration, approvals, ticket, terminal=False), False
        watched = is_watched(configuration)
        shown = None if watched else voices()
        waits = watched or has_voice() or configuration.settings().session.wait
        approver = approver_of(options, configuration, approvals, ticket, terminal=False, voices=shown)
        return approver, waits or bool(configuration.settings().team.server)

    def beside(question: Question) -> str:
        leave = getattr(elsewhere()[0], "leave", None)
        return "" if leave is None else str(leave(question))

    def first() -> bool:
        from asimi.compose.asking import is_watched

        settings = configuration.settings().session
        wanted = may_ask(options) and (unsure or settings.questions == "asimi")
        return wanted and (is_watched(configuration) or has_voice() or (unsure and settings.wait))

    return gate_of(
        configuration,
        approvals,
        approver=AgentApprover(prompt, elsewhere, patience, beside, unsure=unsure, first=first),
        executor=executor,
        audit=log_of(configuration, "" if ticket is None else ticket.label, elsewhere=True),
        keeps="" if ticket is None else ticket.key,
    )


def wants_resident() -> bool:
    """Whether the person's configuration lets a resident gate answer hooks; one that is broken has none."""
    try:
        return configuration_of(Options(), behind=True).settings().resident
    except AsimiError:
        return False


def hook_root(agent: str, session: str, root: str) -> str:
    """Return the project root that counts for a call of an agent, wherever it is by now: that of its session's first.

    Args:
        agent: the agent's name.
        session: the agent's own id of its session; empty where it has none.
        root: the project root, as the agent says it now.

    Raises:
        AsimiError: it cannot be kept.
    """
    if session in {"", PROBES}:  # a doctor's is not one session
        return root
    return root_of_session(places().runtime, agent_session(agent, session), root)


def hook_ended(
    options: Options, session: str, request: Request, *, ran: bool, seconds: float | None, background: bool
) -> None:
    """Look at what a call of an agent has changed, as it tells that it has ended.

    Args:
        options: what the caller chooses.
        session: the agent's own id of its session; empty where it has none.
        request: what it says that it ran, with its own id of the call where it has one.
        ran: whether it ran at all.
        seconds: how long, as the agent says it; None where it does not.
        background: whether the agent has left the command running.
    """
    from asimi.compose.stores import keeper_of

    configuration = configuration_of(options)
    if configuration.settings().undo.keep:
        keeper = keeper_of(configuration, agent_session(request.agent, session).key if session else "")
        process = note_agent(configuration.places.runtime) if background else None
        below = 0 if process is None else process.pid
        took = inf if seconds is None else seconds
        keeper.end_reported_call(
            request.agent, str(request.id or ""), keeper.shown(request), ran=ran, seconds=took, below=below
        )


def hook_log(options: Options, agent: str, session: str) -> AuditLog:
    """Return the log that a hook of an agent writes.

    Args:
        options: what the caller chooses.
        agent: the agent's name.
        session: the agent's own id of its session; empty where it has none.

    Raises:
        AsimiError: as `open_gate`.
    """
    return log_of(configuration_of(options), agent_session(agent, session).label if session else "")
