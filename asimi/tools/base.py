"""What a tool is: its declaration for a model, and its wire format for the gate.

`AITool` is the declaration, as frameworks around language models expect it. `CommandTool` is the part that both of our
tools share: parameters are checked against the tool's own schema, and a call goes through the gate, the only way there
is to an effect.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import TYPE_CHECKING

from asimi.core import wire
from asimi.core.call import ToolCall
from asimi.core.errors import AsimiError, Refusal, refusal_of_fault
from asimi.core.facts import content_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, ClassVar

    from asimi.core.call import RefusedExecution, Request, Result, Shell, Stream
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Listener, Workspace


class AITool(ABC):
    """Something a language model can call."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name that calls and rules use."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What it does, for the model."""

    @property
    @abstractmethod
    def parameters_schema(self) -> dict[str, Any]:
        """The JSON schema of its parameters."""

    @abstractmethod
    def get_ai_prompt_instructions(self) -> str:
        """Return how to use it, as part of a prompt."""

    @abstractmethod
    async def execute(self, **kwargs: Any) -> dict[str, Any]:
        """Do it, and return the result as the tool's specification has it."""

    @property
    def category(self) -> str:
        """What kind of tool it is; empty where it is of none."""
        return ""

    @property
    def tags(self) -> list[str]:
        """Words to find it by."""
        return []

    def get_openrouter_tool_definition(self) -> dict[str, Any]:
        """Return the function definition that the chat interfaces of OpenAI and OpenRouter take."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": self.parameters_schema,
            },
        }


class CommandTool(AITool):
    """A tool whose calls are commands, and so go through the gate.

    Args:
        gate: gives the gate to use; by default the one that the person's own configuration describes.
    """

    def __init__(self, gate: Callable[[], Gate] | None = None) -> None:
        self._gate = gate

    category = "System Execution"

    @property
    def parameters_schema(self) -> dict[str, Any]:
        """The JSON schema of its parameters, as its specification has it."""
        schema: dict[str, Any] = wire.loads(_text_beside(f"{self.name}.json"))
        return schema

    def get_ai_prompt_instructions(self) -> str:
        """Return how to use it, as text for a prompt."""
        return _text_beside(f"{self.name}.txt")

    @property
    def tags(self) -> list[str]:
        """Words to find it by."""
        return ["command", "shell", "execute", "process", "system"]

    @abstractmethod
    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """Check the parameters and resolve the directory; see `asimi.core.gate.Tool`."""

    @abstractmethod
    def pack(self, outcome: Result | Refusal) -> dict[str, Any]:
        """Return the outcome of a call, in the tool's own return schema."""

    @property
    def gate(self) -> Gate:
        """The gate its calls go through."""
        if self._gate is not None:
            return self._gate()
        from asimi.compose.gate import default_gate

        return default_gate(command_tool)

    async def execute(self, **kwargs: Any) -> dict[str, Any]:
        """Run one call through the gate. A refusal is a result too and is never raised."""
        try:
            gate = self.gate
        except (AsimiError, OSError) as error:
            return self.pack(refusal_of_fault(error))
        return self.pack(await gate.run(ToolCall(self.name, kwargs, agent="library"), self))

    def waited_for(
        self,
        arguments: Mapping[str, Any],
        gate: Gate | None = None,
        listener: Listener | None = None,
        agent: str = "library",
    ) -> dict[str, Any]:
        """Return the same for code that is not asynchronous; with and without an event loop in this thread.

        Args:
            arguments: the parameters.
            gate: the gate to use in place of the tool's own.
            listener: hears the output as it comes; must not block.
            agent: who calls, as the log has it.
        """
        try:
            from asimi.tools.waiting import outcome_of

            gate = gate or self.gate
        except (AsimiError, OSError) as error:
            return self.pack(refusal_of_fault(error))
        call = ToolCall(self.name, arguments, agent=agent)
        return self.pack(outcome_of(gate.run(call, self, listener)))


@cache
def _text_beside(file: str) -> str:
    """What a file beside the tools says: the parameters or the instructions of one."""
    return content_in(__package__, file).decode()


def command_tool(name: str) -> CommandTool | None:
    """Return the tool of a name whose calls are commands; None where there is none."""
    tool = ToolRegistry().get_tool(name)
    return tool if isinstance(tool, CommandTool) else None


_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "array": (list, tuple)}
_NAMED = {"string": "a string", "integer": "an integer", "array": "an array"}


def check_arguments(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with the schema's defaults; parameters that have none and were not given, or are null, are absent.

    Knows as much of JSON schema as the tools' own schemas use: `type`, `items`, `minimum`, `maximum`, `default`,
    `required`. A parameter that the schema does not name is refused, because its sender would believe that it works.

    Raises:
        Refusal: a parameter is unknown, missing or wrong; the message begins with its name.
    """
    known = schema["properties"]
    for name in arguments:
        if name not in known:
            raise _wrong(name, f"is not a parameter of this tool; it takes {', '.join(known)}")
    for name in schema["required"]:
        if name not in arguments:
            raise _wrong(name, "is required and missing")
    given = {name: value for name, value in arguments.items() if value is not None or name in schema["required"]}
    defaults = {name: kind["default"] for name, kind in known.items() if "default" in kind}
    return defaults | {name: _check_value(name, value, known[name]) for name, value in given.items()}


def _check_value(name: str, value: Any, kind: Mapping[str, Any]) -> Any:
    """One value that fits its schema; `30.0` is the integer 30, as in JSON schema.

    Raises:
        Refusal: it does not fit.
    """
    expected = kind["type"]
    if expected == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, _TYPES[expected]):
        raise _wrong(name, f"must be {_NAMED[expected]}, not {_describe_value(value)}")
    if isinstance(value, str):
        _check_text(name, value)
    elif isinstance(value, int):
        if not kind.get("minimum", value) <= value <= kind.get("maximum", value):
            raise _wrong(name, f"must be from {kind['minimum']} to {kind['maximum']}, not {_describe_value(value)}")
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            _check_value(f"{name}[{number}]", item, kind["items"])
    return value


def _check_text(name: str, value: str) -> None:
    """A string against what the operating system can be handed.

    Raises:
        Refusal: it contains NUL, or a lone surrogate that encodes no byte.
    """
    if "\0" in value:
        raise _wrong(name, f"contains a NUL character, at {value.index(chr(0)) + 1}, which no command can contain")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise _wrong(name, f"contains a lone surrogate, at {error.start + 1}, which is not text") from None


def _describe_value(value: Any) -> str:
    """Return a wrong value, by its JSON type, and itself where it is short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return f"the number {value}" if abs(value) < 1e40 else "that number"
    kinds = {str: "a string", dict: "an object", list: "an array"}
    return next((word for kind, word in kinds.items() if isinstance(value, kind)), type(value).__name__)


def _wrong(name: str, fault: str) -> Refusal:
    """Return a refusal about a parameter; control characters in its name become escapes."""
    return Refusal("parameters", f"{name if name.isascii() and name.isprintable() else ascii(name)} {fault}")


def _refused_json(refused: RefusedExecution) -> dict[str, Any]:
    """Return an execution that was refused; bytes that are not UTF-8 are U+FFFD, as in a stream."""
    argv = [word.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for word in refused.argv]
    return refused._asdict() | {"argv": argv}


def extras(result: Result, *, background: bool = False) -> dict[str, Any]:
    """Return the keys that a result has only where they apply.

    Args:
        result: the result of the run.
        background: whether to list the processes left running, for a format without a key of its own for them.
    """
    found: dict[str, Any] = {}
    if result.edited is not None:
        found["edited"] = result.edited if isinstance(result.edited, str) else list(result.edited)
    if result.host:
        found["host"] = result.host
    if result.sandbox != "off":
        found["sandbox"] = result.sandbox
    streams: tuple[tuple[str, Stream], ...] = (("stdout", result.stdout), ("stderr", result.stderr))
    if truncated := {name: {"bytes": s.size, "file": s.file} for name, s in streams if s.file is not None}:
        found["truncated"] = truncated
    if lossy := [name for name, stream in streams if stream.lossy]:
        found["lossy"] = lossy
    if background and result.background:
        found["backgroundPids"] = list(result.background)
    if result.log is not None:
        found["backgroundLog"] = result.log
    if result.refused:
        found["refused"] = [_refused_json(each) for each in result.refused]
    return found


class ToolRegistry:
    """The tools that callers can name: one registry for the whole process, as the tools' specification has it.

    However often it is constructed, it is the same one, so a tool that is registered is there for every caller.
    """

    _only: ClassVar[ToolRegistry | None] = None
    _tools: ClassVar[dict[str, AITool]] = {}

    def __new__(cls) -> ToolRegistry:  # noqa: PYI034 - there is one, and it is of this class
        """Return the one registry."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def register_tool(self, tool: AITool) -> None:
        """Make a tool known to the whole process; one that is there already, with the same attributes, may come again.

        Raises:
            TypeError: it is no `AITool`.
            ValueError: another tool has its name, which it would replace for everybody.
        """
        if not isinstance(tool, AITool):
            raise TypeError(f"{type(tool).__name__} is not an AITool")
        known = self._tools.setdefault(tool.name, tool)
        if type(known) is not type(tool):
            raise ValueError(f"there is a tool {tool.name!r} already, a {type(known).__name__}")
        if vars(known) != vars(tool):
            raise ValueError(f"there is a tool {tool.name!r} already, for the whole process, which is set up otherwise")

    def get_tool(self, name: str) -> AITool | None:
        """Return the tool of a name, or None."""
        return self._tools.get(name)

    def get_all_tools(self) -> list[AITool]:
        """Return every tool, in the order they were registered."""
        return list(self._tools.values())

    def get_tools_by_category(self, category: str) -> list[AITool]:
        """Return the tools of a category."""
        return [tool for tool in self if tool.category == category]

    def get_tools_by_tag(self, tag: str) -> list[AITool]:
        """Return the tools that carry a tag."""
        return [tool for tool in self if tag in tool.tags]

    def __iter__(self) -> Iterator[AITool]:
        return iter(self.get_all_tools())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __len__(self) -> int:
        return len(self._tools)
