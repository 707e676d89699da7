"""Facts that are text: each line belongs to a list, so none is lost in silence."""

from __future__ import annotations

import pytest
from helpers import ROOT

TEXTS = {path: path.read_text(encoding="utf-8").split("\n") for path in sorted((ROOT / "asimi").rglob("*.txt"))}
FACTS = [
    path
    for path, lines in TEXTS.items()
    if path.parent.name != "catalogue" and any(line.startswith("$") for line in lines)
]


@pytest.mark.parametrize("path", FACTS, ids=lambda each: each.name)
def test_a_line_is_a_list_its_part_a_comment_or_blank(path):
    assert len(FACTS) > 10
    assert [line for line in TEXTS[path] if line.strip() and line[0] not in "#$ "] == []
