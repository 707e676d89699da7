"""Exec rules from a configuration file to the person: what no text shows does not happen, and everybody hears of it."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import PATIENCE
from helpers.home import OTHER_PYTHONS, Home

if sys.platform != "linux" or platform.machine() not in {"x86_64", "aarch64"}:
    pytest.skip("exec rules are Linux's", allow_module_level=True)

LISTED = 'coreTools = ["run_shell_command", "execute_command"]\n'
RULE = '[[rules]]\ndecision = "deny"\ncommand = "rm"\nenforce = "exec"\n'
SCRIPTS = {
    "build.sh": '#!/bin/sh\nrm "$@"\n',
    "Makefile": "all:\n\trm victim\n",
    "setup.py": "import subprocess\nsubprocess.call(['rm', 'victim'])\n",
}
HIDDEN = {
    "a script": "./build.sh victim",
    "make": "make",
    "make, from a pipe": "echo 'all: ; @sn victim' | tr s r | tr n m | make -f -",
    "Python": """python3 -c 'import os; os.system(chr(114) + "m victim")'""",
    "Python and a file": "python3 setup.py",
    "perl": """perl -e 'exec chr(114) . "m", "victim"'""",
    "find": "find . -name victim -exec ./build.sh {} +",
    "xargs": "echo victim | xargs ./build.sh",
    "a copy": "cp /bin/[r]m tidy; ./tidy victim",
}


@pytest.fixture
def home(tmp_path):
    """A project that removes its victim in many ways, and a rule against that."""
    it = Home(tmp_path, LISTED + RULE + OTHER_PYTHONS)
    restore(it)
    return it


def restore(home):
    for name, text in SCRIPTS.items():
        (home.root / name).write_text(text)
        (home.root / name).chmod(0o755)
    (home.root / "victim").write_text("precious")


@pytest.mark.parametrize("way", HIDDEN)
def test_what_no_text_shows_is_not_executed(way, home):
    command = HIDDEN[way]
    done = home.asimi("run", command)
    assert (home.root / "victim").read_text() == "precious"
    assert re.search(
        rf"^asimi: '[^\n]* (\./)?victim' \(started by \S+, pid \d+\) is denied by {home.config}:2$",
        done.stderr,
        re.MULTILINE,
    )
    (record,) = [each for each in home.log() if each["event"] == "exec"]
    assert record["argv"][-1] in ("victim", "./victim")
    assert (record["rule"], record["source"]) == ("run_shell_command(rm)", f"{home.config}:2")
    assert record["id"] == home.log()[0]["id"]
    home.config.write_text(LISTED + RULE.replace('enforce = "exec"\n', "") + OTHER_PYTHONS)
    home.asimi("run", command)
    assert not (home.root / "victim").exists(), "so the test proves nothing"


def test_a_result_says_what_was_refused_and_only_then(home):
    result = json.loads(home.asimi("run", "--json", "make -s; make -s").stdout)
    assert [each["argv"] for each in result["refused"]] == [["rm", "victim"]] * 2
    first = result["refused"][0]
    assert list(first) == ["argv", "pid", "parent", "rule", "source"]
    assert (first["parent"], first["rule"], first["source"]) == ("make", "run_shell_command(rm)", f"{home.config}:2")
    assert result["stderr"].count("asimi: 'rm victim' (started by make, pid ") == 2
    assert "refused" not in json.loads(home.asimi("run", "--json", "true").stdout)
    program = json.loads(home.asimi("exec", "--json", "make", "-s").stdout)
    assert [each["argv"] for each in program["refused"]] == [["rm", "victim"]]


def test_a_line_of_its_own_behind_what_the_command_wrote(home):
    result = json.loads(home.asimi("run", "--json", "printf begun >&2; make -s 2>/dev/null").stdout)
    assert result["stderr"].startswith("begun\nasimi: 'rm victim' (started by make")
    assert result["stderr"].endswith(":2\n")


def test_a_listener_hears_it_while_the_command_runs(home):
    process = home.start("run", "make -s 2>/dev/null; sleep 30")
    try:
        os.set_blocking(process.stderr.fileno(), False)
        end, heard = time.monotonic() + PATIENCE, b""
        while b":2\n" not in heard and time.monotonic() < end:
            heard += process.stderr.read() or b""
            time.sleep(0.02)
        assert b"asimi: 'rm victim' (started by make" in heard
        assert process.poll() is None
    finally:
        process.terminate()
        process.communicate()


def test_serve_and_the_library_say_it_too(home):
    call = {"command": "make -s"}
    lines = home.answers(*[{"id": number, "name": "run_shell_command", "arguments": call} for number in (1, 2)])
    assert all('"refused"' in json.dumps(line).replace("\\", "") for line in lines), lines
    code = "import asimi; print(asimi.run('make -s')['refused'][0]['argv'])"
    environ = {name: value for name, value in home.environ.items() if name != "ASIMI_RUN"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=home.root, env=environ, capture_output=True, text=True, check=False
    )
    assert done.stdout == "['rm', 'victim']\n", done.stderr


def test_arguments_and_directories_decide(home):
    (home.root / "Makefile").write_text("push:\n\tgit push\nstatus:\n\tgit --version\n")
    rule = f'[[rules]]\ndecision = "deny"\ncommand = "git push"\nenforce = "exec"\ndirectory = "{home.root}/sub"\n'
    home.config.write_text(LISTED + rule)
    assert "is denied by" not in home.asimi("run", "make -s push").stderr
    assert "is denied by" not in home.asimi("run", "--dir", "sub", "make -s -C .. status").stderr
    assert "is denied by" in home.asimi("run", "--dir", "sub", "make -s -C .. push").stderr, "though it runs elsewhere"


def test_one_key_makes_it_hold_for_every_deny_with_a_command(home):
    entries = 'excludeTools = ["run_shell_command(rm)"]\n'
    rules = '[[rules]]\ndecision = "deny"\nline = "./build.sh x"\n[[rules]]\ndecision = "deny"\neffects = ["publish"]\n'
    home.config.write_text(LISTED + entries + '[shell]\nenforce = "exec"\n' + rules)
    home.asimi("run", "make -s")
    assert (home.root / "victim").exists()
    home.config.write_text(LISTED + entries)
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi/config.toml").write_text('[shell]\nenforce = "exec"\n')
    home.asimi("run", "make -s")
    assert (home.root / "victim").exists(), "a project's file may tighten"
    home.config.write_text(LISTED + entries + '[shell]\nenforce = "exec"\n')
    (home.root / ".asimi/config.toml").write_text('[shell]\nenforce = "text"\n')
    home.asimi("run", "make -s")
    assert (home.root / "victim").exists(), "and never loosen"


def test_a_background_process_is_held_to_it_after_the_end_of_asimi(home):
    wait = "while [ ! -e {} ]; do sleep 0.05; done; "
    late = wait.format("go") + "./build.sh victim; echo rc=$? >done; " + wait.format("end")
    result = json.loads(home.asimi("run", "--json", f"(setsid bash -c '{late}' >/dev/null 2>&1 &)").stdout)
    assert result["backgroundPids"]
    (job,) = map(json.loads, home.asimi("jobs", "list", "--json").stdout.splitlines())
    (keeper,) = keepers(home)
    assert keeper not in job["pids"], "who answers on is none of the job"
    (home.root / "go").touch()
    home.has_begun("done")
    assert (home.root / "victim").exists()
    assert (home.root / "done").read_text() == "rc=126\n"
    log = Path(result["backgroundLog"]).read_text()
    assert re.fullmatch(rf"asimi: 'rm victim' \(started by build.sh, pid \d+\) is denied by {home.config}:2\n", log)
    (home.root / "end").touch()
    end = time.monotonic() + PATIENCE
    while keepers(home):
        assert time.monotonic() < end, "it ends with the last process"
        time.sleep(0.02)


def test_a_background_process_is_held_to_it_while_asimi_goes_on(home):
    from asimi.core.call import ToolCall
    from asimi.tools import RunShellCommandTool

    async def run():
        environ = os.environ.copy()
        os.environ.update(home.environ)
        try:
            from asimi.compose import Options
            from asimi.compose.gate import open_gate

            gate = open_gate(Options(root=str(home.root)), shared=True, adopt=False)
            late = "(until test -e go; do sleep 0.05; done; ./build.sh victim; touch done) >/dev/null 2>&1 &"
            outcome = await gate.run(ToolCall("run_shell_command", {"command": late}), RunShellCommandTool())
            (home.root / "go").touch()
            await asyncio.to_thread(home.has_begun, "done")
            return outcome
        finally:
            os.environ.clear()
            os.environ.update(environ)

    outcome = asyncio.run(run())
    assert (home.root / "victim").exists()
    assert outcome.refused == ()
    assert "asimi: 'rm victim' (started by build.sh" in Path(outcome.log).read_text()
    assert [each["argv"] for each in home.log() if each["event"] == "exec"] == [["rm", "victim"]]


def test_nothing_new_is_executed_once_asimi_is_killed(home):
    process = home.start("run", ": >begun; while [ ! -e go ]; do :; done; /bin/touch made 2>/dev/null; echo $? >done")
    home.has_begun()
    process.kill()
    process.communicate()
    (home.root / "go").touch()
    home.has_begun("done")
    end = time.monotonic() + PATIENCE
    while not (home.root / "done").read_text() and time.monotonic() < end:
        time.sleep(0.01)
    assert ((home.root / "done").read_text(), (home.root / "made").exists()) == ("126\n", False)


def keepers(home):
    """The processes that answer on for a call of this home."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if str(home.state) in str((each / "fd/1").readlink()) and b"supervising" in (each / "cmdline").read_bytes():
                found.append(int(each.name))
        except OSError:
            continue
    return found


def test_the_log_shows_it_below_the_call(home):
    home.asimi("run", "make -s")
    shown = home.asimi("log").stdout
    assert re.search(r"exit 2 +make -s\n +refused +rm victim$", shown, re.MULTILINE), shown
    assert re.search(
        rf"'rm victim' \(started by make, pid \d+\) is denied by {home.config}:2", home.asimi("log", "--why").stdout
    )
    assert home.asimi("log", "verify").returncode == 0


def test_inside_a_call_that_holds_exec_rules_nothing_starts(home):
    """The kernel takes one who answers for a tree of processes."""
    (home.root / "build.sh").write_text(f"#!/bin/sh\n{sys.executable} -m asimi exec touch made; echo rc=$?\n")
    done = home.asimi("run", "./build.sh")
    assert "Exec rules cannot be set up: seccomp user notification: " in done.stderr
    assert "around this one holds exec rules already" in done.stderr
    assert done.stdout == "rc=125\n"
    assert not (home.root / "made").exists()


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ('decision = "deny"\nline = "rm x"\nenforce = "exec"', "needs command"),
        ('decision = "deny"\nargs_any = ["x"]\nenforce = "exec"', "needs command"),
        ('decision = "deny"\ncommand = "rm"\neffects = ["delete"]\nenforce = "exec"', "cannot go by effects"),
        ('decision = "allow"\ncommand = "rm"\nenforce = "exec"', 'is for decision = "deny"'),
        ('decision = "ask"\ncommand = "rm"\nenforce = "exec"', 'is for decision = "deny"'),
        ('decision = "deny"\ncommand = "rm"\nenforce = "text"', 'must be "exec"'),
        ('decision = "deny"\ncommand = "rm"\nenforce = true', 'must be "exec"'),
    ],
)
def test_a_rule_that_cannot_hold_for_executions_is_an_error(table, why, home):
    home.config.write_text(f"{LISTED}[[rules]]\n{table}\n")
    done = home.asimi("run", "touch made")
    line = 3 + [each.partition(" ")[0] for each in table.split("\n")].index("enforce")
    assert done.returncode == 125
    assert f"{home.config}:{line}: enforce" in done.stderr
    assert why in done.stderr
    assert not (home.root / "made").exists()


@pytest.mark.parametrize(
    ("config", "line"),
    [(LISTED + RULE, 2), ('excludeTools = ["run_shell_command(rm)"]\n[shell]\nenforce = "exec"\n', 3)],
)
def test_behind_a_hook_every_call_is_refused(config, line, home):
    home.config.write_text(config)
    envelope = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "cwd": str(home.root),
    }
    envelope |= {"session_id": "s", "transcript_path": "/x", "permission_mode": "default"}
    done = home.asimi("hook", "claude-code", stdin=json.dumps(envelope))
    said = done.stdout + done.stderr
    assert "because the agent starts the command itself" in said
    assert f"{home.config}:{line}" in said
    assert '"deny"' in said or done.returncode == 2


def test_a_call_without_exec_rules_loads_nothing_of_them(home):
    home.config.write_text(LISTED)
    code = "import asimi, sys; asimi.run('true'); print([each for each in sys.modules if 'confining' in each])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=home.root, env=home.environ, capture_output=True, text=True, check=False
    )
    assert done.stdout == "[]\n", done.stdout + done.stderr
