"""A host program of the OpenAI Agents SDK, with its scripted model."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from agents import Agent, Runner, RunState
from agents.testing import ScriptedModel, assistant_message, function_call
from asimi.adapters.openai_agents import command_tool, preview, reject

import asimi


async def step(given, saved, call, tool):
    gate = asimi.open_gate()
    said = [[call(name, text) for name, text in turn] for turn in given["turns"]]
    model = ScriptedModel([*said, [assistant_message("done")]])
    agent = Agent(name="coder", tools=[tool(gate)], model=model)
    start = "go"
    if given["answers"] is not None:
        start = await RunState.from_string(agent, saved)
        for item in start.get_interruptions():
            match given["answers"].get(item.call_id):
                case True:
                    start.approve(item)
                case "always":
                    start.approve(item, always_approve=True)
                case False:
                    await reject(start, item, "not now", gate)
    result = await Runner.run(agent, start)
    outputs = {}
    for item in result.new_items:
        if item.type == "tool_call_output_item":
            outputs[item.raw_item["call_id"]] = str(item.output), failed(item)
    questions = {each.call_id: preview(each, gate) for each in result.interruptions}
    return result.to_state().to_string(), {"questions": questions, "outputs": outputs}


def called(name, text):
    return function_call("run_shell_command", {"command": text}, call_id=name)


def failed(item):
    if item.raw_item["type"] == "shell_call_output":
        return any(each["outcome"].get("exit_code") for each in item.raw_item["output"])
    return '"error": null' not in str(item.output)


def main(call=called, tool=command_tool):
    given = json.load(sys.stdin)
    path = Path(given["saved"])
    saved, told = asyncio.run(step(given, path.read_text() if path.exists() else "", call, tool))
    path.write_text(saved)
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
