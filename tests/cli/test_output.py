"""`asimi run` writes at the pace of whoever reads it, and that holds up nothing but the command."""

import contextlib
import os
import signal
import socket
import time

import pytest
from helpers import PATIENCE
from helpers.home import Home

CONFIG = 'coreTools = ["run_shell_command"]\n'


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, CONFIG)


def gone(home):
    """Whether the command that wrote down its id has ended, within reason."""
    home.has_begun()
    pid, end = int((home.root / "begun").read_text()), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            time.sleep(0.01)
            continue
        return True
    return False


def test_the_time_limit_holds_although_nobody_reads_yet(home):
    with home.start("run", "--timeout", "1", "echo $$ > now; mv now begun; exec yes") as asimi:
        assert gone(home)
        out, err = asimi.communicate(timeout=PATIENCE)
    assert asimi.returncode == 124
    assert set(out.split(b"\n")) == {b"y", b""}
    assert b"the time limit" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_although_nobody_reads(home, number):
    with home.start("run", "echo $$ > now; mv now begun; exec yes") as asimi:
        home.has_begun()
        time.sleep(0.3)  # by then the pipe is full
        asimi.send_signal(number)
        assert asimi.wait(PATIENCE) == 128 + number
        assert gone(home)


def test_silence_of_a_command_that_nobody_reads_is_none(tmp_path):
    home = Home(tmp_path, CONFIG + "limits.idle_timeout = 1\n")
    with home.start("run", "seq 1 300000; exit 3") as asimi:
        time.sleep(2.5)
        out, _ = asimi.communicate(timeout=PATIENCE)
    assert (asimi.returncode, out.count(b"\n")) == (3, 300_000)


@pytest.mark.parametrize(
    ("command", "code"), [("exec yes", 128 + signal.SIGPIPE), ("yes; exit 7", 7), ("trap '' PIPE; yes 2>/dev/null", 1)]
)
def test_a_reader_that_goes_ends_a_command_as_it_would_without_asimi(home, command, code):
    with home.start("run", command) as asimi:
        asimi.stdout.read(10)
        asimi.stdout.close()
        assert asimi.wait(PATIENCE) == code


def test_a_full_disk_ends_a_command_that_writes_for_ever_and_is_told(home):
    with open("/dev/full", "wb") as full, home.start("run", "exec yes", stdout=full) as asimi:
        _, err = asimi.communicate(timeout=PATIENCE)
    assert asimi.returncode == 128 + signal.SIGPIPE
    assert err.count(b"No space left") == 1


@pytest.mark.parametrize("words", [("run",), ("run", "--json")])
def test_a_stream_that_somebody_made_non_blocking_loses_nothing(home, words):
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with ours, home.start(*words, "seq 1 300000", stdout=theirs) as asimi:
        theirs.close()
        time.sleep(0.5)
        came = b""
        while data := ours.recv(65536):
            came += data
        assert asimi.wait(PATIENCE) == 0
    assert came.count(b"\n" if words == ("run",) else b"\\n") == 300_000


def test_both_streams_come_whole_to_a_slow_reader(home):
    with home.start("run", "seq 1 100000 & seq 1 100000 >&2; wait") as asimi:
        time.sleep(1)
        out, err = asimi.communicate(timeout=PATIENCE)
    assert (asimi.returncode, out.count(b"\n"), err.count(b"\n")) == (0, 100_000, 100_000)
