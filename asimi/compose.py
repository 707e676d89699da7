"""Chooses the parts of a gate; who is asked, `asking` chooses. No other module knows them all.

Each part is imported where it is chosen, so that a verdict alone costs neither an event loop nor a terminal.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn

from asimi.core.errors import AsimiError, ConfigError
from asimi.core.lean import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.call import Session, Shell
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Approver
    from asimi.core.settings import Settings
    from asimi.world.approvals import MemoryApprovals, TicketApprovals
    from asimi.world.audit import AuditLog
    from asimi.world.config import Configuration
    from asimi.world.host.places import Places


class Options(NamedTuple):
    """What a caller chooses for one run of asimi; the environment stands in for what is None.

    Attributes:
        config: a configuration file in place of the user's own.
        root: the project root.
        session: the name of a session that several processes share.
        yes: whether questions are answered with yes.
        non_interactive: whether nobody is asked.
    """

    config: str | None = None
    root: str | None = None
    session: str | None = None
    yes: bool = False
    non_interactive: bool = False


def places() -> Places:
    """Where asimi's files are."""
    from asimi.world.host.places import places_of

    return places_of(os.environ)


def root_of(options: Options) -> str:
    """The real path of the project root: what was chosen, `ASIMI_ROOT`, or the directory asimi was started in.

    Raises:
        AsimiError: the directory asimi was started in is gone.
    """
    try:
        return os.path.realpath(options.root or os.environ.get("ASIMI_ROOT") or os.getcwd())
    except FileNotFoundError:
        raise AsimiError("The directory asimi was started in is gone; name a project root with --root") from None


def configuration_of(options: Options) -> Configuration:
    """The configuration in force.

    Raises:
        AsimiError: asimi was started by a command that it runs itself, which may not choose these options.
    """
    _check_caller(options)
    from asimi.core.judging.protection import Protection
    from asimi.world.config import Configuration, beside

    here = places()
    own = [here.config, here.state, here.runtime, os.path.dirname(here.managed)]
    if options.config:
        own += [os.path.abspath(options.config), os.path.abspath(beside(options.config))]
    free = [os.path.join(here.state, name) for name in ("output", "logs")]
    named = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
    variables = {name: os.environ[name] for name in named if os.environ.get(name)}
    protection = Protection(own, here.home, os.path.realpath, free, variables)
    return Configuration(here, root_of(options), options.config, protected=lambda *what: tuple(protection(*what)))


def shell_of(root: str) -> Shell:
    """What reads shell text for a project."""
    from asimi.world.host.bash import find_shell

    return find_shell(os.environ, root)


def log_of(configuration: Configuration, session: str = "") -> AuditLog:
    """The log that this configuration wants.

    Args:
        configuration: what is in force.
        session: the session that its lines name.
    """
    from asimi.core.errors import AsimiError
    from asimi.core.settings import State
    from asimi.world.audit import AuditLog

    def settings() -> Settings | None:
        try:
            return configuration.settings()
        except AsimiError:
            return None  # that it is broken is told where it matters, and the log goes on at its strictest

    return AuditLog(
        configuration.places.state,
        os.environ,
        required=lambda: (known := settings()) is None or known.audit.required,
        state=lambda: State() if (known := settings()) is None else known.state,
        session=session,
    )


def open_gate(
    options: Options | None = None,
    *,
    timeout: float | None = None,
    shared: bool = False,
    adopt: bool = True,
    terminal: bool = True,
) -> Gate:
    """A gate of the real parts.

    Args:
        options: what the caller chooses.
        timeout: in place of the configured limit, in seconds.
        shared: whether this process is a session of its own: a stream of calls, a library's host.
        adopt: whether this process becomes the parent of what commands leave behind; for programs of ours only.
        terminal: whether its terminal may be drawn on; what another program started as its server may not.

    Raises:
        AsimiError: the project root is no directory, or the caller may not choose these options.
    """
    from asimi.asking import approver_of
    from asimi.world.executors.local import LocalExecutor

    options = options or Options()
    configuration = configuration_of(options)
    state = configuration.places.state
    if adopt:
        _tell_unfinished(state)
    approvals, session = _approvals(options, configuration, shared=shared)

    audit = log_of(configuration, session_name(options) or "")

    def settings() -> Settings:
        now = configuration.settings()
        return now if timeout is None else now._replace(limits=now.limits._replace(timeout=timeout))

    return _gate(
        options,
        settings=settings,
        approvals=approvals,
        approver=approver_of(options, configuration, approvals, session, terminal=terminal),
        executor=LocalExecutor(state, adopt=adopt, keep=lambda: configuration.settings().state, shown=audit.shown),
        audit=audit,
    )


def _tell_unfinished(state: str) -> None:
    """Say which calls an asimi that was killed left unfinished, once."""
    try:
        names = os.listdir(os.path.join(state, "calls"))
    except OSError:
        return
    if not names:
        return
    from asimi.core.errors import AsimiError
    from asimi.core.wording.lines import line_of
    from asimi.world.executors.jobs import Jobs
    from asimi.world.host.streams import printable, say

    try:
        unfinished = Jobs(state).news()
    except AsimiError:
        return  # `asimi jobs` says what is wrong with the records
    for job in unfinished:
        left = f"{len(job.pids)} of its processes still run" if job.pids else "nothing of it runs any more"
        command = printable(line_of(job))
        say(f"asimi: a call was not finished, for its asimi was killed: {command} ({left}; asimi jobs list)")


def open_judge(options: Options | None = None) -> Gate:
    """A gate that only judges: it asks nobody, runs nothing and writes nothing down.

    Raises:
        AsimiError: as `open_gate`.
    """
    options = options or Options()
    configuration = configuration_of(options)
    return _gate(
        options,
        settings=configuration.settings,
        approvals=_approvals(options, configuration, shared=False)[0],
        approver=_Absent(),
        executor=_Absent(),
        audit=_Absent(),
    )


def open_hook(options: Options, agent: str, session: str) -> tuple[Gate, Callable[[], tuple[Approver, bool]]]:
    """A gate for a command that an agent runs itself, after its hook said yes.

    Args:
        options: what the caller chooses.
        agent: the agent's name.
        session: the agent's own id of its session; empty where it has none, and nothing is kept then.

    Returns:
        A gate that runs nothing and asks nobody, for the hook is put in their place; and what gives whoever can be
        asked elsewhere, and whether the question would be waited for there.

    Raises:
        AsimiError: as `open_gate`.
    """
    from asimi.world.approvals import MemoryApprovals, TicketApprovals, agent_session

    configuration = configuration_of(options)
    runtime = configuration.places.runtime
    ticket = agent_session(agent, session) if session else None
    approvals: MemoryApprovals | TicketApprovals
    if ticket is None:
        approvals = MemoryApprovals(configuration.remember, session=False)
    else:
        max_age = configuration.settings().session.max_age
        approvals = TicketApprovals(runtime, ticket, configuration.root, configuration.remember, max_age=max_age)

    def elsewhere() -> tuple[Approver, bool]:
        from asimi.asking import QUESTIONS, approver_of, asks
        from asimi.world.approvers.queue.entries import watched

        approver = approver_of(options, configuration, approvals, ticket, terminal=False)
        watching = configuration.settings().session.wait or watched(os.path.join(runtime, QUESTIONS))
        return approver, watching and asks(options)

    gate = _gate(
        options,
        settings=configuration.settings,
        approvals=approvals,
        approver=_Absent(),
        executor=_Absent(),
        audit=log_of(configuration, "" if ticket is None else ticket.label),
    )
    return gate, elsewhere


_default: list[Gate] = []


def default_gate() -> Gate:
    """The gate that the person's own configuration describes, for whoever calls the tools of this process."""
    if not _default:
        _default.append(open_gate(shared=True, adopt=False))
    return _default[0]


def _gate(options: Options, **parts: Any) -> Gate:
    """A gate with the parts that each has."""
    from asimi.core.gate import Gate
    from asimi.world.host.workspace import Workspace

    workspace = Workspace(root_of(options))
    shell = shell_of(workspace.root)
    if shell.kind == "plain" and not isinstance(parts["executor"], _Absent):
        from asimi.world.host.streams import say

        say(
            f"asimi: {shell.path} is bash {shell.version or 'of an unknown version'}, and older than 4.4 or not told "
            "to read UTF-8 (LC_ALL, LC_CTYPE, LANG): what is more than plain commands is asked about"
        )
    return Gate(workspace=workspace, environ=dict(os.environ), shell=shell, new_id=_new_id, **parts)


def session_name(options: Options) -> str | None:
    """The name of the session that several processes share, if one was chosen."""
    return options.session or os.environ.get("ASIMI_SESSION") or None


def _approvals(
    options: Options, configuration: Configuration, *, shared: bool
) -> tuple[MemoryApprovals | TicketApprovals, Session | None]:
    """What was said yes to before, and the session it is kept for: one with a name, this process, or this terminal's.

    Raises:
        AsimiError: the name of the session cannot be one.
    """
    from asimi.world.approvals import MemoryApprovals, TicketApprovals, session_of

    try:
        max_age = configuration.settings().session.max_age
    except ConfigError:  # every call is refused until the file is mended; then this limit is a strict one
        max_age = 60.0
    name = session_name(options)
    session = None if shared and name is None else session_of(name)
    if session is None:
        return MemoryApprovals(configuration.remember, session=shared, max_age=max_age), None
    runtime = configuration.places.runtime
    tickets = TicketApprovals(runtime, session, configuration.root, configuration.remember, max_age=max_age)
    return tickets, session


class _Absent:
    """Stands where an effect would be in a gate that has none."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(f"a gate that only judges has no {name}")


def _new_id() -> str:
    """An id that no other call on this machine has, and that sorts by time."""
    import time

    return f"{int(time.time() * 1000):x}-{os.urandom(4).hex()}"


def _check_caller(options: Options) -> None:
    """Make sure that what a caller chooses is chosen by a person, not by a command that asimi runs.

    Raises:
        AsimiError: it is not.
    """
    chosen = [f"--{name}" for name in ("config", "root", "session", "yes") if getattr(options, name)]
    if not chosen:
        return
    from asimi.world.host.nested import below_a_call

    if below_a_call(os.environ):
        raise AsimiError(f"{' and '.join(chosen)} cannot be given from inside a command that asimi runs")
