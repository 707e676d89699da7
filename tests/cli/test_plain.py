"""The plain reader of command lines and Typer read every line alike, or the plain one leaves it to Typer."""

from __future__ import annotations

import subprocess

import pytest
from helpers import PYTHON
from helpers.home import Home
from hypothesis import given, settings
from hypothesis import strategies as st

from asimi.doors.cli.forms import FORMS, GLOBAL, read
from asimi.doors.cli.program import Program, UsageError

OPTIONS = sorted({option.name for form in FORMS.values() for option in form.options} | {each.name for each in GLOBAL})
VALUES = [
    "ls",
    "ls -la",
    "sub",
    "5",
    "0",
    "0.5",
    "121",
    "1e3",
    "٣",
    " 5",
    "inf",
    "x=y",
    "\udcff",
    "",
    "-",
    "-x",
    "project",
]
WORDS = [*VALUES, *OPTIONS, *(f"{name}={value}" for name in OPTIONS for value in VALUES), "--", "---", "-h", "--help"]
ODD = [
    "--version",
    "--no",
    "--tim",
    "-j",
    "--yes=1",
    "--json=",
    "hook",
    "codex",
    "run",
    "exec",
    "check",
    "log",
    "=",
    "--=",
]
COMMANDS = [
    ["run"], ["exec"], ["check"], ["completion"], ["serve"], ["tools"], ["relay"],
    ["hook", "codex"], ["hook"], ["policy", "list"], [],
]  # fmt: skip

words = st.lists(st.sampled_from([*WORDS, *ODD]) | st.text(max_size=4), max_size=5)


def told_by_typer(arguments):
    """The command, the global options and the values that Typer reads; None where it says that the usage is wrong."""
    said, found = [], {}

    def call(name, options, values):
        said.append((name, options, values))
        return 0

    try:
        Program(found, call).main(args=arguments, prog_name="asimi", standalone_mode=False, obj=found)
    except UsageError:
        return None
    return said[0] if said else None


@settings(max_examples=2000, deadline=None)
@given(words.filter(lambda each: not {"-h", "--help", "--version"} & set(each)), st.sampled_from(COMMANDS), words)
def test_what_is_read_plainly_is_what_typer_reads(before, command, after):
    check([*before, *command, *after])


@settings(max_examples=2000, deadline=None)
@given(st.sampled_from(COMMANDS[:8]), st.lists(st.sampled_from(WORDS), max_size=6))
def test_lines_of_options_are_read_alike(command, after):
    check([*command, *after])


def check(arguments):
    line = read(arguments)
    if line is None:
        return
    name, options, values = told_by_typer(arguments)
    assert name == line.command
    assert values == line.values
    assert {name: value for name, value in options._asdict().items() if value not in {None, False}} == line.given


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "ls -la"],
        ["check", "ls", "--json", "--dir", "sub"],
        ["--config", "f", "--yes", "check", "--config", "g", "--", "--version"],
        ["run", "make", "--dir=a=b", "--timeout", "0.5", "--description", "why not", "--json"],
        ["exec", "--timeout=5", "python3", "--timeout", "-x", "--"],
        ["check", "--exec", "--", "rm", "-r", "x"],
        ["hook", "claude-code", "--sandbox", "project"],
        ["--session=s", "hook", "codex"],
        ["--", "check", "ls"],
        ["completion", "jobs"],
        ["serve", "--jobs", "8", "--host=gpu1"],
        ["tools", "--format", "mcp"],
        ["relay"],
    ],
)
def test_these_lines_need_no_typer(arguments):
    assert read(arguments) is not None
    check(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["log"], ["run"], ["run", "-h"], ["check", "ls", "--help"], ["check", "ls", "-la"], ["run", "ls", "--dir"],
        ["run", "ls", "--dir="], ["run", "ls", "--timeout", "-1"], ["exec", "--timeout", "121", "true"], ["hook"],
        ["hook", "codex", "x"], ["hook", "install", "codex"], ["run", "ls", "--yes=1"],
    ],
)  # fmt: skip
def test_these_lines_are_left_to_typer(arguments):
    assert read(arguments) is None


@pytest.mark.parametrize("arguments", [["check", "ls"], ["run", "true"]])
def test_a_command_of_a_form_loads_no_typer(tmp_path, arguments):
    home = Home(tmp_path)
    code = "import sys; from asimi.doors.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    done = subprocess.run(
        [PYTHON, "-c", code, *arguments], capture_output=True, text=True, check=False, env=home.environ, cwd=home.root
    )
    modules = set(done.stdout.split())
    assert "asimi.doors.cli.forms" in modules
    assert not {"typer", "rich", "prompt_toolkit"} & modules
