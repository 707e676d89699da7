"""`asimi shell`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.compose import places
from asimi.compose.configuration import jobs_of
from asimi.compose.gate import open_gate
from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import is_terminal
from asimi.doors.running import run
from asimi.extras.shell.session import InteractiveSession

if TYPE_CHECKING:
    from asimi.compose import Options


def shell(options: Options) -> int:
    """Start an interactive session: type commands, or JSON tool calls, and see the verdict while you type.

    Plain asimi at a terminal does the same. Each command runs in a shell of its own, as an agent's calls do. What you
    approve for the session holds until the session ends.
    """
    if not (is_terminal(0) and is_terminal(1)):
        raise Wrong("The session needs a terminal; for tool calls through a pipe, use asimi serve.")
    gate = open_gate(options, shared=True, typed=True)
    jobs = jobs_of(options)
    return run(lambda stop: InteractiveSession(gate, stop, places().state, jobs).work())
