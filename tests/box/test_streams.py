"""What goes through: both ways at once, half closed, changed into something else; and what must not stop the rest."""

import json
import os
import select
import socket
import struct
import subprocess
import threading
import time

import pytest
from helpers.boxes import Yard
from helpers.executors import eventually
from helpers.island import Island
from helpers.sandboxes import NOBODY, skip

from asimi.core.call import Approval, Verdict
from asimi.core.judging.names import name_of
from asimi.core.judging.network_verdict import Lists
from asimi.world.box.carrying import Carrier
from asimi.world.box.egress import Outward, Unreachable
from asimi.world.box.name_decisions import NameDecider
from asimi.world.box.network import user_of
from asimi.world.box.requests import BadRequest, read_request
from asimi.world.box.resolver import Resolver
from asimi.world.executors.confining.ability import lacking_bubblewrap

TUNNEL = """
import hashlib, os, socket, sys, threading

def tunnel(name):
    s = socket.create_connection(("127.0.0.1", 3128), 30)
    s.sendall(f"CONNECT {name} HTTP/1.1\\r\\n\\r\\n".encode())
    said = b""
    while b"\\r\\n\\r\\n" not in said and (piece := s.recv(1)):
        said += piece
    return s, said.split(b"\\r\\n")[0].decode()

def rest(s):
    data = b""
    while piece := s.recv(1 << 16):
        data += piece
    return data
"""


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
    it.write(it.root / "tunnel.py", TUNNEL)
    yield it
    it.end()


@pytest.fixture(scope="module")
def box(yard):
    return yard.box(reach=["allowed.test", "rebind.test", "other.test:9000"], publish=[18123])


def run(box, program):
    """What a program in the box prints, which knows `tunnel` and `rest`."""
    out, code = box(f"python3 - <<'EOT'\nfrom tunnel import *\n{program}\nEOT")
    assert code == 0, out
    return out


def test_a_side_that_has_said_all_goes_on_hearing(box):
    said = run(
        box,
        """
s, status = tunnel("allowed.test:443")
s.sendall(b"count\\n\\n")
for _ in range(64): s.sendall(bytes(1 << 20))
s.shutdown(socket.SHUT_WR)
print(rest(s))""",
    )
    assert said == f"b'counted {64 << 20}'\n"


def test_an_upgraded_connection_carries_both_ways(box):
    said = run(
        box,
        """
s = socket.create_connection(("127.0.0.1", 3128), 30)
fields = ["GET http://allowed.test/ws HTTP/1.1", "Host: x", "Connection: keep-alive, Upgrade", "Upgrade: echo"]
s.sendall("\\r\\n".join([*fields, "", ""]).encode())
said = b""
while b"\\r\\n\\r\\n" not in said: said += s.recv(1)
print(said.split(b"\\r\\n")[0].decode())
sent = os.urandom(4 << 20)
threading.Thread(target=lambda: (s.sendall(sent), s.shutdown(socket.SHUT_WR))).start()
print(hashlib.sha256(sent).digest() == hashlib.sha256(rest(s)).digest())""",
    )
    assert said == "HTTP/1.1 101 Switching Protocols\nTrue\n"


def test_what_ends_with_a_hop_is_not_handed_on(box):
    said = run(
        box,
        """
s = socket.create_connection(("127.0.0.1", 3128), 30)
fields = ["GET http://allowed.test/ HTTP/1.1", "Host: evil", "Connection: x-mine", "X-Mine: 1", "Upgrade: h2c",
          "Proxy-Authorization: x", "X-Kept: 1"]
s.sendall("\\r\\n".join([*fields, "", ""]).encode())
print(rest(s).decode())""",
    )
    assert "['Host: allowed.test'] ['connection', 'host', 'x-kept']" in said


def test_two_thousand_connections_at_once(box):
    """What is above the limit is told so in words; the next one is served, and memory stays as it was."""
    before = box.ask("memory")
    said = run(
        box,
        """
import collections, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
kept, statuses = [], collections.Counter()
for _ in range(2000):
    s, status = tunnel("allowed.test:443")
    statuses[status.split(" ")[1]] += 1
    kept.append(s)
    if status.split(" ")[1] == "503": assert b"too many connections" in rest(s)
print(dict(statuses))
for s in kept[:50]:
    if s: s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
print(all(b"got GET" in rest(s) for s in kept[:50]))""",
    )
    counts, alright = said.splitlines()
    assert sum(json.loads(counts.replace("'", '"')).values()) == 2000
    assert set(json.loads(counts.replace("'", '"'))) <= {"200", "503"}
    assert alright == "True"
    assert eventually(lambda: "200" in run(box, 'print(tunnel("allowed.test:443")[1])'))
    assert box.ask("memory") - before < 48 << 20


def test_a_flood_of_silent_connections_gets_an_answer_in_words(box):
    said = run(
        box,
        """
held = [socket.create_connection(("127.0.0.1", 3128), 30) for _ in range(256)]
s, status = tunnel("allowed.test:443")
print(status, rest(s))""",
    )
    assert said.startswith("HTTP/1.1 503 asimi: too many connections")
    assert eventually(lambda: "200" in run(box, 'print(tunnel("allowed.test:443")[1])'))


def test_what_is_above_the_limit_of_descriptors_is_told_so(island):
    """All that can be had is in use, and still every connection gets an answer, and the next one is served."""
    few = Yard(within=[*island.words, "prlimit", "--nofile=700:700"])
    few.write(few.root / "tunnel.py", TUNNEL)
    box = few.box(reach=["allowed.test", "*.wild.test"])
    said = run(
        box,
        """
import collections
kept = [tunnel("allowed.test:443") for _ in range(300)]
print(dict(collections.Counter(status.split(" ")[1] for _, status in kept)))
print(all("too many connections" in status for _, status in kept if status.split(" ")[1] == "503"))
for at in range(60):
    try: socket.getaddrinfo(f"n{at}.wild.test", 443)
    except OSError: print("no more names"); break""",
    )
    few.end()
    counts, alright, names = said.splitlines()
    assert json.loads(counts.replace("'", '"')).keys() == {"200", "503"}
    assert alright == "True"
    assert names == "no more names"


def test_a_head_of_a_mebibyte_is_too_long(box):
    said = run(
        box,
        """
s = socket.create_connection(("127.0.0.1", 3128), 30)
try:
    s.sendall(b"GET http://allowed.test/ HTTP/1.1\\r\\nX: " + b"x" * (1 << 20))
except OSError: pass
try: print(rest(s).decode())
except OSError: print("reset")""",
    )
    assert said.startswith(("HTTP/1.1 431 ", "reset"))


def test_megabytes_leave_memory_flat(box):
    before = box.ask("memory")
    said = run(
        box,
        """
s, status = tunnel("allowed.test:443")
s.sendall(b"GET /bulk/268435456 HTTP/1.0\\r\\n\\r\\n")
total = 0
while piece := s.recv(1 << 20): total += len(piece)
print(total > 268435456)""",
    )
    assert said == "True\n"
    assert box.ask("memory") - before < 16 << 20


def test_a_name_that_leads_elsewhere_the_next_time_is_never_reached_there(box, island):
    """Of each connection the address that was looked at is the one: the first is public, the second this machine."""
    for _ in range(6):
        run(box, 'print(tunnel("rebind.test:443")[1])')
    assert "127.0.0.1:443" not in island.reached()


def test_the_program_that_wants_a_name_is_told(box):
    run(box, 'tunnel("never.test:443")')
    told = [each for each in box.ask("reached") if each["name"] == "never.test"]
    assert told[0]["program"].endswith("python3 -")
    assert not told[0]["allowed"]


def test_bytes_are_counted_each_way(box):
    run(box, 's, _ = tunnel("other.test:9000"); s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n"); rest(s)')
    found = eventually(lambda: [each for each in box.ask("reached") if each["name"] == "other.test" and each["sent"]])
    assert found[0]["sent"] == 18
    assert found[0]["received"] > 18


def test_a_published_port_leads_into_the_box(box, island):
    box("python3 -m http.server 18123 --bind 127.0.0.1 >/dev/null 2>&1 &")
    fetch = [
        *island.words,
        "curl",
        "-s",
        "-m",
        "20",
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "http://127.0.0.1:18123/",
    ]
    assert eventually(lambda: output(fetch) == "200")
    nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    as_other = [*island.words, *nobody, *fetch[len(island.words) :]]
    assert output(as_other) == "000"  # another user of this machine


def output(words):
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def test_the_gates_own_sockets_are_not_reached_from_a_name(box):
    """Nothing inside gets to what this process hears on but by the proxy, which has no name for that."""
    said = run(box, 'print(tunnel("127.0.0.1:18123")[1]); print(tunnel("localhost:3128")[1])')
    assert said.count(" 403 ") == 2


# ---- the parts, over real sockets ------------------------------------------------------------------------------------


def test_a_head_that_drips_is_not_waited_for():
    here, there = socket.socketpair()
    with here, there:
        over = threading.Event()

        def drip():
            while not over.wait(0.05):
                here.send(b"X")

        threading.Thread(target=drip).start()
        with pytest.raises(BadRequest, match="408"):
            read_request(there, listening=0.4)
        over.set()


def pair():
    """Two connections and what a carrier is told of them."""
    (one, client), (server, other) = socket.socketpair(), socket.socketpair()
    told = []
    return one, client, server, other, told


@pytest.mark.parametrize("half", [False, True])
def test_a_pair_that_says_nothing_is_ended(half):
    one, client, server, other, told = pair()
    carrier = Carrier(idle=30 if half else 0.2, half=0.2)
    carrier.carry(client, server, lambda *counts: told.append(counts))
    if half:
        one.shutdown(socket.SHUT_WR)
    with one, other:
        one.settimeout(20)
        assert one.recv(1) == b""
    end = time.monotonic() + 20
    while not told and time.monotonic() < end:  # it is told once both ends are closed
        time.sleep(0.01)
    carrier.close()
    assert told == [(0, 0)]


def is_full(connection):
    """Whether nothing more can be said on a connection."""
    try:
        while connection.send(bytes(1 << 20)):
            pass
    except BlockingIOError:
        time.sleep(0.05)
        return not select.select([], [connection], [], 0.05)[1]


def test_a_side_that_reads_nothing_stops_only_itself():
    carrier = Carrier()
    stuck, fine = pair(), pair()
    for one, client, server, _, told in (stuck, fine):
        carrier.carry(client, server, lambda *counts, told=told: told.append(counts))
        one.setblocking(False)
    assert eventually(lambda: is_full(stuck[0]))
    fine[0].send(b"hello")
    fine[3].settimeout(20)
    assert fine[3].recv(5) == b"hello"
    carrier.close()
    for each in (stuck, fine):
        each[0].close()
        each[3].close()


def test_what_follows_so_many_bytes_goes_nowhere_and_the_end_is_heard():
    one, client, server, other, told = pair()
    carrier = Carrier()
    carrier.carry(client, server, lambda *counts: told.append(counts), 3)
    one.sendall(b"abcGET http://b.invalid/ HTTP/1.1")
    other.settimeout(20)
    assert other.recv(100) == b"abc"
    other.sendall(b"answer")
    one.settimeout(20)
    assert one.recv(100) == b"answer"
    one.sendall(b"more")
    one.shutdown(socket.SHUT_WR)
    assert other.recv(100) == b""
    one.close()
    other.close()
    assert eventually(lambda: told == [(3, 6)])
    carrier.close()


def test_all_that_is_under_way_is_ended_at_the_close():
    one, client, server, other, told = pair()
    carrier = Carrier()
    carrier.carry(client, server, lambda *counts: told.append(counts))
    one.send(b"abc")
    other.settimeout(20)
    assert other.recv(3) == b"abc"
    carrier.close()
    assert eventually(lambda: told == [(3, 0)])
    one.close()
    other.close()


def test_the_machines_own_proxy_is_used(monkeypatch):
    """Its name resolution, its secret, its refusal; and what it is spared."""
    heard = []

    def serve(listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                head = connection.recv(65536).decode()
                heard.append(head)
                connection.sendall(b"HTTP/1.1 407 No\r\n\r\n" if "refused" in head else b"HTTP/1.1 200 OK\r\n\r\nhere")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        proxy = f"http://me:secret@127.0.0.1:{listener.getsockname()[1]}"
        outward = Outward({"https_proxy": proxy, "no_proxy": "spared.invalid,.inside.invalid"})
        server, whole = outward.open_connection("far.invalid", 443, lambda _: "", tunnel=True)
        with server:
            assert server.recv(4) == b"here"
        assert not whole
        assert heard[0].startswith("CONNECT far.invalid:443 HTTP/1.1\r\n")
        assert "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n" in heard[0]
        with pytest.raises(OSError, match="407"):
            outward.open_connection("refused.invalid", 443, lambda _: "", tunnel=True)
        for spared in ("spared.invalid", "a.inside.invalid"):
            with pytest.raises(socket.gaierror):
                outward.open_connection(spared, 443, lambda _: "", tunnel=True)
        with pytest.raises(Unreachable, match="private"):
            outward.open_connection("127.0.0.2", 443, lambda _: "private", tunnel=True)


def test_a_user_is_found_by_the_port_of_a_connection():
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()) as client:
        assert user_of(*client.getsockname()) == os.getuid()
        assert user_of("127.0.0.1", 1) is None


def ask_resolver(message, ports=lambda _: (443,)):
    resolver = Resolver.__new__(Resolver)
    resolver._most = 9
    resolver._ports, resolver._addresses, resolver._there = ports, {}, {}
    resolver._lock, resolver._given = threading.Lock(), lambda *_: None
    return resolver.answer(message)


def question(name, kind=1, family=1, head=b"\x12\x34\x01\0\0\1\0\0\0\0\0\0"):
    labels = b"".join(bytes((len(each),)) + each.encode() for each in name.split("."))
    return head + labels + b"\0" + struct.pack(">HH", kind, family)


def test_the_resolver_answers_what_a_resolver_should():
    answer = ask_resolver(question("Allowed.Test"))
    assert answer[:4] == b"\x12\x34\x85\x80"
    assert answer[-4:] == socket.inet_aton("127.80.0.1")
    assert ask_resolver(question("allowed.test", kind=28))[3:8] == b"\x80\0\1\0\0"  # no address of IPv6, but the name
    assert ask_resolver(question("allowed.test", family=3))[3] & 15 == 4
    assert ask_resolver(question("allowed.test"), lambda _: ())[3] & 15 == 3
    assert ask_resolver(question("localhost"))[3] & 15 == 3


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\0" * 11,
        question("a")[:-1],
        question("a")[:14],
        question("a", head=b"\x12\x34\x81\0\0\1\0\0\0\0\0\0"),  # an answer
        question("a", head=b"\x12\x34\x01\0\0\2\0\0\0\0\0\0"),  # two questions
        b"\x12\x34\x01\0\0\1\0\0\0\0\0\0\xc0\x0c\0\1\0\1",  # a name that points to itself
        b"\x12\x34\x01\0\0\1\0\0\0\0\0\0" + b"\x3f" + b"a" * 20,
    ],
)
def test_what_is_no_question_gets_no_answer(message):
    assert ask_resolver(message) == b""


# ---- deciding --------------------------------------------------------------------------------------------------------


def test_what_cannot_be_read_refuses():
    def broken():
        from asimi.core.errors import AsimiError

        raise AsimiError("the file is broken")

    deciding = NameDecider(broken)
    assert not deciding.decide("a.org", 443, str).yes
    assert deciding.usable("1.2.3.4", 443, deciding.decide("a.org", 443, str)) == "the file is broken"
    assert not deciding.machine(5432).yes


def test_a_flood_of_names_is_no_flood_of_questions():
    over = threading.Event()
    asked = []

    def ask(question):
        asked.append(question.host)
        over.wait(20)
        return Approval(yes=True, by="terminal")

    deciding = NameDecider(Lists, ask)
    threads = [threading.Thread(target=deciding.decide, args=(f"n{at}.org", 443, str), daemon=True) for at in range(16)]
    for each in threads:
        each.start()
    assert eventually(lambda: len(asked) == 16)
    said = deciding.decide("one-more.org", 443, str)
    assert not said.yes
    assert "other questions wait already" in said.why
    over.set()
    for each in threads:
        each.join()
    assert deciding.decide("one-more.org", 443, str).yes


def test_a_name_is_told_once_for_a_call():
    told, call = [], ["one"]
    deciding = NameDecider(
        lambda: Lists((name_of("a.org"),), unlisted=Verdict.DENY), call=lambda: call[0], told=told.append
    )
    for _ in range(3):
        said = deciding.decide("a.org", 443, str)
        deciding.began("a.org", 443, said, lambda: "curl")(10, 20)
    call[0] = "two"
    deciding.began("a.org", 443, said, lambda: "curl")(1, 2)
    assert [(each.call, each.connections, each.sent, each.received) for each in told] == [("one", 3, 30, 60)]
    deciding.tell()
    assert [(each.call, each.connections) for each in told] == [("one", 3), ("two", 1)]


def test_the_machines_own_proxy_gets_one_request_of_a_connection():
    """It would take a second one to any name; what changes into something else goes to the server itself alone."""

    def asked(text):
        mine, other = socket.socketpair()
        with mine, other:
            other.sendall(text.encode())
            return read_request(mine)

    found = asked("GET http://a.invalid/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    assert b"\r\nUpgrade: websocket\r\nConnection: upgrade\r\n" in found.head
    assert found.absolute == b"GET http://a.invalid/ HTTP/1.1\r\nHost: a.invalid\r\nConnection: close\r\n\r\n"
    head = "POST http://a.invalid/ HTTP/1.1\r\nContent-Length: 5\r\n\r\n"
    for sent, kept, more in (("", "", 5), ("ab", "ab", 3), ("abcdeGET http://b.invalid/ HTTP/1.1", "abcde", 0)):
        found = asked(head + sent)
        assert (found.absolute.partition(b"\r\n\r\n")[2].decode(), found.more) == (kept, more)
    assert asked(head.replace("Content-Length: 5", "Transfer-Encoding: chunked")).more is None
    for fields in ("Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5\r\nTransfer-Encoding: chunked"):
        with pytest.raises(BadRequest):
            asked(head.replace("Content-Length: 5", fields))
    with pytest.raises(BadRequest):  # it would show its login
        asked("TRACE http://a.invalid/ HTTP/1.1\r\nMax-Forwards: 0\r\n\r\n")


def test_the_machines_own_proxy_is_not_left_to_choose_an_address(monkeypatch):
    both = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 80)) for each in ("192.0.2.1", "169.254.169.254")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    outward = Outward({"http_proxy": "http://127.0.0.1:1"})
    with pytest.raises(Unreachable, match="never"):
        outward.open_connection("a.invalid", 80, lambda address: "never" if address[:3] == "169" else "", tunnel=False)
