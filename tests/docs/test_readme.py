"""The README is for a reader who has one minute, and what its tables say of verdicts is so."""

from __future__ import annotations

import json
import re

import pytest
from helpers import ROOT
from helpers.home import Home

COMPARISON = ROOT / "docs" / "trust" / "comparison.md"


def lines(page):
    """A page's lines."""
    return page.read_text(encoding="utf-8").splitlines()


README = lines(ROOT / "README.md")


def rows(head, lines=README):
    """The rows of the table with such a first line, as lists of cells."""
    for line in lines[lines.index(head) + 2 :]:
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
    assert 60 <= len(README) <= 80
    assert sum(line.count("](") - line.count("![") for line in README) <= 10


def test_what_a_list_of_words_lets_run_asimi_asks_about(tmp_path):
    table = [*rows("| you allowed | the agent sends | what a word does not show |", lines(COMPARISON))]
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
    table = [row for row in rows("| the agent proposes | asimi, by the agent's hook |") if row[1].startswith(words)]
    commands = [command.replace("…", "https://example.org") for proposed, _ in table for command in code(proposed)]
    assert commands
    code_, said = judged(home, dict.fromkeys(commands, SAID[words]))
    assert code_ == 0, said


HARMLESS = "| gate | harmless commands asked, of 688 | let through, of 41 for a person |"
WHOLE = HARMLESS + " arguable asked, of 135 | questions in seven sessions of 60 |"


def test_what_it_says_of_other_gates_is_in_the_whole_table():
    whole = [*rows(WHOLE, lines(COMPARISON))]
    assert [*rows(HARMLESS)] == [row[:3] for row in whole]
    counted = {row[0]: [*map(int, re.findall(r"\d+", row[4]))] for row in whole}
    assert all(total == sum(each) for total, *each in counted.values())
    text = " ".join(README)
    for gate, said in (("asimi, box", "{} times in all ({} to {} a"), ("asimi, hook", "{} times ({} to {})")):
        total, *each = counted[gate]
        assert said.format(total, min(each), max(each)) in text
    assert f"nah asked {counted['nah 0.11.0'][0]} times" in text


def test_what_it_says_of_public_sets_is_in_the_whole_table():
    text, whole = " ".join(README), "\n".join(lines(COMPARISON))
    asked = re.search(r"harmless rows \(([\d.]+ %), asimi ([\d.]+ %)", text)
    through = re.search(r"ones through \(([\d.]+ %), asimi ([\d.]+ %)\)", text)
    for gate, number in (("Dippy", asked[1]), ("asimi", asked[2])):
        assert re.search(rf"(?m)^\| {gate} [^|]*\|[^|]*\| \*\*{number}\*\* \|", whole)
    for gate, number in (("vetter", through[1]), ("asimi", through[2])):
        assert re.search(rf"(?m)^\| {gate} [^|]*\| \*\*{number}\*\* \|", whole)
