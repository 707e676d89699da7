"""The client of a team's server behind TLS; importing it needs nats-py, which not every installation has."""

from __future__ import annotations

from nats.aio.client import Client
from nats.errors import Error


class EncryptedClient(Client):
    """A client that ends each connection that is not encrypted, before it has said anything.

    Attributes:
        held: whether the connection was checked, which must be so once there is one.
    """

    held = False

    def _connect_command(self) -> bytes:
        """The first words of each connection, the only ones before which nats-py asks nobody."""
        writer = getattr(self._transport, "_io_writer", None)
        if writer is None or writer.get_extra_info("ssl_object") is None:
            raise Error("it speaks no TLS, so nothing was said to it")
        self.held = True
        return super()._connect_command()
