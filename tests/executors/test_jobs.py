"""What commands left running can be listed, read and ended by any later asimi."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest
from helpers import MODULES
from helpers.executors import HELD, Program, eventually, sleeping

from asimi.core.errors import AsimiError
from asimi.world.executors.jobs import Jobs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_a_job_says_what_runs_since_when_from_which_command(run, probe):
    before = time.time()
    command = f"cd / && exec sleep {probe} & echo begun"
    result = run(command)
    (job,) = Jobs(run.state).list()
    assert (job.command, job.arguments, job.directory) == (command, None, run.directory)
    assert (job.pids, job.log, job.pid, job.unfinished) == (result.background, result.log, result.pid, False)
    assert before - 1 <= job.began <= time.time()
    assert Jobs(run.state).job(job.id).log == result.log


def test_a_program_with_arguments_is_told_as_such(run, probe):
    run(["setsid", "-f", "sleep", probe])
    (job,) = Jobs(run.state).list()
    assert (job.command, job.arguments) == ("setsid", ("-f", "sleep", probe))


def test_a_call_that_leaves_nothing_is_no_job(run):
    run("true & wait; sleep .1")
    assert Jobs(run.state).list() == []


def test_what_a_job_starts_later_is_its_too(run, probe):
    run(f"({HELD}; env -i setsid -f sleep {probe} >/dev/null 2>&1; sleep .2) &")
    pathlib.Path(run.directory, "go").touch()
    jobs = Jobs(run.state)
    assert eventually(lambda: jobs.list()[0].pids == tuple(sleeping(probe)) != ())


def test_killing_a_job_ends_its_tree_and_no_other(run, probe):
    run(f"(trap '' TERM; setsid -f sleep {probe}; sleep {probe}; sleep {probe}) & sleep .2")
    other = run(f"sleep {probe} &")
    jobs = Jobs(run.state)
    job = next(job for job in jobs.list() if job.pids != other.background)
    assert jobs.kill(job.id) == []
    assert sleeping(probe) == list(other.background)


def test_a_job_may_clean_up_when_it_is_killed(run):
    run("(trap 'echo cleaning; exit' TERM; while :; do sleep .05; done) & sleep .2")
    (job,) = Jobs(run.state).list()
    Jobs(run.state).kill(job.id)
    assert eventually(lambda: "cleaning" in pathlib.Path(job.log).read_text())


def test_an_unknown_job_is_an_error_that_names_it(library):
    with pytest.raises(AsimiError, match="There is no job nosuch"):
        Jobs(library.state).kill("nosuch")


def test_a_process_that_only_has_the_same_number_is_never_taken_for_a_job(run, probe):
    run(f"sleep {probe} &")
    record = next(pathlib.Path(run.state, "jobs").iterdir())
    data = json.loads(record.read_text())
    data |= {"pids": [[os.getpid(), 12345]], "number": 1, "id": "other", "pid": os.getpid(), "started": 12345}
    record.write_text(json.dumps(data))
    assert Jobs(run.state).list()[0].pids == ()


def test_after_asimi_was_killed_its_unfinished_call_is_listed_and_can_be_ended(tmp_path, probe):
    program = Program(tmp_path / "state", tmp_path)
    program.begin(f"echo x; setsid -f sleep {probe}; sleep {probe}; true")
    assert eventually(lambda: len(sleeping(probe)) == 2)
    assert Jobs(program.state).list() == []
    program.kill()
    (job,) = Jobs(program.state).list()
    assert (job.unfinished, job.command.startswith("echo x"), job.log) == (True, True, None)
    assert set(sleeping(probe)) <= set(job.pids)
    assert Jobs(program.state).kill(job.id) == []
    assert sleeping(probe) == []


def test_a_call_is_written_down_before_its_first_process_does_anything(run):
    result = run(f"cat {run.state}/calls/*")
    (record,) = [json.loads(line) for line in result.stdout.text.splitlines()[:1]]
    assert record["command"] == f"cat {run.state}/calls/*"


def test_whatever_is_left_of_a_burst_of_calls_is_listed_also_if_the_first_kills_asimi(tmp_path, probe):
    program = Program(tmp_path / "state", tmp_path)
    program("true")
    ids = program.begin(f"kill -9 {program.pid}; exec sleep {probe}", *[f"sleep {probe} & exec sleep {probe}"] * 20)
    program.process.wait()
    program.end()
    jobs = Jobs(program.state)
    assert {job.id for job in jobs.list()} <= set(ids)
    assert eventually(lambda: set() != set(sleeping(probe)) <= {pid for job in jobs.list() for pid in job.pids})
    assert [jobs.kill(job.id) for job in jobs.list()] == [[]] * len(jobs.list())
    assert sleeping(probe) == []


def test_a_call_goes_on_being_written_down_when_the_file_of_running_calls_has_grown(program, probe):
    (name,) = program.begin(f"exec sleep {probe}")
    assert eventually(lambda: sleeping(probe))
    (calls,) = pathlib.Path(program.state, "calls").iterdir()
    for number in range(12):
        program.begin(f": {number} {'x' * 100_000}")
        program.process.stdout.readline()
    (later,) = calls.parent.iterdir()
    assert later != calls
    assert later.stat().st_size < 1 << 20
    assert Jobs(program.state).running_ids() == {name}
    assert Jobs(program.state).list() == []
    os.kill(sleeping(probe)[0], signal.SIGKILL)


def test_a_call_that_runs_now_is_no_job(program, probe):
    (name,) = program.begin(f"sleep {probe}; true", timeout=1)
    assert eventually(lambda: len(sleeping(probe)) == 1)
    assert Jobs(program.state).list() == []
    assert Jobs(program.state).running_ids() == {name}
    program.results(1)
    assert Jobs(program.state).running_ids() == set()


def test_sweeping_removes_what_has_ended_and_is_old_and_nothing_that_is_in_use(program, probe):
    ended, going = program(f"echo a; sleep {probe} &"), program(f"echo b; sleep {probe} &")
    spilled = program("seq 1 100000", output_bytes=1000).stdout.file
    os.kill(ended.background[0], signal.SIGKILL)
    jobs = Jobs(program.state)
    assert eventually(lambda: [job.pids for job in jobs.list()] == [(), going.background])
    jobs.sweep(age=1e12, room=1 << 40)
    assert [os.path.exists(path) for path in (ended.log, going.log, spilled)] == [True, True, True]
    assert eventually(lambda: swept(jobs, ended.log))
    assert [os.path.exists(path) for path in (ended.log, going.log, spilled)] == [False, True, False]
    jobs.sweep(age=1e12, room=1 << 40)
    assert [job.pids for job in jobs.list()] == [going.background]


def test_sweeping_keeps_the_record_of_a_job_that_begins_during_the_look(program, probe):
    """Its output goes elsewhere, so no log speaks for it."""

    class Looking(Jobs):
        later = ""

        def _calls(self, **options):
            yield from super()._calls(**options)
            (self.later,) = program.begin(f"sleep {probe} >/dev/null 2>&1 &")
            program.results(1)

    jobs = Looking(program.state)
    jobs.sweep(age=1e12, room=1 << 40)
    assert [job.id for job in Jobs(program.state).list()] == [jobs.later]


def swept(jobs, path):
    """Sweep, and whether a file is gone then."""
    jobs.sweep(age=-1, room=1 << 40)
    return not os.path.exists(path)


def test_sweeping_keeps_within_its_room_the_oldest_first(program):
    files = [program("seq 1 100000", output_bytes=1000).stdout.file for _ in range(3)]
    now = time.time()
    for number, file in enumerate(files):  # younger than what the program's own sweep removes, whenever that runs
        os.utime(file, (now - 60 + number, now - 60 + number))
    Jobs(program.state).sweep(age=1e12, room=2 * os.path.getsize(files[0]))
    assert [os.path.exists(file) for file in files] == [False, True, True]


@pytest.mark.parametrize("kind", ["output", "logs", "jobs", "calls"])
def test_sweeping_removes_nothing_behind_a_link(tmp_path, kind):
    state, others = tmp_path / "state", tmp_path / "others"
    for directory in (state, others):
        directory.mkdir(0o700)
    (state / kind).symlink_to(others)
    names = ["a.log", "a.json", "a.jsonl", "a.stdout"]
    for name in names:
        (others / name).touch(0o600)
        os.utime(others / name, (1_000_000_000, 1_000_000_000))
    Jobs(str(state)).sweep(age=1, room=0)
    assert sorted(os.listdir(others)) == sorted(names)


@pytest.mark.parametrize("kind", ["jobs", "calls"])
def test_a_list_of_jobs_behind_a_link_is_an_error(tmp_path, kind):
    (tmp_path / kind).symlink_to(tmp_path)
    with pytest.raises(AsimiError, match=f"{kind}: is a symbolic link"):
        Jobs(str(tmp_path)).list()


def test_what_is_old_goes_by_itself_when_something_is_added(program):
    old = program("seq 1 100000", output_bytes=1000).stdout.file
    assert program.end() == 0
    os.utime(old, (0, 0))
    later = Program(program.state, program.directory)
    new = later("seq 1 100000", output_bytes=1000).stdout.file
    assert later.end() == 0
    assert [os.path.exists(old), os.path.exists(new)] == [False, True]


@pytest.mark.parametrize("harm", [shutil.rmtree, lambda state: os.rename(state, f"{state}.moved")])
def test_a_call_is_written_down_although_the_state_was_removed_before(tmp_path, harm, probe):
    program = Program(tmp_path / "state", tmp_path)
    program("true")
    harm(program.state)
    program.begin(f"sleep {probe}")
    assert eventually(lambda: sleeping(probe))
    program.kill()
    (job,) = Jobs(program.state).list()
    assert job.unfinished
    assert Jobs(program.state).kill(job.id) == []


def test_an_unfinished_call_is_listed_until_it_is_old(tmp_path, probe):
    program = Program(tmp_path / "state", tmp_path)
    program.begin(f"sleep {probe}")
    assert eventually(lambda: sleeping(probe))
    program.kill()
    jobs = Jobs(program.state)
    (job,) = jobs.list()
    jobs.kill(job.id)
    jobs.sweep(age=1000, room=1 << 40)
    assert [job.unfinished for job in jobs.list()] == [True]
    assert eventually(lambda: (jobs.sweep(age=-1, room=1 << 40), jobs.list())[1] == [])


def test_a_record_of_a_newer_asimi_is_an_error_that_names_the_version(run, probe):
    run(f"sleep {probe} &")
    record = next(pathlib.Path(run.state, "jobs").iterdir())
    record.write_text(json.dumps(json.loads(record.read_text()) | {"version": 99}))
    with pytest.raises(AsimiError, match="version 99"):
        Jobs(run.state).list()


def test_records_are_private(run, probe):
    run(f"sleep {probe} &")
    assert pathlib.Path(run.state).stat().st_mode & 0o777 == 0o700
    modes = set()
    for path in pathlib.Path(run.state).rglob("*.*"):
        # The sweep of the server beside this test replaces its files by a rename, so one may be gone by now.
        with contextlib.suppress(FileNotFoundError):
            modes.add(path.stat().st_mode & 0o777)
    assert modes == {0o600}


def test_the_file_of_running_calls_is_gone_when_asimi_has_ended(tmp_path):
    program = Program(tmp_path / "state", tmp_path)
    program("sleep .1")
    assert len(list(pathlib.Path(program.state, "calls").iterdir())) == 1
    assert program.end() == 0
    assert list(pathlib.Path(program.state, "calls").iterdir()) == []


def test_sweeping_leaves_what_a_newer_asimi_wrote_and_what_was_just_made(tmp_path, library):
    library("sleep .1")
    calls = pathlib.Path(library.state, "calls")
    (calls / "newer.jsonl").write_text('{"version": 99, "id": "x"}\n')
    (calls / "made.jsonl").touch()
    for path in calls.iterdir():
        path.chmod(0o600)
    Jobs(library.state).sweep(age=1e12, room=1 << 40)
    assert {"newer.jsonl", "made.jsonl"} <= {path.name for path in calls.iterdir()}


def test_the_end_of_a_copy_of_asimi_leaves_the_file_of_running_calls(tmp_path, probe):
    script = (
        "import os, sys; from helpers.executors import Library; library = Library(*sys.argv[1:]); library('sleep .1')\n"
        "if not os.fork(): sys.exit()\n"
        "os.wait(); print(len(os.listdir(sys.argv[1] + '/calls')))"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "state"), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | MODULES)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_what_cannot_be_read_is_no_empty_list(tmp_path):
    (tmp_path / "jobs").write_text("no directory")
    with pytest.raises(AsimiError, match="is not a directory"):
        Jobs(str(tmp_path)).list()
    Jobs(str(tmp_path)).sweep(0, 0)


def test_any_number_of_processes_is_seen_and_ended(program, probe):
    """The kernel gives a page of a list of children at once, which holds some 700."""
    many = program(f"for each in $(seq 1500); do sleep {probe} & done >/dev/null 2>&1")
    assert len(many.background) == 1500
    (job,) = Jobs(program.state).list()
    assert len(job.pids) == 1500
    late = program(f"setsid sleep {probe}1 & exec sleep {probe}1", timeout=1)
    assert late.timed_out
    assert eventually(lambda: sleeping(f"{probe}1") == [])
    assert Jobs(program.state).kill(job.id) == []
    assert sleeping(probe) == []
