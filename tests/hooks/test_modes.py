"""In no mode of an agent does a command run that was to be asked about, and one yes lets it run."""

from __future__ import annotations

import re
import sys

import pytest
from helpers.claude import ASKING, MODES, ClaudeCode

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")

CONFIG = """\
coreTools = ["run_shell_command(ls)", "run_shell_command(git status)", "run_shell_command(touch)"]
excludeTools = ["run_shell_command(rm)"]
[session]
breaker = 0
"""

ALLOWED = [f"{first} {number}" for first in ("ls", "touch", "git status -s") for number in range(12)]
DENIED = [f"rm {number}" for number in range(4)]
ASKED = [
    *(f"curl https://example.org/{number}" for number in range(8)),
    *(f"make target{number}" for number in range(6)),
    "git push origin main",
    "npm install",
    "cat .env",
    "cp notes ~/notes",
    "ls | tee out",
    "ls $(make)",
]
"""None of these is run: the stand-in notes what it would run."""

COMMANDS = [*ALLOWED, *DENIED, *ASKED]

SESSIONS = {
    **{mode: {"mode": mode} for mode in MODES},
    "a subagent": {"mode": "default", "subagent": True},
    "claude -p": {"mode": "default", "person": False},
}
"""What each session is started with."""


@pytest.fixture
def home(home):
    home.config.write_text(CONFIG)
    (home.root / ".env").write_text("TOKEN=1\n")
    assert home.asimi("--yes", "hook", "install", "claude-code").returncode == 0
    return home


def name_in(heard):
    """The question that a refusal names, which is three sentences."""
    found = re.fullmatch(
        r"asimi: Not allowed: it needs a person's approval because .+\. A person can allow it with `asimi approve "
        r"([a-z2-7]{8})`\. Wait for that, then make the same call again; do not look for another way\.",
        heard,
    )
    assert found, heard
    return found[1]


def approved(home, name):
    """A person at a terminal of their own says yes to a question."""
    with home.at_terminal("approve", name) as person:
        person.asked()
        person.presses("y")
        assert person.ended() == 0


def test_sixty_commands_of_which_twenty_ask():
    assert (len(COMMANDS), len(ASKED)) == (60, 20)


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SESSIONS)
def test_nothing_runs_unasked_and_one_yes_is_enough(home, name, whole):
    """Where asimi leaves a question to Claude Code, it is asked there; elsewhere each *ask* would run the command."""
    asks = name in ASKING
    allowed, denied, asked = ([each for each in some if whole or _is_first(each)] for some in (ALLOWED, DENIED, ASKED))
    with ClaudeCode(home, **SESSIONS[name], honours=asks) as agent:
        commands = [*allowed, *denied, *asked]
        outcomes = dict(zip(commands, agent.calls(*commands), strict=True))
        assert sorted(agent.ran()) == sorted(allowed)
        assert [command for command, outcome in outcomes.items() if outcome.asked] == (asked if asks else [])
        assert all("run_shell_command(rm) forbids" in outcomes[command].heard for command in denied)
        if not asks:
            assert len({name_in(outcomes[command].heard) for command in asked}) == len(asked)
            some = asked if whole else asked[-2:]
            for command in some:
                approved(home, name_in(outcomes[command].heard))
            assert all(outcome.ran for outcome in agent.calls(*some))
            assert not any(outcome.ran for outcome in agent.calls(*some[-2:]))
    if asks:
        with ClaudeCode(home, **SESSIONS[name], says="y") as agent:
            assert all(outcome.ran and outcome.asked for outcome in agent.calls(*asked))


def _is_first(command):
    """Whether a command is the only one of its kind, or the first."""
    return not command[-1].isdigit() or (command[-1] == "0" and not command[-2].isdigit())


def test_a_refusal_that_is_not_heard_is_found_by_its_person(home):
    with ClaudeCode(home, "auto", honours=False, deaf=True) as agent:
        (outcome,) = agent.calls("make x")
        assert (outcome.ran, outcome.heard) == (False, "")
        (name,) = re.findall(r"^\s*([a-z2-7]{8})\s", home.asimi("approve", "--list").stdout, re.MULTILINE)
        approved(home, name)
        (outcome,) = agent.calls("make x")
        assert outcome.ran


@pytest.mark.parametrize("mode", MODES)
def test_a_hook_that_is_killed_at_the_limit_lets_nothing_run(home, mode):
    """Claude Code knows `onFailure` since 2.1.295."""
    with ClaudeCode(home, mode, honours=False, limit=0.01) as agent:
        assert not any(outcome.ran for outcome in agent.calls("ls", "make x"))


def test_an_older_claude_code_never_gets_to_kill_a_hook_that_waits(home):
    """The question ends ten seconds before the limit that the installed line names, and the call is refused."""
    settings = home.home / ".claude" / "settings.json"
    text = settings.read_text()
    settings.write_text(text.replace(" 42 600)", " 42 11)").replace('"timeout": 600', '"timeout": 11'))
    assert settings.read_text().count(" 42 11)") == 1
    home.config.write_text(f"{CONFIG}wait = true\n")
    with ClaudeCode(home, "auto", honours=False, blocks=False) as agent:
        (outcome,) = agent.calls("make x")
        assert not outcome.ran
        assert "nobody answered" in outcome.heard
        approved(home, re.search(r"asimi approve ([a-z2-7]{8})", outcome.heard)[1])
        assert agent.calls("make x")[0].ran
