"""Which processes belong to a call, and how they are ended.

A command may leave its process group (`set -m`), its session (`setsid`), its parents (a double fork) and its
environment (`env -i`). So a call marks what it starts, and is known by several marks:

- its **number**, the soft limit of a resource that the kernel no longer looks at (RLIMIT_LOCKS, Linux): inherited over
  fork and exec, kept by everything but a deliberate `ulimit -x` or a login that resets limits;
- its **token**, the variable ASIMI_RUN in the environment; not on Linux, which needs none;
- its **session**, which the main process leads;
- its **descendants**: whoever was started by one of these, and what the kernel hands to us when its parent ends.

Each platform has some of them (`docs/reference/platforms.md`), behind the one interface `ProcessFinder`.

Nothing here waits: `ending` is a generator that yields how long to wait, so the event loop (which drains the pipes
meanwhile) and a plain command line drive the same steps.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations
import os
from _thread import allocate_lock
from contextlib import nullcontext, suppress
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from asimi.core.values import NamedTuple
from asimi.world.host.nested import TOKEN, has_ended

if TYPE_CHECKING:
    from asyncio import CancelledError
    from collections.abc import Callable, Collection, Iterator, Mapping
    from contextlib import AbstractContextManager


GRACE = 0.2
"""Seconds between SIGTERM and SIGKILL: time to clean up, and still an answer within 300 ms of the limit."""
LOOK = 0.01
"""Seconds between two looks at what is still there."""
FUTILE = 2.0
"""Seconds of killing after which what is left cannot be killed (it hangs in the kernel or is not ours)."""

SPAWN = allocate_lock()
"""Held around every start of a process, because a number is a limit of the whole asimi process for a moment."""

DIRECT: set[int] = set()
"""The processes this asimi started itself and waits for elsewhere; no finder may reap them."""


DRAINERS: set[int] = set()
"""Those of them that read on after a call; whoever reaps looks after them too."""


def _forget_children() -> None:
    """A copy of us (`os.fork`, multiprocessing) has none of our children, nor a thread that is just starting one."""
    DIRECT.clear()
    DRAINERS.clear()
    if SPAWN.locked():
        SPAWN.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_children)


class Mark(NamedTuple):
    """What the processes of one call have in common.

    Attributes:
        id: the id of the call.
        number: the limit that marks them, or 0 where there is none.
        main: the main process, which leads their session; 0 before it was started.
        started: its start time as the kernel counts it, so a reused id is not mistaken; 0 where unknown.
    """

    id: str
    number: int = 0
    main: int = 0
    started: int = 0


class ProcessFinder(Protocol):
    """The evidence of a platform."""

    kind: str

    def adopt(self) -> None:
        """Become the parent of what the commands leave behind, where the platform can; affects the whole process."""

    def begin(self, id: str) -> Mark:  # noqa: A002 - the id of a call, as everywhere
        """The mark of a call that begins."""

    def variables(self, mark: Mark, environment: Mapping[str, str]) -> dict[str, str]:
        """What is added to the environment of a call so that its processes are known; empty where they are without."""

    def mark_children(self, mark: Mark) -> AbstractContextManager[None]:
        """Marks what is started inside; the caller holds `SPAWN`."""

    def main(self, mark: Mark, pid: int) -> Mark:
        """The mark, now that the main process is known."""

    def end(self, mark: Mark) -> None:
        """The call has ended."""

    def start_time(self, pid: int) -> int:
        """When a process started, as the kernel counts it; 0 where it is gone or unknown."""

    def same(self, pid: int, started: int) -> bool:
        """Whether a process is the one that started then, and not another one with its id."""

    def may_have_left(self, mark: Mark, held: Callable[[], bool]) -> bool:
        """Whether a call whose main process has ended may have left others; false spares the search.

        Args:
            mark: the mark of the call.
            held: tells whether someone holds its pipes.
        """

    def alive(self, mark: Mark, certain: Collection[int] = (), *, thorough: bool = False) -> set[int]:
        """The processes of a call that have not ended, its main process among them.

        Args:
            mark: the mark of the call.
            certain: processes that are its for sure; what they started is found too.
            thorough: whether evidence is looked for that takes milliseconds.
        """

    def reap(self) -> bool:
        """Wait for those that ended among what was left to us; whether others are still to come."""

    def remember(self, pids: Collection[int]) -> None:
        """Remember that these processes are ours, so they may be reaped although their mark is gone."""


class Token:
    """The only mark where processes carry no number: ASIMI_RUN in their environment."""

    def adopt(self) -> None:
        """No such thing here: nobody becomes the parent of what loses its own."""

    def begin(self, id: str) -> Mark:  # noqa: A002 - the id of a call, as everywhere
        """Without a number."""
        return Mark(id)

    def variables(self, mark: Mark, environment: Mapping[str, str]) -> dict[str, str]:
        """Those of the calls around this one, outermost first, and its own."""
        around = environment.get(TOKEN)
        return {TOKEN: f"{around}:{mark.id}" if around else mark.id}

    def mark_children(self, _mark: Mark) -> AbstractContextManager[None]:
        """Nothing besides."""
        return nullcontext()

    def end(self, mark: Mark) -> None:
        """Nothing is kept of it."""

    def remember(self, pids: Collection[int]) -> None:
        """Nothing to remember."""


def end_processes(alive: Callable[[], set[int]], main: int = 0, grace: float = GRACE) -> Iterator[float]:
    """End the processes of a call: SIGTERM, a grace, SIGKILL to what is left.

    Each is told once: a handler that cleans up runs once. Killing is a race against processes that start others, so all
    are stopped first until no new one is found.

    Args:
        alive: tells which of them live.
        main: the main process, if it may have a process group.
        grace: seconds they have to clean up.

    Yields:
        seconds to wait before going on. Afterwards `alive` tells what could not be ended.
    """
    told: set[int] = set()
    end = 0.0
    quiet = 0
    if main:
        send_group(main, signal.SIGTERM)  # at one stroke: nobody in it forks past a signal
        send_group(main, signal.SIGCONT)  # a stopped process would not hear it
    while quiet < 2:  # a process that hops from fork to fork may hide from one look
        found = alive()
        for pid in found - told:
            if not main or _group(pid) != main:
                send(pid, signal.SIGTERM)
                send(pid, signal.SIGCONT)
        told |= found
        end = end or monotonic() + grace  # from when they were told: a look takes long on a machine that is busy
        quiet = 0 if found else quiet + 1
        if found and monotonic() >= end:
            yield from _kill_all(alive)
            return
        yield min(LOOK, grace) if found else 0.0


def _kill_all(alive: Callable[[], set[int]]) -> Iterator[float]:
    """Stop until nothing new appears, kill, look again, until nothing is left."""
    end = monotonic() + FUTILE
    quiet, pause = 0, 0.0
    while quiet < 2 and monotonic() < end:
        stopped: set[int] = set()
        while new := alive() - stopped:
            for pid in new:
                send(pid, signal.SIGSTOP)
            stopped |= new
        for pid in stopped:
            send(pid, signal.SIGKILL)
        quiet, pause = (0, min(pause + 0.002, 0.05)) if stopped else (quiet + 1, 0.0)
        yield pause


def reap_drainers() -> bool:
    """Wait for drainers that have ended; whether others are still at work. The caller holds `SPAWN`."""
    for pid in tuple(DRAINERS):
        if has_ended(pid):
            DRAINERS.discard(pid)
            DIRECT.discard(pid)
    return bool(DRAINERS)


def _group(pid: int) -> int:
    """The process group of a process; 0 where it is gone."""
    try:
        return os.getpgid(pid)
    except OSError:
        return 0


def send(pid: int, number: int) -> None:
    """Send a signal to a process, which may be gone or not ours."""
    with suppress(OSError):
        os.kill(pid, number)


def send_group(pid: int, number: int) -> None:
    """Send a signal to the process group that a process leads."""
    with suppress(OSError):
        os.killpg(pid, number)


def cancellation_to_raise(kept: CancelledError | None, new: CancelledError) -> CancelledError:
    """The one of two cancellations that is raised once what a task waited for has ended.

    It is the first, because scopes cancel again and again, and as it is: a cancel scope of anyio knows its own by the
    text that it carries, and lets every other one through.

    One without a text is of the task itself, so it counts before that of a scope, which would go on behind it.
    """
    return new if kept is None or not new.args else kept
