"""asimi in the permission callback of the Claude Agent SDK (the extra `asimi[claude-agent]`).

Claude Code asks the callback where it would ask its person, and runs the call itself. So the callback asks asimi's hook
of Claude Code, in a process of its own as Claude Code starts it: whatever comes but an answer is a no.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny

from asimi.core import wire
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from claude_agent_sdk import CanUseTool, PermissionResult, ToolPermissionContext


def can_use_tool(otherwise: CanUseTool, directory: str | None = None) -> CanUseTool:
    """The callback: asimi answers what its policy decides, and the program's own one all else.

    Args:
        otherwise: asks a person about what asimi asks about, what it does not know, and files of which it says nothing;
            `decision_reason` has asimi's reason, where there is one.
        directory: where the agent works; by default the current directory.
    """
    agent, here = agent_of("claude-code"), os.path.abspath(directory or os.curdir)
    hook = command_line(agent)

    async def decide(tool: str, given: dict[str, Any], context: ToolPermissionContext) -> PermissionResult:
        if tool not in agent.tools and tool not in agent.files:
            return await otherwise(tool, given, context)
        told = {
            "session_id": f"sdk-{os.getpid()}",
            "transcript_path": "",
            "cwd": here,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": context.tool_use_id or "",
        }
        done = await anyio.run_process(hook, input=json.dumps(told).encode(), check=False, env=_environment())
        decision, reason = _said(done)
        if decision == "allow":
            return PermissionResultAllow()
        if decision == "deny":
            return PermissionResultDeny(message=reason)
        return await otherwise(tool, given, replace(context, decision_reason=reason or context.decision_reason))

    return decide


def _environment() -> dict[str, str]:
    """The environment of the hook, to which the callback's person is there whatever Claude Code was told."""
    return {name: value for name, value in os.environ.items() if name != "CLAUDE_CODE_SESSION_ATTENDED"}


def _said(done: CompletedProcess[bytes]) -> tuple[str, str]:
    """A hook's decision and its reason; both empty for silence, and a no for what is no answer."""
    if done.returncode:
        return "deny", done.stderr.decode(errors="replace")
    if not done.stdout.strip():
        return "", ""
    try:
        answer = wire.loads(done.stdout.decode())["hookSpecificOutput"]
        return str(answer["permissionDecision"]), str(answer["permissionDecisionReason"])
    except (wire.MalformedJsonError, UnicodeDecodeError, KeyError, TypeError):
        return "deny", "asimi's hook gave no answer"
