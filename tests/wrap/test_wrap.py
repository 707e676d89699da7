"""`asimi wrap` from the command line: real boxes, and an agent that calls its hook as Codex does."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import MODULES, PATIENCE, PYTHON, ROOT, which
from helpers.home import Home
from helpers.hooks import DOOR, POLICY, envelope
from helpers.terminal import Person

from asimi.doors.wrap.summary import SessionEnd, Tally

pytestmark = pytest.mark.skipif(sys.platform != "linux" or not which("bwrap"), reason="it takes bubblewrap")

CODEX = """\
#!/usr/bin/python3
# Calls its hook before each command and each patch, as Codex does: silence and 0 is a yes.
import json, re, subprocess, sys
settings = open("/etc/codex/requirements.toml").read()
hook = json.loads(re.search(r'^command = (".*")$', settings, re.M)[1])
envelope = json.loads(ENVELOPE)
words = sys.argv[1:]
while words and words[0].startswith("-"):
    del words[:2]
for number, command in enumerate(words):
    patch = command.startswith("***")
    tool = "apply_patch" if patch else "Bash"
    envelope |= {"tool_use_id": f"call_{number}", "tool_name": tool, "tool_input": {"command": command}}
    said = subprocess.run(["sh", "-c", hook], input=json.dumps(envelope), capture_output=True, text=True)
    if said.returncode or '"deny"' in said.stdout:
        print("no:", command, said.stdout.strip(), said.stderr.strip(), flush=True)
    else:
        print("yes:", command, flush=True)
        if patch:
            open(command.split()[6], "w").write("patched")
        else:
            subprocess.run(["bash", "-c", command])
"""


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path, POLICY)
    own = tmp_path / "bin"
    own.mkdir()
    sent = json.dumps(envelope("codex", "", home.root))
    (own / "codex").write_text(CODEX.replace("ENVELOPE", repr(sent)))
    (own / "codex").chmod(0o755)
    home.environ["PATH"] = f"{own}:{home.environ['PATH']}"
    return home


def wrapped(home, *words, stdin="", **options):
    return home.asimi("wrap", *words, stdin=stdin, **options)


def test_whoever_leaves_the_offer_of_a_configuration_is_told_that_the_box_starts_without_one(home):
    home.config.unlink()
    with home.at_terminal("wrap", "--", "sh", "-c", "echo it runs") as person:
        person.sees("You have no rules yet", "developer", "[q] leave")
        person.presses("q")
        person.sees("starts without a configuration", "asimi undo keeps nothing", "it runs")
        assert person.ended() == 0
    assert not home.config.exists()


def test_without_a_terminal_the_start_says_that_there_is_no_configuration(home):
    assert "without a configuration" not in wrapped(home, "true").stderr
    home.config.unlink()
    said = " ".join(wrapped(home, "true").stderr.split())
    assert "without a configuration of yours: no rule allows anything, and asimi undo keeps nothing" in said
    assert "`asimi init`" in said


def test_a_program_writes_in_the_project_and_nowhere_else(home):
    outside = home.root.parent / "elsewhere"
    outside.mkdir()
    done = wrapped(home, "--", "sh", "-c", f"echo in > made; echo out > {outside}/made; cat made; exit 3")
    assert (done.returncode, done.stdout) == (3, "in\n")
    assert (home.root / "made").read_text() == "in\n"
    assert not (outside / "made").exists()
    done = wrapped(home, "--write", str(outside), "sh", "-c", f"echo out > {outside}/made")
    assert (done.returncode, (outside / "made").read_text()) == (0, "out\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take bwrap away")
def test_without_bubblewrap_nothing_starts_and_the_hook_is_named(home):
    take = 'mount --bind /dev/null "$(readlink -f /usr/bin/bwrap)"; exec "$@"'
    words = ["unshare", "-m", "sh", "-c", take, "sh", sys.executable, "-m", "asimi", "wrap", "touch", "made"]
    done = subprocess.run(words, check=False, cwd=home.root, env=home.environ, capture_output=True, text=True)
    assert done.returncode == 125
    assert "The box cannot be set up: bubblewrap is not installed" in done.stderr
    assert "without a box, an agent's hook can call asimi: asimi hook install AGENT" in done.stderr
    assert not (home.root / "made").exists()


OTHERS = """
import os
from asimi.core.errors import AsimiError
from asimi.world.box.terminal import Terminal
os.seteuid(65534)
try:
    Terminal(0)
except AsimiError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="another user takes root")
def test_a_terminal_of_another_user_is_an_error_in_words():
    """As after `su USER -c`, which leaves its program without a terminal of its own."""
    words = [PYTHON, "-c", OTHERS]
    with Person(words, os.environ | MODULES | {"TERM": "xterm"}, terminal=False) as person:
        person.sees("this terminal is another user's", "use `su --pty`")


def test_streams_that_are_no_terminal_pass_as_they_are(home):
    done = wrapped(home, "cat", stdin="\x1b]52;c;x\x07\n")
    assert (done.returncode, done.stdout) == (0, "\x1b]52;c;x\x07\n")


def test_the_start_says_what_is_not_held(home):
    done = wrapped(home, "true")
    assert "true runs in a box: it writes in" in done.stderr
    assert "nothing judges its commands" in done.stderr
    assert "The box does not protect you when you, an editor or CI runs what was written in it" in done.stderr


def test_the_start_says_that_no_commit_is_signed_inside(home):
    assert "no key is in the box" not in wrapped(home, "true").stderr
    (home.home / ".gitconfig").write_text("[commit]\n\tgpgSign = true\n")
    assert "git commit fails in there without --no-gpg-sign" in wrapped(home, "true").stderr


@pytest.mark.parametrize("included", [False, True])
def test_it_says_so_of_a_repository_and_of_what_its_settings_include(home, included):
    signed = "[commit]\n\tgpgSign = true\n"
    (home.home / "work").write_text(signed)
    subprocess.run(["git", "init", "-q", home.root], check=True)
    with (home.root / ".git" / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {home.home}/work\n" if included else signed)
    assert "git commit fails in there without --no-gpg-sign" in wrapped(home, "true").stderr


def test_a_hook_that_a_persons_own_setting_names_runs(home):
    hooks = home.home / "team-hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\necho hook ran\n")
    (hooks / "pre-commit").chmod(0o755)
    (home.home / "private").mkdir()
    subprocess.run(["git", "init", "-q", home.root], check=True)
    (home.home / ".gitconfig").write_text(f"[core]\n\thooksPath = {hooks}\n[user]\n\tname = A\n\temail = a@b\n")
    done = wrapped(home, "bash", "-c", "git commit --allow-empty -qm x; touch ~/team-hooks/x; ls ~/private")
    assert "hook ran" in done.stdout + done.stderr
    assert not (hooks / "x").exists()


@pytest.fixture
def trees(home):
    """A repository with worktrees below it and beside it."""
    git = ("git", "-C", home.root, "-c", "user.name=a", "-c", "user.email=b")
    subprocess.run(["git", "init", "-q", home.root], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    (home.root.parent / "beside").mkdir()
    for path in (".trees/a", ".trees/b", "../beside/c", "../beside/d"):
        subprocess.run([*git, "worktree", "add", "-q", path], check=True)

    def there():
        said = subprocess.run([*git, "worktree", "list"], check=True, capture_output=True, text=True).stdout
        return sorted(Path(line.split()[0]).name for line in said.splitlines()[1:])

    return there


def test_git_removes_worktrees_that_the_box_holds(home, trees):
    def does(text):
        return wrapped(home, "--write", "../beside", "--", "sh", "-c", text)

    held = does("echo x > .git/worktrees/a/commondir || echo x > .trees/a/.git || echo x > ../beside/c/.git")
    assert held.returncode != 0
    assert does("git worktree remove .trees/a && git -C .trees/b worktree remove ../../../beside/c").returncode == 0
    assert trees() == ["b", "d"]
    done = does("echo x > .trees/b/new; git worktree remove .trees/b")
    assert (done.returncode, "contains modified" in done.stderr, trees()) == (128, True, ["b", "d"])
    assert does("git worktree remove --force .trees/b && git worktree prune").returncode == 0
    assert trees() == ["d"]


def test_git_prunes_no_worktree_that_the_box_does_not_see(home, trees):
    assert wrapped(home, "--", "sh", "-c", "rm -r .trees/b/* ; git worktree prune").returncode == 0
    assert trees() == ["a", "b", "c", "d"]
    assert (home.root / ".git/worktrees/c/gitdir").exists()


def test_git_begins_no_worktree_that_it_cannot_end(home, trees):
    done = wrapped(home, "--", "git", "worktree", "add", "-q", "/usr/x", "-b", "topic")
    assert (done.returncode, "cannot be written in this box" in done.stderr) == (128, True)
    assert wrapped(home, "--", "git", "worktree", "add", "-q", "y", "-b", "topic").returncode == 0
    assert "y" in trees()


@pytest.mark.parametrize("both", [False, True], ids=["asimi", "asimi and its keeper"])
def test_whenever_asimi_is_killed_no_program_starts_or_runs_on(home, both):
    """The moments are from the start of the keeper until the program runs, and after that."""
    for number in range(12):
        mark = f"77{os.getpid()}{number:02}"
        done = home.start("wrap", "--", "sh", "-c", f"exec sleep {mark}")
        keeper = until(lambda done=done: [pid for pid in children(done.pid) if b"RLIMIT_FSIZE" in words(pid)])[0]
        time.sleep(number * 0.03)
        for pid in (done.pid, keeper) if both else (done.pid,):
            os.kill(pid, signal.SIGKILL)
        done.wait()
        until(lambda keeper=keeper: not words(keeper))
        until(lambda mark=mark: not running(mark, both))
        assert not both or wrapped(home, "--", "true").returncode == 0
        until(lambda mark=mark: not running(mark))
        assert done.communicate()[0] == b""
    assert wrapped(home, "--", "true").returncode == 0
    assert not list((home.root / ".git").glob("commondir"))


def until(condition):
    """What a condition gives, once that is something."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.002)
    return found


def running(mark, program=False):
    """What runs with a mark among its words; with `program`, not what only waits to make the box of one."""
    found = [words(pid) for pid in filter(str.isdecimal, os.listdir("/proc"))]
    return [each for each in found if mark.encode() in each and not (program and each.startswith(b"/usr/bin/bwrap"))]


def children(pid):
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def words(pid):
    """The command line of a process; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_program_that_is_not_there_is_127(home):
    assert wrapped(home, "no-such-program").returncode == 127


def test_an_agent_is_judged_by_the_gate_outside(home):
    (home.root / ".env").write_text("KEY=1")
    done = wrapped(home, "codex", "echo x > made", "git push", "rm made", "cat .env", "touch /etc/x || echo held")
    said = [line.partition(" {")[0] for line in done.stdout.splitlines()]
    assert said == [
        "yes: echo x > made",
        "no: git push",
        "no: rm made",
        "no: cat .env",
        "yes: touch /etc/x || echo held",
        "held",
    ]
    assert "A person can allow it with `asimi approve" in done.stdout
    assert (home.root / "made").exists()
    told = done.stderr.splitlines()[-4:]
    name = told[-1].rpartition(" ")[2]
    assert told[0] == "asimi: 2 commands ran (2 because the box holds them)."
    assert [line["session"] for line in home.log() if line["event"] in {"start", "refusal"}] == [f"wrap {name}"] * 5
    assert len(done.stderr.splitlines()) <= 2 + 10


def test_what_is_brought_without_a_file_is_told_and_the_end_has_ten_lines_at_most(home):
    git = "git -c user.name=a -c user.email=a@b"
    subprocess.run(["bash", "-ec", f"git init -q .; {git} commit -q --allow-empty -m one"], cwd=home.root, check=True)
    script = f"""
        b=$(echo run me | git hash-object -w --stdin)
        git update-index --add --cacheinfo 100644,$b,.github/workflows/x.yml
        {git} commit -qm two; git update-index --add --cacheinfo 100644,$b,.envrc; git replace HEAD HEAD~1
    """
    told = wrapped(home, "bash", "-c", script).stderr
    assert "bring what runs by itself, though no file shows it yet: .github/workflows/x.yml (" in told
    assert "Staged, though no file shows it yet: .envrc" in told
    assert "git shows other contents in place of: " in told
    tally = Tally(None)
    for number in range(9):
        tally.moved.append((f"/p/{number}/.envrc", "/there"))
        tally.refused.append(("", f"command {number}"))
    lines = tally.lines(SessionEnd("x", "wrap a", 0, True, {"codex"}, [f"thing {each}" for each in range(9)], 3))
    assert len(lines) == 10
    assert lines[-3:] == [
        "and 7 more things like these",
        "3 calls may have changed files: asimi undo lists what, and takes it back",
        "More: asimi log report --session wrap a",
    ]


def test_a_full_disk_is_not_taken_for_standard_output(home):
    """The record of a box is the first that a start writes; a limit on files is as good as a full disk."""
    code = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); from asimi.world.box.reaper import Record\n"
    code += "import sys; Record(*sys.argv[1:])"
    (home.home / "state").mkdir()
    line = [PYTHON, "-c", code, home.home / "state" / "lock", home.home / "box-x"]
    done = subprocess.run(line, capture_output=True, text=True, env=home.environ, check=False)
    assert f"AsimiError: {home.home}/state/boxes/box-x.json: cannot be written: File too large" in done.stderr
    assert os.listdir(home.home / "state" / "boxes") == []  # else the doctor finds a file that asimi cannot use


@pytest.mark.parametrize("made", [1, 2, 3])
def test_what_a_box_made_goes_at_the_next_start_whenever_asimi_was_killed(home, made):
    """It is killed right after it has made so many of the box's own directories, the first things of a box."""
    code = f"""
import os, sys
from asimi.__main__ import main
left, mkdir = [{made}], os.mkdir
def make(path, *given):
    mkdir(path, *given)
    left[0] -= "/box-" in os.fspath(path)
    left[0] or os.kill(os.getpid(), 9)
os.mkdir, sys.argv = make, ["asimi", "wrap", "--", "true"]
main()
"""
    killed = subprocess.run([PYTHON, "-c", code], cwd=home.root, env=home.environ, capture_output=True, check=False)
    runtime = Path(home.environ["XDG_RUNTIME_DIR"], "asimi")
    assert (killed.returncode, len([*runtime.glob("box-*")])) == (-signal.SIGKILL, 1)
    assert wrapped(home, "true").returncode == 0
    assert [*runtime.glob("box-*"), *(home.state / "boxes").iterdir()] == []


def test_a_program_in_a_directory_of_the_box_s_own_is_told_of(home):
    runs = Path("/run/asimi-test-program")
    if os.geteuid():
        pytest.skip("it takes root to put a program there")
    runs.write_text("#!/bin/sh\n")
    try:
        runs.chmod(0o755)
        done = wrapped(home, runs)
    finally:
        runs.unlink()
    assert done.returncode == 125
    assert f"{runs} lies where the box has a directory of its own" in done.stderr


def test_a_rebase_that_was_begun_inside_and_will_run_a_command_is_told_of(home):
    for words in ("init -q", "commit -q --allow-empty -m one", "commit -q --allow-empty -m two"):
        line = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words.split()]
        subprocess.run(line, cwd=home.root, check=True)
    script = "GIT_SEQUENCE_EDITOR='printf \"break\\nexec touch later\\n\" >' git rebase -i HEAD~1"
    done = wrapped(home, "sh", "-c", script)
    assert "git-rebase-todo: a rebase that has begun will run touch later" in done.stderr
    assert "git-rebase-todo" not in wrapped(home, "true").stderr


def test_the_end_says_what_can_be_taken_back_and_what_changed_outside(home):
    subprocess.run(["git", "init", "-q", home.root], check=True)
    home.config.write_text(POLICY + '[undo]\nkeep = "1d"\n')
    done = wrapped(home, "codex", "echo x > made", "echo y >> made")
    assert "2 calls may have changed files: asimi undo lists what, and takes it back" in done.stderr
    listed = [json.loads(line)["files"] for line in home.asimi("undo", "--json").stdout.splitlines()]
    assert listed == [["made"], ["made"]]  # and nothing of what held names while the box was there
    process = home.start("wrap", "sh", "-c", "echo > begun; read x")
    home.has_begun()
    subprocess.run(["git", "config", "user.name", "Ada"], cwd=home.root, check=True)
    _, err = process.communicate(b"\n", timeout=PATIENCE)
    assert f"{home.root}/.git/config has changed since the start" in err.decode()


def test_an_agents_own_edits_are_judged_logged_and_taken_back(home):
    subprocess.run(["git", "init", "-q", home.root], check=True)
    home.config.write_text(POLICY + '[undo]\nkeep = "1d"\n')
    (home.root / "kept").write_text("mine")
    (home.root / ".env").write_text("KEY=1")
    patch = "*** Begin Patch\n*** Delete File: {0}\n*** End Patch"
    done = wrapped(home, "codex", patch.format("kept"), patch.format(".env"))
    assert [line.partition(":")[0] for line in done.stdout.splitlines() if line[:3] in {"yes", "no:"}] == ["yes", "no"]
    assert [(line["event"], line["tool"]) for line in home.log() if line["event"] in {"file", "refusal"}] == [
        ("file", "apply_patch"),
        ("refusal", "apply_patch"),
    ]
    (listed,) = map(json.loads, home.asimi("undo", "--json").stdout.splitlines())
    assert listed["files"] == ["kept"]
    assert "1 call may have changed files: asimi undo lists what" in done.stderr


def test_an_agent_that_ends_before_its_first_command_is_told_of(home):
    done = wrapped(home, "codex")
    assert "Codex CLI has ended with exit code 0, before its first command." in done.stderr


def test_asimi_itself_asks_the_gate_inside(home):
    script = f"{sys.executable} -m asimi check make; {sys.executable} -m asimi run ls; echo $?"
    seen = [word for path in (ROOT, sys.prefix) for word in ("--read", str(path))]
    done = wrapped(home, *seen, "sh", "-c", script, environ={"PYTHONDONTWRITEBYTECODE": "1"})
    assert "held: `make` is not on coreTools; the box holds it" in done.stdout
    assert done.stdout.endswith("125\n")
    assert "run does not work inside a box" in done.stderr


def test_the_hook_that_is_installed_asks_the_gate_inside(home):
    """What only the box allows is allowed, and what is forbidden is not."""
    sent = {name: shlex.quote(json.dumps(envelope("codex", name, home.root))) for name in ("make", "rm x")}
    hook = f"{sys.executable} -I -S {DOOR} codex 42"
    script = f"echo {sent['make']} | {hook}; echo $?; echo {sent['rm x']} | {hook}; echo $?"
    seen = [word for path in (ROOT, sys.prefix) for word in ("--read", str(path))]
    first, denied, last = wrapped(home, *seen, "sh", "-c", script).stdout.splitlines()
    assert (first, "forbids `rm x`" in denied, last) == ("42", True, "42")


def test_a_variable_alone_is_no_box(home):
    environ = {"ASIMI_BOX": "/run/asimi"}
    said = home.asimi("check", "make", environ=environ)
    assert (said.returncode, said.stdout.splitlines()[0]) == (1, "ask")
    sent = json.dumps(envelope("codex", "make", home.root))
    words = [sys.executable, "-I", "-S", str(DOOR), "codex", "42"]
    done = subprocess.run(words, input=sent, check=False, capture_output=True, text=True, env=home.environ | environ)
    assert (done.returncode, "is not on coreTools" in done.stdout) == (42, True)


def test_nothing_is_left_of_a_box(home):
    wrapped(home, "true")
    assert not list((home.home / "run" / "asimi").glob("box-*"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_however_asimi_ends_all_that_is_inside_ends(home, number):
    process = home.start("wrap", "sh", "-c", "echo $$ > begun; exec sleep 1000 77")
    home.has_begun()
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == (128 + number if number != signal.SIGKILL else -number), err
    end = time.monotonic() + PATIENCE
    while any("1000\x0077" in _line(each) for each in filter(str.isdigit, os.listdir("/proc"))):
        assert time.monotonic() < end
        time.sleep(0.05)


def _line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def test_a_broken_configuration_starts_nothing(home):
    home.config.write_text("nonsense = [")
    done = wrapped(home, "touch", "made")
    assert (done.returncode, (home.root / "made").exists()) == (125, False)


def test_explain_shows_what_would_be_held_and_starts_nothing(home):
    shown = wrapped(home, "--explain", "codex")
    assert (shown.returncode, shown.stdout.splitlines()[0]) == (0, "Codex CLI")
    assert f"project         {home.root}" in shown.stdout
    assert "tools judged    Bash apply_patch view_image" in shown.stdout
    held = " ".join(shown.stdout.split())
    assert f"{home.root}: .RData, .Renviron, .Rprofile, .agent, .agents," in held
    assert len(shown.stdout.splitlines()) < 100
    found = json.loads(wrapped(home, "--explain", "--json", "codex").stdout)
    assert found["writable"][0] == str(home.root)
    assert not list((home.home / "run" / "asimi").glob("box-*"))


def test_a_program_has_a_terminal_of_asimis(home):
    with home.at_terminal(
        "--config", str(home.config), "wrap", "sh", "-c", "tty; echo size $(stty size); read x; echo got $x"
    ) as person:
        person.sees("size 24 80")
        person.enters("hello")
        person.sees("got hello", "sh has ended with exit code 0")


def test_a_name_is_asked_about_over_the_program_while_its_connection_waits(home):
    """Once, always and never, in a real session; the words of a refusal reach the program."""
    fetch = "curl -sS -o /dev/null -w 'status %{http_code}\\n' http://nobody.invalid/ >> got"
    script = (
        f"for i in 1 2 3; do {fetch}; curl -sS http://never.invalid/; curl -sS http://never.invalid/; done; echo over"
    )
    (home.root / "go").write_text(script)
    with home.at_terminal("wrap", "bash", "go") as person:
        person.asked()
        person.sees("nobody.invalid:80")
        person.sees("curl -sS")
        person.presses("a")
        person.sees("[1]")  # a key that comes before that is dropped
        person.presses("1")
        person.asked()
        person.sees("never.invalid:80")
        person.presses("d")
        person.sees("[1]")
        person.presses("1")
        person.sees("never.invalid:80 is not reached")
        person.sees("over")
        person.sees("Reached: nobody.invalid (3)")
        person.sees("Not reached: never.invalid (6)")
    assert (home.root / "got").read_text() == "status 502\n" * 3  # it was allowed, and nobody has that name
    listed = home.asimi("policy", "list").stdout
    assert "reach(nobody.invalid:80)" in listed
    assert "reach(never.invalid:80)" in listed
