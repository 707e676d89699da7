"""OpenAI's older shell tool: one program with its arguments, which asimi runs and asks about itself."""

from __future__ import annotations

import json
import subprocess

import pytest
from helpers import PATIENCE, PYTHON
from helpers.home import Home

from tests.extras.frameworks.conftest import POLICY, QUIET

PROGRAM = """
import asyncio, json, sys
from agents import Agent, Runner
from agents.testing import ScriptedModel, assistant_message
from openai.types.responses.response_output_item import LocalShellCall
import asimi
from asimi.adapters.openai_agents import local_shell_tool

class Page:
    name = "page"
    async def ask(self, question):
        return asimi.Answer(sys.argv[2] == "yes")

action = {"type": "exec", "env": {}} | json.loads(sys.argv[1])
call = LocalShellCall.model_validate(
    {"id": "a", "call_id": "a", "type": "local_shell_call", "status": "completed", "action": action}
)
gate = asimi.open_gate(approver=Page())
agent = Agent(name="coder", tools=[local_shell_tool(gate)], model=ScriptedModel([[call], [assistant_message("done")]]))
result = asyncio.run(Runner.run(agent, "go"))
print(json.dumps([item.output for item in result.new_items if item.type == "tool_call_output_item"]))
"""


@pytest.fixture
def said(tmp_path):
    home = Home(tmp_path, POLICY.replace("run_shell_command", "execute_command"))
    (home.root / "sub").mkdir(exist_ok=True)

    def said(answer="no", **action):
        done = subprocess.run(
            [PYTHON, "-c", PROGRAM, json.dumps(action), answer], capture_output=True, text=True, timeout=PATIENCE,
            check=False, cwd=home.root, env=home.environ | QUIET, start_new_session=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        (output,) = json.loads(done.stdout.splitlines()[-1])
        return output, [(each["event"], each["command"]) for each in home.log() if each["event"] != "end"]

    return said


@pytest.mark.parametrize(
    ("answer", "action", "output", "log"),
    [
        ("no", {"command": ["echo", "a b"]}, "a b\n", ("start", "echo")),
        ("no", {"command": ["rm", "x"]}, "forbids", ("refusal", "rm")),
        ("no", {"command": ["pwd"]}, "Refused by the person", ("refusal", "pwd")),
        ("yes", {"command": ["pwd"], "working_directory": "sub", "timeout_ms": 5}, "/sub\n", ("start", "pwd")),
        ("yes", {"command": ["sh", "-c", "echo $A"], "env": {"A": "b c"}}, "b c\n", ("start", "env")),
        ("yes", {"command": ["echo"], "env": {"-S": "b c"}}, "plain names", None),
        ("yes", {"command": ["B=1"], "env": {"A": "b"}}, "plain names", None),
        ("yes", {"command": ["echo"], "user": "root"}, "as another user", None),
        ("yes", {"command": []}, "command", ("refusal", "")),
        ("yes", {"command": ["no-such-program"]}, "no-such-program", ("start", "no-such-program")),
    ],
)
def test_a_local_shell_goes_through_the_gate(said, answer, action, output, log):
    heard, logged = said(answer, **action)
    assert output in heard
    assert logged == ([log] if log else [])
