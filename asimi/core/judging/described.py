"""Where a program lies that somebody described: one below the project is code, whatever a description says."""

from __future__ import annotations

from asimi.core.call import is_below
from asimi.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from asimi.core.judging.machine import Machine
    from asimi.core.reading import Command, Reading


def own_of_project(reading: Reading, machine: Machine, root: str) -> list[Command]:
    """The commands whose descriptions do not count here, because an agent could have written the program.

    Args:
        reading: what a request would do.
        machine: this machine.
        root: the project root's real path.
    """
    described = (command for command in reading.commands if command.name in command.where.described)
    return [command for command in described if _may_be_of_project(command, machine, root)]


def _may_be_of_project(command: Command, machine: Machine, root: str) -> bool:
    """Whether a program of this name may lie below the project: at its path, or in a directory of `PATH`."""
    name = command.literals[0] or ""
    if "/" in name:  # what counts then is only what is in the system's directories
        return False
    for each in machine.variables.get("PATH", "").split(":"):
        if not each.startswith("/"):
            return True
        real = machine.resolve(f"{each}/{name}")
        if machine.kind(real) != "" and (is_below(real, root) or is_below(machine.resolve(each), root)):
            return True
    return False
