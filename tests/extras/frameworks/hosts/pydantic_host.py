"""A host program of Pydantic AI, with its function model."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from asimi.adapters.pydantic_ai import reject, toolset
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_core import to_jsonable_python

import asimi


async def step(given, saved):
    gate = asimi.open_gate()
    turns = list(given["turns"])

    def says(messages, info):
        if not turns:
            return ModelResponse(parts=[TextPart("done")])
        calls = turns.pop(0)
        return ModelResponse(
            parts=[ToolCallPart("run_shell_command", {"command": text}, tool_call_id=name) for name, text in calls]
        )

    agent = Agent(FunctionModel(says), toolsets=[toolset(gate)], output_type=[str, DeferredToolRequests])
    history, results = None, None
    if given["answers"] is not None:
        history = ModelMessagesTypeAdapter.validate_python(saved["history"])
        parts = [part for message in history for part in message.parts if part.part_kind == "tool-call"]
        waits = [part for part in parts if part.tool_call_id in saved["metadata"]]
        asked = DeferredToolRequests(approvals=waits, metadata=saved["metadata"])
        approvals = {}
        for name in saved["metadata"]:
            match given["answers"][name]:
                case False:
                    approvals[name] = ToolDenied(await reject(asked, name, "not now", gate))
                case True:
                    approvals[name] = True
                case text:
                    approvals[name] = ToolApproved(override_args={"command": text})
        results = DeferredToolResults(approvals=approvals)
    talk = {"conversation_id": None if results else given["talk"], "message_history": history}
    result = await agent.run(None if results else "go", deferred_tool_results=results, **talk)
    metadata = result.output.metadata if isinstance(result.output, DeferredToolRequests) else {}
    outputs = {
        part.tool_call_id: (str(part.content), part.outcome != "success")
        for message in result.all_messages()
        for part in message.parts
        if part.part_kind == "tool-return"
    }
    questions = {name: each["question"] for name, each in metadata.items()}
    saved = {"history": to_jsonable_python(result.all_messages()), "metadata": metadata}
    return saved, {"questions": questions, "outputs": outputs}


def main():
    given = json.load(sys.stdin)
    path = Path(given["saved"])
    saved, told = asyncio.run(step(given, json.loads(path.read_text()) if path.exists() else None))
    path.write_text(json.dumps(saved))
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
