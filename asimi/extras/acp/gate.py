"""A gate for a session of an agent that speaks to an editor through asimi."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from asimi.compose import may_ask
from asimi.compose.asking import approver_of, is_watched
from asimi.compose.configuration import configuration_of
from asimi.compose.gate import gate_of, report_changed
from asimi.compose.stores import approvals_of, log_of
from asimi.world.approvals.sessions import agent_session

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.compose import Options
    from asimi.core.gate import Gate
    from asimi.world.audit import AuditLog


def open_between(options: Options, agent: str, session: str, root: str) -> tuple[Gate, Callable[[], bool], AuditLog]:
    """Return a gate for what an agent or its editor runs after asimi said yes; it still needs an executor.

    Args:
        options: what the caller chooses.
        agent: the agent's name.
        session: the protocol's id of the session.
        root: the directory of the session, which is the project root unless the person chose another.

    Returns:
        The gate, whose approver asks elsewhere than in the editor; whether that is to be asked first, now; and the log.

    Raises:
        AsimiError: as `open_gate`.
    """
    chosen = options.root or os.environ.get("ASIMI_ROOT")
    configuration = configuration_of(options, behind=True, root=None if chosen else root)
    ticket = agent_session(agent, session)
    approvals = approvals_of(configuration, ticket)
    report_changed(configuration)

    def first() -> bool:
        wanted = configuration.settings().session.questions == "asimi" and may_ask(options)
        return wanted and sys.platform != "win32" and is_watched(configuration)

    log = log_of(configuration, ticket.label, elsewhere=True)
    gate = gate_of(
        configuration,
        approvals,
        approver=approver_of(options, configuration, approvals, ticket, terminal=False),
        audit=log,
        keeps=ticket.key,
    )
    return gate, first, log
