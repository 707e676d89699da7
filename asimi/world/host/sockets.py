"""Unix sockets: an address for any path, and who is at the other end."""

from __future__ import annotations

import os
import socket
import struct
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def peer_of(connection: socket.socket) -> tuple[int, int] | None:
    """The process and the user at the other end; None where the kernel does not say (the directory's mode does)."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, user, _ = struct.unpack("3i", credentials)
    return pid, user


def address_of(directory: str, name: str) -> Iterator[str]:
    """The address of a socket, good until the next item is asked for.

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
