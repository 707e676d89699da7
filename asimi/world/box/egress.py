"""Connects from this machine to names, which it resolves here; through this machine's own proxy if it has one."""

from __future__ import annotations

import socket
import time
from base64 import b64encode
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.judging.names import Name, host_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CONNECTING = 30.0
"""Seconds in which a connection is made, to all addresses of a name together."""

HEAD = 16 << 10
"""Bytes of the longest answer of another proxy's."""


class Unreachable(OSError):
    """A name leads to no address that may be connected to; `str()` says why.

    Attributes:
        addresses: where it leads to and may not.
    """

    def __init__(self, why: str, addresses: Sequence[str]) -> None:
        super().__init__(why)
        self.addresses = addresses


class Upstream(NamedTuple):
    """The proxy that this machine reaches the network by.

    Attributes:
        host: its name.
        port: its port.
        secret: what it is told of who asks, as HTTP has it; empty for nothing.
    """

    host: str
    port: int
    secret: str = ""


class Outward:
    """Makes connections.

    Args:
        environ: asimi's own environment, which names the machine's proxy as curl and others read it.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def open_connection(
        self, host: str, port: int, usable: Callable[[str], str], *, tunnel: bool
    ) -> tuple[socket.socket, bool]:
        """A connection to a name, and whether it leads to a proxy that still has to be told the whole address.

        The address that was looked at is the one that is connected to. A name that only the machine's proxy can resolve
        is left to it.

        Args:
            host: the name.
            port: its port.
            usable: says why an address is not connected to; empty where it is.
            tunnel: whether a proxy is asked for a tunnel, else for the request itself.

        Raises:
            Unreachable: no address of it may be connected to.
            OSError: none takes a connection, or it has none.
        """
        upstream = self._upstream(host, tunnel=tunnel)
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            if upstream is None:
                raise
            found = []
        addresses = list(dict.fromkeys((family, str(where[0])) for family, *_, where in found))
        whys = [usable(address.partition("%")[0]) for _, address in addresses]
        if addresses and (all(whys) or (upstream is not None and any(whys))):  # that one picks an address itself
            shut = [address for (_, address), why in zip(addresses, whys, strict=True) if why]
            raise Unreachable(next(filter(None, whys)), shut)
        if upstream is not None:
            return self._through(upstream, host, port, tunnel=tunnel), not tunnel
        return _first([each for each, why in zip(addresses, whys, strict=True) if not why], port), False

    def secret(self, host: str) -> str:
        """What the machine's proxy is told of who asks, for a request that it is handed."""
        upstream = self._upstream(host, tunnel=False)
        return upstream.secret if upstream is not None else ""

    def _upstream(self, host: str, *, tunnel: bool) -> Upstream | None:
        names = ("https_proxy", "HTTPS_PROXY") if tunnel else ("http_proxy",)
        text = next(filter(None, map(self._environ.get, (*names, "all_proxy", "ALL_PROXY"))), "")
        if not text or _is_spared(host, self._environ.get("no_proxy") or self._environ.get("NO_PROXY") or ""):
            return None
        from urllib.parse import unquote, urlsplit

        parts = urlsplit(text if "://" in text else f"http://{text}")
        if parts.scheme != "http" or not parts.hostname:
            raise OSError(f"this machine's proxy is {parts.scheme}://..., and asimi knows only http://")
        secret = ""
        if parts.username is not None:
            secret = b64encode(f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()).decode()
        return Upstream(parts.hostname, parts.port or 80, secret)

    def _through(self, upstream: Upstream, host: str, port: int, *, tunnel: bool) -> socket.socket:
        """A connection to the machine's proxy, which has made a tunnel where that is wanted."""
        server = socket.create_connection((upstream.host, upstream.port), CONNECTING)
        if not tunnel:
            return server
        try:
            _ask_for_a_tunnel(server, str(Name(host, port)), upstream.secret)
        except OSError:
            server.close()
            raise
        return server


def _ask_for_a_tunnel(server: socket.socket, shown: str, secret: str) -> None:
    """Have another proxy make a tunnel.

    Raises:
        OSError: it does not.
    """
    told = f"Proxy-Authorization: Basic {secret}\r\n" if secret else ""
    server.sendall(f"CONNECT {shown} HTTP/1.1\r\nHost: {shown}\r\n{told}\r\n".encode())
    said = b""
    while b"\r\n\r\n" not in said:
        piece = server.recv(1)  # what is behind it is the server's
        if not piece or len(said) > HEAD:
            raise OSError("this machine's proxy hung up")
        said += piece
    status = said.split(b"\r\n", 1)[0].split(b" ", 2)[1:2]
    if status != [b"200"]:
        raise OSError(f"this machine's proxy says {b''.join(status).decode('ascii', 'replace')[:3]}")


def _first(addresses: list[tuple[socket.AddressFamily, str]], port: int) -> socket.socket:
    """A connection to the first address that takes one; each has its part of the time.

    Raises:
        OSError: none does.
    """
    fault: OSError | None = None
    until = time.monotonic() + CONNECTING
    for at, (family, address) in enumerate(addresses):
        server = socket.socket(family, socket.SOCK_STREAM)
        try:
            server.settimeout(max(1.0, (until - time.monotonic()) / (len(addresses) - at)))
            server.connect((address, port))
        except OSError as error:
            server.close()
            fault = error
        else:
            with suppress(OSError):
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return server
    raise fault or OSError("it has no address")


def _is_spared(host: str, spared: str) -> bool:
    """Whether the machine's proxy is not asked for a name, as curl reads `NO_PROXY`."""
    for each in filter(None, (part.strip().lower() for part in spared.split(","))):
        if each == "*":
            return True
        name = each.removeprefix("*").lstrip(".")
        try:
            name = host_of(name)
        except ValueError:
            continue
        if host == name or host.endswith(f".{name}"):
            return True
    return False
