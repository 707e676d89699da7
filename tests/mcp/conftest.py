"""A person with a policy, and the SDK's own client that starts `asimi mcp` for them."""

from __future__ import annotations

import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import asimi

ROOT = Path(asimi.__file__).parent.parent

POLICY = """\
coreTools = ["run_shell_command(echo)", "run_shell_command(sleep)", "run_shell_command(false)", "execute_command(echo)"]
excludeTools = ["run_shell_command(rm)"]
"""


class Person:
    """Someone with a home, a project, a policy, and an opinion on what they are asked."""

    def __init__(self, path):
        self.home, self.project = path / "home", path / "project"
        for each in (self.home, self.project):
            each.mkdir()
        config = self.home / ".config" / "asimi" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(POLICY)
        self.asked, self.answers = [], []

    async def answer(self, context, params):
        del context
        self.asked.append(params)
        return self.answers.pop(0)

    def server(self, *options):
        from mcp import StdioServerParameters

        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
        return StdioServerParameters(
            command=sys.executable, args=["-m", "asimi", "mcp", *options], env=environ, cwd=self.project
        )

    @asynccontextmanager
    async def client(self, mode, *options, forms=True):
        from mcp import Client

        async with Client(
            self.server(*options), mode=mode, elicitation_callback=self.answer if forms else None
        ) as client:
            yield client

    def log(self):
        path = self.home / ".local" / "state" / "asimi" / "log.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def person(tmp_path):
    return Person(tmp_path)


@pytest.fixture(params=["legacy", "auto"])
def era(request):
    """The two eras of the protocol: with a handshake, and the newest that both know."""
    return request.param
