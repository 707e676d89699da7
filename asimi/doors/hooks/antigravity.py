"""Antigravity CLI (`agy`): what its hook is asked and how it wants to be answered.

Sources:

- https://github.com/michaeldhopkins/safe-chains (HARNESS-BEHAVIORS.md, src/targets/agy.rs)
- https://deepwiki.com/x1xhlol/system-prompts-and-models-of-ai-tools (Antigravity: its tools and parameters)
"""

from __future__ import annotations

from asimi.doors.hooks.agent import LOGIN, REASON, Agent, Event, Mode, SettingsFile, file_tools

_FILES = file_tools("antigravity")


def _answer(decision: str) -> dict[str, object]:
    return {"decision": decision, "reason": REASON}


AGENT = Agent(
    name="antigravity",
    title="Antigravity CLI",
    known="1.1.27, from others' reports of running it, 2026-11-20; not run",
    # "ask" obeys what the person once allowed for ever in Antigravity; "force_ask" asks each time
    events=(
        Event(
            "PreToolUse",
            allow=_answer("allow"),
            ask=_answer("force_ask"),
            deny=_answer("deny"),
            passes=_answer("allow"),  # which is no grant, while silence would be a question
        ),
    ),
    event="",
    present={"conversationId": str, "workspacePaths": list, "toolCall": dict},
    absent=("tool_name", "hook_event_name"),
    tool="toolCall.name",
    tools={"run_command": LOGIN},
    files=_FILES,
    input="toolCall.args",
    command="CommandLine",
    description="",
    directory=("Cwd", "workspacePaths.0"),
    roots=("workspacePaths.0",),
    session="conversationId",
    modes=(Mode("every mode", "asks", "1.1.2, others' reports; nothing is known of `agy --print`"),),
    seconds=150,  # no limit is written, as none is known
    settings=SettingsFile(
        file=".gemini/config/hooks.json",
        event=("asimi", "{event}"),
        entry={"matcher": "|".join(("run_command", *_FILES)), "hooks": [{"type": "command", "command": "{command}"}]},
    ),
    notes=("An allow is not a grant: Antigravity still asks where it would have asked.",),
)
