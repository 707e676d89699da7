"""The files that `config init --preset` writes."""

import pytest

from asimi.core.call import Verdict
from asimi.world.config.presets import PRESETS, Start, init


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_a_file_that_can_be_used(user, preset):
    path = init(user.configuration(), Start(preset))
    policy = user.settings().policy
    assert path == str(user.file)
    assert all(rule.verdict is Verdict.ALLOW and (rule.effects or rule.checks) for rule in policy.rules)
    assert any(rule.checks for rule in policy.rules) is (preset != "reader")
    assert policy.terms.unlisted is (Verdict.DENY if preset == "ci" else Verdict.ASK)
    text = user.file.read_text()
    assert PRESETS[preset] in " ".join(line.removeprefix("# ") for line in text.splitlines())
    assert max(len(line) for line in text.splitlines() if line.startswith("# ")) <= 78


def test_what_a_reader_may_do_is_to_read(user):
    init(user.configuration(), Start("reader"))
    assert [rule.effects for rule in user.settings().policy.rules] == [("read",)]
    rows = {row.name: row.value for row in user.configuration().show()}
    assert rows["files.write"] == "[]"


def test_a_developer_writes_in_the_project_and_where_nothing_is_kept(user, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    init(user.configuration(), Start("developer"))
    rows = {row.name: row.value for row in user.configuration().show()}
    written = [
        rule for rule in user.settings().policy.rules if "write" in rule.effects and not (rule.words or rule.hosts)
    ]
    assert [rule.excepted for rule in written] == [("git", "hg", "jj", "svn")]
    assert rows["files.write"] == f'["**", "/tmp/**", "{tmp_path}/**"]'


@pytest.mark.parametrize("preset", ["developer", "ci"])
def test_a_developers_checks_are_held_where_this_machine_can(user, preset):
    why = "it needs Linux 6.2 with Landlock 3; this kernel has no Landlock, or it is switched off"
    for unkept in ("", why):
        configuration = user.configuration(unkept=lambda _, unkept=unkept: unkept)
        init(configuration, Start(preset), force=True)
        held = preset == "developer" and not unkept
        assert [rule.sandbox for rule in configuration.rules() if rule.checks] == ["project" if held else "off"]
        told = " ".join(line.removeprefix("# ") for line in user.file.read_text().splitlines())
        assert (why in told) == (preset == "developer" and bool(unkept))


@pytest.mark.parametrize("preset", PRESETS)
def test_looking_at_services_is_a_rule_that_a_person_may_leave_out(user, preset):
    init(user.configuration(), Start(preset))
    queries = [rule for rule in user.settings().policy.rules if "network.query" in rule.effects]
    assert [rule.effects for rule in queries] == ([] if preset == "reader" else [("read", "network.query")])
    init(user.configuration(), Start(preset, queries=False), force=True)
    assert "network.query" not in user.file.read_text()


def test_only_a_developer_reaches_servers_of_this_machine(user):
    hosts = {}
    for preset in PRESETS:
        init(user.configuration(), Start(preset), force=True)
        hosts[preset] = [rule.hosts for rule in user.configuration().rules() if rule.hosts]
    assert hosts == {"reader": [], "developer": [("localhost", "127.0.0.1", "[::1]")], "ci": []}
