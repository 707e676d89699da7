"""The permission callback of the Claude Agent SDK, asked by a program that speaks the SDK's protocol as Claude Code."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest
from helpers import PATIENCE, PYTHON
from helpers.home import Home

from tests.extras.frameworks.conftest import POLICY

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("claude_agent_sdk") is None,
    reason="claude-agent-sdk brings 400 MB of Claude Code with it, under terms of its own; install it to run this",
)

CLI = f"""#!{sys.executable}
import json, os, sys
def say(value): print(json.dumps(value), flush=True)
if "-v" in sys.argv or "--version" in sys.argv: print("2.1.330 (Claude Code)"); sys.exit()
for line in sys.stdin:
    value = json.loads(line)
    if value["type"] == "control_request":
        answer = {{"subtype": "success", "request_id": value["request_id"], "response": {{}}}}
        say({{"type": "control_response", "response": answer}})
    elif value["type"] == "user":
        asked = json.loads(os.environ["ASKED"])
        request = {{"subtype": "can_use_tool", "permission_suggestions": [], "tool_use_id": "t1", **asked}}
        say({{"type": "control_request", "request_id": "r1", "request": request}})
    elif value["type"] == "control_response":
        said = json.dumps(value["response"])
        say({{"type": "result", "subtype": "success", "duration_ms": 1, "duration_api_ms": 1, "is_error": False,
             "num_turns": 1, "session_id": "s", "total_cost_usd": 0, "result": said}})
        break
"""

PROGRAM = """
import anyio, sys
from claude_agent_sdk import *
from asimi.adapters.claude_agent import can_use_tool
async def person(tool, given, context):
    return PermissionResultDeny(message=f"the person, of {tool}: {context.decision_reason}")
async def main():
    options = ClaudeAgentOptions(cli_path=sys.argv[1], can_use_tool=can_use_tool(person))
    async with ClaudeSDKClient(options) as client:
        await client.query("go")
        async for message in client.receive_response():
            if isinstance(message, ResultMessage): print(message.result)
anyio.run(main)
"""


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path, f'{POLICY}[files]\ndeny = ["vault/*"]\n')
    (tmp_path / "claude").write_text(CLI)
    (tmp_path / "claude").chmod(0o755)
    return home


CASES = [
    ("Bash", {"command": "echo hi"}, "allow", ""),
    ("Bash", {"command": "rm x"}, "deny", "run_shell_command(rm) forbids"),
    ("Bash", {"command": "make"}, "deny", "the person, of Bash: asimi: `make` is not on coreTools"),
    ("Bash", {"command": "touch x"}, "deny", "terminal"),
    ("Bash", {}, "deny", "its command, command, is missing"),
    ("Write", {"file_path": "vault/x", "content": "x"}, "deny", "may not be touched"),
    ("Write", {"file_path": ".env", "content": "x"}, "deny", "the person, of Write: asimi: "),
    ("Write", {"file_path": "a.txt", "content": "x"}, "deny", "the person, of Write: None"),
    ("WebFetch", {"url": "https://example.org"}, "deny", "the person, of WebFetch: None"),
]


@pytest.mark.parametrize(("tool", "given", "behavior", "message"), CASES)
def test_the_callback_answers_what_the_policy_decides(home, tool, given, behavior, message):
    asked = json.dumps({"tool_name": tool, "input": given})
    environ = home.environ | {"ASKED": asked, "SHELL": "/bin/bash", "CLAUDE_CODE_SESSION_ATTENDED": "0"}
    done = subprocess.run(
        [PYTHON, "-c", PROGRAM, str(home.root.parent / "claude")], capture_output=True, text=True, timeout=PATIENCE,
        check=False, cwd=home.root, env=environ,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)["response"]
    assert said["behavior"] == behavior
    assert message in said.get("message", "")
    if behavior == "allow":
        assert [(each["event"], each["agent"]) for each in home.log()] == [("start", "claude-code")]
