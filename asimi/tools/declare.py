"""A tool's declaration in the form that each provider's interface takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from asimi.tools.base import AITool


def _anthropic(tool: AITool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters_schema}


def _gemini(tool: AITool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters_json_schema": tool.parameters_schema}


def _mcp(tool: AITool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters_schema}


FORMS: dict[str, Callable[[AITool], dict[str, Any]]] = {
    "openai": lambda tool: tool.get_openrouter_tool_definition(),
    "anthropic": _anthropic,
    "gemini": _gemini,
    "mcp": _mcp,
}
"""Each form, by its provider; `openai` is the one of chat completions, which OpenRouter takes too."""


def instructions(tools: Iterable[AITool]) -> str:
    """The prompt instructions of some tools, one below the other."""
    return "\n".join(tool.get_ai_prompt_instructions() for tool in tools).rstrip("\n")
