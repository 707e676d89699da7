import json

import pytest
from helpers.permissions import differences, groups

from asimi.core.call import Verdict
from asimi.extras.permissions.entries import InForce, Plain, Where
from asimi.extras.permissions.opencode import AGENT

GROUPS = groups("opencode", "opencode.json")


@pytest.mark.parametrize("group", GROUPS, ids=[str(number) for number in range(len(GROUPS))])
def test_imported_entries_decide_as_opencode_does_or_more_strictly(group, tmp_path):
    assert differences("opencode", group, tmp_path) == []


def test_the_table_has_enough_to_say():
    assert sum(len(group.get(verdict, ())) for group in GROUPS for verdict in ("allow", "ask", "deny")) >= 100


def test_what_a_project_says_of_a_pattern_keeps_the_place_that_a_persons_own_gave_it(tmp_path):
    for file, bash in (
        ("home/.config/opencode/opencode.json", {"make *": "deny", "*": "ask"}),
        ("root/opencode.json", {"make *": "allow"}),
    ):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text(json.dumps({"permission": {"bash": bash}}), encoding="utf-8")
    where = Where(str(tmp_path / "home"), str(tmp_path / "root"), {}, str(tmp_path))
    found = AGENT.read(AGENT.find(where), where)
    assert [each.text for each in found if each.says is Verdict.ALLOW and each.rules] == []


def test_what_is_refused_does_not_become_a_question_by_a_redirection_when_written():
    allow = Plain(Verdict.ALLOW, (("pwd",),))
    for rejects, guard in ((False, "*>*"), (True, "pwd *>*")):
        bash = json.loads(AGENT.write(InForce((allow,), rejects=rejects)).text)["permission"]["bash"]
        assert [each for each in bash if ">" in each] == [guard]
