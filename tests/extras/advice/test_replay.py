"""`asimi policy replay`, and `policy test` on lines of the log: calls are judged again, and nothing runs."""

from __future__ import annotations

import json
import shutil

import pytest
from helpers.home import Home
from helpers.hooks import envelope
from helpers.logs import answered, record

from asimi.world.audit.calls import CUT, FOREIGN, GONE, NOT_JUDGED, SECOND, TAKEN, TOOL, LoggedCall, logged_call

LISTED = 'coreTools = ["run_shell_command(echo)", "run_shell_command(cat)"]\n'
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, LISTED)


def replayed(home, *words):
    """The changes that a replay tells, by command and verdicts, and its totals."""
    done = home.asimi("policy", "replay", "--json", *words)
    assert done.returncode == 0, done.stderr
    *rows, totals = map(json.loads, done.stdout.splitlines())
    assert totals.pop("kind") == "totals"
    return {(row["command"], row["then"], row["now"]): row for row in rows}, totals


def test_what_changed_is_told_with_the_rule_and_its_line(home):
    for text in ("echo a", "echo a", "echo b > out", "rm x"):
        home.asimi("--non-interactive", "run", text)
    assert replayed(home) == ({}, {"same": 4, "stricter": 0, "laxer": 0, "lost": 0, "why": {}})
    rules = LISTED + 'excludeTools = [\n  "run_shell_command(echo)"\n]\n[[rules]]\ndecision = "allow"\ncommand = "rm"\n'
    home.config.write_text(rules)
    rows, totals = replayed(home)
    assert totals == {"same": 0, "stricter": 3, "laxer": 1, "lost": 0, "why": {}}
    told = {key: (row["kind"], row["calls"], row["rule"], row["source"]) for key, row in rows.items()}
    assert told == {
        ("echo a", "allow", "deny"): ("stricter", 2, "run_shell_command(echo)", f"{home.config}:3"),
        ("echo b > out", "ask", "deny"): ("stricter", 1, "run_shell_command(echo)", f"{home.config}:3"),
        ("rm x", "ask", "allow"): ("laxer", 1, "run_shell_command(rm)", f"{home.config}:5"),
    }
    assert not (home.root / "out").exists()
    said = home.asimi("policy", "replay").stdout
    assert said.index("ask → allow, laxer: 1 call\n") < said.index("allow → deny, stricter: 2 calls\n")
    assert f"    2  echo a\n       run_shell_command(echo)  {home.config}:3\n" in said
    assert "4 calls: 0 the same, 3 stricter, 1 laxer, 0 cannot be judged again" in said


def test_another_file_is_tried_without_a_change(home, tmp_path):
    home.asimi("run", "echo a")
    new = tmp_path / "new.toml"
    new.write_text('unlisted = "reject"\n')
    rows, _ = replayed(home, "--config", str(new))
    assert list(rows) == [("echo a", "allow", "deny")]
    assert replayed(home)[0] == {}


def test_each_project_is_judged_by_its_own_file(home):
    home.asimi("run", "echo a")
    other = home.home / "other"
    (other / ".asimi").mkdir(parents=True)
    home.asimi("run", "echo a", cwd=other)
    (other / ".asimi" / "config.toml").write_text('ask = ["run_shell_command(echo)"]\n')
    rows, totals = replayed(home)
    assert [row["directories"] for row in rows.values()] == [[str(other)]]
    assert (totals["same"], totals["stricter"]) == (1, 1)
    (other / ".asimi" / "config.toml").write_text("ask = 3\n")
    assert replayed(home)[1]["why"] == {"the configuration of its project cannot be used": 1}
    home.config.write_text("ask = 3\n")
    done = home.asimi("policy", "replay")
    assert (done.returncode, done.stdout) == (125, "")
    assert f"{home.config}:1" in done.stderr


def test_what_cannot_be_judged_again_is_counted_apart(home):
    sub = home.root / "gone"
    sub.mkdir()
    home.asimi("run", "echo a", "--dir", "gone")
    home.asimi("run", f"echo {TOKEN}")
    home.answers({"command": 3}, {"command": "echo a"})
    shutil.rmtree(sub)
    assert replayed(home)[1] == {
        "same": 1, "stricter": 0, "laxer": 0, "lost": 3, "why": {GONE: 1, TAKEN: 1, NOT_JUDGED: 1}
    }  # fmt: skip
    sub.symlink_to(home.home)  # another directory under the same name
    assert replayed(home)[1]["why"][GONE] == 1


def test_an_agents_calls_are_judged_as_an_agents(home):
    texts = ['echo "on $(cat a)"', "rm x", "echo $("]
    for text in texts:
        given = envelope("claude-code", text, home.root, permission_mode="default")
        home.asimi("hook", "claude-code", stdin=json.dumps(given))
    home.asimi("--non-interactive", "run", texts[0])
    assert [(each["event"], each["verdict"]) for each in home.log()] == [
        ("start", "allow"), ("passed", "ask"), ("refusal", "deny"), ("refusal", "deny")
    ]  # fmt: skip
    assert replayed(home) == ({}, {"same": 4, "stricter": 0, "laxer": 0, "lost": 0, "why": {}})


def test_a_shell_that_is_not_bash_is_remembered(home):
    home.asimi("--non-interactive", "run", "echo $((1))", environ={"LC_ALL": "zh_CN.GBK"})
    assert (home.log()[0]["verdict"], home.log()[0]["shell"]) == ("ask", "plain")
    assert replayed(home)[0] == {}


def test_a_doctors_probe_is_no_call(home):
    assert home.asimi("doctor").returncode in {0, 1}
    assert home.log()
    assert replayed(home)[1] == {"same": 0, "stricter": 0, "laxer": 0, "lost": 0, "why": {}}


def test_no_character_of_a_text_reaches_the_terminal_as_it_is(home):
    home.asimi("--non-interactive", "run", "rm 'a\x1b[2Jb\u202e'\necho c")
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    said = home.asimi("policy", "replay").stdout
    assert r"    1  rm 'a\x1b[2Jb\u202e'\necho c" in said


def test_only_what_is_young_enough(home):
    home.asimi("run", "echo a")
    assert replayed(home, "--since", "2099-01-01")[1]["same"] == 0
    assert home.asimi("policy", "replay", "--since", "soon").returncode == 2


def test_a_newer_asimis_log_is_not_guessed_at(home):
    home.asimi("run", "echo a")
    head = home.state / "log.head"
    head.write_text(head.read_text().replace('"version":1', '"version":2'))
    done = home.asimi("policy", "replay")
    assert (done.returncode, done.stdout) == (125, "")
    assert "a newer asimi's" in done.stderr


SESSION = [{"code": "allowed_by_rule"}, {"code": "allowed_by_session"}]
FORGED = [
    ({"command": None}, FOREIGN),
    ({"command": ["echo"]}, FOREIGN),
    ({"arguments": "a"}, FOREIGN),
    ({"arguments": [1]}, FOREIGN),
    ({"directory": 3}, FOREIGN),
    ({"directory": "here"}, FOREIGN),
    ({"directory": "/a\0b"}, FOREIGN),
    ({"root": ...}, FOREIGN),
    ({"verdict": "maybe"}, FOREIGN),
    ({"verdict": ["ask"]}, FOREIGN),
    ({"verdict": ...}, FOREIGN),
    ({"reasons": []}, FOREIGN),
    ({"reasons": ["x"]}, FOREIGN),
    ({"reasons": [{"code": []}]}, FOREIGN),
    ({"approval": "yes"}, FOREIGN),
    ({"shell": "fish"}, FOREIGN),
    ({"shell": {}}, FOREIGN),
    ({"tool": "run_anything"}, TOOL),
    ({"tool": {}}, TOOL),
    ({"command": "echo <redacted>"}, TAKEN),
    ({"command": "echo", "arguments": ["a", "x<redacted>"]}, TAKEN),
    ({"command": "a" * (1 << 18) + "… and 3 more characters"}, CUT),
    ({"directory": "/made-up"}, GONE),
    ({"root": "/made-up"}, GONE),
    ({"reasons": [{"code": "sandbox"}]}, SECOND),
    ({"verdict": ..., "directory": ...}, NOT_JUDGED),
]


@pytest.mark.parametrize(("changed", "why"), FORGED)
def test_a_record_that_is_not_asimis_own_is_not_judged(tmp_path, changed, why):
    assert logged_call(record(tmp_path, **changed)) == why


def test_what_a_record_says_of_a_call(tmp_path):
    found = logged_call(record(tmp_path))
    assert isinstance(found, LoggedCall)
    assert (found.verdict.word, found.by, found.yes, found.behind) == ("ask", "terminal", True, False)
    by_session = logged_call(record(tmp_path, verdict="allow", reasons=SESSION, approval={"yes": True, "by": "policy"}))
    assert (by_session.verdict.word, by_session.by) == ("ask", "")
    stopped = logged_call(record(tmp_path, verdict="deny", reasons=[{"code": "breaker"}], approval=...))
    assert (stopped.verdict.word, stopped.by, stopped.yes) == ("ask", "breaker", False)
    assert logged_call(record(tmp_path, event="passed", reasons=[{"code": "sandbox"}])).behind
    assert logged_call(record(tmp_path, runs="agent")).behind
    assert logged_call(record(tmp_path, sent="echo b")).sent == found.request._replace(command="echo b")
    assert logged_call(record(tmp_path, sent="echo <redacted>")).sent is None


def table(home, path, *lines):
    """What `policy test` says of lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return home.asimi("policy", "test", str(path))


def test_lines_of_the_log_are_rows(home, tmp_path):
    for text in ("echo a", "rm x"):
        home.asimi("--non-interactive", "run", text)
    path, lines = tmp_path / "table.jsonl", home.log()
    done = table(home, path, *lines, {"command": "echo b", "expect": "allow"})
    assert (done.returncode, done.stdout) == (0, "3 of 3 rows are as expected\n")
    home.config.write_text(LISTED + 'excludeTools = ["run_shell_command(rm)"]\n')
    done = table(home, path, *lines)
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [f"{path}:3: expected ask, got deny (denied_by_rule)", "    rm x", "1 of 2 rows are as expected, 1 are not"],
    )


def test_a_line_that_cannot_be_judged_again_is_no_success(home, tmp_path):
    home.asimi("run", f"echo {TOKEN}")
    path, lines = tmp_path / "table.jsonl", home.log()
    done = table(home, path, *lines)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{path}:1: cannot be judged again: {TAKEN}",
        "    echo <redacted>",
        "0 of 1 rows are as expected, 1 cannot be judged again",
    ]
    said = json.loads(home.asimi("policy", "test", "--json", str(path)).stdout)
    assert (said["verdict"], said["lost"], said["ok"]) == (None, TAKEN, False)
    done = table(home, path, *(line for line in lines if line["event"] == "end"))
    assert (done.returncode, "there is no row to judge" in done.stderr) == (125, True)


def test_equal_calls_of_a_long_log_are_judged_once(home):
    answered(home, f"echo {'a ' * 900}", times=1000)
    rows, totals = replayed(home)
    assert (totals["laxer"], [row["calls"] for row in rows.values()]) == (1000, [1000])
