"""How a door runs calls: one event loop, and what a signal to asimi does.

SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end asimi in the middle of a call: the trees of processes that run are
ended, whoever is being asked is no longer waited for, every call gets its answer, and then asimi ends with 128+n. A
signal that was ignored when asimi was started stays ignored, as `nohup` wants it. What is said meanwhile, a command's
output or an answer, is written at the pace of whoever reads it, and stops nothing else.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations
import asyncio
import gc
import os
from contextlib import suppress
from errno import EBADF
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from asimi.core.call import Approval, Failure, Result
from asimi.core.errors import AsimiError
from asimi.world.host.terminal import is_asked, say, writable, write_piece

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from contextlib import AbstractAsyncContextManager
    from typing import Any

    from asimi.core.call import Execution, Question
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Approver, Executor, Listener

T = TypeVar("T")

ENDING = "asimi is shutting down"
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))
DESCRIPTORS = {"stdout": 1, "stderr": 2}
CHUNK = 1 << 16  # bytes that are read at once, and so may have been read when asimi begins to shut down
LAST_WAIT = 5.0  # seconds that a reader may take nothing once asimi was told to end
ASKING = 0.05  # seconds between two looks whether a person is still asked


class Stop:
    """Whether asimi was told to end, and by which signal."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._loop = asyncio.get_running_loop()
        self._told = False
        self._waiting: set[Callable[[], None]] = set()

    def __bool__(self) -> bool:
        return self._told or self.signal is not None

    def tell(self, number: int | None = None) -> None:
        """End; callable from a signal handler."""
        self.signal = self.signal or number
        self._loop.call_soon_threadsafe(self._end)

    async def wait(self) -> None:
        """Return once asimi was told to end."""
        await self.before(self._loop.create_future())

    async def before(self, awaited: asyncio.Future[Any]) -> bool:
        """Wait for something, or until asimi was told to end; whether it came first. It is never cancelled."""
        if not self._told and not awaited.done():
            over = self._loop.create_future()

            def wake(_: object = None) -> None:
                if not over.done():
                    over.set_result(None)

            awaited.add_done_callback(wake)
            self._waiting.add(wake)
            try:
                await over
            finally:
                awaited.remove_done_callback(wake)
                self._waiting.discard(wake)
        return awaited.done()

    async def wait_for(self, awaited: asyncio.Future[Any]) -> Any:
        """Wait for what nobody else waits for; None where asimi was told to end before it came."""
        wake = partial(_once, awaited, None)
        if not self._told:
            self._waiting.add(wake)
            try:
                await awaited
            finally:
                self._waiting.discard(wake)
        return awaited.result() if awaited.done() else None

    def _end(self) -> None:
        self._told = True
        for wake in self._waiting:
            wake()


class StoppableApprover:
    """An approver whom nobody waits for once asimi is shutting down; the answer is no then."""

    def __init__(self, approver: Approver, stop: Stop) -> None:
        self._approver, self._stop = approver, stop

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """The approver's own; or none once asimi was told to end, because nobody is asked then."""
        from contextlib import asynccontextmanager

        return asynccontextmanager(self._turn)()

    async def _turn(self) -> AsyncIterator[bool | None]:
        turn = self._approver.turn()
        if (waited := await self._first(turn.__aenter__())) is None:
            yield None
            return
        try:
            yield waited[0]
        finally:
            await turn.__aexit__(None, None, None)

    async def ask(self, question: Question) -> Approval:
        """Return the approver's answer, or a no."""
        asked = await self._first(self._approver.ask(question))
        return Approval(yes=False, by="nobody", note=ENDING) if asked is None else asked[0]

    async def _first(self, waiting: Awaitable[T]) -> tuple[T] | None:
        """Return what is waited for, or None where asimi was told to end before it came."""
        task = asyncio.ensure_future(waiting)
        try:
            await self._stop.before(task)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait((task,))
        return None if task.cancelled() else (task.result(),)


class StoppableExecutor:
    """An executor that starts nothing once asimi was told to end."""

    def __init__(self, executor: Executor, stop: Stop) -> None:
        self._executor, self._stop = executor, stop

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """Return the executor's result; or that it was not started."""
        if self._stop:
            return Result(failure=Failure("other", f"Not started: {ENDING}"))
        return await self._executor.run(execution, listener)

    def interrupt(self) -> None:
        """The executor's own."""
        self._executor.interrupt()


def stoppable(gate: Gate, stop: Stop) -> Gate:
    """Return a gate of the same parts that asks nobody and starts nothing once asimi was told to end."""
    return gate.with_(approver=StoppableApprover(gate.approver, stop), executor=StoppableExecutor(gate.executor, stop))


async def finish_calls(work: Awaitable[T], gate: Gate, stop: Stop) -> T:
    """Return what comes of some calls; once asimi was told to end, what they run is ended until they are done."""
    task = asyncio.ensure_future(work)
    await stop.before(task)
    while not task.done():  # more than once: a process may be on its way between consent and start
        gate.executor.interrupt()
        await asyncio.wait((task,), timeout=0.1)
    return task.result()


async def until_told(work: Awaitable[T], stop: Stop) -> T | None:
    """Return what comes of some work; None where asimi was told to end first, and it was cancelled."""
    task = asyncio.ensure_future(work)
    await stop.before(task)
    task.cancel()
    await asyncio.wait((task,))
    return None if task.cancelled() else task.result()


def run(main: Callable[[Stop], Awaitable[int]]) -> int:
    """Run a door's calls in an event loop of their own, in this thread.

    Args:
        main: is given what tells it to end, and returns an exit code.

    Returns:
        That exit code, or 128+n after signal n.
    """
    gc.freeze()  # what was imported stays; the command line did not collect while it was
    gc.enable()
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(_run(main))
    finally:
        loop.run_until_complete(_finish(loop))
        loop.close()


async def _finish(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel what still goes on in a loop, and wait for its end, as `asyncio.run` does."""
    left = asyncio.all_tasks(loop) - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left)
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()


async def _run(main: Callable[[Stop], Awaitable[int]]) -> int:
    stop = Stop()
    before = {}
    with suppress(ValueError):  # this is not the main thread, to which signals are left
        for number in SIGNALS:
            if signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, lambda number, _: stop.tell(number))
    try:
        code = await main(stop)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if stop.signal is None else 128 + stop.signal


async def chunks(source: int, stop: Stop) -> AsyncIterator[bytes]:
    """Yield the data from a descriptor, without changing its mode, until it or asimi ends.

    Raises:
        AsimiError: it cannot be read.
    """
    loop = asyncio.get_running_loop()
    waited: asyncio.Future[bytes | OSError | None] = loop.create_future()
    watched = False

    def came() -> None:
        nonlocal watched
        if waited.done():  # what came before is still being used
            watched = not loop.remove_reader(source)
        else:
            waited.set_result(_read(source))

    try:
        while not stop:
            waited = loop.create_future()
            try:
                if not watched:
                    loop.add_reader(source, came)
                    watched = True
            except PermissionError:  # a file or the null device, which epoll does not take: they never block
                waited.set_result(_read(source))
            except NotImplementedError:  # Windows, where a loop waits for nothing but pipes of its own
                from threading import Thread

                Thread(target=_read_beside, args=(source, waited), daemon=True).start()
            data = await stop.wait_for(waited)
            if not data or isinstance(data, ConnectionError):  # a socket whose other end is gone
                return
            if isinstance(data, OSError):
                raise AsimiError(f"Standard input cannot be read: {data.strerror}") from None
            yield data
    finally:
        if watched:
            loop.remove_reader(source)


def _read(source: int) -> bytes | OSError:
    """Read once; the fault where that fails."""
    try:
        return os.read(source, CHUNK)
    except OSError as error:
        return error


def _once(ready: asyncio.Future[T], value: T) -> None:
    if not ready.done():
        ready.set_result(value)


def _read_beside(source: int, waited: asyncio.Future[bytes | OSError | None]) -> None:
    """Read once, in a thread; what comes once asimi ends is dropped with its thread."""
    data = _read(source)
    with suppress(RuntimeError):  # the loop is closed
        waited.get_loop().call_soon_threadsafe(_once, waited, data)


async def send(descriptor: int, data: bytes, stop: Stop, patience: float = LAST_WAIT) -> OSError | None:
    """Write all of it while other calls go on; once asimi was told to end, a reader that takes nothing is left.

    Args:
        descriptor: where to.
        data: what to write.
        stop: tells whether asimi was told to end.
        patience: seconds that the reader may take nothing then.

    Returns:
        Why it was not all written: `BrokenPipeError` where the reader is gone, `InterruptedError` where it was left;
        None where it was.
    """
    view = memoryview(data)
    try:
        while view:
            while is_asked(descriptor):  # noqa: ASYNC110 - it would be written over the question; no event tells its end
                await asyncio.sleep(ASKING)
            if not writable(descriptor) and not await _wait_for_room(descriptor, stop, patience):
                return InterruptedError()
            view = view[write_piece(descriptor, view) :]
    except OSError as error:
        return error
    return None


async def _wait_for_room(descriptor: int, stop: Stop, patience: float) -> bool:
    """Whether a slow reader has made room; False where it took nothing for too long after asimi was told to end."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_writer(descriptor, _once, ready, None)
    try:
        if not await stop.before(ready):
            await asyncio.wait((ready,), timeout=patience)
        return ready.done()
    finally:
        loop.remove_writer(descriptor)


class Outlet:
    """Writes what a command says to our own standard streams, at the pace of whoever reads them.

    A listener: where a reader is slow, the command waits for it, but neither its limits nor a signal to asimi do. Where
    the reader is gone, the command finds that out as it would without asimi: it writes to a closed pipe. It does so too
    where the disk is full, which cannot be passed on: it must not go on for ever for nothing.

    Args:
        stop: once asimi was told to end, a reader that takes nothing is left.

    Attributes:
        lost: whether output could not be written for another reason, which is said at once.
    """

    def __init__(self, stop: Stop) -> None:
        self.lost = False
        self._over: set[str] = set()  # streams that are not written any more
        self._stop = stop
        self._waiting: dict[str, bytearray] = {}  # what a slow reader has not taken yet
        self._writing: dict[str, asyncio.Task[bool]] = {}

    def __call__(self, stream: str, data: bytes) -> Any:
        """Write some of a stream; a task that is to be waited for, if its reader is slow."""
        if stream in self._over:
            return None
        if stream not in self._writing:
            view = memoryview(data)
            try:
                while view and writable(DESCRIPTORS[stream]) and not is_asked(DESCRIPTORS[stream]):
                    view = view[write_piece(DESCRIPTORS[stream], view) :]
            except OSError as error:
                if self._ignores_loss(stream, error):
                    return None
                gone: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
                gone.set_result(False)
                return gone
            if not view:
                return None
            self._waiting[stream] = bytearray(view)
            self._writing[stream] = asyncio.ensure_future(self._write(stream))
        else:
            self._waiting[stream] += data
        return self._writing[stream]

    @property
    def whole(self) -> bool:
        """Whether nothing that came was lost on the way."""
        return not self._over

    async def close(self) -> None:
        """Return once all is written, or is lost."""
        while self._writing:
            await asyncio.wait(tuple(self._writing.values()))

    async def _write(self, stream: str) -> bool:
        """Write what waits; whether somebody reads it."""
        try:
            while data := bytes(self._waiting[stream]):
                self._waiting[stream].clear()
                fault = await send(DESCRIPTORS[stream], data, self._stop, 0.0)
                if fault is not None:
                    return self._ignores_loss(stream, fault)
        finally:
            del self._writing[stream]
        return True

    def _ignores_loss(self, stream: str, fault: OSError) -> bool:
        """Write a stream no more; whether the command goes on all the same, because it could never be written."""
        self._over.add(stream)
        if isinstance(fault, (BrokenPipeError, InterruptedError)):
            return isinstance(fault, InterruptedError)
        self.lost = True
        say(f"asimi: output was lost: it could not be written: {fault.strerror}")
        return fault.errno == EBADF
