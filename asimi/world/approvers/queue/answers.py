"""How an answer reaches the process that asked: over a Unix socket, from one living process to another.

Not a file, for three reasons. It arrives at once, without polling. It cannot outlive the process that gave it, so
nothing that could count as an answer is left when one side is killed. And the kernel says who is at the other end, so
the asking side, too, finds out whether a command that asimi runs answers for a person.

One line of JSON goes there, one comes back. If the giver of an answer has hung up, the answer does not count, because
the giver already saw that it failed.
"""

from __future__ import annotations

import os
import socket
import stat
from typing import TYPE_CHECKING, Any

from asimi.core.call import Approval
from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid, dumps, loads, parse_as
from asimi.world.host.sockets import Peer, address_of, listen_at, peer_of, receive_with_sender, stranger

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from asimi.world.approvers.queue.entries import Entry

VERSION = 1
"""The format of answers."""

PATIENCE = 5.0
"""Seconds that either side waits for the other's line."""

LONGEST = 4 << 20
"""Bytes of the longest answer."""


class AnswerSocket:
    """Where a process hears the answers to its questions.

    Args:
        directory: the directory of questions.
        take: gets the id, the digest and the answer; says why it does not count, or nothing.
        is_person: whether the process of a number can be a person's.
    """

    def __init__(
        self,
        directory: str,
        take: Callable[[str, str, Approval], str],
        is_person: Callable[[int], bool],
    ) -> None:
        self.name = f"gate-{os.getpid()}-{os.urandom(4).hex()}.sock"
        self._directory, self._take, self._is_person = directory, take, is_person
        self._loop: asyncio.AbstractEventLoop | None = None
        self._talks = set[Any]()
        try:
            self._socket = listen_at(os.path.join(directory, self.name), senders=True)
        except OSError as error:
            raise AsimiError(f"{directory}: cannot create a socket there for answers: {error}") from None
        self._socket.setblocking(False)

    def listen(self) -> None:
        """Hear answers in the loop that runs now."""
        from asyncio import get_running_loop

        if self._loop is not (loop := get_running_loop()):
            self._loop = loop
            loop.add_reader(self._socket, self._accept)

    def close(self) -> None:
        """Hear nothing more."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._socket)
        self._socket.close()
        try:
            os.unlink(os.path.join(self._directory, self.name))
        except OSError:
            return

    def _accept(self) -> None:
        from asyncio import ensure_future

        try:
            connection, _ = self._socket.accept()
        except OSError:
            return
        talk = ensure_future(self._talk(connection))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _talk(self, connection: socket.socket) -> None:
        """Hear one answer and say what became of it."""
        from asyncio import get_running_loop, timeout

        connection.setblocking(False)
        with connection:
            try:
                async with timeout(PATIENCE):
                    why = await self._answered(connection)
                    await get_running_loop().sock_sendall(connection, dumps({"taken": not why, "why": why}, VERSION))
            except (OSError, TimeoutError):
                return

    async def _answered(self, connection: socket.socket) -> str:
        """Return why the answer that comes is not taken, or nothing.

        Raises:
            OSError: none comes.
        """
        if not hasattr(socket, "SO_PEERCRED"):  # the directory's mode says whose user it is, and nothing more is known
            return self._heard(connection, await _line(connection, None))
        with Peer(connection) as peer:
            line = await _line(connection, (peer.pid, peer.user))
            return stranger(peer, self._is_person) or self._heard(connection, line, peer)

    def _heard(self, connection: socket.socket, line: bytes, peer: Peer | None = None) -> str:
        """Return why an answer is not taken, or nothing."""
        if not line:
            return "it comes from another process than the one that connected"
        try:
            message = loads(line, VERSION)
            answer: Approval = parse_as(Approval, message.get("answer"), "answer")
            name, digest = parse_as(str, message.get("id"), "id"), parse_as(str, message.get("digest"), "digest")
        except Invalid as fault:
            return f"it is not a valid answer: {fault}"
        if _hung_up(connection) or (peer is not None and not peer.lives()):
            return "the process that gave it is gone"
        return self._take(name, digest, answer)


async def _line(connection: socket.socket, sender: tuple[int, int] | None) -> bytes:
    """Return the line that comes; empty where a piece of it was sent by somebody else.

    Raises:
        OSError: it does not come, or is too long.
    """
    line = bytearray()
    while not line.endswith(b"\n"):
        await _readable(connection)
        data, by = receive_with_sender(connection, 1 << 16)
        line += data
        if not data or len(line) > LONGEST:
            raise ConnectionError
        if by != sender:
            return b""
    return bytes(line)


async def _readable(connection: socket.socket) -> None:
    """Wait until something has come."""
    from asyncio import get_running_loop

    loop = get_running_loop()
    came: asyncio.Future[None] = loop.create_future()
    loop.add_reader(connection, lambda: None if came.done() else came.set_result(None))
    try:
        await came
    finally:
        loop.remove_reader(connection)


def deliver(directory: str, entry: Entry, answer: Approval) -> str:
    """Give an answer to the process that asked; why it was not taken, or nothing."""
    try:
        with _connect(directory, entry) as connection:
            connection.settimeout(PATIENCE)
            connection.sendall(dumps({"id": entry.id, "digest": entry.digest, "answer": answer}, VERSION))
            line = bytearray()
            while not line.endswith(b"\n") and (data := connection.recv(1 << 16)):
                line += data
        reply = loads(bytes(line), VERSION)
        taken, why = parse_as(bool, reply.get("taken"), "taken"), parse_as(str, reply.get("why"), "why")
    except (OSError, AsimiError) as error:
        return f"the process that asked does not answer ({error})"
    return "" if taken else why or "the process that asked did not take it"


def listens(directory: str, entry: Entry | str) -> bool:
    """Whether somebody listens at an entry's socket, or at one of a name."""
    try:
        _connect(directory, entry).close()
    except (OSError, AsimiError):
        return False
    return True


def _connect(directory: str, entry: Entry | str) -> socket.socket:
    """Return a connection to the process that asked.

    Raises:
        OSError: nobody listens.
        AsimiError: it is not the process of the entry.
    """
    name = entry if isinstance(entry, str) else entry.socket or ""
    there = os.lstat(os.path.join(directory, name))
    if not stat.S_ISSOCK(there.st_mode) or there.st_uid != os.geteuid():
        raise AsimiError(f"{name} is not a socket of yours")
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(PATIENCE)
        for address in address_of(directory, name):
            connection.connect(address)
        peer = peer_of(connection)
    except BaseException:
        connection.close()
        raise
    if not isinstance(entry, str) and peer is not None and peer != (entry.pid, os.geteuid()):
        connection.close()
        raise AsimiError(f"process {entry.pid} asked, and process {peer[0]} listens")
    return connection


def _hung_up(connection: socket.socket) -> bool:
    """Whether the other end was closed since it sent its line."""
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
