"""What the threat model promises is held by tests that are there."""

from __future__ import annotations

import ast
import re

import pytest
from helpers import ROOT

PAGE = (ROOT / "docs" / "trust" / "threat-model.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"(?m)^\| ([A-Z]\d+) \| .* \| (`.*`) \|$", PAGE))


def held_by(row):
    """The names of the tests of a promise."""
    return re.findall(r"`([^`]+)`", row)


def defined_in(path):
    """The tests of a file, but for those that are never run."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for each in tree.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = " ".join(map(ast.unparse, each.decorator_list))
            if not re.search(r"\bxfail\b|\bmark\.skip\b", marks):
                yield each.name


def test_every_promise_is_a_row_with_a_name_of_its_own():
    promises = PAGE.partition("## Promises")[2].partition("\n## ")[0]
    rows = [line for line in promises.splitlines() if line.startswith("|") and not line.startswith(("| | ", "|---"))]
    assert len(rows) == len(ROWS) > 50
    kinds = re.findall(r"[A-Z](?=1\b)", " ".join(ROWS))
    assert [*ROWS] == [f"{kind}{n}" for kind in kinds for n in range(1, 1 + sum(each[0] == kind for each in ROWS))]


@pytest.mark.parametrize("name", ROWS)
def test_the_tests_of_a_promise_are_there(name):
    named = held_by(ROWS[name])
    assert named
    for test in named:
        path, _, function = test.partition("::")
        assert path.startswith("tests/"), test
        assert not path.startswith("tests/live/"), "what is held needs no program of others"
        assert function in defined_in(path), test
