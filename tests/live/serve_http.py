"""Serves what `asimi mcp` serves over HTTP on loopback, for the conformance suite, which knows no other transport."""

from __future__ import annotations

import sys

import uvicorn

from asimi.compose import Options, places
from asimi.compose.gate import open_gate
from asimi.doors.mcp.server import GateServer
from asimi.world.executors.jobs import Jobs

if __name__ == "__main__":
    gate = open_gate(Options(), shared=True, terminal=False)
    server = GateServer(gate, Jobs(places().state), forms=True, keeps=True).server
    app = server.streamable_http_app(host="127.0.0.1")
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
