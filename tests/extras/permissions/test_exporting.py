"""What is exported allows no more there than here: read back, it decides as asimi does, or more strictly."""

from __future__ import annotations

import json

import pytest

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL, Rule, entry_for, rule_of
from asimi.extras.permissions import NAMES, agent_of
from asimi.extras.permissions.entries import Source, Where
from asimi.extras.permissions.exporting import in_force
from asimi.extras.permissions.importing import taken_from

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


def rule(verdict, *words, **more):
    made = Rule(verdict, SHELL, tuple((each,) if isinstance(each, str) else each for each in words), "", **more)
    return made._replace(entry=entry_for(made))


RULES = (
    rule(ALLOW, "npm", "run", "build", exact=True),
    rule(ALLOW, "cat"),
    rule(ALLOW, "find"),
    rule(ALLOW, "gh", "pr", ("view", "list")),
    rule(ALLOW, "echo", "a*b"),
    rule(ALLOW, "sleep", directory="/srv"),
    rule(ALLOW, "date", effects=("read",)),
    rule(ALLOW, "make", sandbox="project"),
    Rule(ALLOW, SHELL, None, "", line="make all"),
    Rule(ALLOW, SHELL, None, "", line="make all && make it"),
    Rule(ALLOW, None, (), "checks", checks=True),
    rule(ASK, "git", "push"),
    rule(ASK, effects=("publish",)),
    rule(DENY, "rm", options_any=("-rf",)),
    rule(DENY, "git", "push", ("--force", "-f")),
    rule(DENY, "tee", args_any=("/etc/*",)),
    rule(DENY, "curl", exact=True, reason='no "network"\n'),
    rule(DENY, "kill", "-9"),
)
COMMANDS = """\
npm run build;npm run build x;cat a;cat .env;find .;find . -delete;gh pr view 7;gh pr merge 7
echo a*b;echo axb;echo 'a*b';sleep 9;date;make;make all;make it;git push;git push x
git pull;npm publish;rm -rf x;rm -fr x;rm x;git push -f
tee /etc/x;tee x;curl;curl x;kill -9 1;kill 1""".replace("\n", ";").split(";")
UNSEEN = {"rm -fr x", "tee /etc/x", "npm publish"}  # what a note says that the agent misses, or only asks about
HERE = Place("/project", "/project", inside=True)


def decided(policy, command):
    return policy.decide(Request(SHELL, command, None, HERE)).verdict


def read_back(name, written, tmp_path):
    """The policy of what an agent's reader makes of what was written."""
    agent = agent_of(name)
    where = Where(str(tmp_path), "/project", {}, str(tmp_path))
    permissions = agent.read([Source(str(tmp_path / "file"), True, written.text)], where)
    imported = taken_from(name, permissions)
    return configuration_of(Options(root="/project")).alone(imported)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_back_is_no_laxer(name, tmp_path):
    policy = configuration_of(Options(root="/project")).alone(taken_from("", [])).with_rules(RULES)
    told, _ = in_force(RULES, secret=("**/.env",))
    theirs = read_back(name, agent_of(name).write(told), tmp_path)
    most = ASK if name == "vscode" else DENY  # which has no word for what is denied, and a note says so
    laxer = [each for each in COMMANDS if decided(theirs, each) < min(decided(policy, each), most)]
    assert set(laxer) <= UNSEEN
    assert "npm run build" not in laxer


@pytest.mark.parametrize("name", NAMES)
def test_an_allow_that_can_do_more_there_is_left_out_and_named(name):
    told, notes = in_force(RULES)
    assert [each for each in told.rules if each.words[:1] == (("find",),)] == []
    assert any("allow run_shell_command(find): asimi would ask about `find " in note for note in notes)
    left = [note for note in notes if note.startswith("left out: allow")]
    assert len(left) == 6
    text = agent_of(name).write(told).text
    assert "view" in text
    assert "sleep" not in text


def test_claude_code_gets_lists_that_it_knows():
    told, _ = in_force(
        [rule_of("run_shell_command(ls)", ALLOW), rule_of("run_shell_command(rm)", DENY)],
        ("~/x/**",),
        ("/**/.env",),
        rejects=True,
    )
    written = agent_of("claude-code").write(told)
    assert json.loads(written.text)["permissions"] == {
        "allow": ["Bash(ls *)"],
        "ask": ["Read(//**/.env)"],
        "deny": ["Bash(rm *)", "Read(~/x/**)", "Edit(~/x/**)"],
        "defaultMode": "dontAsk",
    }


def test_codex_gets_rules_that_it_reads():
    told, _ = in_force(RULES)
    text = agent_of("codex").write(told).text
    assert 'prefix_rule(pattern = ["gh", "pr", ["view", "list"]], decision = "allow")\n' in text
    assert 'decision = "forbidden", justification = "no \\"network\\"\\n")\n' in text
    assert "npm" not in text  # only first words can be allowed there


def test_a_policy_without_rules_is_written_too():
    assert decided(Policy(()), "ls") is ASK
    assert [agent_of(name).write(in_force(())[0]).text for name in ("claude-code", "codex")] == [
        '{\n  "permissions": {}\n}\n',
        "",
    ]
