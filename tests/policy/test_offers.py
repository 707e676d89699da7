"""What a yes could be kept as by what commands do, and that it then holds for just that."""

from __future__ import annotations

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy

ALLOW, ASK = Verdict.ALLOW, Verdict.ASK
POLICY = Policy(())
READS = "run_shell_command that at most reads"

BY_EFFECT = [
    # a text, and the entries that are offered by effect
    ("ls", [READS]),
    ("cat x | sort | uniq -c", [READS]),
    ("find . -name '*.c' | xargs grep x", [READS]),
    ("/usr/bin/ls", [READS]),
    ("./ls", []),
    ("sort $x", []),
    ("git log --oneline", [READS]),
    ("git add x", ["run_shell_command(git) that at most reads or writes files"]),
    ("git add x && cp a b", []),
    ("cp a b", []),
    ("rm x", []),
    ("git push", ["run_shell_command(git push) without force"]),
    ("make", []),
    ("kill 5", []),
    ("curl example.com", []),
    ("python3 -c 'import os'", []),
    ("sudo ls", []),
    ("frobnicate", []),
    ("ls && frobnicate", []),
    ("ls > out", []),
    ("cat .env", [READS]),  # without `[files]`
]


def decide(text, *approvals):
    return POLICY.decide(Request("run_shell_command", text, None, Place("/srv", "/srv", inside=True)), approvals)


def by_effect(text):
    return [rule for offer in decide(text).offers for rule in offer.rules if rule.effects]


@pytest.mark.parametrize(("text", "entries"), BY_EFFECT, ids=[text for text, _ in BY_EFFECT])
def test_a_yes_is_offered_by_what_commands_do(text, entries):
    assert [rule.entry for rule in by_effect(text)] == entries


@pytest.mark.parametrize("text", [text for text, entries in BY_EFFECT if entries])
def test_each_offer_answers_its_question(text):
    for offer in decide(text).offers:
        assert decide(text, *offer.rules).verdict is ALLOW, offer.label


def test_what_only_reads_is_answered_until_something_else_is_done():
    rules = by_effect("ls")
    assert {decide(text, *rules).verdict for text in ("head x | wc -l", "git log", "find . -name x")} == {ALLOW}
    others = ("touch x", "rm x", "find . -delete", "sort -o x y", "frobnicate", "./ls", "ls() { rm x; }; ls", "ls > x")
    assert {decide(text, *rules).verdict for text in others} == {ASK}


def test_a_program_is_answered_as_far_as_it_reads_and_writes():
    rules = by_effect("git add x")
    assert {decide(text, *rules).verdict for text in ("git add y", "git log", "git branch new")} == {ALLOW}
    others = ("git push", "git clean -f", "git reset --hard", "git -c core.pager=x log", "touch x", "git frobnicate")
    assert {decide(text, *rules).verdict for text in others} == {ASK}


PACKAGES = {
    "npx markdownlint-cli2 a.md": "npx markdownlint-cli2",
    "npx --yes eslint src": "npx --yes eslint",
    "pnpm dlx prettier --check .": "pnpm dlx prettier",
    "npx eslint@9 src": "exactly npx eslint@9 src",
    "npx @scope/tool a": "exactly npx @scope/tool a",
    "npx cowsay a": "exactly npx cowsay a",
    "npx rimraf a": "exactly npx rimraf a",
    "npx zx a.mjs": "exactly npx zx a.mjs",
    "npx kubectl get pods": "exactly npx kubectl get pods",
    "npx prisma generate": "exactly npx prisma generate",
    "npx npm install x": "exactly npx npm install x",
    "npx node a.js": "exactly npx node a.js",
    "npx tsx a.ts": "exactly npx tsx a.ts",
    "npx env rm x": "exactly npx env rm x",
    "npx ./x a": "exactly npx ./x a",
    "npx github:a/b c": "exactly npx github:a/b c",
    "npx -p a b": "exactly npx -p a b",
    "npx -c 'a b'": "exactly npx -c 'a b'",
    "npx sh -c x": "exactly npx sh -c x",
}
"""Commands that run a package, and the first words that are offered for them: those of known tools for checks alone."""


@pytest.mark.parametrize("text", PACKAGES)
def test_a_tool_from_a_registry_is_offered_by_its_name(text):
    (offer,) = (each for each in decide(text).offers if "first words" in each.label)
    _, exactly, words = PACKAGES[text].rpartition("exactly ")
    assert [rule.entry for rule in offer.rules] == [f"{exactly}run_shell_command({words})"]
