"""A command that asimi runs is no person at a terminal of its own, whatever it left behind: a table of ways and doors.

Where no call started it, the same program is a person: that is the control.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from helpers import MODULES, PYTHON, TESTS
from helpers.home import Home
from helpers.questions import until

from asimi.world.config.sources import PROJECT_FILE

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere less is known of who answers"),
]

IMPOSTOR = str(TESTS / "helpers" / "impostor.py")
ASKED = "touch MADE"

WAYS = {
    "at_a_terminal_of_its_own": "",
    "by_script": "script",
    "by_expect": "expect",
    "by_tmux": "tmux",
    "by_screen": "screen",
    "in_a_namespace": "unshare",
    "in_a_namespace_with_an_old_proc": "unshare",
    "in_anothers_namespace": "nsenter",
    "after_the_end_of_the_gate": "",
    "after_killing_the_gate": "",
}
"""How a command hides whose it is, and the program that it needs."""


def approved(home):
    return home.asimi("run", ASKED, environ={"ASIMI_SESSION": "mine"}).returncode == 0


def kept(home):
    return bool(list(home.home.rglob("*approved*")))


def trusted(home):
    return any(record.get("what") == "trust" for record in home.log())


def run(home):
    return (home.root / "MADE").exists()


DOORS = {
    "a late approval": (["approve"], approved),
    "a rule": (["policy", "add", "run_shell_command(touch)"], kept),
    "the project's file": (["trust"], trusted),
    "a question at the terminal": (["run", ASKED], run),
}
"""What asimi is started with, and how its answer is seen."""


@pytest.fixture
def home(tmp_path):
    """A home where a call was refused that can still be approved, and a project with a file that nobody trusts."""
    home = Home(tmp_path, 'coreTools = ["run_shell_command(./play)"]\n')
    play = home.root / "play"
    play.write_text(f'#!/bin/sh\nexec "{PYTHON}" "{IMPOSTOR}" "$PWD/report" "$@"\n')
    play.chmod(0o755)
    file = home.root / PROJECT_FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('coreTools = ["run_shell_command(touch)"]\n')
    assert home.asimi("run", ASKED, environ={"ASIMI_SESSION": "mine"}).returncode == 126
    return home


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("way", WAYS)
def test_no_command_is_a_person_at_a_terminal(home, way, door):
    needs_program(WAYS[way])
    words, is_answered = DOORS[door]
    home.asimi("run", f"./play {way} {' '.join(map(repr, words))}")
    shown = reported(home)
    assert not is_answered(home), shown
    assert "A command run by asimi cannot" in shown or "nobody could be asked" in shown, shown


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("way", [way for way in WAYS if not way.startswith(("after", "in_anothers"))])
def test_a_person_is_one_there(home, way, door):
    needs_program(WAYS[way])
    words, is_answered = DOORS[door]
    subprocess.run(["./play", way, *words], cwd=home.root, env=home.environ | MODULES, check=True)
    shown = reported(home)
    assert is_answered(home), shown


def needs_program(name):
    if name and shutil.which(name) is None:
        pytest.skip(f"no {name} here")
    if name in {"unshare", "nsenter"} and subprocess.run(["unshare", "-Urpf", "true"], check=False).returncode:
        pytest.skip("this kernel makes no namespaces for us")


def reported(home):
    """What the impostor's terminal showed."""
    until((home.root / "report").exists)
    return (home.root / "report").read_text()


LIMITED = """
import resource, subprocess, sys
resource.setrlimit(10, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(subprocess.run([sys.executable, "-m", "asimi", "doctor"]).returncode)
"""


@pytest.mark.parametrize("most", [0, 1000, (0x5A52 << 48) - 1])
def test_doctor_says_where_nobody_can_answer(home, most):
    done = subprocess.run(
        [PYTHON, "-c", LIMITED, str(most)], env=home.environ, cwd=home.root, capture_output=True, text=True, check=False
    )
    assert "nobody can answer here" in done.stdout, done
    assert "nobody can answer here" not in home.doctor().stdout
