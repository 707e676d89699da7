"""Behind a hook, a question that nobody watches for appears in a popup of tmux, at the person's own client."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time

import pytest
from helpers import PYTHON
from helpers.voices import Pane, eventually, refused, shown_in

from asimi.world.approvers.voices.tmux import active_client, listening_path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells where an agent sits")

CURL = "curl example.org"


@pytest.fixture
def pane(tmp_path):
    with Pane(tmp_path) as made:
        yield made


def shown(pane):
    """The processes that show questions until none waits."""
    return shown_in(pane.home)


@pytest.mark.parametrize(("key", "allowed"), [("y", True), ("n", False)])
def test_a_question_is_answered_in_a_popup_over_the_persons_client(pane, key, allowed):
    with pane.sits() as person:
        person.enters(pane.asks(CURL))
        assert CURL in person.asked()
        person.presses(key)
        assert "┌" not in person.sees("ended agent0")
        assert (pane.said() == "") is allowed
        assert not refused(pane.said())
    record = next(line for line in pane.home.log() if "approval" in line)
    assert record["approval"]["by"] == "watch"


def test_keys_typed_when_a_popup_opens_are_no_answer(pane):
    with pane.sits() as person:
        person.enters(pane.asks(CURL))
        while "run this command" not in person.display:
            person.types("y")  # as somebody does who writes to the agent meanwhile
        person.types("y")
        person.asked()
        assert shown(pane)
        person.presses("n")
        person.sees("ended agent0")
    assert "deny" in pane.said()


@pytest.mark.parametrize("named", [{}, {"TMUX": "OTHER,1,0"}])
def test_no_variable_of_the_agents_says_where_a_question_appears(pane, tmp_path, named):
    other = Pane(tmp_path / "other")
    other.home.root.parent.mkdir(exist_ok=True)
    with other, other.sits() as stranger, pane.sits() as person:
        set_to = {
            "TMUX": f"{other.socket},1,0",
            "DISPLAY": ":7",
            "WAYLAND_DISPLAY": "wayland-7",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
            "TMUX_TMPDIR": str(tmp_path),
        } | named
        exports = "; ".join(f"export {name}='{value}'" for name, value in set_to.items())
        person.enters(pane.asks(CURL, before=exports))
        person.asked()
        assert "curl" not in stranger.display
        person.presses("y")
        person.sees("ended agent0")
    assert pane.said() == ""


def test_what_the_agent_sets_in_the_server_reaches_no_popup(pane):
    with pane.sits() as person:
        for name in ("PYTHONPATH", "HOME", "XDG_RUNTIME_DIR", "PYTHONINSPECT"):
            pane.tmux("set-environment", "-g", name, "/nowhere")
        pane.tmux("set-option", "-g", "default-shell", "/bin/false")
        person.enters(pane.asks(CURL))
        person.asked()
        person.presses("y")
        person.sees("ended agent0")
    assert pane.said() == ""


def test_without_a_client_the_call_is_refused_with_the_name_of_its_question(pane):
    command = pane.asks(CURL).removeprefix("clear; ")
    pane.tmux("-f", "/dev/null", "new-session", "-d", "-c", str(pane.home.root), command)
    assert refused(eventually(lambda: (pane.home.root / "agent0.out").exists() and pane.said(), "an answer"))


def test_a_client_that_came_after_the_agent_is_asked_nothing(pane):
    """It may be the agent's: whoever has the server's socket can attach one."""
    with pane.sits() as person:
        go = pane.home.root / "go"
        person.enters(pane.asks(CURL, before=f"until [ -e {go} ]; do sleep 0.05; done"))
        with pane.sits("attach-session", shows="[0]") as late:
            late.presses(" ")
            go.touch()
            person.asked()
            assert CURL not in late.display
            person.presses("y")
            person.sees("ended agent0")
    assert pane.said() == ""


def test_a_client_of_another_session_is_asked_nothing(pane):
    with pane.sits() as person, pane.sits("new-session", "exec env PS1='> ' /bin/bash --norc -i") as other:
        person.enters(pane.asks(CURL))
        other.presses(" ")
        person.asked()
        assert CURL not in other.display
        person.presses("y")
        person.sees("ended agent0")
    assert pane.said() == ""


def test_of_two_clients_the_one_that_was_used_last_is_asked(pane):
    with pane.sits() as person, pane.sits("attach-session") as other:
        time.sleep(1.1)  # tmux counts in seconds
        other.enters(pane.asks(CURL))
        other.asked()
        assert "run this command" not in person.display
        other.presses("y")
        other.sees("ended agent0")
    assert pane.said() == ""


def test_where_another_popup_is_open_the_call_is_refused_with_the_name_of_its_question(pane):
    with pane.sits() as person:
        go = pane.home.root / "go"
        person.enters(pane.asks(CURL, before=f"until [ -e {go} ]; do sleep 0.05; done"))
        client = pane.tmux("list-clients", "-F", "#{client_name}").strip()
        pane.tmux("run-shell", "-b", f"tmux display-popup -c {client} -E 'echo another popup; cat'")
        person.sees("another popup")
        go.touch()
        assert refused(eventually(lambda: (pane.home.root / "agent0.out").exists() and pane.said(), "an answer"))
        assert "another popup" in person.display


@pytest.mark.parametrize("way", ["ctrl-c", "tmux", "kill", "detach"])
def test_a_popup_that_is_closed_is_no_yes(pane, way):
    with pane.sits() as person:
        person.enters(pane.asks(CURL, "wget example.org"))
        person.asked()
        if way == "ctrl-c":
            person.types("\x03")
        elif way == "kill":
            os.kill(shown(pane)[0], signal.SIGKILL)
        else:
            client = pane.tmux("list-clients", "-F", "#{client_name}").strip()
            pane.tmux(*(("display-popup", "-C", "-c", client) if way == "tmux" else ("detach-client", "-t", client)))
        said = eventually(
            lambda: (
                all((pane.home.root / f"agent{n}.out").exists() for n in (0, 1))
                and all(pane.said(n) for n in (0, 1))
                and [pane.said(n) for n in (0, 1)]
            ),
            "both answers",
        )
        assert all(map(refused, said))
        assert all("deny" in each for each in said)
    assert not shown(pane)


def test_a_dialog_ends_with_the_process_that_asked(pane):
    with pane.sits() as person:
        person.enters(pane.asks(CURL, before="echo $$ > pid"))
        person.asked()
        asking = re.search(r"gate-(\d+)-", " ".join(os.listdir(pane.home.home / "run/asimi/questions")))
        os.kill(int(asking[1]), signal.SIGKILL)
        eventually(lambda: not shown(pane), "the popup ends")
        eventually(lambda: "run this command" not in person.display, "it is gone")
    assert pane.said() == "" or "deny" in pane.said() or "block" in pane.said()


def test_a_popup_outlives_the_pane_and_answers(pane):
    with pane.sits() as person:
        person.enters(pane.asks(CURL))
        person.asked()
        first = pane.tmux("list-panes", "-F", "#{pane_id}").strip()
        pane.tmux("split-window", "-d", "exec env PS1='> ' /bin/bash --norc -i")
        pane.tmux("respawn-pane", "-k", "-t", first, "sleep 100")
        eventually(lambda: "sleep" in pane.tmux("list-panes", "-F", "#{pane_current_command}"), "the pane ended")
        person.presses("y")
        eventually(lambda: not shown(pane), "the popup ends")
    said = pane.home.root / "agent0.out"
    assert said.read_text() == ""


def test_a_server_in_the_place_of_the_agents_is_asked_nothing(pane):
    with pane.sits() as person:
        go = pane.home.root / "go"
        person.enters(pane.asks(CURL, before=f"until [ -e {go} ]; do sleep 0.05; done"))
        os.rename(pane.socket, pane.socket.with_name("moved"))
        with pane.sits() as stranger:
            go.touch()
            assert refused(eventually(lambda: (pane.home.root / "agent0.out").exists() and pane.said(), "an answer"))
            assert CURL not in stranger.display
        pane.tmux("kill-server", check=False)
        os.rename(pane.socket.with_name("moved"), pane.socket)


def test_many_questions_come_one_after_the_other_in_one_popup(pane):
    with pane.sits() as person:
        person.enters(pane.asks(*(f"curl example.org/{number}" for number in range(10))))
        person.asked()
        popups = set()
        while now := shown(pane):
            popups.update(now)
            if "[n] deny" in person.display:
                person.presses("y")  # one that comes before its question can be read is no answer
            time.sleep(0.1)
    assert len(popups) == 1
    assert [pane.said(number) for number in range(10)] == [""] * 10


def test_what_takes_a_typed_word_is_refused_and_never_in_a_popup(pane):
    with pane.sits() as person:
        person.enters(pane.asks("npm publish"))
        person.sees("ended agent0")
    assert refused(pane.said())


@pytest.mark.parametrize(
    ("config", "opens"), [('questions = "agent"', False), ('questions = "asimi"', True), ("", True)]
)
def test_a_person_who_leaves_questions_to_agents_is_asked_in_no_popup(pane, config, opens):
    pane.home.config.write_text(f"[session]\n{config}\n")
    with pane.sits() as person:
        person.enters(pane.asks(CURL))
        if opens:
            person.asked()
            person.presses("n")
        person.sees("ended agent0")
    assert refused(pane.said()) is not opens


def test_an_open_watch_is_asked_and_no_popup_opens(pane):
    with pane.sits() as person, pane.home.at_terminal("watch") as watcher:
        watcher.sees("Waiting for questions")
        person.enters(pane.asks(CURL))
        watcher.asked()
        assert "run this command" not in person.display
        watcher.presses("y")
        person.sees("ended agent0")
    assert pane.said() == ""


def test_install_and_doctor_try_the_voice_with_a_question_that_runs_nothing(pane):
    with pane.sits() as person:
        person.enters(f"{PYTHON} -m asimi hook install gemini-cli")
        person.sees("Change ")
        person.enters("y")
        shown = person.asked()
        assert "echo trial" in shown
        assert "A trial: any answer will do" in shown
        person.presses("y")
        shown = person.sees("your answer arrived")
        assert "so asimi asks you itself" in shown
        assert "In this terminal none is" not in shown
        person.enters(f"clear; {PYTHON} -m asimi hook doctor gemini-cli")
        assert "echo trial" in person.asked()
        person.types("\x03")
        person.sees("got no answer there")
    assert "echo trial" not in json.dumps(pane.home.log())


def test_install_outside_of_tmux_says_that_questions_are_refused_there(pane):
    said = " ".join(pane.home.asimi("hook", "install", "codex").stdout.split())
    assert "popup in tmux, for agents that run in it. In this terminal none is. Without an `asimi watch`" in said


@pytest.mark.parametrize("size", [{"columns": 40, "rows": 24}, {"columns": 80, "rows": 24}])
def test_a_popup_shows_the_whole_question_in_a_small_terminal(pane, size):
    with pane.sits(**size) as person:
        person.enters(pane.asks(CURL))
        if "press v" in person.sees("> curl example.org", "[n] deny"):  # a long directory leaves a line too few
            person.presses("v")
        person.sees("[y]", "[n] deny")
        person.presses("n")
        eventually(lambda: not shown(pane), "the popup ends")


CLIENTS = "00 100 11 $1 /dev/pts/1\n00 200 12 $1 /dev/pts/2\n00 300 13 $2 /dev/pts/3\n10 400 14 $1 /dev/pts/4\n"


@pytest.mark.parametrize(
    ("panes", "theirs", "client"),
    [
        ("5 $1\n6 $2\n", {11, 12, 13, 14}, "/dev/pts/2"),
        ("5 $1\n6 $2\n", {11, 13}, "/dev/pts/1"),
        ("5 $2\n6 $1\n", {11, 12, 13}, "/dev/pts/3"),
        ("5 $1\n5 $2\n", {11, 12, 13}, "/dev/pts/3"),  # a window that two sessions share
        ("6 $1\n", {11, 12, 13}, ""),
        ("", {11}, ""),
        ("5 $1\n", set(), ""),
    ],
)
def test_a_client_is_chosen_by_the_agents_pane_by_whose_it_is_and_by_its_use(panes, theirs, client):
    assert active_client(CLIENTS, panes, {4, 5}, theirs.__contains__) == client


def test_a_servers_socket_is_the_one_at_which_its_own_descriptor_listens():
    table = "Num RefCount Protocol Flags Type St Inode Path\n"
    accepted = "0: 00000003 00000000 00000000 0001 03 17 /tmp/a/s\n"
    other = "0: 00000002 00000000 00010000 0001 01 18 /tmp/b/s\n"
    there = "0: 00000002 00000000 00010000 0001 01 19 /tmp/c d/s\n"
    assert listening_path(table + accepted + other + there, {"socket:[17]", "socket:[19]", "/dev/null"}) == "/tmp/c d/s"
    assert listening_path(table + accepted + other, {"socket:[17]"}) == ""
