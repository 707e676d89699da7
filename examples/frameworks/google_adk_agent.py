"""An agent of Google's ADK behind asimi; needs `asimi[google-adk]`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from asimi.adapters.google_adk import AsimiTool, questions
from example import ALLOWED, ASKED, DENIED, POLICY, says_yes
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

import asimi

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

said = [
    types.Part.from_function_call(name="run_shell_command", args={"command": each}) for each in (ALLOWED, DENIED, ASKED)
]
said.append(types.Part(text="Done."))


class Model(BaseLlm):
    """A fake model, which says one thing after the other."""

    async def generate_content_async(self, *_: object, **__: object) -> AsyncIterator[LlmResponse]:
        """Its next turn."""
        yield LlmResponse(content=types.Content(role="model", parts=[said.pop(0)]))


async def main() -> None:
    """Run the agent to its end, and ask about each confirmation that a call requests."""
    agent = LlmAgent(name="coder", model=Model(model="fake"), tools=[AsimiTool(asimi.open_gate(config=POLICY))])
    runner = InMemoryRunner(agent=agent)
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id="me")
    parts = [types.Part(text="Make hello.txt")]
    while parts:
        message, parts = types.Content(role="user", parts=parts), []
        async for event in runner.run_async(user_id="me", session_id=session.id, new_message=message):
            for asked in questions(event):
                answer = {"confirmed": True} if says_yes(asked.text) else {"confirmed": False, "payload": "not now"}
                response = types.FunctionResponse(id=asked.id, name="adk_request_confirmation", response=answer)
                parts.append(types.Part(function_response=response))
            for part in event.content.parts if event.content else ():
                if part.function_response:
                    print("The model reads:", part.function_response.response)
                if part.text:
                    print(part.text)


asyncio.run(main())
