"""A settings file differs in nothing but the hook, and taking the hook out gives back the file that was there."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest
from helpers import PYTHON
from helpers.hooks import DOOR

from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line, hook_entries, settings_file
from asimi.world.host import jsonc
from asimi.world.host.places import bases_of

OTHER = '{"type": "command", "command": "other"}'

FILES = {
    "not there": None,
    "empty": "",
    "blank": "\n",
    "an empty object": "{}",
    "an empty object on two lines": "{\n}\n",
    "an empty object with a blank": "{ }\n",
    "a comment alone": "// mine\n",
    "a comment in an empty object": "{\n  // nothing yet\n}\n",
    "one line": '{"model": "x"}\n',
    "tabs": '{\n\t"model": "x",\n\t"list": [1,\n\t\t2]\n}\n',
    "four blanks and CRLF": '{\r\n    "model": "x"\r\n}\r\n',
    "no newline at the end": '{\n  "a": 1\n}',
    "a comma at the end": '{\n  "a": 1,\n}\n',
    "a comment behind the last value": '{\n  "a": 1 // one\n}\n',
    "comments everywhere": '{\n  /* top */\n  "a": {"b": [1, 2]}, // x\n  // end\n}\n// after\n',
    "comments on one line": '{ /* a */ "b": 1 /* c */ /* d */ }',
    "an empty table of hooks": '{"hooks": {}}\n',
    "an empty list of hooks": '{\n  "hooks": {\n    "BeforeTool": [\n    ]\n  }\n}\n',
    "a list with a comment": '{\n  "hooks": {\n    "BeforeTool": [\n      // first\n    ]\n  }\n}\n',
    "another hook": f'{{\n  "z": "ü",\n  "hooks": {{\n    "BeforeTool": [\n      {{"hooks": [{OTHER}]}}\n    ]\n}}}}',
    "another hook on one line": f'{{"hooks": {{"BeforeTool": [{{"hooks": [{OTHER}]}}]}}, "z": 1}}',
    "another hook and a comma": f'{{\n  "hooks": {{"BeforeTool": [\n    {{"hooks": [{OTHER}]}}, // c\n  ],}},\n}}',
    "a byte order mark": '\ufeff{"a": 1}\n',
    "an escape that nobody needs": '{"a\\u0062c": "\\/"}\n',
}


@pytest.fixture
def settings(home):
    path = home.home / ".gemini" / "settings.json"
    path.parent.mkdir()
    return path


def written(path, text):
    if text is not None:
        path.write_bytes(text.encode())


def text_of(path):
    return path.read_bytes().decode() if path.exists() else None


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_what_is_put_in_and_taken_out_leaves_the_file_that_was_there(home, settings, text):
    written(settings, text)
    assert home.asimi("hook", "install", "gemini-cli").returncode == 0
    there = text_of(settings)
    assert there is not None
    before, after = (None if each is None else jsonc.scan(each) for each in (text, there))
    value = {} if before is None else json.loads(json.dumps(before.value))
    for event, answers in (("BeforeTool", True), ("AfterTool", False)):
        entry = after.value["hooks"][event][-1]
        line = command_line(agent_of("gemini-cli"), PYTHON, bases=bases_of(home.environ), answers=answers)
        assert entry["hooks"][0]["command"] == line
        value.setdefault("hooks", {}).setdefault(event, []).append(entry)
    assert after.value == value
    for line in (text or "").splitlines():
        if "//" in line:
            assert line[line.index("//") :] in there
    assert home.asimi("hook", "uninstall", "gemini-cli").returncode == 0
    assert text_of(settings) == text


def test_a_second_install_changes_nothing(home, settings):
    home.asimi("hook", "install", "gemini-cli")
    before = text_of(settings)
    assert "already" in home.asimi("hook", "install", "gemini-cli").stdout
    assert text_of(settings) == before


def test_an_outdated_hook_is_renewed(home, settings):
    written(settings, FILES["another hook"])
    home.asimi("hook", "install", "gemini-cli")
    good = text_of(settings)
    settings.write_text(good.replace("-I -S", "-S").replace("600000", "5"))
    home.asimi("hook", "install", "gemini-cli")
    assert text_of(settings) == good


@pytest.mark.parametrize("text", [None, "\n", "{}", "// mine\n", FILES["an empty list of hooks"]])
def test_a_renewed_hook_leaves_the_file_that_was_there(home, settings, text):
    written(settings, text)
    home.asimi("hook", "install", "gemini-cli")
    settings.write_text(text_of(settings).replace("-I -S", "-S"))
    home.asimi("hook", "install", "gemini-cli")
    home.asimi("hook", "uninstall", "gemini-cli")
    assert text_of(settings) == text


def test_a_hook_of_an_older_asimi_is_found_and_replaced(home, settings):
    home.asimi("hook", "install", "gemini-cli")
    good = text_of(settings)
    old = f"/bin/sh -c 'exec \"$@\"' asimi-hook {PYTHON} -I -S {DOOR} gemini-cli"
    settings.write_text(
        good.replace(
            json.dumps(command_line(agent_of("gemini-cli"), PYTHON, bases=bases_of(home.environ))), json.dumps(old)
        )
    )
    assert "renew it with: asimi hook install gemini-cli" in home.asimi("hook", "doctor", "gemini-cli").stdout
    home.asimi("hook", "install", "gemini-cli")
    assert text_of(settings) == good


def test_what_was_added_around_the_hook_stays(home, settings):
    home.asimi("hook", "install", "gemini-cli")
    value = json.loads(text_of(settings))
    value["hooks"]["BeforeTool"].append({"hooks": [json.loads(OTHER)]})
    value["hooks"]["BeforeTool"][0]["hooks"].append(json.loads(OTHER))
    value["model"] = "x"
    settings.write_text(json.dumps(value))
    assert home.asimi("hook", "uninstall", "gemini-cli").returncode == 0
    value["hooks"]["BeforeTool"][0]["hooks"].pop(0)
    del value["hooks"]["AfterTool"]
    assert json.loads(text_of(settings)) == value


def test_a_read_only_file_is_left_alone(home, settings):
    written(settings, FILES["tabs"])
    settings.chmod(0o444)
    said = home.asimi("hook", "install", "gemini-cli")
    assert (said.returncode, "read-only" in said.stderr) == (125, True)
    assert text_of(settings) == FILES["tabs"]
    assert stat.S_IMODE(settings.stat().st_mode) == 0o444


def test_a_link_stays_a_link_and_the_mode_stays(home, settings):
    real = home.home / "dotfiles.json"
    written(real, FILES["one line"])
    real.chmod(0o640)
    settings.symlink_to(real)
    home.asimi("hook", "install", "gemini-cli")
    assert settings.is_symlink()
    assert "door.py" in text_of(real)
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    home.asimi("hook", "uninstall", "gemini-cli")
    assert settings.is_symlink()
    assert text_of(real) == FILES["one line"]


STRANGE = ["{", "[]", '{"hooks": 5}', '{"hooks": {"BeforeTool": {}}}', '{"a": 1, "a": 2}', "{'a': 1}", "{} x", "\xff"]


@pytest.mark.parametrize("text", STRANGE)
def test_a_file_that_cannot_be_understood_is_left_alone(home, settings, text):
    settings.write_bytes(text.encode("latin-1"))
    said = home.asimi("hook", "install", "gemini-cli")
    assert said.returncode == 125
    assert str(settings) in said.stderr
    assert settings.read_bytes() == text.encode("latin-1")


def test_the_change_is_shown_first(home, settings):
    said = home.asimi("hook", "install", "gemini-cli", "--dry-run")
    assert said.stdout.startswith(f"Installing the hook for Gemini CLI creates {settings} (")
    assert "\n+" in said.stdout
    assert "door.py" in said.stdout
    assert not settings.exists()


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini-cli", "opencode"])
def test_an_installation_says_little_and_how_to_take_it_back(home, agent):
    lines = home.asimi("hook", "install", agent).stdout.splitlines()
    assert len(lines) <= 8
    assert f"  take it back: asimi hook uninstall {agent}" in lines
    assert any("to do: Codex runs" in line for line in lines) == (agent == "codex")
    home.asimi("hook", "uninstall", agent)
    more = home.asimi("hook", "install", agent, "--verbose").stdout
    assert "door.py" in more
    assert "The hook keeps to these directories" in more


@pytest.mark.parametrize("words", [["hook", "uninstall", "gemini-cli", "--dry-run"], ["uninstall", "--dry-run"]])
@pytest.mark.parametrize(("text", "does"), [(None, "deletes"), ("{}\n", "changes")])
def test_taking_out_says_first_what_it_does_to_which_file(home, settings, words, text, does):
    if text is not None:
        settings.write_text(text)
    home.asimi("hook", "install", "gemini-cli")
    said = home.asimi(*words).stdout
    assert said.startswith(f"Removing the hook for Gemini CLI {does} {settings} (")


def test_a_plugin_is_a_file_of_asimis_own(home):
    plugin = home.home / "config" / "opencode" / "plugins" / "asimi.js"
    assert home.asimi("hook", "install", "opencode").returncode == 0
    good = text_of(plugin)
    assert json.dumps(command_line(agent_of("opencode"), PYTHON, bases=bases_of(home.environ))) in good
    plugin.write_text(good.replace("Object.freeze", "(x => x)").replace("-I -S", "-S"))
    assert "differently" in home.asimi("hook", "doctor", "opencode").stdout
    home.asimi("hook", "install", "opencode")
    assert text_of(plugin) == good
    assert home.asimi("hook", "uninstall", "opencode").returncode == 0
    assert not plugin.exists()


@pytest.mark.parametrize("text", ["", "export const Mine = async () => ({})\n", 'const HOOK = "rm -rf x"\n'])
def test_somebody_elses_file_in_the_place_of_a_plugin_is_left_alone(home, text):
    plugin = home.home / "config" / "opencode" / "plugins" / "asimi.js"
    plugin.parent.mkdir(parents=True)
    plugin.write_text(text)
    said = home.asimi("hook", "install", "opencode")
    assert (said.returncode, "move it away" in said.stderr) == (125, True)
    assert home.asimi("hook", "uninstall", "opencode").returncode == 0
    assert home.asimi("hook", "doctor", "opencode").returncode == 1
    assert text_of(plugin) == text


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agents_hook_is_proved_by_a_probe(home, agent):
    assert home.asimi("hook", "doctor", agent).returncode == 1
    assert home.asimi("hook", "install", agent).returncode == 0
    said = home.asimi("hook", "doctor", agent)
    assert "a command that cannot be parsed is denied" in said.stdout
    assert "a file that cannot exist is not written" in said.stdout
    assert ("FAIL" in said.stdout) is (agent == "codex")  # which nobody has told to trust it
    assert home.asimi("hook", "uninstall", agent).returncode == 0
    assert not os.path.exists(settings_file(agent_of(agent), home.environ))


def test_doctor_sees_that_codex_trusts_the_hook(home):
    home.asimi("hook", "install", "codex")
    hooks = home.home / ".codex" / "hooks.json"
    keys = (f"{hooks}:{event}:0:0" for event in ("pre_tool_use", "post_tool_use"))
    trusted = "".join(f'[hooks.state."{key}"]\ntrusted_hash = "sha256:0"\n' for key in keys)
    (hooks.parent / "config.toml").write_text(trusted)
    assert home.asimi("hook", "doctor", "codex").returncode == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("-I -S", "-I -S -Z"), "every command is blocked: Unknown option: -Z"),
        (lambda text: text.replace('"timeout": 600000', '"timeout": 1'), "differently"),
        (lambda text: text.replace('"hooks"', '"hooksConfig": {"enabled": false}, "hooks"', 1), "turns the hook off"),
    ],
)
def test_doctor_finds_what_is_wrong(home, settings, change, words):
    home.asimi("hook", "install", "gemini-cli")
    settings.write_text(change(settings.read_text()))
    said = home.asimi("hook", "doctor", "gemini-cli")
    assert said.returncode == 1
    assert words in said.stdout


@pytest.mark.parametrize(("agent", "words"), [("gemini-cli", "ended (AfterTool)"), ("cursor", "tells no end")])
def test_doctor_says_whether_the_agent_tells_ends(home, agent, words):
    home.asimi("hook", "install", agent)
    assert words in home.asimi("hook", "doctor", agent).stdout


@pytest.mark.parametrize("agent", AGENTS)
def test_doctor_says_why_every_command_is_denied(home, agent):
    home.asimi("hook", "install", agent)
    config = home.home / "config" / "asimi" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('unlisted = "maybe"\n')
    said = home.asimi("hook", "doctor", agent)
    assert said.returncode == 1
    assert f"every command is denied: {config}:1: " in said.stdout


@pytest.mark.parametrize(
    ("agent", "variable", "file"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("copilot-cli", "COPILOT_HOME", "hooks/asimi.json"),
        ("qwen-code", "QWEN_HOME", "settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/asimi.js"),
    ],
)
def test_an_agents_own_variable_moves_its_settings(home, agent, variable, file):
    moved = home.home / "moved"
    home.asimi("hook", "install", agent, environ={variable: str(moved)})
    assert (moved / file).exists()


def test_a_hook_is_neither_put_in_nor_taken_out_by_a_command_that_asimi_runs(home):
    for word in ("install", "uninstall"):
        assert home.asimi("hook", word, "codex", environ={"ASIMI_CLI": "1"}).returncode == 125


@pytest.mark.parametrize("agent", AGENTS)
def test_a_hook_of_an_asimi_that_judged_no_files_is_renewed(home, agent):
    """The doctor says so; installing again leaves one hook, and taking it out the file that was there."""
    data = agent_of(agent)
    path = settings_file(data, home.environ)
    assert home.asimi("hook", "install", agent).returncode == 0
    with open(path) as file:
        now = file.read()
    older = now
    for matcher in {entry["matcher"] for _, entry in hook_entries(data) if "matcher" in entry}:
        older = older.replace(matcher, matcher.lstrip("^(").partition("|")[0])
    if agent == "opencode":
        older = re.sub(r"const JUDGED = .*\n", "", now)
    if agent == "cursor":
        older = json.dumps(
            {"version": 1, "hooks": {"beforeShellExecution": json.loads(now)["hooks"]["beforeShellExecution"]}}
        )
    with open(path, "w") as file:
        file.write(older)
    said = home.asimi("hook", "doctor", agent)
    assert agent == "copilot-cli" or "renew it with: asimi hook install" in said.stdout
    assert home.asimi("hook", "install", agent).returncode == 0
    with open(path) as file:
        text = file.read()
    assert json.loads(text) == json.loads(now) if text[:1] == "{" else text == now
    assert home.asimi("hook", "uninstall", agent).returncode == 0
    assert "door.py" not in (text_of(Path(path)) or "")


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_waits_as_long_as_its_hook_may_take(name):
    """Where none of its limits is known, none is written; opencode's plug-in has none."""
    agent = agent_of(name)
    found = (
        re.findall(r'"timeout(?:Sec)?": (\d+)', json.dumps([*hook_entries(agent)])) if not agent.settings.plugin else []
    )
    assert {int(each) for each in found} <= {agent.seconds, agent.seconds * 1000}
    assert found or name in {"antigravity", "opencode"}


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        (None, "in `auto`, questions come from asimi"),
        ("manual", "in `default`, questions come from its own prompt"),
        ("dontAsk", "in `dontAsk`, questions come from asimi"),
        ("a new one", "the mode a new one is unknown to asimi, which asks itself there"),
    ],
)
def test_doctor_tells_from_whom_questions_come_in_the_mode_that_claude_code_starts_in(home, mode, told):
    home.asimi("hook", "install", "claude-code")
    settings = home.home / ".claude" / "settings.json"
    more = {} if mode is None else {"permissions": {"defaultMode": mode}}
    settings.write_text(json.dumps(json.loads(settings.read_text()) | more))
    assert f"note  {told}" in home.asimi("hook", "doctor", "claude-code").stdout
