"""asimi as a tool of Google's Agent Development Kit (the extra `asimi[google-adk]`).

A question is a `request_confirmation`. What a person says to it is a `ToolConfirmation`: a `payload` with other
arguments is another call, and a text in the `payload` of a no is what the model reads. Models can write a call that
looks like ADK's question, with words of their own; only the ids of ADK's are among the event's `long_running_tool_ids`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.adk.tools import BaseTool
from google.genai.types import FunctionDeclaration

from asimi.core.errors import Refusal
from asimi.core.values import NamedTuple
from asimi.extras.frameworks.calls import Calls, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.adk.events import Event
    from google.adk.tools import ToolContext

    from asimi.core.gate import Gate

HOST, SHELL, ASKS = "google-adk", "run_shell_command", "adk_request_confirmation"


class Asked(NamedTuple):
    """A question of an event.

    Attributes:
        id: what a function response to it has as its id.
        call: the id of the call that it is about.
        text: the question in words, every character of it visible.
    """

    id: str
    call: str
    text: str


def questions(event: Event) -> list[Asked]:
    """What ADK asks in an event, and not the model in its name."""
    return [
        Asked(each.id, each.args["originalFunctionCall"]["id"], each.args["toolConfirmation"].get("hint", ""))
        for each in event.get_function_calls()
        if each.name == ASKS and each.id in (event.long_running_tool_ids or ())
    ]


class AsimiTool(BaseTool):  # type: ignore[misc]  # as for all that mypy cannot see
    """One of asimi's tools; `gate` is by default that of the current directory."""

    def __init__(self, gate: Gate | None = None, name: str = SHELL) -> None:
        self._calls = Calls(HOST, gate, name)
        super().__init__(name=name, description=self._calls.tool.description)

    def _get_declaration(self) -> FunctionDeclaration:
        schema = self._calls.tool.parameters_schema
        return FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any]:
        """Run a call, or request that it is confirmed."""
        session = tool_context.session
        key = key_of(session.app_name, session.user_id, session.id, tool_context.function_call_id)
        said = tool_context.tool_confirmation
        if said is None and (proposal := self._calls.asks(args, key)) is not None:
            tool_context.request_confirmation(hint=proposal.preview, payload=args)
            tool_context.actions.skip_summarization = True
            return {"error": "This call waits for the confirmation of a person."}
        yes, note = None if said is None else said.confirmed, ""
        if yes is False and isinstance(said.payload, str):
            note = said.payload
        elif yes and tool_context.function_call_id not in _answered(session.events):
            yes, note = False, "the question that was answered was written by the model"
        elif yes and said.payload not in (None, args):
            await self._calls.outcome(args, key, yes=False, note="edited")
            args = said.payload if isinstance(said.payload, dict) else {}
        outcome = await self._calls.outcome(args, key, yes=yes, note=note)
        return {"error": outcome.message} if isinstance(outcome, Refusal) else self._calls.tool.pack(outcome)


def _answered(events: list[Event]) -> Iterator[str]:
    """The calls whose questions were answered."""
    said = {each.id for event in events if event.author == "user" for each in event.get_function_responses()}
    return (asked.call for event in events for asked in questions(event) if asked.id in said)
