"""asimi as tools of LangChain and LangGraph agents (the extra `asimi[langchain]`).

The middleware brings the tools. A question is an interrupt of its call, as `HumanInTheLoopMiddleware` makes them with
`interrupt_mode="per_call"`. What is asked about is in the graph's state before a call starts, because the framework
decides that once more on the way back, when the policy may be another.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from langchain.agents.middleware import AgentState, HumanInTheLoopMiddleware
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool, ToolException
from langgraph.config import get_config

from asimi.extras.frameworks.calls import Calls, key_of
from asimi.tools.waiting import outcome_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from asimi.core.gate import Gate


class _State(AgentState[Any]):  # type: ignore[misc]  # as for all that mypy cannot see
    asimi_questions: Annotated[dict[str, str], PrivateStateAttr]


class AsimiMiddleware(HumanInTheLoopMiddleware[Any, Any, Any]):  # type: ignore[misc]
    """The tools of these names, by default the shell; `gate` is by default that of the current directory."""

    state_schema = _State

    def __init__(self, gate: Gate | None = None, *names: str) -> None:
        self._calls = {name: Calls("langchain", gate, name) for name in names or ("run_shell_command",)}
        self.tools = [_tool(calls, "", None) for calls in self._calls.values()]
        asked = {
            "allowed_decisions": ["approve", "edit", "reject"],
            "when": lambda request: bool(_question(request.state, request.tool_call)),
            "description": lambda call, state, _: _question(state, call),
        }
        super().__init__(dict.fromkeys(self._calls, asked), interrupt_mode="per_call")

    def after_model(self, state: Any, runtime: Any) -> dict[str, Any]:
        """Keep for each call what there is to ask, for as long as it takes to answer."""
        del runtime
        last = next((each for each in reversed(state["messages"]) if isinstance(each, AIMessage)), None)
        ours = [call for call in (last.tool_calls if last else []) if call["name"] in self._calls]
        asked = {call["id"]: self._calls[call["name"]].asks(call["args"], _key(call)) for call in ours}
        return {"asimi_questions": {name: each.preview for name, each in asked.items() if each}}

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Ask about a call if that is kept, and run it with the answer."""
        ran: list[Any] = []
        result = super().wrap_tool_call(request, lambda each: handler(self._answered(request, each, ran)))
        return self._closed(request, ran, result)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same, asynchronously."""
        ran: list[Any] = []
        result = await super().awrap_tool_call(request, lambda each: handler(self._answered(request, each, ran)))
        return self._closed(request, ran, result)

    def _answered(self, asked: Any, request: Any, ran: list[Any]) -> Any:
        """The call with what a person said of it."""
        if (calls := self._calls.get(request.tool_call["name"])) is None:
            return request
        ran.append(request.tool_call)
        yes = True if _question(asked.state, asked.tool_call) else None
        return request.override(tool=_tool(calls, _key(asked.tool_call), yes))

    def _closed(self, request: Any, ran: list[Any], result: Any) -> Any:
        """The result; a call that was rejected or replaced can no longer be approved."""
        call, calls = request.tool_call, self._calls.get(request.tool_call["name"])
        if calls is not None and call not in ran and _question(request.state, call):
            outcome_of(calls.outcome(call["args"], _key(call), yes=False, note="rejected or edited"))
        return result


def _tool(calls: Calls, key: str, yes: bool | None) -> StructuredTool:  # noqa: FBT001 - what was said
    async def run(**arguments: Any) -> str:
        return json.dumps(calls.told(await calls.outcome(arguments, key, yes=yes), ToolException))

    def wait(**arguments: Any) -> str:
        return json.dumps(calls.told(outcome_of(calls.outcome(arguments, key, yes=yes)), ToolException))

    tool, schema = calls.tool, {"args_schema": calls.tool.parameters_schema, "handle_tool_error": True}
    return StructuredTool.from_function(wait, run, tool.name, tool.description, **schema)


def _question(state: Any, call: Any) -> str:
    return str((state.get("asimi_questions") or {}).get(call["id"], ""))


def _key(call: Any) -> str:
    return key_of(str(get_config().get("configurable", {}).get("thread_id", "")), call["id"])
