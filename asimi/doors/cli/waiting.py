"""Shows a person, while a command prints nothing, how long it has run and how much it has written.

Only on a terminal, only on standard error, and only while the cursor is at the beginning of a line; it disappears
before the next output and at the end.
"""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING

from asimi.doors.cli.printing import is_terminal
from asimi.world.host.terminal import is_asked, look_of, writable, write

if TYPE_CHECKING:
    from typing import Any

    from asimi.core.call import Execution, Result
    from asimi.core.interfaces import Executor, Listener

SILENCE = 1.0  # seconds without output after which it is shown
TICK = 0.2  # seconds between two pictures
ERASE = b"\r\x1b[K"
UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB"))


class Waiting:
    """An executor that shows on the terminal that its command is still running.

    Args:
        executor: what runs the commands.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._began = self._heard = 0.0
        self._bytes = 0
        self._shown = False
        self._fresh = True  # whether the cursor is at the beginning of a line, as far as we know

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """Return the executor's result."""
        self._began = self._heard = time.monotonic()

        def heard(stream: str, data: bytes) -> Any:
            self._erase()
            self._heard, self._bytes, self._fresh = time.monotonic(), self._bytes + len(data), data.endswith(b"\n")
            return None if listener is None else listener(stream, data)

        drawing = asyncio.create_task(self._draw())
        try:
            return await self._executor.run(execution, heard)
        finally:
            drawing.cancel()
            self._erase()

    def interrupt(self) -> None:
        """The executor's own."""
        self._executor.interrupt()

    async def _draw(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            silent = now - self._heard >= SILENCE and self._fresh
            if silent and writable(2) and not is_asked(2):  # not where the person has stopped it, or reads a question
                self._shown = True
                write(2, ERASE + f"… {now - self._began:.0f} s, {_amount(self._bytes)}".encode())

    def _erase(self) -> None:
        if self._shown and not is_asked(2):
            write(2, ERASE)
            self._shown = False


def wanted() -> bool:
    """Return whether standard error is a terminal that can erase a line, and its user has not asked for plain lines."""
    return is_terminal(2) and not look_of(os.environ, 2).plain


def _amount(size: int) -> str:
    """Return a number of bytes in words."""
    for unit, name in UNITS:
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"
