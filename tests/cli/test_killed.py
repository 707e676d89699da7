"""An asimi that is killed in the middle of a call leaves a trace that the next one tells, once."""

import contextlib
import json
import os
import signal

from helpers.executors import eventually
from helpers.home import Home

CONFIG = 'coreTools = ["run_shell_command"]\n'


def killed_in(home, command):
    """Kill an asimi in the middle of a command, which makes a file `begun`."""
    asimi = home.start("run", command)
    home.has_begun()
    home.waits_for_a_record()
    asimi.kill()
    asimi.communicate()


def test_the_next_start_tells_the_call_that_was_not_finished(tmp_path):
    home = Home(tmp_path, CONFIG)
    killed_in(home, "echo $$ > begun; sleep 600; true")
    told = home.asimi("run", "true").stderr
    assert "was cut short" in told
    assert "sleep 600" in told
    assert home.asimi("run", "true").stderr == ""
    assert "sleep 600" in home.asimi("jobs", "list").stdout
    with contextlib.suppress(ProcessLookupError):
        os.killpg(int((home.root / "begun").read_text()), signal.SIGKILL)


def test_the_log_tells_a_call_that_was_cut_short_from_one_that_runs(tmp_path):
    home = Home(tmp_path, CONFIG)
    killed_in(home, "echo $$ > begun; exec sleep 600")
    other = home.start("run", "echo $$ > second; exec sleep 601")
    home.has_begun("second")
    assert became(home) == ["runs on", "running"]
    os.kill(int((home.root / "begun").read_text()), signal.SIGKILL)
    assert eventually(lambda: became(home) == ["cut short", "running"])
    assert "the asimi running it was killed; nothing of it runs any more" in home.asimi("log", "--why").stdout
    os.kill(int((home.root / "second").read_text()), signal.SIGKILL)
    other.communicate()
    assert became(home) == ["cut short", "signal 9"]


def became(home):
    """The outcomes of all calls."""
    return [line[21:34].strip() for line in home.asimi("log").stdout.splitlines()]


def test_nothing_is_told_where_nothing_was_killed(tmp_path):
    home = Home(tmp_path, CONFIG)
    assert [home.asimi("run", "true").stderr for _ in range(2)] == ["", ""]


def test_what_is_kept_of_a_call_that_runs_holds_no_secret(tmp_path):
    home = Home(tmp_path, CONFIG)
    killed_in(home, "sleep 600 & echo --token=hunter2hunter2; echo $$ > begun; sleep 600; true")
    home.asimi("run", "sleep 600 & : --token=hunter2hunter2")
    kept = [path.read_bytes() for path in (home.home / "state").rglob("*") if path.is_file()]
    assert sum(b"sleep 600" in each for each in kept) >= 3  # the log, the call, the job
    assert not any(b"hunter2" in each for each in kept)
    for line in home.asimi("jobs", "list", "--json").stdout.splitlines():
        home.asimi("jobs", "kill", json.loads(line)["id"])
