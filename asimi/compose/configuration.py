"""The configuration in force, and the machine that its rules are about: this one, or a host."""

from __future__ import annotations

import os
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from asimi.compose import QUESTIONS, Options, check_caller, host_name, places, root_of, session_name
from asimi.compose.stores import checks_of
from asimi.core.errors import AsimiError
from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any

    from asimi.compose import Options
    from asimi.core.judging.checks import Definition
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.zones import Files
    from asimi.core.kinds import SandboxMode
    from asimi.core.settings import Host, Team
    from asimi.world.config import Configuration
    from asimi.world.config.managed import Copy
    from asimi.world.executors.jobs import Jobs


def _late(module: str, name: str) -> Any:
    """Return a function that loads its module when it is called: most commands ask a machine for none of these."""
    return lambda *of, **by: getattr(import_module(f"asimi.{module}"), name)(*of, **by)  # noqa: PLW0108 - it loads


_LONG = pattern(r"[\w-]{16}")
"""What the shortest secret of a form of its own holds."""


def configuration_of(
    options: Options,
    *,
    behind: bool = False,
    boxed: bool = False,
    root: str | None = None,
    remote: Any = None,
    environ: Callable[[], Mapping[str, str]] | None = None,
) -> Configuration:
    """Return the configuration in force.

    Args:
        options: what the caller chooses.
        behind: whether an agent runs what is allowed, so commands in substitutions are judged where that is not said.
        boxed: whether a box holds the agent and all that it starts.
        root: the project root, if it is not the one that the options mean.
        remote: the host where commands run.
        environ: gives the environment that commands inherit, in place of this process's own.

    Raises:
        AsimiError: asimi was started by a command that it runs itself, which may not choose these options.
    """
    check_caller(options)
    if options.host and remote is None:
        raise AsimiError("--host is for run, exec, check, serve, mcp, shell, jobs, doctor and policy add")
    from asimi.core.judging.agents import MOVED, AgentFiles
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.machine import Looks
    from asimi.core.judging.protection import Protection
    from asimi.core.judging.zones import FileRules
    from asimi.world.config import Configuration
    from asimi.world.config.sources import beside

    here = places()
    own = [here.config, here.state, here.runtime, os.path.dirname(here.managed)]
    if options.config:
        file = os.path.abspath(options.config)
        own += [file, beside(file), beside(file, "imported"), os.path.join(os.path.dirname(file), "programs")]
    root = root_of(options) if root is None else root
    names = ("PATH", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "PYTHONPATH", *MOVED)
    machine = _machine(here.home, names) if remote is None else remote.machine(names)
    if remote is None:
        machine = machine._replace(
            undone=partial(_late("compose.stores", "undone"), state=here.state, root=root, home=here.home),
            contexts=partial(_late("world.host.aims", "contexts"), root),
            container=partial(_late("world.host.widths", "container"), root),
            fetched=partial(_late("compose.stores", "may_be_downloaded"), here.state, root),
        )
    state, top = (here.state, root) if remote is None else (remote.facts.places.state, remote.facts.root)
    own += [] if remote is None else remote.own  # with our own, which the file systems may share
    free = [os.path.join(state, name) for name in ("output", "logs", "sandbox")]
    moved = {name: head for name, head in MOVED.items() if name in machine.variables}
    agents = AgentFiles({os.path.abspath(machine.variables[name]): head for name, head in moved.items()})

    def guard(files: Files, untrusted_host: str) -> Guard:
        looks = Looks()
        there = looks.of(machine._replace(untrusted_host=untrusted_host))
        with nullcontext() if remote is None else remote.looking("files"):
            return Guard(there, Protection(own, there, free, agents), FileRules(files, top, there), looks)

    least = _sandbox_mode(options)
    made = partial(Configuration, here, root, options.config, guard=guard, least=least, shared=shared_copy)
    if remote is not None:
        return made(
            environ=lambda: remote.facts.environ, unkept=remote.unkept, opens=remote.opened_to, there=remote.there()
        )

    def look(*what: str) -> Definition | None:
        return checks_of(here).look(*what)  # its module is loaded only where a check is judged

    unkept = _late("world.executors.confining.ability", "unkept")
    opens = partial(_late("world.executors.confining.ability", "opened_to"), root=root, own=own)
    from asimi.core.judging.checks import Checks
    from asimi.world.host.inherited import inherited_environment

    made = partial(made, behind=behind, boxed=boxed, environ=environ or inherited_environment)
    return made(checks=Checks(machine, look), unkept=unkept, opens=opens)


_reached: dict[tuple[Host, str], Any] = {}
"""The hosts that this process has reached, each by one connection that all its gates share."""


def remote_of(options: Options) -> Any:
    """Return the host that was chosen, reached; None for this machine.

    Raises:
        AsimiError: the caller may not choose it, there is none of that name, it cannot be reached, or the extra is
            missing.
    """
    name = host_name(options)
    if not name:
        return None
    check_caller(options, host=True)
    from asimi.core.extras import load
    from asimi.world.config import Configuration

    load("hosts")  # a configuration that has none could not say what is missing
    configuration = Configuration(places(), root_of(options), options.config, shared=shared_copy)
    which = configuration.host(name), session_name(options) or ""
    if which not in _reached:
        _reached[which] = load("hosts", "host").Remote(which[0], load("hosts", "link").Link(*which))
    return _reached[which]


def shared_copy(team: Team) -> Copy:
    """Return this machine's copy of a team's policy.

    Raises:
        AsimiError: there is none that counts.
    """
    import time

    from asimi.core.extras import load
    from asimi.world.config.managed import Copy
    from asimi.world.host.places import SHARED

    state = places().state
    text, revision, _ = load("team", "shared").kept(state, team, time.time())
    return Copy(os.path.join(state, SHARED), text.encode(), revision.number, revision.until, str(revision))


def _machine(home: str, names: Collection[str]) -> Machine:
    """Return what has to be known of this machine to say where a path leads.

    Args:
        home: the home directory.
        names: the variables that paths are written with.
    """
    from asimi.core.judging.machine import Machine
    from asimi.world.host.places import names_in, real_path
    from asimi.world.host.repositories import is_branch, repository_of
    from asimi.world.host.trees import below, holds_name, kind, leads, walk

    return Machine(
        home,
        real_path,
        {name: os.environ[name] for name in names if os.environ.get(name)},
        names=names_in,
        kind=kind,
        below=below,
        repository=repository_of,
        guides=_late("world.host.git_settings", "guides"),
        settings=_late("world.host.git_settings", "plain_settings"),
        extends=_late("world.checks.gathering", "extends_others"),
        strays=_late("world.host.git_settings", "stray_in"),
        branch=is_branch,
        unmodified=_late("world.host.git_index", "is_unmodified"),
        signs=_late("world.host.git_settings", "signs"),
        moved=_late("world.undo.repositories", "changed_paths"),
        pushes=_late("world.host.aims", "pushes"),
        locked=_late("world.host.widths", "lock_file_digest"),
        links=os.path.islink,
        walk=walk,
        kept=_late("world.host.git_index", "status_of"),
        hides=_hides,
        leads=leads,
        inhabited=_late("world.executors.confining.mounts", "is_inhabited"),
        holds_name=holds_name,
        members=_late("world.host.archives", "members"),
    )


def _hides(name: str) -> bool:
    """True if a variable of this process holds a secret by its form: a URL with a password, a key, a token."""
    value = os.environ.get(name, "")
    if "PRIVATE KEY-----" in value:
        return True
    if not ("://" in value and "@" in value) and not _LONG.search(value):
        return False  # most values; what follows takes long to load
    from asimi.world.audit.redaction import Redaction

    return Redaction({}).text(value) != value


def _sandbox_mode(options: Options) -> SandboxMode:
    """Return the mode that `--sandbox` says.

    Raises:
        AsimiError: it is none.
    """
    from asimi.core.call import SANDBOX_MODES

    if options.sandbox is not None and options.sandbox not in SANDBOX_MODES[1:]:
        raise AsimiError(f"--sandbox takes {' or '.join(SANDBOX_MODES[1:])}, not {options.sandbox!r}")
    return options.sandbox or "off"


def jobs_of(options: Options) -> Jobs:
    """Return what commands left running, on this machine or on the host that was chosen.

    Raises:
        AsimiError: as `remote_of`.
    """
    if remote := remote_of(options):
        from asimi.core.extras import load

        found: Jobs = load("hosts", "host").RemoteJobs(remote)
        return found
    from asimi.world.executors.jobs import Jobs

    return Jobs(places().state)


def names_of(what: str, options: Options) -> Iterable[str]:
    """Return what a person may name: the ids of `jobs` or `questions`, or `hosts` by their names.

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
