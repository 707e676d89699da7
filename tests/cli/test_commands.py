"""The command line: what it prints where, and with which exit code it ends."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import venv

import pytest
from helpers import PATIENCE, PYTHON, ROOT
from helpers.home import Home

from asimi.doors.cli.program import Program
from asimi.tools.declare import FORMS

BOTH = 'coreTools = ["run_shell_command", "execute_command"]\n'
NO_TOUCH = BOTH + 'excludeTools = ["run_shell_command(touch)"]\n'


@pytest.fixture
def home(tmp_path):
    return lambda config=BOTH: Home(tmp_path, config)


# run and exec


@pytest.mark.parametrize(
    ("words", "code", "out"),
    [
        (["run", "echo out; echo err >&2"], 0, "out\n"),
        (["run", "printf 'a\\n\\nb'"], 0, "a\n\nb"),
        (["run", "exit 3"], 3, ""),
        (["run", "nosuchcommand_zz"], 127, ""),
        (["run", "kill -TERM $$"], 143, ""),
        (["run", "kill -9 $$"], 137, ""),
        (["run", "--timeout", "0.5", "echo part; sleep 600; true"], 124, "part\n"),
        (["run", "echo $(id)"], 126, ""),
        (["run", "if then"], 126, ""),
        (["run", "--dir", "nowhere", "true"], 125, ""),
        (["run", "--dir", "..", "true"], 126, ""),
        (["run", "--dir", "/usr", "true"], 126, ""),
        (["run", "cat"], 0, ""),
        (["exec", "--", "printf", "%s|", "a b", "$x", "--json", "-h"], 0, "a b|$x|--json|-h|"),
        (["exec", "printf", "%s|", "--timeout", "--", "x"], 0, "--timeout|--|x|"),
        (["exec", "--", "sh", "-c", "exit 5"], 5, ""),
        (["exec", "--", "sh", "-c", "kill -9 $$"], 137, ""),
        (["exec", "--timeout", "1", "--", "sleep", "600"], 124, ""),
        (["exec", "--", "nosuchcommand_zz"], 127, ""),
        (["exec", "--", "/etc/passwd"], 126, ""),
        (["exec", "--cwd", "nowhere", "--", "true"], 125, ""),
        (["exec", "--cwd", "/usr", "--", "true"], 126, ""),
    ],
)
def test_exit_codes_and_output(home, words, code, out):
    done = home().asimi(*words, stdin="secret\n")
    assert (done.returncode, done.stdout) == (code, out), done.stderr


def test_standard_error_is_the_commands_own(home):
    assert home().asimi("run", "echo err >&2").stderr == "err\n"


def test_a_refusal_is_told_on_standard_error(home):
    done = home(NO_TOUCH).asimi("run", "touch canary")
    assert (done.returncode, done.stdout) == (126, "")
    assert done.stderr.startswith("asimi: ")
    assert "run_shell_command(touch)" in done.stderr
    assert "config.toml:2" in done.stderr


def test_the_error_names_the_entry_that_would_allow_it(home):
    done = home("").asimi("run", "npm test")
    assert (done.returncode, done.stdout) == (126, "")
    assert "run_shell_command(npm test)" in done.stderr


def test_json_is_the_tools_result(home):
    done = home().asimi("run", "--json", "echo out; echo err >&2; exit 3")
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert done.stdout.count("\n") == 1
    assert answer.pop("pid") > 0
    assert answer == {
        "stdout": "out\n", "stderr": "err\n", "exitCode": 3, "signal": None, "error": None, "backgroundPids": [],
    }  # fmt: skip


def test_json_of_a_refusal(home):
    done = home(NO_TOUCH).asimi("run", "--json", "touch canary")
    assert done.returncode == 126
    assert "touch" in json.loads(done.stdout)["error"]


def test_json_of_exec(home):
    one = home()
    done = one.asimi("exec", "--json", "--cwd", "sub", "--", "pwd")
    assert json.loads(done.stdout) == {
        "stdout": f"{one.root}/sub\n", "stderr": "", "return_code": 0, "timed_out": False,
    }  # fmt: skip


def test_output_comes_as_it_is_written(home):
    with home().start("run", "echo first; sleep 600") as process:
        assert process.stdout.read(6) == b"first\n"
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 143


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_tree_and_the_result_is_written(home, number, code):
    one = home()
    probe = f"600.{os.getpid()}{number:02d}"  # no test that runs at the same time has it
    text = f"echo part >&2; echo part; setsid sleep {probe} & touch begun; sleep {probe}; true"
    process = one.start("run", "--json", text)
    one.has_begun()
    process.send_signal(number)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert json.loads(out)["stdout"] == "part\n"
    assert f"sleep\0{probe}\0" not in processes()


def processes():
    lines = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", encoding="utf-8", errors="replace") as file:
                lines.append(file.read())
        except OSError:
            continue
    return "\n".join(lines)


def test_a_closed_standard_output_does_not_change_the_exit_code(home):
    with home().start("run", "seq 1 200000; exit 7") as process:
        process.stdout.close()
        process.wait(PATIENCE)
    assert process.returncode == 7


def test_streams_that_came_closed_are_not_taken_for_the_log(tmp_path):
    home = Home(tmp_path, BOTH)
    script = '"$0" -m asimi run "echo out; echo err >&2; exit 4" <&- >&- 2>&-'
    done = subprocess.run(
        ["bash", "-c", script, os.sys.executable], cwd=home.root, env=home.environ, timeout=PATIENCE, check=False
    )
    assert done.returncode == 4
    logs = [path.read_bytes() for path in (home.home / "state").rglob("*") if path.is_file()]
    assert not any(text.startswith((b"out", b"err")) for text in logs)


@pytest.mark.parametrize(("command", "code"), [("echo out", 125), ("echo out; exit 4", 4), ("true", 0)])
def test_output_that_came_to_a_closed_stream_is_told_as_lost(tmp_path, command, code):
    home = Home(tmp_path, BOTH)
    done = subprocess.run(
        ["bash", "-c", '"$0" -m asimi run "$1" >&-', os.sys.executable, command],
        cwd=home.root, env=home.environ, timeout=PATIENCE, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == code
    assert ("output was lost" in done.stderr) == ("echo" in command)


@pytest.mark.parametrize(("words", "files"), [((), 0), (("--json",), 1)])
def test_a_long_output_that_was_shown_leaves_no_file(tmp_path, words, files):
    home = Home(tmp_path, BOTH + "[limits]\noutput_bytes = 8000\n")
    done = home.asimi("run", *words, "head -c 5000000 /dev/zero | tr '\\0' x")
    assert done.returncode == 0
    assert len(done.stdout) == 5_000_000 or words
    assert len([*(home.home / "state").rglob("output/*")]) == files


def test_too_few_descriptors_are_told_in_words(tmp_path):
    home = Home(tmp_path, BOTH)
    for limit in (8, 10, 12):
        done = subprocess.run(
            ["bash", "-c", f'ulimit -n {limit}; "$0" -m asimi run "echo out"', os.sys.executable],
            cwd=home.root, env=home.environ, timeout=PATIENCE, check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert "out\n" in done.stdout or (done.returncode in (125, 126) and "oo many" in done.stderr), done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("words", [["log"], ["log", "verify"], ["session", "forget", "--all"]])
def test_files_that_may_not_be_read_are_named(home, words):
    one = home()
    one.asimi("run", "true")
    closed = [one.home / "state" / "asimi", one.home / "run" / "asimi"]
    for path in closed:
        path.mkdir(mode=0o700, exist_ok=True)
        path.chmod(0)
    done = one.asimi(*words)
    for path in closed:
        path.chmod(0o700)
    assert (done.returncode, "Traceback" in done.stderr) == (125, False)
    assert "asimi: Permission denied" in done.stderr


# wrong usage


@pytest.mark.parametrize(
    "words",
    [
        ["run"],
        ["run", "git", "status"],
        ["run", "--no-such-option", "true"],
        ["run", "--timeout", "soon", "true"],
        ["run", "--timeout", "-1", "true"],
        ["run", "--timeout", "nan", "true"],
        ["exec"],
        ["exec", "--"],
        ["exec", "--timeout", "121", "--", "true"],
        ["exec", "--timeout", "0", "--", "true"],
        ["check"],
        ["check", "git", "status"],
        ["check", "--cwd", "sub", "true"],
        ["serve", "--jobs", "0"],
        ["policy", "add"],
        ["policy", "add", "--deny", "--ask", "x"],
        ["policy", "frobnicate"],
        ["tools", "--format", "nonsense"],
        ["frobnicate"],
        ["--no-such-option"],
        ["--config"],
        ["--config", "", "check", "true"],
        ["--root", "", "check", "true"],
        ["--session", "", "check", "true"],
        ["run", "true", "--root"],
    ],
)
def test_wrong_usage_is_2_with_nothing_on_standard_output(home, words):
    done = home().asimi(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (["runn", "ls"], "'run'"),
        (["polcy", "list"], "'policy'"),
        (["policy", "lst"], "'list'"),
        (["run", "--tiemout", "3", "ls"], "--timeout"),
        (["policy", "add", "--deny", "run_shell_comand(ls)"], "'run_shell_command(ls)'"),
        (["run", "--timeout", "soon", "ls"], "'soon' is not a number."),
        (["serve", "--jobs", "1.5"], "'1.5' is not a whole number."),
    ],
)
def test_a_slip_is_told_with_what_was_meant(home, words, near):
    assert near in home().asimi(*words).stderr


def test_what_must_be_given_stands_plain_in_the_usage_line(home):
    assert home().asimi("run", "--help").stdout.startswith("Usage: asimi run [OPTIONS] COMMAND\n")


@pytest.mark.parametrize(
    ("words", "form"),
    [
        (["run", "git", "log", "-3"], "asimi run 'git log -3'"),
        (["run", "--json", "git", "log", "--oneline"], "asimi run --json 'git log --oneline'"),
        (["run", "echo", "it's"], """asimi run 'echo '"'"'it'"'"'"'"'"'"'"'"'s'"'"''"""),
        (["check", "git", "log", "--oneline"], "asimi check 'git log --oneline'"),
        (["run", "ls", "-la"], "asimi run 'ls -la'"),
        (["run", "--dir", "sub", "git", "log", "--format=%h"], "asimi run --dir sub 'git log --format=%h'"),
        (["check", "--exec", "rm", "-rf", "x y"], "asimi check --exec -- rm -rf 'x y'"),
    ],
)
def test_a_command_in_several_words_is_shown_in_quotes(home, words, form):
    assert form in home().asimi(*words).stderr


@pytest.mark.parametrize(
    ("words", "form"),
    [
        (["git status"], "asimi run 'git status'"),
        (["ls", "-la"], "asimi run 'ls -la'"),
        (["--yes", "git status"], "asimi run 'git status'"),
        (["cat a | wc -l"], "asimi run 'cat a | wc -l'"),
        (["help", "polcy"], "'policy'"),
        (["help", "questons"], "'questions'"),
        (["help", "policy", "lst"], "'list'"),
        (["hook", "claude"], "'claude-code'"),
        (["hook", "install", "claude"], "claude-code, codex"),
    ],
)
def test_what_is_no_command_names_what_was_meant(home, words, form):
    done = home().asimi(*words)
    assert (done.returncode != 0, done.stdout) == (True, "")
    assert form in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Topics"),
        (["files"], "# Files"),
        (["hooks"], "asimi hook install claude-code"),
        (["configuration"], "excludeTools = []"),
        (["readme"], "# asimi"),
        (["run"], "Usage: asimi run"),
        (["policy", "add"], "Usage: asimi policy add"),
        (["policy add"], "Usage: asimi policy add"),
    ],
)
def test_help_shows_the_pages_of_the_docs_and_the_help_of_commands(home, words, said):
    done = home().asimi("help", *words)
    assert (done.returncode, said in done.stdout) == (0, True), done.stderr


def test_help_lists_every_page_there_is(home):
    listed = home().asimi("help").stdout
    for page in (ROOT / "docs").glob("*/*.md"):
        shelf = listed.partition(f"\n{page.parent.name.capitalize()}\n")[2].partition("\n\n")[0]
        assert f"\n  {page.stem} " in f"\n{shelf}"


def test_the_wheel_has_every_page_of_help():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    taken = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    shelves = {str(page.parent.relative_to(ROOT)) for page in (ROOT / "docs").glob("*/*.md")}
    assert {*shelves, "README.md", "CHANGELOG.md", "config.example.toml"} == {*taken}
    assert all(inside == f"asimi/docs/{path.removeprefix('docs/')}" for path, inside in taken.items())


# the global options


@pytest.mark.parametrize("words", [["--root", "ROOT", "run", "pwd"], ["run", "pwd", "--root", "ROOT"]])
def test_global_options_stand_before_and_behind_the_command(tmp_path, words):
    home = Home(tmp_path, BOTH)
    words = [str(home.root) if word == "ROOT" else word for word in words]
    assert home.asimi(*words, cwd=home.root / "sub").stdout == f"{home.root}\n"


def test_of_two_global_options_the_later_one_wins(tmp_path):
    home = Home(tmp_path, BOTH)
    done = home.asimi("--root", "/nowhere", "run", "pwd", "--root", str(home.root))
    assert done.stdout == f"{home.root}\n"


def test_the_root_from_the_environment(tmp_path):
    home = Home(tmp_path, BOTH)
    done = home.asimi("run", "pwd", cwd=home.root / "sub", environ={"ASIMI_ROOT": str(home.root)})
    assert done.stdout == f"{home.root}\n"


def test_a_root_that_is_no_directory(home):
    assert home().asimi("--root", "/nowhere", "run", "true").returncode == 125


def test_yes_answers_a_question(home):
    done = home("").asimi("--yes", "run", "printf a")
    assert (done.returncode, done.stdout) == (0, "a")


@pytest.mark.parametrize("command", ["touch canary", "touch canary; echo $(id)"])
def test_yes_beats_no_deny(tmp_path, command):
    home = Home(tmp_path, 'excludeTools = ["run_shell_command(touch)"]\n')
    assert home.asimi("--yes", "run", command).returncode == 126
    assert not (home.root / "canary").exists()


@pytest.mark.parametrize("option", ["--yes", "--config=x.toml", "--root=/", "--session=x"])
def test_a_command_that_asimi_runs_may_not_choose_for_the_person(home, option):
    done = home().asimi(option, "run", "true", environ={"ASIMI_CLI": "1"})
    assert done.returncode == 125
    assert option.partition("=")[0] in done.stderr


def test_also_where_it_forgot_its_environment(home):
    one = home()
    script = f"exec env -u ASIMI_CLI -u ASIMI_RUN '{os.sys.executable}' -m asimi --yes run 'echo ran'\n"
    (one.root / "script").write_text(script)
    done = one.asimi("run", "sh script")
    assert (done.returncode, done.stdout) == (125, ""), done.stderr


@pytest.mark.skipif(os.sys.platform != "linux", reason="the number is Linux's")
def test_also_where_it_forgot_everything_and_its_parents_as_long_as_that_asimi_runs(home):
    one = home()
    told = one.root / "told"
    asimi = f"env -i HOME={one.home} '{os.sys.executable}' -m asimi --yes run 'echo ran'"
    inner = f"ulimit -S -x unlimited; sleep 1; {asimi} > {told}.part 2>&1; mv {told}.part {told}\n"
    (one.root / "inner").write_text(inner)
    leave = f"(setsid env -i PATH=$PATH PYTHONPATH=$PYTHONPATH bash {one.root}/inner < /dev/null > /dev/null 2>&1 &)\n"
    (one.root / "script").write_text(f"{leave}while [ ! -e {told} ]; do sleep 0.1; done\n")
    done = one.asimi("run", "bash script")
    assert done.returncode == 0, done.stderr
    assert "from inside a command" in told.read_text()


@pytest.mark.parametrize(("words", "environ"), [(["--non-interactive"], {}), ([], {"ASIMI_NON_INTERACTIVE": "1"})])
def test_non_interactive_is_a_no(home, words, environ):
    assert home("").asimi(*words, "run", "printf a", environ=environ).returncode == 126


def test_version(home):
    done = home().asimi("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("asimi 0.")


# asimi alone


def test_alone_with_a_stream_it_answers_calls(home):
    assert home().answers({"command": "echo hi"}, words=())[0]["stdout"] == "hi\n"


def test_alone_with_an_empty_stream_it_gives_a_hint(home):
    done = home().asimi()
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["serve"]])
def test_a_closed_standard_input_is_wrong_usage(tmp_path, words):
    home = Home(tmp_path, BOTH)
    script = 'exec "$0" -m asimi "$@" <&-'
    done = subprocess.run(
        ["bash", "-c", script, os.sys.executable, *words],
        cwd=home.root, env=home.environ, capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b"")


# check


@pytest.mark.parametrize(
    ("config", "words", "code", "verdict"),
    [
        (BOTH, ["touch canary"], 0, "allow"),
        ("", ["touch canary"], 1, "ask"),
        (NO_TOUCH, ["touch canary"], 3, "deny"),
        (NO_TOUCH, ["--exec", "--", "touch", "canary"], 3, "deny"),
        (BOTH, ["--dir", "..", "touch canary"], 3, "deny"),
        (BOTH, ["--exec", "--cwd", "/usr", "--", "touch", "canary"], 1, "ask"),
    ],
)
def test_check_shows_the_verdict_and_runs_nothing(tmp_path, config, words, code, verdict):
    home = Home(tmp_path, config)
    done = home.asimi("check", *words)
    assert done.returncode == code
    assert done.stdout.splitlines()[0] == verdict
    assert not (home.root / "canary").exists()
    assert not (home.home / "state").exists()


def test_check_marks_what_decides_and_says_what_would_allow_it(home):
    done = home('coreTools = ["run_shell_command(echo)"]\n').asimi("check", "echo a && npm test")
    assert "    | echo a && npm test\n    |           ^^^^^^^^\n" in done.stdout
    assert "asimi policy add 'run_shell_command(npm test)'" in done.stdout


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200b", "\x9b", "\x85", "\U000e0041"])
def test_check_and_explain_print_nothing_that_a_terminal_would_obey_or_hide(home, mark):
    home = home('coreTools = ["run_shell_command(echo)"]\n')
    said = home.asimi("check", f"npm test '{mark}x'").stdout + home.asimi("explain", "git", f"{mark}x").stdout
    assert "npm test" in said
    assert said.replace("\n", "").isprintable()


def test_check_marks_a_place_behind_wide_and_combining_characters(home):
    text = "echo 日本 e\u0301 && npm test"
    done = home('coreTools = ["run_shell_command(echo)"]\n').asimi("check", text)
    assert f"    | {text}\n    | {' ' * 15}^^^^^^^^\n" in done.stdout


def test_check_json(home):
    done = home().asimi("check", "git push 'a b' $x", "--json")
    answer = json.loads(done.stdout)
    assert answer.pop("reasons")
    assert answer == {
        "id": None,
        "verdict": "allow",
        "commands": [{"words": ["git", "push", "a b", None], "span": [0, 17], "via": None, "verdict": "allow"}],
        "substitution": False,
        "ok": None,
        "does": [
            {
                "command": "git push 'a b' $x",
                "span": [0, 17],
                "effects": None,
                "kinds": None,
                "paths": [],
                "words": "publishes to a b, asimi does not know what else it does",
            }
        ],
    }


def test_check_says_what_each_command_does_and_where(home):
    there = home()
    (there.root / "build").mkdir()
    for name in ("a", "b", "c"):
        (there.root / "build" / name).touch()
    (there.root / "package.json").write_text('{"scripts": {"test": "vitest run"}}')
    done = there.asimi("check", "rm -r build; npm test > ~/log")
    assert "  rm -r build: deletes build (3 files, in the project)\n" in done.stdout
    told = "  npm test > ~/log: runs code of this project: `vitest run`, writes ~/log (outside the project)"
    assert told in done.stdout
    (first, _) = json.loads(there.asimi("check", "--json", "rm -r build; npm test").stdout)["does"]
    path = {"does": "delete", "path": str(there.root / "build"), "where": "project", "secret": False, "files": 3}
    assert first["paths"] == [path]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ('coreTool = ["run_shell_command"]\n', "coreTools"),
        ("coreTools = [\n", "config.toml"),
        ('# a comment\ncoreTools = "run_shell_command"\n', "config.toml:2"),
        ('coreTools = ["run_shell_command("]\n', "config.toml:1"),
    ],
)
@pytest.mark.parametrize("command", [["run", "true"], ["check", "true"], ["policy", "list"], ["config", "check"]])
def test_a_broken_configuration_is_125_with_its_place(home, config, words, command):
    done = home(config).asimi(*command)
    assert (done.returncode, done.stdout) == (125, "")
    assert words in done.stderr


# policy


def test_policy_test_judges_a_table(home):
    one = home()
    rows = [
        {"id": "a", "command": "git status", "coreTools": ["run_shell_command(git)"], "expect": "allow"},
        {"id": "b", "command": "git status", "coreTools": [], "expect": "ask"},
        {"id": "c", "command": "rm x", "excludeTools": ["run_shell_command(rm)"], "expect": "deny"},
        {"id": "d", "command": "echo $(id)", "expect": "reject"},
        {"id": "e", "command": "ls", "args": ["-l"], "expect": "allow"},
        {"id": "f", "command": "pwd", "directory": "..", "expect": "not_allow"},
        {"id": "g", "command": "echo \udcff", "coreTools": ["run_shell_command(echo)"], "expect": "not_allow"},
        {"command": "ls"},
    ]
    (one.root / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    done = one.asimi("policy", "test", "rows.jsonl", "--json")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [*"abcdefg", None]
    assert [answer["ok"] for answer in answers] == [*[True] * 7, None], done.stdout
    assert done.returncode == 0
    assert one.asimi("policy", "test", "rows.jsonl").stdout == "7 of 8 rows are as expected, 1 without `expect`\n"


def test_check_without_a_configuration_says_how_to_write_one(home):
    one = home()
    assert "asimi init" not in one.asimi("check", "npm test").stdout
    one.config.unlink()
    shown = one.asimi("check", "npm test").stdout
    assert "\nThere is no configuration" in shown
    assert shown.endswith("asimi init\n")


def test_the_default_file_has_nothing_to_note(home):
    one = home(None)
    assert one.asimi("config", "init").returncode == 0
    assert "note" not in one.asimi("config", "check").stdout


def test_the_log_says_when_no_call_is_one_of_the_wanted(home):
    one = home()
    assert one.asimi("log").stderr == "asimi: The log is empty.\n"
    one.asimi("run", "true")
    done = one.asimi("log", "--agent", "claud")
    assert (done.stdout, done.stderr) == ("", "asimi: No call in the log is one of these.\n")


def test_a_command_that_is_empty_is_wrong_usage(home):
    one = home()
    for words in (("check", ""), ("run", " ")):
        done = one.asimi(*words)
        assert done.returncode == 2
        assert "COMMAND is empty: give the whole command in quotes" in done.stderr


def test_policy_test_tells_what_does_not_hold(home):
    one = home()
    (one.root / "rows.toml").write_text('[[case]]\ncommand = "git status"\nexpect = "deny"\n')
    done = one.asimi("policy", "test", "rows.toml")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith("rows.toml: case 1: expected deny, got allow")


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.toml"])
def test_a_table_without_a_row_is_an_error(home, name):
    one = home()
    (one.root / name).write_text("\n")
    done = one.asimi("policy", "test", name)
    assert (done.returncode, done.stdout) == (125, "")
    assert f"{name}: there is no row to judge" in done.stderr


@pytest.mark.parametrize(
    "row",
    ["nonsense", "[]", '{"id": "x"}', '{"command": 5}', '{"command": "a", "expects": "allow"}',
     '{"command": "a", "expect": "maybe"}', '{"command": "a", "coreTools": ["rm"]}', '{"command": "a", "tool": "x"}'],
)  # fmt: skip
def test_a_row_that_cannot_be_understood_is_125_with_its_place(home, row):
    one = home()
    (one.root / "rows.jsonl").write_text(row + "\n")
    done = one.asimi("policy", "test", "rows.jsonl")
    assert done.returncode == 125
    assert "rows.jsonl:1" in done.stderr


@pytest.mark.parametrize(
    ("entry", "caught", "free"),
    [
        ("rm -rf", ["rm -rf x", "rm -fr x", "rm -r -f x", "rm x --force --recursive", "sudo rm -rf x"], "rm -r x"),
        ("rm -r -f", ["rm -rf x", "rm --recursive -f x"], "rm -f x"),
        ("git push --force", ["git push origin --force", "git -C x push -f"], "git push origin"),
        ("execute_command(chmod -R)", ["chmod --recursive a b"], "chmod a b"),
        ("git reset --hard", ["git reset --har", "git reset @ --h"], "git reset --soft"),  # git takes a beginning
        ("tar -P", ["tar xPf a", "tar -xPf a", "tar --absolute-names -xf a"], "tar xf P"),
    ],
)
@pytest.mark.parametrize(("flag", "code"), [("--deny", 3), ("--ask", 1)])
def test_options_that_are_denied_or_asked_about_count_in_any_spelling(home, entry, caught, free, flag, code):
    one = home('coreTools = ["run_shell_command"]\n')
    done = one.asimi("policy", "add", flag, entry)
    assert done.returncode == 0
    assert "any spelling" in done.stdout
    assert [one.asimi("check", command).returncode for command in caught] == [code] * len(caught)
    assert one.asimi("check", free).returncode == 0
    assert one.asimi("policy", "remove", entry).returncode == 125  # that loosens, so a person must say so
    assert one.asimi("check", caught[0]).returncode == code


@pytest.mark.parametrize("entry", ["find -delete", "curl -X POST", "git push --force --tags"])
def test_what_a_deny_with_options_misses_is_said(home, entry):
    one = home("")
    assert "misses the options in another spelling" in one.asimi("policy", "add", "--deny", entry).stdout


def test_policy_lint_says_what_a_written_deny_misses(home):
    one = home('excludeTools = [\n  "run_shell_command(rm -rf)",\n  "run_shell_command(git push)",\n]\n')
    said = one.asimi("policy", "lint").stdout
    assert f"{one.config}:2  run_shell_command(rm -rf)\n    missed: denies only these words in this order" in said
    assert 'decision = "deny", command = "rm", options_any = ["-rf"]' in said
    assert said.count("misses") == 1
    done = one.asimi("config", "check")
    assert (done.returncode, "next  asimi policy lint" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            "git",
            "also git filter-repo (rewrites published history), git checkout (throws away changes), ",
        ),
        ("git push", "also git push --force (rewrites published history)"),
        ("execute_command(git push)", "also git push --force (rewrites published history)"),
        ("python3", "it runs code that is not shown"),
        ("perl", "allows every perl command: it runs code that is not shown, also perl -i (writes files)"),
        ("nohup", "allows every nohup command; what it starts is judged as a command of its own"),
        ("git -c", "allows every git -c command: it runs code that is not shown, also "),
        ("git -C x", "git -C x clean (deletes files or data)"),
        ("sort -o", "allows every sort -o command: it writes files"),
        ("find", "allows every find command: it reads\n"),  # its -delete asks all the same
        ("gh pr view", "allows every gh pr view command: it looks at a service\n"),
        ("gh issue list", "allows every gh issue list command: it looks at a service\n"),
        ("aws s3 ls", "allows every aws s3 ls command: it looks at a service\n"),
        ("npm view", "allows every npm view command: it looks at a service\n"),
        ("git fetch", "allows every git fetch command: it looks at a service, also"),
        ("docker compose ps", "allows every docker compose ps command: it uses the network\n"),
        ("parted", "allows every parted command: it may change disks or file systems\n"),
        ("frobnicate", "with any arguments, whatever it then does"),
        ("run_shell_command", "allows every command of run_shell_command"),
    ],
)
def test_policy_add_says_how_wide_an_entry_is(tmp_path, entry, said):
    home = Home(tmp_path, "")
    config = tmp_path / "named.toml"
    config.write_text("")
    assert said in home.asimi("--config", str(config), "policy", "add", entry).stdout


ALWAYS = """version = 1

[[rules]]
decision = "allow"
line = "echo one"
tool = "run_shell_command"
directory = "{root}"
below = false
"""


@pytest.mark.parametrize(
    "form",
    [
        "2",
        "echo one",
        "run_shell_command: exactly 'echo one'",
        "run_shell_command: exactly 'echo one', in {root}",
        "allow  run_shell_command: exactly 'echo one', in {root}",
        "  2  allow  run_shell_command: exactly 'echo one', in {root}  ({approved}:3)",
    ],
)
def test_what_always_stored_is_removed_by_number_entry_or_listed_text(home, form):
    one = home('excludeTools = ["run_shell_command(rm)"]\n')
    approved = one.config.with_name("config.approved.toml")
    approved.write_text(ALWAYS.format(root=one.root))
    approved.chmod(0o600)
    assert one.asimi("run", "echo one").stdout == "one\n"
    listed = one.asimi("policy", "list").stdout
    assert f"  2  allow  run_shell_command: exactly 'echo one', in {one.root}  ({approved}:3)\n" in listed
    done = one.asimi("policy", "remove", form.format(root=one.root, approved=approved))
    assert (done.returncode, "removed  allow  run_shell_command: exactly" in done.stdout) == (0, True), done.stderr
    assert one.asimi("run", "echo one").returncode == 126
    assert "policy remove" in [record.get("what") for record in one.log()]


@pytest.mark.parametrize(("number", "code", "words"), [("1", 125, "config.toml:1"), ("3", 2, "no rule number 3")])
def test_a_number_that_cannot_be_removed_changes_nothing(home, number, code, words):
    one = home('coreTools = ["run_shell_command(rm)", "run_shell_command(ls)"]\n')
    done = one.asimi("policy", "remove", number)
    assert (done.returncode, words in done.stderr) == (code, True)


def test_a_deny_is_not_removed_by_its_number_without_a_person(home):
    one = home("")
    one.asimi("policy", "add", "--deny", "rm")
    assert one.asimi("policy", "remove", "1").returncode == 125
    assert "deny   run_shell_command(rm)" in one.asimi("policy", "list").stdout


def test_a_deny_of_this_project_is_not_removed_without_a_person_by_naming_another_file(home, tmp_path):
    one = home("")
    one.asimi("policy", "add", "--deny", "--project", "rm")
    (tmp_path / "ci.toml").write_text("")
    for text in ("1", "rm"):
        done = one.asimi("--config", str(tmp_path / "ci.toml"), "policy", "remove", text)
        assert (done.returncode, "no terminal" in done.stderr) == (125, True)
    line = one.asimi("policy", "list").stdout
    assert line.startswith(f"  1  deny   run_shell_command(rm), in this project  ({one.state}/projects/")
    (row,) = [json.loads(each) for each in one.asimi("policy", "list", "--json").stdout.splitlines()]
    assert row["project"] == str(one.root)


def test_policy_list_says_where_a_rule_holds_and_how_long(tmp_path):
    home = Home(
        tmp_path,
        """
[[rules]]
decision = "deny"
line = "make release"
directory = "/srv"
below = false
[[rules]]
decision = "ask"
command = "git push"
directory = "/opt"
terminal = true
expires = 2099-01-31T18:00:00Z
""",
    )
    line, pushes = home.asimi("policy", "list").stdout.splitlines()
    assert line.startswith("  1  deny   run_shell_command: exactly 'make release', in /srv  (")
    assert pushes.startswith(
        "  2  ask    run_shell_command(git push), in /opt and below, only at a terminal  until 2099-0"
    )
    told = [json.loads(row) for row in home.asimi("policy", "list", "--json").stdout.splitlines()]
    assert [(row["directory"], row["below"]) for row in told] == [("/srv", False), ("/opt", True)]
    assert [row.get("terminal") for row in told] == [None, True]


@pytest.mark.parametrize(("unlisted", "word"), [("ask", "asks about"), ("reject", "denies")])
def test_policy_list_says_what_holds_without_rules(tmp_path, unlisted, word):
    assert f"asimi {word} every command." in Home(tmp_path, f'unlisted = "{unlisted}"\n').asimi("policy", "list").stdout


def test_a_directory_that_leads_outside_is_named_once(tmp_path):
    told = Home(tmp_path).asimi("check", "--dir", "..", "ls")
    assert told.returncode == 3
    assert told.stdout.count("directory:") == 1


def test_policy_add_list_and_remove(tmp_path):
    home = Home(tmp_path, None)
    config = tmp_path / "named.toml"
    config.write_text("# by hand\n")
    named = ("--config", str(config))
    assert home.asimi(*named, "policy", "add", "npm test", "run_shell_command(git status)").returncode == 0
    assert home.asimi(*named, "policy", "add", "--deny", "rm").returncode == 0
    listed = home.asimi(*named, "policy", "list").stdout
    assert [line.partition("  (")[0] for line in listed.splitlines()] == [
        "  1  deny   run_shell_command(rm)",
        "  2  allow  run_shell_command(npm test)",
        "  3  allow  run_shell_command(git status)",
    ]
    assert home.asimi(*named, "check", "npm test").returncode == 0
    assert home.asimi(*named, "policy", "remove", "npm test").returncode == 0
    assert home.asimi(*named, "check", "npm test").returncode == 1
    assert config.read_text() == "# by hand\n"


def test_tightening_needs_nobody(home):
    one = home()
    assert one.asimi("policy", "add", "--deny", "touch").returncode == 0
    assert one.asimi("check", "touch canary").returncode == 3


def test_loosening_needs_a_person_at_the_terminal(home):
    one = home("")
    for words in (["policy", "add", "touch"], ["--yes", "policy", "add", "touch"]):
        assert one.asimi(*words).returncode == 125
    assert one.asimi("check", "touch canary").returncode == 1


def test_an_entry_by_hand_is_named_and_not_touched(home):
    one = home("")
    named = one.config.with_name("named.toml")
    named.write_text(NO_TOUCH)
    done = one.asimi("--config", str(named), "policy", "remove", "touch")
    assert done.returncode == 125
    assert "named.toml:2" in done.stderr
    assert named.read_text() == NO_TOUCH


@pytest.mark.parametrize("way", ["own", "link", "project"])
def test_naming_a_file_is_no_way_around_the_question(home, way):
    one = home("")
    file, more = one.config, []
    if way == "link":
        link = one.home / "elsewhere"
        link.symlink_to(one.config.parent)
        file = link / one.config.name
    elif way == "project":
        file, more = one.config.with_name("named.toml"), ["--project"]
        file.write_text("")
    assert one.asimi("--config", str(file), "policy", "add", *more, "touch").returncode == 125
    assert one.asimi("check", "touch canary").returncode == 1


@pytest.mark.parametrize("words", [["policy", "add", "--deny", "x"], ["policy", "remove", "x"], ["config", "init"]])
def test_nothing_is_changed_from_inside_of_a_call(home, words):
    done = home().asimi(*words, environ={"ASIMI_CLI": "1"})
    assert done.returncode == 125


def test_config_init_names_the_file_in_what_to_do_next(home):
    made = home()
    file = str(made.home / "new" / "c.toml")
    said = made.asimi("--config", file, "config", "init").stdout
    assert f"asimi --config {file} config init --preset developer --force" in " ".join(said.split())
    said = made.asimi("--config", file, "check", "ls")
    assert said.returncode == 1


def test_config_init_writes_a_file_that_loads(tmp_path):
    home = Home(tmp_path, None)
    assert home.asimi("config", "init").returncode == 0
    assert home.asimi("config", "check").returncode == 0
    assert home.asimi("config", "init").returncode == 125
    assert "limits.timeout" in home.asimi("config", "show").stdout


# help


def every_command():
    """The words of every command and every command below it."""
    program = Program({})
    for name in program.list_commands(None):
        command = program.get_command(None, name)
        yield [name]
        yield from ([name, below] for below in getattr(command, "commands", {}))


@pytest.mark.parametrize("words", [[], *every_command()], ids=" ".join)
def test_help_fits_80_columns_and_names_the_global_options(home, words):
    done = home().asimi(*words, "--help")
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert not re.search(r"[a-z]\.\.\.$", done.stdout, re.MULTILINE)  # no sentence is cut
    for option in ("--config", "--root", "--session", "--yes", "--non-interactive", "--version"):
        assert option in done.stdout


@pytest.mark.parametrize("form", FORMS)
def test_the_tools_are_declared_as_each_provider_wants_them(home, form):
    declared = json.loads(home().asimi("tools", "--format", form).stdout)
    names = [tool.get("function", tool)["name"] for tool in declared]
    assert names == ["run_shell_command", "execute_command"]


def test_the_prompt_instructions(home):
    said = home().asimi("tools", "--format", "prompt").stdout
    assert "Tool Name: run_shell_command" in said
    assert "Tool Name: execute_command" in said


# log, jobs, session, trust, doctor


def test_the_log_says_what_ran_and_what_was_refused(home):
    one = home(NO_TOUCH)
    one.asimi("run", "exit 3", "--description", "tries")
    one.asimi("run", "touch canary")
    shown = one.asimi("log").stdout.splitlines()
    assert [line.split("  ", 1)[1] for line in shown] == ["exit 3        exit 3", "refused       touch canary"]
    assert len(one.asimi("log", "--denied").stdout.splitlines()) == 1
    why = one.asimi("log", "--denied", "--why", "--since", "1h").stdout
    assert "run_shell_command(touch)" in why
    assert "config.toml:2" in why
    records = [json.loads(line) for line in one.asimi("log", "--json").stdout.splitlines()]
    assert [record["event"] for record in records] == ["start", "end", "refusal"]


def test_the_log_says_who_answered(home):
    one = home("")
    one.asimi("--yes", "run", "true")
    one.asimi("--non-interactive", "run", "true")
    shown = one.asimi("log", "--why").stdout
    assert "    yes by --yes, once\n" in shown
    assert "    nobody could be asked\n" in shown


def test_the_log_names_the_tool_of_a_call_without_a_command(home):
    one = home()
    one.asimi("serve", stdin='{"name": "frob", "arguments": {}}\n')
    assert one.asimi("log").stdout.endswith("  refused       frob\n")


def test_the_log_verifies_until_a_line_is_changed(home):
    one = home()
    for command in ("true", "false", "true"):
        one.asimi("run", command)
    done = one.asimi("log", "verify")
    assert (done.returncode, "unbroken" in done.stdout) == (0, True)
    (log,) = (one.home / "state").rglob("log.jsonl")
    log.write_text(log.read_text().replace("false", "truer"))
    done = one.asimi("log", "verify")
    assert (done.returncode, "broken" in done.stdout) == (1, True)


def test_the_log_is_followed_as_it_is_written(home):
    one = home()
    one.asimi("run", "true")
    with one.start("log", "--follow", "--json") as process:
        record = {}  # the first may be the end of a call whose start came before
        for number in range(100):
            one.asimi("run", f"echo {number}")
            if select.select([process.stdout], [], [], 1)[0]:
                record = json.loads(process.stdout.readline())
            if record.get("event") == "start":
                break
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert "echo" in record["command"]
    assert process.returncode == 130


def test_following_ends_with_its_reader(home):
    with home().start("log", "--follow") as process:
        process.stdout.close()
        assert process.wait(60) == 0


def test_what_is_followed_has_its_command_also_when_it_ends(home):
    one = home()
    one.asimi("run", "true")
    wait = "until [ -e go ]; do sleep 0.05; done"
    with one.start("run", f"touch begun; {wait}; exit 4") as early:
        one.has_begun()
        with one.start("log", "--follow") as process:
            lines = []
            for number in range(100):  # until it follows, what is written is not seen
                one.asimi("run", f"echo {number}")
                if select.select([process.stdout], [], [], 1)[0]:
                    break
            one.asimi("policy", "add", "--deny", "x")
            (one.root / "go").touch()
            early.wait(PATIENCE)
            for line in process.stdout:
                lines.append(line.decode())
                if "touch begun" in lines[-1]:
                    break
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
    said = [line.split("  ", 1)[1].rstrip("\n") for line in lines]
    assert said[-1] == f"exit 4        touch begun; {wait}; exit 4"
    assert f"exit 0        echo {number}" in said
    assert all(line.split("  ")[-1] for line in said)


def test_what_doctor_tried_is_a_probe(home):
    one = home()
    one.asimi("doctor")
    assert one.asimi("log").stdout.split("  ", 1)[1] == "probe         true\n"


def test_jobs_are_listed_read_and_ended(home):
    one = home()
    answer = json.loads(one.asimi("run", "--json", "(echo later; exec sleep 600) & echo $!").stdout)
    (pid,) = answer["backgroundPids"]
    (job,) = [json.loads(line) for line in one.asimi("jobs", "list", "--json").stdout.splitlines()]
    assert job["pids"] == [pid]
    assert str(pid) in one.asimi("jobs", "list").stdout
    end = time.monotonic() + PATIENCE
    while "later" not in answer["stdout"] + one.asimi("jobs", "log", job["id"]).stdout:
        assert time.monotonic() < end, "the log of the job lacks its output"
    assert one.asimi("jobs", "kill", job["id"]).returncode == 0
    assert one.asimi("jobs", "list").stdout == "No background jobs.\n"
    assert one.asimi("jobs", "kill", "no-such-job").returncode == 125


def test_there_is_no_session_without_a_terminal_and_a_name(home):
    one = home()
    assert one.asimi("session", "list").stdout == "No session holds an approval.\n"
    assert one.asimi("session", "show").returncode == 125
    assert "holds no approvals" in one.asimi("session", "show", "team").stdout
    assert one.asimi("session", "forget", "--all").stdout == "0 approvals taken back\n"


def test_trust_needs_a_person_at_the_terminal(home):
    one = home("")
    assert one.asimi("trust").returncode == 125
    (one.root / ".asimi").mkdir()
    (one.root / ".asimi" / "config.toml").write_text(BOTH)
    for words in (["trust"], ["--yes", "trust"]):
        assert one.asimi(*words).returncode == 125
    assert one.asimi("check", "true").returncode == 1
    assert one.asimi("untrust").stdout == f"was not trusted  {one.root}/.asimi/config.toml\n"


def test_trust_names_the_file_of_a_project_above(home):
    one = home("")
    (one.root / ".asimi").mkdir()
    (one.root / ".asimi" / "config.toml").write_text(BOTH)
    (one.root / ".git").mkdir()
    (one.root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    done = one.asimi("trust", cwd=one.root / "sub")
    assert done.returncode == 125
    assert f"asimi trust --root {one.root}" in done.stderr


def test_doctor_says_what_it_found(home):
    one = home()
    done = one.asimi("doctor", "--verbose")
    assert done.returncode == 0
    assert f"shell: {shutil.which('bash')}" in done.stdout
    assert f"user configuration: {one.config}" in done.stdout


def test_doctor_tells_what_keeps_asimi_from_its_work(home):
    one = home("coreTools = 5\n")
    done = one.asimi("doctor", environ={"PATH": "/nowhere"})
    assert done.returncode == 1
    assert "fault  shell" in done.stdout
    assert "config.toml:1" in done.stdout


def test_the_schema_is_printed(home):
    assert "coreTools" in json.loads(home().asimi("config", "schema").stdout)["properties"]


def test_a_full_disk_is_told(home):
    one = home()
    one.asimi("run", "true")
    for words in (["check", "true"], ["tools"], ["run", "--json", "true"], ["run", "echo a"], ["--help"], ["log"]):
        with open("/dev/full", "wb") as full:
            done = one.asimi(*words, stdout=full)
        assert (done.returncode, "No space left" in done.stderr) == (125, True), words


def test_what_people_install_without_any_extra_shows_all_commands_and_completes_them(home, tmp_path):
    one = home()
    for name in ("mcp", "nats", "nkeys", "opentelemetry"):
        (tmp_path / "without" / name).mkdir(parents=True)
        text = f"raise ModuleNotFoundError(name={name!r})\n"
        (tmp_path / "without" / name / "__init__.py").write_text(text, encoding="utf-8")
    without = {"PYTHONPATH": f"{tmp_path}/without:{one.environ['PYTHONPATH']}"}
    for words, said in (
        (["help", "commands"], "team"),
        (["completion", "bash"], "team"),
        (["relay", "--help"], "Usage"),
    ):
        done = one.asimi(*words, environ=without)
        assert (done.returncode, said in done.stdout) == (0, True), done
    done = one.asimi("team", "--help", environ=without)
    assert (done.returncode, "publish" in done.stdout) == (0, True), done


def test_a_closed_output_is_told(home):
    one, script = home(), 'exec "$0" -m asimi "$@" >&-'
    for words in (["--help"], ["hook"], ["run", "--help"], ["--version"], ["doctor"], ["check", "true"], ["log"]):
        done = subprocess.run(
            ["sh", "-c", script, PYTHON, *words], cwd=one.root, env=one.environ, stderr=subprocess.PIPE, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert (done.returncode, "Standard output cannot be written" in done.stderr) == (125, True), words


def test_a_log_that_cannot_be_written_is_told_once(home):
    one = home()
    done = one.asimi("run", "true", environ={"XDG_STATE_HOME": str(one.config)})
    assert (done.returncode, done.stderr.count("The log cannot be written")) == (125, 1)


CHANGES = (
    ("policy", "add", "curl"),
    ("policy", "add", "--deny", "wget"),
    ("policy", "remove", "rm"),
    ("policy", "remove", "--deny", "rm"),
)


@pytest.mark.parametrize("words", CHANGES, ids=" ".join)
def test_no_change_holds_that_is_not_in_the_log(home, tmp_path, words):
    """With a file of its own, as for an image, where nobody is asked."""
    one = home()
    own = tmp_path / "c.toml"
    own.write_text('coreTools = ["run_shell_command(ls)"]\n')
    one.asimi("--config", str(own), "policy", "add", "--deny", "rm")
    before = sorted((path.name, path.read_bytes()) for path in tmp_path.glob("c.*"))
    done = one.asimi("--config", str(own), *words, environ={"XDG_STATE_HOME": str(one.config)})
    assert (done.returncode, "changes nothing it cannot log" in done.stderr) == (125, True), done.stderr
    assert sorted((path.name, path.read_bytes()) for path in tmp_path.glob("c.*")) == before
    own.write_text(f"{own.read_text()}[audit]\nrequired = false\n")
    done = one.asimi("--config", str(own), *words, environ={"XDG_STATE_HOME": str(one.config)})
    assert (done.returncode, "which holds (audit.required = false)" in done.stderr) == (0, True), done.stderr


def test_uninstall_takes_the_hooks_out_and_says_what_is_left(home):
    one = home()
    settings = one.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "x"}\n')
    assert one.asimi("hook", "install", "claude-code").returncode == 0
    assert "asimi" in settings.read_text()
    one.asimi("run", "true")
    (one.home / ".cache/asimi/box").mkdir(parents=True)
    done = one.asimi("uninstall")
    assert done.returncode == 0
    assert settings.read_text() == '{"model": "x"}\n'
    assert str(one.config) in done.stdout
    assert "log.jsonl" in done.stdout
    kept = one.config.parent, one.home / "state/asimi", one.home / ".cache/asimi"
    assert "To delete all your data:\n" + "".join(f"  rm -r {path}\n" for path in kept) in done.stdout
    assert one.asimi("uninstall").stdout.startswith("No agent has asimi's hook.")


@pytest.mark.parametrize(
    ("left", "command"),
    [("pipx_metadata.json", "pipx uninstall asimi"), ("uv-receipt.toml", "uv tool uninstall asimi"), ("", "-m pip")],
)
def test_uninstall_names_what_removes_the_program_by_who_installed_it(home, tmp_path, left, command):
    prefix = tmp_path / "venv"
    venv.create(prefix, symlinks=True)
    if left:
        (prefix / left).touch()
    words = [prefix / "bin/python", "-m", "asimi", "uninstall"]
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(words, env=home().environ | paths, capture_output=True, text=True, check=True)
    assert re.search(f"Remove the program itself: .*{command}", done.stdout)


def test_what_deletes_the_data_is_a_line_a_path_quoted_for_a_shell(home):
    one = home()
    state = one.home / "a state"
    one.asimi("run", "true", environ={"XDG_STATE_HOME": str(state)})
    assert f"\n  rm -r '{state}/asimi'\n" in one.asimi("uninstall", environ={"XDG_STATE_HOME": str(state)}).stdout


def test_a_missing_configuration_is_named_in_what_would_write_it(home):
    one = home()
    file = one.root / "my policy.toml"
    said = one.asimi("policy", "add", "npm test", "--config", "my policy.toml")
    command = f"asimi config init --config '{file}'"
    assert (said.returncode, f"`{command}`" in said.stderr) == (125, True), said.stderr
    assert one.asimi(*shlex.split(command)[1:]).returncode == 0
    assert one.asimi("policy", "add", "npm test", "--config", "my policy.toml").returncode == 0


def test_under_an_open_umask_nothing_is_open_to_others(home):
    made = home('coreTools = ["run_shell_command(echo)", "run_shell_command(sleep)"]')
    made.config.parent.chmod(0o755)
    before = os.umask(0)
    try:
        for agent in ("claude-code", "codex"):
            assert made.asimi("hook", "install", agent).returncode == 0
        assert made.asimi("run", "sleep 1 & echo x").stdout == "x\n"
        assert made.asimi("--config", str(made.home / "new" / "one" / "c.toml"), "config", "init").returncode == 0
    finally:
        os.umask(before)
    assert made.log()
    assert [path for path in made.home.rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o022] == []
