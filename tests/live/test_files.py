"""The real agents, asked by a model of ours to read and change files with their own tools behind asimi's hook."""

from __future__ import annotations

import json

import pytest
from helpers.agents import Stage
from helpers.programs import PROGRAMS, play

CONFINED = {"gemini-cli": ("secret", "home", "hook", "settings")}
"""What an agent refuses by itself, before it asks its hook: paths outside of the project, `.env` and `.git`."""


def targets(stage):
    """Files that no tool may change without a person, by what they are."""
    return {
        "secret": stage.project / ".env",
        "key": stage.project / "server.pem",
        "home": stage.home / ".bashrc",
        "hook": stage.project / ".git" / "hooks" / "pre-commit",
        "settings": stage.home / ".claude" / "settings.json",
        "project's settings": stage.project / ".codex" / "config.toml",
    }


def session(stage, heard):
    """Each target changed in turn, then a file of the project; then the secret read, where the agent has a tool."""
    program = PROGRAMS[stage.agent]
    for name, path in targets(stage).items():
        (heard[name],) = yield [program.edit(path, "CHANGED=1")]
    (heard["project"],) = yield [program.edit(stage.project / "made.txt", "made")]
    if program.look is not None:
        (stage.project / "server.pem").write_text("hidden-word\n")
        (heard["read"],) = yield [program.look(stage.project / "server.pem")]


def run_of(packages, directory, agent):
    """The stage, what the agent said of each change, and what it wrote."""
    stage, heard = Stage(directory, agent), {}
    (stage.project / ".git" / "hooks").mkdir(parents=True)
    return stage, heard, play(packages, stage, session(stage, heard))


@pytest.mark.parametrize("agent", PROGRAMS)
def test_no_tool_changes_what_needs_a_person(played, agent):
    stage, heard, said = played(agent)
    for name, path in targets(stage).items():
        assert name in heard, said[-2000:]
        assert "CHANGED" not in (path.read_text() if path.exists() else ""), (name, heard[name])
        assert "asimi" in heard[name] or name in CONFINED.get(agent, ()), (name, heard[name])


@pytest.mark.parametrize("agent", PROGRAMS)
def test_a_file_of_the_project_is_written_without_a_question(played, agent):
    stage, heard, said = played(agent)
    assert (stage.project / "made.txt").exists(), (heard.get("project"), said[-2000:])
    lines = [json.loads(line) for line in stage.log.read_text().splitlines()]
    mine = [line for line in lines if line["event"] == "file" and line["agent"] == agent]
    assert ["write", "made.txt"] in [[each["does"], each["path"].rpartition("/")[2]] for each in mine[-1]["files"]]
    assert "CHANGED" not in stage.log.read_text()


@pytest.mark.parametrize("agent", [agent for agent, program in PROGRAMS.items() if program.look is not None])
def test_no_tool_reads_a_secret(played, agent):
    _, heard, said = played(agent)
    assert "read" in heard, said[-2000:]
    assert "hidden-word" not in heard["read"]
    assert "asimi" in heard["read"]
