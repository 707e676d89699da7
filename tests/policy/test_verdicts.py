"""The truth table: these lists, this command, this verdict."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of

DATA = Path(__file__).parent.parent / "data"
HERE = Place("/project", "/project", inside=True)


def rows(table):
    lists = {}
    for number, line in enumerate((DATA / table).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("@"):
            name, allowed = line.split("\t")
            lists[name] = allowed
        elif line and not line.startswith("#"):
            verdict, *named, command, why = line.split("\t")
            allowed, forbidden = (entries(lists.get(each, each)) for each in named)
            text = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), command.replace("⏎", "\n"))
            yield pytest.param(verdict, allowed, forbidden, text, id=f"{number}: {why}")


def entries(text):
    return [
        "run_shell_command" if entry == "*" else f"run_shell_command({entry})" for entry in text.split(",") if entry
    ]


def policy(allowed, forbidden=()):
    rules = [rule_of(entry, Verdict.ALLOW) for entry in allowed] + [rule_of(entry, Verdict.DENY) for entry in forbidden]
    return Policy(rules, Terms(exported=("PATH", "HOME", "LANG")))


def request(command):
    return Request("run_shell_command", command, None, HERE)


@pytest.mark.parametrize(("verdict", "allowed", "forbidden", "command"), [*rows("verdicts.txt"), *rows("everyday.txt")])
def test_verdict(verdict, allowed, forbidden, command):
    decision = policy(allowed, forbidden).decide(request(command))
    assert decision.verdict.word == verdict, [reason.message for reason in decision.reasons]
