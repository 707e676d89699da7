"""A gate of the real parts, one that only judges, and one that shows whether any call can run."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from asimi.compose import Options, host_name, session_name
from asimi.compose.configuration import configuration_of, remote_of
from asimi.compose.stores import approvals_of, log_of, session_chosen
from asimi.core.call import PROBES
from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from asimi.core.call import Execution, Shell
    from asimi.core.gate import Gate
    from asimi.core.hosting import Approver as Asker
    from asimi.core.hosting import HostSide
    from asimi.core.interfaces import Approvals, Approver, Audit, Executor, Tool, Workspace
    from asimi.core.settings import Settings
    from asimi.world.audit import AuditLog
    from asimi.world.config import Configuration
    from asimi.world.executors.confining.outlet import Outlet

PROPOSALS = "proposals"
"""The directory, below the state's, of what host programs propose."""


def open_gate(
    options: Options | None = None,
    *,
    timeout: float | None = None,
    shared: bool = False,
    adopt: bool = True,
    terminal: bool = True,
    tools: Callable[[str], Tool | None] | None = None,
    host: Asker | None = None,
    typed: bool = False,
) -> Gate:
    """Return a gate of the real parts.

    Args:
        options: what the caller chooses.
        timeout: in place of the configured limit, in seconds.
        shared: whether this process is a session of its own: a stream of calls, a library's host.
        adopt: whether this process becomes the parent of what commands leave behind; for programs of ours only.
        terminal: whether its terminal may be drawn on; what another program started as its server may not.
        tools: the tool of a name; a gate that knows them takes proposals.
        host: a program that asks a person in its own way.
        typed: whether a person types the calls, of which none is refused too often.

    Raises:
        AsimiError: the project root is not a directory, or the caller may not choose these options.
    """
    from asimi.compose.asking import LazyApprover, approver_of
    from asimi.world.host.nested import inside_call

    options = options or Options()
    configuration, remote = _configuration_and_host(options)
    state = configuration.places.state
    if adopt:
        _report_unfinished(state)
    name = session_name(options)
    session = None if shared and name is None else session_chosen(options)
    approvals = approvals_of(configuration, session, in_memory=shared)
    audit = log_of(configuration, name or "")

    def settings() -> Settings:
        now = configuration.settings()
        if remote is not None:
            remote.check(configuration.host(remote.name))
        if typed:
            now = now._replace(session=now.session._replace(breaker=None))
        return now if timeout is None else now._replace(limits=now.limits._replace(timeout=timeout))

    def lazy_approver(options: Options) -> Approver:
        return LazyApprover(partial(approver_of, options, configuration, approvals, session, terminal=terminal))

    approver = about_names = lazy_approver(options)
    if options.yes:  # which is about commands that were read, and no name was
        about_names = lazy_approver(options._replace(yes=False))
    executor = executor_of(
        configuration,
        remote,
        audit,
        approvals,
        about_names,
        adopt=adopt,
        session="" if session is None else session.key,
    )
    if host is not None and not inside_call(os.environ):  # below a call the agent itself may be the host
        from asimi.world.approvers import HostApprover

        approver = HostApprover(host, approver)
    hosting = None
    if tools is not None:
        from asimi.core.hosting import HostSide
        from asimi.world.proposals import Proposals

        hosting = HostSide(tools, Proposals(os.path.join(state, PROPOSALS), os.environ))
    gate = gate_of(
        configuration,
        approvals,
        remote=remote,
        settings=settings,
        approver=approver,
        executor=executor,
        audit=audit,
        hosting=hosting,
        keeps="" if session is None else session.key,
    )
    _report_old_bash(gate.shell, "" if remote is None else remote.name)
    report_changed(configuration)
    return gate


def open_judge(options: Options | None = None, *, boxed: bool = False, behind: bool = False) -> Gate:
    """Return a gate that only judges: it asks nobody, runs nothing and writes nothing down.

    Args:
        options: what the caller chooses.
        boxed: whether it judges as the gate of a box does, behind the agent's hook.
        behind: whether it judges as behind an agent's hook without a box.

    Raises:
        AsimiError: as `open_gate`.
    """
    options = options or Options()
    if behind and host_name(options):
        raise AsimiError("--hook and --host do not go together: an agent's hook is on this machine")
    if boxed and host_name(options):
        raise AsimiError("--in-box and --host do not go together: a box is around an agent on this machine")
    configuration, remote = (
        (configuration_of(options, behind=True, boxed=boxed), None)
        if boxed or behind
        else _configuration_and_host(options)
    )
    approvals = approvals_of(configuration, session_chosen(options))
    report_changed(configuration)
    return gate_of(configuration, approvals, remote=remote)


def open_rehearsal(options: Options, tell: Callable[[str], object]) -> Gate:
    """Return a gate of the real parts that allows `true`, whatever the policy says: it shows whether any call can run.

    Args:
        options: what the caller chooses.
        tell: gets what the log lacks.

    Raises:
        AsimiError: as `open_gate`.
    """
    from asimi.core.call import Verdict
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.rules import rule_of

    configuration, remote = _configuration_and_host(options)
    policy = Policy((rule_of("run_shell_command(true)", Verdict.ALLOW, "asimi doctor"),))
    audit = log_of(configuration, PROBES, tell)
    approvals = approvals_of(configuration, session_chosen(options))
    return gate_of(
        configuration,
        approvals,
        remote=remote,
        settings=lambda: configuration.settings()._replace(policy=policy),
        executor=executor_of(configuration, remote, audit, approvals, adopt=False, session=""),
        audit=audit,
    )


_default: list[Gate] = []


def default_gate(tools: Callable[[str], Tool | None] | None = None) -> Gate:
    """Return the gate of the person's own configuration, for whoever calls the tools of this process."""
    if not _default:
        _default.append(open_gate(shared=True, adopt=False, tools=tools))
    return _default[0]


class _Absent:
    """Stands for the parts that a gate has not because it only judges."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(f"a gate that only judges has no {name}")


_ABSENT: Any = _Absent()


def gate_of(
    configuration: Configuration,
    approvals: Approvals,
    *,
    remote: Any = None,
    settings: Callable[[], Settings] | None = None,
    approver: Approver = _ABSENT,
    executor: Executor = _ABSENT,
    audit: Audit = _ABSENT,
    hosting: HostSide | None = None,
    environ: Callable[[], Mapping[str, str]] | None = None,
    workspace: Workspace | None = None,
    keeps: str | None = None,
) -> Gate:
    """Return a gate of these parts, and of those that follow from where commands run.

    Args:
        configuration: what is in force.
        approvals: what was said yes to before.
        remote: the host where commands run; None for this machine.
        settings: gives what holds now, in place of the configuration itself.
        approver: whoever is asked.
        executor: whatever runs commands.
        audit: whatever writes down.
        hosting: keeps what host programs propose.
        environ: gives the environment that commands inherit, in place of this process's own.
        workspace: where they may run, in place of the project as this process sees it.
        keeps: the session for which is kept what calls change; None for a gate that runs nothing.
    """
    import time

    from asimi.core.gate import Gate, Parts
    from asimi.world.host.workspace import Workspace

    if remote is None:
        from asimi.world.host.inherited import inherited_environment

        environ, shell = environ or inherited_environment, shell_of(configuration.root)
        workspace = workspace or Workspace(configuration.root)
    else:
        environ, shell = (lambda: remote.facts.environ), remote.facts.shell
        workspace = Workspace(remote.facts.root, remote.real, remote.what, remote.name)
    parts = Parts(
        settings=settings or configuration.settings,
        workspace=workspace,
        approvals=approvals,
        approver=approver,
        executor=executor,
        audit=audit,
        environ=environ,
        shell=shell,
        new_id=lambda: f"{int(time.time() * 1000):x}-{os.urandom(4).hex()}",  # nobody else's, and it sorts by time
        hosting=hosting,
        remote=remote,
    )
    if keeps is not None and remote is None:
        from asimi.compose.stores import KeeperOnDemand

        parts = parts._replace(keeper=KeeperOnDemand(configuration, keeps))
    return Gate(parts)


def shell_of(root: str) -> Shell:
    """Return what reads shell text for a project."""
    from asimi.world.host.bash import find_shell
    from asimi.world.host.inherited import inherited_environment

    return find_shell(inherited_environment(), root)


def _configuration_and_host(options: Options) -> tuple[Configuration, Any]:
    """Return the configuration in force, and the host that was chosen."""
    remote = remote_of(options)
    return configuration_of(options, remote=remote), remote


def executor_of(
    configuration: Configuration,
    remote: Any,
    audit: AuditLog,
    approvals: Approvals,
    approver: Approver | None = None,
    *,
    adopt: bool,
    session: str,
) -> Executor:
    """Return what runs commands: here, or on a host.

    Args:
        configuration: what is in force.
        remote: the host; None for this machine.
        audit: what is told of what they start and reach.
        approvals: what was said yes to before.
        approver: whoever is asked about names that a command wants to reach; None for nobody.
        adopt: as for `open_gate`.
        session: the name of the session, whose commands share temporary files in a sandbox.
    """
    if remote is not None:
        from asimi.core.extras import load

        of: Callable[..., Executor] = load("hosts", "executor").RemoteExecutor
        return of(remote.link, lambda: configuration.settings().environment, audit.write_exec_refusal)
    from asimi.world.executors.local import LocalExecutor

    def outlet(execution: Execution) -> Outlet:
        from asimi.compose.reaching import outlet_of  # only where the network is by name

        return outlet_of(configuration, approvals, approver, audit.write_network)(execution)

    return LocalExecutor(
        configuration.places.state,
        adopt=adopt,
        keep=lambda: configuration.settings().state,
        shown=audit.redact_request,
        refused=audit.write_exec_refusal,
        session=session,
        outlet=outlet,
    )


def _report_unfinished(state: str) -> None:
    """Say once which calls were cut short because the asimi running them was killed."""
    from asimi.world.host.places import names_in

    if not names_in(os.path.join(state, "calls")):
        return
    from asimi.core.syntax import line_of
    from asimi.world.executors.jobs import Jobs
    from asimi.world.host.terminal import printable, say

    try:
        unfinished = Jobs(state).report_unfinished()
    except AsimiError:
        return  # `asimi jobs` says what is wrong with the records
    for job in unfinished:
        told = f"{printable(line_of(job))} ({job.running_text}; asimi jobs list)"
        say(f"asimi: a call was cut short because the asimi running it was killed: {told}")


def _report_old_bash(shell: Shell, host: str) -> None:
    """Say that little of what bash reads is understood, where it is an old one, on a host or here."""
    if shell.kind == "plain":
        from asimi.world.host.terminal import say

        path, version = f"{host}:{shell.path}" if host else shell.path, shell.version or "of an unknown version"
        say(
            f"asimi: {path} is bash {version}, and older than 4.4 or not told to read UTF-8 (LC_ALL, LC_CTYPE, LANG): "
            "what is more than plain commands is asked about"
        )


def report_changed(configuration: Configuration) -> None:
    """Say that the project's file has changed since it was trusted, once the configuration was read."""
    if text := configuration.trust_notice():
        from asimi.world.host.terminal import printable, say

        text = f"asimi: {printable(text)}"
        if os.isatty(2):
            from asimi.world.host.terminal import fit_text, look_of

            text = fit_text(text, look_of(os.environ, 2).width)
        say(text)
