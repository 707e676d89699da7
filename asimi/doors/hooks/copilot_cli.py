"""GitHub Copilot CLI: what its hook is asked and how it wants to be answered.

Sources:

- https://docs.github.com/en/copilot/reference/hooks-reference
- https://docs.github.com/en/copilot/how-tos/copilot-sdk/use-hooks/pre-tool-use
- https://docs.github.com/en/copilot/how-tos/copilot-sdk/hooks/post-tool-use
- https://github.com/github/copilot-cli/issues/2647
"""

from __future__ import annotations

from asimi.doors.hooks.agent import (
    BASH,
    CMD,
    REASON,
    SECONDS,
    VS_CODE,
    Agent,
    End,
    Event,
    Mode,
    SettingsFile,
    file_tools,
)

_FILES = file_tools("copilot-cli")


def _answer(decision: str) -> dict[str, object]:
    return {"permissionDecision": decision, "permissionDecisionReason": REASON}


_SETTINGS = SettingsFile(
    file=".copilot/hooks/asimi.json",
    moved=("COPILOT_HOME", "hooks/asimi.json"),
    event=("hooks", "{event}"),
    entry={"type": "command", "bash": "{command}", "timeoutSec": SECONDS},
    end={"type": "command", "bash": "{command}", "timeoutSec": SECONDS},
    base={"version": 1},
    command_key="bash",
)

AGENT = Agent(
    name="copilot-cli",
    title="GitHub Copilot CLI",
    known="1.0.102, run against a model of our own, 2026-11-22",
    events=(Event("preToolUse", allow=_answer("allow"), ask=_answer("ask"), deny=_answer("deny")),),
    ends=(End("postToolUse", "ran", "toolResult"), End("postToolUseFailure", "failed", "error")),
    error="error",
    modes=(  # nothing tells which
        Mode("a session at a terminal", "asks", "1.0.102, seen"),
        Mode("`--allow-all`, `--yolo`, `/allow-all auto`", "asks", "1.0.102, seen"),
        Mode("autopilot", "refuses", "1.0.102, seen"),
        Mode("`-p`, whatever it allows", "refuses", "1.0.102, seen"),
    ),
    event="",
    present={"sessionId": str, "cwd": str, "toolName": str},
    absent=("hook_event_name", "toolCall", "tool_name"),
    tool="toolName",
    tools={"bash": BASH, "powershell": CMD},
    files=_FILES,
    guests=("vscode",),
    unreadable={
        "write_bash": "it would type into a program that already runs, which cannot be judged",
        "write_powershell": "it would type into a program that already runs, which cannot be judged",
    },
    others=True,
    input="toolArgs",
    command="command",
    roots=("cwd",),
    session="sessionId",
    off={"disableAllHooks": True},
    switches=(
        ("../settings.json", "*.json"),
        (
            ".github/hooks/*.json",
            ".github/copilot/settings.json",
            ".github/copilot/settings.local.json",
            ".claude/settings.json",
            ".claude/settings.local.json",
        ),
    ),
    settings=_SETTINGS,
    managed=_SETTINGS._replace(file="etc/github-copilot/policy.d/asimi.json", moved=None),
    notes=(
        "An allow skips Copilot's own prompt.",
        "Typing into a program that already runs is always blocked.",
        "Copilot lets the command go on to its own prompt when a hook takes longer than its timeout.",
        VS_CODE,
    ),
)
