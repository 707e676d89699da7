"""The declarations that `asimi tools` prints are what the providers' own SDKs take.

The SDKs are no dependency of ours: where one is missing, its test is skipped with that reason. `make live` has them.
"""

from __future__ import annotations

import pytest

from asimi.tools import tool_registry
from asimi.tools.declare import FORMS

TOOLS = ("run_shell_command", "execute_command")


def openai(declared):
    types = pytest.importorskip("openai.types.chat", reason="the openai SDK is not installed")
    return adapted(types.ChatCompletionToolParam, declared)["function"]["name"]


def anthropic(declared):
    types = pytest.importorskip("anthropic.types", reason="the anthropic SDK is not installed")
    return adapted(types.ToolParam, declared)["name"]


def gemini(declared):
    types = pytest.importorskip("google.genai.types", reason="the google-genai SDK is not installed")
    return types.FunctionDeclaration.model_validate(declared).name


def mcp(declared):
    types = pytest.importorskip("mcp_types", reason="the mcp SDK is not installed")
    return types.Tool.model_validate(declared).name


def adapted(kind, declared):
    """The declaration as a typed dictionary, every key of which the SDK knows."""
    from pydantic import TypeAdapter

    adapter = TypeAdapter(kind)
    return adapter.validate_python(declared, extra="forbid")


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("accepts", [openai, anthropic, gemini, mcp], ids=lambda each: each.__name__)
@pytest.mark.filterwarnings("ignore")  # of the SDKs
def test_an_sdk_accepts_the_declaration(accepts, name):
    assert accepts(FORMS[accepts.__name__](tool_registry.get_tool(name))) == name


def test_every_form_is_tried():
    assert set(FORMS) == {"openai", "anthropic", "gemini", "mcp"}
