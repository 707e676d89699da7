"""A box from its start to its end: what works in there, and that nothing of it is left by whatever way it ends."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from helpers.executors import eventually


@pytest.fixture(scope="module")
def inside(yard):
    """A box that all tests of a user share, which leave nothing in it."""
    return yard.box()


def test_who_asks_before_the_start_is_through_waits_for_it(inside):
    assert inside.early == [""]


def running(text):
    """The processes of this machine with a text in their command line."""
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found += [int(pid)] if text.encode() in file.read() else []
        except OSError:
            continue
    return found


SERVED = """\
python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 & sleep 1
python3 -c 'import urllib.request as u; u.urlopen("http://127.0.0.1:8123/")'; code=$?; kill %1; (exit $code)"""


@pytest.mark.parametrize(
    "command",
    [
        "echo x > made && cat made && rm made",
        "mkdir -p a/b && touch a/b/c && mv a d && rm -r d",
        "echo x > /tmp/x && cat /tmp/x && mktemp && rm /tmp/x",
        "echo x > $TMPDIR/y",
        "echo 2 >> file && git add file && git commit -qm two && git status --porcelain",
        "git switch -qc other && git switch -q main && git branch -D other",
        "git stash list && git log --oneline && git gc -q",
        "git tag one && git tag -d one && git diff HEAD~0",
        "python3 -c 'import multiprocessing as m; m.Lock(); print(m.Pool(2).map(abs, [-1]))'",
        'python3 -c \'import sqlite3; c = sqlite3.connect("x.db"); c.execute("create table t(a)")\' && rm x.db',
        SERVED,
        '[ "$ASIMI_BOX" = /run/asimi ] && touch /run/asimi/tmp/x && rm /run/asimi/tmp/x',
        "echo x > ~/.cache/tool && cat ~/.cache/tool && rm ~/.cache/tool",
        "date > /dev/null; head -c1 /dev/urandom > /dev/null; echo > /dev/shm/x; rm /dev/shm/x",
        "git config user.name && git log -1 --format=%an | grep -q Ada",
        "echo 'int main(){return 0;}' > m.c; if command -v cc; then cc m.c -o m && ./m; fi; rm -f m m.c",
    ],
)
def test_developers_work_goes_on(inside, command):
    said, code = inside(command)
    assert code == 0, said


def test_all_is_held_from_the_start(inside):
    assert inside.ask("restore") == ""


def test_the_exit_code_is_the_programs(fresh):
    box = fresh.box()
    box.process.stdin.write('["run", "exit 7"]\n')
    box.process.stdin.flush()
    assert box.process.stdout.readline() == '["", null]\n'
    assert box.ask("wait") == 7


def test_a_signal_reaches_the_program(fresh):
    box = fresh.box()
    box("trap 'echo heard > heard' USR1")
    box.ask("signal", signal.SIGUSR1)
    assert eventually(lambda: box("cat heard")[0] == "heard\n")


def test_the_inside_stands_still_while_it_should(fresh):
    box = fresh.box()
    box("(while :; do date +%s%N > ticks; done) & sleep 0.2")
    assert box.ask("still") == "still"
    before = (fresh.root / "ticks").read_text()
    time.sleep(0.3)
    assert (fresh.root / "ticks").read_text() == before
    assert box.ask("go on") == "goes on"
    assert eventually(lambda: (fresh.root / "ticks").read_text() not in {before, ""})


def test_what_stood_still_before_stays_so(fresh):
    box = fresh.box()
    pid = box("sleep 1000 & kill -STOP $!; sleep 0.1; echo $!")[0].strip()
    box.ask("still")
    box.ask("go on")
    assert box(f"grep State /proc/{pid}/status")[0].split()[1] == "T"


def test_the_end_leaves_nothing(fresh):
    box = fresh.box(agent="codex")
    box("(setsid sleep 98765 &); sleep 0.1")
    assert running("sleep\x0098765")
    assert fresh.left()
    box.end()
    assert fresh.left() == []
    assert not running("sleep\x0098765")
    assert not running(str(fresh.root))
    assert [path.name for path in (fresh.home / ".codex").iterdir()] == []


REPLACES = "t=$(readlink -f ~/.codex/config.toml) && cat $t && echo two > $t.new && mv $t.new $t"


@pytest.mark.parametrize("there", ["one = 1\n", ""])
def test_a_settings_file_that_an_agent_replaces_is_a_copy(fresh, there):
    """As Codex does it: the new file is written beside what a link leads to, and renamed."""
    settings = fresh.home / ".codex/config.toml"
    if there:
        fresh.write(settings, there)
    box = fresh.box(agent="codex")
    assert box(REPLACES) == (there, 0)
    assert box("cat ~/.codex/config.toml") == ("two\n", 0)
    assert box("mv /tmp/x ~/.codex/config.toml; rm -f ~/.codex/config.toml")[1] != 0
    if there:
        fresh.replace(settings, "mine\n")
        assert box.ask("restore") == ""
        assert box("cat ~/.codex/config.toml; echo x > ~/.codex/config.toml")[1] != 0
        assert settings.read_text() == "mine\n"
    box.end()
    assert [path.name for path in (fresh.home / ".codex").iterdir()] == (["config.toml"] if there else [])


def test_settings_that_are_a_link_are_a_copy_of_what_it_leads_to(fresh):
    fresh.write(fresh.home / "dotfiles/codex.toml", "one\n")
    (fresh.home / ".codex").mkdir()
    (fresh.home / ".codex/config.toml").symlink_to(fresh.home / "dotfiles/codex.toml")
    fresh.own()
    box = fresh.box(agent="codex")
    assert box(REPLACES) == ("one\n", 0)
    assert box("rm ~/.codex/config.toml")[1] != 0
    assert (fresh.home / "dotfiles/codex.toml").read_text() == "one\n"


def test_what_leads_to_an_agents_processes_outside_is_not_there(fresh):
    outside = fresh.home / ".codex/app-server-control"
    fresh.write(outside / "before", "x")
    box = fresh.box(agent="codex")
    fresh.write(outside / "later", "x")
    assert box("ls -A ~/.codex/app-server-control ~/.codex/tmp && touch ~/.codex/tmp/x")[0].split() == [
        f"{outside}:",
        f"{fresh.home}/.codex/tmp:",
    ]
    box("touch ~/.codex/app-server-control/inside")
    assert sorted(path.name for path in outside.iterdir()) == ["before", "later"]


def test_an_agent_writes_beside_what_its_person_has_in_a_directory_of_the_boxs(fresh):
    fresh.write(fresh.home / ".codex/skills/mine/SKILL.md", "mine")
    box = fresh.box(agent="codex")
    assert box("mkdir ~/.codex/skills/.system && touch ~/.codex/skills/.system/x && rmdir ~/.codex/skills/.system") != 0
    assert box("cat ~/.codex/skills/mine/SKILL.md") == ("mine", 0)
    assert box("echo x > ~/.codex/skills/mine/SKILL.md || rm -r ~/.codex/skills/mine")[1] != 0
    assert [path.name for path in (fresh.home / ".codex/skills").iterdir()] == ["mine"]


def test_a_killed_asimi_leaves_nothing(fresh):
    box = fresh.box(agent="codex")
    box("(setsid sleep 98764 &); sleep 0.1")
    box.process.kill()
    box.process.wait()
    assert eventually(lambda: fresh.left() == [] and not running("sleep\x0098764"))


def bwrap_of(box):
    """The number of the bwrap that waits for a box, and that of its keeper."""
    parents = []
    for pid in (box.first, None):
        with open(f"/proc/{pid or parents[-1]}/stat", "rb") as file:
            parents.append(int(file.read().rpartition(b") ")[2].split()[1]))
    return parents


@pytest.mark.parametrize("who", ["bwrap", "keeper", "first"])
def test_whatever_is_killed_nothing_is_left(fresh, who):
    box = fresh.box()
    box("(setsid sleep 98763 &); sleep 0.1")
    bwrap, keeper = bwrap_of(box)
    os.kill({"bwrap": bwrap, "keeper": keeper, "first": box.first}[who], signal.SIGKILL)
    assert eventually(lambda: not running("sleep\x0098763"))
    assert box.ask("restore") != ""
    box.end()
    assert fresh.left() == []


def test_what_both_leave_when_killed_is_removed_by_the_next_start(fresh):
    box = fresh.box()
    _, keeper = bwrap_of(box)
    os.kill(box.process.pid, signal.SIGSTOP)
    os.kill(keeper, signal.SIGKILL)
    box.process.kill()
    box.process.wait()
    assert eventually(lambda: not os.path.exists(f"/proc/{box.first}"))
    assert fresh.left()
    fresh.box().end()
    assert fresh.left() == []


def test_what_somebody_still_mounts_on_is_removed_when_nobody_does(fresh):
    """Such is a process inside that takes long to end; here it came in from outside."""
    if fresh.nobody:
        pytest.skip("nobody else than root may enter, and what root's processes mount is not seen by others")
    box = fresh.box()
    stays = subprocess.Popen(["nsenter", "-t", str(box.first), "-m", "--", "sleep", "1000"])
    try:
        assert eventually(lambda: Path(f"/proc/{stays.pid}/comm").read_text() == "sleep\n")
        box.end()
        assert fresh.left()
    finally:
        stays.kill()
        stays.wait()
    assert eventually(lambda: fresh.left() == [])


def test_two_boxes_of_one_project_need_each_others_names(fresh):
    one, two = fresh.box(), fresh.box()
    one.end()
    said, code = two("echo x > .git/commondir")
    assert (code, "Read-only" in said) == (1, True)
    assert two("rm .git/commondir")[1] == 1
    assert two.ask("restore") == ""
    two.end()
    assert fresh.left() == []


@pytest.mark.parametrize("made", ["ln -s {}/kept", "ln -s {}/new", "mkfifo", "mkdir"])
def test_a_copy_is_not_put_where_a_box_has_led_it(fresh, made):
    """An agent's own directory outlives a box, so what is in there may be anything."""
    fresh.write(fresh.home / ".copilot" / "config.json", "login")
    box = fresh.box(agent="copilot")
    said, code = box("cat ~/.copilot/config.json")
    assert (said, code) == ("login", 0)
    said, code = box(f"rm ~/.copilot/config.json && {made.format(fresh.outside)} ~/.copilot/config.json")
    assert code == 0, said
    box.end()
    if made == "mkdir":
        process = fresh.process({"agent": "copilot"})
        assert "remove it" in process.communicate()[0]
    else:
        assert fresh.box(agent="copilot")("cat ~/.copilot/config.json") == ("login", 0)
    assert fresh.untouched()
    assert (fresh.home / ".copilot" / "config.json").read_text() == "login"
