"""The tools that a model can call; importing this package registers both."""

from __future__ import annotations

from asimi.tools.base import AITool, CommandTool, ToolRegistry, command_tool
from asimi.tools.execute_command import ExecuteCommandTool
from asimi.tools.run_shell_command import RunShellCommandTool

__all__ = [
    "AITool",
    "CommandTool",
    "ExecuteCommandTool",
    "RunShellCommandTool",
    "ToolRegistry",
    "command_tool",
    "tool_registry",
]

tool_registry = ToolRegistry()
tool_registry.register_tool(RunShellCommandTool())
tool_registry.register_tool(ExecuteCommandTool())
