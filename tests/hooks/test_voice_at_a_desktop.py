"""Behind a hook, a question that nobody watches for appears in a window of the person's desktop."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.hooks import envelope
from helpers.voices import Desk, eventually, refused, shown_in

from asimi.world.approvers.voices.desktop import PATH, notification, window

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only tried with X11 on Linux")

CURL = "curl example.org"

ELSEWHERE = {"DISPLAY": ":77", "WAYLAND_DISPLAY": "wayland-77", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}
"""What an agent or a project may say of a desktop."""


def asking(desk, agent, command=CURL, **environ):
    """What a hook will say."""
    return agent.submit(desk.home.hook, "codex", envelope("codex", command, desk.home.root), **ELSEWHERE | environ)


@pytest.mark.parametrize(("key", "allowed"), [("y", True), ("n", False)])
def test_a_question_is_answered_in_a_window_that_opens(tmp_path, key, allowed):
    with Desk(tmp_path) as desk, ThreadPoolExecutor(1) as agent:
        assert "Without an open `asimi watch`" in desk.installs()
        said = asking(desk, agent)
        desk.presses(key, said.done)
        assert (said.result().out == "") is allowed
        eventually(lambda: not desk.windows("xterm"), "the window closes")


@pytest.mark.parametrize("words", [("--voice", "none"), ("--voice", "tmux"), None])
def test_without_a_window_that_a_person_wants_the_call_is_refused(tmp_path, words):
    """Nor is there one where the hook was never installed from a desktop."""
    with Desk(tmp_path) as desk, ThreadPoolExecutor(1) as agent:
        if words is not None:
            desk.installs(*words)
        assert refused(asking(desk, agent, **desk.desktop).result().out)
        assert not desk.windows("xterm")


def test_a_display_that_is_gone_is_a_refusal_in_its_time(tmp_path):
    with Desk(tmp_path) as desk, ThreadPoolExecutor(1) as agent:
        desk.desktop["DISPLAY"] = ":99"
        desk.installs()
        assert refused(asking(desk, agent).result().out)


def test_a_window_that_is_closed_is_no_yes(tmp_path):
    with Desk(tmp_path) as desk, ThreadPoolExecutor(2) as agent:
        desk.installs()
        said = [asking(desk, agent, f"curl example.org/{number}") for number in range(2)]
        eventually(lambda: shown_in(desk.home), "a window")
        desk.hand("windowkill", eventually(lambda: desk.windows("xterm"), "a window")[0])
        assert all(refused(each.result().out) for each in said)


def test_many_questions_open_one_window_which_outlives_the_first_that_asked(tmp_path):
    with Desk(tmp_path) as desk, ThreadPoolExecutor(4) as agents:
        desk.installs()
        said = [asking(desk, agents, f"curl example.org/{number}") for number in range(4)]
        eventually(lambda: shown_in(desk.home), "a window")
        for number in range(4):
            desk.presses("y", lambda number=number: sum(each.done() for each in said) > number)
            assert len(desk.windows("xterm")) <= 1
        assert [each.result().out for each in said] == [""] * 4


def test_a_notification_names_no_command_and_opens_a_window_when_it_is_clicked(tmp_path):
    with Desk(tmp_path, bus=True) as desk, ThreadPoolExecutor(1) as agent:
        desk.installs("--voice", "notification")
        said = asking(desk, agent)
        eventually(lambda: desk.windows("Dunst"), "a notification")
        eventually(lambda: shown_in(desk.home), "it can be clicked")
        assert not desk.windows("xterm")
        time.sleep(0.5)  # the service hears no click before it has drawn
        desk.hand("mousemove", "30", "30", "click", "1")
        desk.presses("y", said.done)
        assert said.result().out == ""


def test_a_notification_goes_when_its_question_was_answered_elsewhere(tmp_path):
    with Desk(tmp_path, bus=True) as desk, ThreadPoolExecutor(1) as agent:
        desk.installs("--voice", "notification")
        said = asking(desk, agent)
        eventually(lambda: desk.windows("Dunst"), "a notification")
        with desk.home.at_terminal("approve") as person:
            person.asked()
            person.presses("y")
            assert person.ended() == 0
        assert said.result().out == ""
        eventually(lambda: not desk.windows("Dunst"), "it goes")


def test_a_notification_that_is_closed_is_no_yes(tmp_path):
    with Desk(tmp_path, bus=True) as desk, ThreadPoolExecutor(1) as agent:
        desk.installs("--voice", "notification")
        said = asking(desk, agent)
        eventually(lambda: desk.windows("Dunst"), "a notification")
        time.sleep(0.5)
        desk.hand("mousemove", "30", "30", "click", "3")
        assert refused(said.result().out)


def test_a_refused_call_is_told_by_a_notification(tmp_path):
    """Gemini CLI shows its user none of them."""
    with Desk(tmp_path, bus=True) as desk:
        desk.installs()
        sent = envelope("gemini-cli", "npm publish", desk.home.root)
        assert refused(desk.home.hook("gemini-cli", sent, **ELSEWHERE).out)
        eventually(lambda: desk.windows("Dunst"), "a notification")


def test_a_window_names_where_asimis_files_are_and_nothing_of_the_agents(tmp_path):
    with Desk(tmp_path) as desk, ThreadPoolExecutor(1) as agent:
        desk.installs()
        said = asking(desk, agent, PYTHONPATH="/nowhere", LD_LIBRARY_PATH="/nowhere", MARK="agent")
        pid = eventually(lambda: shown_in(desk.home), "a window")[0]
        with open(f"/proc/{pid}/environ", "rb") as file:
            environ = dict(each.decode().split("=", 1) for each in file.read().split(b"\0") if each)
        assert environ["XDG_STATE_HOME"] == desk.home.environ["XDG_STATE_HOME"]
        assert {"MARK", "DISPLAY", "LD_LIBRARY_PATH"}.isdisjoint(environ)
        os.kill(pid, signal.SIGTERM)
        assert refused(said.result().out)


def test_programs_are_found_in_the_systems_directories_alone(tmp_path, monkeypatch):
    (tmp_path / "xterm").write_text("#!/bin/sh\n")
    (tmp_path / "xterm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = window({"DISPLAY": ":1"}, ["program"])
    assert not found or os.path.dirname(found[0]) in PATH.split(":")
    assert window({}, ["program"]) == []
    assert notification({}, "text") == []


def test_what_was_chosen_is_kept_and_none_but_known_voices_are(tmp_path):
    with Desk(tmp_path) as desk:
        kept = desk.home.state / "voice.json"
        desk.installs("--voice", "window,tmux")
        assert json.loads(kept.read_text())["voices"] == ["window", "tmux"]
        assert json.loads(kept.read_text())["environment"]["DISPLAY"] == desk.desktop["DISPLAY"]
        desk.installs()
        assert json.loads(kept.read_text())["voices"] == ["window", "tmux"]
        desk.installs("--voice", "none")
        assert json.loads(kept.read_text())["voices"] == []
        done = desk.home.asimi("hook", "install", "codex", "--voice", "mail")
        assert (done.returncode, "mail" in done.stderr) == (125, True)
