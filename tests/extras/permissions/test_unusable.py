"""Files that were made to do harm: an error, or an entry that is skipped; nothing is executed, nothing takes long."""

from __future__ import annotations

import json
import os

import pytest

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.errors import AsimiError
from asimi.extras.permissions.importing import found, import_, taken_from
from asimi.world.config.store import RuleStore

SETTINGS, RULES = ".claude/settings.json", ".codex/rules/a.rules"
ODD = {
    "half a character": ["Bash(rm \ud800 *)", "Read(\ud800)", "Bash(x\ud800)"],
    "NUL": ["Bash(rm \0 *)", "Read(a\0b)", "Bash(\0)"],
    "paths": [f"Read({path})" for path in ("..", "/..", "//", "/", "~", "~root/x", "a/../..", "{a,b}", "[")],
    "marks": [f"Bash({text})" for text in ('"', "`", "$(", "\\", "|", ";;;", "* | *", "a -- *", "-x *")],
    "no strings": [1, None, {}, [["Bash(rm)"]], True],
}  # fmt: skip
UNREAD = {
    "code": 'open("made", "w").write("x")\n',
    "code in an argument": 'prefix_rule(pattern = [open("made", "w").name])\n',
    "an import": "import os\nos.system('touch made')\n",
    "NUL in a word": 'prefix_rule(pattern = ["a\\0"])\n',
    "half a character in a word": 'prefix_rule(pattern = ["\\ud800"])\n',
    "no decision": 'prefix_rule(pattern = ["a"], decision = "deny")\n',
    "twice": 'prefix_rule(["a"], pattern = ["b"])\n',
    "deep": f"prefix_rule(pattern = {'[' * 90}'a'{']' * 90})\n",
}
BROKEN = {
    "deep operators": "-" * 500_000 + "1",
    "deep calls": "a" + "()" * 100_000,
    "deep brackets": "(" * 100_000,
    "NUL": 'prefix_rule(pattern = ["a"])\0',
    "half a call": "prefix_rule(",
    "too many": 'prefix_rule(["a"])\n' * 1_001,
}


@pytest.fixture
def read(tmp_path):
    """Writes a file of a project, and reads the permissions of its agent."""

    def reading(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        configuration = configuration_of(Options(root=str(tmp_path)))
        ((_, permissions, _),) = found(configuration, ["claude-code" if path == SETTINGS else "codex"])
        return configuration, permissions

    return reading


@pytest.mark.parametrize("entries", ODD.values(), ids=ODD)
@pytest.mark.parametrize("key", ["allow", "ask", "deny"])
def test_an_odd_entry_is_read_or_skipped_and_the_rest_can_be_kept(read, entries, key):
    configuration, permissions = read(SETTINGS, json.dumps({"permissions": {key: [*entries, "Bash(rm *)"]}}))
    assert len([each for each in permissions if each.says is not None]) >= len(entries) + 1
    RuleStore(configuration).take(taken_from("claude-code", permissions), project=True)
    assert any("rm" in rule.entry for rule in configuration.rules())


@pytest.mark.parametrize("text", UNREAD.values(), ids=UNREAD)
def test_a_rule_that_cannot_be_read_is_not_executed_and_takes_every_allow_along(read, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    more = 'prefix_rule(pattern = ["ls"])\nprefix_rule(pattern = ["rm"], decision = "forbidden")\n'
    _, permissions = read(RULES, text + more)
    assert [each.outcome for each in permissions[-2:]] == ["skipped", "exact"]
    assert "could forbid it, and asimi cannot read that line" in permissions[-2].why
    assert f"{tmp_path}/{RULES}:1" in permissions[-2].why
    assert not os.path.exists("made")


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_list_of_rules_is_an_error_that_names_it(read, text, tmp_path):
    with pytest.raises(AsimiError, match=f"^{tmp_path}/{RULES}:"):
        read(RULES, text)


@pytest.mark.parametrize(
    "make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/zero", path)], ids=["directory", "FIFO", "device"]
)
def test_what_is_no_file_is_an_error(tmp_path, make):
    (tmp_path / ".claude").mkdir()
    make(tmp_path / SETTINGS)
    with pytest.raises(AsimiError, match="is not a regular file"):
        import_(Options(root=str(tmp_path)), ["claude-code"], dry_run=True, as_json=False)


def test_a_project_cannot_call_its_own_file_the_persons(tmp_path, monkeypatch):
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/settings.json").write_text('{"permissions": {"allow": ["Bash(make *)"]}}')
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "conf"))
    ((_, permissions, _),) = found(configuration_of(Options(root=str(tmp_path))), ["claude-code"])
    assert {each.source.own for each in permissions} == {False}


def test_a_file_below_the_root_is_the_projects_also_where_that_is_the_whole_machine(tmp_path):
    (tmp_path / "settings.json").write_text('{"permissions": {"allow": ["Bash(make *)"]}}')
    (tmp_path / "config.toml").write_text("")
    configuration = configuration_of(Options(config=str(tmp_path / "config.toml"), root="/"))
    ((_, permissions, _),) = found(configuration, [str(tmp_path / "settings.json")])
    assert {each.source.own for each in permissions} == {False}
