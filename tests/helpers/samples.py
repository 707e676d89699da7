"""What `make test` tries of groups that cost much: a sample, of which no row is slow; `make check` tries all."""

from __future__ import annotations

import os
import re
import zlib

import pytest

from helpers.sandboxes import USERS

TURNS = [("legacy", "auto"), ("40", "80"), *([USERS] if os.geteuid() == 0 else [])]
"""Words in the names of rows that are tried once for each: protocols, widths of a terminal, who root can become."""


IN_ORDER = {"test_bubblewrap.py", "test_developing.py"}
"""Files whose rows go on with what those before them have left, so none of them is left out."""


def sample(rows, every, first=0):
    """Rows for `parametrize`: each so many from the first one on for both, the others for `make check` alone."""
    return [row if number % every == first else _long(row) for number, row in enumerate(rows)]


def crossed(firsts, seconds, every):
    """Each of the first with each of the second; each so many-th for both, so that all of them are in some of those."""
    seconds = list(seconds)
    return [
        pytest.param(one, other, id=f"{one}-{other}", marks=[pytest.mark.long] if (row + column) % every else [])
        for row, one in enumerate(firsts)
        for column, other in enumerate(seconds)
    ]


def _long(row):
    if hasattr(row, "marks"):
        return pytest.param(*row.values, id=row.id, marks=[*row.marks, pytest.mark.long])
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.long)


def take_turns(items):
    """Of rows whose names differ in such a word alone, leave one to `make test`: in turns, so each has its share."""
    for words in TURNS:
        word = re.compile(rf"(?<=[\[-])(?:{'|'.join(words)})(?=[]-])")
        rows = {}
        for item in items:
            if (found := word.search(item.name)) and item.path.name not in IN_ORDER:
                row = item.nodeid.partition("[")[0], word.sub("", item.name, count=1)
                rows.setdefault(row, {})[found[0]] = item
        counts = {}
        for (function, _), alike in rows.items():
            counts[function] = turn = counts.get(function, zlib.crc32(function.encode())) + 1
            for each, item in alike.items():
                if len(alike) == len(words) and each != words[turn % len(words)]:
                    item.add_marker(pytest.mark.long)
