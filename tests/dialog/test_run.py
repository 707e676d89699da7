"""`asimi run` at a terminal, end to end: the dialog, the run, the session."""

from __future__ import annotations

import shlex
import sys

import pytest


@pytest.fixture
def shell(sit, tmp_path):
    """A terminal in which bash runs a script, with `asimi` in a project and a home of its own."""
    project, home = tmp_path / "project", tmp_path / "home"
    for directory in (project, home / "run", home / "config" / "asimi"):
        directory.mkdir(parents=True, mode=0o700)
    (home / "config" / "asimi" / "config.toml").write_text('coreTools = ["run_shell_command(true)"]\n')
    environ = {
        "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state"),
        "XDG_RUNTIME_DIR": str(home / "run"),
    }  # fmt: skip

    def runs(script: str, **seat: object):
        asimi = f"{shlex.quote(sys.executable)} -m asimi"
        script = f'asimi() {{ {asimi} "$@"; }}; cd {shlex.quote(str(project))}; {script}'
        return sit(script=script, seat={"environ": environ, "streams": "012", "columns": 160} | seat), project

    return runs


def test_yes_runs_it(shell):
    person, project = shell("asimi run 'touch made' --description 'Make it'; echo code $?")
    person.sees("touch made", "Make it", "[y] run once")
    person.presses("y")
    person.sees("code 0")
    assert (project / "made").exists()


def test_no_is_126_and_runs_nothing(shell):
    person, project = shell("asimi run 'touch made'; echo code $?")
    person.asked()
    person.presses("n")
    person.sees("Refused by the person", "code 126")
    assert not (project / "made").exists()


def test_what_the_person_says_reaches_the_agent(shell):
    person, _ = shell("asimi run --json 'touch made'; echo code $?")
    person.asked()
    person.presses("f", "use make instead", "\r")
    person.sees("who says: use make instead", "code 126")


def test_ctrl_c_at_the_dialog_is_130(shell):
    person, project = shell("asimi run 'touch made'; echo code $?")
    person.asked()
    person.presses("\x03")
    person.sees("code 130")
    assert not (project / "made").exists()


def test_the_session_is_not_asked_again_but_anything_else_is(shell):
    person, _ = shell("asimi run 'echo one'; asimi run 'echo one'; echo again $?; asimi run 'echo two'; echo code $?")
    person.sees("echo one", "[s] allow for session")
    person.presses("s")
    person.sees("only this text, to the letter:")
    person.presses("1")
    person.sees("again 0", "echo two", "[y] run once")
    person.presses("n")
    person.sees("code 126")


def test_always_is_written_down_and_asked_no_more(shell):
    person, _ = shell("asimi run 'echo one'; asimi policy list; asimi run 'echo one'; echo code $?")
    person.asked()
    person.presses("a")
    person.sees("[2]", "run_shell_command(echo)")
    person.presses("2")
    person.sees("/state/asimi/projects/", "code 0")


def test_always_everywhere_is_written_beside_the_configuration(shell):
    person, _ = shell("asimi run 'echo one'; asimi policy list; asimi --root / check 'echo two'; echo code $?")
    person.asked()
    person.presses("a", "p")
    person.sees("everywhere (written to your configuration)", "[2]")
    person.presses("2")
    person.sees("config.approved.toml", "code 0")


def test_never_refuses_says_so_and_is_not_asked_again(shell):
    script = "asimi run 'echo -n one'; echo code $?; asimi run 'true && /bin/echo one -n'; echo again $?"
    script += "; asimi --root / check 'echo -n'; asimi policy list; asimi log --why"
    person, project = shell(script, rows=80)  # paths are long here and there, and nothing may leave the screen
    person.asked()
    person.presses("d")
    person.sees("Deny from now on, in this project", "run_shell_command(echo) with -n")
    person.presses("1")
    person.sees("denied from now on in this project", "who says: never", "code 126", "again 126", "unlisted:")
    person.sees("deny   run_shell_command(echo) with -n", "/state/asimi/projects/")
    person.sees("no by terminal, from now on in this project")
    assert list(project.iterdir()) == []


def test_an_edited_command_is_judged_anew(shell):
    person, project = shell("asimi run 'touch one'; echo code $?")
    person.asked()
    person.presses("e", "\x15", "true", "\r")
    person.sees("code 0")
    assert not (project / "one").exists()


def test_two_that_ask_at_once_on_one_terminal_take_turns(shell):
    person, project = shell("asimi run 'touch one' & asimi run 'touch two' & wait; echo done")
    first = person.asked()
    person.presses("y")
    name = "two" if "touch one" in first else "one"
    person.sees(f"│ > touch {name}", "[y] run once")
    person.presses("y")
    person.sees("done")
    assert {path.name for path in project.iterdir()} == {"one", "two"}


def test_json_calls_on_standard_input_are_asked_about_on_the_terminal(shell):
    call = '{"id": 7, "name": "run_shell_command", "arguments": {"command": "touch made"}}'
    person, project = shell(f"echo {shlex.quote(call)} | asimi serve > answer.json; cat answer.json")
    person.sees("touch made", "[y] run once")
    person.presses("y")
    person.sees('"exitCode": 0')
    assert (project / "made").exists()
