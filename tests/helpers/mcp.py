"""A home with a policy, and the SDK's own client of `asimi mcp` there."""

from __future__ import annotations

import asyncio

from helpers import PYTHON
from helpers.home import Home

POLICY = """\
coreTools = ["run_shell_command(echo)", "run_shell_command(sleep)", "run_shell_command(false)", "execute_command(echo)"]
excludeTools = ["run_shell_command(rm)"]
"""


class ServedHome(Home):
    """A home with a person who has an opinion on what they are asked.

    Attributes:
        asked: the questions that were shown.
        answers: what is answered to the next ones.
        seconds: how long the person takes to read one.
    """

    seconds = 0.6

    def __init__(self, directory):
        super().__init__(directory, POLICY)
        self.asked, self.answers = [], []

    async def answer(self, context, params):
        del context
        self.asked.append(params)
        await asyncio.sleep(self.seconds)
        return self.answers.pop(0)

    def started(self, mode, *options, forms=True):
        """A client that starts `asimi mcp`, and talks to it over standard input and output."""
        from mcp import StdioServerParameters

        words = ["-m", "asimi", "mcp", *options]
        return self._client(
            StdioServerParameters(command=PYTHON, args=words, env=self.environ, cwd=self.root), mode, forms
        )

    def inside(self, mode, *, forms=True):
        """A client of a server in this process, which must be in the home's environment and root."""
        from asimi.compose import Options, places
        from asimi.compose.gate import open_gate
        from asimi.doors.mcp.server import GateServer
        from asimi.world.executors.jobs import Jobs

        gate = open_gate(Options(), shared=True, adopt=False, terminal=False)
        return self._client(GateServer(gate, Jobs(places().state), forms=True, keeps=True).server, mode, forms)

    def _client(self, server, mode, forms):
        from mcp import Client

        return Client(server, mode=mode, elicitation_callback=self.answer if forms else None)
