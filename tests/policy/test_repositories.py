"""In which repository a command works, by real repositories."""

import os
import subprocess
from pathlib import Path

import pytest
from fuzz.layouts import differences

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.paths import Paths
from asimi.core.judging.protection import Protection
from asimi.core.judging.repositories import is_foreign
from asimi.core.judging.zones import FileRules, Files
from asimi.core.reading import Readings
from asimi.world.host.git_settings import guides
from asimi.world.host.repositories import repository_of
from asimi.world.host.trees import kind

OWN = """
git status
git -C src log
cd src && git diff
cd src; git add .
git --git-dir=.git log
git -C worktree status
git -C src -C deep status
git -C src --git-dir=../.git status
git --git-dir=worktree/.git status
git --git-dir .git --work-tree=src status
git --work-tree=src status
cd worktree && git --git-dir=.git log
cd .git && git log
cd plain/deep && git log
cd .git && git --bare log
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
git -C src -C ../bare log
git -C bare --git-dir=../.git -C .. status
cd bare && git --work-tree=../src status
git --work-tree=src -C bare status
git -C linked status
git -C linked/deep status
git --git-dir=linked status
git --git-dir linked status
git --git-dir=pointer.txt status
git --git-dir=own.txt status
git --git-dir=src status
git --git-dir=nested/.git status
git --git-dir=.git --git-dir=bare status
git --git-dir=missing status
git --git-dir="$d" status
git -C src --git-dir=.git status
git --bare log
git --bare --work-tree=. status
git --bare -C .git log
git -C src --bare log
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
    (root / "src" / "deep").mkdir()
    (root / "linked" / "deep").mkdir(parents=True)
    (root / "linked" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "linked" / "commondir").write_text("../bare\n")
    (root / "pointer.txt").write_text("gitdir: bare\n")
    (root / "own.txt").write_text("gitdir: .git\n")
    return str(root)


@pytest.fixture
def foreign(root):
    """Whether a command of a text works in another repository."""

    def foreign(text, written=()):
        machine = Machine(os.path.dirname(root), os.path.realpath, {}, repository=repository_of, kind=kind)
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


@pytest.mark.parametrize(
    ("there", "text", "expected"),
    [
        ([".git", ".hg"], "hg status", True),
        ([".git", ".hg", "src"], "cd src && hg id", True),
        ([".git", "sub/.hg"], "hg -R sub log", True),
        ([".git", "sub/.hg"], "hg status", False),
        ([".hg", "src"], "cd src && hg diff", False),
        ([".git", ".hg"], "git status", False),
        ([".git", ".jj/repo"], "jj log", False),
        ([".git", ".jj/repo/config.toml"], "jj log", True),
        ([".git", ".jj/workspace-config.toml", ".jj/repo"], "jj st", True),
        ([".git", ".jj/repo."], "jj log", True),
        ([".jj/repo/config.toml"], "jj log", False),
    ],
)
def test_what_a_clone_may_have_brought_is_another_repository(tmp_path, there, text, expected):
    """To git `.hg` and `.jj` are names like any other; a name here that ends in a dot is a file."""
    root = os.path.realpath(tmp_path)
    for each in there:
        if each == ".git":
            subprocess.run(["git", "-C", root, "init"], check=True, capture_output=True)
        elif each.endswith((".toml", ".")):
            (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / each.removesuffix(".")).touch()
        else:
            (tmp_path / each).mkdir(parents=True, exist_ok=True)
    machine = Machine(os.path.dirname(root), os.path.realpath, {}, repository=repository_of, kind=kind)
    request = Request("run_shell_command", text, None, Place(root, root, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    paths = Paths(machine, request, reading, Budget())
    assert any(is_foreign(each, paths, machine, root) for each in reading.commands) == expected


def test_a_repository_that_the_text_makes_is_another(foreign, root):
    assert foreign("cd src && git status", [f"{root}/src/HEAD"])
    assert foreign("cd src/a && git status", [f"{root}/src"])
    assert not foreign("cd src && git add app.py", [f"{root}/src/app.py"])
    assert foreign("cd src/deep && git status", [f"{root}/src/HEAD"])
    assert foreign("cd src/deep && git status", [f"{root}/src/commondir"])
    assert not foreign("git status", [f"{root}/HEAD"])
    assert not foreign("cd src && git status", [f"{root}/HEAD"])


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
    machine = Machine(os.path.dirname(root), os.path.realpath, {}, repository=repository_of, kind=kind)
    request = Request("run_shell_command", text, None, Place(root, root, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    files = FileRules(Files(write=(("**",),)), root, machine)
    reading = Guard(machine, Protection((), machine), files)(request, reading, Budget())
    assert any(each.seen.astray for each in reading.commands if each.name == "git") == expected


def test_git_obeys_what_this_finds(root):
    """What git itself says of each directory is what is found here."""
    for directory in ("src", "plain/deep", "worktree", "nested/src", "bare", "linked/deep", ".."):
        path = os.path.join(root, directory)
        told = subprocess.run(["git", "-C", path, "rev-parse", "--absolute-git-dir"], check=True, capture_output=True)
        assert repository_of(path) == os.path.realpath(told.stdout.decode().strip())


def test_a_project_that_is_a_bare_repository_itself_has_none_of_its_own(tmp_path):
    """Whoever may write in a project without `.git` can make it one."""
    root = os.path.realpath(tmp_path)
    subprocess.run(["git", "-C", root, "init", "--bare"], check=True, capture_output=True)
    machine = Machine(root, os.path.realpath, {}, repository=repository_of, kind=kind)
    request = Request("run_shell_command", "git status", None, Place(root, root, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    assert is_foreign(reading.commands[0], Paths(machine, request, reading, Budget()), machine, root)


@pytest.mark.parametrize("seed", range(40))
def test_no_repository_is_missed_that_git_finds(tmp_path, seed):
    """Layouts of directories with parts of repositories, as git itself takes them; `make fuzz` tries more."""
    assert differences(Path(os.path.realpath(tmp_path)), seed) == []


def test_what_the_configuration_names_guides_git(tmp_path):
    root = os.path.realpath(tmp_path)
    settings = {
        "core.hooksPath": "tools/hooks", "core.fsmonitor": "./watch", "include.path": "../own.config",
        "filter.f.clean": "sh scripts/clean.sh %f", "diff.d.textconv": "python3 show.py", "alias.x": "!tools/x",
        "remote.origin.url": "https://example.org/a/b", "branch.main.merge": "refs/heads/main", "user.name": "show.py",
        "alias.y": "log tools/y",
    }  # fmt: skip
    subprocess.run(["git", "-C", root, "init"], check=True, capture_output=True)
    (tmp_path / "show.py").touch()
    for key, value in settings.items():
        subprocess.run(["git", "-C", root, "config", key, value], check=True, capture_output=True)
    (tmp_path / "own.config").write_text('[merge "m"]\n\tdriver = scripts/merge.sh %A\n')
    found, starts = guides(f"{root}/.git")
    names = {os.path.relpath(each, root) for each in found if each.startswith(f"{root}/")}
    assert starts
    assert names == {
        ".git", "tools/hooks", "watch", "own.config", "scripts/clean.sh", "show.py", "tools/x", "scripts/merge.sh"
    }  # fmt: skip


def test_hooks_in_the_top_of_a_work_tree_are_known_by_their_names(tmp_path):
    subprocess.run(["git", "-C", tmp_path, "init"], check=True, capture_output=True)
    subprocess.run(["git", "-C", tmp_path, "config", "core.hooksPath", "."], check=True, capture_output=True)
    found, _ = guides(f"{tmp_path}/.git")
    assert f"{tmp_path}/pre-commit" in found
    assert str(tmp_path) not in found


def test_writing_what_git_would_start_is_as_writing_a_hook(tmp_path):
    root = os.path.realpath(tmp_path / "project")
    subprocess.run(["git", "init", root], check=True, capture_output=True)
    for key, value in {"core.hooksPath": "tools/hooks", "filter.f.clean": "sh scripts/clean.sh"}.items():
        subprocess.run(["git", "-C", root, "config", key, value], check=True, capture_output=True)
    machine = Machine(os.path.dirname(root), os.path.realpath, {}, repository=repository_of, kind=kind, guides=guides)

    def codes(text, write=("**",)):
        request = Request("run_shell_command", text, None, Place(root, root, inside=True))
        reading = Readings((), (), judge_substitutions=True).of(request)
        said = Guard(machine, Protection((), machine), FileRules(Files(write=(write,)), root, machine))
        return {each.code for each in said(request, reading, Budget()).findings[len(reading.findings) :]}

    for text in (
        "echo x > tools/hooks/pre-commit",
        "cp x scripts/clean.sh",
        "cd scripts && touch clean.sh",
        "sed -i s/a/b/ tools/*/pre-push",
        "ln -s ../x tools/hooks",
    ):
        assert "outside" in codes(text), text
    for text in ("echo x > tools/pre-commit", "cp x scripts/clean.py", "cat scripts/clean.sh", "touch src/clean.sh"):
        assert codes(text) == set(), text
    assert codes("touch tools/hooks/pre-commit", ("**", "tools/hooks/**")) == set()
