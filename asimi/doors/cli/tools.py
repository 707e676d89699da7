"""`asimi tools`: the tools' declarations and prompt instructions, for a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import out
from asimi.tools import tool_registry
from asimi.tools.declare import FORMS, instructions

if TYPE_CHECKING:
    from typing import Any

    from asimi.compose import Options


def tools(_: Options, form: str = "openai") -> int:
    """Print the tools' declarations for a model, or their instructions for a prompt."""
    if form == "prompt":
        out(instructions(tool_registry))
        return 0
    if form not in FORMS:
        raise Wrong(f"--format is one of {', '.join(FORMS)} and prompt, not {form}.")

    declarations: list[Any] = [FORMS[form](tool) for tool in tool_registry]
    out(json.dumps(declarations, indent=2, ensure_ascii=False))
    return 0
