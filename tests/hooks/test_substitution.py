"""Substitutions are judged behind an agent's hook and refused by asimi's own tools, unless the person says no."""

from __future__ import annotations

import json

import pytest
from helpers.hooks import POLICY, envelope

# what is configured, the command, what the hook says, what asimi's own tools say
SETTINGS = [
    ("", "echo $(git status)", "start", "deny"),
    ('substitution = "auto"', "echo $(git status)", "start", "deny"),
    ('substitution = "judge"', "echo $(git status)", "start", "allow"),
    ('substitution = "refuse"', "echo $(git status)", "refusal", "deny"),
    ("", 'git status "$(git status)"', "passed", "deny"),
    ('substitution = "judge"', 'git status "$(git status)"', "passed", "ask"),
    ("", 'echo "$(rm x)"', "refusal", "deny"),
]


@pytest.mark.parametrize(("said", "command", "event", "own"), SETTINGS)
def test_what_a_substitution_is_behind_a_hook_and_before_asimis_own_tools(home, said, command, event, own):
    policy = POLICY.replace("git status)", 'git status)", "run_shell_command(echo)')
    home.config.write_text(f"{policy}[shell]\n{said}\n")
    home.hook("claude-code", envelope("claude-code", command, home.root, permission_mode="default", tool_use_id="t"))
    assert home.log()[-1]["event"] == event
    answer = home.asimi("check", "--json", command)
    assert json.loads(answer.stdout)["verdict"] == own
