"""The resolver of a box: gives each name that is allowed an address on the box's own loopback.

So programs that know no proxy reach it: on the address there is a listener for each port that is allowed, which leads
out as the proxy does. The name itself is resolved outside, when something connects. Nothing of a question leaves the
box; what is not allowed does not exist (RFC 1035, 4).
"""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.judging.names import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LASTING = 5
"""Seconds that an answer holds, since what is allowed may change."""

PATIENCE = 5.0
"""Seconds in which a question over TCP has come."""

_A, _AAAA, _IN = 1, 28, 1
_FAILED, _MISSING, _UNKNOWN = 2, 3, 4  # SERVFAIL, NXDOMAIN, NOTIMP


class Resolver:
    """Answers questions about names.

    Args:
        listener: where it hears them over TCP.
        asked: the same for UDP.
        ports: says on which ports a name is allowed now.
        given: is told of an address, the name and ports that somebody must hear on there.
        most: how many names get an address; further ones cannot be told.
    """

    def __init__(
        self,
        listener: socket.socket,
        asked: socket.socket,
        ports: Callable[[str], tuple[int, ...]],
        given: Callable[[str, str, Iterable[int]], None],
        most: int,
    ) -> None:
        self._most = most
        self._listener, self._asked, self._ports, self._given = listener, asked, ports, given
        self._addresses: dict[str, str] = {}
        self._there: dict[str, set[int]] = {}
        self._lock = threading.Lock()
        asked.settimeout(PATIENCE)  # nothing wakes a socket of UDP that is closed
        for serve in (self._by_packet, self._by_stream):
            threading.Thread(target=serve, name="asimi names", daemon=True).start()

    def close(self) -> None:
        """Answer nobody any more."""
        for each in (self._listener, self._asked):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _by_packet(self) -> None:
        while True:
            try:
                question, where = self._asked.recvfrom(4096)
                if not where:
                    return
                if answer := self.answer(question):
                    self._asked.sendto(answer, where)
            except OSError:
                if self._asked.fileno() < 0:
                    return

    def _by_stream(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                if self._listener.fileno() < 0:
                    return
                continue
            with connection, contextlib.suppress(OSError):
                connection.settimeout(PATIENCE)
                size = int.from_bytes(connection.recv(2, socket.MSG_WAITALL), "big")
                answer = self.answer(connection.recv(min(size, 4096), socket.MSG_WAITALL))
                connection.sendall(len(answer).to_bytes(2, "big") + answer)

    def answer(self, question: bytes) -> bytes:
        """The answer to one question; nothing where it is none.

        Args:
            question: a message of DNS.
        """
        if len(question) < 12 or question[2] & 0x80 or question[4:6] != b"\0\1":
            return b""
        labels, at = [], 12
        while (size := question[at] if at < len(question) else 64) and size < 64:
            labels.append(question[at + 1 : at + 1 + size])
            at += 1 + size
        end = at + 5
        if size or len(question) < end:
            return b""
        kind, family = int.from_bytes(question[at + 1 : at + 3], "big"), int.from_bytes(question[at + 3 : end], "big")
        code, address = self._resolve(b".".join(labels).decode("latin-1")) if family == _IN else (_UNKNOWN, "")
        found = socket.inet_aton(address) if address and kind == _A else b""
        flags = bytes((0x84 | question[2] & 0x79, 0x80 | code))
        counts = b"\0\1" + (b"\0\1" if found else b"\0\0") + bytes(4)
        record = b"\xc0\x0c\0\1\0\1" + LASTING.to_bytes(4, "big") + b"\0\4" + found if found else b""
        return question[:2] + flags + counts + question[12:end] + record

    def _resolve(self, text: str) -> tuple[int, str]:
        """The code of the answer and the address of a name; none for a name that is not allowed."""
        try:
            host = host_of(text)
            ports = self._ports(host)
        except (ValueError, AsimiError):
            return _MISSING, ""
        if not ports or host == "localhost":
            return _MISSING, ""
        with self._lock:
            address = self._addresses.get(host, "")
            if not address:
                number = len(self._addresses) + 1
                if number > self._most:
                    return _FAILED, ""
                address = self._addresses[host] = f"127.80.{number >> 8}.{number & 255}"
            if new := set(ports) - self._there.setdefault(host, set()):
                try:
                    self._given(address, host, sorted(new))
                except (OSError, AsimiError):
                    return _FAILED, ""
                self._there[host] |= new
        return 0, address
