"""Work that several processes share: the same results in the same order, whatever becomes of a process."""

from __future__ import annotations

import json
import os
import signal
import sys

import pytest
from helpers.home import Home
from helpers.logs import record, write
from helpers.samples import sample

from asimi.core.errors import AsimiError
from asimi.doors.cli.parallel import BLOCK, map_in_processes, processes_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork")

ROWS = 4000
AT = BLOCK * 5 + 3


def numbers(fault=None, at=AT):
    """Some numbers, and a fault on the way."""
    for each in range(BLOCK * 10 + 7):
        if fault is not None and each == at:
            raise fault
        yield each


def twice(number):
    return 2 * number, os.getpid()


@pytest.mark.parametrize("processes", [1, 2, 3, 16])
@pytest.mark.parametrize("count", [0, 1, BLOCK, 3 * BLOCK, 10 * BLOCK + 7])
def test_results_come_in_the_order_of_the_items(processes, count):
    found = list(map_in_processes(lambda: range(count), twice, processes))
    assert [each for each, _ in found] == [2 * each for each in range(count)]
    assert len({pid for _, pid in found}) == min(processes, max(1, -(-count // BLOCK)) if count else 0)
    assert (os.getpid() in {pid for _, pid in found}) == (processes == 1 and count > 0)


@pytest.mark.parametrize("processes", [1, 2, 3])
@pytest.mark.parametrize("where", ["items", "work"])
@pytest.mark.parametrize("at", [0, BLOCK - 1, BLOCK, AT])
def test_what_cannot_be_done_is_said_behind_the_results_before_it(processes, where, at):
    def odd(number):
        if where == "work" and number == at:
            raise AsimiError("line 7 is odd")
        return number

    items = (lambda: numbers(AsimiError("line 7 is odd"), at)) if where == "items" else numbers
    results, found = map_in_processes(items, odd, processes), []
    with pytest.raises(AsimiError, match=r"^line 7 is odd$"):
        found.extend(results)
    assert found == list(range(at))


def test_a_bug_in_a_process_is_shown_with_its_place():
    def wrong(number):
        return 1 // (AT - number)

    with pytest.raises(RuntimeError, match=r"in wrong(?s:.*)ZeroDivisionError"):
        list(map_in_processes(numbers, wrong, 2))


def test_a_process_that_is_killed_is_no_end_of_the_items():
    def killed(number):
        if number == AT:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    with pytest.raises(AsimiError, match="was ended"):
        list(map_in_processes(numbers, killed, 2))


def test_whoever_stops_reading_leaves_no_process():
    results = map_in_processes(numbers, twice, 2)
    number, pid = next(results)
    results.close()
    assert number == 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_few_items_are_not_shared():
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert processes_for(10) == 1
    assert processes_for(10**9) == there


TEXTS = ("echo {}", "cat {} > out", "rm -rf {}", "x=$(id) {}", "git status {}", "echo '{}", "tac {}")


def table(path, broken=None):
    """A file with many rows, some of which do not hold."""
    rows = [{"id": each, "command": TEXTS[each % 7].format(each), "expect": "allow"} for each in range(ROWS)]
    for row in rows[::5]:
        del row["expect"]
    lines = [json.dumps(row) for row in rows]
    if broken is not None:
        lines[broken] = '{"command": 3}'
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no processors to choose")
@pytest.mark.parametrize(
    ("words", "broken"),
    sample([(("--json",), None), ((), None), (("--json",), 1500), ((), 1500)], 2),
)
def test_a_table_is_judged_the_same_by_one_and_by_all(tmp_path, words, broken):
    home = Home(tmp_path, 'coreTools = ["run_shell_command(echo)", "run_shell_command(cat)"]\n')
    table(home.root / "rows.jsonl", broken)
    every = os.sched_getaffinity(0)
    several = home.asimi("policy", "test", "rows.jsonl", *words)
    try:
        os.sched_setaffinity(0, {min(every)})
        one = home.asimi("policy", "test", "rows.jsonl", *words)
    finally:
        os.sched_setaffinity(0, every)
    assert (several.stdout, several.stderr, several.returncode) == (one.stdout, one.stderr, one.returncode)
    assert several.returncode == (1 if broken is None else 125)
    assert (":1501: command must be a string" in several.stderr) == (broken is not None)
    if broken is None and words:
        assert [json.loads(line)["id"] for line in several.stdout.splitlines()] == list(range(ROWS))


def test_a_table_from_a_pipe_is_read_once(tmp_path):
    home = Home(tmp_path, 'coreTools = ["run_shell_command(echo)"]\n')
    table(home.root / "rows.jsonl")
    done = home.asimi("policy", "test", "/dev/stdin", stdin=(home.root / "rows.jsonl").read_text())
    assert done.stdout.splitlines()[-1].startswith("457 of 4000 rows are as expected, 2743 are not, 800 without"), (
        done.stdout[-300:] + done.stderr
    )


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no processors to choose")
@pytest.mark.parametrize("words", [pytest.param((), marks=pytest.mark.long), ("--json",)])
def test_a_log_is_judged_again_the_same_by_one_and_by_all(tmp_path, words):
    home = Home(tmp_path, 'coreTools = ["run_shell_command(echo)"]\nexcludeTools = ["run_shell_command(tac)"]\n')
    write(home, *[record(home.root, command=TEXTS[each % 7].format(each // 3)) for each in range(ROWS)])
    every = os.sched_getaffinity(0)
    several = home.asimi("policy", "replay", *words)
    try:
        os.sched_setaffinity(0, {min(every)})
        one = home.asimi("policy", "replay", *words)
    finally:
        os.sched_setaffinity(0, every)
    assert (several.stdout, several.stderr, several.returncode) == (one.stdout, one.stderr, 0)
    assert ("laxer" in one.stdout, "stricter" in one.stdout) == (True, True)
