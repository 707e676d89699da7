"""`[sandbox] network = "named"`: a command in a sandbox reaches names by the lists of a box, and nothing else."""

import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from helpers import PYTHON
from helpers.executors import eventually
from helpers.home import OTHER_PYTHONS, Home
from helpers.sandboxes import AS_NOBODY, NOBODY, USERS, WITHOUT, nobodys_python, skip

if sys.platform != "linux":
    pytest.skip("bubblewrap is Linux's", allow_module_level=True)

from asimi.world.executors.confining import ability

if fault := ability.lacking_bubblewrap():
    skip(fault)

CONFIG = (
    'coreTools = ["run_shell_command"]\n[sandbox]\nmode = "project"\nnetwork = "named"\n'
    '[network]\nallow = ["127.0.0.1:PORT", "localhost:PORT", "name.test", "@remotes"]\n[limits]\ntimeout = 60\n'
    + OTHER_PYTHONS
)
ASK = """
import socket, sys
with socket.create_connection(("127.0.0.1", 3128), 10) as s:
    s.sendall(f"GET http://{sys.argv[1]}/ HTTP/1.0\\r\\n\\r\\n".encode())
    while piece := s.recv(65536):
        print(piece.decode("latin-1"), end="")
"""
KILLED = 125


class Served(http.server.BaseHTTPRequestHandler):
    """Says hello."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def port():
    """A server of this machine; its port."""
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Served)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made.server_address[1]
    made.shutdown()
    made.server_close()


class Named(Home):
    """A home, not below /tmp, where the network is by name."""

    def __init__(self, directory, port, config=CONFIG):
        super().__init__(directory, config.replace("PORT", str(port)))
        self.user, self.python = (), PYTHON
        (self.root / "ask.py").write_text(ASK)

    def run(self, text, *words):
        """What comes of a text."""
        said = [*self.user, self.python, "-m", "asimi", "run", "--json", *words, text]
        options = {"cwd": self.root, "env": self.environ, "stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return json.loads(subprocess.run(said, check=False, **options).stdout)

    def person(self, text):
        """A person at a terminal whose shell runs a text; asimi is no leader of a session, as ever."""
        words = ["sh", "-c", f'{PYTHON} -m asimi run "$1"; true', "sh", text]
        return self.at_terminal(program=words)

    def names(self):
        """What the log has of names: each with its port, whether it was reached, and why."""
        found = [each for each in self.log() if each["event"] == "network"]
        return [(each["name"], each["port"], each["allowed"], each["why"]) for each in found]


@pytest.fixture
def place():
    """A directory that is not below /tmp, of which the sandbox has its own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as path:
        yield Path(os.path.realpath(path))


@pytest.fixture
def home(place, port):
    return Named(place, port)


@pytest.fixture(params=USERS)
def anyones(request, home):
    """The same for each kind of user."""
    if request.param == "nobody":
        if not (python := nobodys_python()):
            skip("only root can become somebody else, who must have a Python to start")
        home.user, home.python = AS_NOBODY, python
        for path in (home.root.parent, *home.root.parent.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return home


def test_a_name_on_the_list_is_reached_and_no_other(anyones, port):
    done = anyones.run(f"python3 ask.py 127.0.0.1:{port}; python3 ask.py example.org")
    assert (done["exitCode"], done["sandbox"]) == (0, "project")
    assert "hello" in done["stdout"]
    assert "403 asimi: example.org:80 is not reached: nothing lists example.org:80" in done["stdout"]
    call = next(each["id"] for each in anyones.log() if each["event"] == "end")
    reached, refused = (each for each in anyones.log() if each["event"] == "network")
    assert (reached["name"], reached["port"], reached["allowed"], reached["call"]) == ("127.0.0.1", port, True, call)
    assert reached["program"].endswith(f"python3 ask.py 127.0.0.1:{port}")
    assert reached["sent"] > 0
    assert reached["received"] > len("hello")
    assert (refused["name"], refused["allowed"], refused["by"]) == ("example.org", False, "nobody")


def test_a_port_of_this_machine_and_an_allowed_name_are_there_without_a_proxy(anyones, port):
    code = (
        f'import socket; print(socket.create_connection(("localhost", {port}), 5), socket.gethostbyname("name.test"))'
    )
    done = anyones.run(f"python3 -c 'import socket; {code}'")
    assert "127.80.0.1" in done["stdout"], done
    assert eventually(lambda: ("localhost", port, True, f"localhost:{port} is on the list") in anyones.names())


@pytest.mark.parametrize(
    "code",
    [
        'socket.create_connection(("1.1.1.1", 53), 2)',
        'socket.create_connection(("::1", PORT), 2)',
        'socket.create_connection(("127.0.0.2", PORT), 2)',
        'socket.gethostbyname("other.test")',
        'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53))',
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "socket.socket(socket.AF_VSOCK)",
        "socket.socket(socket.AF_UNIX)",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    ],
)
def test_there_is_no_other_way(home, port, code):
    done = home.run(f"python3 -c 'import socket; {code.replace('PORT', str(port))}'")
    assert done["exitCode"] == 1
    assert "Error" in done["stderr"] or "error" in done["stderr"]


def test_local_sockets_are_those_that_the_configuration_says(home):
    home.config.write_text(home.config.read_text().replace("[network]", "sockets = true\n[network]"))
    code = "import socket; socket.socket(socket.AF_UNIX); socket.socketpair()"
    assert home.run(f"python3 -c '{code}'")["exitCode"] == 0
    assert home.run(f"python3 -c '{code.replace('UNIX', 'PACKET')}'")["exitCode"] == 1


def test_what_the_command_listens_on_is_its_own(home):
    code = 'import socket; s = socket.create_server(("127.0.0.1", 0)); socket.create_connection(s.getsockname())'
    assert home.run(f"python3 -c '{code}'")["exitCode"] == 0


def test_a_remote_that_a_command_wrote_is_not_reached(home):
    (home.root / ".git").mkdir()
    (home.root / ".git" / "config").write_text('[remote "origin"]\nurl = https://away.test/x\n')
    done = home.run("python3 ask.py away.test:443")
    assert "away.test:443 is not reached: nothing lists it" in done["stdout"].replace("away.test:443;", "it;")


def test_deny_and_reject_count(home, port):
    text = home.config.read_text().replace("[limits]", f'deny = ["127.0.0.1:{port}"]\nunlisted = "reject"\n[limits]')
    home.config.write_text(text)
    said = home.run(f"python3 ask.py 127.0.0.1:{port}; python3 ask.py example.org")["stdout"]
    assert f"network.deny has 127.0.0.1:{port}" in said
    assert 'network.unlisted = "reject"' in said


def test_a_person_at_the_terminal_is_asked_while_it_runs(home):
    with home.person("python3 ask.py asked.invalid") as person:
        asked = person.asked()
        assert "asked.invalid:80" in asked
        person.presses("y")
        person.ended()
    name, port, allowed, why = home.names()[-1]
    assert (name, port) == ("asked.invalid", 80)
    assert why.endswith("allows it"), why
    assert allowed  # that there is no such host is another matter


def test_what_it_says_meanwhile_comes_after_the_question(home):
    (home.root / "both.sh").write_text("python3 ask.py asked.invalid &\nsleep 3; printf '\\033[2Jspoof\\n'; wait\n")
    with home.person("sh both.sh") as person:
        person.asked()
        person.never_sees("spoof", 5)
        assert "asked.invalid:80" in person.asked()
        person.presses("n")
        person.sees("spoof")
        person.ended()


def test_a_no_is_told_and_a_never_is_kept(home):
    with home.person("python3 ask.py asked.invalid") as person:
        person.asked()
        person.presses("n")
        person.ended()
    assert home.names()[0][2] is False
    assert "a person said no" in home.names()[0][3]
    with home.person("python3 ask.py asked.invalid") as person:
        person.asked()
        person.types("d")
        person.sees("[1]")
        person.types("1")
        person.ended()
    assert "a rule denies it" in home.run("python3 ask.py asked.invalid")["stdout"]


def test_a_question_that_waits_in_the_queue_is_answered(home):
    home.config.write_text(home.config.read_text() + "[session]\nwait = true\n")
    process = home.start("run", "--session", "one", "python3 ask.py asked.invalid")
    question = eventually(lambda: re.match(r"[a-z2-7]{8}", home.asimi("approve", "--list").stdout))[0]
    with home.at_terminal("approve", question) as person:
        assert "asked.invalid:80" in person.asked()
        person.presses("y")
        assert person.ended() == 0
    out, _ = process.communicate(timeout=60)
    assert b"502" in out
    assert home.names()[-1][:3] == ("asked.invalid", 80, True)


def test_yes_answers_no_question_about_a_name(home):
    assert "403 asimi: asked.invalid:80 is not reached" in home.run("python3 ask.py asked.invalid", "--yes")["stdout"]


def test_the_end_of_the_call_ends_a_question_and_what_is_left_reaches_nothing(home, port):
    home.config.write_text(home.config.read_text() + "[session]\nwait = true\n")
    late = f"(until test -e later; do sleep 0.1; done; python3 ask.py 127.0.0.1:{port} >late 2>&1; touch done) &"
    text = f"{late} (python3 ask.py asked.invalid &); until test -e go; do sleep 0.1; done"
    process = home.start("run", "--session", "one", text)
    eventually(lambda: home.asimi("approve", "--list").stdout)
    (home.root / "go").touch()
    process.communicate(timeout=60)
    assert process.returncode == 0
    (home.root / "later").touch()
    eventually((home.root / "done").exists)
    assert "hello" not in (home.root / "late").read_text()
    assert home.asimi("approve", "--list").stdout.split()[1] == "refused"  # a yes holds for the next time
    assert [each[:3] for each in home.names()] == [("asked.invalid", 80, False)]


def test_nothing_runs_where_its_network_cannot_be_entered(home):
    setns = {"x86_64": "308", "aarch64": "268"}[os.uname().machine]
    words = [PYTHON, "-c", WITHOUT, setns, "-1", "1", PYTHON, "-m", "asimi", "run", "touch ran"]
    done = subprocess.run(words, cwd=home.root, env=home.environ, capture_output=True, text=True, check=False)
    assert done.returncode == KILLED
    assert "The sandbox cannot be set up: its network cannot be made" in done.stderr
    assert not (home.root / "ran").exists()


def test_a_program_that_is_not_there_is_told_as_ever(home):
    assert home.run("exec no-such-program")["exitCode"] == 127


def test_a_time_limit_ends_it_while_a_question_waits(home):
    text = home.config.read_text().replace("timeout = 60", "timeout = 3")
    home.config.write_text(text + "[session]\nwait = true\n")
    done = home.run("python3 ask.py asked.invalid", "--session", "one")
    assert done["timedOut"], done
    assert home.asimi("approve", "--list").stdout.split()[1] == "refused"  # a yes holds for the next time


def test_exec_rules_hold_as_well(home, port):
    rule = '[[rules]]\ndecision = "deny"\ncommand = "id"\nenforce = "exec"\n'
    home.config.write_text(home.config.read_text() + rule)
    (home.root / "sub" / "asks").write_text("id\n")
    done = home.run(f"sh sub/asks; python3 ask.py 127.0.0.1:{port}")
    assert "hello" in done["stdout"]
    assert "uid=" not in done["stdout"]
    assert [each["argv"] for each in done["refused"]] == [["id"]]


def test_many_calls_at_once(home, port):
    arguments = {"command": f"python3 ask.py 127.0.0.1:{port} && sleep 0.2"}
    calls = [{"id": at, "name": "run_shell_command", "arguments": arguments} for at in range(12)]
    answers = home.answers(*calls)
    assert ["hello" in json.dumps(each) for each in answers] == [True] * 12
    assert [each[:3] for each in home.names()] == [("127.0.0.1", port, True)] * 12


UNLISTED = CONFIG.replace('coreTools = ["run_shell_command"]', 'unlisted = "sandbox"').replace('mode = "project"\n', "")


def test_what_nothing_lists_reaches_the_same(place, port):
    home = Named(place, port, UNLISTED)
    done = home.run(f"python3 ask.py 127.0.0.1:{port}")
    assert (done["exitCode"], done["sandbox"]) == (0, "project"), done
    assert "hello" in done["stdout"]


def test_a_project_gives_no_network_to_what_nothing_lists(place, port):
    home = Named(place, port, UNLISTED.replace('network = "named"', ""))
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text('[sandbox]\nnetwork = "named"\n')
    done = home.run(f"python3 ask.py 127.0.0.1:{port}")
    assert "hello" not in done["stdout"]
    assert home.names() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[sandbox]\nmode = "project"\nbackend = "landlock"\nnetwork = "named"\n',
            ":4: this sandbox cannot be kept here",
        ),
        ('[sandbox]\nnetwork = "name"\n', ':2: sandbox.network must be "full" or "named" or "none"'),
    ],
)
def test_what_cannot_be_kept_is_an_error_of_the_configuration(home, text, said):
    home.config.write_text(text)
    done = home.asimi("run", "true")
    assert done.returncode != 0
    assert said in done.stderr
    assert "network" in done.stderr


def test_the_dialog_and_check_say_what_holds(home):
    assert "reaches only names that are allowed" in home.asimi("check", "true").stdout
