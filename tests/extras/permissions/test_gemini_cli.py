import pytest
from helpers.permissions import Read, differences, groups

from asimi.core.call import Verdict
from asimi.extras.permissions.entries import Where
from asimi.extras.permissions.gemini_cli import AGENT

GROUPS = groups("gemini-cli", ".gemini/settings.json")


@pytest.mark.parametrize("group", GROUPS, ids=[str(number) for number in range(len(GROUPS))])
def test_imported_entries_decide_as_gemini_cli_does_or_more_strictly(group, tmp_path):
    assert differences("gemini-cli", group, tmp_path) == []


def test_the_table_has_enough_to_say():
    assert sum(len(group.get(verdict, ())) for group in GROUPS for verdict in ("allow", "ask", "deny")) >= 100


def test_the_model_reads_what_a_policy_tells_it(tmp_path):
    (group,) = [each for each in GROUPS if "denyMessage" in each["text"]]
    reasons = [rule.reason for each in Read("gemini-cli", group, tmp_path).permissions for rule in each.rules]
    assert any(reason.startswith("No. (") for reason in reasons)


def test_a_list_of_the_project_takes_the_place_of_a_persons_own(tmp_path):
    for directory, prefix in (("home", "make"), ("root", "rake")):
        file = tmp_path / directory / ".gemini/settings.json"
        file.parent.mkdir(parents=True)
        file.write_text(f'{{"tools": {{"core": ["run_shell_command({prefix})"]}}}}', encoding="utf-8")
    where = Where(str(tmp_path / "home"), str(tmp_path / "root"), {}, str(tmp_path))
    found = AGENT.read(AGENT.find(where), where)
    allows = {each.text: each.outcome for each in found if each.says is Verdict.ALLOW}
    assert allows == {"run_shell_command(make)": "skipped", "run_shell_command(rake)": "exact"}
