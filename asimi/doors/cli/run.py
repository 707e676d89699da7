"""`asimi run` and `asimi exec`: one call, with its output as it comes."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.doors.cli.forms import Wrong, one_command
from asimi.doors.cli.printing import fitted, is_terminal, out

if TYPE_CHECKING:
    from typing import Any

    from asimi.compose import Options
    from asimi.core.call import Result
    from asimi.core.errors import Refusal

OURS = frozenset({"no_directory", "no_shell", "configuration", "record", "scarce", "parameters"})
"""Codes of refusals that are asimi's own failure (125); all others are an answer of the policy or a person (126)."""

NOT_STARTED = {"not_found": 127, "permission": 126, "scarce": 125, "setup": 125, "lost": 125, "other": 126}
"""Exit codes of a program that could not be started, as env(1) and bash have them; 125 if asimi could not set it up."""


def run(
    options: Options,
    command: list[str],
    directory: str = "",
    description: str = "",
    timeout: float | None = None,
    json: bool = False,  # noqa: FBT001, FBT002 - a flag of the command line
) -> int:
    """Run a shell command, if the policy or you allow it.

    Its output appears as it is written, and its exit code becomes asimi's. asimi's own: 124 it took too long, 125 asimi
    failed, 126 it was not allowed, 128+n it died of signal n.
    """
    arguments = {"command": one_command(command, "asimi run")}
    if directory:
        arguments["directory"] = directory
    if description:
        arguments["description"] = description
    if timeout is not None and not timeout > 0:
        raise Wrong("--timeout takes a number of seconds above 0.")
    return _ended(options, "run_shell_command", arguments, timeout, as_json=json)


def execute(
    options: Options,
    program: list[str],
    cwd: str = "",
    timeout: int = 60,
    json: bool = False,  # noqa: FBT001, FBT002 - a flag of the command line
) -> int:
    """Run a program with arguments, without a shell, if the policy or you allow it.

    The exit codes are those of asimi run; also 127 if the program is not found, 126 if it cannot be executed.
    """
    arguments: dict[str, Any] = {"command": program[0], "args": program[1:], "timeout": timeout}
    if cwd:
        arguments["cwd"] = cwd
    return _ended(options, "execute_command", arguments, None, as_json=json)


def _ended(options: Options, name: str, arguments: dict[str, Any], timeout: float | None, *, as_json: bool) -> int:
    """Make one call, show its result, and return the exit code."""
    from asimi.compose.gate import open_gate
    from asimi.core.call import ToolCall
    from asimi.core.errors import Refusal
    from asimi.doors.running import Outlet, Stop, finished, run, stoppable
    from asimi.tools import CommandTool, tool_registry
    from asimi.world.host.terminal import say

    tool = tool_registry.get_tool(name)
    assert isinstance(tool, CommandTool)  # both of ours are
    gate = open_gate(options, timeout=timeout)
    if not as_json and is_terminal(2):
        from asimi.doors.cli.waiting import Waiting, wanted

        if wanted():
            gate = gate.with_(executor=Waiting(gate.executor))

    async def call(stop: Stop) -> int:
        outlet = Outlet(stop)
        work = stoppable(gate, stop).run(ToolCall(name, arguments, agent="cli"), tool, None if as_json else outlet)
        outcome = await finished(work, gate, stop)
        await outlet.close()
        if as_json:
            from asimi.core.wire import dumps

            out(dumps(tool.pack(outcome)))
        elif text := said(outcome):
            say(fitted(f"asimi: {text}", 2))
        if not as_json and outlet.whole and not isinstance(outcome, Refusal):
            _remove_shown(outcome)
        if isinstance(outcome, Refusal):
            return 125 if outcome.code in OURS else 126
        return code_of(outcome) or (125 if outlet.lost else 0)

    return run(call)


def _remove_shown(result: Result) -> None:
    """Remove the files of long outputs: everything in them was shown, and nothing names them; a host's are its own."""
    for stream in (result.stdout, result.stderr) if not result.host else ():
        if stream.file is not None:
            with suppress(OSError):
                os.unlink(stream.file)


def said(outcome: Result | Refusal) -> str:
    """Return what happened that the command's own output does not say."""
    from asimi.core.errors import Refusal

    if isinstance(outcome, Refusal):
        return str(outcome)
    if outcome.failure is not None:
        return outcome.failure.message
    if outcome.timed_out:
        return f"killed after {outcome.seconds:.1f} s: the time limit"
    if outcome.background and is_terminal(2):
        pids = ", ".join(map(str, outcome.background))
        where = f" on {outcome.host}" if outcome.host else ""
        return f"left running{where}: {pids}" + (f"; output goes on in {outcome.log}" if outcome.log else "")
    return ""


def code_of(result: Result) -> int:
    """Return the exit code of a call that ran, or that could not be started."""
    if result.failure is not None:
        return NOT_STARTED.get(result.failure.kind, 126)
    if result.timed_out:
        return 124
    if result.signal is not None:
        return 128 + result.signal
    return result.exit_code or 0
