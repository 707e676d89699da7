"""`hook doctor` finds what switches a hook off; `--managed` writes what nobody but the administrator can switch off."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import tomllib

import pytest
from helpers import PATIENCE, PYTHON

from asimi.core.errors import AsimiError
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import apply, command_line, commands, is_there, managed_agent, to_install, to_uninstall

OFF = [
    ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
    ("claude-code", ".claude/settings.local.json", '{"disableAllHooks": true}', "disableAllHooks"),
    ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "features.hooks"),
    ("codex", ".codex/config.toml", "features.codex_hooks = false\n", "features.codex_hooks"),
    ("gemini-cli", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "hooksConfig.enabled"),
    ("gemini-cli", ".gemini/settings.json", '{"hooksConfig": {"disabled": ["asimi"]}}', "hooksConfig.disabled"),
    ("qwen-code", ".qwen/settings.json", '{"disableAllHooks": true} // off', "disableAllHooks"),
    ("copilot-cli", ".github/copilot/settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
    ("claude-code", ".claude/settings.json", "{", "expected"),
    ("codex", ".codex/config.toml", "[", ""),
]


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize("above", [pytest.param("", marks=pytest.mark.long), "sub/deep"])
@pytest.mark.parametrize(("agent", "file", "text", "words"), OFF)
def test_doctor_finds_what_switches_the_hook_off_in_a_project(home, agent, file, text, words, above):
    home.asimi("hook", "install", agent)
    written(home.root / file, text)
    below = home.root / above
    below.mkdir(parents=True, exist_ok=True)
    said = home.asimi("hook", "doctor", agent, cwd=below)
    assert said.returncode == 1
    found = next(line for line in said.stdout.splitlines() if str(home.root / file) in line)
    assert "FAIL" in found
    assert words in found


def test_doctor_finds_what_switches_the_hook_off_beside_it(home):
    home.asimi("hook", "install", "codex")
    written(home.home / ".codex/config.toml", "[features]\nhooks = false\n")
    said = home.asimi("hook", "doctor", "codex")
    assert "config.toml: features.hooks turns the hook off" in said.stdout


def test_other_hooks_of_the_same_tool_are_told(home):
    home.asimi("hook", "install", "claude-code")
    entries = [{"matcher": "Bash", "hooks": [{"type": "command", "command": "rewrite"}]}]
    entries.append({"matcher": "Write", "hooks": [{"type": "command", "command": "tidy-up"}]})
    written(home.root / ".claude/settings.json", json.dumps({"hooks": {"PreToolUse": entries}}))
    said = home.asimi("hook", "doctor", "claude-code", cwd=home.root)
    assert said.returncode == 0
    assert "another hook is asked about the same commands" in said.stdout
    assert "rewrite" in said.stdout
    assert "tidy-up" not in said.stdout


@pytest.mark.parametrize("place", ["home/.copilot/hooks/a.json", "root/.github/hooks/z.json"])
def test_other_files_of_hooks_that_copilot_reads_are_told(home, place):
    """Copilot asks all hooks of a directory, one after the other, and each may change the command."""
    home.asimi("hook", "install", "copilot-cli")
    path = home.home.parent / place
    entry = {"type": "command", "bash": "rewrite"}
    written(path, json.dumps({"version": 1, "hooks": {"preToolUse": [entry], "postToolUse": [{"bash": "tidy-up"}]}}))
    said = home.asimi("hook", "doctor", "copilot-cli")
    assert f"{path}: another hook is asked about the same commands" in said.stdout
    assert "rewrite" in said.stdout
    assert "tidy-up" not in said.stdout


def test_the_switch_for_commands_in_skills_is_told(home):
    home.asimi("hook", "install", "claude-code")
    assert "does not set disableSkillShellExecution" in home.asimi("hook", "doctor", "claude-code").stdout
    path = home.home / ".claude/settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"disableSkillShellExecution": True}))
    assert "disableSkillShellExecution" not in home.asimi("hook", "doctor", "claude-code").stdout


HAVE = [name for name in AGENTS if agent_of(name).managed is not None]


@pytest.mark.parametrize("name", HAVE)
def test_the_administrators_file_has_the_hook_and_everybody_may_read_it(tmp_path, name):
    agent, environ, state = managed_agent(agent_of(name)), {"HOME": str(tmp_path)}, str(tmp_path / "state")
    before = os.umask(0o077)
    try:
        apply(to_install(agent, environ, state), state, 0o644)
    finally:
        os.umask(before)
    path = tmp_path / agent.settings.file
    assert path.parts[-3] == "etc" or path.parts[-4] == "etc"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    above = [each for each in path.parents if tmp_path in each.parents]
    assert {stat.S_IMODE(each.stat().st_mode) for each in above} == {0o755}
    text = path.read_text()
    assert is_there(agent, text)
    assert set(commands(agent, text)) == {command_line(agent)}
    assert to_install(agent, environ, state).after == text
    apply(to_uninstall(agent, environ, state), state)
    assert not path.exists()


@pytest.mark.parametrize("name", sorted({*HAVE} - {"codex"}))
def test_what_an_administrator_wrote_stays(tmp_path, name):
    agent, environ, state = managed_agent(agent_of(name)), {"HOME": str(tmp_path)}, str(tmp_path / "state")
    path = tmp_path / agent.settings.file
    text = '{\n  "permissions": {"deny": ["Read(.env)"]}\n}\n'
    written(path, text)
    apply(to_install(agent, environ, state), state, 0o644)
    assert json.loads(path.read_text())["permissions"] == {"deny": ["Read(.env)"]}
    apply(to_uninstall(agent, environ, state), state)
    assert path.read_text() == text


def test_codexs_requirements_are_pinned_and_never_overwritten(tmp_path):
    agent, environ, state = managed_agent(agent_of("codex")), {"HOME": str(tmp_path)}, str(tmp_path / "state")
    path = tmp_path / agent.settings.file
    apply(to_install(agent, environ, state), state, 0o644)
    value = tomllib.loads(path.read_text())
    assert value["features"] == {"hooks": True}
    assert value["hooks"]["PreToolUse"][0]["hooks"][0]["command"] == command_line(agent)
    for text in (path.read_text() + 'allowed_sandbox_modes = ["read-only"]\n', "# mine\n"):
        path.write_text(text)
        for change in (to_install, to_uninstall):
            if change is to_install or "asimi" in text:
                with pytest.raises(AsimiError):
                    change(agent, environ, state)
        assert path.read_text() == text


def test_an_agent_without_such_a_file_says_so(home):
    said = home.asimi("hook", "install", "antigravity", "--managed", "--dry-run")
    assert said.returncode == 125
    assert "no file for an administrator" in said.stderr


# The administrator's files, with a directory of our own in the place of /etc.

ALONE = (
    'exec 2>&1; export PATH=/usr/sbin:/usr/bin:/sbin:/bin:"$PATH"; mount -t tmpfs none /etc && cd "$0" && '
    'asimi() { "$PYTHON" -m asimi "$@"; }; other() { unshare --user --map-user=1000 "$PYTHON" -m asimi "$@"; }; '
)


def as_administrator(home, script):
    """What a script says, in which `asimi` is root's and `other` another person's."""
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", ALONE + script, home.root],
        env=home.environ | {"PYTHON": PYTHON}, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    if "unshare: " in done.stdout or "mount: " in done.stdout:
        pytest.skip("file systems cannot be mounted here")
    return done.stdout


def test_only_root_may_write_it_and_everybody_may_see_what_would_be_written(home):
    said = as_administrator(home, "other hook install claude-code --managed --dry-run; echo code $?; ls /etc")
    assert "+++ /etc/claude-code/managed-settings.json" in said
    assert said.endswith("\ncode 0\n")
    said = as_administrator(home, "other hook install claude-code --managed; echo code $?; ls /etc")
    assert "as root" in said
    assert said.endswith("\ncode 125\n")


def test_doctor_without_an_agent_sees_what_the_administrator_installed(home):
    said = as_administrator(home, "asimi hook install codex --managed >/dev/null; asimi hook doctor")
    assert "No agent has asimi's hook" not in said
    assert "/etc/codex/requirements.toml has the hook" in said


def test_uninstall_takes_everybodys_hooks_out_and_shows_them_all_before(home):
    install = "(asimi hook install codex --managed; asimi hook install codex; asimi hook install cursor) >/dev/null; "
    tell = "; echo code $?; find /etc ~/.codex ~/.cursor -type f 2>/dev/null | wc -l"
    script = f"asimi uninstall --dry-run{tell}; echo then; asimi uninstall{tell}; asimi uninstall"
    dry, _, then = as_administrator(home, install + script).partition("\nthen\n")
    for path in ("/etc/codex/requirements.toml", f"{home.home}/.codex/hooks.json", f"{home.home}/.cursor/hooks.json"):
        assert f"--- {path}\n" in dry
        assert f"{path}: the hook for " in then
    assert "Not deleted:" in dry
    assert dry.endswith("\ncode 0\n3")
    assert "\ncode 0\n0\nNo agent has asimi's hook." in then


def test_uninstall_says_why_the_administrators_hook_stays(home):
    said = as_administrator(home, "asimi hook install codex --managed >/dev/null; other uninstall; echo code $?")
    assert "The hook of codex stays. /etc/codex/requirements.toml is the administrator's: run this as root" in said
    assert "asimi hook uninstall codex --managed" in said
    assert said.endswith("\ncode 1\n")
