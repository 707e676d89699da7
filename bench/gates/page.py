"""The page on which every disagreement can be looked at: one file, no network. How it looks is in page.html."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

from gates import SAME
from sets import BAD, SETS, USED

NAMES = {each["folder"]: each["name"] for each in SETS}

PAGE = Path(__file__).resolve().with_name("page.html").read_text(encoding="utf-8")

LETTERS = {"allow": "a", "ask": "q", "deny": "d", "broke": "x"}


def page(found, svg):
    """The page's text."""
    judged = [each for each in found.judged if each.verdicts]
    sets, says = [*found.about], sorted({row.says for row in found.rows})
    rows = []
    for number, row in enumerate(found.rows):
        words = "".join(LETTERS[each.verdicts[number]] for each in judged)
        if row.says == USED and len(set(words)) == 1:
            continue
        if len(set(words)) > 1 or (row.says == BAD) == ("a" in words):
            rows += [[sets.index(row.source), says.index(row.says), row.group, row.command, words]]
    gates = [
        {"name": f"{each.gate.name}, {each.gate.label}", "setting": int(each.gate.setting == SAME)} for each in judged
    ]
    data = {
        "sets": [NAMES[each] for each in sets],
        "says": says,
        "settings": ["its own best", "the same list"],
        "gates": gates,
        "rows": rows,
    }
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    parts = {"@DATE@": escape(found.date), "@SVG@": svg, "@DATA@": text}
    return re.sub("|".join(parts), lambda found: parts[found[0]], PAGE)
