"""A question that an agent cannot ask is answered on a terminal elsewhere: beforehand, or while the agent waits."""

from __future__ import annotations

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.guarded import EACH_TIME, GUARDED, says_yes
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


def test_after_a_yes_the_agent_reads_no_reason_for_a_question(home):
    raw = json.dumps(envelope("claude-code", "curl x", home.root, permission_mode="bypassPermissions")).encode()
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        with ThreadPoolExecutor(1) as agent:
            said = agent.submit(home.hook, "claude-code", raw)
            person.asked()
            person.presses("y")
            answer = said.result().json["hookSpecificOutput"]
    assert (answer["permissionDecision"], answer["permissionDecisionReason"]) == ("allow", "asimi: a person said yes")


# ---- what takes more than any yes ------------------------------------------------------------------------------------


ASKING = {
    "claude-code": {"permission_mode": "default"},
    "copilot-cli": {},
}
"""Agents that obey `ask`, and what they send where they do."""


def word_of(said):
    """What an agent's hook decided."""
    answer = said.json
    return answer.get("hookSpecificOutput", answer)["permissionDecision"]


@pytest.fixture
def guarded(home):
    """A home with a secret, a repository, and a rule that wants a person at a terminal."""
    home.config.write_text(GUARDED)
    (home.root / ".env").write_text("TOKEN=1\n")
    (home.root / ".git").mkdir()
    return home


@pytest.mark.parametrize("agent", ASKING)
@pytest.mark.parametrize("command", EACH_TIME.values(), ids=EACH_TIME)
def test_an_agents_own_prompt_answers_what_takes_no_terminal(guarded, agent, command):
    said, name = asked(guarded, agent, command, **ASKING[agent])
    passed = command in {EACH_TIME["secret"], EACH_TIME["outside"]}
    assert word_of(said) == ("ask" if passed else "deny")
    assert passed or name is not None


@pytest.mark.parametrize("agent", ["claude-code", "codex", "copilot-cli"])
def test_what_takes_a_terminal_is_denied_and_passes_once_when_it_was_approved_there(guarded, agent):
    command, changes = EACH_TIME["floor"], ASKING.get(agent, {})
    said, name = asked(guarded, agent, command, **changes)
    assert word_of(said) == "deny"
    assert "this removes" in said.out
    with guarded.at_terminal("approve", name) as person:
        person.sees("A yes holds this once")
        person.asked()
        says_yes(person, command)
        assert person.ended() == 0
    again = [asked(guarded, agent, command, **changes)[0] for _ in range(2)]
    assert [each.out == "" or word_of(each) == "allow" for each in again] == [True, False]


# ---- the project of a session ----------------------------------------------------------------------------------------

MOVES = {
    "claude-code": lambda place: {"cwd": place},
    "copilot-cli": lambda place: {"cwd": place},
    "qwen-code": lambda place: {"cwd": place},
    "cursor": lambda place: {"cwd": place, "workspace_roots": [place]},
}
"""What an agent sends that has gone to a directory."""


@pytest.mark.parametrize("agent", MOVES)
def test_an_agent_that_goes_elsewhere_takes_its_project_not_along(home, agent):
    def asked_in(place, **more):
        return home.hook(agent, envelope(agent, "git status", home.root, **MOVES[agent](str(place)), **more)).out

    assert "outside the project root" not in asked_in(home.root)
    assert "outside the project root" in asked_in(home.home)
    assert "outside the project root" not in asked_in(home.root / "sub")
    session = "sessionId" if agent == "copilot-cli" else "conversation_id" if agent == "cursor" else "session_id"
    assert "outside the project root" not in asked_in(home.home, **{session: "another"})


def test_an_agent_started_in_another_directory_keeps_its_sessions_project(home):
    """Codex starts its hooks in the session's directory, and says no other."""
    raw = json.dumps(envelope("codex", "git status", home.root)).encode()
    assert home.hook("codex", raw) == ("", "", 0)
    home.root, first = home.home, home.root
    assert home.hook("codex", json.dumps(envelope("codex", "git status", first)).encode()) == ("", "", 0)
    assert "outside the project root" in home.hook("codex", envelope("codex", "git status", home.home)).out


def test_a_root_that_a_person_chose_is_not_kept(home):
    sent = envelope("gemini-cli", "git status", home.root)
    assert "outside the project root" in home.hook("gemini-cli", sent, ASIMI_ROOT=str(home.home)).json["reason"]
    assert home.hook("gemini-cli", sent).json["decision"] == "allow"


def test_what_was_approved_in_a_session_is_forgotten_and_its_project_is_not(home):
    sent = envelope("gemini-cli", "git status", home.root)
    assert home.hook("gemini-cli", sent).json["decision"] == "allow"
    assert home.asimi("session", "forget", "--all").returncode == 0
    moved = home.hook("gemini-cli", envelope("gemini-cli", "git status", home.home))
    assert "outside the project root" in moved.out


def test_a_directory_that_is_gone_is_not_kept_as_a_project(home):
    gone = envelope("gemini-cli", "git status", home.root / "gone")
    assert "cannot be entered" in home.hook("gemini-cli", gone).out
    assert home.hook("gemini-cli", envelope("gemini-cli", "git status", home.root)).json["decision"] == "allow"
