"""The far end of a link: `asimi executor`, which looks and runs for a gate that is elsewhere.

It decides nothing but what its own administrator forbids: what comes was judged and consented to at the near end, which
could start any program here anyway. It runs by the local executor, with this machine's environment, and checks again
what can have changed since: the directory, the administrator's denies.
"""

from __future__ import annotations

import asyncio
import os
import platform
import re
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

from asimi.core.call import Failure, Result
from asimi.core.errors import AsimiError
from asimi.core.extras import is_installed
from asimi.core.json_values import plain
from asimi.core.settings import command_environment
from asimi.core.values import NamedTuple
from asimi.extras.hosts.frames import (
    NEAR,
    PIECE,
    PROTOCOL,
    STREAMS,
    WINDOW,
    Answers,
    Ask,
    Broken,
    Cancel,
    Credit,
    Denied,
    Ended,
    Enough,
    Facts,
    Fault,
    Goodbye,
    Hello,
    Interrupt,
    Output,
    Start,
    Text,
    greeting,
)
from asimi.extras.hosts.questions import answered, fault_of, looks
from asimi.extras.hosts.wire import Wire
from asimi.world.host.bash import find_shell
from asimi.world.host.inherited import inherited_environment
from asimi.world.host.places import real_path, user_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from asimi.core.call import Execution, RefusedExecution, Request
    from asimi.core.judging.rules import Rule
    from asimi.core.settings import Environment
    from asimi.extras.hosts.frames import Frame, StreamName
    from asimi.extras.hosts.reaper import Keeper
    from asimi.world.executors.local import LocalExecutor
    from asimi.world.host.places import Places

GREETED = 60.0
"""Seconds in which the near end must say what it wants."""
LOOKERS = 4
"""Looks at the file system at once, of which one may hang."""
SILENCES = (1.0, 600.0)
"""The shortest and the longest silence, in seconds, that a near end may ask for."""
NAMES = re.compile(r"[\w.-]{1,128}")
"""Ids of calls and names of sessions."""


class Parts(NamedTuple):
    """What a far end is made of.

    Attributes:
        version: asimi's.
        places: where its own files are.
        managed: gives the administrator's denies as they are now; raises AsimiError where they cannot be read.
        forbidden: why some denies forbid a request, in words; empty where they do not.
        executor: makes what runs commands, of the session's name, what is told of executions that were refused, and
            what is told of a call's mark before it starts.
        keeper: ends what is left if we are killed.
        below: the directory that roots must be in, or empty.
    """

    version: str
    places: Places
    managed: Callable[[], tuple[Rule, ...]]
    forbidden: Callable[[tuple[Rule, ...], Request], str]
    executor: Callable[..., LocalExecutor]
    keeper: Keeper
    below: str = ""


class FarEnd:
    """Serves one near end.

    Args:
        parts: what it is made of.
        source: the descriptor that the near end writes to.
        sink: the descriptor that it reads.
    """

    def __init__(self, parts: Parts, source: int, sink: int) -> None:
        self._parts = parts
        self._loop = asyncio.get_running_loop()
        self._wire = Wire(source, sink, NEAR, self._took, self._lost, GREETED)
        self._done: asyncio.Future[str] = self._loop.create_future()  # why it is over, empty for a goodbye
        self._root, self._looks = "", dict[str, Any]()
        self._executor: LocalExecutor | None = None
        self._calls: dict[int, _Call] = {}
        self._prepared: tuple[Mapping[str, str], Environment | None, dict[str, str]] = {}, None, {}
        self._last = 0
        self._waiting: deque[int] = deque()
        self._pool = ThreadPoolExecutor(LOOKERS)
        self._sink = sink

    async def serve(self, stopped: Callable[[], Any]) -> str:
        """Serve until the near end says goodbye, is lost, or we are told to end; all that runs is ended then.

        Args:
            stopped: returns when we are told to end.

        Returns:
            Why it is over; empty after a goodbye, where what is in the background may stay.

        Raises:
            AsimiError: the streams are none that can be waited for.
        """
        try:
            os.write(self._sink, greeting(self._parts.version))
            self._wire.open()
        except PermissionError:
            raise AsimiError("Standard input and output must be pipes or sockets, not files") from None
        stopping = asyncio.ensure_future(stopped())
        await asyncio.wait((self._done, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        why = self._done.result() if self._done.done() else "it was told to end"
        tasks = [call.task for call in self._calls.values() if call.task is not None]
        while self._executor is not None and tasks:  # more than once: one may be on its way to its start
            self._executor.interrupt()
            _, pending = await asyncio.wait(tasks, timeout=0.1)
            tasks = list(pending)
        if why:
            self._say(Fault(why))
        await self._wire.sent(1.0)
        self._wire.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
        return why

    def _lost(self, why: str) -> None:
        for call in self._calls.values():
            call.let_go()
        self._over(why or "the near end went away without a goodbye")

    def _over(self, why: str) -> None:
        if not self._done.done():
            self._done.set_result(why)

    def _say(self, frame: Frame) -> None:
        self._wire.send(frame)

    def _took(self, frame: Frame) -> None:
        """What the near end says."""
        if self._done.done():
            return
        if isinstance(frame, Hello):
            self._hello(frame)
        elif self._executor is None:
            raise Broken("it did not begin with a hello")
        elif isinstance(frame, Ask):
            self._loop.run_in_executor(self._pool, self._answer, frame)
        elif isinstance(frame, Start):
            self._start(frame)
        elif isinstance(frame, Credit | Enough):
            call = self._calls.get(frame.number)
            if call is not None:  # else it has just ended
                call.give(frame.stream, frame.size if isinstance(frame, Credit) else None)
        elif isinstance(frame, Cancel):
            call = self._calls.get(frame.number)
            if call is not None:
                call.cancel()
        elif isinstance(frame, Interrupt):
            self._executor.interrupt()
        elif isinstance(frame, Goodbye):
            self._over("")

    def _hello(self, hello: Hello) -> None:
        """Say what this machine is, or why it does not serve."""
        if self._executor is not None:
            raise Broken("it said hello twice")
        if hello.session and not NAMES.fullmatch(hello.session):
            raise Broken(f"it named a session {hello.session!r:.80}")
        try:
            facts = self._facts(hello.root)
            self._say(facts)
        except (AsimiError, OSError, ValueError) as error:
            self._over(fault_of(error))
            return
        self._wire.agree(min(max(hello.silence, SILENCES[0]), SILENCES[1]))
        self._root, self._looks = facts.root, dict(looks(self._parts.places, facts.root))
        self._executor = self._parts.executor(
            session=hello.session, refused=self._refused, begun=self._parts.keeper.begin
        )

    def _facts(self, wanted: str) -> Facts:
        """What this machine says of itself.

        Raises:
            AsimiError: the root is none, or the administrator's file cannot be read.
        """
        places, environ = self._parts.places, dict(inherited_environment())
        root = real_path(os.path.join(os.getcwd(), os.path.expanduser(wanted)) if wanted else os.getcwd())
        below = self._parts.below
        if below and wanted == "":
            root = below
        if not os.path.isdir(root):
            raise AsimiError(f"the project root {wanted!r} is not a directory there; set `root` of the host")
        if below and not f"{root}/".startswith(below.rstrip("/") + "/"):
            raise AsimiError(f"the project root {root} is not below {below}, and asimi there serves nothing else")
        return Facts(
            version=self._parts.version,
            protocol=PROTOCOL,
            capabilities=("sandbox", "exec_rules")[: 1 + is_installed("exec_rules")] if sys.platform == "linux" else (),
            user=user_name(),
            name=platform.node(),
            home=places.home,
            root=root,
            environ=environ,
            shell=find_shell(environ, root),
            places=places,
            managed=self._parts.managed(),
        )

    def _answer(self, ask: Ask) -> None:
        """Answer some questions; in a thread, for a file system may hang."""
        values, faults = list[Any](), list[str | None]()
        for asked in ask.questions:
            try:
                values.append(plain(answered(self._looks, asked)))
                faults.append(None)
            except (AsimiError, OSError, ValueError) as error:
                values.append(None)
                faults.append(fault_of(error))
        frame = Answers(ask.number, tuple(values), tuple(faults))
        self._loop.call_soon_threadsafe(self._answered, frame)

    def _answered(self, frame: Answers) -> None:
        try:
            self._say(frame)
        except ValueError as error:
            self._say(frame._replace(values=(None,) * len(frame.values), faults=(str(error),) * len(frame.faults)))

    def _refused(self, id: str, refused: RefusedExecution) -> None:  # noqa: A002 - the id of a call, as everywhere
        """An execution beneath a call was refused."""
        for number, call in self._calls.items():
            if call.id == id:
                self._say(Denied(number, refused))

    def _start(self, start: Start) -> None:
        """Run a call, unless it was ever seen before."""
        if start.number <= self._last:
            raise Broken(f"it started call {start.number} after call {self._last}")
        if not NAMES.fullmatch(start.execution.id):
            raise Broken(f"it named a call {start.execution.id!r:.80}")
        self._last = start.number
        self._calls[start.number] = _Call(start, self._wire)
        self._waiting.append(start.number)
        if len(self._waiting) == 1:
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        """Begin the call that waits longest: one at a time, for each takes a moment, and between them others speak."""
        if self._done.done():
            return
        call = self._calls[self._waiting.popleft()]
        call.task = self._loop.create_task(self._run(call))
        if self._waiting:
            self._loop.call_soon(self._next)

    def _end(self, ended: Ended) -> None:
        del self._calls[ended.number]
        self._say(ended)

    async def _run(self, call: _Call) -> None:
        """Run a call and say what came of it."""
        start, number = call.start, call.start.number
        call.begun = True
        if call.dropped:
            self._end(Ended(number, None))
            return
        try:
            result = await self._result(call)
            told = (await self._text(call, result, "stdout"), await self._text(call, result, "stderr"))
            bare = {name: getattr(result, name)._replace(text="") for name in STREAMS}
            ended = Ended(number, result._replace(**bare), told)
            if not result.background:
                self._parts.keeper.end(start.execution.id)
        except asyncio.CancelledError:
            ended = Ended(number, None)
        self._end(ended)

    async def _result(self, call: _Call) -> Result:
        """What came of a call.

        Raises:
            asyncio.CancelledError: it was cancelled.
        """
        assert self._executor is not None  # there was a hello
        execution = call.start.execution
        try:
            if why := self._against(execution):
                return Result(failure=Failure("setup", why))
            listener = call.heard if call.start.listening else None
            return await self._executor.run(
                execution._replace(environment=self._environment(call.start.wish)), listener
            )
        except (AsimiError, OSError) as error:
            return Result(failure=Failure("other", f"Not started: {fault_of(error)}"))

    def _environment(self, wish: Environment) -> dict[str, str]:
        """The whole environment of a command."""
        own = inherited_environment()
        if self._prepared[:2] != (own, wish):
            self._prepared = own, wish, command_environment(own, wish)
        return self._prepared[2]

    def _against(self, execution: Execution) -> str:
        """Why it is not run after all, in words; empty where it is.

        Raises:
            AsimiError: the administrator's file cannot be read.
        """
        place = execution.request.place
        if place.root != self._root or place.path != execution.directory:
            return f"Not started: it was judged for {place.root}, and this link is for {self._root}"
        managed = self._parts.managed()
        request = execution.request._replace(place=place._replace(host=""))  # the name of this machine elsewhere
        return self._parts.forbidden(managed, request) if managed else ""

    async def _text(self, call: _Call, result: Result, name: StreamName) -> bool:
        """Send the text of a stream, unless all of it was sent as it came; whether that is so."""
        stream = getattr(result, name)
        if call.sent(name) == stream.size and stream.file is None:
            return True
        data = memoryview(stream.text.encode())
        for at in range(0, len(data), PIECE):
            await self._wire.room()
            self._say(Text(call.start.number, name, bytes(data[at : at + PIECE])))
        return False


class _Call:
    """A call that runs here, and how much of its output may be sent.

    Args:
        start: what was asked for.
        wire: where it is sent.
    """

    def __init__(self, start: Start, wire: Wire) -> None:
        self.start, self.id = start, start.execution.id
        self.task: asyncio.Task[None] | None = None
        self.begun = self.dropped = False  # whether its task has begun; whether it was cancelled before that
        self._wire, self._loop = wire, asyncio.get_running_loop()
        self._left: dict[str, int] = dict.fromkeys(STREAMS, WINDOW)
        self._sent: dict[str, int] = dict.fromkeys(STREAMS, 0)
        self._until: dict[str, asyncio.Future[bool]] = {}
        self._enough: set[str] = set()
        self._clearing: asyncio.Task[None] | None = None

    def cancel(self) -> None:
        """End it; nobody waits for its result. A task that is cancelled before its first step would end in silence."""
        if self.task is not None and self.begun:
            self.task.cancel()
        self.dropped = True

    def sent(self, name: str) -> int:
        """How many bytes of a stream were sent as they came."""
        return self._sent[name]

    def heard(self, name: str, data: bytes) -> asyncio.Future[bool] | None:
        """Send some output; what must be waited for before more is read, if anything."""
        if name not in self._enough:
            self._sent[name] += len(data)
            self._left[name] -= len(data)
            for at in range(0, len(data), PIECE):
                self._wire.send(Output(self.start.number, cast("StreamName", name), data[at : at + PIECE]))
        if self._may(name):
            return None
        if name not in self._until or self._until[name].done():
            self._until[name] = self._loop.create_future()
            if name in self._enough:
                self._until[name].set_result(False)
        if self._wire.full and (self._clearing is None or self._clearing.done()):
            self._clearing = self._loop.create_task(self._clear())
        return self._until[name]

    def give(self, name: str, size: int | None) -> None:
        """So many more bytes may be sent; None: nobody wants the rest."""
        if size is None:
            self._enough.add(name)
        else:
            self._left[name] += size
        self._go_on()

    def let_go(self) -> None:
        """The near end is lost: nothing waits for it."""
        self._left = dict.fromkeys(STREAMS, 1 << 62)
        self._go_on()

    def _may(self, name: str) -> bool:
        return self._left[name] > 0 and name not in self._enough and not self._wire.full

    async def _clear(self) -> None:
        await self._wire.room()
        self._go_on()

    def _go_on(self) -> None:
        for name, until in self._until.items():
            if not until.done() and (name in self._enough or self._may(name)):
                until.set_result(name not in self._enough)
