"""The tools as an MCP server on standard input and output, for the official SDK (`asimi[mcp]`).

Every call goes through `Gate.run`. A question becomes an elicitation, a form that the client shows. Two eras of the
protocol do that differently:

* with a handshake (up to 2025-11-25) the server sends the question while the call waits;
* since 2026-07-28 a server sends no requests. The call ends with the question and a token, and the client makes it
  again with the answer and the token. So the gate judges it anew, and where it asks the very same question again, the
  answer counts. A token is a random number that only this process knows: for one call, for one question, used once.

A form proves less than a terminal: a client may answer it by itself. So the log says which client it was, and such an
answer holds once or for this process, never for good. Where a client shows no forms, the question goes to the queue,
and the model is told what its person can type.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from contextvars import ContextVar
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from asimi import __version__, wire
from asimi.call import Approval, Result, ToolCall
from asimi.errors import AsimiError, Refusal
from asimi.explain import said
from asimi.lines import line_of
from asimi.tools import CommandTool, tool_registry
from asimi.visible import visible

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from mcp.server.context import ServerRequestContext

    from asimi.call import Question
    from asimi.executors.jobs import Job, Jobs
    from asimi.gate import Approver, Gate
    from asimi.running import Stop

JSON = dict[str, Any]

INPUT_REQUIRED = "2026-07-28"
"""The first revision in which a server sends no requests."""

KEY = "asimi"
"""What the one question of a call is called on the wire."""

LONGEST = 16_384
"""Characters of the longest command that is shown in a form: what is shown in part is not approved."""

TOKENS = 1000
"""Questions without an answer that are remembered."""

LIFETIME = 600.0
"""Seconds that an answer may take where the call does not wait for it."""

PULSE = 0.25
"""Seconds between two reports of progress, at least; without output it is every forty."""

LOG_BYTES = 1 << 16
"""Bytes of a job's log that are read, unless the call says otherwise."""

INSTRUCTIONS = (
    "Runs commands for you, behind the person's own policy. A command may run at once, may need the person's yes, or may "
    "be refused; `error` (or `stderr`) says why and what the person can do. Do not try to get around a refusal."
)

_INTEGER_OR_NULL = {"type": ["integer", "null"]}
_TRUNCATED = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "properties": {"bytes": {"type": "integer"}, "file": {"type": "string"}},
        "required": ["bytes", "file"],
    },
}
_EXTRAS = {
    "truncated": _TRUNCATED,
    "lossy": {"type": "array", "items": {"type": "string"}},
    "backgroundPids": {"type": "array", "items": {"type": "integer"}},
    "backgroundLog": {"type": "string"},
}
OUTPUTS: dict[str, JSON] = {
    "run_shell_command": {
        "type": "object",
        "properties": {
            "stdout": {"type": "string"},
            "stderr": {"type": "string"},
            "exitCode": _INTEGER_OR_NULL,
            "signal": _INTEGER_OR_NULL,
            "error": {"type": ["string", "null"]},
            "pid": _INTEGER_OR_NULL,
            "timedOut": {"type": "boolean"},
            **_EXTRAS,
        },
        "required": ["stdout", "stderr", "exitCode", "signal", "error", "pid", "backgroundPids"],
    },
    "execute_command": {
        "type": "object",
        "properties": {
            "stdout": {"type": "string"},
            "stderr": {"type": "string"},
            "return_code": _INTEGER_OR_NULL,
            "timed_out": {"type": "boolean"},
            **_EXTRAS,
        },
        "required": ["stdout", "stderr", "return_code", "timed_out"],
    },
}
"""What each tool returns, as its specification has it."""

TITLES = {"run_shell_command": "Run a shell command", "execute_command": "Run a program"}

_JOB = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "command": {"type": "string"},
        "directory": {"type": "string"},
        "pids": {"type": "array", "items": {"type": "integer"}},
        "began": {"type": "number"},
    },
    "required": ["id", "command", "directory", "pids", "began"],
}
_ID = {"type": "string", "description": "The job's id, as list_background_jobs says it."}


class _Ask(Exception):  # noqa: N818 - no error: the question leaves the gate, and comes back with its answer
    """The question of a call that ends with it, and is made again with the answer."""

    def __init__(self, message: str, schema: JSON, digest: str) -> None:
        self.message, self.schema, self.digest = message, schema, digest
        super().__init__(message)


class _Given(NamedTuple):
    """An answer that a call brings along.

    Attributes:
        digest: of the question that was asked.
        result: the answer to it.
    """

    digest: str
    result: types.ElicitResult


class _Asked(NamedTuple):
    """A question that went out with a token.

    Attributes:
        call: the digest of the call.
        digest: the digest of the question.
        until: when the token ends, on the monotonic clock.
    """

    call: str
    digest: str
    until: float


class _Call(NamedTuple):
    """The call that a question is about.

    Attributes:
        context: the SDK's, for sending.
        client: the name the client gives itself.
        given: the answer that it brought, or None.
    """

    context: ServerRequestContext[Any, Any]
    client: str
    given: _Given | None


_CALL: ContextVar[_Call] = ContextVar("asimi.mcp.call")


class ElicitingApprover:
    """Asks the person through the client; where it shows no forms, somebody else is asked.

    Args:
        elsewhere: who is asked then.
        keeps: whether this process is a session that may keep what a form approves.
    """

    def __init__(self, elsewhere: Approver, *, keeps: bool) -> None:
        self._elsewhere, self._keeps = elsewhere, keeps

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held while one question is judged and asked."""
        return self._elsewhere.turn()

    async def ask(self, question: Question) -> Approval:
        """The person's answer.

        Raises:
            _Ask: the client makes the call again, with the answer.
        """
        call = _CALL.get()
        line = line_of(question.request)
        if not _shows_forms(call.context) or len(line) > LONGEST:
            return await self._elsewhere.ask(question)
        keeps = self._keeps and question.session and bool(question.decision.offers)
        message, schema = _message(question, line), _form(keeps=keeps)
        began = time.monotonic()
        if call.context.protocol_version >= INPUT_REQUIRED:
            digest = _digest(message, schema)
            if call.given is None or call.given.digest != digest:
                raise _Ask(message, schema, digest)
            result = call.given.result
        else:
            request = call.context.session.elicit_form(message, schema, call.context.request_id)
            try:
                result = await asyncio.wait_for(request, question.patience)
            except TimeoutError:
                return Approval(yes=False, by="clock", note=f"the client had no answer within {question.patience:g} s")
            except MCPError as error:
                note = f"the client of this server could not ask: {error}"
                return Approval(yes=False, by="nobody", note=note)
        return _approval(question, result, call.client, keeps=keeps)._replace(seconds=time.monotonic() - began)


class GateServer:
    """The server: its tools, the questions that are out, and the jobs its commands left.

    Args:
        gate: what every command goes through.
        jobs: the jobs of this user.
        keeps: whether this process is a session that may keep what a form approves.
    """

    def __init__(self, gate: Gate, jobs: Jobs, *, keeps: bool) -> None:
        self.gate, self.jobs = gate, jobs
        self.gate.approver = ElicitingApprover(gate.approver, keeps=keeps)
        self.running: set[asyncio.Task[Any]] = set()
        self._asked: dict[str, _Asked] = {}
        self._left: set[int] = set()
        self._own: dict[str, Callable[[JSON], Awaitable[JSON]]] = {
            "list_background_jobs": self._list_jobs,
            "read_background_job": self._read_job,
            "end_background_job": self._end_job,
        }
        self.server: Server[Any] = Server(
            "asimi",
            version=__version__,
            title="asimi",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    async def _list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        """The declarations of all tools."""
        del context, params
        return types.ListToolsResult(tools=[*map(_declared, _command_tools()), *_job_tools()])

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """One call, with its answer, or with the question that comes before it.

        Raises:
            MCPError: there is no such tool, or the token of the answer is none of ours or was used.
        """
        arguments = params.arguments or {}
        if params.name in self._own:
            return await self._about_jobs(params.name, arguments)
        tool = tool_registry.get_tool(params.name)
        if not isinstance(tool, CommandTool):
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}")
        given = self._given(params, arguments)
        call = _Call(context, _client(context), given)
        try:
            return _packed(tool, await self._run(call, ToolCall(tool.name, arguments, context.request_id, call.client), tool))
        except _Ask as ask:
            token = self._token(params.name, arguments, ask.digest)
            form = types.ElicitRequestFormParams(message=ask.message, requested_schema=ask.schema)
            return types.InputRequiredResult(
                input_requests={KEY: types.ElicitRequest(params=form)}, request_state=token
            )

    async def _run(self, call: _Call, tool_call: ToolCall, tool: CommandTool) -> Result | Refusal:
        """What comes of a command; progress is reported meanwhile, and a cancelled call leaves no process behind.

        The SDK cancels every wait of a handler again and again. What ends the processes must wait, so it is a task of
        its own, cancelled once.
        """
        token = _CALL.set(call)
        try:
            progress = _Progress(call.context)
            work = asyncio.ensure_future(self.gate.run(tool_call, tool, progress.listen))
        finally:
            _CALL.reset(token)
        self.running.add(work)
        work.add_done_callback(self.running.discard)
        try:
            await progress.reported(work)
        except asyncio.CancelledError:
            work.cancel()
            await _ended(work)
            raise
        outcome = work.result()
        if isinstance(outcome, Result) and outcome.background and outcome.pid is not None:
            self._left.add(outcome.pid)
        return outcome

    # ---- questions that are out --------------------------------------------------------------------------------------

    def _token(self, name: str, arguments: JSON, digest: str) -> str:
        """A token for a question; only the latest are remembered."""
        now = time.monotonic()
        self._asked = {token: asked for token, asked in self._asked.items() if asked.until > now}
        while len(self._asked) >= TOKENS:
            del self._asked[next(iter(self._asked))]
        token = os.urandom(24).hex()
        self._asked[token] = _Asked(_digest(name, arguments), digest, now + LIFETIME)
        return token

    def _given(self, params: types.CallToolRequestParams, arguments: JSON) -> _Given | None:
        """The answer that a call brings along; its token is used up, whatever comes of it.

        Raises:
            MCPError: the token is none of ours, was used, has ended, or was given for another call.
        """
        if params.request_state is None:
            return None  # an answer without a token answers nothing
        asked = self._asked.pop(params.request_state, None)
        if asked is None or asked.until <= time.monotonic() or asked.call != _digest(params.name, arguments):
            raise MCPError(types.INVALID_PARAMS, "Invalid, used or expired requestState; make the call again without it")
        result = (params.input_responses or {}).get(KEY)
        return _Given(asked.digest, result) if isinstance(result, types.ElicitResult) else None

    # ---- jobs --------------------------------------------------------------------------------------------------------

    async def _about_jobs(self, name: str, arguments: JSON) -> types.CallToolResult:
        """A call of one of the tools about jobs."""
        try:
            value = await self._own[name](arguments)
        except AsimiError as error:
            return types.CallToolResult(content=[types.TextContent(text=str(error))], is_error=True)
        return types.CallToolResult(content=[types.TextContent(text=wire.dumps(value))], structured_content=value)

    def _mine(self) -> Sequence[Job]:
        """The jobs that commands of this process left; those of others are none of a model's business."""
        return [job for job in self.jobs.list() if job.pid in self._left]

    def _job(self, arguments: JSON) -> Job:
        """The job that a call names.

        Raises:
            AsimiError: there is none.
        """
        job = next((job for job in self._mine() if job.id == arguments.get("id")), None)
        if job is None:
            raise AsimiError("id: no command of this session left such a job; list_background_jobs shows them")
        return job

    async def _list_jobs(self, arguments: JSON) -> JSON:
        _known(arguments, ())
        return {"jobs": [_shown(job) for job in self._mine()]}

    async def _read_job(self, arguments: JSON) -> JSON:
        _known(arguments, ("id", "bytes"))
        size = arguments.get("bytes", LOG_BYTES)
        if type(size) is not int or not 1 <= size <= 1 << 20:
            raise AsimiError("bytes must be an integer from 1 to 1048576")
        job = self._job(arguments)
        data, total = _tail(job.log, size)
        return {"id": job.id, "running": bool(job.pids), "log": data.decode("utf-8", "replace"), "bytes": total}

    async def _end_job(self, arguments: JSON) -> JSON:
        _known(arguments, ("id",))
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


async def serve(gate: Gate, jobs: Jobs, stop: Stop, *, keeps: bool) -> int:
    """Serve on standard input and output until the client is gone or asimi is told to end.

    Returns:
        The exit code.
    """
    ours = GateServer(gate, jobs, keeps=keeps)

    async def serving() -> None:
        async with stdio_server() as (reader, writer):
            await ours.server.run(reader, writer, ours.server.create_initialization_options())

    work, stopping = asyncio.ensure_future(serving()), asyncio.ensure_future(stop.wait())
    await asyncio.wait((work, stopping), return_when=asyncio.FIRST_COMPLETED)
    if work.done():
        stopping.cancel()
        work.result()
        return 0
    while ours.running:  # more than once: a process may be on its way between consent and start
        gate.executor.interrupt()
        await asyncio.wait(ours.running, timeout=0.1)
    await asyncio.sleep(0.1)  # the answers are on their way
    os._exit(128 + (stop.signal or 15))  # the SDK reads standard input in a thread, which nothing else ends


async def _ended(work: asyncio.Future[Any]) -> None:
    """Wait for work that was cancelled, however often this wait is cancelled too."""
    from anyio import CancelScope

    with CancelScope(shield=True):
        await asyncio.wait((work,))


def _command_tools() -> list[CommandTool]:
    return [tool for tool in tool_registry if isinstance(tool, CommandTool)]


def _declared(tool: CommandTool) -> types.Tool:
    """A command tool's declaration."""
    return types.Tool(
        name=tool.name,
        title=TITLES.get(tool.name),
        description=tool.description,
        input_schema=tool.parameters_schema,
        output_schema=OUTPUTS.get(tool.name),
        annotations=types.ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
        ),
    )


def _job_tools() -> list[types.Tool]:
    """The declarations of the tools about jobs."""
    looks = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    ends = types.ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)

    def schema(properties: JSON, required: list[str]) -> JSON:
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    size = {"type": "integer", "minimum": 1, "maximum": 1 << 20, "default": LOG_BYTES}
    read = {"id": {"type": "string"}, "running": {"type": "boolean"}, "log": {"type": "string"}, "bytes": {"type": "integer"}}
    end = {"id": {"type": "string"}, "ended": {"type": "boolean"}, "pids": {"type": "array", "items": {"type": "integer"}}}
    return [
        types.Tool(
            name="list_background_jobs",
            title="List background jobs",
            description="The processes that commands of this session left running, and those that have ended since.",
            input_schema=schema({}, []),
            output_schema=schema({"jobs": {"type": "array", "items": _JOB}}, ["jobs"]),
            annotations=looks,
        ),
        types.Tool(
            name="read_background_job",
            title="Read a background job's output",
            description="The end of what a background job wrote after its command returned.",
            input_schema=schema({"id": _ID, "bytes": size | {"description": "How much of the end to read."}}, ["id"]),
            output_schema=schema(read, list(read)),
            annotations=looks,
        ),
        types.Tool(
            name="end_background_job",
            title="End a background job",
            description="Ends a background job with all its processes.",
            input_schema=schema({"id": _ID}, ["id"]),
            output_schema=schema(end, list(end)),
            annotations=ends,
        ),
    ]


def _packed(tool: CommandTool, outcome: Result | Refusal) -> types.CallToolResult:
    """An outcome in the tool's own schema; it is an error where nothing started or time ran out."""
    failed = isinstance(outcome, Refusal) or outcome.failure is not None or outcome.timed_out
    value = tool.pack(outcome)
    text = types.TextContent(text=wire.dumps(value))
    return types.CallToolResult(content=[text], structured_content=value, is_error=failed)


def _shows_forms(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client said that it shows forms; one that says nothing of modes does."""
    capabilities = context.session.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _client(context: ServerRequestContext[Any, Any]) -> str:
    """Who calls, as the client says."""
    params = context.session.client_params
    name = "" if params is None else params.client_info.name
    return f"mcp:{visible(name)[:60]}" if name else "mcp"


def _message(question: Question, line: str) -> str:
    """The question, in full; a function of the call and the policy alone, so that it comes out the same again."""
    request = question.request
    lines = ["Run this command?", "", *(f"  {visible(each)}" for each in line.split("\n")), ""]
    lines.append(f"In: {visible(request.place.shown)}")
    lines.append(f"Asked because: {visible(said(question.decision.reasons))}")
    if request.description:
        lines.append(f"The agent says: {visible(request.description)[:500]}")
    if question.decision.offers:
        lines.append(f"For the session would be allowed: {visible(question.decision.offers[0].label)}")
    return "\n".join(lines)


def _form(*, keeps: bool) -> JSON:
    """The schema of the form: one choice, without a default that could be taken for a yes, and one line of text."""
    choices = {"run_once": "Run it once", "deny": "Do not run it"}
    if keeps:
        choices = {"run_once": "Run it once", "allow_for_session": "Allow it for this session", "deny": "Do not run it"}
    return {
        "type": "object",
        "properties": {
            "decision": {"type": "string", "title": "Your decision", "enum": [*choices], "enumNames": [*choices.values()]},
            "message": {"type": "string", "title": "What the agent should know", "maxLength": 500},
        },
        "required": ["decision"],
    }


def _approval(question: Question, result: types.ElicitResult, client: str, *, keeps: bool) -> Approval:
    """What a form says; whatever is no clear yes is a no."""
    if result.action != "accept":
        return Approval(yes=False, by=client, note="" if result.action == "decline" else "the question was closed unanswered")
    content = result.content or {}
    note = content.get("message")
    note = visible(note)[:500] if isinstance(note, str) else ""
    decision = content.get("decision")
    if decision == "run_once":
        return Approval(yes=True, by=client, note=note)
    if decision == "allow_for_session" and keeps:
        return Approval(yes=True, by=client, scope="session", rules=question.decision.offers[0].rules, note=note)
    return Approval(yes=False, by=client, note=note)


def _digest(*values: Any) -> str:
    """What tells one call or question from every other."""
    return sha256(json.dumps(values, sort_keys=True).encode("ascii")).hexdigest()


def _known(arguments: JSON, names: Sequence[str]) -> None:
    """Refuse parameters that a tool does not have.

    Raises:
        AsimiError: there is one.
    """
    for name in arguments:
        if name not in names:
            raise AsimiError(f"{ascii(name)} is no parameter of this tool")


def _shown(job: Job) -> JSON:
    command = " ".join((job.command, *(job.arguments or ())))
    return {"id": job.id, "command": command, "directory": job.directory, "pids": list(job.pids), "began": job.began}


def _tail(path: str | None, size: int) -> tuple[bytes, int]:
    """The end of a log, and how long it is."""
    try:
        with open(path or os.devnull, "rb") as file:
            total = file.seek(0, os.SEEK_END)
            file.seek(max(0, total - size))
            return file.read(size), total
    except OSError:
        return b"", 0
