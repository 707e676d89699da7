"""Claude Code's plug-in: its files, and its launcher as Claude Code starts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from helpers import PATIENCE, PYTHON, ROOT
from helpers.hooks import HookedHome, envelope

from asimi.doors.hooks.agent import agent_of

PLUGIN = ROOT / "asimi" / "hooks" / "claude-code"
HOOKS = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
(ENTRY,) = HOOKS["PreToolUse"][0]["hooks"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is a script of sh")

WORKS = f'#!/bin/sh\nexec {PYTHON} -m asimi "$@"\n'
BROKEN = {
    "empty": "",
    "silent": "#!/bin/sh\nexit 0\n",
    "another": "#!/bin/sh\nexit 1\n",
    "an old one": '#!/bin/sh\necho "no such option: --answered" >&2\nexit 2\n',
    "talks and fails": '#!/bin/sh\necho \'{"hookSpecificOutput": {"permissionDecision": "allow"}}\'\nexit 3\n',
    "talks and ends well": '#!/bin/sh\necho \'{"hookSpecificOutput": {"permissionDecision": "allow"}}\'\n',
    "killed": "#!/bin/sh\nkill -9 $$\n",
    "no interpreter": "#!/no/such/python\n",
}


class Plugged(HookedHome):
    """A home with Claude Code's plug-in where Claude Code would copy it, and directories on PATH."""

    def __init__(self, directory):
        super().__init__(directory)
        self.plugin, self.own = directory / "its cache" / "asimi", directory / "bin"
        shutil.copytree(PLUGIN, self.plugin)
        self.own.mkdir()
        self.system = os.pathsep.join(each for each in ("/usr/bin", "/bin") if os.path.isdir(each))
        self.environ |= {"CLAUDE_PLUGIN_ROOT": str(self.plugin), "CLAUDE_PROJECT_DIR": str(self.root)}
        self.environ["PATH"] = f"{self.own}:{self.system}"

    def put(self, text, directory=None):
        """Put an asimi on PATH."""
        path = (directory or self.own) / "asimi"
        path.write_text(text)
        path.chmod(0o755)

    def asks(self, command, line=ENTRY["command"], **environ):
        """What the hook says of a command, or an envelope, as a shell starts it."""
        sent = envelope("claude-code", command, self.root) if isinstance(command, str) else command
        return self.started(line, json.dumps(sent).encode(), shell=True, **environ)


@pytest.fixture
def home(tmp_path):
    return Plugged(tmp_path)


def decision(said):
    return said.json["hookSpecificOutput"]["permissionDecision"]


@pytest.mark.parametrize("mode", ["default", "bypassPermissions"])
@pytest.mark.parametrize("command", ["git status", "rm x", "make", "'"])
def test_it_answers_as_the_installed_hook_does(home, command, mode):
    home.put(WORKS)
    sent = envelope("claude-code", command, home.root) | {"permission_mode": mode}
    said, expected = home.asks(sent), home.hook("claude-code", sent)
    assert (decision(said), said.err, said.code) == (decision(expected), "", 0)


def test_silence_is_an_answer_if_asimi_means_it(home):
    home.put(WORKS)
    home.config.write_text('unlisted = "observe"\n')
    said = home.asks("make")
    assert (said.out, said.err, said.code) == ("", "", 0)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_asimi_blocks(home, broken):
    home.put(BROKEN[broken])
    said = home.asks("git status")
    assert (said.out, said.code) == ("", 2)
    assert "asimi blocks this command" in said.err


def test_no_asimi_blocks(home):
    said = home.asks("git status")
    assert (said.out, said.code) == ("", 2)
    assert "finds no asimi on PATH" in said.err


def test_an_asimi_that_hangs_is_ended_and_blocks(home):
    home.put("#!/bin/sh\nexec sleep 600\n")
    said = home.asks("git status", ENTRY["command"].replace(" 595 ", " 1 "))
    assert (said.out, said.code) == ("", 2)
    assert "gave no answer (status 137)" in said.err


@pytest.mark.parametrize("where", [".", "", "bin", "{root}", "{root}/bin", "{root}/"])
def test_an_asimi_of_the_project_is_not_started(home, where):
    (home.root / "bin").mkdir()
    for each in (home.root, home.root / "bin"):
        home.put("#!/bin/sh\ntouch {root}/started\nexit 42\n".replace("{root}", str(home.root)), each)
    said = home.asks("git status", PATH=f"{where.format(root=home.root)}:{home.system}")
    assert said.code == 2
    assert not (home.root / "started").exists()


@pytest.mark.parametrize("lost", ["launch", ""])
def test_a_plugin_that_is_gone_blocks(home, lost):
    home.put(WORKS)
    path = home.plugin / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    said = home.asks("git status")
    assert (said.out, said.code) == ("", 2)
    assert "asimi blocks this command" in said.err


def test_what_it_tells_afterwards_is_written_down(home):
    home.put(WORKS)
    assert home.asks("git status").code == 0
    begun = envelope("claude-code", "git status", home.root)
    told = begun | {"hook_event_name": "PostToolUse", "tool_response": {}, "duration_ms": 5}
    (entry,) = HOOKS["PostToolUse"][0]["hooks"]
    done = home.started(entry["command"], json.dumps(told).encode(), shell=True)
    assert done.code == 0, done.err
    assert [each["event"] for each in home.log()] == ["start", "end"]


def test_it_is_the_same_hook_as_the_installed_one():
    agent = agent_of("claude-code")
    assert {*HOOKS} == {each.name for each in (*agent.events, *agent.ends) if getattr(each, "installed", True)}
    for name, (entry,) in HOOKS.items():
        expected = agent.settings.entry if name == "PreToolUse" else agent.settings.end
        (hook,) = entry["hooks"]
        assert entry["matcher"] == expected["matcher"]
        assert hook | {"command": "{command}"} == expected["hooks"][0]


@pytest.fixture
def noted(home):
    """A home where Claude Code has installed the plug-in."""
    home.put(WORKS)
    entry = [{"scope": "user", "installPath": str(home.plugin), "version": "unknown"}]
    _write(home, "plugins/installed_plugins.json", {"version": 2, "plugins": {"asimi@asimi": entry}})
    _write(home, "settings.json", {"enabledPlugins": {"asimi@asimi": True}})
    return home


def _write(home, name, value):
    path = home.home / ".claude" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def examined(home, *words):
    done = home.asimi("hook", "doctor", *words, environ={"PATH": home.environ["PATH"]})
    return done.returncode, done.stdout


@pytest.mark.parametrize("words", [(), ("claude-code",)])
def test_the_doctor_proves_it_by_a_probe(noted, words):
    code, said = examined(noted, *words)
    assert (code, "FAIL" in said) == (0, False), said
    assert f"{noted.plugin} is the plug-in of this asimi" in said
    assert "a file that cannot exist is not written" in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda home: (home.plugin / "launch").write_text("exit 0\n"), "launch differs from the one of this asimi"),
        (lambda home: shutil.rmtree(home.plugin), "launch differs from the one of this asimi"),
        (lambda home: (home.plugin / "hooks" / "hooks.json").write_text("{}"), "hooks.json differs from"),
        (lambda home: _write(home, "settings.json", {}), "/plugin enable asimi@asimi"),
        (lambda home: (home.own / "asimi").unlink(), "every command is blocked: its plug-in finds no asimi on PATH"),
        (lambda home: home.put(BROKEN["talks and ends well"]), "every command is blocked: its hook gave no answer"),
        (lambda home: home.asimi("hook", "install", "claude-code"), "each question comes twice"),
    ],
)
def test_the_doctor_says_what_is_wrong_with_it(noted, change, words):
    change(noted)
    code, said = examined(noted)
    assert (code, words in said) == (1, True), said


def test_the_doctor_finds_a_project_that_switches_it_off(noted):
    (noted.root / ".claude").mkdir()
    (noted.root / ".claude" / "settings.json").write_text('{"enabledPlugins": {"asimi@asimi": false}}')
    code, said = examined(noted)
    assert (code, "enabledPlugins.asimi@asimi turns the hook off" in said) == (1, True), said


def test_its_files_name_it():
    plugin, market = (
        json.loads((PLUGIN / ".claude-plugin" / f"{name}.json").read_text()) for name in ("plugin", "marketplace")
    )
    assert plugin["name"] == "asimi"
    assert [(each["name"], each["source"]) for each in market["plugins"]] == [("asimi", "./")]


@pytest.mark.parametrize("shell", ["dash", "bash", "zsh", "busybox"])
def test_every_shell_can_be_sh(home, shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}")
    home.put(WORKS)
    words = [program, *(["sh"] if shell == "busybox" else ["--emulate", "sh"] if shell == "zsh" else [])]
    raw = json.dumps(envelope("claude-code", "rm x", home.root)).encode()
    done = subprocess.run(
        [*words, str(home.plugin / "launch"), "595"],
        input=raw,
        capture_output=True,
        env=home.environ,
        cwd=home.root,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b'"deny"' in done.stdout
