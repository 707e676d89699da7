"""The declarations that `asimi tools` prints are what the providers' own SDKs and the agent frameworks take.

None of these is a dependency of ours: where one is missing, its test is skipped with that reason. `make live` has the
SDKs, `make frameworks` the frameworks.
"""

from __future__ import annotations

import copy

import pytest

from asimi.tools import tool_registry
from asimi.tools.declare import FORMS

TOOLS = ("run_shell_command", "execute_command")


def sdk(module):
    return pytest.importorskip(module, reason=f"{module} is not installed")


def adapted(kind, declared):
    """The declaration as a typed dictionary, every key of which the SDK knows."""
    from pydantic import TypeAdapter

    adapter = TypeAdapter(kind)
    return adapter.validate_python(declared, extra="forbid")


def openai(declared):
    return adapted(sdk("openai.types.chat").ChatCompletionToolParam, declared)["function"]["name"]


def openai_responses(declared):
    return adapted(sdk("openai.types.responses").FunctionToolParam, declared)["name"]


def strict_in_openai_agents(declared):
    """What the SDK makes of a schema for strict mode is that schema."""
    function = declared.get("function", declared)
    made = sdk("agents.strict_schema").ensure_strict_json_schema(copy.deepcopy(function["parameters"]))
    assert made == function["parameters"]
    return function["name"]


def strict_in_pydantic_ai(declared):
    """Pydantic AI would use strict mode of its own accord."""
    function = declared.get("function", declared)
    transformer = sdk("pydantic_ai.profiles.openai").OpenAIJsonSchemaTransformer(function["parameters"])
    assert transformer.walk() == function["parameters"]
    assert transformer.is_strict_compatible
    return function["name"]


def anthropic(declared):
    return adapted(sdk("anthropic.types").ToolParam, declared)["name"]


def gemini(declared):
    return sdk("google.genai.types").FunctionDeclaration.model_validate(declared).name


def pydantic_ai(declared):
    return sdk("pydantic_ai").ToolDefinition(**declared).name


def langchain(declared):
    made = sdk("langchain_core.utils.function_calling").convert_to_openai_tool(declared)
    assert made == declared
    return made["function"]["name"]


def mcp(declared):
    return sdk("mcp_types").Tool.model_validate(declared).name


def smolagents(declared):
    """The class is checked when a tool is made; what models get says again which parameters are required."""
    kind = type("Tool", (sdk("smolagents").Tool,), declared | {"skip_forward_signature_validation": True})
    function = sdk("smolagents.models").get_tool_json_schema(kind())["function"]
    assert function["parameters"]["required"] == ["command"]
    return function["name"]


TAKEN = [
    ("openai", openai),
    ("openai", langchain),
    ("openai-strict", openai),
    ("openai-strict", strict_in_openai_agents),
    ("openai-strict", strict_in_pydantic_ai),
    ("openai-responses", openai_responses),
    ("openai-responses-strict", openai_responses),
    ("openai-responses-strict", strict_in_openai_agents),
    ("openai-responses-strict", strict_in_pydantic_ai),
    ("anthropic", anthropic),
    ("gemini", gemini),
    ("gemini", pydantic_ai),
    ("mcp", mcp),
    ("smolagents", smolagents),
]


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(("form", "taker"), TAKEN, ids=[f"{form}-{taker.__name__}" for form, taker in TAKEN])
@pytest.mark.filterwarnings("ignore")  # of the SDKs
def test_a_declaration_is_taken(form, taker, name):
    assert taker(FORMS[form](tool_registry.get_tool(name))) == name


def test_every_form_is_tried():
    assert set(FORMS) == {form for form, _ in TAKEN}


@pytest.mark.parametrize("name", TOOLS)
def test_what_strict_mode_adds_is_taken_back(name):
    """A model in strict mode sends every parameter, null for those it leaves out; the gate takes these as absent."""
    import asimi.testing

    tool = tool_registry.get_tool(name)
    parameters = FORMS["openai-strict"](tool)["function"]["parameters"]
    given = dict.fromkeys(parameters["properties"]) | {"command": "true"}
    gate = asimi.testing.make_gate(tools=lambda _: tool)
    read = [
        tool.read(asimi.ToolCall(name, arguments), gate.workspace, gate.shell)
        for arguments in (given, {"command": "true"})
    ]
    assert read[0] == read[1]
