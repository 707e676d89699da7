"""How an answer reaches the process that asked: over a Unix socket, from one living process to another.

Not a file, for three reasons. It arrives at once, without polling. It cannot outlive the process that gave it, so
nothing that could count as an answer is left when one side is killed. And the kernel says who is at the other end
(`SO_PEERCRED`, unix(7)), so the asking side, too, finds out whether a command that asimi runs answers for a
person.

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
from asimi.core.stored import Invalid, dumps, loads, parsed
from asimi.world.host.sockets import address_of, peer_of

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

BACKLOG = 128


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
        self._socket = socket.socket(socket.AF_UNIX)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._talks = set[Any]()
        try:
            self._socket.setblocking(False)
            for address in address_of(directory, self.name):
                self._socket.bind(address)
            os.chmod(os.path.join(directory, self.name), 0o600)
            self._socket.listen(BACKLOG)
        except OSError as error:
            self._socket.close()
            raise AsimiError(f"{directory}: cannot create a socket there for answers: {error}") from None

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
        loop = get_running_loop()
        with connection:
            try:
                async with timeout(PATIENCE):
                    line = bytearray()
                    while not line.endswith(b"\n"):
                        data = await loop.sock_recv(connection, 1 << 16)
                        line += data
                        if not data or len(line) > LONGEST:
                            return
                    why = self._heard(connection, bytes(line))
                    await loop.sock_sendall(connection, dumps({"taken": not why, "why": why}, VERSION))
            except (OSError, TimeoutError):
                return

    def _heard(self, connection: socket.socket, line: bytes) -> str:
        """Why an answer is not taken, or nothing."""
        if why := self._stranger(connection):
            return why
        try:
            message = loads(line, VERSION)
            answer: Approval = parsed(Approval, message.get("answer"), "answer")
            name, digest = parsed(str, message.get("id"), "id"), parsed(str, message.get("digest"), "digest")
        except Invalid as fault:
            return f"it is not a valid answer: {fault}"
        if _hung_up(connection):
            return "the process that gave it is gone"
        return self._take(name, digest, answer)

    def _stranger(self, connection: socket.socket) -> str:
        """Why the process at the other end may not answer, or nothing."""
        peer = peer_of(connection)
        if peer is None:
            return ""
        pid, user = peer
        if user != os.geteuid():
            return "it comes from another user"
        if pid <= 0:
            return "it comes from a process that cannot be seen from here"
        return "" if self._is_person(pid) else "it comes from a command that asimi runs"


def deliver(directory: str, entry: Entry, answer: Approval) -> str:
    """Give an answer to the process that asked; why it was not taken, or nothing."""
    try:
        with _connected(directory, entry) as connection:
            connection.settimeout(PATIENCE)
            connection.sendall(dumps({"id": entry.id, "digest": entry.digest, "answer": answer}, VERSION))
            line = bytearray()
            while not line.endswith(b"\n") and (data := connection.recv(1 << 16)):
                line += data
        reply = loads(bytes(line), VERSION)
        taken, why = parsed(bool, reply.get("taken"), "taken"), parsed(str, reply.get("why"), "why")
    except (OSError, AsimiError) as error:
        return f"the process that asked does not answer ({error})"
    return "" if taken else why or "the process that asked did not take it"


def listens(directory: str, entry: Entry | str) -> bool:
    """Whether somebody listens at an entry's socket, or at one of a name."""
    try:
        _connected(directory, entry).close()
    except (OSError, AsimiError):
        return False
    return True


def _connected(directory: str, entry: Entry | str) -> socket.socket:
    """A connection to the process that asked.

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
