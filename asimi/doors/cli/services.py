"""The commands that serve until they are told to end, or their stream does: serve, mcp."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.extras import is_installed, load
from asimi.doors.cli.forms import Wrong

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from asimi.compose import Options


def serve(options: Options, jobs: int = 1) -> int:
    """Answer JSON tool calls on standard input.

    Each call gets one line of JSON. A call is a JSON value on one line or over several, or an array of them, in any of
    these forms:

    \b
      {"command": ...}                                      the bare parameters
      {"id", "name", "arguments" | "args" | "input"}
      {"type": "function", "function": {...}}               OpenAI chat
      {"type": "function_call", "call_id", ...}             OpenAI responses
      {"type": "tool_use", "id", "name", "input"}           Anthropic
      {"functionCall": {"name", "args"}}                    Gemini
      {"function_call": {"name", "args"}}                   google-genai

    Answers come in the order of the calls. asimi asks on the terminal and never reads an answer from the stream. The
    exit code is 0 when the stream ends, 130 after SIGINT and 143 after SIGTERM; running calls are killed and answered.
    """  # noqa: D301 - below a backspace, click leaves lines as they are
    import sys

    if sys.stdin is None:
        raise Wrong("Standard input is closed; tool calls are read from it.")
    if sys.stdout is None:
        raise Wrong("Standard output is closed; answers are written to it.")
    from asimi.compose.gate import open_gate
    from asimi.doors.running import run
    from asimi.doors.serving.service import serve as service

    gate = open_gate(options, shared=True)
    with send_telemetry(options):
        return run(lambda stop: service(gate, stop, jobs))


def send_telemetry(options: Options) -> AbstractContextManager[None]:
    """Send what the log says for as long as the context lasts, where a receiver is configured."""
    found: AbstractContextManager[None]
    found = load("telemetry", "sending").sending(options) if is_installed("telemetry") else nullcontext()
    return found


def mcp(options: Options) -> int:
    """Serve the tools over MCP on standard input and output.

    The client starts it, so put this command into the client's settings. The client shows the questions; if it cannot,
    answer them with asimi approve or asimi watch. This needs the MCP SDK, which asimi[mcp] brings.
    """
    import sys
    from importlib.util import find_spec

    from asimi.core.errors import AsimiError

    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        message = "asimi mcp needs the MCP SDK, a package that asimi was installed without"
        raise AsimiError(f"{message}: {sys.executable} -m pip install 'asimi[mcp]'")
    from asimi.compose import may_ask, session_name
    from asimi.compose.configuration import jobs_of
    from asimi.compose.gate import open_gate
    from asimi.doors.mcp.server import GateServer, serve
    from asimi.doors.running import run
    from asimi.world.host.nested import inside_call

    gate = open_gate(options, shared=True, terminal=False)
    forms = may_ask(options) and not inside_call(os.environ)  # below a call the agent itself may be the client
    server = GateServer(gate, jobs_of(options), forms=forms, keeps=session_name(options) is None)
    with send_telemetry(options):
        return run(lambda stop: serve(server, stop))
