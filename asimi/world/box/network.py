"""The box's way to the network: a proxy of asimi's, which leads to allowed names and to nothing else.

::

    a program ──> 127.0.0.1:3128 in the box ──> this proxy, outside ──> a name
              ──> localhost:5432 in the box ──> localhost:5432 of this machine, where the list has it
              ──> 127.80.0.1:443 in the box ──> the name that the box's resolver gave this address
    127.0.0.1:8000 of this machine ──> 127.0.0.1:8000 in the box, where it is published

The box has a network namespace of its own, which has only a loopback. A process enters it, makes the sockets that
listen there, and hands them out: a socket belongs to the namespace that it was made in (network_namespaces(7)). So
nothing of asimi runs inside, and nobody inside can take the proxy's place.

asimi first decides about a name, then resolves it, and connects to the very address that it checked. It does not look
at what is sent to an allowed name.
"""

from __future__ import annotations

import array
import os
import resource
import select
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING

from asimi.core.judging.names import Name
from asimi.world.box.carrying import Carrier
from asimi.world.box.egress import Outward, Unreachable
from asimi.world.box.requests import BadRequest, ProxyRequest, answer, read_request
from asimi.world.box.resolver import Resolver
from asimi.world.executors.confining.system import ConfinementError
from asimi.world.executors.processes import DIRECT, SPAWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from asimi.world.box.name_decisions import Answer, NameDecider

PROXY, NAMES = 3128, 53
"""The ports in the box where the proxy and the resolver hear."""

ENTERING = 5.0
"""Seconds in which the sockets are made."""

OPENING = 256
"""Connections at a time that are not made yet, at the most: they are read, asked about, resolved."""

DESCRIPTORS = 16384
"""Descriptors that this process may have, where the machine allows so many; each part has a share of them."""

PAUSE = 0.05
"""Seconds after which a connection is taken again where none could be."""

WAYS = 16
"""Sockets for connections into the box that are made at a time."""

OWN = frozenset({socket.gethostname().lower(), socket.gethostname().lower().partition(".")[0]}) - {""}
"""The machine's own name, which in there is the box's loopback."""

VARIABLES = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), f"http://127.0.0.1:{PROXY}"),
    **dict.fromkeys(
        ("NO_PROXY", "no_proxy"),
        ",".join(("localhost", "127.0.0.1", "127.0.0.0/8", "0.0.0.0", "::1", "[::1]", "::", "[::]", *sorted(OWN))),  # noqa: S104 - nothing hears there
    ),
    "NODE_USE_ENV_PROXY": "1",
}
"""By which programs find the proxy, and reach the box's own loopback without it.

Some take a block of addresses (curl 7.86, Go, requests), some only what is written; some with brackets, some without.
"""

RESOLVES = b"nameserver 127.0.0.1\noptions timeout:3 attempts:5\n"
"""What `/etc/resolv.conf` says in there."""

HOSTS = "/etc/hosts"
"""The file of names that programs look in first (hosts(5))."""

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
for kind, address, port in (each.split(":") for each in sys.argv[3:]):
    each = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
    made.append(each)
    if kind == "out":
        continue
    each.setsockopt(socket.SOL_IP, 15, 1)
    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, kind != "udp")
    each.bind((address, int(port)))
    if kind == "tcp":
        each.listen(1024)
out = socket.socket(fileno=int(sys.argv[2]))
numbers = array.array("i", [each.fileno() for each in made])
out.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
"""
"""What the process runs that enters the namespace, by its owner (ioctl_ns(2), `NS_GET_USERNS`). `IP_FREEBIND`, since
the loopback may not be up yet (ip(7))."""


class Network:
    """What leads out of one box, and into it.

    Args:
        first: the first process of the box, which has not started a program yet.
        machine: the ports of this machine that have a listener in the box.
        publish: the ports of the box that have one on this machine.
        deciding: decides about names, and is told of connections.
        room: how many descriptors it may take; None for all that this process may have, which is raised then.

    Raises:
        ConfinementError: the box cannot be given its sockets, or a port of this machine is taken.
    """

    def __init__(
        self,
        first: int,
        machine: Sequence[int],
        publish: Sequence[int],
        deciding: NameDecider,
        room: int | None = None,
    ) -> None:
        self._first, self._deciding, self._outward = first, deciding, Outward(os.environ)
        room = _room() if room is None else room
        self._carrier, self._opening = Carrier(), threading.BoundedSemaphore(min(OPENING, room // 8))
        self._most, self._carried, self._lock = room // 8 - 32, 0, threading.Lock()
        self._ways: list[socket.socket] = []
        self._heard: dict[int, tuple[socket.socket, Callable[[socket.socket], None]]] = {}
        machine = sorted(set(machine) - {PROXY, NAMES})
        own = [f"tcp:127.0.0.1:{port}" for port in (PROXY, NAMES, *machine)]
        proxy, names, *machines, asked = sockets_in(first, [*own, f"udp:127.0.0.1:{NAMES}"])
        self._waking, self._woken = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._poll, self._closed = select.epoll(), False
        self._poll.register(self._waking, select.EPOLLIN)
        self._resolver = Resolver(names, asked, deciding.ports, self._listen_on, most=room // 32)
        self._hear(proxy, self._proxy)
        for port, listener in zip(machine, machines, strict=True):
            self._hear(listener, partial(self._reach, "localhost", port))
        for port in publish:
            self._publish(port)
        threading.Thread(target=self._listen, name="asimi listening", daemon=True).start()

    def close(self) -> None:
        """Hear nobody any more, and tell what came of all names."""
        self._closed = True
        with suppress(OSError):
            os.write(self._woken, b".")
        self._resolver.close()
        self._carrier.close()
        self._deciding.tell()

    def _hear(self, listener: socket.socket, serve: Callable[[socket.socket], None]) -> None:
        listener.setblocking(False)
        self._heard[listener.fileno()] = listener, serve
        self._poll.register(listener.fileno(), select.EPOLLIN)

    def _listen(self) -> None:
        while not self._closed:
            for number, _ in self._poll.poll():
                if number in self._heard:
                    listener, serve = self._heard[number]
                    try:
                        self._accept(listener.accept()[0], serve)
                    except BlockingIOError:
                        continue
                    except OSError:
                        time.sleep(PAUSE)  # no descriptor is left
        for listener, _ in list(self._heard.values()):
            listener.close()
        for each in self._ways:
            each.close()
        self._poll.close()
        os.close(self._waking)
        os.close(self._woken)

    def _accept(self, connection: socket.socket, serve: Callable[[socket.socket], None]) -> None:
        """Serve a connection, if there is room for one more."""
        if not self._opening.acquire(blocking=False):
            self._turned_away(connection)
            return
        with self._lock:
            full = self._carried >= self._most
            self._carried += not full
        if full:
            self._opening.release()
            self._turned_away(connection)
            return
        threading.Thread(target=self._serve, args=(connection, serve), daemon=True).start()

    def _turned_away(self, connection: socket.socket) -> None:
        words = "too many connections at once; close some and try again"
        with suppress(OSError):
            self._carrier.turn_away(connection, answer("503 Service Unavailable", words))

    def _serve(self, connection: socket.socket, serve: Callable[[socket.socket], None]) -> None:
        """Serve a connection, which is carried on or closed then."""
        try:
            with suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            serve(connection)
        except BaseException:  # noqa: BLE001 - whatever it is, nothing is reached
            connection.close()
            self._over()
        finally:
            self._opening.release()
            if self._closed:
                self._deciding.tell()

    def _over(self) -> None:
        with self._lock:
            self._carried -= 1

    def _carry(
        self,
        client: socket.socket,
        server: socket.socket,
        done: Callable[[int, int], None],
        most: int | None = None,
    ) -> None:
        def over(sent: int, received: int) -> None:
            self._over()
            done(sent, received)

        try:
            self._carrier.carry(client, server, over, most)
        except OSError:
            server.close()
            done(0, 0)
            raise

    def _proxy(self, connection: socket.socket) -> None:
        """Do what a client of the proxy asks for.

        Raises:
            OSError: nothing came of it; the client was told if it can be.
        """
        try:
            request = read_request(connection)
        except BadRequest as error:
            if error.status:
                self._leave(connection, answer(error.status, "this is not a request to a proxy"))
                return
            raise OSError(str(error)) from None
        self._connect(connection, request)

    def _connect(self, connection: socket.socket, request: ProxyRequest) -> None:
        host, port = request.host, request.port
        connection.settimeout(None)
        if host in OWN and port not in self._deciding.ports(host):
            host = "localhost"
        program = cache(partial(program_of, self._first, connection.getpeername()[1]))
        there = partial(_is_there, connection)

        def refuse(answer: Answer, status: str, words: str) -> None:
            self._deciding.began(host, port, answer, program)(0, 0)
            self._leave(connection, request.refusal_reply(status, words))

        said = self._deciding.decide(host, port, program, there)
        if not said.yes:
            refuse(said, "403 Forbidden", f"{Name(host, port)} is not reached: {said.why}")
            return
        try:
            said, server, whole = self._open_connection(
                host, port, said, program, there, tunnel=request.form != "plain"
            )
        except Unreachable as error:
            refused = said._replace(yes=False, why=str(error))
            refuse(refused, "403 Forbidden", f"{Name(host, port)} is not reached: {error}")
            return
        except OSError as error:
            refuse(said, "502 Bad Gateway", f"{Name(host, port)}: {error.strerror or error}")
            return
        if whole and request.more is None:
            server.close()
            refuse(said, "411 Length Required", "this machine's proxy needs Content-Length")
            return
        done = self._deciding.began(host, port, said, program)
        head, more = request.head, None
        if whole:
            more = request.more
            secret = self._outward.secret(host)
            first, _, rest = request.absolute.partition(b"\r\n")
            told = f"Proxy-Authorization: Basic {secret}\r\n".encode() if secret else b""
            head = first + b"\r\n" + told + rest
        try:
            connection.sendall(request.success_reply())
            server.sendall(head)
        except OSError:
            server.close()
            done(0, 0)
            raise
        self._carry(connection, server, lambda sent, received: done(sent + len(head), received), more)

    def _open_connection(
        self, host: str, port: int, said: Answer, program: Callable[[], str], there: Callable[[], bool], *, tunnel: bool
    ) -> tuple[Answer, socket.socket, bool]:
        """What holds of a name, a connection to it, and whether it leads to a proxy, as `Outward.connected` says.

        Where a name that an answer allows leads to private addresses, a person is asked about these.

        Raises:
            Unreachable: no address of it may be connected to.
            OSError: none takes a connection, or it has none.
        """
        try:
            return said, *self._outward.open_connection(host, port, self._usable(port, said), tunnel=tunnel)
        except Unreachable as error:
            opened = self._deciding.decide_private(host, port, error.addresses, program, there) if said.asks else None
            if opened is None:
                raise
            if not opened.yes:
                raise Unreachable(opened.why, error.addresses) from None
        return opened, *self._outward.open_connection(host, port, self._usable(port, opened), tunnel=tunnel)

    def _usable(self, port: int, said: Answer) -> Callable[[str], str]:
        return partial(self._deciding.usable, port=port, answer=said)

    def _leave(self, connection: socket.socket, said: bytes) -> None:
        """Tell a client why it is refused, and let it go."""
        self._over()
        self._carrier.turn_away(connection, said)

    def _reach(self, host: str, port: int, connection: socket.socket) -> None:
        """Connect a client that knows no proxy: a port of this machine, or a name by the box's address of it.

        Raises:
            OSError: nothing came of it.
        """
        program = cache(partial(program_of, self._first, connection.getpeername()[1]))
        there = partial(_is_there, connection)
        if host == "localhost":  # the list has it, or there were no listener
            said = self._deciding.machine(port)
        else:
            said = self._deciding.decide(host, port, program, there)
        if not said.yes:
            self._deciding.began(host, port, said, program)(0, 0)
            raise OSError(said.why)
        try:
            if host == "localhost":
                server = socket.create_connection((host, port), ENTERING)
            else:
                said, server, _ = self._open_connection(host, port, said, program, there, tunnel=True)
        except Unreachable as error:
            self._deciding.began(host, port, said._replace(yes=False, why=str(error)), program)(0, 0)
            raise
        done = self._deciding.began(host, port, said, program)
        self._carry(connection, server, done)

    def _listen_on(self, address: str, host: str, ports: Iterable[int]) -> None:
        """Hear on ports of an address in the box that the resolver gave a name.

        Raises:
            ConfinementError: it cannot be heard there.
        """
        ports = list(ports)
        for port, listener in zip(
            ports, sockets_in(self._first, [f"tcp:{address}:{port}" for port in ports]), strict=True
        ):
            self._hear(listener, partial(self._reach, host, port))

    def _publish(self, port: int) -> None:
        """Lead from a port of this machine's loopback into the box.

        Raises:
            ConfinementError: the port is taken.
        """
        listener = socket.socket()
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
            listener.listen(128)
        except OSError as error:
            listener.close()
            raise ConfinementError(f"--publish {port}: {error.strerror}", "The box") from None
        self._hear(listener, partial(self._enter, port))

    def _enter(self, port: int, connection: socket.socket) -> None:
        """Lead a connection of this user's into the box; others of the machine are nobody's here.

        Raises:
            OSError: nothing came of it.
        """
        if user_of(*connection.getpeername()) not in {os.getuid(), 0}:
            raise OSError("another user of this machine")
        with self._lock:
            if not self._ways:
                self._ways = sockets_in(self._first, ["out::0"] * WAYS)
            inside = self._ways.pop()
        try:
            inside.settimeout(ENTERING)
            inside.connect(("127.0.0.1", port))
        except OSError:
            inside.close()
            raise
        self._carry(connection, inside, lambda _sent, _received: None)


def hosts() -> bytes:
    """What `/etc/hosts` says in there: as here, but that the machine's own name is the box's loopback."""
    try:
        with open(HOSTS, encoding="utf-8", errors="surrogateescape") as file:
            lines = [line.split("#")[0].split() for line in file]
    except OSError:
        lines = []
    others = [
        [address, *(name for name in names if name.lower() not in OWN)] for address, *names in filter(None, lines)
    ]
    here = [["127.0.0.1", "localhost", *sorted(OWN)], *(each for each in others if len(each) > 1)]
    return "".join(f"{' '.join(each)}\n" for each in here).encode(errors="surrogateescape")


def _is_there(connection: socket.socket) -> bool:
    """Whether a client waits still (poll(2): `POLLRDHUP`)."""
    events = select.poll()
    events.register(connection, select.POLLRDHUP)
    return not events.poll(0)


def _room() -> int:
    """How many descriptors this process may have; its soft limit is raised, which is not that of the box's program.

    A connection that is carried takes two, and four more while pipes hold something both ways; one that is not made
    yet takes two, and a name that the resolver knows one for each port.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted, 512)


def sockets_in(first: int, wanted: Sequence[str]) -> list[socket.socket]:
    """Return sockets of the namespace of a process.

    Args:
        first: the process.
        wanted: what each is: `tcp:ADDRESS:PORT` and `udp:ADDRESS:PORT`, which hear there, or `out::0`.

    Raises:
        ConfinementError: there are none.
    """
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with here, there:
        words = (sys.executable, "-I", "-S", "-c", ENTER, str(first), str(there.fileno()), *wanted)
        try:
            code, said = _run_with(words, there.fileno())
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ConfinementError(f"its network cannot be made: {error}", "The box") from None
        if code:
            raise ConfinementError(f"its network cannot be made: {said.strip().rpartition(chr(10))[2]}", "The box")
        room = socket.CMSG_LEN(4 * len(wanted))
        _, notes, _, _ = here.recvmsg(1, room, socket.MSG_CMSG_CLOEXEC)
        numbers = array.array("i", notes[0][2])
    return [socket.socket(fileno=each) for each in numbers]


def _run_with(words: Sequence[str], descriptor: int) -> tuple[int, str]:
    """How a program of ours ends that gets a descriptor, and what it says of errors.

    It is started as those of calls are, since the limit of our own that marks a call's is ours for a moment (`SPAWN`).
    """
    with SPAWN:
        process = subprocess.Popen(
            words,
            env={},
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[descriptor],
        )
        DIRECT.add(process.pid)
    try:
        said = process.communicate(timeout=ENTERING)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    finally:
        DIRECT.discard(process.pid)
    return process.returncode, said.decode(errors="replace")


LONGEST = 500
"""Characters of a command line."""

_ESTABLISHED = ("01", "08")


def program_of(first: int, port: int) -> str:
    """The command line of the process that has a connection; empty where it cannot be found.

    Args:
        first: the first process of the box.
        port: the connection's own port, on the loopback of the box.
    """
    inode = _inode(f"/proc/{first}/net/tcp", port)
    try:
        network = os.readlink(f"/proc/{first}/ns/net") if inode else ""
    except OSError:
        network = ""
    for pid in filter(str.isdecimal, os.listdir("/proc")) if network else ():
        try:
            if os.readlink(f"/proc/{pid}/ns/net") == network and _has(pid, f"socket:[{inode}]"):
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read(LONGEST * 4).split(b"\0")
                return " ".join(word.decode(errors="replace") for word in words if word)[:LONGEST]
        except OSError:
            continue  # it has ended meanwhile
    return ""


def user_of(address: str, port: int) -> int | None:
    """The user whose socket of this machine has an address and port as its own; None where there is none.

    Args:
        address: one of IPv4.
        port: its port.
    """
    own = "".join(f"{int(part):02X}" for part in reversed(address.split("."))) + f":{port:04X}"
    for row in _rows("/proc/self/net/tcp"):
        if row[1] == own and row[3] in _ESTABLISHED:
            return int(row[7])
    return None


def _inode(path: str, port: int) -> str:
    return next((row[9] for row in _rows(path) if row[1].endswith(f":{port:04X}") and row[3] in _ESTABLISHED), "")


def _rows(path: str) -> list[list[str]]:
    """The sockets of a namespace (proc_pid_net(5)): number, own address, other one, state, ..., user, ..., inode."""
    try:
        with open(path, encoding="ascii") as file:
            return [row for row in map(str.split, file.readlines()[1:]) if len(row) > 9]
    except OSError:
        return []


def _has(pid: str, link: str) -> bool:
    """Whether a process has a descriptor that leads there."""
    at = f"/proc/{pid}/fd"
    for name in os.listdir(at):
        try:
            if os.readlink(f"{at}/{name}") == link:
                return True
        except OSError:
            continue
    return False
