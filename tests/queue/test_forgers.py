"""Nobody answers but a person: a command that asimi runs tries to, in every way that hides who answers.

The table is ways by doors. A person's own process, which the same program is too where no call started it, is the
control: its answers count.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

import pytest
from helpers import MODULES, PATIENCE, PYTHON, TESTS
from helpers.home import Home
from helpers.questions import until
from helpers.samples import crossed

from asimi.world.approvers.queue.answers import _connect
from asimi.world.approvers.queue.entries import entries
from asimi.world.host.nested import is_person
from asimi.world.host.sockets import Peer, address_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere less is known of who answers")

FORGER = str(TESTS / "helpers" / "forger.py")

WAYS = {
    "by_itself": "",
    "by_a_grandchild": "",
    "by_who_is_handed_it": "",
    "by_who_comes_after": "",
    "by_who_becomes_another": "",
    "by_a_forgetful_one": "setsid",
    "by_a_namespace": "unshare",
    "by_a_script": "script",
}
"""How a command answers, and the program that it needs."""

DOORS = {
    "a question that waits": (True, "touch MADE", "once"),
    "a rule that wants a person at a terminal": (True, "mkdir MADE", "once"),
    "always": (True, "touch MADE", "always"),
    "a call that was refused": (False, "touch MADE", "once"),
    "a refused call, of a rule that wants a person at a terminal": (False, "mkdir MADE", "once"),
    "always, of a call that was refused": (False, "touch MADE", "always"),
}
"""Whether calls wait, what is asked about, and how far the yes goes."""

CONFIG = """\
coreTools = ["run_shell_command(./forge)"]
[[rules]]
decision = "ask"
command = "mkdir"
terminal = true
[session]
wait = {wait}
ask_timeout = "{seconds}s"
"""


@pytest.fixture
def home(tmp_path):
    """A home whose project has a program that answers questions."""
    home = Home(tmp_path)
    forge = home.root / "forge"
    forge.write_text(f'#!/bin/sh\nexec "{PYTHON}" "{FORGER}" "{home.home}/run/asimi/questions" "$PWD/report" "$@"\n')
    forge.chmod(0o755)
    return home


def call(name, command):
    return (json.dumps({"id": name, "name": "run_shell_command", "arguments": {"command": command}}) + "\n").encode()


def tried(home, door, way, *, inside):
    """What the gate said to each answer that was tried, and whether what was asked about is done."""
    wait, command, scope = DOORS[door]
    home.config.write_text(CONFIG.format(wait=str(wait).lower(), seconds=PATIENCE))
    questions, report = home.home / "run" / "asimi" / "questions", home.root / "report"
    gate = home.start("serve", "--jobs", "4")
    try:
        gate.stdin.write(call("q", command))
        gate.stdin.flush()
        until(lambda: list(questions.glob("*.json")))
        if inside:
            gate.stdin.write(call("f", f"./forge {way} {scope}"))
            gate.stdin.flush()
            until(report.exists)
        else:
            subprocess.run(["./forge", way, scope], cwd=home.root, env=home.environ, check=True)
        if not wait:
            gate.stdin.write(call("again", command))
            gate.stdin.flush()
            until(lambda: sum(record.get("command") == command for record in home.log()) > 1)
        elif not inside:
            until((home.root / "MADE").exists)
        return report.read_text().splitlines(), (home.root / "MADE").exists()
    finally:
        gate.send_signal(signal.SIGTERM)
        gate.communicate(timeout=PATIENCE)


def consents(home, door):
    """The records that say that somebody said yes to what was asked about."""
    asked = [record for record in home.log() if record.get("command") == DOORS[door][1]]
    return [record for record in asked if (record.get("approval") or {}).get("yes")]


@pytest.mark.parametrize(("way", "door"), crossed(WAYS, DOORS, 3))
def test_no_command_answers(home, way, door):
    if WAYS[way] and shutil.which(WAYS[way]) is None:
        pytest.skip(f"no {WAYS[way]} here")
    said, made = tried(home, door, way, inside=True)
    assert said, "there was a question"
    assert not any('"taken":true' in each.replace(" ", "") for each in said), said
    assert not made
    assert not consents(home, door)
    assert not list(home.home.rglob("*approved*")), "nothing is kept"


@pytest.mark.parametrize("door", DOORS)
def test_a_connection_that_the_person_made_is_not_the_commands(home, door):
    questions = str(home.home / "run" / "asimi" / "questions")

    def handed():
        with listener.accept()[0] as command, _connect(questions, entries(questions)[0][0]) as connection:
            socket.send_fds(command, [b"x"], [connection.fileno()])
            until((home.root / "report").exists)

    with socket.socket(socket.AF_UNIX) as listener:
        for address in address_of(str(home.root), "person.socket"):
            listener.bind(address)
        listener.listen()
        person = threading.Thread(target=handed)
        person.start()
        said, made = tried(home, door, "by_a_connection_of_the_person", inside=True)
        person.join()
    assert ["it comes from another process than the one that connected" in each for each in said] == [True]
    assert not made
    assert not consents(home, door)


@pytest.mark.parametrize("door", DOORS)
def test_a_persons_process_answers(home, door):
    said, _ = tried(home, door, "by_itself", inside=False)
    assert any('"taken":true' in each.replace(" ", "") for each in said), said
    assert consents(home, door)


def test_what_has_ended_is_nobody():
    process = subprocess.Popen(["sleep", "600"])
    assert is_person(process.pid)
    process.kill()
    until(lambda: not is_person(process.pid))  # dead, and not yet waited for
    process.wait()
    assert not is_person(process.pid)
    assert not is_person(0)
    assert not is_person(-1)


REUSED = """
import os, socket, sys, tempfile, time
sys.path[:0] = sys.argv[1].split(os.pathsep)
from asimi.world.host.sockets import Peer
directory = tempfile.mkdtemp()
listener = socket.socket(socket.AF_UNIX)
listener.bind(directory + "/s")
listener.listen()
child = os.fork()
if not child:
    kept = socket.socket(socket.AF_UNIX)
    kept.connect(directory + "/s")
    os.read(os.pipe()[0], 1)
    os._exit(0)
connection, _ = listener.accept()
with Peer(connection) as peer:
    assert peer.pid == child and peer.lives(), (peer.pid, child)
    os.kill(child, 9)
    os.waitpid(child, 0)
    assert not peer.lives()
    time.sleep(0.1)  # a start is told in hundredths of a second
    while True:
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(child - 1))
        other = os.fork()
        if not other:
                        time.sleep(600)
        if other == child:
            break
        os.kill(other, 9)
        os.waitpid(other, 0)
    alive = peer.lives()
    os.kill(other, 9)
    assert not alive, "another process has its number"
print("told apart")
"""


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="only root chooses process numbers")
@pytest.mark.parametrize("kernel", ["by its descriptor", "by its start"])
def test_a_process_with_the_number_of_one_that_is_gone_is_another(kernel):
    code = REUSED
    if kernel == "by its start":  # as before Linux 6.5, which has no such option
        code = code.replace(
            "directory = temp", "import asimi.world.host.sockets as s; s._PEERPIDFD = 9999\ndirectory = temp"
        )
    words = ["unshare", "-pf", "--mount-proc", PYTHON, "-c", code, MODULES["PYTHONPATH"]]
    done = subprocess.run(words, stdin=subprocess.PIPE, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert "told apart" in done.stdout, done.stderr


def test_a_peer_that_lives_is_told_and_so_is_its_end(tmp_path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s"))
    listener.listen()
    code = (
        f"import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect({str(tmp_path / 's')!r}); sys.stdin.read()"
    )
    process = subprocess.Popen([PYTHON, "-c", code], stdin=subprocess.PIPE)
    connection, _ = listener.accept()
    with listener, connection, Peer(connection) as peer:
        assert (peer.pid, peer.user) == (process.pid, os.geteuid())
        assert peer.lives()
        process.communicate()
        assert not peer.lives()
