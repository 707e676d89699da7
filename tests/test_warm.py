"""A copy of a process that has imported asimi is what a start of its own would be: `helpers.warm`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from helpers import warm
from helpers.home import OTHER_PYTHONS, Home
from helpers.hooks import HookedHome, envelope
from helpers.warm import ASIMI

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="every start is a real one")

ALL = 'coreTools = ["run_shell_command"]\n' + OTHER_PYTHONS
TELLS = """\
import json, os, sys
pid = os.getppid()
def read(name):
    with open(f"/proc/{pid}/{name}", "rb") as file:
        return file.read().decode()
status = dict(line.split(":\\t", 1) for line in read("status").splitlines())
told = {name: status[name] for name in "Name Umask Uid Gid NoNewPrivs SigBlk SigIgn CapEff Groups Cpus_allowed".split()}
told |= {"cmdline": read("cmdline"), "environ": sorted(read("environ").split("\\0"))}
told["limits"] = [line for line in read("limits").splitlines() if "file locks" not in line]  # a mark of the call
told |= {name: os.readlink(f"/proc/{pid}/{name}") for name in ("exe", "cwd", "root")}
told["stat"] = [int(word) for word in read("stat").rpartition(") ")[2].split()[1:5]]
told["descriptors"] = sorted(each for each in os.listdir(f"/proc/{pid}/fd") if int(each) < 3)
told["session"] = told["stat"].pop(2) == pid, told["stat"].pop(1) == pid
told["own"] = dict(os.environ)
print(json.dumps(told))
"""


def _run(home, monkeypatch, real, *words, **options):
    with monkeypatch.context() as context:
        context.setattr(warm, "SEEN", 0)
        if real:
            context.setenv("ASIMI_REAL_STARTS", "1")
        else:
            warm._started.update((words[0], ""))
        process = home.start(*words, **options)
        assert type(process) is (subprocess.Popen if real else warm._Copy)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err


def test_a_copy_is_what_a_start_is(tmp_path, monkeypatch):
    """The kernel, and what it starts, tell the same of both."""
    assert _run(Home(tmp_path / "first", ALL), monkeypatch, False, "--version")[0] == 0  # what is copied is there
    home = Home(tmp_path / "second", ALL)
    (home.root / "tells.py").write_text(TELLS)
    told, odd, processors, before = [], {"ODD": "a=b\n\x7f"}, os.sched_getaffinity(0), os.umask(0o027)
    try:
        os.sched_setaffinity(0, {min(processors)})
        for real in (True, False):
            code, out, err = _run(home, monkeypatch, real, "run", "--yes", "python3 tells.py", environ=odd)
            assert code == 0, err
            told.append(json.loads(out))
    finally:
        os.sched_setaffinity(0, processors)
        os.umask(before)
    assert told[0] == told[1]


@pytest.mark.parametrize("words", [("run",), ("nothing",), ("check", "--", "ls"), ("serve",), ("--help",)])
def test_a_copy_says_what_a_start_says(tmp_path, monkeypatch, words):
    home = Home(tmp_path, ALL)
    assert _run(home, monkeypatch, True, *words) == _run(home, monkeypatch, False, *words)


def test_a_copy_at_a_terminal_has_it_as_its_own(tmp_path, monkeypatch):
    home = Home(tmp_path, ALL)
    (home.root / "tells").write_text("ps -o tty= -p $PPID; [ $(ps -o tpgid= -p $PPID) = $PPID ] && echo foreground")
    seen = []
    for real in (True, False):
        with monkeypatch.context() as context:
            context.setattr(warm, "SEEN", 0)
            if real:
                context.setenv("ASIMI_REAL_STARTS", "1")
            warm._started.add("run")
            with home.at_terminal("run", "--yes", "sh tells") as person:
                assert isinstance(person.process, warm._Copy) is not real
                assert person.ended() == 0, person.display
                seen.append(person.display.replace(os.ttyname(person.slave).removeprefix("/dev/"), "TTY"))
    assert seen == ["TTY\nforeground"] * 2


@pytest.mark.parametrize("command", ["git status", "rm x", "make"])
def test_a_copy_of_a_door_says_what_a_door_says(tmp_path, monkeypatch, command):
    """And its agent is a process that stays as long, is noted, and has ended afterwards."""
    monkeypatch.setattr(warm, "SEEN", 0)
    warm._started.add("the door of codex")
    said, start, started = [], warm.start, []
    monkeypatch.setattr(warm, "start", lambda *args, **options: started.append(start(*args, **options)) or started[-1])
    for real in (True, False):
        home = HookedHome(tmp_path / str(real))
        with monkeypatch.context() as context:
            if real:
                context.setenv("ASIMI_REAL_STARTS", "1")
            answers = [home.hook("codex", each) for each in (envelope("codex", command, home.root), b"[]")]
        said.append(
            re.sub(r"approve [a-z2-7]{8}\b", "approve ID", str(answers).replace(str(home.root.parent), "PLACE"))
        )
        noted = [int(each.name.partition("-")[0]) for each in (home.home / "run" / "asimi" / "agents").iterdir()]
        assert noted == [started[-2].pid]
        assert [type(each) for each in started[-2:]] == [subprocess.Popen if real else warm._Copy] * 2
    assert said[0] == said[1]


def test_an_agent_ends_as_the_door_that_it_waits_for(tmp_path, monkeypatch):
    monkeypatch.setattr(warm, "SEEN", 0)
    warm._started.add("the door of codex")
    home = HookedHome(tmp_path)
    process = warm.start(
        [home.agent, "0.5", *warm.DOOR, "codex"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=home.environ,
        start_new_session=True,
    )
    assert type(process) is warm._Copy
    with process.stdout as out:
        out.read()  # until none has it any more, while the door waits for its envelope
    process.stdin.close()
    assert process.wait(timeout=60) == -15


def test_what_an_interpreter_reads_is_read_by_a_start_of_its_own(tmp_path):
    home = Home(tmp_path, ALL)
    warm._started.add("check")
    for options in ({"environ": {"PYTHONHASHSEED": "1"}}, {"program": (*ASIMI[:1], "-I", *ASIMI[1:])}):
        process = home.start("check", "--", "ls", **options)
        assert type(process) is subprocess.Popen
        process.communicate(timeout=60)
