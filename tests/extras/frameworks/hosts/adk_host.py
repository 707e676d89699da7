"""A host program of Google's ADK, with a model of its own kind and its sessions in SQLite."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from asimi.adapters.google_adk import AsimiTool, questions
from google.adk.agents import LlmAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

import asimi


class Model(BaseLlm):
    """Says what it is given, turn after turn."""

    turns: list[list[list[Any]]]

    async def generate_content_async(self, llm_request, stream=False):
        calls = [call_of(*call) for call in self.turns.pop(0)] if self.turns else []
        parts = [types.Part(function_call=call) for call in calls] or [types.Part(text="done")]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def call_of(name, arguments, tool="run_shell_command"):
    arguments = {"command": arguments} if isinstance(arguments, str) else arguments
    return types.FunctionCall(id=name, name=tool, args=arguments)


def response_of(asked, answer):
    match answer:
        case True:
            said = {"confirmed": True}
        case False:
            said = {"confirmed": False, "payload": "not now"}
        case _:
            said = {"confirmed": True, "payload": {"command": answer}}
    response = types.FunctionResponse(id=asked, name="adk_request_confirmation", response=said)
    return types.Part(function_response=response)


async def step(given, resumable):
    sessions = SqliteSessionService(given["saved"])
    agent = LlmAgent(
        name="coder", model=Model(model="fake", turns=given["turns"]), tools=[AsimiTool(asimi.open_gate())]
    )
    app = App(name="coder", root_agent=agent, resumability_config=ResumabilityConfig(is_resumable=resumable))
    runner = Runner(app=app, session_service=sessions)
    talk = {"app_name": "coder", "user_id": "someone", "session_id": given["talk"]}
    parts = [types.Part(text="go")]
    if given["answers"] is None:
        await sessions.create_session(**talk)
    else:
        session = await sessions.get_session(**talk)
        ids = {each.call: each.id for event in session.events for each in questions(event)}
        parts = [response_of(ids.get(call, call), answer) for call, answer in given["answers"].items()]
    said = {"questions": {}, "outputs": {}}
    message = types.Content(role="user", parts=parts)
    async for event in runner.run_async(user_id="someone", session_id=given["talk"], new_message=message):
        said["questions"] |= {each.call: each.text for each in questions(event)}
        for each in event.get_function_responses():
            if each.id not in event.actions.requested_tool_confirmations:
                said["outputs"][each.id] = str(each.response), bool(each.response.get("error"))
    return said


def main(*, resumable=False):
    sys.stdout.write(json.dumps(asyncio.run(step(json.load(sys.stdin), resumable))))


if __name__ == "__main__":
    main()
