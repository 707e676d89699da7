"""`asimi init`: one screen, one yes, and how to take it back; and `asimi` alone where nothing is set up."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from helpers import PYTHON
from helpers.home import Home

BWRAP = "/usr/bin/bwrap"
HIDING = ["unshare", "--map-root-user", "--mount", "sh", "-c", f'mount --bind /dev/null {BWRAP} && exec "$@"', "sh"]
"""Starts a program in a place where bubblewrap is none."""


def is_possible(*words):
    """Whether a program does what it is told here."""
    try:
        return subprocess.run(words, capture_output=True, check=False, timeout=60).returncode == 0
    except OSError:
        return False


has_bubblewrap = pytest.mark.skipif(not is_possible(BWRAP, "--ro-bind", "/", "/", "true"), reason="needs bubblewrap")
can_hide = pytest.mark.skipif(not is_possible(*HIDING, "true"), reason="needs bubblewrap and a namespace of mounts")


@pytest.fixture
def new(tmp_path):
    """Makes a home of somebody who has three agents, without a configuration; and sits there.

    The agents are in an editor, so only a hook can ask, or programs on PATH.
    """
    people = []

    def make(*programs_of_agents, config=None):
        home = Home(tmp_path, config)
        programs = home.home / "bin"
        programs.mkdir()
        for name in programs_of_agents:
            (programs / name).write_text("#!/bin/sh\n")
            (programs / name).chmod(0o755)
        for name in ("bash", "git", "sh", "unshare", "mount"):
            (programs / name).symlink_to(shutil.which(name))
        home.environ["PATH"] = str(programs)
        for name in ("cursor", "claude", "codex")[: 1 if programs_of_agents else 3]:
            (home.home / f".{name}").mkdir()
        return home

    def sits(home, *words, **options):
        people.append(home.at_terminal(*words, **options))
        return people[-1]

    make.sits = sits
    yield make
    for person in people:
        person.leaves()


def settings(home):
    """The agents' settings that hold asimi's hook."""
    files = (".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json")
    return [name for name in files if (home.home / name).exists() and "asimi" in (home.home / name).read_text()]


@can_hide
def test_without_a_box_one_yes_writes_the_rules_and_the_hooks_and_says_how_to_take_them_back(new):
    home = new("claude", "codex")
    person = new.sits(home, program=[*HIDING, PYTHON, "-m", "asimi", "init"])
    person.sees("bubblewrap", "Claude Code (~/.claude/settings.json)", "asimi undo` will be on", "[q] leave")
    person.presses("d")
    person.sees("asimi's hook goes into ~/.claude/settings.json", "[y] write it")
    assert (home.config.exists(), settings(home)) == (False, [])
    person.presses("y")
    assert person.ended() == 0
    assert "Preset developer" in home.config.read_text()
    assert settings(home) == [".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json"]
    said = person.written.decode()
    assert all(text in said for text in ("written", "asimi watch", "asimi doctor", "asimi uninstall", "/hooks"))
    assert "asimi wrap" not in said.rpartition("next")[2]
    assert home.asimi("uninstall").returncode == 0
    assert settings(home) == []


@has_bubblewrap
def test_with_a_box_only_an_agent_that_it_cannot_hold_gets_a_hook(new):
    home = new("claude", "codex")
    person = new.sits(home, "init")
    person.sees("claude and codex, started with `asimi wrap`", "Cursor (~/.cursor/hooks.json)", "[q] leave")
    person.presses("d")
    person.sees("[y] write it")
    person.presses("y")
    assert person.ended() == 0
    assert "asimi wrap claude" in person.written.decode()
    assert settings(home) == [".cursor/hooks.json"]
    done = home.asimi("--yes", "init", "--hooks")
    assert (done.returncode, len(settings(home))) == (0, 3), done


@pytest.mark.parametrize("keys", [["q"], ["d", "\x1b"]])
def test_whoever_leaves_has_changed_nothing(new, keys):
    home = new()
    person = new.sits(home, "init")
    for key in keys:
        person.sees("[q] leave")
        person.presses(key)
    assert person.ended() == 126
    assert (home.config.exists(), settings(home), "nothing was done" in person.display) == (False, [], True)


def test_a_configuration_that_is_there_stays_and_only_the_hooks_are_asked_about(new):
    home = new(config="unlisted = 'reject'\n")
    person = new.sits(home, "init")
    person.sees("Your configuration stays as it is", "asimi undo`", "is off", "[y] write it")
    person.presses("y")
    assert person.ended() == 0
    assert (home.config.read_text(), len(settings(home))) == ("unlisted = 'reject'\n", 3)
    again = home.asimi("init")
    assert (again.returncode, "asimi doctor" in again.stdout) == (0, True), again
    refused = home.asimi("--yes", "init", "--preset", "reader")
    assert (refused.returncode, "exists already" in refused.stderr) == (125, True)


def test_without_a_terminal_it_says_what_it_would_ask_and_which_options_answer(new):
    home = new()
    done = home.asimi("init", "--preset", "reader")
    assert (done.returncode, home.config.exists(), settings(home)) == (126, False, [])
    assert all(text in done.stdout for text in (str(home.config), "reader", "asimi init --yes", "Claude Code"))
    done = home.asimi("--yes", "init", "--preset", "reader")
    assert (done.returncode, len(settings(home))) == (0, 3), done
    assert "Preset reader" in home.config.read_text()


def test_settings_that_cannot_be_changed_are_named_and_the_rest_is_done(new):
    home = new()
    (home.home / ".claude/settings.json").write_text("{")
    done = home.asimi("--yes", "init")
    assert (done.returncode, home.config.exists()) == (1, True)
    assert "failed   Claude Code" in done.stdout
    assert settings(home) == [".codex/hooks.json", ".cursor/hooks.json"]


def test_a_command_that_asimi_runs_cannot_set_it_up(new):
    home = new(config='coreTools = ["run_shell_command"]\n')
    (home.root / "go").write_text(f"#!/bin/sh\nexec {PYTHON} -m asimi --yes init\n")
    (home.root / "go").chmod(0o755)
    done = home.asimi("run", "./go")
    assert "A command run by asimi cannot set asimi up" in done.stderr, done
    assert settings(home) == []


def test_asimi_alone_offers_it_where_there_is_no_configuration_and_goes_on_to_the_session(new):
    home = new()
    person = new.sits(home)
    person.sees("what runs without asking?", "Agents on this machine", "[q] leave")
    person.presses("q")
    person.sees("asimi>")
    person.presses("\x04")
    person.ended()
    assert not home.config.exists()
    person = new.sits(home)
    for key, text in (("r", "[q] leave"), ("y", "[y] write it")):
        person.sees(text)
        person.presses(key)
    assert person.ended() == 0
    assert "Preset reader" in home.config.read_text()
    person = new.sits(home)
    person.sees("asimi>")
    assert "without asking?" not in person.display
    assert len(settings(home)) == 3
