"""A worktree of git shares what asimi keeps of its repository, where the repository says that it is one."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from helpers.rules import add

from asimi.core.call import Verdict
from asimi.core.judging.rules import Rule
from asimi.world.config import Configuration
from asimi.world.config.projects import main_worktree_of, project_of, trust, untrust
from asimi.world.config.store import RuleStore

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

LOOSE = "coreTools = ['run_shell_command(evil)']\n"


def git(directory, *words):
    """Run git as nobody has configured it."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1"}
    named = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *named, *words], cwd=directory, check=True, capture_output=True, env=environ)


@pytest.fixture
def tree(user):
    """A worktree of the user's project."""
    git(user.root, "init")
    git(user.root, "commit", "--allow-empty", "-m", "first")
    path = user.home / "work" / "tree"
    git(user.root, "worktree", "add", str(path))
    return path


def inside(user, directory):
    """The configuration in a directory."""
    return Configuration(user.places, str(directory))


def entries(configuration):
    return {rule.entry for rule in configuration.rules()}


def add_relative(tree, user):
    """As git 2.48 writes it with worktree.useRelativePaths."""
    own = user.root / ".git" / "worktrees" / "tree"
    (tree / ".git").write_text(f"gitdir: {os.path.relpath(own, tree)}\n")
    (own / "gitdir").write_text(f"{os.path.relpath(tree / '.git', own)}\n")


def test_the_main_worktree_of_a_worktree_is_found(user, tree):
    assert main_worktree_of(str(tree)) == str(user.root)
    assert main_worktree_of(str(user.root)) == str(user.root)
    assert main_worktree_of(str(user.home)) == str(user.home)
    add_relative(tree, user)
    assert main_worktree_of(str(tree)) == str(user.root)
    git(tree, "status")


def copied(tree, user):
    """A copy of a worktree is none: the repository points to the first."""
    del user
    other = tree.parent / "other"
    shutil.copytree(tree, other)
    return other


def pretended(tree, user):
    """A directory that somebody unpacked names a repository that knows nothing of it."""
    other = tree.parent / "other"
    other.mkdir()
    (other / ".git").write_text(f"gitdir: {user.root}/.git/worktrees/other\n")
    return other


def linked(tree, user):
    """Its `.git` is a link to a worktree's."""
    del user
    other = tree.parent / "other"
    other.mkdir()
    (other / ".git").symlink_to(tree / ".git")
    return other


def own_repository_linked(tree, user):
    """A repository of its own, whose worktrees are a link to somebody else's."""
    other = tree.parent / "other"
    (other / "fake" / ".git").mkdir(parents=True)
    (other / "fake" / ".git" / "worktrees").symlink_to(user.root / ".git" / "worktrees")
    (other / ".git").write_text(f"gitdir: {other}/fake/.git/worktrees/tree\n")
    return other


def shared_elsewhere(tree, user):
    """It says that what is shared is another repository."""
    (user.root / ".git" / "worktrees" / "tree" / "commondir").write_text("/elsewhere/.git\n")
    return tree


def removed(tree, user):
    shutil.rmtree(user.root / ".git" / "worktrees")
    return tree


def not_beside_worktrees(tree, user):
    """A submodule's directory is no worktree's."""
    modules = user.root / ".git" / "modules"
    modules.mkdir()
    (user.root / ".git" / "worktrees" / "tree").rename(modules / "tree")
    (tree / ".git").write_text(f"gitdir: {modules}/tree\n")
    return tree


@pytest.mark.parametrize(
    "make",
    [copied, pretended, linked, own_repository_linked, shared_elsewhere, removed, not_beside_worktrees],
    ids=lambda make: make.__name__,
)
def test_what_only_says_that_it_is_a_worktree_is_none(user, tree, make):
    add(inside(user, user.root), "git push", Verdict.ALLOW, project=True)
    other = make(tree, user)
    assert main_worktree_of(str(other)) == str(other)
    assert entries(inside(user, other)) == set()


def test_entries_are_shared_both_ways(user, tree):
    add(inside(user, user.root), "git push", Verdict.ALLOW, project=True)
    assert entries(inside(user, tree)) == {"run_shell_command(git push)"}
    add(inside(user, tree), "npm test", Verdict.DENY, project=True)
    assert entries(inside(user, user.root)) == {"run_shell_command(git push)", "run_shell_command(npm test)"}
    RuleStore(inside(user, tree)).remove("git push", project=True)
    assert entries(inside(user, user.root)) == {"run_shell_command(npm test)"}


def test_what_a_worktree_had_of_its_own_still_counts(user, tree):
    away = tree.with_name("away")
    (tree / ".git").rename(away)
    add(inside(user, tree), "rm", Verdict.DENY, project=True)
    away.rename(tree / ".git")
    configuration = inside(user, tree)
    assert entries(configuration) == {"run_shell_command(rm)"}
    assert entries(inside(user, user.root)) == set()
    RuleStore(configuration).remove("rm", project=True)
    assert entries(inside(user, tree)) == set()


def exact(directory, line="npm publish", verdict=Verdict.ALLOW):
    where = None if directory is None else str(directory)
    return Rule(verdict, "run_shell_command", None, line, "a person", line=line, directory=where, below=False)


def test_approvals_of_exact_calls_are_not_shared(user, tree):
    first, second = inside(user, user.root), inside(user, tree)
    rules = [exact(user.root), exact(None, "npm test"), exact(None, "rm x", Verdict.DENY)]
    RuleStore(first).remember(rules, project=True)
    assert [rule.line for rule in second.rules()] == ["rm x"]
    RuleStore(second).remember([exact(tree, "npm audit")], project=True)
    assert {rule.line for rule in inside(user, tree).rules()} == {"rm x", "npm audit"}


def test_trust_is_shared_for_the_same_content(user, tree):
    user.project(LOOSE)
    first = inside(user, user.root)
    trust(first, project_of(first))
    user.write(LOOSE, tree / ".asimi" / "config.toml")
    assert project_of(inside(user, tree)).trusted
    assert entries(inside(user, tree)) == {"run_shell_command(evil)"}
    user.write(LOOSE + "# changed\n", tree / ".asimi" / "config.toml")
    assert not project_of(inside(user, tree)).trusted
    user.write(LOOSE, tree / ".asimi" / "config.toml")
    assert untrust(inside(user, tree)) is True
    assert not project_of(inside(user, tree)).trusted
    assert not project_of(inside(user, user.root)).trusted


def test_trust_of_a_worktrees_own_file_stays_there(user, tree):
    user.write(LOOSE, tree / ".asimi" / "config.toml")
    user.project(LOOSE)
    second = inside(user, tree)
    trust(second, project_of(second))
    assert project_of(inside(user, tree)).trusted
    assert not project_of(inside(user, user.root)).trusted


def test_a_file_behind_a_link_is_not_trusted_for_what_it_holds(user, tree):
    user.project(LOOSE)
    first = inside(user, user.root)
    trust(first, project_of(first))
    (tree / ".asimi").symlink_to(user.root / ".asimi")
    assert not project_of(inside(user, tree)).trusted


def test_a_worktree_that_is_none_any_more_loses_it_at_once(user, tree):
    add(inside(user, user.root), "git push", Verdict.ALLOW, project=True)
    configuration = inside(user, tree)
    assert entries(configuration) == {"run_shell_command(git push)"}
    git(user.root, "worktree", "remove", "--force", str(tree))
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {user.root}/.git/worktrees/tree\n")
    assert entries(configuration) == set()
