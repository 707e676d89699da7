"""Whose change it was: what a person edits while no call runs is not taken from them by an undo of a call."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time

import pytest
from helpers import PYTHON
from helpers.home import Home
from helpers.undo import RULES, Project, tree_of

from asimi.core.call import Loss
from asimi.core.errors import AsimiError
from asimi.doors.cli.undo import call_of, plan_of
from asimi.world.undo import keeper as keeping
from asimi.world.undo.calls import Calls
from asimi.world.undo.keeper import LATEST, directory_of
from asimi.world.undo.looks import Limits
from asimi.world.undo.restoring import BEHIND, BETWEEN


def calls_of(home):
    return Calls(f"{directory_of(str(home.state), os.path.realpath(home.root))}/calls")


AGENT = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
"""A process of its own, so that the test's is no agent, and the person at its terminal no agent's."""


def hooked(home, event, command, agent=(PYTHON, "-c", AGENT), **more):
    """Tell the hook of an agent of a call, which its person lets run."""
    said = {
        "session_id": "s",
        "transcript_path": "/tmp/t.jsonl",
        "permission_mode": "default",
        "cwd": str(home.root),
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": command,
    }
    said = json.dumps(said | more | {"hook_event_name": event})
    words = [*agent, PYTHON, "-m", "asimi", "hook", "claude-code"]
    subprocess.run(words, input=said, cwd=home.root, env=home.environ, text=True, capture_output=True, check=True)


def called(home, command, *, ends=True):
    """A call of an agent behind its hook, which tells its end or does not."""
    hooked(home, "PreToolUse", command)
    (home.root / command.split()[-1]).write_text("agent\n")
    if ends:
        hooked(home, "PostToolUse", command)
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
    assert "touch one  (no look at its end)" in home.asimi("undo").stdout
    with home.at_terminal("undo", call.id, columns=200) as person:
        person.sees("goes away         mine", "Take back 1 path in")
        person.types("y\r")
        person.sees("No look when the call ended", "Remove mine all the same?")
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
    assert "(cut short: 2 of 3 paths)" in home.asimi("undo").stdout
    with home.at_terminal("undo", call.id, columns=200) as person:
        person.sees("was cut short", "comes back        f1", "Take back 1 path")
        person.types("y\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["f0", "f1", "f2", "sub"]


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 64))])
def test_a_kill_at_a_random_moment_leaves_the_tree_before_or_after_or_says_so(tmp_path, seed):
    """Nothing is lost either way: the next undo ends what this one began."""
    chance, home = random.Random(seed), Home(tmp_path, RULES)
    for number in range(80):
        (home.root / f"f{number}").write_text("one\n")
    before = tree_of(home.root)
    some, rest = (" ".join(f"f{number}" for number in numbers) for numbers in (range(10), range(10, 80)))
    assert home.asimi("run", f"rm {some}; sed -i s/one/two/ {rest}; mkdir new; touch new/x").returncode == 0
    after = tree_of(home.root)
    (call,) = calls_of(home).all()
    with home.at_terminal("undo", call.id) as person:
        person.sees("Take back")
        begun = len(calls_of(home).all())
        person.types("y\r")
        while person.process.poll() is None and len(calls_of(home).all()) == begun:
            time.sleep(0.001)
        time.sleep(chance.random() / 4)
        person.process.kill()
        person.process.wait()
    left = tree_of(home.root)
    if left not in (before, after):
        assert re.search(r"\(cut short: \d+ of 82 paths\)", home.asimi("undo").stdout)
    with home.at_terminal("undo", call.id) as person:
        person.sees("There is nothing to take back" if left == before else "Take back")
        if left != before:
            person.types("y\r")
        assert person.ended() == 0
    assert tree_of(home.root) == before


@pytest.mark.parametrize("ends", [True, False])
def test_a_delete_that_rests_on_undo_is_listed_by_itself_however_long_a_look_takes(tmp_path, monkeypatch, ends):
    """What follows is one with what ran before it, where nobody looked between."""
    monkeypatch.setattr(keeping, "SLOW", -1.0)
    monkeypatch.setattr(keeping, "SELDOM", 1e9)
    monkeypatch.setattr(keeping, "ENDING", 60.0 if ends else -1.0)
    project, texts = Project(tmp_path), ("true", "rm one", "echo x > five", "echo x > six")
    project.write("one", "one\n")
    for text in texts:
        keeper = project.keeper()
        rests = [Loss(project.path("one"))] * (text == "rm one")
        assert keeper.before(text, project.request()._replace(command=text), rests)
        subprocess.run(text, shell=True, cwd=project.root, check=True)
        keeper.after(text)
    keeper = project.keeper()
    with keeper.lock(), keeper.store() as store:
        found = {
            (call.command, *(command for _, _, command in call.beside)): [
                step.path for step in plan_of(store, keeper, call).steps
            ]
            for call in keeper.calls.entries()
        }
    assert found[("rm one",)] == ["one"]
    assert found[texts[2:]] == ["six", "five"]


@pytest.mark.parametrize("writes", ["before", "never"])
def test_an_end_that_a_box_tells_moves_nothing_out_of_reach(tmp_path, writes):
    """What changes between that end and the next call is offered with the call, each path with a yes of its own."""
    project = Project(tmp_path)
    project.write("victim", "person\n")
    project.keeper().before("one", project.request("work", agent="codex", name="1"))
    if writes == "before":
        project.write("made", "agent\n")
    project.keeper().end_reported_call("codex", "1", "work", inside=True)
    project.write("victim", "inside, behind the end\n")
    project.keeper().before("two", project.request("next", agent="codex", name="2"))
    project.keeper().end_reported_call("codex", "2", "next", inside=True)
    keeper = project.keeper()
    call = keeper.calls.all()[0]
    with keeper.lock(), keeper.store() as store:
        steps = {step.path: step.doubt for step in plan_of(store, keeper, call).steps}
    assert steps == {"victim": BEHIND} | ({"made": ""} if writes == "before" else {})


def test_a_call_of_a_box_that_changed_nothing_goes_with_the_next_end(tmp_path):
    project = Project(tmp_path)
    for name in ("1", "2", "3"):
        project.keeper().before(name, project.request("work", agent="codex", name=name))
        project.keeper().end_reported_call("codex", name, "work", inside=True)
    assert [call.id for call in project.keeper().calls.all()] == ["3"]
    with pytest.raises(AsimiError, match="No call is left"):
        call_of(project.keeper(), "last")


def test_a_look_at_the_end_that_takes_too_long_leaves_the_call_marked(tmp_path):
    """The agent does not wait for it, and a half look is none."""
    project = Project(tmp_path)
    project.write("a", "x")
    project.keeper().before("one", project.request("work", agent="codex", name="1"))
    project.write("b", "x")
    project.limits = Limits(seconds=-1.0)
    project.keeper().end_reported_call("codex", "1", "work")
    (call,) = project.keeper().calls.all()
    assert call.after == ""


def test_what_a_person_edited_between_two_calls_that_changed_the_same_file_is_in_doubt(tmp_path):
    """With `--back`, its state before the first call comes back only after a yes of its own."""
    project = Project(tmp_path)
    project.write("a", "1")
    first = project.call("echo 2 > a; echo 2 > b")
    project.write("a", "3")
    project.call("echo 4 > a; echo 4 > b")
    keeper = project.keeper()
    with keeper.lock(), keeper.store() as store:
        steps = {step.path: step.doubt for step in plan_of(store, keeper, first, back=True).steps}
    assert steps == {"a": BETWEEN, "b": ""}


WAITS = "while [ ! -e go ]; do sleep 0.05; done"


def test_calls_that_run_at_the_same_time_are_one(tmp_path):
    """One entry has what both changed, the list says so, and either ID takes it back."""
    home = Home(tmp_path, RULES)
    with home.start("run", f"touch begun; {WAITS}; echo a > one") as running:
        home.has_begun()
        assert home.asimi("run", "echo b > two; touch go").returncode == 0
    assert running.returncode == 0
    (home.root / "mine").write_text("person\n")
    lines = home.asimi("undo").stdout.splitlines()
    assert ["4 files" in lines[0], "with the one above" in lines[1], len(lines)] == [True, True, 2]
    with home.at_terminal("undo", lines[1].split()[0], columns=200) as person:
        person.sees(
            "with, at that time  echo b > two", "goes away         one", "goes away         two", "Take back 4 paths"
        )
        assert "mine" not in person.display
        person.types("y\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["mine", "sub"]
    assert "No call is left to take back" in home.asimi("undo", "last").stderr


def test_what_a_call_left_running_writes_later_is_shown_as_such(tmp_path):
    """It is a line of its own, each path takes its own yes, and what came after its end is nobody's."""
    home = Home(tmp_path, RULES)
    assert home.asimi("run", f"touch one; ({WAITS}; echo x > late; rm go) > /dev/null 2>&1 &").returncode == 0
    (call,) = calls_of(home).all()
    (home.root / "go").touch()
    while not (home.root / "late").exists() or (home.root / "go").exists():
        time.sleep(0.05)
    called(home, "touch two")
    (home.root / "mine").write_text("person\n")
    called(home, "touch three")
    lines = home.asimi("undo").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [each[-8:] for each in (call.id, call.id, *later(home, call))]
    assert "in the background of it" in lines[1]
    assert "1 file" in lines[1]
    with home.at_terminal("undo", call.id, columns=200) as person:
        person.sees("goes away         one", "Take back 1 path in")
        assert "mine" not in person.display
        person.types("y\r")
        person.sees("something that it left running may have done it", "Remove late all the same?")
        person.types("n\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["late", "mine", "sub", "three", "two"]


def later(home, call):
    return [each.id for each in calls_of(home).all() if each.time > call.time]


@pytest.mark.parametrize("by", ["itself", "its agent"])
def test_what_a_command_of_an_agent_left_running_is_shown_as_such(tmp_path, by):
    """A process that lost its parent is found by its directory; one that the agent keeps, by the agent's own word."""
    home = Home(tmp_path, RULES)
    hooked(home, "PreToolUse", "server", agent=())
    line = ["sh", "-c", f"{WAITS}; echo x > late; exec sleep 600"]
    if by == "itself":
        process = None
        subprocess.run(["sh", "-c", '"$@" & echo $! > pid', "-", *line], cwd=home.root, check=True)
    else:
        process = subprocess.Popen(line, cwd=home.root)
    kept = {"tool_input": {"command": "server", "run_in_background": True}} if by == "its agent" else {}
    hooked(home, "PostToolUse", "server", agent=(), **kept)
    (home.root / "go").touch()
    while not (home.root / "late").exists():
        time.sleep(0.05)
    called(home, "touch two")
    try:
        lines = home.asimi("undo").stdout.splitlines()
        assert any("in the background of it" in line and "server" in line for line in lines)
        assert "ran on meanwhile" in lines[-1]
    finally:
        if process is None:
            os.kill(int((home.root / "pid").read_text()), signal.SIGKILL)
        else:
            process.kill()
            process.wait()


def test_what_a_person_edits_while_the_agents_own_prompt_waits_is_not_the_calls(tmp_path):
    """The agent says how long the command ran; where its person said no, nothing is the call's."""
    home = Home(tmp_path, '[undo]\nkeep = "3d"\n')
    hooked(home, "PreToolUse", "touch one")
    (home.root / "mine").write_text("person\n")
    wrote = os.lstat(home.root / "mine").st_ctime
    while time.time() < wrote + LATEST + 1:
        time.sleep(0.05)
    (home.root / "one").touch()
    hooked(home, "PostToolUse", "touch one", duration_ms=1)
    assert "1 file " in home.asimi("undo").stdout
    assert "mine" not in home.asimi("undo", "last", "--diff").stdout
    hooked(home, "PreToolUse", "touch two")
    (home.root / "two").touch()
    hooked(home, "PermissionDenied", "touch two")
    assert len(home.asimi("undo").stdout.splitlines()) == 1
