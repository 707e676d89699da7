"""Exec rules: what a command starts may not execute what a rule denies, by whatever way."""

import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from helpers import MODULES, PYTHON, execs, which
from helpers.samples import sample
from helpers.sandboxes import AS_NOBODY, NOBODY, nobodys_python

from asimi.extras.exec_rules import notify

BUSYBOX = shutil.which("busybox")
CHROOT = which("chroot") or "chroot"
LOADER = next((str(each) for each in pathlib.Path("/lib64").glob("ld-linux*")), "")
SMALL = "ulimit -c 0; "


def missing():
    """Why the kernel here cannot ask about executions; empty where it can."""
    if sys.platform != "linux" or platform.machine() not in notify.MACHINES:
        return f"no exec rules on {sys.platform} {platform.machine()}"
    code = "from asimi.extras.exec_rules.notify import listen; listen()"
    done = subprocess.run([PYTHON, "-c", code], env=os.environ | MODULES, capture_output=True, text=True, check=False)
    return done.stderr.strip().rpartition("\n")[2]


WHY = missing()
pytestmark = pytest.mark.skipif(bool(WHY), reason=WHY or "-")


def pythons():
    """A Python for us, and one that an ordinary user may start."""
    yield pytest.param((PYTHON,), id="as we are")
    if not WHY and nobodys_python():
        yield pytest.param((*AS_NOBODY, nobodys_python()), id="nobody")


@pytest.fixture(params=pythons())
def user(request):
    """Who runs it: we, and where we are root an ordinary user, too."""
    return request.param


def start(command, directory, user=(PYTHON,), *, pipes=None, **more):
    """Hold a command to rules, in a program of its own."""
    argv = ["/bin/bash", "-c", command] if isinstance(command, str) else command
    given = json.dumps({"rules": ["rm", "git push"], "argv": argv} | more)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} if pipes is None else pipes
    words = [*user, execs.__file__, given]
    return subprocess.run(words, cwd=directory, env=os.environ | MODULES, text=True, timeout=40, check=False, **pipes)


def run(command, directory, user=(PYTHON,), **more):
    """What came of a command under rules."""
    done = start(command, directory, user, **more)
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def directory(tmp_path_factory, user):
    """Where the user may write, with a file to lose."""
    path, other = tmp_path_factory.mktemp("execs"), len(user) > 1
    for each in (path, path.parent, path.parent.parent, path.parent.parent.parent):
        if other and each.stat().st_uid == os.getuid() and each.name.startswith(("pytest", "popen", "execs")):
            each.chmod(0o755)
    (path / "victim").touch()
    os.mkfifo(path / "go")
    (path / "go").chmod(0o666)
    (path / "remove.sh").write_text("rm victim\n")
    (path / "as.sh").write_text("#!/bin/rm\n")
    (path / "env.sh").write_text("#!/usr/bin/env -S rm -f\n")
    (path / "Makefile").write_text("all:\n\trm victim\n")
    memory = "import os\nd = os.memfd_create('x')\nos.write(d, open('/bin/rm', 'rb').read())\n"
    (path / "memory.py").write_text(memory + "os.execve(d, ['tidy', 'victim'], os.environ)\n")
    hidden = "import ctypes, os\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"
    (path / "hidden.py").write_text(hidden + "os.execv('/bin/rm', ['rm', 'victim'])\n")
    for each in ("remove.sh", "as.sh", "env.sh"):
        (path / each).chmod(0o755)
    for each in (path, *path.iterdir()) if other else ():
        os.chown(each, NOBODY, NOBODY)
    return path


WAYS = {
    "plainly": "rm victim",
    "by its path": "/bin/rm victim",
    "by a path that goes round": "cd / && ../bin/rm $OLDPWD/victim",
    "by Python": "python3 -c 'import os; os.system(\"rm victim\")'",
    "by make": "make -s",
    "by xargs": "echo victim | xargs rm",
    "by find": "find . -name victim -exec rm {} +",
    "by perl": 'perl -e \'exec "rm", "victim"\'',
    "by a script without #!": "./remove.sh",
    "by #!": "./as.sh; [ -e as.sh ]",
    "by #! and env": "./env.sh victim",
    "without an environment": "env -i rm victim",
    "under another name": "exec -a tidy rm victim",
    "by a link": "ln -s /bin/rm tidy; ./tidy victim",
    "by a hard link": "ln /bin/rm tidy || exit; ./tidy victim",
    "by a copy": "cp /bin/rm tidy; ./tidy victim",
    "by a copy in memory": "python3 memory.py",
    "by a process that may not be looked at": "python3 hidden.py",
    "by the dynamic loader": f"{LOADER} /bin/rm victim",
    "by the dynamic loader and a copy": f"cp /bin/rm tidy; {LOADER} ./tidy victim",
    "by a copy of the dynamic loader": f"cp {LOADER} tidy; ./tidy /bin/rm victim",
    "by busybox": f"{BUSYBOX} rm victim",
    "by the shell of busybox": f"{BUSYBOX} sh -c 'echo; rm victim'",
    "by a copy of busybox": f"cp {BUSYBOX} busybox-x; ./busybox-x rm victim",
    "by busybox under its name": f"ln -s {BUSYBOX} tidy; exec -a rm ./tidy victim",
    "by busybox as a login shell": f"(exec -a -rm {BUSYBOX} victim)",
    "by a link to busybox": f"ln -s {BUSYBOX} rm; exec -a tidy ./rm victim",
    "in a session of its own": "setsid -w rm victim",
    "by a daemon": "(setsid bash -c 'sleep 0.3; rm victim' &); exec sleep 0.1",
    "in a user namespace": "unshare -Ur rm victim",
    "in many namespaces": "unshare -Urm --mount-proc -pf rm victim",
    "in another root": f"{CHROOT} / rm $PWD/victim",
}


@pytest.mark.parametrize("way", sample(WAYS, 3))
def test_what_is_denied_is_not_executed(way, directory, user):
    command = WAYS[way]
    if ("busybox" in way and not BUSYBOX) or ("loader" in way and not LOADER):
        pytest.skip("it is not here")
    result = run(SMALL + command, directory, user)
    assert (directory / "victim").exists()
    assert result["ended"], "the thread that answers ends with the last process"
    refused = result["refused"]
    ordinary = len(user) > 1 or os.geteuid() != 0
    kernel = ordinary and ("hard link" in way or "root" in way or "namespace" in way)  # the kernel may say no itself
    assert refused or kernel or "link to busybox" in way, result
    for each in refused:
        assert (each["rule"], each["source"]) == ("run_shell_command(rm)", "rules.toml:1")
        assert each["pid"] > 0
        assert each["parent"]


SCRIPTS = {
    "by its interpreter": "python3 bin/deploy",
    "by its interpreter, with options": "python3 -I -- bin/deploy one",
    "as a copy": "cp bin/deploy x; python3 x",
    "by its shell": "sh bin/ship",
    "by another shell": "bash -e bin/ship",
    "as a copy by a shell": "cp bin/ship x; env sh ./x",
    "by a copy of its interpreter": "cp /usr/bin/python3 p; ./p bin/deploy",
    "by a hard link to its interpreter": "ln $(realpath /usr/bin/python3) p || cp /usr/bin/python3 p; ./p bin/deploy",
    "by a copy of its shell": "cp /bin/sh s; ./s bin/ship",
    "by a copy of another shell": "cp /bin/bash s; ./s bin/ship",
    "by the name of its input": "python3 /dev/stdin < bin/deploy",
    "as the program of a subcommand": "$(git --exec-path)/git-push x",
    "under the name of a subcommand": "exec -a git-push git x",
}


@pytest.mark.parametrize("way", SCRIPTS)
def test_scripts_and_subcommands_are_known_by_other_ways_to_run_them(way, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "deploy").write_text("#!/usr/bin/env python3\nopen('done', 'w')\n")
    (tmp_path / "bin" / "ship").write_text("#!/bin/sh\ntouch done\n")
    for each in ("deploy", "ship"):
        (tmp_path / "bin" / each).chmod(0o755)
    rules = ["git push", f"{tmp_path}/bin/deploy", f"{tmp_path}/bin/ship"]
    result = run(SCRIPTS[way], tmp_path, rules=rules)
    assert len(result["refused"]) == 1, result
    assert not (tmp_path / "done").exists()
    others = "mkdir deploy; echo 'touch done' > other; bash -c 'sh other deploy; true || ship'; "
    others += "echo \"open('x', 'w')\" | python3 -; ls done x; git status -s bin"
    result = run(others, tmp_path, rules=rules)
    assert not result["refused"]
    assert result["output"].split()[:2] == ["done", "x"]


def test_the_refused_program_sees_permission_denied(tmp_path):
    result = run("rm x; echo $?; make --version >/dev/null; echo $?", tmp_path)
    assert "Permission denied" in result["output"]
    assert result["output"].split()[-2:] == ["126", "0"]
    assert [(each["argv"], each["parent"]) for each in result["refused"]] == [(["rm", "x"], "bash")]


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        ("git -C . push origin", True),
        ("git status", False),
        ("git log push", False),
        ("python3 -c \"import subprocess; subprocess.call(['git', '--no-pager', 'push'])\"", True),
        ("env git push", True),
        ("bash -c 'git push'", True),
        ("echo git push", False),
        ("echo rm", False),
        ("env echo rm x", False),
        (f"{BUSYBOX} echo rm x", False),
        (f"ln -s {BUSYBOX} ls; ./ls rm", False),
        (f"{LOADER} /bin/echo hello", False),
        ("rmdir x", False),
        ("cat /bin/rm >/dev/null", False),
    ],
)
def test_arguments_decide_as_they_do_in_a_text(command, refused, tmp_path):
    assert bool(run(SMALL + command, tmp_path)["refused"]) is refused


RACE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static char *path;
static void *flip(void *p) {
  for (;;) {
    memcpy(path, "/bin/true", 10); asm volatile("" ::: "memory"); for (volatile int i = 0; i < 200; i++);
    memcpy(path, "/bin/rm\0\0", 10); asm volatile("" ::: "memory"); for (volatile int i = 0; i < 200; i++);
  }
  return p;
}
int main(int c, char **v) {
  int gone = 0, status;
  path = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < atoi(v[1]); i++) {
    close(open("raced", O_CREAT | O_WRONLY, 0644));
    int pid = fork();
    if (!pid) {
      char *a[] = {"tidy", "raced", 0};
      pthread_t t;
      dup2(open("/dev/null", O_WRONLY), 2);
      memset(path, 0, 16);
      pthread_create(&t, 0, flip, 0);
      while (!*(volatile char *)path) usleep(10);
      for (int k = 0; k < 4; k++) execv(path, a);
      _exit(99);
    }
    waitpid(pid, &status, 0);
    if (access("raced", F_OK)) gone++;
  }
  printf("%d", gone);
  return 0;
}
"""


def compiled(text, directory, *more):
    """A C program."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    (directory / "it.c").write_text(text)
    subprocess.run(["gcc", "-O1", "-pthread", *more, "-o", "it", "it.c"], cwd=directory, check=True)
    (directory / "it").chmod(0o755)
    return str(directory / "it")


def test_a_caller_that_changes_its_mind_while_we_look(directory, user):
    program = compiled(RACE, directory)
    result = run([program, "150"], directory, user)
    assert result["output"] == "0"
    assert any(each["argv"][0] == "tidy" for each in result["refused"])


def test_it_would_win_against_one_look(tmp_path):
    program = compiled(RACE, tmp_path)
    for _ in range(4):  # it is a race
        if int(run([program, "150"], tmp_path, after=False)["output"]) > 0:
            return
    pytest.fail("so the test of two looks proves nothing")


def test_a_static_program_is_looked_at_after_its_start(directory, user):
    """Its caller may not be looked at, so only the second look is left."""
    hidden = "import ctypes, os, sys\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\nos.execv(sys.argv[1], ['it', 'victim'])\n"
    (directory / "hide.py").write_text(hidden)
    program = compiled("#include <unistd.h>\nint main(int c, char **v) { return unlink(v[1]); }", directory, "-static")
    result = run(["python3", "hide.py", program], directory, user, rules=[program])
    assert (directory / "victim").exists()
    assert result["refused"]


def test_what_may_be_executed_and_not_read(directory, user):
    shutil.copy("/bin/true", directory / "closed")
    (directory / "closed").chmod(0o111)
    ordinary = len(user) > 1 or os.geteuid() != 0
    result = run("./closed; echo $?", directory, user)
    assert result["output"].split()[-1] == ("126" if ordinary else "0")
    assert bool(result["refused"]) is ordinary


def test_a_call_of_an_older_architecture(tmp_path):
    """`int 0x80` in a 64-bit program."""
    text = (
        'static const char *v[] = {"/bin/rm", "victim", 0};\nint main() { int r; '
        'asm volatile("int $0x80" : "=a"(r) : "a"(11), "b"(v[0]), "c"(v), "d"(0) : "memory"); return 7; }'
    )
    if platform.machine() != "x86_64":
        pytest.skip("only x86-64 has one")
    program = compiled(text, tmp_path, "-static")
    (tmp_path / "victim").touch()
    result = run([program], tmp_path)
    assert (tmp_path / "victim").exists()
    assert [each["argv"] for each in result["refused"]] == [["/bin/rm"]]  # its pointers are of 8 bytes


def test_a_second_listener_is_refused(tmp_path):
    given = {"rules": ["rm"], "argv": ["true"]}
    result = run([PYTHON, execs.__file__, json.dumps(given)], tmp_path)
    assert "asimi, or a container, around this one holds exec rules already" in json.loads(result["output"])["error"]
    assert result["refused"] == []


QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def stuck():
    """Processes that wait for an answer that nobody will give."""
    found = []
    for each in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if "seccomp" in (each / "wchan").read_text():
                found.append(each.name)
        except OSError:
            continue
    return found


def waited(condition, seconds=15):
    """Whether it became true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("moment", ["confined", "waiting", "started", "running"])
def test_nothing_new_is_executed_once_asimi_is_killed(moment, directory, user):
    """SIGKILL before the start, in the first execution, right after it, and while it runs."""
    command = "echo began >log; sleep 0.7; /bin/cp log copied; echo rc=$? >>log; exec /bin/cp log copied"
    more = {"kill": moment, "output": 2} | ({"ends": 0.3} if moment == "running" else {})
    before = set(stuck())
    done = start(command, directory, user, pipes=QUIET, **more)
    assert done.returncode == -signal.SIGKILL
    if moment == "running":
        assert waited(lambda: "rc=" in (directory / "log").read_text())
        assert (directory / "log").read_text() == "began\nrc=126\n"
    time.sleep(1)
    assert not (directory / "copied").exists()
    assert waited(lambda: set(stuck()) <= before)


def test_rules_hold_after_asimi_has_ended(directory, user):
    """What goes on is answered by a process of its own, which ends when nothing is left to answer for."""
    command = "read <go; rm victim; echo rm=$? >log; /bin/true; echo true=$? >>log"
    log = directory / "refused"
    start(command, directory, user, pipes=QUIET, ends=0.3, log=str(log), output=2)
    (directory / "go").write_text("\n")
    assert waited(lambda: (directory / "log").exists() and "true" in (directory / "log").read_text())
    assert (directory / "log").read_text() == "rm=126\ntrue=0\n"
    assert (directory / "victim").exists()
    assert waited(lambda: not keepers(directory))
    line = rf"asimi: 'rm victim' \(started by bash, pid \d+\) is denied by {execs.SOURCE}\n"
    assert re.fullmatch(line, log.read_text())


def keepers(directory):
    """The processes that answer on and write here."""
    found = []
    for each in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (each / "fd/1").readlink() == directory / "refused":
                found.append(each.name)
        except OSError:
            continue
    return found


def test_a_handed_over_call_without_a_keeper_executes_nothing(directory, user):
    """The keeper is killed, too."""
    command = "read <go; /bin/true; echo $? >log"
    start(command, directory, user, pipes=QUIET, ends=0.1, log=str(directory / "refused"), output=2)
    for each in keepers(directory):
        os.kill(int(each), signal.SIGKILL)
    (directory / "go").write_text("\n")
    assert waited((directory / "log").exists)
    assert waited(lambda: (directory / "log").read_text() == "126\n")
