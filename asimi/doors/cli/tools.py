"""`asimi tools`: the tools' declarations and prompt instructions, for a model."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from asimi.doors.cli.base import Command, UsageError, application
from asimi.doors.cli.printing import out

tools = application()


@tools.command(cls=Command)
def _tools(
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORM",
            help="openai, openai-strict, openai-responses, openai-responses-strict, anthropic, gemini, mcp, "
            "smolagents or prompt; `asimi help frameworks` says which one is for what.",
        ),
    ] = "openai",
) -> None:
    """Print the tools' declarations for a model, or their instructions for a prompt."""
    from asimi.tools import tool_registry
    from asimi.tools.declare import FORMS, instructions

    if form == "prompt":
        out(instructions(tool_registry))
        return
    if form not in FORMS:
        raise UsageError(f"--format is one of {', '.join(FORMS)} and prompt, not {form}.")
    import json

    declarations: list[Any] = [FORMS[form](tool) for tool in tool_registry]
    out(json.dumps(declarations, indent=2, ensure_ascii=False))
