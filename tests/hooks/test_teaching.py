"""Answers that teach: a question behind an agent's prompt ends with what would settle it, and asimi can ask first."""

from __future__ import annotations

import json
import shlex
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.hooks import envelope

CLAUDE = {"permission_mode": "default", "tool_use_id": "toolu_1"}
FIRST = '[session]\nquestions = "asimi"\n'
READS = '[[rules]]\ndecision = "allow"\neffects = ["read"]\n'

SETTLED = """
gh pr create --fill            asimi policy add 'gh pr create'
make x                         asimi policy add 'make x' --exact
acme status                    asimi policy add 'acme status'
docker compose up -d db        asimi policy add 'docker compose up -d db' --exact
mkdir a && acme x              asimi policy add mkdir 'acme x'
"""
"""Commands, and the line that the reason ends with."""

UNSETTLED = [
    "cat .env",  # a question each time
    "python3 $X",  # what only bash can know has no first words
    "sudo acme",  # a wrapper is never offered
    "echo $(acme)x >&$Y",
    f"acme{'x' * 200}",  # nobody reads it
    "rm -rf ~/x/.git",
]
"""Commands for which no line would settle it."""


def claude(home, command, **changes):
    return envelope("claude-code", command, home.root, **CLAUDE | changes)


def reason(home, command):
    answer = home.hook("claude-code", claude(home, command)).json["hookSpecificOutput"]
    return answer["permissionDecision"], answer["permissionDecisionReason"]


@pytest.mark.parametrize("row", SETTLED.strip().splitlines())
def test_the_reason_ends_with_the_one_line_that_would_settle_it(home, row):
    """The line is what it says: once a person has typed it, the same is asked no more."""
    command, _, line = row.partition("  ")
    home.config.write_text(READS)
    word, said = reason(home, command)
    assert word == "ask"
    assert said.endswith(f". To be asked no more: {line.strip()}")
    with home.at_terminal(*shlex.split(line)[1:]) as person:
        person.sees("[y/n]")
        person.enters("y")
        assert person.ended() == 0
    assert reason(home, command)[0] == "allow"


@pytest.mark.parametrize("command", UNSETTLED)
def test_where_nothing_settles_it_there_is_no_such_line(home, command):
    home.config.write_text(READS)
    (home.root / ".env").write_text("TOKEN=1\n")
    assert "policy add" not in reason(home, command)[1].partition("If nobody")[0]


def test_a_changed_check_names_what_confirms_it(home):
    home.config.write_text(READS + '[[rules]]\ndecision = "allow"\nchecks = true\n')
    makefile = home.root / "Makefile"
    makefile.write_text("test:\n\techo a\n")
    with home.at_terminal("trust") as person:
        person.sees("[y/n]")
        person.enters("y")
        assert person.ended() == 0
    assert reason(home, "make test")[0] == "allow"
    makefile.write_text("test:\n\techo b\n")
    assert reason(home, "make test")[1].endswith(". To be asked no more: asimi trust")


# ---- questions = "asimi" ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "word"), [("y", "allow"), ("n", "deny")])
def test_asimi_asks_first_while_somebody_watches(home, key, word):
    home.config.write_text(FIRST)
    with home.at_terminal("watch") as person:
        person.sees("Agents ask here first", "Waiting for questions")
        with ThreadPoolExecutor(1) as agent:
            said = agent.submit(home.hook, "claude-code", claude(home, "curl x"))
            assert "curl x" in person.asked()
            person.presses(key)
            answer = said.result().json["hookSpecificOutput"]
    assert answer["permissionDecision"] == word
    assert ("a person said yes" if key == "y" else "Refused by the person. That is final") in (
        answer["permissionDecisionReason"]
    )
    assert [line["event"] for line in home.log()] == ["start" if key == "y" else "refusal"]


def test_where_nobody_answers_the_agent_asks(home):
    home.config.write_text(FIRST + 'ask_timeout = "1s"\n')
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        assert reason(home, "curl x") == (
            "ask",
            "asimi: `curl x` is not on coreTools. To be asked no more: asimi policy add 'curl x' --exact",
        )
    assert [line["event"] for line in home.log()] == ["passed"]


@pytest.mark.parametrize("config", [FIRST, "[session]\n", '[session]\nquestions = "agent"\n'])
def test_where_nobody_answers_and_the_agent_cannot_ask_the_call_is_refused_with_the_id(home, config):
    home.config.write_text(config + 'ask_timeout = "1s"\n')
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        said = home.hook("claude-code", claude(home, "curl x", permission_mode="bypassPermissions"))
    answer = said.json["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    assert "asimi approve " in answer["permissionDecisionReason"]


def test_where_nobody_answers_and_nothing_tells_if_the_agent_can_ask_it_is_told_to_and_hears_the_id(home):
    home.config.write_text('[session]\nask_timeout = "1s"\n')
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        answer = home.hook("copilot-cli", envelope("copilot-cli", "curl x", home.root)).json
    assert answer["permissionDecision"] == "ask"
    assert "If nobody can be asked here: A person can allow it with `" in answer["permissionDecisionReason"]


@pytest.mark.parametrize("config", [FIRST, FIRST + "wait = true\n", "", '[session]\nquestions = "auto"\n'])
def test_without_a_watch_the_agent_asks_at_once(home, config):
    """Only an open `asimi watch` takes a question away from the agent."""
    home.config.write_text(config)
    assert reason(home, "curl x")[0] == "ask"


def test_without_that_key_a_watch_takes_no_question_away(home):
    home.config.write_text("")
    with home.at_terminal("watch") as person:
        person.sees("Agents that surely ask at their own prompt do so", "Waiting for questions")
        assert reason(home, "curl x")[0] == "ask"


def test_no_project_says_who_is_asked(home):
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text(FIRST)
    assert "session.questions is never read from a project" in home.asimi("config", "check").stdout


def test_a_question_ends_ten_seconds_before_the_agents_own_limit():
    from asimi.doors.hooks import AGENTS, driver
    from asimi.doors.hooks.agent import agent_of

    assert 2 * driver.MARGIN == 10
    for name in AGENTS:
        assert agent_of(name).seconds > 3 * driver.MARGIN


@pytest.mark.parametrize(("agent", "words"), [("codex", "cannot ask you"), ("claude-code", "its own prompt")])
def test_the_installation_names_the_watch(home, agent, words):
    said = home.asimi("--yes", "hook", "install", agent).stdout
    assert words in " ".join(said.split())
    assert "asimi watch" in " ".join(said.split())


# ---- what was passed and ran -----------------------------------------------------------------------------------------


def passed(home, command, event="PostToolUse", agent="claude-code", **changes):
    """Leave a question to the agent's own prompt, and tell how it ended."""
    changes = (CLAUDE if agent == "claude-code" else {}) | changes
    before = len(home.log())
    home.hook(agent, envelope(agent, command, home.root, **changes))
    if event:
        home.hook(agent, envelope(agent, command, home.root, hook_event_name=event, tool_response={}, **changes))
    return home.log()[before:]


def proposals(home, *words):
    done = home.asimi("policy", "suggest", "--json", *words)
    assert done.returncode == 0, done.stderr
    rows = map(json.loads, done.stdout.splitlines())
    return [row["add"] for row in rows if row["kind"] == "proposal"]


def test_what_was_passed_and_ran_is_proposed_when_asked_for(home):
    home.config.write_text("")
    for number in range(3):
        passed(home, "git status -s", tool_use_id=f"a{number}")
        passed(home, "git push", tool_use_id=f"b{number}")  # what publishes is never proposed
        passed(home, "python3 x.py", tool_use_id=f"c{number}")
    assert proposals(home) == []
    assert "--passed proposes rules from those that ran" in " ".join(home.asimi("policy", "suggest").stdout.split())
    assert proposals(home, "--passed") == ["asimi policy add git --effects read --project"]
    assert "not known to be your yes" in home.asimi("policy", "suggest", "--passed").stdout


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        ("", {}),  # it may never have run
        ("PermissionDenied", {}),
        ("PostToolUse", {"permission_mode": "bypassPermissions"}),
        ("PostToolUse", {"permission_mode": "dontAsk"}),
        ("PostToolUse", {"agent_id": "a"}),  # a subagent, which nobody sees
    ],
)
def test_nothing_is_proposed_from_what_did_not_run_or_nobody_was_asked(home, event, changes):
    home.config.write_text("")
    for number in range(4):
        passed(home, "git status -s", event, tool_use_id=f"a{number}", **changes)
    assert proposals(home, "--passed") == []


def test_what_was_denied_at_the_prompt_is_not_proposed(home):
    home.config.write_text("")
    for number in range(4):
        passed(home, "git status -s", tool_use_id=f"a{number}")
    assert proposals(home, "--passed") != []
    passed(home, "git status -s", "PermissionDenied", tool_use_id="no")
    assert proposals(home, "--passed") == []


@pytest.mark.parametrize("agent", ["copilot-cli", "antigravity"])
def test_an_agent_that_does_not_say_that_it_asks_gives_no_proposal(home, agent):
    from asimi.doors.hooks.agent import agent_of, says_it_asks

    assert not says_it_asks(agent_of(agent))
