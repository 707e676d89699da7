"""`asimi run` and `asimi exec`: one call, with its output as it comes."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.doors.cli.forms import Wrong, one_command
from asimi.doors.cli.printing import fit, is_terminal, out
from asimi.world.host.terminal import is_asked, look_of, writable, write

if TYPE_CHECKING:
    from typing import Any

    from asimi.compose import Options
    from asimi.core.call import Execution, Result
    from asimi.core.errors import Refusal
    from asimi.core.interfaces import Executor, Listener


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
    return _call_and_show(options, "run_shell_command", arguments, timeout, as_json=json)


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
    return _call_and_show(options, "execute_command", arguments, None, as_json=json)


def _call_and_show(
    options: Options, name: str, arguments: dict[str, Any], timeout: float | None, *, as_json: bool
) -> int:
    """Make one call, show its result, and return the exit code."""
    from asimi.compose.gate import open_gate
    from asimi.core.call import ToolCall
    from asimi.core.errors import Refusal
    from asimi.doors.running import Outlet, Stop, finish_calls, run, stoppable
    from asimi.tools import CommandTool, tool_registry
    from asimi.world.host.terminal import say

    tool = tool_registry.get_tool(name)
    assert isinstance(tool, CommandTool)  # both of ours are
    gate = open_gate(options, timeout=timeout)
    if not as_json and is_terminal(2) and not look_of(os.environ, 2).plain:
        gate = gate.with_(executor=ProgressExecutor(gate.executor))

    async def call(stop: Stop) -> int:
        outlet = Outlet(stop)
        work = stoppable(gate, stop).run(ToolCall(name, arguments, agent="cli"), tool, None if as_json else outlet)
        outcome = await finish_calls(work, gate, stop)
        await outlet.close()
        if as_json:
            from asimi.core.wire import dumps

            out(dumps(tool.pack(outcome)))
        elif text := outcome_note(outcome):
            say(fit(f"asimi: {text}", 2))
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


def outcome_note(outcome: Result | Refusal) -> str:
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


SILENCE = 1.0  # seconds without output after which it is shown
TICK = 0.2  # seconds between two pictures
ERASE = b"\r\x1b[K"
UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB"))


class ProgressExecutor:
    """An executor that shows on the terminal, while its command prints nothing, how long it runs, how much it wrote.

    Only on standard error, and only while the cursor is at the start of a line; it disappears before the next output
    and at the end.

    Args:
        executor: what runs the commands.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._began = self._heard = 0.0
        self._bytes = 0
        self._shown = False
        self._fresh = True  # whether the cursor is at the beginning of a line, as far as we know

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """Return the executor's result."""
        self._began = self._heard = time.monotonic()

        def heard(stream: str, data: bytes) -> Any:
            self._erase()
            self._heard, self._bytes, self._fresh = time.monotonic(), self._bytes + len(data), data.endswith(b"\n")
            return None if listener is None else listener(stream, data)

        drawing = asyncio.create_task(self._draw())
        try:
            return await self._executor.run(execution, heard)
        finally:
            drawing.cancel()
            self._erase()

    def interrupt(self) -> None:
        """The executor's own."""
        self._executor.interrupt()

    async def _draw(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            silent = now - self._heard >= SILENCE and self._fresh
            if silent and writable(2) and not is_asked(2):  # not where the person has stopped it, or reads a question
                self._shown = True
                write(2, ERASE + f"… {now - self._began:.0f} s, {_amount(self._bytes)}".encode())

    def _erase(self) -> None:
        if self._shown and not is_asked(2):
            write(2, ERASE)
            self._shown = False


def _amount(size: int) -> str:
    """Return a number of bytes in words."""
    for unit, name in UNITS:
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"
