"""A stage for a real agent: a home, a project, a policy, and what can go wrong with a hook."""

from __future__ import annotations

import os
import subprocess
import sys

from helpers import PYTHON, ROOT
from helpers.hooks import DOOR


class Stage:
    """A home, a project and a policy, with the hook of one agent installed by asimi itself."""

    def __init__(self, path, agent):
        self.home, self.project, self.agent = path / "home", path / "project", agent
        for each in (self.home, self.project):
            each.mkdir()
        self.environ = {"HOME": str(self.home), "PATH": os.environ["PATH"], "SHELL": "/bin/bash", "NO_COLOR": "1"}
        self.config = self.home / ".config" / "asimi" / "config.toml"
        self.config.parent.mkdir(parents=True)
        self.config.write_text(
            'coreTools = ["run_shell_command(touch)", "run_shell_command(echo)"]\n'
            'excludeTools = ["run_shell_command(rm)"]\n'
        )
        self.python = path / "python"
        self.python.symlink_to(os.path.realpath(sys.executable))
        self.door = path / "asimi" / "hooks" / "door.py"
        self.door.parent.mkdir(parents=True)
        self.door.write_text(DOOR.read_text())
        for part in (ROOT / "asimi").iterdir():
            if part.name != "hooks":
                (path / "asimi" / part.name).symlink_to(part)

    def asimi(self, *arguments):
        done = subprocess.run(
            [PYTHON, "-m", "asimi", *arguments],
            env=self.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
        assert not done.returncode, done.stdout + done.stderr
        return done.stdout

    def install(self, settings):
        """Install the hook; its interpreter and its door are our own, which a test can break."""
        self.asimi("hook", "install", self.agent)
        self.settings = settings
        self.replace(f" {PYTHON} -I -S {DOOR} ", f" {self.python} -I -S {self.door} ")

    def replace(self, old, new):
        """Write the agent's settings with something else in place of a text that is in them."""
        text = self.settings.read_text()
        assert old in text
        self.settings.write_text(text.replace(old, new))

    @property
    def ran(self):
        """Whether the command was run."""
        return (self.project / "RAN").exists()


def _gone(stage):
    stage.python.unlink()


def _failing(script):
    def broken(stage):
        stage.python.unlink()
        stage.python.write_text(f"#!/bin/sh\n{script}\n")
        stage.python.chmod(0o755)

    return broken


FAILURES = {
    "the interpreter is removed": _gone,
    "the interpreter ends with 0 in silence": _failing("exit 0"),
    "the interpreter ends with 0 and an allow": _failing('echo \'{"decision": "allow"}\''),
    "the interpreter ends with 1": _failing("exit 1"),
    "the interpreter ends with 2 in silence": _failing("exit 2"),
    "the interpreter ends with 2 and a text": _failing("echo broken >&2; exit 2"),
    "the interpreter ends with 3 in silence": _failing("exit 3"),
    "the interpreter is killed": _failing("kill -9 $$"),
    "the guard is killed": _failing("kill -9 $PPID"),
    "the door is empty": lambda stage: stage.door.write_text(""),
    "the door is torn": lambda stage: stage.door.write_text(stage.door.read_text().partition("    code =")[0]),
    "there is no /bin/sh": lambda stage: stage.replace("/bin/sh -c", "/nowhere/sh -c"),
    "the policy is broken": lambda stage: stage.config.write_text("coreTools = 5\n"),
    "the policy is unreadable": lambda stage: stage.config.write_bytes(b"\xff"),
    "the log cannot be written": lambda stage: (stage.home / ".local" / "state" / "asimi" / "log.jsonl").mkdir(),
}
"""What can go wrong with a hook; after each, the command must not run."""
