"""A tool's declaration in the form that each provider's interface takes.

Each form is a row of `FORMS`. `docs/extras/frameworks.md` lists them; `tests/test_declarations.py` tries each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from asimi.tools.base import AITool


def _strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema for OpenAI's strict mode: all is required, what is optional may be null, and there is no `default`.

    See "Strict mode" in https://platform.openai.com/docs/guides/function-calling.
    """
    properties = {
        name: {key: value for key, value in kind.items() if key != "default"}
        | ({} if name in schema["required"] else {"type": [kind["type"], "null"]})
        for name, kind in schema["properties"].items()
    }
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _openai_strict(tool: AITool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": _strict(tool.parameters_schema)}
    return {"type": "function", "function": function | {"strict": True}}


def _responses(tool: AITool) -> dict[str, Any]:
    """OpenAI's responses, which without `strict` would make every parameter required."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters_schema}
    return {"type": "function", **function, "strict": False}


def _responses_strict(tool: AITool) -> dict[str, Any]:
    return _responses(tool) | {"parameters": _strict(tool.parameters_schema), "strict": True}


def _anthropic(tool: AITool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters_schema}


def _gemini(tool: AITool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters_json_schema": tool.parameters_schema}


def _mcp(tool: AITool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters_schema}


def _smolagents(tool: AITool) -> dict[str, Any]:
    """Return the attributes of a `smolagents.Tool`, which marks optional parameters one by one."""
    schema = tool.parameters_schema
    inputs = {
        name: kind if name in schema["required"] else kind | {"nullable": True}
        for name, kind in schema["properties"].items()
    }
    return {"name": tool.name, "description": tool.description, "inputs": inputs, "output_type": "object"}


FORMS: dict[str, Callable[[AITool], dict[str, Any]]] = {
    "openai": lambda tool: tool.get_openrouter_tool_definition(),
    "openai-strict": _openai_strict,
    "openai-responses": _responses,
    "openai-responses-strict": _responses_strict,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "mcp": _mcp,
    "smolagents": _smolagents,
}
"""Each form, by its provider; `openai` is the one of chat completions, which OpenRouter takes too.

`docs/extras/frameworks.md` says which one each agent framework takes.
"""


def instructions(tools: Iterable[AITool]) -> str:
    """Return the prompt instructions of some tools, one below the other."""
    return "\n".join(tool.get_ai_prompt_instructions() for tool in tools).rstrip("\n")
