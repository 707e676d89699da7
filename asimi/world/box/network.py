"""The box's way to the network: names on a list are reached through a proxy of asimi's, and nothing else is.

::

    a program ──> 127.0.0.1:3128 in the box ──> this proxy, outside ──> a name on the list
              ──> localhost:5432 in the box ──> localhost:5432 of this machine, where the list has it

The box has a network namespace of its own, in which there is a loopback only. A process enters it, makes the sockets
that hear there, and hands them out: a socket belongs to the namespace that it was made in (network_namespaces(7)). So
nothing of asimi's runs inside, and nobody inside can take the proxy's place.

Nothing resolves names in the box. Here a name is looked for on the list first, then resolved, and the address that was
looked at is the one that is connected to. What is sent to a name on the list is not looked at.
"""

from __future__ import annotations

import array
import ipaddress
import select
import socket
import subprocess
import sys
import threading
from contextlib import suppress

from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING, NamedTuple, pattern
from asimi.world.executors.confining.system import Unconfined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

PROXY = 3128
"""The port in the box where the proxy hears."""

WEB = (80, 443)
"""The ports of a name that is written without one."""

ENTERING = 5.0
"""Seconds in which the sockets are made."""

HEAD = 64 << 10
"""Bytes of the longest head of a request."""

READING = 30.0
"""Seconds in which a client has sent it, and in which a connection is made."""

MOST = 256
"""Connections at a time; more are turned away."""

PIECE = 64 << 10

_NAME = pattern(r"(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\]")

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""Addresses that a network translates to those of IPv4 (RFC 6052, 2.1)."""

VARIABLES = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), f"http://127.0.0.1:{PROXY}"),
    **dict.fromkeys(("NO_PROXY", "no_proxy"), "localhost,127.0.0.1,::1"),
    "NODE_USE_ENV_PROXY": "1",
}
"""By which programs find the proxy, and reach the box's own loopback without it."""

ENTER = """\
import array, ctypes, fcntl, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
net = os.open(f"/proc/{sys.argv[1]}/ns/net", os.O_RDONLY)
user = fcntl.ioctl(net, 0xB701)
if os.stat(user).st_ino != os.stat("/proc/self/ns/user").st_ino and libc.setns(user, 0x10000000):
    raise OSError(ctypes.get_errno(), "setns of the user namespace")
if libc.setns(net, 0x40000000):
    raise OSError(ctypes.get_errno(), "setns of the network namespace")
made = []
for port in map(int, sys.argv[3:]):
    each = socket.socket()
    each.setsockopt(socket.SOL_IP, 15, 1)
    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    each.bind(("127.0.0.1", port))
    each.listen(128)
    made.append(each)
out = socket.socket(fileno=int(sys.argv[2]))
numbers = array.array("i", [each.fileno() for each in made])
out.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
"""
"""What the process runs that enters the namespace, by its owner (ioctl_ns(2), `NS_GET_USERNS`). `IP_FREEBIND`, since
the loopback may not be up yet (ip(7))."""


class Name(NamedTuple):
    """A name on the list.

    Attributes:
        host: the name in small letters, `*.` before it for all names below it, or an address.
        port: its port; 0 for those of the web. Whoever wrote one may mean an address of a private network.
    """

    host: str
    port: int = 0

    def covers(self, host: str, port: int) -> bool:
        """Whether a name and port are meant."""
        if (port not in WEB) if not self.port else (port != self.port):
            return False
        return host.endswith(self.host[1:]) if self.host[:2] == "*." else host == self.host

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.port else self.host


def name_of(text: str) -> Name:
    """Return the name that a text is: `example.org`, `*.example.org:8443`, `localhost:5432`.

    Raises:
        AsimiError: it is none.
    """
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, port = text, "0"
    number = int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else -1
    if _NAME.fullmatch(host) is None or not (0 <= number < 1 << 16) or (colon and port == "0" and host != text):
        raise AsimiError(f"{text!r} is no name to reach: write example.org, *.example.org or example.org:8443")
    if host.lower() == "localhost" and not number:
        raise AsimiError("localhost is the box's own; write the port of a server of this machine: localhost:5432")
    return Name(host.lower().strip("[]"), number)


class Network:
    """What leads out of one box.

    Args:
        first: the first process of the box, which has not started a program yet.
        names: the list.
        told: is told of each connection: the name, the port, and whether it was allowed.

    Raises:
        Unconfined: the box cannot be given its sockets.
    """

    def __init__(self, first: int, names: Sequence[Name], told: Callable[[str, int, bool], None]) -> None:
        self._names, self._told = tuple(names), told
        self._free = threading.BoundedSemaphore(MOST)
        locals_ = sorted({each.port for each in names if each.host == "localhost"} - {PROXY})
        self._heard = dict(zip((PROXY, *locals_), _listeners(first, (PROXY, *locals_)), strict=True))
        for port, listener in self._heard.items():
            threading.Thread(target=self._hear, args=(port, listener), name="asimi network", daemon=True).start()

    def close(self) -> None:
        """Hear nobody any more."""
        for listener in self._heard.values():
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _hear(self, port: int, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                if listener.fileno() < 0:
                    return
                continue
            if not self._free.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(target=self._serve, args=(port, connection), daemon=True).start()

    def _serve(self, port: int, connection: socket.socket) -> None:
        try:
            with connection, suppress(OSError, ValueError):
                connection.settimeout(READING)
                if port != PROXY:
                    self._told("localhost", port, True)
                    with socket.create_connection(("localhost", port), READING) as server:
                        _relay(connection, server)
                    return
                self._proxy(connection)
        finally:
            self._free.release()

    def _proxy(self, connection: socket.socket) -> None:
        """Do what one client of the proxy asks for."""
        head, rest = _head(connection)
        method, target, version, fields = _request(head)
        tunnel = method == "CONNECT"
        host, port, path = _target(target, tunnel=tunnel)
        try:
            addresses = self._addresses(host, port)
            server = _connected(addresses)
        except _RefusedError as error:
            self._told(host, port, False)
            connection.sendall(_answer("403 Forbidden", str(error)))
            return
        except OSError as error:
            self._told(host, port, True)
            connection.sendall(_answer("502 Bad Gateway", f"{host}:{port}: {error.strerror or error}"))
            return
        self._told(host, port, True)
        with server:
            if tunnel:
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                lines = [f"{method} {path} {version}", *fields, "Connection: close", "", ""]
                rest = "\r\n".join(lines).encode("latin-1") + rest
            server.sendall(rest)
            _relay(connection, server)

    def _addresses(self, host: str, port: int) -> list[tuple[int, str, int]]:
        """The addresses of a name that may be connected to, each with its family and the port.

        Raises:
            _RefusedError: the name is not on the list, or has none.
            OSError: it cannot be resolved.
        """
        named = [each for each in self._names if each.covers(host, port) and each.host != "localhost"]
        if not named:
            raise _RefusedError(f"{host}:{port} is not among the names that this box reaches")
        private = any(each.port for each in named if each.host == host)
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        there = [(int(family), str(where[0]), port) for family, *_, where in found]
        usable = [each for each in there if _may(each[1], private=private)]
        if not usable:
            raise _RefusedError(f"{host} leads to a private address, which needs its port on the list")
        return usable


class _RefusedError(Exception):
    """A name is not reached."""


def _listeners(first: int, ports: Iterable[int]) -> list[socket.socket]:
    """Return sockets that hear on ports of the loopback in the namespace of a process.

    Raises:
        Unconfined: there are none.
    """
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    wanted = list(ports)
    with here, there:
        words = (sys.executable, "-I", "-S", "-c", ENTER, str(first), str(there.fileno()), *map(str, wanted))
        try:
            done = subprocess.run(
                words, env={}, cwd="/", capture_output=True, timeout=ENTERING, check=False, pass_fds=[there.fileno()]
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unconfined(f"its network cannot be made: {error}", "The box") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise Unconfined(f"its network cannot be made: {said}", "The box")
        room = socket.CMSG_LEN(4 * len(wanted))
        _, notes, _, _ = here.recvmsg(1, room, socket.MSG_CMSG_CLOEXEC)
        numbers = array.array("i", notes[0][2])
    return [socket.socket(fileno=each) for each in numbers]


def _head(connection: socket.socket) -> tuple[str, bytes]:
    """Return the head of a request, and what came behind it.

    Raises:
        OSError: it does not come in time.
        ValueError: it is too long, or breaks off.
    """
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(PIECE)
        if not piece or len(data) > HEAD:
            raise ValueError("no head")
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    return head.decode("latin-1"), rest


def _request(head: str) -> tuple[str, str, str, list[str]]:
    """Return the method, the target, the version and the fields that a server is sent (RFC 9112, 3; RFC 9110, 7.6.1).

    Raises:
        ValueError: it is no request.
    """
    first, *fields = head.split("\r\n")
    method, target, version = first.split(" ")
    if any(sign in head for sign in ("\0", "\r\n ", "\r\n\t")) or "\n" in head.replace("\r\n", ""):
        raise ValueError("a head with two readings")
    dropped = ("proxy-", "connection:", "keep-alive:")
    return method, target, version, [each for each in fields if not each.lower().startswith(dropped)]


def _target(target: str, *, tunnel: bool) -> tuple[str, int, str]:
    """Return the name, the port and the path that a request is for.

    Raises:
        ValueError: it names none.
    """
    path = ""
    if not tunnel:
        scheme, _, target = target.partition("://")
        if scheme.lower() != "http":
            raise ValueError("no address of a proxy's")
        target, slash, path = target.partition("/")
        path = slash + path
    host, colon, port = target.rpartition(":")
    if not colon or target.endswith("]"):
        host, port = target, "443" if tunnel else "80"
    if "@" in host or not host or not (port.isascii() and port.isdecimal()):
        raise ValueError("no name")
    return host.lower().strip("[]").rstrip("."), int(port), path or "/"


def _may(address: str, *, private: bool) -> bool:
    """Whether an address may be connected to; link-local ones, where clouds tell their machines secrets, never."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        through = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF) if found in _NAT64 else found.sixtofour
        found = found.ipv4_mapped or through or found
    if found.is_link_local or found.is_multicast or found.is_unspecified:
        return False
    return private or found.is_global


def _connected(addresses: Sequence[tuple[int, str, int]]) -> socket.socket:
    """Return a connection to the first address that takes one.

    Raises:
        OSError: none does.
    """
    fault: OSError | None = None
    for family, address, port in addresses:
        server = socket.socket(family)
        try:
            server.settimeout(READING)
            server.connect((address, port))
        except OSError as error:
            server.close()
            fault = error
        else:
            return server
    raise fault or OSError("no address")


def _relay(one: socket.socket, other: socket.socket) -> None:
    """Hand on what both sides say, until both have said all, or one is gone."""
    ways = {one: other, other: one}
    for each in ways:
        each.settimeout(None)
    while ways:
        ready, _, _ = select.select(list(ways), [], [])
        for source in ready:
            target = ways[source]
            if piece := source.recv(PIECE):
                target.sendall(piece)
                continue
            del ways[source]
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)


def _answer(status: str, words: str) -> bytes:
    """Return an answer of the proxy's own."""
    body = f"asimi: {words}; a person starts the box with --reach NAME[:PORT]\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body
