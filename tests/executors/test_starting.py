"""However a process is started and waited for, a command and whoever called see the same."""

import os
import signal
import sys
import tempfile

import pytest
from helpers import PYTHON
from helpers.executors import Library, Program, sleeping
from helpers.sandboxes import WITHOUT

from asimi.core.call import Failure
from asimi.world.executors import starting

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one way")

PIDFD_OPEN = 434  # the same on every machine
WITHOUT_PIDFD = (PYTHON, "-c", WITHOUT, str(PIDFD_OPEN), "-1", "38")


@pytest.fixture(params=["the C library", "subprocess"])
def way(request, monkeypatch):
    """How processes are started."""
    if request.param == "subprocess":
        monkeypatch.setattr(starting, "able", lambda: False)
    elif not starting.able():
        pytest.skip("this C library is too old")
    return request.param


def test_a_result_says_the_same_whoever_started_it(way, tmp_path):
    library = Library(tmp_path / "state", tmp_path)
    result = library("echo out; echo err >&2; pwd; exit 3")
    assert (result.stdout.text, result.stderr.text, result.exit_code) == (f"out\n{tmp_path}\n", "err\n", 3), way
    assert library("kill -9 $$").signal == 9
    result = library("cut -d' ' -f1,5,6 /proc/$$/stat")  # its id, its group, its session
    assert result.stdout.text.split() == [str(result.pid)] * 3
    assert library("ls /proc/self/fd | wc -l").stdout.text == "4\n"


def test_what_cannot_be_started_says_why_whoever_tried(way, tmp_path):
    library = Library(tmp_path / "state", tmp_path)
    (tmp_path / "text").write_text("echo hi\n")
    (tmp_path / "program").write_text("echo hi\n")
    (tmp_path / "program").chmod(0o755)
    (tmp_path / "script").write_text("#!/nowhere/sh\n")
    (tmp_path / "script").chmod(0o755)
    failures = {
        "nosuchcmd_zz": "Command not found: nosuchcmd_zz",
        "./nosuch": "Command not found: ./nosuch",
        "./text": "Permission denied: ./text",
        "./program": "./program is not a program this system can execute: it has no #! line; name its interpreter",
        "./script": "Command not found: ./script (it is there; the interpreter its first line names is not)",
        "a\0b": "The command cannot be handed to a program: embedded null byte",
    }
    assert {name: library([name]).failure.message for name in failures} == failures, way
    assert "longer than this system can hand" in library(["echo", "x" * (1 << 17)]).failure.message


@pytest.fixture
def closed(tmp_path):
    """A directory of nobody's, which this process may not enter while it is nobody; root may enter every one."""
    library = Library(tmp_path / "state", tmp_path)
    library("true")  # all modules that it needs are read
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        os.chmod(place, 0o755)
        library.directory = f"{place}/closed"
        os.mkdir(library.directory)
        if os.geteuid() == 0:
            os.chown(library.directory, 65534, 65534)
        os.chmod(library.directory, 0o600)
        user = os.geteuid()
        os.seteuid(user or 65534)
        yield library
        os.seteuid(user)


def test_a_directory_that_may_not_be_entered_is_what_the_failure_is_about(way, closed):
    failures = {closed(command).failure for command in ("true", ["true"], ["nosuchcmd_zz"])}
    assert failures == {Failure("permission", f"The directory may not be entered: {closed.directory}")}, way


def test_no_signal_is_ignored_in_a_command(way, tmp_path):
    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    try:
        said = Library(tmp_path / "state", tmp_path)("grep SigIgn /proc/self/status").stdout.text
    finally:
        signal.signal(signal.SIGUSR1, before)
    glibc = 0 if way == "the C library" else 0b11 << 31  # its own, 32 and 33: `make` starts us with them ignored
    assert int(said.split()[1], 16) & ~glibc == 0, way


def test_no_signal_is_blocked_in_a_command_that_the_c_library_starts(tmp_path):
    if not starting.able():
        pytest.skip("this C library is too old")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGTERM})
    try:
        said = Library(tmp_path / "state", tmp_path)("grep SigBlk /proc/self/status").stdout.text
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert int(said.split()[1], 16) == 0


@pytest.mark.parametrize("adopt", [True, False])
def test_without_pidfds_a_thread_waits(adopt, tmp_path, probe):
    program = Program(tmp_path / "state", tmp_path, adopt=adopt, before=WITHOUT_PIDFD)
    results = program.all(*["echo hi; exit 3"] * 20)
    assert [(result.stdout.text, result.exit_code) for result in results] == [("hi\n", 3)] * 20
    result = program(f"setsid -f sleep {probe}; sleep {probe}; true", timeout=0.5)
    assert (result.timed_out, sleeping(probe)) == (True, [])
    assert program.end() == 0
