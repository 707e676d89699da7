"""The parts of a box's gate, which lives as long as the session and judges all its calls."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from asimi.compose import may_ask
from asimi.compose.configuration import configuration_of
from asimi.compose.gate import executor_of, gate_of, report_changed
from asimi.compose.stores import approvals_of, log_of, remember_late
from asimi.compose.tasks import granted_to, own_holder
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from asimi.compose import Options
    from asimi.core.call import Approval, Request, Session
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Approver, Executor
    from asimi.core.judging.guard import Guard
    from asimi.core.settings import Settings
    from asimi.world.approvers.boxed import Screen
    from asimi.world.audit import AuditLog
    from asimi.world.config import Configuration
    from asimi.world.host.workspace import Workspace

NAME = "wrap"
"""What comes before the id of a box in the name of its session."""


class Around(NamedTuple):
    """What holds for one text that leaves a box.

    Attributes:
        opened: what the box can write, real paths.
        doubt: why no rule lets anything out of it now, in words; empty where one may.
        directory: where the text runs.
        patience: seconds after which it is ended; None for what is configured.
        most: bytes of its output that are kept whole; None for what is configured.
    """

    opened: Sequence[str]
    doubt: str
    directory: str
    patience: float | None = None
    most: int | None = None


class BoxParts(NamedTuple):
    """The parts.

    Attributes:
        configuration: what is in force.
        gate: judges as in a box; whoever uses it gives it what lets a call pass.
        unheard: judges as if nothing held the agent.
        session: of the box.
        log: what it writes down.
        asks: makes the approver, from the seconds that the agent waits, what is held meanwhile, what says whether
            whoever asked still waits, and what has become of it once it does not, in words.
        leaving: makes the gate for what leaves the box, which asimi runs itself.
        executor: runs what leaves the box.
    """

    configuration: Configuration
    gate: Gate
    unheard: Gate
    session: Session
    log: AuditLog
    asks: Callable[..., Approver]
    leaving: Callable[[Around], Gate]
    executor: Executor

    def end_reported_call(self, request: Request) -> None:
        """Look at what a call has changed, when the agent says that it has ended.

        Args:
            request: what it says that it ran, with its own id of the call where it has one.
        """
        from asimi.compose.stores import keeper_of

        if self.configuration.settings().undo.keep:
            keeper = keeper_of(self.configuration, self.session.key)
            keeper.end_reported_call(request.agent, str(request.id or ""), keeper.shown(request), inside=True)

    def count_undoable(self) -> int:
        """How many calls of the session undo can take back."""
        from asimi.compose.stores import keeper_of

        calls = keeper_of(self.configuration, self.session.key).calls.all()
        return sum(call.session == self.session.key and not call.is_empty for call in calls)

    @property
    def guard(self) -> Guard:
        """Tells what the configuration says of files now.

        Raises:
            ConfigError: the configuration is broken.
        """
        from asimi.core.judging.guard import Guard

        guard = self.configuration.settings().policy.terms.protected
        assert isinstance(guard, Guard)  # as `configuration_of` makes it
        return guard


def open_boxed(
    options: Options,
    name: str,
    environ: Callable[[], Mapping[str, str]],
    private: Sequence[str],
    screen: Callable[[], Screen | None] = lambda: None,
    added: Callable[[], Sequence[str]] = tuple,
) -> BoxParts:
    """Return the parts of the gate of a box.

    Args:
        options: what the caller chooses.
        name: the id of the box.
        environ: gives the environment in there.
        private: directories that only the box has, so that nobody outside sees what is in them.
        screen: gives the person's terminal that the program has; None if it has none, or not its keys.
        added: gives the directories besides the project that the box can write, real paths.

    Raises:
        AsimiError: the project root is not a directory, or the caller may not choose these options.
    """
    from asimi.world.approvals.sessions import agent_session

    if options.host or options.yes:
        raise AsimiError(f"{'--host' if options.host else '--yes'} means nothing to asimi wrap")
    configuration = configuration_of(options, behind=True, boxed=True, environ=environ)
    session = agent_session(NAME, name)
    approvals = approvals_of(configuration, session, granted=partial(granted_to, configuration, own_holder(), True))
    log = log_of(configuration, session.label, elsewhere=True)
    workspace = _workspace(configuration.root, private)

    def current_settings() -> Settings:
        from asimi.core.judging.policy import Policy

        now, more = configuration.settings(), added()
        return now._replace(policy=Policy(now.policy.rules, now.policy.terms._replace(opened=more))) if more else now

    gate = gate_of(
        configuration,
        approvals,
        settings=current_settings,
        audit=log,
        environ=environ,
        workspace=workspace,
        keeps=session.key,
    )

    def unheard() -> Settings:
        from asimi.core.judging.policy import Policy

        now = configuration.settings()
        return now._replace(policy=Policy(now.policy.rules, now.policy.terms._replace(boxed=False)))

    def queue() -> tuple[Approver, bool]:
        from asimi.compose.asking import approver_of, is_watched

        settings = configuration.settings()
        waits = settings.session.wait or bool(settings.team.server) or is_watched(configuration)
        return approver_of(options, configuration, approvals, session, terminal=False), waits and may_ask(options)

    def terminal() -> tuple[Approver, Screen] | None:
        from asimi.compose.asking import over_terminal

        shown = screen() if may_ask(options) else None
        return None if shown is None else (over_terminal(lambda: shown.waiting, remember), shown)

    def remember(approval: Approval, request: Request) -> None:
        remember_late(log, approvals, approval, request)

    def asks(
        patience: float,
        while_waiting: Callable[[], AbstractContextManager[None]],
        is_connected: Callable[[], bool],
        gone: str = "its call was given up",
    ) -> Approver:
        from asimi.world.approvers.boxed import BoxApprover

        return BoxApprover(terminal, queue, patience, while_waiting, is_connected, gone)

    executor = executor_of(configuration, None, log, approvals, adopt=False, session=session.key)

    def outer_gate(around: Around) -> Gate:
        from asimi.core.judging.leaving_box import outer_environment
        from asimi.world.host.inherited import inherited_environment
        from asimi.world.host.places import real_path

        outer = configuration_of(options, behind=True, boxed=True)  # for this call alone: others are judged meanwhile
        return gate_of(
            outer,
            approvals,
            settings=lambda: _outer_settings(outer.settings(), around),
            executor=executor,
            audit=log,
            environ=lambda: outer_environment(inherited_environment(), around.directory, around.opened, real_path),
        )

    report_changed(configuration)
    return BoxParts(configuration, gate, gate.with_(settings=unheard), session, log, asks, outer_gate, executor)


def _workspace(root: str, private: Sequence[str]) -> Workspace:
    """Where commands of a box may run: below the project root, and in what only the box has, which is not seen here."""
    from asimi.core.call import is_below
    from asimi.world.host.places import real_path
    from asimi.world.host.workspace import Workspace, what_is

    def own(path: str) -> bool:
        return any(is_below(path, each) for each in private) and not is_below(path, root)

    return Workspace(
        root,
        lambda path: os.path.normpath(path) if own(os.path.normpath(path)) else real_path(path),
        lambda path: "directory" if own(path) else what_is(path),
    )


def _outer_settings(now: Settings, around: Around) -> Settings:
    """The settings for what leaves the box from somewhere: no more time and output than is left there."""
    from asimi.core.judging.policy import Policy

    terms = now.policy.terms._replace(opened=around.opened, doubt=around.doubt, leaving=True, behind=False)
    limits = now.limits
    if around.patience is not None:
        limits = limits._replace(timeout=min(around.patience, limits.timeout or around.patience))
    if around.most is not None:
        limits = limits._replace(output_bytes=min(around.most, limits.output_bytes))
    return now._replace(policy=Policy(now.policy.rules, terms), limits=limits)
