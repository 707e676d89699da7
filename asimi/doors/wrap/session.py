"""The gate of one box: hears the clients inside over a socket, and answers them in their agents' dialects.

One process serves the session, with one configuration, which it reads anew before each call. Each client has a thread;
the gate judges one call at a time, and while one waits for a person, the others go on. The gate believes nothing that a
client says of itself: everything inside can start a client, so its word opens nothing outside.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from asimi.core import wire
from asimi.core.call import ToolCall, Verdict, is_below
from asimi.core.errors import AsimiError, Refusal
from asimi.core.judging.rules import SHELL
from asimi.core.values import NamedTuple
from asimi.core.wire import dumps
from asimi.doors.cli.check import render_check
from asimi.doors.cli.forms import Wrong, read
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks import agent as known
from asimi.doors.hooks.driver import (
    LONGEST,
    MARGIN,
    Answer,
    HookCall,
    ended_request,
    fault_answer,
    fault_of,
    judge,
    record_end,
    run_without_loop,
    with_transcript,
)
from asimi.doors.hooks.opencode import AGENT
from asimi.doors.inside import RUNTIME
from asimi.doors.wrap import client
from asimi.doors.wrap.outside import ASKS, LASTS, PATIENCE, OutsideResult, OutsideTool, command_of, is_ticket
from asimi.doors.wrap.outside import MOST as OUTPUT
from asimi.world.box.hook_evidence import COMMAND, FILE
from asimi.world.box.profiles import profile_of
from asimi.world.host.places import replace
from asimi.world.host.sockets import connections, end_listening, listen_at, peer_of

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from typing import Any

    from asimi.compose.boxed import BoxParts
    from asimi.core.call import Decision, Record
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Audit
    from asimi.doors.wrap.outside import Outside

GATE, HOOK, ASIMI, PLUGIN = "gate", "hook", "asimi", "plugin.js"
"""Names in the box's own directory: the socket, the client under its two names, opencode's plug-in."""

MOST = 64
"""Clients that the gate hears at a time; it turns others away, which means no."""

READING = 20.0
"""Seconds within which a client must have said all."""

WORDS = 64 << 10
"""Bytes of the longest command line."""

UNHEARD = "the gate has not heard the agent's hook yet, so it allows nothing only because the box holds it"
"""What the gate adds to a verdict before the first hook."""

NO_GATE = 125
"""The exit code of what the gate does not do."""


class Request(NamedTuple):
    """What a client said.

    Attributes:
        name: what it was started as.
        directory: where.
        words: its arguments.
        given: its input.
    """

    name: str
    directory: str
    words: tuple[str, ...]
    given: bytes


class BoxServer:
    """Answers the clients in a box, by the gate of the box.

    A context manager, whose end is `close`.

    Args:
        boxed: the parts that judge.
        runtime: the directory that the inside sees as `/run/asimi`.
        environ: gives the environment inside.
        held: says in words what the box cannot hold any more; empty while it holds all.
        broken: is told these words.
        hooked: whether the agent has a hook; until it is heard, nothing is allowed because the box holds it.
        audit: writes down what becomes of calls.
        outside: runs what leaves the box.
        worktree: does what a call of `git worktree` cannot do inside, by the arguments of git and where it runs.

    Attributes:
        heard: the agents whose hooks have been heard.
        kinds: the kinds of calls that the box's own hook was heard for (`asimi.world.box.profiles`).

    Raises:
        AsimiError: it cannot hear there.
    """

    def __init__(
        self,
        boxed: BoxParts,
        runtime: str,
        environ: Callable[[], Mapping[str, str]],
        *,
        held: Callable[[], str],
        broken: Callable[[str], None],
        hooked: bool,
        outside: Outside,
        worktree: Callable[[Sequence[str], str], tuple[int, bytes, bytes]],
        audit: Audit | None = None,
    ) -> None:
        self._worktree = worktree
        self._outside = outside
        self._boxed, self._runtime, self._environ = boxed, runtime, environ
        self._held, self._broken, self._audit = held, broken, audit or boxed.log
        self._hooked = hooked
        self._root = boxed.configuration.root
        self._judging = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST)
        self.heard: set[str] = set()
        self.kinds: set[str] = set()
        self._twice = _Twice()
        text = _script()
        for name in (HOOK, ASIMI):
            replace(os.path.join(runtime, name), text, 0o555, lasting=False)
        replace(os.path.join(runtime, PLUGIN), _plugin(), 0o444, lasting=False)
        try:
            self._socket = listen_at(os.path.join(runtime, GATE))
        except OSError as error:
            raise AsimiError(f"{runtime}: the gate of the box cannot hear there: {error}") from None
        threading.Thread(target=self._hear, daemon=True, name="gate").start()

    def close(self) -> None:
        """Hear nobody any more; a client that waits gets no answer, which means no."""
        end_listening(self._socket, os.path.join(self._runtime, GATE))
        for name in (HOOK, ASIMI, PLUGIN):
            with suppress(OSError):
                os.unlink(os.path.join(self._runtime, name))
        self._outside.close()

    def _hear(self) -> None:
        for connection in connections(self._socket):
            if not self._places.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        """Answer one client; a process of another user, or one that says nothing readable, gets no answer."""
        try:
            with connection, suppress(OSError, ValueError):
                peer = peer_of(connection)
                if peer is None or peer[1] != os.getuid():
                    return
                request = _receive(connection)
                words, is_connected = request.words[1:], partial(_is_connected, connection)
                if request.name != HOOK and request.words[:1] == ("outside",) and words:
                    ran = self._run_outside(request._replace(words=words), peer[0], is_connected)
                    out, err, code = (*(_bytes(text) for text in (ran.out, ran.err)), ran.code)
                elif request.name != HOOK and request.words[:1] == ("git",):
                    code, out, err = self._worktree(words, request.directory)
                else:
                    answer = self.answer(request, is_connected)
                    out, err, code = (*(_line(text) for text in (answer.out, answer.err)), answer.code)
                connection.sendall(b"%d %d\n%b%b" % (code, len(out), out, err))
        finally:
            self._places.release()

    def answer(self, request: Request, is_connected: Callable[[], bool]) -> Answer:
        """What a client gets.

        Args:
            request: what it said.
            is_connected: says whether it still waits.
        """
        words = list(request.words)
        if request.name == HOOK or (words[:1] == ["hook"] and len(words) == 2):
            return self._hook(words[-1] if words else "", request, is_connected)
        try:
            if words[:1] == ["check"]:
                return self._check(words, request.directory)
        except AsimiError as error:
            return Answer("", f"asimi: {error}", NO_GATE)
        name = words[0] if words else "asimi"
        return Answer("", f"asimi: {name} does not work inside a box; only asimi check and asimi outside do", NO_GATE)

    def _run_outside(self, request: Request, pid: int, is_connected: Callable[[], bool]) -> OutsideResult:
        """What came of a text that is to leave the box, by its ticket or by itself."""
        outside = self._outside
        try:
            if is_ticket(request.words):
                return outside.redeem(request.words[0], pid, is_connected)
            tool = OutsideTool(command_of(request.words), request.directory)
            with self._judging:
                agreed = run_without_loop(
                    outside.agree(tool, "asimi outside", "", PATIENCE, self._without_lock, is_connected)
                )
            if isinstance(agreed, Refusal):
                return OutsideResult("", f"asimi: {agreed}\n", 126)
            return outside.run(agreed, is_connected)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client is told, and nothing else ends
            return OutsideResult("", f"asimi: {type(error).__name__}: {error}\n", NO_GATE)

    def _answer_leaving(
        self,
        asked: HookCall,
        given: Mapping[str, Any],
        is_connected: Callable[[], bool],
        became: Callable[[str, Answer], None],
    ) -> Answer | None:
        """The answer to a hook about a text of which something runs outside of the box; None for any other."""
        agent, incoming, outside = asked.agent, asked.incoming, self._outside
        event, command, gate = incoming.event, incoming.command, self._boxed.gate
        if command is None or isinstance(event, known.End):
            return None
        if outside.asked_for(command):
            return Answer(known.answer_text(event, Verdict.ALLOW, "asimi: the gate of the box asks about it"))
        text, *shown = outside.expand_tickets(command)  # as a refusal has named it
        asked = HookCall(agent, incoming._replace(command=text), self._environ())
        try:
            decision = gate.judge(asked.read(ToolCall(SHELL, {}), gate.workspace, gate.shell))
        except AsimiError:
            return None  # where it is judged for good, the error is told
        if ASKS in command:
            return self._again(asked, decision, shown, is_connected)
        if (answer := self._apart(asked, decision, given, is_connected, became)) is not None:
            return answer
        if not (decision.leaves or decision.apart) or decision.verdict is Verdict.DENY:
            return None
        began, tool = time.monotonic(), OutsideTool(command, incoming.directory, incoming.description)
        agreed = self._agree(asked, is_connected, tool)
        if isinstance(agreed, Refusal):
            return Answer(known.answer_text(event, Verdict.DENY, f"asimi: {agreed}"))
        how = profile_of(agent.name).replaces
        if how and event.installed:
            client = outside.ticket(agreed)
            return Answer(replacement_answer(how, event.name, {**given, agent.command: client}))
        left = max(1.0, agent.seconds - MARGIN - (time.monotonic() - began))
        with self._without_lock():
            ran = outside.run(agreed, is_connected, patience=left, most=OUTPUT)
        return Answer(known.answer_text(event, Verdict.DENY, f"asimi: {ran.reason}"))

    def _again(
        self, asked: HookCall, decision: Decision, shown: Sequence[Sequence[object]], is_connected: Callable[[], bool]
    ) -> Answer:
        """The answer to a hook about a line with clients in it, which a refusal has named."""
        left = tuple(each for each in decision.apart if not each.asks)
        asks = tuple(each.span[0] for each in decision.apart if each.asks)
        if (*shown,) == (left, asks) and decision.apart and decision.verdict is Verdict.ALLOW:
            return judge(asked, self._gate_of(asked, is_connected))
        words = f"a ticket is for one run of the line that asimi gave, within {LASTS:g} s; run the commands themselves"
        assert not isinstance(asked.incoming.event, known.End)  # as `_leaving` has found
        return Answer(known.answer_text(asked.incoming.event, Verdict.DENY, f"asimi: {words}"))

    def _apart(
        self,
        asked: HookCall,
        decision: Decision,
        given: Mapping[str, Any],
        is_connected: Callable[[], bool],
        became: Callable[[str, Answer], None],
    ) -> Answer | None:
        """The answer to a hook about a text of which commands leave the box, each by itself; None for any other."""
        agent, incoming, outside = asked.agent, asked.incoming, self._outside
        event, command = incoming.event, incoming.command
        assert command is not None  # as `_leaving` has found
        assert not isinstance(event, known.End)
        if decision.verdict is not Verdict.ALLOW or not decision.apart:
            return None
        agree = partial(self._agree, asked, is_connected)
        if (agreed := outside.let_out(command, decision, incoming.description, agree)) is None:
            return None
        how = profile_of(agent.name).replaces
        if not (how and event.installed):
            line = outside.with_tickets(command, decision, agreed)
            words = f"parts of this run outside of the box; run exactly this instead, within {LASTS:g} s:\n{line}"
            return Answer(known.answer_text(event, Verdict.DENY, f"asimi: {words}"))

        def say_instead() -> Answer:
            line = outside.with_tickets(command, decision, agreed)
            judged = "asimi: it was judged before its parts were replaced"
            became(line, Answer(known.answer_text(event, Verdict.ALLOW, judged)))
            return Answer(replacement_answer(how, event.name, {**given, agent.command: line}))

        return judge(asked, self._gate_of(asked, is_connected), say_instead)

    def _agree(self, asked: HookCall, is_connected: Callable[[], bool], tool: OutsideTool) -> Record | Refusal:
        """Judge and ask about what a call would have run outside of the box."""
        agent, seconds = asked.agent.name, float(asked.agent.seconds - 2 * MARGIN)
        return run_without_loop(
            self._outside.agree(tool, agent, asked.incoming.call, seconds, self._without_lock, is_connected)
        )

    def _gate_of(self, asked: HookCall, is_connected: Callable[[], bool]) -> Gate:
        """The gate that a call goes through which stays in the box."""
        approver = self._boxed.asks(float(asked.agent.seconds - 2 * MARGIN), self._without_lock, is_connected)
        return self._boxed.gate.with_(executor=asked, approver=approver, audit=self._audit)

    def _hook(self, name: str, request: Request, is_connected: Callable[[], bool]) -> Answer:
        """The answer to a hook; whatever goes wrong, it is a no."""
        event = None
        try:
            agent = known.agent_of(name)
            environ = self._environ()
            agent, event, envelope = known.recognise(agent, request.given)
            incoming = with_transcript(agent, envelope, known.read(agent, event, envelope, environ), environ)
            self.heard.add(agent.name)
            if not incoming.has_action or incoming.stranger:
                return Answer("")
            if request.name == HOOK and not isinstance(event, known.End):
                self.kinds.add(COMMAND if incoming.file is None else FILE)
            incoming = incoming._replace(
                root=self._root, directory=os.path.join(request.directory, incoming.directory), asks=False
            )
            own = request.name == HOOK
            became = partial(self._twice.became, incoming, own)
            answered = partial(self._answer, agent, incoming, known.parameters(agent, envelope), is_connected, became)
            return self._twice.answer_once(incoming, own, answered)
        except Exception as error:  # noqa: BLE001 - whatever it is, the command must not run
            return fault_answer(
                event, fault_of(name, error) if name in AGENTS else f"asimi knows no agent {name!r:.40}"
            )

    def _answer(
        self,
        agent: known.Agent,
        incoming: known.Envelope,
        given: Mapping[str, Any],
        is_connected: Callable[[], bool],
        became: Callable[[str, Answer], None],
    ) -> Answer:
        """The answer to an envelope; `became` is told another command in its place, and the answer to that."""
        event = incoming.event
        with self._judging:
            if isinstance(event, known.End):
                self._boxed.end_reported_call(ended_request(agent, incoming))
                if incoming.command is not None:
                    record_end(self._boxed.log, agent, incoming)
                return Answer("")
            asked = HookCall(agent, incoming, self._environ())
            answer = self._answer_leaving(asked, given, is_connected, became)
            if answer is None:
                answer = judge(asked, self._gate_of(asked, is_connected))
            return self._unless_lost(answer, partial(known.answer_text, event))

    def _check(self, words: Sequence[str], directory: str) -> Answer:
        """The answer to `asimi check` inside.

        Raises:
            AsimiError: there is none.
        """
        line = read(words)
        if line is None or line.given or line.command != "check":
            raise AsimiError(
                "inside a box, check takes COMMAND, --dir, --json, or --exec [--cwd DIR] -- PROGRAM ARG..."
            )
        values = {name: value for name, value in line.values.items() if name != "hook"}  # it is one
        where = "cwd" if values["execute"] else "directory"
        if is_below(directory, self._root):
            values[where] = os.path.relpath(os.path.join(directory, values[where]), self._root)
        values["in_box"] = boxed = bool(self.heard) or not self._hooked
        with self._judging:
            try:
                text, code = render_check(self._boxed.gate if boxed else self._boxed.unheard, **values)
            except Wrong as error:
                return Answer("", f"asimi: {error}", 2)
        return Answer(text, "" if boxed else f"asimi: {UNHEARD}", code)

    def _unless_lost(self, answer: Answer, said: Callable[[Verdict, str], str]) -> Answer:
        """The answer, or a no if the box does not hold everything any more; then the box ends."""
        if not (lost := self._held()):
            return answer
        self._broken(lost)
        return Answer(said(Verdict.DENY, f"asimi: this box cannot be kept any more, and ends: {lost}"))

    @contextmanager
    def _without_lock(self) -> Iterator[None]:
        """Let other calls be judged meanwhile."""
        self._judging.release()
        try:
            yield
        finally:
            self._judging.acquire()


class _Call(NamedTuple):
    """One call that a hook asked about.

    Attributes:
        incoming: what the envelope says.
        own: whether it was the box's own hook.
        time: when, by the monotonic clock.
        answer: what it got, once that is known.
    """

    incoming: known.Envelope
    own: bool
    time: float
    answer: Future[Answer]


class _Twice:
    """Has a call judged once that two hooks ask about: the box's and the one in the person's own settings."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._lock = threading.Lock()

    def became(self, incoming: known.Envelope, own: bool, command: str, answer: Answer) -> None:  # noqa: FBT001
        """Have the other hook get an answer where the agent shows it the command that this one put in place."""
        from concurrent.futures import Future

        said: Future[Answer] = Future()
        said.set_result(answer)
        with self._lock:
            self._calls.append(_Call(incoming._replace(command=command), own, time.monotonic(), said))

    def answer_once(self, incoming: known.Envelope, own: bool, judge: Callable[[], Answer]) -> Answer:  # noqa: FBT001
        """The answer that the other hook got to the same call, or that of `judge`.

        Raises:
            Exception: what `judge` has raised, here or for the other hook.
            TimeoutError: the other hook's answer did not come as long as hooks wait.
        """
        from concurrent.futures import Future

        now = time.monotonic()
        with self._lock:
            self._calls = [each for each in self._calls if now - each.time < client.PATIENCE]
            other = next((each for each in self._calls if each.own is not own and each.incoming == incoming), None)
            if other is not None:
                self._calls.remove(other)
            else:
                mine = _Call(incoming, own, now, Future())
                self._calls.append(mine)
        if other is not None:
            return other.answer.result(client.PATIENCE)
        try:
            mine.answer.set_result(judge())
        except Exception as error:  # noqa: BLE001 - both hooks say so
            mine.answer.set_exception(error)
        return mine.answer.result()


def _receive(connection: socket.socket) -> Request:
    """What a client says, to the end of it.

    Raises:
        OSError: it does not say all in time.
        ValueError: it cannot be read, or is too long.
    """
    deadline, data = time.monotonic() + READING, bytearray()
    while True:
        connection.settimeout(max(0.01, deadline - time.monotonic()))
        piece = connection.recv(1 << 16)
        if not piece:
            break
        data += piece
        if len(data) > LONGEST + WORDS:
            raise ValueError("it is too long")
    name, directory, count, rest = bytes(data).split(b"\0", 3)
    number = int(count)
    if not 0 <= number <= WORDS or not directory.startswith(b"/"):
        raise ValueError("it is no command line")
    *words, given = rest.split(b"\0", number)
    if len(words) != number or sum(map(len, words)) > WORDS:
        raise ValueError("words of it are missing, or too many")
    return Request(os.fsdecode(name), os.fsdecode(directory), tuple(map(os.fsdecode, words)), given)


def _is_connected(connection: socket.socket) -> bool:
    """Whether a client that has said all still waits for its answer (poll(2): POLLHUP, once both ways are shut)."""
    events = select.poll()
    events.register(connection, 0)
    return not events.poll(0)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _line(text: str) -> bytes:
    """A text as it is written: nothing, or with a newline at the end."""
    return text.encode("utf-8", "backslashreplace") + b"\n" if text else b""


def _script() -> bytes:
    """The client as a program of its own."""
    with open(client.__file__, "rb") as file:
        return f"#!{python()} -IS\n".encode() + file.read()


def _plugin() -> bytes:
    """The plug-in of the agent whose hook is one."""
    return AGENT.settings.plugin.replace("{command}", dumps(f"{RUNTIME}/{HOOK} {AGENT.name}")).encode()


def python() -> str:
    """The interpreter that the client runs in: the one beneath any virtual environment, which may be hidden."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


_FORMS: Mapping[str, Callable[[str, dict[str, Any]], Any]] = {
    "updatedInput": lambda event, given: {
        "hookSpecificOutput": {"hookEventName": event, "permissionDecision": "allow", "updatedInput": given}
    },
    "tool_input": lambda event, given: {
        "decision": "allow",
        "hookSpecificOutput": {"hookEventName": event, "tool_input": given},
    },
    "modifiedArgs": lambda _, given: {"permissionDecision": "allow", "modifiedArgs": given},
    "args": lambda _, given: {"decision": "allow", "args": given},
}
"""The answers, from the event's name and the parameters of the tool, by the name that a profile gives them."""


def replacement_answer(how: str, event: str, given: Mapping[str, Any]) -> str:
    """The answer that lets a tool run with other parameters.

    Args:
        how: the name of the answer's form, a key of `_FORMS`.
        event: what the agent calls the event.
        given: the parameters, with the command replaced.
    """
    return wire.dumps(_FORMS[how](event, dict(given)))
