"""A record says what happened: every way to a verdict and to an end, with what log, report and suggest say of it.

Each row does something in a home of its own. What it comes to is told four times: by the lines of the log, by
`asimi log`, by `asimi log report` and by `asimi policy suggest`; the four agree.
"""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import suppress
from typing import NamedTuple

import pytest
from helpers import PYTHON
from helpers.executors import eventually
from helpers.hooks import HookedHome, envelope
from helpers.samples import crossed

if os.name != "posix":
    pytest.skip("Windows has no terminal to ask on", allow_module_level=True)

CONFIG = """\
coreTools = ["run_shell_command(git status)", "run_shell_command(sleep)"]
excludeTools = ["run_shell_command(rm)"]
[session]
breaker = 0
"""
CHECKS = '[[rules]]\ndecision = "allow"\nchecks = true\nsandbox = "project"\n'
BOXED = '[[rules]]\ndecision = "allow"\ncommand = "touch"\nsandbox = "project"\n'

AGENTS = ["claude-code", "codex", "copilot-cli", "cursor", "gemini-cli", "opencode", "qwen-code"]
PROMPTS = ["claude-code", "copilot-cli"]
"""Agents that put a question to a person themselves, as their envelope here says."""

ASKED = {"permission_mode": "default", "tool_use_id": "toolu_1"}


class Home(HookedHome):
    """A home in which things are allowed, denied and asked."""

    def __init__(self, directory):
        super().__init__(directory)
        self.config.write_text(CONFIG)

    def adds(self, text):
        self.config.write_text(CONFIG + text)

    def hooked(self, agent, command, **changes):
        """Ask about a command as an agent does."""
        known = ASKED if agent == "claude-code" else {}
        return self.hook(agent, envelope(agent, command, self.root, **known | changes))

    def tells(self, event, command, **more):
        """Tell how a command ended, as Claude Code does."""
        self.hooked("claude-code", command, hook_event_name=event, tool_response={"stdout": ""}, **more)

    def question(self):
        """The id of the question that waits or was refused."""
        return eventually(lambda: re.match(r"[a-z2-7]{8}", self.asimi("approve", "--list").stdout))[0]

    def approves(self, *keys):
        """A person answers the question with `asimi approve`."""
        with self.at_terminal("approve", self.question()) as person:
            person.asked()
            self.presses(person, keys)
            assert person.ended() == 0

    def says(self, *keys, command="mkdir a"):
        """A person at the terminal of `asimi run` answers."""
        with self.at_terminal("run", command) as person:
            person.asked()
            self.presses(person, keys)
            person.ended()

    def presses(self, person, keys):
        for key in keys:
            if key == "2":
                person.sees("[2]")
            person.presses(key)


class Told(NamedTuple):
    """What is said of what happened.

    Attributes:
        lines: of each line of the log: event, verdict, who answered, for how long; of an end or a change what it says.
        log: the outcomes that `asimi log` has.
        report: how many calls had each outcome, and how what ran ended, as `asimi log report` counts.
        changes: the changes of what is allowed that the report shows.
        suggest: how many calls had a person's yes, and how many questions were left to agents.
    """

    lines: list[str]
    log: list[str]
    report: str
    changes: list[str]
    suggest: tuple[int, int]


def told(home):
    """What all four say."""
    rows = [line[21:].split("  ")[0].strip() for line in home.asimi("log").stdout.splitlines()]
    report = json.loads(home.asimi("log", "report", "--json").stdout)
    counted = {name: report["whole"][name] for name in ("free", "yes", "no", "passed", "refused")} | report["ended"]
    totals = json.loads(home.asimi("policy", "suggest", "--json").stdout.splitlines()[-1])
    assert home.asimi("log", "verify").returncode == 0
    return Told(
        [_line(each) for each in home.log()],
        rows,
        ", ".join(f"{number} {name}" for name, number in counted.items() if number),
        [each["what"] for each in report["latest"]],
        (totals["yes"], totals["to_agents"]),
    )


def _line(fields):
    if fields["event"] == "change":
        return f"change: {fields['what']} by {fields['by']}"
    if fields["event"] == "end":
        known = ("outcome", "interrupted", "timed_out", "signal", "failure", "exit")
        name = next((name for name in known if fields.get(name) is not None), "unknown")
        return f"end: {fields[name]}" if name == "outcome" else f"end: {name}"
    answer = fields.get("approval") or {}
    said = [
        fields["event"],
        fields.get("verdict"),
        answer.get("by"),
        answer.get("scope") if answer.get("yes") else None,
    ]
    return " ".join(each for each in [*said, fields.get("sandbox")] if each)


# ---- ways ------------------------------------------------------------------------------------------------------------


def allowed(home):
    home.asimi("run", "git status")
    return Told(["start allow policy once", "end: exit"], ["exit 128"], "1 free, 1 failed", [], (0, 0))


def denied(home):
    home.asimi("run", "rm x")
    return Told(["refusal deny"], ["refused"], "1 refused", [], (0, 0))


def nobody_there(home):
    home.asimi("run", "mkdir a")
    return Told(["refusal ask nobody"], ["refused"], "1 no", [], (0, 0))


def only_checked(home):
    for command in ("git status", "rm x", "mkdir a"):
        home.asimi("check", command)
    return Told([], [], "", [], (0, 0))


def malformed(home):
    home.answers({"id": 1, "name": "run_shell_command", "arguments": {}})
    return Told(["refusal"], ["refused"], "1 refused", [], (0, 0))


def yes_beforehand(home):
    home.asimi("--yes", "run", "mkdir a")
    return Told(["start ask flag once", "end: exit"], ["exit 0"], "1 yes, 1 succeeded", [], (0, 0))


def once(home):
    home.says("y")
    return Told(["start ask terminal once", "end: exit"], ["exit 0"], "1 yes, 1 succeeded", [], (1, 0))


def no(home):
    home.says("n")
    return Told(["refusal ask terminal"], ["refused"], "1 no", [], (0, 0))


def stopped_at_the_question(home):
    home.says("\x03")
    return Told(["refusal ask terminal"], ["refused"], "1 no", [], (0, 0))


IMPATIENT = """
from asimi.world.approvers.terminal import approver
approver.ENDED = 0.5
from asimi.__main__ import main
main()
"""
"""asimi, whose dialog goes sooner once its time is up."""


def too_late(home):
    home.adds("ask_timeout = 1\n")
    with home.at_terminal(program=[PYTHON, "-c", IMPATIENT, "run", "mkdir a"]) as person:
        assert person.ended() == 126
    return Told(["refusal ask clock"], ["refused"], "1 no", [], (0, 0))


def always(home):
    home.says("a", "2")
    home.asimi("run", "mkdir b")
    lines = ["change: always by terminal", "start ask terminal project", "end: exit"]
    lines += ["start allow policy once", "end: exit"]
    ran = "1 free, 1 yes, 2 succeeded"
    return Told(lines, ["always", "exit 0", "exit 0"], ran, ["always"], (1, 0))


def never(home):
    home.says("d", "2")
    home.asimi("run", "mkdir b")
    lines = ["change: never by terminal", "refusal ask terminal", "refusal deny"]
    return Told(lines, ["never", "refused", "refused"], "1 no, 1 refused", ["never"], (0, 0))


def for_the_session(home):
    home.environ["ASIMI_SESSION"] = "mine"
    home.says("s", "2")
    home.asimi("run", "mkdir b")
    lines = ["start ask terminal session", "end: exit", "start allow policy once", "end: exit"]
    return Told(lines, ["exit 0", "exit 0"], "1 free, 1 yes, 2 succeeded", [], (1, 0))


def another_one_in_its_place(home):
    home.says("e", "\x15", "git status", "\r")
    return Told(["start allow policy once", "end: exit"], ["exit 128"], "1 free, 1 failed", [], (0, 0))


def approved_late(home):
    home.environ["ASIMI_SESSION"] = "mine"
    home.asimi("run", "mkdir a")
    home.approves("y")
    home.asimi("run", "mkdir a")
    lines = ["refusal ask nobody", "change: late yes by queue", "start allow queue once", "end: exit"]
    log = ["refused", "late yes", "exit 0"]
    return Told(lines, log, "1 yes, 1 no, 1 succeeded", ["late yes"], (1, 0))


def always_late(home):
    home.environ["ASIMI_SESSION"] = "mine"
    home.asimi("run", "mkdir a")
    home.approves("a", "2")
    home.asimi("run", "mkdir b")
    lines = ["refusal ask nobody", "change: always by queue", "start allow policy once", "end: exit"]
    log = ["refused", "always", "exit 0"]
    return Told(lines, log, "1 free, 1 no, 1 succeeded", ["always"], (0, 0))


def never_late(home):
    home.environ["ASIMI_SESSION"] = "mine"
    home.asimi("run", "mkdir a")
    home.approves("d", "2")
    lines = ["refusal ask nobody", "change: never by queue"]
    return Told(lines, ["refused", "never"], "1 no", ["never"], (0, 0))


def approved_while_it_waits(home):
    home.adds("wait = true\n")
    asimi = home.start("run", "mkdir a")
    home.approves("y")
    asimi.communicate()
    return Told(["start ask queue once", "end: exit"], ["exit 0"], "1 yes, 1 succeeded", [], (1, 0))


def no_while_it_waits(home):
    home.adds("wait = true\n")
    asimi = home.start("run", "mkdir a")
    home.approves("n")
    asimi.communicate()
    return Told(["refusal ask queue"], ["refused"], "1 no", [], (0, 0))


def watched(home):
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        asimi = home.start("run", "mkdir a")
        person.asked()
        person.presses("y")
        asimi.communicate()
    return Told(["start ask watch once", "end: exit"], ["exit 0"], "1 yes, 1 succeeded", [], (1, 0))


def always_watched(home):
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        asimi = home.start("run", "mkdir a")
        person.asked()
        home.presses(person, ("a", "2"))
        asimi.communicate()
    lines = ["change: always by watch", "start ask watch project", "end: exit"]
    return Told(lines, ["always", "exit 0"], "1 yes, 1 succeeded", ["always"], (1, 0))


def interrupted(home):
    asimi = home.start("run", "sleep 600")
    eventually(lambda: "running" in home.asimi("log").stdout)
    os.kill(asimi.pid, signal.SIGINT)
    asimi.communicate()
    return Told(["start allow policy once", "end: signal"], ["signal 15"], "1 free, 1 killed", [], (0, 0))


def out_of_time(home):
    home.adds("[limits]\ntimeout = 0.2\n")
    home.asimi("run", "sleep 600")
    return Told(["start allow policy once", "end: timed_out"], ["timed out"], "1 free, 1 timed out", [], (0, 0))


def not_started(home):
    call = {"command": "sleep", "args": ["1"]}
    home.adds('[environment]\nset = { PATH = "/nowhere" }\n')
    home.config.write_text(home.config.read_text().replace("coreTools = [", 'coreTools = ["execute_command(sleep)", '))
    home.answers({"id": 1, "name": "execute_command", "arguments": call})
    return Told(["start allow policy once", "end: failure"], ["not started"], "1 free, 1 not started", [], (0, 0))


def asimi_killed(home):
    asimi = home.start("run", "sleep 600")
    eventually(lambda: "running" in home.asimi("log").stdout)
    asimi.kill()
    asimi.communicate()
    eventually(lambda: "runs on" in home.asimi("log").stdout)
    with suppress(ProcessLookupError):
        os.killpg(json.loads(home.asimi("jobs", "list", "--json").stdout)["pid"], signal.SIGKILL)
    eventually(lambda: "cut short" in home.asimi("log").stdout)
    return Told(["start allow policy once"], ["cut short"], "1 free, 1 not known", [], (0, 0))


def sandboxed(home):
    from helpers.sandboxes import skip

    from asimi.core.call import Sandbox
    from asimi.world.executors.confining.ability import unkept

    if why := unkept(Sandbox("project")):
        skip(why)
    home.adds(BOXED)
    home.asimi("run", "touch a")
    lines = ["start allow policy once project", "end: exit"]
    return Told(lines, ["exit 0"], "1 free, 1 succeeded", [], (0, 0))


WAYS = [
    allowed, denied, nobody_there, only_checked, malformed, yes_beforehand, once, no, stopped_at_the_question, too_late,
    always, never, for_the_session, another_one_in_its_place, approved_late, always_late, never_late,
    approved_while_it_waits, no_while_it_waits, watched, always_watched, interrupted, out_of_time, not_started,
    asimi_killed, sandboxed,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", " "))
def test_a_record_says_what_happened(tmp_path, way):
    home = Home(tmp_path)
    expected = way(home)
    assert told(home) == expected


# ---- behind the agents -----------------------------------------------------------------------------------------------


def hook_allows(home, agent):
    home.hooked(agent, "git status")
    return Told(["start allow policy once"], ["allowed"], "1 free, 1 not known", [], (0, 0))


def hook_allows_a_check(home, agent):
    """A rule with a sandbox, which the agent does not keep: what it allows has no end of asimi's."""
    (home.root / "Makefile").write_text("test:\n\ttrue\n")
    home.adds(CHECKS)
    with home.at_terminal("trust") as person:
        person.sees("[y/n] ")
        person.enters("y")
        assert person.ended() == 0
    home.hooked(agent, "make test")
    lines = ["change: checks by terminal", "start allow policy once"]
    return Told(lines, ["checks", "allowed"], "1 free, 1 not known", ["checks"], (0, 0))


def hook_denies(home, agent):
    home.hooked(agent, "rm x")
    return Told(["refusal deny"], ["refused"], "1 refused", [], (0, 0))


def hook_asks(home, agent):
    home.hooked(agent, "mkdir a")
    if agent in PROMPTS:
        return Told(["passed ask"], ["passed"], "1 passed", [], (0, 1))
    return Told(["refusal ask nobody"], ["refused"], "1 no", [], (0, 0))


def hook_asks_and_a_person_approves(home, agent):
    known = {"permission_mode": "bypassPermissions"} if agent == "claude-code" else {}  # else its own prompt asks
    home.hooked(agent, "mkdir a", **known)
    home.approves("y")
    home.hooked(agent, "mkdir a", **known)
    lines = ["passed ask" if agent == "copilot-cli" else "refusal ask nobody", "change: late yes by queue"]
    log = ["passed" if agent == "copilot-cli" else "refused", "late yes", "allowed"]
    asked = "1 passed" if agent == "copilot-cli" else "1 no"
    return Told(
        [*lines, "start allow queue once"],
        log,
        f"1 yes, {asked}, 1 not known",
        ["late yes"],
        (1, int(agent == "copilot-cli")),
    )


HOOKED = {
    each.__name__.replace("_", " "): each
    for each in (hook_allows, hook_allows_a_check, hook_denies, hook_asks, hook_asks_and_a_person_approves)
}


@pytest.mark.parametrize(("way", "agent"), crossed(HOOKED, AGENTS, 3))
def test_behind_an_agent_as_well(tmp_path, way, agent):
    home = Home(tmp_path)
    expected = HOOKED[way](home, agent)
    assert told(home) == expected


@pytest.mark.parametrize(
    ("event", "outcome", "ended"),
    [
        ("PostToolUse", "ran", "succeeded"),
        ("PostToolUseFailure", "failed", "failed"),
        ("PermissionDenied", "not run", "not started"),
    ],
)
def test_the_end_of_a_check_is_what_the_agent_tells(tmp_path, event, outcome, ended):
    home = Home(tmp_path)
    before = hook_allows_a_check(home, "claude-code")
    home.tells(event, "make test")
    lines, log = [*before.lines, f"end: {outcome}"], ["checks", outcome]
    assert told(home) == before._replace(lines=lines, log=log, report=f"1 free, 1 {ended}")


def test_a_late_yes_that_cannot_be_logged_does_not_hold(tmp_path):
    home = Home(tmp_path)
    home.environ["ASIMI_SESSION"] = "mine"
    home.asimi("run", "mkdir a")
    log = home.state / "log.jsonl"
    log.chmod(0o644)  # asimi writes into no file that others may read
    with home.at_terminal("approve", home.question()) as person:
        person.asked()
        person.presses("y")
        assert person.ended() == 1
    log.chmod(0o600)
    home.asimi("run", "mkdir a")
    assert not (home.root / "a").exists()
