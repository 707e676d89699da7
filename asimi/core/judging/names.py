"""Names on the network: one spelling for each, what they cover, and where addresses lead to."""

from __future__ import annotations

from typing import Literal

from asimi.core.errors import AsimiError
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple

WEB = (80, 443)
"""The ports of a name that is written without one."""

GROUPS = ("@npm", "@pip", "@cargo", "@go", "@remotes", "@model")
"""What stands for the hosts of the person's own settings, which the world looks up."""

Leads = Literal["public", "private", "never"]
"""Where an address leads to: `never` is where clouds tell their machines secrets, and what is no machine at all."""

_LABEL = pattern(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = pattern(r"[0-9]+|0x[0-9a-f]*")  # https://url.spec.whatwg.org/#ends-in-a-number-checker
_TWO_READINGS = frozenset("\u00df\u03c2\u200c\u200d")
"""Letters of which one version of IDNA makes others (RFC 5894, 7.2), so two clients look for two names."""

_SECRETIVE = frozenset(
    {"100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "fd00:42::42"}
)
"""Where clouds tell their machines secrets at other addresses than link-local ones (Alibaba, Azure, Oracle, Amazon,
Google, Scaleway)."""

_EMBEDDING = ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")
"""Addresses whose end is one of IPv4 that a network may translate them to (RFC 6052; RFC 8215; RFC 4291, 2.5.5.1)."""


class Name(NamedTuple):
    """A name that something is said of.

    Attributes:
        host: the name in its one spelling, `*.` before it for all names below it; an address, or a block of addresses
            with its length behind a slash.
        port: its port; 0 for those of the web, and of what denies for every one.
        private: whether it may lead to a private address, since a person wrote exactly it with its port, or set it up.
    """

    host: str
    port: int = 0
    private: bool = False

    def covers(self, host: str, port: int, *, denies: bool = False) -> bool:
        """Whether a name and port are meant, where that allows or denies."""
        if port != self.port if self.port else not (denies or port in WEB):
            return False
        if "/" in self.host:
            return _is_in(host, self.host)
        return host.endswith(self.host[1:]) if self.host[:2] == "*." else host == self.host

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host and "/" not in self.host else self.host
        return f"{host}:{self.port}" if self.port else host


def name_of(text: str, *, blocks: bool = False) -> Name:
    """The name that a text is: `example.org`, `*.example.org:8443`, `localhost:5432`, `[::1]:80`.

    Args:
        text: as a person wrote it.
        blocks: whether it may be a block of addresses, `10.0.0.0/8`.

    Raises:
        AsimiError: it is none; the message says what one looks like.
    """
    if blocks and "/" in text:
        from ipaddress import ip_network

        try:
            return Name(str(ip_network(text)))
        except ValueError:
            raise AsimiError(f"{text!r} is no block of addresses, such as 10.0.0.0/8") from None
    host, colon, written = text.rpartition(":")
    if not colon or text.endswith("]") or (text.count(":") > 1 and text[:1] != "["):
        host, colon, written = text, "", "0"
    port = int(written) if written.isascii() and written.isdecimal() and len(written) < 6 else -1
    below = host[:2] == "*."
    try:
        spelled = host_of(host[2:] if below else host)
    except ValueError as error:
        spelled, why = "", f": {error}" if str(error) else ""
    else:
        why = ""
    if not spelled or not 0 <= port < 1 << 16 or (colon and not port) or (below and is_address(spelled)):
        raise AsimiError(f"{text!r} is no name to reach: write example.org, *.example.org or example.org:8443{why}")
    if spelled == "localhost" and not port:
        raise AsimiError("localhost is its own in there; write the port of a server of this machine: localhost:5432")
    return Name(f"*.{spelled}" if below else spelled, port, private=bool(port) and not below)


def host_of(text: str) -> str:
    """The one spelling of a host: small ASCII letters, no dot at its end, an address as its family writes it.

    An address of IPv4 is read as `inet_aton(3)` does, since that is how clients and resolvers read it.

    Raises:
        ValueError: it is none, or has two readings.
    """
    if (text[:1] == "[" and text[-1:] == "]") or ":" in text:
        from ipaddress import IPv6Address

        if "%" in text:
            raise ValueError("an address with a zone is this machine's alone")
        address = IPv6Address(text[1:-1] if text[0] == "[" and text[-1] == "]" else text)
        return str(address.ipv4_mapped or address)
    if not text.isascii():
        if not _TWO_READINGS.isdisjoint(text):
            raise ValueError("clients read it as two names; write the one that is meant, as xn--...")
        text = text.encode("idna").decode("ascii")
    text = text.lower().removesuffix(".")
    labels = text.split(".")
    if len(text) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError
    return _ipv4(labels) if _NUMBER.fullmatch(labels[-1]) else text


def _ipv4(labels: list[str]) -> str:
    """The address that some numbers are, each decimal, octal or hexadecimal; the last one is all the bytes left.

    Raises:
        ValueError: they are none.
    """
    if len(labels) > 4 or not all(map(_NUMBER.fullmatch, labels)):
        raise ValueError("it ends in a number and is no address")
    numbers = [
        int(each[2:] or "0", 16) if each[:2] == "0x" else int(each, 8 if each[0] == "0" else 10) for each in labels
    ]
    *first, last = numbers
    if any(each > 255 for each in first) or last >= 256 ** (4 - len(first)):
        raise ValueError("it ends in a number and is no address")
    whole = last + sum(each << 8 * (3 - at) for at, each in enumerate(first))
    return ".".join(str(whole >> shift & 255) for shift in (24, 16, 8, 0))


def leads_to(address: str) -> Leads:
    """Where an address leads to, as `host_of` spells it; one that embeds another leads where that does.

    Raises:
        ValueError: it is no address.
    """
    from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

    found = ip_address(address)
    if address in _SECRETIVE or found.is_link_local or found.is_multicast or found.is_unspecified:
        return "never"
    if isinstance(found, IPv6Address) and not found.is_loopback:
        inner = [found.sixtofour, *(found.teredo or ())]
        inner += [IPv4Address(int(found) & 0xFFFFFFFF) for each in _EMBEDDING if found in ip_network(each)]
        leads = {leads_to(str(each)) for each in inner if each is not None}
        if leads - {"public"}:
            return "never" if "never" in leads else "private"
    translated = _is_in(address, _EMBEDDING[0])
    return "public" if translated or (found.is_global and not found.is_reserved) else "private"


def _is_in(host: str, block: str) -> bool:
    """Whether a host is an address in a block."""
    from ipaddress import ip_address, ip_network

    if not is_address(host):
        return False
    found, network = ip_address(host), ip_network(block)
    return found.version == network.version and found in network


def is_loopback(host: str) -> bool:
    """Whether a host, as `host_of` spells it, is the loopback of whoever asks, as what is no address is."""
    from ipaddress import ip_address

    return host == "localhost" or (is_address(host) and ((at := ip_address(host)).is_loopback or at.is_unspecified))


def is_address(host: str) -> bool:
    """Whether a host, as `host_of` spells it, is an address."""
    return ":" in host or _NUMBER.fullmatch(host.rpartition(".")[2]) is not None
