"""What the preset for developers lets git do: what loses nothing, by a real repository; and that git agrees."""

import json
import os
import subprocess

import pytest

from asimi.world.host.git_index import is_unmodified
from asimi.world.host.repositories import is_branch
from tests.helpers.home import Home

ALLOWED = """
git format-patch -1
git status
git log --oneline -3
git add -A
git add -f src/a.py
git -C src add a.py
git commit -m text
git commit -am text --allow-empty
git commit -F src/a.py
git commit --no-verify -m text
git branch
git branch new
git branch new main
git branch -m topic other
git switch topic
git switch -
git switch -c new topic
git checkout topic
git checkout -q topic
git checkout deep/one
git checkout packed
git checkout theirs
git -C src checkout topic
cd src && git checkout topic
git stash && git checkout topic && git stash apply
git commit -am text && git checkout topic
git checkout topic; git branch -m topic other
git checkout -b new
git checkout -b new topic
git checkout -t origin/theirs
git stash
git stash -u
git stash push -m text -- src
git stash save text
git stash list
git stash show -p
git stash apply
git tag
git tag v2
git tag -a v2 -m text
git restore --staged src/a.py
git restore src/a.py
git restore -q -- src/a.py
git checkout -- src/a.py
cd src && git restore a.py
git mv src/a.py src/b.py
git rm --cached src/a.py
git worktree list
git worktree add trees/one -b one
git init
git init -b main sub
git reset HEAD -- src/a.py
git reset -q HEAD src/a.py
git reset HEAD
"""

ASKED = """
git merge topic
git merge --ff-only topic
git cherry-pick topic
git revert HEAD
git rebase topic
git am a.patch
git apply a.patch
git pull
git init --template=src
git init --separate-git-dir=x
git init /elsewhere
git mv -f src/a.py src/b.py
git rm -f --cached src/a.py
git rm src/a.py
git notes add -m text
git checkout -tf topic
git bisect start
git bisect run ls
git submodule init
git submodule sync
git sparse-checkout set src
git gc
git prune
git reflog expire --all
git update-ref refs/heads/main topic
git symbolic-ref HEAD refs/heads/topic
git read-tree -u -m topic
git checkout-index -a
git update-index --assume-unchanged src/a.py
git mergetool
git difftool
git send-email a.patch
git bundle create a.bundle main
git archive -o a.tar HEAD
git format-patch -1 --ext-diff
git hash-object -w src/a.py
git replace a b
git filter-branch
git config user.name Ada
git remote add a b
git reset
git reset --hard
git reset --hard HEAD
git reset HEAD --hard
git reset --keep HEAD
git reset HEAD~1
git reset HEAD~1 -- src/a.py
git reset topic
git reset --soft HEAD~1
git clean -fd
git commit --amend -m text
git branch -f new topic
git branch -M topic main
git branch -C topic main
git branch -d topic
git branch -D topic
git branch -u origin/main
git branch --edit-description
git switch -f topic
git switch -C main
git switch -m topic
git switch --detach topic
git switch --orphan empty
git switch --discard-changes topic
git checkout -B main
git checkout -f topic
git checkout -m topic
git checkout --detach
git checkout --orphan empty
git checkout v1
git checkout HEAD
git checkout HEAD~1
git checkout src
git checkout src/a.py
git checkout -- topic
git checkout topic -- src
git checkout topic src/a.py
git checkout .
git checkout nothing
git checkout both
git checkout tagged
git checkout two
git checkout "$name"
git checkout top*
git checkout --pathspec-from-file=src/a.py topic
git branch -m topic other && git checkout topic
for i in 1 2; do git checkout topic; git branch -m topic other; done
git checkout topic & git branch -m topic other
bash -c 'git branch -m topic other; git checkout topic'
cd nested && git checkout topic
git -C .. checkout topic
git stash pop
git stash drop
git stash clear
git stash branch new
git stash store topic
git tag -f v1
git tag -d v1
git restore .
git restore src
git restore src/zap.py
git restore 'src/*.py'
git restore :/src/a.py
git restore --source topic src/a.py
git restore --staged --worktree src/a.py
git restore -W src/a.py
git restore $X
git restore src/changed.py
git restore src/a.py src/changed.py
git checkout -- src/changed.py
git checkout topic -- src/a.py
echo x > src/a.py; git restore src/a.py
sed -i s/a/b/ src/a.py && git restore src/a.py
git worktree add -f trees/one
git worktree add -B main trees/one
git worktree add ../one
git worktree remove trees/one
git worktree prune
git worktree move trees/one trees/two
git worktree repair
git -c core.hooksPath=x commit -m text
git -C nested add a
hg commit -m text
svn update
"""

REFS = {
    "topic": True,
    "deep/one": True,
    "packed": True,
    "theirs": True,
    "deep": False,
    "main": True,
    "v1": False,
    "HEAD": False,
    "src": False,
    "both": False,
    "tagged": False,
    "two": False,
    "nothing": False,
    "origin/theirs": False,
    "stash": False,
    "../heads/topic": False,
    "-f": False,
    "": False,
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home, and as the project a repository with branches of each kind, and another one below it."""
    home = Home(tmp_path_factory.mktemp("git"), None)
    (home.root / "src").mkdir(parents=True, exist_ok=True)
    for name in ("src/a.py", "src/changed.py", "both"):
        (home.root / name).write_text("x = 1\n")

    def git(*words):
        own = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
        subprocess.run(["git", *own, "-C", home.root, *words], check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "x")
    git("branch", "packed")
    git("tag", "v1")
    git("tag", "tagged")
    git("update-ref", "refs/remotes/origin/packed", "HEAD")
    git("pack-refs", "--all")
    for branch in ("topic", "deep/one", "both"):
        git("branch", branch)
    for branch in ("theirs", "tagged", "two"):
        git("update-ref", f"refs/remotes/origin/{branch}", "HEAD")
    git("update-ref", "refs/remotes/other/two", "HEAD")
    git("remote", "add", "origin", "nowhere")
    git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    git("init", "nested")
    (home.root / "src/changed.py").write_text("x = 2\n")
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0
    text = home.config.read_text()
    assert 'keep = "3d"' in text
    home.config.write_text(text.replace('keep = "3d"', "keep = 0"))  # else it is undo that brings things back
    return home


@pytest.fixture(scope="module")
def said(home):
    """The verdict on each line of both tables."""
    commands = (ALLOWED + ASKED).strip().splitlines()
    table = home.home / "table.jsonl"
    table.write_text("".join(json.dumps({"command": each}) + "\n" for each in commands if each))
    answers = home.asimi("policy", "test", "--json", str(table), cwd=home.root).stdout.splitlines()
    verdicts = [json.loads(line)["verdict"] for line in answers]
    return dict(zip(filter(None, commands), verdicts, strict=False))


@pytest.mark.parametrize("command", ALLOWED.strip().splitlines())
def test_what_loses_nothing_runs(said, command):
    assert said[command] == "allow"


@pytest.mark.parametrize("command", ASKED.strip().splitlines())
def test_the_rest_of_git_is_a_question(said, command):
    assert said[command] == "ask"


@pytest.mark.parametrize(("name", "expected"), REFS.items())
def test_a_branch_is_told_from_everything_else(home, name, expected):
    assert is_branch(str(home.root), name) is expected


@pytest.mark.parametrize("name", [name for name, branch in REFS.items() if branch])
def test_git_goes_to_the_branch_and_keeps_what_was_changed(home, name, tmp_path):
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", home.root, copy], check=True)
    (copy / "src" / "a.py").write_text("changed")
    subprocess.run(["git", "-C", copy, "checkout", name], check=True, capture_output=True)
    head = subprocess.run(["git", "-C", copy, "symbolic-ref", "HEAD"], check=True, capture_output=True, text=True)
    assert head.stdout.strip() == f"refs/heads/{name}"
    assert (copy / "src" / "a.py").read_text() == "changed"


def test_a_worktree_has_the_branches_of_its_repository(home, tmp_path):
    tree = tmp_path / "tree"
    subprocess.run(["git", "-C", home.root, "worktree", "add", "--detach", tree], check=True, capture_output=True)
    assert is_branch(str(tree), "topic")
    assert is_branch(str(tree), "packed")
    assert not is_branch(os.path.dirname(tree), "topic")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda file: None, True),
        (lambda file: file.unlink(), True),
        (lambda file: file.write_text("x = 2\n"), False),
        (lambda file: file.write_text("x = 1\r\n"), False),
        (lambda file: file.chmod(0o755), False),
        (lambda file: (file.unlink(), file.symlink_to("b.py")), False),
        (lambda file: (file.unlink(), file.mkdir()), False),
        (lambda file: file.with_name("b.py").write_text("x = 1\n"), True),
    ],
)
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_a_file_is_unmodified_only_where_git_says_so(tmp_path, change, expected, version):
    """Of an index whose names are not whole (version 4), nothing is said."""
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.py").write_text("y = 1\n")

    def git(*words):
        return subprocess.run(["git", "-C", tmp_path, *words], capture_output=True, text=True, check=True).stdout

    git("init", "-q")
    git("-c", f"index.version={version}", "add", ".")
    git("update-index", "--index-version", version)
    change(tmp_path / "a.py")
    assert is_unmodified(str(tmp_path / "a.py")) is (expected and version != "4")
    assert is_unmodified(str(tmp_path / "deep/a.py")) is (version != "4")
    assert not is_unmodified(str(tmp_path / "deep"))
    assert not is_unmodified(str(tmp_path / "none.py"))
    if expected and (tmp_path / "a.py").exists():
        assert git("status", "--porcelain", "a.py")[1:2] != "M"


def test_a_file_of_a_conflict_is_not_unmodified(tmp_path):
    def git(*words, check=True):
        own = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-C", tmp_path)
        subprocess.run(["git", *own, *words], capture_output=True, check=check)

    git("init", "-q", "-b", "main")
    for branch, text in (("main", "1"), ("other", "2"), ("main", "3")):
        git("checkout", "-q", "-B" if branch == "other" else "-q", branch, check=False)
        (tmp_path / "a").write_text(text)
        git("add", "a")
        git("commit", "-qm", text)
    git("merge", "other", check=False)
    assert not is_unmodified(str(tmp_path / "a"))


SETTINGS = {
    "git config a.b c": "allow",
    "git config -f sub/settings --get alias.b": "allow",
    "git config -f sub/settings a.b c": "allow",
    "cd other && git config a.b c": "deny",
    "cd other; git config a.b c": "deny",
    "env -C other git config a.b c": "deny",
    "git -C other config a.b c": "deny",
    "git config -f other/.git/config a.b c": "deny",
    "git config -f ../settings a.b c": "ask",
    "git config --file=/etc/settings a.b c": "ask",
    "git -C sub config -f ../../settings a.b c": "ask",
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A home whose configuration lets git's settings be changed in the project, and denies another repository's."""
    home = Home(
        tmp_path_factory.mktemp("kept"),
        '[files]\nwrite = ["**", ".git/config"]\ndeny = ["other/.git/**"]\n'
        '[[rules]]\ndecision = "allow"\ncommand = ["git", "config"]\neffects = ["read", "write", "system"]\n'
        '[[rules]]\ndecision = "allow"\ncommand = ["cd"]\n',
    )
    for where in (home.root, home.root / "other"):
        subprocess.run(["git", "init", "-q", where], check=True)
    return home


@pytest.mark.parametrize(("command", "verdict"), SETTINGS.items())
def test_settings_are_written_where_git_writes_them(kept, command, verdict):
    """In each directory that it may run in, by `-C`, and in the file that `-f` names (git-config(1))."""
    said = kept.asimi("check", "--json", "--", command, cwd=kept.root)
    assert json.loads(said.stdout)["verdict"] == verdict, said.stdout
