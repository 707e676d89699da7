"""Unix sockets: an address for any path, and who is at the other end.

The kernel notes who connected (`SO_PEERCRED`, unix(7)). That is no proof of who speaks: a connection outlives the
process that made it, and is inherited and handed on. So a peer is held by a descriptor of the process itself where the
kernel gives one (`SO_PEERPIDFD`, Linux 6.5), else by its number and its start, and each piece of what it says has the
credentials of its sender (`SO_PASSCRED`).
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.world.host.nested import started_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

BACKLOG = 128
"""Connections that wait until they are accepted."""

_PEERPIDFD = 77
"""`SO_PEERPIDFD` of <asm-generic/socket.h>; Python has no name for it, and where the number is another one it fails."""

_CREDENTIALS = struct.Struct("3i")
"""`struct ucred`: process, user, group (unix(7))."""


class Peer:
    """The process that made a connection, held so that no other process can be taken for it.

    Attributes:
        pid: its number; 0 where it cannot be seen from here.
        user: its user.

    Raises:
        OSError: it is gone.
    """

    def __init__(self, connection: socket.socket) -> None:
        said = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        self.pid, self.user, _ = _CREDENTIALS.unpack(said)
        self._handle, self._started = -1, 0
        try:
            self._handle = connection.getsockopt(socket.SOL_SOCKET, _PEERPIDFD)
        except OSError as error:
            if error.errno != errno.ENOPROTOOPT:  # EINVAL, ESRCH: it is gone, and another may have its number
                raise
            self._started = started_at(self.pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def lives(self) -> bool:
        """Whether it has not ended."""
        if self._handle < 0:
            return self._started > 0 and started_at(self.pid) == self._started
        from select import POLLIN, poll

        poller = poll()
        poller.register(self._handle, POLLIN)  # readable once the process has ended (pidfd_open(2))
        return not poller.poll(0) and started_at(self.pid) > 0


def holds_peers() -> bool:
    """Whether the kernel hands out a descriptor of whoever connected."""
    if not hasattr(socket, "SO_PEERCRED"):
        return False
    near, far = socket.socketpair()
    with near, far:
        try:
            os.close(near.getsockopt(socket.SOL_SOCKET, _PEERPIDFD))
        except OSError:
            return False
    return True


def stranger(peer: Peer, is_person: Callable[[int], bool]) -> str:
    """Return why a process may not say something for a person, or nothing.

    It is alive before and after all that is looked at.
    """
    if peer.user != os.geteuid():
        return "it comes from another user"
    if peer.pid <= 0:
        return "it comes from a process that cannot be seen from here"
    if not peer.lives():
        return "the process that gave it is gone"
    if not is_person(peer.pid):
        return "it comes from a command that asimi runs" if peer.lives() else "the process that gave it is gone"
    return "" if peer.lives() else "the process that gave it is gone"


def show_senders(listener: socket.socket) -> None:
    """Let the kernel note who sends each piece, also on connections that come (unix(7), `SO_PASSCRED`)."""
    if hasattr(socket, "SO_PASSCRED"):
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)


def receive_with_sender(connection: socket.socket, size: int) -> tuple[bytes, tuple[int, int] | None]:
    """Return what has come, and the process and the user that sent it; None for these where the kernel does not say.

    Raises:
        BlockingIOError: nothing has come yet.
        OSError: the connection is broken.
    """
    if not hasattr(socket, "SO_PASSCRED"):
        return connection.recv(size), None
    data, pieces, _, _ = connection.recvmsg(size, socket.CMSG_SPACE(_CREDENTIALS.size))
    for level, kind, content in pieces:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS) and len(content) == _CREDENTIALS.size:
            pid, user, _ = _CREDENTIALS.unpack(content)
            return data, (pid, user)
    return data, (0, -1)


def peer_of(connection: socket.socket) -> tuple[int, int] | None:
    """The process and the user at the other end; None where the kernel does not say (the directory's mode does)."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    pid, user, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return pid, user


def listen_at(path: str, *, senders: bool = False) -> socket.socket:
    """Return a socket that hears at a path, for this user alone.

    Args:
        path: where, in a directory that nobody else may write.
        senders: whether the kernel notes who sends each piece.

    Raises:
        OSError: there can be none.
    """
    listener = socket.socket(socket.AF_UNIX)
    try:
        if senders:
            show_senders(listener)
        for address in address_of(*os.path.split(path)):
            listener.bind(address)
        os.chmod(path, 0o600)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def connections(listener: socket.socket) -> Iterator[socket.socket]:
    """Yield each connection that comes, until the listener is closed."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            if listener.fileno() < 0:
                return
            time.sleep(0.05)  # no descriptor is left, or nothing to accept on
            continue
        yield connection


def end_listening(listener: socket.socket, path: str) -> None:
    """Hear nobody any more, which ends `connections`."""
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    with suppress(OSError):
        os.unlink(path)


def address_of(directory: str, name: str) -> Iterator[str]:
    """Yield the address of a socket, good until the next item is asked for.

    An address has room for about a hundred bytes; Linux lets us name the directory by a descriptor instead.
    """
    if sys.platform != "linux":
        yield os.path.join(directory, name)
        return
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{name}"
    finally:
        os.close(descriptor)
