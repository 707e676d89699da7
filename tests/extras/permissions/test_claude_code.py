"""Claude Code's permissions mean here what they mean there, or less."""

import pytest
from helpers.permissions import commands, differences, groups

GROUPS = groups("claude-code", ".claude/settings.json")


@pytest.mark.parametrize("group", GROUPS, ids=map(str, range(len(GROUPS))))
def test_imported_entries_decide_as_claude_code_does_or_more_strictly(group, tmp_path):
    assert differences("claude-code", group, tmp_path) == []


def test_the_table_has_enough_to_say():
    assert len([*commands(GROUPS)]) >= 100
