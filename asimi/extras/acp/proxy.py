"""Both ends of the proxy: lines go through as they are, and what the agent wants goes through the gate first."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections import OrderedDict
from contextlib import suppress
from functools import partial
from shutil import which
from typing import TYPE_CHECKING, Any

from asimi.compose import may_ask
from asimi.core import wire
from asimi.core.call import PROMPT, Approval, ToolCall
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.core.wording.adding import remedy_line
from asimi.core.wording.visible import visible
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.driver import shell_kind
from asimi.doors.running import chunks, send
from asimi.extras.acp import messages
from asimi.extras.acp.calls import created, form_of, permitted, touched
from asimi.extras.acp.cards import PERMISSION, READ, TERMINAL, WRITE, Cards, card_of, told, with_note
from asimi.extras.acp.ends import LOOKS, OUTCOMES, Begun, Ends, keep
from asimi.extras.acp.gate import open_between
from asimi.extras.acp.judging import SOONEST, Agreed, Between, Carried, Outcome
from asimi.world.host.terminal import printable, say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from asimi.compose import Options
    from asimi.core.call import Question
    from asimi.core.kinds import ShellKind
    from asimi.doors.running import Stop
    from asimi.extras.acp.calls import Wanted

JSON = dict[str, Any]

JUDGED = frozenset({PERMISSION, TERMINAL, READ, WRITE})
"""The requests of an agent that are judged."""

OPENING = frozenset({"session/new", "session/load", "session/resume", "session/fork"})
"""The requests of an editor that say where a session is."""

REMEMBERED, SESSIONS = 64, 256
"""How many tool calls, and sessions, are remembered; the oldest go first."""

LARGEST = 1 << 20
"""Bytes of the longest news about a tool call that is remembered."""

GRACE = 5.0
"""Seconds that an agent has to end once its editor is gone, and again once it was told to."""

LEFT = 1.0
"""Seconds in which what an agent has written is still read after its end; what it started may hold its output open."""

NOT_FOUND, NOT_ALLOWED = 127, 126

THERE = "on the card of the agent's own request"

UNSEEN = "asimi did not judge this: the agent does not say the exact command"


class _Pending(NamedTuple):
    """A request that is on its way through the gate.

    Attributes:
        session: the session's id.
        cancelled: done once it is cancelled.
    """

    session: str
    cancelled: asyncio.Future[None]


class Proxy:
    """Between the editor on our standard streams and an agent.

    Args:
        options: what the caller chooses.
        words: the agent's command line.
        stop: tells whether asimi was told to end.
        cards: whether the editor's answers count.
    """

    def __init__(self, options: Options, words: Sequence[str], stop: Stop, *, cards: bool) -> None:
        self._options, self._words, self._stop = options, words, stop
        self._counts = cards and may_ask(options)
        self._agent, self._editor = os.path.basename(words[0]), "editor"
        self._opening: OrderedDict[str, JSON] = OrderedDict()  # requests of the editor that open sessions, by their ids
        self._greeting = ""  # the id of the editor's first request
        self._directories: OrderedDict[str, str] = OrderedDict()  # of sessions
        self._sides: OrderedDict[str, Between] = OrderedDict()
        self._calls: OrderedDict[tuple[str, str], JSON] = OrderedDict()  # what was said of tool calls so far
        self._agreed: OrderedDict[tuple[str, str], Agreed] = OrderedDict()  # by session and tool call
        self._ends, self._cards = Ends(), Cards(partial(self._to, "editor"))
        self._pending: dict[str, _Pending] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._left_out = 0
        self._locks = {"editor": asyncio.Lock(), "agent": asyncio.Lock()}
        self._sinks = {"editor": 1, "agent": -1}

    async def run(self) -> int:
        """Start the agent and carry messages until either end is gone.

        Returns:
            The agent's exit code, 128+n after signal n; 127 or 126 if it cannot be started.

        Raises:
            AsimiError: a message is too long to be judged, or standard input cannot be read.
        """
        theirs, ours = os.pipe()
        back, there = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(*self._words, stdin=theirs, stdout=there)
        except OSError as error:
            os.close(ours)
            os.close(back)
            say(f"asimi: {printable(self._words[0])} cannot be started: {error.strerror}")
            return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_ALLOWED
        finally:
            os.close(theirs)
            os.close(there)
        self._sinks["agent"] = ours
        inward = asyncio.ensure_future(self._carry(0, "The editor", self._from_editor))
        outward = asyncio.ensure_future(self._carry(back, "The agent", self._from_agent))
        ended = asyncio.ensure_future(process.wait())
        stopped = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((inward, outward, ended, stopped), return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                await asyncio.wait((outward,), timeout=LEFT)
        finally:
            for each in (*self._tasks, inward, stopped):
                each.cancel()
            os.close(ours)
            for order in (None, signal.SIGTERM, signal.SIGKILL):
                if order is not None and not ended.done():
                    with suppress(ProcessLookupError):
                        process.send_signal(order)
                await asyncio.wait((ended,), timeout=0 if self._stop and order is None else GRACE)
            outward.cancel()
            await asyncio.wait((inward, outward, stopped, *self._tasks))
            os.close(back)
        for each in (inward, outward):
            if not each.cancelled():
                each.result()
        if self._left_out:
            say(f"asimi: {self._left_out} lines of the agent were not passed on, because they are not messages")
        code = process.returncode or 0
        return code if code >= 0 else 128 - code

    # ---- carrying ----------------------------------------------------------------------------------------------------

    async def _carry(self, source: int, whose: str, take: Any) -> None:
        data: AsyncIterator[bytes] = chunks(source, self._stop)
        async for line in messages.lines(data, whose):
            await take(line)

    async def _to(self, end: str, line: bytes) -> None:
        """Write a line whole, one after another; nothing to an end that is gone, which ends the proxy anyway."""
        async with self._locks[end]:
            await send(self._sinks[end], line, self._stop)

    async def _from_editor(self, line: bytes) -> None:
        """Pass on a line of the editor's, unless it answers a question of ours."""
        try:
            value = messages.value_of(line)
        except wire.MalformedJsonError:
            value = None
        if isinstance(value, dict):
            if self._cards.take(value):
                return
            if "method" not in value:
                self._ends.answered(wire.dumps(value.get("id")), value)
            self._learn(value)
        await self._to("agent", line)

    def _learn(self, value: JSON) -> None:
        """Note what a message of the editor's says of sessions, and what it cancels."""
        method, params = value.get("method"), value.get("params")
        if not isinstance(params, dict) or not isinstance(method, str):
            return
        if method == "initialize":
            self._greeting, info = wire.dumps(value.get("id")), params.get("clientInfo")
            self._editor = _named(info) or self._editor
        elif method in OPENING and isinstance(params.get("cwd"), str):
            keep(self._opening, wire.dumps(value.get("id")), params, SESSIONS)
            if method != "session/fork" and isinstance(params.get("sessionId"), str):
                self._opened(params["sessionId"], params["cwd"])
        elif method in {"session/cancel", "session/prompt"}:
            session = params.get("sessionId")
            for each in [key for key in self._agreed if key[0] == session]:  # a yes is for one turn
                del self._agreed[each]
            for pending in self._pending.values() if method == "session/cancel" else ():
                if pending.session == session:
                    _done(pending.cancelled)

    def _opened(self, session: str, directory: str) -> None:
        keep(self._directories, session, directory, SESSIONS)
        self._sides.pop(session, None)

    async def _from_agent(self, line: bytes) -> None:
        """Pass on a line of the agent's, or take it through the gate first."""
        try:
            value = messages.value_of(line)
        except wire.MalformedJsonError as error:
            await self._leave_out(line, str(error))
            return
        if isinstance(value, list):
            await self._leave_out(line, "the protocol has no batches")
            return
        if isinstance(value, dict) and not isinstance(value.get("method", ""), str):
            await self._leave_out(line, "its method is not a string")
            return
        if isinstance(value, dict) and not await self._is_taken(value, line):
            return
        await self._to("editor", line)

    async def _is_taken(self, value: JSON, line: bytes) -> bool:
        """Whether a message is to be passed on as it is."""
        method, params = value.get("method"), value.get("params")
        if method is None:
            self._answered(value)
        elif method in JUDGED:
            if not _is_name(value.get("id")):
                await self._leave_out(line, "it has no id")
                return False
            task = asyncio.ensure_future(self._judge(value, line))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            await asyncio.sleep(0)  # what needs no answer is decided now, and keeps its place
            return False
        elif method == "session/update" and isinstance(params, dict):
            self._note(params, len(line))
        elif method == "$/cancel_request" and isinstance(params, dict):
            name = wire.dumps(params.get("requestId"))
            if await self._cards.take_back(value, name):
                return False
            if (pending := self._pending.get(name)) is not None:
                _done(pending.cancelled)
                return False
        elif method in LOOKS and isinstance(params, dict):
            self._ends.looked(wire.dumps(value.get("id")), params)
        return True

    async def _leave_out(self, line: bytes, why: str) -> None:
        """Pass a line on to nobody: its readers could read something else in it than asimi does."""
        self._left_out += 1
        if (answer := messages.answer_to_unreadable(line, why)) is not None:
            await self._to("agent", answer)

    def _answered(self, value: JSON) -> None:
        """Note what an answer of the agent's says of sessions, and of itself."""
        name, result = wire.dumps(value.get("id")), value.get("result")
        opening = self._opening.pop(name, None)
        if not isinstance(result, dict):
            return
        if opening is not None and isinstance(result.get("sessionId"), str):
            self._opened(result["sessionId"], opening["cwd"])
        if self._greeting == name:
            self._greeting = ""
            self._agent = _named(result.get("agentInfo")) or self._agent
            if (version := result.get("protocolVersion")) != 1:
                said = printable(wire.dumps(version))[:20]
                say(f"asimi: the agent speaks version {said} of the protocol, and asimi judges only what version 1 has")

    def _note(self, params: JSON, size: int) -> None:
        """Remember what news say of a tool call, by which a later request for permission is judged."""
        session, news = params.get("sessionId"), params.get("update")
        if not isinstance(news, dict) or news.get("sessionUpdate") not in ("tool_call", "tool_call_update"):
            return
        name = news.get("toolCallId")
        if not isinstance(session, str) or not isinstance(name, str):
            return
        if isinstance(status := news.get("status"), str) and status in OUTCOMES:
            self._calls.pop((session, name), None)
            self._agreed.pop((session, name), None)
            self._ends.ended(session, name, OUTCOMES[status])
            return
        known = self._calls.get((session, name), {})
        said = {key: news[key] for key in ("title", "kind", "rawInput", "content") if news.get(key) is not None}
        keep(self._calls, (session, name), {"lost": True} if size > LARGEST else known | said, REMEMBERED)

    # ---- judging -----------------------------------------------------------------------------------------------------

    async def _judge(self, value: JSON, line: bytes) -> None:
        """Take a request of the agent's through the gate, and do what comes of it."""
        name, params = wire.dumps(value["id"]), value.get("params")
        session = params.get("sessionId") if isinstance(params, dict) else None
        pending = _Pending(session if isinstance(session, str) else "", asyncio.get_running_loop().create_future())
        self._pending[name] = pending
        try:
            if value["method"] == PERMISSION:
                await self._permission(value, line, pending)
                return
            outcome = await self._wanted(value, pending)
            if outcome.word != "deny":
                await self._to("editor", line)
            else:
                code = messages.CANCELLED if pending.cancelled.done() else messages.REFUSED
                await self._to("agent", messages.error(value["id"], code, f"asimi: {outcome.reason}"))
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing is passed on, and the agent hears that
            fault = f"asimi failed: {type(error).__name__}: {error}"
            await self._to("agent", messages.error(value["id"], messages.REFUSED, fault))
        finally:
            self._pending.pop(name, None)

    async def _wanted(self, value: JSON, pending: _Pending) -> Outcome:
        """What comes of a terminal or a file that the agent wants of the editor."""
        method, params = value["method"], value.get("params")
        try:
            side = self._side(pending.session)
            readings = created(params, _is_found) if method == TERMINAL else (touched(method, params),)
        except (AsimiError, OSError) as error:
            return Outcome("deny", f"blocked, because {error}")

        async def card(question: Question) -> Approval:
            shown = card_of(method, params or {}, question)
            return await self._cards.show(pending.session, shown, self._person, question.patience)

        agreed = self._agreed_on(pending.session, form_of(readings[0])) if method == TERMINAL else None
        carried = Carried(side, readings, card, pending.cancelled, agreed)
        outcome = await carried.outcome(self._call(readings[0], value["id"]))
        if method == TERMINAL:
            self._begun(carried, partial(self._ends.created, pending.session, wire.dumps(value["id"])))
        return outcome

    def _agreed_on(self, session: str, form: tuple[str, ...]) -> Agreed | None:
        """A yes to a tool call of the session's that has not ended, to this very command; it counts once."""
        found = next((key for key, each in self._agreed.items() if key[0] == session and each.form == form != ()), None)
        return None if found is None else self._agreed.pop(found)

    def _begun(self, carried: Carried, wait: Callable[[Begun], None]) -> None:
        """Wait for the end of what was let pass."""
        if carried.begun:
            wait(Begun(carried.log, carried.begun, f"acp:{self._agent}", time.monotonic()))

    @property
    def _person(self) -> str:
        """Who answers cards."""
        return f"editor:{self._editor}"

    async def _permission(self, value: JSON, line: bytes, pending: _Pending) -> None:
        """Answer a request for permission, or pass it on to the editor's card."""
        params = value.get("params")
        call = params.get("toolCall") if isinstance(params, dict) else None
        if not isinstance(params, dict) or not isinstance(call, dict):
            await self._to("editor", line)  # nothing is allowed by it, and whoever reads it says so
            return
        name = str(call.get("toolCallId"))
        known = self._calls.get((pending.session, name), {})
        call = known | {key: each for key, each in call.items() if each is not None}
        wanted = permitted(call)
        if wanted is None:
            note = UNSEEN if call.get("kind") == "execute" else ""
            await self._to("editor", messages.line_of(with_note(value, call, note)) if note else line)
            return
        options = params.get("options")
        allow, reject = (messages.option_of(options, kind) for kind in ("allow_once", "reject_once"))
        refused = messages.result(value["id"], messages.selected(reject))
        try:
            side = self._side(pending.session)
        except (AsimiError, OSError) as error:
            await self._say_no(pending.session, name, call, f"blocked, because {error}", new=not known)
            await self._to("agent", refused)
            return
        carried = Carried(side, (wanted,), _left_to_agent, pending.cancelled)
        if carried.is_free and (wanted.use is not None or allow is None):  # the agent asks by its own rules
            await self._to("editor", line)
            return
        outcome = await carried.outcome(self._call(wanted, call.get("toolCallId")))
        if wanted.use is None:
            self._begun(carried, partial(self._ends.permitted, pending.session, name))
        approval = carried.approval
        if outcome.word == "pass":
            text = " ".join((wanted.command, *(wanted.arguments or ())))
            answered = await self._cards.pass_on(value, call, outcome.reason, text)
            reply = answered.line
            if not answered.yes:
                self._ends.ended(pending.session, name, "not run")
            elif side.cards and answered.plain and not call.get("lost") and answered.seconds >= SOONEST:
                approval = Approval(yes=True, by=self._person, note=THERE, seconds=answered.seconds)
        elif outcome.word == "allow" and allow is not None:
            reply = messages.result(value["id"], messages.selected(allow))
        elif pending.cancelled.done():
            reply = messages.result(value["id"], messages.selected(None))
        else:
            await self._say_no(pending.session, name, call, outcome.reason, new=not known)
            reply = refused
        agreed = approval is not None and approval.yes and not pending.cancelled.done()  # the turn is not over
        if (form := form_of(wanted)) and carried.question is not None and approval is not None and agreed:
            keep(self._agreed, (pending.session, name), Agreed(form, carried.question, approval), REMEMBERED)
        await self._to("agent", reply)

    async def _say_no(self, session: str, name: str, call: JSON, reason: str, *, new: bool) -> None:
        """Show the editor's person why a tool call is refused."""
        news: JSON = {"title": "", "toolCallId": name, "status": "failed"}
        news |= {key: call[key] for key in ("title", "kind") if isinstance(call.get(key), str)}
        news["content"] = [messages.text_block(f"asimi: {reason}")]
        await self._to("editor", messages.update(session, news, new=new))

    def _call(self, wanted: Wanted, name: Any) -> ToolCall:
        """The call as the log has it."""
        given: JSON = {"command": wanted.command} if wanted.use is None else {}
        if wanted.arguments is not None:
            given["args"] = list(wanted.arguments)
        return ToolCall(wanted.tool, given, name if _is_name(name) else None, f"acp:{self._agent}")

    def _side(self, session: str) -> Between:
        """A session's side of the gate.

        Raises:
            AsimiError: its directory is none, or the caller may not choose the options.
        """
        if session not in self._sides:
            directory = self._directories.get(session) or os.getcwd()
            gate, first, log = open_between(self._options, f"acp:{self._agent}", session, directory)
            shell = _shell_of(self._agent, gate.workspace.anywhere("", "").root)
            side = Between(gate, first, self._counts, directory, shell, log)
            keep(self._sides, session, side, SESSIONS)
        return self._sides[session]


async def serve(options: Options, words: Sequence[str], stop: Stop, *, cards: bool) -> int:
    """Carry messages between the editor on standard input and output and an agent; the exit code."""
    return await Proxy(options, words, stop, cards=cards).run()


def _done(cancelled: asyncio.Future[None]) -> None:
    if not cancelled.done():
        cancelled.set_result(None)


def _is_name(name: object) -> bool:
    """Whether this can be the id of a request."""
    return type(name) in {int, str}


def _named(info: Any) -> str:
    """Return the name by which a program calls itself, as it can be a part of a name of ours; empty for none."""
    name = info.get("name") if isinstance(info, dict) else None
    return re.sub(r"[^\w.@+-]+", "-", visible(name)[:60], flags=re.ASCII).strip("-") if isinstance(name, str) else ""


def _is_found(name: str) -> bool:
    """Whether a program of this name could be started."""
    return which(name) is not None


def _shell_of(name: str, root: str) -> ShellKind:
    """Whose grammar an agent's shell texts have: `plain` unless its shell is known, and is bash."""
    known = next((each for each in AGENTS if each.partition("-")[0] in name.lower()), None)
    if known is None:
        return "plain"
    agent = agent_of(known)
    shells = set(agent.tools.values())
    return shell_kind(agent, shells.pop(), os.environ, root) if len(shells) == 1 else "plain"


async def _left_to_agent(question: Question) -> Approval:
    """No answer, with what the agent's own card says besides."""
    settled = remedy_line(question.decision)
    more = f"\nTo be asked no more: {settled}" if settled else ""
    return Approval(yes=False, by=PROMPT, note=f"{told(question)}{more}")
