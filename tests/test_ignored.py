"""Whether a file is tracked or ignored, compared with the real git; a doubt is never `ignored`."""

from __future__ import annotations

import os
import random
import subprocess

import pytest

from asimi.world.host.git_index import status_of

FILES = (".env", ".env.local", "src/.env", "src/a/.env", "build/.env", "build/x/prod.pem", "src/build/key.pem", "env")
LINES = (
    ".env", ".env*", "*.pem", "!.env.local", "/.env", "build/", "/build", "src/a/.env", "**/.env", "!*.pem", "src/*",
    "# .env", "", "!src/a/", "src/**/.env", r"\.env", "[.]env", "*.env ", "!build/", ".e?v", "/", "!", "*", "!*",
)  # fmt: skip
ROUNDS = 60


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_is_called_ignored_is(tmp_path, seed):
    chance, environ = random.Random(seed), {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    project = tmp_path / "project"
    for name in FILES:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).touch()

    def git(*words, given=""):
        done = subprocess.run(
            ["git", *words], cwd=project, env=environ, input=given, capture_output=True, text=True, check=False
        )
        return {*done.stdout.split()}

    git("init", "-q")
    git("add", "-f", tracked := chance.choice(FILES))
    for place in (".gitignore", "src/.gitignore", ".git/info/exclude"):
        if chance.random() < 0.6:
            (project / place).write_text("\n".join(chance.choices(LINES, k=chance.randrange(1, 4))) + "\n")
    ignored = git("check-ignore", "--no-index", "--stdin", given="\n".join(FILES))
    said = {name: status_of(str(project / name)) for name in FILES}
    assert said[tracked] == "tracked"
    assert {name for name, how in said.items() if how == "ignored"} <= ignored
    assert {name for name, how in said.items() if how == "tracked"} == {tracked}


@pytest.mark.parametrize(
    "lines", [".env", ".env*\n!.env.example", "**/.env", "*.pem\n.e?v", "# none\n/.env", "!x\n.env"]
)
def test_plain_patterns_are_understood(tmp_path, lines):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text(lines)
    assert status_of(str(tmp_path / ".env")) == "ignored"
    assert status_of(str(tmp_path / "secrets.yaml")) == "new"
