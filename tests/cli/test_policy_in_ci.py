"""The workflow and the hooks for a repository with a policy: their very commands, in a clean clone and a clean home."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from helpers import MODULES, PATIENCE, PYTHON

TOP = Path(__file__).parents[2]
GOOD = """\
excludeTools = ["run_shell_command(git push)"]
[[rules]]
decision = "allow"
command = "npm test"
directory = "web"
"""
CASES = [
    {"command": "npm test", "directory": "web", "expect": "allow"},
    {"command": "npm test", "expect": "ask"},
    {"command": "git -C web push --force", "expect": "deny"},
]


def workflow():
    """The commands of the workflow; of what it uses and installs, this checkout stands in the place."""
    lines = (TOP / "examples" / "policy-test.yml").read_text().splitlines()
    commands = [match[1] for line in lines if (match := re.fullmatch(r" +run: (.*)", line))]
    assert commands.pop(0) == 'python3 -m pip install "$ASIMI"'
    return commands


def hooks():
    """The commands of the hooks: `entry` with its `args`, as pre-commit joins them."""
    blocks = (TOP / ".pre-commit-hooks.yaml").read_text().split("- id: ")[1:]
    keys = [dict(re.findall(r"^  (\w+): (.*)$", block, re.MULTILINE)) for block in blocks]
    assert all(each["pass_filenames"] == "false" and re.search(each["files"], ".asimi/cases.jsonl") for each in keys)
    return [shlex.join([*each["entry"].split(), *json.loads(each["args"])]) for each in keys]


class Repository:
    """A repository with a policy, and clones of it."""

    def __init__(self, directory):
        self.origin, self.directory = directory / "origin", directory
        (self.origin / "web").mkdir(parents=True)
        (self.origin / "web" / "index.html").write_text("")
        (self.origin / ".asimi").mkdir()
        self.bin = directory / "bin"
        self.bin.mkdir()
        program = self.bin / "asimi"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(PYTHON)} -m asimi "$@"\n')
        program.chmod(0o755)
        (directory / "home").mkdir()
        path = f"{self.bin}:{os.environ['PATH']}"
        self.environ = {"PATH": path, "HOME": str(directory / "home"), "LANG": "C.UTF-8"} | MODULES

    def run(self, command, cwd):
        return subprocess.run(
            ["sh", "-c", command], check=False, cwd=cwd, env=self.environ, capture_output=True, text=True,
            timeout=PATIENCE, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def clone(self, policy, cases):
        (self.origin / ".asimi" / "config.toml").write_text(policy)
        (self.origin / ".asimi" / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in cases))
        name = "-c user.name=a -c user.email=a@b"
        made = self.run(
            f"git init -q . && git add -A && git {name} commit -qm x && git clone -q . ../clone", self.origin
        )
        assert made.returncode == 0, made.stderr
        return self.directory / "clone"


def test_the_hooks_do_what_the_workflow_does():
    assert hooks() == workflow()


@pytest.mark.parametrize(
    ("policy", "cases", "codes"),
    [
        (GOOD, CASES, [0, 0, 0]),
        (GOOD + '[[rules]]\ndecision = "allow"\ncommand = "python3"\n', CASES, [0, 1, 0]),
        (GOOD, [*CASES, {"command": "git push", "expect": "allow"}], [0, 0, 1]),
        ("coreTools = 1\n", CASES, [125, 125, 125]),
    ],
    ids=["good", "flaw", "verdict", "broken"],
)
def test_each_command_ends_as_the_policy_deserves(tmp_path, policy, cases, codes):
    repository = Repository(tmp_path)
    clone = repository.clone(policy, cases)
    done = [repository.run(command, clone) for command in workflow()]
    assert [each.returncode for each in done] == codes, [each.stdout + each.stderr for each in done]
