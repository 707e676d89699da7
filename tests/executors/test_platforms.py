"""What other systems know about processes, told by what their programs print."""

import asyncio
import os
import subprocess
import sys

import pytest
from helpers import executor
from helpers.executors import COUNT, Library, sleeping

from asimi.world.executors import windows
from asimi.world.executors.files import Files
from asimi.world.executors.finders import shared_finder
from asimi.world.executors.linux import LinuxFinder
from asimi.world.executors.posix import PosixFinder
from asimi.world.executors.processes import Mark, end_processes

LIST = """
  1     0     1 Ss
100     1   100 Ss
200   100   200 Ss
201   200   200 S
202   201   200 R+
203     1   200 S
204     1   204 Ss
205   204   204 S
206     1   206 Ss
207     1   207 Ss
208   200   200 Z
"""
SESSIONS = {200: 200, 201: 200, 202: 200, 203: 200, 204: 200, 205: 204, 206: 206, 207: 207}
ENVIRONMENTS = """
204 sleep 600 HOME=/Users/x ASIMI_RUN=mine
206 sleep 600 HOME=/Users/x ASIMI_RUN=outer:mine:inner SHELL=/bin/zsh
207 sleep 600 ASIMI_RUN=other
"""


def printed(*arguments):
    """A ps(1) that always sees the same."""
    if "lstart=" in arguments:
        return "Fri Nov 20 10:30:00 2026\n"
    return ENVIRONMENTS if "-E" in arguments else LIST


def session(pid):
    """A getsid(2) that goes with it."""
    if pid not in SESSIONS:
        raise ProcessLookupError
    return SESSIONS[pid]


EVIDENCE = [
    # the main process, whether it is looked for thoroughly, what is found
    (200, False, {200, 201, 202, 203, 204, 205, 206}),
    (200, True, {200, 201, 202, 203, 204, 205, 206}),
    (0, True, {204, 205, 206}),
    (0, False, set()),
    (999, True, {204, 205, 206}),
]


@pytest.mark.parametrize(("main", "thorough", "found"), EVIDENCE)
def test_where_only_ps_tells_a_call_has_its_session_its_group_its_token_and_what_these_started(main, thorough, found):
    there = PosixFinder(printed, session)
    assert there.alive(Mark("mine", main=main), thorough=thorough) == found


def test_where_only_ps_tells_a_start_time_tells_processes_apart():
    there = PosixFinder(printed, session)
    began = there.start_time(200)
    assert (there.same(200, began + 1), there.same(200, began + 60), there.same(200, 0)) == (True, False, False)


def test_a_ps_that_fails_finds_nothing_and_raises_nothing():
    assert PosixFinder(lambda *_: "ps: illegal option -- E\n", session).alive(Mark("mine", main=200)) == set()


@pytest.mark.skipif(os.name != "posix", reason="has no ps(1)")
def test_with_a_real_ps_a_tree_is_found_and_ended(tmp_path, probe):
    library = Library(tmp_path / "state", tmp_path)
    library("true")
    library.executor._finder = PosixFinder()
    library.executor._journal._finder = library.executor._finder
    result = library(f"sleep {probe} & sleep {probe} & sleep .2")
    assert sorted(sleeping(probe)) == sorted(result.background)
    assert library(f"(sleep {probe}1 &); sleep {probe}1; true", timeout=0.5).timed_out
    assert sleeping(probe + "1") == []


@pytest.mark.parametrize(
    ("platform", "kind"),
    [("linux", LinuxFinder), ("darwin", PosixFinder), ("freebsd14", PosixFinder), ("win32", windows.WindowsFinder)],
)
def test_each_platform_has_its_witness(platform, kind):
    if platform == "linux" and sys.platform != "linux":
        pytest.skip("there is no /proc")
    assert type(shared_finder(platform)) is kind
    assert shared_finder(platform) is shared_finder(platform)


def test_a_token_names_the_calls_around_this_one():
    finder = PosixFinder()
    assert finder.variables(Mark("a"), {}) == {"ASIMI_RUN": "a"}
    assert finder.variables(Mark("b"), {"ASIMI_RUN": "a"}) == {"ASIMI_RUN": "a:b"}


def windows_call(tmp_path, command, listener=None, cancel="", **limits):
    """A call as Windows makes it, with a `taskkill` that this system understands."""
    ended = []

    def end_tree(pid):
        ended.append(pid)
        os.kill(pid, 9)

    execution = executor.execution(f"w{next(COUNT)}", command, str(tmp_path), limits)

    def create_process(_line, **options):
        del options["creationflags"]
        return subprocess.Popen(execution.argv, **options)

    async def run():
        parts = windows.WindowsFinder(), Files(str(tmp_path / "state")), None, listener, lambda *_, **__: None
        task = asyncio.ensure_future(windows.WindowsCall(execution, *parts, end_tree, create_process).run())
        if cancel:
            asyncio.get_running_loop().call_later(0.1, task.cancel, cancel)
        return await task

    return asyncio.run(run()), ended


def test_the_way_of_windows_keeps_output_and_exit_code(tmp_path):
    heard = []
    result, ended = windows_call(tmp_path, "echo hi; echo e >&2; exit 3", lambda *said: heard.append(said))
    assert (result.stdout.text, result.stderr.text, result.exit_code, result.background) == ("hi\n", "e\n", 3, ())
    assert sorted(heard) == [("stderr", b"e\n"), ("stdout", b"hi\n")]
    assert ended == []


@pytest.mark.parametrize("limits", [{"timeout": 0.4}, {"idle_timeout": 0.4}])
def test_the_way_of_windows_ends_the_tree_at_a_limit(tmp_path, limits):
    result, ended = windows_call(tmp_path, "echo part; exec sleep 60", **limits)
    assert (result.stdout.text, result.timed_out, ended) == ("part\n", True, [result.pid])


def test_the_way_of_windows_raises_the_cancellation_that_came(tmp_path):
    with pytest.raises(asyncio.CancelledError, match="a scope"):
        windows_call(tmp_path, "exec sleep 60", cancel="a scope")


def test_the_way_of_windows_does_not_wait_for_who_holds_the_pipes(tmp_path, probe):
    result, _ = windows_call(tmp_path, f"sleep {probe} & echo hi")
    assert (result.stdout.text, result.exit_code) == ("hi\n", 0)


def test_the_way_of_windows_says_why_nothing_started(tmp_path):
    result, _ = windows_call(tmp_path, ["nosuchcmd_zz"])
    assert result.failure.kind == "not_found"


def test_ending_stops_what_starts_others_before_it_kills(monkeypatch):
    """What is born while we kill is found by the next look, until two looks find nothing."""
    sent, alive = [], [{1}, {1}, {1, 2}, {1, 2, 3}, {1, 2, 3}, set(), set()]
    monkeypatch.setattr("asimi.world.executors.processes.send", lambda pid, number: sent.append((pid, int(number))))
    list(end_processes(lambda: alive.pop(0) if len(alive) > 1 else alive[0], grace=0))
    assert sent[:2] == [(1, 15), (1, 18)]
    stops = [pid for pid, number in sent if number == 19]
    kills = [pid for pid, number in sent if number == 9]
    assert stops == sorted(stops)
    assert set(kills) == {1, 2, 3}
    assert sent.index((3, 19)) < sent.index((1, 9))
