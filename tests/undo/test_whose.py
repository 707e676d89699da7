"""Whose change it was: what a person edits while no call runs is not taken from them by an undo of a call."""

from __future__ import annotations

import json
import os
import time

from helpers.home import Home
from helpers.undo import tree_of

from asimi.world.undo.calls import Calls
from asimi.world.undo.keeper import directory_of

RULES = """
[files]
write = ["**"]
[undo]
keep = "3d"
[[rules]]
decision = "allow"
effects = ["read", "write", "delete", "code"]
"""


def calls_of(home):
    return Calls(f"{directory_of(str(home.state), os.path.realpath(home.root))}/calls")


def called(home, command, *, ends=True):
    """A call of an agent behind its hook, which tells its end or does not."""
    said = {
        "session_id": "s",
        "transcript_path": "/tmp/t.jsonl",
        "permission_mode": "default",
        "cwd": str(home.root),
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": command,
    }
    assert home.asimi("hook", "claude-code", stdin=json.dumps(said | {"hook_event_name": "PreToolUse"})).returncode == 0
    (home.root / command.split()[-1]).write_text("agent\n")
    if ends:
        said |= {"hook_event_name": "PostToolUse", "tool_response": {"stdout": ""}}
        assert home.asimi("hook", "claude-code", stdin=json.dumps(said)).returncode == 0
    return calls_of(home).all()[-1]


def older(home, call, name):
    """Say that a call began when the agent wrote a file, and return once a change can be told from that."""
    began = os.lstat(home.root / name).st_ctime
    calls_of(home).keep(call._replace(time=began))
    while time.time() < began + 2.2:
        time.sleep(0.05)


def test_what_a_person_edits_between_two_calls_is_nobodys(tmp_path):
    """Where ends are told, no undo names it: not of the call before, not of both with `--back`."""
    home = Home(tmp_path, RULES)
    first = called(home, "touch one")
    (home.root / "mine").write_text("person\n")
    (home.root / "one").write_text("agent\nperson\n")
    called(home, "touch two")
    assert "mine" not in home.asimi("undo", first.id, "--diff").stdout
    assert "mine" not in home.asimi("undo", first.id, "--back", "--diff").stdout
    with home.at_terminal("undo", first.id, "--back", columns=200) as person:
        person.sees("goes away         two", "Take back 1 path in")
        person.types("y\r")
        person.sees("It has changed since the call", "Remove one all the same?")
        assert "mine" not in person.display
        person.types("n\r")
        assert person.ended() == 0
    left = {name: what[2] for name, what in tree_of(home.root).items() if what[0] == "file"}
    assert left == {"mine": b"person\n", "one": b"agent\nperson\n"}


def test_where_no_end_is_told_each_later_change_is_a_question_of_its_own(tmp_path):
    """A file that a person wrote before the agent's next call goes with a yes to that file alone."""
    home = Home(tmp_path, RULES)
    call = called(home, "touch one", ends=False)
    older(home, call, "one")
    (home.root / "mine").write_text("person\n")
    called(home, "touch two")
    assert "touch one  (nobody told its end)" in home.asimi("undo").stdout
    with home.at_terminal("undo", call.id, columns=200) as person:
        person.sees("goes away         mine", "Take back 1 path in")
        person.types("y\r")
        person.sees("Nobody told when the call ended", "Remove mine all the same?")
        person.types("n\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["mine", "sub", "two"]


def test_a_file_that_a_person_changed_since_takes_its_own_yes(tmp_path):
    """A yes to the rest does not overwrite it; where it is all there is, a no changes nothing."""
    home = Home(tmp_path, RULES)
    (home.root / "a").write_text("one\n")
    assert home.asimi("run", "echo two > a").returncode == 0
    (home.root / "a").write_text("three\n")
    for answer, code, content in (("n", 126, "three\n"), ("y", 0, "one\n")):
        with home.at_terminal("undo", "last", columns=200) as person:
            person.sees("as it was         a  (changed since)", "Replace a all the same?")
            person.types(f"{answer}\r")
            assert person.ended() == code
        assert (home.root / "a").read_text() == content


def test_an_undo_that_was_cut_short_says_so_and_its_own_files_go(tmp_path):
    home = Home(tmp_path, RULES)
    for number in range(3):
        (home.root / f"f{number}").write_text("x")
    assert home.asimi("run", "rm f0 f1 f2").returncode == 0
    (call,) = calls_of(home).all()
    with home.at_terminal("undo", "last") as person:
        person.sees("[y/n]")
        person.types("y\r")
        assert person.ended() == 0
    undone = calls_of(home).all()[-1]
    calls_of(home).keep(undone._replace(after="", ended=0.0))  # as a kill leaves it, with a file beside its place
    (home.root / "f1").rename(home.root / ".asimi-undo.0123456789abcdef")
    assert "(cut short)" in home.asimi("undo").stdout
    with home.at_terminal("undo", call.id, columns=200) as person:
        person.sees("was cut short", "comes back        f1", "Take back 1 path")
        person.types("y\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["f0", "f1", "f2", "sub"]
