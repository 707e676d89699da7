"""The same host program with OpenAI's own shell tool."""

from __future__ import annotations

from asimi.adapters.openai_agents import shell_tool
from openai.types.responses import ResponseFunctionShellToolCall
from openai_agents import main


def called(name, text):
    return ResponseFunctionShellToolCall.model_validate(
        {"id": name, "call_id": name, "type": "shell_call", "status": "completed", "action": {"commands": [text]}}
    )


main(called, shell_tool)
