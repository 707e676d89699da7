"""What runs by itself and is made deeper in the project is moved away, and what people make there stays."""

import time
from pathlib import Path

import pytest
from helpers.boxes import Yard
from helpers.executors import eventually
from helpers.sandboxes import skip

from asimi.world.box import appearing
from asimi.world.box.appearing import Appearing, Watch, runs_by_itself
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
    "by a rename": ("echo x > deep/y && mv deep/y deep/.npmrc", "deep/.npmrc"),
    "with the directory that it is in": ("mkdir /tmp/t && echo x > /tmp/t/.envrc && cp -r /tmp/t a/t", "a/t/.envrc"),
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
    said, code = box(f"( {command}\n)")
    assert code == 0, said
    path = yard.root / name
    assert eventually(lambda: not path.is_symlink() and not path.exists())
    moved = dict(box.ask("moved"))
    assert Path(moved[str(path)]).exists() or Path(moved[str(path)]).is_symlink()
    assert box.ask("held") == ""


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


def test_a_tree_that_changes_under_the_look_is_followed(tmp_path):
    (tmp_path / "a/b/c").mkdir(parents=True)
    tree = Appearing([str(tmp_path)])

    def seen():
        tree._next = 0.0
        return tree.appeared()

    (tmp_path / "a/b").rename(tmp_path / "b")
    (tmp_path / "b/c/.envrc").write_text("")
    assert seen() == [str(tmp_path / "b/c/.envrc")]
    (tmp_path / "b/c/.envrc").unlink()
    (tmp_path / "b").rename(tmp_path / "a/b")
    assert seen() == []
    (tmp_path / "a/b/c/.envrc").write_text("")
    assert seen() == [str(tmp_path / "a/b/c/.envrc")]


def test_what_a_link_leads_to_stays(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/.envrc").touch()
    (tmp_path / "project/sub").mkdir(parents=True)
    (tmp_path / "project/sub/.envrc").touch()
    (tmp_path / "project/link").symlink_to("../outside")
    names = [f"{tmp_path}/project/{each}/.envrc" for each in ("link", "sub", "gone")]
    told = []
    watch = Watch(names, list, f"{tmp_path}/state", lambda path, _to: told.append(path))
    watch.move(names)
    assert told == names[1:2]
    assert (tmp_path / "outside/.envrc").exists()


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


def test_more_directories_than_are_watched_are_told_of(tmp_path, monkeypatch):
    for name in "abcd":
        (tmp_path / name).mkdir()
    assert Appearing([str(tmp_path)]).whole
    monkeypatch.setattr(appearing, "MOST", 3)
    assert not Appearing([str(tmp_path)]).whole
