"""A question that an agent cannot ask is answered on a terminal elsewhere: beforehand, or while the agent waits."""

from __future__ import annotations

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.hooks import envelope

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")


def asked(home, agent="codex", command="curl example.org", **changes):
    """The answer to a call that must be asked about, and the name of its question."""
    said = home.hook(agent, envelope(agent, command, home.root, **changes))
    found = re.search(r"asimi approve ([a-z2-7]{8})", said.out)
    return said, None if found is None else found[1]


def approve(home, name, key="y"):
    with home.at_terminal("approve", name) as person:
        assert "curl" in person.asked()
        person.presses(key)
        person.ended()


def test_what_is_approved_is_allowed_when_the_same_call_is_made_again(home):
    _, name = asked(home)
    approve(home, name)
    assert asked(home) == (("", "", 0), None)


def test_an_agent_that_may_have_nobody_to_ask_is_told_how_a_person_can_allow_it(home):
    """Nothing tells `copilot -p` from a session with a person."""
    said, name = asked(home, "copilot-cli")
    assert said.json["permissionDecision"] == "ask"
    assert asked(home, "copilot-cli")[1] == name
    approve(home, name)
    assert asked(home, "copilot-cli")[0].json["permissionDecision"] == "allow"
    assert [line["event"] for line in home.log() if line["event"] != "change"] == ["passed", "passed", "start"]


def test_an_agent_is_told_of_no_question_where_nobody_may_be_asked(home):
    sent = envelope("copilot-cli", "curl example.org", home.root)
    said = home.hook("copilot-cli", sent, ASIMI_NON_INTERACTIVE="1")
    assert said.json["permissionDecision"] == "ask"
    assert "asimi approve" not in said.out


@pytest.mark.parametrize(
    "other", [{"command": "curl example.com"}, {"session_id": "another"}, {"agent": "claude-code"}, {"cwd": "/"}]
)
def test_an_approval_holds_for_no_other_call_session_agent_or_project(home, other):
    _, name = asked(home)
    approve(home, name)
    assert asked(home, **other)[1] is not None


def test_the_same_call_made_again_asks_no_second_question(home):
    names = {asked(home)[1] for _ in range(3)}
    assert len(names) == 1
    assert asked(home, command="curl example.com")[1] not in names
    assert asked(home, session_id="another")[1] not in names


def test_what_is_declined_stays_refused(home):
    _, name = asked(home)
    approve(home, name, "n")
    assert asked(home)[1] is not None


def test_a_deny_beats_what_was_approved(home):
    _, name = asked(home)
    approve(home, name)
    home.config.write_text('excludeTools = ["run_shell_command(curl)"]\n')
    said, name = asked(home)
    assert name is None
    assert "forbids" in said.out


@pytest.mark.parametrize(("key", "decision"), [("y", "allow"), ("n", "deny")])
def test_while_somebody_watches_the_agent_waits_for_the_answer(home, key, decision):
    raw = json.dumps(envelope("gemini-cli", "curl example.org", home.root)).encode()
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        with ThreadPoolExecutor(1) as agent:
            said = agent.submit(home.hook, "gemini-cli", raw)
            assert "curl example.org" in person.asked()
            person.presses(key)
            assert said.result().json["decision"] == decision
