"""A socket of each running box, where the person says in another terminal what of that which appeared shall stay.

It lies beside the box's record, `STATE/boxes/NAME.sock`, where no box can see it. One line of JSON goes there, one
comes back. Every process of the same user is told what a box is and what was moved; only a person has something kept.
"""

from __future__ import annotations

import os
import socket
import stat
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid, dumps, loads, parse_as
from asimi.core.values import NamedTuple
from asimi.world.box.reaper import SOCKET
from asimi.world.host.nested import is_person
from asimi.world.host.sockets import (
    Peer,
    address_of,
    connections,
    end_listening,
    listen_at,
    peer_of,
    receive_with_sender,
    stranger,
)

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = 1
"""The format of what goes over the socket."""

PATIENCE = 5.0
"""Seconds within which a line must have come."""

KEEPING = 30.0
"""Seconds within which a box has put something back, or says why not."""

LONGEST = 1 << 20
"""Bytes of the longest line."""


class RunningBox(NamedTuple):
    """A box that runs.

    Attributes:
        title: of its program.
        root: the project root.
        opened: where the inside writes, real paths.
        began: when, in seconds since the epoch.
        moved: the paths of what appeared and was moved away, and where each is now.
    """

    title: str
    root: str
    opened: tuple[str, ...]
    began: float
    moved: tuple[tuple[str, str], ...] = ()


class Keeps:
    """Hears what a box shall keep; a context manager, whose end is `close`.

    Args:
        path: the socket, in a directory that only its user may enter.
        keep: puts back what was moved from a path and holds it; returns why not, in words, or nothing.
        running: says what the box is now.

    Raises:
        AsimiError: it cannot hear there.
    """

    def __init__(self, path: str, keep: Callable[[str], str], running: Callable[[], RunningBox]) -> None:
        self._path, self._keep, self._running = path, keep, running
        try:
            self._socket = listen_at(path, senders=True)
        except OSError as error:
            raise AsimiError(f"{path}: cannot create a socket there: {error}") from None
        threading.Thread(target=self._hear, daemon=True, name="keeps").start()

    def close(self) -> None:
        """Hear nobody any more."""
        end_listening(self._socket, self._path)

    def _hear(self) -> None:
        """Answer one after the other: what a box does for one stands before the next."""
        for connection in connections(self._socket):
            with connection, suppress(OSError):
                connection.settimeout(PATIENCE)
                connection.sendall(dumps(self._reply(connection), VERSION))

    def _reply(self, connection: socket.socket) -> dict[str, object]:
        """What a process gets for its line.

        Raises:
            OSError: none comes, or it is gone.
        """
        with Peer(connection) as peer:
            line = _line(connection, (peer.pid, peer.user))
            try:
                wanted = parse_as(str, loads(line, VERSION).get("keep"), "keep")
            except Invalid as fault:
                return {"why": f"it is no valid line: {fault}"}
            if why := stranger(peer, _is_here if not wanted else lambda pid: _is_here(pid) and is_person(pid)):
                return {"why": why}
        return {"running": self._running()} if not wanted else {"why": self._keep(wanted)}


def _is_here(pid: int) -> bool:
    """Whether a process is not in a box: in there, it has another namespace of processes (pid_namespaces(7))."""
    try:
        return os.readlink(f"/proc/{pid}/ns/pid") == os.readlink("/proc/self/ns/pid")
    except OSError:
        return False


def boxes(directory: str) -> list[tuple[str, RunningBox]]:
    """Return the sockets of the boxes that run, and what each is, those that began first before the others.

    Args:
        directory: where the sockets are.
    """
    found = []
    for name in os.listdir(directory) if os.path.isdir(directory) else ():
        path = os.path.join(directory, name)
        with suppress(OSError, AsimiError):
            if name.endswith(SOCKET):
                found.append((path, parse_as(RunningBox, _ask(path, "", PATIENCE).get("running"), "running")))
    return sorted(found, key=lambda each: each[1].began)


def keep(path: str, wanted: str) -> str:
    """Have a box put back what it moved from a path and hold it; why it does not, or nothing.

    Args:
        path: its socket.
        wanted: the path.
    """
    try:
        why: str = parse_as(str, _ask(path, wanted, KEEPING).get("why"), "why")
    except (OSError, AsimiError) as error:
        return f"the box does not answer ({error})"
    return why


def _ask(path: str, wanted: str, patience: float) -> dict[str, object]:
    """What a box says to a line.

    Raises:
        OSError: it does not answer.
        AsimiError: it is not a box of this user's, or says nothing valid.
    """
    there = os.lstat(path)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(patience)
        for address in address_of(*os.path.split(path)):
            connection.connect(address)
        peer = peer_of(connection)
        if not stat.S_ISSOCK(there.st_mode) or there.st_uid != os.geteuid() or (peer and peer[1] != os.geteuid()):
            raise AsimiError(f"{path} is not a socket of yours")
        connection.sendall(dumps({"keep": wanted}, VERSION))
        return loads(_line(connection, None), VERSION)


def _line(connection: socket.socket, sender: tuple[int, int] | None) -> bytes:
    """The line that comes, from one sender where it is known who that is.

    Raises:
        OSError: it does not come, is too long, or somebody else sent a piece of it.
    """
    line = bytearray()
    while not line.endswith(b"\n"):
        data, by = receive_with_sender(connection, 1 << 16)
        line += data
        if not data or len(line) > LONGEST or (sender is not None and by != sender):
            raise ConnectionError
    return bytes(line)
