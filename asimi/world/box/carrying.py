"""Carries bytes between pairs of connections, thousands of them in one thread; what is sent never enters this process.

The kernel moves it, from a connection into a pipe and from there into the other one (splice(2)), so a pair costs its
two descriptors while nothing is under way. A side that has said all may go on hearing.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

PIECE = 1 << 20
"""Bytes that are moved at a time, and that a pipe holds."""

TURNS = 8
"""Pieces that one pair may move before the others have their turn."""

IDLE, HALF = 3600.0, 300.0
"""Seconds after which a pair is ended in which nobody says anything, and one of which a side has said all."""

ENDING = 2.0
"""Seconds in which all pairs are ended at the end."""

LEAVING, LEFT = 2.0, 512
"""Seconds in which who was turned away may read why, and how many of them may."""

TICK = 5.0
"""Seconds between two looks at the clock."""

PIPES = 32
"""Pipes that are kept for the next piece."""

_SIZED = 1031  # F_SETPIPE_SZ (fcntl(2))


class _Way:
    """One of the two directions of a pair.

    Attributes:
        source: where it comes from.
        target: where it goes to.
        pipe: what holds some of it, reading end first; None while nothing is under way.
        held: how much.
        left: how much more may go through; None for all.
        told: how much has gone through.
        ended: whether the source has said all.
        shut: whether the target was told so.
    """

    __slots__ = ("ended", "held", "left", "pipe", "shut", "source", "target", "told")

    def __init__(self, source: socket.socket, target: socket.socket, left: int | None = None) -> None:
        self.source, self.target, self.left = source, target, left
        self.pipe: tuple[int, int] | None = None
        self.held = self.told = 0
        self.ended = self.shut = False


class _Pair(NamedTuple):
    there: _Way
    back: _Way
    done: Callable[[int, int], None]
    last: list[float]


class Carrier:
    """Carries pairs of connections until both sides have said all.

    The thread runs from the first pair on, to `close`.

    Args:
        idle: seconds after which a pair is ended in which nobody says anything.
        half: the same where one side has said all.
    """

    def __init__(self, idle: float = IDLE, half: float = HALF) -> None:
        self._idle, self._half = idle, half
        self._lock = threading.Lock()
        self._new: list[_Pair] = []
        self._leaving: dict[int, tuple[socket.socket, float]] = {}
        self._turned: list[socket.socket] = []
        self._ended: list[socket.socket] = []
        self._pairs: dict[int, _Pair] = {}
        self._masks: dict[int, int] = {}
        self._pipes: list[tuple[int, int]] = []
        self._wake = self._woken = -1
        self._closed = False
        self._thread: threading.Thread | None = None

    def carry(
        self, client: socket.socket, server: socket.socket, done: Callable[[int, int], None], most: int | None = None
    ) -> None:
        """Carry what two connections say; they are closed at the end.

        Args:
            client: one of them.
            server: the other one.
            done: is told at the end how many bytes the client has sent, and how many it got.
            most: how many bytes of what the client says go through, what follows goes nowhere; None for all.
        """
        for each in (client, server):
            each.setblocking(False)
        pair = _Pair(_Way(client, server, most), _Way(server, client), done, [time.monotonic()])
        self._hand_over(lambda: self._new.append(pair))

    def turn_away(self, client: socket.socket, said: bytes) -> None:
        """Tell a client something and let it go, in time for it to read that."""
        client.setblocking(False)
        with contextlib.suppress(OSError):
            client.send(said)
            client.shutdown(socket.SHUT_WR)
            self._hand_over(lambda: self._turned.append(client))
            return
        client.close()

    def close(self) -> None:
        """End all of it; how much was carried is told by then."""
        with self._lock:
            self._closed = True
            if self._wake >= 0:
                os.write(self._wake, b".")
        if self._thread is not None:
            self._thread.join(ENDING)

    def _hand_over(self, add: Callable[[], None]) -> None:
        with self._lock:
            if self._closed:
                raise OSError("it has ended")
            add()
            if self._wake < 0:
                self._woken, self._wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
                self._thread = threading.Thread(target=self._run, name="asimi network", daemon=True)
                self._thread.start()
            with contextlib.suppress(BlockingIOError):
                os.write(self._wake, b".")

    def _run(self) -> None:
        with select.epoll() as poll:
            poll.register(self._woken, select.EPOLLIN)
            looked, tick = time.monotonic(), min(TICK, self._idle, self._half)
            while not self._closed:
                for number, event in poll.poll(tick):
                    if number == self._woken:
                        self._take(poll)
                    elif number in self._leaving:
                        self._hear_out(number)
                    elif (pair := self._pairs.get(number)) is not None:
                        self._move(poll, pair, broken=bool(event & select.EPOLLERR))
                self._let_go()
                if (now := time.monotonic()) - looked >= min(tick, LEAVING):
                    looked = now
                    self._look(poll, now)
            self._take(poll)
            for pair in _each_once(self._pairs):
                self._end(poll, pair)
            self._let_go()
            for client, _ in self._leaving.values():
                client.close()
            for pipe in self._pipes:
                _close(pipe)
            with self._lock:
                _close((self._woken, self._wake))

    def _take(self, poll: select.epoll) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._woken, 1 << 16)
        with self._lock:
            new, self._new = self._new, []
            turned, self._turned = self._turned, []
        for client in turned:
            if len(self._leaving) >= LEFT:
                client.close()
                continue
            self._leaving[client.fileno()] = client, time.monotonic() + LEAVING
            poll.register(client.fileno(), select.EPOLLIN)
        for pair in new:
            for way in pair[:2]:
                self._pairs[way.source.fileno()] = pair
            self._move(poll, pair, broken=False)

    def _move(self, poll: select.epoll, pair: _Pair, *, broken: bool) -> None:
        """Move what can be moved, both ways, and say what is waited for then."""
        try:
            moved = [] if broken else [self._pump(way) for way in pair[:2]]
        except OSError:
            moved = []
        if not moved:
            self._end(poll, pair)
            return
        if any(moved):
            pair.last[0] = time.monotonic()
        if pair.there.shut and pair.back.shut:
            self._end(poll, pair)
            return
        for way, other in ((pair.there, pair.back), (pair.back, pair.there)):
            mask = select.EPOLLIN if not way.ended and not way.held else 0
            mask |= select.EPOLLOUT if other.held else 0
            self._wait_for(poll, way.source.fileno(), mask)

    def _wait_for(self, poll: select.epoll, number: int, mask: int) -> None:
        """Wait for events; a connection that nothing is waited for is taken out, as its end would be told for ever."""
        before = self._masks.get(number, 0)
        if mask == before:
            return
        if not mask:
            poll.unregister(number)
        elif before:
            poll.modify(number, mask)
        else:
            poll.register(number, mask)
        self._masks[number] = mask

    def _pump(self, way: _Way) -> bool:
        """Move what there is in one direction; whether there was anything.

        Raises:
            OSError: one of the two is gone.
        """
        moved = False
        for _ in range(TURNS):
            if not way.held and not way.ended:
                try:
                    way.ended = not self._read_source(way)
                except BlockingIOError:
                    break
                moved = True
            if way.held:
                assert way.pipe is not None
                try:
                    gone = os.splice(way.pipe[0], way.target.fileno(), way.held, flags=os.SPLICE_F_NONBLOCK)
                except BlockingIOError:
                    break
                way.held, way.told, moved = way.held - gone, way.told + gone, True
            if way.ended and not way.held:
                if not way.shut:
                    way.shut = True
                    with contextlib.suppress(OSError):
                        way.target.shutdown(socket.SHUT_WR)
                break
        if not way.held and way.pipe is not None:
            self._pipes.append(way.pipe)
            way.pipe = None
            if len(self._pipes) > PIPES:
                _close(self._pipes.pop())
        return moved

    def _read_source(self, way: _Way) -> int:
        """Take what the source says; how much that was.

        Raises:
            OSError: it is gone, or says nothing now.
        """
        if way.left == 0:
            return len(way.source.recv(1 << 16))
        way.pipe = way.pipe or self._pipe()
        most = PIECE if way.left is None else min(PIECE, way.left)
        way.held = os.splice(way.source.fileno(), way.pipe[1], most, flags=os.SPLICE_F_NONBLOCK)
        if way.left is not None:
            way.left -= way.held
        return way.held

    def _pipe(self) -> tuple[int, int]:
        if self._pipes:
            return self._pipes.pop()
        import fcntl

        made = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        with contextlib.suppress(OSError):  # a user may have so much in pipes (pipe(7)); the usual size will do
            fcntl.fcntl(made[1], _SIZED, PIECE)
        return made

    def _end(self, poll: select.epoll, pair: _Pair) -> None:
        for way in pair[:2]:
            number = way.source.fileno()
            self._wait_for(poll, number, 0)
            self._masks.pop(number, None)
            del self._pairs[number]
            self._ended.append(way.source)
            if way.pipe is not None:
                _close(way.pipe)
        pair.done(pair.there.told, pair.back.told)

    def _let_go(self) -> None:
        """Close what has ended; not before, as its number would be another's among the events that are still read."""
        for each in self._ended:
            each.close()
        self._ended.clear()

    def _hear_out(self, number: int) -> None:
        """Hear what somebody says who was turned away, which is not looked at, to its end."""
        client, _ = self._leaving[number]
        with contextlib.suppress(OSError):
            if client.recv(1 << 16):
                return
        del self._leaving[number]
        client.close()

    def _look(self, poll: select.epoll, now: float) -> None:
        """End whatever is idle."""
        for number in [number for number, (_, until) in self._leaving.items() if until < now]:
            self._leaving.pop(number)[0].close()
        for pair in _each_once(self._pairs):
            if now - pair.last[0] > (self._half if pair.there.ended or pair.back.ended else self._idle):
                self._end(poll, pair)


def _each_once(pairs: dict[int, _Pair]) -> list[_Pair]:
    return list({id(each): each for each in pairs.values()}.values())


def _close(pipe: tuple[int, int]) -> None:
    for each in pipe:
        os.close(each)
