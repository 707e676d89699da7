"""A written ask can demand a person at a terminal: no form, agent or flag answers it."""

import asyncio

import pytest

from asimi.core.call import Approval, ToolCall, Verdict
from asimi.core.errors import Refusal
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import rule_of
from asimi.core.settings import Settings
from asimi.testing import make_gate
from asimi.tools import ToolRegistry

RULE = rule_of("run_shell_command(npm publish)", Verdict.ASK)._replace(terminal=True)


@pytest.mark.parametrize(
    ("by", "runs"), [("terminal", True), ("queue", True), ("flag", False), ("mcp:client", False), ("agent", False)]
)
def test_who_may_answer(by, runs):
    gate = make_gate(settings=lambda: Settings(Policy([RULE])), answers=[Approval(yes=True, by=by)])
    call = ToolCall("run_shell_command", {"command": "npm publish"})
    outcome = asyncio.run(gate.run(call, ToolRegistry().get_tool("run_shell_command")))
    assert isinstance(outcome, Refusal) is not runs
