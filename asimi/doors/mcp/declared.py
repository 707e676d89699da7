"""The tools as MCP declares them: input and output schemas, and hints for the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types

from asimi.core import wire
from asimi.core.facts import content_in

if TYPE_CHECKING:
    from asimi.core.settings import Settings
    from asimi.tools import CommandTool

JSON = dict[str, Any]

_OUTPUTS: dict[str, JSON] = wire.loads(content_in(__package__, "outputs.json").decode())
_BOTH = _OUTPUTS.pop("both")
OUTPUTS = {name: schema | {"properties": schema["properties"] | _BOTH} for name, schema in _OUTPUTS.items()}
"""What each tool returns, as its specification has it."""

TITLES = {"run_shell_command": "Run a shell command", "execute_command": "Run a program"}

_TEXT, _PIDS = {"type": "string"}, {"type": "array", "items": {"type": "integer"}}
_FIELDS = {"id": _TEXT, "command": _TEXT, "directory": _TEXT, "pids": _PIDS, "began": {"type": "number"}}
_JOB = {"type": "object", "properties": _FIELDS, "required": [*_FIELDS]}
_ID = {"type": "string", "description": "The job's id, from list_background_jobs."}


def declaration_of(tool: CommandTool) -> types.Tool:
    """Return a command tool's declaration."""
    return types.Tool(
        name=tool.name,
        title=TITLES.get(tool.name),
        description=tool.description,
        input_schema=tool.parameters_schema,
        output_schema=OUTPUTS.get(tool.name),
        annotations=types.ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
        ),
    )


def own_tools() -> list[types.Tool]:
    """Return the declarations of the tools about jobs and tasks."""
    looks = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    ends = types.ToolAnnotations(destructive_hint=True, idempotent_hint=True, open_world_hint=False)

    def schema(properties: JSON, required: list[str]) -> JSON:
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    size = {"type": "integer", "minimum": 1, "maximum": MOST_LOG_BYTES, "default": LOG_BYTES}
    yes, number = {"type": "boolean"}, {"type": "integer"}
    read = {"id": _TEXT, "running": yes, "log": _TEXT, "bytes": number}
    end = {"id": _TEXT, "ended": yes, "pids": _PIDS}
    return [
        types.Tool(
            name="list_background_jobs",
            title="List background jobs",
            description="The processes that commands of this session left running, and those that have ended since.",
            input_schema=schema({}, []),
            output_schema=schema({"jobs": {"type": "array", "items": _JOB}, "more": number}, ["jobs"]),
            annotations=looks,
        ),
        types.Tool(
            name="read_background_job",
            title="Read a background job's output",
            description="The end of what a background job wrote after its command returned.",
            input_schema=schema({"id": _ID, "bytes": size | {"description": "How much of the end to read."}}, ["id"]),
            output_schema=schema(read, list(read)),
            annotations=looks,
        ),
        types.Tool(
            name="end_background_job",
            title="End a background job",
            description="Ends a background job with all its processes.",
            input_schema=schema({"id": _ID}, ["id"]),
            output_schema=schema(end, list(end)),
            annotations=ends,
        ),
        types.Tool(
            name="propose_task",
            title="Propose a task",
            description="Asks a person to grant what a task needs, as the words of `asimi task`; it allows nothing.",
            input_schema=schema({"words": _TEXT | {"description": "'fix it' --push 'origin fix'"}}, ["words"]),
            output_schema=schema({"said": _TEXT}, ["said"]),
            annotations=looks,
        ),
    ]


MESSAGE = 9 << 20
"""Bytes of the longest answer, its envelope aside."""

OUTPUT = 256 << 10
"""Bytes of each stream that an answer holds; of a longer one head and tail, and the name of the file with all of it."""

LOG_BYTES, MOST_LOG_BYTES = 1 << 16, 1 << 19
"""Bytes of a job's log that are read by default, and at most."""

COMMAND = 1000
"""Characters of a job's command that are shown."""


def limit_output(settings: Settings) -> Settings:
    """Settings by which no stream of a result is longer than an answer holds."""
    limits = settings.limits
    return settings._replace(limits=limits._replace(output_bytes=min(limits.output_bytes, OUTPUT)))


def fit_answer(value: JSON) -> tuple[JSON, str]:
    """Return a value that an answer can hold, with its text: what is longest in it is shortened until both fit.

    `more` is how many items of lists are left out; a string says itself that it was cut.
    """
    while _size(text := wire.dumps(value)) > MESSAGE:
        name = max(value, key=lambda name: len(wire.dumps(value[name])))
        long = value[name]
        half = len(long) // 2
        if isinstance(long, list):
            value = value | {name: long[:half], "more": value.get("more", 0) + len(long) - half}
        else:
            value = value | {name: f"{long[:half]}… [asimi: cut here, because an answer holds no more]"}
    return value, text


def _size(text: str) -> int:
    """Bytes of an answer that has this text twice, once as a string; no less, and exactly where it comes near."""
    return 3 * len(text) if 3 * len(text) <= MESSAGE else len(text) + len(wire.dumps(text))
