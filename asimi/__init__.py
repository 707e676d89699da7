"""The gate between AI agents and a person's shell.

The names below are the library's public face. Each is loaded when it is first used, so `import asimi` costs
nothing; what is not listed here is internal.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is a quarter of a start; a type checker takes this for true
if TYPE_CHECKING:
    from typing import Any

    from asimi.core.call import Decision, Question, Request, Result, ToolCall, Verdict
    from asimi.core.errors import AsimiError, ConfigError, Refusal, ShellSyntaxError
    from asimi.core.gate import Gate
    from asimi.core.hosting import Answer, Approver, Proposal
    from asimi.doors.library import check, execute, open_gate, run
    from asimi.tools import AITool, ExecuteCommandTool, RunShellCommandTool, ToolRegistry

__version__ = "0.1.0"

__all__ = [
    "AITool",
    "Answer",
    "Approver",
    "AsimiError",
    "ConfigError",
    "Decision",
    "ExecuteCommandTool",
    "Gate",
    "Proposal",
    "Question",
    "Refusal",
    "Request",
    "Result",
    "RunShellCommandTool",
    "ShellSyntaxError",
    "ToolCall",
    "ToolRegistry",
    "Verdict",
    "__version__",
    "check",
    "execute",
    "open_gate",
    "run",
]

_HOMES = {
    "asimi.core.call": ("Decision", "Question", "Request", "Result", "ToolCall", "Verdict"),
    "asimi.core.errors": ("AsimiError", "ConfigError", "Refusal", "ShellSyntaxError"),
    "asimi.core.gate": ("Gate",),
    "asimi.core.hosting": ("Answer", "Approver", "Proposal"),
    "asimi.doors.library": ("check", "execute", "open_gate", "run"),
    "asimi.tools": ("AITool", "ExecuteCommandTool", "RunShellCommandTool", "ToolRegistry"),
}


def __getattr__(name: str) -> Any:
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
