"""Codex's rules mean here what they mean there, or less."""

import pytest
from helpers.permissions import commands, differences, groups

GROUPS = groups("codex", ".codex/rules/default.rules")


@pytest.mark.parametrize("group", GROUPS, ids=map(str, range(len(GROUPS))))
def test_imported_rules_decide_as_codex_does_or_more_strictly(group, tmp_path):
    assert differences("codex", group, tmp_path) == []


def test_the_table_has_enough_to_say():
    assert len([*commands(GROUPS)]) >= 100
