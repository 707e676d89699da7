"""`execute_command`: a program and its arguments, without a shell in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Request
from asimi.core.errors import Refusal
from asimi.tools.base import CommandTool, check_arguments, extras

if TYPE_CHECKING:
    from typing import Any

    from asimi.core.call import Result, Shell, ToolCall
    from asimi.core.interfaces import Workspace

LONGEST = 120
"""Seconds that a command is given at most (the specification, `timeout`)."""

DESCRIPTION = (
    "Executes a system command and returns its standard output, standard error, and return code. Allows specifying "
    "arguments, a working directory, and a timeout."
)


class ExecuteCommandTool(CommandTool):
    """The tool of `execute_command`'s specification."""

    name = "execute_command"
    description = DESCRIPTION

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """Check the parameters and resolve the directory.

        Raises:
            Refusal: a parameter is unknown, missing or wrong, or the directory is not there.
        """
        given = check_arguments(self.parameters_schema, call.arguments)
        if not given["command"]:
            raise Refusal("parameters", "command: is empty; it must name a program")
        return Request(
            tool=self.name,
            command=given["command"],
            arguments=tuple(given["args"]),
            place=workspace.anywhere(given.get("cwd", ""), "cwd"),
            shell=shell.kind,
            timeout=float(given["timeout"]),
            id=call.id,
            agent=call.agent,
        )

    def pack(self, outcome: Result | Refusal) -> dict[str, Any]:
        """Return what came of a call: four keys that are always there, and those that apply."""
        if isinstance(outcome, Refusal):
            return _keys("", f"Error: {outcome}", None)
        if outcome.failure is not None:
            return _keys("", f"Error: {outcome.failure.message}", None) | extras(outcome)
        code = outcome.exit_code if outcome.signal is None else -outcome.signal
        packed = _keys(
            outcome.stdout.text,
            outcome.stderr.text,
            None if outcome.timed_out else code,
            timed_out=outcome.timed_out,
        )
        return packed | extras(outcome, background=True)


def _keys(stdout: str, stderr: str, return_code: int | None, *, timed_out: bool = False) -> dict[str, Any]:
    """Return the return schema, in its own order."""
    return {"stdout": stdout, "stderr": stderr, "return_code": return_code, "timed_out": timed_out}
