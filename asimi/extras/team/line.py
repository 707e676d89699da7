"""The Unix socket between a gate and the relay of its machine: lines of JSON, one connection for each question.

The gate sends its question, then what became of each answer; the relay sends each answer as it comes, or that the
question reaches nobody. The question ends when the gate hangs up. Who sends `HOW` reads how the relay is.
"""

from __future__ import annotations

import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.extras.team.statements import Carried, State, packed, unpacked
from asimi.world.host.sockets import address_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

    from asimi.extras.team.statements import Asked, Told

SOCKET = "relay.sock"
"""The name of the relay's socket, in the runtime directory."""

LONGEST = 16 << 20
"""Bytes of the longest line."""

HOW = b"how\n"
"""What asks how the relay is."""

SOON = 3.0
"""Seconds within which it says so."""

CROWDED = 0.02
"""Seconds until a gate knocks again where too many did at once."""


class Line:
    """A question on its way.

    Args:
        reader: what comes from the relay.
        writer: what goes there.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def next(self) -> Carried:
        """What the relay says next.

        Raises:
            AsimiError: the relay has ended, or says nothing that can be understood.
        """
        try:
            content = await self._reader.readline()
        except (OSError, ValueError) as error:
            raise AsimiError(f"the relay of this machine cannot be heard: {error}") from None
        if not content.endswith(b"\n"):
            raise AsimiError("the relay of this machine has ended")
        carried: Carried = unpacked(Carried, content)
        return carried

    async def tell(self, told: Told) -> None:
        """Say what became of an answer; it does not matter if nobody hears it."""
        try:
            self._writer.write(packed(told))
            await self._writer.drain()
        except OSError:
            return


@asynccontextmanager
async def asking(directory: str, asked: Asked) -> AsyncIterator[Line]:
    """A question, asked until the context ends.

    Args:
        directory: where the relay's socket is.
        asked: the question.

    Raises:
        AsimiError: no relay runs.
    """
    import asyncio

    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    writer = None
    try:
        try:
            while not _connected(connection, directory):  # noqa: ASYNC110 - many knock at once, and nothing tells when
                await asyncio.sleep(CROWDED)
            reader, writer = await asyncio.open_unix_connection(sock=connection, limit=LONGEST)
            writer.write(packed(asked))
            await writer.drain()
        except OSError:
            raise AsimiError("no `asimi relay` runs, which carries questions to the team") from None
        yield Line(reader, writer)
    finally:
        if writer is not None:
            writer.close()
        connection.close()


def state_of(directory: str) -> State:
    """How the relay of this user is.

    Args:
        directory: where its socket is.

    Raises:
        AsimiError: none runs, or it does not answer.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SOON)
        try:
            for address in address_of(directory, SOCKET):
                connection.connect(address)
            connection.sendall(HOW)
            with connection.makefile("rb") as file:
                state: State = unpacked(State, file.readline(LONGEST))
        except TimeoutError:
            raise AsimiError(f"the relay of this machine does not answer within {SOON:g} s") from None
        except OSError:
            raise AsimiError("no `asimi relay` runs, which carries questions to the team") from None
    return state


def _connected(connection: socket.socket, directory: str) -> bool:
    """Whether a socket is connected to the relay now; not where too many others wait for that (EAGAIN, unix(7)).

    Raises:
        OSError: no relay listens.
    """
    try:
        for address in address_of(directory, SOCKET):
            connection.connect(address)
    except BlockingIOError:
        return False
    return True
