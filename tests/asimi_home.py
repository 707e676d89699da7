"""Runs asimi as a person does, in a home of its own: nobody's configuration, nobody's approvals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

PATIENCE = 60  # seconds; generous, for no test depends on a machine being fast


def _signals_as_in_a_shell():
    """At their defaults, also where the tests themselves run in the background, which ignores SIGINT."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


class Home:
    """A project root, a home, and the asimi that runs there.

    Args:
        directory: where they are made.
        config: the user's configuration file.
    """

    def __init__(self, directory, config=""):
        self.root, self.home = directory / "root", directory / "home"
        (self.root / "sub").mkdir(parents=True)
        (self.home / "run").mkdir(parents=True, mode=0o700)
        self.config = self.home / "config" / "asimi" / "config.toml"
        self.config.parent.mkdir(parents=True)
        if config is not None:
            self.config.write_text(config, encoding="utf-8")
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }

    def start(self, *words, cwd=None, environ=None, **pipes):
        """Start asimi, and leave it running."""
        return subprocess.Popen(
            [sys.executable, "-m", "asimi", *words],
            cwd=cwd or self.root,
            env=self.environ | (environ or {}),
            start_new_session=True,
            preexec_fn=_signals_as_in_a_shell,  # noqa: PLW1509 - the tests start no threads before
            **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | pipes,
        )

    def asimi(self, *words, stdin="", **options) -> subprocess.CompletedProcess[str]:
        """Run asimi to its end."""
        process = self.start(*words, **options)
        out, err = process.communicate(stdin.encode(), timeout=PATIENCE)
        return subprocess.CompletedProcess(words, process.returncode, (out or b"").decode(), (err or b"").decode())

    def has_begun(self, name="begun"):
        """Return once a command has made a file of this name in the project root."""
        end = time.monotonic() + PATIENCE
        while not (self.root / name).exists():
            assert time.monotonic() < end, f"no command has made {name}"
            time.sleep(0.01)

    def answers(self, *lines, words=("serve",), **options) -> list[Any]:
        """What `asimi serve` answers to some lines, or to values that are written as JSON."""
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        done = self.asimi(*words, stdin=text, **options)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]
