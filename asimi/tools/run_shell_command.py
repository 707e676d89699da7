"""`run_shell_command`: shell text for bash, in a directory of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Request, ToolCall
from asimi.core.errors import Refusal
from asimi.tools.base import CommandTool, check_arguments, extras

if TYPE_CHECKING:
    from typing import Any

    from asimi.core.call import Result, Shell
    from asimi.core.interfaces import Workspace

DESCRIPTION = (
    "This tool executes a given shell command. On Windows, it uses `cmd.exe /c`. On other platforms, it uses "
    "`bash -c`. It can start background processes."
)


class RunShellCommandTool(CommandTool):
    """The tool of `run_shell_command`'s specification."""

    name = "run_shell_command"
    description = DESCRIPTION

    def call(self, input: str) -> str:  # noqa: A002 - the specification's name
        """Run one call: JSON text in, JSON text out. Works with and without an event loop in this thread.

        Raises:
            wire.Malformed: the text is not a JSON object; the message begins with `invalid input:`.
        """
        from asimi.core import wire

        try:
            arguments = wire.loads(input)
        except wire.MalformedJsonError as error:
            raise wire.MalformedJsonError(f"invalid input: {error}") from None
        if not isinstance(arguments, dict):
            raise wire.MalformedJsonError("invalid input: the parameters are not a JSON object")
        return wire.dumps(self.waited_for(arguments))

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """Check the parameters and resolve the directory.

        Raises:
            Refusal: a parameter is unknown, missing or wrong, or the directory is not to be entered.
        """
        given = check_arguments(self.parameters_schema, call.arguments)
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
