"""What is left to an agent's own prompt is written down as that, and what becomes of it as the agent tells."""

from __future__ import annotations

import pytest
from helpers.hooks import envelope

CLAUDE = {"permission_mode": "default", "tool_use_id": "toolu_1"}


def asked(home, command="curl example.org", agent="claude-code", **changes):
    """Ask about a command in a state in which the agent is known to ask its person."""
    changes = (CLAUDE if agent == "claude-code" else {}) | changes
    return home.hook(agent, envelope(agent, command, home.root, **changes))


def tell(home, event="PostToolUse", command="curl example.org", **changes):
    """Tell how a command ended, as Claude Code does."""
    changes = CLAUDE | {"hook_event_name": event, "tool_response": {"stdout": ""}} | changes
    assert home.hook("claude-code", envelope("claude-code", command, home.root, **changes)) == ("", "", 0)


def shown(home, *words):
    """What `asimi log` says of the last call."""
    return home.asimi("log", *words).stdout.splitlines()[-1].split("  ", 1)[1]


@pytest.mark.parametrize("agent", ["claude-code", "copilot-cli", "antigravity"])
def test_a_question_that_is_left_to_the_agent_is_no_yes(home, agent):
    asked(home, agent=agent)
    (line,) = home.log()
    assert (line["event"], line["verdict"], line["command"]) == ("passed", "ask", "curl example.org")
    assert "approval" not in line
    assert shown(home) == "passed        curl example.org"
    assert "left to the agent's own prompt" in home.asimi("log", "--why").stdout
    assert "yes by" not in home.asimi("log", "--why").stdout
    assert home.asimi("log", "verify").returncode == 0


def test_a_question_that_cannot_be_written_down_is_not_left_to_the_agent(home):
    home.state.parent.mkdir()
    home.state.write_text("in the way")
    assert asked(home).json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_what_only_a_person_at_a_terminal_may_allow_is_not_left_to_the_agent(home):
    home.config.write_text('[[rules]]\ndecision = "ask"\ncommand = "curl"\nterminal = true\n')
    said = asked(home)
    assert said.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "needs a person's approval" in said.out


@pytest.mark.parametrize(
    ("event", "became", "more"),
    [
        ("PostToolUse", "ran", {"duration_ms": 1500}),
        ("PostToolUseFailure", "failed", {"error": "Exit code 6"}),
        ("PermissionDenied", "not run", {"reason": "no"}),
    ],
)
@pytest.mark.parametrize("command", ["curl example.org", "git status"])
def test_the_end_is_what_the_agent_tells(home, event, became, more, command):
    asked(home, command)
    tell(home, event, command, **more)
    begin, end = home.log()
    assert (end["event"], end["id"], end["outcome"]) == ("end", begin["id"], became)
    assert end["seconds"] == (1.5 if "duration_ms" in more else None)
    assert end.get("error") == more.get("error")
    assert shown(home).split("  ")[0] == became
    assert home.asimi("log", "verify").returncode == 0


def test_a_command_that_another_hook_has_put_in_the_place_of_the_judged_one_is_written_down(home):
    asked(home, "git status")
    tell(home, command="touch EVIL")
    assert home.log()[1]["command"] == "touch EVIL"
    assert "the agent says it ran another command: touch EVIL" in home.asimi("log", "--why").stdout


def copilot_tells(home, command):
    """Tell how a command ended, as Copilot CLI does, which has no ids of calls."""
    result = {"resultType": "success", "textResultForLlm": ""}
    said = home.hook("copilot-cli", envelope("copilot-cli", command, home.root, toolResult=result))
    assert said == ("", "", 0)


def test_a_replaced_command_of_an_agent_without_ids_is_the_end_of_the_only_call_that_is_open(home):
    asked(home, "git status", "copilot-cli")
    copilot_tells(home, "touch EVIL")
    begin, end = home.log()
    assert (end["id"], end["outcome"], end["command"]) == (begin["id"], "ran", "touch EVIL")
    assert "the agent says it ran another command: touch EVIL" in home.asimi("log", "--why").stdout


def test_where_more_calls_are_open_it_is_the_end_of_none(home):
    for command in ("git status", "touch a"):
        asked(home, command, "copilot-cli")
    copilot_tells(home, "touch EVIL")
    assert [line["event"] for line in home.log()] == ["start", "start"]


@pytest.mark.parametrize("other", [{"tool_use_id": "toolu_2"}, {"session_id": "another"}])
def test_an_end_belongs_to_its_own_call_and_session(home, other):
    asked(home)
    tell(home, **other)
    assert len(home.log()) == 1


def test_an_end_is_told_once(home):
    asked(home)
    tell(home)
    tell(home)
    assert [line["event"] for line in home.log()] == ["passed", "end"]


def test_calls_side_by_side_get_their_own_ends(home):
    for name in ("a", "b"):
        asked(home, tool_use_id=name)
    tell(home, tool_use_id="a")
    tell(home, "PostToolUseFailure", tool_use_id="b")
    first, second, *ends = home.log()
    assert [(end["id"], end["outcome"]) for end in ends] == [(first["id"], "ran"), (second["id"], "failed")]


def test_an_agent_without_ids_of_calls_is_understood_by_the_command(home):
    for command in ("curl a", "git status"):
        asked(home, command, "copilot-cli")
    for command in ("git status", "curl a", "curl b"):
        result = {"resultType": "success", "textResultForLlm": ""}
        said = home.hook("copilot-cli", envelope("copilot-cli", command, home.root, toolResult=result))
        assert said == ("", "", 0)
    first, second, *ends = home.log()
    assert [end["id"] for end in ends] == [second["id"], first["id"]]


def test_secrets_are_taken_out_of_what_the_agent_tells(home):
    asked(home)
    tell(home, "PostToolUseFailure", error="curl -u me:hunter2pass https://me:hunter2pass@example.org")
    assert "hunter2pass" not in str(home.log()[1])


def test_an_end_that_cannot_be_written_down_blocks_nothing(home):
    home.config.write_text("coreTools = 5\n")
    sent = envelope("claude-code", "curl x", home.root, **CLAUDE, hook_event_name="PostToolUse", cwd="/nowhere/at/all")
    said = home.hook("claude-code", sent, CLAUDE_PROJECT_DIR="/nowhere/at/all")
    assert (said.out, said.code) == ("", 1)
    assert "could not write down" in said.err


@pytest.mark.parametrize("agent", ["claude-code", "gemini-cli", "cursor"])
def test_a_command_that_was_handed_to_the_agent_is_allowed_and_not_running(home, agent):
    home.config.write_text('coreTools = ["run_shell_command(git)"]\n')
    asked(home, "git status", agent=agent)
    assert home.log()[0]["runs"] == "agent"
    assert shown(home) == "allowed       git status"


def test_what_the_doctor_of_a_hook_tries_is_no_refusal(home):
    home.asimi("hook", "install", "gemini-cli")
    assert home.asimi("hook", "doctor", "gemini-cli").returncode == 0
    said = home.asimi("log").stdout.splitlines()
    assert [line.split("  ", 1)[1] for line in said] == ["probe         echo '", "probe         write_file"]
    assert home.asimi("log", "--denied").stdout == ""
    asked(home, "echo '", agent="gemini-cli")
    assert home.asimi("log", "--denied").stdout.endswith("  refused       echo '\n")
