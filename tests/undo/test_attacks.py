"""What a repository, a project or a program meanwhile may try against keeping."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from helpers.undo import Project, tree_of

from asimi.world.undo.looks import Limits
from asimi.world.undo.repositories import around, changed_paths, files_of


def test_nothing_of_a_repository_is_started(tmp_path, monkeypatch):
    """Its filters, hooks, remotes and attributes run nothing, those of nested ones neither, nor variables, nor its git.

    Each would leave a mark of its own.
    """
    project = Project(tmp_path)
    marks = tmp_path / "marks"
    marks.mkdir()

    def evil(name):
        return f"sh -c 'touch {marks}/{name}; cat'"

    for name in ("", "inner/", "inner/deeper/"):
        where = project.path(name)
        os.makedirs(where, exist_ok=True)
        project.git("-C", where, "init", "-q")
        for number in range(2):
            project.write(f"{name}file", f"{number}")
            project.git("-C", where, "add", "file")
            project.git("-C", where, "commit", "-qm", "x")
        for key in ("filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv", "diff.x.command"):
            project.git("-C", where, "config", key, evil(key))
        for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "credential.helper"):
            project.git("-C", where, "config", key, evil(key))
        project.git("-C", where, "config", "core.hooksPath", project.path("hooks"))
        project.git("-C", where, "config", "remote.origin.url", f"ext::{evil('remote')}")
        project.git("-C", where, "config", "remote.origin.promisor", "true")
        project.git("-C", where, "config", "protocol.ext.allow", "always")
        project.write(f"{name}.gitattributes", "* filter=x diff=x\n")
        for hooks in ("hooks", f"{name}.git/hooks"):
            for hook in ("pre-commit", "post-index-change", "post-checkout", "fsmonitor-watchman"):
                project.write(f"{hooks}/{hook}", f"#!/bin/sh\ntouch {marks}/hook\n", 0o755)
    project.write("bin/git", f"#!/bin/sh\ntouch {marks}/git\n", 0o755)
    monkeypatch.setenv("PATH", project.path("bin") + os.pathsep + os.environ["PATH"])
    for name in ("GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_PAGER", "GIT_TRACE"):
        monkeypatch.setenv(name, f"{marks}/variable" if name == "GIT_TRACE" else evil("variable"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", evil("counted"))
    for each in marks.iterdir():
        each.unlink()  # what git itself started above
    call = project.call("rm -rf inner/file inner/deeper/file file")
    project.takes_back(call)
    repository = around(project.root)
    assert files_of(repository, "HEAD~1") == {"file"} == changed_paths(repository.own, "HEAD~1", "HEAD")
    tree = project.git("rev-parse", "HEAD^{tree}").strip()
    for each in marks.iterdir():
        each.unlink()
    os.unlink(project.path(f".git/objects/{tree[:2]}/{tree[2:]}"))
    assert files_of(repository, "HEAD") is None, "what is missing is fetched from nowhere"
    assert not [*marks.iterdir()]
    assert tree_of(project.root)["inner/deeper/file"] == ("file", 0o644, b"1")


def test_a_filter_that_changes_contents_changes_nothing_that_is_kept(tmp_path):
    """Bytes are kept as they are, whatever git would store of them."""
    project = Project(tmp_path)
    project.write(".gitattributes", "* text eol=crlf ident\n")
    project.write("a", b"one\r\ntwo\n$Id$\n")
    call = project.call("rm a")
    project.takes_back(call)
    assert tree_of(project.root)["a"][2] == b"one\r\ntwo\n$Id$\n"


@pytest.mark.parametrize("git", [True, False])
def test_no_commit_yet_and_no_repository(tmp_path, git):
    """Both are kept whole."""
    project = Project(tmp_path, git=git)
    project.write("a/b", "x")
    before = tree_of(project.root)
    project.takes_back(project.call("rm -rf a"))
    assert tree_of(project.root) == before


def test_tracked_though_ignored_is_kept_and_what_is_included(tmp_path):
    """In directories that git ignores, too."""
    from asimi.core.call import Undo

    project = Project(tmp_path, Undo(keep=1e5, include=("data/**/*.db", "one.tmp")))
    project.write("gen/out/tracked", "1")
    project.write("gen/out/other", "2")
    project.git("add", "-f", "gen/out/tracked")
    project.write(".gitignore", "gen\ndata\n*.tmp\n")
    project.write("data/deep/x.db", "3")
    project.write("data/deep/x.txt", "4")
    project.write("one.tmp", "5")
    project.write("two.tmp", "6")
    call = project.call("rm -rf gen data *.tmp")
    project.takes_back(call)
    files = {path for path, what in tree_of(project.root).items() if what[0] == "file"}
    assert files == {".gitignore", "gen/out/tracked", "data/deep/x.db", "one.tmp"}


def test_a_name_that_git_begins_to_track_is_kept_from_then_on(tmp_path):
    """The index is looked at each time it changes."""
    project = Project(tmp_path)
    project.write(".gitignore", "*.log\n")
    project.write("a.log", "x")
    project.call("touch b")
    project.git("add", "-f", "a.log")
    call = project.call("rm a.log")
    project.takes_back(call)
    assert os.path.exists(project.path("a.log"))


def test_a_submodule_and_a_worktree_are_kept_like_others(tmp_path):
    """Their files are; their `.git` files stay as they are."""
    project = Project(tmp_path)
    project.write("a", "x")
    project.commits()
    other = tmp_path / "other"
    project.git("init", "-q", str(other))
    (other / "s").write_text("s")
    project.git("-C", str(other), "add", ".")
    project.git("-C", str(other), "commit", "-qm", "s")
    project.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    project.git("worktree", "add", "-q", "tree")
    before = tree_of(project.root)
    call = project.call("rm -f sub/s tree/a; echo new > tree/new")
    project.takes_back(call)
    assert tree_of(project.root) == before


def test_pipes_sockets_and_devices_are_left_alone(tmp_path):
    """Nothing waits for them, and nothing is read from them."""
    import socket

    project = Project(tmp_path)
    os.mkfifo(project.path("fifo"))
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(project.path("socket"))
        project.write("a", "x")
        call = project.call("rm a")
        assert call.counts == {"special": 2}
        project.takes_back(call)
    assert os.path.exists(project.path("a"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_counted_and_the_rest_kept(tmp_path):
    """A file and a directory of mode 000."""
    project = Project(tmp_path)
    project.write("shut", "x", 0)
    project.write("closed/x", "x")
    project.write("a", "x")
    os.chmod(project.path("closed"), 0)
    try:
        call = project.call("rm a")
    finally:
        os.chmod(project.path("closed"), 0o755)
    assert call.counts == {"closed": 2}


def test_a_sparse_file_that_is_huge_takes_nothing(tmp_path):
    """It is told as too large, and read by nobody."""
    project = Project(tmp_path)
    project.write("huge", "")
    os.truncate(project.path("huge"), 1 << 40)
    project.write("a", "x")
    began = time.monotonic()
    call = project.call("rm a")
    assert time.monotonic() - began < 30
    assert call.unkept == (("huge", 1 << 40, "large"),)


def test_directories_that_become_links_meanwhile_lead_nowhere(tmp_path):
    """While a look goes on, somebody swaps a directory and a link to a secret: none of the secret is ever kept."""
    project = Project(tmp_path)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "f").write_text("SECRET")
    for number in range(30):
        project.write(f"d{number}/f", "plain")
    swap = (
        "import os, itertools\n"
        "for n in itertools.cycle(range(30)):\n"
        f" d = f'd{{n}}'\n os.rename(d, 'x'); os.symlink({str(secret)!r}, d); os.unlink(d); os.rename('x', d)\n"
    )
    swapper = subprocess.Popen([sys.executable, "-c", swap], cwd=project.root)
    try:
        for _ in range(20):
            keeper = project.keeper()
            keeper.before("x", project.request())
    finally:
        swapper.kill()
        swapper.wait()
    from asimi.world.undo.store import Store

    with Store(project.keeper().directory) as store:
        contents = [store.get(store._known[at : at + 32]) for at in range(0, len(store._known), 52)]
    assert b"plain" in contents
    assert b"SECRET" not in contents


def test_a_change_within_the_grain_of_the_clock_is_seen(tmp_path):
    """Two contents of the same size in the same moment: the second one is kept."""
    project = Project(tmp_path)
    for number in range(30):
        project.write("a", f"{number:04}")
        call = project.call("rm a")
        project.takes_back(call)
        assert tree_of(project.root)["a"][2] == f"{number:04}".encode()


def test_a_time_that_is_set_back_hides_nothing(tmp_path):
    """What counts is the time of change, which nobody can set."""
    project = Project(tmp_path)
    project.write("a", "one")
    os.utime(project.path("a"), (1, 1))
    project.call("touch b")
    project.write("a", "two")
    os.utime(project.path("a"), (1, 1))
    call = project.call("rm a")
    project.takes_back(call)
    assert tree_of(project.root)["a"][2] == b"two"


def test_what_is_beyond_the_limits_is_counted(tmp_path):
    """In files and in bytes."""
    project = Project(tmp_path, limits=Limits(files=5))
    for number in range(9):
        project.write(f"f{number}", "x")
    call = project.call("rm f0")
    assert sum(call.counts.values()) == 4


def test_deep_directories_end_somewhere(tmp_path):
    """What is too deep is told."""
    project = Project(tmp_path)
    deep = "/".join(["d"] * 150)
    project.write(f"{deep}/x", "x")
    project.write("a", "x")
    call = project.call("rm a")
    assert call.counts == {"deep": 1}


def test_asimis_own_files_are_never_kept(tmp_path):
    """Where the state lies in the project, a look does not keep itself."""
    project = Project(tmp_path)
    project.state = project.path("inside")
    os.makedirs(project.state, mode=0o700)
    project.write("a", "x")
    call = project.call("rm a")
    project.takes_back(call)
    keeper = project.keeper()
    from asimi.world.undo.store import Store
    from asimi.world.undo.trees import entries_of

    with Store(keeper.directory) as store:
        assert sorted(entries_of(store, bytes.fromhex(call.before))) == ["a"]
