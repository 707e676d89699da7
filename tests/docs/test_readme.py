"""The README is for a reader who has one minute, and what its tables say of verdicts is so."""

from __future__ import annotations

import json
import re

import pytest
from helpers import ROOT
from helpers.home import Home

LINES = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
LONGEST = 100  # lines


def rows(head):
    """The rows of the table with such a first line, as lists of cells."""
    first = LINES.index(head) + 2
    for line in LINES[first:]:
        if not line.startswith("|"):
            return
        yield [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def code(cell):
    """What stands in code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def judged(home, verdicts):
    """Have asimi compare commands with verdicts; what it says of the rows that differ."""
    lines = [json.dumps({"command": command, "expect": verdict}) for command, verdict in verdicts.items()]
    (home.root / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = home.asimi("policy", "test", "cases.jsonl")
    return done.returncode, done.stdout + done.stderr


def test_the_readme_takes_one_minute():
    assert len(LINES) <= LONGEST


def test_what_a_list_of_words_lets_run_asimi_asks_about(tmp_path):
    table = [*rows("| you allowed | the agent sends | what a word does not show |")]
    entries = {f"run_shell_command({name})" for allowed, _, _ in table for name in code(allowed)}
    home = Home(tmp_path, f"coreTools = {json.dumps(sorted(entries))}\n")
    commands = [command for _, sent, _ in table for command in code(sent)]
    assert len(commands) == 7
    code_, said = judged(home, dict.fromkeys(commands, "ask"))
    assert code_ == 0, said
    plain = dict.fromkeys(("git log", "find . -name x", "sort notes", "cat notes"), "allow")
    assert judged(home, plain)[0] == 0


SAID = {"lets it run: it": "allow", "asks you": "ask", "asks only": "ask"}


@pytest.mark.parametrize("words", SAID)
def test_the_preset_does_what_the_first_minute_says(tmp_path, words):
    home = Home(tmp_path, None)
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0
    table = [row for row in rows("| the agent proposes | asimi |") if row[1].startswith(words)]
    commands = [command.replace("…", "https://example.org") for proposed, _ in table for command in code(proposed)]
    assert commands
    code_, said = judged(home, dict.fromkeys(commands, SAID[words]))
    assert code_ == 0, said


def test_what_it_says_of_other_gates_is_a_row_of_the_whole_table():
    whole = (ROOT / "docs" / "trust" / "comparison.md").read_text(encoding="utf-8")
    table = [*rows("| gate | bad rows let through | harmless rows asked |")]
    assert len(table) == 3
    for gate, through, asked in table:
        assert f"| {gate} | **{through}** | **{asked}** |" in whole
