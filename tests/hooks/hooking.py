"""A person with a home, a policy and a project, and the door that an agent starts for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import asimi

ROOT = Path(asimi.__file__).parent.parent
MODULES = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
DOOR = ROOT / "asimi" / "hooks" / "door.py"

POLICY = """\
coreTools = ["run_shell_command(git status)", "run_shell_command(touch)"]
excludeTools = ["run_shell_command(rm)"]
"""


class Said(NamedTuple):
    """What a hook said."""

    out: str
    err: str
    code: int

    @property
    def json(self):
        return json.loads(self.out) if self.out else None


class Person:
    """Someone with a clean home, a policy and a project."""

    def __init__(self, path):
        self.home, self.project = path / "home", path / "project"
        for each in (self.home, self.project):
            each.mkdir()
        self.config = self.home / ".config" / "asimi" / "config.toml"
        self.config.parent.mkdir(parents=True)
        self.config.write_text(POLICY)
        self.environ = {"HOME": str(self.home), "PATH": os.environ["PATH"], "SHELL": "/bin/bash", "LANG": "C.UTF-8"}

    def hook(self, agent, envelope, **environ):
        """What the door answers to an envelope."""
        raw = envelope if isinstance(envelope, bytes) else json.dumps(envelope).encode()
        return self.started([sys.executable, "-I", "-S", str(DOOR), agent], raw, **environ)

    def asimi(self, *arguments, **environ):
        """What asimi's command line does, without a terminal."""
        return self.started([sys.executable, "-m", "asimi", *arguments], b"", PYTHONPATH=MODULES, **environ)

    def started(self, command, raw, *, shell=False, **environ):
        done = subprocess.run(
            command,
            input=raw,
            capture_output=True,
            env=self.environ | environ,
            cwd=self.project,
            timeout=60,
            shell=shell,
            check=False,
        )
        return Said(done.stdout.decode().removesuffix("\n"), done.stderr.decode().removesuffix("\n"), done.returncode)

    def log(self):
        """What asimi wrote down."""
        path = self.home / ".local" / "state" / "asimi" / "log.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def envelope(agent, command, project, **changes):
    """What an agent sends before a command."""
    golden = json.loads((Path(__file__).parent / "golden" / f"{agent}.json").read_text())
    text = json.dumps(golden["envelope"]).replace("PROJECT", str(project))
    value = json.loads(text, object_hook=lambda item: {k: command if v == "COMMAND" else v for k, v in item.items()})
    if agent == "copilot-cli":
        value["toolArgs"] = json.dumps(value["toolArgs"])
    return value | changes
