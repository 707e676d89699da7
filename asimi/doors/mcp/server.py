"""Calls over MCP: from a client's request through the gate to its result."""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from anyio import CancelScope
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from asimi import __version__
from asimi.compose.tasks import propose
from asimi.core import wire
from asimi.core.call import Result, ToolCall
from asimi.core.errors import AsimiError, Refusal, fault_of
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.core.wording.visible import visible
from asimi.doors.mcp.declared import (
    COMMAND,
    LOG_BYTES,
    MOST_LOG_BYTES,
    declaration_of,
    fit_answer,
    limit_output,
    own_tools,
)
from asimi.doors.mcp.forms import CALL, INPUT_REQUIRED, Ask, Call, ClientAnswer, ElicitingApprover, digest_of
from asimi.doors.running import chunks, send, stoppable
from asimi.tools import CommandTool, tool_registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from asimi.core.gate import Gate
    from asimi.doors.running import Stop
    from asimi.world.executors.jobs import Job, Jobs


JSON = dict[str, Any]

KEY = "asimi"
"""What the one question of a call is called on the wire."""

TOKENS = 1000
"""Questions without an answer that are remembered."""

LIFETIME = 600.0
"""Seconds that an answer may take where the call does not wait for it."""

PULSE = 0.25
"""Seconds between two reports of progress, at least; without output it is every forty."""

INSTRUCTIONS = (
    "Runs commands for you, under the person's own policy. A command may run at once, may need the person's yes, or "
    "may be refused; `error` (or `stderr`) says why and what the person can do. Do not try to get around a refusal."
)


class _PendingQuestion(NamedTuple):
    """A question that went out with a token.

    Attributes:
        call: the digest of the call.
        digest: the digest of the question.
        at: when, on the monotonic clock.
    """

    call: str
    digest: str
    at: float


class GateServer:
    """The server: its tools, the questions that are out, and the jobs its commands left.

    Args:
        gate: what every command goes through.
        jobs: the jobs of this user, here or on the gate's host.
        forms: whether questions become forms; else only the gate's own approver is asked.
        keeps: whether this process is a session that may keep what a form approves.
    """

    def __init__(self, gate: Gate, jobs: Jobs, *, forms: bool, keeps: bool) -> None:
        approver = ElicitingApprover(gate.approver, keeps=keeps) if forms else gate.approver
        self.gate = gate.with_(approver=approver, settings=lambda: limit_output(gate.settings()))
        self.jobs = jobs
        self.running: set[asyncio.Task[Any]] = set()
        self._asked: dict[str, _PendingQuestion] = {}
        self._left: set[int] = set()
        self._own: dict[str, Callable[[JSON], Awaitable[JSON]]] = {
            "list_background_jobs": self._list_jobs,
            "read_background_job": self._read_job,
            "end_background_job": self._end_job,
            "propose_task": self._propose,
        }
        self.server: Server[Any] = Server(
            "asimi",
            version=__version__,
            title="asimi",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        self.server.middleware.append(_in_order)

    async def _list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        """Return the declarations of all tools."""
        del context, params
        found = (declaration_of(tool) for tool in tool_registry if isinstance(tool, CommandTool))
        return types.ListToolsResult(tools=[*found, *own_tools()])

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """One call, with its answer, or with the question that comes before it.

        Raises:
            MCPError: there is no such tool, or the answer's token is not ours or was used already.
        """
        arguments = params.arguments or {}
        if params.name in self._own:
            return await self._about_own(params.name, arguments)
        tool = tool_registry.get_tool(params.name)
        if not isinstance(tool, CommandTool):
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r:.80}")
        given = self._take_answer(params, arguments)
        call = Call(context, _client(context), given)
        try:
            tool_call = ToolCall(tool.name, arguments, context.request_id, call.client)
            return _call_result(tool, await self._run(call, tool_call, tool))
        except Ask as ask:
            token = self._token(params.name, arguments, ask.digest)
            form = types.ElicitRequestFormParams(message=ask.message, requested_schema=ask.schema)
            return types.InputRequiredResult(
                input_requests={KEY: types.ElicitRequest(params=form)}, request_state=token
            )
        except Exception as error:  # noqa: BLE001 - a bug of ours in one call; the next one still wants its answer
            return _call_result(tool, fault_of(error))

    async def _run(self, call: Call, tool_call: ToolCall, tool: CommandTool) -> Result | Refusal:
        """What comes of a command; progress is reported meanwhile, and a cancelled call leaves no process behind.

        The SDK cancels every wait of a handler again and again. What ends the processes must wait, so it is a task of
        its own, cancelled once.
        """
        token = CALL.set(call)
        try:
            progress = _Progress(call.context)
            work = asyncio.ensure_future(self.gate.run(tool_call, tool, progress.listen))
        finally:
            CALL.reset(token)
        self.running.add(work)
        work.add_done_callback(self.running.discard)
        try:
            await progress.reported(work)
        except asyncio.CancelledError:
            work.cancel()
            with CancelScope(shield=True):  # however often this wait is cancelled too
                await asyncio.wait((work,))
            raise
        outcome = work.result()
        if isinstance(outcome, Result) and outcome.background and outcome.pid is not None:
            self._left.add(outcome.pid)
        return outcome

    # ---- questions that are out --------------------------------------------------------------------------------------

    def _token(self, name: str, arguments: JSON, digest: str) -> str:
        """Return a token for a question; only the latest are remembered."""
        now = time.monotonic()
        self._asked = {token: asked for token, asked in self._asked.items() if asked.at + LIFETIME > now}
        while len(self._asked) >= TOKENS:
            del self._asked[next(iter(self._asked))]
        token = os.urandom(24).hex()
        self._asked[token] = _PendingQuestion(digest_of(name, arguments), digest, now)
        return token

    def _take_answer(self, params: types.CallToolRequestParams, arguments: JSON) -> ClientAnswer | None:
        """Return the answer that a call brings along; its token is used up, whatever comes of it.

        Raises:
            MCPError: the token is none of ours, was used, has ended, or was given for another call.
        """
        if params.request_state is None:
            return None  # an answer without a token answers nothing
        now, asked = time.monotonic(), self._asked.pop(params.request_state, None)
        if asked is None or asked.at + LIFETIME <= now or asked.call != digest_of(params.name, arguments):
            raise MCPError(types.INVALID_PARAMS, "Invalid, used or expired requestState; call again without it")
        result = (params.input_responses or {}).get(KEY)
        return ClientAnswer(asked.digest, result if isinstance(result, types.ElicitResult) else None, now - asked.at)

    # ---- jobs --------------------------------------------------------------------------------------------------------

    async def _about_own(self, name: str, arguments: JSON) -> types.CallToolResult:
        """Return a call of one of the tools about jobs and tasks."""
        try:
            value = await self._own[name](arguments)
        except AsimiError as error:
            return types.CallToolResult(content=[types.TextContent(text=str(error))], is_error=True)
        return _answer(value)

    def _mine(self) -> Sequence[Job]:
        """Return the jobs that commands of this process left; those of others are none of a model's business."""
        return [job for job in self.jobs.list() if job.pid in self._left]

    def _job(self, arguments: JSON) -> Job:
        """Return the job that a call names.

        Raises:
            AsimiError: there is none.
        """
        job = next((job for job in self._mine() if job.id == arguments.get("id")), None)
        if job is None:
            raise AsimiError("id: no command of this session left such a job; list_background_jobs shows them")
        return job

    async def _list_jobs(self, arguments: JSON) -> JSON:
        _check_names(arguments, ())
        return {"jobs": [_job_json(job) for job in self._mine()]}

    async def _read_job(self, arguments: JSON) -> JSON:
        _check_names(arguments, ("id", "bytes"))
        size = arguments.get("bytes", LOG_BYTES)
        if type(size) is not int or not 1 <= size <= MOST_LOG_BYTES:
            raise AsimiError(f"bytes must be an integer from 1 to {MOST_LOG_BYTES}")
        job = self._job(arguments)
        data, total = self.jobs.tail(job.log, size)
        return {"id": job.id, "running": bool(job.pids), "log": data.decode("utf-8", "replace"), "bytes": total}

    async def _propose(self, arguments: JSON) -> JSON:
        _check_names(arguments, ("words",))
        return {"said": await asyncio.to_thread(propose, self.gate, f"asimi task propose {arguments.get('words', '')}")}

    async def _end_job(self, arguments: JSON) -> JSON:
        _check_names(arguments, ("id",))
        job = self._job(arguments)
        left = await asyncio.to_thread(self.jobs.kill, job.id)
        return {"id": job.id, "ended": not left, "pids": list(left)}


class _Progress:
    """Reports what a command writes, and that it still runs, for as long as it does."""

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self._context, self._began, self._last, self._new = context, time.monotonic(), b"", False

    def listen(self, stream: str, data: bytes) -> None:
        """Hear some output."""
        del stream
        self._last = (self._last + data)[-400:]
        self._new = True

    async def reported(self, work: asyncio.Future[Any]) -> None:
        """Return once the work is done."""
        pulses = 0
        while not work.done():
            await asyncio.wait((work,), timeout=PULSE)
            pulses += 1
            if self._new or pulses % 40 == 0:
                await self._report()
        if self._new:
            await self._report()

    async def _report(self) -> None:
        self._new = False
        lines = self._last.decode("utf-8", "replace").splitlines()
        line = next((line for line in reversed(lines) if line.strip()), "")
        await self._context.session.report_progress(round(time.monotonic() - self._began, 3), None, visible(line)[:200])


async def serve(ours: GateServer, stop: Stop) -> int:
    """Serve on standard input and output until the client is gone or asimi shuts down.

    Returns:
        The exit code.

    Raises:
        AsimiError: the descriptors cannot be read or written.
    """

    async def stopped() -> None:
        """Return once what runs was ended, and its answers are on their way."""
        while ours.running:  # more than once: a process may be on its way between consent and start
            ours.gate.executor.interrupt()
            await asyncio.wait(ours.running, timeout=0.1)
        await asyncio.sleep(0.1)

    ours.gate = stoppable(ours.gate, stop)
    lines = Lines(stop, stopped)
    carrying = asyncio.ensure_future(lines.carry())
    await ours.server.run(lines.received, lines.sent, ours.server.create_initialization_options())
    await carrying
    return 0


def _client(context: ServerRequestContext[Any, Any]) -> str:
    """Return who calls, as the client says."""
    params = context.session.client_params
    name = "" if params is None else params.client_info.name
    return f"mcp:{visible(name)[:60]}" if name else "mcp"


def _call_result(tool: CommandTool, outcome: Result | Refusal) -> types.CallToolResult:
    """Return an outcome in the tool's own schema; it is an error where nothing started or time ran out."""
    failed = isinstance(outcome, Refusal) or outcome.failure is not None or outcome.timed_out
    return _answer(tool.pack(outcome), failed=failed)


def _answer(value: JSON, *, failed: bool = False) -> types.CallToolResult:
    """Return an answer with this value, as text and structured."""
    value, text = fit_answer(value)
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=value, is_error=failed)


async def _in_order(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Say so where a request comes before the handshake; the SDK says only that its parameters are invalid.

    Raises:
        MCPError: what the SDK raises, or that in its place.
    """
    try:
        return await call_next(ctx)
    except MCPError as error:
        greeted = ctx.session.client_params is not None or ctx.protocol_version >= INPUT_REQUIRED
        if greeted or error.error.data != "":
            raise
        raise MCPError(types.INVALID_REQUEST, f"initialize comes before {ctx.method}") from None


def _check_names(arguments: JSON, names: Sequence[str]) -> None:
    """Refuse parameters that a tool does not have.

    Raises:
        AsimiError: there is one.
    """
    for name in arguments:
        if name not in names:
            raise AsimiError(f"{name!a} is not a parameter of this tool")


def _job_json(job: Job) -> JSON:
    pids, command = list(job.pids), line_of(job)
    if len(command) > COMMAND:
        command = f"{command[:COMMAND]}…"
    return {"id": job.id, "command": command, "directory": job.directory, "pids": pids, "began": job.began}


LONGEST = 16 << 20
"""Bytes of the longest message that is read."""

_KIND = {"id", "method", "result", "error"}
"""Members that tell a request, a notification, a response and an error apart."""

_TWICE = object()
"""Replaces the values of a key that is there twice."""


class Lines:
    """A server's two streams of messages, over standard input and output: one line each.

    The SDK's own transport drops what it cannot read, so the client waits for ever, and of a key that is there twice it
    takes the last. It also reads in a thread that nothing ends, and takes a client that left for an error.

    Args:
        stop: set when asimi shuts down; nothing is read then.
        stopped: awaited then, before the server learns that no more messages come.

    Attributes:
        received: what the server reads.
        sent: what it writes to.
    """

    def __init__(self, stop: Stop, stopped: Callable[[], Awaitable[None]]) -> None:
        self._stop, self._stopped = stop, stopped
        self._inward: MemoryObjectSendStream[SessionMessage | Exception]
        self.received: MemoryObjectReceiveStream[SessionMessage | Exception]
        self._inward, self.received = anyio.create_memory_object_stream(0)
        self.sent: MemoryObjectSendStream[SessionMessage]
        self._outward: MemoryObjectReceiveStream[SessionMessage]
        self.sent, self._outward = anyio.create_memory_object_stream(0)

    async def carry(self) -> None:
        """Carry messages until the client is gone or asimi shuts down, and the server has closed its streams.

        Raises:
            AsimiError: standard input cannot be read, or standard output cannot be written for another reason than
                that nobody reads it.
        """
        reading = asyncio.ensure_future(self._read(self.sent.clone()))
        try:
            await self._write(reading)
        finally:
            reading.cancel()
            await asyncio.wait((reading,))
        if not reading.cancelled():
            reading.result()

    async def _read(self, answers: MemoryObjectSendStream[SessionMessage]) -> None:
        """Give the server its messages, and answer what is none."""
        async with self._inward, answers:
            async for line in _lines(chunks(0, self._stop)):
                message, answer = read_message(line)
                if answer is not None:
                    await answers.send(SessionMessage(answer))
                if message is not None:
                    await self._inward.send(SessionMessage(message))
            if self._stop:
                await self._stopped()

    async def _write(self, reading: asyncio.Task[None]) -> None:
        """Write what the server says; once nobody reads it, the client is gone."""
        fault: OSError | None = None
        async for each in self._outward:
            if fault is None:
                value = each.message.model_dump(by_alias=True, exclude_unset=True)
                fault = await send(1, wire.dumps(value).encode("ascii") + b"\n", self._stop)
                if fault is not None:
                    reading.cancel()
        if fault is not None and not isinstance(fault, (ConnectionError, InterruptedError)):
            raise AsimiError(f"Standard output cannot be written: {fault.strerror}")


def read_message(line: bytes | None) -> tuple[types.JSONRPCMessage | None, types.JSONRPCError | None]:
    """Return what a line comes to: a message for the server, an answer to the client, or neither.

    JSON-RPC answers a request that is none by its id, and with a null id where it has none that can be read. It never
    answers notifications. A response that cannot be read becomes an error, so nobody waits for a better one.

    Args:
        line: the line; None for one that was longer than any message.
    """
    code, value = types.PARSE_ERROR, None
    try:
        if line is None:
            raise wire.MalformedJsonError(f"a message is longer than {LONGEST >> 20} MiB")
        text = line.decode()
        try:
            value = wire.loads(text)
        except wire.MalformedJsonError:
            value, code = json.loads(text, object_pairs_hook=_told_apart), types.INVALID_REQUEST
            raise
        code = types.INVALID_REQUEST
        return _message(value), None
    except (ValueError, RecursionError) as error:
        fault = str(error) if isinstance(error, wire.MalformedJsonError) else "not a JSON-RPC 2.0 message in UTF-8"
    known = value if isinstance(value, dict) else {}
    name = known.get("id") if type(known.get("id")) in {int, str} else None
    answer = types.JSONRPCError(jsonrpc="2.0", id=name, error=types.ErrorData(code=code, message=fault))
    if "method" in known:
        return None, answer if "id" in known else None
    return (answer, None) if "result" in known or "error" in known else (None, answer)


def _message(value: Any) -> types.JSONRPCMessage:
    """Return the message that a JSON value is.

    Raises:
        ValueError: it is none, or could be two kinds of message.
    """
    message = types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    if _KIND & value.keys() != _KIND & message.model_fields_set:
        raise ValueError
    return message


def _told_apart(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object in which a key that is there twice has no value."""
    value: dict[str, Any] = {}
    for key, each in pairs:
        value[key] = _TWICE if key in value else each
    return value


async def _lines(data: AsyncIterator[bytes]) -> AsyncIterator[bytes | None]:
    """Yield the lines that are not empty; None in place of one that is too long."""
    line = bytearray()
    async for chunk in data:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            line += part
            if line.strip():
                yield bytes(line) if len(line) <= LONGEST else None
            line.clear()
        line += rest
        del line[LONGEST + 1 :]
    if line.strip():
        yield bytes(line) if len(line) <= LONGEST else None
