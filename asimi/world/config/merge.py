"""Many layers become one set of settings.

Two sentences decide. A stronger layer wins, and a weaker one can only make it stricter. If no stronger layer says
anything the default holds, and a project's file can loosen a default only once it is trusted.

Entries and rules of all layers are simply added up, because a deny wins in whichever layer it is.
"""

from __future__ import annotations

from asimi.core.call import Limits, Sandbox, Verdict
from asimi.core.environment import prepared
from asimi.core.errors import ConfigError
from asimi.core.judging.files import Files
from asimi.core.judging.known_files import SECRET
from asimi.core.judging.policy import CHANGED, UNTRUSTED, Policy
from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.core.settings import Asking, Environment, Logging, Settings, State, Team
from asimi.world.config.keys import INFINITE, KEYS, Key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from asimi.core.judging.checks import Checks
    from asimi.core.judging.enclosure import Enclosure
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import SandboxMode
    from asimi.core.settings import Host, There
    from asimi.world.config.layer import Layer


KEPT = tuple(name for name in Sandbox._fields if name != "bounded")
"""The keys of `[sandbox]`."""


_WHY = {
    "managed": "is never read from a project's file; it belongs in the administrator's",
    "never": "is never read from a project's file; it belongs in your own",
    "stricter": "can only be made stricter in a project's file",
}
"""Why a line of a project's file has no effect whether it is trusted or not, by what such a file may do to its key."""


class Merged(NamedTuple):
    """The result of merging.

    Attributes:
        values: the value of every key except lists and rules.
        origins: the layers each of them comes from; none for a default.
        rules: the rules in force.
        untrusted: the rules of a project's file that would be in force if it were trusted.
        notices: the lines of a project's file that have no effect, each with FILE:LINE.
        trust: whether some of them would have an effect if the project's file were trusted.
        vain: why they have none, in words.
        layers: all layers, the strongest first.
    """

    values: dict[str, Any]
    origins: dict[str, tuple[Layer, ...]]
    rules: tuple[Rule, ...]
    untrusted: tuple[Rule, ...]
    notices: tuple[str, ...]
    trust: bool
    vain: str
    layers: tuple[Layer, ...]

    def source(self, name: str) -> str | None:
        """Where the value of a key is written, `FILE:LINE`; None for a default."""
        return next((layer.source(name) for layer in self.origins[name]), None)

    def listed(self) -> str | None:
        """Where the strongest `coreTools` is, `FILE:LINE`."""
        own = (layer for layer in self.layers if layer.level != "project" and "coreTools" in layer.text)
        return next((layer.source("coreTools") for layer in own), None)


def merged(layers: Sequence[Layer], trusted: Layer | None = None, changed: str = "") -> Merged:
    """Merge layers, the strongest first.

    Args:
        layers: all of them.
        trusted: the project's layer that can loosen, if there is one.
        changed: that the project's file has changed since it was trusted, in words; empty where it has not.
    """
    why = CHANGED if changed else UNTRUSTED
    notices: list[str] = [changed] if changed else []
    vain: list[str] = []  # notices that trust would change
    values: dict[str, Any] = {}
    origins: dict[str, tuple[Layer, ...]] = {}
    for key in KEYS:
        if key.kind in ("entries", "rules"):
            continue
        value: Any = key.default
        origin: tuple[Layer, ...] = ()
        for layer in layers:
            if key.name not in layer.values:
                continue
            new = layer.values[key.name]
            if layer.level == "project" and not _may(key, new, value, trusted=layer is trusted, spoken=bool(origin)):
                if new != value:
                    told = vain if key.project == "trusted" and not origin else notices
                    told.append(_notice(layer, key.name, key.project, why))
                continue
            value, origin = _joined(key, value, origin, new, layer)
        values[key.name], origins[key.name] = value, origin
    rules: list[Rule] = []
    untrusted: list[Rule] = []
    for layer in layers:
        for rule in layer.rules:
            if rule.host is not None and layer.level == "project":
                notices.append(f"{rule.source}: a rule with host {_WHY['never']}")
            elif rule.verdict is Verdict.ALLOW and layer.level == "project" and layer is not trusted:
                untrusted.append(rule)
            else:
                rules.append(rule)
    vain += [f"{rule.source}: {rule.entry} {why}" for rule in untrusted]
    return Merged(values, origins, tuple(rules), tuple(untrusted), (*notices, *vain), bool(vain), why, tuple(layers))


def host_of(what: Merged, name: str) -> Host:
    """The host of a name.

    Raises:
        ConfigError: no layer names it.
    """
    hosts = dict(what.values["hosts"])
    if name not in hosts:
        known = f"there are {', '.join(hosts)}" if hosts else "there is none yet"
        raise ConfigError(f"there is no host {name!r:.80} under [hosts]; {known} (asimi help hosts)")
    return hosts[name]  # type: ignore[no-any-return]  # what `keys` has read


def sandbox_of(what: Merged) -> Sandbox:
    """What holds every command."""
    return Sandbox(**{name: what.values[f"sandbox.{name}"] for name in KEPT})


def settings_of(
    what: Merged,
    now: float,
    environ: Mapping[str, str],
    guard: Callable[[Files, str], Guard] | None = None,
    checks: Checks | None = None,
    *,
    behind: bool = False,
    least: SandboxMode = "off",
    there: There | None = None,
) -> Settings:
    """The settings, without the rules that have ended.

    Args:
        what: the merged layers.
        now: the time, in seconds since the epoch.
        environ: the environment that commands inherit.
        guard: makes what finds which files a request would touch; see `Policy`.
        checks: tells the project's checks; see `Policy`.
        behind: whether it is behind an agent's hook, where substitutions are judged unless that is said otherwise.
        least: the laxest mode of a sandbox that every command runs in, whatever the layers say.
        there: where commands run, if that is another machine.

    Raises:
        ConfigError: no layer names that machine.
    """
    values = what.values
    auto = "judge" if behind else "refuse"
    doubted = "" if there is None or host_of(what, there.host).trusted else there.host
    guarding = None if guard is None else guard(files_of(what), doubted)
    sandbox = sandbox_of(what).at_least(least)
    environment = Environment(**{name: values[f"environment.{name}"] for name in Environment._fields})

    def lasting(rules: Iterable[Rule]) -> tuple[Rule, ...]:
        return tuple(rule for rule in rules if rule.expires is None or rule.expires > now)

    policy = Policy(
        lasting((*what.rules, *there.denies) if there is not None else what.rules),
        unlisted=Verdict.DENY if values["unlisted"] == "reject" else Verdict.ASK,
        substitution=auto if values["shell.substitution"] == "auto" else values["shell.substitution"],
        wrappers=values["wrappers.commands"],
        exported=prepared(environ, environment).keys(),
        free=environment.free,
        protected=guarding,
        checks=checks,
        placed=guarding is not None and guarding.placed,
        listed=what.listed,
        untrusted=lasting(what.untrusted),
        vain=what.vain,
        sandbox=sandbox,
        behind=behind,
        enclosure=_enclosure(guarding) if values["unlisted"] == "sandbox" and not (behind or doubted) else None,
        doubted=doubted,
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
    )


def team_of(what: Merged) -> Team:
    """The team that this machine belongs to.

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


def _enclosure(guard: Guard | None) -> Enclosure | None:
    """What makes the sandbox of what nothing lists."""
    if guard is None:
        return None
    from asimi.core.judging.enclosure import Enclosure

    return Enclosure(guard)


def files_of(what: Merged) -> Files:
    """What all layers say of files; what a person's own layers take back, they take from the secrets of the default."""
    own = [layer.values.get("files.secret", ((),))[0] for layer in what.layers if layer.level != "project"]
    back = [pattern for layer in own for pattern in layer if pattern.startswith("!")]
    added = what.values["files.secret"]
    return Files(what.values["files.write"], ((*SECRET, *back), *added), what.values["files.deny"])


def stricter(key: Key, new: Any, old: Any) -> bool:
    """Whether a value of a key is stricter than another."""
    if key.stricter == "less":
        return bool((INFINITE if new is None else new) < (INFINITE if old is None else old))
    return key.stricter == "first" and key.choices.index(new) < key.choices.index(old)


def _may(key: Key, new: Any, value: Any, *, trusted: bool, spoken: bool) -> bool:
    """Whether a project's file may set this; `spoken` if a stronger layer set it already."""
    if key.project in ("never", "managed"):
        return False
    if key.project == "trusted" and trusted:
        return True
    if key.stricter == "all":
        return key.project == "stricter"
    return spoken or stricter(key, new, value)


def _joined(key: Key, value: Any, origin: tuple[Layer, ...], new: Any, layer: Layer) -> tuple[Any, tuple[Layer, ...]]:
    """The value and origin of a key, after one more, weaker layer."""
    if key.stricter == "all":
        return (*value, *(each for each in new if each not in value)), (*origin, layer)
    if not origin or stricter(key, new, value):
        return new, (layer,)
    if key.kind in {"variables", "hosts"}:
        return tuple((dict(new) | dict(value)).items()), (*origin, layer)
    return value, origin


def _notice(layer: Layer, name: str, right: str, vain: str) -> str:
    return f"{layer.source(name)}: {name} {_WHY.get(right, vain)}"
