"""What holds for commands here holds for commands on a host, whatever leads there."""

import asyncio
import os
import signal
import threading
import time
from contextlib import suppress

import pytest
from helpers.engines import ENGINES
from helpers.executors import eventually, sleeping
from helpers.hosts import Hosted, host_at
from helpers.trials import FACTS, FORMS, LIMITS, TREES

from asimi.core.settings import Environment

WITHIN = 10.0


ENGINE = [pytest.param(name, marks=pytest.mark.long) for name in ("ssh", "podman")]


@pytest.fixture(scope="module", params=["argv", *ENGINE])
def place(request, tmp_path_factory):
    """A directory on a host, and the words that lead there."""
    directory = tmp_path_factory.mktemp(request.param)
    (directory / "engine").mkdir()
    with ENGINES[request.param](directory / "engine") as words:
        yield request.param, directory, words


def linked(place, **more):
    """A link to it; behind an engine, a shell that ssh needs joins the words."""
    _, directory, words = place
    host = host_at(directory / "home", directory / "root")
    return Hosted(directory / "home", directory / "root", host._replace(reach=(*words, *host.reach)), **more)


@pytest.fixture(scope="module")
def host(place):
    """A link that is kept."""
    it = linked(place)
    yield it
    it.end()


@pytest.fixture
def probes(probe):
    """Lengths of sleeps that only this test starts; what is left of them is ended."""
    made = []

    def another():
        made.append(f"{probe}{len(made):03d}")
        return made[-1]

    yield another
    for each in made:
        while left := sleeping(each):
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def test_results_say_what_happened(host):
    results = host.all(*(command for command, *_ in FACTS))
    said = [(each.exit_code, each.signal, each.stdout.text, each.stderr.text, each.failure) for each in results]
    assert said == [(code, number, stdout, stderr, None) for _, code, number, stdout, stderr in FACTS]
    assert {each.host for each in results} == {"there"}


def test_a_program_with_its_arguments_needs_no_shell(host):
    assert host(["printf", "%s|", "a b", "$x", "\n"]).stdout.text == "a b|$x|\n|"
    assert host(["no-such-program"]).failure.kind == "not_found"
    assert host(["/etc/passwd"]).failure.kind == "permission"


def test_what_is_left_running_is_listed_and_lives(host, place, probes):
    lengths = [probes() for _ in FORMS]
    results = host.all(*(form[0].replace("@", length) for form, length in zip(FORMS, lengths, strict=True)))
    for (command, sleeps, processes), length, result in zip(FORMS, lengths, results, strict=True):
        assert len(result.background) == processes, command
        assert eventually(lambda: len(sleeping(length)) == sleeps), command  # noqa: B023 - called at once
        if place[0] != "podman":  # which numbers its own
            assert set(sleeping(length)) <= set(result.background), command


def test_at_the_limit_whole_trees_end(host, probes):
    lengths = [probes() for _ in TREES]
    commands = [tree[0].replace("@", length) for tree, length in zip(TREES, lengths, strict=True)]
    results = host.all(*commands, timeout=LIMITS[1])
    for (command, stdout, code, number), length, first in zip(TREES, lengths, results, strict=True):
        result = first
        for limit in LIMITS[1:]:
            if result.stdout.text != stdout:
                result = host(command.replace("@", length), timeout=limit)
        assert sleeping(length) == [], command
        assert result.timed_out, command
        assert result.stdout.text == stdout, command
        assert number is ... or (result.exit_code, result.signal) == (code, number), command


def test_silence_for_too_long_ends_it(host, probe):
    result = host(f"echo a; sleep {probe}", idle_timeout=0.3)
    assert (result.timed_out, result.stdout.text, sleeping(probe)) == (True, "a\n", [])


def test_a_long_output_is_in_a_file_there(host):
    result = host("head -c 3000000 /dev/zero | tr '\\0' x", output_bytes=100_000)
    assert result.stdout.size == 3_000_000
    assert os.path.getsize(result.stdout.file) == 3_000_000
    assert f"all 3,000,000 are in {result.stdout.file}" in result.stdout.text
    assert len(result.stdout.text) < 110_000


def test_a_listener_hears_all_of_it_in_order(host):
    heard = {"stdout": b"", "stderr": b""}

    def listener(stream, data):
        heard[stream] += data

    result = host("seq 1 400000; seq 1 1000 >&2", listener)
    assert heard["stdout"].decode() == result.stdout.text == "".join(f"{n}\n" for n in range(1, 400_001))
    assert heard["stderr"].decode() == result.stderr.text


def test_a_slow_listener_slows_the_command_and_nothing_else(host):
    async def main():
        loop, first, sizes = asyncio.get_running_loop(), asyncio.Event(), []
        wanted = loop.create_future()

        def listener(_stream, data):
            sizes.append(len(data))
            first.set()
            return None if wanted.done() else wanted

        slow = asyncio.ensure_future(host.executor.run(host.execution("head -c 20000000 /dev/zero"), listener))
        await first.wait()
        beside = await host.executor.run(host.execution("echo beside"))
        assert beside.stdout.text == "beside\n"
        before = sum(sizes)
        assert before < 20_000_000
        assert not slow.done()
        wanted.set_result(True)
        result = await slow
        assert sum(sizes) == result.stdout.size == 20_000_000

    asyncio.run(main())


def test_a_listener_that_wants_no_more_closes_the_pipe(host):
    async def main():
        done = asyncio.get_running_loop().create_future()
        done.set_result(False)
        result = await host.executor.run(host.execution("yes; echo $? >&2"), lambda *_: done)
        assert result.stderr.text == "141\n"

    asyncio.run(main())


def test_two_hundred_at_once_stay_apart(host):
    results = host.all(*(f"echo {n}; sleep .2; echo {n} >&2" for n in range(200)))
    assert {each.failure for each in results} == {None}
    assert [each.stdout.text for each in results] == [f"{n}\n" for n in range(200)]
    assert [each.stderr.text for each in results] == [f"{n}\n" for n in range(200)]


def test_a_directory_is_entered_or_nothing_runs(host, place):
    root = place[1] / "root"
    (root / "sub").mkdir(exist_ok=True)
    host.directory = str(root / "sub")
    try:
        assert host("pwd").stdout.text == f"{root}/sub\n"
        execution = host.execution("touch ran")
        (root / "sub").rename(root / "moved")
        (root / "sub").symlink_to("moved")
        result = asyncio.run(host.executor.run(execution))
        assert result.failure is not None
        assert not (root / "moved/ran").exists()
    finally:
        host.directory = str(root)
        (root / "sub").unlink(missing_ok=True)


def test_another_root_than_that_of_the_link_is_refused(host, tmp_path):
    made = host.execution("true")
    place = made.request.place._replace(root="/", path="/")
    result = asyncio.run(host.executor.run(made._replace(directory="/", request=made.request._replace(place=place))))
    assert "this link is for" in result.failure.message


def test_the_environment_is_that_of_the_host_and_the_wish(place, monkeypatch):
    monkeypatch.setenv("OF_THIS_MACHINE", "1")
    there = linked(place, wish=lambda: Environment(set=(("WISHED", "w"),), drop=("LANG",)))
    named = dict(line.partition("=")[::2] for line in there("env").stdout.text.splitlines())
    there.end()
    assert "OF_THIS_MACHINE" not in named
    assert "LANG" not in named
    assert (named["WISHED"], named["ASIMI_CLI"], named["HOME"]) == ("w", "1", str(place[1] / "home"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_nothing_runs_on_when_the_way_is_cut(place, probe, number):
    there, results = linked(place, silence=2.0), []
    thread = threading.Thread(target=lambda: results.append(there(f"setsid sleep {probe} & sleep {probe}")))
    thread.start()
    assert eventually(lambda: len(sleeping(probe)) == 2)
    at = time.monotonic()
    os.kill(there.way, number)
    thread.join(WITHIN)
    assert results[0].failure.kind == "lost"
    assert eventually(lambda: not sleeping(probe), WITHIN)
    assert time.monotonic() - at < WITHIN
    there.end()


def test_a_killed_far_end_leaves_nothing_running(place, probe):
    there = linked(place)
    result = there(f"setsid sleep {probe} >/dev/null 2>&1 & kill -9 $PPID; sleep 5")
    assert result.failure.kind == "lost"
    assert eventually(lambda: not sleeping(probe), WITHIN)
    there.end()


def test_a_goodbye_leaves_the_background_running(place, probe):
    there = linked(place)
    there(f"sleep {probe} >/dev/null 2>&1 &")
    there.end()
    time.sleep(1.0)
    assert len(sleeping(probe)) == 1
