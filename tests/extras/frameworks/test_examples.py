"""Each program of `examples/frameworks` does what it is there to show, in a fresh home and project."""

from __future__ import annotations

import subprocess

import pytest
from helpers import PATIENCE, PYTHON, ROOT
from helpers.home import Home

EXAMPLES = ROOT / "examples" / "frameworks"

THEIR_OWN = {
    "google_adk_agent": "google-adk",
    "langchain_agent": "langchain",
    "openai_agent": "openai-agents",
    "pydantic_agent": "pydantic-ai",
}
"""The programs that ask the person themselves, and the name that the log has for them."""

OURS = {"mini_swe_agent": "mini-swe-agent", "smolagents_agent": "smolagents"}
"""The programs for which asimi asks, and the name that the log has for their agent."""


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


def program(name):
    return [PYTHON, str(EXAMPLES / f"{name}.py")]


def run(home, name, said=""):
    """What a program prints when there is no terminal, and this is its standard input."""
    done = subprocess.run(
        program(name), input=said, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=home.root,
        env=home.environ, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def logged(home):
    """What became of each command that was proposed, and who said so."""
    told = [each for each in home.log() if each["event"] in ("start", "refusal")]
    return {
        each["command"]: (each["event"], each["verdict"], (each.get("approval") or {}).get("by"))
        for each in told
        if "COMPLETE_TASK" not in each["command"]  # how mini-swe-agent ends
    }


def becomes(event, by):
    """The log of a program whose question was answered like this."""
    return {
        "echo hello": ("start", "allow", "policy"),
        "rm hello.txt": ("refusal", "deny", None),
        "touch hello.txt": (event, "ask", by),
    }


def test_every_example_is_tried():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {"example", *THEIR_OWN, *OURS}


@pytest.mark.parametrize("name", THEIR_OWN)
def test_a_yes_in_the_program_counts(home, name):
    shown = run(home, name, "y\n")
    assert shown.count("Run this command?") == 1
    assert "hello" in shown
    assert "run_shell_command(rm) forbids" in shown
    assert (home.root / "hello.txt").exists()
    assert logged(home) == becomes("start", f"host:{THEIR_OWN[name]}")


@pytest.mark.parametrize("name", THEIR_OWN)
def test_the_program_asks_at_its_terminal_and_asimi_does_not(home, name):
    with home.at_terminal(program=program(name), columns=100, rows=50) as person:
        assert "[n] deny" not in person.sees("touch hello.txt", "[y/N]")
        person.enters("y")
        assert person.ended() == 0
    assert logged(home) == becomes("start", f"host:{THEIR_OWN[name]}")


@pytest.mark.parametrize("said", ["n\n", "yes please\n", ""])
@pytest.mark.parametrize("name", THEIR_OWN)
def test_what_is_not_a_yes_in_the_program_is_a_no(home, name, said):
    run(home, name, said)
    assert not (home.root / "hello.txt").exists()
    assert logged(home) == becomes("refusal", f"host:{THEIR_OWN[name]}")


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize(("key", "event"), [("y", "start"), ("n", "refusal")])
def test_asimi_asks_at_the_terminal(home, name, key, event):
    with home.at_terminal(program=program(name), columns=100, rows=50) as person:
        assert "touch hello.txt" in person.asked()
        person.presses(key)
        assert person.ended() == 0
    assert (home.root / "hello.txt").exists() is (key == "y")
    assert logged(home) == becomes(event, "terminal")


@pytest.mark.parametrize("name", OURS)
def test_where_asimi_has_no_terminal_the_model_reads_who_can_allow_it(home, name):
    shown = run(home, name, "y\n")
    assert "asimi approve" in shown
    assert not (home.root / "hello.txt").exists()
    assert logged(home) == becomes("refusal", "nobody")
    assert {each["agent"] for each in home.log() if "agent" in each} == {OURS[name]}
