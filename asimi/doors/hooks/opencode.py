"""opencode: the plug-in that asks asimi, what it sends and how it wants to be answered.

Sources:

- https://opencode.ai/docs/plugins/
- npm @opencode-ai/plugin 1.18.33: dist/index.d.ts (Hooks)
- anomalyco/opencode packages/opencode/src/{session/tools.ts,tool/shell.ts,shell/shell.ts}
"""

from __future__ import annotations

from asimi.core import wire
from asimi.core.facts import content_in
from asimi.doors.hooks.agent import LOGIN, REASON, Agent, End, Event, Mode, SettingsFile, file_tools

_FILES = file_tools("opencode")

_CHANGES = ["bash", "shell", "write", "edit", "multiedit", "apply_patch", "patch"]

PLUGIN = content_in(__package__, "opencode.js").decode()
"""The plug-in; the command line, as a string of JavaScript's, stands for `{command}`, its tools for `{tools}`, those
that may change files for `{changes}`."""

AGENT = Agent(
    name="opencode",
    title="opencode",
    known="1.18.33, run against a model of our own, 2026-11-22",
    events=(
        Event(
            "tool.execute.before",
            allow={"decision": "allow"},
            ask=None,
            deny={"decision": "deny", "reason": REASON},
            passes={"decision": "allow"},  # to the plug-in, which then lets opencode go on
        ),
    ),
    event="",
    ends=(End("tool.execute.after", "ran", "ended"),),  # of a command that failed, too, not of a tool that did
    call="callID",
    present={"sessionID": str, "callID": str, "tool": str, "directory": str, "args": dict},
    absent=("hook_event_name", "tool_name", "toolCall"),
    tool="tool",
    tools={"bash": LOGIN},
    files=_FILES,
    input="args",
    command="command",
    directory=("workdir", "directory"),
    roots=("directory",),
    session="sessionID",
    modes=(Mode("every mode", "runs", "1.18.33, its types: a plug-in only lets a command pass, or throws"),),
    settings=SettingsFile(
        file=".config/opencode/plugins/asimi.js",
        moved=("XDG_CONFIG_HOME", "opencode/plugins/asimi.js"),
        plugin=PLUGIN.replace("{tools}", wire.dumps([*_CHANGES[:2], *_FILES])).replace(
            "{changes}", wire.dumps(_CHANGES)
        ),
    ),
    notes=(
        "An allow is not a grant: opencode still asks where its own permissions say so.",
        "Another plug-in that changes a command before asimi's sees it: asimi judges the changed one.",
        "--pure and OPENCODE_PURE turn all plug-ins off.",
    ),
)
