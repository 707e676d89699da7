"""Runs asimi as a person does, in a home of its own: nobody's configuration, nobody's approvals."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import Any

from helpers import MODULES, PATIENCE, PYTHON, warm
from helpers.terminal import Person
from helpers.warm import ASIMI

OTHER_PYTHONS = '[environment]\ndrop = ["PYTHONPATH"]\n'
"""The end of a configuration whose commands start `python3`, which may be another Python and fails with our modules."""


class Home:
    """A project root, a home, and the asimi that runs there.

    Args:
        directory: where they are made.
        config: the user's configuration file.
    """

    def __init__(self, directory, config=""):
        self.root, self.home = directory / "root", directory / "home"
        (self.root / "sub").mkdir(parents=True, exist_ok=True)
        (self.home / "run").mkdir(parents=True, mode=0o700)
        self.config = self.home / "config" / "asimi" / "config.toml"
        self.config.parent.mkdir(parents=True)
        if config is not None:
            self.config.write_text(config, encoding="utf-8")
        self.state = self.home / "state" / "asimi"
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
        } | MODULES

    def start(self, *words, cwd=None, environ=None, program=ASIMI, **pipes):
        """Start asimi, and leave it running."""
        return warm.start(
            [*program, *words],
            cwd=cwd or self.root,
            env=self.environ | (environ or {}),
            start_new_session=True,
            **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | pipes,
        )

    def asimi(self, *words, stdin="", **options) -> subprocess.CompletedProcess[str]:
        """Run asimi to its end."""
        process = self.start(*words, **options)
        out, err = process.communicate(stdin.encode(), timeout=PATIENCE)
        return subprocess.CompletedProcess(words, process.returncode, (out or b"").decode(), (err or b"").decode())

    def doctor(self, *words, **options):
        """What `asimi doctor` says, but for what it would try."""
        return self.asimi("doctor", *words, program=(PYTHON, "-m", "helpers.doctor"), **options)

    def at_terminal(self, *words, environ=None, program=None, **options) -> Person:
        """A person at a terminal with asimi, or another program, in its foreground."""
        environ = self.environ | {"TERM": "xterm-256color"} | (environ or {})
        return Person(program or [PYTHON, "-m", "asimi", *words], environ, cwd=self.root, **options)

    def has_begun(self, name="begun"):
        """Return once a command has made a file of this name in the project root."""
        end = time.monotonic() + PATIENCE
        while not (self.root / name).exists():
            assert time.monotonic() < end, f"no command has made {name}"
            time.sleep(0.01)

    def waits_for_a_record(self):
        """Return once the state says that a call runs, which is written before it is started."""
        end = time.monotonic() + PATIENCE
        while not any(path.stat().st_size for path in self.home.glob("state/asimi/calls/*")):
            assert time.monotonic() < end, "no call was written down"
            time.sleep(0.01)

    def answers(self, *lines, words=("serve",), **options) -> list[Any]:
        """What `asimi serve` answers to some lines, or to values that are written as JSON."""
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        done = self.asimi(*words, stdin=text, **options)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def log(self) -> list[Any]:
        """What asimi wrote down."""
        path = self.state / "log.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
