"""How an agent has its hook in a box: from what is known of its hooks, beside what its administrator has."""

from __future__ import annotations

import json
import os
import re
import tomllib

import pytest

from asimi.core.errors import AsimiError
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import in_a_box, managed_agent
from asimi.doors.wrap.hooked import hook_of, tools_of
from asimi.world.box.profiles import names, profile_of

COMMAND = "/run/asimi/hook it's"

HOOKED = [name for name in names() if name != "antigravity"]


@pytest.mark.parametrize("name", HOOKED)
def test_the_hook_is_asked_about_commands_and_files(name, tmp_path):
    hook = hook_of(profile_of(name), COMMAND, {"HOME": str(tmp_path)}, str(tmp_path))
    tools = tools_of(profile_of(name), hook)
    agent = agent_of(name)
    assert {*agent.files, *filter(None, agent.tools)} <= {*tools}
    if hook.variable or name == "copilot-cli":  # the plug-in knows its tools; that agent asks about every one
        return
    if name == "cursor":
        assert set(json.loads(hook.text)["hooks"]) == {event.name for event in agent.events}
        return
    matchers = re.findall(r'"?matcher"?\s*[:=]\s*"([^"]*)"', hook.text)
    assert all(any(re.fullmatch(each, tool) for each in matchers) for tool in tools)
    assert json.dumps(COMMAND) in hook.text


def test_an_agent_without_a_hook_in_a_box_has_none(tmp_path):
    assert not hook_of(profile_of("antigravity"), COMMAND, {}, str(tmp_path)).text
    assert tools_of(profile_of("antigravity"), profile_of("antigravity").hook) == []


@pytest.mark.parametrize("name", ["claude-code", "gemini-cli", "qwen-code", "copilot-cli", "cursor"])
def test_what_the_administrator_has_stays(name):
    agent = managed_agent(agent_of(name))
    event = agent.events[0].name
    mine = {"permissions": {"deny": ["x"]}, "hooks": {event: [{"mine": True}]}, "disableAllHooks": True}
    there = json.loads(in_a_box(agent, COMMAND, f"// mine\n{json.dumps(mine)}"))
    assert there["permissions"] == {"deny": ["x"]}
    assert there["hooks"][event][0] == {"mine": True}
    assert len(there["hooks"][event]) == 2
    assert there.get("disableAllHooks") is not (name == "qwen-code")  # what switches its hook off, where that is known


@pytest.mark.parametrize("there", ["", 'allowed_approval_policies = ["on-request"]\n', "[features]\ndaemon = false\n"])
def test_what_the_administrator_has_stays_in_toml(there):
    found = tomllib.loads(in_a_box(managed_agent(agent_of("codex")), COMMAND, there))
    (hook,) = found["hooks"]["PreToolUse"]
    assert hook["hooks"][0]["command"] == COMMAND
    assert tomllib.loads(there).items() <= {**found, "features": found["features"]}.items()


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("codex", "[features]\nhooks = false\n"),
        ("codex", "nonsense"),
        ("codex", 'hooks = "no"\n'),
        ("qwen-code", "[]"),
        ("qwen-code", '{"hooks": 5}'),
        ("qwen-code", "{"),
    ],
)
def test_what_the_hook_cannot_be_beside_starts_no_box(name, there):
    with pytest.raises(AsimiError):
        in_a_box(managed_agent(agent_of(name)), COMMAND, there)


@pytest.mark.parametrize("name", ["gemini-cli", "copilot-cli"])
def test_where_no_file_is_roots_the_hook_is_in_the_persons_own(name, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    hook = hook_of(profile_of(name), COMMAND, {"HOME": str(tmp_path)}, str(tmp_path))
    assert hook.file.startswith(f"{tmp_path}/")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert hook_of(profile_of(name), COMMAND, {"HOME": str(tmp_path)}, str(tmp_path)).file.startswith("/etc/")
