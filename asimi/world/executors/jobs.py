"""What commands left running, and the calls that an asimi which was killed left unfinished.

A call that returns while some of its processes live becomes a **job**: one small file, made then. The calls that run
now are in a file that their asimi holds locked; if it can be locked by someone else, that asimi is gone without
having ended them, and they are jobs too, unfinished ones.

A call is written down before its first process can exist, with the mark that every process of it will have. So
whenever asimi is killed, what it leaves is found: nothing has to be written about a process after it was made. The
kernel keeps what a killed process has written (write(2)), so nothing is synced: that helps only against a crash of the
machine, which no process survives.
"""

from __future__ import annotations

import os
import sys
import time
from _thread import allocate_lock
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid, Newer, dumps, loads, parse_as
from asimi.core.values import NamedTuple
from asimi.world.executors.files import KINDS, Files, is_unused
from asimi.world.executors.finders import new_finder
from asimi.world.executors.processes import Mark, end_processes
from asimi.world.host.places import check_private, read_private

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from asimi.core.call import Execution, RefusedExecution, Request
    from asimi.world.executors.processes import ProcessFinder

    Shown = Callable[[Request], tuple[str, Sequence[str] | None]]

VERSION = 1
TOLD = "told-"
"""What the name of a file of unfinished calls begins with once they were told."""
GROWN = 1 << 20
"""Bytes after which the file of running calls is written anew."""
NEW = 60.0
"""Seconds in which a file of running calls may be empty because it was just made."""
REAP = (0.05, 1.0)
"""Seconds until the next look for jobs that have ended: the first, and the longest."""
DAY = 86400.0
"""Seconds that the temporary files of a sandbox stay."""
PATIENCE = 2.0
"""Seconds a job has to clean up when a person ends it."""
_END = "end"
"""The field of a line that says that a call has ended."""


class Job(NamedTuple):
    """A call whose processes outlived it, or outlived their asimi.

    Attributes:
        id: the id of the call.
        command: the shell text, or the program.
        arguments: what the program was given; None for shell text.
        directory: where it started.
        began: when, in seconds since the epoch.
        pids: its processes that live now.
        log: the file with its output after the call, or None where it closed its streams.
        unfinished: whether its asimi was killed while it ran, so no result was ever given.
        pid: its main process, which may be gone; 0 where asimi was killed before it was known.
    """

    id: str
    command: str
    arguments: tuple[str, ...] | None
    directory: str
    began: float
    pids: tuple[int, ...]
    log: str | None
    unfinished: bool
    pid: int

    @property
    def running_text(self) -> str:
        """What still runs of it, in words."""
        return f"{len(self.pids)} of its processes still run" if self.pids else "nothing of it runs any more"


class CallRecord(NamedTuple):
    """A call as it is written down.

    Attributes:
        id: its id.
        tool: the tool's name.
        command: the shell text, or the program.
        arguments: what the program was given; None for shell text.
        directory: where it started.
        began: when, in seconds since the epoch.
        pid: its main process; 0 where it was not started yet.
        started: when that started, as the kernel counts it.
        number: the limit that marks its processes.
        pids: what it left running, each with its own `started`; None where it did not return.
        log: the file with its later output, or None.
    """

    id: str
    tool: str
    command: str
    arguments: tuple[str, ...] | None
    directory: str
    began: float
    pid: int
    started: int
    number: int
    pids: tuple[tuple[int, int], ...] | None = None
    log: str | None = None


class Jobs:
    """The jobs of one user, whichever asimi started them.

    Args:
        state: the directory that the executor was given.
    """

    def __init__(self, state: str) -> None:
        self._files = Files(state)
        self._finder = new_finder()

    def list(self) -> Sequence[Job]:
        """All jobs, the oldest first; one whose `pids` are empty has ended and is kept for its log.

        Raises:
            AsimiError: a record cannot be read, was written by a newer asimi, or is open to others.
        """
        jobs = [self._job(call) for _, call in self._calls()]
        return sorted(jobs, key=lambda job: job.began)

    def ids(self) -> Sequence[str]:
        """The ids of all jobs whose records can be read, without a look at their processes."""
        return [call.id for _, call in self._calls(careless=True)]

    def read_log(self, path: str) -> Iterator[bytes]:
        """What the log of a job holds, piece by piece; nothing where it wrote nothing yet.

        Raises:
            OSError: it cannot be read.
        """
        with suppress(FileNotFoundError), open(path, "rb") as file:
            while data := file.read(1 << 16):
                yield data

    def tail(self, path: str | None, size: int) -> tuple[bytes, int]:
        """The end of a log, and how long it is."""
        try:
            with open(path or os.devnull, "rb") as file:
                total = file.seek(0, os.SEEK_END)
                file.seek(max(0, total - size))
                return file.read(size), total
        except OSError:
            return b"", 0

    def running_ids(self) -> set[str]:
        """The ids of the calls that run now, in an asimi that lives.

        Raises:
            AsimiError: a record cannot be read, was written by a newer asimi, or is open to others.
        """
        return {call.id for path in self._paths_of("calls") if not is_unused(path) for call in _read_running(path)}

    def report_unfinished(self) -> Sequence[Job]:
        """The calls that a killed asimi left unfinished and that nobody was told of yet; now they are told."""
        found = list[Job]()
        for path in self._paths_of("calls"):
            directory, name = os.path.split(path)
            if not name.startswith(TOLD) and (calls := _read_unfinished(path)):
                found += map(self._job, calls)
                with suppress(OSError):  # another asimi tells it at the same moment
                    os.rename(path, os.path.join(directory, TOLD + name))
        return found

    def job(self, id: str) -> Job:  # noqa: A002 - the id of a call, as everywhere
        """One job.

        Raises:
            AsimiError: there is no such job.
        """
        return self._job(self._call(id))

    def kill(self, id: str) -> Sequence[int]:  # noqa: A002 - the id of a call, as everywhere
        """End a job with all its processes, and wait for that.

        Returns:
            Those that could not be ended.

        Raises:
            AsimiError: there is no such job.
        """
        call = self._call(id)
        for pause in end_processes(lambda: self._alive(call), grace=PATIENCE):
            time.sleep(pause)
        return sorted(self._alive(call))

    def sweep(self, age: float, room: int) -> None:
        """Remove what is not needed any more. What a process still writes is locked by it, and stays.

        Args:
            age: seconds after which logs and outputs go; the record of a job that has ended goes with its log.
            room: bytes that they may take together before the oldest go.
        """
        from asimi.world.host.clock import steady

        now = steady(self._files.state)
        jobs = self._paths_of("jobs")  # before the look at processes, so a job that begins meanwhile is none of them
        alive = {path for path, call in self._calls(careless=True) if self._alive(call)}
        for path in jobs:
            if path not in alive and not os.path.exists(
                self._files.path(os.path.basename(path).rpartition(".")[0], "log")
            ):
                _remove(path)
        if not alive:
            self._files.forget_temporary(now - min(age, DAY))
        for path in self._paths_of("calls"):  # an empty one says nothing, an old one nothing new
            there = _stat(path)
            old = there and now - there.st_mtime > (age if there.st_size else min(age, NEW))
            if path not in alive and old and is_unused(path):
                _remove(path)
        kept = [
            (there.st_mtime, there.st_size, path)
            for path in (*self._paths_of("output"), *self._paths_of("logs"))
            if (there := _stat(path))
        ]
        used = sum(size for _, size, _ in kept)
        for changed, size, path in sorted(kept):
            if (now - changed > age or used > room) and is_unused(path):
                _remove(path)
                used -= size

    def _job(self, call: CallRecord) -> Job:
        return Job(
            call.id,
            call.command,
            call.arguments,
            call.directory,
            call.began,
            tuple(sorted(self._alive(call))),
            call.log,
            call.pids is None,
            call.pid,
        )

    def _alive(self, call: CallRecord) -> set[int]:
        """Which of a job's processes live: whoever bears its mark, those it was known to have, and what they started.

        The session is not evidence here: its number may have been used again since.
        """
        known = (*(call.pids or ()), (call.pid, call.started))
        certain = {pid for pid, started in known if self._finder.same(pid, started)}
        return self._finder.alive(Mark(call.id, call.number), certain, thorough=True)

    def _call(self, id: str) -> CallRecord:  # noqa: A002 - the id of a call, as everywhere
        for _, call in self._calls():
            if call.id == id:
                return call
        raise AsimiError(f"There is no job {id}; `asimi jobs list --all` shows them")

    def _calls(self, *, careless: bool = False) -> Iterator[tuple[str, CallRecord]]:
        """The calls of all jobs, each with the file it is in; broken files are passed over if `careless`."""
        seen = set()
        for kind, read in (("jobs", _read_job), ("calls", _read_unfinished)):
            for path in self._paths_of(kind, careless=careless):
                try:
                    calls = [call for call in read(path) if call.id not in seen]
                except AsimiError:
                    if careless:
                        continue
                    raise
                seen |= {call.id for call in calls}
                yield from ((path, call) for call in calls)

    def _paths_of(self, kind: str, *, careless: bool = True) -> Sequence[str]:
        """The files of a kind. Behind a link they may be a person's own, so they are neither read nor removed."""
        directory = os.path.join(self._files.state, kind)
        try:
            check_private(directory, os.lstat(directory), directory=True)
            names = os.listdir(directory)
        except FileNotFoundError:
            return ()
        except (OSError, AsimiError) as error:
            if careless:
                return ()
            if isinstance(error, AsimiError):
                raise
            raise AsimiError(f"{directory}: cannot be read: {error.strerror}") from None
        return sorted(os.path.join(directory, name) for name in names if name.rpartition(".")[2] in KINDS)


class JobJournal:
    """Writes down what runs and what is left, for `Jobs` to read.

    That must not cost a call its result: what cannot be written is not written, and the processes can still be found by
    their marks while this asimi lives.

    Args:
        files: where.
        finder: tells when a process started.
        shown: the command of a request and its arguments, as they may be written down.
        refused: is told the id of a call, and of an execution beneath it that was refused.
        begun: is told the mark of a call that is about to start.
    """

    def __init__(
        self,
        files: Files,
        finder: ProcessFinder,
        shown: Shown,
        refused: Callable[[str, RefusedExecution], object],
        begun: Callable[[Mark], object],
    ) -> None:
        self._files, self._finder, self._shown, self.refused, self._begun = files, finder, shown, refused, begun
        self._lock = allocate_lock()
        self._running: dict[str, CallRecord] = {}
        self._file, self._path, self._size, self._pid = -1, "", 0, os.getpid()
        self._inode = 0, 0  # of that file
        self._reaping: set[asyncio.AbstractEventLoop] = set()

    def begin(self, execution: Execution, mark: Mark) -> None:
        """A call is about to start."""
        self._begun(mark)
        request = execution.request
        command, arguments = self._shown(request)
        call = CallRecord(
            execution.id,
            request.tool,
            command,
            None if arguments is None else tuple(arguments),
            execution.directory,
            time.time(),
            0,
            0,
            mark.number,
        )
        with self._lock:
            self._running[execution.id] = call
            self._append(call)

    def record_start(self, mark: Mark) -> None:
        """Its main process is known."""
        with self._lock:
            call = self._running[mark.id] = self._running[mark.id]._replace(pid=mark.main, started=mark.started)
            self._append(call)

    def end(self, id: str) -> None:  # noqa: A002 - the id of a call, as everywhere
        """It has returned, or was never started."""
        with self._lock:
            if self._running.pop(id, None) is None:
                return
            if self._running:
                self._append({_END: id})
                if self._size > GROWN:
                    self._renew()
            elif self._size:
                with suppress(OSError):
                    os.ftruncate(self._file, 0)
                    self._size = 0

    def leave(self, execution: Execution, pids: Sequence[int], log: str | None) -> None:
        """It returns, and these live on."""
        known = tuple((pid, self._finder.start_time(pid)) for pid in pids)
        call = self._running[execution.id]._replace(pids=known, log=log)
        try:
            path, descriptor = self._files.create(execution.id, "json", os.O_WRONLY)
            try:
                with open(descriptor, "wb") as file:
                    file.write(dumps(call, VERSION))
            except OSError:
                _remove(path)
                raise
        except (OSError, AsimiError) as error:
            why = getattr(error, "strerror", None) or error
            left = ", ".join(map(str, pids))
            message = f"asimi: `asimi jobs` does not list what {execution.id} left running ({left}): {why}"
            print(message, file=sys.stderr, flush=True)  # noqa: T201  # its result is on its way already

    def reap(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for jobs that have ended, now and then, as long as there are any: nothing stays a zombie."""
        if self._finder.reap() and loop not in self._reaping:
            self._reaping = {loop, *(other for other in self._reaping if not other.is_closed())}
            loop.call_later(REAP[0], self._again, loop, REAP[0])

    def close(self) -> None:
        """Remove the file of running calls, if none runs."""
        if self._pid != os.getpid():  # a copy of the process whose file it is
            return
        with self._lock:
            if self._file >= 0 and not self._running:
                os.close(self._file)
                self._file = -1
                with suppress(OSError):
                    os.unlink(self._path)

    def _again(self, loop: asyncio.AbstractEventLoop, after: float) -> None:
        if self._finder.reap():
            after = min(after * 1.5, REAP[1])
            loop.call_later(after, self._again, loop, after)
        else:
            self._reaping.discard(loop)

    def _append(self, record: CallRecord | dict[str, str]) -> None:
        """Write a line, all of it or nothing; where somebody has removed the file, write all that runs to a new one."""
        try:  # not `suppress`, nor a call for each step: this is twice in each command
            if self._file < 0:
                import atexit

                self._hold(*self._create_file())
                atexit.register(self.close)
            elif not _is_at(self._path, self._inode):
                self._renew()
                return
            line = dumps(record, VERSION)
            if os.write(self._file, line) < len(line):  # no room
                os.ftruncate(self._file, self._size)
            else:
                self._size += len(line)
        except (OSError, AsimiError):
            pass

    def _renew(self) -> None:
        """Go on in a new file with what runs. The old one goes only then: a call may be in both, never in none."""
        lines = b"".join(dumps(call, VERSION) for call in self._running.values())
        with suppress(OSError, AsimiError):
            path, file = self._create_file()
            written = 0
            with suppress(OSError):
                written = os.write(file, lines)
            if written == len(lines):
                old, self._size = (self._path, self._file), written
                self._hold(path, file)
                path, file = old
            os.close(file)
            _remove(path)

    def _hold(self, path: str, file: int) -> None:
        """Write to a file from here on."""
        there = os.fstat(file)
        self._path, self._file, self._inode = path, file, (there.st_dev, there.st_ino)

    def _create_file(self) -> tuple[str, int]:
        return self._files.create(f"{os.getpid()}-{os.urandom(4).hex()}", "jsonl", os.O_WRONLY | os.O_APPEND)


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _is_at(path: str, inode: tuple[int, int]) -> bool:
    """Whether a path leads to a file; nobody else has the numbers of one that is open."""
    there = _stat(path)
    return there is not None and (there.st_dev, there.st_ino) == inode


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _read_job(path: str) -> list[CallRecord]:
    """The call that left processes running, in a list; none where it was not written to its end.

    Raises:
        AsimiError: a newer asimi wrote it.
    """
    record = _read(path, read_private(path) or b"")
    return [] if record is None else _call_records(record)


def _read_unfinished(path: str) -> list[CallRecord]:
    """The calls that began in a file and did not end, if whoever wrote it is gone.

    Raises:
        AsimiError: a newer asimi wrote it.
    """
    return _read_running(path) if is_unused(path) else []


def _read_running(path: str) -> list[CallRecord]:
    """The calls that began in a file and did not end.

    Raises:
        AsimiError: a newer asimi wrote it.
    """
    running: dict[str, CallRecord] = {}
    for line in (read_private(path) or b"").splitlines():
        record = _read(path, line) or {}
        if _END in record:
            running.pop(record[_END], None)
        else:
            running |= {call.id: call for call in _call_records(record)}
    return [*running.values()]


def _call_records(record: dict[str, Any]) -> list[CallRecord]:
    with suppress(Invalid):
        return [parse_as(CallRecord, record)]
    return []


def _read(path: str, content: bytes) -> dict[str, Any] | None:
    """What was written down, a call or an end; None where it was not written to its end.

    Raises:
        AsimiError: a newer asimi wrote it.
    """
    try:
        return loads(content, VERSION)
    except Newer as fault:
        raise AsimiError(f"{path}: is not a file that asimi can use: {fault}; {fault.advice}") from None
    except Invalid:
        return None
