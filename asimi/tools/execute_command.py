"""`execute_command`: a program and its arguments, without a shell in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Request
from asimi.core.errors import Refusal
from asimi.tools.base import CommandTool, checked, extras

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

INSTRUCTIONS = """\
Tool Name: execute_command
Description: Executes a system command and returns its standard output, standard error, and return code.
Parameters Schema:
  - command (string, required): The command or program to execute (e.g., "python", "ls"). This should be the command \
itself, without arguments.
  - args (array of strings, optional): A list of arguments for the command (e.g., ["my_script.py", "--input", \
"data.txt"]). Defaults to an empty list.
  - cwd (string, optional): The working directory for command execution. If not specified, defaults to the current \
workspace.
  - timeout (integer, optional): Maximum execution time in seconds (default: 60, min: 1, max: 120 for the initial \
version). If the command exceeds this, it will be terminated.
Output: A dictionary containing:
  - "stdout" (string): The standard output from the command.
  - "stderr" (string): The standard error from the command.
  - "return_code" (integer or null): The command's exit code (0 usually means success). Null if the command couldn't \
start or timed out.
  - "timed_out" (boolean): True if the command was terminated due to timeout, false otherwise.
When to use:
  Use this tool when you need to run an external program, script, or shell command on the system.
  For example, to compile code, run a Python script (`command="python", args=["script_name.py"]`), execute a shell \
utility, or run tests.
  Ensure the 'command' and 'args' are correctly specified as separate entities.
  Be mindful of the working directory ('cwd') if the command relies on relative file paths.
  Specify a 'timeout' if a command has the potential to hang or run for an unexpectedly long time.
  The command is executed directly; shell-specific features like pipes (`|`) or complex redirection (`>>`) within the \
`command` string itself are not interpreted by a shell unless the command is explicitly a shell (e.g., \
`command="bash", args=["-c", "ls | grep foo"]`). Prefer to handle complex logic within scripts called by this tool.
"""


class ExecuteCommandTool(CommandTool):
    """The tool of `execute_command`'s specification."""

    name = "execute_command"
    description = DESCRIPTION

    @property
    def parameters_schema(self) -> dict[str, Any]:
        """The JSON schema of its parameters, as the specification has it."""
        return {
            "type": "object",
            "properties": {
                "command": {
                    "type": "string",
                    "description": "The command or program to execute (e.g., 'python', 'ls', 'my_script.sh'). This "
                    "should be the command itself, without arguments.",
                },
                "args": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "A list of arguments to pass to the command. Each argument should be a separate "
                    'string in the list (e.g., ["my_script.py", "--verbose"]).',
                    "default": [],
                },
                "cwd": {
                    "type": "string",
                    "description": "The working directory from which to execute the command. If not specified, "
                    "defaults to the AIWhisperer's current workspace directory.",
                },
                "timeout": {
                    "type": "integer",
                    "description": "The maximum time in seconds to allow the command to run. If the command exceeds "
                    "this time, it will be terminated. Defaults to 60 seconds. Can be set up to a maximum of 120 "
                    "seconds for the initial version.",
                    "default": 60,
                    "minimum": 1,
                    "maximum": LONGEST,
                },
            },
            "required": ["command"],
        }

    def get_ai_prompt_instructions(self) -> str:
        """Return how to use it, as text for a prompt."""
        return INSTRUCTIONS

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """Check the parameters and resolve the directory.

        Raises:
            Refusal: a parameter is unknown, missing or wrong, or the directory is not there.
        """
        given = checked(self.parameters_schema, call.arguments)
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
