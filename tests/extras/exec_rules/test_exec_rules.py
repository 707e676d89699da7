"""Calls with exec rules end as calls without: at a limit, when they are cancelled, many at once, in a sandbox."""

import asyncio
import os
import pathlib
import platform
import signal
import subprocess
import sys
from operator import le

import pytest
from helpers import MODULES, PYTHON
from helpers.executors import Library, Program, eventually, sleeping
from helpers.sandboxes import BACKENDS, USERS, WITHOUT, yard_of

if sys.platform != "linux" or platform.machine() not in {"x86_64", "aarch64"}:
    pytest.skip("exec rules are Linux's", allow_module_level=True)

HELD = {"enforced": ["rm", "git push"]}
HIDDEN = "sh -c 'r\"\"m kept'"


@pytest.fixture
def library(tmp_path):
    """The executor in this process, in a project with a file to lose."""
    (tmp_path / "kept").touch()
    return Library(tmp_path / "state", tmp_path)


def ours():
    """What this process holds: how many descriptors, and threads."""
    return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))


def test_nothing_is_left_of_a_call(library):
    library("true")
    before = ours()
    library("true", **HELD)
    for _ in range(5):
        assert library(HIDDEN, **HELD).refused[0].argv == ("rm", "kept")
        assert library(["nosuchcmd_zz"], **HELD).failure.kind == "not_found"
    assert eventually(lambda: all(map(le, ours(), before))), ours()  # what an earlier test left may end meanwhile


@pytest.mark.parametrize(
    "command",
    [
        ["nosuchcmd_zz"],
        ["./nosuch"],
        ["."],
        ["./text"],
        ["./bare"],
        ["./nointerpreter"],
        ["true", "x" * 200_000],
        ["true", "nul\0byte"],
        "exit 7",
        "kill -9 $$",
        "echo a; echo b >&2; nosuchcmd_zz",
        "ls /proc/self/fd; ps -o sid= -p $$ | tr -d ' ' | grep -qx $$ && echo leads",
        "sleep 9 & kill $!; wait $!; echo $?",
    ],
    ids=lambda command: str(command)[:20],
)
def test_a_call_ends_as_it_does_without(library, tmp_path, command):
    for name, text, mode in (("text", "x", 0o644), ("bare", "echo x", 0o755), ("nointerpreter", "#!/nosuch\n", 0o755)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)
    plain, held = library(command), library(command, **HELD)
    same = {"pid": 0, "seconds": 0.0}
    assert held._replace(**same) == plain._replace(**same)


def test_a_program_that_is_denied_itself_may_not_be_executed(library, tmp_path):
    result = library(["rm", "kept"], **HELD)
    assert (result.failure.kind, (tmp_path / "kept").exists()) == ("permission", True)


def test_the_shell_of_a_call_is_no_command_of_it(library):
    held = {"enforced": ["bash", "sh"]}
    assert library("echo x", **held).stdout.text == "x\n"
    result = library("bash -c 'echo x'; exec bash -c 'echo y'", **held)
    assert (result.stdout.text, [each.argv for each in result.refused]) == (
        "",
        [("bash", "-c", "echo x"), ("bash", "-c", "echo y")],
    )
    assert library(["bash", "-c", "echo x"], **held).failure.kind == "permission"


def test_a_main_process_that_is_killed_for_what_it_became(library, tmp_path):
    """It may not be looked at before, so only the second look is left; the result says why it was killed."""
    code = "import ctypes, os\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\nos.execv('/bin/rm', ['rm', 'kept'])\n"
    (tmp_path / "hidden.py").write_text(code)
    for _ in range(5):
        result = library(["python3", "hidden.py"], **HELD)
        assert [each.argv for each in result.refused] == [("rm", "kept")]
        assert (tmp_path / "kept").exists()


def test_a_limit_ends_a_tree_that_asks_again_and_again(library):
    probe, before = f"71.{os.getpid()}", ours()[1]
    result = library(f"(setsid sleep {probe} &); while :; do {HIDDEN}; done", timeout=1, **HELD)
    assert result.timed_out
    assert result.refused
    assert result.stderr.text.count("is denied by rules.toml:1") == len(result.refused)
    assert not sleeping(probe)
    assert eventually(lambda: ours()[1] <= before)


def test_what_is_told_of_one_call_is_bounded(library, tmp_path):
    (tmp_path / "loop.py").write_text(
        "import os\nfor number in range(1100):\n    try:\n        os.posix_spawn('/bin/rm', ['rm', str(number)], {})\n"
        "    except PermissionError:\n        pass\n    else:\n        raise SystemExit(9)\n"
    )
    result = library("python3 loop.py", **HELD)
    assert (result.exit_code, len(result.refused)) == (0, 1000)
    assert len(result.stderr.text.splitlines()) == 1000


def test_a_cancelled_call_leaves_nothing(library):
    probe, before = f"72.{os.getpid()}", ours()[1]

    async def cancelled():
        command = f"while :; do {HIDDEN}; sleep 0.05; done & sleep {probe}"
        task = asyncio.create_task(library.executor.run(library.execution(command, **HELD)))
        assert await asyncio.to_thread(eventually, lambda: sleeping(probe))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert not sleeping(probe)
    assert eventually(lambda: ours()[1] <= before)


def test_many_at_once(library, tmp_path):
    commands = [f"{HIDDEN}; echo {number}; sh -c 'git pu\"\"sh x{number}' 2>/dev/null" for number in range(20)]
    results = library.all(*commands, **HELD)
    assert [each.stdout.text for each in results] == [f"{number}\n" for number in range(20)]
    for number, each in enumerate(results):
        assert [refused.argv for refused in each.refused] == [("rm", "kept"), ("git", "push", f"x{number}")]
    assert (tmp_path / "kept").exists()


def test_programs_that_come_later_count(library, tmp_path):
    """The files that rules name are looked up again when a directory of PATH has changed."""
    (tmp_path / "bin").mkdir()
    environment = {"PATH": f"{tmp_path}/bin:{os.defpath}"}
    rule = {"enforced": ["deploy"]}
    assert library("true", environment=environment, **rule).exit_code == 0
    (tmp_path / "bin" / "deploy").write_text("#!/bin/sh\necho deployed\n")
    (tmp_path / "bin" / "deploy").chmod(0o755)
    result = library("cp bin/deploy other; ./other", environment=environment, **rule)
    assert (result.stdout.text, len(result.refused)) == ("", 1)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the number is that of x86_64")
@pytest.mark.parametrize(
    ("number", "first", "step"), [(317, 1, "seccomp user notification"), (157, 38, "no_new_privs")]
)
def test_a_step_that_fails_starts_nothing(tmp_path, number, first, step):
    program = Program(tmp_path / "state", tmp_path, before=(PYTHON, "-c", WITHOUT, str(number), str(first), "38"))
    try:
        result = program("touch made", **HELD)
        assert result.failure.kind == "setup"
        assert result.failure.message.startswith(f"Exec rules cannot be set up: {step}: ")
        assert not (tmp_path / "made").exists()
        assert program("touch made").exit_code == 0, "asimi itself goes on"
    finally:
        program.end()


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_sandbox_and_exec_rules_hold_the_same_command(user, backend):
    yard = yard_of(user, backend)
    try:
        result = yard(f"touch kept; {HIDDEN}; echo x >../outside/kept; ls kept; bash -c ls", enforced=["rm", "bash"])
        assert result.stdout.text == "kept\n"
        assert [each.argv for each in result.refused] == [("rm", "kept"), ("bash", "-c", "ls")]
        assert result.stderr.text.count("is denied by rules.toml:1\n") == 2
        assert yard.untouched()
        probe = f"73.{os.getpid()}"
        result = yard(f"(sleep 0.4; {HIDDEN}; exec sleep {probe}) >/dev/null 2>&1 &", **HELD)
        assert result.background
        assert eventually(lambda: "is denied by rules.toml:1\n" in pathlib.Path(result.log).read_text())
        for each in sleeping(probe):
            os.kill(each, signal.SIGKILL)
        assert (yard.root / "kept").exists()
    finally:
        yard.end()


def test_a_long_argument_list_is_told_in_part(library):
    result = library("sh -c 'r\"\"m $(seq 9000)'", **HELD)
    (refused,) = result.refused
    assert refused.argv[:3] == ("rm", "1", "2")
    assert refused.argv[-1].endswith("…")
    assert len(" ".join(refused.argv)) <= 4097
    assert len(result.stderr.text) < 400


COPY = """
import asyncio, os, sys, time
from helpers.executors import Library
library = Library(sys.argv[1] + "/state", sys.argv[1])
async def main():
    command = "touch begun; while [ ! -e go ]; do :; done; /bin/touch made; echo $? >done"
    task = asyncio.create_task(library.executor.run(library.execution(command, enforced=["rm"])))
    while not os.path.exists("begun"):
        await asyncio.sleep(0.02)
    if not os.fork():
        time.sleep(30)
        os._exit(0)
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""


def test_a_copy_of_the_program_holds_nothing_open(tmp_path):
    """A host may fork (multiprocessing): if it is killed, the kernel must hear of that."""
    environment = os.environ | MODULES
    words = [PYTHON, "-c", COPY, str(tmp_path)]
    process = subprocess.Popen(words, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        assert process.wait(30) == -signal.SIGKILL
        (tmp_path / "go").touch()
        assert eventually((tmp_path / "done").exists)
        assert eventually(lambda: (tmp_path / "done").read_text() == "126\n")
        assert not (tmp_path / "made").exists()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
