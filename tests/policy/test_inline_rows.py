"""Which program texts and databases run without a question under the preset `developer`, by `asimi policy test`."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from helpers.home import Home

ROWS = [
    tuple(line.replace(r"\\n", "\0").replace(r"\n", "\n").replace("\0", r"\n").split(" ", 1))
    for line in Path(__file__).with_name("inline.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
FILES = (
    "README.md src/app.py package.json pyproject.toml data/a.csv data/b.csv data/a.json data/a.plist data/a.zip .env"
    " data/pre-commit data/.envrc"
).split()


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The verdicts on all rows, in one project."""
    home = Home(tmp_path_factory.mktemp("inline"), None)
    for name in FILES:
        (home.root / name).parent.mkdir(exist_ok=True)
        (home.root / name).write_text("{}")
    for name in ("root/app.db", "home/notes.db", "home/.mozilla/firefox/a/cookies.sqlite"):
        path = home.root.parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path)) as database:
            database.executescript("create table t (a)")
    subprocess.run(["git", "init", "-q"], cwd=home.root, env=home.environ, check=True)
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0
    table = home.home / "table.jsonl"
    table.write_text("".join(json.dumps({"command": text}) + "\n" for _, text in ROWS))
    said = home.asimi("policy", "test", "--json", str(table), environ={"PYTHONPATH": ""})
    return dict(zip((text for _, text in ROWS), map(json.loads, said.stdout.splitlines()), strict=True))


@pytest.mark.parametrize(("expected", "text"), ROWS)
def test_what_runs_without_a_question(found, expected, text):
    row = found[text]
    assert row["verdict"] == {"run": "allow", "ask": "ask"}[expected], row["reasons"]
