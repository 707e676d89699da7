"""The addresses that the words of a command name, and the one that it can reach where that is sure (`hosts`).

Certain is that only of a client with one URL, or of a database with one host, and nothing but options that are known to
lead nowhere else: no redirect is followed, no proxy, no other place is named, and no file with options or addresses is
read. Sources: curl(1), wget's manual, psql(1), mysql(1), redis-cli(1).
"""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of
from asimi.core.pattern import pattern
from asimi.core.syntax.nodes import Word
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.reading.arguments import Argument
    from asimi.core.reading.commands import Command

HERE = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine."""

SENDS = frozenset({"network", "publish"})
"""Effects of what may send something."""

WEB = (80, 443)
"""The ports that are meant without one, of `http` and `https`."""

DAEMONS = frozenset({2375, 2376, 2377, 2379, 2380, 4243, 6443, 10250, 10255, 16443})
"""Ports of this machine at which container daemons and clusters take commands (Docker, etcd, Kubernetes)."""

PROXY = 8001
"""The port of `kubectl proxy`, by which a cluster takes commands, and of many a server of a project."""

_OTHER = pattern(
    r"(?:https?://)?[^/:]+:8001/?"
    r"(?:(?!(?:[\w-]+/)*(?:api/v1|apis)\b|debug\b|logs\b|openapi\b)[\w-]+(?:/[\w-]+)+|[a-z]+)?/?(?:\?[\w=&.-]*)?",
    ASCII,
)
"""A URL at that port that is none of a cluster's (Kubernetes, API concepts)."""

_URL = pattern(r"(?:(https?)://)?(\[::1\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([0-9]{1,5}))?(?:/[^\s\\]*)?", ASCII)
"""A URL without a user part, a pattern or what clients read in different ways in its host."""

_NAME = pattern(r"(\[::1\]|(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([0-9]{1,5}))?", ASCII)

_PLAIN = {program: names_of(lines) for program, lines in facts_of(__package__, "addresses").items()}
"""Options that lead to no other place, by program."""


_CLIENTS = {
    **dict.fromkeys(("mariadb", "mysql"), (3306, "-P")),
    **dict.fromkeys(("pg_isready", "psql"), (5432, "-p")),
    **dict.fromkeys(("redis-cli", "valkey-cli"), (6379, "-p")),
}
"""Clients of databases that take a server with `-h`, with the port that is meant without one, and the option for it."""

_HEADER = pattern(r"(?!(?i:host)[:; ])[A-Za-z0-9_-]+[:;][^\r\n]*", ASCII)
"""A header that names no host of its own, by which a server here may lead elsewhere; `@FILE` may hold one."""

_BRACKETS = pattern(r"https?://\[::1\][\w./:=&%-]*")
"""This machine without quotes: bash takes the brackets for a pattern, of a file below `http:` if there is one."""

_PUT = pattern(r"#[0-9]")
"""What curl puts a part of the address in the place of, in the name of a file."""


class Address(NamedTuple):
    """Where a command leads to.

    Attributes:
        host: the name in small letters, or the address.
        port: the port.
    """

    host: str
    port: int

    @property
    def is_here(self) -> bool:
        """Whether it is a server of this machine that is no daemon's."""
        return self.host in HERE and self.port not in DAEMONS


class HostPattern(NamedTuple):
    """What a rule names in `hosts`.

    Attributes:
        host: a name in small letters, `*.` before it for all names below it, or an address.
        port: its port; 0 for those of the web, and of this machine for all but those of daemons.
    """

    host: str
    port: int = 0

    def covers(self, address: Address) -> bool:
        """Whether an address is meant."""
        if self.port:
            meant = address.port == self.port
        else:
            meant = address.is_here if address.host in HERE else address.port in WEB
        below = self.host[:2] == "*." and address.host.endswith(self.host[1:])
        return meant and (below or address.host == self.host)


def parse_host_pattern(text: str) -> HostPattern | None:
    """What a word of `hosts` names; None where it is none: `localhost`, `*.example.org`, `example.org:8443`."""
    match = _NAME.fullmatch(text)
    port = 0 if match is None or match[2] is None else int(match[2])
    return None if match is None or (match[2] and not 0 < port < 1 << 16) else HostPattern(match[1], port)


REMOTES = {"push": "publish", "fetch": "network", "pull": "network"}
"""Subcommands of git whose first operand names another repository (git-push(1), git-fetch(1), git-pull(1))."""

_ADDRESS = pattern(r"(?<![A-Za-z0-9+.-])[0-9+.-]*+[A-Za-z][A-Za-z0-9+.-]*+://(?:[^/@]*@)?([^/?#]+)")


def addresses(command: Command) -> Iterator[tuple[str, str]]:
    """The addresses that the literal words of a command name, with the effect that they are about."""
    literals = [word for word in command.literals[1:] if word is not None]
    operands = [word for word in literals if not word.startswith("-")]
    if "repository" in command.traits and len(operands) > 1 and operands[0] in REMOTES and literals[0] == operands[0]:
        yield REMOTES[operands[0]], _ADDRESS.sub(r"\1", operands[1])
    else:
        yield from (("network", match[1]) for match in map(_ADDRESS.search, literals) if match is not None)


def ends(commands: Iterable[Command]) -> tuple[str, ...]:
    """Where commands send to that use the network, as far as their words say."""
    found: dict[str, None] = {}
    for command in commands:
        if SENDS.isdisjoint(command.effects or ()):
            continue
        found.update((where, None) for _, where in addresses(command))
        last = command.levels[-1].arguments if "fetches" in command.traits else ()
        texts = [each.text for each in last if each.option is None and "://" not in each.text]
        found.update((match[2], None) for match in map(_URL.fullmatch, texts) if match is not None)
    return tuple(found)


def address_of(command: Command, *, redirects: bool = False) -> Address | None:
    """The address that the words of a command lead to; None where they do not say, or name more.

    Whether a variable or a file may lead it elsewhere, a look at the rest of the text tells (`LookResult.own`).

    Args:
        command: the command.
        redirects: whether it counts, too, where a client follows the redirects of that address.
    """
    name = "" if command.program is None else command.program.name
    if name in _CLIENTS:
        return _of_client(command.arguments, *_CLIENTS[name])
    if name == "nc":
        return _of_probe(command)
    if name not in _PLAIN:
        return None
    options = [each for each in command.arguments if each.option is not None]
    operands = [command.words[each.at] for each in command.arguments if each.option is None]
    followed = [each for each in options if not (redirects and {"--location", "--max-redirs"} & {*each.names})]
    # the values of these lead nowhere else, each as one word: what a pattern or find adds may be an address
    told = {each.value_at for each in options if not {"--cookie", "--cookie-jar", "--header"}.isdisjoint(each.names)}
    loose = [each for at, each in enumerate(command.words) if not (at in told and type(each) is Word and each.single)]
    if (
        len(operands) != 1
        or sum(each.literal is None for each in loose) > (operands[0].literal is None)
        or any(_PLAIN[name].isdisjoint(each.names) for each in followed)
    ):
        return None
    headers = [each.value for each in options if "--header" in each.names]
    outputs = [each.value for each in options if "--output" in each.names]
    named = all(each is not None and _HEADER.fullmatch(each.literal or each.head) for each in headers)
    kept = all(each is not None and _PUT.search(each.literal or "#1") is None for each in outputs)
    stays = name != "wget" or any(each.text == "--max-redirect" and each.literal == "0" for each in options)
    if not (named and kept and stays):
        return None
    text = operands[0].literal
    if text is None and "/" in operands[0].head.partition("://")[2] and not command.may_split(operands[0]):
        text = operands[0].head  # what follows is a path, and whatever it becomes begins so
    elif text is None and _BRACKETS.fullmatch(command.text_of(operands[0])):
        text = command.text_of(operands[0])
    match = None if text is None else _URL.fullmatch(text)
    if match is None:
        return None
    port = int(match[3]) if match[3] is not None else WEB[match[1] == "https"]
    if port == PROXY and _OTHER.fullmatch(text or "") is None:
        return None
    return Address(match[2], port) if 0 < port < 1 << 16 else None


_PROBE = pattern(r"nc(?: -(?:[46nvz]|[wG] ?[0-9]+)+)+ (\[::1\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?) ([0-9]{1,5})", ASCII)


def _of_probe(command: Command) -> Address | None:
    """What `nc -z HOST PORT` only connects to, and sends nothing (nc(1))."""
    match = _PROBE.fullmatch(" ".join(each or "?" for each in command.literals))
    return Address(match[1], int(match[2])) if match and any("-z" in each.names for each in command.arguments) else None


def _of_client(arguments: Sequence[Argument], port: int, option: str) -> Address | None:
    """The server that a database's client is told by its options; None where it is told none, or by another option."""
    host = ""
    for each in arguments:
        if each.option is None or "network" not in each.option.kinds:
            continue
        if "-h" in each.names:
            host = each.literal
        elif option in each.names and each.literal.isdecimal():
            port = int(each.literal)
        else:
            return None
    match = _URL.fullmatch(host)
    return Address(host, port) if match is not None and match[2] == host and 0 < port < 1 << 16 else None
