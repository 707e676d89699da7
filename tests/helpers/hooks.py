"""A home with a policy, and the door that an agent starts there."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import NamedTuple

from helpers import PATIENCE, TESTS, warm
from helpers.home import Home
from helpers.warm import AGENT

DOOR = warm.DOOR[-1]
GOLDEN = TESTS / "hooks" / "golden"

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


class HookedHome(Home):
    """A home in which an agent works."""

    def __init__(self, directory):
        super().__init__(directory, POLICY)
        self.environ |= {"SHELL": "/bin/bash", "CI": "true"}  # no hook leaves a resident gate behind
        self.agent = shutil.copy(shutil.which("timeout"), self.home.parent / AGENT)  # by its own name it is a wrapper

    def hook(self, agent, envelope, **environ):
        """What the door answers to an envelope."""
        raw = envelope if isinstance(envelope, bytes) else json.dumps(envelope).encode()
        return self.started([*warm.DOOR, agent], raw, **environ)

    def started(self, command, raw, *, shell=False, **environ):
        """What a command says that an agent could start; the agent is `timeout`, so that the test can be a person."""
        process = warm.start(
            [self.agent, str(PATIENCE), *(["/bin/sh", "-c", command] if shell else command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environ | environ,
            cwd=self.root,
            start_new_session=True,
        )
        out, err = (each.decode().removesuffix("\n") for each in process.communicate(raw))
        return Said(out, err, process.returncode)


def envelope(agent, command, project, **changes):
    """What an agent sends before a command."""
    golden = json.loads((GOLDEN / f"{agent}.json").read_text())
    text = json.dumps(golden["envelope"]).replace("PROJECT", str(project))
    value = json.loads(text, object_hook=lambda item: {k: command if v == "COMMAND" else v for k, v in item.items()})
    if agent == "copilot-cli":
        value["toolArgs"] = json.dumps(value["toolArgs"])
    return value | changes


def judged(home, texts):
    """What is decided on some texts behind a hook under the preset `developer`, in their order; nothing runs."""
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0
    table = home.root.parent / "table.jsonl"
    table.write_text("".join(json.dumps({"command": text}) + "\n" for text in texts))
    done = home.asimi("policy", "test", "--hook", "--json", str(table))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
