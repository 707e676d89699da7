"""Proposals of host programs, kept in files: redeemed once, by another process as well, never by a command."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers import PATIENCE, PYTHON
from helpers.home import Home
from helpers.killed import killed_write

HOST = """
import asyncio, json, sys
import asimi
gate = asimi.open_gate(non_interactive=True)
for words in map(json.loads, sys.stdin):
    if words[0] == "propose":
        try:
            made = gate.propose(asimi.ToolCall(words[1], words[2], agent="a model"), *words[3:])
            print(json.dumps([made.id, made.preview]), flush=True)
        except asimi.AsimiError as error:
            print(json.dumps(["", str(error)]), flush=True)
    else:
        outcome = asyncio.run(gate.redeem(words[1], words[2], "a host", "a note"))
        refused = isinstance(outcome, asimi.Refusal)
        print(json.dumps([outcome.code, outcome.message] if refused else ["", outcome.stdout.text]), flush=True)
"""
"""A host program: each line of its input is a call to propose, or a proposal to redeem."""

CONFIG = 'coreTools = ["run_shell_command(env)"]\n'


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, CONFIG)


def said(home, *lines, environ=None, cwd=None):
    """What a host that is started now says to each line."""
    given = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [PYTHON, "-c", HOST], input=given, capture_output=True, text=True, timeout=PATIENCE, check=False,
        cwd=cwd or home.root, env=home.environ | (environ or {}),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def proposed(home, command="echo one >> ran; echo done"):
    [(name, preview)] = said(home, ["propose", "run_shell_command", {"command": command}])
    assert command in preview
    return name


def path_of(home, name):
    return home.state / "proposals" / f"{name}.json"


def records(home):
    return [json.loads(line) for line in home.asimi("log", "--json").stdout.splitlines()]


def test_another_process_redeems_it_once(home):
    name = proposed(home)
    assert path_of(home, name).stat().st_mode & 0o777 == 0o600
    assert path_of(home, name).parent.stat().st_mode & 0o777 == 0o700
    assert said(home, ["redeem", name, True]) == [["", "done\n"]]
    [(code, message)] = said(home, ["redeem", name, True])
    assert (code, "redeemed already" in message) == ("configuration", True)
    assert (home.root / "ran").read_text() == "one\n"
    assert [each["event"] for each in records(home)] == ["start", "end", "refusal"]
    assert records(home)[0]["approval"]["by"] == "host:a host"


def test_a_no_runs_nothing_and_takes_it_away(home):
    name = proposed(home)
    [(code, message)] = said(home, ["redeem", name, False])
    assert (code, "a note" in message) == ("person", True)
    assert not path_of(home, name).exists()
    assert not (home.root / "ran").exists()


def test_many_at_once_run_it_once(home):
    name = proposed(home)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: said(home, ["redeem", name, True])[0][0], range(8)))
    assert sorted(answers) == ["", *["configuration"] * 7]
    assert (home.root / "ran").read_text() == "one\n"


@pytest.mark.parametrize("yes", [True, False])
def test_one_that_is_put_back_counts_for_nothing(home, yes):
    name = proposed(home)
    content = path_of(home, name).read_bytes()
    said(home, ["redeem", name, yes])
    path_of(home, name).write_bytes(content)
    path_of(home, name).chmod(0o600)
    [(code, message)] = said(home, ["redeem", name, True])
    assert (code, "redeemed already" in message) == ("configuration", True)
    assert (home.root / "ran").exists() is yes
    assert (not yes) or (home.root / "ran").read_text() == "one\n"


def test_one_of_a_key_may_be_proposed_again_after_it_was_redeemed_and_counts_anew(home):
    call = ["propose", "run_shell_command", {"command": "echo one >> ran"}, "a key"]
    for _ in range(2):
        [(name, _)] = said(home, call)
        said(home, ["redeem", name, True])
    assert (home.root / "ran").read_text() == "one\none\n"


def test_two_equal_calls_are_two_proposals(home):
    call = ["propose", "run_shell_command", {"command": "echo one >> ran"}]
    (first, _), (second, _) = said(home, call, call)
    assert first != second
    assert said(home, ["redeem", first, True], ["redeem", second, False])[1][0] == "person"
    assert (home.root / "ran").read_text() == "one\n"


def test_a_key_finds_it_in_another_process(home):
    call = ["propose", "run_shell_command", {"command": "echo one >> ran"}, "talk 1/call_1"]
    [(name, _)] = said(home, call)
    assert said(home, call) == said(home, call)
    assert said(home, call)[0][0] == name
    assert said(home, ["redeem", name, True], ["redeem", name, True])[1][0] == "configuration"
    path = path_of(home, said(home, call)[0][0])  # what was redeemed is proposed anew
    path.write_text(json.dumps(json.loads(path.read_text()) | {"until": 1.0}))
    assert said(home, ["redeem", said(home, call)[0][0], True]) == [["", ""]]
    assert (home.root / "ran").read_text() == "one\none\n"


def test_two_calls_of_one_key_are_both_proposed_anew(home):
    first, second = (["propose", "run_shell_command", {"command": f"echo {each} >> ran"}, "1"] for each in "ab")
    [(name, _)] = said(home, first)
    assert "same key" in said(home, second)[0][1]
    assert said(home, ["redeem", name, True])[0][0] == "configuration"
    [(other, _)] = said(home, second)
    assert said(home, ["redeem", name, True], ["redeem", other, True])[1][0] == ""
    assert (home.root / "ran").read_text() == "b\n"


def test_an_id_that_is_no_text_is_refused(home):
    assert [code for code, _ in said(home, ["redeem", 5, True], ["redeem", None, True])] == ["configuration"] * 2


@pytest.mark.parametrize("name", ["0" * 32, "zzzz", "rm -rf build"])
def test_an_id_that_nobody_proposed_is_no_command_of_the_log_and_no_yes(home, name):
    assert said(home, ["redeem", name, True])[0][0] == "configuration"
    (record,) = records(home)
    assert {"command", "approval", "verdict"} & record.keys() == set()
    assert (record["tool"], record["agent"]) == ("redeem", "host:a host")
    assert name in record["error"]
    shown = home.asimi("log").stdout
    assert "refused       redeem" in shown
    assert name not in shown


def test_a_program_with_arguments_is_proposed_as_well(home):
    [(name, preview)] = said(home, ["propose", "execute_command", {"command": "mkdir", "args": ["new one"]}])
    assert "mkdir 'new one'" in preview
    assert said(home, ["redeem", name, True]) == [["", ""]]
    assert (home.root / "new one").is_dir()


@pytest.mark.parametrize(
    "change",
    [
        {"until": 1.0},
        {"until": 1e12},
        {"id": "0" * 32},
        {"arguments": {"command": "echo two >> ran"}},
        {"tool": "execute_command"},
        {"version": 99},
        {"more": 1},
    ],
    ids=str,
)
def test_a_file_that_was_changed_runs_nothing(home, change):
    name = proposed(home)
    there = json.loads(path_of(home, name).read_text())
    path_of(home, name).write_text(json.dumps(there | change))
    [(code, _)] = said(home, ["redeem", name, True])
    assert code
    assert not (home.root / "ran").exists()


def test_a_file_that_others_can_read_is_not_believed(home):
    name = proposed(home)
    path_of(home, name).chmod(0o644)
    assert said(home, ["redeem", name, True])[0][0]
    assert not (home.root / "ran").exists()


@pytest.mark.parametrize("name", ["", "0" * 32, "../../x", "0" * 31, "../proposals/" + "0" * 32, "x" * 10_000])
def test_an_id_that_was_never_given_is_refused(home, name):
    assert said(home, ["redeem", name, True])[0][0] == "configuration"


def test_a_command_that_asimi_runs_redeems_nothing(home):
    name = proposed(home)
    (home.root / "host.py").write_text(HOST)
    (home.root / "lines").write_text(json.dumps(["redeem", name, True]) + "\n")
    inside = home.asimi("--yes", "run", f"unset ASIMI_CLI; {PYTHON} host.py < lines")
    assert "A command that asimi runs cannot redeem" in inside.stdout, inside.stderr
    assert path_of(home, name).exists()
    assert not (home.root / "ran").exists()


def test_another_project_redeems_nothing_of_this_one(home, tmp_path):
    name, other = proposed(home), tmp_path / "other"
    other.mkdir()
    assert "has changed" in said(home, ["redeem", name, True], cwd=other)[0][1]
    assert not (other / "ran").exists()


def test_what_has_ended_is_deleted(home):
    name = proposed(home)
    os.utime(path_of(home, name), (1, 1))
    (killed,) = killed_write(str(path_of(home, name).parent))
    proposed(home)
    assert not path_of(home, name).exists()
    assert not os.path.exists(killed)


@pytest.mark.parametrize("answer", [True, False])
def test_a_host_of_its_own_is_asked_while_a_call_waits(home, answer):
    code = f"""
import asyncio, asimi
class Host:
    name = "a host"
    async def ask(self, question):
        return asimi.Answer({answer}, "a note")
print(asimi.run("echo one", gate=asimi.open_gate(approver=Host())))
"""
    done = subprocess.run(
        [PYTHON, "-c", code], capture_output=True, text=True, cwd=home.root, env=home.environ, check=True
    )
    result = eval(done.stdout)
    assert result["stdout"] == ("one\n" if answer else "")
    assert records(home)[0]["approval"]["by"] == "host:a host"


HOST_BELOW = """
import asimi
class Host:
    name = "a host"
    async def ask(self, question):
        return asimi.Answer(True)
gate = asimi.open_gate(approver=Host())
print(asimi.run("echo one >> ran", gate=gate)["error"])
call = asimi.ToolCall("run_shell_command", {"command": "echo one >> ran"})
print("ids:", [gate.propose(call).id, gate.propose(call, "a key").id])
"""


def test_no_host_below_a_call_answers_or_fills_the_store(home):
    (home.root / "host.py").write_text(HOST_BELOW)
    inside = home.asimi("--yes", "run", f"unset ASIMI_CLI; {PYTHON} host.py")
    assert not (home.root / "ran").exists()
    assert "ids: ['', '']\n" in inside.stdout, inside.stderr
    assert [each["approval"]["by"] for each in records(home) if "approval" in each] == ["flag", "nobody"]
