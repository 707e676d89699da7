"""One call while it runs.

::

    record, start ──> the main process ends ──────────────────> settle: who is left? ──> hand over ──> result
                  └─> a limit, an interrupt, a cancellation ──> end the tree ─────────────────────────> result

The end of the main process ends the call, never the end of its pipes, which a background process may hold for days.
Reading goes on in the event loop until the result is made, also while the tree is being ended.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations
import asyncio
import os
import sys
from contextlib import nullcontext, suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from asimi.core.call import Result
from asimi.core.errors import AsimiError
from asimi.world.executors.output import Capture, hand_over
from asimi.world.executors.processes import DIRECT, cancellation_to_raise, end_processes, send
from asimi.world.executors.spawning import encode_environment, failure_of, is_other_name, start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from asimi.core.call import Execution
    from asimi.core.interfaces import Listener
    from asimi.world.executors.confining.bubblewrap import CommandBox
    from asimi.world.executors.confining.outlet import Outlet
    from asimi.world.executors.confining.sandbox import Confinement
    from asimi.world.executors.files import Files
    from asimi.world.executors.jobs import JobJournal
    from asimi.world.executors.processes import Mark, ProcessFinder
    from asimi.world.executors.spawning import Confining, LayOut, OpenFiles
    from asimi.world.executors.starting import Child

SHORT = 0.003
"""Seconds in which a call is short: nothing is read yet, the kernel holds a pipe's worth."""
PIPE = 1 << 16
"""Bytes of a pipe as the kernel makes it, and of a read of it."""
SMALL = 1 << 12
"""Bytes of a read where there is no memory for more."""
LARGE = 1 << 18
"""Bytes after which a stream gets a larger pipe, and of a read of it. Not before: a user has only so many pages."""
WIDE = 1 << 20
"""Bytes of a larger pipe."""
SETTLE = (0.002, 0.004, 0.008, 0.016)
"""Seconds between looks at what is left after the main process, so what is just ending is not listed."""
AT_ONCE = (0.0, 0.0, 0.001)
"""The same before these, where the first process of a sandbox ends in a moment if nobody else is left."""
DYING = 0.5
"""Seconds that the main process may take to go once it was killed."""
ENOUGH = WIDE // PIPE + 1
"""Reads that empty a pipe, unless the command has changed it."""
CAPTURED = 1 << 20
"""Bytes of each stream that begin the log of a job."""


class Call:
    """One execution, from its start to its result.

    Args:
        execution: what to run.
        finder: tells which processes are its.
        files: where long outputs go.
        journal: where it is written down that it runs, and what it leaves.
        listener: hears the output as it comes. It may return a future until which no more is read of that stream, so
            that a slow reader slows the command and nothing else; if its result is False, nobody wants the rest, and
            the command writes to a closed pipe.
        open_files: how many it may have.
        outlet: gives what leads out of a sandbox to names; None where nothing does.
    """

    def __init__(
        self,
        execution: Execution,
        finder: ProcessFinder,
        files: Files,
        journal: JobJournal,
        listener: Listener | None,
        open_files: OpenFiles,
        outlet: Callable[[Execution], Outlet] | None = None,
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.stopped = ""  # why its tree is ended: `bounds`, `timeout`, `interrupt`, `cancel`, `listener`
        self._execution, self._finder, self._files, self._journal = execution, finder, files, journal
        self._mark: Mark = finder.begin(execution.id)
        self._streams = tuple(
            _Reader(name, Capture(execution.limits, lambda name=name: files.create(execution.id, name)), listener, self)  # type: ignore[misc]
            for name in ("stdout", "stderr")
        )
        self._open_files, self._listening, self._outlet = open_files, listener is not None, outlet
        self._process: Child | None = None
        self._running: asyncio.Task[object] | None = None  # ourselves, while nothing but our main process is waited for
        self._ending: asyncio.Task[None] | None = None
        self._enforced: Any = None  # of an extra
        self._sandbox: Confinement | CommandBox | None = None
        self._looks: list[Callable[[], str]] = []  # what says why it must be ended now
        self._timers: list[asyncio.TimerHandle] = []
        self._error: BaseException | None = None
        self._cancellation: asyncio.CancelledError | None = None
        self.heard = 0.0  # when output came last, in the loop's time; kept where there is an idle limit

    async def run(self) -> Result:
        """Run it to its end.

        Raises:
            asyncio.CancelledError: the task was cancelled; its tree is ended.
            Exception: what the listener raised; its tree is ended.
        """
        began = perf_counter()
        try:
            self._journal.begin(self._execution, self._mark)
            try:
                process = self._start()
            except (OSError, ValueError, AsimiError) as error:
                if getattr(error, "filename", "") is None:  # it may have started, and cannot be waited for
                    await self._until_ended()
                if self._cancellation is not None:
                    raise self._cancellation from None
                return Result(failure=failure_of(error, self._execution), seconds=perf_counter() - began)
            self._process = process
            self._mark = self._finder.main(self._mark, process.pid)
            self._journal.record_start(self._mark)
            if self._sandbox is not None:
                self._sandbox.begin()
            if self._listening:
                self._read()
            else:
                self._timers.append(self.loop.call_later(SHORT, self._read))
            if self._looks:
                self._timers.append(self.loop.call_later(0, self._look, len(self._timers)))
            self._watch_limits()
            code = await self._ends(process)
            if self._sandbox is not None:
                self._streams[1].set_executed(was=self._sandbox.has_executed(code))
            for timer in self._timers:  # what was in time stays so
                timer.cancel()
            background, log = await self._hand_over()
            for stream in self._streams:
                stream.close()
            if self._cancellation is not None:
                for stream in self._streams:
                    stream.capture.discard()
                raise self._cancellation
            if self._error is not None:
                raise self._error
            return self._result(process.pid, code)._replace(
                background=background, log=log, seconds=perf_counter() - began
            )
        finally:
            self._let_go()

    def _result(self, pid: int, code: int | None) -> Result:
        """What was captured, and how the main process ended; a negative code is a signal, None is unknown.

        Where what was to hold it could not execute it, only that.
        """
        stdout, stderr = (stream.capture.stream() for stream in self._streams)
        fault = None if self._sandbox is None else self._sandbox.fault(stderr.text, self._execution.argv[0])
        if fault is not None:
            return Result(failure=failure_of(fault, self._execution))
        return Result(
            stdout,
            stderr,
            exit_code=code if code is not None and code >= 0 else None,
            signal=-code if code is not None and code < 0 else None,
            pid=pid,
            timed_out=self.stopped == "timeout",
            refused=() if self._enforced is None else tuple(self._enforced.refused),
        )

    def _let_go(self) -> None:
        """Give back what a call holds, however it ended."""
        for timer in self._timers:
            timer.cancel()
        for stream in self._streams:
            if stream.descriptor >= 0:
                stream.close()
        if self._enforced is not None:
            self._enforced.end()
        if self._process is not None and self._process.returncode is not None:
            DIRECT.discard(self._mark.main)
        if self._sandbox is not None:
            self._sandbox.end()
        self._journal.end(self._execution.id)
        self._finder.end(self._mark)

    def stop(self, why: str) -> None:
        """End the tree; the result comes as usual. The first reason counts."""
        if not self.stopped:
            self.stopped = why
            if self._mark.main:
                self._ending = self.loop.create_task(self._end_tree())

    def drop_listener(self, error: BaseException) -> None:
        """The listener cannot hear any more, so nobody wants the rest."""
        self._error = self._error or error
        self.stop("listener")

    def _start(self) -> Child:
        """Start the main process with our pipes; their writing ends are closed here whatever happens."""
        environment = encode_environment(self._execution.environment)
        for name, value in self._finder.variables(self._mark, self._execution.environment).items():
            environment[os.fsencode(name)] = os.fsencode(value)
        if is_other_name(self._execution.environment.get("PWD", ""), self._execution.directory):
            environment[b"PWD"] = os.fsencode(self._execution.directory)
        writers: list[int] = []
        marked = self._finder.mark_children(self._mark)
        if self._execution.sandbox.bounded:
            from asimi.world.executors.confining.mounts import limit_resources, tasks

            marked = limit_resources(marked, tasks())
        try:
            for stream in self._streams:
                stream.descriptor, writer = os.pipe()
                writers.append(writer)
                os.set_blocking(stream.descriptor, False)
            confining: AbstractContextManager[Confining] = nullcontext((None, ()))
            if self._execution.sandbox.mode != "off" or self._execution.enforced:
                from contextlib import contextmanager

                confining = contextmanager(self._confine)(environment)
            return start(self._execution, marked, self._open_files, environment, writers, confining)
        finally:
            for writer in writers:
                os.close(writer)

    def _confine(self, environment: dict[bytes, bytes]) -> Iterator[Confining]:
        """What holds it, set up when it starts: a sandbox, which has a `TMPDIR` of its own, and exec rules."""
        from contextlib import ExitStack

        execution = self._execution
        lay_out: LayOut | None = None
        steps: list[Callable[[], object]] = []
        with ExitStack() as stack:
            if execution.sandbox.mode != "off":
                from asimi.world.executors.confining.sandbox import confinement, private_caches

                temporary, root = self._files.temporary(), execution.request.place.root
                environment[b"TMPDIR"] = os.fsencode(temporary)
                environment.update(private_caches(execution.sandbox, environment, root, temporary))
                if execution.sandbox.repository:
                    from asimi.world.executors.confining.sandbox import only

                    environment.update(only(execution.sandbox.repository, environment))
                outlet = None
                if execution.sandbox.network == "named" and self._outlet is not None:
                    outlet = self._outlet(execution)
                    environment.update(encode_environment(outlet.variables))
                held = stack.enter_context(confinement(execution.sandbox, root, self._files.state, temporary, outlet))
                self._sandbox, lay_out, self._streams[1].other = held, held.laid_out, held.says
                steps += [held.confine] if held.confine is not None else []
                if execution.sandbox.bounded:
                    from asimi.world.executors.confining.mounts import Watch
                    from asimi.world.executors.confining.system import path_of

                    written = {path_of(each, root) for each in execution.sandbox.writable_directories} | {temporary}
                    self._looks.append(Watch(tuple(written), lambda: len(self._alive())).excess)
                if execution.sandbox.hidden or execution.sandbox.protected:
                    self._looks.append(held.lost_protection)
            if execution.enforced:
                from asimi.core.extras import load

                record = partial(self._journal.refused, execution.id)
                self._enforced = load("exec_rules", "enforcing").Enforced(execution, self._streams[1].say, record)
                steps.append(stack.enter_context(self._enforced).confine)
            yield lay_out, steps

    def _read(self) -> None:
        """It takes longer than most, or somebody listens: read as it comes."""
        for stream in self._streams:
            stream.open()

    def _watch_limits(self) -> None:
        limits = self._execution.limits
        if limits.timeout is not None:
            self._timers.append(self.loop.call_later(limits.timeout, self.stop, "timeout"))
        if limits.idle_timeout is not None:
            self.heard = self.loop.time()
            self._timers.append(self.loop.call_later(limits.idle_timeout, self._idle, limits.idle_timeout))

    def _idle(self, limit: float) -> None:
        """Look whether there was silence for so long; else look again when there could have been."""
        if any(stream.slowed for stream in self._streams):  # it may have much to say, but nobody hears it
            self.heard = self.loop.time()
        until = self.heard + limit
        if until <= self.loop.time():
            self.stop("timeout")
        else:
            self._timers[-1] = self.loop.call_at(until, self._idle, limit)

    def _look(self, at: int) -> None:
        """End it where it takes too much of this machine, or is held no longer; else look again.

        Args:
            at: the place of this timer.
        """
        from asimi.world.executors.confining.mounts import LOOK

        why = ""
        with suppress(OSError):  # no descriptor left: the next time
            why = next(filter(None, (look() for look in self._looks)), "")
        if why:
            if self._sandbox is not None and self._sandbox.first:
                send(self._sandbox.first, signal.SIGKILL)  # which ends all of them at once
            self._streams[1].say(f"asimi: ended, because {why}\n".encode())
            self.stop("bounds")
        else:
            self._timers[at] = self.loop.call_later(LOOK, self._look, at)

    async def _ends(self, process: Child) -> int | None:
        """Wait for the main process, and for the end of its tree if that was begun; its exit code, -n for a signal.

        None where it cannot be ended: it hangs in the kernel, or belongs to another user as what `sudo` starts.
        """
        self._running = asyncio.current_task()
        while self._running is not None:
            try:
                await process.wait()
                self._running = None
            except asyncio.CancelledError as error:
                if self._running is not None:
                    self._cancel(error)
        if self._ending is not None:
            await self._until_ended()
        return process.returncode

    async def _until_ended(self) -> None:
        """Wait for the end of the tree, however often the task is cancelled meanwhile."""
        task = self._ending = self._ending or self.loop.create_task(self._end_tree())
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError as error:
                self._cancel(error)

    def _cancel(self, error: asyncio.CancelledError) -> None:
        """The task was cancelled: the tree ends, and there will be no result, whatever it ends for."""
        self._cancellation = cancellation_to_raise(self._cancellation, error)
        self.stop("cancel")
        self.stopped = "cancel"

    async def _end_tree(self) -> None:
        """End the tree. If it cannot be ended as a whole, at least the main process is, and else is given up."""
        process = self._process
        main = self._mark.main if process is not None and process.returncode is None else 0  # its id may be another's
        for pause in end_processes(lambda: self._alive(thorough=True), main):
            await asyncio.sleep(pause)
        if process is None or process.returncode is not None:
            return
        send(process.pid, 9)
        until = self.loop.time() + DYING
        while process.returncode is None and self.loop.time() < until:  # noqa: ASYNC110 - whoever waits for it is ourselves
            await asyncio.sleep(0.01)
        if process.returncode is None and self._running is not None and self._alive():
            running, self._running = self._running, None
            running.cancel()  # wakes it; this is not a cancellation
            running.uncancel()

    def _alive(self, *, thorough: bool = False) -> set[int]:
        """Its processes; at least the main one where there is no descriptor left to look with."""
        try:
            return self._finder.alive(self._mark, thorough=thorough)
        except OSError:
            return {self._mark.main} if self._process is not None and self._process.returncode is None else set()

    async def _hand_over(self) -> tuple[tuple[int, ...], str | None]:
        """What the main process left running, and the log of what it will write; settles and hands over."""
        ended = self._process is not None and self._process.returncode is not None
        if ended and not self._finder.may_have_left(self._mark, self._has_open_pipe):
            for stream in self._streams:
                stream.end()
            if self._ending is not None:
                await self._settle_listener()
            return (), None
        self._has_open_pipe()
        alive = self._alive()
        for pause in SETTLE if self._sandbox is None or not self._sandbox.first else (*AT_ONCE, *SETTLE):
            if not alive:
                break
            await self._pause(pause)
            await self._settle_listener()  # or told to end meanwhile
            self._finder.reap()
            alive = self._alive()
        if alive:
            self._finder.remember(alive)
        if self._sandbox is not None:
            alive -= {self._sandbox.first}
        self._has_open_pipe()
        await self._settle_listener()
        if not alive:
            self._journal.reap(self.loop)
            return (), None
        log = self._handed_over() if not self.stopped else None
        if self._enforced is not None:
            self._enforced.leave_to(log)
        if self._sandbox is not None:
            self._sandbox.leave()
        background = tuple(sorted(alive))
        self._journal.leave(self._execution, background, log)
        self._journal.reap(self.loop)
        return background, log

    def _has_open_pipe(self) -> bool:
        """Whether someone still holds a pipe, once what is in them is read."""
        for stream in self._streams:
            stream.rest()
        return any(stream.descriptor >= 0 for stream in self._streams)

    async def _settle_listener(self) -> None:
        """Where a listener has failed over the last of the output, the end of the tree that this began."""
        if self._ending is not None:
            await self._until_ended()

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError as error:
            self._cancel(error)
            await self._until_ended()

    def _handed_over(self) -> str | None:
        """Give pipes that are still open to drainers; the log, or None where nobody is left who would write to it."""
        pipes = [stream for stream in self._streams if stream.descriptor >= 0]
        if not pipes and self._enforced is None:
            return None
        path, log = None, -1  # no room for a log: nothing is kept, because that must not kill a writer
        with suppress(OSError, AsimiError):
            path, log = self._files.create(self._execution.id, "log", os.O_WRONLY | os.O_APPEND)
            for stream in self._streams:
                _write(log, stream.capture.so_far(CAPTURED))
        try:
            for stream in pipes:
                hand_over(stream.give(), log, self._execution.limits.spill_bytes, self.loop)
        finally:
            if log >= 0:
                os.close(log)
        return path


class _Reader:
    """Reads one pipe into its capture."""

    def __init__(self, name: str, capture: Capture, listener: Listener | None, call: Call) -> None:
        self.name, self.capture, self.descriptor = name, capture, -1
        self.slowed = False  # whether it is not read because the listener wants no more yet
        self.other, self._kept = b"", b""  # how what the sandbox says for itself begins; what may be that
        self._listener, self._call, self._most, self._watched = listener, call, PIPE, False

    def open(self) -> None:
        """Begin to read, unless that is over already."""
        if self.descriptor >= 0:
            self._call.loop.add_reader(self.descriptor, self.read)
            self._watched = True

    def give(self) -> int:
        """Read no more; the pipe is the caller's."""
        self.leave()
        descriptor, self.descriptor = self.descriptor, -1
        return descriptor

    def leave(self) -> None:
        """Read no more, but keep the pipe."""
        if self._watched:
            self._call.loop.remove_reader(self.descriptor)
            self._watched = False

    def close(self) -> None:
        """Read no more."""
        if self._watched:
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
        except MemoryError:
            if self._most <= SMALL:
                raise
            self._most = SMALL
            return 0
        if not data:
            self.close()
            return 0
        self._take(data)
        return len(data)

    def say(self, line: bytes) -> None:
        """Add a line of our own, behind all that came."""
        if not self.slowed:
            self.rest()
        self._take(line if self.capture.so_far(1) in (b"", b"\n") else b"\n" + line)

    def _take(self, data: bytes) -> None:
        """Keep what came, and tell the listener."""
        self.capture.add(data)
        if self._call.heard:
            self._call.heard = self._call.loop.time()
        if self._most == PIPE and self.capture.size >= LARGE:
            self._most = LARGE
            _widen(self.descriptor)
        self._kept += data
        if self.other and len(self._kept) <= PIPE and self._kept.startswith(self.other[: len(self._kept)]):
            return
        self.other = b""
        self._tell()

    def set_executed(self, *, was: bool) -> None:
        """Whether the command was executed is known: if not, all of this is the sandbox's, and told nobody."""
        if not was:
            self._listener = None
        self.other = b""
        self._tell()

    def _tell(self) -> None:
        """Tell the listener what came."""
        data, self._kept = self._kept, b""
        if self._listener is not None and data:
            try:
                until = self._listener(self.name, data)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # noqa: BLE001 - it is raised again once the tree is ended
                self._listener = None
                self._call.drop_listener(error)
            else:
                if asyncio.isfuture(until) and self._watched:  # one may return anything: `write` returns a number
                    self.leave()
                    self.slowed = True
                    until.add_done_callback(self._resume)

    def _resume(self, done: asyncio.Future[bool]) -> None:
        """Go on reading after a pause, if somebody wants it."""
        self.slowed = False
        if done.cancelled() or done.exception() is not None:
            self._listener = None
            self._call.drop_listener((None if done.cancelled() else done.exception()) or asyncio.CancelledError())
        elif not done.result():
            self.close()
        if self._call.heard:
            self._call.heard = self._call.loop.time()
        self.open()

    def end(self) -> None:
        """Read to the end, which is there: nobody is left who could write. Bounded, in case somebody is."""
        for _ in range(ENOUGH):
            if self.descriptor < 0 or not self.read():
                return
        self.rest()

    def rest(self) -> None:
        """Read what is in the pipe now, and whether it has ended; not what a background process writes meanwhile."""
        if self.descriptor < 0:
            return
        left = _pending_bytes(self.descriptor)
        while self.descriptor >= 0 and (came := self.read()) and (left := left - came) >= 0:
            pass


def _pending_bytes(descriptor: int) -> int:
    """How many bytes a pipe holds."""
    import fcntl
    import termios

    return int.from_bytes(fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)), sys.byteorder)  # an `int` of C


def _widen(descriptor: int) -> None:
    import fcntl

    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, WIDE)


def _write(descriptor: int, data: bytes) -> None:
    with suppress(OSError):  # no room: the result has it
        while data:
            data = data[os.write(descriptor, data) :]
