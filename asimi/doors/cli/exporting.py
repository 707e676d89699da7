"""`asimi policy export`: the rules in force, as another agent's permissions."""

from __future__ import annotations

from asimi.compose.configuration import configuration_of
from asimi.core.lean import TYPE_CHECKING
from asimi.doors.cli.base import UsageError
from asimi.doors.cli.printing import fitted, out
from asimi.world.host.streams import printable, say
from asimi.world.permissions import NAMES, agent_of
from asimi.world.permissions.exporting import in_force

if TYPE_CHECKING:
    from asimi.compose import Options


def export(options: Options, name: str) -> None:
    """Write the rules in force in an agent's format on standard output, and what is lost on standard error.

    Raises:
        UsageError: there is no such agent.
        ConfigError: the configuration cannot be used.
    """
    if name not in NAMES:
        raise UsageError(f"{name!r} is not an agent; the agents are {', '.join(NAMES)}.")
    configuration = configuration_of(options)
    files, rest = configuration.files_said(), configuration.settings().policy.rest
    deny, secret = ([pattern for layer in each for pattern in layer] for each in (files.deny, files.secret))
    told, notes = in_force(configuration.rules(), deny, secret, rejects=rest == "deny")
    written = agent_of(name).write(told)
    out(written.text.removesuffix("\n"))
    for note in (*notes, *written.notes):
        say(fitted(f"asimi: {printable(note)}", 2))
