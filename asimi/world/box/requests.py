"""What a client of the proxy asks for: CONNECT, a request with a whole address (RFC 9112, 3.2), or SOCKS5 (RFC 1928).

What has two readings is not a request. What follows the head is handed on as it is.
"""

from __future__ import annotations

import time
from ipaddress import ip_address
from typing import TYPE_CHECKING

from asimi.core.judging.names import Name, host_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    import socket

HEAD = 64 << 10
"""Bytes of the longest head of a request."""

READING = 30.0
"""Seconds in which a client has sent it."""

PHRASE = 120
"""Characters of words in a line of status, which is all that many clients show of a refusal."""

_ENDED, _FOLDED = b"\r\n\r\n", ("\0", "\r\n ", "\r\n\t")

_HOPS = frozenset(
    {"connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer", "host", "upgrade"}
)
"""Fields that end with a hop (RFC 9110, 7.6.1), and those that are written anew."""

_SUCCEEDED, _FAILED, _NOT_ALLOWED, _NOT_UNDERSTOOD = 0, 1, 2, 7
"""Replies of SOCKS5 (RFC 1928, 6)."""


class BadRequest(ValueError):
    """It is no request.

    Attributes:
        status: the status and its phrase; empty where no answer means anything.
    """

    def __init__(self, status: str = "400 Bad Request") -> None:
        self.status = status
        super().__init__(status)


class ProxyRequest(NamedTuple):
    """What a client asks for.

    Attributes:
        host: the name, in its one spelling.
        port: its port.
        form: `tunnel` for CONNECT, `plain` for a request that is handed on, `socks`.
        head: what the server gets first.
        absolute: the same for another proxy, which is given the whole address.
        more: how many bytes may follow that, which are the rest of its body; None where it does not say how many.
    """

    host: str
    port: int
    form: str
    head: bytes = b""
    absolute: bytes = b""
    more: int | None = 0

    def success_reply(self) -> bytes:
        """What the client is told once there is a connection."""
        if self.form == "socks":
            return _socks(_SUCCEEDED)
        return b"HTTP/1.1 200 Connection established\r\n\r\n" if self.form == "tunnel" else b""

    def refusal_reply(self, status: str, words: str) -> bytes:
        """What the client is told where there is none.

        Args:
            status: the status as a number and its usual phrase.
            words: why.
        """
        if self.form == "socks":
            return _socks(_NOT_ALLOWED if status[:3] == "403" else _FAILED)
        return answer(status, words)


def read_request(connection: socket.socket, listening: float = READING) -> ProxyRequest:
    """What a client asks for; all that it sent so far has been read.

    Args:
        connection: to it.
        listening: seconds in which it must have said that.

    Raises:
        BadRequest: it is nothing that can be done.
        OSError: the connection is gone.
    """
    reader = _Reader(connection, time.monotonic() + listening)
    first = reader.exactly(1)
    if first == b"\x05":
        return _by_socks(reader)
    if first == b"\x04":
        connection.sendall(b"\0\x5b" + bytes(6))  # SOCKS4 has no names
        raise BadRequest("")
    return _by_http(reader)


class _Reader:
    """Reads up to what was sent for sure, before a time."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection, self._until = connection, until
        self.data = b""

    def more(self) -> None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise BadRequest("408 Request Timeout")
        self._connection.settimeout(left)
        try:
            piece = self._connection.recv(HEAD)
        except TimeoutError:
            raise BadRequest("408 Request Timeout") from None
        if not piece:
            raise BadRequest("")
        self.data += piece

    def exactly(self, size: int) -> bytes:
        """The first bytes, which stay there."""
        while len(self.data) < size:
            self.more()
        return self.data[:size]

    def take(self, size: int) -> bytes:
        """The first bytes, which are gone then."""
        found, self.data = self.exactly(size), self.data[size:]
        return found

    def say(self, data: bytes) -> None:
        self._connection.sendall(data)


def _by_http(reader: _Reader) -> ProxyRequest:
    while _ENDED not in reader.data:
        if len(reader.data) > HEAD:
            raise BadRequest("431 Request Header Fields Too Large")
        reader.more()
    raw, _, rest = reader.data.partition(_ENDED)
    if len(raw) > HEAD:
        raise BadRequest("431 Request Header Fields Too Large")
    head = raw.decode("latin-1")
    if any(sign in head for sign in _FOLDED) or any(sign in head.replace("\r\n", "") for sign in "\r\n"):
        raise BadRequest
    first, *fields = head.split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or words[2] not in {"HTTP/1.1", "HTTP/1.0"} or not (words[0].isascii() and words[0].isalpha()):
        raise BadRequest
    method, target, version = words
    if method == "CONNECT":
        host, port, _ = _authority(target, 443)
        return ProxyRequest(host, port, "tunnel", rest)
    scheme, _, behind = target.partition("://")
    if scheme.lower() != "http" or method.upper() == "TRACE":  # another proxy would show its login (RFC 9110, 9.3.8)
        raise BadRequest("400 Not For A Proxy")
    ends = min((at for sign in "/?#" if (at := behind.find(sign)) >= 0), default=len(behind))
    host, port, shown = _authority(behind[:ends], 80)
    path = behind[ends:].partition("#")[0]
    path = path if path[:1] == "/" else f"/{path}"
    kept, upgrades = _handed_on(fields)
    alone = ["Connection: close"]  # another proxy that takes a second request would take it to any name
    length = _length(fields)
    body = rest[:length]

    def said(address: str, hop: list[str]) -> bytes:
        return "\r\n".join([f"{method} {address} {version}", f"Host: {shown}", *kept, *hop, "", ""]).encode("latin-1")

    own, absolute = said(path, upgrades or alone), said(f"http://{shown}{path}", alone)
    more = None if length is None else length - len(body)
    return ProxyRequest(host, port, "plain", own + rest, absolute + body, more)


def _length(fields: list[str]) -> int | None:
    """How long the body of a request is (RFC 9112, 6.3); None where it says so itself, piece by piece.

    Raises:
        BadRequest: its fields say it in two ways.
    """
    named = [(name.lower(), value.strip()) for name, _, value in (each.partition(":") for each in fields)]
    told = {value for name, value in named if name == "content-length"}
    pieces = any(name == "transfer-encoding" for name, _ in named)
    if len(told) + pieces > 1 or not all(each.isascii() and each.isdecimal() and len(each) < 19 for each in told):
        raise BadRequest
    return None if pieces else int(next(iter(told), "0"))


def _handed_on(fields: list[str]) -> tuple[list[str], list[str]]:
    """The fields that a server is sent, and those by which the connection becomes something else.

    Raises:
        BadRequest: a line is no field.
    """
    pairs = [each.partition(":") for each in fields]
    if any(not colon or not name or name != name.strip() for name, colon, _ in pairs):
        raise BadRequest
    named = [
        token.strip().lower() for name, _, value in pairs if name.lower() == "connection" for token in value.split(",")
    ]
    upgrades = [each for each, (name, *_) in zip(fields, pairs, strict=True) if name.lower() == "upgrade"]
    upgrades = upgrades if "upgrade" in named else []
    kept = [
        each
        for each, (name, *_) in zip(fields, pairs, strict=True)
        if name.lower() not in _HOPS and name.lower() not in named
    ]
    return kept, [*upgrades, "Connection: upgrade"] if upgrades else []


def _authority(text: str, usual: int) -> tuple[str, int, str]:
    """The name, the port, and both as a server is told them.

    Raises:
        BadRequest: it names none.
    """
    host, colon, number = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, number = text, str(usual)
    if not (number.isascii() and number.isdecimal() and len(number) < 6 and 0 < int(number) < 1 << 16):
        raise BadRequest
    try:
        spelled = host_of(host.encode("latin-1").decode())  # as clients send names with other letters
    except ValueError:
        raise BadRequest("400 No Such Name") from None
    port = int(number)
    return spelled, port, str(Name(spelled, 0 if port == usual else port))


def _by_socks(reader: _Reader) -> ProxyRequest:
    methods = reader.take(2)[1]
    offered = reader.take(methods)
    if 0 not in offered:
        reader.say(b"\x05\xff")
        raise BadRequest("")
    reader.say(b"\x05\0")
    version, command, _, kind = reader.take(4)
    if version != 5:
        raise BadRequest("")
    size = {1: 4, 3: 0, 4: 16}.get(kind)
    if command != 1 or size is None:
        reader.say(_socks(_NOT_UNDERSTOOD))
        raise BadRequest("")
    raw = reader.take(size or reader.take(1)[0])
    port = int.from_bytes(reader.take(2), "big")
    try:
        host = host_of(_address(raw) if size else raw.decode())
    except ValueError:
        host = ""
    if not host or not port:
        reader.say(_socks(_NOT_ALLOWED))
        raise BadRequest("")
    return ProxyRequest(host, port, "socks", reader.data)


def _address(raw: bytes) -> str:
    found = ip_address(raw)
    return f"[{found}]" if found.version == 6 else str(found)


def _socks(reply: int) -> bytes:
    return bytes((5, reply, 0, 1)) + bytes(6)


def answer(status: str, words: str) -> bytes:
    """An answer of the proxy's own, whose words are in its first line, too.

    Args:
        status: the status as a number and its usual phrase.
        words: why; printable.
    """
    words = " ".join(words.split())
    phrase = f"asimi: {words}".encode("ascii", "replace").decode()[:PHRASE] if words else status[4:]
    body = f"asimi: {words or status}\n".encode("utf-8", "replace")
    head = (
        f"HTTP/1.1 {status[:3]} {phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
