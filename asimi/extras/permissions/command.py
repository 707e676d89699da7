"""`asimi policy import` and `asimi policy export`."""

from __future__ import annotations

from typing import Annotated

import typer

from asimi.doors.cli.base import Command, UsageError, application, configuration_for, options_of
from asimi.doors.cli.printing import fit, out
from asimi.doors.cli.require_person import require_person
from asimi.extras.permissions import NAMES, agent_of, importing
from asimi.extras.permissions.exporting import in_force
from asimi.world.host.terminal import printable, say

import_, export = application(), application()


@import_.command(cls=Command)
def _import(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT|FILE]...", show_default=False, help="Whose; default: every agent that has some."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False,  # noqa: FBT002
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each entry.")] = False,  # noqa: FBT002
) -> None:
    """Take over the permissions of another agent.

    asimi reads the agent's own files, yours and the project's, and says of each entry whether it becomes a rule of the
    same meaning (exact), one that allows less or forbids more (stricter), or none (skipped). What stood in your files
    holds everywhere, what stood in the project's holds in this project. A further import replaces what came from the
    same agent. A person must see what would change, and confirm it at the terminal.

    Examples: `asimi policy import claude-code --dry-run`, `asimi policy import ~/.codex/rules/default.rules`.
    """
    if not dry_run:
        require_person("change the policy")
    raise typer.Exit(importing.import_(options_of(context), names or [], dry_run=dry_run, as_json=json))


@export.command(cls=Command)
def _export(
    context: typer.Context,
    agent: Annotated[str, typer.Argument(metavar="AGENT", show_default=False, help="Whose format.")],
) -> None:
    """Write the rules in force as another agent's permissions, on standard output.

    It allows nothing there that asimi would ask about. Standard error says what is left out and what is weaker there:
    no other agent sees as much of a command.

    Example: `asimi policy export codex > ~/.codex/rules/asimi.rules`.
    """
    if agent not in NAMES:
        raise UsageError(f"{agent!r} is not an agent; the agents are {', '.join(NAMES)}.")
    configuration = configuration_for(context)
    files, rest = configuration.files_said(), configuration.settings().policy.rest
    deny, secret = ([pattern for layer in each for pattern in layer] for each in (files.deny, files.secret))
    told, notes = in_force(configuration.rules(), deny, secret, rejects=rest == "deny")
    written = agent_of(agent).write(told)
    out(written.text.removesuffix("\n"))
    for note in (*notes, *written.notes):
        say(fit(f"asimi: {printable(note)}", 2))
