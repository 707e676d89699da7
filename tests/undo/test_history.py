"""What git does to branches, the stash and its index in a box: a note of how they stood brings them back."""

from __future__ import annotations

import os
import random
import shutil
import subprocess

import pytest
from helpers.undo import Project, tree_of

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.call import Loss, Place, Request, Verdict
from asimi.world.undo.repositories import around, changed_paths, files_of

RULES = """
[shell]
substitution = "judge"
[files]
write = ["**"]
[undo]
keep = "3d"
[[rules]]
decision = "allow"
effects = ["read", "write"]
undo = true
"""

HELD = """
git commit -q --amend --no-edit
git commit --amend -m y
git -C sub commit --amend --no-edit
git --no-pager commit --amend --no-edit
git add -A && git commit --amend --no-edit
echo x >> a && git commit -qa --amend --no-edit
git reset
git reset -q HEAD~1
git reset --soft HEAD^
git reset -- a
git reset --hard HEAD~1
git reset -q --hard other
git reset --hard v1
git reset --hard HEAD~9
git branch -d merged
git branch -D other
git branch -D other && git branch -f merged main
git checkout -q merged && git branch -D other
git stash drop
git stash drop stash@{1}
git stash clear
git rebase -q other
git rebase --onto HEAD~1 HEAD~1 other
bash -c 'git branch -D other'
for b in other merged; do git branch -D $b; done
""".strip().splitlines()

ASKED = """
git reset --har HEAD~1
git reset --hard HEAD~1 a
git reset --hard $X
git reset --hard nothing
git add -f x.log && git reset --hard HEAD~1
git commit -qam wip && git reset --hard HEAD~1
git reset --merge HEAD~1
git reset --keep HEAD~1
git reset --recurse-submodules HEAD~1
git branch -dr origin/main
git tag -d v1
git stash && git stash drop
git stash drop $x
git commit -qam wip && git checkout -q merged && git branch -D main
git commit -qam wip && git rebase other
git branch -D other & git commit -qam wip
make && git commit --amend --no-edit
git -c core.logAllRefUpdates=false commit --amend --no-edit
git --git-dir=/tmp/x commit --amend --no-edit
GIT_DIR=/tmp/x git commit --amend --no-edit
export GIT_INDEX_FILE=/tmp/x; git reset
git -C /tmp branch -D other
git -C nested branch -D other
cd nested && git commit --amend --no-edit
git branch -d $X
git reset $X
git rebase $X
git checkout -f $X
git branch | xargs git branch -D
git gc --prune=now
git reflog expire --expire=now --all
git update-ref -d refs/heads/other
for i in 1 2; do git commit -qam x; git branch -D other; done
""".strip().splitlines()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with branches, a tag, two stashes and a repository in it."""
    project = Project(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("PATH", os.environ["PATH"])
    (tmp_path / "config.toml").write_text(RULES)
    project.git("checkout", "-q", "-b", "main")
    project.write("a", "1\n")
    project.write("sub/b", "1\n")
    project.commits()
    project.git("branch", "merged")
    project.git("tag", "v1")
    project.git("checkout", "-q", "-b", "other")
    project.write("c", "1\n")
    project.commits()
    project.git("checkout", "-q", "main")
    project.write("a", "2\n")
    project.commits()
    for text in ("3\n", "4\n"):
        project.write("a", text)
        project.git("stash")
    project.git("init", "-q", "nested")
    return project


def judged(project, tmp_path, text):
    """The decision in a box."""
    gate = open_judge(Options(config=str(tmp_path / "config.toml"), root=project.root), boxed=True)
    return gate.judge(Request("run_shell_command", text, None, Place.at(project.root, project.root)))


def stands(project):
    """The branches, what HEAD is, and the stash."""
    shown = ("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")
    return project.git(*shown), project.git("rev-parse", "HEAD"), project.git("stash", "list", "--format=%H")


@pytest.mark.parametrize("text", HELD)
def test_what_a_note_brings_back_is_held(project, tmp_path, text):
    """What `asimi undo` then names leads back to where all of it stood."""
    decision = judged(project, tmp_path, text)
    assert decision.verdict is Verdict.ALLOW, decision.reasons
    assert Loss(project.root, "noted") in decision.kept
    before, keeper = stands(project), project.keeper()
    assert keeper.before("one", project.request(text), decision.kept)
    project.bash(text)
    noted = keeper.calls.all()[0].noted
    project.git("checkout", "-qf", "--detach")
    for name, commit in noted.branches.items():
        project.git("branch", "-f", name, commit)
    project.git("checkout", "-qf", "main")
    project.git("stash", "clear")
    for commit in reversed(noted.stashes):
        project.git("stash", "store", commit)
    assert stands(project) == before


@pytest.mark.parametrize("text", ASKED)
def test_what_a_note_may_not_bring_back_is_asked_about(project, tmp_path, text):
    """A work tree, another repository, a tag, objects, or what the text itself puts in a commit."""
    assert judged(project, tmp_path, text).verdict is Verdict.ASK


@pytest.mark.parametrize("text", HELD)
def test_none_of_it_is_held_where_nothing_is_kept_nor_without_a_box(project, tmp_path, text):
    """A hook asks about it as ever."""
    hook = open_judge(Options(config=str(tmp_path / "config.toml"), root=project.root))
    request = Request("run_shell_command", text, None, Place.at(project.root, project.root))
    assert hook.judge(request).verdict is Verdict.ASK
    (tmp_path / "config.toml").write_text(RULES.replace('keep = "3d"', "keep = 0"))
    assert judged(project, tmp_path, text).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "spoils",
    [
        lambda git: os.truncate(f"{git}/index", 5 << 20),
        lambda git: os.mkdir(f"{git}/reftable"),
        lambda git: os.truncate(f"{git}/packed-refs", 5 << 20),
        lambda git: os.unlink(f"{git}/logs/refs/stash"),
        lambda git: os.unlink(f"{git}/HEAD"),
    ],
)
def test_more_than_a_note_can_tell_is_asked_about(project, tmp_path, spoils):
    """A note is all of it, or it counts for nothing."""
    project.git("pack-refs", "--all")
    project.write(".git/refs/stash", project.git("rev-parse", "stash"))
    assert judged(project, tmp_path, "git branch -D other").verdict is Verdict.ALLOW
    spoils(project.path(".git"))
    assert judged(project, tmp_path, "git branch -D other").verdict is Verdict.ASK
    assert not project.keeper().before("one", project.request(), [Loss(project.root, "noted")])


@pytest.mark.parametrize("packed", [False, True])
def test_a_commit_that_overwrites_what_git_does_not_track(project, tmp_path, packed):
    """It is held where that is kept, and comes back; a question where git ignores it."""
    for name in ("local.yml", "dir/new"):
        project.write(name, "committed")
    project.git("add", "local.yml", "dir/new")
    project.git("commit", "-qm", "tracked")
    project.git("rm", "-rq", "--cached", "local.yml", "dir")
    project.git("commit", "-qm", "not any more")
    if packed:
        project.git("gc", "-q", "--aggressive")
    project.write("local.yml", "mine")
    os.unlink(project.path("dir/new"))
    os.rmdir(project.path("dir"))
    project.write("dir", "a file now")
    text = "git reset -q --hard HEAD~1"
    decision = judged(project, tmp_path, text)
    assert decision.verdict is Verdict.ALLOW, decision.reasons
    before, keeper = tree_of(project.root), project.keeper()
    assert keeper.before("one", project.request(text), decision.kept)
    project.bash(text)
    keeper.after("one")
    assert tree_of(project.root) != before
    assert not project.takes_back(keeper.calls.all()[0])
    assert tree_of(project.root) == before
    project.git("reset", "-q", "HEAD~1")
    project.write(".git/info/exclude", "local.yml\n")
    assert judged(project, tmp_path, "git reset --hard HEAD~1").verdict is Verdict.ALLOW, "both have no local.yml"
    assert judged(project, tmp_path, "git reset --hard HEAD@{1}").verdict is Verdict.ASK
    project.git("branch", "tracked", "HEAD@{1}")
    assert judged(project, tmp_path, "git reset --hard tracked").verdict is Verdict.ASK


def test_a_file_that_left_the_index_alone_is_overwritten_too(project, tmp_path):
    """`git reset --hard` makes the files of the last commit, whether the index still has them or not."""
    project.write(".git/info/exclude", "a\n")
    assert judged(project, tmp_path, "git reset --hard").verdict is Verdict.ALLOW
    project.git("rm", "-q", "--cached", "a")
    assert judged(project, tmp_path, "git reset --hard").verdict is Verdict.ASK


@pytest.mark.parametrize("path", [".git", ".git/", ".git/HEAD/", ".git/logs/HEAD", ".git/index", "sub/.git/refs"])
def test_no_part_of_a_repository_is_kept(project, path):
    """The store has none of git's own files, so no delete of them can be taken back."""
    project.write("sub/.git/refs/x", "")
    assert project.keeper().says(Loss(f"{project.root}/{path}")) == "a repository"


@pytest.mark.parametrize("path", ["d/bare.git", "d/bare.git/refs", "d/bare.git/HEAD", "d", "tree"])
def test_a_bare_repository_is_one_too(project, path):
    for each in ("bare.git/HEAD", "bare.git/refs/x", "bare.git/objects/x"):
        project.write(f"d/{each}", "x")
    project.write("tree/x/HEAD", "x")
    project.write("tree/x/commondir", "x")
    project.write("e/HEAD", "x")
    project.write("e/refs/x", "x")
    assert project.keeper().says(Loss(f"{project.root}/{path}")) == "a repository"
    assert project.keeper().says(Loss(f"{project.root}/e")) != "a repository"


def test_a_project_may_lie_below_a_name_that_begins_like_gits(tmp_path):
    """`.gitlab` is no repository."""
    (tmp_path / ".gitlab").mkdir()
    project = Project(tmp_path / ".gitlab")
    project.write("a", "x")
    project.commits()
    for loss in (Loss(project.root, "tracked"), Loss(project.root, "noted"), Loss(project.root, "untracked", "HEAD")):
        assert project.keeper().says(loss) == "kept"


def test_the_files_of_a_commit_are_those_that_git_lists(project):
    """Of any name of a commit, loose or packed; of what is none, or may be another, nothing."""
    project.git("tag", "-am", "x", "annotated")
    short, whole = project.git("rev-parse", "--short", "other").strip(), project.git("rev-parse", "main").strip()
    names = ["HEAD", "@", "@~1", "HEAD^", "main", "other", "v1", "annotated~1", "heads/other", short, whole, "stash^1"]
    for packed in (False, True):
        if packed:
            project.git("gc", "-q", "--aggressive")
        for name in names:
            listed = project.git("ls-tree", "-r", "-z", "--name-only", name).split("\0")[:-1]
            assert files_of(around(project.root), name) == {*listed}, name
        for name in ("nothing", "HEAD^2", "HEAD:a", "@{1}", "main..other", short[:2], "0" * 40, ""):
            assert files_of(around(project.root), name) is None, name
    assert files_of(around(project.root), "HEAD~9") == set(), "git fails"
    project.git("replace", "HEAD~1", "other")
    assert files_of(around(project.root), "HEAD") is None


def test_the_files_that_two_commits_differ_in_are_those_that_git_lists(project):
    for branch, name in (("left", "deep/er/file"), ("right", "a")):
        project.git("switch", "-fqc", branch, "other")
        project.write(name, branch)
        project.git("add", name)
        project.git("commit", "-qm", branch)
    own = f"{project.root}/.git"
    for packed in (False, True):
        if packed:
            project.git("gc", "-q")
        for before, after in (
            ("left", "right"),
            ("main", "left"),
            ("left", "HEAD~1"),
            ("-", "right"),
            ("right", "@{-1}"),
        ):
            named = [each.replace("-", "@{-1}") if each == "-" else each for each in (before, after)]
            listed = project.git("diff", "--no-renames", "--name-only", "-z", *named).split("\0")[:-1]
            assert changed_paths(own, before, after) == {*listed} != set(), (before, after)
        listed = project.git("diff", "--no-renames", "--name-only", "-z", "left...right").split("\0")[:-1]
        assert changed_paths(own, "left...right", "right") == {*listed}
        stashed = project.git("diff", "--no-renames", "--name-only", "-z", "stash@{0}^", "stash@{0}").split("\0")[:-1]
        assert changed_paths(own, "stash@{0}^", "stash@{0}") == {*stashed} != set()
        assert changed_paths(own, "", "left") == files_of(around(project.root), "left")
        for before, after in (("nothing", "left"), ("left", "nothing"), ("left", "stash@{9}"), ("@{-99}", "left")):
            assert changed_paths(own, before, after) is None, (before, after)


@pytest.mark.parametrize("names", ["sha1", "sha256"])
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_names_in_an_index_are_those_that_git_lists(tmp_path, names, version):
    """Of each version that git writes, with either kind of objects, whatever is in a name; so are a commit's files."""
    chance, project = random.Random(version), Project(tmp_path, git=False)
    project.git("init", "-q", f"--object-format={names}")
    project.git("config", "index.version", version)
    for number in range(200):
        parts = ("".join(chance.choices("ab\n ü\udcff", k=chance.randint(1, 40))) for _ in range(chance.randint(1, 4)))
        project.write("/".join([*parts, f"{number}"]), "x")
    project.commits()
    if version == "3":
        project.write("meant", "x")
        project.git("add", "-N", "meant")  # what version 3 is for
    with open(project.path(".git/index"), "rb") as file:
        assert file.read(8)[7] == int(version)
    repository = around(project.root)
    assert repository.tracked_files.names == listed(project, "ls-files", "-z")
    assert files_of(repository, "HEAD") == listed(project, "ls-tree", "-r", "-z", "--name-only", "HEAD")


def listed(project, *words):
    out = subprocess.run(["git", *words], cwd=project.root, env=project.environ, check=True, capture_output=True).stdout
    return {os.fsdecode(each) for each in out.split(b"\0") if each}


def test_without_git_a_commits_files_are_not_known_and_the_rest_is_kept(project, tmp_path, monkeypatch):
    """What would need them is a question."""
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert files_of(around(project.root), "HEAD") is changed_paths(f"{project.root}/.git", "main", "other") is None
    assert judged(project, tmp_path, "git reset --hard HEAD~1").verdict is Verdict.ASK
    project.takes_back(project.call("rm -f a", lambda _: os.unlink(project.path("a"))))
    assert os.path.exists(project.path("a"))


def test_any_name_of_a_file_comes_back(tmp_path):
    """With newlines, in no encoding, like an option or a pattern of git's."""
    project = Project(tmp_path)
    for name in ("a\nb", "\udcff\udcfe", "-f", ":(glob)*", " ", "é\r", "\u202e", "d\n/\udc80/x"):
        project.write(name, name.encode("utf-8", "surrogateescape"))
    before = tree_of(project.root)
    call = project.call(
        "rm -rf -- * .[!.]*", lambda _: [_gone(project.path(each)) for each in os.listdir(project.root)]
    )
    assert not project.takes_back(call)
    assert tree_of(project.root) == before


def _gone(path):
    if os.path.basename(path) != ".git":
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
