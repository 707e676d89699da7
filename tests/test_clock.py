"""A clock that jumps makes nothing old at once; one that runs on is believed."""

import asyncio
import json
import os
import time

import pytest
from helpers.questions import approver_of, question_of

from asimi.core.call import Approval, Session, Verdict
from asimi.core.judging.rules import rule_of
from asimi.world.approvals.tickets import TicketApprovals
from asimi.world.approvers.queue.entries import entries, sweep
from asimi.world.audit.chain import Chain, Keep, older_files
from asimi.world.config.rule_files import keep
from asimi.world.executors.jobs import Jobs
from asimi.world.host.clock import ClockReading, next_seen, steady

DAY, HOUR, YEAR = 86400.0, 3600.0, 365 * 86400.0
LIST = rule_of("run_shell_command(ls)", Verdict.ALLOW)


def effective_rules(*steps, at=1e9):
    """What is believed at the end, against the start: each step is what the clock and the machine's count go on by.

    A step with no count is one over a new start of the machine.
    """
    seen, awake, boot = next_seen(None, at, 100.0, "0"), 100.0, 0
    clock = at
    for step, passed in steps:
        clock += step
        awake, boot = (awake + passed, boot) if passed is not None else (50.0, boot + 1)
        seen = next_seen(seen, clock, awake, str(boot))
    return seen.effective_rules - at


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([], 0),
        ([(HOUR, HOUR)], HOUR),
        ([(40 * DAY, 40 * DAY)], 40 * DAY),
        ([(HOUR, 0.0)], HOUR),
        ([(-5 * YEAR, HOUR)], -5 * YEAR),
        ([(5 * YEAR, 1.0)], 0),
        ([(5 * YEAR, 1.0), (HOUR, HOUR)], 0),
        ([(5 * YEAR, 1.0), (HOUR, HOUR), (DAY, DAY)], 5 * YEAR + HOUR + DAY),
        ([(5 * YEAR, 1.0), (HOUR - 5 * YEAR, HOUR)], HOUR),
        ([(5 * YEAR, 1.0), (3 * DAY, HOUR), (-5 * YEAR, HOUR), (HOUR, HOUR)], 3 * DAY + HOUR),
        ([(5 * YEAR, 1.0), (-YEAR, HOUR), (HOUR, HOUR)], 0),
        ([(5 * YEAR, 1.0), (-YEAR, HOUR), (DAY, DAY)], 4 * YEAR + DAY),
        ([(HOUR, None)], HOUR),
        ([(7 * DAY, None)], 0),
        ([(7 * DAY, None), (7 * DAY, None)], 7 * DAY),
        ([(7 * DAY, None), (HOUR, HOUR), (DAY, DAY)], 8 * DAY + HOUR),
    ],
)
def test_a_jump_counts_once_the_clock_has_run_on_from_there(steps, expected):
    assert effective_rules(*steps) == pytest.approx(expected)


def test_a_system_that_does_not_name_its_starts_is_believed_after_a_day():
    seen = next_seen(ClockReading(1e9, 100.0, ""), 1e9 + 7 * DAY, 100.0 + 7 * DAY, "")
    assert seen.effective_rules == 1e9
    assert next_seen(seen, 1e9 + 8 * DAY, 100.0 + 8 * DAY, "").effective_rules == 1e9 + 8 * DAY


@pytest.fixture
def jumped(tmp_path):
    """A directory that last saw the clock five years ago, a second before now as the machine counts."""
    steady(str(tmp_path))
    path = tmp_path / "clock.json"
    seen = json.loads(path.read_text())
    path.write_text(json.dumps(seen | {"time": seen["time"] - 5 * YEAR}))
    return tmp_path


def old(path):
    """Make a file two years old."""
    os.utime(path, (time.time() - 2 * YEAR,) * 2)


def test_what_the_clock_says_is_believed_where_it_was_never_seen(tmp_path):
    assert steady(str(tmp_path)) == pytest.approx(time.time(), abs=60)
    assert (tmp_path / "clock.json").stat().st_mode & 0o777 == 0o600


def test_a_jump_is_written_down(jumped):
    first = steady(str(jumped))
    assert first == pytest.approx(time.time() - 5 * YEAR, abs=60)
    assert steady(str(jumped)) == first


def test_nothing_is_old_where_the_clock_cannot_be_written_down(tmp_path):
    (tmp_path / "clock.json").mkdir()
    assert steady(str(tmp_path)) == 0.0


def test_a_jump_deletes_no_ticket(jumped):
    def ticket(name):
        return TicketApprovals(
            str(jumped), Session(f"name-{name}", name, named=True), "/", lambda _: None, max_age=HOUR
        )

    yes = Approval(yes=True, by="terminal", scope="session", rules=(LIST,))
    ticket("a").remember(yes)
    old(jumped / "session-name-a.json")
    ticket("b").remember(yes)
    assert (jumped / "session-name-a.json").exists()


def test_a_jump_deletes_no_output(jumped):
    (jumped / "output").mkdir(mode=0o700)
    there = jumped / "output" / "x.stdout"
    there.write_text("x")
    old(there)
    Jobs(str(jumped)).sweep(age=HOUR, room=1 << 30)
    assert there.exists()


def test_a_jump_deletes_no_log(jumped):
    chain = Chain(str(jumped), lambda: Keep(file_bytes=1, age=YEAR))

    def write():
        chain.append('{"event":"x"')
        for name in older_files(str(jumped)):
            old(jumped / name)

    for _ in range(4):
        write()
    assert len(older_files(str(jumped))) == 3
    (jumped / "clock.json").unlink()
    write()
    assert len(older_files(str(jumped))) <= 1, "without a jump they are old"


def test_a_clock_is_known_from_the_first_line_of_the_log_on(tmp_path):
    """So the first time that lines could be deleted is not the first time that the clock is looked at."""
    Chain(str(tmp_path), lambda: Keep(file_bytes=1, age=YEAR)).append('{"event":"x"')
    assert (tmp_path / "clock.json").exists()


def test_a_jump_drops_no_rule_that_asimi_wrote(jumped):
    path = str(jumped / "config.approved.toml")
    ends = time.time() - 2 * YEAR
    keep(path, [LIST._replace(expires=ends)], root=None, mode=0o600, now=time.time)
    keep(
        path, [rule_of("run_shell_command(id)", Verdict.ALLOW)], root=None, mode=0o600, now=lambda: steady(str(jumped))
    )
    assert "ls" in (jumped / "config.approved.toml").read_text()


def test_a_jump_takes_no_question_away(jumped):
    directory = str(jumped / "questions")

    async def asked():
        approver = approver_of(directory, wait=False, session=Session("name-x", "x", named=True))
        await approver.ask(question_of("ls"))
        approver.close()

    asyncio.run(asked())
    (entry,), _ = entries(directory)
    path = jumped / "questions" / f"{entry.id}.json"
    there = json.loads(path.read_text())
    path.write_text(json.dumps(there | {"asked": there["asked"] - 2 * YEAR, "until": there["until"] - 2 * YEAR}))
    assert sweep(directory) == [entry.id]
