"""Runs commands on this machine."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from asimi.core.call import Failure, Result
from asimi.core.errors import AsimiError, refusal_of_fault
from asimi.core.settings import State

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from asimi.core.call import Execution, RefusedExecution
    from asimi.core.interfaces import Listener
    from asimi.world.executors.confining.outlet import Outlet
    from asimi.world.executors.jobs import Shown
    from asimi.world.executors.processes import Mark
    from asimi.world.executors.running import Call
    from asimi.world.executors.windows import WindowsCall

HOUR = 3600.0
"""Seconds between two sweeps of the state directory."""
MOST = 1024
"""Calls at once, however many descriptors there are."""


class LocalExecutor:
    """Runs commands as children of this process.

    Usable from any thread and event loop.

    Args:
        state: the directory for long outputs, logs and the records of jobs; made with mode 0700 when it is needed.
        adopt: whether this process may be changed for it: it becomes the parent of what commands leave behind, raises
            its own limit of open files, unblocks signals. Right for a program of ours, wrong for a library.
        keep: how much is kept in that directory, and how long; asked when something is added to it.
        shown: the command of a request and its arguments as they may be written down, without secrets.
        refused: is told the id of a call, and of an execution beneath it that was refused; in the call's loop.
        session: the name of the session, whose commands share temporary files in a sandbox; by default it is our own.
        begun: is told the mark of a call before its first process can exist.
        outlet: gives what leads out of the sandbox of a call to names; None where nothing does.
    """

    def __init__(
        self,
        state: str,
        *,
        adopt: bool = False,
        keep: Callable[[], State] = State,
        shown: Shown = lambda request: (request.command, request.arguments),
        refused: Callable[[str, RefusedExecution], object] = lambda _id, _refused: None,
        session: str = "",
        begun: Callable[[Mark], object] = lambda _mark: None,
        outlet: Callable[[Execution], Outlet] | None = None,
    ) -> None:
        self.state, self._shown, self._refused, self._begun = state, shown, refused, begun
        self._session = session or os.urandom(8).hex()
        self._keep, self._swept, self._outlet = keep, -HOUR, outlet
        self._adopt, self._ready = adopt, 0
        self._calls: set[Call] = set()
        self._slots: dict[asyncio.AbstractEventLoop, asyncio.Semaphore] = {}
        self._interrupts = 0

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """Run it to its end; a failure to start is in the result.

        Args:
            execution: what to run.
            listener: hears the output as it comes, see `core.interfaces.Executor`; must not block. If it raises,
                the tree is ended and its exception is raised.

        Raises:
            asyncio.CancelledError: the task was cancelled; the whole tree of processes is ended by then.
        """
        if (execution.sandbox.mode != "off" or execution.enforced) and sys.platform != "linux":
            return Result(failure=Failure("setup", "Sandbox and exec rules cannot be set up: they need Linux"))
        if self._ready != os.getpid():  # also in a copy of a process that is ready: it has children of its own
            try:
                self._prepare()
            except OSError as error:  # no descriptor left even to import what runs a command
                return Result(failure=Failure("scarce", refusal_of_fault(error).message))
        interrupts = self._interrupts
        async with self._slots_of_loop():
            if interrupts != self._interrupts:
                return Result(failure=Failure("other", "Not started: asimi is shutting down"))
            call = self._call(execution, self._finder, self._files, self._journal, listener, self._open_files)
            self._calls.add(call)
            try:
                result = await call.run()
            finally:
                self._calls.discard(call)
            if result.background or result.stdout.file or result.stderr.file or execution.sandbox.mode != "off":
                self._sweep(call.loop)
            return result

    def interrupt(self) -> None:
        """End the trees of all that runs; their results come as usual. May be called from a signal handler."""
        self._interrupts += 1
        for call in tuple(self._calls):
            call.loop.call_soon_threadsafe(call.stop, "interrupt")

    def _prepare(self) -> None:
        """What the first call needs: only who runs something pays for it."""
        from asimi.world.executors.files import Files
        from asimi.world.executors.finders import shared_finder
        from asimi.world.executors.jobs import JobJournal
        from asimi.world.executors.spawning import OpenFiles, own_signals

        if sys.platform == "win32":
            from asimi.world.executors.windows import WindowsCall

            self._call: Callable[..., Call | WindowsCall] = WindowsCall
        else:
            from asimi.world.executors.running import Call

            self._call = partial(Call, outlet=self._outlet)
        if self._ready:
            self._calls, self._slots = set(), {}  # those of the process that we are a copy of
        self._finder, self._files, self._open_files = shared_finder(), Files(self.state, self._session), OpenFiles()
        self._journal = JobJournal(self._files, self._finder, self._shown, self._refused, self._begun)
        if self._adopt:  # before the first start: an orphan of its first moment may have left every mark behind
            self._finder.adopt()
            own_signals()
            self._open_files.raise_own()
        self._most = _calls_at_once()
        self._ready = os.getpid()

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Remove what is old, beside all else, once an hour at most."""
        if loop.time() - self._swept < HOUR:
            return
        import atexit
        import threading

        from asimi.world.executors.jobs import Jobs

        self._swept = loop.time()
        try:  # no thread of the loop's: where there is room for none, its end would fail, too
            keep = self._keep()
            thread = threading.Thread(target=Jobs(self.state).sweep, args=(keep.age, keep.bytes))
            thread.start()
            atexit.register(thread.join)
        except (AsimiError, RuntimeError):  # a configuration that is being edited, no room for a thread: next time
            return

    def _slots_of_loop(self) -> asyncio.Semaphore:
        """What each call of this loop holds one of, so descriptors do not run out."""
        from asyncio import Semaphore, get_running_loop

        loop = get_running_loop()
        slots = self._slots.get(loop)
        if slots is None:
            for old in [*self._slots]:  # other threads have loops, too
                if old.is_closed():
                    self._slots.pop(old, None)
            slots = self._slots[loop] = Semaphore(self._most)
        return slots


def _calls_at_once() -> int:
    """How many calls our descriptors are enough for."""
    from asimi.world.executors.spawning import PER_CALL, SPARE

    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if limit == resource.RLIM_INFINITY:
            return MOST
        used = len(os.listdir("/dev/fd"))
    except (ImportError, OSError):
        return 64
    return max(1, min(MOST, (limit - used - SPARE) // PER_CALL))
