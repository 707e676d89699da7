"""`asimi undo`: what a person reads, what they answer, and who they must be."""

from __future__ import annotations

import os

from helpers import PYTHON
from helpers.home import Home
from helpers.killed import killed_write
from helpers.undo import RULES, tree_of


def of(tmp_path, **files):
    """A home whose project holds some files."""
    home = Home(tmp_path, RULES)
    for name, content in files.items():
        (home.root / name).write_text(content)
    return home


def test_a_call_is_listed_shown_and_taken_back(tmp_path):
    """From the list to the yes, and back again."""
    home = of(tmp_path, a="one\ntwo\n", b="x\n")
    before = tree_of(home.root)
    assert home.asimi("run", "rm a; echo y > b; echo n > c").returncode == 0
    listed = home.asimi("undo").stdout
    assert "3 files +2 -3" in listed
    assert "rm a; echo y > b; echo n > c" in listed
    shown = home.asimi("undo", "last", "--diff").stdout
    assert "-one\n-two\n" in shown
    assert "-x\n+y\n" in shown
    with home.at_terminal("undo", "last") as person:
        person.sees("comes back", "as it was", "goes away", "[y/n]")
        person.types("y\r")
        assert person.ended() == 0
    assert tree_of(home.root) == before
    assert "No call is left to take back here" in home.asimi("undo", "last", "--diff").stderr, "it is no redo"
    undone = home.asimi("undo").stdout.splitlines()[-1].split()[0]
    with home.at_terminal("undo", undone) as person:
        person.sees("[y/n]")
        person.types("y\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["b", "c", "sub"]
    assert "-one\n-two\n" in home.asimi("undo", "last", "--diff").stdout, "it stands again"


def test_without_a_call_the_project_is_named(tmp_path):
    home = of(tmp_path, a="x")
    shown = home.asimi("undo", cwd=home.root / "sub").stdout
    assert f"There is nothing to take back in {home.root / 'sub'}" in " ".join(shown.split())
    assert "--root names another project" in shown


def test_from_a_directory_of_the_project_it_is_the_projects(tmp_path):
    """What is kept of the project around is listed, and a path is named from where a person is."""
    home = of(tmp_path, a="x")
    (home.root / "sub" / "b").write_text("one\n")
    assert home.asimi("run", "rm a; echo two > sub/b").returncode == 0
    below = home.root / "sub"
    assert "2 files" in home.asimi("undo", cwd=below).stdout
    shown = home.asimi("undo", "last", "b", "--diff", cwd=below).stdout
    assert ("-one" in shown, "-x" in shown) == (True, False)
    assert "No call is left" in home.asimi("--root", str(below), "undo", "last", "--diff", cwd=below).stderr


def test_a_no_changes_nothing(tmp_path):
    """And says so by its exit code."""
    home = of(tmp_path, a="x")
    home.asimi("run", "rm a")
    with home.at_terminal("undo", "last") as person:
        person.sees("[y/n]")
        person.types("n\r")
        assert person.ended() == 126
    assert not (home.root / "a").exists()


def test_nobody_but_a_person_takes_anything_back(tmp_path):
    """Not `--yes`, not a pipe, not a command that asimi runs."""
    home = of(tmp_path, a="x")
    home.asimi("run", "rm a")
    for words in (("undo", "last"), ("--yes", "undo", "last"), ("undo", "--yes", "last")):
        done = home.asimi(*words, stdin="y\n")
        assert done.returncode == 125
        assert "terminal" in done.stderr
    inside = home.asimi("run", "--yes", f"{PYTHON} -m asimi undo last")
    assert "A command run by asimi cannot take back" in inside.stderr + inside.stdout
    assert not (home.root / "a").exists()


def test_only_some_files_and_back_to_a_moment(tmp_path):
    """By path from where the person is, and with all later calls."""
    home = of(tmp_path, a="x", b="x", c="x")
    home.asimi("run", "rm a b")
    name = home.asimi("undo").stdout.split()[0]
    home.asimi("run", "rm c")
    with home.at_terminal("undo", name, "a") as person:
        person.sees("Take back 1 path")
        person.types("y\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["a", "sub"]
    with home.at_terminal("undo", name, "--back") as person:
        person.sees("Take back 2 paths")
        person.types("y\r")
        assert person.ended() == 0
    assert sorted(tree_of(home.root)) == ["a", "b", "c", "sub"]


def test_what_cannot_come_back_is_said_first(tmp_path):
    """Before the question."""
    home = of(tmp_path, a="x")
    with open(home.root / "big", "wb") as file:
        file.truncate(100 << 20)
    home.asimi("run", "rm a big")
    with home.at_terminal("undo", "last") as person:
        person.sees("cannot come back  big", "1 too large", "[y/n]")
        person.types("y\r")
        assert person.ended() == 0
    assert (home.root / "a").exists()


def test_the_way_back_in_the_repository_is_shown(tmp_path):
    """A branch that was moved, a stash that was dropped: the commands that lead back."""
    import subprocess

    home = of(tmp_path, a="x")
    run = home.environ | {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def git(*words):
        done = subprocess.run(["git", *words], cwd=home.root, env=run, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "1")
    git("commit", "-qm", "2", "--allow-empty")
    commit = git("rev-parse", "HEAD")
    (home.root / "a").write_text("stashed")
    git("stash")
    stash = git("rev-parse", "stash@{0}")
    home.asimi("--yes", "run", "touch b; git reset -q --hard HEAD~1; git stash drop -q")
    with home.at_terminal("undo", "last", columns=200) as person:
        person.sees(f"git reset --soft {commit}", f"git stash store {stash}", "[y/n]")
        person.types("n\r")
        person.ended()


def test_the_list_is_json_for_programs(tmp_path):
    """With the names of the files."""
    import json

    home = of(tmp_path, a="x")
    home.asimi("run", "rm a")
    (row,) = map(json.loads, home.asimi("undo", "--json").stdout.splitlines())
    assert (row["files"], row["removed"], row["agent"]) == (["a"], 1, "cli")


def test_wrong_usage(tmp_path):
    """Is told, and nothing happens."""
    home = of(tmp_path, a="x")
    assert home.asimi("undo", "--diff").returncode == 2
    assert home.asimi("undo", "nothing").returncode == 125
    home.asimi("run", "rm a")
    assert home.asimi("undo", "last", "../../x").returncode == 125


def test_the_log_names_the_way_back(tmp_path):
    """Beside each call that can be taken back, and once it was."""
    home = of(tmp_path, a="x")
    home.asimi("run", "rm a")
    name = home.asimi("undo").stdout.split()[0]
    assert f"asimi undo {name}" in home.asimi("log", "--why").stdout
    with home.at_terminal("undo", name) as person:
        person.sees("[y/n]")
        person.types("y\r")
        person.ended()
    assert "undo" in home.asimi("log").stdout


def test_old_calls_go_and_with_them_what_only_they_needed(tmp_path):
    """`keep` says how long."""
    import time

    from helpers.undo import Project

    project = Project(tmp_path)
    project.write("a", os.urandom(100_000))
    project.call("rm a")
    keeper = project.keeper()
    size = os.path.getsize(os.path.join(keeper.directory, "data.0"))
    assert size > 100_000
    time.sleep(0.01)
    killed = killed_write(*(os.path.join(keeper.directory, name) for name in ("", "calls", "sessions")))
    keeper.sweep(0.0)
    assert not [*filter(os.path.exists, killed)]
    assert keeper.calls.all() == []
    assert sum(each.stat().st_size for each in os.scandir(keeper.directory) if each.name.startswith("data")) < 10_000
    project.write("b", "new")
    call = project.call("rm b")
    project.takes_back(call)
    assert sorted(tree_of(project.root)) == ["b"]
