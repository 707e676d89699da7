import json

import pytest
from helpers.permissions import differences, groups

from asimi.extras.permissions.copilot_cli import AGENT
from asimi.extras.permissions.entries import Where

GROUPS = groups("copilot-cli", ".copilot/permissions-config.json")


@pytest.mark.parametrize("group", GROUPS, ids=[str(number) for number in range(len(GROUPS))])
def test_imported_entries_decide_as_copilot_cli_does_or_more_strictly(group, tmp_path):
    assert differences("copilot-cli", group, tmp_path) == []


def test_the_table_has_enough_to_say():
    assert sum(len(group.get(verdict, ())) for group in GROUPS for verdict in ("allow", "ask", "deny")) >= 100


def test_a_link_takes_no_approval_of_its_place_elsewhere(tmp_path):
    file = tmp_path / "home/.copilot/permissions-config.json"
    file.parent.mkdir(parents=True)
    (tmp_path / "root").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "root/sub").symlink_to("../elsewhere")
    approvals = [{"kind": "commands", "commandIdentifiers": ["make:*"]}]
    file.write_text(json.dumps({"locations": {str(tmp_path / "root/sub"): {"tool_approvals": approvals}}}))
    where = Where(str(tmp_path / "home"), str(tmp_path / "root"), {}, str(tmp_path))
    assert [(each.outcome, each.rules) for each in AGENT.read(AGENT.find(where), where)] == [("skipped", ())]
