"""The commands that serve until they are told to end, or their stream does: serve, mcp, relay, executor."""

from __future__ import annotations

import os
import stat

from asimi.core.extras import is_installed, load
from asimi.core.startup import TYPE_CHECKING, nullcontext
from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import is_terminal

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from asimi.compose import Options
    from asimi.doors.running import Stop


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
    with sending(options):
        return run(lambda stop: service(gate, stop, jobs))


def sending(options: Options) -> AbstractContextManager[None]:
    """Send what the log says for as long as the context lasts, where a receiver is configured."""
    found: AbstractContextManager[None]
    found = load("telemetry", "sending").sending(options) if is_installed("telemetry") else nullcontext()
    return found


def mcp(options: Options) -> int:
    """Serve the tools over MCP on standard input and output.

    The client starts it, so put this command into the client's settings. The client shows the questions; if it cannot,
    answer them with asimi approve or asimi watch. This needs the MCP SDK, which the package's extra "mcp" installs.
    """
    import os
    import sys
    from importlib.util import find_spec

    from asimi.core.errors import AsimiError

    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        message = "asimi mcp needs the MCP SDK, which is an extra that asimi was installed without"
        raise AsimiError(f"{message}: {sys.executable} -m pip install 'asimi[mcp]'")
    from asimi.compose import may_ask, session_name
    from asimi.compose.gate import open_gate
    from asimi.compose.machines import jobs_of
    from asimi.doors.mcp.server import GateServer, serve
    from asimi.doors.running import run
    from asimi.world.host.nested import inside_call

    gate = open_gate(options, shared=True, terminal=False)
    forms = may_ask(options) and not inside_call(os.environ)  # below a call the agent itself may be the client
    server = GateServer(gate, jobs_of(options), forms=forms, keeps=session_name(options) is None)
    with sending(options):
        return run(lambda stop: serve(server, stop))


def relay(options: Options) -> int:
    """Carry the questions of your gates on this machine to your team, until Ctrl-C or SIGTERM.

    The administrator's file says which team: its server, this machine's name and credentials, who may answer. The relay
    only carries; an answer counts by its signature, which the gate that asked checks. It also keeps this machine's copy
    of the policy that the team shares. Each user runs one, as a service.
    """
    from asimi.compose.team import open_relay
    from asimi.doors.cli.printing import fitted
    from asimi.doors.cli.require_person import require_person
    from asimi.doors.running import run, until_told
    from asimi.world.host.terminal import say

    require_person("carry questions to a team")

    def told(text: str) -> None:
        say(fitted(f"asimi: {text}", 2))

    carrier = open_relay(options, told)

    async def work(stop: Stop) -> int:
        await until_told(carrier.run(lambda: told("The relay is connected; press Ctrl-C to stop.")), stop)
        return 0

    with sending(options):
        return run(work)


def executor(options: Options) -> int:
    """Run commands for an asimi on another machine, which judges them.

    Not for people: the other asimi starts it, by the words of `reach` in [hosts.NAME] of its configuration, such as
    ssh. It speaks a protocol on its standard streams until the other end is gone. With --root it serves only project
    roots in that directory.
    """
    if os.name != "posix":
        raise Wrong("asimi executor runs on Linux, macOS and other Unixes only.")
    below = options.root
    if is_terminal(0) or is_terminal(1):
        raise Wrong("asimi executor is not for a terminal: it is started by an asimi on another machine.")
    if below and not os.path.isdir(below):
        raise Wrong(f"--root {below!r} is not a directory.")
    source, sink = _taken()
    from asimi import __version__
    from asimi.compose.machines import far_parts
    from asimi.core.errors import AsimiError
    from asimi.doors.running import run
    from asimi.world.executors.remote.far import FarEnd

    parts = far_parts(__version__, os.path.realpath(below) if below else "")

    async def serve(stop: Stop) -> int:
        if why := await FarEnd(parts, source, sink).serve(stop.wait):
            raise AsimiError(why)
        parts.keeper.release()
        return 0

    return run(serve)


def _taken() -> tuple[int, int]:
    """Return the two streams to the near end, as descriptors that nothing else here writes to or reads from."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    there, other = os.fstat(1), os.fstat(2)
    shared = stat.S_ISSOCK(other.st_mode) and os.path.samestat(there, other)  # as from inetd: one socket for all three
    os.dup2(null if shared else 2, 1)
    if shared:
        os.dup2(null, 2)
    os.close(null)
    return source, sink
