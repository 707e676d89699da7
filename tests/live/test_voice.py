"""The real agents, asked by a model of ours: the question appears by asimi's own means, and a key there answers it."""

from __future__ import annotations

import os
import shlex
import shutil
import time

import pytest
from helpers import PATIENCE
from helpers.agents import Stage
from helpers.models import Wanted
from helpers.programs import PROGRAMS, settle
from helpers.terminal import Person
from helpers.tmux import Tmux

COMMAND = "mkdir {canary} && echo made"
"""What is asked about: no list has `mkdir`."""


class InstalledStage(Stage):
    """The same with the interpreter that has asimi, which a popup starts."""

    def install(self):
        done = self.run("hook", "install", self.agent)
        assert not done.returncode, done.stdout + done.stderr


@pytest.fixture
def played(installed, tmp_path, request):
    """A stage of an agent with its hook, a script of one command that asks, and what came of it."""
    agent, how = request.param
    if how == "tmux" and not shutil.which("tmux"):
        pytest.skip("there is no tmux")
    if how == "desktop" and not all(map(shutil.which, ("Xvfb", "xterm", "xdotool"))):
        pytest.skip("there is no desktop: Xvfb, xterm, xdotool")
    return installed(PROGRAMS[agent].packages), InstalledStage(tmp_path, agent)


def heard_of(packages, stage, answers):
    """What an agent's model hears of a command that asks; `answers` starts the agent and answers."""
    program, heard = PROGRAMS[stage.agent], []

    def script():
        heard.extend((yield [Wanted(COMMAND.format(canary=stage.canary))]))

    with program.model(script(), program.tools) as model:
        stage.settled(settle(stage.agent, stage.home, model.url, stage.project))
        environ = stage.environ | program.environ(packages, model.url)
        stage.install()
        answers([*map(str, program.line(packages, stage))], environ)
        end = time.monotonic() + PATIENCE
        while not heard:
            assert time.monotonic() < end, "the model heard nothing"
            time.sleep(0.1)
    return heard[0]


@pytest.mark.parametrize("played", [(agent, "tmux") for agent in PROGRAMS], ids=list(PROGRAMS), indirect=True)
def test_a_question_appears_over_the_agent_in_tmux(played):
    packages, stage = played
    people = []

    def answers(line, environ):
        (stage.home / "go.sh").write_text(f"cd {shlex.quote(str(stage.project))}\n{shlex.join(line)} </dev/null\n")
        shell = ["/bin/bash", "--norc", "-i"]
        tmux = Tmux(stage.home, shell, environ | {"TERM": "screen", "PS1": "> "}, columns=100, rows=40)
        attach = ["tmux", "-S", str(tmux.socket), "attach"]
        person = Person(attach, os.environ | {"TERM": "xterm-256color"}, columns=100, rows=40, alone=1.1)
        people.extend((tmux, person))
        person.sees("> ")
        time.sleep(1.1)  # a client counts that was attached in an earlier second than the agent was started
        tmux.types(f"sh {stage.home}/go.sh")
        tmux.presses("Enter")
        person.asked()
        person.presses("y")

    try:
        heard = heard_of(packages, stage, answers)
        assert (stage.project / stage.canary).is_dir(), heard
    finally:
        tmux, person = people
        tmux.run("kill-server")
        person.leaves()
