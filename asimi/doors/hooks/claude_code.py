"""Claude Code: what its hook is asked and how it wants to be answered.

Sources:

- npm @anthropic-ai/claude-agent-sdk 0.3.329: sdk.d.ts (PreToolUseHookInput, PreToolUseHookSpecificOutput)
- the same: sdk.d.ts (PostToolUseHookInput, PostToolUseFailureHookInput, PermissionDeniedHookInput, `async`)
- npm @anthropic-ai/claude-agent-sdk 0.3.329: sdk-tools.d.ts (BashInput, MonitorInput, FileReadInput)
- the same: sdk-tools.d.ts (FileEditInput, FileWriteInput, NotebookEditInput, GrepInput, GlobInput)
- https://code.claude.com/docs/en/hooks
- https://github.com/anthropics/claude-code/issues/82451
- https://github.com/anthropics/claude-code/issues/79501
- https://code.claude.com/docs/en/permission-modes
- https://github.com/anthropics/claude-code/issues/51255, 79356, 87639, 89561 (*ask* in auto mode), 77212
- https://github.com/anthropics/claude-code/issues/15754 (installed_plugins.json), 63663 (enabledPlugins)
"""

from __future__ import annotations

from asimi.core.files import WRITE
from asimi.doors.hooks.agent import (
    CMD,
    LOGIN,
    PRE_TOOL_USE,
    REQUEST_DENIED,
    SECONDS,
    SILENCE,
    VS_CODE,
    Agent,
    End,
    Event,
    Mode,
    Plug,
    SettingsFile,
    file_tools,
)

_TOOLS = {"Bash": LOGIN, "Monitor": LOGIN, "PowerShell": CMD}

_FILES = file_tools("claude-code")

_ENTRY = {
    "matcher": "|".join((*_TOOLS, *_FILES)),
    "hooks": [{"type": "command", "command": "{command}", "timeout": SECONDS, "onFailure": "block"}],
}

_END = {
    "matcher": "|".join((*_TOOLS, *(name for name, form in _FILES.items() if form.does == WRITE))),
    "hooks": [{"type": "command", "command": "{command}", "timeout": SECONDS, "async": True}],
}

_HOOKS = SettingsFile("", ("hooks", "{event}"), _ENTRY, end=_END)

_MODE = "permission_mode"

AGENT = Agent(
    name="claude-code",
    title="Claude Code",
    known="2.1.329, from its published types, 2026-11-20; not run: its program is not free to use here",
    events=(
        PRE_TOOL_USE,
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
    background="run_in_background",
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
    modes=(
        Mode("a subagent", "runs", "seen in the background", "agent_id"),
        Mode("`claude -p`", "refuses", "2.1.330, seen; older ones do not tell", "$CLAUDE_CODE_SESSION_ATTENDED", "0"),
        Mode("`default`", "asks", "2.1.330, seen; its menus: *Manual*; one report of 2.1.278: runs", _MODE, "default"),
        Mode("`acceptEdits`", "asks", "its documentation", _MODE, "acceptEdits"),
        Mode("`plan`", "asks", "its documentation", _MODE, "plan"),
        # 2.1.211 and later are said to ask; 87639, 79356 and 89561 are of 2.1.234 to 2.1.278
        Mode("`auto`", "unknown", "its documentation: asks; four reports up to 2.1.278: runs", _MODE, "auto"),
        Mode("`dontAsk`", "refuses", "its documentation", _MODE, "dontAsk"),
        Mode("`bypassPermissions`", "runs", "reports up to 2.1.199 (77212)", _MODE, "bypassPermissions"),
    ),
    starts=("permissions.defaultMode", "auto"),  # since 2.1.283
    off={"disableAllHooks": True},
    switches=((), (".claude/settings.json", ".claude/settings.local.json")),
    environment="env",
    advised=(
        "disableSkillShellExecution",
        True,
        "without it, the `!` commands in skills and slash commands run without any hook",
    ),
    managed=_HOOKS._replace(file="etc/claude-code/managed-settings.json"),
    plug=Plug(
        "asimi@asimi", "claude-code", "plugins/installed_plugins.json", "enabledPlugins", root="CLAUDE_PLUGIN_ROOT"
    ),
    settings=_HOOKS._replace(file=".claude/settings.json", moved=("CLAUDE_CONFIG_DIR", "settings.json")),
    notes=(
        "onFailure needs Claude Code 2.1.295 or newer; an older one runs the command when the hook takes too long.",
        "An allow skips Claude Code's own prompt, unless one of its own ask or deny rules matches.",
        "The shell is the one that $SHELL names, with your aliases and functions; asimi judges the names as written.",
        VS_CODE,
    ),
)
