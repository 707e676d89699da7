"""The configuration as `policy lint` looks at it: each rule and each pattern of files, with where it is written."""

from __future__ import annotations

import time
from shlex import quote
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.known import SECRET
from asimi.extras.advice.linting import flaws
from asimi.extras.advice.linting.ground import Ground, Pattern, Written
from asimi.world.config.effective import files_of
from asimi.world.config.toml import lines_of, source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from asimi.core.judging.guard import Guard
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.zones import Files
    from asimi.extras.advice.linting.ground import Flaw
    from asimi.world.config.effective import MergedLayers
    from asimi.world.config.layer import Layer

PATTERNS = ("files.write", "files.secret", "files.deny")
"""The keys whose values are patterns of files."""


def flaws_of(
    what: MergedLayers,
    layers: Sequence[Layer],
    policy: Policy,
    guard: Callable[[Files, str], Guard] | None,
    root: str,
    state: str,
    watched: Callable[[Sequence[Written]], Iterable[Written]],
) -> list[Flaw]:
    """Return what is wrong with a configuration that can be used.

    Args:
        what: the merged layers.
        layers: each of them, the strongest first.
        policy: what they came to.
        guard: makes what finds which files a request would touch, and knows this machine.
        root: the project root.
        state: the directory below which asimi keeps what holds in one project.
        watched: gives the rules on, one by one, where each takes a while.
    """
    assert guard is not None  # only a configuration that nobody asks has none
    counted = {*what.rules, *what.untrusted}
    rules = [
        Written(rule, layer.level, here, _removal(layer.level, rule.entry, here=here))
        for layer in layers
        for here in [is_below(layer.path, state)]
        for rule in layer.rules
        if rule in counted
    ]
    machine = guard(files_of(what), "").machine
    return flaws(Ground(rules, list(_patterns(layers)), policy, machine, root, time.time(), watched))


def _removal(level: str, entry: str, *, here: bool) -> str:
    """Return how to take a rule out."""
    if level == "team":
        return "an administrator of the team can publish a policy without it"
    if level not in {"approved", "imported"}:
        return "take it out"
    return f"asimi policy remove {'--project ' if here else ''}{quote(entry)}"


def _patterns(layers: Sequence[Layer]) -> Iterator[Pattern]:
    for name in PATTERNS:
        known = SECRET if name == "files.secret" else ()
        every = (*known, *(text for layer in layers for texts in layer.values.get(name, ()) for text in texts))
        for layer in layers:
            for texts in layer.values.get(name, ()):
                for at, text in enumerate(texts):
                    source = source_of(layer.path, lines_of(layer.text), (*layer.way, *name.split("."), at))
                    yield Pattern(name, text, source, (*known, *texts[:at]) if text[0] == "!" else (), every)
