"""`asimi log`: which calls it shows, in which ways, and the pager."""

from __future__ import annotations

import json
import os
import re

import pytest
from helpers import PYTHON
from helpers.home import Home
from helpers.logs import Log, filled

from asimi.core.call import Decision, Verdict
from asimi.doors.cli.logged import lines_of


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


@pytest.fixture
def log(home):
    return filled(home)


def shown(home, *words):
    """The commands that `asimi log` shows, without their times."""
    done = home.asimi("log", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return [re.split(" {2,}", line)[2] for line in done.stdout.splitlines() if line[0] == "2"]


FILTERS = [
    ([], ["git status", "npm publish", "rm -rf x", "git push", "allow run_shell_command(npm publish)"]),
    (["-n", "2"], ["git push", "allow run_shell_command(npm publish)"]),
    (["--agent", "claude-code", "-n", "1"], ["rm -rf x"]),
    (["--command", "npm publish"], ["npm publish", "allow run_shell_command(npm publish)"]),
    (["--project", "/srv/app"], ["git status", "rm -rf x", "git push"]),
    (["--decision", "ask"], ["npm publish", "git push"]),
    (["--denied", "--since", "1h", "--project", "/srv"], ["rm -rf x"]),
]


@pytest.mark.parametrize(("words", "commands"), FILTERS)
def test_the_filters_combine_in_lines_and_in_json(log, home, words, commands):
    assert shown(home, *words) == commands
    records = [json.loads(line) for line in home.asimi("log", "--json", *words).stdout.splitlines()]
    named = [each.get("command") or f"{each['decision']} {each['entry']}" for each in records if each["event"] != "end"]
    assert named == commands
    ran = [each["id"] for each in records if each["event"] == "start"]
    assert sorted(each["id"] for each in records if each["event"] == "end") == sorted(ran)


def test_who_allowed_that_is_one_command(log, home):
    said = home.asimi("log", "--why", "--command", "npm publish").stdout
    assert "    yes by terminal, session, after 12 s; run_shell_command(npm)\n" in said
    assert re.search(
        r"  policy add    allow run_shell_command\(npm publish\)\n    file /c, by terminal, user \w+\n", said
    )
    assert re.search(r"\n    in /srv/other, for claude-code, call id-2, user \w+\n", said)


def test_a_change_without_an_entry_or_a_file_says_all_it_has(home):
    Log(home).audit.change("session forget", refused="3", whose="work")
    assert shown(home) == ["refused 3, whose work"]
    assert "    refused 3, whose work, user " in home.asimi("log", "--why").stdout
    assert json.loads(home.asimi("log", "--json", "-n", "1").stdout)["refused"] == "3"
    assert "session forget" in home.asimi("log", "report").stdout


def test_a_call_in_a_sandbox_says_so(home):
    one = Log(home)
    sandbox = Decision(Verdict.ALLOW, ()).sandbox._replace(mode="read-only")
    one.call("ls", sandbox=sandbox)
    one.call("ls")
    rows = [line for line in home.asimi("log", "--why").stdout.splitlines() if line.startswith("    in ")]
    assert [", sandbox read-only, " in row for row in rows] == [True, False]


@pytest.mark.parametrize("words", [["-n", "0"], ["--decision", "maybe"], ["--since", "soon"], ["--denied", "verify"]])
def test_what_cannot_be_meant_is_usage(home, words):
    assert home.asimi("log", *words).returncode == 2


def test_what_is_followed_is_filtered(home):
    with home.start("log", "--follow", "--agent", "codex", "--json") as process:
        one = Log(home)
        for number in range(1000):
            one.call("touch a", agent="cli")
            one.call(f"echo {number}", agent="codex")
            if number > 3 and _readable(process.stdout):
                break
        records = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.kill()
        process.communicate()
    assert [each["event"] for each in records] == ["start", "end"]
    assert records[0]["agent"] == "codex"
    assert records[0]["id"] == records[1]["id"]


def _readable(stream):
    import select

    return select.select([stream], [], [], 0.2)[0]


def test_a_forged_line_hides_no_other(log, home):
    forged = [
        '"event":"start","id":"x","command":[],"reasons":[1],"approval":"yes","root":5,"verdict":{}',
        '"event":"refusal","id":"y","reasons":"no","verdict":"ask","approval":{"by":[],"seconds":"long"}',
        '"event":"end","id":"x","n":"one","exit":[],"signal":{}',
        '"event":"exec","id":"x","argv":3,"pid":"p"',
        '"event":"change","what":[]',
    ]
    with (home.state / "log.jsonl").open("a") as file:
        file.writelines(f'{{"time":"2026-01-01T00:00:00.000Z",{line}}}\n' for line in forged)
    for words in (["--why"], ["--json", "-n", "9"], ["report"]):
        done = home.asimi("log", *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert "npm publish" in done.stdout


# the pager


@pytest.fixture
def long(home):
    one = Log(home)
    for number in range(40):
        one.call(f"echo {number}")
    return home


@pytest.fixture
def at_terminal(long):
    people = []

    def start(*words, **options):
        people.append(long.at_terminal(*words, **options))
        return people[-1]

    yield start
    for person in people:
        person.leaves()


def pager_in(directory, name="show"):
    """A pager that says how it was started, and shows nothing else."""
    path = directory / name
    path.write_text('#!/bin/sh\necho "paged $(wc -l) lines with LESS=$LESS $*"\n')
    path.chmod(0o755)
    return path


def test_what_is_longer_than_the_screen_is_paged(at_terminal, tmp_path):
    person = at_terminal("log", environ={"PAGER": f"{pager_in(tmp_path)} -x"})
    person.sees("paged 40 lines with LESS=FRX -x")
    assert person.ended() == 0


def test_the_persons_own_settings_of_less_stay(at_terminal, tmp_path):
    at_terminal("log", environ={"PAGER": str(pager_in(tmp_path)), "LESS": "-S"}).sees("with LESS=-S")


@pytest.mark.parametrize(
    ("words", "environ"),
    [
        (["-n", "20"], {}),
        (["--no-pager"], {}),
        ([], {"ASIMI_CLI": "1"}),
        ([], {"ASIMI_PLAIN": "1"}),
        ([], {"TERM": "dumb"}),
        ([], {"PAGER": ""}),
        ([], {"PAGER": "cat"}),
        ([], {"PAGER": "./show"}),
        ([], {"PAGER": "/nowhere/show"}),
        ([], {"PAGER": "'"}),
        ([], {"PAGER": "show", "PATH": f".:{os.environ['PATH']}"}),
    ],
)
def test_there_is_no_pager_for_what_fits_nor_where_none_can_be_trusted(at_terminal, long, tmp_path, words, environ):
    pager_in(long.root)
    person = at_terminal("log", *words, environ={"PAGER": str(pager_in(tmp_path))} | environ)
    assert person.ended() == 0
    assert b"paged" not in person.written
    assert b"echo 39\r\n" in person.written


def test_in_a_pipe_there_is_no_pager(long, tmp_path):
    done = long.asimi("log", environ={"PAGER": str(pager_in(tmp_path)), "TERM": "xterm"})
    assert len(done.stdout.splitlines()) == 40


def test_less_is_left_in_the_middle(at_terminal):
    if not os.access("/usr/bin/less", os.X_OK):
        pytest.skip("less is not installed")
    person = at_terminal("log", environ={"LESS": ""}, rows=10)
    person.sees("echo 1")
    person.presses("q")
    assert person.ended() == 0
    assert b"echo 30" not in person.written


def test_a_long_search_shows_how_far_it_is_and_leaves_nothing(home, tmp_path):
    """A million lines would take the time of the test; a slow reader of fewer shows the same bar."""
    slow = (
        "import time; from asimi.doors.cli.progress import Bar\n"
        "with Bar('Reading the log') as bar:\n"
        "    for number in range(15): bar.heard(number, 15); time.sleep(0.1)\n"
        "print('done')"
    )
    with home.at_terminal(program=[PYTHON, "-c", slow]) as person:
        person.sees("Reading the log", "%")
        assert person.ended() == 0
        assert person.display == "done"


def test_a_long_word_is_cut_where_the_terminal_ends():
    fields = {
        "event": "change",
        "time": "",
        "what": "policy import",
        "decision": "allow",
        "entry": f"shell({'a|' * 60})",
    }
    line = lines_of(fields, why=False, width=80)
    assert "  allow shell(a|a|" in line
    assert (len(line), line[-1]) == (80, "…")


def test_what_the_breaker_denied_is_told_once():
    reasons = [{"code": "breaker", "message": "this was refused 3 times"}, {"code": "unlisted", "message": "no rule"}]
    fields = {"event": "refusal", "time": "", "command": "x", "reasons": reasons}
    told = lines_of(fields | {"error": "Not allowed: this was refused 3 times"}, why=True, width=None)
    assert told.count("this was refused") == 1
    assert "    It was late" in lines_of(fields | {"error": "It was late"}, why=True, width=None)
