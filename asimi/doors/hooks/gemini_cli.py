"""Gemini CLI: what its hook is asked and how it wants to be answered.

Sources:

- google-gemini/gemini-cli docs/hooks/reference.md
- google-gemini/gemini-cli packages/core/src/hooks/{types.ts,hookRunner.ts}
"""

from __future__ import annotations

from asimi.doors.hooks.agent import BASH, REASON, SECONDS, Agent, End, Event, Mode, SettingsFile, file_tools

_TOOLS = {"run_shell_command": BASH}

_FILES = file_tools("gemini-cli")

_ENTRY = {
    "matcher": f"^({'|'.join((*_TOOLS, *_FILES))})$",
    "hooks": [{"type": "command", "name": "asimi", "command": "{command}", "timeout": 1000 * SECONDS}],
}

_END = _ENTRY | {"matcher": "^(run_shell_command|write_file|replace)$"}

_HOOKS = SettingsFile("", ("hooks", "{event}"), _ENTRY, end=_END)

AGENT = Agent(
    name="gemini-cli",
    title="Gemini CLI",
    known="0.61.0, run against a model of our own, 2026-11-20",
    events=(Event("BeforeTool", allow={"decision": "allow"}, ask=None, deny={"decision": "deny", "reason": REASON}),),
    ends=(End("AfterTool", "ran"),),  # of a command that failed, too
    background="is_background",
    present={"session_id": str, "cwd": str, "timestamp": str, "tool_input": dict},
    absent=("turn_id", "cursor_version", "toolCall"),
    tools=_TOOLS,
    files=_FILES,
    command="command",
    directory=("dir_path", "directory", "cwd"),
    roots=("$GEMINI_PROJECT_DIR", "cwd"),
    modes=(Mode("every mode", "unknown", "0.61.0, its source alone; waits forever without a terminal"),),
    off={"hooksConfig.enabled": False, "hooksConfig.disabled": "asimi"},
    switches=((), (".gemini/settings.json",)),
    variables=(".gemini/.env", ".env"),
    managed=_HOOKS._replace(file="etc/gemini-cli/settings.json", base={"hooksConfig": {"enabled": True}}),
    settings=_HOOKS._replace(file=".gemini/settings.json", moved=("GEMINI_CLI_HOME", ".gemini/settings.json")),
    notes=(
        "An allow is not a grant: Gemini CLI still asks where its own policy says so.",
        "Gemini CLI runs the command when a hook takes longer than its timeout.",
    ),
)
