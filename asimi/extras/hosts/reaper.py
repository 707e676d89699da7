"""A process that ends what a far end started, once that is gone without a goodbye.

It is a copy of the far end, made before that has an event loop or a child, in a session of its own, so that nothing
that ends the far end ends it too. The two share one pipe: the far end says which calls may have processes, and `bye` at
an ordered end. The end of the pipe without that, which the kernel sees to however the far end ended, means that the
near end is lost or the far end was killed. What was left in the background by calls that ended counts as well: nobody
can reach it through this link any more.

It finds processes by the marks of their calls alone, as `jobs` does (`processes.py` says what may escape them).
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.world.executors.finders import new_finder
from asimi.world.executors.processes import DIRECT, Mark, end_processes

if TYPE_CHECKING:
    from typing import NoReturn

    from asimi.world.executors.processes import ProcessFinder

BYE = "bye"
"""What is said at an ordered end."""


class Keeper:
    """The far end's side of the pipe; makes the keeper.

    Only for a process without threads.
    """

    def __init__(self) -> None:
        reading, self._pipe = os.pipe()
        finder = new_finder()  # with all that it imports: later there may be no disk to import from
        self.pid = os.fork()
        if not self.pid:
            os.close(self._pipe)
            _keep(reading, finder)
        os.close(reading)
        os.set_blocking(self._pipe, False)
        DIRECT.add(self.pid)  # nobody waits for it

    def begin(self, mark: Mark) -> None:
        """A call is about to have processes.

        Raises:
            AsimiError: nobody keeps; the call must not start.
        """
        self._say(f"+ {mark.number} {mark.id}")

    def end(self, id: str) -> None:  # noqa: A002 - the id of a call, as everywhere
        """A call has none any more."""
        self._say(f"- 0 {id}")

    def release(self) -> None:
        """It is an ordered end: what runs may go on."""
        with suppress(AsimiError):
            self._say(f"{BYE} 0 {BYE}")

    def _say(self, line: str) -> None:
        try:
            os.write(self._pipe, f"{line}\n".encode())
        except OSError:
            raise AsimiError("the process that would end what is left is gone") from None


def _keep(reading: int, finder: ProcessFinder) -> NoReturn:
    """The keeper itself."""
    try:
        os.setsid()
        for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGPIPE"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):  # the connection must end with the far end, not with us
            os.dup2(null, descriptor)
        os.dup2(reading, 3)
        os.closerange(4, 1 << 16)
        os.chdir("/")
        marks: dict[str, Mark] = {}
        with open(3, encoding="utf-8") as lines:
            for line in lines:
                what, number, id = line.rstrip("\n").split(" ", 2)  # noqa: A001 - the id of a call, as everywhere
                if what == BYE:
                    os._exit(0)
                if what == "+":
                    marks[id] = Mark(id, int(number))
                else:
                    marks.pop(id, None)
        _end(marks, finder)
    finally:
        os._exit(1)


def _end(marks: dict[str, Mark], finder: ProcessFinder) -> None:
    """End all processes of some calls."""

    def alive() -> set[int]:
        found = {pid for mark in marks.values() for pid in finder.alive(mark, thorough=True)}
        return found - {os.getpid()}

    if marks:
        for pause in end_processes(alive):
            time.sleep(pause)
