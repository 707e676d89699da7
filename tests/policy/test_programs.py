"""Python that is proven to read and write what it names, asked of the real one; `make fuzz` tries more."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.box import BWRAP, leaked
from fuzz.programs import INSIDE, search
from helpers import PATIENCE

boxed = pytest.mark.skipif(BWRAP is None, reason="bwrap is not installed")


@boxed
def test_what_is_proven_does_no_more():
    _, run, leaks = search(200, 1, PATIENCE)
    assert run
    assert not leaks, "\n".join(leaks)


@boxed
@pytest.mark.parametrize(
    "text",
    [
        "open('a.csv', 'w')",
        "print(open('.env').read())",
        "import os; os.system('true')",
        "import os; os.mkdir('ran')",
        "import sqlite3; sqlite3.connect('q.db')",
        "import sys; sys.path.insert(0, ''); import run",
    ],
)
def test_what_does_more_is_seen(text):
    assert leaked(Path("/tmp/home"), INSIDE, {}, [(0, text, [], [])])[0]
