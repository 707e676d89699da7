"""Codex CLI: what its hook is asked and how it wants to be answered.

Sources:

- https://developers.openai.com/codex/hooks
- openai/codex codex-rs/hooks/schema/generated/pre-tool-use.command.{input,output}.schema.json
- openai/codex codex-rs/hooks/src/engine/output_parser.rs
- https://github.com/openai/codex/issues/41979
"""

from __future__ import annotations

from asimi.core.facts import content_in
from asimi.doors.hooks.agent import (
    LOGIN,
    REQUEST_DENIED,
    SECONDS,
    SILENCE,
    Agent,
    End,
    Event,
    Mode,
    SettingsFile,
    Transcript,
    file_tools,
    pre_tool_use_answer,
)

_TOOLS = {"Bash": LOGIN}

_FILES = file_tools("codex")

_MATCHER = f"^({'|'.join((*_TOOLS, *_FILES))})$"
_CHANGES = "^(Bash|apply_patch)$"
"""The tools whose ends are told: those that may change files."""

_REQUIREMENTS = (
    content_in(__package__, "codex_requirements.toml")
    .decode()
    .replace("{matcher}", _MATCHER)
    .replace("{changes}", _CHANGES)
    .replace("{seconds}", str(SECONDS))
)
"""The administrator's file; the command line, as a string of JSON, stands for `{command}`."""
# 0.169.0 runs it although a trusted project's config.toml, or the person's own, says `hooks = false`

AGENT = Agent(
    name="codex",
    title="Codex CLI",
    known="0.171.0, run against a model of our own, 2026-11-28",
    events=(
        # silence is the only allow it knows: "allow", "ask", a deny without reason and any unknown key void the whole
        # answer, and then the command runs
        Event(
            "PreToolUse",
            allow=SILENCE,
            ask=None,
            deny=pre_tool_use_answer("deny"),
            stops=True,  # "Command blocked by PreToolUse hook: REASON. Command: COMMAND"
        ),
        # asked when the command is about to leave Codex's own sandbox: that is more than running it, so an entry
        # on the lists is not an answer, and the person is asked
        Event(
            "PermissionRequest",
            allow=SILENCE,
            ask=SILENCE,
            deny=REQUEST_DENIED,
            installed=False,
        ),
    ),
    ends=(End("PostToolUse", "ran"),),  # of a command that failed, too
    present={"session_id": str, "turn_id": str, "cwd": str, "tool_input": dict},
    absent=("cursor_version", "toolCall"),
    tools=_TOOLS,
    files=_FILES,
    command="command",
    call="tool_use_id",
    modes=(
        # it is about leaving the sandbox, after the command itself was judged, and the answer is silence
        Mode("`PermissionRequest`", "asks", "its documentation; or its judge", "hook_event_name", "PermissionRequest"),
        Mode("every mode, auto-review too", "runs", "0.171.0, seen: an *ask* voids the answer"),
    ),
    roots=(),  # it starts its hooks in the session's directory, and `cwd` is the directory of the call
    transcript=Transcript(
        file="transcript_path",
        calls=("function_call", "custom_tool_call", "local_shell_call"),
        tools={"exec_command": "cmd", "shell_command": "command"},
        shell="shell",
        directory="workdir",
    ),
    off={"features.hooks": False, "features.codex_hooks": False},
    switches=(("config.toml",), (".codex/config.toml",)),
    environment="shell_environment_policy.set",
    managed=SettingsFile(file="etc/codex/requirements.toml", plugin=_REQUIREMENTS),
    trust=("config.toml", "hooks.state", "start codex, type /hooks, and trust it"),
    settings=SettingsFile(
        file=".codex/hooks.json",
        moved=("CODEX_HOME", "hooks.json"),
        event=("hooks", "{event}"),
        entry={"matcher": _MATCHER, "hooks": [{"type": "command", "command": "{command}", "timeout": SECONDS}]},
        end={"matcher": _CHANGES, "hooks": [{"type": "command", "command": "{command}", "timeout": SECONDS}]},
    ),
    left="Codex runs a new or changed hook only after you trusted it: start codex, type /hooks, and trust this one.",
    notes=(
        "Codex has no switch to block when a hook fails to start or takes too long.",
        "What Codex sends to a program that already runs (write_stdin) passes no hook.",
    ),
)
