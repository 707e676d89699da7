"""`asimi explain`: what the catalogue says of a program, for people and for machines."""

from __future__ import annotations

import json

import pytest
from helpers.home import Home

BY_READING = 'coreTools = ["run_shell_command"]\n'


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, BY_READING)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sort"], ["sort\n", "  read: reads\n", "-o, --output=VALUE", "also write, unless", "any number"]),
        (["/usr/bin/sort"], ["sort\n"]),
        (["gsort"], ["gsort (also sort)\n"]),
        (["make"], ["make (also gmake)\n", "  code: runs code"]),
        (["git"], ["What it does is decided by its arguments", "push", "network publish", "blame, annotate, pickaxe"]),
        (["git", "push"], ["git push\n", "--force", "also delete.history", "-n, --dry-run", "only read network"]),
        (["black"], ["--check", "only read; an operand becomes a file or a directory that is read"]),
        (
            ["sed"],
            ["a text that asimi reads", "not with -e, -f", "an operand becomes a file or a directory that is made"],
        ),
        (["timeout"], ["  none: it has no effect", "It starts a command, which is judged by itself."]),
        (["cd"], ["It is a builtin of bash."]),
        (["docker", "stop"], ["  system.container: acts on containers or virtual machines\n"]),
        (["fsck"], ["What it does is not known", "  system.disk: it may change disks or file systems"]),
        (["atop"], ["What it does is not known, so no rule by effects allows it."]),
    ],
)
def test_a_row_is_said_in_words(home, words, said):
    done = home.asimi("explain", *words)
    assert done.returncode == 0, done.stderr
    assert [text for text in said if text not in done.stdout] == []


def test_a_row_is_said_for_machines(home):
    found = json.loads(home.asimi("explain", "git", "clean", "--json").stdout)
    assert (found["program"], found["names"], found["effects"]) == ("git clean", ["clean"], ["delete"])
    assert found["operands"] == [{"role": "delete", "many": True, "unless": []}]
    dry = next(option for option in found["options"] if "--dry-run" in option["names"])
    assert dry.pop("names") == ["-n", "--dry-run"]
    assert dry == {
        "value": "",
        "role": None,
        "effects": ["read"],
        "kinds": ["read"],
        "instead": True,
        "operands": "look",
    }
    assert json.loads(home.asimi("explain", "atop", "--json").stdout)["effects"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gitt"], "asimi knows no program 'gitt'"),
        (["gitt"], "Did you mean 'git'"),
        (["nobody-knows-this"], "no rule by effects allows it"),
        (["git", "pusch"], "asimi knows no subcommand 'pusch' of git. Did you mean 'push'?"),
        (["sed -i s/a/b/ f"], "asimi check 'sed -i s/a/b/ f'"),
        (["sed", "-i", "s/a/b/", "f"], "asimi check 'sed -i s/a/b/ f'"),
        (["git", "push", "origin"], "asimi check 'git push origin'"),
    ],
)
def test_what_is_no_row_is_an_error_that_helps(home, words, said):
    done = home.asimi("explain", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_an_agent_may_ask_for_a_row(home):
    assert home.asimi("check", "asimi explain git push").returncode == 0


@pytest.mark.parametrize("columns", [80, 40])
def test_what_is_said_fits_the_terminal(home, columns):
    with home.at_terminal("explain", "git", "stash", columns=columns, rows=200) as person:
        person.sees("--pathspec-file-nul")
        assert person.ended() == 0
        assert person.too_wide() == []
