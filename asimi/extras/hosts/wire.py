"""Frames over two descriptors in an event loop, and how an end learns that the other is lost; the same at both ends."""

from __future__ import annotations

import asyncio
import os
import select
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from asimi.extras.hosts.frames import Broken, Ping, Reader, packed

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.extras.hosts.frames import Frame

READ = 1 << 18
"""Bytes of a read."""
FULL = 1 << 19
"""Bytes that wait to be written, beyond which no more output is read: the pipe is slower than the commands."""
BEATS = 3
"""How often an end says something in the time after which it would be lost."""


class Wire:
    """One end of a link.

    Both descriptors are made non-blocking and belong to this; sockets, pipes and terminals alike, also one for both.

    Args:
        source: the descriptor that is read.
        sink: the descriptor that is written.
        kinds: what the other end may send.
        took: is told each frame, in the loop; may raise `Broken`.
        lost: is told once why no more will come, in words; empty where the other end closed the stream.
        silence: seconds after which the other end is lost if it says nothing.
    """

    def __init__(
        self,
        source: int,
        sink: int,
        kinds: dict[int, type[Any]],
        took: Callable[[Frame], object],
        lost: Callable[[str], object],
        silence: float,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._source, self._sink, self._reader = source, sink, Reader(kinds)
        self._took, self._lost, self._silence = took, lost, silence
        self._waiting = bytearray()
        self._writing = False
        self._deaf = False  # whether the other end takes nothing any more
        self._hung_up = False
        self._heard = self._said = self._loop.time()
        self._room: list[asyncio.Future[None]] = []
        self._timer: asyncio.TimerHandle | None = None
        self.over = False

    def open(self, already: bytes = b"") -> None:
        """Begin to read.

        Args:
            already: what was read before.

        Raises:
            PermissionError: a descriptor is a file, which nobody can wait for.
        """
        for descriptor in (self._source, self._sink):
            os.set_blocking(descriptor, False)
        self._loop.add_reader(self._source, self._read)
        self._heard = self._loop.time()
        self._beat()
        if already:
            self._feed(already)

    @property
    def full(self) -> bool:
        """Whether more waits to be written than is good."""
        return len(self._waiting) > FULL

    async def room(self) -> None:
        """Return when it is not full any more, or is over."""
        while self.full and not self.over:
            self._room.append(self._loop.create_future())
            await self._room[-1]

    def send(self, frame: Frame) -> None:
        """Send a frame, now or when there is room; nothing once it is over.

        Raises:
            ValueError: it is longer than a frame may be; nothing was sent.
        """
        data = packed(frame)
        if self.over or self._deaf:
            return
        self._waiting += data
        self._said = self._loop.time()
        if not self._writing:
            self._write()

    async def sent(self, patience: float) -> None:
        """Return when all is written, it is over, or so many seconds have passed."""
        until = self._loop.time() + patience
        while self._waiting and not self.over and self._loop.time() < until:  # noqa: ASYNC110 - it has an end of its own
            await asyncio.sleep(0.005)

    def agree(self, silence: float) -> None:
        """From now on, the other end is lost after other seconds of silence."""
        self._silence = silence
        if self._timer is not None:
            self._timer.cancel()
            self._beat()

    def hang_up(self) -> None:
        """Write no more, and let the other end see that; go on reading. For two descriptors."""
        if not self.over and not self._deaf:
            self._deaf = self._hung_up = True
            self._waiting.clear()
            self._unwatch()
            os.close(self._sink)

    def close(self) -> None:
        """Neither read nor write any more, and close both; nobody is told."""
        if self.over:
            return
        self.over = True
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._source)
        self._unwatch()
        self.forsake()
        self._wake()

    def forsake(self) -> None:
        """Close both and touch nothing else; also for a copy of the process whose link it is."""
        for descriptor in {self._source} if self._hung_up else {self._source, self._sink}:
            with suppress(OSError):
                os.close(descriptor)

    def _end(self, why: str) -> None:
        if not self.over:
            self.close()
            self._lost(why)

    def _read(self) -> None:
        try:
            data = os.read(self._source, READ)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._end("" if isinstance(error, ConnectionError) else f"it cannot be read: {error.strerror}")
            return
        if data:
            self._heard = self._loop.time()
            self._feed(data)
        else:
            self._end("")

    def _feed(self, data: bytes) -> None:
        try:
            for frame in self._reader.feed(data):
                if not isinstance(frame, Ping):
                    self._took(frame)
                if self.over:
                    return
        except Broken as fault:
            self._end(str(fault))
        except Exception as error:
            self._end(f"asimi failed: {type(error).__name__}: {error}")
            raise

    def _write(self) -> None:
        """Write what waits, as much as there is room for."""
        try:
            while self._waiting:
                with memoryview(self._waiting) as view:
                    taken = os.write(self._sink, view[:READ])
                del self._waiting[:taken]
        except (BlockingIOError, InterruptedError):
            if not self._writing:
                self._loop.add_writer(self._sink, self._write)
                self._writing = True
        except OSError:  # what it said last is still to be read, then why
            self._deaf = True
            self._waiting.clear()
            self._unwatch()
        else:
            self._unwatch()
        if not self.full:
            self._wake()

    def _unwatch(self) -> None:
        if self._writing:
            self._loop.remove_writer(self._sink)
            self._writing = False

    def _wake(self) -> None:
        waiting, self._room = self._room, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    def _beat(self) -> None:
        """Say something if nothing was said, and look whether the other end still does."""
        now = self._loop.time()
        if now - self._heard > self._silence and not _readable(self._source):  # else we were the one who was stopped
            self._end(f"nothing was heard of it for {self._silence:g} seconds")
            return
        if now - self._said >= self._silence / (2 * BEATS) and not self._waiting:
            self.send(Ping())
        if not self.over:
            self._timer = self._loop.call_later(self._silence / (2 * BEATS), self._beat)


def _readable(descriptor: int) -> bool:
    """Whether something is there to be read, or its end."""
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    return bool(ready.poll(0))
