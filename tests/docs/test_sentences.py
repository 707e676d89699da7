"""The pages that everybody reads have short sentences."""

from __future__ import annotations

import re

import pytest
from helpers import ROOT
from helpers.pages import PAGES, named, prose

LONGEST = 29  # words
READ = (
    "README.md",
    "CONTRIBUTING.md",
    *sorted(named(page) for page in PAGES if page.parent.name in {"start", "use", "trust"}),
)


def sentences(text):
    """The sentences of a page's paragraphs and lists; code counts as one word, and tables and headings as none."""
    for part in re.split(r"\n\s*\n|\n(?=- |\||#)", text):
        if not part.startswith(("|", "#", "!")):
            words = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "X", part))
            yield from re.split(r"(?<=[.!?:])\**\s+(?=[A-Z*\[])", " ".join(words.split()))


def test_a_sentence_is_cut_where_it_ends():
    text = "- **One.** Two `a. B` [three. x](y) four.\n\n| a table. Of words |\n# Head\n\nFive."
    assert [*sentences(text)] == ["- **One.", "Two X [three. x] four.", "Five."]


@pytest.mark.parametrize("page", READ)
def test_no_sentence_is_long(page):
    assert [each for each in sentences(prose(ROOT / page)) if len(each.split()) > LONGEST] == []
