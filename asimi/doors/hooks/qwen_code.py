"""Qwen Code: what its hook is asked and how it wants to be answered.

Sources:

- npm @qwen-code/qwen-code 0.24.4: bundled/qc-helper/docs/features/hooks.md
"""

from __future__ import annotations

from asimi.doors.hooks.agent import (
    BASH,
    SECONDS,
    Agent,
    End,
    Event,
    Mode,
    SettingsFile,
    file_tools,
    pre_tool_use_answer,
)

_TOOLS = {"run_shell_command": BASH, "monitor": BASH}

_FILES = file_tools("qwen-code")

_ENTRY = {
    "matcher": f"^({'|'.join((*_TOOLS, *_FILES))})$",
    # milliseconds: it takes what is less than 1000 for seconds, older versions do not
    "hooks": [{"type": "command", "name": "asimi", "command": "{command}", "timeout": 1000 * SECONDS}],
}

_END = _ENTRY | {"matcher": "^(run_shell_command|monitor|write_file|edit|notebook_edit)$"}

_HOOKS = SettingsFile("", ("hooks", "{event}"), _ENTRY, end=_END)

AGENT = Agent(
    name="qwen-code",
    title="Qwen Code",
    known="0.24.4, run against a model of our own, 2026-11-22",
    events=(Event("PreToolUse", allow=pre_tool_use_answer("allow"), ask=None, deny=pre_tool_use_answer("deny")),),
    ends=(End("PostToolUse", "ran"), End("PostToolUseFailure", "failed")),
    call="tool_use_id",
    error="error",
    milliseconds="duration_ms",
    background="is_background",
    present={"session_id": str, "cwd": str, "timestamp": str, "tool_input": dict},
    absent=("turn_id", "cursor_version", "toolCall"),
    tools=_TOOLS,
    files=_FILES,
    command="command",
    directory=("directory", "cwd"),
    roots=("$QWEN_PROJECT_DIR", "cwd"),
    modes=(Mode("every mode", "unknown", "0.24.4; with `-p` it refuses, seen, and nothing tells of that"),),
    off={"disableAllHooks": True},
    switches=((), (".qwen/settings.json",)),
    environment="env",
    variables=(".qwen/.env", ".env"),
    managed=_HOOKS._replace(file="etc/qwen-code/settings.json", base={"disableAllHooks": False}),
    settings=_HOOKS._replace(file=".qwen/settings.json", moved=("QWEN_HOME", "settings.json")),
    notes=(
        "An allow skips Qwen Code's own prompt.",
        "Qwen Code runs the command when a hook takes longer than its timeout.",
        "--safe-mode, --bare and disableAllHooks, also in the project's settings, turn all hooks off.",
    ),
)
