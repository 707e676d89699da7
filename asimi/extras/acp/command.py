"""`asimi acp`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.doors.cli.services import send_telemetry
from asimi.doors.running import run
from asimi.extras.acp.proxy import serve
from asimi.world.host.nested import inside_call

if TYPE_CHECKING:
    from asimi.compose import Options


def acp(options: Options, words: list[str]) -> int:
    """Stand between an editor and an agent that speak the Agent Client Protocol.

    The editor starts it in place of the agent, so put this command before the agent's into the editor's settings. It
    judges the commands and files for which the agent asks permission, or which it wants from the editor. The editor
    shows the questions. What an agent does without asking is not held: for that, put asimi wrap before the agent.
    The exit code is the agent's; 127 if there is no such program.
    """
    cards = not inside_call(os.environ)  # below a call the agent itself may be the editor
    with send_telemetry(options):
        return run(lambda stop: serve(options, words, stop, cards=cards))
