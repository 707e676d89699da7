"""A link to a host: one connection, shared by all calls of a process, made again where it was lost.

A `Connection` is the program that leads there, its greeting, and what is under way on it. A `Link` works in a thread
with an event loop of its own, so questions can be asked from any thread and calls run from any loop. A connection that
is made again must lead to what was there before: whatever was judged, was judged for that.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import select
import subprocess
import threading
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from asimi.core.errors import AsimiError, HostError
from asimi.core.json_values import Invalid, parse_as
from asimi.extras.hosts.faults import host_error, no_greeting, other_protocol
from asimi.extras.hosts.frames import (
    FAR,
    GREETING,
    NOISE,
    PROTOCOL,
    SILENCE,
    Answers,
    Ask,
    Broken,
    Denied,
    Ended,
    Facts,
    Fault,
    Goodbye,
    Hello,
    Interrupt,
    Output,
    Text,
)
from asimi.extras.hosts.questions import QUESTIONS
from asimi.extras.hosts.wire import READ, Wire
from asimi.world.executors.processes import DIRECT, SPAWN, send_group
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.core.settings import Host
    from asimi.extras.hosts.executor import RemoteCall
    from asimi.extras.hosts.frames import Frame
    from asimi.extras.hosts.questions import Asked

SAID = 1 << 13
"""Bytes of what the program says on its standard error that are kept, the last ones."""
LAST = 30
"""Hundredths of a second that it may take to say its last words, once it has closed its output."""
LEAVING = 3.0
"""Seconds that the program may take to go after a goodbye."""


class Connection:
    """One connection, in the loop that made it.

    Args:
        host: where it leads.
        session: the name of what shares temporary files there.
        silence: seconds after which either end is lost if it says nothing.
    """

    def __init__(self, host: Host, session: str, silence: float) -> None:
        self.host, self._session, self._silence = host, session, silence
        self.facts: Facts | None = None
        self.over = ""  # why it is over, in words
        self._loop = asyncio.get_running_loop()
        self._process: subprocess.Popen[bytes] | None = None
        self._wire: Wire | None = None
        self._said = bytearray()
        self._errors = -1
        self._known: asyncio.Future[Facts] = self._loop.create_future()
        self._asked: dict[int, tuple[Sequence[Asked], Future[list[Any]]]] = {}
        self._calls: dict[int, RemoteCall] = {}
        self._count = 0
        self._leaving: asyncio.Task[None] | None = None

    async def open(self) -> Facts:
        """Reach the other end, and hear what it says of itself.

        Raises:
            HostError: it cannot be reached, or is no asimi that we understand.
        """
        try:
            async with asyncio.timeout(self.host.patience):
                first = await self._greeted(self._started())
                assert self._process is not None  # it was started
                assert self._process.stdin is not None
                assert self._process.stdout is not None
                source, sink = os.dup(self._process.stdout.fileno()), os.dup(self._process.stdin.fileno())
                self._process.stdout.close()
                self._process.stdin.close()
                self._wire = Wire(source, sink, FAR, self._took, self._lost, self.host.patience)
                self._wire.open(first)
                self._wire.send(Hello(self.host.root, self._session, self._silence))
                self.facts = await self._known
                self._wire.agree(self._silence)
        except TimeoutError:
            fault = host_error(self.host, f"did not answer within {self.host.patience:g} seconds", self._heard())
            await self.close(str(fault))
            raise fault from None
        except HostError as fault:
            await self.close(str(fault))
            raise
        return self.facts

    def ask(self, questions: Sequence[Asked], answer: Future[list[Any]]) -> None:
        """Ask, in one round trip; the answer, or a HostError, goes to a future of any thread."""
        if self.over or self._wire is None:
            _settle(answer, self._gone())
            return
        self._count += 1
        self._asked[self._count] = questions, answer
        try:
            self._wire.send(Ask(self._count, tuple(map(tuple, questions))))
        except ValueError as error:
            del self._asked[self._count]
            _settle(answer, host_error(self.host, f"cannot be asked: {error}"))

    def start(self, call: RemoteCall) -> None:
        """Start a call, once: where that fails, it has ended."""
        if self.over or self._wire is None:
            call.fail("other", f"Not started: {self._gone()}")
            return
        self._count += 1
        self._calls[self._count] = call
        try:
            self._wire.send(call.begin(self._count, self._wire.send))
        except ValueError as error:
            del self._calls[self._count]
            call.fail("other", f"Not started: {error}")

    def send(self, frame: Frame) -> None:
        """Say something more."""
        if self._wire is not None:
            self._wire.send(frame)

    async def close(self, why: str = "it was closed") -> None:
        """Say goodbye, and see the program off."""
        if self._wire is not None and not self._wire.over:
            self._wire.send(Goodbye())
            await self._wire.sent(LEAVING)
            self._wire.hang_up()
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVING):
                    while not self._wire.over:  # noqa: ASYNC110 - its end is told to all of us, not to this task
                        await asyncio.sleep(0.01)
        self._lost(why)
        assert self._leaving is not None  # it is lost
        await self._leaving

    def forsake(self) -> None:
        """Let go of it in a copy of the process whose connection it is, which has no other end of its own."""
        if self._wire is not None:
            self._wire.forsake()
        if self._errors >= 0:
            os.close(self._errors)

    def _started(self) -> subprocess.Popen[bytes]:
        """The program that leads there, without a terminal, in a session of its own."""
        argv = self.host.words
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        try:
            with SPAWN:
                self._process = subprocess.Popen(argv, start_new_session=True, **pipes)  # type: ignore[call-overload]
                DIRECT.add(self._process.pid)
        except OSError as error:
            raise host_error(self.host, f"cannot be reached: {argv[0]}: {error.strerror}", todo="fix `reach`") from None
        assert self._process.stderr is not None
        self._errors = os.dup(self._process.stderr.fileno())
        self._process.stderr.close()
        os.set_blocking(self._errors, False)
        self._loop.add_reader(self._errors, self._read_errors)
        return self._process

    async def _greeted(self, process: subprocess.Popen[bytes]) -> bytes:
        """What came behind the greeting.

        Raises:
            HostError: another protocol is spoken there, or none.
        """
        assert process.stdout is not None
        source, noise = process.stdout.fileno(), bytearray()
        os.set_blocking(source, False)
        while True:
            data = await self._read(source)
            noise += data
            at = noise.find(GREETING)
            if at >= 0 and (end := noise.find(b"\n", at)) >= 0:
                protocol, _, version = noise[at + len(GREETING) : end].decode("ascii", "replace").partition(" ")
                if protocol != str(PROTOCOL):
                    raise other_protocol(self.host, protocol, version)
                return bytes(noise[end + 1 :])
            if not data or len(noise) > NOISE:
                code = await self._code()
                raise no_greeting(self.host, code, self._heard(), noise[:NOISE].decode("utf-8", "replace"))

    async def _read(self, source: int) -> bytes:
        while True:
            with suppress(BlockingIOError):
                return os.read(source, READ)
            ready = asyncio.Event()
            self._loop.add_reader(source, ready.set)
            try:
                await ready.wait()
            finally:
                self._loop.remove_reader(source)

    def _read_errors(self) -> None:
        try:
            data = os.read(self._errors, READ)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._said += data
        del self._said[:-SAID]
        if not data:
            self._leave_errors()

    def _leave_errors(self) -> None:
        if self._errors >= 0:
            self._loop.remove_reader(self._errors)
            os.close(self._errors)
            self._errors = -1

    def _heard(self) -> str:
        """What the program said on its standard error."""
        return self._said.decode("utf-8", "replace").strip()

    def _took(self, frame: Frame) -> None:
        """What the other end says."""
        if isinstance(frame, Fault):
            self._lost(frame.message)
        elif isinstance(frame, Facts):
            if self._known.done():
                raise Broken("it told its facts twice")
            self._known.set_result(frame)
        elif isinstance(frame, Answers):
            self._answered(frame)
        elif isinstance(frame, Output | Text | Denied | Ended):
            call = self._calls.get(frame.number)
            if call is None:
                raise Broken(f"it spoke of call {frame.number}, which does not run")
            if isinstance(frame, Output):
                call.heard(frame.stream, frame.data)
            elif isinstance(frame, Text):
                call.text(frame.stream, frame.data)
            elif isinstance(frame, Denied):
                call.denied(frame.refused)
            else:
                del self._calls[frame.number]
                call.ended(frame)

    def _answered(self, frame: Answers) -> None:
        if frame.number not in self._asked:
            raise Broken(f"it answered question {frame.number}, which was not asked")
        questions, answer = self._asked.pop(frame.number)
        if not len(questions) == len(frame.values) == len(frame.faults):
            _settle(answer, host_error(self.host, "answered other questions"))
            raise Broken(f"it gave {len(frame.values)} answers to {len(questions)} questions")
        values = list[Any]()
        for (name, *_), value, fault in zip(questions, frame.values, frame.faults, strict=True):
            if fault is not None:
                _settle(answer, AsimiError(f"host {self.host.name}: {fault}"))
                return
            try:
                values.append(parse_as(QUESTIONS[name][1], value, name))
            except Invalid as error:
                _settle(answer, host_error(self.host, f"answered nonsense: {error}"))
                raise Broken(f"it answered nonsense: {error}") from None
        _settle(answer, values)

    def _lost(self, why: str) -> None:
        """Nothing more will come."""
        if self._wire is not None:
            self._wire.close()
        if self._leaving is None:
            self.over = why or "it went away"
            self._leaving = self._loop.create_task(self._left(why))

    async def _left(self, why: str) -> None:
        """Tell whoever waits that it is over, and see the program off, which may say why."""
        for _ in range(0 if why else LAST):
            if self._errors < 0:
                break
            await asyncio.sleep(0.01)
        said = self._heard()
        if said and not why:
            self.over += f" ({printable(said.splitlines()[-1])})"
        if not self._known.done():
            self._known.set_exception(
                host_error(self.host, f"does not serve: {self.over}", said if not why or why not in said else "")
            )
            self._known.exception()  # it may be that nobody waits for it
        asked, self._asked = self._asked, {}
        for _, answer in asked.values():
            _settle(answer, self._gone())
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.lose(self.over)
        await self._seen_off()

    def _gone(self) -> HostError:
        return host_error(self.host, f"is lost: {self.over or 'there is no connection'}")

    async def _code(self) -> int | None:
        """How the program ended; None where it has not."""
        assert self._process is not None
        for _ in range(50):
            code = self._process.poll()
            if code is not None:
                break
            await asyncio.sleep(0.01)
        while self._errors >= 0 and code is not None and self._more_errors():
            self._read_errors()
        return code

    def _more_errors(self) -> bool:
        ready = select.poll()
        ready.register(self._errors, select.POLLIN)
        return bool(ready.poll(0))

    async def _seen_off(self) -> None:
        """End the program and all of its process group, if it has not ended by itself."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        for number in (0, 15, 9):
            if number:
                send_group(process.pid, number)
            for _ in range(30):
                if process.poll() is not None:
                    break
                await asyncio.sleep(0.01)
        DIRECT.discard(process.pid)
        self._leave_errors()


def _settle(answer: Future[list[Any]], what: list[Any] | AsimiError) -> None:
    """Answer whoever asked, who may not wait any more."""
    if answer.set_running_or_notify_cancel():
        if isinstance(what, AsimiError):
            answer.set_exception(what)
        else:
            answer.set_result(what)


CLOSING = 8.0
"""Seconds that an orderly end may take."""


class Link:
    """The way to a host, which is reached now.

    Args:
        host: which.
        session: the name of what shares temporary files in a sandbox there.
        silence: seconds after which either end is lost if it says nothing.

    Attributes:
        host: which.
        facts: what it said of itself, the last time that it was reached.

    Raises:
        HostError: it cannot be used.
    """

    def __init__(self, host: Host, session: str = "", silence: float = SILENCE) -> None:
        self.host, self._session, self._silence = host, session, silence
        if os.name != "posix":
            raise host_error(host, "cannot be used: hosts need Linux, macOS or another Unix on this machine")
        self.facts: Facts
        self._connection: Connection | None = None
        self._closed = False
        self._begin()
        atexit.register(self.close)
        try:
            self.facts = asyncio.run_coroutine_threadsafe(self._connected(), self._loop).result()
        except BaseException:
            self.close()
            raise

    def ask(self, name: str, *arguments: Any) -> Any:
        """One look at what is there; see `questions`.

        Raises:
            HostError: it is lost, or does not answer in time.
            AsimiError: the question has no answer; says why.
        """
        return self.ask_all([(name, *arguments)])[0]

    def ask_all(self, questions: Sequence[Asked]) -> list[Any]:
        """Many looks in one round trip, answered in their order.

        Raises:
            HostError, AsimiError: as `ask`, for the first that has no answer.
        """
        self._here()
        answer: Future[list[Any]] = Future()
        self._post(self._ask, questions, answer)
        try:
            return answer.result(self.host.answer + (0.0 if self._is_there() else self.host.patience))
        except TimeoutError:
            answer.cancel()
            raise host_error(self.host, f"did not answer a question within {self.host.answer:g} seconds") from None

    def start(self, call: RemoteCall) -> None:
        """Start a call; what comes of it, it is told."""
        self._here()
        self._post(self._start, call)

    def interrupt(self) -> None:
        """End what all calls run; may be called from a signal handler."""
        self._post(lambda: None if self._connection is None else self._connection.send(Interrupt()))

    def close(self) -> None:
        """Say goodbye: what runs is ended, what ended calls left in the background goes on."""
        if self._closed or self._pid != os.getpid():
            return
        self._closed = True
        with suppress(HostError, TimeoutError):
            if self._connection is not None:
                asyncio.run_coroutine_threadsafe(self._connection.close(), self._loop).result(CLOSING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(1.0)

    def _begin(self) -> None:
        """Start the thread that does the work."""
        self._pid, self._loop, self._making = os.getpid(), asyncio.new_event_loop(), asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"asimi {self.host.name}", daemon=True)
        self._thread.start()

    def _here(self) -> None:
        """Begin anew in a copy of the process whose link it was."""
        if self._pid != os.getpid():
            if self._connection is not None:
                self._connection.forsake()
            self._connection = None
            self._begin()

    def _is_there(self) -> bool:
        return self._connection is not None and not self._connection.over

    def _post(self, what: Callable[..., object], *arguments: Any) -> None:
        """Have something done in the link's loop.

        Raises:
            HostError: it was closed.
        """
        if self._closed:
            raise host_error(self.host, "was closed")
        self._loop.call_soon_threadsafe(what, *arguments)

    async def _connected(self) -> Facts:
        """Reach it, if it is not reached.

        Raises:
            HostError: it cannot be reached, or is not what it was.
        """
        async with self._making:
            if self._is_there():
                return self.facts
            connection = Connection(self.host, self._session, self._silence)
            facts = await connection.open()
            before = getattr(self, "facts", facts)
            differ = (name for name in Facts._fields if getattr(facts, name) != getattr(before, name))
            if changed := [name for name in differ if name not in _MAY_CHANGE]:
                await connection.close()
                what = f"is not what it was: its {', '.join(changed)} changed since it was lost"
                raise host_error(self.host, what, todo="end this session and begin a new one")
            self._connection, self.facts = connection, facts
            return facts

    def _ask(self, questions: Sequence[Asked], answer: Future[list[Any]]) -> None:
        def asked(connection: Connection | HostError) -> None:
            if not isinstance(connection, HostError):
                connection.ask(questions, answer)
            elif not answer.cancelled():
                answer.set_exception(connection)

        self._when_connected(asked)

    def _start(self, call: RemoteCall) -> None:
        def started(connection: Connection | HostError) -> None:
            if isinstance(connection, HostError):
                call.fail("setup", f"Not started: {connection}")
            else:
                connection.start(call)

        self._when_connected(started)

    def _when_connected(self, then: Callable[[Connection | HostError], object]) -> None:
        """Have something done with the connection, or with why there is none; in the link's loop."""
        if self._connection is not None and not self._connection.over:
            then(self._connection)
            return

        async def work() -> None:
            try:
                await self._connected()
            except HostError as error:
                then(error)
                return
            assert self._connection is not None  # it is connected
            then(self._connection)

        task = self._loop.create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_MAY_CHANGE = ("environ",)
"""What may differ between two connections to the same place: each has a port of its own in `SSH_CONNECTION`."""
