"""Running on Windows: one command line, `taskkill` for trees, asyncio's own pipes, no list of background processes.

Nothing here was ever run on Windows; `asimi help platforms` says what is promised. The call returns when its main
process has ended and gives up its pipes a moment later, because a background process may hold them forever.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING

from asimi.core.call import Result
from asimi.world.executors.output import Capture
from asimi.world.executors.processes import Mark, Token, cancellation_to_raise
from asimi.world.executors.spawning import failure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    from asimi.core.call import Execution
    from asimi.core.interfaces import Listener
    from asimi.world.executors.files import Files
    from asimi.world.executors.jobs import JobJournal
    from asimi.world.executors.processes import ProcessFinder
    from asimi.world.executors.spawning import OpenFiles

READ = 1 << 16
AFTER = 0.1
"""Seconds in which the rest of the output is read once the main process has ended."""


class WindowsFinder(Token):
    """No evidence but the tree that `taskkill` knows."""

    kind = "windows"

    def main(self, mark: Mark, pid: int) -> Mark:
        """With its id."""
        return mark._replace(main=pid)

    def start_time(self, _pid: int) -> int:
        """Unknown."""
        return 0

    def same(self, _pid: int, _started: int) -> bool:
        """Unknown, so no."""
        return False

    def may_have_left(self, _mark: Mark, _held: Callable[[], bool]) -> bool:
        """Nothing that could be named."""
        return False

    def alive(self, _mark: Mark, _certain: Collection[int] = (), *, thorough: bool = False) -> set[int]:  # noqa: ARG002
        """None that could be named."""
        return set()

    def reap(self) -> bool:
        """Windows has no zombies."""
        return False


def end_tree(pid: int) -> None:
    """End a process and all that it started."""
    with contextlib.suppress(OSError):
        subprocess.run(("taskkill", "/T", "/F", "/PID", str(pid)), capture_output=True, check=False)


def create_process(line: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start what a command line says; the pipes are such as an event loop reads on Windows, and asyncio has them."""
    process: subprocess.Popen[bytes] = import_module("asyncio.windows_utils").Popen(line, **options)
    return process


def command_line(execution: Execution) -> str:
    """The one line that Windows starts: of shell text what the person saw, else quoted as the C runtime splits it.

    `cmd.exe` does not split its line, so `list2cmdline` would change the text: a backslash quotes nothing there.
    """
    if execution.request.arguments is not None:
        return subprocess.list2cmdline(execution.argv)
    *shell, text = execution.argv
    return f"{subprocess.list2cmdline(shell)} {text}"


class WindowsCall:
    """One execution, from its start to its result; as `running.Call`.

    Args:
        execution: what to run.
        finder: tells what its processes are marked with.
        files: where long outputs go.
        journal: of no use here.
        listener: hears the output as it comes.
        open_files: of no use here.
        ends: ends a tree.
        starts: starts a command line.
    """

    def __init__(
        self,
        execution: Execution,
        finder: ProcessFinder,
        files: Files,
        journal: JobJournal,
        listener: Listener | None,
        open_files: OpenFiles,
        ends: Callable[[int], None] = end_tree,
        starts: Callable[..., subprocess.Popen[bytes]] = create_process,
    ) -> None:
        del journal, open_files
        self.loop = asyncio.get_running_loop()
        self.stopped = ""
        self._execution, self._finder, self._listener, self._ends = execution, finder, listener, ends
        self._captures = {
            name: Capture(execution.limits, lambda name=name: files.create(execution.id, name))  # type: ignore[misc]
            for name in ("stdout", "stderr")
        }
        self._starts = starts
        self._process: subprocess.Popen[bytes] | None = None
        self._error: Exception | None = None
        self._cancellation: asyncio.CancelledError | None = None
        self._heard = self.loop.time()

    def stop(self, why: str) -> None:
        """End the tree; the result comes as usual."""
        if not self.stopped:
            self.stopped = why
            if self._process is not None:
                self.loop.run_in_executor(None, self._ends, self._process.pid)

    async def run(self) -> Result:
        """Run it to its end.

        Raises:
            asyncio.CancelledError: the task was cancelled; its tree is ended.
            Exception: what the listener raised; its tree is ended.
        """
        began = perf_counter()
        try:
            process = self._process = self._start()
        except (OSError, ValueError) as error:
            return Result(failure=failure_of(error, self._execution), seconds=perf_counter() - began)
        readers = [
            self.loop.create_task(self._read(name, pipe))
            for name, pipe in (("stdout", process.stdout), ("stderr", process.stderr))
        ]
        watch = self.loop.create_task(self._watch_limits())
        try:
            code = await self._wait_for_end(process)
            await asyncio.wait(readers, timeout=AFTER)
        finally:
            for task in (*readers, watch):
                task.cancel()
            await asyncio.wait(readers)
        if self._cancellation is not None:
            raise self._cancellation
        if self._error is not None:
            raise self._error
        return Result(
            self._captures["stdout"].stream(),
            self._captures["stderr"].stream(),
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            pid=process.pid,
            timed_out=self.stopped == "timeout",
            seconds=perf_counter() - began,
        )

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the main process with pipes of its own."""
        execution = self._execution
        marks = self._finder.variables(self._finder.begin(execution.id), execution.environment)
        return self._starts(
            command_line(execution),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=execution.directory,
            env={**execution.environment, **marks},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    async def _wait_for_end(self, process: subprocess.Popen[bytes]) -> int:
        """Look whether it has ended: waiting takes a thread."""
        pause = 0.001
        while (code := process.poll()) is None:
            try:
                await asyncio.sleep(pause)
            except asyncio.CancelledError as error:
                self._cancellation = cancellation_to_raise(self._cancellation, error)
                self.stop("cancel")
                self.stopped = "cancel"
            pause = min(pause * 1.5, 0.02)
        return code

    async def _read(self, name: str, pipe: Any) -> None:
        """Read a pipe to its end, or until nobody waits for it any more: a background process may hold it for days."""
        stream = asyncio.StreamReader()
        transport, _ = await self.loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
        try:
            while data := await stream.read(READ):
                self._heard = self.loop.time()
                self._captures[name].add(data)
                self._hear(name, data)
        finally:
            transport.close()

    def _hear(self, name: str, data: bytes) -> None:
        """Tell the listener."""
        if self._listener is not None:
            try:
                self._listener(name, data)
            except Exception as error:  # noqa: BLE001 - it is raised again once the tree is ended
                self._listener, self._error = None, error
                self.stop("listener")

    async def _watch_limits(self) -> None:
        limits, began = self._execution.limits, self.loop.time()
        while True:
            now = self.loop.time()
            until = [began + limits.timeout] if limits.timeout is not None else []
            if limits.idle_timeout is not None:
                until.append(self._heard + limits.idle_timeout)
            if not until:
                return
            if min(until) <= now:
                self.stop("timeout")
                return
            await asyncio.sleep(min(until) - now)
