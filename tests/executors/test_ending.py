"""A limit, an interrupt, a cancellation: the whole tree ends, and what came so far is in the result."""

import asyncio
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings

import pytest
from helpers import PATIENCE, ROOT
from helpers.executors import Program, sleeping
from helpers.trials import LIMITS, TREES

from asimi.world.executors import local

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.parametrize(("command", "stdout", "code", "number"), TREES, ids=[tree[0][:40] for tree in TREES])
def test_at_the_limit_the_whole_tree_ends(run, probe, command, stdout, code, number):
    for limit in LIMITS:
        began = time.monotonic()
        result = run(command.replace("@", probe), timeout=limit)
        took = time.monotonic() - began
        assert sleeping(probe) == []
        if result.stdout.text == stdout:
            break
    assert result.timed_out
    assert result.failure is None
    assert result.background == ()
    assert result.stdout.text == stdout
    assert result.exit_code == code
    assert number is ... or result.signal == number
    assert took < limit + PATIENCE


def test_a_flood_is_ended_too_and_its_beginning_kept(run):
    result = run("yes", timeout=0.5, output_bytes=1 << 20, spill_bytes=2 << 20)
    assert result.timed_out
    assert result.stdout.text.startswith("y\ny\n")
    assert result.stdout.size > 2 << 20


def test_a_limit_that_is_not_reached_changes_nothing(run):
    result = run("sleep .1; echo ok", timeout=20, idle_timeout=20)
    assert (result.exit_code, result.stdout.text, result.timed_out) == (0, "ok\n", False)


def test_silence_for_too_long_ends_it(run, probe):
    result = run(f"echo a; sleep {probe}; true", idle_timeout=0.5)
    assert (result.timed_out, result.stdout.text, sleeping(probe)) == (True, "a\n", [])


def test_output_keeps_it_alive(run):
    result = run("for i in 1 2 3 4 5 6 7; do sleep .5; echo $i; done", idle_timeout=3)
    assert (result.exit_code, result.stdout.text, result.timed_out) == (0, "1\n2\n3\n4\n5\n6\n7\n", False)


def test_an_interrupt_ends_all_that_runs_and_all_are_answered(program, probe):
    results = program.all(*[f"echo part; setsid -f sleep {probe}; sleep {probe}; true"] * 5, interrupt=0.7)
    assert [result.stdout.text for result in results] == ["part\n"] * 5
    assert [result.signal for result in results] == [15] * 5
    assert [result.timed_out for result in results] == [False] * 5
    assert sleeping(probe) == []
    assert program("echo next").stdout.text == "next\n"


@pytest.mark.parametrize("after", [0.0, 0.0005, 0.002, 0.01, 0.3])
def test_a_cancelled_task_ends_the_tree_before_it_is_cancelled(library, probe, after):
    async def cancelled():
        execution = library.execution(f"trap '' TERM; setsid -f sleep {probe}; sleep {probe}; sleep {probe}")
        task = asyncio.get_running_loop().create_task(library.executor.run(execution))
        await asyncio.sleep(after)
        task.cancel()
        await asyncio.sleep(0.05)
        task.cancel()  # an impatient caller changes nothing
        with pytest.raises(asyncio.CancelledError):
            await task
        return sleeping(probe)

    assert asyncio.run(cancelled()) == []


def test_whenever_a_call_is_cancelled_nothing_is_left_and_nothing_is_complained_of(library, probe, caplog):
    commands = ["true", f"sleep {probe}", f"sleep {probe} & echo hi", f"setsid -f sleep {probe}; exit 3", ["nosuchcmd"]]

    async def cancelled():
        for turn in range(60):
            execution = library.execution(commands[turn % len(commands)])
            task = asyncio.get_running_loop().create_task(library.executor.run(execution))
            for _ in range(turn // len(commands)):
                await asyncio.sleep(0)
            in_time = task.cancel()
            await asyncio.wait({task})
            assert task.cancelled() == in_time
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(cancelled()) == set()
    assert sleeping(probe) == []
    assert caplog.records == []


@pytest.mark.parametrize("given_up", [[1], [2], [1, 2], [4], [0, 1], [0, 2, 3]])
def test_calls_that_wait_for_their_turn_begin_in_order_without_those_that_are_cancelled(library, monkeypatch, given_up):
    monkeypatch.setattr(local, "_calls_at_once", lambda: 1)
    before, last = (f"echo {number} >> told; sleep 0.05" for number in ("{}", "last"))

    async def work():
        calls = [library.execution(before.format(number)) for number in range(5)]
        tasks = [asyncio.ensure_future(library.executor.run(each)) for each in calls]
        await asyncio.sleep(0.02)
        for number in given_up:
            tasks[number].cancel()
        await asyncio.wait(tasks)
        assert [number for number, task in enumerate(tasks) if task.cancelled()] == given_up
        return await library.executor.run(library.execution(last))

    assert asyncio.run(work()).exit_code == 0
    told = pathlib.Path(library.directory, "told").read_text().split()  # by the first, if it was not cancelled before
    assert [each for each in told if each != "0"] == [
        *(str(number) for number in range(1, 5) if number not in given_up),
        "last",
    ]


@pytest.mark.parametrize("texts", [["a scope"], ["a scope", "another"], [None, "a scope"], ["a scope", None]])
def test_the_cancellation_that_comes_out_is_the_one_that_went_in(library, probe, texts):
    """Of several the first; one without a text, which is of the task itself, before all others."""

    async def cancelled():
        execution = library.execution(f"trap '' TERM; sleep {probe}; sleep {probe}")
        task = asyncio.get_running_loop().create_task(library.executor.run(execution))
        await asyncio.sleep(0.05)
        for text in texts:
            task.cancel(*([] if text is None else [text]))
            await asyncio.sleep(0.01)
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        return caught.value.args

    assert asyncio.run(cancelled()) == (() if None in texts else ("a scope",))


def test_scopes_of_anyio_get_their_own_cancellations_back(library, probe):
    anyio = pytest.importorskip("anyio")

    async def scopes():
        with anyio.move_on_after(0.1) as scope:
            await library.executor.run(library.execution(f"sleep {probe}"))
        assert scope.cancelled_caught
        with pytest.raises(TimeoutError), anyio.fail_after(0.1):
            await library.executor.run(library.execution(f"trap '' TERM; sleep {probe} & sleep {probe}; true"))
        with anyio.CancelScope() as outer, anyio.move_on_after(60):
            asyncio.get_running_loop().call_later(0.1, outer.cancel)
            await library.executor.run(library.execution(f"sleep {probe}"))
        return sleeping(probe), outer.cancelled_caught

    assert anyio.run(scopes) == ([], True)


def test_wait_for_gives_up_and_the_tree_is_gone(library, probe):
    async def given_up():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(library.executor.run(library.execution(f"sleep {probe} & sleep {probe}")), 0.5)
        return sleeping(probe)

    assert asyncio.run(given_up()) == []


def test_the_end_of_one_call_touches_no_other(program, probe):
    ids = program.begin(f"sleep {probe} & sleep 1.5; echo ok")
    ids += program.begin(f"sleep {probe}1; true", timeout=0.5)
    slow, ended = program.results(len(ids))
    assert (slow.stdout.text, slow.exit_code, len(slow.background)) == ("ok\n", 0, 1)
    assert (ended.timed_out, sleeping(probe + "1")) == (True, [])
    assert sleeping(probe) == list(slow.background)


def test_a_job_of_an_earlier_call_survives_the_limit_of_a_later_one(program, probe):
    first = program(f"setsid -f env -i sleep {probe} >/dev/null 2>&1")
    assert program("sleep 60", timeout=0.3).timed_out
    assert sleeping(probe) == list(first.background)


def test_sigkill_to_the_shell_alone_is_its_signal(run):
    assert run(f"kill -{signal.SIGKILL.value} $$").signal == 9


def test_copies_of_a_process_do_not_end_each_others_commands(library, probe):
    library("true")  # so that all is ready that they could have in common
    copies = [
        forked(lambda: library("sleep 1.5; echo ok").stdout.text == "ok\n"),
        forked(lambda: library(f"sleep {probe}; true", timeout=0.5).timed_out),
    ]
    assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in copies] == [0, 0]


def forked(true):
    """A copy of this process that ends with 0 if something holds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that is what is tested
        pid = os.fork()
    if not pid:
        try:
            os._exit(0 if true() else 1)
        finally:
            os._exit(2)
    return pid


OTHERS = '#!{}/shell -p\nexec {} -I -c \'import os; os.setuid(0); os.execvp("sleep", ["sleep", "{}"])\'\n'


@pytest.mark.parametrize("adopt", [True, False])
def test_a_main_process_that_we_may_not_kill_holds_up_nothing(tmp_path, probe, adopt):
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if os.geteuid() or python is None or shutil.which("setpriv") is None:
        pytest.skip("only root can be another user and start what belongs to root")
    place = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        shutil.copy("/bin/bash", place / "shell")
        (place / "shell").chmod(0o4755)
        (place / "others").write_text(OTHERS.format(place, python, probe))
        (place / "others").chmod(0o755)
        place.chmod(0o777)
        before = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        words = f"import sys; sys.path[:0] = [{str(ROOT)!r}]; import asimi.core.call"
        able = subprocess.run([*before, python, "-c", words], check=False)
        if able.returncode:
            pytest.skip("an ordinary user cannot run asimi from here")
        program = Program(place / "state", place, adopt=adopt, before=before, python=python)
        result = program([f"{place}/others"], timeout=1)
        assert (result.timed_out, result.exit_code, result.signal) == (True, None, None)
        assert list(result.background) == [result.pid] == sleeping(probe)
        assert program("echo next").stdout.text == "next\n"
        program.kill()
    finally:
        shutil.rmtree(place)


def test_copies_of_descriptors_are_given_back_where_one_cannot_be_made():
    code = (
        "import os, resource\nfrom asimi.world.executors.starting import _above\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))\n"  # a copy of 0 and of 1, and none of 2
        "try:\n    _above((0, 1, 2))\nexcept OSError:\n    print(len(os.listdir('/proc/self/fd')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "4\n"  # 0, 1, 2 and the one of this look
