"""Keeps what holds in a box while it lives: its mounts, and what must not appear.

The kernel drops a mount in silence when somebody outside replaces or removes what it lies on (see `mounts`). asimi can
wait on the table of mounts (proc_pid_mountinfo(5): it polls as exceptional), so it sees that at once, and a rename,
which takes the mount along, a moment later. Then it stops everything inside, mounts again what is there now
(`entering`), and lets all go on. If something cannot be mounted again, the box ends.

What appears and must not be there is moved away (`appearing`, `moving`). That gap is not held: code inside can see when
somebody outside runs git, and make a file for that moment. So the inside stands still longer each time that the same
name appears, and soon a person is asked whether the box shall end.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import stat
import threading
import time
from typing import TYPE_CHECKING, Protocol

from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.world.box.committed import LARGEST
from asimi.world.box.entering import NO_DIRECTORY, NO_FILE, mount, plan
from asimi.world.box.repositories import is_worktrees
from asimi.world.box.worktrees import NOT_OURS, held_of, removal_command, repository_at, run
from asimi.world.executors.confining.mounts import LOOK, points, tasks
from asimi.world.executors.confining.system import ConfinementError
from asimi.world.host.git_settings import filter_of
from asimi.world.host.places import replace
from asimi.world.host.repositories import shared_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from asimi.world.box.appearing import AppearanceWatcher, LookResult
    from asimi.world.box.quarantine import Quarantine

AGAIN = 60.0
"""Seconds between two looks for new paths to hide."""

SHARE = 20
"""Looks take at most one part in so many of the time."""

PROCESSES = 4096
"""Processes and threads inside, beside all that ran on this machine at the start."""

PATIENCE = 20.0
"""Seconds in which all that is inside stands still, on a busy machine."""

TRIES = 20
"""How often it is mounted again: whoever replaces it outside may do so many times in a row, as `git config` does."""

TIMES, OF_GIT = 6, 2
"""How often one name may appear until a person is asked whether the box shall end; a repository that runs something."""

THERE = 0.2
"""Seconds that such names may be there in all until then."""

ENDED = "the box has ended"

WRITTEN, WRITING = 0.015, 0.3
"""Seconds after which a file is written that does not change, and that one may change until it is what a commit has."""

SETTLES = 1.0
"""Seconds after which a file is held that a person's yes has named."""

REPLACED = 0.3
"""Seconds after which a file is gone that somebody outside has removed, and is not being replaced."""

PAUSE = 0.5
"""Seconds that the inside stands still after the second time; twice as long after each further one."""


class Stays(Protocol):
    """Says what may stay of what appears."""

    def is_named(self, path: str) -> bool:
        """Whether a person's yes in this session named a path."""

    def knows(self, path: str) -> bool:
        """Whether a reference of the repository, as it was at the start, has something at a path."""

    def has(self, path: str) -> bool:
        """Whether a file is as a commit of then has it."""


class BoxEnforcer:
    """What holds in one box as long as it lives.

    Args:
        first: the first process of the box.
        covers: paths on which something is mounted, with what (`entering`).
        tops: the directories that the box may write.
        appearing: finds what must not be there.
        moving: moves that away.
        stays: says what may stay of what appears, to be held from then on.
        renew: makes again what stands for a missing name; False where nothing does.
        ends: is asked whether the box shall end, because of a path that appears again and again.
        again: gives what is to be hidden now; asked every minute.
    """

    def __init__(
        self,
        first: int,
        covers: Mapping[str, str],
        tops: Collection[str],
        appearing: AppearanceWatcher,
        moving: Quarantine,
        *,
        stays: Stays,
        renew: Callable[[str], bool],
        ends: Callable[[str], bool],
        again: Callable[[], Collection[str]],
    ) -> None:
        self._first, self._covers, self._tops = first, dict(covers), tops
        self._appearing, self._moving = appearing, moving
        self._stays, self._renew, self._ends = stays, renew, ends
        self._again, self._next, self._look = again, time.monotonic() + AGAIN, LOOK
        self._most = tasks() + PROCESSES
        self._times, self._there = dict[str, int](), 0.0
        self._late = dict[str, float]()  # what is being written, and when it is held
        self._lock, self._why = threading.RLock(), ""
        self._process = os.pidfd_open(first)
        self._closing, self._closed = os.pipe()
        self._thread = threading.Thread(target=self._watch, name="asimi box", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no longer; the box has ended, or never lived."""
        os.close(self._closed)
        self._thread.join()
        self._look_last()
        self._appearing.close()
        for descriptor in (self._closing, self._process):
            os.close(descriptor)

    def restore(self) -> str:
        """Put back what was lost, and move away what appeared; in words what cannot be held, empty if all is."""
        with self._lock, contextlib.ExitStack() as stack:
            stopped = False

            def hush() -> None:
                nonlocal stopped
                if not stopped:
                    stack.enter_context(self.still())
                    stopped = True

            try:
                found = self._appearing.look(hush)
                self._why = self._why or self._excess()
                if not self._why and (any(found) or self._late or self._missing_mounts()):
                    self._why = self._enforce(found, hush)
            except Exception as error:  # noqa: BLE001 - whatever it is, nothing is known to be held any more
                self._why = ENDED if _state(self._first) in "ZX" else str(error) or type(error).__name__
            return self._why

    @property
    def why(self) -> str:
        """Why the box could not be kept, in words; empty while it can."""
        return "" if self._why == ENDED else self._why

    def keep(self, path: str) -> str:
        """Put back what was moved away from a path, and hold it; in words why not, empty if it is there.

        Args:
            path: absolute.
        """
        with self._lock, self.still():
            self._appearing.accept(path)
            if why := self._moving.back(path):
                self._appearing.forget(path)
                return why
            _renew_file(path)
            return self._put_back([path])

    def remove_worktrees(
        self, git: str, words: Sequence[str], directory: str, environment: Mapping[str, str]
    ) -> tuple[int, bytes, bytes]:
        """Have git remove a worktree that is held, while all else inside stands still.

        Args:
            git: the program.
            words: its arguments.
            directory: where it runs.
            environment: its variables.

        Returns:
            Its exit code, its standard output and its standard error.
        """
        with self._lock, self.still():
            repository = repository_at(words, directory)
            if repository not in self._appearing.held:
                return NOT_OURS, b"", b""
            if program := filter_of(repository, os.path.dirname(repository)):
                return 1, b"", f"asimi: git runs {program} as a filter here; do this outside\n".encode()
            shared = shared_of(repository)
            own = [each for each in self._appearing.git_directories if is_worktrees(each) and shared_of(each) == shared]
            held = held_of(self._covers, own, removal_command(words))
            before = {path: _content(path) for path in held}
            done = run(self._first, git, words, directory, environment, held)
            for path, content in before.items():
                if content is not None and _content(path) not in {None, content}:
                    replace(path, content, 0o644, lasting=False)
            self._put_back()
            return done

    def hide(self, paths: Collection[str]) -> None:
        """Hide what was not there at the start; what cannot be seen inside needs nothing."""
        with self._lock:
            for path in paths:
                if path not in self._covers and os.path.lexists(f"/proc/{self._first}/root{path}"):
                    self._covers[path] = NO_DIRECTORY if os.path.isdir(path) and not os.path.islink(path) else NO_FILE

    def _enforce(self, found: LookResult, hush: Callable[[], None]) -> str:
        """Move away what must not be there, and mount what is to be held; in words what cannot be held.

        Args:
            found: what came of a look.
            hush: lets nothing inside run until this is through.
        """
        held, staying, pause, worst, why = [*found.closed], list[str](), 0.0, "", ""
        for path in found.appeared:
            name, most = os.path.basename(path), OF_GIT if self._appearing.is_of_git(path) else TIMES
            if most == TIMES and (stays := self._may_stay(path)) is not None:
                staying += [path] * stays
                continue
            self._times[name] = times = self._times.get(name, 0) + 1
            if times > 1:
                hush()
                pause = max(pause, PAUSE * 2 ** (times - 2))
            try:
                self._there += self._moving.away(path)
            except (OSError, AsimiError, ValueError) as error:
                why = f"{path} cannot be moved away: {error}"
                continue
            if times >= most or self._there >= THERE:
                worst = path
        if why:
            return why
        late = [path for path, at in self._late.items() if time.monotonic() >= at]
        for path in (*staying, *late):
            hush()
            self._late.pop(path, None)
            _renew_file(path)
            if path in staying and not self._stays.has(path):  # it was changed meanwhile
                self._appearing.forget(path)
                self._moving.away(path)
            else:
                held.append(path)
        if held or self._missing_mounts():
            hush()
            if why := self._put_back(held):
                return why
        if worst:
            hush()
            if self._ends(worst):
                return f"{worst} has appeared too often"
            self._times.clear()
            self._there = 0.0
        elif pause:
            select.select([self._closing, self._process], [], [], pause)
            return self._put_back() if self._missing_mounts() else ""  # before the inside goes on
        return ""

    def _may_stay(self, path: str) -> bool | None:
        """Whether what has appeared may stay and is to be held now; None where it must not stay."""
        if self._stays.is_named(path):
            self._appearing.accept(path)
            self._late[path] = time.monotonic() + SETTLES
            return False
        if not self._stays.knows(path):
            return None
        self._appearing.accept(path)
        if os.path.isdir(path) and not os.path.islink(path):
            return False  # what is in there is looked at one by one
        end = time.monotonic() + WRITING
        while not self._stays.has(path):
            if is_written(path) or time.monotonic() > end:
                self._appearing.forget(path)
                return None
            time.sleep(0.001)
        return True

    def _excess(self) -> str:
        """Of what the inside takes too much, in words: the kernel counts no processes for root."""
        if tasks() > self._most and len(self._inside()) > PROCESSES:
            return f"it has more than {PROCESSES} processes"
        return ""

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """Let nothing inside run meanwhile.

        Raises:
            ConfinementError: something does not stop.
        """
        with self._lock:
            stopped: list[int] = []
            try:
                self._stop(stopped)
                yield
            finally:
                for pid in reversed(stopped):  # the children first, so no shell takes its job for a stopped one
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGCONT)

    def _stop(self, stopped: list[int]) -> None:
        """Stop everything, those above before those below them; what is stopped already stays so afterwards."""
        end, quiet = time.monotonic() + PATIENCE, 0
        before = {pid for pid in self._inside() if _state(pid) in "Tt"}
        while quiet < 2:  # one that runs could wake another behind our back, until none runs
            running = [pid for pid in self._inside() if not _stands(pid)]
            for pid in running:
                if pid not in stopped and pid not in before:
                    stopped.append(pid)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
                moment = time.monotonic() + 0.01  # it stops before those below it, so that no shell sees them stop
                while not _stands(pid) and time.monotonic() < moment:
                    time.sleep(0.0002)
            quiet = 0 if running else quiet + 1
            if time.monotonic() > end:
                raise ConfinementError("something inside does not stop", "The box")
            if running:
                time.sleep(0.001)

    def _inside(self) -> list[int]:
        """All processes of the box, the first one first: whoever loses its parent gets that one (pid_namespaces(7))."""
        children: dict[int, list[int]] = {}
        for name in filter(str.isdecimal, os.listdir("/proc")):
            with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                children.setdefault(int(file.read().rpartition(b") ")[2].split()[1]), []).append(int(name))
        found = [self._first]
        for pid in found:
            found += children.get(pid, ())
        return found

    def _missing_mounts(self) -> list[str]:
        """Where nothing is mounted any more, the shorter paths first."""
        there = self._mount_points()
        if not there.issuperset(self._covers):
            there |= self._mount_points()  # a table that changes while it is read tells less than there is
        root, kinds = f"/proc/{self._first}/root", (NO_DIRECTORY, NO_FILE)
        missing = [path for path in self._covers if path not in there]
        return sorted(path for path in missing if self._covers[path] not in kinds or os.path.lexists(f"{root}{path}"))

    def _mount_points(self) -> set[str]:
        with open(f"/proc/{self._first}/mountinfo", "rb") as table:
            found = points(table.readlines())
        if not found:
            raise OSError("the box has ended")
        return {os.fsdecode(path) for path in found}

    def _put_back(self, more: Sequence[str] = ()) -> str:
        """Mount what is missing, and more, until all is there; in words what cannot be held.

        A name that nothing has any more is one that must not appear, unless something stands for it.
        """
        why = ""
        for number in range(TRIES):
            for path in self._gone():
                del self._covers[path]
                self._appearing.forget(path)
            lost = {*self._missing_mounts(), *more}
            hidden = {path for path in lost if self._covers.get(path) in {NO_DIRECTORY, NO_FILE}}
            elsewhere = {path for path in hidden if not any(is_below(path, each) for each in self._tops)}
            wanted = plan(lost - hidden, hidden - elsewhere, self._tops)
            wanted |= {path: NO_DIRECTORY if os.path.isdir(path) else NO_FILE for path in elsewhere}
            there = self._mount_points()
            jobs = {path: kind for path, kind in wanted.items() if path not in there or path in lost}
            self._covers |= jobs
            if not jobs:
                return ""
            time.sleep(0.01 * number)
            try:
                mount(self._first, [*jobs.items()][::-1])
            except (OSError, ConfinementError) as error:  # what is there changed under it
                why = str(error)
                continue
            more = ()
        return f"what was replaced outside cannot be held again: {why}" if self._missing_mounts() else ""

    def _gone(self) -> list[str]:
        """What nothing stands for any more, after a moment: many programs move a file away before they write it anew.

        The inside stands still meanwhile, so what comes back is not its own.
        """
        end = time.monotonic() + REPLACED
        while True:
            gone = [path for path in self._missing_mounts() if not os.path.lexists(path) and not self._renew(path)]
            if not gone or time.monotonic() > end:
                return gone
            time.sleep(0.005)

    def _watch(self) -> None:
        """Look each time that something happens, and end the box where it cannot be kept."""
        with contextlib.suppress(OSError), open(f"/proc/{self._first}/mountinfo", "rb") as table:
            events = select.poll()
            events.register(table, select.POLLPRI | select.POLLERR)
            for each in (self._appearing.descriptor, self._process, self._closing):
                events.register(each, select.POLLIN)
            while True:
                ready = {descriptor for descriptor, _ in events.poll(self._look * 1000)}  # a rename changes no table
                if ready & {self._process, self._closing}:
                    self._look_last()
                    return
                began = time.monotonic()
                if began >= self._next:
                    with contextlib.suppress(AsimiError):  # a broken configuration, which refuses each call
                        self.hide(self._again())
                    self._next = time.monotonic() + max(AGAIN, SHARE * (time.monotonic() - began))
                    began = time.monotonic()
                if self.restore():
                    with contextlib.suppress(ProcessLookupError):
                        signal.pidfd_send_signal(self._process, signal.SIGKILL)
                    select.select([self._process, self._closing], [], [])
                    self._look_last()
                    return
                self._look = max(LOOK, SHARE * (time.monotonic() - began))

    def _look_last(self) -> None:
        """Move away what has appeared in the last moment."""
        with self._lock:
            for _ in range(2):  # the second time all of it, after an error
                try:
                    found = self._appearing.look(whole=bool(self._why))
                except (OSError, ValueError, AsimiError) as error:
                    self._why = self._why or str(error)
                    continue
                for path in found.appeared:
                    with contextlib.suppress(OSError, ValueError, AsimiError):
                        if self._appearing.is_of_git(path) or self._may_stay(path) is None:
                            self._moving.away(path)
                return


def _content(path: str) -> bytes | None:
    """The bytes of a file of git's; None where there is no file."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return file.read(LARGEST)
    except OSError:
        return None


def _renew_file(path: str) -> None:
    """Put a new file with the same bytes in place of one, so that no open descriptor and no second name leads to it."""
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.lstat(path).st_mode) and (content := _content(path)) is not None:
            replace(path, content, stat.S_IMODE(os.lstat(path).st_mode), lasting=False)


def is_written(path: str) -> bool:
    """Whether a file has bytes that have not changed for a moment, or is gone; git opens it before it writes."""
    try:
        there = os.lstat(path)
        return there.st_size > 0 and time.time() - there.st_ctime > WRITTEN
    except OSError:
        return True


def _stands(pid: int) -> bool:
    """Whether no thread of a process runs: it is stopped, has ended, or is gone."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        return all(_state(pid, each) in "TtZX" or _waits_for_fork(pid, each) for each in threads)
    except OSError:
        return True


def _waits_for_fork(pid: int, thread: str) -> bool:
    """Whether a thread waits in vfork(2) for a child that stands still."""
    if _state(pid, thread) != "D":
        return False
    with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
        children = file.read().split()
    return bool(children) and all(_state(int(each)) in "TtZX" for each in children[-1:])


def _state(pid: int, thread: str = "") -> str:
    """The state of a process or thread (proc_pid_stat(5)); `X` where it is gone."""
    path = f"/proc/{pid}/task/{thread}/stat" if thread else f"/proc/{pid}/stat"
    try:
        with open(path, "rb") as file:
            return file.read().rpartition(b") ")[2][:1].decode() or "X"
    except OSError:
        return "X"
