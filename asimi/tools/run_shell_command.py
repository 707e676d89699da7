"""`run_shell_command`: shell text for bash, in a directory of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Request, ToolCall
from asimi.core.errors import Refusal
from asimi.tools.base import CommandTool, checked, extras

if TYPE_CHECKING:
    from typing import Any

    from asimi.core.call import Result, Shell
    from asimi.core.interfaces import Workspace

DESCRIPTION = (
    "This tool executes a given shell command. On Windows, it uses `cmd.exe /c`. On other platforms, it uses "
    "`bash -c`. It can start background processes."
)

INSTRUCTIONS = """\
Tool Name: run_shell_command
Description: Executes a shell command with `bash -c` (on Windows with `cmd.exe /c`) and returns its output and exit \
code.
Parameters:
  - command (string, required): The literal command for the shell. Pipes, redirection and chaining (&&, ||, ;) work.
  - description (string, optional): What the command is for, in one sentence for a person. It is shown when the \
command has to be confirmed, so give it whenever a command changes something.
  - directory (string, optional): Where to run it, relative to the project root. Absolute paths are not permitted. \
Without it, the project root.
Output: A JSON object containing:
  - "stdout", "stderr" (string): What the command wrote.
  - "exitCode" (integer or null): 0 usually means success; null if a signal ended it or it did not start.
  - "signal" (integer or null): The signal that ended it.
  - "error" (string or null): Why nothing was started: the call was refused, or the process could not be spawned.
  - "pid" (integer or null): The shell's process id.
  - "backgroundPids" (array of integers): Processes the command left running.
  - Only where they apply: "timedOut", "truncated" (where all of a long output is), "lossy" (streams that were not \
UTF-8), "backgroundLog" (where later output of background processes goes), "edited" (what ran in place of your \
command, because the person changed it), "refused" (programs that the command tried to start and that a rule denies), \
"sandbox" (the mode it was confined to: writes elsewhere fail), "host" (the machine where it ran \
and where pids and files are).
When to use:
  Use it to build, test, search, inspect: whatever a shell does. Append `&` to leave a server running.
  Each call is independent: `cd` and variables do not last. Standard input is empty, so nothing can prompt.
  Command substitution ($(...), backticks, <(...), >(...)) is disallowed and makes the call fail before anything runs; \
run the inner command first and use its output in a second call.
  Not every call is run: lists of allowed and denied commands apply, and a person may be asked. "error" then says why. \
Do not try to get around it: what was refused is for the person to decide.
  A non-zero "exitCode" or a non-empty "stderr" is a potential failure: read them.
"""


class RunShellCommandTool(CommandTool):
    """The tool of `run_shell_command`'s specification."""

    name = "run_shell_command"
    description = DESCRIPTION

    @property
    def parameters_schema(self) -> dict[str, Any]:
        """The JSON schema of its parameters."""
        return {
            "type": "object",
            "properties": {
                "command": {
                    "type": "string",
                    "description": "The literal command string to be executed by the shell. It can include pipes, "
                    "redirection, and command chaining (e.g., `&&`, `||`, `;`).",
                },
                "description": {
                    "type": "string",
                    "description": "A concise, human-readable explanation of what the command intends to do. This "
                    "description will be shown to the user in a confirmation dialog if the command is not already on a "
                    "pre-approved list. It is crucial for obtaining user consent for potentially impactful operations.",
                },
                "directory": {
                    "type": "string",
                    "description": "The directory where the command should be executed, relative to the project's "
                    "root. If omitted, the command runs in the project's root directory. Absolute paths are not "
                    "permitted.",
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        }

    def get_ai_prompt_instructions(self) -> str:
        """Return how to use it, as text for a prompt."""
        return INSTRUCTIONS

    def call(self, input: str) -> str:  # noqa: A002 - the specification's name
        """Run one call: JSON text in, JSON text out. Works with and without an event loop in this thread.

        Raises:
            wire.Malformed: the text is not a JSON object; the message begins with `invalid input:`.
        """
        from asimi.core import wire

        try:
            arguments = wire.loads(input)
        except wire.Malformed as error:
            raise wire.Malformed(f"invalid input: {error}") from None
        if not isinstance(arguments, dict):
            raise wire.Malformed("invalid input: the parameters are not a JSON object")
        return wire.dumps(self.waited_for(arguments))

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """Check the parameters and resolve the directory.

        Raises:
            Refusal: a parameter is unknown, missing or wrong, or the directory is not to be entered.
        """
        given = checked(self.parameters_schema, call.arguments)
        return Request(
            tool=self.name,
            command=given["command"],
            arguments=None,
            place=workspace.inside(given.get("directory", ""), "directory"),
            shell=shell.kind,
            description=given.get("description", ""),
            id=call.id,
            agent=call.agent,
        )

    def pack(self, outcome: Result | Refusal) -> dict[str, Any]:
        """Return what came of a call: seven keys that are always there, and those that apply."""
        if isinstance(outcome, Refusal):
            return _keys(error=str(outcome))
        packed = _keys(
            stdout=outcome.stdout.text,
            stderr=outcome.stderr.text,
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            error=None if outcome.failure is None else outcome.failure.message,
            pid=outcome.pid,
            background=outcome.background,
        )
        if outcome.timed_out:
            packed["timedOut"] = True
        return packed | extras(outcome)


def _keys(
    *,
    stdout: str = "",
    stderr: str = "",
    exit_code: int | None = None,
    signal: int | None = None,
    error: str | None = None,
    pid: int | None = None,
    background: tuple[int, ...] = (),
) -> dict[str, Any]:
    """Return the return schema, in its own order."""
    return {
        "stdout": stdout,
        "stderr": stderr,
        "exitCode": exit_code,
        "signal": signal,
        "error": error,
        "pid": pid,
        "backgroundPids": list(background),
    }
