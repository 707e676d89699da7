"""`asimi outside`: what a command in a box asks its gate for; outside of a box there is nothing to leave."""

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
        typer.Argument(metavar="COMMAND", show_default=False, help="The text, as one word or as the words of it."),
    ],
) -> None:
    """Have a command run outside of the box of asimi wrap, from inside of it.

    The gate of the box judges it and asks you, and runs it outside if you or a rule with `outside = true` let it out;
    its output and exit code are those of this command. 126 if it may not leave.
    """
    # In a box these words went to its gate, before they were read here (`asimi.doors.inside`).
    del words
    raise AsimiError("this is no box of asimi wrap, so there is nothing to leave; asimi run runs a command here")
