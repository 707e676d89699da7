"""One call while it runs.

::

    start ──> the main process ends ──────────────────> settle: who is left? ──> hand over ──> result
          └─> a limit, an interrupt, a cancellation ──> end the tree ─────────────────────────> result

The end of the main process ends the call, never the end of its pipes, which a background process may hold for days.
Reading goes on in the event loop until the result is made, also while the tree is being ended.
"""

from __future__ import annotations

import array
import asyncio
import contextlib
import os
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from asimi.call import Result
from asimi.errors import AsimiError
from asimi.executors.drainer import hand_over
from asimi.executors.output import Capture
from asimi.executors.processes import DIRECT, ending, send, token_of
from asimi.executors.spawning import encoded, failure_of, start
from asimi.nested import TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.call import Execution
    from asimi.executors.files import Files
    from asimi.executors.jobs import Register
    from asimi.executors.processes import Mark, Witness

SHORT = 0.003
"""Seconds in which a call is short: nothing is read, for the kernel holds a pipe's worth, and nothing written down."""
PIPE = 1 << 16
"""Bytes of a pipe as the kernel makes it, and of a read of it."""
LARGE = 1 << 18
"""Bytes after which a stream gets a larger pipe, and of a read of it. Not before: a user has only so many pages."""
WIDE = 1 << 20
"""Bytes of a larger pipe."""
SETTLE = (0.002, 0.004, 0.008, 0.016)
"""Seconds between looks at what is left after the main process, so that what is just ending is not listed."""
ENOUGH = WIDE // PIPE + 1
"""Reads that empty any pipe."""
CAPTURED = 1 << 20
"""Bytes of each stream that begin the log of a job."""


class Started(Protocol):
    """Hears of a main process."""

    def __call__(self, pid: int, *, lasting: bool) -> None:
        """It has started, or it has run for a while."""


class Call:
    """One execution, from its start to its result.

    Args:
        execution: what to run.
        witness: tells which processes are its.
        files: where long outputs go.
        register: where it is written down that it runs, and what it leaves.
        listener: hears the output as it comes.
        started: is told the main process as soon as there is one, and again if it lasts.
    """

    def __init__(
        self,
        execution: Execution,
        witness: Witness,
        files: Files,
        register: Register,
        listener: Callable[[str, bytes], None] | None,
        started: Started,
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.stopped = ""  # why its tree is ended: `timeout`, `interrupt`, `cancel`, `listener`
        self._execution, self._witness, self._files, self._register = execution, witness, files, register
        self._mark: Mark = witness.begin(execution.id)
        self._streams = tuple(
            _Reader(name, Capture(execution.limits, lambda name=name: files.create(execution.id, name)), listener, self)  # type: ignore[misc]
            for name in ("stdout", "stderr")
        )
        self._started, self._listening, self._lasting = started, listener is not None, False
        self._ending: asyncio.Task[None] | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._error: BaseException | None = None
        self.heard = 0.0  # when output came last, in the loop's time; kept where there is an idle limit

    async def run(self) -> Result:
        """Run it to its end.

        Raises:
            asyncio.CancelledError: the task was cancelled; its tree is ended.
            Exception: what the listener raised; its tree is ended.
        """
        began = perf_counter()
        try:
            try:
                process = await self._start()
            except (OSError, ValueError, AsimiError) as error:
                return Result(failure=failure_of(error, self._execution), seconds=perf_counter() - began)
            except asyncio.CancelledError:
                self.stopped = "cancel"
                await self._until_ended()  # it may have started
                raise
            self._started(process.pid, lasting=False)
            self._mark = self._witness.main(self._mark, process.pid)
            if self._listening:
                self._lasts()
            else:
                self._timers.append(self.loop.call_later(SHORT, self._lasts))
            self._watch_limits()
            code = await self._ends(process)
            for timer in self._timers:  # what was in time stays so
                timer.cancel()
            background, log = await self._left()
            for stream in self._streams:
                stream.close()
            if self.stopped == "cancel":
                for stream in self._streams:
                    stream.capture.discard()
                raise asyncio.CancelledError
            if self._error is not None:
                raise self._error
            stdout, stderr = (stream.capture.stream() for stream in self._streams)
            return Result(
                stdout,
                stderr,
                exit_code=code if code >= 0 else None,
                signal=-code if code < 0 else None,
                pid=process.pid,
                background=background,
                log=log,
                timed_out=self.stopped == "timeout",
                seconds=perf_counter() - began,
            )
        finally:
            for timer in self._timers:
                timer.cancel()
            for stream in self._streams:
                stream.close()
            if self._mark.main:
                DIRECT.discard(self._mark.main)
                if self._lasting:
                    self._register.end(self._execution.id)
            self._witness.end(self._mark)

    def stop(self, why: str) -> None:
        """End the tree; the result comes as usual. The first reason counts."""
        if not self.stopped:
            self.stopped = why
            if self._mark.main:
                self._ending = self.loop.create_task(self._ended())

    def failed(self, error: BaseException) -> None:
        """The listener cannot hear any more, so that nobody wants the rest."""
        self._error = self._error or error
        self.stop("listener")

    async def _start(self) -> asyncio.subprocess.Process:
        """Start the main process with our pipes; their writing ends are closed here whatever happens."""
        environment = encoded(self._execution.environment)
        inherited = self._execution.environment.get(TOKEN, "")
        environment[os.fsencode(TOKEN)] = os.fsencode(token_of(self._execution.id, inherited))
        writers: list[int] = []
        try:
            for stream in self._streams:
                stream.descriptor, writer = os.pipe()
                writers.append(writer)
                os.set_blocking(stream.descriptor, False)
            process = await start(self._execution, self._witness, self._mark, environment, *writers)
        finally:
            for writer in writers:
                os.close(writer)
        return process

    def _lasts(self) -> None:
        """It takes longer than most, or somebody listens: read as it comes, and write down that it runs."""
        if self._lasting:
            return
        self._lasting = True
        self._started(self._mark.main, lasting=True)
        for stream in self._streams:
            stream.open()
        self._register.begin(self._execution, self._mark)

    def _watch_limits(self) -> None:
        limits = self._execution.limits
        if limits.timeout is not None:
            self._timers.append(self.loop.call_later(limits.timeout, self.stop, "timeout"))
        if limits.idle_timeout is not None:
            self.heard = self.loop.time()
            self._timers.append(self.loop.call_later(limits.idle_timeout, self._idle, limits.idle_timeout))

    def _idle(self, limit: float) -> None:
        """Look whether there was silence for so long; else look again when there could have been."""
        until = self.heard + limit
        if until <= self.loop.time():
            self.stop("timeout")
        else:
            self._timers[-1] = self.loop.call_at(until, self._idle, limit)

    async def _ends(self, process: asyncio.subprocess.Process) -> int:
        """Wait for the main process, and for the end of its tree if that was begun; its exit code, -n for a signal."""
        if self.stopped and self._ending is None:  # while it was being started
            self._ending = self.loop.create_task(self._ended())
        while True:
            try:
                code = await process.wait()
                break
            except asyncio.CancelledError:
                self._cancelled()
        if self._ending is not None:
            await self._until_ended()
        return code

    async def _until_ended(self) -> None:
        """Wait for the end of the tree, however often the task is cancelled meanwhile."""
        task = self._ending = self._ending or self.loop.create_task(self._ended())
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError:
                self._cancelled()

    def _cancelled(self) -> None:
        """The task was cancelled: the tree ends, and there will be no result, whatever it ends for."""
        self.stop("cancel")
        self.stopped = "cancel"

    async def _ended(self) -> None:
        """End the tree. If it cannot be ended as a whole, at least the main process is."""
        for pause in ending(lambda: self._witness.alive(self._mark, thorough=True), self._mark.main):
            await asyncio.sleep(pause)
        if self._mark.main:
            send(self._mark.main, 9)

    async def _left(self) -> tuple[tuple[int, ...], str | None]:
        """What the main process left running, and the log of what it will write; settles and hands over."""
        if not self._witness.left(self._mark, self._held):
            for stream in self._streams:
                stream.end()
            return (), None
        self._held()
        alive = self._witness.alive(self._mark)
        for pause in SETTLE:
            if not alive:
                break
            await self._pause(pause)
            if self._ending is not None:  # told to end meanwhile
                await self._until_ended()
            self._witness.reap()
            alive = self._witness.alive(self._mark)
        if alive:
            self._witness.known(alive)
        self._held()
        if not alive:
            self._register.reap(self.loop)
            return (), None
        self._lasts()
        log = self._handed_over() if not self.stopped else None
        background = tuple(sorted(alive))
        self._register.leave(self._execution, background, log)
        self._register.reap(self.loop)
        return background, log

    def _held(self) -> bool:
        """Whether someone still holds a pipe, once what is in them is read."""
        for stream in self._streams:
            stream.rest()
        return any(stream.descriptor >= 0 for stream in self._streams)

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self._cancelled()
            await self._until_ended()

    def _handed_over(self) -> str | None:
        """Give pipes that are still open to drainers; the log, or None where all are closed."""
        pipes = [stream for stream in self._streams if stream.descriptor >= 0]
        if not pipes:
            return None
        path, log = self._log()
        try:
            if path is not None:
                for stream in self._streams:
                    _write(log, stream.capture.so_far(CAPTURED))
            for stream in pipes:
                stream.leave()
                hand_over(stream.descriptor, log, self._execution.limits.spill_bytes, self.loop)
        finally:
            os.close(log)
        return path

    def _log(self) -> tuple[str | None, int]:
        """Where drainers write to; nowhere, if there is no room for a log, for that must not kill a writer."""
        try:
            return self._files.create(self._execution.id, "log", os.O_WRONLY | os.O_APPEND)
        except (OSError, AsimiError):
            return None, os.open(os.devnull, os.O_WRONLY)


class _Reader:
    """Reads one pipe into its capture."""

    def __init__(
        self, name: str, capture: Capture, listener: Callable[[str, bytes], None] | None, call: Call
    ) -> None:
        self.name, self.capture, self.descriptor = name, capture, -1
        self._listener, self._call, self._most, self._watched = listener, call, PIPE, False

    def open(self) -> None:
        """Begin to read, unless that is over already."""
        if self.descriptor >= 0:
            self._call.loop.add_reader(self.descriptor, self.read)
            self._watched = True

    def leave(self) -> None:
        """Read no more, but keep the pipe."""
        if self._watched:
            self._call.loop.remove_reader(self.descriptor)
            self._watched = False

    def close(self) -> None:
        """Read no more."""
        self.leave()
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def read(self) -> int:
        """Read once; how many bytes came."""
        try:
            data = os.read(self.descriptor, self._most)
        except BlockingIOError:
            return 0
        if not data:
            self.close()
            return 0
        self.capture.add(data)
        if self._call.heard:
            self._call.heard = self._call.loop.time()
        if self._most == PIPE and self.capture.size >= LARGE:
            self._most = LARGE
            _widen(self.descriptor)
        if self._listener is not None:
            try:
                self._listener(self.name, data)
            except Exception as error:  # noqa: BLE001 - it is raised again once the tree is ended
                self._listener = None
                self._call.failed(error)
        return len(data)

    def end(self) -> None:
        """Read to the end, which is there: nobody is left who could write. Bounded, in case somebody is."""
        for _ in range(ENOUGH):
            if self.descriptor < 0 or not self.read():
                return

    def rest(self) -> None:
        """Read what is in the pipe now, and whether it has ended; not what a background process writes meanwhile."""
        if self.descriptor < 0:
            return
        left = _waiting(self.descriptor)
        while self.descriptor >= 0 and (came := self.read()) and (left := left - came) >= 0:
            pass


def _waiting(descriptor: int) -> int:
    """How many bytes a pipe holds."""
    import fcntl
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


def _widen(descriptor: int) -> None:
    import fcntl

    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, WIDE)


def _write(descriptor: int, data: bytes) -> None:
    with contextlib.suppress(OSError):  # no room: the result has it
        while data:
            data = data[os.write(descriptor, data) :]
