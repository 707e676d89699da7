"""What was imported from other agents: kept by agent, beside the configuration or for one project."""

from __future__ import annotations

import stat

import pytest

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError, ConfigError
from asimi.core.judging.rules import Rule
from asimi.world.config.rule_files import ImportedRules, is_same
from asimi.world.config.store import RuleStore

RM = Rule(Verdict.DENY, "run_shell_command", (("rm",),), "run_shell_command(rm)", reason="it was said")
LS = Rule(Verdict.ALLOW, "run_shell_command", (("ls",), ("-l", "-a")), "", exact=True)
ALL = ImportedRules("codex", (RM, LS), ("key",), ("~/notes/**",), rejects=True)


def imported(user):
    return user.file.with_name("config.imported.toml")


def test_what_is_taken_is_in_force_at_once_with_its_place(user):
    configuration = user.configuration()
    assert configuration.settings().policy.rules == ()
    assert RuleStore(configuration).take(ALL, project=False) == str(imported(user))
    assert stat.S_IMODE(imported(user).stat().st_mode) == 0o600
    lines = imported(user).read_text().splitlines()
    starts = [number for number, line in enumerate(lines, 1) if line == "[[agents.codex.rules]]"]
    assert [rule.source for rule in configuration.rules()] == [f"{imported(user)}:{number}" for number in starts]
    assert [rule.verdict for rule in configuration.rules()] == [Verdict.DENY, Verdict.ALLOW]
    assert configuration.settings().policy.rest == "deny"
    rows = {row.name: row.origin for row in configuration.show()}
    for name, line in (("unlisted", 'unlisted = "reject"'), ("files.deny", "deny = [")):
        assert rows[name] == f"{imported(user)}:{lines.index(line) + 1}"
    again = RuleStore(configuration).imported_from("codex", project=False)
    assert is_same(again, ALL)


def test_agents_are_kept_apart_and_nothing_takes_back_what_was(user):
    configuration = user.configuration()
    RuleStore(configuration).take(ALL, project=False)
    RuleStore(configuration).take(ImportedRules("claude-code", (RM,)), project=False)
    RuleStore(configuration).take(ImportedRules("codex"), project=False)
    assert [rule.entry for rule in configuration.rules()] == ["run_shell_command(rm)"]
    assert configuration.settings().policy.rest == "ask"


def test_a_projects_holds_there_alone(user):
    RuleStore(user.configuration()).take(ALL, project=True)
    assert not imported(user).exists()
    assert len(user.configuration().rules()) == 2
    other = user.home / "work" / "other"
    other.mkdir()
    assert user.configuration(root=other).rules() == ()


def test_one_rule_is_removed_and_the_rest_stays(user):
    configuration = user.configuration()
    RuleStore(configuration).take(ALL, project=True)
    assert RuleStore(configuration).remove("rm", project=True)
    (left,) = configuration.rules()
    RuleStore(configuration).remove_rule(left)
    assert configuration.rules() == ()
    assert configuration.settings().policy.rest == "deny"


def test_a_persons_own_file_can_only_be_tightened(user):
    user.write('unlisted = "reject"\nexcludeTools = ["run_shell_command(ls)"]\n')
    configuration = user.configuration()
    RuleStore(configuration).take(ImportedRules("codex", (LS,)), project=False)
    assert configuration.settings().policy.rest == "deny"
    assert {rule.verdict for rule in configuration.rules()} == {Verdict.DENY, Verdict.ALLOW}


BROKEN = {
    "newer": ("version = 2\n", "version 2"),
    "none": ("[agents.codex]\n", "version"),
    "unknown": ('version = 1\n[agents.codex]\nunlistd = "reject"\n', "unlisted"),
    "no table": ('version = 1\nagents = "x"\n', "a table for each agent"),
    "more": ("version = 1\n[limits]\n", "a table for each agent"),
    "a rule": ('version = 1\n[[agents.codex.rules]]\ndecision = "allow"\nargs_any = ["x"]\n', "args_any"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_refuses_and_names_itself(user, text, message):
    user.write(text, imported(user))
    with pytest.raises(ConfigError, match=message) as refused:
        user.settings()
    assert refused.value.path == str(imported(user))
    with pytest.raises(AsimiError):
        RuleStore(user.configuration()).take(ALL, project=False)
    assert imported(user).read_text() == text
