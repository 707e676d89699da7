"""An agent of Pydantic AI behind asimi; needs `asimi[pydantic-ai]`."""

from __future__ import annotations

import asyncio

from asimi.adapters.pydantic_ai import reject, toolset
from example import ALLOWED, ASKED, DENIED, POLICY, says_yes
from pydantic_ai import Agent, DeferredToolRequests, ToolDenied
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

import asimi

said = iter(
    [
        *(ToolCallPart("run_shell_command", {"command": each}) for each in (ALLOWED, DENIED, ASKED)),
        TextPart("Done."),
    ]
)
model = FunctionModel(lambda _, __: ModelResponse([next(said)]))


async def main() -> None:
    """Run the agent to its end, and ask about each call that was deferred."""
    gate = asimi.open_gate(config=POLICY)
    agent = Agent(model, toolsets=[toolset(gate)], output_type=[str, DeferredToolRequests])
    result = await agent.run("Make hello.txt")
    while isinstance(requests := result.output, DeferredToolRequests):
        answers = {}
        for call in requests.approvals:
            yes = says_yes(requests.metadata[call.tool_call_id]["question"])
            answers[call.tool_call_id] = yes or ToolDenied(await reject(requests, call.tool_call_id, "not now", gate))
        results = requests.build_results(approvals=answers)
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=results)
    for message in result.all_messages():
        for part in message.parts:
            if part.part_kind == "tool-return":
                print("The model reads:", part.content)
    print(result.output)


asyncio.run(main())
