"""VS Code's own agent, which calls the hooks of Claude Code and GitHub Copilot CLI for each of its tools.

Sources:

- https://code.visualstudio.com/docs/agents/reference/hooks-reference
- microsoft/vscode-docs docs/agent-customization/hooks.md
- microsoft/vscode-copilot-chat src/extension/tools/common/toolNames.ts
"""

from __future__ import annotations

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
    harmless=frozenset(
        "file_search semantic_search search_workspace_symbols list_code_usages get_errors get_changed_files "
        "test_search get_search_view_results get_terminal_output get_task_output terminal_selection "
        "terminal_last_command manage_todo_list get_vscode_api get_project_setup_info read_project_structure "
        "test_failure get_doc_info vscode_get_confirmation".split()
    ),
    others=True,
    command="command",
    description="explanation",
    session="sessionId",
    call="tool_use_id",
    roots=("cwd",),
    modes=(Mode("every permission level", "unknown", "its documentation: asks; not of *Bypass Approvals*"),),
    settings=SettingsFile(file=".vscode/hooks.json"),
)
