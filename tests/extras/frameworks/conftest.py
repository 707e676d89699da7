"""The adapters with the frameworks and their fake models: `make frameworks`, in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from helpers import PATIENCE, PYTHON
from helpers.home import Home

if not os.environ.get("ASIMI_FRAMEWORKS"):
    collect_ignore = ["test_adapters.py", "test_claude_agent.py", "test_examples.py", "test_local_shell.py"]

QUIET = {"OPENAI_AGENTS_DISABLE_TRACING": "1"}

POLICY = """\
coreTools = ["run_shell_command(echo)"]
excludeTools = ["run_shell_command(rm)"]

[session]
ask_timeout = "1s"

[[rules]]
decision = "ask"
command = "touch"
terminal = true
"""


class Host(Home):
    """A program that runs an agent; each step of it is another process, so every answer comes after a restart.

    Args:
        directory: where its home and project are made.
        framework: the name of its file in `hosts`.
    """

    def __init__(self, directory, framework):
        super().__init__(directory, POLICY)
        self._framework, self.saved = framework, directory / "saved"

    def step(self, *turns, answers=None, saved=None, talk="talk"):
        """Go on until the agent is done, or interrupted.

        Args:
            turns: what the model says next: the calls of each turn, the id and the command of each.
            answers: what is answered to each question, by the call's id: True, False, or another command.
            saved: the file that holds the state between two steps.
            talk: the id of the conversation, where a framework has one.

        Returns:
            The questions by the calls' ids; the outputs, and whether the model sees an error, by the calls' ids.
        """
        given = {"saved": str(saved or self.saved), "turns": turns, "answers": answers, "talk": talk}
        program = Path(__file__).parent / "hosts" / f"{self._framework}.py"
        done = subprocess.run(
            [PYTHON, str(program)], input=json.dumps(given), capture_output=True, text=True, timeout=PATIENCE,
            check=False, cwd=self.root, start_new_session=True, env=self.environ | QUIET,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout.splitlines()[-1])
        return said["questions"], said["outputs"]

    def ran(self):
        """What the commands of a test have written."""
        path = self.root / "ran"
        return path.read_text().split() if path.exists() else []


@pytest.fixture(params=sorted(path.stem for path in (Path(__file__).parent / "hosts").glob("*.py")))
def host(request, tmp_path):
    return Host(tmp_path, request.param)
