"""asimi as tools of Google's ADK: a draft, never run; no test, no extra, no documentation yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.adk.tools import BaseTool
from google.genai import types

from asimi.adapters.calls import Calls
from asimi.core.errors import Refusal

if TYPE_CHECKING:
    from google.adk.tools import ToolContext

    from asimi.core.gate import Gate


class AsimiTool(BaseTool):
    """One of the tools; `gate` is by default that of the current directory."""

    def __init__(self, gate: Gate | None = None, name: str = "run_shell_command") -> None:
        self._calls = Calls("google-adk", gate, name)
        super().__init__(name=name, description=self._calls.tool.description)

    def _get_declaration(self) -> Any:
        schema = self._calls.tool.parameters_schema
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any]:
        """Run a call, or request its confirmation."""
        key, said = f"{tool_context.session.id}/{tool_context.function_call_id}", tool_context.tool_confirmation
        if said is None and (proposal := self._calls.asks(args, key)) is not None:
            tool_context.request_confirmation(hint=proposal.preview)
            tool_context.actions.skip_summarization = True
            return {"error": "This call waits for the confirmation of a person."}
        outcome = await self._calls.outcome(args, key, yes=None if said is None else said.confirmed)
        return {"error": outcome.message} if isinstance(outcome, Refusal) else self._calls.tool.pack(outcome)
