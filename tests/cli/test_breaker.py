"""What was refused three times is denied in every door, until a person lifts that."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers import PATIENCE, PYTHON
from helpers.home import Home
from helpers.hooks import HookedHome, envelope

NOT_ASKED = "refused 3 times in this session"
SPELLINGS = ("touch -c x", "touch ./x", "sh -c 'touch x'", "cd . && touch x")


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


def errors(home, *commands, words=()):
    """Why some commands are refused in the session `one`."""
    calls = [{"command": each} for each in commands]
    return [each["error"] for each in home.answers(*calls, words=("serve", "--session", "one", *words))]


def test_runs_of_one_session_count_together_and_a_person_lifts_it(home):
    told = [home.asimi("run", "--session", "one", each).stderr for each in SPELLINGS]
    assert [NOT_ASKED in each for each in told] == [False, False, False, True]
    assert "asimi session forget --refused one" in told[-1]
    assert home.asimi("run", "--session", "two", "touch x").stderr.count(NOT_ASKED) == 0
    assert NOT_ASKED in errors(home, "touch x", words=["--yes"])[0]
    assert home.asimi("check", "--session", "one", "touch x").returncode == 3

    assert "one  1 refused" in home.asimi("session", "list").stdout
    shown = home.asimi("session", "show", "one").stdout
    assert "(refused 3 times in one form or another)" in shown
    assert "asimi session forget --refused one" in shown
    assert NOT_ASKED in errors(home, "touch x")[0]  # who only looks changes nothing

    assert home.asimi("session", "forget", "--refused", "one").stdout == "1 refused before, now asked about again\n"
    assert NOT_ASKED not in errors(home, "touch x")[0]
    codes = [each.get("code") for each in home.log()]
    assert codes.count("breaker") == 3
    assert [each["what"] for each in home.log() if each["event"] == "change"] == ["session forget"]
    replayed = json.loads(home.asimi("policy", "replay", "--json").stdout.splitlines()[-1])
    assert replayed["laxer"] == replayed["stricter"] == 0, "the breaker is none of the rules"


def test_the_breaker_is_turned_off_by_nought(home):
    home.config.write_text("[session]\nbreaker = 0\n")
    assert not any(NOT_ASKED in each for each in errors(home, *SPELLINGS, *SPELLINGS))


@pytest.mark.parametrize("value", ["-1", "1001", "1.5", "true", '"3"'])
def test_the_number_is_a_number(home, value):
    home.config.write_text(f"[session]\nbreaker = {value}\n")
    done = home.asimi("run", "true")
    assert done.returncode == 125
    assert "session.breaker must be a whole number from 0 to 1000" in done.stderr


def test_a_projects_file_may_only_lower_it(home):
    (home.root / ".asimi").mkdir()
    file = home.root / ".asimi" / "config.toml"
    file.write_text("[session]\nbreaker = 0\n")
    assert NOT_ASKED in errors(home, *SPELLINGS)[-1]
    file.write_text("[session]\nbreaker = 1\n")
    assert "refused once in this session" in errors(home, "touch y", "touch y")[-1]


def test_one_stream_of_calls_is_a_session_that_a_person_can_lift(home):
    served = home.start("serve")
    process = f"process {served.pid}"

    def answer(command):
        served.stdin.write(json.dumps({"command": command}).encode() + b"\n")
        served.stdin.flush()
        return json.loads(served.stdout.readline())["error"]

    assert [NOT_ASKED in answer(each) for each in SPELLINGS] == [False, False, False, True]
    assert f"asimi session forget --refused '{process}'" in answer("touch x")
    assert f"{process}  1 refused" in home.asimi("session", "list").stdout
    assert home.asimi("session", "forget", "--refused", process).returncode == 0
    assert NOT_ASKED not in answer("touch x")
    served.communicate(timeout=PATIENCE)


def test_calls_side_by_side_are_all_counted(home):
    calls = [
        {"id": str(number), "name": "run_shell_command", "arguments": {"command": "touch x"}} for number in range(12)
    ]
    answers = home.answers(*calls, words=("serve", "--jobs", "8"))
    assert [NOT_ASKED in json.dumps(each) for each in answers].count(True) == 9


def test_a_program_that_uses_the_library_is_a_session(home):
    code = "import asimi\nfor _ in range(4): print(asimi.run('touch x')['error'])"
    done = subprocess.run(
        [PYTHON, "-c", code],
        cwd=home.root,
        env=home.environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.count(NOT_ASKED) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a call is known by a variable")
def test_nothing_below_a_call_lifts_it(home):
    errors(home, *SPELLINGS)
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    (home.root / "lift").write_text(f"'{PYTHON}' -m asimi session forget --refused one")
    done = home.asimi("run", "sh lift")
    assert "A command run by asimi cannot have asked again what was refused" in done.stderr
    home.config.write_text("")
    assert NOT_ASKED in errors(home, "touch x")[0]


class TestHooks:
    @pytest.fixture
    def home(self, tmp_path):
        return HookedHome(tmp_path)

    def reason(self, home, command, session):
        return home.hook("gemini-cli", envelope("gemini-cli", command, home.root, session_id=session)).json["reason"]

    def test_an_agents_session_counts_and_the_person_is_told_what_lifts_it(self, home):
        told = [self.reason(home, each, "a1") for each in ("curl x", "curl  x", "sh -c 'curl x'", "env curl x")]
        assert [NOT_ASKED in each for each in told] == [False, False, False, True]
        assert "asimi session forget --refused 'gemini-cli a1'" in told[-1]
        assert NOT_ASKED not in self.reason(home, "curl x", "a2")
        assert "gemini-cli a1  1 refused" in home.asimi("session", "list").stdout
        assert home.asimi("session", "forget", "--refused", "gemini-cli a1").returncode == 0
        assert NOT_ASKED not in self.reason(home, "curl x", "a1")

    def test_a_name_for_each_call_counts_as_well_but_later(self, home):
        home.config.write_text("[session]\nbreaker = 1\n")
        told = [self.reason(home, "curl x", f"s{number}") for number in range(4)]
        assert ["refused once" in each for each in told] == [False, False, False, True]

    def test_an_agent_without_sessions_is_one(self, home):
        assert [NOT_ASKED in self.reason(home, "curl x", "") for _ in range(4)] == [False, False, False, True]

    def test_hooks_side_by_side_are_all_counted(self, home):
        with ThreadPoolExecutor(3) as threads:
            list(threads.map(lambda _: self.reason(home, "curl x", "a1"), range(3)))
        assert NOT_ASKED in self.reason(home, "curl x", "a1")

    def test_a_question_that_a_person_answers_late_lifts_it(self, home):
        for _ in range(4):
            told = self.reason(home, "curl x", "a1")
        assert NOT_ASKED in told
        with home.at_terminal("approve") as person:
            assert "curl x" in person.asked()
            person.presses("y")
            person.ended()
        sent = envelope("gemini-cli", "curl x", home.root, session_id="a1")
        assert home.hook("gemini-cli", sent).json["decision"] == "allow"
        assert [NOT_ASKED in self.reason(home, "curl x", "a1") for _ in range(4)] == [False, False, False, True]


def test_a_session_with_approvals_and_refusals_is_listed_once(home):
    home.asimi("run", "--session", "one", "touch x")
    with home.at_terminal("run", "--session", "one", "git fetch") as person:
        person.asked()
        person.types("s")
        person.sees("[1]")
        person.types("1")
        person.ended()
    (line,) = home.asimi("session", "list").stdout.splitlines()
    assert line.startswith("one  1 approval since ")
    assert "; 1 refused, last at " in line
