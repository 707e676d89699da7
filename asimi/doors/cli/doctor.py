"""`asimi doctor`: what works on this machine and what does not, and where asimi's files are."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from asimi import __version__
from asimi.compose import host_name, places, root_of
from asimi.compose.asking import NO_DIALOG, at_a_terminal
from asimi.compose.configuration import configuration_of, remote_of
from asimi.compose.gate import open_rehearsal, shell_of
from asimi.compose.hook import wants_resident
from asimi.compose.stores import checks_of
from asimi.core.call import Sandbox, ToolCall
from asimi.core.errors import AsimiError, Refusal
from asimi.core.extras import EXTRAS, is_installed, load
from asimi.core.judging.rules import entry_for
from asimi.core.values import NamedTuple
from asimi.doors.cli.printing import NO_FILE, fit, out
from asimi.doors.cli.probing import PROBES, probe
from asimi.doors.cli.progress import with_progress
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.doctor import hooked_agents
from asimi.tools.run_shell_command import RunShellCommandTool
from asimi.tools.waiting import outcome_of
from asimi.world.audit import reading
from asimi.world.executors.confining import ability, landlock, system
from asimi.world.host.nested import is_limited
from asimi.world.host.sockets import holds_peers
from asimi.world.host.state_files import KINDS, open_to_changes, unusable
from asimi.world.host.terminal import printable
from asimi.world.host.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.compose import Options

LONGEST_LOG = 64 << 20
"""Bytes of the longest log that is verified here, which takes some seconds."""

MOST_FAULTS = 5
"""Files that are named one by one."""

STATES = ("fault", "works", "to do", "note", "ok")
"""What a finding can be, in the order in which it is shown."""


class DoctorLine(NamedTuple):
    """One line of the examination.

    Attributes:
        state: `fault` for what keeps asimi from working, `works` for what was tried and held, `to do` for what a person
            should type, `note` for what is good to know, `ok` for what is all right and shown only if wanted.
        what: its subject.
        text: the finding.
    """

    state: str
    what: str
    text: str


def doctor(options: Options, stop_gate: bool = False, verbose: bool = False) -> int:  # noqa: FBT001, FBT002 - flags
    """Show what works on this machine, and what you should do.

    What keeps asimi from working comes first, with what to do; the exit code is 1 then. Next comes what works, each
    from a real try, and the commands that you should type. --verbose also shows what is all right, and where asimi's
    files are. To find it, asimi runs `true` as it runs any call, which leaves two lines in the log.
    """
    if stop_gate:
        from asimi.doors.hooks.resident import stop_gates  # not on Windows

        stopped = ", ".join(map(str, stop_gates(places().runtime)))
        out(f"The resident gate was ended (process {stopped})." if stopped else "No resident gate runs.")
        return 0
    findings = _examine(options)
    shown = [each for each in findings if verbose or each.state != "ok"]
    for finding in shown:
        out(fit(f"{finding.state:5}  {finding.what}: {printable(finding.text)}", indent=7))
    if not verbose:
        out(fit(f"ok     {len(findings) - len(shown)} more; see them with: asimi doctor --verbose", indent=7))
    return 1 if findings[0].state == "fault" else 0


def _examine(options: Options) -> list[DoctorLine]:
    """Return every finding: first what keeps asimi from working, and of that first what the call says that is tried."""
    version = ".".join(map(str, sys.version_info[:3]))
    found = [DoctorLine("ok", "asimi", f"{__version__}, Python {version}, {sys.platform}")]
    tried: list[DoctorLine] = []
    with _as_findings(tried, "call"):
        tried.extend(_call(options))
    said = "".join(each.text for each in tried if each.state == "fault")
    for part in PARTS if said else (_promises, *PARTS, _log):
        with _as_findings(found, part.__name__.strip("_")):
            found.extend(part(options._replace(host=None)))
    with _as_findings(found, "host"):
        found.extend(_hosts(options, reached=not said))
    found = tried + [each for each in found if each.state != "fault" or each.text not in said]
    return sorted(found, key=lambda each: STATES.index(each.state))


@contextmanager
def _as_findings(found: list[DoctorLine], what: str) -> Iterator[None]:
    """Make a finding of an error, so the parts behind it are still looked at."""
    try:
        yield
    except AsimiError as error:
        found.append(DoctorLine("fault", what, str(error)))
    except OSError as error:
        found.append(DoctorLine("fault", what, f"{error.filename or what}: {error.strerror}"))


def _call(options: Options) -> Iterator[DoctorLine]:
    """Say whether a call that is allowed runs: `true`, on the way of every call, with its two lines in the log."""
    told: list[str] = []
    gate = open_rehearsal(options, told.append)
    call = ToolCall("run_shell_command", {"command": "true"}, agent="doctor")
    outcome = outcome_of(gate.run(call, RunShellCommandTool()))
    if isinstance(outcome, Refusal):
        yield DoctorLine("fault", "call", str(outcome))
        return
    if outcome.failure is not None:
        yield DoctorLine("fault", "call", outcome.failure.message)
    elif outcome.exit_code != 0:
        ends = f"{gate.shell.path} ends with {outcome.exit_code} when it runs `true`"
        yield DoctorLine("fault", "call", f"{ends}; fix it, or put another bash first on PATH")
    else:
        yield DoctorLine("ok", "call", "`true` ran, as any command that is allowed would")
    for text in told:
        yield DoctorLine("note", "log", text)


def _shell(options: Options) -> Iterator[DoctorLine]:
    root = Workspace(root_of(options)).root
    yield DoctorLine("ok", "project root", root)
    shell = shell_of(root)
    shell.argv("true")  # raises where there is none
    if shell.kind == "plain":
        why = "older than 4.4, or its locale is not UTF-8, so asimi understands only plain commands"
        yield DoctorLine("note", "shell", f"{shell.path} {shell.version}, {why}")
    else:
        yield DoctorLine("works", "shell", f"{shell.path} {shell.version}".rstrip())


def _configuration(options: Options) -> Iterator[DoctorLine]:
    configuration = configuration_of(options)
    files = configuration.files()
    for level, path in files:
        yield DoctorLine("ok", f"{level} configuration", path)
    if not files:
        yield DoctorLine("to do", "rules", NO_FILE)
    elif not configuration.settings().undo.keep:
        yield DoctorLine("note", "undo", f"it is off here: no [undo] keep in {configuration.file}")
    for notice in configuration.notices():
        yield DoctorLine("note", "project", notice)


def _hosts(options: Options, *, reached: bool) -> Iterator[DoctorLine]:
    """Say what the chosen host says of itself, or that the configured ones were not tried.

    Args:
        options: what the caller chooses.
        reached: whether the call that was tried ran.
    """
    if not host_name(options):
        for host in configuration_of(options).settings().hosts:
            yield DoctorLine("note", f"host {host.name}", f"not tried; try it with: asimi doctor --host {host.name}")
        return
    remote = remote_of(options) if reached else None
    if remote is None:
        return
    what, facts = f"host {remote.name}", remote.facts
    yield DoctorLine(
        "works", what, f"{facts.user} on {facts.name}, asimi {facts.version}, {remote.seconds * 1000:.1f} ms away"
    )
    yield DoctorLine("works", what, f"project root {facts.root}, home {facts.home}")
    state = "works" if facts.shell.kind == "bash" else "note"
    yield DoctorLine(state, what, f"{facts.shell.path or 'no bash'} {facts.shell.version}".rstrip())
    yield (
        DoctorLine("works", what, "trusted: what it says of its files may allow something")
        if remote.trusted
        else DoctorLine("note", what, "not trusted: only entries by name allow something there")
    )
    for good, why in (
        ("sandboxes can be kept", remote.unkept(Sandbox("project"))),
        ("exec rules can be kept", remote.lacking_exec_rules()),
    ):
        yield DoctorLine("note", what, f"{good}: no, {why}") if why else DoctorLine("works", what, good)


def _checks(options: Options) -> Iterator[DoctorLine]:
    """Say whether the checks of the project may run as they are, where a rule is about checks."""
    configuration = configuration_of(options)
    root, checks = configuration.root, checks_of(configuration.places)
    if not any(rule.checks for rule in configuration.rules()) or not (now := checks.definitions(root)):
        return
    names = ", ".join(checks.names(root)) or "only below the project root"
    if checks.is_confirmed(root, now):
        yield DoctorLine("ok", "checks", f"confirmed as they are now: {names}")
    else:
        yield DoctorLine("to do", "checks", f"asked about ({names}); see and confirm them with: asimi trust")


def _hooks(_options: Options) -> Iterator[DoctorLine]:
    """Say which agents ask asimi before their commands."""
    names = hooked_agents(os.environ)
    for name in names:
        yield DoctorLine(
            "ok", "hook", f"{agent_of(name).title} has asimi's hook; test it with: asimi hook doctor {name}"
        )
    if not names:
        state, box = ("to do", "") if ability.lacking_bubblewrap() else ("note", " (in a box none needs it)")
        yield DoctorLine(state, "hooks", f"no agent has asimi's hook{box}; install it with: asimi hook install AGENT")


def _resident(_options: Options) -> Iterator[DoctorLine]:
    """Say whether a resident gate answers hooks."""
    if sys.platform != "linux":
        return
    from asimi.doors.hooks.resident import gates

    found = ", ".join(map(str, gates(places().runtime)))
    if found:
        yield DoctorLine("ok", "resident gate", f"process {found} answers hooks; end it with: asimi doctor --stop-gate")
    else:
        none = "none runs; the next hook of an agent leaves one behind"
        yield DoctorLine("ok", "resident gate", none if wants_resident() else "the configuration wants none")


def _extras(options: Options) -> Iterator[DoctorLine]:
    """Say what the extras find that have something to say."""
    for name, extra in EXTRAS.items():
        if extra.examined and is_installed(name):
            found: list[DoctorLine] = []
            with _as_findings(found, name):
                found.extend(load(name, "doctor").examined(options))
            yield from found


def _processes(_options: Options) -> Iterator[DoctorLine]:
    """Say how asimi recognises the processes of a call."""
    if sys.platform != "linux":
        how = "only by taskkill" if sys.platform == "win32" else "by ps: ASIMI_RUN, session and parents"
        yield DoctorLine("note", "processes", f"found {how}; not tested on this system")
        return
    pid = os.getpid()
    if os.path.exists(f"/proc/self/task/{pid}/children"):
        yield DoctorLine("ok", "processes", "found by mark, session and parents")
    else:
        yield DoctorLine("note", "processes", "this kernel lists no children; found by mark and session")
    if not hasattr(os, "pidfd_open"):
        yield DoctorLine("note", "processes", "this Python has no pidfd; a thread waits for each command")


def _answers(_options: Options) -> Iterator[DoctorLine]:
    """Say how well this machine tells a person who answers from a command that asimi runs."""
    if sys.platform != "linux":
        yield DoctorLine(
            "note", "answers", "a command that drops ASIMI_RUN and ASIMI_CLI could answer; only Linux tells"
        )
    elif is_limited():
        why = "this process has a hard limit of file locks (ulimit -Hx), as what asimi starts has"
        yield DoctorLine("note", "answers", f"nobody can answer here: {why}; start asimi where that is unlimited")
    elif holds_peers():
        yield DoctorLine("ok", "answers", "the kernel holds the process that answers")
    else:
        yield DoctorLine("note", "answers", "whoever answers is known by number and start; Linux 6.5 holds the process")


def _beneath(_options: Options) -> Iterator[DoctorLine]:
    """Say what this machine can hold commands to, whatever their text says."""
    if sys.platform != "linux":
        yield DoctorLine("note", "sandbox", "the box, sandboxes and exec rules need Linux")
        return

    known = system.landlock_version()
    signals = "" if known >= landlock.OF_SIGNALS else "; it stops no signals to processes outside (Linux 6.12 does)"
    switch = "the kernel's option lsm= must name landlock; a container's own filter may forbid it"
    rows = (
        ("to do", "bubblewrap", "it works", ability.lacking_bubblewrap(), "; without it there is no box (asimi wrap)"),
        ("note", "sandbox", f"kept by Landlock {known}{signals}", ability.lacking_landlock(), f"; {switch}"),
        ("note", "exec rules", "the kernel asks about what commands start", ability.lacking_exec_rules(), ""),
    )
    for state, what, good, why, more in rows:
        yield DoctorLine(state, what, f"not here: {why}{more}") if why else DoctorLine("ok", what, good)


def _outside(options: Options) -> Iterator[DoctorLine]:
    """Say which rules let commands out of a box."""
    rules = [entry_for(each._replace(outside=False)) for each in configuration_of(options).rules() if each.outside]
    if rules:
        more = f" and {len(rules) - MOST_RULES} more" if len(rules) > MOST_RULES else ""
        yield DoctorLine("ok", "out of a box", f"allowed for {', '.join(rules[:MOST_RULES])}{more}")


def _terminal(_options: Options) -> Iterator[DoctorLine]:
    if at_a_terminal():
        yield DoctorLine("ok", "terminal", "asimi can ask here")
    else:
        none = f"{NO_DIALOG}, so a question is a no"
        waits = "asimi cannot ask here; its questions wait for asimi approve and asimi watch"
        yield DoctorLine("note", "terminal", none if sys.platform == "win32" else waits)


def _log(_options: Options) -> Iterator[DoctorLine]:
    """Say whether the log is what was written."""
    directory = places().state
    size = sum(os.path.getsize(path) for path in reading.files(directory))
    if size > LONGEST_LOG:
        yield DoctorLine("note", "log", "too long to be checked here; check it with: asimi log verify")
        return
    try:
        faults = list(map(str, reading.verify(directory).faults))
    except AsimiError as error:
        faults = [str(error)]  # a call ran all the same, so the log is not required
    for fault in faults[:1]:
        yield DoctorLine("note", "log", f"{fault}; all of it: asimi log verify")


def _promises(_options: Options) -> Iterator[DoctorLine]:
    """Say which promises hold here, each from a real try."""
    found = [DoctorLine(*each) for each in with_progress(probe(), "Trying what asimi promises", len(PROBES))]
    yield from found
    if kept := ", ".join(each.what for each in found if each.state == "ok"):
        yield DoctorLine("works", kept, "each was tried just now, in a project made for it")


def _files(_options: Options) -> Iterator[DoctorLine]:
    """Say what of asimi's own files cannot be used, then each kind: path, mode, and who deletes it."""
    here = places()
    faults = list(unusable(here))
    for fault in faults[:MOST_FAULTS]:
        yield DoctorLine("fault", "files", fault)
    if len(faults) > MOST_FAULTS:
        yield DoctorLine("fault", "files", f"{len(faults) - MOST_FAULTS} more below {here.state} or {here.runtime}")
    for text in open_to_changes(here):
        yield DoctorLine("note", "configuration", text)
    for kind in KINDS:
        path = kind.path(here)
        try:
            mode = f"{stat.S_IMODE(os.stat(path).st_mode):04o}"
        except OSError:
            mode = "none"
        yield DoctorLine("ok", kind.what, f"{path} ({mode}; {kind.keeper})")


MOST_RULES = 3
"""Rules that one line names; it counts the rest."""

PARTS = (
    _shell,
    _configuration,
    _checks,
    _hooks,
    _resident,
    _extras,
    _processes,
    _answers,
    _beneath,
    _outside,
    _terminal,
    _files,
)
"""What is looked at whether a call can run or not."""
