"""A link to a host: one connection, shared by all calls of a process, made again where it was lost.

Its work is done by a thread with an event loop of its own, so questions can be asked from any thread and calls run from
any loop. A connection that is made again must lead to what was there before: whatever was judged, was judged for that.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from asimi.core.errors import HostError
from asimi.world.executors.remote.faults import host_error
from asimi.world.executors.remote.frames import SILENCE, Facts, Interrupt
from asimi.world.executors.remote.near import Connection

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from asimi.core.settings import Host
    from asimi.world.executors.remote.calls import RemoteCall
    from asimi.world.executors.remote.questions import Asked

__all__ = ["Facts", "HostError", "Link", "connect"]

CLOSING = 8.0
"""Seconds that an orderly end may take."""


class Link:
    """The way to a host.

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
            self.facts = self._wait(self._connected())
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

    def _wait(self, work: Coroutine[Any, Any, Facts]) -> Facts:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

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
            if self._connection is not None and not self._connection.over:
                return self.facts
            connection = Connection(self.host, self._session, self._silence)
            facts = await connection.open()
            before = getattr(self, "facts", facts)
            if changed := [name for name in Facts._fields if name not in _MAY_CHANGE and _differs(facts, before, name)]:
                await connection.close()
                what = f"is not what it was: its {', '.join(changed)} changed since it was lost"
                raise host_error(self.host, what, todo="end this session and begin a new one")
            self._connection, self.facts = connection, facts
            return facts

    def _ask(self, questions: Sequence[Asked], answer: Future[list[Any]]) -> None:
        connection = self._connection
        if connection is not None and not connection.over:
            connection.ask(questions, answer)
            return

        def asked(connection: Connection | HostError) -> None:
            if not isinstance(connection, HostError):
                connection.ask(questions, answer)
            elif not answer.cancelled():
                answer.set_exception(connection)

        self._when_connected(asked)

    def _start(self, call: RemoteCall) -> None:
        connection = self._connection
        if connection is not None and not connection.over:
            connection.start(call)
            return

        def started(connection: Connection | HostError) -> None:
            if isinstance(connection, HostError):
                call.fail("setup", f"Not started: {connection}")
            else:
                connection.start(call)

        self._when_connected(started)

    def _when_connected(self, then: Callable[[Connection | HostError], object]) -> None:
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


def _differs(facts: Facts, before: Facts, name: str) -> bool:
    return bool(getattr(facts, name) != getattr(before, name))


def connect(host: Host, session: str = "", silence: float = SILENCE) -> Link:
    """A link to a host, that is reached now.

    Raises:
        HostError: it cannot be used.
    """
    return Link(host, session, silence)
