"""What a box reaches: the names on its list through asimi's proxy, and nothing else; real servers on this machine."""

import http.server
import json
import socket
import threading

import pytest

FETCH = """python3 -c '
import sys, urllib.error, urllib.request
try:
    print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode(), end="")
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode(), end="")
except OSError as error:
    print("no", error)
' """
RAW = """python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", 3128), 10)
s.sendall(bytes(sys.argv[1], "latin-1").decode("unicode_escape").encode("latin-1"))
s.shutdown(socket.SHUT_WR)
data = b""
while piece := s.recv(65536):
    data += piece
print(data.decode("latin-1"), end="")
' """


class Served(http.server.BaseHTTPRequestHandler):
    """Says what it was asked, by a fixed name."""

    def do_GET(self):
        body = json.dumps({"path": self.path, "host": self.headers["Host"], "fields": sorted(self.headers)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    """A server of this machine; its port."""
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Served)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made.server_address[1]
    made.shutdown()
    made.server_close()


@pytest.fixture(scope="module")
def box(yard, server):
    """A box that reaches the server by two names of this machine, and by a third one without its port."""
    return yard.box(reach=[f"localhost:{server}", f"127.0.0.1:{server}", f"{socket.gethostname()}", "*.invalid"])


def reached(box):
    """What the box has told so far: name, port, whether it was allowed."""
    return [(each["name"], each["port"], each["allowed"]) for each in box.ask("reached")]


def test_a_name_on_the_list_is_reached_through_the_proxy(box, server):
    said, _ = box(f"env -u no_proxy -u NO_PROXY {FETCH} http://127.0.0.1:{server}/a?b")
    assert json.loads(said)["path"] == "/a?b"
    assert json.loads(said)["host"] == f"127.0.0.1:{server}"
    assert not any(each.lower().startswith("proxy") for each in json.loads(said)["fields"])
    assert ("127.0.0.1", server, True) in reached(box)


def test_a_port_of_this_machine_has_a_listener_in_the_box(box, server):
    said, _ = box(f"{FETCH} http://localhost:{server}/here")
    assert json.loads(said)["path"] == "/here"
    assert ("localhost", server, True) in reached(box)


def test_a_tunnel_carries_bytes_both_ways(box, server):
    said, _ = box(rf"{RAW} 'CONNECT 127.0.0.1:{server} HTTP/1.1\r\n\r\nGET /t HTTP/1.0\r\nHost: x\r\n\r\n'")
    assert said.startswith("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.0 200")
    assert '"/t"' in said


@pytest.mark.parametrize(
    "wanted",
    [
        "CONNECT example.org:443 HTTP/1.1",
        "CONNECT localhost:PORT HTTP/1.1",  # through the proxy it is another machine's name for itself
        "CONNECT 127.0.0.2:PORT HTTP/1.1",
        f"CONNECT {socket.gethostname()}:PORT HTTP/1.1",
        "CONNECT [::1]:PORT HTTP/1.1",
        "CONNECT 127.0.0.1:22 HTTP/1.1",
        "CONNECT 0:PORT HTTP/1.1",
        "CONNECT 169.254.169.254:80 HTTP/1.1",
        "GET http://example.org/ HTTP/1.1",
        "GET http://EXAMPLE.org./ HTTP/1.1",
    ],
)
def test_what_is_not_on_the_list_is_refused_in_words(box, server, wanted):
    wanted = wanted.replace("PORT", str(server))
    said, _ = box(rf"{RAW} '{wanted}\r\n\r\n'")
    assert said.startswith("HTTP/1.1 403 asimi: ")
    assert "is not reached" in said.partition("\r\n")[0]
    assert box.ask("reached")[-1]["allowed"] is False


SERVED = (
    "python3 -m http.server 8124 --bind :: >/dev/null 2>&1 & curl -s --retry 20 --retry-connrefused {0} >/dev/null; "
)
CURL, NODE = "curl -s ", "node -e 'fetch(process.argv[1]).then((got) => got.text()).then(console.log)' "


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "0.0.0.0", "127.0.0.2", "[::]", "[::1]", socket.gethostname()]
)
@pytest.mark.parametrize("client", [CURL, FETCH, NODE], ids=["curl", "urllib", "node"])
def test_a_server_of_the_boxs_own_is_reached_by_each_name_of_its_machine(box, host, client):
    """In NO_PROXY urllib takes no block of addresses, so it asks the proxy for `127.0.0.2`, which says what that is."""
    served = SERVED.format(f"http://{host}:8124/")
    said, _ = box(f"{served}{client}http://{host}:8124/; kill %1; wait")
    asks = (host, client) == ("127.0.0.2", FETCH)
    assert ("127.0.0.2 is its own in there, and needs no proxy" if asks else "Directory listing") in said


def test_a_name_without_its_port_leads_to_no_private_address(box):
    said, _ = box(rf"{RAW} 'CONNECT {socket.gethostname()}:80 HTTP/1.1\r\n\r\n'")
    assert "this machine itself" in said or "private address" in said or "502" in said


def test_a_name_that_nobody_has_is_told(box):
    said, _ = box(rf"{RAW} 'CONNECT nobody.invalid:443 HTTP/1.1\r\n\r\n'")
    assert said.startswith("HTTP/1.1 502 ")


@pytest.mark.parametrize(
    "request_",
    [
        "",
        "GET / HTTP/1.1",
        "GET ftp://example.org/ HTTP/1.1",
        "CONNECT user@127.0.0.1:PORT HTTP/1.1",
        "CONNECT 127.0.0.1:PORT",
        "CONNECT :PORT HTTP/1.1",
        "G1T http://127.0.0.1:PORT/ HTTP/1.1",
        "G\\xc4T http://127.0.0.1:PORT/ HTTP/1.1",
        "CONNECT 127.0.0.1:PORTx HTTP/1.1",
        "GET http://127.0.0.1:PORT/ HTTP/1.1\\nHost: other",
        "GET http://127.0.0.1:PORT/ HTTP/1.1\\r\\n folded: x",
    ],
)
def test_what_is_no_request_reaches_nothing(box, server, request_):
    said, _ = box(rf"{RAW} '{request_.replace('PORT', str(server))}\r\n\r\n'")
    assert not said or said.startswith("HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "way",
    [
        "python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 53), 2)'",
        "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 22), 2)'",
        "python3 -c 'import socket; print(socket.getaddrinfo(\"example.org\", 80))'",
        "unshare -n true && nsenter -t 1 -n true && nsenter -n -t $PPID curl -s http://127.0.0.1",
    ],
)
def test_there_is_no_other_way(box, way):
    _, code = box(f"{way} 2>/dev/null")
    assert code != 0


def test_nothing_inside_takes_the_place_of_the_proxy(box):
    said, code = box("python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 3128)); s.listen()' 2>&1")
    assert code == 1
    assert "in use" in said


def test_a_flood_of_connections_leaves_room_for_the_next(box, server):
    box("python3 -c 'import socket; c = [socket.create_connection((\"127.0.0.1\", 3128)) for _ in range(400)]'")
    said, _ = box(f"{FETCH} http://localhost:{server}/after")
    assert '"/after"' in said
