"""`asimi mcp`."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from asimi.compose import may_ask, session_name
from asimi.compose.configuration import jobs_of
from asimi.compose.gate import open_gate
from asimi.core.errors import AsimiError
from asimi.doors.cli.services import sending
from asimi.doors.running import run
from asimi.world.host.nested import inside_call

if TYPE_CHECKING:
    from asimi.compose import Options


def mcp(options: Options) -> int:
    """Serve the tools over MCP on standard input and output.

    The client starts it, so put this command into the client's settings. The client shows the questions; if it cannot,
    answer them with asimi approve or asimi watch. This needs the MCP SDK, which asimi[mcp] brings.
    """
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        message = "asimi mcp needs the MCP SDK, a package that asimi was installed without"
        raise AsimiError(f"{message}: {sys.executable} -m pip install 'asimi[mcp]'")
    from asimi.extras.mcp.server import GateServer, serve

    gate = open_gate(options, shared=True, terminal=False)
    forms = may_ask(options) and not inside_call(os.environ)  # below a call the agent itself may be the client
    server = GateServer(gate, jobs_of(options), forms=forms, keeps=session_name(options) is None)
    with sending(options):
        return run(lambda stop: serve(server, stop))
