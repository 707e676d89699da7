"""Who answers behind a hook: a person, and nothing that an agent starts."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest
from helpers import PATIENCE, PYTHON, TESTS
from helpers.hooks import envelope

from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line
from asimi.world.host.places import bases_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells what an agent started")

FAKE = str(TESTS / "helpers" / "fake_agent.py")


def line_in(home, agent="claude-code"):
    """What `hook install` would make an agent start in a home."""
    return command_line(agent_of(agent), PYTHON, bases=bases_of(home.environ))


def sent(home):
    return json.dumps(envelope("claude-code", "curl example.org", home.root, permission_mode="auto")).encode()


@pytest.mark.parametrize(
    ("way", "environ"),
    [
        ("terminal", {}),
        ("rule", {}),
        ("script", {}),
        ("setsid", {}),
        ("another's envelope", {}),
        ("wrapper", {}),
        ("namespace", {}),
        ("without /proc", {}),
        ("first process", {}),
        ("processes", {}),
        ("tmux", {"CLAUDECODE": "1"}),
        ("double fork", {"CLAUDECODE": "1"}),
    ],
)
def test_an_agent_cannot_answer_its_own_question(home, way, environ, tmp_path):
    if way == "tmux" and not shutil.which("tmux"):
        pytest.skip("tmux is not here")
    apart = ["unshare", "-Urpf", "--mount-proc"]
    if (
        way in {"namespace", "without /proc", "first process"}
        and subprocess.run([*apart, "true"], check=False).returncode
    ):
        pytest.skip("this kernel makes no namespaces for us")
    done = subprocess.run(
        [*(apart if way == "first process" else []), PYTHON, FAKE, line_in(home), way, PYTHON],
        input=sent(home),
        env=home.environ | environ | {"MARK": str(tmp_path / "mark")},
        cwd=home.root,
        capture_output=True,
        timeout=PATIENCE,
        start_new_session=True,
        check=False,
    )
    assert json.loads(done.stdout or b"0") == ["deny", "deny"], done.stderr.decode()


@pytest.mark.parametrize("shell", [["/bin/bash", "--norc", "-i"], ["su", "-m", "-s", "/bin/bash", "root"]])
def test_a_person_answers_in_the_terminal_in_which_they_started_the_agent(home, shell):
    """The agent has ended or stopped; the shell, which is its parent, is the person's."""
    if shell[0] == "su" and os.geteuid() != 0:
        pytest.skip("su asks for a password")
    (home.home / ".bashrc").write_text("PS1='> '\n")
    (home.root / "call.json").write_bytes(sent(home))
    (home.root / "agent.sh").write_text(f"setsid --wait /bin/sh -c {shlex.quote(line_in(home))} < call.json; :\n")
    environ = {"PS1": "> ", "PYTHON": PYTHON}
    with home.at_terminal(program=shell, environ=environ, columns=100) as person:
        person.sees("> ")
        person.enters("env timeout 100 sh agent.sh")
        person.sees("asimi approve ")
        person.enters("clear; $PYTHON -m asimi approve")
        person.asked()
        person.presses("y")
        person.enters("clear; env timeout 100 sh agent.sh")
        person.sees('"permissionDecision": "allow"')
        person.enters("exit")
        assert person.ended() == 0
