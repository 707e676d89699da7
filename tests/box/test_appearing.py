"""What runs by itself and is made deeper in the project is moved away, and what people make there stays."""

import os
import shutil
import signal
import subprocess
import time

import pytest
from helpers.boxes import Yard
from helpers.executors import eventually
from helpers.sandboxes import skip

from asimi.world.box import notices
from asimi.world.box.appearing import AppearanceWatcher, Before, runs_by_itself
from asimi.world.box.enforcer import WRITTEN, is_written
from asimi.world.box.quarantine import Quarantine
from asimi.world.box.repositories import NOWHERE
from asimi.world.executors.confining.ability import lacking_bubblewrap


@pytest.fixture(scope="module")
def here():
    """A box in a yard of our own."""
    if fault := lacking_bubblewrap():
        skip(fault)
    yard = Yard()
    yard.write(yard.root / "deep/old/.envrc", "true")
    yield yard, yard.box()
    yard.end()


MADE = {
    "a file": ("mkdir -p a/b && echo x > a/b/.envrc", "a/b/.envrc"),
    "a directory": ("mkdir -p a/c && mkdir a/c/.vscode && echo x > a/c/.vscode/tasks.json", "a/c/.vscode"),
    "in one that is old": ("echo x > deep/mise.toml", "deep/mise.toml"),
    "in one that cannot be listed": ("mkdir -m 0311 q && mkdir q/s && echo x > q/s/.envrc", "q/s/.envrc"),
    "at the top": ("echo x > .npmrc", ".npmrc"),
    "by the index, below packages": (
(
            "p=node_modules/x; git init -q $p && git -C $p config core.fsmonitor ./x && c=$(git rev-parse HEAD) && "
            "git update-index --add --cacheinfo 160000,$c,$p"
        ),
        "node_modules/x/.git",
    ),
    "a module whose configuration starts a program": (
        "git init -q m && m=.git/modules && mkdir -p $m && mv m/.git $m/m && git -C $m/m config core.pager x",
        ".git/modules/m",
    ),
    "a worktree that is led elsewhere": (
        "git worktree add -q wx -b wx && echo ../../../x > .git/worktrees/wx/commondir",
        ".git/worktrees/wx",
    ),
    "a repository without that name": ("git init -q --bare docs && git -C docs config core.fsmonitor x", "docs/HEAD"),
    "a link in git's own directory": ("ln -s /etc/passwd .git/MERGE_MSG", ".git/MERGE_MSG"),
    "by a rename": ("echo x > deep/y && mv deep/y deep/.npmrc", "deep/.npmrc"),
    "with its directory": ("mkdir /tmp/t && echo x > /tmp/t/.envrc && cp -r /tmp/t t", "t/.envrc"),
    "by a link": ("ln -s /dev/null deep/.envrc", "deep/.envrc"),
    "by a hard link": ("echo x > deep/z && ln deep/z deep/.gdbinit", "deep/.gdbinit"),
    "with an old time": ("echo x > deep/.pdbrc && touch -d 2001-01-01 deep/.pdbrc deep", "deep/.pdbrc"),
    "an agent's settings": (
        "mkdir -p deep/.claude && echo '{}' > deep/.claude/settings.json",
        "deep/.claude/settings.json",
    ),
    "an agent's server": ("echo '{}' > deep/.mcp.json", "deep/.mcp.json"),
    "in other letters": ("echo '{}' > deep/.MCP.json", "deep/.MCP.json"),
    "a pattern": ("echo '{}' > deep/a.code-workspace", "deep/a.code-workspace"),
    "a workflow": (
        "mkdir -p deep/.github/workflows && echo x > deep/.github/workflows/x.yml",
        "deep/.github/workflows",
    ),
    "a repository with a hook": ("git init -q r1 && echo x > r1/.git/hooks/post-checkout", "r1/.git"),
    "a repository that starts a program": ("git init -q r2 && git -C r2 config core.fsmonitor ./x", "r2/.git"),
    "one whose index cannot be read": ("git init -q ri && printf '\\0\\0\\340\\0' > ri/.git/index", "ri/.git"),
    "one that includes a file": ("git init -q r3 && git -C r3 config include.path ../c", "r3/.git"),
    "one with a setting in another form": (
        "git init -q r4 && printf '[core] fsmonitor = x\\n' >> r4/.git/config",
        "r4/.git",
    ),
    "one whose work tree has settings of its own": (
        "git init -q r9 && cd r9 && git config extensions.worktreeConfig true && git config --worktree core.pager ./x",
        "r9/.git",
    ),
    "one that is led elsewhere": ("git init -q r5 && echo ../../x > r5/.git/commondir", "r5/.git"),
    "a file that leads to one": (
        "git init -q bare && mv bare/.git g && mkdir r6 && echo 'gitdir: ../g' > r6/.git",
        "r6/.git",
    ),
    "a link to one": ("git init -q r7 && mv r7/.git g7 && ln -s ../g7 r7/.git", "r7/.git"),
    "a repository whose hooks are a link": (
        "git init -q r8 && rm -r r8/.git/hooks && mkdir h && touch h/pre-commit && ln -s ../../h r8/.git/hooks",
        "r8/.git",
    ),
    "another kind of repository": ("mkdir -p hg/.hg && echo x > hg/.hg/hgrc", "hg/.hg/hgrc"),
}  # fmt: skip


@pytest.mark.parametrize("way", MADE)
def test_what_runs_by_itself_is_moved_away(here, way):
    yard, box = here
    command, name = MADE[way]
    said, _ = box(f"( {command}\n)")  # which may fail: what it has begun may be moved before it has ended
    path = yard.root / name
    assert eventually(lambda: str(path) in dict(box.ask("moved"))), said
    assert os.path.lexists(dict(box.ask("moved"))[str(path)])
    if path.name == ".git":  # so that git goes on to no repository around it
        assert path.read_text() == NOWHERE
        git = subprocess.run(["git", "status"], cwd=path.parent, capture_output=True, check=False)
        assert git.returncode == 128
    else:
        assert eventually(lambda: not os.path.lexists(path))  # touch may make it once more
    assert box.ask("restore") == ""


STAYS = {
    "a clone": ("git clone -q . clone && git -C clone log --oneline", "clone/.git/config"),
    "a repository, and work in it": (
        "git init -q new && cd new && echo x > f && git add f && git -c user.name=a -c user.email=b commit -qm x",
        "new/.git/HEAD",
    ),
    "a sparse one": ("git init -q sparse && git -C sparse sparse-checkout set a", "sparse/.git/config.worktree"),
    "packages": ("mkdir -p a/node_modules/p && echo x > a/node_modules/p/.npmrc", "a/node_modules/p/.npmrc"),
    "an environment": ("mkdir -p a/.venv/bin && touch a/.venv/bin/python a/.venv/pyvenv.cfg", "a/.venv/bin/python"),
    "code": ("mkdir -p a/src && echo 1 > a/src/envrc.py", "a/src/envrc.py"),
    "a worktree": ("git worktree add -q wt -b wt && cat wt/.git", "wt/.git"),
    "a worktree beside another": ("git worktree add -q wv && cd wv && git worktree add -q ../wu", "wu/.git"),
    "a submodule": (  # its `.gitmodules` is moved away, perhaps before git has added that
        "git clone -q . c1 && { git -c protocol.file.allow=always submodule --quiet add ./c1 sub || :; }",
        "sub/.git",
    ),
    "work in a repository that is below": (
        "git clone -q . c2 && cd c2 && git checkout -qb x && git gc -q",
        "c2/.git/HEAD",
    ),
}


@pytest.mark.parametrize("way", STAYS)
def test_what_people_make_stays(here, way):
    yard, box = here
    command, name = STAYS[way]
    said, code = box(f"( {command}\n)")
    assert code == 0, said
    time.sleep(1)
    assert (yard.root / name).exists(), box.ask("moved")


def test_what_was_there_stays_as_it_was(here):
    yard, box = here
    box("touch deep/old/new")
    time.sleep(1)
    assert (yard.root / "deep/old/.envrc").read_text() == "true"


@pytest.mark.parametrize(
    ("path", "runs"),
    [
        ("/p/.envrc", True), ("/p/a/.vscode", True), ("/p/a/vscode", False), ("/p/a/.github", False),
        ("/p/.github/workflows", True), ("/p/.github/skills", True), ("/p/a/gradlew", True),
        ("/p/x.code-workspace", True),
        ("/p/.claude/settings.json", True), ("/p/.claude/worktrees", False), ("/p/settings.json", False),
        ("/p/.venv/bin/python", False), ("/p/pyvenv.cfg", False),
        ("/p/.git/config", False), ("/p/Opencode.json", True),
    ],
)  # fmt: skip
def test_a_path_runs_by_itself_by_its_names(path, runs):
    assert runs_by_itself(path) is runs


@pytest.fixture(params=["fanotify", "inotify"])
def told(request, tmp_path, monkeypatch):
    """What appears below a directory, by each of the kernel's ways."""
    if request.param == "inotify":
        monkeypatch.setattr(notices, "_GROUP", 0xFFFF)  # which the kernel refuses
    opened = []

    def begin(**more):
        opened.append(AppearanceWatcher([str(tmp_path)], **more))
        return opened[-1]

    yield begin
    for each in opened:
        each.close()


def test_a_tree_that_changes_under_the_look_is_followed(told, tmp_path):
    (tmp_path / "a/b/c").mkdir(parents=True)
    tree = told()
    (tmp_path / "a/b").rename(tmp_path / "b")
    (tmp_path / "b/c/.envrc").write_text("")
    assert tree.look().appeared == (str(tmp_path / "b/c/.envrc"),)
    (tmp_path / "b/c/.envrc").unlink()
    (tmp_path / "b").rename(tmp_path / "a/b")
    assert tree.look().appeared == ()
    (tmp_path / "a/b/c/.envrc").write_text("")
    assert tree.look().appeared == (str(tmp_path / "a/b/c/.envrc"),)


def test_nothing_is_missed_where_the_kernel_loses_notices(told, tmp_path):
    (tmp_path / "a").mkdir()
    tree, hushed = told(), []
    for number in range(17_000):  # more than it keeps
        (tmp_path / f"{number}").touch()
    (tmp_path / "a/.envrc").touch()
    assert tree.look(lambda: hushed.append(1)).appeared == (str(tmp_path / "a/.envrc"),)
    assert hushed


def test_the_inside_stands_still_while_much_that_arrives_is_looked_through(told, tmp_path):
    (tmp_path / "node_modules/x").mkdir(parents=True)
    for number in range(1100):
        (tmp_path / f"node_modules/x/{number}").touch()
    (tmp_path / "node_modules/x/.envrc").touch()
    tree, hushed = told(), []
    (tmp_path / "node_modules/x").rename(tmp_path / "x")
    assert tree.look(lambda: hushed.append(1)).appeared == (str(tmp_path / "x/.envrc"),)
    assert hushed


def test_what_appeared_while_nobody_looked_is_found_by_what_was_there(told, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/.envrc").touch()
    before = told().before
    (tmp_path / "b").mkdir()
    (tmp_path / "b/.envrc").touch()
    later = told(before=Before(*before))
    assert later.look(whole=True).appeared == (str(tmp_path / "b/.envrc"),)


def coming_and_going(make, remove):
    """Make and remove something again and again in a process of its own."""
    pid = os.fork()
    if pid:
        return pid
    try:
        while True:
            make()
            remove()
    finally:
        os._exit(1)


def until_gone(pid):
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_a_repository_that_is_removed_meanwhile_is_not_moved(told, tmp_path):
    """Nor is it for a moment one that says what nobody has written."""
    new = tmp_path / "new"
    (tmp_path / "whole/.git/hooks").mkdir(parents=True)
    for name in ("HEAD", "config", "index"):
        (tmp_path / f"whole/.git/{name}").write_bytes(b"[core]\n\tbare = false\n" if name == "config" else b"x")
    tree = told()

    def make():
        shutil.copytree(tmp_path / "whole", new)

    make()
    pid = coming_and_going(lambda: shutil.rmtree(new), make)
    try:
        assert [found for _ in range(1500) if (found := tree.look().appeared)] == []
    finally:
        until_gone(pid)


def test_a_submodule_that_is_new_with_its_repository_stays(told, tmp_path):
    """Its pointer is seen before the kernel's word of the repository was read, or after."""
    git, module, sub = tmp_path / ".git", tmp_path / ".git/modules/sub", tmp_path / "sub"
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    tree = told()

    def make():
        module.mkdir(parents=True)
        (module / "HEAD").write_text("ref: refs/heads/main\n")
        sub.mkdir()
        (sub / ".git").write_text("gitdir: ../.git/modules/sub\n")

    def remove():
        shutil.rmtree(sub)
        shutil.rmtree(git / "modules")

    pid = coming_and_going(make, remove)
    try:
        assert [found for _ in range(1500) if (found := tree.look().appeared)] == []
    finally:
        until_gone(pid)


def test_what_a_link_leads_to_stays(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/.envrc").touch()
    (tmp_path / "project/sub").mkdir(parents=True)
    (tmp_path / "project/sub/.envrc").touch()
    (tmp_path / "project/link").symlink_to("../outside")
    names = [f"{tmp_path}/project/{each}/.envrc" for each in ("link", "sub", "gone")]
    told = []
    moving = Quarantine(f"{tmp_path}/state", lambda path, _to: told.append(path))
    for each in names:
        moving.away(each)
    assert told == names[1:2]
    assert (tmp_path / "outside/.envrc").exists()


def test_what_was_moved_can_be_put_back(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p/.git").write_text("gitdir: elsewhere")
    moving = Quarantine(f"{tmp_path}/state", lambda _path, _to: None)
    moving.away(f"{tmp_path}/p/.git")
    assert (tmp_path / "p/.git").read_text() == NOWHERE
    assert moving.back(f"{tmp_path}/p/.git") == ""
    assert (tmp_path / "p/.git").read_text() == "gitdir: elsewhere"
    assert "nothing was moved away" in moving.back(f"{tmp_path}/p/.git")


def test_a_directory_that_was_closed_for_a_while_is_looked_through():
    if fault := lacking_bubblewrap():
        skip(fault)
    yard = Yard(nobody=True)
    try:
        box = yard.box()
        box("mkdir -p deep/closed && chmod 0 deep/closed")
        assert eventually((yard.root / "deep/closed").exists)
        time.sleep(1)
        box("chmod 755 deep/closed && sleep 1 && touch deep/closed/.envrc")
        assert eventually(lambda: not (yard.root / "deep/closed/.envrc").exists())
    finally:
        yard.end()


@pytest.fixture
def branches():
    """A yard whose repository has a branch with files that run by themselves."""
    if fault := lacking_bubblewrap():
        skip(fault)
    yard = Yard()
    yard.git("checkout", "-q", "-b", "other")
    yard.write(yard.root / ".envrc", "of the branch\n")
    for each in "ab":
        yard.write(yard.root / f".github/workflows/{each}.yml", f"{each}\n")
    yard.git("add", "-A")
    yard.git("commit", "-q", "-m", "two")
    yard.git("checkout", "-q", "main")
    yield yard
    yard.end()


def test_what_a_branch_brings_stays_and_is_held(branches):
    box = branches.box()
    said, code = box("git switch -q other && git status --short")
    assert (said, code) == ("", 0)
    time.sleep(1)
    assert box.ask("moved") == []
    assert box("git status --short; cat .envrc .github/workflows/*.yml") == ("of the branch\na\nb\n", 0)
    assert eventually(lambda: box("echo x >> .envrc || rm .github/workflows/a.yml")[1] != 0)
    box("echo x > .github/workflows/c.yml")
    assert eventually(lambda: not (branches.root / ".github/workflows/c.yml").exists())


def test_a_file_that_git_has_only_opened_is_waited_for(tmp_path):
    """On a busy machine it stays empty for a while; nothing runs what is empty."""
    path = tmp_path / ".envrc"
    assert is_written(str(path))
    path.touch()
    time.sleep(2 * WRITTEN)
    assert not is_written(str(path))
    path.write_text("of the branch")
    time.sleep(2 * WRITTEN)
    assert is_written(str(path))


def test_other_bytes_at_the_path_of_a_branch_do_not_stay(branches):
    box = branches.box()
    box("echo evil > .envrc")
    assert eventually(lambda: not (branches.root / ".envrc").exists())
    box("git cat-file -p other:.envrc > x; echo more >> x; mv x .envrc")
    assert eventually(lambda: not (branches.root / ".envrc").exists())


def test_a_commit_of_the_inside_brings_nothing(branches):
    box = branches.box()
    box("git switch -q -c mine && b=$(echo evil | git hash-object -w --stdin) && "
        "git update-index --add --cacheinfo 100644,$b,.gdbinit && git -c user.name=a -c user.email=b commit -qm x && "
        "git checkout -- .gdbinit")  # fmt: skip
    assert eventually(lambda: [path for path, _ in box.ask("moved")] == [str(branches.root / ".gdbinit")])
    assert not (branches.root / ".gdbinit").exists()


def test_what_a_yes_has_named_stays_and_is_held(branches):
    path = branches.root / ".circleci"
    box = branches.box(named=[str(path), str(path / "config.yml")])
    assert (
        box("mkdir .circleci && echo x > .circleci/config.yml && sleep 0.2 && echo y >> .circleci/config.yml")[1] == 0
    )
    assert eventually(lambda: box("echo z >> .circleci/config.yml")[1] != 0)
    assert box.ask("moved") == []


def test_a_person_keeps_what_was_moved(branches):
    box = branches.box()
    box("echo mine > .npmrc")
    path = str(branches.root / ".npmrc")
    assert eventually(lambda: path in dict(box.ask("moved")))
    assert box.ask("keep", path) == ""
    assert (branches.root / ".npmrc").read_text() == "mine\n"
    assert box("cat .npmrc && echo x >> .npmrc")[1] != 0
    assert "nothing was moved away" in box.ask("keep", str(branches.root / ".nvmrc"))


def test_what_a_person_replaces_outside_is_theirs(branches):
    """Also by moving the old file away first, as editors do."""
    branches.git("checkout", "-q", "other")
    box = branches.box()
    (branches.root / ".envrc").rename(branches.root / ".envrc~")
    (branches.root / ".envrc").write_text("new\n")
    time.sleep(1)
    assert box.ask("moved") == []
    assert box("cat .envrc; echo x >> .envrc")[0].startswith("new\n")
    assert (branches.root / ".envrc").read_text() == "new\n"


def test_a_name_that_appears_again_and_again_ends_the_box(branches):
    box = branches.box(ends=True)
    box("(while :; do echo x > .npmrc; done) 2>/dev/null &")
    assert eventually(lambda: not os.path.exists(f"/proc/{box.first}"))
    assert box.ask("asked") == [str(branches.root / ".npmrc")]
    assert eventually(lambda: not (branches.root / ".npmrc").exists())
