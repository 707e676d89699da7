"""An agent of the OpenAI Agents SDK behind asimi; needs `asimi[openai-agents]`."""

from __future__ import annotations

import asyncio

from agents import Agent, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from asimi.adapters.openai_agents import command_tool, preview, reject
from example import ALLOWED, ASKED, DENIED, POLICY, says_yes

import asimi

set_tracing_disabled(disabled=True)  # this model has no account to send traces to
model = ScriptedModel(
    [
        *([function_call("run_shell_command", {"command": each}, call_id=each)] for each in (ALLOWED, DENIED, ASKED)),
        [assistant_message("Done.")],
    ]
)


async def main() -> None:
    """Run the agent to its end, and ask about each interruption."""
    gate = asimi.open_gate(config=POLICY)
    agent = Agent(name="coder", model=model, tools=[command_tool(gate)])
    result = await Runner.run(agent, "Make hello.txt")
    while result.interruptions:
        state = result.to_state()
        for item in result.interruptions:
            if says_yes(preview(item, gate)):
                state.approve(item)
            else:
                await reject(state, item, "not now", gate)
        result = await Runner.run(agent, state)
    for item in result.new_items:
        if item.type == "tool_call_output_item":
            print("The model reads:", item.output)
    print(result.final_output)


asyncio.run(main())
