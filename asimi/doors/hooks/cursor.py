"""Cursor, the editor and the CLI: what its hook is asked and how it wants to be answered.

Sources:

- https://cursor.com/docs/agent/hooks
- https://cupcake.eqtylab.io/reference/harnesses/cursor
"""

from __future__ import annotations

from asimi.doors.hooks.agent import LOGIN, REASON, SECONDS, Agent, Event, Mode, SettingsFile, file_tools

_READS = "beforeReadFile"

_FILES = file_tools("cursor")

_DENY = {"permission": "deny", "user_message": REASON, "agent_message": REASON}

_SETTINGS = SettingsFile(
    file=".cursor/hooks.json",
    event=("hooks", "{event}"),
    entry={"command": "{command}", "timeout": SECONDS, "failClosed": True},
    base={"version": 1},
)

AGENT = Agent(
    name="cursor",
    title="Cursor",
    known="hooks version 1, from its documentation and others' reports, 2026-11-20; not run",
    events=(
        Event(
            "beforeShellExecution",
            allow={"permission": "allow"},
            ask=None,
            deny=_DENY,
        ),
        # a read has no prompt of Cursor's that an allow would skip
        Event(_READS, allow={"permission": "allow"}, ask=None, deny=_DENY, passes={"permission": "allow"}, tool=_READS),
        Event(
            "preToolUse",
            allow={"permission": "allow"},
            ask=None,
            deny=_DENY,
            passes={},  # an empty answer would be a no, as it fails closed
            at=("tool_name", "tool_input"),
            entry={"matcher": "Write|Delete|Grep", **_SETTINGS.entry},
        ),
    ),
    present={"conversation_id": str, "workspace_roots": list},
    absent=("toolCall",),
    tool="",
    tools={"": LOGIN},
    files=_FILES,
    input="",
    command="command",
    description="",
    directory=("cwd", "workspace_roots.0"),
    roots=("workspace_roots.0", "$CURSOR_PROJECT_DIR", "cwd"),
    session="conversation_id",
    modes=(
        Mode("the editor", "unknown", "its documentation: asks; not seen"),
        Mode("the CLI", "runs", "others' reports; nothing tells it from the editor"),
    ),
    settings=_SETTINGS,
    managed=_SETTINGS._replace(file="etc/cursor/hooks.json"),
    notes=("An allow is not a grant in its CLI: its own list of commands still asks.",),
)
