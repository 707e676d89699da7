"""What becomes of everyday commands under each preset, by `asimi policy test`, in a repository of its own."""

from __future__ import annotations

import json
import subprocess

import pytest
from helpers.home import Home

EVERYDAY = """
allow allow allow  ls -la
allow allow allow  cat README.md | head -20
allow allow allow  grep -rn TODO src | wc -l
allow allow allow  find . -name '*.py' -not -path './node_modules/*'
allow allow allow  cd src && pwd && ls
allow allow allow  git status && git log --oneline -5
allow allow allow  git diff HEAD~1 -- src
allow allow allow  git branch --show-current
allow allow allow  git stash list
allow allow allow  sed -n 1,20p src/a.py
allow allow allow  for f in src/*.py; do echo "$f"; done
allow allow allow  docker ps
ask   allow allow  mkdir -p build/x && touch build/x/y
ask   allow allow  echo x > src/b.py
ask   allow allow  ls src | tee build/list
ask   allow allow  sed -i s/a/b/ src/a.py
ask   allow allow  cp src/a.py src/b.py && mv src/b.py src/c.py
ask   allow allow  git add -A && git commit -m 'Fix it' && git status
ask   allow allow  git switch -c feature
ask   allow allow  git checkout -b feature
ask   allow allow  git branch -m old new
ask   allow allow  git stash
ask   allow allow  git stash apply
ask   allow allow  git tag v1
ask   allow allow  git restore --staged src/a.py
ask   allow allow  git worktree add build/tree
ask   allow allow  npm test -- -u
ask   allow allow  make check 2>&1 | tail -20
ask   allow allow  pytest -q src
ask   ask   deny   make deploy
ask   ask   deny   npm run start
ask   ask   deny   git commit --amend -m x
ask   ask   deny   git branch -M old new
ask   ask   deny   git branch -D old
ask   ask   deny   git checkout -B feature
ask   ask   deny   git switch -C feature
ask   allow deny   git checkout -- src/a.py
ask   ask   deny   git reset --hard HEAD~1
ask   ask   deny   git stash drop
ask   ask   deny   git clean -fdx
ask   ask   deny   git push
ask   ask   deny   git worktree add -f build/tree
ask   ask   deny   git config core.pager less
ask   allow deny   rm -rf build
ask   ask   deny   npm install
ask   ask   deny   python3 build.py
ask   ask   deny   curl https://example.org
ask   ask   deny   sudo ls
ask   ask   deny   kill 1
ask   ask   deny   frobnicate
ask   ask   ask    cat .env
ask   ask   ask    printenv
ask   ask   ask    cat ~/.ssh/id_rsa
ask   ask   ask    git commit -F ~/.ssh/id_rsa
ask   ask   ask    echo x > ~/note
ask   ask   ask    echo x >> ~/.bashrc
ask   ask   ask    echo x > .git/hooks/pre-commit
ask   ask   ask    cp src/a.py ../b.py
ask   ask   ask    git worktree add ../tree
"""

PRESETS = ("reader", "developer", "ci")


def verdicts(home, preset, commands, root=None):
    """What `asimi policy test` says of commands, under a preset that `config init` wrote."""
    home.config.unlink(missing_ok=True)
    assert home.asimi("config", "init", "--preset", preset).returncode == 0
    table = home.home / "table.jsonl"
    table.write_text("".join(json.dumps({"command": each}) + "\n" for each in commands))
    where = ["--root", str(root)] if root else []
    said = home.asimi("policy", "test", "--json", *where, str(table), cwd=root)
    return {each: json.loads(line)["verdict"] for each, line in zip(commands, said.stdout.splitlines(), strict=True)}


@pytest.fixture
def project(tmp_path):
    """A home, and a repository with checks as the project."""
    home = Home(tmp_path, None)
    subprocess.run(["git", "init", "-q", home.root], check=True)
    for name in ("src", "build"):
        (home.root / name).mkdir()
    (home.root / "src" / "a.py").write_text("x = 1\n")
    (home.root / "package.json").write_text('{"scripts": {"test": "vitest run", "start": "node ."}}')
    (home.root / "Makefile").write_text("check:\n\truff check\ndeploy:\n\t./deploy\n")
    (home.root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    return home


@pytest.mark.parametrize("preset", PRESETS)
def test_everyday_commands_get_the_verdict_that_a_person_would_expect(project, preset):
    rows = [line.split(maxsplit=3) for line in EVERYDAY.strip().splitlines()]
    expected = {row[3]: row[PRESETS.index(preset)] for row in rows}
    assert verdicts(project, preset, expected) == expected


WRITES = ("echo x > note", "mkdir build", "sed -i s/a/b/ note", "touch sub/note")


@pytest.mark.parametrize("place", ["the home", "above the home", "the system's"])
def test_where_there_is_no_project_a_preset_only_reads(tmp_path, place):
    home = Home(tmp_path, None)
    root = {"the home": home.home, "above the home": tmp_path, "the system's": "/usr"}[place]
    said = verdicts(home, "developer", (*WRITES, "ls", "cat /etc/hostname"), root=root)
    assert list(said.values()) == [*("ask" for _ in WRITES), "allow", "allow"]


def test_what_holds_the_project_or_the_home_is_not_temporary(tmp_path):
    home = Home(tmp_path, None)  # both below /tmp
    top = "/".join(str(tmp_path).split("/")[:3])
    said = verdicts(home, "developer", ("echo x > note", f"echo x > {top}/note", f"echo x > {home.home}/note"))
    assert list(said.values()) == ["allow", "ask", "ask"]
    assert verdicts(home, "developer", ("echo x > /tmp/some/note",))["echo x > /tmp/some/note"] == "allow"
