"""An end that is killed, stopped or cut off: nothing marked runs on, nothing runs twice, and the result says so."""

import asyncio
import os
import signal
import subprocess
import threading
import time

import pytest
from helpers import MODULES, PATIENCE, PYTHON, near, relay
from helpers.executors import eventually, sleeping
from helpers.hosts import Hosted, host_at

from asimi.core.errors import HostError

WITHIN = 10.0
"""Seconds within which all that a lost link ran has ended; what the contract promises."""


def begun(there, command):
    """Run a command in a thread; what gives its result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(there(command)))
    thread.start()

    def result():
        thread.join(PATIENCE)
        return results[0]

    return result


def relayed(tmp_path, **more):
    """A host behind a program of its own, which can be stopped or killed without it."""
    host = host_at(tmp_path / "home", tmp_path / "root", PYTHON, relay.__file__)
    return Hosted(tmp_path / "home", tmp_path / "root", host, **more)


def test_a_killed_far_end_is_lost_and_what_it_ran_ends(there, probe):
    result = begun(there, f"echo begun > begun; setsid sleep {probe} & sleep {probe}")
    assert eventually(lambda: len(sleeping(probe)) == 2)
    os.kill(there.way, signal.SIGKILL)
    at = time.monotonic()
    said = result()
    assert said.failure.kind == "lost"
    assert "What it did is not known" in said.failure.message
    assert (said.exit_code, said.signal, said.pid) == (None, None, None)
    assert eventually(lambda: not sleeping(probe))
    assert time.monotonic() - at < WITHIN


def test_what_ended_calls_left_in_the_background_ends_as_well(there, probe):
    assert there(f"setsid sleep {probe} >/dev/null 2>&1 &").background
    os.kill(there.way, signal.SIGKILL)
    assert eventually(lambda: not sleeping(probe), WITHIN)


def test_after_a_goodbye_what_is_in_the_background_goes_on(there, probe):
    there(f"sleep {probe} >/dev/null 2>&1 &")
    there.end()
    time.sleep(0.5)
    assert len(sleeping(probe)) == 1


def test_a_killed_near_end_is_noticed_at_once(tmp_path, probe):
    words = [PYTHON, near.__file__, tmp_path / "home", tmp_path / "root", f"sleep {probe}", "30"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, env=os.environ | MODULES)
    assert eventually(lambda: sleeping(probe))
    process.kill()
    process.communicate()
    assert eventually(lambda: not sleeping(probe), WITHIN)


def test_a_near_end_that_ends_says_goodbye(tmp_path, probe):
    words = [PYTHON, near.__file__, tmp_path / "home", tmp_path / "root", f"sleep {probe} >/dev/null 2>&1 &", "30"]
    done = subprocess.run(words, stdout=subprocess.PIPE, env=os.environ | MODULES, text=True, check=True)
    assert "exit_code=0" in done.stdout
    time.sleep(0.5)
    assert len(sleeping(probe)) == 1


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_way_that_is_stopped_or_killed_is_lost_at_both_ends(tmp_path, probe, number):
    there = relayed(tmp_path, silence=2.0)
    result = begun(there, f"echo once >> ran; sleep {probe}")
    assert eventually(lambda: sleeping(probe))
    os.kill(there.way, number)
    at = time.monotonic()
    said = result()
    assert said.failure.kind == "lost"
    if number == signal.SIGSTOP:
        assert "nothing was heard of it for 2 seconds" in said.failure.message
    assert eventually(lambda: not sleeping(probe))
    assert time.monotonic() - at < WITHIN
    assert (tmp_path / "root/ran").read_text() == "once\n"
    there.end()


def test_the_next_call_connects_again(there, probe):
    result = begun(there, f"sleep {probe}")
    assert eventually(lambda: sleeping(probe))
    os.kill(there.way, signal.SIGKILL)
    assert result().failure.kind == "lost"
    assert there("echo again").stdout.text == "again\n"
    assert there.link.ask("kind", "/")


def test_a_question_to_a_lost_end_is_an_error_then_it_is_asked_anew(there):
    os.kill(there.way, signal.SIGSTOP)

    def killed():
        time.sleep(0.3)
        os.kill(there.way, signal.SIGKILL)

    threading.Thread(target=killed).start()
    with pytest.raises(HostError, match="host there: is lost"):
        there.link.ask("kind", "/")
    assert there.link.ask("kind", "/")


def test_another_place_behind_the_same_words_is_an_error(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "link").symlink_to("one")
    there = Hosted(tmp_path / "home", tmp_path / "one", host_at(tmp_path / "home", tmp_path / "link"))
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("two")
    os.kill(there.way, signal.SIGKILL)
    assert eventually(lambda: there.link._connection.over)
    said = there("touch ran")
    assert "its root changed since it was lost" in said.failure.message
    assert not list(tmp_path.glob("*/ran"))
    with pytest.raises(HostError, match="is not what it was"):
        there.link.ask("kind", "/")
    there.end()


def test_output_that_came_before_the_loss_is_in_the_result(there, probe):
    heard, results = [], []
    execution = f"echo so far; sleep {probe}"
    thread = threading.Thread(target=lambda: results.append(there(execution, lambda _, data: heard.append(data))))
    thread.start()
    assert eventually(lambda: heard and sleeping(probe))
    os.kill(there.way, signal.SIGKILL)
    thread.join(PATIENCE)
    assert results[0].stdout.text == "so far\n"
    assert results[0].failure.kind == "lost"


def test_a_cancelled_call_ends_there(there, probe):
    async def main():
        task = asyncio.ensure_future(there.executor.run(there.execution(f"sleep {probe}")))
        while not sleeping(probe):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.01)
        task.cancel("a scope")
        with pytest.raises(asyncio.CancelledError, match="a scope"):
            await task
        assert not sleeping(probe)

    asyncio.run(main())
    assert there("echo on").stdout.text == "on\n"


def test_an_interrupt_ends_all_with_their_results(there, probe):
    async def main():
        runs = [asyncio.ensure_future(there.executor.run(there.execution(f"echo {n}; sleep {probe}"))) for n in (1, 2)]
        while len(sleeping(probe)) < 2:  # noqa: ASYNC110 - other processes
            await asyncio.sleep(0.01)
        there.executor.interrupt()
        return await asyncio.gather(*runs)

    results = asyncio.run(main())
    assert [(result.stdout.text, result.signal) for result in results] == [("1\n", 15), ("2\n", 15)]
    assert not sleeping(probe)


def test_a_listener_that_fails_ends_the_call_and_its_error_is_raised(there, probe):
    def listener(_stream, _data):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        there(f"echo x; sleep {probe}", listener)
    assert not sleeping(probe)


def test_a_full_disk_there_costs_no_result_and_what_runs_ends_all_the_same(tmp_path, probe):
    home = tmp_path / "home"
    home.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", home]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        there = Hosted(home, tmp_path / "root")
        subprocess.run(["dd", "if=/dev/zero", f"of={home}/full", "bs=1k"], check=False, capture_output=True)
        result = there("echo out; yes | head -c 200000 >&2", output_bytes=1000)
        assert (result.stdout.text, result.stderr.size, result.exit_code) == ("out\n", 200_000, 0)
        assert "left out here" in result.stderr.text
        left = begun(there, f"sleep {probe}")
        assert eventually(lambda: sleeping(probe))
        os.kill(there.way, signal.SIGKILL)
        assert left().failure.kind == "lost"
        assert eventually(lambda: not sleeping(probe), WITHIN)
        there.end()
    finally:
        subprocess.run(["umount", "-l", home], check=False)
