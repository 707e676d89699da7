"""What all layers came to, kept for the next start, and the settings that it means here and now."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from asimi.core.call import Limits, Sandbox, Undo, Verdict
from asimi.core.errors import ConfigError
from asimi.core.judging.known import SECRET
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import REACH, Rule
from asimi.core.judging.zones import Files
from asimi.core.programs.program import NONE
from asimi.core.settings import (
    AuditSettings,
    BoxSettings,
    Environment,
    Host,
    NetworkSettings,
    SessionSettings,
    Settings,
    State,
    Team,
    Telemetry,
    command_environment,
)
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from asimi.core.judging.auto_sandbox import AutoSandbox
    from asimi.core.judging.checks import Checks
    from asimi.core.judging.guard import Guard
    from asimi.core.kinds import Network, SandboxMode
    from asimi.core.programs.program import Program
    from asimi.core.settings import RemoteMachine


OBSERVE = "observe"
"""The value of `unlisted` by which what no rule decides is only observed; only a person's own file can say so."""

KEPT = tuple(name for name in Sandbox._fields if name not in {"bounded", "repository", "alone"})
"""The keys of `[sandbox]`."""


class MergedLayers(NamedTuple):
    """The result of merging.

    Attributes:
        values: the value of every key except lists and rules.
        sources: where each of them is written, `FILE:LINE`, the strongest first, and each host; nothing for a default.
        rules: the rules in force.
        untrusted: the rules of a project's file that would be in force if it were trusted.
        notices: the lines of a project's file that have no effect, each with FILE:LINE.
        trust: whether some of them would have an effect if the project's file were trusted.
        untrusted_note: why they have none, in words.
        listed: where the strongest `coreTools` is, `FILE:LINE`.
        back: the patterns by which a person's own layers take files back from the secrets.
        placed: whether one of these says where commands may write; what a project or a team says of that only narrows.
        named: whether one of these gives a sandbox the network by name; else what nothing lists gets none of it.
    """

    values: dict[str, Any]
    sources: dict[str, tuple[str, ...]]
    rules: tuple[Rule, ...]
    untrusted: tuple[Rule, ...]
    notices: tuple[str, ...]
    trust: bool
    untrusted_note: str
    listed: str | None
    back: tuple[str, ...]
    placed: bool
    named: bool

    @property
    def auto_network(self) -> Network:
        """Return what the sandbox of what nothing lists leaves of the network; a project or a team never opens it."""
        return "named" if self.named and self.values["sandbox.network"] == "named" else "none"

    def source(self, name: str) -> str | None:
        """Return where the value of a key is written; None for a default."""
        return next(iter(self.sources.get(name, ())), None)


def host_of(what: MergedLayers, name: str) -> Host:
    """Return the host of a name.

    Raises:
        ConfigError: no layer names it.
    """
    hosts = dict(what.values["hosts"])
    if name not in hosts:
        known = f"there are {', '.join(hosts)}" if hosts else "there is none yet"
        raise ConfigError(f"there is no host {name!r:.80} under [hosts]; {known} (asimi help hosts)")
    return hosts[name]  # type: ignore[no-any-return]  # what `keys` has read


def sandbox_of(what: MergedLayers) -> Sandbox:
    """Return what holds every command."""
    return Sandbox(**{name: what.values[f"sandbox.{name}"] for name in KEPT})


def settings_of(
    what: MergedLayers,
    now: float,
    environ: Mapping[str, str],
    guard: Callable[[Files, str], Guard] | None = None,
    checks: Checks | None = None,
    *,
    behind: bool = False,
    boxed: bool = False,
    observing: bool = False,
    least: SandboxMode = "off",
    there: RemoteMachine | None = None,
    described: Mapping[str, Program] = NONE,
    waiting: Mapping[str, str] | None = None,
) -> Settings:
    """Return the settings, without the rules that have ended.

    Args:
        what: the merged layers.
        now: the time, in seconds since the epoch.
        environ: the environment that commands inherit.
        guard: makes what finds which files a request would touch; see `Policy`.
        checks: tells the project's checks; see `Policy`.
        behind: whether it is behind an agent's hook, where substitutions are judged unless that is said otherwise.
        boxed: whether a box holds the agent and all that it starts.
        observing: whether what is only observed, where the layers say so, still is.
        least: the laxest mode of a sandbox that every command runs in, whatever the layers say.
        there: where commands run, if that is another machine.
        described: the programs that somebody described; see `Policy`.
        waiting: those that are described where it does not count; see `Policy`.

    Raises:
        ConfigError: no layer names that machine.
    """
    values = what.values
    auto = "judge" if behind else "refuse"
    untrusted_host = "" if there is None or host_of(what, there.host).trusted else there.host
    guarding = None if guard is None else guard(files_of(what), untrusted_host)
    files = None if guarding is None else guarding.files
    sandbox = sandbox_of(what).at_least(least)
    environment = Environment(**{name: values[f"environment.{name}"] for name in Environment._fields})

    def without_expired(rules: Iterable[Rule]) -> tuple[Rule, ...]:
        return tuple(rule for rule in rules if rule.expires is None or rule.expires > now)

    names = tuple(rule for rule in what.rules if rule.tool == REACH)
    commands = tuple(rule for rule in what.rules if rule.tool != REACH) if names else what.rules
    policy = Policy(
        without_expired((*commands, *there.denies) if there is not None else commands),
        Terms(
            unlisted=Verdict.DENY if values["unlisted"] == "reject" else Verdict.ASK,
            substitution=auto if values["shell.substitution"] == "auto" else values["shell.substitution"],
            wrappers=values["wrappers.commands"],
            exported=command_environment(environ, environment).keys(),
            free=environment.free,
            protected=guarding,
            checks=checks
            if checks is None or guarding is None or files is None
            else checks.without_files(guarding.keeps),
            placed=what.placed and guarding is not None and guarding.has_write_limits,
            listed=what.source("unlisted") or what.listed if any(rule.effects for rule in what.rules) else what.listed,
            untrusted=without_expired(rule for rule in what.untrusted if rule.tool != REACH),
            untrusted_note=what.untrusted_note,
            sandbox=sandbox,
            behind=behind,
            enclosure=_enclosure(guarding, what.auto_network)
            if values["unlisted"] == "sandbox" and not (behind or untrusted_host)
            else None,
            untrusted_host=untrusted_host,
            beside=(lambda _: False) if files is None else files.is_beside,
            described=described,
            waiting=waiting,
            boxed=boxed,
            observing=observing and behind and not boxed and values["unlisted"] == OBSERVE,
            opened=() if files is None or not boxed else (files.root,),
        ),
    )
    everywhere = values["shell.enforce"] == "exec"
    enforced = tuple(rule for rule in policy.rules if rule.enforceable and (everywhere or rule.enforced))
    return Settings(
        policy,
        Limits(**{name: values[f"limits.{name}"] for name in Limits._fields}),
        environment,
        SessionSettings(**{name: values[f"session.{name}"] for name in SessionSettings._fields}),
        AuditSettings(**{name: values[f"audit.{name}"] for name in AuditSettings._fields}),
        State(values["limits.state_bytes"], values["limits.state_age"]),
        enforced,
        tuple(host for _, host in values["hosts"]),
        team=team_of(what),
        telemetry=Telemetry(**{name: values[f"telemetry.{name}"] for name in Telemetry._fields}),
        box=BoxSettings(**{name: values[f"box.{name}"] for name in BoxSettings._fields}),
        network=NetworkSettings(
            values["network.allow"],
            values["network.deny"],
            values["network.unlisted"],
            values["network.private"],
            without_expired(names),
        ),
        undo=undo_of(what),
        resident=values["hook.resident"],
    )


def undo_of(what: MergedLayers) -> Undo:
    """Return what is kept of a project."""
    return Undo(*(what.values[f"undo.{name}"] for name in ("keep", "include", "except", "rebuild")))


def team_of(what: MergedLayers) -> Team:
    """Return the team that this machine belongs to.

    Raises:
        ConfigError: something that it needs is missing.
    """
    team = Team(**{name: what.values[f"team.{name}"] for name in Team._fields})
    if team == Team():
        return team
    for name in ("server", "machine", "credentials"):
        if not getattr(team, name):
            said = next(filter(None, (what.source(f"team.{each}") for each in Team._fields)))
            raise ConfigError(f"{said}: [team] needs {name} as well")
    return team


def _enclosure(guard: Guard | None, network: Network) -> AutoSandbox | None:
    """Return what makes the sandbox of what nothing lists."""
    if guard is None:
        return None
    from asimi.core.judging.auto_sandbox import AutoSandbox

    return AutoSandbox(guard, network)


def files_of(what: MergedLayers) -> Files:
    """Return what all layers say of files; what a person's own layers take back, they take from the default secrets."""
    secret = ((*SECRET, *what.back), *what.values["files.secret"])
    values = what.values
    undo = undo_of(what)
    return Files(
        values["files.write"], secret, values["files.deny"], values["files.beside"], undo if undo.keep else None
    )


ELSEWHERE = "here, because the agent starts the command itself; give the agent asimi's own tools (`asimi mcp`), or"
"""Why the kernel cannot hold what an agent runs, and what to do."""
EXEC_MACHINES = ("x86_64", "aarch64")
"""The machines whose kernel can ask about executions, as `uname -m` has them."""


def lacking_here() -> str:
    """Return why exec rules cannot be kept on this machine, in words; empty where they can."""
    if sys.platform == "linux" and os.uname().machine in EXEC_MACHINES:
        return ""
    return f"on this machine: it needs Linux on {' or '.join(EXEC_MACHINES)}"


def drop_unsafe_rules(what: MergedLayers, opens: Callable[[Sandbox], str]) -> MergedLayers:
    """Return the same without the rules whose sandbox would open asimi's own files in this project, which are notices.

    What they are about is asked about then. So a rule for every project is no fault where a person works in their home.

    Args:
        what: the merged layers.
        opens: which of these files a sandbox would open, in words; empty where it opens none.
    """
    kept, notices, sandbox = [], list(what.notices), sandbox_of(what)
    for rule in what.rules:
        if rule.sandbox != "off" and (why := opens(sandbox.at_least(rule.sandbox))):
            notices.append(f"{rule.source}: {rule.entry} has no effect in this project: {why}")
        else:
            kept.append(rule)
    return what._replace(rules=tuple(kept), notices=tuple(notices)) if len(kept) < len(what.rules) else what


def check_kept(
    what: MergedLayers,
    settings: Settings,
    unkept: Callable[[Sandbox], str] | None,
    opens: Callable[[Sandbox], str],
    *,
    behind: bool,
    lacking: Callable[[], str] = lacking_here,
) -> None:
    """Make sure that what should hold commands beneath their text can hold where they are started.

    Args:
        what: the merged layers.
        settings: what they came to.
        unkept: why this machine cannot keep a sandbox, in words; empty where it can. None where nothing is started.
        opens: which file of asimi's own a sandbox would open, in words; empty where it opens none.
        behind: whether an agent starts what is allowed.
        lacking: why exec rules cannot be kept where commands are started, in words; empty where they can.

    Raises:
        ConfigError: it cannot; the message names the line that asks for it.
    """
    policy, enforced = settings.policy, settings.enforced
    key = what.source("sandbox.mode")
    asked = [(key, policy.terms.sandbox)] if policy.terms.sandbox.mode != "off" else []
    if enforced:
        source = enforced[0].source if enforced[0].enforced else what.source("shell.enforce")
        instead = "remove it, and the rule holds for the text of commands"
        if behind:
            raise _unkept(f'enforce = "exec" cannot hold {ELSEWHERE} {instead}', source)
        if why := lacking():
            raise _unkept(f'enforce = "exec" cannot hold {why}; {instead}', source)
    if behind and asked:
        instead = "confine single commands by rules with `sandbox`"
        raise _unkept(f'sandbox.mode = "{policy.terms.sandbox.mode}" cannot hold {ELSEWHERE} {instead}', key)
    if unkept is None or behind:
        return
    if what.values["unlisted"] == "sandbox":
        asked.append((what.source("unlisted"), Sandbox("project", (), what.auto_network, backend="bubblewrap")))
    asked += [(rule.source, policy.terms.sandbox.at_least(rule.sandbox)) for rule in policy.confined]
    for source, sandbox in asked:
        if why := unkept(sandbox) or opens(sandbox):
            raise _unkept(f"this sandbox cannot be kept here: {why}", _at_fault(what, why) or source)


def idle(what: MergedLayers, settings: Settings, root: str) -> tuple[str, ...]:
    """Return what is written to hold commands beneath their text and holds none, or lets none start, with FILE:LINE.

    Args:
        what: the merged layers.
        settings: what they came to.
        root: the project root.
    """
    policy, writable = settings.policy, "sandbox.writable"
    if policy.terms.sandbox.mode == "off" and not policy.confined and what.values["unlisted"] != "sandbox":
        names = [f"sandbox.{name}" for name in KEPT if name != "mode"]
        why = "has no effect, because neither sandbox.mode nor a rule's `sandbox` asks for a sandbox"
        notes = []
        if said := [name for name in names if what.sources[name]]:
            from asimi.world.config.keys import BY_NAME

            said = [name for name in said if what.values[name] != BY_NAME[name].default]
            notes = [f"{what.source(name)}: {name} {why}" for name in said]
    else:
        why = "is not there, so a sandbox that may write in the project starts nothing; make it, or take it out"
        there = {
            each: os.path.isdir(os.path.join(root, os.path.expanduser(each))) for each in policy.terms.sandbox.writable
        }
        notes = [
            f"{what.source(writable)}: the directory {each!r} of {writable} {why}" for each in there if not there[each]
        ]
    if what.values["shell.enforce"] == "exec" and not settings.enforced:
        why = "has no effect, because no deny rule or excludeTools entry names a program"
        notes.append(f"{what.source('shell.enforce')}: shell.enforce {why}")
    return tuple(notes)


def _at_fault(what: MergedLayers, why: str) -> str | None:
    """Return where the key of `[sandbox]` that a reason begins with, in backquotes, is written; None without one."""
    name = f"sandbox.{why[1:].partition('`')[0]}"
    return what.source(name) if why.startswith("`") and name in what.sources else None


def _unkept(message: str, source: str | None) -> ConfigError:
    """Return the error that something cannot be kept, with the line that asks for it; without one, an option does."""
    path, _, line = (source or "").rpartition(":")
    return ConfigError(message, path, int(line)) if path else ConfigError(f"{message} ({source or '--sandbox'})")
