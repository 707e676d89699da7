"""`asimi outside`: asks the gate of a box to run a command outside; means nothing where there is no box."""

from __future__ import annotations

from typing import Annotated

import typer

from asimi.core.errors import AsimiError
from asimi.doors.cli.base import Command, application

outside = application()


@outside.command(cls=Command, context_settings={"allow_interspersed_args": False})
def _outside(
    words: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND", show_default=False, help="The command, as one word or as several."),
    ],
) -> None:
    """Run a command outside of the box of asimi wrap, from inside.

    The gate of the box judges the command, asks you unless a rule with `outside = true` lets it out, and runs it
    outside. Its output and exit code become those of asimi outside; 126 if it may not leave.
    """
    # In a box, these words have gone to its gate before they are read here (`asimi.doors.inside`).
    del words
    raise AsimiError("asimi outside works only inside a box of asimi wrap; asimi run runs a command here")
