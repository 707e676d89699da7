"""An asimi that is killed in the middle of a call leaves a trace that the next one tells, once."""

import contextlib
import os
import signal

from asimi_home import Home

CONFIG = 'coreTools = ["run_shell_command"]\n'


def test_the_next_start_tells_the_call_that_was_not_finished(tmp_path):
    home = Home(tmp_path, CONFIG)
    asimi = home.start("run", "echo $$ > begun; sleep 600; true")
    home.has_begun()
    asimi.kill()
    asimi.communicate()
    told = home.asimi("run", "true").stderr
    assert "was not finished" in told
    assert "sleep 600" in told
    assert home.asimi("run", "true").stderr == ""
    assert "sleep 600" in home.asimi("jobs", "list").stdout
    with contextlib.suppress(ProcessLookupError):
        os.killpg(int((home.root / "begun").read_text()), signal.SIGKILL)


def test_nothing_is_told_where_nothing_was_killed(tmp_path):
    home = Home(tmp_path, CONFIG)
    assert [home.asimi("run", "true").stderr for _ in range(2)] == ["", ""]
