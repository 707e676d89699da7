"""What becomes of a question: the agent's own prompt where it obeys, else the queue."""

from __future__ import annotations

import pytest
from helpers.hooks import envelope


def decision(said):
    return said.json["hookSpecificOutput"]["permissionDecision"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"permission_mode": "default"}, "ask"),
        ({"permission_mode": "acceptEdits"}, "ask"),
        ({"permission_mode": "plan"}, "ask"),
        ({"permission_mode": "auto"}, "deny"),
        ({"permission_mode": "bypassPermissions"}, "deny"),
        ({"permission_mode": "dontAsk"}, "deny"),
        ({"permission_mode": "a new one"}, "deny"),
        ({"permission_mode": None}, "deny"),
        ({"permission_mode": "default", "agent_id": "sub-1"}, "deny"),
    ],
)
def test_claude_code_is_told_to_ask_only_where_it_is_known_to(home, change, expected):
    assert decision(home.hook("claude-code", envelope("claude-code", "curl x", home.root, **change))) == expected


@pytest.mark.parametrize(("attended", "expected"), [("0", "deny"), ("1", "ask"), ("true", "ask")])
def test_claude_code_without_a_person_gets_the_queue(home, attended, expected):
    sent = envelope("claude-code", "curl x", home.root, permission_mode="default")
    said = home.hook("claude-code", sent, CLAUDE_CODE_SESSION_ATTENDED=attended)
    assert decision(said) == expected
    assert ("asimi approve" in said.out) is (expected == "deny")


@pytest.mark.parametrize("command", ["rm x", "echo $(rm x)", "echo '"])
def test_what_is_denied_is_never_asked(home, command):
    said = home.hook("claude-code", envelope("claude-code", command, home.root, permission_mode="default"))
    assert decision(said) == "deny"


TOOLS = [("copilot-cli", "skill", True), ("copilot-cli", "write_bash", False)]


@pytest.mark.parametrize(("agent", "tool", "allowed"), TOOLS)
def test_tools_that_run_no_command_pass_and_typing_into_one_does_not(home, agent, tool, allowed):
    said = home.hook(agent, envelope(agent, "git status", home.root, toolName=tool))
    assert (said.out == "" and said.code == 0) is allowed


def test_a_monitor_without_a_command_passes(home):
    sent = envelope("claude-code", "", home.root, tool_name="Monitor", tool_input={"ws": {"url": "wss://x"}})
    assert home.hook("claude-code", sent) == ("", "", 0)


@pytest.mark.parametrize(
    ("shell", "command", "allowed"),
    [
        ("/bin/bash", "git status >/dev/null", True),
        ("/bin/zsh", "git status", True),
        ("/bin/zsh", "git status >/dev/null", False),
        ("/usr/bin/fish", "git status ~", False),
    ],
)
def test_a_shell_that_is_not_bash_gets_only_plain_commands(home, shell, command, allowed):
    said = home.hook("cursor", envelope("cursor", command, home.root), SHELL=shell)
    assert (said.json["permission"] == "allow") is allowed


def test_a_powershell_tool_gets_only_plain_commands(home):
    def asked(command):
        sent = envelope("claude-code", command, home.root, tool_name="PowerShell")
        return decision(home.hook("claude-code", sent))

    assert asked("git status") == "allow"
    assert asked("git status; git status") == "deny"


@pytest.mark.parametrize("command", ["rm x", "curl x", "echo 'unfinished"])
def test_codex_puts_the_full_stop_behind_a_reason_itself(home, command):
    def reason(agent, key):
        return home.hook(agent, envelope(agent, command, home.root)).json["hookSpecificOutput"][key]

    said = reason("codex", "permissionDecisionReason")
    assert not said.endswith(".")
    if command == "rm x":
        assert reason("qwen-code", "permissionDecisionReason") == f"{said}."


def test_a_directory_outside_the_project_is_asked_about(home):
    sent = envelope("gemini-cli", "git status", home.root)
    sent["tool_input"]["dir_path"] = "/"
    assert "outside the project root" in home.hook("gemini-cli", sent).json["reason"]


def test_a_directory_that_the_person_names_is_as_good_as_the_project(home):
    sent = envelope("claude-code", "git status", home.root)
    beside = home.home / "library"
    (beside / "src").mkdir(parents=True)
    sent["cwd"], extra = str(beside / "src"), {"CLAUDE_PROJECT_DIR": str(home.root)}
    assert "which files.beside does not name" in str(home.hook("claude-code", sent, **extra).json)
    home.config.write_text(f'{home.config.read_text()}\n[files]\nbeside = ["~/library"]\n')
    assert "files.beside" not in str(home.hook("claude-code", sent, **extra).json)
    sent["cwd"] = str(home.home)
    assert "which files.beside does not name" in str(home.hook("claude-code", sent, **extra).json)


def test_an_asked_for_root_counts_instead_of_the_agents(home):
    sent = envelope("gemini-cli", "git status", home.root)
    assert "outside the project root" in home.hook("gemini-cli", sent, ASIMI_ROOT=str(home.home)).json["reason"]


def test_codex_is_silent_where_it_asks_by_itself(home):
    """Leaving the sandbox is more than running the command, so that no entry on a list grants it."""
    for command, silent in (("git status", True), ("curl x", True), ("rm x", False)):
        sent = envelope("codex", command, home.root, hook_event_name="PermissionRequest")
        assert (home.hook("codex", sent).out == "") is silent


def test_nobody_is_asked_where_asimi_was_told_so(home):
    said = home.hook("codex", envelope("codex", "curl x", home.root), ASIMI_NON_INTERACTIVE="1")
    assert decision(said) == "deny"
    assert "asimi approve" not in said.out
