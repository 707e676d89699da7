"""Variables that a person lets commands set (`[environment] free`)."""

from __future__ import annotations

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import SHELL, rule_of

RULES = tuple(rule_of(f"run_shell_command({name})", Verdict.ALLOW) for name in ("cargo test", "psql", "env", "export"))
LISTED = ("DATABASE_URL", "NODE_OPTIONS", "RUST*", "MY_*", "GIT_*", "C*", "P*", "LD_*", "BASH*", "A*")

FREE = """
DATABASE_URL=postgres://me@db/x psql
DATABASE_URL='postgres://me@db/x?a=1&b=2' psql
DATABASE_URL=$url psql
env DATABASE_URL=x psql
export DATABASE_URL=x; psql
RUST_TEST_THREADS=1 RUST_EXPERIMENT=99 cargo test
MY_MODE=fast cargo test
NODE_OPTIONS=--require=./x.js cargo test
"""

ASKED = """
OTHER=1 cargo test
DATABASE_URLS=1 cargo test
RUSTC_WRAPPER=./x cargo test
RUSTC=./x cargo test
RUSTFLAGS=-Clinker=./x cargo test
MY_PLUGIN=./x.so cargo test
MY_LD_PRELOAD=x cargo test
GIT_SSH_COMMAND=./x cargo test
GIT_EXEC_PATH=. cargo test
CC=./x cargo test
CARGO_HOME=. cargo test
CARGO_TARGET_X_RUNNER=./x cargo test
PATH=. cargo test
PYTHONPATH=. cargo test
PYTHONSTARTUP=x cargo test
PAGER=./x cargo test
PERL5OPT=-Mx cargo test
LD_PRELOAD=./x.so cargo test
LD_LIBRARY_PATH=. cargo test
BASH_ENV=x cargo test
ANSIBLE_LIBRARY=. cargo test
env PATH=. cargo test
"""


def verdict(command, free=LISTED):
    request = Request(SHELL, command, None, Place("/project", "/project", inside=True))
    return Policy(RULES, Terms(free=free, exported=("HOME", "PATH"))).decide(request).verdict


@pytest.mark.parametrize("command", FREE.strip().splitlines())
def test_what_is_listed_is_no_question(command):
    assert verdict(command) is Verdict.ALLOW
    assert verdict(command, ()) is Verdict.ASK


@pytest.mark.parametrize("command", ASKED.strip().splitlines())
def test_what_may_name_code_is_not_free_by_its_beginning(command):
    assert verdict(command) is Verdict.ASK


def test_a_substitution_in_it_stays_what_it_is():
    assert verdict("DATABASE_URL=$(cat x) psql") is Verdict.DENY


THERE = ("GITT_X", "RIPGREP_CONFIG_PATH", "COUNT", "LESSOPEN", "GIT_DIR")


@pytest.mark.parametrize(
    ("command", "there"),
    [
        ("GITT_X=1; ls", Verdict.ALLOW),
        ("COUNT=1; grep -c x f | cat; echo $COUNT", Verdict.ALLOW),
        ("COUNT=1; cargo test", Verdict.ASK),
        ("COUNT=1; rg x; cargo test", Verdict.ASK),
        ("RIPGREP_CONFIG_PATH=x; rg y", Verdict.ASK),
        ("RIPGREP_CONFIG_PATH=x; cat y", Verdict.ASK),
        ("LESSOPEN=x; cat y", Verdict.ASK),
    ],
)
def test_a_variable_of_the_caller_counts_only_for_what_does_more_than_look(command, there):
    rules = [rule_of(f"{SHELL}({name})", Verdict.ALLOW) for name in ("ls", "grep", "echo", "rg", "cat", "cargo")]
    request = Request(SHELL, command, None, Place("/project", "/project", inside=True))
    assert Policy(rules).decide(request).verdict is Verdict.ALLOW
    assert Policy(rules, Terms(exported=THERE)).decide(request).verdict is there
