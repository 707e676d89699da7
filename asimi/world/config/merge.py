"""Many layers become one.

Two sentences decide. A stronger layer wins, and a weaker one can only make it stricter. If no stronger layer says
anything the default holds, and a project's file can loosen a default only once it is trusted. What a team shares makes
stricter what all others came to, even a trusted project; what it may loosen is a part of the administrator's layer.

Entries and rules of all layers are simply added up, because a deny wins in whichever layer it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.judging.policy import CHANGED, UNTRUSTED
from asimi.core.judging.rules import REACH
from asimi.world.config.effective import OBSERVE, MergedLayers
from asimi.world.config.keys import INFINITE, KEYS, Key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from asimi.core.judging.rules import Rule
    from asimi.world.config.layer import Layer

_WHY = {
    "managed": "is never read from a project's file; it belongs in the administrator's",
    "never": "is never read from a project's file; it belongs in your own",
    "stricter": "can only be made stricter in a project's file",
}
"""Why a line of a project's file has no effect whether it is trusted or not, by what such a file may do to its key."""

_NOT_LOOSENED = "has no effect, because a team's policy only makes stricter what team.loosens does not name"


def merge_layers(layers: Sequence[Layer], trusted: Layer | None = None, changed: str = "") -> MergedLayers:
    """Merge layers, the strongest first.

    Args:
        layers: all of them.
        trusted: the project's layer that can loosen, if there is one.
        changed: that the project's file has changed since it was trusted, in words; empty where it has not.
    """
    layers = sorted(layers, key=lambda layer: layer.level == "team")  # which is the weakest, so it loosens nothing
    why = CHANGED if changed else UNTRUSTED
    notices: list[str] = [changed] if changed else []
    untrusted_note: list[str] = []  # notices that trust would change
    values: dict[str, Any] = {}
    sources: dict[str, tuple[str, ...]] = {}
    for key in KEYS:
        if key.kind in ("entries", "rules"):
            continue
        value: Any = key.default
        origin: tuple[Layer, ...] = ()
        for layer in layers:
            if key.name not in layer.values:
                continue
            new = layer.values[key.name]
            if layer.level == "team" and not _tightens(key, new, value, spoken=bool(origin)):
                notices += [] if new == value else [f"{layer.source(key.name)}: {key.name} {_NOT_LOOSENED}"]
                continue
            if layer.level == "project" and not _may(key, new, value, trusted=layer is trusted, spoken=bool(origin)):
                if new != value:
                    trusting = key.project == "trusted" and not origin and new != OBSERVE
                    told = untrusted_note if trusting else notices
                    because = _WHY["never"] if new == OBSERVE else _WHY.get(key.project, why)
                    told.append(f"{layer.source(key.name)}: {key.name} {because}")
                continue
            value, origin = _merge_value(key, value, origin, new, layer)
        values[key.name], sources[key.name] = value, tuple(layer.source(key.name) for layer in origin)
    spoken = next((layer for layer in layers if "unlisted" in layer.values), None)
    if values["unlisted"] == OBSERVE and (spoken is None or spoken.level != "user"):
        values["unlisted"] = "ask"  # only a person's own file may let everything be
    rules: list[Rule] = []
    untrusted: list[Rule] = []
    for layer in layers:
        for rule in layer.rules:
            if layer.level == "project" and (rule.outside or rule.host is not None):
                notices.append(f"{rule.source}: a rule with {'outside' if rule.outside else 'host'} {_WHY['never']}")
            elif rule.tool == REACH and rule.verdict is Verdict.ALLOW and layer.level == "project":
                notices.append(f"{rule.source}: {rule.entry} {_WHY['never']}")
            elif rule.verdict is Verdict.ALLOW and layer.level == "project" and layer is not trusted:
                untrusted.append(rule)
            elif rule.verdict is Verdict.ALLOW and layer.level == "team":
                notices.append(f"{rule.source}: {rule.entry} {_NOT_LOOSENED}")
            else:
                rules.append(rule)
    untrusted_note += [f"{rule.source}: {rule.entry} {why}" for rule in untrusted]
    for layer in reversed(layers):  # a host is that of the strongest layer that names it
        sources |= {f"hosts.{name}": (layer.source(f"hosts.{name}"),) for name, _ in layer.values.get("hosts", ())}
    own = [layer for layer in layers if layer.level not in ("project", "team")]
    return MergedLayers(
        values,
        sources,
        tuple(rules),
        tuple(untrusted),
        notices=(*notices, *untrusted_note),
        trust=bool(untrusted_note),
        untrusted_note=why,
        listed=next((layer.source("coreTools") for layer in own if "coreTools" in layer.text), None),
        placed=any("files.write" in layer.values for layer in own),
        named=any(layer.values.get("sandbox.network") == "named" for layer in own),
        back=tuple(each for layer in own for each in layer.values.get("files.secret", ((),))[0] if each[:1] == "!"),
    )


def stricter(key: Key, new: Any, old: Any) -> bool:
    """Return whether a value of a key is stricter than another."""
    if key.stricter == "less":
        return bool((INFINITE if new is None else new) < (INFINITE if old is None else old))
    return key.stricter == "first" and key.choices.index(new) < key.choices.index(old)


def _tightens(key: Key, new: Any, value: Any, *, spoken: bool) -> bool:
    """True if a team's policy may set this where it loosens nothing; `spoken` if another layer set it already."""
    if key.project == "never" and key.stricter == "less":
        return False  # less of the log is less, and not stricter
    if key.stricter == "all":
        return key.project == "stricter"
    return bool(key.stricter) and (spoken or stricter(key, new, value))


def _may(key: Key, new: Any, value: Any, *, trusted: bool, spoken: bool) -> bool:
    """Return whether a project's file may set this; `spoken` if a stronger layer set it already."""
    if key.project in ("never", "managed") or new == OBSERVE:
        return False
    if key.project == "trusted" and trusted:
        return True
    if key.stricter == "all":
        return key.project == "stricter"
    return spoken or stricter(key, new, value)


def _merge_value(
    key: Key, value: Any, origin: tuple[Layer, ...], new: Any, layer: Layer
) -> tuple[Any, tuple[Layer, ...]]:
    """Return the value and origin of a key, after one more, weaker layer."""
    if key.stricter == "all":
        return (*value, *(each for each in new if each not in value)), (*origin, layer)
    if not origin or stricter(key, new, value):
        return new, (layer,)
    if key.kind in {"variables", "hosts"}:
        return tuple((dict(new) | dict(value)).items()), (*origin, layer)
    return value, origin
