import pytest
from helpers.permissions import differences, groups

GROUPS = groups("cursor", ".cursor/cli.json")


@pytest.mark.parametrize("group", GROUPS, ids=[str(number) for number in range(len(GROUPS))])
def test_imported_entries_decide_as_cursor_does_or_more_strictly(group, tmp_path):
    assert differences("cursor", group, tmp_path) == []


def test_the_table_has_enough_to_say():
    assert sum(len(group.get(verdict, ())) for group in GROUPS for verdict in ("allow", "ask", "deny")) >= 100
