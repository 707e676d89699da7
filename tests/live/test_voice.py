"""The real agents, asked by a model of ours: the question appears by asimi's own means, and a key there answers it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from contextlib import ExitStack

import pytest
from helpers import PATIENCE
from helpers.agents import Stage
from helpers.models import Wanted
from helpers.programs import PROGRAMS, settle
from helpers.terminal import Person
from helpers.tmux import Tmux
from helpers.voices import Desk

COMMAND = "mkdir {canary} && echo made"
"""What is asked about: no list has `mkdir`."""


class InstalledStage(Stage):
    """The same with the interpreter that has asimi, which a popup or a window starts."""

    def __init__(self, path, agent):
        super().__init__(path, agent)
        (run := self.home / "run").mkdir(mode=0o700)
        self.environ["XDG_RUNTIME_DIR"] = str(run)

    def install(self):
        done = self.run("hook", "install", self.agent)
        assert not done.returncode, done.stdout + done.stderr


@pytest.fixture
def played(installed, tmp_path, request):
    """Where an agent is installed, and its stage."""
    return installed(PROGRAMS[request.param].packages), InstalledStage(tmp_path, request.param)


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


@pytest.mark.parametrize("played", PROGRAMS, indirect=True)
def test_a_question_appears_in_a_window_of_the_desktop(played):
    packages, stage = played
    with Desk(stage.home, home=stage) as desk, ExitStack() as agent:
        stage.environ = stage.environ | desk.desktop

        def answers(line, environ):
            elsewhere = {"DISPLAY": ":77"}  # what an agent may say of a desktop
            ends = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            process = agent.enter_context(subprocess.Popen(line, env=environ | elsewhere, cwd=stage.project, **ends))
            agent.callback(process.kill)
            desk.presses("y", (stage.project / stage.canary).is_dir)

        heard = heard_of(packages, stage, answers)
        assert (stage.project / stage.canary).is_dir(), heard


@pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")
@pytest.mark.parametrize("played", PROGRAMS, indirect=True)
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
