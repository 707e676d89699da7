"""The real agents, asked by a model of ours to run commands behind asimi's hook."""

from __future__ import annotations

import pytest
from helpers.agents import Stage, assert_blocked, cases_of, session
from helpers.models import Wanted
from helpers.programs import PROGRAMS, play

SWITCHES = {
    "codex": {"hooks": (".codex/config.toml", "[features]\nhooks = false\n")},
    "gemini-cli": {
        "enabled": (".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
        "disabled": (".gemini/settings.json", '{"hooksConfig": {"disabled": ["asimi"]}}'),
    },
    "copilot-cli": {
        "settings": (".github/copilot/settings.json", '{"disableAllHooks": true}'),
        "hooks": (".github/hooks/off.json", '{"version": 1, "disableAllHooks": true, "hooks": {}}'),
    },
    "qwen-code": {"disableAllHooks": (".qwen/settings.json", '{"disableAllHooks": true}')},
    "opencode": {"the same plug-in": (".opencode/plugins/asimi.js", "export const Asimi = async () => ({})\n")},
}
"""Files of a project that switch hooks off, or that look as if they did."""


def run_of(packages, directory, agent):
    """What came of each case, and what the agent wrote."""
    found, stage = {}, Stage(directory, agent)
    return found, play(packages, stage, session(stage, found, cases_of(agent)))


@pytest.mark.parametrize(("agent", "case"), [(agent, case) for agent in PROGRAMS for case in cases_of(agent)])
def test_behind_the_hook(played, agent, case):
    outcomes, said = played(agent)
    assert case in outcomes, f"{agent} ended before: {said[-2000:]}"
    if outcomes[case] is not None:
        raise outcomes[case]


def heard_of(installed, stage, command):
    """What an agent tells its model of one command, in a run of its own."""
    heard = []

    def script():
        heard.extend((yield [Wanted(command)]))

    said = play(installed(PROGRAMS[stage.agent].packages), stage, script())
    assert heard, said[-2000:]
    return heard[0]


@pytest.mark.parametrize("stage", PROGRAMS, indirect=True)
def test_a_system_without_sh_blocks(installed, stage):
    install = stage.install

    def without():
        install()
        with open(stage.settings, encoding="utf-8") as file:
            text = file.read()
        with open(stage.settings, "w", encoding="utf-8") as file:
            file.write(text.replace("/bin/sh -c", "/nowhere/sh -c"))

    stage.install = without
    assert_blocked(stage, heard_of(installed, stage, f"touch {stage.canary} && echo ran"))


@pytest.mark.parametrize(
    ("stage", "file", "text"),
    [(agent, *file) for agent, files in SWITCHES.items() for file in files.values()],
    indirect=["stage"],
    ids=[f"{agent}-{name}" for agent, files in SWITCHES.items() for name in files],
)
def test_a_file_of_the_project_does_not_switch_the_hook_off_unseen(installed, stage, file, text):
    """Some agents obey it: then `hook doctor` says so."""
    (stage.project / file).parent.mkdir(parents=True)
    (stage.project / file).write_text(text)
    heard = heard_of(installed, stage, f"touch {stage.canary}; rm x")
    if "run_shell_command(rm) forbids" in heard:
        assert not stage.ran(), heard
        return
    said = stage.run("hook", "doctor", stage.agent)
    assert said.returncode == 1
    assert str(stage.project / file) in said.stdout
