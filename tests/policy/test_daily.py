"""A day's commands under the preset `developer`, behind a hook: what is no question, and beside it what stays one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from helpers.checked import write
from helpers.home import Home
from helpers.hooks import judged

ROWS = [
    tuple(line.replace("⏎", "\n").split(" ", 1))
    for line in Path(__file__).with_name("daily.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]

FILES = {
    "README.md": "x\n",
    ".gitignore": "build/\n*.local\n",
    "package.json": '{"scripts": {"test": "x", "dev": "y"}}',
    "src/control.c": "int main(void) { return 0; }\n",
    "x.ipynb": "{}",
    "nb/jupyter_nbconvert_config.py": "",
    "tpl/lab/conf.json": "{}",
    "paper.tex": "",
    "paper.qmd": "",
    "latexmkrc": "",
    "_quarto.yml": "",
    "mix.exs": "",
    "infra/.terraform.lock.hcl": "",
    "ansible.cfg": "",
    "site.yml": "",
    "project.godot": "",
    "addons/gut/gut_cmdln.gd": "",
    "Cargo.toml": "[package]\nname = 'x'\n",
    "build.zig": "",
    "meson.build": "",
    "cabal.project": "",
    "stack.yaml": "",
    "gleam.toml": "",
    "rebar.config": "",
    "platformio.ini": "",
    "alembic.ini": "",
    "book.toml": "",
    "pom.xml": "<project/>",
    ".dvc/config": "",
    "pyproject.toml": "[dependency-groups]\ndev = ['dvc']\n",
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("daily"), None)
    write(home.root, FILES)
    for words in ("init -q -b main", "remote add origin git@example.org:me/it.git", "add .", "commit -q -m x"):
        given = ("-c", "user.name=a", "-c", "user.email=a@example.org", *words.split())
        subprocess.run(["git", *given], cwd=home.root, env=home.environ, check=True)
    (home.root / "build").mkdir()
    return judged(home, [text for _, text in ROWS])


@pytest.mark.parametrize("at", range(len(ROWS)), ids=[text for _, text in ROWS])
def test_a_command_of_a_day(verdicts, at):
    assert verdicts[at]["verdict"] == ROWS[at][0], verdicts[at]["reasons"]
