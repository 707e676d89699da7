"""asimi as tools of Pydantic AI (the extra `asimi[pydantic-ai]`).

A question is an `ApprovalRequired`, so `DeferredToolRequests` is one of the agent's output types; in these,
`metadata[tool_call_id]` has the question in words, and the arguments that it is about. Other arguments, by
`ToolApproved(override_args=…)`, are another call: it is asked about, and the first one can no longer be approved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_ai import ApprovalRequired, Tool, ToolFailed
from pydantic_ai.toolsets import FunctionToolset

from asimi.extras.frameworks.calls import Calls, key_of

if TYPE_CHECKING:
    from pydantic_ai import DeferredToolRequests, RunContext

    from asimi.core.gate import Gate

HOST, SHELL = "pydantic-ai", "run_shell_command"


def toolset(gate: Gate | None = None, *names: str) -> FunctionToolset[Any]:
    """The tools of these names, by default the shell; `gate` is by default that of the current directory."""
    return FunctionToolset([_tool(gate, name) for name in names or (SHELL,)])


async def reject(requests: DeferredToolRequests, call_id: str, note: str = "", gate: Gate | None = None) -> str:
    """Write a rejection down, and give the message for `ToolDenied`; `gate` is that of the toolset."""
    name = next(call.tool_name for call in requests.approvals if call.tool_call_id == call_id)
    asked = requests.metadata[call_id]
    key = key_of(asked["conversation"], call_id)
    return str(await Calls(HOST, gate, name).outcome(asked["arguments"], key, yes=False, note=note))


def _tool(gate: Gate | None, name: str) -> Tool[Any]:
    calls = Calls(HOST, gate, name)

    async def run(context: RunContext[Any], **arguments: Any) -> dict[str, Any]:
        conversation, yes, edited = context.conversation_id, True if context.tool_call_approved else None, False
        key = key_of(conversation, context.tool_call_id)
        if yes and not calls.preview(arguments, key) and (sent := _sent(context)) != arguments:
            edited = True
            await calls.outcome(sent, key, yes=False, note="another command is asked about in its place")
        if (yes is None or edited) and (proposal := calls.asks(arguments, key)) is not None:
            asked = {"question": proposal.preview, "arguments": arguments, "conversation": conversation}
            raise ApprovalRequired(asked)
        return calls.told(await calls.outcome(arguments, key, yes=yes), ToolFailed)

    tool = calls.tool
    return Tool.from_schema(run, tool.name, tool.description, tool.parameters_schema, takes_ctx=True)


def _sent(context: RunContext[Any]) -> dict[str, Any]:
    """The arguments that the model has sent, which an approval may have replaced."""
    parts = (part for message in reversed(context.messages) for part in message.parts)
    called = (part for part in parts if part.part_kind == "tool-call" and part.tool_call_id == context.tool_call_id)
    return next((part.args_as_dict() for part in called), {})
