"""An approval for a number of calls is counted by the gate, with each call that rests on it."""

import asyncio

from asimi.core.call import Approval, ToolCall, Verdict
from asimi.core.errors import Refusal
from asimi.core.judging.rules import rule_of
from asimi.testing import make_gate
from asimi.tools import ToolRegistry


def test_a_counted_approval_is_used_up():
    rule = rule_of("run_shell_command(ls)", Verdict.ALLOW, kind="session")._replace(uses=1)
    gate = make_gate(answers=[Approval(yes=True, by="terminal", scope="session", rules=(rule,))])
    tool = ToolRegistry().get_tool("run_shell_command")
    outcomes = [asyncio.run(gate.run(ToolCall("run_shell_command", {"command": "ls"}), tool)) for _ in range(3)]
    assert [isinstance(outcome, Refusal) for outcome in outcomes] == [False, False, True]
