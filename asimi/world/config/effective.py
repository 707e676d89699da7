"""What all layers came to, and the settings that it means here and now."""

from __future__ import annotations

from asimi.core.call import Limits, Sandbox, Verdict
from asimi.core.environment import prepared
from asimi.core.errors import ConfigError
from asimi.core.judging.known import SECRET
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.zones import Files
from asimi.core.programs.program import NONE
from asimi.core.settings import Asking, BoxSettings, Environment, Logging, Settings, State, Team, Telemetry
from asimi.core.startup import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from asimi.core.judging.auto_sandbox import AutoSandbox
    from asimi.core.judging.checks import Checks
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import SandboxMode
    from asimi.core.programs.program import Program
    from asimi.core.settings import Host, There

KEPT = tuple(name for name in Sandbox._fields if name not in {"bounded", "repository", "alone"})
"""The keys of `[sandbox]`."""


class Merged(NamedTuple):
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

    def source(self, name: str) -> str | None:
        """Return where the value of a key is written; None for a default."""
        return next(iter(self.sources.get(name, ())), None)


def host_of(what: Merged, name: str) -> Host:
    """Return the host of a name.

    Raises:
        ConfigError: no layer names it.
    """
    hosts = dict(what.values["hosts"])
    if name not in hosts:
        known = f"there are {', '.join(hosts)}" if hosts else "there is none yet"
        raise ConfigError(f"there is no host {name!r:.80} under [hosts]; {known} (asimi help hosts)")
    return hosts[name]  # type: ignore[no-any-return]  # what `keys` has read


def sandbox_of(what: Merged) -> Sandbox:
    """Return what holds every command."""
    return Sandbox(**{name: what.values[f"sandbox.{name}"] for name in KEPT})


def settings_of(
    what: Merged,
    now: float,
    environ: Mapping[str, str],
    guard: Callable[[Files, str], Guard] | None = None,
    checks: Checks | None = None,
    *,
    behind: bool = False,
    boxed: bool = False,
    least: SandboxMode = "off",
    there: There | None = None,
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

    def lasting(rules: Iterable[Rule]) -> tuple[Rule, ...]:
        return tuple(rule for rule in rules if rule.expires is None or rule.expires > now)

    policy = Policy(
        lasting((*what.rules, *there.denies) if there is not None else what.rules),
        Terms(
            unlisted=Verdict.DENY if values["unlisted"] == "reject" else Verdict.ASK,
            substitution=auto if values["shell.substitution"] == "auto" else values["shell.substitution"],
            wrappers=values["wrappers.commands"],
            exported=prepared(environ, environment).keys(),
            free=environment.free,
            protected=guarding,
            checks=checks if checks is None or guarding is None or files is None else checks.keeping(guarding.keeps),
            placed=what.placed and guarding is not None and guarding.placed,
            listed=what.source("unlisted") or what.listed if any(rule.effects for rule in what.rules) else what.listed,
            untrusted=lasting(what.untrusted),
            untrusted_note=what.untrusted_note,
            sandbox=sandbox,
            behind=behind,
            enclosure=_enclosure(guarding)
            if values["unlisted"] == "sandbox" and not (behind or untrusted_host)
            else None,
            untrusted_host=untrusted_host,
            beside=(lambda _: False) if files is None else files.is_beside,
            described=described,
            waiting=waiting,
            boxed=boxed,
        ),
    )
    everywhere = values["shell.enforce"] == "exec"
    enforced = tuple(rule for rule in policy.rules if rule.enforceable and (everywhere or rule.enforced))
    return Settings(
        policy,
        Limits(**{name: values[f"limits.{name}"] for name in Limits._fields}),
        environment,
        Asking(**{name: values[f"session.{name}"] for name in Asking._fields}),
        Logging(**{name: values[f"audit.{name}"] for name in Logging._fields}),
        State(values["limits.state_bytes"], values["limits.state_age"]),
        enforced,
        tuple(host for _, host in values["hosts"]),
        team=team_of(what),
        telemetry=Telemetry(**{name: values[f"telemetry.{name}"] for name in Telemetry._fields}),
        box=BoxSettings(**{name: values[f"box.{name}"] for name in BoxSettings._fields}),
    )


def team_of(what: Merged) -> Team:
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


def _enclosure(guard: Guard | None) -> AutoSandbox | None:
    """Return what makes the sandbox of what nothing lists."""
    if guard is None:
        return None
    from asimi.core.judging.auto_sandbox import AutoSandbox

    return AutoSandbox(guard)


def files_of(what: Merged) -> Files:
    """Return what all layers say of files; what a person's own layers take back, they take from the default secrets."""
    secret = ((*SECRET, *what.back), *what.values["files.secret"])
    return Files(what.values["files.write"], secret, what.values["files.deny"], what.values["files.beside"])
