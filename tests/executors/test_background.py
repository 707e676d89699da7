"""The shell's end ends a call; what it left running is listed, lives on, and is heard."""

import os
import pathlib
import signal
import sys
import time

import pytest
from helpers import PATIENCE
from helpers.executors import HELD, Program, eventually, sleeping
from helpers.trials import FORMS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.parametrize(("command", "sleeps", "processes"), FORMS, ids=[form[0][:40] for form in FORMS])
def test_whatever_is_left_running_is_listed_and_lives(run, probe, command, sleeps, processes):
    result = run(command.replace("@", probe))
    assert len(result.background) == processes
    assert eventually(lambda: len(sleeping(probe)) == sleeps)  # it may still be about to become one
    assert set(sleeping(probe)) <= set(result.background)


def test_the_call_does_not_wait_for_it(run, probe):
    began = time.monotonic()
    run(f"sleep {probe} & echo hi")
    assert time.monotonic() - began < PATIENCE


def test_the_listed_process_is_the_one_that_runs(run, probe):
    result = run(f"sleep {probe} & echo $!")
    assert [int(result.stdout.text)] == list(result.background)
    assert eventually(lambda: sleeping(probe) == list(result.background))


def test_what_is_just_ending_is_not_listed(run):
    result = run("nosuchcmd_zz & true & exit 0")
    assert result.background == ()
    assert "not found" in result.stderr.text


@pytest.mark.parametrize("kind", ["library", "program"])
def test_jobs_of_calls_side_by_side_are_told_apart(request, probe, kind):
    results = request.getfixturevalue(kind).all(*[f"sleep {probe} & echo $!"] * 20)
    assert [[int(result.stdout.text)] for result in results] == [list(result.background) for result in results]


def test_a_writer_survives_the_call_and_is_logged(run):
    result = run(f"({HELD}; for i in 1 2 3; do echo line$i; sleep .05; done; echo end >&2) & echo started")
    assert result.stdout.text == "started\n"
    pathlib.Path(run.directory, "go").touch()
    assert eventually(lambda: b"end" in pathlib.Path(result.log).read_bytes())
    assert pathlib.Path(result.log).read_text() == "started\nline1\nline2\nline3\nend\n"
    assert pathlib.Path(result.log).stat().st_mode & 0o777 == 0o600


def test_megabytes_after_the_call_block_nobody(run):
    result = run(f"({HELD}; head -c 3000000 /dev/zero | tr '\\0' b; echo THEEND) &")
    pathlib.Path(run.directory, "go").touch()
    assert eventually(lambda: pathlib.Path(result.log).read_bytes().endswith(b"THEEND\n"))
    assert pathlib.Path(result.log).stat().st_size == 3_000_007


def test_beyond_its_limit_the_log_ends_and_says_so_and_the_writer_goes_on(run):
    result = run(f"({HELD}; head -c 300000 /dev/zero; echo $? >status) &", spill_bytes=65536)
    status = pathlib.Path(run.directory, "status")
    pathlib.Path(run.directory, "go").touch()
    assert eventually(lambda: status.exists() and status.read_text() == "0\n")
    assert pathlib.Path(result.log).read_bytes().startswith(bytes(65536) + b"\n[asimi: no more is kept of this output")
    assert pathlib.Path(result.log).stat().st_size < 66000


def test_a_background_job_outlives_asimi_and_its_log_goes_on(tmp_path, probe):
    program = Program(tmp_path / "state", tmp_path)
    result = program(f"(trap 'echo hup' HUP; sleep .5; echo later; exec sleep {probe}) & true")
    assert program.end() == 0
    assert eventually(lambda: b"later" in pathlib.Path(result.log).read_bytes())
    assert b"hup" not in pathlib.Path(result.log).read_bytes()
    assert eventually(lambda: len(sleeping(probe)) > 0)


def test_a_job_that_closed_its_streams_has_no_log(run, probe):
    closed = f"(exec >/dev/null 2>&1; touch closed; exec sleep {probe}) & until [ -e closed ]; do sleep .01; done"
    assert run(closed).log is None


def test_nothing_stays_a_zombie(program):
    for _ in range(20):
        program("true & sleep .1 & exit 0")
    assert eventually(lambda: children(program.pid) == [])


def test_a_job_that_ends_later_stays_no_zombie_though_nothing_else_happens(program, probe):
    program(f"(sleep .2; true) & sleep {probe} &")
    assert eventually(lambda: zombies(program.pid) == [])
    for pid in sleeping(probe):
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: children(program.pid) == [])


def test_what_is_known_of_jobs_does_not_grow(library, probe):
    for _ in range(5):
        for pid in library(f"sleep {probe} & true").background:
            os.kill(pid, signal.SIGKILL)
    assert library.executor._finder._known == set()


def test_calls_leave_no_descriptor(program):
    def count():
        return len(os.listdir(f"/proc/{program.pid}/fd"))

    program.all("sleep .1", "sleep .1")
    before = count()
    for _ in range(30):
        program("true & exit 0")
    program("seq 1 2000000")
    program("echo x; sleep 60", timeout=0.1)
    assert count() <= before + 1


def children(pid):
    """The children of a process."""
    return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def zombies(pid):
    """Those of them that nobody has waited for."""
    return [child for child in children(pid) if "State:\tZ" in pathlib.Path(f"/proc/{child}/status").read_text()]
