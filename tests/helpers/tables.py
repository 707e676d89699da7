"""The texts of all tables in `tests/`, and what judges them: a door that stays open, or a new process for each."""

from __future__ import annotations

import gc
import os
import pickle
import re
import subprocess
import sys
from typing import ClassVar, NamedTuple
from unittest import mock

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core import pattern, programs
from asimi.core.budget import Budget
from asimi.core.call import Decision, Deed, ToolCall, Verdict
from asimi.core.judging import policy as judging
from asimi.core.judging.deeds import deeds_of
from asimi.core.judging.fingerprints import fingerprints_of
from asimi.core.judging.rules import rule_of
from asimi.tools.run_shell_command import RunShellCommandTool
from helpers import PATIENCE, PYTHON, ROOT, TESTS
from helpers.many_hooks import prepare
from helpers.sessions import SESSIONS, read

NEWLINE = "⏎"


class Row(NamedTuple):
    """A text, and the lists that it is judged by; without them it is judged by the configuration."""

    text: str
    allowed: tuple[str, ...] | None = None
    forbidden: tuple[str, ...] = ()


def listed():
    """The rows of the tables that name their own lists (tests/policy/test_verdicts.py)."""
    for table in ("verdicts.txt", "everyday.txt"):
        lists = {}
        for line in (TESTS / "data" / table).read_text(encoding="utf-8").splitlines():
            if line.startswith("@"):
                name, entries = line.split("\t")
                lists[name] = entries
            elif line and not line.startswith("#"):
                _, allowed, forbidden, command, _ = line.split("\t")
                text = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), command)
                yield Row(
                    text.replace(NEWLINE, "\n"),
                    _entries(lists.get(allowed, allowed)),
                    _entries(lists.get(forbidden, forbidden)),
                )


def _entries(text):
    tool = "run_shell_command"
    return tuple(tool if entry == "*" else f"{tool}({entry})" for entry in text.split(",") if entry)


def plain(root, home):
    """The rows of all other tables, in a project and a home, each text once."""
    tables = [TESTS / "policy" / "files.txt", TESTS / "policy" / "links.txt"]
    texts = [line.split("|", 1)[1].strip() for path in (*tables, *EFFECTS) for line in _lines(path)]
    texts += [text for path in SESSIONS for text, _ in read(path)[1]]
    for text in dict.fromkeys(texts):
        yield Row(text.replace("@HOME@", home).replace("PROJECT", root).replace(NEWLINE, "\n"))


EFFECTS = sorted((TESTS / "programs" / "effects").glob("*.txt"))


def _lines(path):
    return (line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#")


class Judged(NamedTuple):
    """What is said of a row, and what that cost."""

    decision: Decision
    deeds: tuple[Deed, ...]
    fingerprints: frozenset[str]
    costs: list[int]


class Counted(Budget):
    """A budget that tells what was spent of it."""

    made: ClassVar[list[Counted]] = []

    def __init__(self, left):
        super().__init__(left)
        self.all = left
        self.made.append(self)


class Judge:
    """Judges rows one after another, as a door does that stays open.

    Args:
        root: the project root.
    """

    def __init__(self, root):
        self.gate, self.tool = open_judge(Options(root=root)), RunShellCommandTool()
        self.gate.settings()
        self.policies = {}

    def __call__(self, row):
        """What is decided on a row, what a person is told that it does, what it is for, and what judging it cost."""
        policy, request = self.asked(row)
        Counted.made = []
        with mock.patch.object(judging, "Budget", Counted):
            decision = self.gate.judge(request) if row.allowed is None else policy.decide(request)
        costs = [each.all - each.left for each in Counted.made]
        return Judged(decision, deeds_of(policy, request), fingerprints_of(policy, request, decision), costs)

    def asked(self, row):
        """What is asked, and the policy that answers."""
        call = ToolCall("run_shell_command", {"command": row.text}, None, "test")
        request = self.tool.read(call, self.gate.workspace, self.gate.shell)
        return self.gate.settings().policy if row.allowed is None else self.policy(row), request

    def policy(self, row):
        """The policy of a row's lists, which is kept."""
        key = row.allowed, row.forbidden
        if key not in self.policies:
            rules = [rule_of(entry, Verdict.ALLOW) for entry in row.allowed]
            rules += [rule_of(entry, Verdict.DENY) for entry in row.forbidden]
            self.policies[key] = judging.Policy(rules, judging.Terms(exported=("PATH", "HOME", "LANG")))
        return self.policies[key]


def alone(rows, root):
    """What is decided on each of some rows by a process that never judged anything else."""
    begin = f"import sys; sys.path[:0] = {[str(ROOT), str(TESTS)]!r}; from helpers import tables; tables.play()"
    done = subprocess.run(
        [PYTHON, "-P", "-c", begin],  # not by PYTHONPATH, which is asked about
        input=pickle.dumps((root, [tuple(row) for row in rows])),
        stdout=subprocess.PIPE,
        timeout=PATIENCE * 6,
        check=True,
    )
    return dict(zip(rows, pickle.loads(done.stdout), strict=True))


def _forked(judge, row):
    """What a child of this process decides on a row."""
    there, here = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(here, "wb") as pipe:
            pipe.write(pickle.dumps(judge(row)))
        os._exit(0)
    os.close(here)
    with os.fdopen(there, "rb") as pipe:
        said = pipe.read()
    assert os.waitpid(child, 0)[1] == 0, row
    return pickle.loads(said)


def play():
    """Judge the rows that are on the standard input, each in a child that never judged another one.

    What each of them would load and compile is loaded and compiled beforehand.
    """
    prepare()
    root, rows = pickle.load(sys.stdin.buffer)
    judge = Judge(root)
    for each in [each for each in gc.get_objects() if isinstance(each, pattern.pattern)]:
        each.match  # noqa: B018 - compiles it
    for family in programs.NAMES:
        programs.rows_of(family)
    gc.freeze()
    sys.stdout.buffer.write(pickle.dumps([_forked(judge, Row(*row)) for row in rows]))
