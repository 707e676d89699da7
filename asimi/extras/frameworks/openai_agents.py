"""asimi as a tool of the OpenAI Agents SDK (the extra `asimi[openai-agents]`).

A question is an interruption of the run. An approval counts for that call, once; `always_approve` does not count.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from agents import FunctionTool, LocalShellTool, ShellCallOutcome, ShellCommandOutput, ShellResult, ShellTool

from asimi.core.errors import Refusal
from asimi.extras.frameworks.calls import Calls, arguments_of, key_of
from asimi.tools.execute_command import LONGEST

if TYPE_CHECKING:
    from agents import (
        LocalShellCommandRequest,
        RunContextWrapper,
        RunState,
        ShellActionRequest,
        ShellCommandRequest,
        ToolApprovalItem,
    )
    from agents.tool_context import ToolContext

    from asimi.core.call import Result
    from asimi.core.gate import Gate

HOST, SHELL = "openai-agents", "run_shell_command"

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

ANY = "any call"
"""What no call has as its id, since an approval for it is one for all calls."""


def command_tool(gate: Gate | None = None, name: str = SHELL) -> FunctionTool:
    """One of asimi's tools; `gate` is by default that of the current directory."""
    calls = Calls(HOST, gate, name)

    async def needs_approval(_: RunContextWrapper[Any], arguments: dict[str, Any], call_id: str) -> bool:
        return calls.asks(arguments, key_of(call_id)) is not None

    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        call_id, yes = _said(context, name, context.tool_call_id)
        return json.dumps(calls.tool.pack(await calls.outcome(arguments_of(arguments), key_of(call_id), yes=yes)))

    told = (calls.tool.name, calls.tool.description, calls.tool.parameters_schema)
    return FunctionTool(*told, invoke, strict_json_schema=False, needs_approval=needs_approval)


def shell_tool(gate: Gate | None = None) -> ShellTool:
    """OpenAI's own shell tool, whose commands asimi runs, up to the first one that is refused."""
    calls = Calls(HOST, gate, SHELL)

    async def needs_approval(_: RunContextWrapper[Any], action: ShellActionRequest, call_id: str) -> bool:
        return any(tuple(calls.asks(arguments, key) for arguments, key in _each(action.commands, call_id)))

    async def execute(request: ShellCommandRequest) -> ShellResult:
        call_id, yes = _said(request.ctx_wrapper, "shell", request.data.call_id)
        done: list[ShellCommandOutput] = []
        for arguments, each in _each(request.data.action.commands, call_id):
            outcome = await calls.outcome(arguments, each, yes=yes)
            done.append(_output(arguments["command"], outcome))
            if isinstance(outcome, Refusal):
                break
        return ShellResult(done)

    return ShellTool(executor=execute, needs_approval=needs_approval)


def local_shell_tool(gate: Gate | None = None) -> LocalShellTool:
    """OpenAI's older tool, of one command; it interrupts no run, so the gate's own approver is asked."""
    calls = Calls(HOST, gate, "execute_command")

    async def execute(request: LocalShellCommandRequest) -> str:
        action = request.data.action
        program, *words = action.command or [""]
        if action.user or (action.env and "=" in program) or not all(map(_NAME.fullmatch, action.env)):
            return "asimi does not run this as another user, or with variables that have no plain names"
        if action.env:
            program, words = "env", [*(f"{name}={value}" for name, value in action.env.items()), program, *words]
        arguments: dict[str, Any] = {"command": program, "args": words}
        if action.working_directory:
            arguments["cwd"] = action.working_directory
        if action.timeout_ms:
            arguments["timeout"] = min(max(1, action.timeout_ms // 1000), LONGEST)
        outcome = await calls.outcome(arguments, key_of(request.data.call_id))
        if isinstance(outcome, Refusal):
            return outcome.message
        return f"{outcome.stdout.text}{outcome.stderr.text}" + (outcome.failure.message if outcome.failure else "")

    return LocalShellTool(executor=execute)


def preview(item: ToolApprovalItem, gate: Gate | None = None) -> str:
    """The question of an interruption in words, every character of it visible; `gate` is that of its tool."""
    calls, asked = _asked(item, gate)
    return "\n\n".join(filter(None, (calls.preview(arguments, key) for arguments, key in asked)))


async def reject(state: RunState[Any], item: ToolApprovalItem, note: str = "", gate: Gate | None = None) -> None:
    """Reject an interruption as `state.reject` does, and write it down; the model reads the note."""
    calls, asked = _asked(item, gate)
    outcomes = [await calls.outcome(arguments, key, yes=False, note=note) for arguments, key in asked]
    state.reject(item, rejection_message=str(outcomes[0]) if outcomes else None)


def _asked(item: ToolApprovalItem, gate: Gate | None) -> tuple[Calls, list[tuple[dict[str, Any], str]]]:
    call_id, raw = item.call_id or "", item.raw_item if isinstance(item.raw_item, dict) else item.raw_item.model_dump()
    if "action" in raw:
        return Calls(HOST, gate, SHELL), _each(raw["action"]["commands"], call_id)
    return Calls(HOST, gate, item.tool_name or ""), [(arguments_of(item.arguments or ""), key_of(call_id))]


def _each(commands: list[str], call_id: str) -> list[tuple[dict[str, Any], str]]:
    return [({"command": each}, key_of(call_id, str(at)) if call_id else "") for at, each in enumerate(commands)]


def _said(context: RunContextWrapper[Any], name: str, call_id: str) -> tuple[str, bool | None]:
    """Of which call a person said something, none where it was of all calls; and what."""
    always = context.is_tool_approved(name, ANY)
    return ("", True) if always else (call_id, context.is_tool_approved(name, call_id))


def _output(command: str, outcome: Result | Refusal) -> ShellCommandOutput:
    if isinstance(outcome, Refusal):
        return ShellCommandOutput("", outcome.message, ShellCallOutcome("exit", 126), command)
    ended = ShellCallOutcome("timeout" if outcome.timed_out else "exit", outcome.exit_code)
    stderr = outcome.stderr.text or (outcome.failure.message if outcome.failure else "")
    return ShellCommandOutput(outcome.stdout.text, stderr, ended, command)
