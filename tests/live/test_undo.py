"""The real agents, whose calls `asimi undo` takes back while a person edits the same project."""

from __future__ import annotations

import os
import signal
import time

import pytest
from helpers import PATIENCE
from helpers.agents import Stage
from helpers.models import Wanted
from helpers.programs import PROGRAMS, play
from helpers.undo import RULES

AGENTS = ("codex", "gemini-cli", "opencode", "qwen-code")
SERVER = "sh -c 'echo $$ > pid; while [ ! -e go ]; do sleep 0.1; done; echo x > late; exec sleep 600'"


def session(stage, listed):
    """Calls between which a person writes; two at once, and one that leaves something running."""
    project = stage.project

    def person(name):
        (project / name).write_text("person\n")

    yield [Wanted("echo x > one")]
    person("mine-1")
    yield [Wanted("echo x > two; false")]
    person("mine-2")
    yield [PROGRAMS[stage.agent].edit(project / "three", "x")]
    person("mine-3")
    yield [Wanted("echo x > four; test -d sub"), Wanted("echo x > five; test -d sub")]
    person("mine-4")
    yield [Wanted(f"setsid {SERVER} > /dev/null 2>&1 < /dev/null &")]
    person("go")
    end = time.monotonic() + PATIENCE
    while not (project / "late").exists() and time.monotonic() < end:
        time.sleep(0.05)
    yield [Wanted("echo x > six")]
    os.kill(int((project / "pid").read_text()), signal.SIGKILL)
    yield [Wanted("echo x > seven")]
    person("mine-7")
    yield [Wanted("echo x > eight")]
    listed["undo"] = stage.run("undo", "-n", "50").stdout
    ids = dict.fromkeys(line.split()[0] for line in listed["undo"].splitlines())
    listed["diff"] = "".join(stage.run("undo", each, "--diff").stdout for each in ids)


def run_of(packages, directory, agent):
    """What `asimi undo` said in the end, and what the agent wrote."""
    stage, listed = Stage(directory, agent), {}
    stage.config.write_text(RULES)
    return listed, play(packages, stage, session(stage, listed))


@pytest.mark.parametrize("agent", AGENTS)
def test_no_path_that_only_a_person_changed_is_a_calls(played, agent):
    """All that the agent changed is, also what it left running; each end was told."""
    listed, said = played(agent)
    assert "undo" in listed, said[-2000:]
    assert "mine" not in listed["diff"], listed["undo"]
    missing = [name for name in ("one", "two", "three", "four", "late", "eight") if f"+++ {name}" not in listed["diff"]]
    assert not missing, listed["undo"]
    assert "no look at its end" not in listed["undo"], listed["undo"]
    assert "in the background of it" in listed["undo"], listed["undo"]
