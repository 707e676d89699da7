"""Leads a person through the choice of a preset, and shows the file before it is written."""

from __future__ import annotations

import os

from asimi.compose.asking import choose
from asimi.core.startup import TYPE_CHECKING
from asimi.core.wording.dialog import Choice, Menu, Section
from asimi.doors.cli.printing import out
from asimi.world.config.presets import PRESETS, beginning
from asimi.world.host.streams import printable
from asimi.world.host.terminal import short_path, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.world.config import Configuration
    from asimi.world.config.presets import Preset

WRITE = Choice("y", "write", "write it", "write it")
OTHER = Choice("b", "back", "choose another", "back")

MOST_CHECKS = 6
"""Checks that are shown one by one, so that all fits on a screen."""

LONGEST = 120
"""Characters that are shown of what a check runs."""


def wanted(configuration: Configuration, checks: Sequence[tuple[str, str]]) -> Preset | None:
    """Return the preset that the person at the terminal chose and whose file they want; None if they leave.

    Args:
        configuration: whose file it is.
        checks: those of the project, each with what it runs.
    """
    names = {Choice(name[0], name, name, name): name for name in PRESETS}
    presets = Section("", tuple((f"[{choice.key}] {name}", PRESETS[name]) for choice, name in names.items()))
    first = Menu("asimi: what runs without asking?", (presets, _found(configuration.root, checks)), tuple(names))
    while (choice := choose(first)) in names:
        preset = names[choice]
        out("\n".join(f"  | {printable(line)}".rstrip() for line in beginning(configuration, preset).splitlines()))
        answer = choose(_last(configuration, preset, checks))
        if answer == WRITE:
            return preset
        if answer != OTHER:
            break
    return None


def _found(root: str, checks: Sequence[tuple[str, str]]) -> Section:
    """Return the checks of the project, of which a preset allows more."""
    if not checks:
        return Section(f"No checks were found in {short_path(root)}; `asimi trust` confirms those of a project.")
    rows = tuple((name, shortened(runs or "?", LONGEST)) for name, runs in checks[:MOST_CHECKS])
    more = len(checks) - MOST_CHECKS
    words = f"Checks of {short_path(root)}, which run code that the agent may have written:"
    return Section(words, (*rows, (f"and {more} more", "not shown here")) if more > 0 else rows)


def _last(configuration: Configuration, preset: Preset, checks: Sequence[tuple[str, str]]) -> Menu:
    """Return the question whether to write the file that was shown."""
    place = short_path(configuration.file)
    there = os.path.lexists(configuration.file)
    does = f"This replaces {place} and everything it denies." if there else f"It goes to {place}"
    confirms = f"The checks of {short_path(configuration.root)} may run as they are now."
    sections = (Section(does), Section(confirms)) if checks and preset != "reader" else (Section(does),)
    return Menu(f"asimi: write this {preset} file?", sections, (WRITE, OTHER))
