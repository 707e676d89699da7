"""The resident gate says what each hook would say by itself, and is nowhere where it could not."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers import PATIENCE, PYTHON, ROOT
from helpers.hooks import DOOR, POLICY, HookedHome, envelope
from helpers.questions import entries
from helpers.voices import eventually

from asimi.doors.hooks.client import SILENT, key_of, path_of
from asimi.doors.hooks.resident import gates
from asimi.world.host.nested import started_at
from asimi.world.host.places import bases_of, written_bases
from asimi.world.host.sockets import address_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a resident gate needs Linux")


class Gated(HookedHome):
    """A home whose hooks may leave a resident gate behind."""

    copy = ROOT

    def __init__(self, directory):
        super().__init__(directory)
        del self.environ["CI"]

    @property
    def bases(self):
        return written_bases(bases_of(self.environ))

    @property
    def runtime(self):
        return self.home / "run" / "asimi"

    @property
    def socket(self):
        return path_of(self.bases, key_of(self.bases, str(self.copy)))

    def calls(self, command="git status", *more, before=(), door=None, **environ):
        """What a hook says, and whether it judged by itself."""
        line = [PYTHON, "-X", "importtime", "-I", "-S", door or self.copy / "asimi" / "hooks" / "door.py"]
        words = [*before, *line, *self.bases, "claude-code", "42", "150", *more]
        given = envelope("claude-code", command, self.root, session_id="s")
        said = self.started(words, json.dumps(given).encode(), **environ)
        return said._replace(err=""), "asimi.doors.hooks.driver" in said.err

    def gate(self):
        """The process of the gate, once it hears."""
        return eventually(lambda: [*gates(str(self.runtime))], "a gate")[0]

    def started_gate(self):
        """The process of a gate that a first hook left behind."""
        self.calls()
        return self.gate()

    def by_the_gate(self, command="git status", **environ):
        """What the gate says; a busy machine may make it too slow to greet, so it is asked again."""

        def answered():
            answer, alone = self.calls(command, **environ)
            return None if alone else answer

        return eventually(answered, "the gate greets")

    def close(self):
        """End every gate of this home, also one that a hook is about to become."""
        mark = f"door.py\0--resident\0{self.home}".encode(), f"door.py\0{self.home}".encode()
        for pid in filter(str.isdecimal, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if any(map(file.read().__contains__, mark)):
                        os.kill(int(pid), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                pass


@pytest.fixture
def home(tmp_path):
    home = Gated(tmp_path)
    yield home
    home.close()


def allowed(answer):
    return answer.code == 42 and answer.json["hookSpecificOutput"]["permissionDecision"] == "allow"


def streams(pid):
    """What a process has open: of a gate also connections, and directories of modules while it loads these."""
    found = set()
    for each in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(f"/proc/{pid}/fd/{each}"))
    return found


def test_the_first_hook_leaves_a_gate_and_the_next_are_answered_by_it(home):
    first, alone = home.calls()
    assert alone
    assert allowed(first)
    pid = home.gate()
    assert home.by_the_gate() == first
    denied = home.by_the_gate("rm x")
    assert denied == home.calls("rm x", "alone")[0]
    assert "deny" in denied.out
    assert [*gates(str(home.runtime))] == [pid]
    assert os.getsid(pid) != os.getsid(0)
    assert os.readlink(f"/proc/{pid}/cwd") == "/"
    wanted = {os.devnull, "socket", f"{home.socket}.lock"}
    eventually(lambda: {each.partition(":")[0] for each in streams(pid)} == wanted, "it holds nothing else")


def test_the_log_has_what_it_has_of_a_hook_by_itself(home):
    home.started_gate()
    home.by_the_gate("rm gone")
    home.calls("rm gone", "alone")
    one, other = [each for each in home.log() if each.get("command") == "rm gone"]
    for name in ("id", "time", "n", "hash", "prev", "seq", "mac"):
        one.pop(name, None), other.pop(name, None)
    assert one == other


@pytest.mark.parametrize(
    "before",
    [["setpriv", "--no-new-privs"], ["prlimit", "--locks=99:99"], ["env", "CI=1"], ["env", "ASIMI_CLI=1"]],
    ids=["no new privileges", "a limit that marks", "CI", "a call's environment"],
)
def test_none_is_left_where_something_would_stay_with_it(home, before):
    if shutil.which(before[0]) is None:
        pytest.skip(f"{before[0]} is not here")
    answer, alone = home.calls(before=before)
    assert (allowed(answer), alone) == (True, True)
    assert not home.socket or not os.path.exists(f"{home.socket}.lock")


def test_none_is_left_below_a_call_of_asimis(home):
    words = [PYTHON, "-I", "-S", DOOR, *home.bases, "claude-code", "42", "150"]
    given = home.root / "given.json"
    given.write_text(json.dumps(envelope("claude-code", "git status", home.root, session_id="s")))
    done = home.asimi("--yes", "run", f"{' '.join(map(str, words))} < {given}; test $? = 42")
    assert "allow" in done.stdout, done.stderr
    assert not os.path.exists(f"{home.socket}.lock")


def test_a_person_may_want_none(home):
    home.config.write_text(POLICY + "[hook]\nresident = false\n")
    assert allowed(home.calls()[0])
    assert not os.path.exists(f"{home.socket}.lock")
    home.config.write_text(POLICY)
    home.started_gate()
    home.config.write_text(POLICY + "[hook]\nresident = false\n")
    home.calls()
    ends(home)


def ends(home):
    eventually(lambda: not [*gates(str(home.runtime))], "it ends")


@pytest.mark.parametrize(
    "before",
    [
        ["setpriv", "--no-new-privs"],
        ["unshare", "--net"],
        ["unshare", "--mount"],
        ["unshare", "--user", "--map-root-user"],
        ["unshare", "--pid", "--fork"],
        ["setpriv", "--bounding-set=-chown"],
        ["setpriv", "--groups=7"],
    ],
    ids=" ".join,
)
def test_a_caller_that_is_not_as_the_gate_is_judges_by_itself(home, before):
    if os.geteuid() and before[:2] in (["unshare", "--net"], ["unshare", "--mount"], ["setpriv", "--groups=7"]):
        pytest.skip("only root may")
    home.started_gate()
    home.by_the_gate()
    for _ in range(3):  # not only because it was slow
        assert home.calls(before=before)[1]
    home.by_the_gate()


def test_a_caller_with_a_variable_of_no_name_judges_by_itself(home):
    home.started_gate()
    home.by_the_gate()
    answer, by_itself = home.calls(**{"": "x"})
    assert by_itself
    assert answer == home.by_the_gate()


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.long)])
def test_each_caller_is_judged_by_what_it_has(home, times):
    """PATH leads to another git, GIT_DIR and the directory to another repository, and a lower limit is kept."""
    home.config.write_text(POLICY + "[session]\nbreaker = 0\n")
    home.started_gate()
    other = home.home / "bin"
    other.mkdir()
    (other / "git").write_text("#!/bin/sh\n")
    (other / "git").chmod(0o755)
    aside = home.root / "aside"
    aside.mkdir()
    subprocess.run(["git", "init", "-q", aside], check=True)
    subprocess.run(["git", "-C", aside, "config", "alias.st", "!rm x"], check=True)
    callers = [
        {},
        {"PATH": f"{other}:{home.environ['PATH']}"},
        {"GIT_DIR": str(aside / ".git")},
        {"KUBECONFIG": "/nowhere"},
        {"LD_PRELOAD": "x.so"},
        {"HOME": str(home.root)},
        {"LC_ALL": "xx_YY"},
    ]
    commands = ["git status", "git st", "touch x", "kubectl get pods", "git -C aside st"]
    alone = {
        (index, command): home.calls(command, "alone", **environ)[0]
        for index, environ in enumerate(callers)
        for command in commands
    }

    def ask(turn):
        index, command = turn % len(callers), commands[turn % len(commands)]
        return (index, command), home.calls(command, **callers[index])

    with ThreadPoolExecutor(4) as pool:
        answers = [*pool.map(ask, range(35 * times))]
    assert not all(by_itself for _, (_, by_itself) in answers)
    assert [key for key, (answer, _) in answers if without_ids(answer) != without_ids(alone[key])] == []


def without_ids(answer):
    """An answer without the name of its question."""
    return re.sub(r"approve [a-z2-7]{8}", "approve ID", answer.out), answer.code


@pytest.mark.parametrize("says", [b"", b"PID", b"PID 42 9 0\nhalf"], ids=["nothing", "a greeting", "half an answer"])
def test_whatever_hears_in_its_place_is_never_half_believed(home, says):
    for directory in (home.runtime, home.runtime / "gates"):
        directory.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        for address in address_of(os.path.dirname(home.socket), os.path.basename(home.socket)):
            listener.bind(address)
        listener.listen()

        def hear():
            connection, _ = listener.accept()
            pid = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4]
            greeting, _, rest = says.replace(b"PID", b"%d" % int.from_bytes(pid, sys.byteorder)).partition(b" ")
            with connection:
                if greeting:
                    connection.sendall(greeting + b"\n")
                    connection.recv(64)
                    connection.sendall(rest)

        thread = threading.Thread(target=hear)
        thread.start()
        words = [PYTHON, "-I", "-S", DOOR, *home.bases, "claude-code", "42", "150"]
        said = home.started(words, json.dumps(envelope("claude-code", "git status", home.root)).encode())
        thread.join()
    if says:
        assert (said.code, said.out, said.err) == (2, "", SILENT.decode().strip())
    else:
        assert allowed(said)


def test_one_that_is_stopped_or_killed_or_without_its_socket_holds_nobody_up(home):
    pid = home.started_gate()
    os.kill(pid, signal.SIGSTOP)
    answer, alone = home.calls()
    assert (allowed(answer), alone) == (True, True)
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not started_at(pid), "it is gone")
    assert allowed(home.calls()[0])
    home.gate()
    os.unlink(home.socket)
    answer, alone = home.calls()
    assert (allowed(answer), alone) == (True, True)


IMPATIENT = """
import sys
sys.path.append(sys.argv[1])
from asimi.doors.hooks import resident
resident.GLANCE = 0.5
resident.serve(sys.argv[2:], sys.path[-1])
"""
"""A gate that looks more often whether its socket is there."""


def test_one_whose_socket_is_gone_ends(home):
    gate = subprocess.Popen([PYTHON, "-I", "-S", "-c", IMPATIENT, home.copy, *home.bases], env={})
    eventually(lambda: [*gates(str(home.runtime))] == [gate.pid], "it hears")
    os.unlink(home.socket)
    assert gate.wait(PATIENCE) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_another_user_in_its_place_is_told_nothing(home):
    for directory in (home.runtime, home.runtime / "gates"):
        directory.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        for address in address_of(os.path.dirname(home.socket), os.path.basename(home.socket)):
            listener.bind(address)
        os.seteuid(65534)
        try:
            listener.listen()  # the kernel keeps who listens (unix(7))
        finally:
            os.seteuid(0)
        answer, alone = home.calls()
        assert (allowed(answer), alone) == (True, True)
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(1) == b""


def test_it_lies_beside_the_state_where_there_is_no_runtime_directory(home):
    home.environ["XDG_RUNTIME_DIR"] = str(home.home / "nowhere")
    home.calls()
    assert eventually(lambda: [*gates(str(home.state / "run"))], "a gate")
    eventually(lambda: not home.calls()[1], "it answers")


def test_a_lower_limit_of_its_starter_is_nobody_elses(home):
    home.calls(before=["prlimit", "--nofile=64:64"])
    home.gate()
    assert all(home.calls()[1] for _ in range(3))
    eventually(lambda: not home.calls(before=["prlimit", "--nofile=32:64"])[1], "it answers one with less")


def test_one_of_other_files_ends(home, tmp_path):
    home.copy = tmp_path / "copy"
    shutil.copytree(ROOT / "asimi", home.copy / "asimi", ignore=shutil.ignore_patterns("__pycache__"))
    first = home.started_gate()
    home.by_the_gate()
    page = home.copy / "asimi" / "core" / "call.py"
    page.write_text(page.read_text() + "\n")
    assert home.calls()[1]
    eventually(lambda: not started_at(first), "the old one ends")
    home.calls()
    assert home.gate() != first


def test_two_asimis_have_a_gate_each(home, tmp_path):
    home.started_gate()
    home.copy = tmp_path / "copy"
    shutil.copytree(ROOT / "asimi", home.copy / "asimi")
    assert home.calls()[1]


def test_a_question_is_answered_and_ends_with_its_hook(home):
    home.config.write_text(POLICY + "[session]\nwait = true\nquestions = 'asimi'\n")
    gate = home.started_gate()
    home.by_the_gate()
    words = [PYTHON, "-I", "-S", DOOR, *home.bases, "codex", "42", "150"]
    given = json.dumps(envelope("codex", "curl example.org", home.root, session_id="s")).encode()
    for ending in ("y", None):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        line = [home.agent, str(PATIENCE), *words]
        hook = subprocess.Popen(line, env=home.environ, cwd=home.root, start_new_session=True, **pipes)
        hook.stdin.write(given)
        hook.stdin.close()
        waiting = eventually(lambda: waits(home), "a question")
        if ending:
            with home.at_terminal("approve", waiting[0].id) as person:
                person.asked()
                person.presses(ending)
                assert person.process.wait(PATIENCE) == 0
            assert hook.wait(PATIENCE) == 42
            assert b"deny" not in hook.stdout.read()
        else:
            os.killpg(hook.pid, signal.SIGKILL)
            hook.wait()
            eventually(lambda: not children(gate), "its child ends")
        hook.stdout.close()
        hook.stderr.close()


def children(pid):
    """The processes that a gate has started and that live."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().strip()


def waits(home):
    """The questions that wait."""
    return entries(home.runtime / "questions")[0]


@pytest.mark.parametrize("most", [24, pytest.param(80, marks=pytest.mark.long)])
def test_many_hooks_at_once(home, most):
    home.started_gate()
    with ThreadPoolExecutor(40) as pool:
        answers = [*pool.map(lambda _: home.calls(), range(most))]
    assert all(allowed(answer) for answer, _ in answers)
    pid = home.gate()
    eventually(lambda: not children(pid), "its children end")


def test_a_person_sees_it_and_ends_it(home):
    pid = home.started_gate()
    assert f"process {pid} answers hooks" in home.doctor("--verbose").stdout
    assert f"process {pid}" in home.doctor("--stop-gate").stdout
    ends(home)
    assert home.doctor("--stop-gate").stdout == "No resident gate runs.\n"
    assert "none runs" in home.doctor("--verbose").stdout


def test_the_doctor_of_hooks_ends_one_that_says_something_else(home):
    assert home.asimi("hook", "install", "claude-code", "--yes").returncode == 0
    pid = home.started_gate()
    home.by_the_gate()
    good = home.asimi("hook", "doctor", "claude-code")
    assert "says something else" not in good.stdout
    os.kill(pid, signal.SIGKILL)
    os.unlink(home.socket)
    liar = subprocess.Popen([PYTHON, "-c", LIAR, os.path.basename(home.socket)], cwd=home.runtime / "gates")
    try:
        eventually(lambda: os.path.exists(home.socket), "it listens")
        said = home.asimi("hook", "doctor", "claude-code")
        assert "says something else than asimi itself" in " ".join(said.stdout.split())
        assert liar.wait(PATIENCE) == -signal.SIGTERM
    finally:
        liar.kill()


LIAR = """
import contextlib, json, os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
said = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "asimi: echo '"}
out = json.dumps({"hookSpecificOutput": said}).encode()
while True:
    connection, _ = listener.accept()
    pid = int.from_bytes(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4], sys.byteorder)
    with contextlib.suppress(OSError), connection:
        connection.sendall(b"%d\\n" % pid)
        if connection.recv(1 << 20):
            connection.sendall(b"42 %d 0\\n" % len(out) + out)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1 << 20):
                pass
"""


@pytest.mark.long
def test_its_memory_stays(home):
    """Of 3,000 calls, the last 2,000 add nothing; a child has what it learned."""
    pid = home.started_gate()

    def size():
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[5])

    sizes = []
    for _ in range(3):
        for _ in range(1000):
            home.calls()
        sizes.append(size())
    assert sizes[1] == sizes[2]
