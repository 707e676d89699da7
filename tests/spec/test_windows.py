"""What the specification says of Windows, as far as another system can play it: see `helpers.windows`."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from helpers import PYTHON, windows
from helpers.home import Home

from asimi.core.call import Shell, ToolCall, Verdict
from asimi.core.errors import Refusal
from asimi.testing import make_gate
from asimi.tools import RunShellCommandTool

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a stand-in, for other systems")

CMD = """#!/bin/sh
[ "$#$1" = 2/c ] || exit 99
[ "$2" = background ] && { sleep 600 >/dev/null 2>&1 & echo $!; exit 0; }
[ "$2" = true ] && exit 0
printf '%s' "$2"
exit 7
"""
TEXTS = [
    "git --version",
    'echo "a \\"b\\" c" \'d e\'',
    '"C:\\Program Files\\Git\\git.exe" "a b" C:\\dir\\',
    'echo %PATH% ^& x & dir | find "y" > z 2>&1',
    "start /b ping -n 3 localhost",
    "  spaces   stay  ",
    "echo é ü 漢",
]  # fmt: skip


def windows_in(place):
    """What runs asimi, or a program, on Windows."""
    home = Home(place, 'coreTools = ["run_shell_command", "execute_command"]')
    (place / "cmd.exe").write_text(CMD)
    (place / "cmd.exe").chmod(0o755)

    def call(*words, text=""):
        return subprocess.run(
            [PYTHON, windows.__file__, *words],
            cwd=home.root,
            env=home.environ | {"COMSPEC": str(place / "cmd.exe")},
            input=text,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
        )

    return call


@pytest.fixture
def asimi(tmp_path):
    """Runs asimi, or a program, on Windows."""
    return windows_in(tmp_path)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each of the texts has printed: as a call of a stream, and as one of a program."""
    asimi = windows_in(tmp_path_factory.mktemp("texts"))
    calls = "".join(json.dumps({"command": text}) + "\n" for text in TEXTS)
    stream = [json.loads(line)["stdout"] for line in asimi("serve", text=calls).stdout.splitlines()]
    program = f"import asimi, json; print(json.dumps([asimi.run(text)['stdout'] for text in {TEXTS!r}]))"
    return dict(zip(TEXTS, zip(stream, json.loads(asimi("-c", program).stdout), strict=True), strict=True))


@pytest.mark.parametrize("text", TEXTS)
def test_the_command_is_executed_by_cmd(asimi, text):
    """> Windows: The command is executed as `cmd.exe /c <command>`. (The text is one command line, as it is.)."""
    done = asimi("run", "--json", text)
    answer = json.loads(done.stdout)
    assert (answer["stdout"], answer["stderr"], answer["exitCode"]) == (text, "", 7)
    assert (answer["signal"], answer["error"], answer["backgroundPids"]) == (None, None, [])


@pytest.mark.parametrize("text", TEXTS)
def test_in_a_stream_and_in_a_program_it_is_the_same(printed, text):
    assert printed[text] == (text, text)


def test_background_pids_are_not_populated(asimi):
    """> This is not supported on Windows and will be an empty array."""
    answer = json.loads(asimi("run", "--json", "background").stdout)
    os.kill(int(answer["stdout"]), 9)
    assert (answer["backgroundPids"], answer["exitCode"]) == ([], 0)


def test_a_program_gets_its_arguments(asimi):
    """> It will construct the full command by combining `command` and `args`."""
    arguments = ["a b", "", 'c"d', "*", "$HOME", "e\\ f"]
    answer = json.loads(asimi("exec", "--json", "--", "printf", "%s|", *arguments).stdout)
    assert (answer["stdout"], answer["return_code"]) == ("".join(f"{word}|" for word in arguments), 0)


def test_a_program_that_is_not_there_is_not_found(asimi):
    answer = json.loads(asimi("exec", "--json", "--", "nosuchcommand_zz").stdout)
    assert (answer["stderr"], answer["return_code"]) == ("Error: Command not found: nosuchcommand_zz", None)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--version"], 0), (["--help"], 0), (["check", "git status"], 0), (["config", "show"], 0), (["doctor"], 0),
        (["log"], 0), (["log", "verify"], 0), (["jobs", "list"], 0), (["session", "list"], 0), (["tools"], 0),
        (["policy", "list"], 0), (["hook", "doctor"], 1), (["policy", "add", "ls"], 125), (["approve"], 125),
    ],
)  # fmt: skip
def test_asimi_starts_without_what_only_unix_has(asimi, words, code):
    done = asimi(*words)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr


def test_the_stand_in_hides_what_windows_does_not_have(asimi):
    program = "import sys, os; print(sys.platform, os.name, hasattr(os, 'getuid'))\nimport fcntl"
    done = asimi("-c", program)
    assert (done.stdout, "No module named 'fcntl'" in done.stderr) == ("win32 nt False\n", True)


def test_nobody_can_be_asked(asimi, tmp_path):
    """> any command *not* on the list will be rejected or require confirmation."""
    (tmp_path / "empty.toml").touch()
    done = asimi("--config", str(tmp_path / "empty.toml"), "run", "git status")
    assert done.returncode == 126
    assert "asimi has no dialog on Windows" in done.stderr
    assert "asimi has no dialog on Windows" in asimi("doctor").stdout


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("git status", Verdict.ALLOW), ("git log -n 3", Verdict.ALLOW), ("gitk", Verdict.ASK)]
    + [(f"git status {sign} x", Verdict.ASK) for sign in ("&", "&&", "|", ">", "<", "^", "%x%", "(", ")", '"a"', "!x!")]
    + [
        ("git status & rm x", Verdict.DENY),
        ("git status\nrm x", Verdict.DENY),
        ("rm,x", Verdict.DENY),
        ("@rm x", Verdict.DENY),
    ],
)
def test_only_one_plain_command_is_allowed(text, verdict):
    """No bash grammar is applied to a cmd line."""
    shell = Shell("cmd", "C:\\Windows\\System32\\cmd.exe")
    gate = make_gate(allow=["run_shell_command(git)"], deny=["run_shell_command(rm)"], shell=shell)
    call = ToolCall("run_shell_command", {"command": text})
    assert gate.judge(RunShellCommandTool().read(call, gate.workspace, gate.shell)).verdict is verdict


def test_shell_text_is_the_last_argument_of_the_shell():
    """> commands are wrapped in either `bash -c` or `cmd.exe /c`."""
    assert Shell("cmd", "C:\\cmd.exe").argv("-x") == ("C:\\cmd.exe", "/c", "-x")
    assert Shell("bash", "/bin/bash").argv("-x") == ("/bin/bash", "-c", "--", "-x")
    with pytest.raises(Refusal):
        Shell("cmd", "").argv("x")
