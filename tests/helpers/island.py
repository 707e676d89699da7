"""A network of its own, with names, addresses that look public, and servers that say where they were reached.

Started as a program: it makes the network, serves, and says on its standard output what reached it, a line each. It
needs root. What runs in there is started by `nsenter` (`Island.words`); nothing of it reaches any other network.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ADDRESSES = {
    "allowed.test": ["1.2.3.4"],
    "other.test": ["1.2.3.5"],
    "plain.test": ["1.2.3.6"],
    "xn--bcher-kva.test": ["1.2.3.7"],
    "a.wild.test": ["1.2.3.8"],
    "a.b.wild.test": ["1.2.3.8"],
    "wild.test": ["1.2.3.8"],
    "badwild.test": ["1.2.3.8"],
    "no.wild.test": ["1.2.3.8"],
    "private.test": ["10.0.0.5"],
    "registry.test": ["10.0.0.6"],
    "corp.test": ["10.1.0.7"],
    "a.corp.test": ["10.1.0.7"],
    "mixed.test": ["10.0.0.5", "1.2.3.4"],
    "loop.test": ["127.0.0.1"],
    "zero.test": ["0.0.0.0"],
    "meta.test": ["169.254.169.254"],
    "meta.corp.test": ["169.254.169.254"],
    "blocked.test": ["5.6.7.8"],
    "rebind.test": ["1.2.3.9", "127.0.0.1"],  # in turn: one for each question
    "ssh.test": ["1.2.3.4"],
    "down.test": ["1.2.3.99"],
}
"""The names, and what they lead to; `rebind.test` answers in turn."""

HEARD = ("1.2.3.4", "1.2.3.5", "1.2.3.6", "1.2.3.7", "1.2.3.8", "1.2.3.9", "5.6.7.8", "10.0.0.5", "10.0.0.6",
         "10.1.0.7", "127.0.0.1", "169.254.169.254")  # fmt: skip
LEFT_OUT = {"127.0.0.1", "0.0.0.0", "1.2.3.99"}
PORTS = (22, 80, 443, 8443, 9000)


def say(*words):
    os.write(1, f"{' '.join(words)}\n".encode())  # in one piece, whoever else says something


def raise_loopback():
    """Bring the loopback up, and give it all the addresses (netdevice(7))."""
    with socket.socket() as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))
        for number, address in enumerate({each for found in ADDRESSES.values() for each in found} - LEFT_OUT):
            name = f"lo:{number}".encode()
            wanted = struct.pack("16sHH4s8x", name, socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(s, 0x8916, wanted)
            mask = struct.pack("16sHH4s8x", name, socket.AF_INET, 0, socket.inet_aton("255.255.255.255"))
            fcntl.ioctl(s, 0x891C, mask)


def resolve(s):
    turns = {}
    while True:
        question, where = s.recvfrom(4096)
        labels, at = [], 12
        while size := question[at]:
            labels.append(question[at + 1 : at + 1 + size].decode("latin-1"))
            at += 1 + size
        name, kind = ".".join(labels).lower(), question[at + 2]
        say("asked", name)
        found = ADDRESSES.get(name, [])
        if name == "rebind.test" and kind == 1:
            turns[name] = turns.get(name, -1) + 1
            found = [found[turns[name] % len(found)]]
        answers = [] if kind != 1 else found
        head = (
            question[:2] + bytes((0x84, 0x80 if found else 0x83)) + b"\0\1" + struct.pack(">H", len(answers)) + bytes(4)
        )
        records = b"".join(b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(each) for each in answers)
        s.sendto(head + question[12 : at + 5] + records, where)


def serve(connection, here):
    """Say where this is and what came; `bulk N` is answered with N bytes, an upgrade with an echo."""
    with contextlib.suppress(OSError), connection:
        data = b""
        while b"\n\n" not in data.replace(b"\r", b""):
            piece = connection.recv(65536)
            if not piece:
                break
            data += piece
        first, *fields = data.partition(b"\n\n")[0].decode("latin-1").split("\r\n")
        words = first.split(" ")
        hosts = [each for each in fields if each.lower().startswith("host:")]
        path = words[1] if len(words) > 1 else ""
        say("reached", here, repr(first[:60]))
        if path.startswith("/redirect/"):
            target = path.removeprefix("/redirect/")
            head = f"HTTP/1.1 302 Found\r\nLocation: http://{target}/\r\nConnection: close\r\n\r\nat {here} got it\n"
            connection.sendall(head.encode())
        elif path.startswith("/bulk/"):
            size = int(path.removeprefix("/bulk/"))
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size)
            for _ in range(size >> 16):
                connection.sendall(bytes(1 << 16))
        elif any(each.lower().startswith("upgrade:") for each in fields):
            connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
            while piece := connection.recv(65536):
                connection.sendall(piece)
        elif first == "count":
            total = len(data.partition(b"\n\n")[2])
            while piece := connection.recv(65536):
                total += len(piece)
            connection.sendall(f"counted {total}".encode())
        elif first == "silent":
            connection.recv(1)
        else:
            names = sorted(each.partition(":")[0].lower() for each in fields if each)
            body = f"at {here} got {first} {hosts} {names}\n".encode()
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
            )


def hear(address, port, context):
    with socket.create_server((address, port), backlog=1024) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=greet, args=(connection, f"{address}:{port}", context), daemon=True).start()


def greet(connection, here, context):
    with contextlib.suppress(OSError):
        if context is not None and connection.recv(1, socket.MSG_PEEK) == b"\x16":
            connection = context.wrap_socket(connection, server_side=True)
        serve(connection, here)


def main(directory, certificate, key):
    raise_loopback()
    for name, text in (
        ("resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"),
        ("hosts", "127.0.0.1 localhost\n"),
    ):
        there = Path(directory, name)
        there.write_text(text)
        there.chmod(0o644)
        subprocess.run(["mount", "--bind", there, os.path.realpath(f"/etc/{name}")], check=True)
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    threading.Thread(target=resolve, args=(names,), daemon=True).start()
    for address in HEARD:
        for port in PORTS:
            threading.Thread(target=hear, args=(address, port, context), daemon=True).start()
    say("ready")
    signal.pause()


class Island:
    """The network, from the outside.

    Args:
        certificate, key: of its servers, for whoever speaks TLS; paths, or None.
    """

    def __init__(self, certificate=None, key=None):
        self.directory = tempfile.mkdtemp(prefix="asimi-island-", dir="/var/tmp")
        words = [
            "unshare",
            "-n",
            "-m",
            sys.executable,
            __file__,
            self.directory,
            str(certificate or ""),
            str(key or ""),
        ]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self._said, self._lock = [], threading.Lock()
        assert self.process.stdout.readline() == "ready\n"
        self._listening = threading.Thread(target=self._listen)
        self._listening.start()

    def _listen(self):
        for line in self.process.stdout:
            with self._lock:
                self._said.append(line.split())

    @property
    def words(self):
        """What starts a program in there."""
        return ["nsenter", "-t", str(self.process.pid), "-n", "-m"]

    def reached(self):
        """Where its servers were reached, each once."""
        with self._lock:
            return {words[1] for words in self._said if words[:1] == ["reached"]}

    def asked(self):
        """The names that its resolver was asked for."""
        with self._lock:
            return {words[1] for words in self._said if words[:1] == ["asked"]}

    def end(self):
        """End it."""
        self.process.kill()
        self._listening.join()
        self.process.communicate()
        shutil.rmtree(self.directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
