"""Runs commands on a host: each call stands between the loop of its link and the loop of whoever waits for it."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from asimi.core.call import Failure, Result
from asimi.core.settings import Environment
from asimi.extras.hosts.frames import STREAMS, WINDOW, Broken, Cancel, Credit, Ended, Enough, Start
from asimi.world.executors.processes import cancellation_to_raise

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.call import Execution, RefusedExecution
    from asimi.core.interfaces import Listener
    from asimi.core.kinds import Fault
    from asimi.extras.hosts.frames import Frame, StreamName
    from asimi.extras.hosts.link import Link

OVER = 4 * WINDOW
"""Bytes of a stream that may come without credit: what was in the pipes at the end of a command comes, too."""


class RemoteCall:
    """What is known here of a call there.

    What the link tells (`begin` to `lose`) is told in its loop, the listener hears in the loop this was made in.

    Args:
        execution: what was consented to.
        wish: what its environment differs in from the host's own.
        listener: hears its output.
        refused: is told its id, and of an execution beneath it that was refused.
    """

    def __init__(
        self,
        execution: Execution,
        wish: Environment,
        listener: Listener | None,
        refused: Callable[[str, RefusedExecution], object],
    ) -> None:
        self.id = execution.id
        self._execution, self._wish, self._listener, self._refused = execution, wish, listener, refused
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[Result | None] = self._loop.create_future()
        self._number = 0
        self._send: Callable[[Frame], object] = lambda _: None
        self._link: asyncio.AbstractEventLoop | None = None
        self._stopped = False
        self._error: BaseException | None = None
        self._open = dict.fromkeys(STREAMS, 0)  # bytes that came and that no credit was given for
        self._taken = dict.fromkeys(STREAMS, 0)  # of these, what the listener has taken
        self._live: dict[str, bytearray | None] = {name: bytearray() for name in STREAMS}  # None: more than is kept
        self._texts: dict[str, bytearray] = {name: bytearray() for name in STREAMS}
        self._queues: dict[str, deque[bytes]] = {name: deque() for name in STREAMS}
        self._slow: set[str] = set()  # streams whose listener wants no more yet

    async def result(self) -> Result:
        """What came of it.

        Raises:
            asyncio.CancelledError: the task was cancelled; it has ended there, or is lost.
            Exception: what the listener raised; likewise.
        """
        cancelled: asyncio.CancelledError | None = None
        while not self._done.done():
            try:
                await asyncio.wait({self._done})
            except asyncio.CancelledError as error:
                cancelled = cancellation_to_raise(cancelled, error)
                self._stop()
        result = self._done.result()
        if cancelled is not None:
            raise cancelled
        if self._error is not None:
            raise self._error
        if result is None:
            raise asyncio.CancelledError
        return result

    def begin(self, number: int, send: Callable[[Frame], object]) -> Start:
        """What starts it, as the call of a number on a connection."""
        self._number, self._send, self._link = number, send, asyncio.get_running_loop()
        if self._stopped:
            self._link.call_soon(send, Cancel(number))
        return Start(number, self._execution._replace(environment={}), self._wish, self._listener is not None)

    def heard(self, name: StreamName, data: bytes) -> None:
        """Output came.

        Raises:
            Broken: nobody listens, or more came than was let.
        """
        self._open[name] += len(data)
        if self._listener is None or self._open[name] > OVER:
            raise Broken(f"it sent output of call {self._number} that nobody asked for")
        live = self._live[name]
        if live is not None:
            live += data
            if len(live) > self._execution.limits.output_bytes:
                self._live[name] = None
        self._tell(self._listen, name, data)

    def text(self, name: StreamName, data: bytes) -> None:
        """Some of the text of its result came.

        Raises:
            Broken: more came than there can be.
        """
        self._texts[name] += data
        if len(self._texts[name]) > 3 * self._execution.limits.output_bytes + OVER:  # U+FFFD takes three
            raise Broken(f"it sent more text of call {self._number} than there can be")

    def denied(self, refused: RefusedExecution) -> None:
        """An execution beneath it was refused."""
        self._tell(self._refused, self.id, refused)

    def ended(self, frame: Ended) -> None:
        """It has ended.

        Raises:
            Broken: it was not cancelled and has no result, or its texts did not come.
        """
        if frame.result is None:
            if not self._stopped:
                self.lose("it cancelled a call by itself")
                raise Broken(f"it cancelled call {self._number} by itself")
            self._tell(self._finish, None)
            return
        host, texts = self._execution.request.place.host, {}
        for name, told in zip(STREAMS, frame.told, strict=True):
            stream = getattr(frame.result, name)
            data = self._live[name] if told else self._texts[name]
            if data is None or (told and len(data) != stream.size):
                self.lose("its output did not come whole")
                raise Broken(f"it did not send all output of call {self._number}")
            texts[name] = stream._replace(text=data.decode("utf-8", "replace"))
        self._tell(self._finish, frame.result._replace(**texts, host=host))

    def fail(self, kind: Fault, message: str) -> None:
        """It was not started."""
        self._tell(self._finish, Result(failure=Failure(kind, message)))

    def lose(self, why: str) -> None:
        """The connection is lost while it runs."""
        so_far = {
            name: getattr(Result(), name)._replace(text=live.decode("utf-8", "replace"), size=len(live))
            for name in STREAMS
            if (live := self._live[name])
        }
        host = self._execution.request.place.host
        message = f"The connection to {host} was lost: {why}. What it did is not known; it was not run again"
        self._tell(self._finish, Result(**so_far, failure=Failure("lost", message), host=host))

    def _tell(self, what: Callable[..., object], *arguments: Any) -> None:
        """Have something done in the loop of whoever waits; if that is gone, nobody does."""
        try:
            self._loop.call_soon_threadsafe(what, *arguments)
        except RuntimeError:
            if not self._stopped:
                self._stopped = True
                self._send(Cancel(self._number))

    def _say(self, frame: Frame) -> None:
        if self._link is not None:
            with suppress(RuntimeError):  # the link is closed
                self._link.call_soon_threadsafe(self._send, frame)

    def _stop(self) -> None:
        """End it there; nobody waits for its result."""
        if not self._stopped:
            self._stopped = True
            if self._number:
                self._say(Cancel(self._number))

    def _listen(self, name: StreamName, data: bytes) -> None:
        self._queues[name].append(data)
        if name not in self._slow:
            self._go_on(name)

    def _go_on(self, name: StreamName) -> None:
        """Tell the listener what waits, until it wants no more yet."""
        queue = self._queues[name]
        while queue and self._listener is not None and not self._done.done():
            data = queue.popleft()
            try:
                until = self._listener(name, data)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # noqa: BLE001 - it is raised again once the tree is ended
                self._listener, self._error = None, error
                self._stop()
                return
            if asyncio.isfuture(until):
                self._slow.add(name)
                until.add_done_callback(partial(self._wanted, name, len(data)))
                return
            self._give(name, len(data))

    def _wanted(self, name: StreamName, size: int, done: asyncio.Future[bool]) -> None:
        """The listener wants more, or no more."""
        self._slow.discard(name)
        if done.cancelled() or done.exception() is not None:
            self._listener, self._error = (
                None,
                (None if done.cancelled() else done.exception()) or asyncio.CancelledError(),
            )
            self._stop()
        elif not done.result():
            self._queues[name].clear()
            self._say(Enough(self._number, name))
        else:
            self._give(name, size)
            self._go_on(name)

    def _give(self, name: StreamName, size: int) -> None:
        if self._link is not None:
            with suppress(RuntimeError):
                self._link.call_soon_threadsafe(self._credit, name, size)

    def _credit(self, name: StreamName, size: int) -> None:
        """So much of a stream was taken; said in pieces that are worth a frame. In the link's loop."""
        self._taken[name] += size
        if self._taken[name] >= WINDOW // 4:
            self._open[name] -= self._taken[name]
            self._send(Credit(self._number, name, self._taken[name]))
            self._taken[name] = 0

    def _finish(self, result: Result | None) -> None:
        """It is over; what still waits for the listener is told first, and nobody waits for that."""
        if self._done.done():
            return
        for name in STREAMS:
            queue = self._queues[name]
            while queue and self._listener is not None and self._error is None:
                try:
                    self._listener(name, queue.popleft())
                except BaseException as error:  # noqa: BLE001 - it is raised again by `result`
                    self._error = error
        self._done.set_result(result)


class RemoteExecutor:
    """Runs commands at the far end of a link.

    Usable from any thread and event loop. The files and processes that a result names are the host's.

    Args:
        link: the way there.
        wish: what the environment of a command differs in from the host's own; of this machine's no variable is sent.
        refused: is told the id of a call, and of an execution beneath it that was refused; in the call's loop.
    """

    def __init__(
        self,
        link: Link,
        wish: Callable[[], Environment] = Environment,
        refused: Callable[[str, RefusedExecution], object] = lambda _id, _refused: None,
    ) -> None:
        self._link, self._wish, self._refused = link, wish, refused

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """Run it to its end; a failure to start, and a lost connection, is in the result.

        Args:
            execution: what to run; its environment is made by the host, of its own and the wish.
            listener: hears the output as it comes, see `core.interfaces.Executor`.

        Raises:
            asyncio.CancelledError: the task was cancelled; its tree is ended, or the connection is lost.
        """
        call = RemoteCall(execution, self._wish(), listener, self._refused)
        self._link.start(call)
        return await call.result()

    def interrupt(self) -> None:
        """End the trees of all that runs there; their results come as usual. May be called from a signal handler."""
        self._link.interrupt()
