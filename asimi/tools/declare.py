"""A tool's declaration in the form that each provider's interface takes.

Each form is a row of `FORMS`. `docs/extras/frameworks.md` lists them; `tests/test_declarations.py` tries each.
"""

from __future__ import annotations

from functools import partial
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


def _described(tool: AITool, **parameters: object) -> dict[str, Any]:
    """A tool's name and description, with its parameters under the name that a form has for them."""
    return {"name": tool.name, "description": tool.description, **parameters}


def _openai_strict(tool: AITool) -> dict[str, Any]:
    function = _described(tool, parameters=_strict(tool.parameters_schema))
    return {"type": "function", "function": function | {"strict": True}}


def _responses(tool: AITool, *, strict: bool) -> dict[str, Any]:
    """OpenAI's responses, which without `strict` would make every parameter required."""
    parameters = _strict(tool.parameters_schema) if strict else tool.parameters_schema
    return {"type": "function", **_described(tool, parameters=parameters), "strict": strict}


def _smolagents(tool: AITool) -> dict[str, Any]:
    """Return the attributes of a `smolagents.Tool`, which marks optional parameters one by one."""
    schema = tool.parameters_schema
    inputs = {
        name: kind if name in schema["required"] else kind | {"nullable": True}
        for name, kind in schema["properties"].items()
    }
    return _described(tool, inputs=inputs, output_type="object")


FORMS: dict[str, Callable[[AITool], dict[str, Any]]] = {
    "openai": lambda tool: tool.get_openrouter_tool_definition(),
    "openai-strict": _openai_strict,
    "openai-responses": partial(_responses, strict=False),
    "openai-responses-strict": partial(_responses, strict=True),
    "anthropic": lambda tool: _described(tool, input_schema=tool.parameters_schema),
    "gemini": lambda tool: _described(tool, parameters_json_schema=tool.parameters_schema),
    "mcp": lambda tool: _described(tool, inputSchema=tool.parameters_schema),
    "smolagents": _smolagents,
}
"""Each form, by its provider; `openai` is the one of chat completions, which OpenRouter takes too.

`docs/extras/frameworks.md` says which one each agent framework takes.
"""


def instructions(tools: Iterable[AITool]) -> str:
    """Return the prompt instructions of some tools, one below the other."""
    return "\n".join(tool.get_ai_prompt_instructions() for tool in tools).rstrip("\n")
