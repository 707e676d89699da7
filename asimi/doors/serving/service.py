"""Tool calls on standard input, answers on standard output: one line of JSON for each, in order, whatever happened.

Theory of operation: a reader cuts the input into values and starts a task for each call, as many side by side as it
may; a writer waits for the tasks in the order of the calls. Nothing here decides anything: even a call that cannot be
read goes through the gate, so it is recorded like every other.
"""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING, Any

from asimi.core import wire
from asimi.core.call import ToolCall
from asimi.core.errors import Refusal, fault_of
from asimi.core.pattern import pattern
from asimi.doors.running import Stop, chunks, finish_calls, send, stoppable
from asimi.doors.serving.dialects import Dialect, IncomingCall, dialect_of
from asimi.tools import CommandTool, tool_registry
from asimi.world.host.terminal import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterator

    from asimi.core.call import Request, Result, Shell
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Workspace

AHEAD = 4  # answers that may wait for an earlier one, for each call that may run: they are held in memory

JSON = dict[str, Any]


class Unreadable:
    """Replaces the tool of a call that does not name one, or whose parameters are not an object.

    Args:
        name: the tool's name as the call has it.
        refusal: why it is not run.
        tool: the tool it names, which packs the answer, or None.
    """

    def __init__(self, name: str, refusal: Refusal, tool: CommandTool | None) -> None:
        self.name, self._refusal, self._tool = name, refusal, tool

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """Refuse.

        Raises:
            Refusal: always.
        """
        del call, workspace, shell
        raise self._refusal

    def pack(self, outcome: Result | Refusal) -> JSON:
        """Return the answer in the tool's own format; only an error if there is no such tool."""
        return {"error": str(outcome)} if self._tool is None else self._tool.pack(outcome)


async def answer_line(gate: Gate, value: Any, agent: str = "serve") -> str:
    """Return the line that answers one JSON value."""
    dialect = dialect_of(value)
    if isinstance(value, wire.MalformedJsonError):
        return wire.dumps({"error": str(value)})
    if dialect is None:
        return wire.dumps({"error": "no tool call: it has none of the forms that are known; see asimi serve --help"})
    try:
        incoming = dialect.unpack(value)
    except wire.MalformedJsonError as error:
        return wire.dumps({"error": str(error)})
    return wire.dumps(await _answer(gate, dialect, incoming, agent))


async def _answer(gate: Gate, dialect: Dialect, incoming: IncomingCall, agent: str) -> JSON:
    """Return the answer to a call, in its own dialect."""
    tool, arguments = _tool_of(incoming)
    name = incoming.id if isinstance(incoming.id, (str, int)) else None
    try:
        outcome = await gate.run(ToolCall(incoming.name, arguments, name, agent), tool)
        failed = isinstance(outcome, Refusal) or outcome.failure is not None or outcome.timed_out
        packed = tool.pack(outcome)
    except Exception as error:  # noqa: BLE001 - a bug of ours in one call; the ones behind it still want their answer
        refusal = fault_of(error)
        if refusal.code == "bug":
            trace = "".join(traceback.format_exception(error))
            say(f"asimi: this is a bug in asimi; the call is answered with an error\n{trace}")
        failed, packed = True, tool.pack(refusal)
    return dialect.pack(incoming, packed, failed)


def _tool_of(incoming: IncomingCall) -> tuple[CommandTool | Unreadable, JSON]:
    """Return the tool of a call and its parameters."""
    tool = tool_registry.get_tool(incoming.name)
    if not isinstance(tool, CommandTool):
        known = ", ".join(each.name for each in tool_registry)
        fault = f"There is no tool {incoming.name!r}; the tools are {known}"
        return Unreadable(incoming.name, Refusal("unknown_tool", fault), None), {}
    if isinstance(incoming.arguments, dict):
        return tool, incoming.arguments
    broken = isinstance(incoming.arguments, wire.MalformedJsonError)
    why = incoming.arguments if broken else "they are not a JSON object"
    refusal = Refusal("parameters", f"The parameters of {tool.name} cannot be read: {why}")
    return Unreadable(tool.name, refusal, tool), {}


async def serve(gate: Gate, stop: Stop, jobs: int = 1, source: int = 0, sink: int = 1) -> int:
    """Answer the calls of a stream until it ends or asimi shuts down.

    Args:
        gate: the gate for every call.
        stop: set when asimi shuts down.
        jobs: how many calls run side by side.
        source: the descriptor that calls are read from.
        sink: the descriptor that answers are written to.

    Returns:
        The exit code: 0 when the stream ended, 125 if nobody reads the answers.
    """
    return await finish_calls(_Service(stoppable(gate, stop), stop, jobs, sink).work(chunks(source, stop)), gate, stop)


class _Service:
    """One stream of calls being answered."""

    def __init__(self, gate: Gate, stop: Stop, jobs: int, sink: int) -> None:
        self.gate, self.stop, self.sink = gate, stop, sink
        self.slots = asyncio.Semaphore(jobs)
        self.answers: asyncio.Queue[asyncio.Task[str] | None] = asyncio.Queue(jobs * AHEAD)
        self.calls = 0

    async def work(self, chunks: AsyncIterator[bytes]) -> int:
        """Answer all calls."""
        writer = asyncio.create_task(self._write())
        values = Values()
        async for chunk in chunks:
            for value in values.feed(chunk):
                await self._start(value)
        if not self.stop:  # a value that asimi's own end cut off is nobody's fault
            for value in values.end():
                await self._start(value)
        await self.answers.put(None)
        code = await writer
        if not self.calls and not self.stop:
            say("asimi: there was no tool call on standard input; see asimi --help")
        return code

    async def _start(self, value: Any) -> None:
        """Begin to answer a value; an array is several calls."""
        for each in value if isinstance(value, list) else [value]:
            self.calls += 1
            await self.slots.acquire()
            await self.answers.put(asyncio.create_task(self._released(answer_line(self.gate, each))))

    async def _released(self, answer: Coroutine[Any, Any, str]) -> str:
        """Return an answer; then the next call may begin."""
        try:
            return await answer
        finally:
            self.slots.release()

    async def _write(self) -> int:
        """Write the answers in the order of the calls."""
        fault: OSError | None = None
        while (task := await self.answers.get()) is not None:
            line = await task
            if fault is None and (fault := await send(self.sink, line.encode("ascii") + b"\n", self.stop)) is not None:
                gone = isinstance(fault, BrokenPipeError)
                why = "its reader is gone" if gone else fault.strerror or "its reader has stopped reading"
                say(f"asimi: answers cannot be written to standard output: {why}; no further call is run")
                self.stop.tell()
        return 0 if fault is None else 125


LONGEST = 16 << 20
"""Bytes after which asimi gives up a value that has not ended."""

_TOKEN = pattern(r'"(?:[^"\\]|\\.)*"?|[][{}]')


class Values:
    """Cuts what is fed to it into JSON values and faults."""

    def __init__(self) -> None:
        self._line = bytearray()  # what has come of the line that has not ended
        self._skip = False  # whether the rest of the line belongs to a value that was given up
        self._lines: list[str] = []  # the lines of a value that has not ended
        self._size = 0  # of these, in bytes
        self._depth = 0  # of its brackets
        self._first = True

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the values that end in some bytes; a `MalformedJsonError` for each that could not be read."""
        *ended, rest = data.split(b"\n")
        for line in ended:
            self._line += line
            yield from self._ended_line()
        self._line += rest
        if not self._skip and self._size + len(self._line) > LONGEST:
            self._skip = True
            self._line.clear()
            self._forget()
            yield _TOO_LONG
        elif self._skip:
            self._line.clear()

    def end(self) -> Iterator[Any]:
        """Yield the values that end with the stream."""
        yield from self._ended_line()
        if self._lines:
            self._forget()
            yield wire.MalformedJsonError("not valid JSON: the input ended in the middle of a value")

    def _ended_line(self) -> Iterator[Any]:
        """Yield the values that end with a line."""
        line, skip = bytes(self._line), self._skip
        self._line.clear()
        self._skip = False
        if skip or not line.strip():
            return
        if self._size + len(line) > LONGEST:
            self._forget()
            yield _TOO_LONG
            return
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            broken = bool(self._lines)
            self._forget()
            yield wire.MalformedJsonError(
                f"not valid JSON: byte {error.start + 1} of the line is not UTF-8"
                + ("; the value that was not finished is given up" if broken else "")
            )
            return
        if self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        yield from self._continue(text) if self._lines else self._begin(text)

    def _begin(self, text: str) -> Iterator[Any]:
        """Yield the value of a line, unless the line is the beginning of a longer value."""
        try:
            value = wire.loads(text)
        except wire.MalformedJsonError as error:
            stripped = text.strip()
            depth = _depth(stripped) if stripped.startswith(("{", "[")) else 0
            if depth <= 0 or not wire.breaks_off(stripped):
                yield error
                return
            self._lines, self._size, self._depth = [text], len(text), depth
            return
        yield value

    def _continue(self, text: str) -> Iterator[Any]:
        """Yield the value that ends with a line of several; or the call that interrupts it."""
        array = self._depth == 1 and self._lines[0].lstrip()[0] == "["
        if not (array and self._lines[-1].rstrip().endswith(("[", ","))) and (call := _call(text)) is not None:
            self._forget()
            yield wire.MalformedJsonError("not valid JSON: a value was not finished when the next call began")
            yield call
            return
        self._lines.append(text)
        self._size += len(text)
        self._depth += _depth(text)
        if self._depth > 0:
            return
        whole = "\n".join(self._lines)
        self._forget()
        try:
            yield wire.loads(whole)
        except wire.MalformedJsonError as error:
            yield error

    def _forget(self) -> None:
        self._lines, self._size, self._depth = [], 0, 0


_TOO_LONG = wire.MalformedJsonError(f"JSON that cannot be read: it has not ended after {LONGEST >> 20} MiB")


def _depth(text: str) -> int:
    """Return how many more brackets a text opens than it closes, those in strings aside."""
    return sum(1 if found in "{[" else -1 for found in _TOKEN.findall(text) if found in "{[]}")


def _call(text: str) -> Any:
    """Return the tool call, or the array of them, that a line is by itself; None if it is not one."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")) or not stripped.endswith(("}", "]")):
        return None
    try:
        value = wire.loads(stripped)
    except wire.MalformedJsonError:
        return None
    calls = value if isinstance(value, list) else [value]
    return value if calls and all(dialect_of(call) for call in calls) else None
