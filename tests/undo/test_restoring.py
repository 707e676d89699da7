"""What comes back is what was there, byte by byte, whatever a call did; nothing else is touched, no link followed."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import time
from shutil import which

import pytest
from helpers import MODULES
from helpers.undo import Project, generated, grown, tree_of

from asimi.core.call import Loss, Place, Request
from asimi.core.errors import AsimiError
from asimi.world.undo.looks import Limits
from asimi.world.undo.restoring import Moment, make_plan, restore
from asimi.world.undo.store import Store

pytestmark = pytest.mark.skipif(not which("bwrap"), reason="what is generated runs in bubblewrap")


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(20, 60))])
def test_undo_gives_back_the_tree_that_a_call_changed(tmp_path, seed):
    """Whatever writes, moves, links or deletes: the tree before is the tree after undo, with modes and links."""
    chance, project = random.Random(seed), Project(tmp_path)
    grown(chance, project)
    if seed % 3:
        project.commits()
    for _ in range(6):
        before = tree_of(project.root)
        texts = "\n".join(generated(chance, project) for _ in range(chance.randint(1, 3)))
        if (call := project.call(texts)) is None:
            assert tree_of(project.root) == before, texts
            continue
        after = tree_of(project.root)
        failed = project.takes_back(call)
        fifos = {path for path, what in after.items() if what[0] == "special"}
        left = {path: what for path, what in tree_of(project.root).items() if path not in fifos}
        held = {path for path in left if any(each.startswith(f"{path}/") for each in fifos)}
        assert {path: what for path, what in left.items() if path in before or path not in held} == {
            path: what for path, what in before.items() if path not in fifos
        }, (texts, failed, project.plan)
        if not fifos:
            assert not failed, texts
            project.call("again", lambda _: None)
        project.bash("find . -type p -delete")


def test_undo_of_undo_is_what_the_call_had_made(tmp_path):
    """Today's state is kept first, so undo can be undone."""
    project = Project(tmp_path)
    project.write("a", "one")
    project.write("d/b", "two")
    first = project.call("rm -rf d; echo 1 > a; echo n > new")
    made = tree_of(project.root)
    second = project.call("undo", lambda _: project.takes_back(first))
    project.takes_back(second)
    assert tree_of(project.root) == made


def test_only_the_paths_that_are_asked_for_come_back(tmp_path):
    """The rest stays as the call left it."""
    project = Project(tmp_path)
    for name in ("a", "d/b", "d/c", "e"):
        project.write(name, name)
    call = project.call("rm -rf a d e")
    assert not project.takes_back(call, ["d/b", "e"])
    assert sorted(tree_of(project.root)) == ["d", "d/b", "e"]


def test_no_link_is_followed_on_the_way(tmp_path):
    """A directory that became a link out of the project is put back; nothing is written behind the link."""
    project = Project(tmp_path)
    outside = tmp_path / "outside"
    (outside / "b").write_text("theirs")
    project.write("d/b", "mine")
    call = project.call(f"rm -rf d; ln -s {outside} d")
    assert not project.takes_back(call)
    assert (outside / "b").read_text() == "theirs"
    assert tree_of(project.root) == {"d": ("directory", 0o755), "d/b": ("file", 0o644, b"mine")}


def test_a_link_that_comes_between_stops_it(tmp_path):
    """A directory on the way that is a link by then is no way; what is behind it stays."""
    project = Project(tmp_path)
    outside = tmp_path / "outside"
    project.write("d/keep", "x")
    project.write("d/b", "mine")
    call = project.call("rm d/b")
    keeper = project.keeper()
    with keeper.lock(), Store(keeper.directory) as store:
        now = keeper.look_now(store).root
        plan = make_plan(store, [Moment(bytes.fromhex(call.before), bytes.fromhex(call.after))], now)
        os.rename(project.path("d"), project.path("away"))
        os.symlink(outside, project.path("d"))
        failed = restore(project.root, store, plan.steps)
    assert [path for path, _ in failed] == ["d/b"]
    assert not os.listdir(outside)


def test_what_changed_since_the_look_is_not_overwritten(tmp_path):
    """Nothing is replaced that was not kept: a file that changes after the look stays, and that is said."""
    project = Project(tmp_path)
    project.write("a", "one")
    project.write("b", "one")
    call = project.call("echo two > a; rm b; echo new > c")
    keeper = project.keeper()
    with keeper.lock(), Store(keeper.directory) as store:
        now = keeper.look_now(store).root
        plan = make_plan(store, [Moment(bytes.fromhex(call.before), bytes.fromhex(call.after))], now)
        for name in "abc":
            project.write(name, "mine, and new")
        failed = restore(project.root, store, plan.steps)
    assert sorted(path for path, _ in failed) == ["a", "b", "c"]
    assert {content for _, _, content in tree_of(project.root).values()} == {b"mine, and new"}


def test_no_set_id_comes_back(tmp_path):
    """Permissions are given back, the bits that make a program run as somebody else are not."""
    project = Project(tmp_path)
    project.write("tool", "x", 0o4755)
    call = project.call("rm -f tool")
    project.takes_back(call)
    assert stat.S_IMODE(os.lstat(project.path("tool")).st_mode) == 0o755


def test_the_mode_of_a_directory_comes_back(tmp_path):
    """Also where nothing else of it has changed."""
    project = Project(tmp_path)
    project.write("d/a", "x")
    before = tree_of(project.root)
    project.takes_back(project.call("chmod 700 d"))
    assert tree_of(project.root) == before


def test_a_directory_that_holds_what_was_not_kept_stays(tmp_path):
    """It never deletes what it does not hold."""
    project = Project(tmp_path)
    project.write(".gitignore", "*.log\n")
    call = project.call("mkdir made; echo 1 > made/a")
    project.write("made/x.log", "not kept")
    failed = project.takes_back(call)
    assert [path for path, _ in failed] == ["made"]
    assert os.listdir(project.path("made")) == ["x.log"]


def test_a_kill_at_any_step_of_restoring_loses_nothing(tmp_path):
    """After each step, what was there before undo is still in the store, and the rest can be taken back anew."""
    project = Project(tmp_path)
    for name in ("a", "d/b", "d/e/c", "x"):
        project.write(name, name)
    before = tree_of(project.root)
    call = project.call("rm -rf d; echo 2 > a; mv x y; mkdir -p z; echo n > z/n")
    after = tree_of(project.root)
    steps = len(_plan(project, call))
    for number in range(steps + 1):
        undo = project.call("undo", lambda _, number=number: project.takes_back(call, at_step=number))
        if undo is not None:
            project.takes_back(undo)
        assert tree_of(project.root) == after
    project.takes_back(call)
    assert tree_of(project.root) == before


def _plan(project, call):
    project.takes_back(call, at_step=0)
    return project.plan.steps


KILLED = """
import os, sys, signal
sys.path[:0] = {paths!r}
from helpers.undo import Project
import asimi.world.undo.store as store
project = Project.__new__(Project)
project.__dict__.update({fields!r})
from asimi.core.call import Undo
from asimi.core.settings import State
from asimi.world.undo.looks import Limits
project.undo, project.room, project.limits, project.said = Undo(keep=86400.0), State(), Limits(), []
left = [{step}]
def traced(frame, event, arg):
    name = frame.f_code.co_filename
    if event == "line" and "/asimi/world/undo/" in name:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
    return traced
sys.settrace(traced)
project.keeper().before("killed", project.request())
"""


@pytest.mark.parametrize("step", [1, 50, 200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2400])
def test_a_kill_at_any_line_of_keeping_leaves_all_that_was_kept(tmp_path, step):
    """What was kept before can be taken back, and the next call is kept as ever."""
    project = Project(tmp_path)
    for number in range(6):
        project.write(f"d{number}/a", f"one {number}")
    before = tree_of(project.root)
    first = project.call("rm -rf d1; echo 2 > d2/a")
    for number in range(6, 12):
        project.write(f"d{number}/a", f"two {number}")
    fields = {name: getattr(project, name) for name in ("root", "state", "number", "environ")}
    text = KILLED.format(paths=sys.path, fields=fields, step=step)
    killed = subprocess.run([sys.executable, "-c", text], env=project.environ | MODULES, check=False)
    assert killed.returncode in {0, -signal.SIGKILL}
    there = tree_of(project.root)
    second = project.call("rm -rf d3 d7; echo 3 > d8/a")
    project.takes_back(second)
    assert tree_of(project.root) == there
    project.takes_back(first)
    assert {path: what for path, what in tree_of(project.root).items() if path in before} == before


def test_two_calls_at_once_keep_both(tmp_path):
    """Keeping is one at a time; each call has the tree that was there when it began."""
    import threading

    project = Project(tmp_path)
    for number in range(8):
        project.write(f"f{number}", str(number))
    before = tree_of(project.root)
    keepers = [project.keeper() for _ in range(8)]

    def one(number):
        assert keepers[number].before(f"p{number}", project.request(f"rm f{number}"))
        os.unlink(project.path(f"f{number}"))
        keepers[number].after(f"p{number}")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    calls = project.keeper().calls.all()
    assert len(calls) == 8
    for call in reversed(calls):
        project.takes_back(call)
    assert tree_of(project.root) == before


def test_files_that_change_all_the_time_do_not_stop_it(tmp_path):
    """What changes while it is read is read again, and the rest is kept."""
    project = Project(tmp_path)
    project.write("still", "x")
    text = "import itertools\nfor n in itertools.count():\n open('busy','w').write(str(n)*1000)\n"
    writer = subprocess.Popen([sys.executable, "-c", text], cwd=project.root)
    try:
        while not os.path.exists(project.path("busy")):
            time.sleep(0.01)
        call = project.call("rm still")
    finally:
        writer.kill()
        writer.wait()
    project.takes_back(call, ["still"])
    assert os.path.exists(project.path("still"))


def test_a_full_disk_is_said_and_what_was_kept_stays(tmp_path):
    """Without room nothing counts as kept, what was kept before can be taken back, and the next time works."""
    import resource

    project = Project(tmp_path)
    project.write("a", "one")
    before = tree_of(project.root)
    first = project.call("rm a")
    project.write("big", random.Random(0).randbytes(1 << 20))
    kept = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, hard))
    try:
        assert not project.keeper().before("full", project.request(), [Loss(project.path("big"))])
        assert project.keeper().before("full", project.request())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, kept)
    assert set(project.said) == {"asimi: nothing was kept for asimi undo: File too large"}
    second = project.call("rm big")
    project.takes_back(second)
    assert os.path.getsize(project.path("big")) == 1 << 20
    os.unlink(project.path("big"))
    project.takes_back(first)
    assert tree_of(project.root) == before


def test_a_damaged_store_is_said_and_nothing_is_restored_from_it(tmp_path):
    """A content is checked against its digest each time it is read."""
    project = Project(tmp_path)
    project.write("a", "one" * 100)
    call = project.call("rm a")
    keeper = project.keeper()
    path = os.path.join(keeper.directory, "data.0")
    with open(path, "r+b") as file:
        content = file.read()
        file.seek(0)
        file.write(bytes(len(content)))
    with pytest.raises(AsimiError):
        project.takes_back(call)
    assert not os.path.exists(project.path("a"))


def test_nothing_of_it_is_a_call_without_changes(tmp_path):
    """A call that changed nothing is not listed."""
    project = Project(tmp_path)
    project.write("a", "one")
    assert project.call("cat a") is None


def test_what_is_too_large_is_told_and_stays(tmp_path):
    """A file beyond the limit is not kept, and undo says so in place of taking it back."""
    project = Project(tmp_path, limits=Limits(file=1000))
    project.write("big", "x" * 2000)
    project.write("small", "x")
    call = project.call("rm big small")
    assert call.counts == {"large": 1}
    assert call.unkept == (("big", 2000, "large"),)
    project.takes_back(call)
    assert project.plan.lost == (("big", "it was not kept"),)
    assert sorted(tree_of(project.root)) == ["small"]


def test_a_request_is_one_of_a_place(tmp_path):
    """What is written down of a call names what ran, and who."""
    project = Project(tmp_path)
    project.write("a", "one")
    keeper = project.keeper()
    place = Place.at(project.root, project.root)
    keeper.before("n", Request("run_shell_command", "rm a", None, place, id="their-id", agent="codex"))
    os.unlink(project.path("a"))
    project.keeper().end_reported_call("codex", "their-id", "rm a")
    (call,) = project.keeper().calls.all()
    assert (call.agent, call.command, call.call, bool(call.after)) == ("codex", "rm a", "their-id", True)


class _Counted(Store):
    reads = 0

    def get(self, digest):
        self.reads += 1
        return super().get(digest)


def test_a_directory_is_read_as_often_for_many_changes_in_it_as_for_few(tmp_path):
    """Else the time of undo grows with the square of what a directory holds."""
    project = Project(tmp_path)
    project.write("d/e/kept", "one")
    call = project.call("seq 100 | while read n; do echo $n > d/e/$n; done")
    keeper, counts = project.keeper(), []
    with keeper.lock(), _Counted(keeper.directory) as store:
        now = keeper.look_now(store).root
        for only in (["d/e/1"], ()):
            store.reads = 0
            plan = make_plan(store, [Moment(bytes.fromhex(call.before), bytes.fromhex(call.after))], now, only)
            counts.append((store.reads, len(plan.steps)))
    assert counts[0][0] == counts[1][0] < 20
    assert [steps for _, steps in counts] == [1, 100]
