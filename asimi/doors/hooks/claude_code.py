"""Claude Code: what its hook is asked and how it wants to be answered."""

from __future__ import annotations

from asimi.core.files import LIST, READ, SEARCH, WRITE
from asimi.doors.hooks.agent import (
    CMD,
    LOGIN,
    REQUEST_DENIED,
    SILENCE,
    VS_CODE,
    Agent,
    End,
    Event,
    FileTool,
    Plug,
    SettingsFile,
    decided,
)

_TOOLS = {"Bash": LOGIN, "Monitor": LOGIN, "PowerShell": CMD}

_SWAP = ("old_string", "new_string")

_FILES = {
    "Read": FileTool(READ, ("file_path",)),
    "Write": FileTool(WRITE, ("file_path",), text="content"),
    "Edit": FileTool(WRITE, ("file_path",), swap=_SWAP),
    "MultiEdit": FileTool(WRITE, ("file_path",), swap=_SWAP, edits="edits"),
    "NotebookEdit": FileTool(WRITE, ("notebook_path",), swap=("", "new_source")),
    "NotebookRead": FileTool(READ, ("notebook_path",)),
    "Grep": FileTool(SEARCH, ("path",), names="glob", here=True),
    "Glob": FileTool(LIST, ("path",), names="pattern", here=True),
    "LS": FileTool(LIST, ("path",), here=True),
}

_ENTRY = {
    "matcher": "|".join((*_TOOLS, *_FILES)),
    "hooks": [{"type": "command", "command": "{command}", "timeout": 150, "onFailure": "block"}],
}

_END = {
    "matcher": "|".join((*_TOOLS, *(name for name, form in _FILES.items() if form.does == WRITE))),
    "hooks": [{"type": "command", "command": "{command}", "timeout": 150, "async": True}],
}

AGENT = Agent(
    name="claude-code",
    title="Claude Code",
    known="2.1.329, from its published types, 2026-11-20; not run: its program is not free to use here",
    sources=(
        "npm @anthropic-ai/claude-agent-sdk 0.3.329: sdk.d.ts (PreToolUseHookInput, PreToolUseHookSpecificOutput)",
        "the same: sdk.d.ts (PostToolUseHookInput, PostToolUseFailureHookInput, PermissionDeniedHookInput, `async`)",
        "npm @anthropic-ai/claude-agent-sdk 0.3.329: sdk-tools.d.ts (BashInput, MonitorInput, FileReadInput)",
        "the same: sdk-tools.d.ts (FileEditInput, FileWriteInput, NotebookEditInput, GrepInput, GlobInput)",
        "https://code.claude.com/docs/en/hooks",
        "https://github.com/anthropics/claude-code/issues/82451",
        "https://github.com/anthropics/claude-code/issues/79501",
        "https://github.com/anthropics/claude-code/issues/87639",
        "https://github.com/anthropics/claude-code/issues/15754 (installed_plugins.json), 63663 (enabledPlugins)",
    ),
    events=(
        Event("PreToolUse", allow=decided("allow"), ask=decided("ask"), deny=decided("deny")),
        Event(
            "PermissionRequest",
            allow={"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}},
            ask=SILENCE,  # no opinion: Claude Code is about to ask anyway
            deny=REQUEST_DENIED,
            installed=False,
        ),
    ),
    ends=(End("PostToolUse", "ran"), End("PostToolUseFailure", "failed"), End("PermissionDenied", "not run")),
    call="tool_use_id",
    error="error",
    milliseconds="duration_ms",
    present={"session_id": str, "transcript_path": str, "cwd": str},
    absent=("turn_id", "cursor_version", "timestamp", "toolCall"),
    tools=_TOOLS,
    files=_FILES,
    guests=("vscode",),
    shells=("SHELL", "CLAUDE_CODE_SHELL"),
    optional=("Monitor",),  # it may watch a web socket instead
    command="command",
    roots=("$CLAUDE_PROJECT_DIR", "cwd"),
    # in every other mode, and in subagents that run in the background, `ask` was seen to let the command run
    asks={"permission_mode": ("default", "acceptEdits", "plan")},
    # 2.1.330 says by the variable that it runs without a person (`claude -p`); older ones do not tell
    alone={"agent_id": (), "$CLAUDE_CODE_SESSION_ATTENDED": ("0",)},
    off={"disableAllHooks": True},
    switches=((), (".claude/settings.json", ".claude/settings.local.json")),
    environment="env",
    advised=(
        "disableSkillShellExecution",
        True,
        "without it, the `!` commands in skills and slash commands run without any hook",
    ),
    managed=SettingsFile(
        file="etc/claude-code/managed-settings.json", event=("hooks", "{event}"), entry=_ENTRY, end=_END
    ),
    plug=Plug(
        "asimi@asimi", "claude-code", "plugins/installed_plugins.json", "enabledPlugins", root="CLAUDE_PLUGIN_ROOT"
    ),
    sample={
        "session_id": "asimi-doctor",
        "transcript_path": "",
        "cwd": "{directory}",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "{command}", "description": "asimi hook doctor"},
        "tool_use_id": "asimi-doctor",
    },
    settings=SettingsFile(
        file=".claude/settings.json",
        moved=("CLAUDE_CONFIG_DIR", "settings.json"),
        event=("hooks", "{event}"),
        entry=_ENTRY,
        end=_END,
    ),
    notes=(
        "onFailure needs Claude Code 2.1.295 or newer; an older one runs the command when the hook takes too long.",
        "An allow skips Claude Code's own prompt, unless one of its own ask or deny rules matches.",
        "The shell is the one that $SHELL names, with your aliases and functions; asimi judges the names as written.",
        VS_CODE,
    ),
)
