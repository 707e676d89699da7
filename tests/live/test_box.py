"""The real agents in a box of `asimi wrap`, asked by a model of ours: what runs, what is refused, what is held."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest
from helpers.agents import session
from helpers.executors import eventually
from helpers.plays import WHO, BoxedStage, inner, plays_of, processes, second_server, stays
from helpers.programs import LONGEST, PROGRAMS, play, playing


class Played:
    """What came of one run of an agent: each play, what was said, and what it left behind."""

    def __init__(self, packages, stage):
        self.stage, self.outcomes = stage, {}
        program = PROGRAMS[stage.agent]
        stage.packages = packages
        with program.model(inner(stage), program.tools) as stage.inner, second_server() as port:
            stage.reach = (f"127.0.0.1:{port}",)
            reached = (f"localhost:{port}", *stage.reach, f"localhost:{stage.inner.server.server_port}")
            box = [word for name in reached for word in ("--reach", name)]
            self.said = play(packages, stage, session(stage, self.outcomes, plays_of(stage.agent)), box)


def run_of(packages, directory, agent):
    """What came of all plays."""
    return Played(packages, BoxedStage(directory, agent))


@pytest.mark.parametrize(("agent", "name"), [(agent, name) for agent in PROGRAMS for name in plays_of(agent)])
def test_in_the_box(played, agent, name):
    run = played(agent)
    assert name in run.outcomes, f"{agent} ended before: {run.said[-2000:]}"
    if run.outcomes[name] is not None:
        raise run.outcomes[name]


@pytest.mark.parametrize("agent", PROGRAMS)
def test_nothing_is_left_and_nothing_has_changed(played, agent):
    run = played(agent)
    assert run.stage.left() == []
    assert run.stage.changed() == []
    assert not alive(str(run.stage.project))


@pytest.mark.parametrize("agent", PROGRAMS)
def test_the_end_says_what_came_of_it(played, agent):
    said = played(agent).said
    assert "because the box holds them, 2 by your answer" in said, said[-2000:]
    assert "not allowed: " in said
    assert "1 needed to leave the box and did not run" in said
    assert "Not reached: " in said


ENDS = [(who, signal.SIGKILL) for who in WHO] + [(who, signal.SIGABRT) for who in ("gate", "agent")]


@pytest.mark.parametrize("agent", PROGRAMS)
def test_whoever_crashes_or_is_killed_nothing_is_left(installed, tmp_path, agent):
    """One home for all ends of an agent, so each start finds what the end before it left."""
    stage, packages = BoxedStage(tmp_path, agent), installed(PROGRAMS[agent].packages)
    begun = stage.project / "begun"
    for who, number in ENDS:
        begun.unlink(missing_ok=True)
        with playing(packages, stage, stays(stage), []) as (process, said):
            assert eventually(partial(has_begun, begun, process), LONGEST)
            assert alive(f"directory\0{stage.project}"), f"{who}: the agent ended: {read(said)}"
            os.kill(processes(process.pid)[who], number)
            code = process.wait(LONGEST)
            assert eventually(lambda: not alive(str(stage.project)) and not stage.left()), (who, stage.left())
            if who == "gate":
                assert code == -number
            else:
                assert code == 128 + (signal.SIGKILL if who != "agent" else number), (who, read(said))
        assert stage.changed() == []


def has_begun(begun, process):
    """Whether the agent works, or has ended."""
    return begun.exists() or process.poll() is not None


def read(file):
    """What was written to a file, or its end."""
    file.seek(0)
    return file.read()[-3000:]


def alive(text):
    """The processes of this machine with a text in their command line."""
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found += [int(pid)] if text.encode() in file.read() else []
        except OSError:
            continue
    return found
