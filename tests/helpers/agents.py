"""A stage for an agent: a home, a project, a policy, an asimi that can be broken, and what an agent must not do there.

A case is a script of turns: it yields the calls of a turn and is sent what the agent said of each. One run of an agent
plays all of them, because some agents take a minute to start.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import settings_file
from helpers import MODULES, PYTHON, ROOT
from helpers.models import Wanted
from helpers.terminal import Person

POLICY = """\
coreTools = ["run_shell_command(touch)", "run_shell_command(echo)"]
excludeTools = ["run_shell_command(rm)"]
[[rules]]
decision = "deny"
command = "touch"
directory = "{vault}"
[session]
breaker = 0
"""


class Stage:
    """A home, a project and a policy, with the hook of one agent installed by a copy of asimi.

    Attributes:
        settings: the file that the hook is installed in.
        python: the link that the hook's interpreter is started by.
        canary: the name of the file that says that the command of this case was run.
    """

    def __init__(self, path, agent):
        self.home, self.project, self.agent = path / "home", path / "project", agent
        self.vault = self.project / "vault"
        for each in (self.home, self.project, self.vault, self.project / "sub"):
            each.mkdir()
        self.environ = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "SHELL": "/bin/bash",
            "NO_COLOR": "1",
            "LANG": "C.UTF-8",
            "CI": "true",  # no hook leaves a resident gate behind
        }
        self.settings = settings_file(agent_of(agent), self.environ)
        self.config = self.home / ".config" / "asimi" / "config.toml"
        self.log = self.home / ".local" / "state" / "asimi" / "log.jsonl"
        self.config.parent.mkdir(parents=True)
        self.python, self.asimi = path / "python", path / "copy" / "asimi"
        self.canary = "ran"
        self.mend()

    def mend(self):
        """Make everything whole again that a case can break."""
        self.config.write_text(POLICY.format(vault=self.vault))
        self.python.unlink(missing_ok=True)
        self.python.symlink_to(os.path.realpath(sys.executable))
        if not self.asimi.exists():
            shutil.copytree(ROOT / "asimi", self.asimi, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "asimi" / "hooks" / "door.py", self.door)
        if self.log.is_dir():
            self.log.rmdir()
            with contextlib.suppress(FileNotFoundError):
                self.log.with_suffix(".kept").rename(self.log)

    @property
    def door(self):
        """What the hook starts."""
        return self.asimi / "hooks" / "door.py"

    def run(self, *words):
        """Run asimi in the project, to its end."""
        return subprocess.run(
            [PYTHON, "-m", "asimi", *words],
            env=self.environ | {"PYTHONPATH": str(self.asimi.parent)},
            cwd=self.project,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    def install(self):
        """Install the hook; its interpreter is a link of our own, which a case can break."""
        done = self.run("hook", "install", self.agent)
        assert not done.returncode, done.stdout + done.stderr
        if os.path.exists(self.settings):  # where it is not, every case fails by itself
            with open(self.settings, encoding="utf-8") as file:
                text = file.read()
            with open(self.settings, "w", encoding="utf-8") as file:
                file.write(text.replace(f" {PYTHON} -I", f" {self.python} -I"))

    def settled(self, paths):
        """Take notice of the files of the agent's own settings, which were just written."""

    def person(self, *words):
        """A person at a terminal with asimi."""
        environ = self.environ | MODULES | {"TERM": "xterm-256color"}
        return Person([PYTHON, "-m", "asimi", *words], environ, cwd=self.project)

    def ran(self, suffix="", below="."):
        """Whether the command made its canary."""
        return (self.project / below / f"{self.canary}{suffix}").exists()

    def record(self, command):
        """What the log says of a command that was let pass."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.is_file() else []
        found = [line for line in lines if line["event"] == "start" and line["command"] == command]
        assert found, f"the log has no start of {command!r}: {lines[-2:]}"
        return found[-1]


def _removed(stage):
    stage.python.unlink()


def _becomes(script):
    def broken(stage):
        stage.python.unlink()
        stage.python.write_text(f"#!/bin/sh\n{script}\n")
        stage.python.chmod(0o755)

    return broken


def _no_log(stage):
    stage.log.parent.mkdir(parents=True, exist_ok=True)
    if stage.log.exists():
        stage.log.rename(stage.log.with_suffix(".kept"))
    stage.log.mkdir()


FAILURES = {
    "the interpreter is removed": _removed,
    "the interpreter ends with 0 in silence": _becomes("exit 0"),
    "the interpreter ends with 0 and an allow": _becomes('echo \'{"decision": "allow"}\''),
    "the interpreter ends with 1": _becomes("exit 1"),
    "the interpreter ends with 2 in silence": _becomes("exit 2"),
    "the interpreter ends with 2 and a text": _becomes("echo asimi is broken >&2; exit 2"),
    "the interpreter ends with 3 in silence": _becomes("exit 3"),
    "the interpreter is killed": _becomes("kill -9 $$"),
    "the guard is killed": _becomes("kill -9 $PPID"),
    "the door is empty": lambda stage: stage.door.write_text(""),
    "the door is torn": lambda stage: stage.door.write_text(stage.door.read_text().partition("    code =")[0]),
    "asimi is removed": lambda stage: shutil.rmtree(stage.asimi),
    "the policy is broken": lambda stage: stage.config.write_text("coreTools = 5\n"),
    "the policy is unreadable": lambda stage: stage.config.write_bytes(b"\xff"),
    "the log cannot be written": _no_log,
}
"""What can go wrong with a hook; after each, the command must not run, and the model hears that asimi blocks it."""

UNHEARD = {"copilot-cli": "Denied by preToolUse hook"}
"""What an agent says where it drops the words of a hook that could not answer."""


def fails(broken):
    def case(stage):
        broken(stage)
        (heard,) = yield [Wanted(f"touch {stage.canary} && echo ran")]
        assert_blocked(stage, heard)

    return case


def assert_blocked(stage, heard):
    """Nothing was run, and the model hears why, or at least that a hook blocks it."""
    assert not stage.ran(), heard
    assert "asimi" in heard or UNHEARD.get(stage.agent, "asimi") in heard, heard


def allowed(stage):
    (heard,) = yield [Wanted(command := f"touch {stage.canary} && echo ran")]
    assert stage.ran(), heard
    assert stage.record(command)["agent"] == stage.agent


def allowed_on_many_lines(stage):
    (heard,) = yield [Wanted(command := f"touch {stage.canary}\necho 'a\nb' <<'E'\nrm x\nE\necho $?")]
    assert stage.ran(), heard
    stage.record(command)


def denied(stage):
    (heard,) = yield [Wanted(f"touch {stage.canary}; rm x")]
    assert not stage.ran(), heard
    assert "run_shell_command(rm) forbids" in heard, heard
    assert f"{stage.config}:2" in heard, heard


def denied_on_the_last_of_many_lines(stage):
    (heard,) = yield [Wanted(f"touch {stage.canary}\n\nrm x\n")]
    assert not stage.ran(), heard
    assert "run_shell_command(rm) forbids" in heard, heard


def asked_and_approved(question):
    """A command that is asked about because of what it ends with."""

    def case(stage):
        wanted = [Wanted(f"touch {stage.canary}; {question}")]
        (heard,) = yield wanted
        assert not stage.ran(), heard
        named = re.search(r"asimi approve ([a-z2-7]{8})", heard)
        assert named, heard
        with stage.person("approve", named[1]) as person:
            person.asked()
            person.presses("y")
            assert person.ended() == 0
        (heard,) = yield wanted
        assert stage.ran(), heard

    return case


def asked_and_watched(question, key):
    def case(stage):
        def answers():
            person.asked()
            person.presses(key)

        with stage.person("watch") as person, ThreadPoolExecutor(1) as pool:
            person.sees("Waiting for questions")
            answered = pool.submit(answers)
            (heard,) = yield [Wanted(f"touch {stage.canary}; {question}")]
            answered.result()
        assert stage.ran() is (key == "y"), heard

    return case


def parallel(question):
    """Four calls in one turn: two that are allowed, one that is denied, one that is asked about."""

    def case(stage):
        verdicts = {"a": "", "b": "; rm x", "c": " && echo c", "d": f"; {question}"}
        heard = yield [Wanted(f"touch {stage.canary}{name}{rest}") for name, rest in verdicts.items()]
        assert [name for name in verdicts if stage.ran(name)] == ["a", "c"], heard
        stage.record(f"touch {stage.canary}a")

    return case


def _through_another_tool(stage):
    for number, tool in enumerate(OTHERS[stage.agent]):
        (heard,) = yield [Wanted(f"touch {stage.canary}{number}; rm x", tool=tool)]
        assert not stage.ran(number), heard
        assert "run_shell_command(rm) forbids" in heard, heard


def _in_a_directory_of_the_models_own(stage):
    (heard,) = yield [Wanted(command := f"touch {stage.canary}", directory=str(stage.project / "sub"))]
    assert stage.ran(below="sub"), heard
    assert stage.record(command)["directory"] == str(stage.project / "sub")


def _denied_in_a_directory_of_the_models_own(stage):
    (heard,) = yield [Wanted(f"touch {stage.canary}", directory=str(stage.vault))]
    assert not stage.ran(below="vault"), heard
    assert "asimi" in heard, heard


def _asked_outside_of_the_project(stage):
    (heard,) = yield [Wanted(f"touch {stage.canary}", directory=str(stage.home))]
    assert not (stage.home / stage.canary).exists(), heard
    assert "outside the project root" in heard, heard


def _in_a_shell_of_the_models_own(stage):
    """In bash this is one `echo`; elsewhere `tee` writes."""
    text = f"echo $'\\'; ls | tee {stage.canary} #'"
    (heard,) = yield [Wanted(text, shell="/bin/bash")]
    assert not stage.ran(), heard
    stage.record(text)
    (heard,) = yield [Wanted(text, shell="/bin/sh")]
    assert not stage.ran(), heard
    assert "asimi" in heard, heard


CASES = {
    "allowed": allowed,
    "allowed, on many lines": allowed_on_many_lines,
    "denied": denied,
    "denied on the last of many lines": denied_on_the_last_of_many_lines,
    "asked and approved": asked_and_approved("ls"),
    "asked, and yes from who watches": asked_and_watched("ls", "y"),
    "asked, and no from who watches": asked_and_watched("ls", "n"),
    "four at once": parallel("ls"),
    "denied through another tool": _through_another_tool,
    "in a directory of the model's own": _in_a_directory_of_the_models_own,
    "denied in a directory of the model's own": _denied_in_a_directory_of_the_models_own,
    "asked outside of the project": _asked_outside_of_the_project,
    "in a shell of the model's own": _in_a_shell_of_the_models_own,
} | {name: fails(broken) for name, broken in FAILURES.items()}

OTHERS = {"claude-code": ("Monitor",), "qwen-code": ("monitor", "tool_call")}
"""Other tools of agents that run commands, or reach those that do."""

ASK_THEMSELVES = {"antigravity"}
"""Agents that put a question to their own person."""

NOT_FOR = {
    "asked and approved": lambda agent: agent in ASK_THEMSELVES,
    "asked, and yes from who watches": lambda agent: agent in ASK_THEMSELVES,
    "asked, and no from who watches": lambda agent: agent in ASK_THEMSELVES,
    "denied through another tool": lambda agent: agent not in OTHERS,
    "in a shell of the model's own": lambda agent: agent != "codex",
    "asked outside of the project": lambda agent: agent not in {"codex", "opencode", "cursor", "antigravity"},
    "in a directory of the model's own": lambda agent: agent == "copilot-cli",
    "denied in a directory of the model's own": lambda agent: agent == "copilot-cli",
}
"""The cases that an agent has no way to: some ask their person themselves, only Codex lets its model choose a
shell, Copilot CLI no directory, Gemini CLI and Qwen Code none outside of the project, and Claude Code tells its project
by the environment."""


def cases_of(agent):
    """The cases that an agent plays, by their names."""
    return {name: case for name, case in CASES.items() if name not in NOT_FOR or not NOT_FOR[name](agent)}


def session(stage, outcomes, cases):
    """All cases, one after another; each leaves what went wrong, or None, in `outcomes`."""
    for number, (name, case) in enumerate(cases.items()):
        stage.canary = f"ran{number}"
        try:
            yield from case(stage)
            outcomes[name] = None
        except Exception as error:  # noqa: BLE001 - it is the outcome of this case; the next ones are played
            outcomes[name] = error
        finally:
            stage.mend()
