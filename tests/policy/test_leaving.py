"""What a rule lets out of a box around an agent (`outside = true`), and what is said of the rest."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from helpers.home import Home

CONFIG = """\
[[rules]]
decision = "allow"
command = [["git", "gh", "docker", "kubectl", "aws", "npm", "make", "ls"]]
outside = true

[[rules]]
decision = "allow"
command = "helm"
"""

ROWS = [
    tuple(line.split(" ", 1))
    for line in Path(__file__).with_name("leaving.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("leaving"), CONFIG)
    for words in ("init -q -b main", "remote add origin git@example.org:me/it.git"):
        subprocess.run(["git", *words.split()], cwd=home.root, env=home.environ, check=True)
    return home


def judged(home, *commands):
    table = home.root.parent / "table.jsonl"
    table.write_text("".join(json.dumps({"command": command}) + "\n" for command in commands))
    done = home.asimi("policy", "test", "--in-box", "--json", str(table))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def found(home):
    return dict(zip([text for _, text in ROWS], judged(home, *(text for _, text in ROWS)), strict=True))


@pytest.mark.parametrize(("verdict", "text"), ROWS)
def test_what_a_rule_lets_out_of_a_box(found, verdict, text):
    assert found[text]["verdict"] == verdict, found[text]["reasons"]


def test_what_leaves_says_so(found):
    assert found["git push"]["outside"] is True
    assert found["docker build ."]["outside"] is True  # if somebody says yes
    assert "outside" not in found["make"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("docker build .", "`docker` runs code, which the box may have written"),
        ("git push sub", "sub is no remote of the repository, so it may be a directory"),
        ("gh pr create -F body.md", "it names body.md, which the box can write"),
        ("env git push", "env starts `git push`"),
        ("docker compose ps", "`docker` may obey files of the directory that it runs in"),
        ("git pull", "git fetch leaves the box, and git merge or git rebase runs inside"),
        ("gcloud whatever", "asimi does not know all that `gcloud` does"),
    ],
)
def test_a_question_says_what_of_the_project_it_will_run_or_obey(found, text, why):
    told = [reason["message"] for reason in found[text]["reasons"] if reason["code"] == "unboxed"]
    assert any(why in each for each in told[1:]), told


def test_a_rule_without_outside_lets_nothing_out(home):
    home.config.write_text(CONFIG.replace("outside = true\n", ""))
    assert {row["verdict"] for row in judged(home, "git push", "docker ps")} == {"ask"}
    home.config.write_text(CONFIG)


def test_a_deny_or_an_ask_beats_it(home):
    for decision in ("deny", "ask"):
        home.config.write_text(CONFIG + f'[[rules]]\ndecision = "{decision}"\ncommand = "git push"\n')
        assert judged(home, "git push")[0]["verdict"] == decision
    home.config.write_text(CONFIG)


def test_a_secret_that_leaves_is_asked_about(home):
    (home.root / ".env").write_text("KEY=x")
    codes = {reason["code"] for reason in judged(home, "gh pr create -F .env")[0]["reasons"]}
    assert codes == {"secret", "unboxed"}
    os.unlink(home.root / ".env")


def test_a_link_in_the_repository_through_which_git_would_write_is_asked_about(home):
    for name in ("FETCH_HEAD", "logs", "refs/remotes"):
        at = home.root / ".git" / name
        at.symlink_to(home.home / "precious")
        (row,) = judged(home, "git fetch")
        at.unlink()
        assert (row["verdict"], f"git may write through {at}" in str(row["reasons"])) == ("ask", True)


def test_a_question_says_where_a_link_leads(home):
    (home.root / "sub" / "x").symlink_to(home.home / "precious")
    (row,) = judged(home, "gh pr create -F sub/x")
    assert f"it names sub/x, which the box can write, and which leads to {home.home}/precious" in str(row["reasons"])
    (home.root / "sub" / "x").unlink()


CONFIGURED = [
    ("[core]\n\tfsmonitor = true", "git obeys core.fsmonitor = true"),
    ("[core]\n\tsshCommand = x", "git obeys core.sshcommand = x"),
    ("[alias]\n\tp = push", "git obeys alias.p = push"),
    ("[include]\n\tpath = x", "git obeys include.path = x"),
    ('[remote "x"]\n\turl = ../x', "the remote x is ../x, which is not on another machine"),
    ('[remote "x"]\n\turl = ext::sh', "the remote x is ext::sh, which is not on another machine"),
    ('[branch "main"]\n\tremote = sub', "branch.remote is sub, which is no remote"),
    ("[core] sshCommand = x", "asimi cannot read all of"),
    ("[user]\n\tname = a \\\n[core]", "asimi cannot read all of"),
    ('[user]\n\tname = "a', "asimi cannot read all of"),
]


@pytest.mark.parametrize(("text", "why"), CONFIGURED, ids=[text for text, _ in CONFIGURED])
def test_a_setting_that_git_would_obey_is_asked_about(home, text, why):
    config = home.root / ".git" / "config"
    before = config.read_text()
    config.write_text(f"{before}{text}\n")
    pushed, viewed = judged(home, "git push", "gh pr view 1")
    config.write_text(before)
    for each in (pushed, viewed):
        assert each["verdict"] == "ask"
        assert any(why in reason["message"] for reason in each["reasons"]), each["reasons"]


def test_settings_by_which_git_starts_nothing_are_no_question(home):
    config = home.root / ".git" / "config"
    before = config.read_text()
    more = '[branch "main"]\n\tvscode-merge-base = origin/main\n[gc]\n\tauto = 0\n[rerere]\n\tenabled = true\n'
    config.write_text(before + more)
    (pushed,) = judged(home, "git push")
    config.write_text(before)
    assert pushed["verdict"] == "allow", pushed["reasons"]


def test_what_git_keeps_of_a_repository_is_read_as_git_reads_it(tmp_path):
    from asimi.world.host.git_settings import plain_settings

    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    def git(*words):
        return subprocess.run(["git", *words], cwd=tmp_path, env=environ, check=True, capture_output=True, text=True)

    git("init", "-q")
    for setting in ("user.name=Ada L", "remote.Up.stream.url=ssh://x/y", "branch.a.b.merge=refs/heads/x"):
        git("config", *setting.split("="))
    listed = [line.split("=", 1) for line in git("config", "--local", "--list").stdout.splitlines()]
    read = plain_settings(str(tmp_path / ".git"))
    assert [[name.replace(".", f".{which}.") if which else name, value] for name, which, value in read] == listed
