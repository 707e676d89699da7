"""An agent of smolagents behind asimi.

smolagents has no way to ask a person, so asimi asks itself: on the terminal, or else by `asimi watch` on another one.
"""

from __future__ import annotations

from typing import Any

from example import ALLOWED, ASKED, DENIED, POLICY
from smolagents import Model, Tool, ToolCallingAgent
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction

import asimi
from asimi.tools.declare import FORMS

gate = asimi.open_gate(config=POLICY)


class Shell(Tool):
    """asimi's shell, as it declares it itself."""

    name, description, inputs, output_type = FORMS["smolagents"](asimi.RunShellCommandTool()).values()

    def forward(self, command: str, description: str | None = None, directory: str | None = None) -> dict[str, Any]:
        """Run one call, once asimi allows it."""
        said, where = description or "", directory or ""
        return asimi.run(command, description=said, directory=where, gate=gate, agent="smolagents")


class Scripted(Model):
    """A fake model, which says what it was given."""

    said = iter(
        [
            *(ChatMessageToolCallFunction({"command": each}, Shell.name) for each in (ALLOWED, DENIED, ASKED)),
            ChatMessageToolCallFunction({"answer": "Done."}, "final_answer"),
        ]
    )

    def generate(self, *_: object, **__: object) -> ChatMessage:
        """The next call."""
        return ChatMessage("assistant", "", [ChatMessageToolCall(next(self.said), "1", "function")])


agent = ToolCallingAgent(tools=[Shell()], model=Scripted(), verbosity_level=0)
answer = agent.run("Make hello.txt")
for step in agent.memory.steps:
    if observed := getattr(step, "observations", None):
        print("The model reads:", observed)
print(answer)
