"""`asimi policy suggest`, and what `policy add` can narrow: shown to a person, added by their answer alone."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest
from helpers import PYTHON
from helpers.home import Home
from helpers.logs import answered, record, write

if sys.platform == "win32":
    pytest.skip("Windows has no terminal to ask on", allow_module_level=True)

GIT = ["run_shell_command(git add) that at most reads or writes files"]


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path, "")
    for name in "abcd":
        answered(home, f"git add {name}")
    answered(home, "mkdir -p build", times=3)
    answered(home, "rm -rf build", times=9)
    return home


@pytest.fixture
def at_terminal(home):
    people = []

    def start(*words, **options):
        people.append(home.at_terminal(*words, **{"environ": {"TERM": "dumb"}, "rows": 60} | options))
        return people[-1]

    yield start
    for person in people:
        person.leaves()


def suggested(home, *words, **options):
    """What is proposed, and what is left."""
    done = home.asimi("policy", "suggest", "--json", *words, **options)
    assert done.returncode == 0, done.stderr
    rows = list(map(json.loads, done.stdout.splitlines()))
    return [row for row in rows if row["kind"] == "proposal"], [row for row in rows if row["kind"] == "left"]


def listed(home, **options):
    """The rules in force that allow, and the files they are in."""
    rows = map(json.loads, home.asimi("policy", "list", "--json", **options).stdout.splitlines())
    return {row["entry"]: row["source"] for row in rows}


def changes(home):
    """What the log says was changed."""
    return [(line["what"], line["entry"], line["by"]) for line in home.log() if line["event"] == "change"]


def test_without_a_terminal_it_only_prints(home):
    done = home.asimi("policy", "suggest")
    assert done.returncode == 0
    assert done.stdout.startswith(f"1  in {home.root}, for 4 calls that had your yes\n   {GIT[0]}\n")
    assert "   such as  git add a\n   such as  git add b\n" in done.stdout
    assert "    9  rm -rf build\n       it deletes files or data\n" in done.stdout
    assert "16 calls had your yes: 0 allowed by now, 7 more by these rules\n" in done.stdout
    assert listed(home) == {}


def test_the_command_that_is_printed_adds_what_is_proposed(home, at_terminal):
    proposals, _ = suggested(home)
    assert [each["add"] for each in proposals] == [
        "asimi policy add 'git add' --effects read,write --project",
        "asimi policy add 'mkdir -p build' --exact --project",
    ]
    for each in proposals:
        person = at_terminal(*shlex.split(each["add"])[1:])
        person.sees("[y/n] ")
        person.enters("y")
        assert person.ended() == 0
    assert list(listed(home)) == [*GIT, "exactly run_shell_command(mkdir -p build)"]
    other = home.home / "other"
    subprocess.run(["git", "init", "-q", other], check=True)
    allowed = {"git add x", "mkdir -p build"}
    asked = {"mkdir -p other", "git commit", f"git -C {other} add x", f"git --git-dir={other}/.git add x"}
    for text in allowed | asked:
        assert home.asimi("check", text).returncode == (text in asked), text
    assert suggested(home)[0] == []
    assert "7 allowed by now" in home.asimi("policy", "suggest").stdout


@pytest.mark.parametrize(("keys", "added"), [("ny", 1), ("a", 2), ("q", 0)])
def test_a_person_is_asked_about_each(home, at_terminal, keys, added):
    person = at_terminal("policy", "suggest")
    for number, key in enumerate(keys, 1):
        person.sees(f"Add number {number}? [y/n/a/q] ")
        person.enters(key)
    assert person.ended() == 0
    rules = listed(home)
    assert len(rules) == added
    assert all("/projects/" in source for source in rules.values())
    assert [what for what, _, _ in changes(home)] == ["policy suggest"] * added
    assert {by for *_, by in changes(home)} <= {"terminal"}


def test_no_yes_on_the_command_line_and_no_pipe_adds_anything(home, at_terminal):
    assert home.asimi("--yes", "policy", "suggest", stdin="a\na\n").returncode == 0
    person = at_terminal("--yes", "policy", "suggest")
    person.sees("Add number 1?")
    person.hangs_up()
    assert listed(home) == {}


def test_not_below_a_call(home):
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    (home.root / "inner").write_text(f"'{PYTHON}' -m asimi policy suggest\n")
    done = home.asimi("run", "sh inner")
    assert (done.returncode, "A command run by asimi cannot suggest rules" in done.stderr) == (125, True)


def test_suggest_fits_the_terminal(home, at_terminal):
    person = at_terminal("policy", "suggest", columns=40, rows=90)
    person.sees("Add number 1?")
    assert [row for row in person.too_wide() if len(row.split()) > 1] == []
    person.enters("q")
    assert person.ended() == 0


def test_what_counts_as_a_persons_yes(tmp_path):
    home = Home(tmp_path, "")
    for number, by in enumerate(["flag", "claude-code", "host:x", "agent's prompt", "policy", "nobody"]):
        for name in "abc":
            answered(home, f"git tag {by.partition(' ')[0]}{number}{name}", by=by)
    assert suggested(home) == ([], [])
    answered(home, "git tag a", by="queue")
    answered(home, "git tag b", by="queue")
    assert len(suggested(home)[0]) == 1
    answered(home, "git tag c", yes=False, by="clock")
    assert suggested(home)[0][0]["unanswered"] == ["git tag c"]
    assert "CAREFUL  it also allows what nobody answered: git tag c" in home.asimi("policy", "suggest").stdout
    answered(home, "git tag d", sent="git tag e")  # the person wanted another one in its place
    proposals, left = suggested(home)
    assert proposals == []
    assert {each["why"] for each in left} == {"a rule for it would also allow what was refused: git tag e"}


def test_only_what_is_young_enough(home):
    answered(home, "git stash push", times=9, time="2020-01-01T00:00:00.000Z")
    assert len(suggested(home)[0]) == 2
    assert len(suggested(home, "--since", "2019-01-01")[0]) == 3
    assert suggested(home, "--since", "2099-01-01") == ([], [])


def test_a_log_that_was_tampered_with_proposes_nothing(home):
    path = home.state / "log.jsonl"
    forged = json.dumps(record(home.root, command="git stash push"), separators=(",", ":"))
    path.write_text(path.read_text() + f'{forged[:-1]},"n":17,"prev":"{"0" * 64}"}}\n' * 3)
    done = home.asimi("policy", "suggest")
    assert (done.returncode, done.stdout) == (125, "")
    assert f"{path}:17" in done.stderr
    assert "nothing is proposed" in " ".join(done.stderr.split())
    assert suggested(home, "--since", "2099-01-01") == ([], [])  # what is before that is left out


def test_what_cannot_be_judged_again_is_no_reason(home):
    for changed in ({"command": "git stash <redacted>"}, {"tool": "other"}, {"directory": "/made-up"}, {"command": 3}):
        write(home, *[record(home.root, **changed)] * 9)
    answered(home, "git add 'x\x1b[2J\u202e'", times=9)
    said = home.asimi("policy", "suggest").stdout
    assert "36 calls cannot be judged again" in said
    assert "\n3  " not in said
    assert r"git add 'x\x1b[2J\u202e'" in said
    assert not {"\x1b", "\u202e"} & set(said)


def test_calls_of_other_projects_are_proposed_for_these(home):
    other = home.home / "other"
    other.mkdir()
    write(home, *[record(other, command="git stash push")] * 3)
    proposals, _ = suggested(home)
    assert [each["root"] for each in proposals] == [str(home.root), str(home.root), str(other)]
    assert proposals[2]["add"] == f"asimi policy add 'git stash push' --exact --project --root {other}"
    write(home, record(other, command="git add x"))
    assert suggested(home)[0][0]["add"] == "asimi policy add 'git add' --effects read,write"


def test_checks_are_proposed_until_they_are_confirmed(tmp_path, at_terminal):
    home = Home(tmp_path / "it", "")
    (home.root / "Makefile").write_text("test:\n\ttrue\nlint:\n\ttrue\n")
    answered(home, "make test", times=2)
    (one,), _ = suggested(home)
    assert (one["add"], one["unseen"]) == ("asimi policy add 'make test' --checks --project", True)
    answered(home, "make lint")
    (two,), _ = suggested(home)
    assert (two["add"], two["calls"]) == ("asimi policy add run_shell_command --checks --project", 3)
    assert "asimi trust  confirms these checks" in home.asimi("policy", "suggest").stdout
    home.config.write_text('[[rules]]\ndecision = "allow"\nchecks = true\n')
    assert home.asimi("check", "make test").returncode == 1


def test_effects_can_be_denied_and_asked_about(home):
    assert home.asimi("policy", "add", "run_shell_command", "--effects", "publish,delete", "--deny").returncode == 0
    assert home.asimi("check", "git push").returncode == 3
    assert list(listed(home)) == ["run_shell_command that deletes files or data, or publishes"]
