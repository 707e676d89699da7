"""Leads a person through the choice of a preset, and shows the file before it is written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.compose import choose
from asimi.core.wording.dialog import Choice
from asimi.core.wording.menu import Menu, Section
from asimi.doors.cli.base import out
from asimi.world.config.presets import PRESETS
from asimi.world.host.streams import printable
from asimi.world.host.terminal import short_path

if TYPE_CHECKING:
    from asimi.world.config import Configuration
    from asimi.world.config.presets import Preset

WRITE = Choice("y", "write", "write it", "write it")
OTHER = Choice("b", "back", "choose another", "back")


def wanted(configuration: Configuration) -> Preset | None:
    """The preset that the person at the terminal chose and whose file they want; None if they leave."""
    names = {Choice(name[0], name, name, name): name for name in PRESETS}
    presets = tuple((f"[{choice.key}] {name}", PRESETS[name]) for choice, name in names.items())
    first = Menu("asimi: what runs without asking?", (Section("", presets),), tuple(names))
    while (choice := choose(first)) in names:
        preset = names[choice]
        out("\n".join(f"  | {printable(line)}".rstrip() for line in configuration.beginning(preset).splitlines()))
        answer = choose(_last(configuration.file, preset))
        if answer == WRITE:
            return preset
        if answer != OTHER:
            break
    return None


def _last(file: str, preset: Preset) -> Menu:
    """The question whether to write the file that was shown."""
    place = short_path(file)
    does = f"This replaces {place} and everything it denies." if os.path.lexists(file) else f"It goes to {place}"
    return Menu(f"asimi: write this {preset} file?", (Section(does),), (WRITE, OTHER))
