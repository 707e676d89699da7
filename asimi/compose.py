"""Chooses the parts of a gate, and with them who is asked; no other module knows all of them.

Each part is imported where it is chosen, so a verdict alone costs neither an event loop nor a terminal.
"""

from __future__ import annotations

import os
import sys

from asimi.core.call import PROBES, is_probe
from asimi.core.errors import AsimiError, ConfigError
from asimi.core.lean import TYPE_CHECKING, NamedTuple, nullcontext

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any, NoReturn

    from asimi.core.call import Approval, Offer, Question, Request, Sandbox, Session, Shell
    from asimi.core.gate import Gate
    from asimi.core.hosting import Approver as Asker
    from asimi.core.hosting import Hosting
    from asimi.core.interfaces import Approver, Executor, Tool
    from asimi.core.judging.checks import Definition
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import SandboxMode
    from asimi.core.settings import Host, Settings, State, Team, Telemetry
    from asimi.core.wording.dialog import Choice, Menu
    from asimi.world.approvals import MemoryApprovals, TicketApprovals
    from asimi.world.approvers.queue.approver import QueueApprover
    from asimi.world.approvers.queue.desk import Desk
    from asimi.world.approvers.queue.entries import Entry
    from asimi.world.approvers.terminal.approver import TerminalApprover
    from asimi.world.audit import AuditLog
    from asimi.world.checks import ProjectChecks
    from asimi.world.config import Configuration
    from asimi.world.config.shared import Copy
    from asimi.world.executors.jobs import Jobs
    from asimi.world.executors.local import LocalExecutor
    from asimi.world.executors.remote.far import Parts
    from asimi.world.host.places import Bases, Places
    from asimi.world.hosts import Far
    from asimi.world.hosts.jobs import FarJobs
    from asimi.world.team.desk import TeamDesk
    from asimi.world.team.relay import Relay

FALSY = frozenset({"", "0", "no", "false", "off"})
"""Values of a yes-or-no variable that mean no."""

QUESTIONS = "questions"
"""The directory, below the runtime one, where questions wait for `asimi approve`."""

PROPOSALS = "proposals"
"""The directory, below the state's, of what host programs propose."""

NO_DIALOG = "asimi has no dialog on Windows"
"""Why nobody is asked there: terminals, locks and sockets are those of Unix."""


class Options(NamedTuple):
    """What a caller chooses for one run of asimi; the environment decides what is None.

    Attributes:
        config: a configuration file in place of the user's own.
        root: the project root.
        session: the name of a session that several processes share.
        yes: whether questions are answered with yes.
        non_interactive: whether nobody is asked.
        sandbox: the laxest mode of a sandbox that every command runs in.
        host: the name of the machine that commands run on.
    """

    config: str | None = None
    root: str | None = None
    session: str | None = None
    yes: bool = False
    non_interactive: bool = False
    sandbox: SandboxMode | None = None
    host: str | None = None


_kept: list[Places] = []  # where asimi's files are for as long as this process lives, if somebody said so


def keep_to(bases: Bases) -> None:
    """Let asimi's files be below some directories from now on, whatever the environment names."""
    from asimi.world.host.places import places_at

    _kept[:] = [places_at(bases)]


def places() -> Places:
    """Where asimi's files are."""
    from asimi.world.host.places import places_of

    return _kept[0] if _kept else places_of(os.environ)


def root_of(options: Options) -> str:
    """The real path of the project root: what was chosen, `ASIMI_ROOT`, or the directory asimi was started in.

    Raises:
        AsimiError: the directory asimi was started in is gone.
    """
    try:
        return os.path.realpath(options.root or os.environ.get("ASIMI_ROOT") or os.getcwd())
    except FileNotFoundError:
        raise AsimiError("The directory asimi was started in is gone; give a project root with --root") from None


def session_name(options: Options) -> str | None:
    """The name of the session that several processes share, if one was chosen.

    Raises:
        AsimiError: the name is that of what a doctor tries, so a call of it would look like one.
    """
    name = options.session or os.environ.get("ASIMI_SESSION") or None
    if name is not None and is_probe(name):
        raise AsimiError(f"A session may not be called {name!r}: that is what `asimi doctor` calls its own")
    return name


def host_name(options: Options) -> str:
    """The name of the host that was chosen; empty for this machine."""
    return options.host or os.environ.get("ASIMI_HOST") or ""


_reached: dict[tuple[Host, str], Far] = {}
"""The hosts that this process has reached, each by one connection that all its gates share."""


def far_of(options: Options) -> Far | None:
    """The host that was chosen, reached; None for this machine.

    Raises:
        AsimiError: the caller may not choose it, there is none of that name, or it cannot be reached.
    """
    name = host_name(options)
    if not name:
        return None
    _check_caller(options, host=True)
    from asimi.world.config import Configuration

    configuration = Configuration(places(), root_of(options), options.config, shared=_shared)
    which = configuration.host(name), session_name(options) or ""
    if which not in _reached:
        from asimi.world.executors.remote.link import connect
        from asimi.world.executors.remote.questions import walk
        from asimi.world.hosts import Far

        _reached[which] = Far(which[0], connect(*which), walk)
    return _reached[which]


def may_ask(options: Options) -> bool:
    """Whether anybody is asked: nobody was told to say yes, nor to ask nobody."""
    silent = options.non_interactive or os.environ.get("ASIMI_NON_INTERACTIVE", "").lower() not in FALSY
    return not options.yes and not silent


def configuration_of(
    options: Options, *, behind: bool = False, root: str | None = None, far: Far | None = None
) -> Configuration:
    """The configuration in force.

    Args:
        options: what the caller chooses.
        behind: whether an agent runs what is allowed, so commands in substitutions are judged where that is not said.
        root: the project root, if it is not the one that the options mean.
        far: the host where commands run.

    Raises:
        AsimiError: asimi was started by a command that it runs itself, which may not choose these options.
    """
    _check_caller(options)
    if options.host and far is None:
        raise AsimiError("--host is for run, exec, check, serve, mcp, shell, jobs, doctor and policy add")
    from asimi.core.judging.agents import MOVED, AgentFiles
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.machine import Looks
    from asimi.core.judging.protection import Protection
    from asimi.core.judging.zones import FileRules, Files
    from asimi.world.config import Configuration, beside

    here = places()
    own = [here.config, here.state, here.runtime, os.path.dirname(here.managed)]
    if options.config:
        file = os.path.abspath(options.config)
        own += [file, beside(file), beside(file, "imported"), os.path.join(os.path.dirname(file), "programs")]
    root = root_of(options) if root is None else root
    names = ("PATH", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "PYTHONPATH", *MOVED)
    machine = _machine(here.home, names) if far is None else far.machine(names)
    state, top = (here.state, root) if far is None else (far.facts.places.state, far.facts.root)
    own += [] if far is None else far.own  # with our own, which the file systems may share
    free = [os.path.join(state, name) for name in ("output", "logs", "sandbox")]
    moved = {name: head for name, head in MOVED.items() if name in machine.variables}
    agents = AgentFiles({os.path.abspath(machine.variables[name]): head for name, head in moved.items()})

    def guard(files: Files, doubted: str) -> Guard:
        looks = Looks()
        there = looks.of(machine._replace(doubted=doubted))
        with nullcontext() if far is None else far.looking("files"):
            return Guard(there, Protection(own, there, free, agents), FileRules(files, top, there), looks)

    if far is not None:
        there = far.there()
        return Configuration(
            here,
            root,
            options.config,
            environ=lambda: far.facts.environ,
            guard=guard,
            least=_sandbox_mode(options),
            unkept=far.unkept,
            opens=far.opened_to,
            there=there,
            shared=_shared,
        )

    def look(*what: str) -> Definition | None:
        return _checks_in(here).look(*what)  # its module is loaded only where a check is judged

    def unkept(sandbox: Sandbox) -> str:
        from asimi.world.executors.confining.ability import unkept  # only where a sandbox is asked for

        return unkept(sandbox)

    def opens(sandbox: Sandbox) -> str:
        from asimi.world.executors.confining.ability import opened_to

        return opened_to(sandbox, root, own)

    from asimi.core.judging.checks import Checks

    return Configuration(
        here,
        root,
        options.config,
        guard=guard,
        checks=Checks(machine, look),
        behind=behind,
        least=_sandbox_mode(options),
        unkept=unkept,
        opens=opens,
        shared=_shared,
    )


def _shared(team: Team) -> Copy:
    """This machine's copy of a team's policy.

    Raises:
        AsimiError: there is none that counts.
    """
    import time

    from asimi.world.config.shared import Copy
    from asimi.world.host.places import SHARED
    from asimi.world.team.shared import kept

    state = places().state
    text, revision, _ = kept(state, team, time.time())
    return Copy(os.path.join(state, SHARED), text.encode(), revision.number, revision.until, str(revision))


def _machine(home: str, names: Collection[str]) -> Machine:
    """What has to be known of this machine to say where a path leads.

    Args:
        home: the home directory.
        names: the variables that paths are written with.
    """
    from asimi.core.judging.machine import Machine
    from asimi.world.host.ignored import kept
    from asimi.world.host.places import names_in, real_path
    from asimi.world.host.repositories import guides, is_branch, repository_of
    from asimi.world.host.trees import below, holds_name, kind, leads, walk

    return Machine(
        home,
        real_path,
        {name: os.environ[name] for name in names if os.environ.get(name)},
        names=names_in,
        kind=kind,
        below=below,
        repository=repository_of,
        guides=guides,
        branch=is_branch,
        links=os.path.islink,
        walk=walk,
        kept=kept,
        hides=_hides,
        leads=leads,
        inhabited=_inhabited,
        holds_name=holds_name,
    )


def _inhabited(directory: str) -> bool:
    """Whether a sandbox runs that can write in a directory."""
    from asimi.world.executors.confining.mounts import inhabited

    return inhabited(directory)


def _hides(name: str) -> bool:
    """Whether a variable of this process holds a secret by its form: a URL with a password, a key, a token."""
    import re

    value = os.environ.get(name, "")
    if "PRIVATE KEY-----" in value:
        return True
    if not ("://" in value and "@" in value) and not re.search(r"[\w-]{16}", value):
        return False  # most values; what follows takes long to load
    from asimi.world.audit.redaction import Redaction

    return Redaction({}).text(value) != value


def _sandbox_mode(options: Options) -> SandboxMode:
    """The mode that `--sandbox` says.

    Raises:
        AsimiError: it is none.
    """
    from asimi.core.call import SANDBOX_MODES

    if options.sandbox is not None and options.sandbox not in SANDBOX_MODES[1:]:
        raise AsimiError(f"--sandbox takes {' or '.join(SANDBOX_MODES[1:])}, not {options.sandbox!r}")
    return options.sandbox or "off"


def checks_of(configuration: Configuration) -> ProjectChecks:
    """The checks of projects, as this user has confirmed them."""
    return _checks_in(configuration.places)


def _keeping(configuration: Configuration) -> Callable[..., object]:
    """What keeps the rules of "always" and "never"; where checks are meant as they are now, it confirms these."""

    def keep(rules: Sequence[Rule], *, project: bool = False, by: str = "") -> None:
        from asimi.core.judging.offers import is_confirming

        for rule in filter(is_confirming, rules):
            root = rule.directory or configuration.root
            with log_of(configuration).changing("checks", {"file": root, "by": "always"}):
                checks_of(configuration).confirm_as_seen(root, rule.answers)
        if left := [rule for rule in rules if not is_confirming(rule)]:
            file = configuration.place_of_entries(project=project)
            said = [{"decision": rule.verdict.word, "entry": rule.entry, "file": file, "by": by} for rule in left]
            what = "always" if left[0].verdict.word == "allow" else "never"  # one answer is one or the other
            with log_of(configuration).changing(what, *said):
                configuration.remember(left, project=project)

    return keep


def _checks_in(where: Places) -> ProjectChecks:
    from asimi.world.checks import ProjectChecks
    from asimi.world.config.worktrees import main_worktree_of

    return ProjectChecks(where.state, where.home, main_worktree_of)


def shell_of(root: str) -> Shell:
    """What reads shell text for a project."""
    from asimi.world.host.bash import find_shell
    from asimi.world.host.inherited import inherited

    return find_shell(inherited(), root)


def log_of(
    configuration: Configuration,
    session: str = "",
    tell: Callable[[str], object] | None = None,
    *,
    elsewhere: bool = False,
) -> AuditLog:
    """The log that this configuration wants.

    Args:
        configuration: what is in force.
        session: the session that its lines name.
        tell: gets what it lacks; standard error by default.
        elsewhere: whether an agent runs what is allowed.
    """
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
        tell=tell,
        elsewhere=elsewhere,
        copied=lambda: (known := settings()) is None or bool(known.team.server),
    )


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
    """A gate of the real parts.

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
    options = options or Options()
    far = far_of(options)
    configuration = configuration_of(options, far=far)
    state = configuration.places.state
    if adopt:
        _report_unfinished(state)
    name = session_name(options)
    session = None if shared and name is None else _session_of(options)
    approvals = _approvals(configuration, session, in_memory=shared)
    audit = log_of(configuration, name or "")

    def settings() -> Settings:
        now = configuration.settings()
        if far is not None:
            far.check(configuration.host(far.name))
        if typed:
            now = now._replace(session=now.session._replace(breaker=None))
        return now if timeout is None else now._replace(limits=now.limits._replace(timeout=timeout))

    executor = _executor(configuration, far, audit, adopt=adopt, session="" if session is None else session.key)
    approver = _approver_of(options, configuration, approvals, session, terminal=terminal)
    from asimi.world.host.nested import inside_call

    if host is not None and not inside_call(os.environ):  # below a call the agent itself may be the host
        from asimi.world.approvers.host import HostApprover

        approver = HostApprover(host, approver)
    gate = _gate(
        configuration,
        settings=settings,
        approvals=approvals,
        approver=approver,
        executor=executor,
        audit=audit,
        hosting=None if tools is None else _hosting(tools, state),
        far=far,
    )
    _report_old_bash(gate.shell, "" if far is None else far.name)
    _report_changed(configuration)
    return gate


def _executor(configuration: Configuration, far: Far | None, audit: AuditLog, *, adopt: bool, session: str) -> Executor:
    """What runs commands: here, or on a host."""
    if far is not None:
        from asimi.world.executors.remote.executor import RemoteExecutor

        return RemoteExecutor(far.link, lambda: configuration.settings().environment, audit.refused)
    from asimi.world.executors.local import LocalExecutor

    return LocalExecutor(
        configuration.places.state,
        adopt=adopt,
        keep=lambda: configuration.settings().state,
        shown=audit.shown,
        refused=audit.refused,
        session=session,
    )


def jobs_of(options: Options) -> Jobs | FarJobs:
    """What commands left running, on this machine or on the host that was chosen.

    Raises:
        AsimiError: as `far_of`.
    """
    if far := far_of(options):
        from asimi.world.hosts.jobs import FarJobs

        return FarJobs(far)
    from asimi.world.executors.jobs import Jobs

    return Jobs(places().state)


def names_of(what: str, options: Options) -> Iterable[str]:
    """What a person may name: the ids of `jobs` or `questions`, or `hosts` by their names.

    Raises:
        AsimiError: what asimi keeps, or the configuration, cannot be read.
    """
    if what == "jobs":
        from asimi.world.executors.jobs import Jobs

        return Jobs(places().state).ids()
    if what == "questions":
        from asimi.world.approvers.queue.entries import stamps

        return [name for _, name in stamps(os.path.join(places().runtime, QUESTIONS))]
    from asimi.world.config import Configuration

    return Configuration(places(), root_of(options), options.config).hosts()


def _hosting(tools: Callable[[str], Tool | None], state: str) -> Hosting:
    """What keeps the proposals of host programs."""
    from asimi.core.hosting import Hosting
    from asimi.world.proposals import Proposals

    return Hosting(tools, Proposals(os.path.join(state, PROPOSALS), os.environ))


def _report_unfinished(state: str) -> None:
    """Say once which calls were cut short because the asimi running them was killed."""
    try:
        names = os.listdir(os.path.join(state, "calls"))
    except OSError:
        return
    if not names:
        return
    from asimi.core.reading.lines import line_of
    from asimi.world.executors.jobs import Jobs
    from asimi.world.host.streams import printable, say

    try:
        unfinished = Jobs(state).unreported()
    except AsimiError:
        return  # `asimi jobs` says what is wrong with the records
    for job in unfinished:
        told = f"{printable(line_of(job))} ({job.left}; asimi jobs list)"
        say(f"asimi: a call was cut short because the asimi running it was killed: {told}")


def open_judge(options: Options | None = None) -> Gate:
    """A gate that only judges: it asks nobody, runs nothing and writes nothing down.

    Raises:
        AsimiError: as `open_gate`.
    """
    options = options or Options()
    far = far_of(options)
    configuration = configuration_of(options, far=far)
    absent = _Absent()
    approvals = _approvals(configuration, _session_of(options))
    _report_changed(configuration)
    return _gate(configuration, approvals=approvals, approver=absent, executor=absent, audit=absent, far=far)


def open_rehearsal(options: Options, tell: Callable[[str], object]) -> Gate:
    """A gate of the real parts that allows `true`, whatever the policy says: it shows whether any call can run.

    Args:
        options: what the caller chooses.
        tell: gets what the log lacks.

    Raises:
        AsimiError: as `open_gate`.
    """
    from asimi.core.call import Verdict
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.rules import rule_of

    far = far_of(options)
    configuration = configuration_of(options, far=far)
    policy = Policy((rule_of("run_shell_command(true)", Verdict.ALLOW, "asimi doctor"),))
    audit = log_of(configuration, PROBES, tell)
    return _gate(
        configuration,
        far=far,
        settings=lambda: configuration.settings()._replace(policy=policy),
        approvals=_approvals(configuration, _session_of(options)),
        approver=_Absent(),
        executor=_executor(configuration, far, audit, adopt=False, session=""),
        audit=audit,
    )


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
    """A gate for a command that an agent runs itself, after its hook said yes.

    Args:
        options: what the caller chooses.
        agent: the agent's name.
        session: the agent's own id of its session; empty where it has none, and nothing is kept then.
        executor: lets the command pass.
        prompt: leaves a question to the agent's own prompt; None where the agent would not ask.
        patience: seconds that the agent waits for an answer.
        unsure: whether the agent may have nobody to ask. Then a question that is left to it waits in the queue too;
            while somebody watches the queue, it is asked only there.

    Raises:
        AsimiError: as `open_gate`.
    """
    from asimi.world.approvals import agent_session
    from asimi.world.approvers.agent import AgentApprover

    if options.host:
        raise AsimiError("--host means nothing to a hook: the agent runs the command itself, on this machine")
    configuration = configuration_of(options, behind=True)
    ticket = agent_session(agent, session) if session else None
    approvals = _approvals(configuration, ticket, counted=agent_session(agent, session))
    _report_changed(configuration)

    def waits() -> bool:
        from asimi.world.approvers.queue.entries import watched

        wait = configuration.settings().session.wait or watched(_questions(configuration))
        return wait and may_ask(options)

    def elsewhere() -> tuple[Approver, bool]:
        approver = _approver_of(options, configuration, approvals, ticket, terminal=False)
        return approver, waits() or (may_ask(options) and bool(configuration.settings().team.server))

    def left(question: Question) -> Approval | None:
        sure = unsure and waits()  # then asimi asks who is sure to be there
        return None if sure else prompt(question)

    def beside(question: Question) -> str:
        leave = getattr(elsewhere()[0], "leave", None) if unsure else None
        return "" if leave is None else str(leave(question))

    return _gate(
        configuration,
        approvals=approvals,
        approver=AgentApprover(left, elsewhere, patience, beside),
        executor=executor,
        audit=log_of(configuration, "" if ticket is None else ticket.label, elsewhere=True),
    )


def hook_root(agent: str, session: str, root: str) -> str:
    """The project root that counts for a call of an agent: that of its session's first call, wherever it is by now.

    Args:
        agent: the agent's name.
        session: the agent's own id of its session; empty where it has none.
        root: the project root, as the agent says it now.

    Raises:
        AsimiError: it cannot be kept.
    """
    if session in {"", PROBES}:  # a doctor's is not one session
        return root
    from asimi.world.approvals import agent_session, settled

    return settled(places().runtime, agent_session(agent, session), root)


def hook_log(options: Options, agent: str, session: str) -> AuditLog:
    """The log that a hook of an agent writes.

    Args:
        options: what the caller chooses.
        agent: the agent's name.
        session: the agent's own id of its session; empty where it has none.

    Raises:
        AsimiError: as `open_gate`.
    """
    from asimi.world.approvals import agent_session

    return log_of(configuration_of(options), agent_session(agent, session).label if session else "")


def open_desk(options: Options, *, say: Callable[[str], None], ending: Callable[[], bool]) -> Desk:
    """Where the person at this terminal answers the questions of gates elsewhere.

    Args:
        options: what the caller chooses.
        say: tells the person a line.
        ending: whether asimi was told to end.

    Raises:
        AsimiError: the configuration is broken, or the caller may not choose these options.
    """
    from asimi.core.settings import There
    from asimi.world.approvals import TicketApprovals
    from asimi.world.approvers.queue.desk import Desk
    from asimi.world.approvers.refuse import RefuseApprover
    from asimi.world.config import Configuration

    configuration = configuration_of(options)
    settings = configuration.settings().session

    def keep(entry: Entry, approval: Approval) -> None:
        """Keep an answer in the ticket of the session, and in the project, that the question came from."""
        assert entry.session is not None  # others listen themselves
        place = entry.question.request.place
        there = There(place.host, place.root) if place.host else None
        root = configuration.root if place.host else place.root
        asking = Configuration(places(), root, options.config, there=there, shared=_shared)
        runtime = configuration.places.runtime
        keeping = _keeping(asking)
        tickets = TicketApprovals(runtime, entry.session, asking.key, keeping, max_age=settings.max_age)
        tickets.remember(approval, entry.question.request)
        _log_late(log_of(configuration, entry.session.label), approval)

    absent = RefuseApprover("asimi is not in the foreground of a terminal")
    approver = _terminal(absent, lambda: desk.others())  # noqa: PLW0108 - there is no desk yet
    patience = settings.ask_timeout
    desk = Desk(
        _questions(configuration),
        approver,
        keep,
        patience=patience,
        say=say,
        ending=ending,
        ring=_ringing(configuration),
    )
    return desk


def _ringing(configuration: Configuration) -> Callable[[], None]:
    """What rings, unless the person has configured that away meanwhile."""
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
    """Whether a person can be asked right here."""
    if sys.platform == "win32":
        return False
    from asimi.world.approvers.terminal.device import own_terminal
    from asimi.world.host.nested import is_person

    return own_terminal(is_person) is not None


def choose(menu: Menu) -> Choice | None:
    """What the person at this terminal chooses; None where there is nobody to choose."""
    if sys.platform == "win32":
        return None
    from asimi.world.approvers.terminal.device import own_terminal
    from asimi.world.host.nested import is_person

    name = own_terminal(is_person)
    if name is None:
        return None
    from asyncio import run

    from asimi.world.approvers.terminal.menu import chosen
    from asimi.world.console.menu import menu_lines

    return run(chosen(menu, name, os.environ, menu_lines))


def far_parts(version: str, below: str) -> Parts:
    """What `asimi executor` is made of; starts the process that ends what is left if it is killed.

    Args:
        version: asimi's.
        below: the directory that project roots must be in; empty for any.

    Raises:
        AsimiError: a command that asimi runs has started it, or the administrator's file cannot be used.
    """
    from asimi.world.executors.local import LocalExecutor
    from asimi.world.executors.remote.far import Parts
    from asimi.world.executors.remote.keeper import Keeper
    from asimi.world.host.nested import is_below_call

    if is_below_call(os.environ):
        raise AsimiError("asimi executor cannot be started by a command that asimi runs")
    keeper = Keeper()  # before there is anything that a copy of this process should not have
    from asimi.core.judging.policy import Policy
    from asimi.core.wording.explain import said
    from asimi.world.config.managed import ManagedDenies

    configuration = configuration_of(Options(), root=os.path.realpath(below or os.sep))
    here, audit = configuration.places, log_of(configuration)

    def keep() -> State:
        return configuration.settings().state

    def forbidden(rules: tuple[Rule, ...], request: Request) -> str:
        reasons = Policy(rules).decide(request).reasons
        return said(tuple(reason for reason in reasons if reason.code == "denied_by_rule"))

    def executor(**chosen: Any) -> LocalExecutor:
        return LocalExecutor(here.state, adopt=True, keep=keep, shown=audit.shown, **chosen)

    return Parts(version, here, ManagedDenies(here.managed, _shared).now, forbidden, executor, keeper, below)


_default: list[Gate] = []


def default_gate(tools: Callable[[str], Tool | None] | None = None) -> Gate:
    """The gate that the person's own configuration describes, for whoever calls the tools of this process."""
    if not _default:
        _default.append(open_gate(shared=True, adopt=False, tools=tools))
    return _default[0]


def _gate(configuration: Configuration, *, far: Far | None = None, **parts: Any) -> Gate:
    """A gate of these parts, and of those that every gate has."""
    from asimi.core.gate import Gate
    from asimi.world.host.workspace import Workspace

    parts.setdefault("settings", configuration.settings)
    if far is None:
        from asimi.world.host.inherited import inherited

        parts |= {"environ": inherited, "shell": shell_of(configuration.root)}
        workspace = Workspace(configuration.root)
    else:
        parts |= {"environ": lambda: far.facts.environ, "shell": far.facts.shell}
        workspace = Workspace(far.facts.root, far.real, far.what, far.name)
    return Gate(workspace=workspace, new_id=_new_id, far=far, **parts)


def _report_old_bash(shell: Shell, host: str) -> None:
    """Say that little of what bash reads is understood, where it is an old one, on a host or here."""
    if shell.kind == "plain":
        from asimi.world.host.streams import say

        path, version = f"{host}:{shell.path}" if host else shell.path, shell.version or "of an unknown version"
        say(
            f"asimi: {path} is bash {version}, and older than 4.4 or not told to read UTF-8 (LC_ALL, LC_CTYPE, LANG): "
            "what is more than plain commands is asked about"
        )


def _report_changed(configuration: Configuration) -> None:
    """Say that the project's file has changed since it was trusted, once the configuration was read."""
    if text := configuration.changed():
        from asimi.world.host.streams import printable, say

        text = f"asimi: {printable(text)}"
        if os.isatty(2):
            from asimi.world.host.terminal import fitted, look_of

            text = fitted(text, look_of(os.environ, 2).width)
        say(text)


def _session_of(options: Options) -> Session | None:
    """The session that was chosen by name, else that of this terminal, if there is one.

    Raises:
        AsimiError: the name of the session cannot be one.
    """
    from asimi.world.approvals import session_of

    return session_of(session_name(options))


def _approvals(
    configuration: Configuration, session: Session | None, *, in_memory: bool = False, counted: Session | None = None
) -> MemoryApprovals | TicketApprovals:
    """What was said yes to before.

    Args:
        configuration: what is in force.
        session: the session of several processes that keeps approvals, or None.
        in_memory: whether this process keeps them where there is no such session.
        counted: the session in which refusals count where there is neither; None where they do not.
    """
    from asimi.world.approvals import MemoryApprovals, TicketApprovals, process_session, refusals_of

    try:
        max_age = configuration.settings().session.max_age
    except ConfigError:  # every call is refused until the file is fixed; then this limit is a strict one
        max_age = 60.0
    runtime = configuration.places.runtime

    def shown(request: Request) -> str:
        from asimi.core.reading.lines import line_of

        command, arguments = log_of(configuration).shown(request)
        return line_of(request._replace(command=command, arguments=None if arguments is None else tuple(arguments)))

    if session is None:
        counted = process_session() if in_memory else counted
        refusals = None if counted is None else refusals_of(runtime, counted, configuration.key, shown)
        return MemoryApprovals(_keeping(configuration), session=in_memory, max_age=max_age, refusals=refusals)
    return TicketApprovals(runtime, session, configuration.key, _keeping(configuration), max_age=max_age, shown=shown)


def _approver_of(
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
    if not may_ask(options) or sys.platform == "win32":
        from asimi.world.approvers.refuse import RefuseApprover

        return RefuseApprover(NO_DIALOG if may_ask(options) else "asimi was told to ask nobody")
    from asimi.world.approvers.queue.approver import QueueApprover
    from asimi.world.host.nested import is_person

    def remember(approval: Approval, request: Request) -> None:
        approvals.remember(approval, request)
        _log_late(log_of(configuration, session_name(options) or ""), approval)

    queue = QueueApprover(
        _questions(configuration),
        lambda: configuration.settings().session,
        remember,
        is_person,
        os.environ,
        session=session,
    )
    near = _teamed(configuration, queue)
    return _terminal(near) if terminal else near


def _teamed(configuration: Configuration, queue: QueueApprover) -> Approver:
    """Whoever is asked without a terminal: where this machine is one of a team, the team."""
    try:
        server = configuration.settings().team.server
    except AsimiError:
        return queue  # every call is refused until the file is fixed
    if not server:
        return queue
    from asimi.world.approvers.queue.entries import watched
    from asimi.world.host.places import user_name
    from asimi.world.team.approver import TeamApprover

    def near() -> bool:
        return watched(_questions(configuration))

    runtime = configuration.places.runtime
    return TeamApprover(runtime, lambda: configuration.settings().team, user_name(), queue, near)


def team_of(configuration: Configuration) -> Team:
    """The team that this machine belongs to, whether its policy is here or not.

    Raises:
        AsimiError: as `team_here`, or it belongs to none.
    """
    team = team_here(configuration)
    if not team.server:
        managed = configuration.places.managed
        raise AsimiError(f"This machine belongs to no team: {managed} has no [team] with a server")
    return team


def team_here(configuration: Configuration) -> Team:
    """What the administrator's file says of a team; an empty one where it says nothing.

    Raises:
        AsimiError: that file cannot be used.
    """
    from asimi.world.config.managed import managed_content, team_in

    managed = configuration.places.managed
    return team_in(managed, managed_content(managed))


def open_relay(options: Options, tell: Callable[[str], None]) -> Relay:
    """What carries the questions and the log of this user's gates to the team, and its policy here.

    Args:
        options: what the caller chooses.
        tell: gets a line when the connection is lost, is back or refused.

    Raises:
        AsimiError: as `team_of`.
    """
    from asimi.world.audit.tail import Tail
    from asimi.world.config.layer import layer_of
    from asimi.world.host.places import user_name
    from asimi.world.team.following import Follower
    from asimi.world.team.relay import Relay

    configuration = configuration_of(options)
    here = configuration.places

    def check(text: str, path: str) -> object:
        return layer_of(path, "team", text.encode())

    follower = Follower(lambda: team_of(configuration), here.state, check, tell)
    return Relay(team_of(configuration), user_name(), here.runtime, tell, Tail(here.state), follower)


def telemetry_of(options: Options) -> Telemetry:
    """Where processes that stay send what they log; by the files here, while a team's policy is still to be fetched.

    Args:
        options: what the caller chooses.

    Raises:
        ConfigError: the files here are broken.
    """
    try:
        return configuration_of(options._replace(host=None)).settings().telemetry
    except ConfigError:
        from asimi.world.config import Configuration
        from asimi.world.config.shared import Copy

        def empty(_: Team) -> Copy:
            return Copy("", b"", 0, float("inf"), "")

        return Configuration(places(), root_of(options), options.config, shared=empty).settings().telemetry


def open_team_desk(
    options: Options, key: str, credentials: str, *, say: Callable[[str], None], ending: Callable[[], bool]
) -> TeamDesk:
    """Where the person at this terminal answers the questions of their team.

    Args:
        options: what the caller chooses.
        key: the file of their private key; empty for `~/.ssh/id_ed25519`.
        credentials: the file by which the server knows them; empty for `team.seed` beside the configuration.
        say: tells the person a line.
        ending: whether asimi was told to end.

    Raises:
        AsimiError: as `team_of`, or the key is none of an approver's or any program could use it.
    """
    from asimi.world.approvers.refuse import RefuseApprover
    from asimi.world.host.places import user_name
    from asimi.world.team.desk import Me, TeamDesk
    from asimi.world.team.signing import check_needs_person, public_key

    configuration = configuration_of(options)
    team, here = team_of(configuration), configuration.places
    key = os.path.abspath(key or os.path.join(here.home, ".ssh", "id_ed25519"))
    public = public_key(key)
    mine = next((each.name for each in team.approvers if each.key == public and public not in team.revoked), None)
    if mine is None:
        raise AsimiError(f"{key}: is no key of an approver of this team; {here.managed} lists theirs in team.approvers")
    check_needs_person(key)
    me = Me(mine, key, credentials or os.path.join(here.config, "team.seed"), f"{user_name()}@{team.machine}")
    absent = RefuseApprover("asimi is not in the foreground of a terminal")
    approver = _terminal(absent, lambda: desk.others())  # noqa: PLW0108 - there is no desk yet
    desk = TeamDesk(team, me, approver, say=say, ending=ending, ring=_ringing(configuration))
    return desk


def _log_late(log: AuditLog, approval: Approval) -> None:
    """Write down a yes to a call that was refused already; what is kept for good has a line of its own."""
    for rule in approval.rules if approval.scope == "session" else ():
        log.change("late yes", decision=rule.verdict.word, entry=rule.entry, scope=approval.scope, by=approval.by)


def _questions(configuration: Configuration) -> str:
    return os.path.join(configuration.places.runtime, QUESTIONS)


def _terminal(fallback: Approver, others: Callable[[], int] = lambda: 0) -> TerminalApprover:
    """Asks the person at this terminal, who sees how many other questions wait."""
    from asimi.core.call import Verdict
    from asimi.world.approvers.terminal.approver import TerminalApprover
    from asimi.world.host.nested import is_person

    def face() -> Any:
        from asimi.world import console  # rich, only when there is something to draw

        return console

    def check(entry: str, question: Question, verdict: Verdict) -> Offer | str:
        from asimi.core.judging.denials import check_denial
        from asimi.core.judging.offers import check_entry

        return (check_denial if verdict is Verdict.DENY else check_entry)(entry, question.request)

    return TerminalApprover(
        face,
        fallback,
        check,
        os.environ,
        leader_is_person=is_person,
        others=others,
    )


class _Absent:
    """What a gate that only judges has for an effect."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(f"a gate that only judges has no {name}")


def _new_id() -> str:
    """An id that no other call on this machine has, and that sorts by time."""
    import time

    return f"{int(time.time() * 1000):x}-{os.urandom(4).hex()}"


def _check_caller(options: Options, *, host: bool = False) -> None:
    """Make sure that what a caller chooses is chosen by a person, not by a command that asimi runs.

    Args:
        options: what the caller chooses.
        host: whether commands run on a host, however that was chosen.

    Raises:
        AsimiError: it is not.
    """
    chosen = [f"--{name}" for name in ("config", "root", "session", "yes") if getattr(options, name)]
    chosen += ["--host" if options.host else "ASIMI_HOST"] if host else []
    if not chosen:
        return
    from asimi.world.host.nested import inside_call

    if inside_call(os.environ):
        raise AsimiError(f"{' and '.join(chosen)} cannot be given from inside a command that asimi runs")
