"""`asimi executor` as a command: who it is for, and what its streams must be."""

import os
import subprocess
import time

import pytest
from helpers import MODULES, PATIENCE, PYTHON

from asimi.extras.hosts.frames import FAR, Facts, Goodbye, Hello, Reader, greeting, packed


@pytest.fixture
def executor(tmp_path):
    """The command, in a home of its own."""
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]} | MODULES

    def started(*words, **streams):
        return subprocess.Popen(
            [PYTHON, "-m", "asimi", *words, "executor"],
            env=environment,
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            **streams,
        )

    return started


def test_the_executor_is_not_for_a_terminal(executor):
    outer, inner = os.openpty()
    for streams in ({"stdin": inner, "stdout": subprocess.PIPE}, {"stdin": subprocess.PIPE, "stdout": inner}):
        process = executor(**streams)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        assert b"asimi executor is not for a terminal" in said
    os.close(outer)
    os.close(inner)


def test_a_file_is_no_way_to_it(executor, tmp_path):
    with (tmp_path / "file").open("w+b") as file:
        process = executor(stdin=file, stdout=subprocess.PIPE)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 125
    assert b"asimi: Standard input and output must be pipes or sockets" in said


def test_a_goodbye_is_a_good_end_and_silence_is_not(executor, tmp_path):
    process = executor(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    said, _ = process.communicate(packed(Hello("")) + packed(Goodbye()), timeout=PATIENCE)
    assert process.returncode == 0
    first, _, rest = said.partition(b"\n")
    assert greeting(first.split()[-1].decode()) == first + b"\n"
    facts = next(Reader(FAR).feed(rest))
    assert isinstance(facts, Facts)
    assert facts.root == str(tmp_path)
    process = executor(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    _, said = process.communicate(packed(Hello("")), timeout=PATIENCE)
    assert process.returncode == 125
    assert b"the near end went away without a goodbye" in said


def test_what_is_no_protocol_ends_it_with_the_reason(executor):
    for sent, reason in (
        (b"echo hello; exit\n", b"unknown kind"),
        (packed(Goodbye()), b"did not begin with a hello"),
        (packed(Hello("")) * 2, b"said hello twice"),
        (packed(Hello("", session="../x")), b"named a session"),
    ):
        process = executor(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        _, said = process.communicate(sent, timeout=PATIENCE)
        assert process.returncode == 125
        assert reason in said


def test_one_socket_for_all_three_streams_is_understood(executor):
    import socket

    ours, theirs = socket.socketpair()
    environment = {"HOME": "/nonexistent", "PATH": os.environ["PATH"]} | MODULES
    words = [PYTHON, "-m", "asimi", "executor"]
    process = subprocess.Popen(words, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    theirs.close()
    ours.sendall(packed(Hello("/")))
    ours.settimeout(PATIENCE)
    data, frames = b"", []
    while not frames:
        data += ours.recv(1 << 16)
        rest = data.partition(b"\n")[2]
        frames = [each for each in Reader(FAR).feed(rest) if isinstance(each, Facts)]
    ours.sendall(packed(Goodbye()))
    assert process.wait(PATIENCE) == 0
    ours.close()


def test_a_signal_ends_it_and_what_it_runs(there, probe):
    import signal
    import threading

    from helpers.executors import eventually, sleeping

    results = []
    thread = threading.Thread(target=lambda: results.append(there(f"echo a; sleep {probe}")))
    thread.start()
    assert eventually(lambda: sleeping(probe))
    time.sleep(0.1)
    os.kill(there.way, signal.SIGTERM)
    thread.join(PATIENCE)
    assert (results[0].stdout.text, results[0].signal) == ("a\n", 15)
    assert not sleeping(probe)
    assert eventually(lambda: "was told to end" in there.link._connection.over)
