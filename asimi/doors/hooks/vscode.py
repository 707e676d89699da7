"""VS Code's own agent, which calls the hooks of Claude Code and GitHub Copilot CLI for each of its tools.

Sources:

- https://code.visualstudio.com/docs/agents/reference/hooks-reference
- microsoft/vscode-docs docs/agent-customization/hooks.md
- microsoft/vscode-copilot-chat src/extension/tools/common/toolNames.ts
"""

from __future__ import annotations

from asimi.core.facts import facts_of, names_of
from asimi.doors.hooks.agent import LOGIN, PRE_TOOL_USE, Agent, End, Mode, SettingsFile, file_tools

_FILES = file_tools("vscode")

AGENT = Agent(
    name="vscode",
    title="VS Code",
    known="from its documentation and its source, 2026-11-26; never run",
    events=(PRE_TOOL_USE,),
    ends=(End("PostToolUse", "ran"),),
    event="hookEventName",
    present={"sessionId": str, "cwd": str, "timestamp": str, "tool_name": str},
    absent=("turn_id", "cursor_version", "toolCall", "toolName"),
    tools={"run_in_terminal": LOGIN},
    files=_FILES,
    harmless=names_of(facts_of(__package__, "tools")["vscode harmless"]),
    others=True,
    command="command",
    description="explanation",
    session="sessionId",
    call="tool_use_id",
    roots=("cwd",),
    modes=(Mode("every permission level", "unknown", "its documentation: asks; not of *Bypass Approvals*"),),
    settings=SettingsFile(file=".vscode/hooks.json"),
)
