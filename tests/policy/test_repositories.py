"""In which repository a command works, by real repositories."""

import os
import subprocess

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.files import FileRules, Files
from asimi.core.judging.guard import Guard
from asimi.core.judging.paths import Machine, Paths
from asimi.core.judging.protection import Protection
from asimi.core.judging.repositories import is_foreign
from asimi.core.reading import Readings
from asimi.world.host.repositories import repository_of

OWN = """
git status
git -C src log
cd src && git diff
cd src; git add .
git --git-dir=.git log
git -C worktree status
cd plain/deep && git log
ls bare
"""

FOREIGN = """
cd bare && git status
cd bare; git status
git -C bare log
git -C nested status
cd nested/src && git diff
git --git-dir=bare log
git -C .. status
git -C "$d" status
cd "$d" && git status
git -C src -C ../nested log
cd nested && gh pr view
cd nested/src && hg status
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A project with a worktree, and with a repository and a bare one below it; all below another repository."""
    home = tmp_path_factory.mktemp("home")
    root = home / "project"
    (root / "src").mkdir(parents=True)
    (root / "plain" / "deep").mkdir(parents=True)
    (root / "file").write_text("x")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-C"]
    for words in (
        [home, "init"],
        [root, "init"],
        [root, "add", "file"],
        [root, "commit", "-m", "x"],
        [root, "worktree", "add", "worktree"],
        [root, "init", "nested"],
        [root, "init", "--bare", "bare"],
    ):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (root / "nested" / "src").mkdir()
    return str(root)


@pytest.fixture
def foreign(root):
    """Whether a command of a text works in another repository."""

    def foreign(text, written=()):
        machine = Machine(os.path.dirname(root), os.path.realpath, {}, repository=repository_of)
        request = Request("run_shell_command", text, None, Place(root, root, inside=True))
        reading = Readings((), (), judge_substitutions=True).of(request)
        paths = Paths(machine, request, reading, Budget())
        return any(is_foreign(command, paths, machine, root, written) for command in reading.commands)

    return foreign


@pytest.mark.parametrize("text", OWN.strip().splitlines())
def test_the_projects_own_repository_is_known(foreign, text):
    assert not foreign(text)


@pytest.mark.parametrize("text", FOREIGN.strip().splitlines())
def test_another_repository_is_told_apart(foreign, text):
    assert foreign(text)


def test_a_repository_that_the_text_makes_is_another(foreign, root):
    assert foreign("cd src && git status", [f"{root}/src/HEAD"])
    assert foreign("cd src/a && git status", [f"{root}/src"])
    assert not foreign("cd src && git add app.py", [f"{root}/src/app.py"])
    assert not foreign("git status", [f"{root}/HEAD"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mkdir -p src/objects src/refs; echo x > src/HEAD; git -C src status", True),
        ("cp -r bare src/x && cd src/x && git log", True),
        ("ln -s ../bare src/x; cd src/x; git log", True),
        ("git init src; git -C src status", True),
        ("mkdir src/new && cd src/new && git status", False),
        ("cd src && git stash && git status", False),
        ("cd src && touch a && git add a", False),
        ("cp -r plain src/x && cd src && git add x", False),
    ],
)
def test_what_a_text_makes_before_git_looks(root, text, expected):
    machine = Machine(os.path.dirname(root), os.path.realpath, {}, repository=repository_of)
    request = Request("run_shell_command", text, None, Place(root, root, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    files = FileRules(Files(write=(("**",),)), root, machine)
    list(Guard(machine, Protection((), machine), files)(request, reading, Budget()))
    assert any(each.astray for each in reading.commands if each.name == "git") == expected


def test_git_obeys_what_this_finds(root):
    """What git itself says of each directory is what is found here."""
    for directory in ("src", "plain/deep", "worktree", "nested/src", "bare", ".."):
        path = os.path.join(root, directory)
        told = subprocess.run(["git", "-C", path, "rev-parse", "--absolute-git-dir"], check=True, capture_output=True)
        assert repository_of(path) == os.path.realpath(told.stdout.decode().strip())
