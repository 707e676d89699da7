"""All shapes in which a name can be asked for: a table, run against real servers in a network of the tests' own."""

import json
import os
from pathlib import Path

import pytest
from helpers.boxes import Yard
from helpers.island import Island
from helpers.sandboxes import skip

from asimi.world.executors.confining.ability import lacking_bubblewrap

TABLE = Path(__file__).with_name("asking.txt")

REACH = [
    "allowed.test", "plain.test:8443", "*.wild.test", "private.test", "registry.test:9000", "*.corp.test:8443",
    "corp.test", "bücher.test", "mixed.test", "loop.test", "meta.test:80", "blocked.test", "rebind.test", "down.test",
    "1.2.3.5:9000", "zero.test",
]  # fmt: skip

CLIENT = r"""
import ipaddress, json, re, socket, sys


def heard(s, size=1 << 20):
    data = b""
    try:
        while len(data) < size and (piece := s.recv(size - len(data))):
            data += piece
    except OSError:
        pass
    return data


def where(data):
    found = re.search(rb"at (\S+) got", data)
    return " " + found[1].decode() if found else ""


def asked(kind, what):
    if kind == "name":
        host, port = what.rsplit(":", 1)
        try:
            with socket.create_connection((host, int(port)), 5) as s:
                s.sendall(b"GET / HTTP/1.0\r\n\r\n")
                return where(heard(s)).strip() or "-"
        except OSError:
            return "-"
    with socket.create_connection(("127.0.0.1", 3128), 10) as s:
        s.settimeout(20)
        if kind == "raw":
            s.sendall(what.encode("latin-1"))
            s.shutdown(socket.SHUT_WR)
            return heard(s).decode("latin-1")
        if kind == "socks":
            host, port = what.rsplit(":", 1)
            try:
                packed = ipaddress.ip_address(host).packed
                named = bytes((1 if len(packed) == 4 else 4,)) + packed
            except ValueError:
                named = bytes((3, len(host.encode()))) + host.encode()
            s.sendall(b"\5\1\0\5\1\0" + named + int(port).to_bytes(2, "big"))
            said = heard(s, 12)
            if said[3:4] != b"\0":
                return str(said[3])
            s.sendall(b"GET / HTTP/1.0\r\n\r\n")
            return "0" + where(heard(s))
        s.sendall(what.encode("latin-1") + b"\r\n\r\n")
        said = b""
        while b"\r\n\r\n" not in said and (piece := s.recv(1)):
            said += piece
        status = said[9:12].decode()
        if status == "200" and what[:7] == "CONNECT":
            s.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return status + where(said + heard(s))


for line in open(sys.argv[1]):
    print(json.dumps(asked(*json.loads(line))), flush=True)
"""


def rows():
    """The rows of the table: kind, what is said, what comes of it."""
    for line in TABLE.read_text().splitlines():
        if line and line[0] != "#":
            asked, _, outcome = line.rpartition("=>")
            kind, what = asked.strip().split(maxsplit=1)
            yield kind, what, outcome.strip()


def said(kind, what):
    """What a row stands for, its bytes as letters."""
    if kind in {"socks", "name"}:
        return what
    escapes = {r"\r": "\r", r"\n": "\n", r"\0": "\0", "\\\\": "\\"}
    letters, at = "", 0
    while at < len(what):
        two = what[at : at + 2]
        if two == r"\x":
            letters, at = letters + chr(int(what[at + 2 : at + 4], 16)), at + 4
        elif two in escapes:
            letters, at = letters + escapes[two], at + 2
        else:
            letters, at = letters + what[at].encode().decode("latin-1"), at + 1
    return letters


@pytest.fixture(scope="module")
def island():
    if os.geteuid() or (fault := lacking_bubblewrap()):
        skip("only root can make a network" if os.geteuid() else fault)
    made = Island()
    yield made
    made.end()


@pytest.fixture(scope="module")
def yard(island):
    it = Yard(within=island.words)
    yield it
    it.end()


@pytest.fixture(scope="module")
def box(yard):
    return yard.box(reach=REACH, deny=["no.wild.test", "5.0.0.0/8"], private=["*.corp.test"])


@pytest.fixture(scope="module")
def outcomes(yard, box):
    """What came of each row."""
    table = list(rows())
    yard.write(yard.root / "client.py", CLIENT)
    yard.write(yard.root / "rows", "".join(json.dumps([kind, said(kind, what)]) + "\n" for kind, what, _ in table))
    out, code = box("python3 client.py rows")
    assert code == 0, out
    lines = [json.loads(line) for line in out.splitlines()]
    return dict(zip(((kind, what) for kind, what, _ in table), lines, strict=True))


@pytest.mark.parametrize(("kind", "what", "outcome"), list(rows()))
def test_a_name_is_reached_only_where_that_is_said(outcomes, kind, what, outcome):
    wanted = said("raw", outcome) if kind == "raw" else outcome
    found = outcomes[kind, what]
    assert found.startswith(wanted) if kind == "raw" else found == wanted


def test_no_server_was_reached_but_those(outcomes, island):
    assert outcomes
    assert island.reached() == {words[-1] for _, _, outcome in rows() if ":" in (words := outcome.split())[-1]}


def test_no_name_is_resolved_before_it_is_allowed(outcomes, island):
    assert outcomes
    assert island.asked().isdisjoint({"other.test", "nobody.test", "no.wild.test", "wild.test", "badwild.test"})
