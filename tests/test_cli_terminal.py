"""The command line at a real terminal: what a person alone may say yes to."""

from __future__ import annotations

import os
import sys

import pexpect
import pytest
from asimi_home import PATIENCE, Home

BOTH = 'coreTools = ["run_shell_command", "execute_command"]\n'


@pytest.fixture
def at_terminal(tmp_path):
    """Starts asimi in a pseudo-terminal of its own; gives the home and the running program."""
    started = []

    def start(*words, config="", home=None):
        home = home or Home(tmp_path, config)
        program = pexpect.spawn(
            sys.executable, ["-m", "asimi", *words],
            cwd=str(home.root), env=home.environ, timeout=PATIENCE, encoding="utf-8", dimensions=(24, 80),
        )  # fmt: skip
        started.append(program)
        return home, program

    yield start
    for program in started:
        program.close(force=True)


def ended(program):
    program.expect(pexpect.EOF)
    program.wait()
    return program.exitstatus


@pytest.mark.parametrize(("key", "code", "check"), [("y", 0, 0), ("n", 126, 1)])
def test_to_allow_more_is_asked_back(at_terminal, key, code, check):
    home, program = at_terminal("policy", "add", "npm test")
    program.expect(r"run_shell_command\(npm test\)")
    program.expect(r"\[y/n\] ")
    program.sendline(key)
    assert ended(program) == code
    assert home.asimi("check", "npm test").returncode == check


def test_a_call_in_the_log_takes_one_row_unless_all_is_wanted(tmp_path, at_terminal):
    home = Home(tmp_path, BOTH)
    home.asimi("run", "true\n" * 50 + "true 日本")
    _, program = at_terminal("log", home=home)
    program.expect(pexpect.EOF)
    assert len(program.before.rstrip("\r\n")) == 80
    assert program.before.rstrip("\r\n").endswith("…")
    _, program = at_terminal("log", "--why", home=home)
    program.expect("true 日本")
    assert "true 日本" in home.asimi("log").stdout


def test_enter_is_no_answer_and_other_words_are_none(at_terminal):
    home, program = at_terminal("policy", "add", "npm test")
    program.expect(r"\[y/n\] ")
    for line in ("", "maybe", "yess"):
        program.sendline(line)
        program.expect("Type y or n")
    program.sendline("no")
    assert ended(program) == 126
    assert home.asimi("check", "npm test").returncode == 1


def test_yes_on_the_command_line_is_no_answer_here(at_terminal):
    _, program = at_terminal("--yes", "policy", "add", "npm test")
    program.expect(r"\[y/n\] ")
    program.sendline("n")
    assert ended(program) == 126


def test_taking_a_deny_out_is_asked_back(at_terminal):
    home, program = at_terminal("policy", "remove", "touch", config=BOTH)
    assert ended(program) == 125
    assert home.asimi("policy", "add", "--deny", "touch").returncode == 0
    _, program = at_terminal("policy", "remove", "touch", home=home)
    program.expect(r"\[y/n\] ")
    program.sendline("n")
    assert ended(program) == 126
    assert home.asimi("check", "touch x").returncode == 3
    _, program = at_terminal("policy", "remove", "touch", home=home)
    program.expect(r"\[y/n\] ")
    program.sendline("y")
    assert ended(program) == 0
    assert home.asimi("check", "touch x").returncode == 0


def test_a_projects_file_is_trusted_after_it_was_shown(at_terminal, tmp_path):
    home = Home(tmp_path)
    (home.root / ".asimi").mkdir()
    file = home.root / ".asimi" / "config.toml"
    file.write_text('coreTools = ["run_shell_command(npm test)"]  # \u202e hidden\n')
    assert home.asimi("check", "npm test").returncode == 1
    _, program = at_terminal("trust", home=home)
    program.expect_exact('coreTools = ["run_shell_command(npm test)"]  # \\u202e hidden')
    program.expect(r"\[y/n\] ")
    program.sendline("y")
    assert ended(program) == 0
    assert home.asimi("check", "npm test").returncode == 0
    file.write_text(file.read_text() + "# changed\n")
    assert home.asimi("check", "npm test").returncode == 1


def test_bare_asimi_with_only_its_input_a_terminal_is_wrong_usage(at_terminal, tmp_path):
    home = Home(tmp_path)
    line = f"'{sys.executable}' -m asimi | cat; echo code ${{PIPESTATUS[0]}}"
    program = pexpect.spawn(
        "/bin/bash", ["-c", line], cwd=str(home.root), env=home.environ, timeout=PATIENCE, encoding="utf-8"
    )
    program.expect("code 2")
    program.close(force=True)


def test_a_question_without_a_foreground_is_no_answer(tmp_path):
    """A process in the background must not read the keys of the person's shell."""
    home = Home(tmp_path)
    line = f"set -m; '{sys.executable}' -m asimi policy add 'npm test' & wait $!; echo code $?"
    program = pexpect.spawn(
        "/bin/bash", ["-c", line], cwd=str(home.root), env=home.environ, timeout=PATIENCE, encoding="utf-8"
    )
    program.expect("code 125")
    program.close(force=True)
    assert home.asimi("check", "npm test").returncode == 1


def test_the_exit_code_of_a_command_reaches_a_terminal(at_terminal):
    _, program = at_terminal("run", "printf here; exit 7", config=BOTH)
    program.expect("here")
    assert ended(program) == 7


def test_a_ctrl_c_ends_the_tree(at_terminal):
    home, program = at_terminal("run", "echo up; sleep 600.75; true", config=BOTH)
    program.expect("up")
    program.sendintr()
    assert ended(program) == 130
    assert not any(b"600.75" in line for line in command_lines())
    assert "signal" in home.asimi("log").stdout


def command_lines():
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                yield file.read()
        except OSError:
            continue


def test_a_silent_command_shows_that_it_runs_and_leaves_nothing_behind(at_terminal, tmp_path):
    home = Home(tmp_path, BOTH)
    home.environ["TERM"] = "xterm"
    _, program = at_terminal("run", "echo first; sleep 4; echo last; exit 3", home=home)
    program.expect("first\r\n")
    program.expect_exact("… 2 s, 6 bytes")
    program.expect_exact("\r\x1b[Klast\r\n")
    assert ended(program) == 3
    assert program.before == ""


@pytest.mark.parametrize(("name", "value", "drawn"), [("ASIMI_PLAIN", "0", True), ("ACCESSIBLE", "1", False)])
def test_whoever_wants_words_alone_sees_nothing_drawn(at_terminal, tmp_path, name, value, drawn):
    home = Home(tmp_path, BOTH)
    home.environ |= {"TERM": "xterm", name: value}
    _, program = at_terminal("run", "sleep 2; echo last", home=home)
    program.expect("last\r\n")
    assert ("… 1 s" in program.before) == drawn
    assert ended(program) == 0


def test_where_a_line_is_unfinished_nothing_is_drawn(at_terminal, tmp_path):
    home = Home(tmp_path, BOTH)
    home.environ["TERM"] = "xterm"
    _, program = at_terminal("run", "printf prompt:; sleep 3; echo done", home=home)
    program.expect("prompt:done\r\n")
    assert ended(program) == 0
