"""The way out of a sandbox whose network is one of its own: what leads to names is made while its command waits.

::

    asimi ──> bwrap ──> its first process, which waits ──> the command
                │ says that there is one                       ^
                v                                              │ go
      a thread of asimi: what hears in there, for names ───────┘

It ends with the call: what that leaves running reaches nothing any more.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.executors.confining.system import ConfinementError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SAID = 1 << 12
"""Bytes that are read of what bwrap says at once, in fact some two hundred."""


class Outlet(NamedTuple):
    """What leads to names.

    Attributes:
        variables: by which programs find it.
        resolves: what `/etc/resolv.conf` says in there.
        opened: makes it for the namespace of a process, and gives what ends it.
    """

    variables: Mapping[str, str]
    resolves: bytes
    opened: Callable[[int], Callable[[], object]]


class OutletOpener:
    """The thread that makes an outlet for one sandbox, and lets its command go then.

    Args:
        outlet: what is made.

    Attributes:
        telling: a descriptor on which bwrap says which process is the first (`--info-fd`); closed by whoever passes it.
        waiting: one that its command waits for (`--block-fd`); the same.
        fault: why it could not be made, so that the command was not executed; None where it was, or is being made.
    """

    def __init__(self, outlet: Outlet) -> None:
        self._outlet, self._lock = outlet, threading.Lock()
        self._info, self.telling = os.pipe()
        self.waiting, self._go = os.pipe()
        self._close: Callable[[], object] | None = None
        self._thread: threading.Thread | None = None
        self._over = False
        self.fault: Exception | None = None

    def begin(self) -> None:
        """Make it, beside all else."""
        self._thread = threading.Thread(target=self._work, name="asimi outlet", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # no room for a thread
            self._work()

    def end(self) -> None:
        """End it; a command that still waits must have ended before."""
        with self._lock:
            self._over, close, self._close = True, self._close, None
            os.close(self._go)
            if self._thread is None:
                os.close(self._info)
        if close is not None:
            close()

    def _work(self) -> None:
        with contextlib.closing(os.fdopen(self._info, "rb")) as info:
            said = info.read(SAID)
        try:
            first = int(json.loads(said)["child-pid"])
        except (ValueError, KeyError):
            return  # bwrap has ended, and says why itself
        try:
            close = self._outlet.opened(first)
        except Exception as error:  # noqa: BLE001 - whatever it is, the command does not start
            self.fault = ConfinementError(getattr(error, "why", f"its network cannot be made: {error}"))
            with contextlib.suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)  # it waits for us, so nothing runs in there yet
            return
        with self._lock:
            if not self._over:
                self._close = close
                with contextlib.suppress(BrokenPipeError):  # it was ended meanwhile
                    os.write(self._go, b".")
                return
        close()
