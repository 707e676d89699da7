"""`[sandbox]`, rules with `sandbox` and `--sandbox`, through the doors, on the real kernel."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from helpers import PYTHON
from helpers.home import Home
from helpers.hooks import envelope
from helpers.sandboxes import WITHOUT, skip

from asimi.core.call import Sandbox
from asimi.core.wording.effects import describe_sandbox

KEPT = BOXED = "this kernel cannot keep a sandbox"
if os.name == "posix":
    from asimi.world.executors.confining.ability import unkept

    KEPT, BOXED = unkept(Sandbox("project")), unkept(Sandbox("project", backend="bubblewrap"))
pytestmark = pytest.mark.skipif(bool(KEPT), reason=KEPT or "-")

ALL = 'coreTools = ["run_shell_command", "execute_command"]\n'
SANDBOX = ALL + '[sandbox]\nmode = "project"\n'
RULE = '[[rules]]\ndecision = "allow"\ncommand = "touch"\nsandbox = "project"\n'
TEXT = "touch inside; touch ../outside"


def files(home):
    return (home.root / "inside").exists(), (home.root.parent / "outside").exists()


def test_every_command_is_held(tmp_path):
    home = Home(tmp_path, SANDBOX)
    done = home.asimi("run", TEXT)
    assert (done.returncode, files(home)) == (1, (True, False))
    assert "outside" in done.stderr
    home.config.write_text(SANDBOX.replace("project", "read-only"))
    assert home.asimi("exec", "touch", "inside2").returncode == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('backend = "landlock"\nhidden = ["~/x"]\n', "`hidden` needs bubblewrap, and `backend` says landlock"),
        ('writable = ["~"]\n', "`writable` holds '~', and in there are asimi's own files"),
        ('writable = [".", "~/state/asimi/jobs"]\n', "which is among asimi's own files"),
        ('writable = [".", "/"]\n', "`writable` holds '/', and in there are asimi's own files"),
    ],
)
def test_what_cannot_be_kept_is_an_error_of_the_configuration(text, said, tmp_path):
    home = Home(tmp_path, SANDBOX + text)
    for words in (["run", "touch inside"], ["config", "check"]):
        done = home.asimi(*words)
        assert (done.returncode != 0, files(home)) == (True, (False, False))
        assert said in done.stderr + done.stdout
        line = len((SANDBOX + text).splitlines())
        assert f"{home.config}:{line}: " in done.stderr + done.stdout


@pytest.mark.skipif(bool(BOXED), reason=BOXED or "-")
def test_files_are_hidden_and_protected(tmp_path):
    home = Home(tmp_path, SANDBOX + 'hidden = ["~/key"]\nprotected = [".git/hooks"]\n')
    (home.home / "key").write_text("a secret")
    (home.root / "try.sh").write_text("cat ~/key; mkdir -p .git/hooks; touch .git/hooks/x || mv .git a; touch inside\n")
    done = home.asimi("run", "--json", "sh try.sh")
    answer = json.loads(done.stdout)
    assert (answer["exitCode"], answer["stdout"], answer["sandbox"]) == (0, "", "project")
    assert {path.name for path in home.root.iterdir()} == {"sub", "inside", "try.sh"}


def test_an_option_holds_one_call(tmp_path):
    home = Home(tmp_path, ALL)
    done = home.asimi("run", "--json", "--sandbox", "project", TEXT)
    assert json.loads(done.stdout)["sandbox"] == "project"
    assert files(home) == (True, False)
    assert home.asimi("exec", "--sandbox", "read-only", "touch", "other").returncode == 1
    done = home.asimi("run", "--json", TEXT)
    assert "sandbox" not in json.loads(done.stdout)
    assert files(home) == (True, True)


def test_an_unknown_mode_is_named(tmp_path):
    done = Home(tmp_path, ALL).asimi("run", "--sandbox", "off", "true")
    assert (done.returncode, done.stdout) == (125, "")
    assert "--sandbox takes project or read-only, not 'off'" in done.stderr


def test_a_rule_holds_what_it_allows(tmp_path):
    home = Home(tmp_path, RULE + 'match = ["touch x"]\n')
    assert home.asimi("run", TEXT).returncode == 1
    assert files(home) == (True, False)
    assert home.asimi("run", "-q", "true").returncode != 0
    judged = home.asimi("check", "--json", TEXT)
    assert json.loads(judged.stdout)["verdict"] == "allow"
    assert json.loads(judged.stdout)["sandbox"] == "project"
    said = home.asimi("check", TEXT).stdout
    assert "It would run in a sandbox: writes only in the project and a temporary directory" in said


def test_a_stream_is_held(tmp_path):
    home = Home(tmp_path, SANDBOX)
    done = home.asimi("serve", stdin=json.dumps({"command": TEXT}) + "\n" + json.dumps({"command": "echo $TMPDIR"}))
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["exitCode"], first["sandbox"], files(home)) == (1, "project", (True, False))
    assert second["stdout"].startswith(str(home.state))


def test_behind_a_hook_nothing_runs_without_what_should_hold_it(tmp_path):
    home = Home(tmp_path, SANDBOX)
    done = home.asimi("hook", "claude-code", stdin=json.dumps(envelope("claude-code", "ls", home.root)))
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    assert "the agent starts the command itself" in answer["permissionDecisionReason"]
    assert f"{home.config}:3" in answer["permissionDecisionReason"]


def test_the_list_of_rules_says_which_need_a_sandbox(tmp_path):
    home = Home(tmp_path, RULE)
    assert "run_shell_command(touch), only in a sandbox (project)" in home.asimi("policy", "list").stdout
    assert json.loads(home.asimi("policy", "list", "--json").stdout)["sandbox"] == "project"


def test_a_sandbox_that_cannot_be_set_up_starts_nothing(tmp_path):
    home = Home(tmp_path, SANDBOX + 'writable = [".", "absent"]\n')
    done = home.asimi("run", "touch inside")
    assert (done.returncode, files(home)) == (125, (False, False))
    assert "writable directory" in done.stderr
    assert "absent: No such file or directory; make the directory, or take it out" in done.stderr
    assert f"note  {home.config}:4: the directory 'absent' " in home.asimi("config", "check").stdout


def test_old_temporary_files_go(tmp_path):
    home = Home(tmp_path, SANDBOX)
    old, new = home.state / "sandbox" / "old", home.state / "sandbox" / "new"
    for each in (old / "x", new / "x"):
        each.mkdir(parents=True)
    for each in (home.state, old.parent, old, new):
        each.chmod(0o700)
    os.utime(old, (1, 1))
    assert home.asimi("run", "touch $TMPDIR/x").returncode == 0
    assert not old.exists()
    assert new.exists()
    assert "fault" not in home.asimi("doctor").stdout


def test_a_developers_checks_are_held_but_not_behind_a_hook(tmp_path):
    home = Home(tmp_path, None)
    (home.root / "Makefile").write_text(f"test:\n\t{TEXT}\n")
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0
    assert home.asimi("run", "make test").returncode == 2
    assert files(home) == (True, False)
    done = home.asimi("hook", "claude-code", stdin=json.dumps(envelope("claude-code", "make test", home.root)))
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "allow"
    home.config.write_text(home.config.read_text() + RULE)
    home.asimi("hook", "install", "claude-code")
    said = " ".join(home.asimi("hook", "doctor", "claude-code").stdout.split())
    assert "no sandbox holds checks, which run as they do without it" in said
    assert "no sandbox holds run_shell_command(touch), which is asked about" in said


def test_a_rule_whose_sandbox_would_open_our_own_files_has_no_effect(tmp_path):
    home = Home(tmp_path, ALL + RULE)
    (home.home / "Makefile").touch()
    for where in (home.home, tmp_path, home.config.parent):
        assert home.asimi("run", "true", cwd=where).returncode == 0
        assert "has no effect in this project: `writable` holds '.'" in home.asimi("config", "check", cwd=where).stdout
    home.config.write_text(RULE)
    assert home.asimi("check", "touch x").returncode == 0
    assert home.asimi("check", "touch x", cwd=home.home).returncode == 1


def test_the_doctor_says_what_this_machine_can_keep(tmp_path):
    home = Home(tmp_path, ALL)
    said = home.asimi("doctor", "--verbose").stdout
    assert re.search(r"^ok +sandbox: kept by Landlock \d+$", said, re.MULTILINE)
    assert re.search(r"^(ok +bubblewrap: it works|to do +bubblewrap: not here: )", said, re.MULTILINE)
    assert re.search(r"^ok +exec rules: ", said, re.MULTILINE)
    command = [PYTHON, "-c", WITHOUT, "444", "-1", "38", PYTHON, "-m", "asimi"]  # landlock_create_ruleset: ENOSYS
    there = {"cwd": home.root, "env": home.environ}
    done = subprocess.run([*command, "doctor"], **there, capture_output=True, text=True, check=False)
    said = " ".join(done.stdout.split())
    assert "note sandbox: not here: it needs Linux 6.2 with Landlock 3; this kernel has no Landlock" in said
    assert "lsm= must name landlock" in said
    home.config.write_text(ALL + 'excludeTools = ["run_shell_command(git push)"]\n[shell]\nenforce = "exec"\n')
    told = home.asimi("exec", PYTHON, "-m", "asimi", "doctor").stdout
    assert "note exec rules: not here: seccomp user notification: asimi, or a container" in " ".join(told.split())


EXECS = 'excludeTools = ["run_shell_command(git push)"]\n[shell]\nenforce = "exec"\n'
WORDS = {
    "": "by nothing: what the program itself does is not checked",
    EXECS: "may not start git push; what the program itself does is not checked",
    EXECS + '[sandbox]\nmode = "project"\nnetwork = "none"\n': (
        "in a sandbox: writes only in the project and a temporary directory; no network; may not start git push"
    ),
    '[sandbox]\nmode = "read-only"\nsockets = true\n': (
        "in a sandbox: writes only in a temporary directory; may speak to local daemons"
    ),
}


@pytest.mark.parametrize("config", WORDS)
def test_the_dialog_says_what_holds(tmp_path, config):
    home = Home(tmp_path, config)
    with home.at_terminal("run", "python3 x.py", columns=200) as person:
        person.asked()
        person.sees(f"Held   {WORDS[config]}")
        person.types("n")
        person.ended()


def test_what_is_hidden_is_told_up_to_a_bound():
    hidden = ("~/.ssh", "~/.aws", "~/.kube", "~/.netrc", "x")
    said = describe_sandbox(Sandbox("project", (".", "~/a"), hidden=hidden, protected=(".git/hooks",)))
    assert said == (
        "in a sandbox: writes only in the project, ~/a and a temporary directory; not in .git/hooks; "
        "cannot read ~/.ssh, ~/.aws, ~/.kube (2 more)"
    )


LOCKS = """\
import fcntl, os, sys, time
kept = []
for top in sys.argv[1:]:
    for directory, _, names in os.walk(top):
        for name in names:
            try:
                kept.append(os.open(os.path.join(directory, name), os.O_RDONLY))
                fcntl.flock(kept[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                pass
if os.fork():
    os._exit(0)
os.setsid()
null = os.open(os.devnull, os.O_RDWR)
for number in 0, 1, 2:
    os.dup2(null, number)
while not os.path.exists("released"):
    time.sleep(0.01)
"""
"""Locks all files that can be read below some directories, and leaves a process that keeps them."""


@pytest.fixture
def seen():
    """A directory that a command in bubblewrap sees, which has a `/tmp` of its own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        yield Path(directory)


@pytest.mark.parametrize("backend", ["landlock", "bubblewrap"])
def test_a_command_that_locks_what_it_can_only_read_does_not_stop_asimi(seen, backend):
    if why := unkept(Sandbox("project", backend=backend)):
        skip(why)
    home = Home(seen, f'{SANDBOX}backend = "{backend}"\n')
    (home.root / "lock.py").write_text(LOCKS)
    try:
        assert home.asimi("run", "true").returncode == 0
        done = home.asimi("run", f"'{os.path.realpath(sys._base_executable)}' lock.py '{home.home}'")
        assert (done.returncode, "kept a lock" in done.stderr) == (0, True), done.stderr
        done = home.asimi("run", "touch inside")
        assert (done.returncode, files(home)[0]) == (0, True), done.stderr
        assert [line["event"] for line in home.log()] == ["start", "end"] * 3
        assert home.asimi("log", "verify").returncode == 0
    finally:
        (home.root / "released").touch()


def test_a_lock_of_a_process_that_asimi_did_not_start_is_waited_for(tmp_path):
    home = Home(tmp_path, SANDBOX)
    assert home.asimi("run", "true").returncode == 0
    code = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); input()"
    words = [PYTHON, "-c", code, home.state / "log.head"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "1\n"
        asimi = home.start("run", "true")
        with pytest.raises(subprocess.TimeoutExpired):
            asimi.wait(2.5)  # longer than it takes until it is looked at who holds a lock
        other.communicate("\n")
        asimi.communicate()
        assert (asimi.returncode, other.returncode) == (0, 0)
