import json

import pytest
from helpers.permissions import differences, groups

from asimi.core.call import Verdict
from asimi.extras.permissions.entries import Where
from asimi.extras.permissions.vscode import AGENT

GROUPS = groups("vscode", ".vscode/settings.json")


@pytest.mark.parametrize("group", GROUPS, ids=[str(number) for number in range(len(GROUPS))])
def test_imported_entries_decide_as_vscode_does_or_more_strictly(group, tmp_path):
    assert differences("vscode", group, tmp_path) == []


def test_the_table_has_enough_to_say():
    assert sum(len(group.get(verdict, ())) for group in GROUPS for verdict in ("allow", "ask", "deny")) >= 100


def test_null_in_a_project_takes_back_what_a_person_allowed(tmp_path):
    for file, value in (("home/.config/Code/User/settings.json", True), ("root/.vscode/settings.json", None)):
        (tmp_path / file).parent.mkdir(parents=True)
        text = json.dumps({"chat.tools.terminal.autoApprove": {"make": value}})
        (tmp_path / file).write_text(text, encoding="utf-8")
    where = Where(str(tmp_path / "home"), str(tmp_path / "root"), {}, str(tmp_path))
    found = {each.source.own: each for each in AGENT.read(AGENT.find(where), where)}
    assert [rule.verdict for rule in found[False].rules] == [Verdict.ASK]
