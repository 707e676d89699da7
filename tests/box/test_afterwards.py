"""What a session leaves in repositories and no file shows: real git, looked at before and after."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time

import pytest

from asimi.world.box.repository_changes import MOST_COMMITS, describe_changes, look

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="there is no git")

SAFE = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "HOME": "/nonexistent",
    "PATH": os.environ["PATH"],
}
SAFE |= {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class Project:
    """A repository, and what happens in it."""

    def __init__(self, top, *words):
        self.top = top
        top.mkdir()
        self.runs(f"git init -q -b main {' '.join(words)}; echo a > a; git add a; git commit -qm first")

    def runs(self, script, *, fails=False):
        """What a script prints in it."""
        done = subprocess.run(
            ["bash", "-ec", script], cwd=self.top, env=SAFE, capture_output=True, text=True, check=False
        )
        assert fails or done.returncode == 0, done.stderr
        return done.stdout.strip()

    def after(self, script, **how):
        """What is told after a script."""
        there = [str(self.top / ".git")]
        before = look(there)
        self.runs(script, **how)
        return describe_changes(before, look(there), str(self.top))


@pytest.fixture(params=["sha1", "sha256"])
def project(request, tmp_path):
    return Project(tmp_path / "p", f"--object-format={request.param}")


BLOB = "b=$(echo run me | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$b,.envrc; "
SIDES = "git switch -qc side; echo c > c; git add c; git commit -qm c; git switch -q main; "
COMMITTED = r"Commits of this session bring what runs by itself, though no file shows it yet: \.envrc \([0-9a-f]{8}\)"


@pytest.mark.parametrize(
    "script",
    [
        "true",
        "echo b > b; git add b; git commit -qm two; git branch other; git tag -a t -m t; git gc -q",
        "echo b >> a; git stash -q",
        "echo b > b; git add b; git stash -q; git stash pop -q",
        "git config user.name x; git config remote.o.url https://example.org/x; git config branch.main.remote o",
        "git worktree add -q ../w -b w",
        "git rm -q a; git commit -qm gone",
        SIDES + "echo d > d; git add d; git commit -qm d; git merge -q side -m m",
    ],
)
def test_what_brings_nothing_is_not_told(project, script):
    assert project.after(script) == []


@pytest.mark.parametrize(
    "script",
    [
        BLOB + "git commit -qm x",
        BLOB + "git commit -qm x; git reset -q --hard HEAD~1; git branch kept HEAD@{1}",
        BLOB + "git commit -qm x; git tag -a t -m t; git reset -q --hard HEAD~1",
        BLOB + "git update-ref refs/any/where $(git commit-tree -p HEAD -m x $(git write-tree)); git reset -q",
        BLOB + "git commit -qm x; git pack-refs --all; git gc -q",
        BLOB + "git commit -qm x; git checkout -q --detach; git branch -D main",
        BLOB + "c=$(git commit-tree -p HEAD -m x $(git write-tree)); git reset -q; git update-ref MERGE_HEAD $c",
    ],
)
def test_a_commit_that_brings_what_runs_by_itself_is_told(project, script):
    (line,) = [each for each in project.after(script) if each.startswith("Commits")]
    assert re.fullmatch(COMMITTED, line)


def test_a_merge_that_adds_what_no_side_has_is_told_and_one_that_only_joins_is_not(project):
    project.runs(SIDES + BLOB + "git commit -qm known; git checkout -q -- .envrc")
    assert project.after("git merge -q side -m m") == []
    evil = "mkdir -p .github/workflows; echo x > .github/workflows/ci.yml; git add .github; git commit -q --amend -m m"
    (line,) = project.after(evil)
    assert ".github/workflows/ci.yml (" in line


def test_a_stash_is_told_as_one_also_below_others(project):
    told = project.after(BLOB + "git stash -q; echo b >> a; git stash -q")
    assert [each.split(" ")[0] for each in told] == ["Stashes"]
    assert ".envrc (" in told[0]


def test_what_was_there_before_is_not_told_again(project):
    project.runs(BLOB + "git commit -qm x; git branch old; git reset -q --hard HEAD~1; " + BLOB)
    assert project.after("echo b > b; git add b; git commit -qm two -- b; git branch again old") == []


@pytest.mark.parametrize(
    "way",
    [
        "",
        "git update-index --index-version 4; ",
        "git update-index --split-index; ",
        "git update-ref HEAD $(git commit-tree -p HEAD -m x HEAD^{tree}); ",
    ],
)
def test_what_is_staged_and_no_file_shows_is_told(project, way):
    assert project.after(BLOB + way) == ["Staged, though no file shows it yet: .envrc"]
    assert project.after("git reset -q") == []


def test_what_the_box_held_back_from_a_switch_is_told(project):
    project.runs("git switch -qc other; echo mine > .envrc; git add .envrc; git commit -qm envrc; git switch -q main")
    told = project.after("git symbolic-ref HEAD refs/heads/other; git read-tree other")
    assert told == ["Not as the commit that is checked out has it, because the box held it: .envrc"]
    assert project.after("git checkout -q -- .envrc") == []
    assert project.after("git symbolic-ref HEAD refs/heads/main; git read-tree main") == [
        "Not as the commit that is checked out has it, because the box held it: .envrc"
    ]


def test_replace_references_and_grafts_are_told(project):
    project.runs("echo b >> a; git commit -qam two")
    (line,) = project.after("git replace HEAD HEAD~1")
    assert line.startswith("git shows other contents in place of: ")
    assert project.after("git rev-parse HEAD > .git/info/grafts") == [
        "git shows other contents in place of: info/grafts"
    ]


def test_what_was_begun_and_runs_or_brings_something_is_told(project):
    project.runs("echo b >> a; git commit -qam two; echo c >> a; git commit -qam three")
    told = project.after("GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -q -i -x 'touch ran' HEAD~2", fails=True)
    assert told == [".git/rebase-merge/git-rebase-todo: a rebase that has begun will run touch ran; touch ran"]
    project.runs("git rebase --abort")
    pick = BLOB + "c=$(git commit-tree -p HEAD -m x $(git write-tree)); git reset -q; "
    (line,) = project.after(pick + "mkdir .git/sequencer; echo pick $c x > .git/sequencer/todo")
    assert re.fullmatch(COMMITTED, line)
    project.runs("rm -r .git/sequencer")
    patch = (
        BLOB
        + "git commit -qm x; git format-patch -q -1 -o ../patches; git reset -q --hard HEAD~1; echo z > a; git add a; "
    )
    patch += "git commit -qm z; git format-patch -q -1 -o ../patches --start-number 1; git reset -q --hard HEAD~1; "
    project.runs("git config gc.auto 0")
    told = project.after(
        patch + "echo x > a; git add a; git commit -qm y; git am -q ../patches/*z.patch ../patches/*x.patch", fails=True
    )
    assert any("patches that are being applied bring .envrc" in each for each in told)
    project.runs("git am --abort")
    assert project.after("git bisect start -q; git bisect bad; git bisect good HEAD~1") == [
        ".git/BISECT_LOG: a bisect has begun; what it checks out, a command for it would run"
    ]


def test_new_settings_that_are_not_harmless_are_told(project):
    told = project.after("git config core.fsmonitor ./x; git config url.a:.insteadOf b; git config user.name c")
    assert told == [
        "New settings of git in the repository, whoever wrote them: core.fsmonitor = ./x, url.a:.insteadof = b"
    ]


def test_worktrees_and_submodules_are_looked_at_by_their_own_directories(project, tmp_path):
    project.runs("git worktree add -q ../w -b w")
    assert project.after(f"cd ../w; {BLOB}") == ["Staged, though no file shows it yet: ../w/.envrc"]
    pointer = str(tmp_path / "w" / ".git")
    assert look([pointer]) == look([str(project.top / ".git")])


def test_a_submodule_is_named_by_where_its_work_tree_is(project, tmp_path):
    shape = project.runs("git rev-parse --show-object-format")
    lib = Project(tmp_path / "lib", f"--object-format={shape}")
    project.runs(f"git -c protocol.file.allow=always submodule --quiet add {lib.top} lib; git commit -qm lib")
    there = [str(project.top / "lib/.git")]
    before = look(there)
    project.runs(f"cd lib; {BLOB}")
    assert describe_changes(before, look(there), str(project.top)) == [
        "Staged, though no file shows it yet: lib/.envrc"
    ]


@pytest.mark.parametrize(
    "script",
    [
        "echo x > .git/index",
        "echo b > b; git add b; git commit -qm b; t=$(git rev-parse HEAD^{tree}); rm -f .git/objects/${t:0:2}/${t:2}",
    ],
)
def test_a_repository_that_breaks_meanwhile_is_named(project, script):
    (line,) = project.after(script)
    assert re.fullmatch(r"Not looked through: .*/\.git: git cannot be asked what is new there", line)


def test_nothing_of_the_repository_is_obeyed_or_started(project):
    """No setting, filter, hook or promisor; the repository is as it was."""
    trap = project.top / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {project.top}/ran\n")
    trap.chmod(0o755)
    project.runs(
        "git config core.fsmonitor ./trap; git config core.hooksPath .; git config filter.x.clean ./trap; "
        "git config diff.external ./trap; git config log.showSignature true; git config gpg.program ./trap; "
        "git config core.alternateRefsCommand ./trap; echo '* filter=x' > .gitattributes; cp trap post-index-change"
    )
    there = [str(project.top / ".git")]
    before = look(there)
    project.runs(
        f"git -c core.fsmonitor= -c core.hooksPath=/dev/null -c filter.x.clean=cat -c log.showSignature=false "
        f"update-ref refs/heads/x $({BLOB.replace('git ', 'git -c core.fsmonitor= -c core.hooksPath=/dev/null ')} "
        "git -c core.fsmonitor= commit-tree -p HEAD -m x $(git -c core.fsmonitor= write-tree)); rm -f ran"
    )
    stamps = {path: path.stat().st_mtime_ns for path in (project.top / ".git").rglob("*")}
    assert any(COMMITTED[:20] in line for line in describe_changes(before, look(there), str(project.top)))
    assert not (project.top / "ran").exists()
    assert stamps == {path: path.stat().st_mtime_ns for path in (project.top / ".git").rglob("*")}


def test_paths_that_look_like_what_git_says_hide_nothing(project):
    names = r"""printf 'x' > $'a\ncommit 0'; printf 'x' > ':100644 100644 1 2 A'; git add .; """
    told = project.after(names + BLOB + "git commit -qm $'x\n:100644 000000 1 2 D'")
    assert re.fullmatch(COMMITTED, told[0])


def test_what_cannot_be_looked_through_is_named(project, monkeypatch):
    monkeypatch.setenv("PATH", str(project.top))
    assert project.after("true") == []
    (line,) = project.after("/usr/bin/git commit -q --allow-empty -m x || git commit -q --allow-empty -m x")
    assert line.startswith("Not looked through: ")


def test_more_commits_than_are_looked_through_are_named(project):
    script = f"""
        {{ for i in $(seq {MOST_COMMITS + 5}); do
            printf 'commit refs/heads/many\\ncommitter a <a@b> %d +0000\\ndata 1\\nx\\n' $i
        done; }} | git fast-import --quiet
    """
    (line,) = project.after(script)
    assert line.startswith("Not looked through: ")
    assert str(MOST_COMMITS) in line


@pytest.mark.long
def test_a_large_repository_takes_little_time(tmp_path):
    project = Project(tmp_path / "p")
    project.runs("""
        { for i in $(seq 50000); do
            printf 'commit refs/heads/main\\ncommitter a <a@b> %d +0000\\ndata 1\\nx\\n' $i
            [ $i = 1 ] && for f in $(seq 20000); do
                printf 'M 100644 inline d%d/f%d\\ndata 1\\nx\\n' $((f % 100)) $f
            done
            printf 'M 100644 inline last\\ndata %d\\n%s\\n' ${#i} $i
        done; } | git fast-import --quiet --force
        git reset -q --hard
    """)
    there, times = [str(project.top / ".git")], []
    for script in ("true", "echo b > a; git add a; git commit -qm two; git switch -q --detach HEAD~20000", BLOB):
        begun = time.process_time(), os.times().children_user
        before = look(there)
        times.append(time.process_time() - begun[0])
        project.runs(script)
        begun = time.process_time() + os.times().children_user + os.times().children_system
        describe_changes(before, look(there), str(project.top))
        times.append(time.process_time() + os.times().children_user + os.times().children_system - begun)
    assert max(times) < 2, times
